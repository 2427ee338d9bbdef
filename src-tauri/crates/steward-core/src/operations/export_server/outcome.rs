//! What is left of a server export whose response is missing.

use steward_client::{ClientError, Endpoint};

use crate::outcome_facts::{CheckFact, CheckedRequest, Suggestion, files, uploads};

/// Extension of a server export.
const EXTENSION: &str = "agssite";

/// Looks for the export among the uploads of the server, where it is without a location, or in its destination folder.
pub(super) async fn check_outcome(
    request: &CheckedRequest<'_>,
    server: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Result<Suggestion, ClientError> {
    if request.given("location").is_empty() {
        return uploads::check(request, server, |name| files::has_extension(name, EXTENSION), None, facts)
            .await;
    }
    Ok(files::check(request, server, EXTENSION, facts).await)
}
