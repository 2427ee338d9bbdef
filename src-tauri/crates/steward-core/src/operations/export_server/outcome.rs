//! What is left of a server export whose response is missing.

use steward_client::{ClientError, Endpoint};

use crate::outcome_facts::{CheckFact, Look, Suggestion, files, uploads};

/// Extension of a server export.
const EXTENSION: &str = "agssite";

/// Looks for the export among the uploads of the server, where it is without a location, or in its destination folder.
///
/// # Errors
/// The error of the client if the server does not list its uploads.
pub(crate) async fn check_outcome(
    look: &Look<'_>,
    server: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Result<Suggestion, ClientError> {
    if look.given("location").is_empty() {
        return uploads::check(look, server, |name| files::has_extension(name, EXTENSION), None, facts).await;
    }
    Ok(files::check(look, server, EXTENSION, facts).await)
}
