//! What a portal shows after an import whose response is missing.

use steward_client::{ClientError, Endpoint};

use crate::inventory::portal::PortalInventory;
use crate::outcome_facts::{CheckFact, Suggestion};

/// Counts the portal. The numbers prove nothing: during an import, a portal returns only a part of its content, and the
/// content of before can have the same numbers.
pub(super) async fn check_outcome(
    portal: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Result<Suggestion, ClientError> {
    let PortalInventory { items, users, groups, .. } = PortalInventory::take(portal).await?;
    facts.push(CheckFact::PortalContent { items, users, groups });
    Ok(Suggestion::Unclear)
}
