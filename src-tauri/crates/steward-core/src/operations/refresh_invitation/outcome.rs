//! What a portal shows after a refresh whose response is missing.

use std::sync::Arc;

use jiff::Timestamp;
use steward_client::{ClientError, Endpoint, listing};

use super::unsaved_invitations::{UnsavedInvitations, keep};
use crate::files;
use crate::history::parameters::{COLLABORATION, INVITATION};
use crate::model::ids::UnsavedInvitationId;
use crate::model::numbers::Millis;
use crate::outcome_facts::{CheckFact, CheckedRequest, Suggestion, at_theirs};

/// Validity after a refresh, in milliseconds: 72 hours, by the specification.
const VALID: i64 = 72 * 60 * 60 * 1000;
/// Tolerance for the duration of the request and for clocks, in milliseconds.
const SLACK: i64 = 10 * 60 * 1000;
const REFRESHED: i64 = VALID - SLACK;
/// Largest difference between the time in a response and the clock of this computer at which the times that the portal
/// stores can be compared, in milliseconds. Above it, a gateway with another clock might have sent the time.
const ANOTHER_CLOCK: i64 = 60 * 60 * 1000;

/// Reads until when the invitation is valid, and stores its content if it was refreshed.
pub(super) async fn check_outcome(
    request: &CheckedRequest<'_>,
    unsaved: &Arc<UnsavedInvitations>,
    portal: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Result<Suggestion, ClientError> {
    let portal_id = request.portal_id().await;
    let (collaboration, id) = (request.given(COLLABORATION), request.given(INVITATION));
    let found = listing::invitation(portal, &portal_id, collaboration, id).await?;
    let began = request.began_by_their_clock(portal).await;
    let now = Timestamp::now();
    let their_now = at_theirs(portal, now).await.as_millisecond();
    // An invitation that is valid for longer than a refresh allows was not refreshed by this request.
    let could_be = began + REFRESHED..=their_now + (VALID + SLACK);
    // One that ends when another refresh made it end was not refreshed again by this request.
    let others = request.of_others(&[&request.intent.operation], |facts| facts.expires_at).await;
    let is_of_another = |end: &i64| others.as_ref().is_some_and(|others| others.contains(end));
    let refreshed =
        found.expiration.filter(|end| !is_of_another(end)).is_some_and(|end| could_be.contains(&end));
    // If a gateway with another clock is in front of the portal, its times cannot be compared.
    let is_comparable = (their_now - now.as_millisecond()).abs() < ANOTHER_CLOCK;
    let is_older = is_comparable && found.expiration.is_some_and(|expiration| expiration < began + REFRESHED);
    // The response of the refresh, which is missing, contained the invitation: store its content now.
    let kept = if refreshed && !found.content.is_empty() {
        let file_name = files::safe_name("collaboration.invite", "invite");
        let content = found.content.into_bytes();
        // Store it once: each check of the outcome finds the same invitation.
        let stored = unsaved.of(&request.site.id).into_iter().find(|(_, one)| *one.content == content);
        match stored {
            Some((handle, _)) => Some(UnsavedInvitationId(handle)),
            None => keep(unsaved, &request.site.id, &file_name, content).await.ok(),
        }
    } else {
        None
    };
    facts.push(CheckFact::Invitation { expiration: found.expiration.map(Millis), refreshed, kept });
    Ok(match (refreshed, is_older) {
        (true, _) => Suggestion::Done,
        (false, true) => Suggestion::NotDone,
        (false, false) => Suggestion::Unclear,
    })
}
