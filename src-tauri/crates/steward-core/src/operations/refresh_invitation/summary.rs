//! Summary of an invitation refresh in the history.

use steward_journal::{Outcome, StoredRecord};

use crate::history::parameters::{COLLABORATION, COLLABORATION_NAME, GUEST_PORTAL, INVITATION, given_or};
use crate::history::summary::Summary;

/// Returns the invited portal, and whether the invitation was refreshed.
pub(super) fn summary(record: &StoredRecord) -> Option<Summary> {
    let parameters = &record.intent.parameters;
    Some(Summary::Invitation {
        guest: given_or(parameters, GUEST_PORTAL, INVITATION),
        collaboration: given_or(parameters, COLLABORATION_NAME, COLLABORATION),
        // With warnings, the file was not saved, or the invitation does not end later although the portal confirmed it.
        refreshed: matches!(record.outcome, Outcome::Succeeded | Outcome::Warnings)
            && !record.facts.is_contradicted,
    })
}
