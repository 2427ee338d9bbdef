//! Buckets and blob containers: where the content of an export goes when its folder holds only a pointer.

mod azure;
mod parts;
mod pointer;
mod s3;

pub(crate) use pointer::Pointer;

use super::hashing::{Hashing, Sent};
use super::writer::Unwritten;
use crate::app::Folders;
use crate::clock::file_timestamp;
use crate::random;
use crate::wire::{Parameters, Refusal};
use anyhow::Context as _;
use jiff::Zoned;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _, PutMode, RetryConfig, UpdateVersion};
use parts::Parts;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;
use tempfile::NamedTempFile;

/// A store in trouble is given a minute, not several: somebody is waiting for the answer. It must be longer than the
/// 30 seconds that the library gives one request, or a request that got no answer would never be sent again.
fn patience() -> RetryConfig {
    RetryConfig { max_retries: 3, retry_timeout: Duration::from_secs(60), ..RetryConfig::default() }
}

/// A bucket or container, and how to call it when something is wrong with it.
pub(crate) struct Remote {
    store: Arc<dyn ObjectStore>,
    /// `the bucket exports in the region eu-central-1`
    named: String,
    /// What a pointer says about it. Never a credential.
    whereabouts: Whereabouts,
}

/// Where a store is, as far as a pointer may tell.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "store", rename_all = "camelCase")]
pub(crate) enum Whereabouts {
    /// An S3 bucket.
    Bucket { bucket: String, region: String },
    /// A container of Azure's blob service, by its address.
    Container { container: String },
}

impl Remote {
    /// The store that the parameters of operation 1 name, if they name one: `backupObjectStore` with a region is a
    /// bucket, with a connection string a blob container.
    pub(crate) fn named_by(parameters: &Parameters, folders: &Folders) -> Result<Option<Remote>, Refusal> {
        let store = parameters.text("backupObjectStore");
        let region = parameters.text("backupObjectStoreRegion");
        let connection = parameters.text("backupObjectStoreConnectionStr");
        match (store, region, connection) {
            (None, None, None) => Ok(None),
            (None, Some(_), None) => {
                Err(Refusal::bad_request("'backupObjectStoreRegion' needs 'backupObjectStore'."))
            }
            (Some(_), Some(_), Some(_)) => Err(Refusal::bad_request(
                "'backupObjectStoreRegion' is for a bucket, 'backupObjectStoreConnectionStr' for a blob container: give one of them.",
            )),
            (container, _, Some(connection)) => azure::container(container, connection).map(Some),
            (Some(bucket), region, None) => s3::bucket(bucket, region, folders).map(Some),
        }
    }

    /// The store that a pointer leads to. A container's credentials are in no pointer and come with the request.
    pub(crate) fn behind(
        pointer: &Pointer,
        parameters: &Parameters,
        folders: &Folders,
    ) -> Result<Remote, Refusal> {
        match &pointer.whereabouts {
            Whereabouts::Bucket { bucket, region } => s3::bucket(bucket, Some(region), folders),
            Whereabouts::Container { container } => {
                let Some(connection) = parameters.text("backupObjectStoreConnectionStr") else {
                    return Err(Refusal::bad_request(format!(
                        "The file points to the container {container}: 'backupObjectStoreConnectionStr' must be specified."
                    )));
                };
                azure::container(Some(container), connection)
            }
        }
    }

    /// Whether an object can be written. Makes none: where versions are kept a deleted one stays, and whoever may write
    /// may not always delete. Says what could not be taken away again.
    pub(crate) async fn probe(&self) -> Result<Option<String>, Refusal> {
        let object = Path::from(format!(".probe-{}", random::uuid()));
        match self.whereabouts {
            Whereabouts::Bucket { .. } => self.begin_and_abort(&object).await,
            Whereabouts::Container { .. } => self.write_in_vain(&object).await,
        }
    }

    /// Begins an upload as an export does, and gives it up before it becomes an object.
    async fn begin_and_abort(&self, object: &Path) -> Result<Option<String>, Refusal> {
        let mut upload = self.store.put_multipart(object).await.map_err(|cause| self.in_words(&cause))?;
        let sent = upload.put_part("probe".into()).await;
        let aborted = upload.abort().await;
        sent.map_err(|cause| self.in_words(&cause))?;
        Ok(aborted.err().map(|cause| {
            tracing::warn!("{}: an upload was not given up: {cause}", self.named);
            format!(
                "An unfinished upload of 5 bytes stays in {}: the store does not allow to abort one. What a failed export has sent would stay there, too.",
                self.named
            )
        }))
    }

    /// Writes under a condition that cannot hold. The store looks at everything else first. It could keep blocks that
    /// were given up for a week, so an upload would leave something here.
    async fn write_in_vain(&self, object: &Path) -> Result<Option<String>, Refusal> {
        let never = UpdateVersion { e_tag: Some("\"0x0\"".to_owned()), version: None };
        match self.store.put_opts(object, "probe".into(), PutMode::Update(never).into()).await {
            Err(object_store::Error::Precondition { .. }) => Ok(None),
            Err(cause) => Err(self.in_words(&cause)),
            Ok(_) => {
                // It heeds no conditions.
                let removed = self.store.delete(object).await;
                Ok(removed
                    .err()
                    .map(|_| format!("The blob {object} stays in {}: it could not be deleted.", self.named)))
            }
        }
    }

