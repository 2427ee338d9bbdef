//! A file of this computer, on its way to the files that a server stores, so that it can be imported there.
//!
//! ```text
//! whole     one request, for a file no larger than a part
//! in parts  announced · each part sent, again when its answer was lost · committed, once
//! ```
//!
//! The request that completes it is sent once. Where its response is lost, the server is asked for the file, several
//! times; until it is seen there, the outcome is unknown.
//!
//! Nothing of the site changes before an import names the file. An upload that fails leaves no more behind than an
//! entry that the server cleans away, and never touches an import.

mod local_file;
mod multipart;
mod record;
mod single_request;
mod store;

pub use crate::model::history_key::{DISCARD, UPLOAD};
pub use store::{Unfinished, UploadBook};

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use steward_client::{Area, ClientError, SendState, uploads};
use steward_journal::Outcome;

use crate::files::dialogs::Title;
use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::numbers::Bytes;
use crate::model::operation::Key;
use crate::model::problem::Problem;
use crate::model::retry_policy::Persistence;
use crate::runs::{Run, RunId, RunStep};
use crate::sites::Site;
use crate::sites::availability;
use local_file::LocalFile;

const MEBIBYTE: u64 = 1024 * 1024;

/// Identifier of a file that a server stores, complete or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct UploadId(pub String);

/// Which file is to be uploaded.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UploadSource {
    /// One that the person chooses in the system's dialog.
    Choose {
        /// How large a part is, in MiB. A smaller file is sent whole.
        part_mebibytes: u32,
    },
    /// One that was dropped onto the window.
    Dropped {
        /// Where it is.
        path: String,
        /// How large a part is, in MiB. A smaller file is sent whole.
        part_mebibytes: u32,
    },
    /// The rest of one that was begun.
    GoOn {
        /// What the server knows it by.
        item: UploadId,
    },
}

/// An upload that was begun and is not complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UnfinishedUpload {
    /// What the server knows it by.
    pub item: UploadId,
    /// The file on this computer.
    pub path: String,
    /// Its size.
    pub size: Bytes,
    /// What of it the server has.
    pub done: Bytes,
}

/// The end of an upload. A closed dialog and a pressed Stop are ends, not problems.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UploadEnd {
    /// The server has it.
    Uploaded {
        /// What an import calls it.
        item: UploadId,
        /// Its name.
        name: String,
        /// Its size.
        size: Bytes,
    },
    /// The person closed the dialog. Nothing was sent.
    Dismissed,
    /// The person pressed Stop.
    Stopped {
        /// What can go on later; `null` when nothing of it is kept.
        unfinished: Option<UnfinishedUpload>,
    },
    /// It broke off.
    Failed {
        /// Why.
        problem: Problem,
        /// What can go on later; `null` when nothing of it is kept.
        unfinished: Option<UnfinishedUpload>,
    },
    /// The request that completes it was sent, and whether the server has the file was not seen.
    Unknown {
        /// Why no response came; `null` when the person pressed Stop.
        problem: Option<Problem>,
        /// What can go on later, unless the server has it all; `null` when nothing of it is kept.
        unfinished: Option<UnfinishedUpload>,
    },
}

/// Why an upload is not known to be at the server.
enum Fault {
    /// The file could not be read, or is another than it was.
    Here(std::io::Error),
    /// The server or the way to it failed, and the server does not have the file.
    There(ClientError),
    /// The response to the request that completes it was lost. The server may have the file.
    Unseen(ClientError),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Here(error) => error.fmt(to),
            Self::There(error) | Self::Unseen(error) => error.fmt(to),
        }
    }
}

impl From<ClientError> for Fault {
    fn from(error: ClientError) -> Self {
        Self::There(error)
    }
}

/// An upload on its way.
struct Upload<'a> {
    host: &'a Host,
    server: Area,
    site: Site,
    run: Run,
    file: LocalFile,
    /// What of it was handed to the network.
    sending: SendState,
    /// How much that was before the request that completes it.
    before_completion: OnceLock<usize>,
}

