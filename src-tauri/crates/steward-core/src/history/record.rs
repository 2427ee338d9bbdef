//! Records: the intent, written before a request is sent, and its outcome.
//!
//! `Record::intend` writes the intent, and `Record::conclude` the outcome. Operations, uploads, unlocks and all
//! other actions of the history use both. Writing an outcome is retried after an error until it succeeds, the program
//! ends, or it is obsolete: the record is gone, or has a later outcome or one that a user set.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use steward_client::{Endpoint, Moment, Request};
use steward_journal::trail::{Event, Refusal};
use steward_journal::{
    Conclusion, Facts, Filter, Intent, Journal, JournalError, Outcome, Process, Report, StoredRecord,
    StoredResponse,
};
use steward_redact::MASK;

use crate::files::data_folder::DataFolder;
use crate::files::in_place;
use crate::history::note::{Note, parts_of};
use crate::history::summary::Summarize;
use crate::model::ids::{RecordId, SiteId};
use crate::model::numbers::Millis;
use crate::model::problem::Problem;
use crate::model::retry_policy::RetryPolicy;
use crate::sites::{Site, TargetSite};

/// The history on disk.
#[derive(Clone)]
pub struct History {
    journal: Journal,
    /// Outcomes that could not be written, the last one of each record. Writing them is retried.
    unwritten: Arc<Mutex<HashMap<RecordId, Arc<Conclusion>>>>,
    /// Records whose actions have not ended.
    open: Arc<Mutex<HashSet<RecordId>>>,
    /// Pauses between the attempts to write an outcome.
    retry_policy: RetryPolicy,
    /// Makes the summaries of operations, whose modules depend on this one.
    pub(super) summarize: Summarize,
}

/// A record whose intent is on disk. Until it is dropped, no user can set its outcome.
pub struct Record {
    history: History,
    id: RecordId,
    began: Moment,
}

/// When an action ended, and how long it took.
#[derive(Debug, Clone, Copy)]
pub struct Ended {
    /// Time of its end.
    pub(crate) at: Millis,
    /// Duration in milliseconds.
    pub(crate) elapsed: i64,
}

impl Ended {
    /// Returns the end of an action that began at `began` and ends now.
    pub fn since(began: Moment) -> Self {
        let elapsed = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
        Self { at: Millis::now(), elapsed }
    }

    /// Returns the end of an action by the system clock.
    #[must_use]
    pub const fn between(began: Millis, ended: Millis) -> Self {
        Self { at: ended, elapsed: ended.0.saturating_sub(began.0) }
    }
}

/// Content of an outcome besides its note.
#[derive(Default)]
pub struct Details {
    /// Facts that later decisions use; `None` for none.
    pub facts: Option<Facts>,
    /// Response of the site, without secrets; `None` keeps the one that was written before.
    pub response: Option<StoredResponse>,
    /// Import report as JSON; `None` keeps the one that was written before.
    pub report: Option<Report>,
}

impl History {
    /// Opens the history over a journal, with what makes the summaries of operations.
    #[must_use]
    pub fn new(journal: Journal, summarize: Summarize) -> Self {
        let retry_policy = RetryPolicy::default();
        Self { journal, unwritten: Arc::default(), open: Arc::default(), retry_policy, summarize }
    }

    /// Reads or writes the journal on a blocking thread.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the journal cannot be read or written.
    pub async fn journal<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, Problem> {
        let journal = self.journal.clone();
        let done = tokio::task::spawn_blocking(move || work(&journal)).await;
        Ok(done.map_err(|error| Problem::Unexpected { message: error.to_string() })??)
    }

    /// Writes to the journal what must be on disk before something is done.
    ///
    /// # Errors
    /// [`Problem::NotRecorded`] if the journal cannot be written. Then nothing may be sent.
    pub(crate) async fn must_record<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, Problem> {
        self.journal(move |journal| Ok(work(journal).map_err(|error| Problem::not_recorded(&error)))).await?
    }

    /// Writes to the journal what a site returned. After an error, it is retried in the background until it succeeds.
    pub(crate) async fn write_until_done(
        &self,
        work: impl Fn(&Journal) -> Result<(), JournalError> + Send + Sync + 'static,
    ) {
        let work = Arc::new(work);
        let first = work.clone();
        let Err(problem) = self.journal(move |journal| first(journal)).await else { return };
        tracing::error!(?problem, "cannot write to the history; it is tried again");
        let history = self.clone();
        tokio::spawn(async move {
            for in_vain in 0.. {
                history.retry_policy.pause(in_vain).await;
                let work = work.clone();
                if history.journal(move |journal| work(journal)).await.is_ok() {
                    return;
                }
            }
        });
    }

