//! What is left of an upload whose response is missing.

use std::path::Path;

use steward_client::{ClientError, Endpoint};

use super::upload_name;
use crate::outcome_facts::{CheckFact, Look, Suggestion, uploads};

/// Looks for an upload with the name that this one was given, and its length.
///
/// # Errors
/// The error of the client if the server does not list its uploads.
pub(crate) async fn check_outcome(
    look: &Look<'_>,
    server: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Result<Suggestion, ClientError> {
    let name = upload_name(Path::new(look.given("file")));
    let is_ours = |file: &Path| file.file_name() == Path::new(&name).file_name();
    uploads::check(look, server, is_ours, look.given("bytes").parse().ok(), facts).await
}
