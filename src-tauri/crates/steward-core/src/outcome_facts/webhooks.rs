//! The webhooks of a service, as they are now.

use steward_client::webhooks::ServiceWebhooks;
use steward_client::{ClientError, Endpoint};

use super::{CheckFact, CheckedRequest, Suggestion};
use crate::history::parameters;

/// Checks whether the webhooks of a record, all of one service, are active now.
pub(crate) async fn are_active(
    request: &CheckedRequest<'_>,
    server: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Result<Suggestion, ClientError> {
    webhooks_of(server, request.given("service"), facts).await?;
    let Some(CheckFact::Webhooks { active, silent, .. }) = facts.last() else {
        return Ok(Suggestion::Unclear);
    };
    let meant: Vec<_> =
        parameters::several(&request.intent.parameters, "webhook").map(ToOwned::to_owned).collect();
    // Two webhooks can have one name.
    if meant.iter().all(|name| active.contains(name) && !silent.contains(name)) {
        return Ok(Suggestion::Done);
    }
    Ok(if meant.iter().all(|name| silent.contains(name) && !active.contains(name)) {
        Suggestion::NotDone
    } else {
        Suggestion::Unclear
    })
}

/// Lists the webhooks of a service. Returns whether any is active; `None` if the server does not return their state.
pub(crate) async fn webhooks_of(
    server: &Endpoint,
    service: &str,
    facts: &mut Vec<CheckFact>,
) -> Result<Option<bool>, ClientError> {
    let all = ServiceWebhooks::at(service).list(server).await?;
    let names = |active: bool| {
        let some = all.iter().filter(move |webhook| webhook.active == Some(active));
        some.map(|webhook| webhook.name.clone()).collect::<Vec<_>>()
    };
    let (active, silent) = (names(true), names(false));
    let is_returned = all.iter().all(|webhook| webhook.active.is_some());
    let any = (is_returned || !active.is_empty()).then_some(!active.is_empty());
    facts.push(CheckFact::Webhooks { service: service.to_owned(), active, silent });
    Ok(any)
}