    /// Writes the start of the app to the audit trail, with the SHA-256 of the policy file. A failure is only logged: a
    /// later write that is required reports it.
    pub fn start(&self, policy: &str) {
        if let Err(error) = self.journal.append_start(policy) {
            tracing::error!(%error, "the start could not be written to the audit trail");
        }
    }

    /// Writes the end of the app to the audit trail. Blocks until it is on disk, because the process ends next.
    pub fn end(&self) {
        if let Err(error) = self.journal.append(&Event::AppEnded) {
            tracing::error!(%error, "the end could not be written to the audit trail");
        }
    }

    /// Appends an event that belongs to no record to the audit trail. After an error, it is retried in the background.
    pub async fn append(&self, event: Event) {
        self.write_until_done(move |journal| journal.append(&event)).await;
    }

    /// Appends events, all or none, before what they describe is done. Blocks until they are on disk.
    ///
    /// # Errors
    /// [`Problem::NotRecorded`] if the journal cannot be written. Then it must not be done.
    pub fn must_append(&self, events: &[Event]) -> Result<(), Problem> {
        self.journal.append_all(events).map_err(|error| Problem::not_recorded(&error))
    }

    /// Returns the newest entry of the audit trail as one line to keep elsewhere; empty if there is none.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the journal cannot be read.
    pub async fn trail_head(&self) -> Result<String, Problem> {
        let head = self.journal(Journal::trail_status).await?.head;
        Ok(head.as_ref().map(ToString::to_string).unwrap_or_default())
    }

    /// Appends an event as [`append`](Self::append), in the background.
    pub(crate) fn append_later(&self, event: Event) {
        let history = self.clone();
        tokio::spawn(async move { history.append(event).await });
    }

    /// Returns `checked`, and adds an event to the audit trail if a read-only site rejected the operation.
    ///
    /// # Errors
    /// The error of `checked`.
    pub(crate) fn with_refusal<T>(&self, checked: Result<T, Problem>, operation: &str) -> Result<T, Problem> {
        if let Err(Problem::ReadOnly { site, site_name }) = &checked {
            self.append_later(Event::Refused {
                by: Refusal::ReadOnly,
                operation: operation.to_owned(),
                site: site.0.clone(),
                site_name: site_name.clone(),
            });
        }
        checked
    }

    /// Adds an event to the audit trail: the policy of the organization rejected an operation, an action, or a setting.
    pub async fn refused_by_policy(&self, operation: &str, site: Option<&Site>) {
        let (site, site_name) = site.map(|site| (site.id.0.clone(), site.name.clone())).unwrap_or_default();
        let operation = operation.to_owned();
        self.append(Event::Refused { by: Refusal::Policy, operation, site, site_name }).await;
    }

    /// Appends to the note of a record that has its outcome. Writing it is retried, as that of the outcome.
    pub(crate) async fn add_to_note(&self, record: RecordId, added: Note) {
        self.write_until_done(move |journal| {
            let changed = journal.change_note(&record.0, |stored| {
                let parts = parts_of(&stored.note, &stored.facts).into_iter().map(Note::from);
                let note = parts.collect::<Note>().and(added.clone()).cut();
                (note.to_string(), note.in_facts(stored.facts))
            });
            match changed {
                // There is no note to add to.
                Err(JournalError::NoSuchRecord(_) | JournalError::DamagedRecord(_)) => Ok(()),
                changed => changed,
            }
        })
        .await;
    }

    async fn write(&self, record: &RecordId, conclusion: Conclusion) -> bool {
        let (id, now) = (record.0.clone(), conclusion.clone());
        let Err(problem) = self.journal(move |journal| journal.conclude(&id, &now)).await else {
            // An earlier outcome that could not be written is obsolete.
            self.unwritten().remove(record);
            return true;
        };
        tracing::error!(?problem, "cannot write an outcome to the history; it is tried again");
        let is_first = self.unwritten().insert(record.clone(), Arc::new(conclusion)).is_none();
        if is_first {
            tokio::spawn(self.clone().write_later(record.clone()));
        }
        false
    }

    /// Retries to write the last outcome of a record until it succeeds.
    async fn write_later(self, record: RecordId) {
        let mut in_vain = 0;
        loop {
            self.retry_policy.pause(in_vain).await;
            in_vain += 1;
            let Some(last) = self.unwritten().get(&record).cloned() else { return };
            let (id, now) = (record.0.clone(), last.clone());
            let written = self.journal(move |journal| {
                let written = match journal.whole(&id) {
                    // There is no record to write it to.
                    Err(JournalError::NoSuchRecord(_)) => return Ok(()),
                    // It stays damaged, with this outcome.
                    Err(JournalError::DamagedRecord(_)) => return journal.conclude(&id, &now),
                    whole => whole?.record,
                };
                // A user may have set the outcome meanwhile, or a later one was written.
                let is_later = written.elapsed.is_some_and(|elapsed| elapsed > now.elapsed);
                if written.is_resolved || is_later { Ok(()) } else { journal.conclude(&id, &now) }
            });
            if written.await.is_err() {
                continue;
            }
            let mut unwritten = self.unwritten();
            if unwritten.get(&record).is_none_or(|now| Arc::ptr_eq(now, &last)) {
                unwritten.remove(&record);
                return;
            }
        }
    }

