//! A restore of a whole site from a backup set: its steps in order, and what the history has of each.
//!
//! Each step is an import that the user sends by its form. Nothing is sent here. The portal comes first: its import
//! replaces the users and the federated servers, and might end the sessions by which the servers are reached. That is
//! an assumption, and no document requires an order. The servers keep the order of the set.

use serde::{Deserialize, Serialize};
use steward_client::Version;
use steward_core::access::checked_facts::find;
use steward_core::history::imports::is_undo;
use steward_core::history::record_target::{is_of, target_of};
use steward_core::model::ids::{RecordId, ServerId, SiteId, Target};
use steward_core::model::numbers::{Bytes, Millis};
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::operations::import_portal::change_summary::path_of;
use steward_core::site_context::SiteContext;
use steward_core::sites::TargetSite;
use steward_core::transfers::stored_file::{given, records_of};
use steward_journal::{Filter, Intent, Journal, JournalError, Outcome, StoredRecord};

use super::plan::BackupPlan;
use super::set::{PartState, SetPart, export_file};
use super::sets;

/// A restore that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BegunRestore {
    /// Folder name of the set.
    pub set: String,
    /// When it was begun.
    pub at: Millis,
}

/// Restore of a site from a backup set.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SiteRestore {
    /// Time when the restore was begun; `null` if it was not.
    pub begun: Option<Millis>,
    /// Steps of the restore, in order.
    pub steps: Vec<RestoreStep>,
}

/// Step of a restore: the import of one part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RestoreStep {
    /// Server; `null` for the portal.
    pub server: Option<ServerId>,
    /// Name of the server or portal in the set.
    pub name: String,
    /// Export to import.
    pub copy: StepCopy,
    /// Versions, if the export has another version than the site and cannot be imported; `null` otherwise.
    pub other_version: Option<OtherVersion>,
    /// Newest import into this server or portal since the restore was begun; `null` if there is none.
    pub import: Option<StepImport>,
}

/// Version of an export that differs from that of the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OtherVersion {
    /// Version of the export.
    pub export: String,
    /// Version of the site, as checked last.
    pub now: String,
}

/// Export that a step imports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum StepCopy {
    /// A file in the folder of the set.
    Here {
        /// Name of the file.
        name: String,
        /// Size of the file.
        size: Bytes,
        /// Whether every entry was verified.
        is_verified: bool,
    },
    /// A file on the portal that wrote the export.
    OnPortal {
        /// Path of the file, as returned by the portal.
        location: String,
        /// Size of the file; `null` if this computer cannot access it.
        size: Option<Bytes>,
        /// Whether every entry was verified.
        is_verified: bool,
    },
    /// There is no export to import.
    None {
        /// Reason.
        why: NoCopy,
    },
}

/// Reason why a part has nothing to import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum NoCopy {
    /// The set has no usable export of the part: it failed, was skipped, or has an unknown outcome.
    NotInSet,
    /// The export file of the server is not on this computer.
    NotHere,
    /// The history does not contain the path of the portal's export.
    UnknownPath,
    /// The site no longer has the server or portal.
    NotSaved,
}

/// An import since a restore was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct StepImport {
    /// History entry of the import.
    pub record: RecordId,
    /// Outcome of the import.
    pub outcome: Outcome,
    /// Time when the import ended; time when it began if it has not ended.
    pub at: Millis,
    /// Time when the user started the import, before its safety backup.
    pub began: Millis,
    /// File that was imported, compared with the one of the set.
    pub file: ImportedFile,
}

/// File that an import used, compared with the one of the set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ImportedFile {
    /// The file of the set.
    OfSet,
    /// Another file.
    Other,
    /// A file whose content was never on this computer.
    NotKnown,
    /// A safety backup, because the import undid another one.
    Undo,
}

/// Returns the steps of a restore from a set, with their states. Sends nothing.
///
/// # Errors
/// - [`Problem::Unexpected`] if there is no such set, the site is not saved, or the history cannot be read.
/// - [`Problem::File`] if the folder of the plan cannot be read.
pub async fn steps(
    context: &SiteContext,
    plan: &BackupPlan,
    set: &str,
    begun: Option<BegunRestore>,
) -> Result<SiteRestore, Problem> {
    let stored = sets::find(plan, set).await?;
    context.access.sites.get(&plan.site)?;
    let begun = begun.filter(|begun| begun.set == set).map(|begun| begun.at);
    let mut steps = Vec::new();
    for part in in_order(&stored.set.parts) {
        let target = Target { site: plan.site.clone(), server: part.server.clone() };
        steps.push(step(context, &plan.site, part, Some(&target), begun).await?);
    }
    Ok(SiteRestore { begun, steps })
}

/// Returns the step that imports a part of a set of the site `of` into `target`.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be read.
pub(super) async fn step(
    context: &SiteContext,
    of: &SiteId,
    part: &SetPart,
    target: Option<&Target>,
    begun: Option<Millis>,
) -> Result<RestoreStep, Problem> {
    let (copy, other_version, import) = match target.and_then(|target| context.access.sites.at(target).ok()) {
        None => (StepCopy::None { why: NoCopy::NotSaved }, None, None),
        Some(site) => {
            let record = export_record(context, of, part).await?;
            let copy = copy_of(part, record.as_ref());
            let other_version = record.and_then(|record| other_version(context, &site, record));
            let import = match begun {
                Some(begun) => newest_import(context, site, part, &copy, begun).await?,
                None => None,
            };
            (copy, other_version, import)
        }
    };
    Ok(RestoreStep { server: part.server.clone(), name: part.name.clone(), copy, other_version, import })
}

