//! Traces of a portal export whose response is missing.

use steward_client::Endpoint;

use crate::outcome_facts::{CheckFact, CheckedRequest, Suggestion, files};

/// Looks for the export in its destination folder.
pub(super) async fn check_outcome(
    request: &CheckedRequest<'_>,
    portal: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Suggestion {
    files::check(request, portal, "portalsite", facts).await
}