    /// Returns whether the action of a record has not ended: its outcome is still to be written.
    pub(crate) fn is_open(&self, record: &RecordId) -> bool {
        self.open().contains(record)
    }

    /// Returns whether a record has no outcome because the runner of backup plans, which is another process, still waits for
    /// the response. After that process has ended, the outcome is unknown.
    pub(crate) fn is_in_runner(&self, record: &StoredRecord) -> bool {
        record.outcome == Outcome::Sent && record.process == Process::Runner && self.has_runner()
    }

    /// Returns whether a runner of backup plans uses the data folder.
    pub fn has_runner(&self) -> bool {
        let folder = self.journal.path().parent();
        folder.is_some_and(|folder| in_place(|| DataFolder::without_runner(folder).is_none()))
    }

    fn open(&self) -> MutexGuard<'_, HashSet<RecordId>> {
        // Poisoning is ignored: each change is a single insert or removal.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unwritten(&self) -> MutexGuard<'_, HashMap<RecordId, Arc<Conclusion>>> {
        // Poisoning is ignored: each change is a single insert or removal.
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Record {
    /// Writes an intent to disk.
    ///
    /// # Errors
    /// [`Problem::NotRecorded`] if the journal cannot be written. Then nothing may be sent.
    pub async fn intend(history: &History, intent: Intent) -> Result<Self, Problem> {
        let id = history.must_record(move |journal| journal.intend(&intent)).await?;
        let id = RecordId(id);
        history.open().insert(id.clone());
        Ok(Self { history: history.clone(), id, began: Moment::now() })
    }

    /// Returns the newest record of an action that began at `began` or later, and its outcome; `None` if none `is_it`.
    /// With it, the outcome can be written after the process of the action was killed. An outcome that a user set
    /// stays.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the history cannot be read.
    pub async fn begun_since(
        history: &History,
        site: &SiteId,
        action: &str,
        began: Millis,
        is_it: impl Fn(&Intent) -> bool,
    ) -> Result<Option<(Self, Outcome)>, Problem> {
        let filter = Filter {
            site: Some(site.0.clone()),
            operation: Some(action.to_owned()),
            from: Some(began.0),
            ..Filter::default()
        };
        let records = history.journal(move |journal| journal.records(&filter)).await?;
        let Some(found) = records.into_iter().find(|record| is_it(&record.intent)) else { return Ok(None) };
        let id = RecordId(found.id);
        history.open().insert(id.clone());
        Ok(Some((Self { history: history.clone(), id, began: Moment::now() }, found.outcome)))
    }

    /// Writes that something was not sent, and returns the identifier of the record; `None` if it could not be written.
    /// A failure is only logged, because nothing was sent.
    pub(crate) async fn not_sent(
        history: &History,
        intent: Intent,
        note: impl Into<Note>,
    ) -> Option<RecordId> {
        let at = Millis::now();
        let ended = Ended { at, elapsed: at.0 - intent.started_at };
        let conclusion = conclusion(Outcome::NotSent, note, ended, Details::default());
        let written = history.journal(move |journal| journal.not_sent(&intent, &conclusion)).await;
        if let Err(problem) = &written {
            tracing::error!(?problem, "cannot write to the history what was not sent");
        }
        written.ok().map(RecordId)
    }

    /// Returns the identifier.
    pub fn id(&self) -> RecordId {
        self.id.clone()
    }

    /// Writes the outcome, and returns whether that succeeded. The last call counts.
    ///
    /// A failure does not affect the result of the operation: writing is retried later.
    pub(crate) async fn conclude(&self, outcome: Outcome, note: impl Into<Note>, details: Details) -> bool {
        self.conclude_at(Ended::since(self.began), outcome, note, details).await
    }

    /// Writes the outcome as [`conclude`](Self::conclude) does, of an action that began before its intent was written.
    pub async fn conclude_at(
        &self,
        ended: Ended,
        outcome: Outcome,
        note: impl Into<Note>,
        details: Details,
    ) -> bool {
        self.history.write(&self.id, conclusion(outcome, note, ended, details)).await
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        self.history.open().remove(&self.id);
    }
}

/// Writes a record together with its outcome, because its intent could not be written before. Retries until it
/// succeeds.
pub async fn write_late(
    history: &History,
    intent: Intent,
    ended: Ended,
    outcome: Outcome,
    note: impl Into<Note>,
    details: Details,
) {
    let conclusion = conclusion(outcome, note, ended, details);
    let written: OnceLock<String> = OnceLock::new();
    let write = move |journal: &Journal| {
        let id = match written.get() {
            Some(id) => id.clone(),
            None => {
                let id = journal.intend(&intent)?;
                written.get_or_init(|| id).clone()
            }
        };
        journal.conclude(&id, &conclusion)
    };
    history.write_until_done(write).await;
}

/// Returns an intent with facts of the site, for struct update: its name and its environment. It names no user.
pub fn intent_on(site: &Site, name: &str) -> Intent {
    Intent {
        site: site.id.0.clone(),
        site_name: site.name.clone(),
        environment: site.environment.name().to_owned(),
        ..intent_of(name)
    }
}

/// Returns an intent with facts of a component of a site, for struct update.
pub(crate) fn intent_at(site: &TargetSite, name: &str) -> Intent {
    Intent {
        server: site.recorded_server().to_owned(),
        server_name: site.server_name().unwrap_or_default(),
        ..intent_on(site, name)
    }
}

/// Returns an intent that concerns no site.
pub fn intent_of(name: &str) -> Intent {
    Intent {
        operation: name.to_owned(),
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: Millis::now().0,
        ..Intent::default()
    }
}

/// Returns a request as stored in the history, with its secrets masked.
pub(crate) fn masked(request: &Request, endpoint: &Endpoint) -> steward_journal::StoredRequest {
    let fields = request.fields().map(|(name, value)| (name, value.unwrap_or(MASK)));
    let fields = fields.chain([("f", "json"), ("token", MASK)]);
    steward_journal::StoredRequest {
        method: request.method().to_owned(),
        address: request.url(endpoint.root()).to_string(),
        form: fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
    }
}

fn conclusion(outcome: Outcome, note: impl Into<Note>, ended: Ended, details: Details) -> Conclusion {
    let Details { facts, response, report } = details;
    let note = note.into().cut();
    let facts = Some(note.in_facts(facts.unwrap_or_default()));
    let note = note.to_string();
    let Ended { at, elapsed } = ended;
    Conclusion { outcome, note, facts, response, report, ended_at: at.0, elapsed }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use steward_journal::OutcomeResolution;

    use super::*;

    #[tokio::test]
    async fn an_operation_during_which_the_computer_slept_took_as_long_as_at_the_site() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::new(Journal::open(&folder.path().join("journal.db")).unwrap(), |_, _| None);
        let intent = Intent { site: "a".to_owned(), ..intent_of("import_server") };
        let record = Record::intend(&history, intent).await.unwrap();
        // The monotonic clock stood still for an hour.
        let began = Moment { wall: record.began.wall - 3_600_000, ..record.began };

        let ended = Ended::since(began);
        record.conclude_at(ended, Outcome::Succeeded, String::new(), Details::default()).await;

        let longest = history.journal(|journal| journal.longest("a", "", "import_server")).await.unwrap();
        assert!(
            longest.is_some_and(|took| took >= 3_600_000),
            "the next token must last as long: {longest:?}"
        );
    }

