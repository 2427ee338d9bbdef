//! One operation on its way: the gate, the run, the record, the wait for the answer.
//!
//! ```text
//! begin   the site can do it · nothing else runs · the intent is on disk
//! answer  sent; answered, refused, or lost
//! done    the outcome is on disk · the report goes to the window
//! ```

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde::Serialize;
use steward_client::{Area, ClientError};
use steward_journal::{Conclusion, Intent, Outcome, Request};

use crate::gate::{self, Known};
use crate::host::Host;
use crate::operations::{self, Key, Operation, Patience};
use crate::own_address;
use crate::problem::{self, Problem};
use crate::runs::{Run, RunId, RunStep};
use crate::sent;
use crate::sites::{Site, SiteId, SiteKind};
use crate::token_life;
use crate::views::ended::{Ended, RecordId};
use crate::views::numbers::Millis;

/// Whether an operation leaves a record in the history.
pub enum History {
    /// It changes something; these are its parameters, secrets masked.
    Record(Vec<(&'static str, String)>),
    /// It only looks.
    Nothing,
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
    /// Stop is heeded between this request and the next.
    one_of_several: bool,
    /// The record could not be concluded; the person must not be sent to it.
    record_is_stale: AtomicBool,
    /// The site's answer, until it is written down.
    heard: Mutex<Option<String>>,
    started_at: Millis,
    began: Instant,
}

/// What came of waiting for an answer.
pub enum Answer<R, T> {
    /// The site answered.
    Came(R),
    /// It may still be working; this is how the operation ended for us.
    Lost(Ended<T>),
}

impl<'a> Task<'a> {
    /// Opens the way for an operation. When this returns, its intent is on disk and nothing was sent yet.
    pub async fn begin(
        host: &'a Host,
        operation: &'static Operation,
        site: &SiteId,
        run: RunId,
        history: History,
    ) -> Result<Self, Problem> {
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
        let run = host.runs.begin(run, &site, operation.key, RunStep::Waiting)?;
        Ok((site, run))
    }

    /// The second half of [`Task::begin`], in a run that was admitted.
    pub async fn within(
        host: &'a Host,
        operation: &'static Operation,
        site: Site,
        run: Run,
        history: History,
    ) -> Result<Self, Problem> {
        let known = host.known(&site).await?;
        gate::check(operation, &site, &known)?;
        let mut area = host.area(&site, operation.area).await?;
        // A web adaptor refuses an import, or ends it when it loses its patience; so it does with the export before it.
        if run.is_of(Key::ImportServer) {
            gate::check(Key::ImportServer.operation(), &site, &known)?;
            area = own_address::past_every_adaptor(host, &site, area).await?;
        }
        run.usually(token_life::usual(host, &site, operation.key).await?);
        if operation.patience == Patience::Hours {
            token_life::prolong(host, &site, operation.key, &area).await?;
        }
        let started_at = Millis::now();
        let record = match Recorded::of(history, operation, &area, &known) {
            None => None,
            Some(recorded) => Some(recorded.write(host, operation, &site, &known, started_at).await?),
        };
        let record_is_stale = AtomicBool::new(false);
        let heard = Mutex::default();
        let (one_of_several, began) = (false, Instant::now());
        Ok(Self {
            run,
            site,
            known,
            area,
            host,
            operation,
            record,
            one_of_several,
            record_is_stale,
            heard,
            started_at,
            began,
        })
    }

    /// Records an operation after its response: a request that was to have no effect had one.
    ///
    /// The effect is there already, so a journal that cannot be written does not hide it.
    pub async fn recorded_late(mut self, parameters: Vec<(&'static str, String)>) -> Self {
        let operation = self.operation;
        let recorded = Recorded::of(History::Record(parameters), operation, &self.area, &self.known);
        let Some(recorded) = recorded else { return self };
        match recorded.write(self.host, operation, &self.site, &self.known, self.started_at).await {
            Ok(record) => self.record = Some(record),
            Err(problem) => tracing::error!(?problem, "an operation could not be written to the history"),
        }
        self
    }

    /// The same, as one of several in a run: a pressed Stop lets it end, and the run ends before the next.
    pub const fn one_of_several(mut self) -> Self {
        self.one_of_several = true;
        self
    }

    /// Sends and waits, until the answer comes or the person presses Stop.
    pub async fn answer<R, T>(
        &self,
        sending: impl Future<Output = Result<R, ClientError>>,
    ) -> Result<Answer<R, T>, Problem> {
        let result = tokio::select! {
            result = sending => result,
            () = self.run.stopped(), if !self.one_of_several => return Ok(self.lost(None).await),
        };
        let error = match result {
            Ok(reply) => return Ok(Answer::Came(reply)),
            Err(error) => error,
        };
        self.heard(&answer_of(&error));
        let problem = self.host.problem_at(&self.area, &self.site, &error).await;
        // What leaves no record changes nothing: for it a lost answer is an ordinary failure.
        if error.may_have_taken_effect() && self.record.is_some() {
            return Ok(self.lost(Some(problem)).await);
        }
        self.conclude(Outcome::Failed, words(&error), None).await;
        Err(if self.record.is_none() { problem.without_effect() } else { problem })
    }

    /// Remembers the site's answer, which is written down with the outcome. An answer that is a secret, as an
    /// invitation is, must not be given.
    pub fn heard(&self, answer: &impl Serialize) {
        let answer = serde_json::to_string(answer).ok().filter(|answer| answer != "null");
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    }

    /// Writes down how it ended. Whatever the person is shown was on disk before.
    ///
    /// The site has answered by now. A disk that refuses must not keep that answer from the person: it is shown
    /// without a record, and the history says "unknown" when it is opened next.
    pub async fn conclude(&self, outcome: Outcome, note: String, report: Option<serde_json::Value>) {
        self.run.outcome(outcome.into(), self.record.clone());
        let Some(record) = self.record.clone() else { return };
        let answer = self.heard.lock().unwrap_or_else(PoisonError::into_inner).take();
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

    async fn lost<R, T>(&self, problem: Option<Problem>) -> Answer<R, T> {
        let note = match &problem {
            Some(Problem::Unreachable { message, .. } | Problem::InFront { message }) => message.clone(),
            Some(Problem::Unreadable { excerpt, .. }) => excerpt.clone(),
            _ => String::new(),
        };
        self.conclude(Outcome::Unknown, note, None).await;
        Answer::Lost(Ended::Unknown { record: self.record(), stopped: problem.is_none(), problem })
    }

    /// Its record in the history; `None` when it leaves none, or when the record does not say how it ended.
    pub fn record(&self) -> Option<RecordId> {
        self.record.clone().filter(|_| !self.record_is_stale.load(Ordering::Relaxed))
    }
}

/// What the journal is given of an operation.
struct Recorded {
    name: &'static str,
    parameters: Vec<(String, String)>,
    requests: Vec<Request>,
}

impl Recorded {
    /// `None` for what leaves no record.
    fn of(history: History, operation: &Operation, area: &Area, known: &Known) -> Option<Self> {
        let owned = |parameters: Vec<(&'static str, String)>| -> Vec<(String, String)> {
            parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
        };
        match history {
            History::Nothing => None,
            History::Record(parameters) => {
                let parameters = owned(parameters);
                let requests = sent::requests(area, operation.key, known, &parameters);
                Some(Self { name: operation.key.name(), parameters, requests })
            }
            History::Act(name, parameters, requests) => {
                Some(Self { name, parameters: owned(parameters), requests })
            }
        }
    }

    /// It is on disk when this returns.
    async fn write(
        self,
        host: &Host,
        operation: &Operation,
        site: &Site,
        known: &Known,
        started_at: Millis,
    ) -> Result<RecordId, Problem> {
        let intent = Intent {
            site: site.id.0.clone(),
            site_name: site.name.clone(),
            site_kind: kind(site.kind).to_owned(),
            site_version: version(operation.area, known),
            operation: self.name.to_owned(),
            username: known.username.clone(),
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            requests: self.requests,
            parameters: self.parameters,
            started_at: started_at.0,
        };
        Ok(RecordId(host.journal(move |journal| journal.intend(&intent)).await?))
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

pub(crate) const fn kind(kind: SiteKind) -> &'static str {
    match kind {
        SiteKind::Practice => "practice",
        SiteKind::Test => "test",
        SiteKind::Production => "production",
    }
}

fn version(area: operations::Area, known: &Known) -> String {
    let version = match area {
        operations::Area::Portal => known.portal_version,
        operations::Area::Server => known.server_version,
    };
    version.map(|version| version.to_string()).unwrap_or_default()
}
