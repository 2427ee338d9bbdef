//! Stored inventory of an export: in the record of the export, and in a file beside a saved export.
//!
//! [`report`] and [`save_beside`] store it, and [`of_export`] finds it again by the location that an import uses.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use steward_journal::{Journal, JournalError};

use super::{FORMAT, Inventory};
use crate::files::{self, in_background};
use crate::history::parameters::DESTINATION;
use crate::history::record::History;
use crate::model::export_verification::ExportVerification;
use crate::model::history_key::UPLOAD;
use crate::model::ids::SiteId;
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;
use crate::model::saved_file::SavedFile;
use crate::transfers::export_verification;
use crate::transfers::stored_file::{given, succeeded};

/// Field of a record's report that contains the inventory.
const FIELD: &str = "inventory";

/// Returns the report of an export's record; `None` without content.
pub(crate) fn report(
    inventory: Option<&impl Serialize>,
    verification: Option<&ExportVerification>,
) -> Option<serde_json::Value> {
    let mut report = serde_json::Map::new();
    let inventory = inventory.and_then(|inventory| serde_json::to_value(inventory).ok());
    report.extend(inventory.map(|inventory| (FIELD.to_owned(), inventory)));
    let verification = verification.and_then(|verification| serde_json::to_value(verification).ok());
    report.extend(verification.map(|verification| (export_verification::FIELD.to_owned(), verification)));
    (!report.is_empty()).then(|| report.into())
}

/// Writes the inventory to a file beside the export that was saved at `path`. A failure is only logged: the record has
/// the inventory too.
pub(crate) async fn save_beside(path: &Path, export: &SavedFile, inventory: &Inventory) {
    let file = beside(path);
    let inventory = Inventory { sha256: export.sha256.clone(), ..inventory.clone() };
    let written = in_background(move || {
        let bytes = serde_json::to_vec(&inventory).map_err(std::io::Error::from);
        bytes
            .and_then(|bytes| files::write_whole(&file, &bytes))
            .map_err(|error| Problem::file(&file, &error))
    });
    if let Err(problem) | Ok(Err(problem)) = written.await {
        tracing::warn!(?problem, "cannot write the inventory beside the export");
    }
}

/// Location of an export file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ExportLocation {
    /// Among the uploads of the server.
    Upload {
        /// Identifier of the upload.
        id: String,
    },
    /// In a folder of the server.
    Path {
        /// Path on the machine of the server.
        path: String,
    },
}

impl ExportLocation {
    /// Returns the location that an import is sent. The request does not show which of both it is.
    pub(crate) fn of_import(location: &str) -> Self {
        if location.contains(['/', '\\', ':']) {
            Self::Path { path: location.to_owned() }
        } else {
            Self::Upload { id: location.to_owned() }
        }
    }
}

/// Returns the inventory of an export. `None` if this app has none.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be read.
pub(crate) async fn of_export(
    history: &History,
    site: &SiteId,
    location: &ExportLocation,
) -> Result<Option<Inventory>, Problem> {
    let (site, location) = (site.0.clone(), location.clone());
    let search = move |journal: &Journal| match &location {
        ExportLocation::Upload { id } => of_upload(journal, &site, id),
        ExportLocation::Path { path } => of_path(journal, &site, path),
    };
    history.journal(search).await
}

fn of_upload(journal: &Journal, site: &str, upload: &str) -> Result<Option<Inventory>, JournalError> {
    let uploaded = journal
        .records(&succeeded(site, UPLOAD))?
        .into_iter()
        .find(|sent| sent.note.ends_with(&format!("({upload})")))
        .and_then(|sent| given(&sent.intent.parameters, "file"));
    if let Some(inventory) = uploaded.as_deref().and_then(|file| read_beside(Path::new(file))) {
        return Ok(Some(inventory));
    }
    for export in journal.records(&succeeded(site, OperationKey::ExportServer.name()))? {
        // The response names the location of the file. Identifiers of uploads are unique.
        let is_sent = uploaded.is_some() && given(&export.intent.parameters, DESTINATION) == uploaded;
        if is_sent || journal.response_contains(&export.id, upload)? {
            return inventory_of(journal, &export.id);
        }
    }
    Ok(None)
}

fn of_path(journal: &Journal, site: &str, path: &str) -> Result<Option<Inventory>, JournalError> {
    for export in journal.records(&succeeded(site, OperationKey::ExportServer.name()))? {
        // The note is the path of the file.
        if is_same_path(&export.note, path) {
            return inventory_of(journal, &export.id);
        }
    }
    Ok(None)
}

fn inventory_of(journal: &Journal, export: &str) -> Result<Option<Inventory>, JournalError> {
    let kept = journal.report_field(export, FIELD)?;
    Ok(kept.and_then(|kept| serde_json::from_value(kept).ok()).filter(is_readable))
}

/// Compares two paths on a server. Windows takes both separators, and ignores the case.
fn is_same_path(one: &str, other: &str) -> bool {
    let is_of_windows = one.starts_with("\\\\") || one.get(1..2) == Some(":");
    if !is_of_windows {
        return one == other;
    }
    let [one, other] = [one, other].map(|path| path.replace('/', "\\").to_lowercase());
    one == other
}

fn beside(export: &Path) -> PathBuf {
    let mut name = export.as_os_str().to_owned();
    name.push(".inventory.json");
    name.into()
}

fn read_beside(export: &Path) -> Option<Inventory> {
    let bytes = std::fs::read(beside(export)).ok()?;
    serde_json::from_slice(&bytes).ok().filter(is_readable)
}

fn is_readable(inventory: &Inventory) -> bool {
    inventory.format == FORMAT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_on_windows_is_the_same_with_other_separators_and_in_another_case() {
        assert!(is_same_path(r"D:\Exports\a.agssite", "d:/exports/a.agssite"));
        assert!(is_same_path(r"\\nas\exports\a.agssite", "//NAS/exports/a.agssite"));
        assert!(!is_same_path("/exports/a.agssite", "/Exports/a.agssite"));
        assert!(!is_same_path(r"D:\Exports\a.agssite", r"D:\Exports"));
    }
}