/// Uploads a file and says what the import is to call it.
pub async fn upload(
    host: &Host,
    site: &SiteId,
    run: RunId,
    source: UploadSource,
) -> Result<UploadEnd, Problem> {
    let asked = host.sites.get(site)?;
    may_upload(host, &asked).await?;
    let size_of = |part_mebibytes: u32| MEBIBYTE * u64::from(part_mebibytes.clamp(1, 1024));
    let (path, begun, part_size) = match source {
        UploadSource::Choose { part_mebibytes } => match host.dialogs.open_file(Title::ChooseUpload).await? {
            Some(path) => (path, None, size_of(part_mebibytes)),
            None => return Ok(UploadEnd::Dismissed),
        },
        UploadSource::Dropped { path, part_mebibytes } => {
            let path = PathBuf::from(path);
            // A window that was talked into it must not send any file it likes.
            if !host.dropped.knows(&path) {
                let message = format!("{} was not dropped onto the window", path.display());
                return Err(Problem::Unexpected { message });
            }
            (path, None, size_of(part_mebibytes))
        }
        UploadSource::GoOn { item } => {
            let begun = host.uploads.find(&asked, &item).ok_or_else(|| not_begun(&item))?;
            (begun.path.clone(), Some(begun.clone()), begun.part_size)
        }
    };
    let file = LocalFile::look(path.clone()).await.map_err(|error| Problem::file(&path, &error))?;
    // While the dialog was open, another server may have been chosen, or the site marked read-only.
    let site = host.sites.get(site)?;
    host.may_write(&site)?;
    let step = RunStep::Uploading { done: Bytes(0), total: Bytes(file.length) };
    let run = host.runs.begin(run, &site, Key::ImportServer, step)?;
    let parameters =
        vec![("file".to_owned(), path.display().to_string()), ("bytes".to_owned(), file.length.to_string())];
    let server = tokio::select! {
        biased;
        () = run.stopped() => None,
        server = host.server(&site) => Some(server?),
    };
    let record = record::begin(host, &site, UPLOAD, parameters).await?;
    let Some(server) = server else {
        let end = UploadEnd::Stopped { unfinished: None };
        record.end(&end, None, false).await;
        return Ok(end);
    };
    let sending = run.send_state();
    let server = server.watched(sending.clone());
    let upload = Upload { host, server, site, run, file, sending, before_completion: OnceLock::new() };
    let sent = async {
        match begun {
            None if upload.file.length <= part_size => upload.whole().await,
            begun => upload.in_parts(begun, part_size).await,
        }
    };
    let sent = tokio::select! {
        sent = sent => sent,
        () = upload.run.stopped() => {
            let unfinished = upload.unfinished();
            let end = match upload.before_completion.get() {
                Some(before) if upload.sending.handed_over() > *before => {
                    UploadEnd::Unknown { problem: None, unfinished }
                }
                _ => UploadEnd::Stopped { unfinished },
            };
            record.end(&end, None, upload.sending.handed_over() > 0).await;
            return Ok(end);
        }
    };
    let (end, why) = match sent {
        Ok(item) => {
            (UploadEnd::Uploaded { item, name: upload.file.name(), size: Bytes(upload.file.length) }, None)
        }
        Err(why) => {
            let (problem, unfinished) = (upload.problem(&why).await, upload.unfinished());
            let end = match why {
                Fault::Unseen(_) => UploadEnd::Unknown { problem: Some(problem), unfinished },
                Fault::Here(_) | Fault::There(_) => UploadEnd::Failed { problem, unfinished },
            };
            (end, Some(why))
        }
    };
    record.end(&end, why.as_ref(), true).await;
    Ok(end)
}

/// Uploads to the chosen server of a site that can go on.
pub fn unfinished(host: &Host, site: &SiteId) -> Vec<UnfinishedUpload> {
    // A site that was removed has none.
    let begun = host.sites.get(site).map(|site| host.uploads.here(&site)).unwrap_or_default();
    begun.iter().map(Unfinished::view).collect()
}

/// Forgets an upload that was begun, here and on the server.
pub async fn discard(host: &Host, site: &SiteId, item: &UploadId) -> Result<(), Problem> {
    let saved = host.sites.get(site)?;
    may_upload(host, &saved).await?;
    // What else the server stores may be somebody's way back.
    let begun = host.uploads.find(&saved, item).ok_or_else(|| not_begun(item))?;
    host.runs.none_on(site)?;
    let server = host.server(&saved).await?;
    let parameters =
        vec![("file".to_owned(), begun.path.display().to_string()), ("item".to_owned(), item.0.clone())];
    let record = record::begin(host, &saved, DISCARD, parameters).await?;
    match uploads::delete(&server, &item.0).await {
        Ok(()) => {
            let name = begun.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            record.conclude(Outcome::Succeeded, name).await;
        }
        // A server that knows nothing of it any more has nothing to remove.
        Err(refused @ ClientError::Refused { .. }) => {
            record.conclude(Outcome::Failed, refused.to_string()).await;
        }
        Err(error) => {
            let lost = error.may_have_taken_effect();
            let outcome = if lost { Outcome::Unknown } else { Outcome::Failed };
            record.conclude(outcome, error.to_string()).await;
            return Err(Problem::from_client(&error, site));
        }
    }
    host.uploads.forget(item);
    Ok(())
}

/// Whether something may be stored on the server of a site at all. Everything that writes there by uploading comes
/// past here.
async fn may_upload(host: &Host, site: &Site) -> Result<(), Problem> {
    host.may_write(site)?;
    availability::check(Key::ImportServer.operation(), site, &host.known(site).await?)
}

impl Upload<'_> {
    fn persistence(&self) -> &Persistence {
        &self.host.persistence
    }

    fn unfinished(&self) -> Option<UnfinishedUpload> {
        let of_this_file = |begun: &&Unfinished| begun.path == self.file.path;
        self.host.uploads.here(&self.site).iter().rev().find(of_this_file).map(Unfinished::view)
    }

    /// Once another request was handed over, the server may have the file.
    fn completes(&self) {
        self.before_completion.get_or_init(|| self.sending.handed_over());
    }

    async fn problem(&self, why: &Fault) -> Problem {
        let error = match why {
            Fault::Here(error) => return Problem::file(&self.file.path, error),
            Fault::There(error) | Fault::Unseen(error) => error,
        };
        let problem = self.host.problem_at(&self.server, &self.site, error).await;
        if !matches!(problem, Problem::Refused { .. }) {
            return problem;
        }
        // Servers have many words for it, and one list.
        let extension = extension(&self.file.path);
        match uploads::allowed_extensions(&self.server).await {
            Ok(allowed) if !allowed.contains(&extension) => {
                Problem::ExtensionNotAllowed { extension, allowed }
            }
            _ => problem,
        }
    }
}

fn not_begun(item: &UploadId) -> Problem {
    Problem::Unexpected { message: format!("no upload {} was begun on this site", item.0) }
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}
