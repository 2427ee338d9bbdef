//! What a portal shows after an import whose response is missing.

use steward_client::Endpoint;

use crate::inventory::portal::PortalInventory;
use crate::outcome_facts::{CheckFact, CheckedRequest, Suggestion};

/// Counts the portal. The numbers prove nothing: during an import, a portal returns only a part of its content, and the
/// content of before can have the same numbers.
pub(super) async fn check_outcome(
    request: &CheckedRequest<'_>,
    portal: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Suggestion {
    let PortalInventory { items, users, groups, .. } =
        PortalInventory::take(portal, &request.portal_id().await).await;
    facts.push(CheckFact::PortalContent { items, users, groups });
    Suggestion::Unclear
}
