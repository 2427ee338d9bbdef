//! One operation on its way: the gate, the run, the record, the wait for the answer.
//!
//! ```text
//! begin   the site can do it · nothing else runs · the intent is on disk
//! answer  sent; answered, refused, or lost
//! done    the outcome is on disk · the report goes to the window
//! ```
//!
//! Stop is heeded at every await before the request is handed to the HTTP library, and ends the operation as *not
//! sent*; after that, it ends as *unknown*.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde::Serialize;
use steward_client::{Area, ClientError, SendState};
use steward_journal::{Conclusion, Intent, Outcome, Request};

use crate::access::admin_url;
use crate::access::token_expiry;
use crate::history::recorded_requests;
use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::model::operation;
use crate::model::operation::{Key, Operation, Patience};
use crate::model::problem::{self, Problem};
use crate::model::run_result::{Ended, RecordId};
use crate::runs::{Run, RunId, RunStep};
use crate::sites::Site;
use crate::sites::availability::{self, Known};

/// Whether an operation leaves a record in the history.
pub enum History {
    /// It changes something; these are its parameters, secrets masked.
    Record(Vec<(&'static str, String)>),
    /// It only looks.
    Nothing,
    /// It only checks what an export with these parameters would need.
    Check {
        /// As [`History::Record`] has them.
        parameters: Vec<(&'static str, String)>,
        /// Whether the export follows by itself. Then Stop means the export, and is recorded.
        then_export: bool,
    },
    /// It is none of the seven: its name in the journal, its parameters, and what will be sent.
    Act(&'static str, Vec<(&'static str, String)>, Vec<Request>),
}

/// An operation on its way.
pub struct Task<'a> {
    /// The run the window follows.
    pub run: Run,
    /// The site.
    pub site: Site,
    /// What is known of it.
    pub known: Known,
    /// The area the operation speaks to.
    pub area: Area,
    host: &'a Host,
    operation: &'static Operation,
    record: Option<RecordId>,
    /// What of it was handed to the HTTP library.
    sending: SendState,
    /// It has no effect of its own; what is recorded when it is stopped.
    check: Option<Check>,
    /// A request that was sent is waited for, whatever is pressed.
    one_of_several: bool,
    /// The record could not be concluded; the person must not be sent to it.
    record_is_stale: AtomicBool,
    /// What came in place of an answer, until it is written down.
    heard: Mutex<Option<String>>,
    started_at: Millis,
    began: Instant,
}

/// What came of waiting for an answer, or of preparing a request.
pub enum Answer<R, T> {
    /// It is here.
    Came(R),
    /// It is not and will not be; this is how the operation ended for us.
    Lost(Ended<T>),
}

/// What came of requests that the user may stop.
pub enum Heard<R> {
    /// They ended by themselves.
    Ended(R),
    /// Stop was pressed while one was under way, and it may have an effect.
    UnderWay,
    /// Stop was pressed while none was.
    NotSent,
}

/// See [`History::Check`].
struct Check {
    parameters: Vec<(&'static str, String)>,
    then_export: bool,
}

/// The way to a site, looked up and renewed.
struct Way {
    known: Known,
    area: Area,
}

impl<'a> Task<'a> {
    /// Opens the way for an operation. When this returns a task, its intent is on disk and nothing was sent yet.
    pub async fn begin<T>(
        host: &'a Host,
        operation: &'static Operation,
        site: &SiteId,
        run: RunId,
        history: History,
    ) -> Result<Answer<Self, T>, Problem> {
        let (site, run) = Self::admit(host, operation, site, run)?;
        Self::within(host, operation, site, run, history).await
    }

    /// The first half of [`Task::begin`]: a change of a locked site is refused, and so is a second operation. The
    /// run may then hold more than one request.
    pub fn admit(
        host: &Host,
        operation: &Operation,
        site: &SiteId,
        run: RunId,
    ) -> Result<(Site, Run), Problem> {
        let site = host.sites.get(site)?;
        if operation.harm.changes_the_site() {
            host.may_write(&site)?;
        }
        let run = host.runs.begin(run, &site, operation.key, RunStep::Preparing)?;
        Ok((site, run))
    }

