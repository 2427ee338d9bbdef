//! Uploads of a local file to a server, for an import.
//!
//! ```text
//! single request  for a file no larger than a part
//! multipart       register; send each part, again if its response is missing; commit once
//! ```
//!
//! [`upload`] is the entry point. The request that completes the upload is sent once. If its response is missing, the
//! server is checked for the file several times; until the file is found, the outcome is unknown.
//!
//! The site does not change before an import uses the file. A failed upload leaves at most an entry that the server
//! deletes later.

mod admission;
mod deletion;
mod description;
mod local_file;
mod multipart;
mod outcome;
mod record;
mod result;
mod single_request;
mod store;

pub use crate::model::history_key::{DELETE_UPLOAD, DISCARD, UPLOAD};
pub use deletion::delete_exported;
pub use deletion::{delete_stored, discard};
pub(crate) use local_file::upload_name;
pub(crate) use outcome::{check_deletion, check_outcome};
pub use result::{UnfinishedUpload, UploadEnd, UploadId};
pub use store::{Unfinished, UploadStore};

use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde::Deserialize;
use steward_client::{ClientError, Endpoint, Permit, SendState, uploads};
use steward_journal::Facts;

use crate::access::token_expiry;
use crate::files::dialogs::Title;
use crate::model::export_kind;
use crate::model::history_key::HistoryAction;
use crate::model::ids::Target;
use crate::model::numbers::Bytes;
use crate::model::operation::{Component, Operation, OperationKey};
use crate::model::problem::{PreconditionFailure, Problem};
use crate::model::retry_policy::RetryPolicy;
use crate::runs::{NewRun, Run, RunStep};
use crate::site_context::{Refusal, SiteContext};
use crate::sites::TargetSite;
use crate::transfers::Transfers;
use admission::{may_upload, unknown_upload};
use local_file::LocalFile;
use record::UploadRecord;
use result::Fault;

const MEBIBYTE: u64 = 1024 * 1024;

/// Why an upload that the server confirmed counts as unknown.
const LISTED_AS_INCOMPLETE: &str = "the server lists it as incomplete";

/// File to upload.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UploadSource {
    /// A file that the user chooses in a dialog.
    Choose {
        /// Size of a part, in MiB (1 to 1,024). A smaller file is sent in one request.
        part_mebibytes: u32,
    },
    /// A file that was dropped onto the window.
    Dropped {
        /// Path of the file.
        path: String,
        /// Size of a part, in MiB (1 to 1,024). A smaller file is sent in one request.
        part_mebibytes: u32,
    },
    /// The rest of an unfinished upload.
    GoOn {
        /// Identifier of the upload.
        item: UploadId,
    },
}

/// A running upload.
struct Upload<'a> {
    context: &'a SiteContext,
    transfers: &'a Transfers,
    server: Endpoint,
    site: TargetSite,
    run: Run,
    file: LocalFile,
    record: UploadRecord<'a>,
    /// Requests that were passed to the HTTP library.
    sending: SendState,
    /// Number of these requests before the one that completes the upload.
    before_completion: OnceLock<usize>,
    /// Upload in parts that it began or resumed.
    parts_of: Mutex<Option<UploadId>>,
}

