//! What a server shows after an import whose response is missing.

use steward_client::listing::ServiceList;
use steward_client::{ClientError, Endpoint};

use crate::outcome_facts::{CheckFact, Suggestion};

/// Counts the services. The number proves nothing: during an import, a server returns only some of its services.
pub(super) async fn check_outcome(
    server: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Result<Suggestion, ClientError> {
    let count = ServiceList::read(server).await?.count()?;
    facts.push(CheckFact::Services { count });
    Ok(Suggestion::Unclear)
}
