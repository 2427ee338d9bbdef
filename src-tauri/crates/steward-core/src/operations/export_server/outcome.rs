//! Traces of a server export whose response is missing.

use std::path::Path;

use steward_client::listing::StoredUpload;
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
        let is_export = |upload: &StoredUpload| files::has_extension(Path::new(&upload.name), EXTENSION);
        return uploads::check(request, server, is_export, None, facts).await;
    }
    Ok(files::check(request, server, EXTENSION, facts).await)
}