/// Returns the versions of an export and of a site if they differ; `None` if they do not, or one is not known.
fn other_version(context: &SiteContext, site: &TargetSite, record: StoredRecord) -> Option<OtherVersion> {
    let export = record.intent.site_version;
    let now = find(&context.access.checked.all(), site)?.version.value.clone()?;
    (Version::parse(&export)? != Version::parse(&now)?).then_some(OtherVersion { export, now })
}

/// Returns the parts in the order in which they are imported.
pub(super) fn in_order(parts: &[SetPart]) -> impl Iterator<Item = &SetPart> {
    let portal = parts.iter().filter(|part| part.server.is_none());
    portal.chain(parts.iter().filter(|part| part.server.is_some()))
}

/// Returns what can be imported of a part. `record` is that of its export; `None` if the history does not have it.
fn copy_of(part: &SetPart, record: Option<&StoredRecord>) -> StepCopy {
    let (is_verified, size) = match part.state {
        PartState::VerifiedHere => (true, part.portal_file.as_ref().map(|file| file.size)),
        PartState::OnSite { size } | PartState::Unrecognized { size } => (false, size),
        PartState::Waiting
        | PartState::Running
        | PartState::Failed { .. }
        | PartState::Unknown
        | PartState::Skipped { .. } => return StepCopy::None { why: NoCopy::NotInSet },
    };
    if part.server.is_some() {
        return match export_file(part) {
            Some(file) => StepCopy::Here { name: file.name.clone(), size: file.size, is_verified },
            None => StepCopy::None { why: NoCopy::NotHere },
        };
    }
    match record.and_then(path_of) {
        Some(location) => StepCopy::OnPortal { location: location.to_owned(), size, is_verified },
        None => StepCopy::None { why: NoCopy::UnknownPath },
    }
}

/// Returns the record of the export of a part; `None` if the history does not have it.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be read.
pub(super) async fn export_record(
    context: &SiteContext,
    site: &SiteId,
    part: &SetPart,
) -> Result<Option<StoredRecord>, Problem> {
    let Some(RecordId(record)) = part.record.clone() else { return Ok(None) };
    let operation = match part.server {
        Some(_) => OperationKey::ExportServer,
        None => OperationKey::ExportPortal,
    };
    let site = site.0.clone();
    let found = context.history.journal(move |journal| match journal.record(&record) {
        // The record of anything else has the path and the version of another file.
        Ok(one) if one.intent.site != site || one.intent.operation != operation.name() => Ok(None),
        Ok(export) => Ok(Some(export)),
        Err(JournalError::NoSuchRecord(_) | JournalError::DamagedRecord(_)) => Ok(None),
        Err(error) => Err(error),
    });
    found.await
}

/// Returns the newest import into a part of the site since a restore was begun. One that was not sent imported nothing.
async fn newest_import(
    context: &SiteContext,
    site: TargetSite,
    part: &SetPart,
    copy: &StepCopy,
    begun: Millis,
) -> Result<Option<StepImport>, Problem> {
    let key = match part.server {
        Some(_) => OperationKey::ImportServer,
        None => OperationKey::ImportPortal,
    };
    let since = Filter {
        site: Some(site.id.0.clone()),
        operation: Some(key.name().to_owned()),
        outcomes: vec![
            Outcome::Sent,
            Outcome::Succeeded,
            Outcome::Warnings,
            Outcome::Failed,
            Outcome::Unknown,
        ],
        from: Some(begun.0),
        ..Filter::default()
    };
    let expected = match copy {
        StepCopy::OnPortal { location, .. } => Some(Expected::Path(location.clone())),
        StepCopy::Here { .. } => export_file(part).map(|file| Expected::Sha256(file.sha256.clone())),
        StepCopy::None { .. } => None,
    };
    let newest = context.history.journal(move |journal| {
        let mut imports = journal.records(&since)?.into_iter();
        let newest = imports.find(|import| is_of(&site, &import.intent));
        newest.map(|import| step_import(journal, import, expected.as_ref())).transpose()
    });
    newest.await
}

/// Identification of the copy of a set in an import.
enum Expected {
    /// For a portal: the request names the file.
    Path(String),
    /// For a server: the request names an upload, whose record has the hash of its content.
    Sha256(String),
}

fn step_import(
    journal: &Journal,
    import: StoredRecord,
    expected: Option<&Expected>,
) -> Result<StepImport, JournalError> {
    let file = imported_file(journal, &import.intent, expected)?;
    Ok(StepImport {
        outcome: import.outcome,
        at: Millis(import.ended_at.unwrap_or(import.intent.started_at)),
        began: Millis(import.facts.began_at.unwrap_or(import.intent.started_at)),
        record: RecordId(import.id),
        file,
    })
}

fn imported_file(
    journal: &Journal,
    import: &Intent,
    expected: Option<&Expected>,
) -> Result<ImportedFile, JournalError> {
    if is_undo(import) {
        return Ok(ImportedFile::Undo);
    }
    let location = given(&import.parameters, "location").unwrap_or_default();
    let is_of_set = match expected {
        None => Some(false),
        Some(Expected::Path(path)) => Some(*path == location),
        Some(Expected::Sha256(sha256)) => {
            let records = records_of(journal, &target_of(import), &location)?;
            records.into_iter().find_map(|record| record.facts.sha256).map(|imported| imported == *sha256)
        }
    };
    Ok(match is_of_set {
        Some(true) => ImportedFile::OfSet,
        Some(false) => ImportedFile::Other,
        None => ImportedFile::NotKnown,
    })
}
