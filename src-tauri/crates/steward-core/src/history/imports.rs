//! What a record of an import says of its safety backup.

use steward_journal::Intent;

use crate::model::operation::Key;

/// Names of the parameters that an import's record keeps of its way back.
pub(crate) const WAY_BACK: &str = "wayBack";
/// Names the import that an import undid.
pub(crate) const UNDOES: &str = "undoes";

/// Whether this is an import that [`undo`](crate::operations::import_server::undo) can undo.
pub(crate) fn has_way_back(intent: &Intent) -> bool {
    intent.operation == Key::ImportServer.name() && intent.parameters.iter().any(|(name, _)| name == WAY_BACK)
}

/// Whether this is an import that undid another.
pub(crate) fn is_undo(intent: &Intent) -> bool {
    intent.parameters.iter().any(|(name, _)| name == UNDOES)
}