    /// The second half of [`Task::begin`], in a run that was admitted.
    pub async fn within<T>(
        host: &'a Host,
        operation: &'static Operation,
        site: Site,
        run: Run,
        history: History,
    ) -> Result<Answer<Self, T>, Problem> {
        let Some(way) = run.unless_stopped(Way::open(host, operation, &site, &run)).await else {
            return Ok(Answer::Lost(Self::stopped_early(host, operation, &site, &run, history).await));
        };
        let Way { known, area } = way?;
        let started_at = Millis::now();
        let record = match Recorded::of(&history, operation, Some((&area, &known))) {
            None => None,
            Some(recorded) => {
                let intent = recorded.intent(operation, &site, &known, started_at);
                Some(RecordId(host.journal(move |journal| journal.intend(&intent)).await?))
            }
        };
        let check = match history {
            History::Check { parameters, then_export } => Some(Check { parameters, then_export }),
            _ => None,
        };
        let sending = run.send_state();
        Ok(Answer::Came(Self {
            area: area.watched(sending.clone()),
            run,
            site,
            known,
            host,
            operation,
            record,
            sending,
            check,
            one_of_several: false,
            record_is_stale: AtomicBool::new(false),
            heard: Mutex::default(),
            started_at,
            began: Instant::now(),
        }))
    }

    /// Ends an operation that was stopped before its intent was recorded, and records that it was not sent.
    ///
    /// Nothing was sent, so a journal that cannot be written does not keep the end from the user.
    pub async fn stopped_early<T>(
        host: &Host,
        operation: &Operation,
        site: &Site,
        run: &Run,
        history: History,
    ) -> Ended<T> {
        let record = match Recorded::of(&history, operation, None) {
            None => None,
            Some(recorded) => {
                let intent = recorded.intent(operation, site, &host.remembered(site), run.started_at());
                let ended_at = Millis::now().0;
                let conclusion = Conclusion {
                    outcome: Outcome::NotSent,
                    note: String::new(),
                    answer: None,
                    report: None,
                    ended_at,
                    elapsed: ended_at - run.started_at().0,
                };
                let written = host.journal(move |journal| journal.not_sent(&intent, &conclusion)).await;
                if let Err(problem) = &written {
                    tracing::error!(?problem, "an operation that was not sent is not in the history");
                }
                written.ok().map(RecordId)
            }
        };
        run.outcome(Outcome::NotSent.into(), record.clone());
        Ended::NotSent { record, backup: None }
    }

