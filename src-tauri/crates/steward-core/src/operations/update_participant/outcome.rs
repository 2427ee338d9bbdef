//! What a portal shows after a contact update whose response is missing.

use steward_client::{ClientError, Endpoint, listing};

use crate::history::parameters::{COLLABORATION, PARTICIPANT};
use crate::outcome_facts::{CheckFact, CheckedRequest, Suggestion};

/// Compares the contact of the participant with the one that was sent.
pub(super) async fn check_outcome(
    request: &CheckedRequest<'_>,
    portal: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Result<Suggestion, ClientError> {
    let portal_id = request.portal_id().await;
    let participants = listing::participants(portal, &portal_id).await?;
    // Of a list in part, one that it does not have may be there.
    let is_complete = participants.iter().all(|one| one.gap.is_none());
    let found = participants.into_iter().find(|one| {
        one.collaboration_id == request.given(COLLABORATION) && one.portal_id == request.given(PARTICIPANT)
    });
    let Some(found) = found else {
        facts.extend(is_complete.then_some(CheckFact::NoParticipant));
        return Ok(Suggestion::Unclear);
    };
    let is_returned = ![&found.contact_firstname, &found.contact_lastname, &found.contact_email_address]
        .into_iter()
        .all(String::is_empty);
    let as_sent = found.contact_firstname == request.given("contactFirstname").trim()
        && found.contact_lastname == request.given("contactLastname").trim()
        && found.contact_email_address == request.given("contactEmailAddress").trim();
    facts.push(CheckFact::Contact {
        firstname: found.contact_firstname,
        lastname: found.contact_lastname,
        email: found.contact_email_address,
        as_sent,
    });
    Ok(match (as_sent, is_returned) {
        (true, _) => Suggestion::Done,
        (false, true) => Suggestion::NotDone,
        (false, false) => Suggestion::Unclear,
    })
}
