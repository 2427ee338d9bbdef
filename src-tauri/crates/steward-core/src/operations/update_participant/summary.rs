//! Summary of a contact update in the history.

use steward_journal::{Outcome, StoredRecord};

use crate::history::parameters::{
    COLLABORATION, COLLABORATION_NAME, PARTICIPANT, PARTICIPANT_NAME, PREVIOUS_CONTACT, contact, given,
    given_or,
};
use crate::history::summary::Summary;

/// Returns the participant, with its contact before and after the update.
pub(super) fn summary(record: &StoredRecord) -> Option<Summary> {
    let parameters = &record.intent.parameters;
    let part = |name: &str| given(parameters, name).unwrap_or_default();
    Some(Summary::Contact {
        participant: given_or(parameters, PARTICIPANT_NAME, PARTICIPANT),
        collaboration: given_or(parameters, COLLABORATION_NAME, COLLABORATION),
        before: given(parameters, PREVIOUS_CONTACT[0]).map(|_| {
            let [firstname, lastname, email_address] = PREVIOUS_CONTACT.map(part);
            contact(firstname, lastname, email_address)
        }),
        after: contact(part("contactFirstname"), part("contactLastname"), part("contactEmailAddress")),
        changed: matches!(record.outcome, Outcome::Succeeded | Outcome::Warnings)
            && !record.facts.is_contradicted,
    })
}