    /// Records a check after its response, where it turned out to have exported.
    ///
    /// The effect is there already, so a journal that cannot be written does not hide it.
    pub async fn recorded_late(mut self, parameters: Vec<(&'static str, String)>) -> Self {
        let history = History::Record(parameters);
        let way = Some((&self.area, &self.known));
        let Some(recorded) = Recorded::of(&history, self.operation, way) else { return self };
        let intent = recorded.intent(self.operation, &self.site, &self.known, self.started_at);
        match self.host.journal(move |journal| journal.intend(&intent)).await {
            Ok(record) => self.record = Some(RecordId(record)),
            Err(problem) => tracing::error!(?problem, "an operation could not be written to the history"),
        }
        self
    }

    /// The same, as one of several in a run: after its request was sent a pressed Stop lets it end, and the run ends
    /// before the next.
    pub const fn one_of_several(mut self) -> Self {
        self.one_of_several = true;
        self
    }

    /// Waits for requests, until they end or the user presses Stop.
    pub async fn unless_stopped<F: Future>(&self, requests: F) -> Heard<F::Output> {
        let before = self.sending.handed_over();
        let stopped = async {
            if self.one_of_several {
                self.sending.stopped_before().await;
            } else {
                self.run.stopped().await;
            }
        };
        tokio::select! {
            // What has arrived counts, and a request is not handed over any more once Stop was pressed.
            biased;
            result = requests => Heard::Ended(result),
            () = stopped => match self.sending.handed_over() > before && self.check.is_none() {
                true => Heard::UnderWay,
                false => Heard::NotSent,
            },
        }
    }

    /// Sends and waits, until the answer comes or the person presses Stop.
    pub async fn answer<R, T>(
        &self,
        sending: impl Future<Output = Result<R, ClientError>>,
    ) -> Result<Answer<R, T>, Problem> {
        self.run.is_prepared();
        let result = match self.unless_stopped(sending).await {
            Heard::Ended(result) => result,
            Heard::UnderWay => return Ok(Answer::Lost(self.lost(None).await)),
            Heard::NotSent => return Ok(Answer::Lost(self.not_sent().await)),
        };
        let error = match result {
            Ok(reply) => return Ok(Answer::Came(reply)),
            Err(error) => error,
        };
        self.heard_error(&error);
        let problem = self.host.problem_at(&self.area, &self.site, &error).await;
        // What leaves no record changes nothing: for it a lost answer is an ordinary failure.
        if error.may_have_taken_effect() && self.record.is_some() {
            return Ok(Answer::Lost(self.lost(Some(problem)).await));
        }
        self.conclude(Outcome::Failed, words(&error), None).await;
        Err(if self.record.is_none() { problem.without_effect() } else { problem })
    }

    /// Remembers what came in place of the site's answer.
    pub(crate) fn heard_error(&self, error: &ClientError) {
        let answer = answer_of(error).map(|answer| answer.to_string());
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    }

    /// The site's answer as it came; where it sent none to a form, what came instead.
    fn answer_to_keep(&self) -> Option<steward_journal::Answer> {
        let instead = self.heard.lock().unwrap_or_else(PoisonError::into_inner).take();
        let answers = self.sending.answers();
        let cut = answers.iter().any(|answer| answer.is_cut);
        let texts: Vec<String> = answers.into_iter().map(|answer| answer.body).collect();
        let text = if texts.is_empty() { instead } else { Some(texts.join("\n")) };
        text.map(|text| steward_journal::Answer { text, cut })
    }

    /// Writes down how it ended. Whatever the person is shown was on disk before.
    ///
    /// The site has answered by now. A disk that refuses must not keep that answer from the person: it is shown
    /// without a record, and the history says "unknown" when it is opened next.
    pub async fn conclude(&self, outcome: Outcome, note: String, report: Option<serde_json::Value>) {
        self.run.outcome(outcome.into(), self.record.clone());
        let Some(record) = self.record.clone() else { return };
        let answer = self.answer_to_keep();
        let elapsed = i64::try_from(self.began.elapsed().as_millis()).unwrap_or(i64::MAX);
        let conclusion = Conclusion { outcome, note, answer, report, ended_at: Millis::now().0, elapsed };
        let written = self.host.journal(move |journal| journal.conclude(&record.0, &conclusion)).await;
        if let Err(problem) = written {
            tracing::error!(?problem, "the outcome of an operation could not be written to the history");
            self.record_is_stale.store(true, Ordering::Relaxed);
        }
    }

    /// The run, for what comes after this operation.
    pub fn into_run(self) -> Run {
        self.run.goes_on();
        self.run
    }

    /// The end that the window is shown.
    pub fn done<T: Serialize>(&self, report: T) -> Ended<T> {
        self.run.answered();
        let took = u32::try_from(self.began.elapsed().as_millis()).unwrap_or(u32::MAX);
        Ended::Done { record: self.record(), at: Millis::now(), took, report }
    }

    /// The end of an operation that was sent and whose outcome is unknown. `problem` is `None` after a Stop.
    pub async fn lost<T>(&self, problem: Option<Problem>) -> Ended<T> {
        let note = match &problem {
            Some(Problem::Unreachable { message, .. } | Problem::InFront { message }) => message.clone(),
            Some(Problem::Unreadable { excerpt, .. }) => excerpt.clone(),
            Some(problem @ Problem::Redirected { .. }) => problem::words(problem),
            _ => String::new(),
        };
        self.conclude(Outcome::Unknown, note, None).await;
        Ended::Unknown { record: self.record(), stopped: problem.is_none(), problem, can_undo: false }
    }

    /// The end of an operation that was stopped before its request was sent.
    pub async fn not_sent<T>(&self) -> Ended<T> {
        if let Some(Check { parameters, then_export: true }) = &self.check {
            let history = History::Record(parameters.clone());
            return Self::stopped_early(self.host, self.operation, &self.site, &self.run, history).await;
        }
        self.conclude(Outcome::NotSent, String::new(), None).await;
        Ended::NotSent { record: self.record(), backup: None }
    }

    /// Its record in the history; `None` when it leaves none, or when the record does not say how it ended.
    pub fn record(&self) -> Option<RecordId> {
        self.record.clone().filter(|_| !self.record_is_stale.load(Ordering::Relaxed))
    }
}

impl Way {
    async fn open(host: &Host, operation: &Operation, site: &Site, run: &Run) -> Result<Self, Problem> {
        let known = host.known(site).await?;
        availability::check(operation, site, &known)?;
        let mut area = host.area(site, operation.area).await?;
        // A web adaptor refuses an import, or ends it when it loses its patience; so it does with the export before it.
        if run.is_of(Key::ImportServer) {
            availability::check(Key::ImportServer.operation(), site, &known)?;
            area = admin_url::past_every_adaptor(host, site, area).await?;
        }
        run.usually(token_expiry::usual(host, site, operation.key).await?);
        if operation.patience == Patience::Hours {
            token_expiry::prolong(host, site, operation.key, &area).await?;
        }
        Ok(Self { known, area })
    }
}

/// What the journal is given of an operation.
struct Recorded {
    name: &'static str,
    parameters: Vec<(String, String)>,
    requests: Vec<Request>,
}

impl Recorded {
    /// `None` for what leaves no record. Without a way there are no requests yet.
    fn of(history: &History, operation: &Operation, way: Option<(&Area, &Known)>) -> Option<Self> {
        let owned = |parameters: &[(&'static str, String)]| -> Vec<(String, String)> {
            parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
        };
        match (history, way) {
            (History::Nothing | History::Check { then_export: false, .. }, _)
            | (History::Check { .. }, Some(_)) => None,
            (History::Record(parameters), Some((area, known))) => {
                let parameters = owned(parameters);
                let requests = recorded_requests::requests(area, operation.key, known, &parameters);
                Some(Self { name: operation.key.name(), parameters, requests })
            }
            (History::Record(parameters) | History::Check { parameters, .. }, None) => {
                Some(Self { name: operation.key.name(), parameters: owned(parameters), requests: Vec::new() })
            }
            (History::Act(name, parameters, requests), _) => {
                Some(Self { name, parameters: owned(parameters), requests: requests.clone() })
            }
        }
    }

    fn intent(self, operation: &Operation, site: &Site, known: &Known, started_at: Millis) -> Intent {
        Intent {
            site: site.id.0.clone(),
            site_name: site.name.clone(),
            site_kind: site.kind.name().to_owned(),
            site_version: version(operation.area, known),
            operation: self.name.to_owned(),
            username: known.username.clone(),
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            requests: self.requests,
            parameters: self.parameters,
            started_at: started_at.0,
        }
    }
}

/// What the history says of a refusal: the site's own words where it has any.
fn words(error: &ClientError) -> String {
    match error {
        ClientError::Refused { message, .. } if !message.is_empty() => message.clone(),
        other => other.to_string(),
    }
}

/// What the site answered when it did not answer what was hoped for.
fn answer_of(error: &ClientError) -> Option<serde_json::Value> {
    match error {
        ClientError::Refused { code, message, details } => {
            let code = problem::told(*code);
            Some(serde_json::json!({ "error": { "code": code, "message": message, "details": details } }))
        }
        ClientError::Unreadable { excerpt, .. } => Some(serde_json::json!(excerpt)),
        ClientError::Certificate(problem) => serde_json::to_value(problem).ok(),
        ClientError::TokenEnded { source, .. } => answer_of(source),
        ClientError::Unreachable { .. }
        | ClientError::NotRenewed { .. }
        | ClientError::ClientCertificate { .. }
        | ClientError::Redirected { .. }
        | ClientError::NotEncrypted { .. }
        | ClientError::Stalled { .. }
        | ClientError::WrongLength { .. }
        | ClientError::Setup { .. } => None,
    }
}

fn version(area: operation::Area, known: &Known) -> String {
    let version = match area {
        operation::Area::Portal => known.portal_version,
        operation::Area::Server => known.server_version,
    };
    version.map(|version| version.to_string()).unwrap_or_default()
}
