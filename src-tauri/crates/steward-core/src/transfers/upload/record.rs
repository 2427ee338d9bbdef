//! Records of uploads in the history: a file on the disk of a server is a change.

use steward_client::listing::StoredUpload;
use steward_journal::{Facts, Intent, Outcome};
use tokio::sync::OnceCell;

use super::description::{can_be_of, description};
use super::result::{Fault, UnfinishedUpload, UploadEnd};
use crate::history::note::Note;
use crate::history::record::{self, Details, Record};
use crate::model::history_key::UPLOAD;
use crate::model::operation::Component;
use crate::model::problem::Problem;
use crate::runs::Run;
use crate::site_context::SiteContext;
use crate::sites::{SavedServer, TargetSite};

/// Record of an upload. Its intent is written before the first request that changes the server.
pub(super) struct UploadRecord<'a> {
    context: &'a SiteContext,
    intent: Intent,
    record: OnceCell<Record>,
}

impl<'a> UploadRecord<'a> {
    /// Prepares the record of an upload to a server.
    pub(super) fn new(
        context: &'a SiteContext,
        site: &TargetSite,
        run: &Run,
        mut parameters: Vec<(String, String)>,
    ) -> UploadRecord<'a> {
        parameters.extend(site.server().map(|server| ("origin".to_owned(), uploads_of(server))));
        let known = context.access.remembered(site);
        let intent = Intent {
            site_version: known.version_at(Component::Server),
            username: known.username_at(Component::Server).to_owned(),
            parameters,
            reason: run.reason().to_owned(),
            ..record::intent_at(site, UPLOAD)
        };
        Self { context, intent, record: OnceCell::new() }
    }

    /// Writes the intent. Does nothing if it is on disk.
    pub(super) async fn write(&self) -> Result<(), Problem> {
        let intending = || Record::intend(&self.context.history, self.intent.clone());
        self.record.get_or_try_init(intending).await.map(|_| ())
    }

    /// Returns the description that the server stores with the upload; empty before the intent is on disk.
    pub(super) fn description(&self) -> String {
        self.record.get().map(|record| description(&record.id())).unwrap_or_default()
    }

    /// Returns whether a server upload can be this one, by its description.
    pub(super) fn can_be(&self, upload: &StoredUpload) -> bool {
        self.record.get().is_some_and(|record| can_be_of(upload, &record.id()))
    }

    /// Writes the end of the upload; `why` is the reason if it failed, and `was_sent` whether a request that changes
    /// the server was passed to the network. Without one, it is recorded as not sent. `sent` are facts of a file that
    /// the server stored.
    pub(super) async fn conclude(
        &self,
        run: &Run,
        end: &UploadEnd,
        why: Option<&Fault>,
        was_sent: bool,
        sent: Option<Facts>,
    ) {
        let is_refused = matches!(end, UploadEnd::Stopped { .. }) || matches!(why, Some(Fault::NoLonger(_)));
        let why = why.map(Fault::note).unwrap_or_default();
        // A resumed upload can be complete without a further request, so its intent might not be on disk yet.
        if matches!(end, UploadEnd::Uploaded { .. })
            && let Err(problem) = self.write().await
        {
            tracing::error!(?problem, "cannot write an upload to the history");
        }
        let (outcome, id) = match self.record.get() {
            None => {
                let written = Record::not_sent(&self.context.history, self.intent.clone(), why).await;
                (Outcome::NotSent, written)
            }
            Some(record) => {
                let (outcome, note) = match is_refused && !was_sent {
                    true => (Outcome::NotSent, why),
                    false => outcome(end, why),
                };
                let is_written =
                    record.conclude(outcome, note, Details { facts: sent, ..Details::default() }).await;
                (outcome, is_written.then(|| record.id()))
            }
        };
        // Do not show the outcome of a stopped upload in the operations panel: the user stopped it there.
        if !matches!(end, UploadEnd::Stopped { .. }) {
            run.outcome(outcome, id);
        }
    }
}

/// Returns the URL below which a server has its uploads.
pub(super) fn uploads_of(server: &SavedServer) -> String {
    format!("{}/admin/uploads", server.address.as_str().trim_end_matches('/'))
}

fn outcome(end: &UploadEnd, why: Note) -> (Outcome, Note) {
    match end {
        UploadEnd::Uploaded { item, name, .. } => (Outcome::Succeeded, Note::upload(name, &item.0)),
        UploadEnd::Stopped { unfinished } => {
            (Outcome::Failed, with_parts(Fault::Stopped.note(), unfinished.as_ref()))
        }
        UploadEnd::Failed { unfinished, .. } => (Outcome::Failed, with_parts(why, unfinished.as_ref())),
        UploadEnd::Dismissed => (Outcome::Failed, why),
        UploadEnd::Unknown { .. } => (Outcome::Unknown, why),
    }
}

/// Returns the note of an upload that ended early, with the parts that arrived.
fn with_parts(note: Note, unfinished: Option<&UnfinishedUpload>) -> Note {
    match unfinished {
        Some(UnfinishedUpload { item, size, done, .. }) => {
            note.and(format!("{} of {} bytes need not be sent again ({})", done.0, size.0, item.0))
        }
        None => note,
    }
}
