//! What a portal shows after a contact update.

use steward_client::listing::Participant;
use steward_client::{ClientError, Endpoint, listing};
use steward_redact::masks::hides_a_contact;

use crate::history::parameters::{COLLABORATION, PARTICIPANT, PREVIOUS_CONTACT};
use crate::outcome_facts::{CheckFact, CheckedRequest, Suggestion};

/// Parameters of the contact that was sent.
const SENT: [&str; 3] = ["contactFirstname", "contactLastname", "contactEmailAddress"];

/// A contact that a portal shows, compared with the one that was sent and the one of before.
pub(super) struct Compared {
    /// Whether it is the one that was sent.
    pub(super) as_sent: bool,
    /// Whether a value is certainly not the one that was sent.
    pub(super) is_other: bool,
    /// Whether it is the one of before.
    pub(super) is_as_before: bool,
}

impl Compared {
    pub(super) fn of(found: &Participant, sent: [&str; 3], before: [&str; 3]) -> Self {
        let now = [&found.contact_firstname, &found.contact_lastname, &found.contact_email_address];
        let now = now.map(|value| value.trim());
        let (sent, before) = (sent.map(str::trim), before.map(str::trim));
        let is_as_before = now == before;
        // A portal can write an address in lower case.
        let is_alike = now[..2] == sent[..2] && now[2].eq_ignore_ascii_case(sent[2]);
        let as_sent = now == sent || is_alike && !is_as_before;
        // A portal can hide a value. A visible value that is not the one that was sent was not replaced.
        let is_shown_as_other =
            |(now, sent): (&str, &str)| now != sent && !now.is_empty() && !hides_a_contact(now);
        let is_other = !as_sent && now.into_iter().zip(sent).any(is_shown_as_other);
        Self { as_sent, is_other, is_as_before }
    }
}

/// Compares the contact of the participant with the one that was sent.
pub(super) async fn check_outcome(
    request: &CheckedRequest<'_>,
    portal: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Result<Suggestion, ClientError> {
    let portal_id = request.portal_id().await;
    let participants = listing::participants(portal, &portal_id).await?;
    // A participant that is missing in an incomplete list might still exist.
    let is_complete = participants.iter().all(|one| one.gap.is_none());
    let found = participants.into_iter().find(|one| {
        one.collaboration_id == request.given(COLLABORATION) && one.portal_id == request.given(PARTICIPANT)
    });
    let Some(found) = found else {
        facts.extend(is_complete.then_some(CheckFact::NoParticipant));
        return Ok(Suggestion::Unclear);
    };
    let [sent, before] = [SENT, PREVIOUS_CONTACT].map(|names| names.map(|name| request.given(name)));
    let Compared { as_sent, is_other, is_as_before } = Compared::of(&found, sent, before);
    let may_be_from_before = is_as_before || before.iter().all(|value| value.trim().is_empty());
    facts.push(CheckFact::Contact {
        firstname: found.contact_firstname,
        lastname: found.contact_lastname,
        email: found.contact_email_address,
        as_sent,
    });
    Ok(match (as_sent, is_other && may_be_from_before) {
        (true, _) => Suggestion::Done,
        (false, true) => Suggestion::NotDone,
        (false, false) => Suggestion::Unclear,
    })
}
