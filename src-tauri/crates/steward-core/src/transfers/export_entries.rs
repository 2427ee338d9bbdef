//! Entries of an export file, read through its directory: of a file on this computer, or of a server upload. The rest of the
//! file is not read.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde::Deserialize;
use steward_client::{Endpoint, FileEnds, STALLED, WholeFile};

use crate::files::archive_check::{directory, ends_of};
use crate::files::archive_contents::{self, Directory, LARGEST_DIRECTORY};
use crate::files::dialogs::Title;
use crate::files::{on_own_thread, open_regular};
use crate::model::archive_contents::ExportEntries;
use crate::model::export_verification::ArchiveFault;
use crate::model::ids::{RecordId, Target};
use crate::model::numbers::count;
use crate::model::problem::Problem;
use crate::site_context::SiteContext;
use crate::transfers::Transfers;
use crate::transfers::recorded_export::open_recorded;

/// Location of an export file.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ExportFile {
    /// A file that the user chooses in a dialog.
    Choose,
    /// Among the uploads of the server.
    Upload {
        /// Identifier of the upload.
        id: String,
    },
    /// The file that a recorded export was written to.
    Recorded {
        /// Record of the export.
        record: RecordId,
    },
}

/// Lists the entries of an export file; `None` if the user closed the dialog.
///
/// # Errors
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
/// - [`Problem::File`] if the file cannot be read, or that of a record is not there any more.
/// - [`Problem::Rejected`] or another error of the client if the server does not send a part of the file.
/// - Those of [`Access::server`](crate::access::Access::server).
pub async fn list_entries(
    context: &SiteContext,
    transfers: &Transfers,
    data_folder: &Path,
    target: &Target,
    file: ExportFile,
) -> Result<Option<ExportEntries>, Problem> {
    match file {
        ExportFile::Choose => {
            let Some(path) = transfers.dialogs.open_file(Title::ChooseFile).await? else { return Ok(None) };
            let open = open_regular(&path).map_err(|error| Problem::file(&path, &error))?;
            of_file(&path, open).await.map(Some)
        }
        ExportFile::Recorded { record } => {
            let (path, open) = open_recorded(context, &transfers.dialogs, data_folder, record).await?;
            of_file(&path, open).await.map(Some)
        }
        ExportFile::Upload { id } => {
            let saved = context.access.sites.at(target)?;
            let server = context.access.server(&saved).await?;
            let rejected = |error| Problem::from_client(&error, &target.site);
            of_upload(&server, &id).await.map(Some).map_err(rejected)
        }
    }
}

async fn of_file(path: &Path, mut open: File) -> Result<ExportEntries, Problem> {
    let shown = path.display().to_string();
    let read = on_own_thread("export entries", move |_| {
        let ends = ends_of(&mut open)?;
        listed(&ends, |directory| {
            open.seek(SeekFrom::Start(directory.begins))?;
            let mut bytes = Vec::new();
            open.by_ref().take(directory.size).read_to_end(&mut bytes).map(|_| bytes)
        })
    });
    let read = read.await.map_err(|error| Problem::Unexpected { message: error.to_string() })?;
    let entries = read.map_err(|error: std::io::Error| Problem::file(path, &error))?;
    Ok(ExportEntries { path: shown, ..entries })
}

async fn of_upload(server: &Endpoint, upload: &str) -> Result<ExportEntries, steward_client::ClientError> {
    let address = server.address(&["admin", "uploads", upload]);
    let ends = server.peek_stored(address.as_str(), STALLED, WholeFile::Refuse).await?;
    // The directory is in the tail that was read already, or is read by another request.
    let part = match wanted(&ends) {
        Ok(directory) => match in_tail(&ends, directory) {
            Some(bytes) => bytes,
            None => {
                let size = usize::try_from(directory.size).unwrap_or(usize::MAX);
                server.read_stored(address.as_str(), directory.begins, size, STALLED).await?
            }
        },
        Err(_) => Vec::new(),
    };
    let listed = listed(&ends, |_| Ok::<_, std::convert::Infallible>(part));
    Ok(listed.unwrap_or_else(|never| match never {}))
}

/// Returns the directory, unless it is too long for an export.
fn wanted(ends: &FileEnds) -> Result<Directory, ArchiveFault> {
    directory(ends).and_then(|directory| match directory.size <= LARGEST_DIRECTORY {
        true => Ok(directory),
        false => Err(ArchiveFault::Implausible),
    })
}

fn in_tail(ends: &FileEnds, directory: Directory) -> Option<Vec<u8>> {
    let begins = usize::try_from(directory.begins.checked_sub(ends.length - ends.tail.len() as u64)?).ok()?;
    let end = begins.checked_add(usize::try_from(directory.size).ok()?)?;
    ends.tail.get(begins..end).map(<[u8]>::to_vec)
}

/// Lists the entries of a directory, whose bytes `read` returns.
fn listed<E>(
    ends: &FileEnds,
    read: impl FnOnce(Directory) -> Result<Vec<u8>, E>,
) -> Result<ExportEntries, E> {
    let directory = match wanted(ends) {
        Ok(directory) => directory,
        Err(fault) => return Ok(ExportEntries { fault: Some(fault), ..ExportEntries::default() }),
    };
    let names = archive_contents::names(&read(directory)?, directory);
    let fault = names.first.is_empty().then_some(ArchiveFault::Damaged);
    let repeated = directory.entries.saturating_sub(names.count as u64);
    Ok(ExportEntries {
        path: String::new(),
        count: count(names.count),
        // Without a readable directory, repeated names are not known.
        repeated: if fault.is_some() { 0 } else { u32::try_from(repeated).unwrap_or(u32::MAX) },
        names: names.first,
        fault,
    })
}