    #[tokio::test]
    async fn a_note_that_is_added_leaves_the_outcome_that_a_user_set() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::new(Journal::open(&folder.path().join("journal.db")).unwrap(), |_, _| None);
        let intent = Intent { site: "a".to_owned(), ..intent_of("import_server") };
        let record = Record::intend(&history, intent).await.unwrap();
        let id = record.id.clone();
        let resolution = OutcomeResolution {
            outcome: Outcome::Succeeded,
            note: String::new(),
            by: "sam".to_owned(),
            at: 5,
        };
        let of = id.0.clone();
        history.journal(move |journal| journal.set_outcome(&of, &resolution)).await.unwrap();

        history.add_to_note(id.clone(), Note::from("added".to_owned())).await;
        history.add_to_note(RecordId("gone".to_owned()), Note::from("added".to_owned())).await;

        let stored = history.journal(move |journal| journal.record(&id.0)).await.unwrap();
        assert_eq!((stored.outcome, stored.ended_at, stored.is_resolved), (Outcome::Succeeded, None, true));
        assert!(stored.note.contains("added"), "{}", stored.note);
    }

    #[tokio::test]
    async fn an_outcome_whose_record_is_gone_is_not_tried_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let mut history =
            History::new(Journal::open(&folder.path().join("journal.db")).unwrap(), |_, _| None);
        history.retry_policy.pause = Duration::ZERO;
        let gone = RecordId("gone".to_owned());

        let ended = Ended { at: Millis::now(), elapsed: 0 };
        let written = history
            .write(&gone, conclusion(Outcome::Succeeded, String::new(), ended, Details::default()))
            .await;

        assert!(!written);
        let let_go = async {
            while !history.unwritten().is_empty() {
                tokio::task::yield_now().await;
            }
        };
        assert!(tokio::time::timeout(Duration::from_secs(30), let_go).await.is_ok());
    }
}
