//! What a server shows after a deactivation whose response is missing.

use steward_client::{ClientError, Endpoint};

use crate::history::parameters;
use crate::outcome_facts::webhooks::webhooks_of;
use crate::outcome_facts::{CheckFact, CheckedRequest, Suggestion};

/// Looks at the webhooks of the services, until one is found whose state the server does not return.
pub(super) async fn check_outcome(
    request: &CheckedRequest<'_>,
    server: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Result<Suggestion, ClientError> {
    let (mut active, mut deactivated) = (false, false);
    let (site, record) = (request.site.id.0.clone(), &request.record.0);
    let logged = request.context.history.journal(move |journal| journal.deactivations(Some(&site)));
    let logged = logged.await.unwrap_or_default();
    // Webhooks that were inactive before the request show nothing about its effect.
    let had_none = |service: &str| {
        let mut entries = logged.iter().filter(|entry| entry.intent.record == *record);
        entries.any(|entry| {
            entry.intent.service == service && entry.intent.active.as_ref().is_some_and(Vec::is_empty)
        })
    };
    for service in parameters::several(&request.intent.parameters, "service") {
        match webhooks_of(server, service, facts).await? {
            Some(any_active) => {
                active |= any_active;
                deactivated |= !any_active && !had_none(service);
            }
            None => return Ok(Suggestion::Unclear),
        }
    }
    Ok(match (active, deactivated) {
        (false, true) => Suggestion::Done,
        (true, false) => Suggestion::NotDone,
        _ => Suggestion::Unclear,
    })
}
