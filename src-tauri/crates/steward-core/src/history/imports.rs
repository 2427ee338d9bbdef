//! Parameters of an import's record that describe its safety backup, and what was done before it.

use steward_journal::Intent;

use crate::model::operation::OperationKey;

/// Name of the parameter for the server upload that is the safety backup of an import.
pub(crate) const SAFETY_BACKUP: &str = "safetyBackup";
/// Name of the parameter for the local copy of the safety backup of an import.
pub(crate) const SAFETY_BACKUP_SAVED_AS: &str = "safetyBackupSavedAs";
/// Name of the parameter for the import that an import undid.
pub(crate) const UNDOES: &str = "undoes";

/// Name of the parameter for the record of the webhooks that were deactivated for an import.
pub(crate) const DEACTIVATION: &str = "deactivation";

/// Name of the parameter for the purpose of an export that no user started.
pub(crate) const PURPOSE: &str = "purpose";

/// Returns whether this is an import or an undo of one.
pub(crate) fn is_import(intent: &Intent) -> bool {
    intent.operation == OperationKey::ImportServer.name()
}

/// Returns whether this is an import that [`undo`](crate::operations::import_server::undo) can undo.
pub(crate) fn has_safety_backup(intent: &Intent) -> bool {
    is_import(intent) && intent.parameters.iter().any(|(name, _)| name == SAFETY_BACKUP)
}

/// Returns whether this is an export that was made before an import.
pub(crate) fn is_safety_backup(intent: &Intent) -> bool {
    intent.parameters.iter().any(|(name, value)| name == PURPOSE && value == SAFETY_BACKUP)
}

/// Returns whether this is an import that undid another one.
pub(crate) fn is_undo(intent: &Intent) -> bool {
    intent.parameters.iter().any(|(name, _)| name == UNDOES)
}