    /// Sends what `write` writes to a new object, in parts, and answers what points to it. When anything fails, the
    /// parts are given up and there is no object.
    pub(crate) async fn receive<T: Send + 'static>(
        &self,
        extension: &str,
        write: impl FnOnce(Parts) -> Result<(Parts, T), Unwritten> + Send + 'static,
    ) -> Result<(Pointer, T), Refusal> {
        // The hash of nothing in particular: two sites may export to one bucket in one second.
        let object = format!("{}_{}.{extension}", file_timestamp(&Zoned::now()), random::hex_secret::<4>()?);
        let (parts, upload) = parts::begin(Arc::clone(&self.store), Path::from(object.as_str()));
        let written =
            crate::app::off_thread(move || Ok(write(parts).map(|(parts, rest)| (parts.finish(), rest))));
        let (written, uploaded) = tokio::join!(written, upload);
        let (sent, rest) = match (uploaded, written?) {
            // When the store takes no more, the writer only knows that it was cut off.
            (Err(cause), _) => return Err(self.in_words(&cause)),
            (Ok(_), Err(Unwritten::Content(refusal))) => return Err(refusal),
            (Ok(Some(())), Ok((Some(sent), rest))) => (sent, rest),
            _ => return Err(anyhow::anyhow!("the upload to {} was cut off", self.named).into()),
        };
        let Sent { size, sha256 } = sent;
        Ok((Pointer::new(self.whereabouts.clone(), object, size, sha256), rest))
    }

    /// Brings the object back, as long as it is what the pointer says.
    pub(crate) async fn fetch(&self, pointer: &Pointer, folders: &Folders) -> Result<NamedTempFile, Refusal> {
        let scratch = NamedTempFile::new_in(&folders.scratch).context("no room for the export's content")?;
        let object = Path::from(pointer.object.as_str());
        let answer = self.store.get(&object).await.map_err(|cause| self.in_words(&cause))?;
        let another = || {
            super::reader::cannot_import(format!(
                "{} in {} is not what the file at 'location' points to",
                pointer.object, self.named
            ))
        };
        // Before a byte of it is read: an object of any size may stand there now.
        if answer.meta.size != pointer.size {
            return Err(another());
        }
        let mut content = answer.into_stream();
        let mut file = Hashing::new(scratch);
        while let Some(bytes) = futures_util::StreamExt::next(&mut content).await {
            let bytes = bytes.map_err(|cause| self.in_words(&cause))?;
            file.write_all(&bytes).context("the content of the export")?;
        }
        let (scratch, sent) = file.finish();
        if (sent.size, &sent.sha256) == (pointer.size, &pointer.sha256) {
            Ok(scratch)
        } else {
            Err(another())
        }
    }

    /// Takes an object away whose pointer could not be written.
    pub(crate) async fn remove(&self, pointer: &Pointer) {
        if let Err(cause) = self.store.delete(&Path::from(pointer.object.as_str())).await {
            tracing::warn!(
                object = pointer.object,
                "an object without a pointer stays in {}: {cause}",
                self.named
            );
        }
    }

    /// What went wrong, and what to do about it. Stores agree on codes, not on sentences.
    fn in_words(&self, cause: &object_store::Error) -> Refusal {
        let text = format!("{:#}", anyhow::Error::msg(chain(cause)));
        tracing::warn!("{}: {text}", self.named);
        let says = |codes: &[&str]| codes.iter().any(|code| text.contains(code));
        let answered;
        let why = if says(&["NoSuchBucket", "ContainerNotFound"]) {
            "it is not there"
        } else if says(&["AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraint"]) {
            "it is in another region"
        } else if says(&[
            "SignatureDoesNotMatch",
            "InvalidAccessKeyId",
            "AuthenticationFailed",
            "AuthorizationFailure",
        ]) {
            "the store does not accept the credentials"
        } else if says(&["AccessDenied"])
            || matches!(
                cause,
                object_store::Error::PermissionDenied { .. } | object_store::Error::Unauthenticated { .. }
            )
        {
            "the store refuses access; check key, secret and what they may do"
        } else if matches!(cause, object_store::Error::NotFound { .. }) {
            "what was asked for is not there"
        } else if let Some(status) = status(&text) {
            answered = format!("the store answered {status}");
            &answered
        } else {
            "it cannot be reached, or the connection was lost"
        };
        Refusal::failed(format!(
            "Unable to write to the location {}: {why}. The location must be accessible and writable.",
            self.named
        ))
    }
}

/// The HTTP status of an answer that says nothing better, as in `503 Service Unavailable`: the library keeps its own
/// error private and tells it only in its text.
fn status(text: &str) -> Option<&str> {
    text.split_once("status code: ")?.1.split(':').next()
}

/// The error and everything that caused it.
fn chain(cause: &dyn std::error::Error) -> String {
    let mut text = cause.to_string();
    let mut next = cause.source();
    while let Some(cause) = next {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
}
