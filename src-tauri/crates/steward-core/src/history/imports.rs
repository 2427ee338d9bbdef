//! Parameters of an import's record that describe its safety backup, and what was done before it.

use steward_journal::{Filter, Intent, Journal, JournalError, Outcome};

use crate::history::parameters::given;
use crate::model::export_location::ExportLocation;
use crate::model::ids::RecordId;
use crate::model::operation::{Component, OperationKey};

/// Name of the parameter for the server upload that is the safety backup of an import.
pub(crate) const SAFETY_BACKUP: &str = "safetyBackup";
/// Name of the parameter for the local copy of the safety backup of an import.
pub(crate) const SAFETY_BACKUP_SAVED_AS: &str = "safetyBackupSavedAs";
/// Name of the parameter for the import that an import undid.
pub(crate) const UNDOES: &str = "undoes";

/// Name of the parameter for the record of the deactivation: of an import, that of the webhooks that were deactivated for
/// it; of a reactivation, that of the webhooks that it reactivates.
pub(crate) const DEACTIVATION: &str = "deactivation";

/// Name of the parameter for the same record, of a safety backup that was created while webhooks of it were inactive, and of an
/// undo with such a safety backup.
pub(crate) const INACTIVE_IN_BACKUP: &str = "inactiveInSafetyBackup";

/// Name of the parameter for the purpose of an export that no user started.
pub(crate) const PURPOSE: &str = "purpose";

/// Parameter of an export that was made before an import. Users do not mean such an export by *the last export*.
pub const AS_SAFETY_BACKUP: (&str, &str) = (PURPOSE, SAFETY_BACKUP);

/// Returns the component that an import, or an undo of one, replaces; `None` if this is neither.
pub(crate) fn replaced(intent: &Intent) -> Option<Component> {
    OperationKey::named(&intent.operation)?.replaces()
}

/// Returns whether this is an import of a server, or an undo of one.
pub(crate) fn is_import(intent: &Intent) -> bool {
    replaced(intent) == Some(Component::Server)
}

/// Returns whether a parameter of an import is the identifier of a server upload.
pub(crate) fn is_upload(intent: &Intent, name: &str, value: &str) -> bool {
    let is_location =
        || name == "location" && matches!(ExportLocation::of_import(value), ExportLocation::Upload { .. });
    is_import(intent) && (name == SAFETY_BACKUP || is_location())
}

/// Returns whether this is an import of a portal, or an undo of one.
pub(crate) fn is_portal_import(intent: &Intent) -> bool {
    replaced(intent) == Some(Component::Portal)
}

/// Returns whether this is an import that can be undone.
pub(crate) fn has_safety_backup(intent: &Intent) -> bool {
    replaced(intent).is_some() && intent.parameters.iter().any(|(name, _)| name == SAFETY_BACKUP)
}

/// Returns the record of the deactivation that an import or a reactivation names.
pub(crate) fn deactivation_of(intent: &Intent) -> Option<&str> {
    let named = intent.parameters.iter().find(|(name, _)| name == DEACTIVATION);
    named.map(|(_, record)| record.as_str())
}

/// Returns the record of the deactivation whose webhooks the safety backup of an import has inactive. That of an import is created
/// after the deactivation for it; that of an undo usually after their reactivation.
pub(crate) fn inactive_in_safety_backup(import: &Intent) -> Option<RecordId> {
    let record = match is_undo(import) {
        true => given(&import.parameters, INACTIVE_IN_BACKUP),
        false => deactivation_of(import),
    };
    record.map(|record| RecordId(record.to_owned()))
}

/// Returns whether this is an export that was made before an import.
pub(crate) fn is_safety_backup(intent: &Intent) -> bool {
    intent.has_parameter(AS_SAFETY_BACKUP)
}

/// Returns whether this is an import that undid another one.
pub fn is_undo(intent: &Intent) -> bool {
    intent.parameters.iter().any(|(name, _)| name == UNDOES)
}

/// Returns whether an import has a safety backup, and the undo of it that succeeded; `None` if there is none.
///
/// # Errors
/// An error of the journal.
pub fn undone_by(journal: &Journal, import: &RecordId) -> Result<(bool, Option<RecordId>), JournalError> {
    let (intent, sequence) = match journal.record(&import.0) {
        Ok(record) => (record.intent, record.sequence),
        Err(JournalError::NoSuchRecord(_) | JournalError::DamagedRecord(_)) => return Ok((false, None)),
        Err(error) => return Err(error),
    };
    let later = Filter {
        site: Some(intent.site.clone()),
        operation: Some(intent.operation.clone()),
        outcomes: vec![Outcome::Succeeded, Outcome::Warnings],
        // By the sequence, not by the time: the clock might have been set back since.
        after: Some(sequence),
        ..Filter::default()
    };
    let undo = journal.records(&later)?.into_iter().find(|one| one.intent.has_parameter((UNDOES, &import.0)));
    Ok((has_safety_backup(&intent), undo.map(|undo| RecordId(undo.id))))
}

/// Returns the key of the text that names the undo of an import of this component.
pub(crate) fn undo_text(imported: Component) -> String {
    let component = match imported {
        Component::Portal => "portal",
        Component::Server => "server",
    };
    format!("undoneImport.{component}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_safety_backup_of_a_server_import_is_an_upload_and_its_location_unless_it_is_a_path() {
        let [server, portal] = [OperationKey::ImportServer, OperationKey::ImportPortal]
            .map(|key| Intent { operation: key.name().to_owned(), ..Intent::default() });
        assert!(is_upload(&server, SAFETY_BACKUP, "i7"));
        assert!(is_upload(&server, "location", "i7"));
        for path in ["/srv/i7", "C:\\i7", "C:i7"] {
            assert!(!is_upload(&server, "location", path), "{path}");
        }
        assert!(!is_upload(&server, SAFETY_BACKUP_SAVED_AS, "i7"));
        assert!(!is_upload(&portal, SAFETY_BACKUP, "/srv/a.portalsite"));
    }
}
