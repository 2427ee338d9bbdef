//! Where the inventory of an export is kept: in the record of the export, and in a file beside a saved export.

use std::path::{Path, PathBuf};

use serde::Serialize;
use steward_journal::{Journal, JournalError};

use super::{FORMAT, Inventory};
use crate::files;
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

/// Field of a record's report that holds the inventory.
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

/// Writes the inventory beside a saved export. A failure is only logged: the record has the inventory too.
pub(crate) fn save_beside(export: &SavedFile, inventory: &Inventory) {
    let file = beside(Path::new(&export.path));
    let inventory = Inventory { sha256: export.sha256.clone(), ..inventory.clone() };
    let written = serde_json::to_vec(&inventory)
        .map_err(std::io::Error::from)
        .and_then(|bytes| files::write_whole(&file, &bytes));
    if let Err(error) = written {
        tracing::warn!(%error, file = %file.display(), "cannot write the inventory beside the export");
    }
}

/// Returns the inventory of an export, by what an import of it is sent: a path on the server, or the identifier of an
/// upload. `None` if this app has none.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be read.
pub(crate) async fn of_export(
    history: &History,
    site: &SiteId,
    location: &str,
) -> Result<Option<Inventory>, Problem> {
    let (site, location) = (site.0.clone(), location.to_owned());
    history.journal(move |journal| search(journal, &site, &location)).await
}

fn search(journal: &Journal, site: &str, location: &str) -> Result<Option<Inventory>, JournalError> {
    let uploaded = journal
        .records(&succeeded(site, UPLOAD))?
        .into_iter()
        .find(|sent| sent.note.ends_with(&format!("({location})")))
        .and_then(|sent| given(&sent.intent.parameters, "file"));
    if let Some(inventory) = uploaded.as_deref().and_then(|file| read_beside(Path::new(file))) {
        return Ok(Some(inventory));
    }
    for export in journal.records(&succeeded(site, OperationKey::ExportServer.name()))? {
        let whole = journal.whole(&export.id)?;
        let is_stored = match is_path(location) {
            true => export.note == location,
            // The response names the upload. Identifiers of uploads are unique.
            false => whole.response.is_some_and(|response| response.text.contains(location)),
        };
        let is_sent = uploaded.is_some() && given(&export.intent.parameters, DESTINATION) == uploaded;
        if !is_stored && !is_sent {
            continue;
        }
        let kept = whole.report.as_ref().and_then(|report| report.get(FIELD));
        let inventory = kept.and_then(|kept| serde_json::from_value(kept.clone()).ok());
        return Ok(inventory.filter(is_readable));
    }
    Ok(None)
}

/// Returns whether a location is a path on the server, and not the identifier of an upload.
pub(crate) fn is_path(location: &str) -> bool {
    location.contains(['/', '\\'])
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
