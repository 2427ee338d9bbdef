//! What is left of a portal export whose response is missing.

use steward_client::Endpoint;

use crate::outcome_facts::{CheckFact, Look, Suggestion, files};

/// Looks for the export in its destination folder.
pub(crate) async fn check_outcome(
    look: &Look<'_>,
    portal: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Suggestion {
    files::check(look, portal, "portalsite", facts).await
}
