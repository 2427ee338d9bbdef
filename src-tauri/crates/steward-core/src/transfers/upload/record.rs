//! Records of uploads in the history: a file on the disk of a server is a change.

use steward_journal::{Intent, Outcome, StoredRequest};

use super::{Fault, UnfinishedUpload, UploadEnd};
use crate::history::record::{self, Details, Record};
use crate::model::operation::Component;
use crate::model::problem::Problem;
use crate::runs::Run;
use crate::site_context::SiteContext;
use crate::sites::{SavedServer, Site};

/// Writes the intent of an upload, or of its deletion, to disk. An upload has no `requests`: a file is not a form
/// field, so no command can repeat it.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be written.
pub(super) async fn begin(
    context: &SiteContext,
    site: &Site,
    action: &str,
    parameters: Vec<(String, String)>,
    requests: Vec<StoredRequest>,
) -> Result<Record, Problem> {
    let known = context.access.remembered(site);
    let intent = Intent {
        site_version: known.version_at(Component::Server),
        username: known.username_at(Component::Server).to_owned(),
        parameters,
        requests,
        ..record::intent_on(site, action)
    };
    Record::intend(&context.history, intent).await
}

/// Returns the address of the uploads of a server, so that the record names the server without a request.
pub(super) fn uploads_of(server: &SavedServer) -> String {
    format!("{}/admin/uploads", server.address.as_str().trim_end_matches('/'))
}

/// Writes the outcome of an upload, and ends its run with it. `was_sent` is whether any request was passed to the
/// network.
pub(super) async fn end(run: &Run, record: &Record, end: &UploadEnd, why: Option<&Fault>, was_sent: bool) {
    let why = why.map(ToString::to_string).unwrap_or_default();
    let (outcome, note) = match end {
        UploadEnd::Uploaded { item, name, .. } => (Outcome::Succeeded, format!("{name} ({})", item.0)),
        UploadEnd::Stopped { .. } if !was_sent => (Outcome::NotSent, why),
        UploadEnd::Stopped { unfinished } => {
            (Outcome::Failed, with_parts("stopped by the user".to_owned(), unfinished.as_ref()))
        }
        UploadEnd::Failed { unfinished, .. } => (Outcome::Failed, with_parts(why, unfinished.as_ref())),
        UploadEnd::Dismissed => (Outcome::Failed, why),
        UploadEnd::Unknown { .. } => (Outcome::Unknown, why),
    };
    let is_written = record.conclude(outcome, note, Details::default()).await;
    // Do not show the outcome of a stopped upload in the operations panel: the user stopped it there.
    if !matches!(end, UploadEnd::Stopped { .. }) {
        run.outcome(outcome, is_written.then(|| record.id()));
    }
}

/// Returns `note` with the parts of the file that are on the server: the upload failed, and they are not deleted.
fn with_parts(note: String, unfinished: Option<&UnfinishedUpload>) -> String {
    match unfinished {
        Some(UnfinishedUpload { item, size, done, .. }) => {
            format!("{note} · {} of {} bytes on the server ({})", done.0, size.0, item.0)
        }
        None => note,
    }
}
