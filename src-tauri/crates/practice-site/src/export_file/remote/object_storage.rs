//! A bucket or blob container: writing, reading and removal of objects.

use super::super::hashing::{Hashing, Sent};
use super::super::writer::WriteError;
use super::parts::{self, Parts};
use super::pointer::{Pointer, StoreLocation};
use crate::clock::file_timestamp;
use crate::folders::Folders;
use crate::off_thread::off_thread;
use crate::random;
use crate::wire::ApiError;
use anyhow::Context as _;
use jiff::Zoned;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _, PutMode, RetryConfig, UpdateVersion};
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;
use tempfile::NamedTempFile;

/// Returns the retry settings. At most 60 seconds, because the client waits for the response; more than the library's
/// 30 seconds per request, or a request without a response would never be repeated.
pub(super) fn retry_config() -> RetryConfig {
    RetryConfig { max_retries: 3, retry_timeout: Duration::from_secs(60), ..RetryConfig::default() }
}

/// Bucket or blob container, with its name for error messages.
pub(crate) struct Remote {
    pub(super) store: Arc<dyn ObjectStore>,
    /// Name in messages, for example `the bucket exports in the region eu-central-1`.
    pub(super) named: String,
    /// Location written to a pointer file. Never contains a credential.
    pub(super) store_location: StoreLocation,
}

impl Remote {
    /// Checks whether an object can be written, and returns a message if something could not be removed afterwards.
    ///
    /// Creates no object: with versioning, a deleted object remains, and permission to write does not include
    /// permission to delete.
    pub(crate) async fn probe(&self) -> Result<Option<String>, ApiError> {
        let object = Path::from(format!(".probe-{}", random::uuid()));
        match self.store_location {
            StoreLocation::Bucket { .. } => self.begin_and_abort(&object).await,
            StoreLocation::Container { .. } => self.write_in_vain(&object).await,
        }
    }

    /// Starts an upload like an export does and aborts it before it becomes an object.
    async fn begin_and_abort(&self, object: &Path) -> Result<Option<String>, ApiError> {
        let mut upload = self.store.put_multipart(object).await.map_err(|cause| self.to_api_error(&cause))?;
        let sent = upload.put_part("probe".into()).await;
        let aborted = upload.abort().await;
        sent.map_err(|cause| self.to_api_error(&cause))?;
        Ok(aborted.err().map(|cause| {
            tracing::warn!("{}: cannot abort an upload: {cause}", self.named);
            format!(
                "An unfinished upload of 5 bytes stays in {}: the store does not allow to abort one. What a failed export has sent would stay there, too.",
                self.named
            )
        }))
    }

    /// Writes with a condition that is never met; everything else is checked first. An aborted upload is not used here,
    /// because blob storage can keep its blocks for a week.
    async fn write_in_vain(&self, object: &Path) -> Result<Option<String>, ApiError> {
        let never = UpdateVersion { e_tag: Some("\"0x0\"".to_owned()), version: None };
        match self.store.put_opts(object, "probe".into(), PutMode::Update(never).into()).await {
            Err(object_store::Error::Precondition { .. }) => Ok(None),
            Err(cause) => Err(self.to_api_error(&cause)),
            Ok(_) => {
                // The service ignored the condition and created the object.
                let removed = self.store.delete(object).await;
                Ok(removed
                    .err()
                    .map(|_| format!("The blob {object} stays in {}: it could not be deleted.", self.named)))
            }
        }
    }

    /// Uploads the data that `write` produces as a new object, in parts, and returns its pointer. On failure, the
    /// upload is aborted and no object is created.
    pub(crate) async fn receive<T: Send + 'static>(
        &self,
        extension: &str,
        write: impl FnOnce(Parts) -> Result<(Parts, T), WriteError> + Send + 'static,
    ) -> Result<(Pointer, T), ApiError> {
        // A random suffix, because two sites can export to one bucket in the same second.
        let object = format!("{}_{}.{extension}", file_timestamp(&Zoned::now()), random::hex_secret::<4>()?);
        let (parts, upload) = parts::begin(Arc::clone(&self.store), Path::from(object.as_str()));
        let written = off_thread(move || Ok(write(parts).map(|(parts, rest)| (parts.finish(), rest))));
        let (written, uploaded) = tokio::join!(written, upload);
        let (sent, rest) = match (uploaded, written?) {
            // If the object storage fails, the writer only gets a closed channel: report the cause, not the symptom.
            (Err(cause), _) => return Err(self.to_api_error(&cause)),
            (Ok(_), Err(WriteError::Content(rejection))) => return Err(rejection),
            (Ok(Some(())), Ok((Some(sent), rest))) => (sent, rest),
            _ => return Err(anyhow::anyhow!("the upload to {} was cut off", self.named).into()),
        };
        let Sent { size, sha256 } = sent;
        Ok((Pointer::new(self.store_location.clone(), object, size, sha256), rest))
    }

    /// Downloads the object of a pointer to a temporary file and verifies size and hash.
    pub(crate) async fn fetch(
        &self,
        pointer: &Pointer,
        folders: &Folders,
    ) -> Result<NamedTempFile, ApiError> {
        let scratch = NamedTempFile::new_in(&folders.scratch).context("no room for the export's content")?;
        let object = Path::from(pointer.object.as_str());
        let answer = self.store.get(&object).await.map_err(|cause| self.to_api_error(&cause))?;
        let another = || {
            super::super::reader::cannot_import(format!(
                "{} in {} is not what the file at 'location' points to",
                pointer.object, self.named
            ))
        };
        // Check the size before reading: another object of any size might have replaced it.
        if answer.meta.size != pointer.size {
            return Err(another());
        }
        let mut content = answer.into_stream();
        let mut file = Hashing::new(scratch);
        while let Some(bytes) = futures_util::StreamExt::next(&mut content).await {
            let bytes = bytes.map_err(|cause| self.to_api_error(&cause))?;
            file.write_all(&bytes).context("the content of the export")?;
        }
        let (scratch, sent) = file.finish();
        if (sent.size, &sent.sha256) == (pointer.size, &pointer.sha256) {
            Ok(scratch)
        } else {
            Err(another())
        }
    }

    /// Deletes an object whose pointer file could not be written. Failures are logged.
    pub(crate) async fn remove(&self, pointer: &Pointer) {
        if let Err(cause) = self.store.delete(&Path::from(pointer.object.as_str())).await {
            tracing::warn!(
                object = pointer.object,
                "an object without a pointer stays in {}: {cause}",
                self.named
            );
        }
    }

    /// Returns an error with cause and remedy. Object storage services agree on error codes, not on messages.
    fn to_api_error(&self, cause: &object_store::Error) -> ApiError {
        let causes: Vec<_> = anyhow::Chain::new(cause).map(ToString::to_string).collect();
        let text = causes.join(": ");
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
        ApiError::failed(format!(
            "Unable to write to the location {}: {why}. The location must be accessible and writable.",
            self.named
        ))
    }
}

/// Returns the HTTP status in an error text, for example `503 Service Unavailable`: the library's error type is
/// private.
fn status(text: &str) -> Option<&str> {
    text.split_once("status code: ")?.1.split(':').next()
}
