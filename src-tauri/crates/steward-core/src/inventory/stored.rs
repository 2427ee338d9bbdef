//! Stored inventory of an export: in the record of the export, and in a file beside a saved export.
//!
//! `report` and `save_beside` store it, and `of_export` finds it again for the location that an import uses. An
//! inventory belongs to the content of a file, not to its path.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use steward_journal::{Filter, Intent, Journal, JournalError, Report};

use super::portal::PortalInventory;
use super::{FORMAT, Inventory};
use crate::files::drive::{STANDSTILL, within};
use crate::files::{self, hash_of, in_background};
use crate::history::record::History;
use crate::model::export_location::ExportLocation;
use crate::model::export_verification::ExportVerification;
use crate::model::ids::{SiteId, Target};
use crate::model::operation::OperationKey;
use crate::model::problem::{self, Problem};
use crate::model::saved_file::SavedFile;
use crate::transfers::export_verification;
use crate::transfers::stored_file::{records_of, succeeded};

/// Field of a record's report that contains the inventory.
pub(crate) const INVENTORY: &str = "inventory";

const EXPORT: &str = OperationKey::ExportServer.name();

/// Limit of a file with an inventory, in bytes: ten times one of 50,000 services.
pub const LARGEST: u64 = 64 * 1024 * 1024;

/// Returns the report of an export's record; `None` without content.
pub(crate) fn report(
    inventory: Option<&impl Serialize>,
    verification: Option<&ExportVerification>,
) -> Option<Report> {
    let inventory = inventory.and_then(|inventory| Report::of(inventory).ok());
    let verification = verification.and_then(|verification| Report::of(verification).ok());
    let fields = [(INVENTORY, inventory), (export_verification::FIELD, verification)];
    let report: BTreeMap<_, _> =
        fields.into_iter().filter_map(|(name, field)| Some((name, field?))).collect();
    if report.is_empty() { None } else { Report::of(&report).ok() }
}

/// Writes the inventory to a file beside the export that was saved at `path`. Returns the reason if it cannot be written: the
/// record has the inventory too.
pub(crate) async fn save_beside(path: &Path, export: &SavedFile, inventory: &Inventory) -> Option<String> {
    let file = beside(path);
    let to = file.clone();
    let inventory = Inventory { sha256: export.sha256.clone(), ..inventory.clone() };
    let written = within(STANDSTILL, move || files::write_whole(&to, &serde_json::to_vec(&inventory)?));
    written.await.err().map(|error| problem::as_text(&Problem::file(&file, &error)))
}

/// Reason why no inventory of an export is available.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum NoInventory {
    /// The content of the file is not known: it is in a folder of the server, or was never on this computer.
    UnknownContent,
    /// Neither the history nor a file beside the export has an inventory of its content.
    None,
    /// The inventory in the file beside the export belongs to other content.
    OfOtherContent,
}

/// Server that an export was made of, with the names of that time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportedFrom {
    /// Identifier of the site.
    pub site: SiteId,
    /// Identifier of the server; empty if the record names none.
    pub server: String,
    /// Name of the site.
    pub site_name: String,
    /// Name of the server; `null` if its site had no other.
    pub server_name: Option<String>,
}

impl ExportedFrom {
    pub(crate) fn of(export: Intent) -> Self {
        let Intent { site, server, site_name, server_name, .. } = export;
        let server_name = Some(server_name).filter(|name| !name.is_empty());
        Self { site: SiteId(site), server, site_name, server_name }
    }
}

/// Inventory of an export.
pub(crate) struct Found {
    pub(crate) inventory: Inventory,
    /// Record of the export; `None` if the history of this app does not have it.
    pub(crate) exported_from: Option<Intent>,
    /// Whether it was read from the file beside the export, which anyone might have changed.
    pub(crate) is_beside: bool,
}