/// Uploads a file, and returns the identifier that an import uses.
///
/// Failures of the transfer are results: see [`UploadEnd`].
///
/// # Errors
/// - [`Problem::ReadOnly`] if the site is read-only and locked.
/// - [`Problem::PreconditionFailed`] or [`Problem::SignIn`] if the server got another URL, or the user signed in or out, while the
///   dialog was open.
/// - [`Problem::TooOld`], [`Problem::NoAddress`] or [`Problem::NotOffered`] if imports are unavailable on the site.
/// - [`Problem::Busy`] if another operation runs on the site.
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
/// - [`Problem::Form`] if the file is no server export by its name.
/// - [`Problem::File`] if the file cannot be read.
/// - [`Problem::Unexpected`] if the site is not saved, the file was not dropped onto the window, there is no upload to
///   resume, or the history cannot be written.
/// - Those of [`Access::known`](crate::access::Access::known) and [`Access::server`](crate::access::Access::server).
pub async fn upload(
    context: &SiteContext,
    transfers: &Transfers,
    target: &Target,
    run: impl Into<NewRun>,
    source: UploadSource,
) -> Result<UploadEnd, Problem> {
    let shown = context.shown(target)?;
    may_upload(context, &shown.site).await?;
    let size_of = |part_mebibytes: u32| MEBIBYTE * u64::from(part_mebibytes.clamp(1, 1024));
    let (path, begun, part_size) = match source {
        UploadSource::Choose { part_mebibytes } => {
            match transfers.dialogs.open_file(Title::ChooseUpload).await? {
                Some(path) => (path, None, size_of(part_mebibytes)),
                None => return Ok(UploadEnd::Dismissed),
            }
        }
        UploadSource::Dropped { path, part_mebibytes } => {
            // A compromised page must not be able to send arbitrary files.
            let dropped = transfers.dialogs.dropped.find(&path).ok_or_else(|| Problem::Unexpected {
                message: format!("{path} was not dropped onto the window"),
            })?;
            (dropped, None, size_of(part_mebibytes))
        }
        UploadSource::GoOn { item } => {
            let begun = transfers.uploads.find(target, &item).ok_or_else(|| unknown_upload(&item))?;
            (begun.path.clone(), Some(begun.clone()), begun.part_size)
        }
    };
    if begun.is_none() {
        export_kind::check(Component::Server, "file", &path.to_string_lossy())?;
    }
    let file = LocalFile::look(path.clone()).await.map_err(|error| Problem::file(&path, &error))?;
    // While the dialog was open, the server might have been changed, or the site might have become read-only.
    context.check_shown(&shown)?;
    let site = context.access.sites.at(target)?;
    let admission = context.admission(&site);
    context.may_write(&site, HistoryAction::Upload.name())?;
    let step = RunStep::Uploading { done: Bytes(0), total: Bytes(file.length) };
    let run =
        context.runs.begin(run, &site, OperationKey::ImportServer, Some(HistoryAction::Upload), step)?;
    run.admission_or_set(|| admission);
    let parameters =
        vec![("file".to_owned(), path.display().to_string()), ("bytes".to_owned(), file.length.to_string())];
    let record = UploadRecord::new(context, &site, &run, parameters);
    let reaching = async {
        let server = context.access.server(&site).await?;
        context.lock_learned(&site, &run)?;
        token_expiry::renew_if_short(&server, None).await;
        Ok::<_, Problem>(server)
    };
    let Some(server) = run.unless_stopped(reaching).await.transpose()? else {
        let end = UploadEnd::Stopped { unfinished: None };
        record.conclude(&run, &end, None, false, None).await;
        return Ok(end);
    };
    let sending = SendState::default();
    let server = server.watched(sending.clone());
    let before_completion = OnceLock::new();
    let parts_of = Mutex::new(begun.as_ref().map(|begun| begun.item.clone()));
    let upload =
        Upload { context, transfers, server, site, run, file, record, sending, before_completion, parts_of };
    let sent = async {
        let item = match begun {
            None if upload.file.length <= part_size => upload.whole().await,
            begun => upload.in_parts(begun, part_size).await,
        };
        upload.of_our_length(item?).await
    };
    let sent = tokio::select! {
        // A response that was received counts.
        biased;
        sent = sent => sent,
        () = upload.run.stopped() => Err(Fault::Stopped),
    };
    let (end, why) = match sent {
        Err(Fault::Stopped) => {
            let unfinished = upload.unfinished();
            let end = match upload.before_completion.get() {
                Some(before) if upload.sending.handed_over() > *before => {
                    UploadEnd::Unknown { problem: None, unfinished }
                }
                _ => UploadEnd::Stopped { unfinished },
            };
            (end, None)
        }
        Ok(item) => {
            (UploadEnd::Uploaded { item, name: upload.file.name(), size: Bytes(upload.file.length) }, None)
        }
        Err(why) => {
            let (problem, unfinished) = (upload.problem(&why).await, upload.unfinished());
            let end = match why {
                Fault::Unseen(_) => UploadEnd::Unknown { problem: Some(problem), unfinished },
                Fault::Here(_) | Fault::There(_) | Fault::Stored(_) | Fault::NoLonger(_) | Fault::Stopped => {
                    let too_long = matches!(&why, Fault::There(error) if error.may_be_of_the_length());
                    UploadEnd::Failed { problem, unfinished, too_long }
                }
            };
            (end, Some(why))
        }
    };
    let was_sent = upload.sending.handed_over() > 0;
    let stored = match &end {
        UploadEnd::Uploaded { item, .. } => Some(Facts {
            upload: Some(item.0.clone()),
            path: Some(path.display().to_string()),
            sha256: upload.file.sha256(),
            ..Facts::default()
        }),
        _ => None,
    };
    upload.record.conclude(&upload.run, &end, why.as_ref(), was_sent, stored).await;
    Ok(end)
}

