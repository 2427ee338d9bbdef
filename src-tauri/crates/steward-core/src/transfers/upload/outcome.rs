//! What is left of an upload, or of its deletion, whose response is missing.

use std::path::Path;

use steward_client::listing::StoredUpload;
use steward_client::{ClientError, Endpoint, uploads as server_uploads};

use super::description::can_be_of;
use super::upload_name;
use crate::outcome_facts::{CheckFact, CheckedRequest, Suggestion, uploads};

/// Looks for an upload with the name and description that this one was given, and its length.
pub(crate) async fn check_outcome(
    request: &CheckedRequest<'_>,
    server: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Result<Suggestion, ClientError> {
    let name = upload_name(Path::new(request.given("file")));
    let is_ours = |upload: &StoredUpload| {
        Path::new(&upload.name).file_name() == Path::new(&name).file_name()
            && can_be_of(upload, request.record)
    };
    uploads::check(request, server, is_ours, request.given("bytes").parse().ok(), facts).await
}

/// Looks whether the upload that was to be deleted is gone.
pub(crate) async fn check_deletion(
    request: &CheckedRequest<'_>,
    server: &Endpoint,
    facts: &mut Vec<CheckFact>,
) -> Result<Suggestion, ClientError> {
    let found = server_uploads::find(server, request.given("item")).await?;
    let is_gone = found.is_none();
    facts.push(found.map_or(CheckFact::UploadGone, |upload| CheckFact::UploadThere { name: upload.name }));
    Ok(Suggestion::done_if(is_gone))
}