/// Returns the inventory of an export, by the content of its file.
pub(crate) async fn of_export(
    history: &History,
    target: &Target,
    location: &ExportLocation,
) -> Result<Result<Found, NoInventory>, Problem> {
    match location {
        // Any program of the server can write another file to a path.
        ExportLocation::Path { .. } => Ok(Err(NoInventory::UnknownContent)),
        ExportLocation::Upload { id } => {
            let (target, upload) = (target.clone(), id.clone());
            history.journal(move |journal| of_upload(journal, &target, &upload)).await
        }
        ExportLocation::Here { path } => {
            let file = PathBuf::from(path);
            let read = file.clone();
            let found = in_background(move || hash_of(&read)).await?;
            let sha256 = found.map_err(|error| Problem::file(&file, &error))?.sha256;
            history.journal(move |journal| of_content(journal, &sha256, Some(&file))).await
        }
    }
}

fn of_upload(
    journal: &Journal,
    target: &Target,
    upload: &str,
) -> Result<Result<Found, NoInventory>, JournalError> {
    let records = records_of(journal, target, upload)?;
    // The server wrote the upload itself. No request changes its content afterwards.
    for export in records.iter().filter(|record| record.intent.operation == EXPORT) {
        if let Some(inventory) = inventory_of(journal, &export.id)? {
            let exported_from = Some(export.intent.clone());
            return Ok(Ok(Found { inventory, exported_from, is_beside: false }));
        }
    }
    let here = records.iter().find_map(|record| Some((record.facts.sha256.as_ref()?, &record.facts.path)));
    let Some((sha256, path)) = here else { return Ok(Err(NoInventory::UnknownContent)) };
    of_content(journal, sha256, path.as_deref().map(Path::new))
}

/// Returns the inventory of an export with this content, which is or was in a file of this computer.
fn of_content(
    journal: &Journal,
    sha256: &str,
    path: Option<&Path>,
) -> Result<Result<Found, NoInventory>, JournalError> {
    let exports = Filter { site: None, ..succeeded("", EXPORT) };
    for export in journal.records(&exports)? {
        if export.facts.sha256.as_deref() == Some(sha256)
            && is_that_export(journal, &export.id)?
            && let Some(inventory) = inventory_of(journal, &export.id)?
        {
            let exported_from = Some(export.intent);
            return Ok(Ok(Found { inventory, exported_from, is_beside: false }));
        }
    }
    Ok(match path.and_then(read_beside) {
        Some(inventory) if inventory.sha256 == sha256 => {
            Ok(Found { inventory, exported_from: None, is_beside: true })
        }
        Some(_) => Err(NoInventory::OfOtherContent),
        None => Err(NoInventory::None),
    })
}

/// Returns whether the file of an export has no fault, if it was verified: the inventory is that of the content that
/// was exported.
fn is_that_export(journal: &Journal, export: &str) -> Result<bool, JournalError> {
    let kept = journal.report_field(export, export_verification::FIELD)?;
    let verification = kept.and_then(|kept| kept.read::<ExportVerification>().ok());
    Ok(verification.is_none_or(|verification| !verification.is_faulty()))
}

fn inventory_of(journal: &Journal, export: &str) -> Result<Option<Inventory>, JournalError> {
    let kept = journal.report_field(export, INVENTORY)?;
    Ok(kept.and_then(|kept| kept.read().ok()).filter(is_readable))
}

/// Returns the path of the inventory beside an export.
pub fn beside(export: &Path) -> PathBuf {
    let mut name = export.as_os_str().to_owned();
    name.push(".inventory.json");
    name.into()
}

/// Reads the inventory of a portal from a file; `None` if it cannot be read as one.
pub fn read_portal(file: &Path) -> Option<PortalInventory> {
    serde_json::from_slice(&files::as_utf8(&files::read_whole(file, LARGEST).ok()?)).ok()
}

/// Reads the inventory beside an export.
pub fn read_beside(export: &Path) -> Option<Inventory> {
    let bytes = files::read_whole(&beside(export), LARGEST).ok()?;
    serde_json::from_slice(&files::as_utf8(&bytes)).ok().filter(is_readable)
}

fn is_readable(inventory: &Inventory) -> bool {
    inventory.format == FORMAT
}