/// Returns the uploads to a server that can be resumed.
pub fn unfinished(uploads: &UploadStore, target: &Target) -> Vec<UnfinishedUpload> {
    uploads.of(target).iter().map(Unfinished::view).collect()
}

impl Upload<'_> {
    fn retry_policy(&self) -> &RetryPolicy {
        &self.transfers.retry_policy
    }

    /// Returns the permit for the next request that changes the server: an upload can take hours, and the site can be
    /// locked meanwhile.
    async fn permit(&self) -> Result<Permit<'_>, Fault> {
        let Self { context, server, site, run, record, .. } = self;
        let permit = context
            .permit(server, &Operation::of(OperationKey::ImportServer), site, run, record.write())
            .await;
        permit.map_err(|refusal| match refusal {
            Refusal::Stopped => Fault::Stopped,
            Refusal::Because(problem) => Fault::NoLonger(problem),
        })
    }

    /// Returns a stored file if it has the length of this one, or if its length is not known: a server can lose a part that it
    /// confirmed. If the server does not have the file, it was not stored. Stop skips this check.
    async fn of_our_length(&self, item: UploadId) -> Result<UploadId, Fault> {
        let size = self.file.length;
        let asking = uploads::length(&self.server, &item.0, self.retry_policy().stalled);
        match self.run.unless_stopped(asking).await.flatten() {
            Some(stored) if stored != size => {
                let why = PreconditionFailure::StoredDiffers { stored: Bytes(stored), size: Bytes(size) };
                return Err(Fault::Stored(Problem::precondition_failed(why)));
            }
            Some(_) => return Ok(item),
            None => {}
        }
        match self.run.unless_stopped(uploads::find(&self.server, &item.0)).await {
            Some(Ok(Some(stored))) if stored.committed == Some(false) => {
                Err(Fault::Unseen(ClientError::unreadable("a complete upload", LISTED_AS_INCOMPLETE)))
            }
            Some(Ok(None)) => {
                Err(Fault::Unseen(ClientError::unreadable("a stored upload", "the server does not have it")))
            }
            _ => Ok(item),
        }
    }

    fn unfinished(&self) -> Option<UnfinishedUpload> {
        let item = self.parts_of.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        self.transfers.uploads.find(&self.site.target(), &item).as_ref().map(Unfinished::view)
    }

    /// Marks the next request as the one that completes the upload.
    fn completes(&self) {
        self.before_completion.get_or_init(|| self.sending.handed_over());
    }

    async fn problem(&self, why: &Fault) -> Problem {
        let error = match why {
            Fault::Here(error) => return Problem::file(&self.file.path, error),
            Fault::Stored(problem) | Fault::NoLonger(problem) => return problem.clone(),
            Fault::There(error) | Fault::Unseen(error) => error,
            Fault::Stopped => return Problem::precondition_failed(PreconditionFailure::Stopped),
        };
        let problem = self.context.access.problem_at(&self.server, &self.site, error).await;
        if !matches!(problem, Problem::Rejected { .. }) {
            return problem;
        }
        // The messages of servers differ, so compare with the list of allowed extensions.
        let extension = extension(&self.file.path);
        match self.run.unless_stopped(uploads::allowed_extensions(&self.server)).await {
            Some(Ok(allowed)) if !allowed.contains(&extension) => {
                Problem::ExtensionNotAllowed { extension, allowed }
            }
            _ => problem,
        }
    }
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}
