//! Execution of one operation: admit, connect, permit, send, conclude.
//!
//! ```text
//! admit     the site may be changed, and no other operation runs on it
//! connect   the site supports the operation; version, session and token are looked up
//! permit    the intent is on disk; Stop, lock and session are checked a last time
//! send      the request is sent; a response, an error, or nothing is received
//! conclude  the outcome is on disk, and then in the window
//! ```
//!
//! [`Execution::change`] permits and sends one request. Whatever must precede it, such as an inventory, stands between
//! *connect* and *permit*: a [`Permit`] is consumed by the request that it permits. Stop is checked at every await.
//! Before a request is passed to the HTTP library, it ends the operation as *not sent*; after that, as *unknown*.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use steward_client::{ClientError, Endpoint, Moment, Permit, Request, SendState};
use steward_journal::{Facts, Intent, Outcome, Report};
use tokio::sync::OnceCell;
use tracing::Instrument;

use crate::access::{admin_url, token_expiry};
use crate::history::note::Note;
use crate::history::record::{self, Details, Ended, Record};
use crate::model::history_key::HistoryAction;
use crate::model::ids::{RecordId, Target};
use crate::model::numbers::Millis;
use crate::model::operation::{Component, Impact, Operation};
use crate::model::problem::{self, Problem};
use crate::model::run_result::RunResult;
use crate::runs::{NewRun, Run, RunStep};
use crate::site_context::{Refusal, SiteContext};
use crate::sites::TargetSite;
use crate::sites::availability::{self, SiteFacts};

/// Longest wait after Stop for the response to one of several short requests.
const AFTER_STOP: Duration = Duration::from_secs(5);

/// Content of a history entry before the operation is sent.
pub struct Intended {
    /// Name in the journal.
    pub name: &'static str,
    /// Parameters without secrets.
    pub parameters: Vec<(&'static str, String)>,
    /// Returns the requests that will be sent, from the facts of the site after connecting.
    pub requests: Requests,
}

/// Returns the requests of an operation from the facts of a site.
pub type Requests = Box<dyn Fn(&SiteFacts) -> Vec<Request> + Send + Sync>;

/// A connected operation that is about to be sent, or was sent.
pub struct Execution<'a> {
    /// Progress and Stop, as shown in the window.
    pub run: Run,
    /// Component of the site that the operation goes to.
    pub site: TargetSite,
    /// Facts of the site: version, user, and role.
    pub known: SiteFacts,
    /// Endpoint that receives the requests.
    pub endpoint: Endpoint,
    /// Services that all work on the site shares.
    pub(crate) context: &'a SiteContext,
    operation: &'static Operation,
    /// Content of the record; `None` for an operation without a record.
    intended: Option<Intended>,
    record: OnceCell<Record>,
    /// Intent of a record that could not be written after the response.
    unwritten: Mutex<Option<Intent>>,
    /// Requests that were passed to the HTTP library.
    sending: SendState,
    /// Whether the request only checks, and has no effect.
    is_check: bool,
    /// Whether the response to a request is awaited for some seconds after Stop.
    one_of_several: bool,
    /// Outcome that the record has on disk; `None` before the first one.
    written: Mutex<Option<Outcome>>,
    /// Whether the last outcome could not be written, so that the record has another one. The window then shows no link
    /// to the record.
    record_is_stale: AtomicBool,
    /// Text that was received in place of a response.
    error_response: Mutex<Option<String>>,
    /// Facts of the record, which are written with each outcome.
    facts: Mutex<Option<Facts>>,
    started_at: Millis,
    began: Moment,
    /// Time and duration of the end, as written with the last outcome. The window shows the same.
    ended: Mutex<Option<Ended>>,
}

/// Result of waiting for a response, or of preparing a request.
pub enum Response<R, T> {
    /// The response, or the prepared request.
    Received(R),
    /// No response will be received. The operation ended with this result.
    Missing(RunResult<T>),
}

/// Result of waiting for requests that the user can stop.
pub enum Waited<R> {
    /// All requests ended, with this result.
    Ended(R),
    /// Stop was pressed after a request was sent, which might have an effect.
    UnderWay,
    /// Stop was pressed before a request was sent.
    NotSent,
}

impl Intended {
    /// Returns the content of the record of an operation that sends `request`.
    pub fn to(operation: &Operation, parameters: Vec<(&'static str, String)>, request: Request) -> Self {
        Self::with(operation, parameters, move |_| vec![request.clone()])
    }

    /// Returns the content of the record of an operation whose requests depend on facts of the site.
    pub fn with(
        operation: &Operation,
        parameters: Vec<(&'static str, String)>,
        requests: impl Fn(&SiteFacts) -> Vec<Request> + Send + Sync + 'static,
    ) -> Self {
        Self { name: operation.key.name(), parameters, requests: Box::new(requests) }
    }

    fn intent(
        &self,
        site: &TargetSite,
        known: &SiteFacts,
        component: Component,
        (run, started_at): (&Run, Millis),
    ) -> Intent {
        let parameters = self.parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        Intent {
            site_version: known.version_at(component),
            username: known.username_at(component).to_owned(),
            parameters: parameters.collect(),
            started_at: started_at.0,
            reason: run.reason().to_owned(),
            batch: run.batch(self.name),
            ..record::intent_at(site, self.name)
        }
    }
}

impl<'a> Execution<'a> {
    /// Begins a run, which can then send more than one request.
    ///
    /// # Errors
    /// - [`Problem::ReadOnly`] if the operation would change a read-only site.
    /// - [`Problem::Busy`] if another operation runs on the site.
    /// - [`Problem::Unexpected`] if the site is not saved.
    pub fn admit(
        context: &SiteContext,
        operation: &Operation,
        target: &Target,
        run: impl Into<NewRun>,
    ) -> Result<(TargetSite, Run), Problem> {
        Self::admit_as(context, operation, None, target, run)
    }

    /// Begins a run of `act`, an action that runs like `operation` but is not one.
    ///
    /// # Errors
    /// Those of [`admit`](Self::admit).
    pub fn admit_as(
        context: &SiteContext,
        operation: &Operation,
        act: Option<HistoryAction>,
        target: &Target,
        run: impl Into<NewRun>,
    ) -> Result<(TargetSite, Run), Problem> {
        let site = context.access.sites.at(target)?;
        let admission = context.admission(&site);
        if operation.impact.changes_the_site() {
            let name = act.map_or(operation.key.name(), HistoryAction::name);
            context.may_write(&site, name)?;
        }
        let run = context.runs.begin(run, &site, operation.key, act, RunStep::Preparing)?;
        run.admission_or_set(|| admission);
        Ok((site, run))
    }

    /// Connects to the site. If the user presses Stop, locks the site, or signs in or out meanwhile, the content of
    /// `intended` is recorded as not sent.
    ///
    /// # Errors
    /// - [`Problem::ReadOnly`] if the operation changes the site, and the site was marked read-only or locked
    ///   meanwhile.
    /// - [`Problem::TooOld`], [`Problem::NoAddress`] or [`Problem::NotOffered`] if the operation is unavailable on the
    ///   site.
    /// - [`Problem::UnconfirmedAddress`] if an import would be sent to an administration URL that is not confirmed.
    /// - [`Problem::Busy`] if another operation runs at an endpoint that the portal lists for the server.
    /// - [`Problem::SignIn`] if the user signed in or out meanwhile.
    /// - [`Problem::Unexpected`] if the site is not saved, or the history cannot be read.
    /// - Those of [`Access::known`](crate::access::Access::known) and [`Access::endpoint`](crate::access::Access::endpoint).
    pub async fn connect<T>(
        context: &'a SiteContext,
        operation: &'static Operation,
        site: TargetSite,
        run: Run,
        intended: Option<Intended>,
    ) -> Result<Response<Self, T>, Problem> {
        // The current settings: they can change after a run was admitted, for example the connection.
        let site = context.access.sites.at(&site.target())?;
        run.admission_or_set(|| context.admission(&site));
        // On the heap: with all that may be requested here, every operation would be too large for the stack.
        let reaching = Box::pin(reach(context, operation, &site, &run));
        let Some(reached) = run.unless_stopped(reaching).await else {
            return Ok(Response::Missing(
                Self::end_unsent(context, operation, &site, &run, intended, String::new()).await,
            ));
        };
        // The record names the user of the facts, and the token must be of the same user.
        if let Err(problem) = context.check_may_continue(operation, &site, &run) {
            let note = Note::of(&problem);
            Self::end_unsent::<T>(context, operation, &site, &run, intended, note).await;
            return Err(problem);
        }
        let (known, endpoint) = reached?;
        context.lock_learned(&site, &run)?;
        let sending = SendState::default();
        Ok(Response::Received(Self {
            endpoint: endpoint.watched(sending.clone()),
            run,
            site,
            known,
            context,
            operation,
            intended,
            record: OnceCell::new(),
            unwritten: Mutex::new(None),
            sending,
            is_check: false,
            one_of_several: false,
            written: Mutex::default(),
            record_is_stale: AtomicBool::new(false),
            error_response: Mutex::default(),
            facts: Mutex::default(),
            started_at: Millis::now(),
            began: Moment::now(),
            ended: Mutex::new(None),
        }))
    }

    /// Connects again after a check: over the connection that the site has by then, and as the user who is signed in.
    ///
    /// # Errors
    /// The errors of [`connect`](Self::connect).
    pub async fn connect_again<T>(self) -> Result<Response<Self, T>, Problem> {
        let Self { context, operation, site, run, intended, .. } = self;
        Self::connect(context, operation, site, run, intended).await
    }

    /// Sets the content of the record, for an operation whose parameters are known only after connecting.
    #[must_use]
    pub fn intending(mut self, intended: Intended) -> Self {
        self.intend(intended);
        self
    }

    /// Sets the content of the record, as [`intending`](Self::intending) does.
    pub(crate) fn intend(&mut self, intended: Intended) {
        self.intended = Some(intended);
    }

    /// Writes the intent to disk. Does nothing if it is there, or if the operation has no record.
    pub(crate) async fn record(&self) -> Result<(), Problem> {
        let Some(intended) = &self.intended else { return Ok(()) };
        self.record
            .get_or_try_init(|| Record::intend(&self.context.history, self.intent(intended)))
            .await
            .map(|_| ())
    }

    /// Writes the intent, and checks Stop, lock, and session a last time. Returns the permit for one request.
    ///
    /// # Errors
    /// [`Refusal`] if the request must not be sent. If it is the only one, pass the reason to
    /// [`refused`](Self::refused).
    pub(crate) async fn permit(&self) -> Result<Permit<'_>, Refusal> {
        let Self { context, endpoint, operation, site, run, .. } = self;
        context.permit(endpoint, operation, site, run, self.record()).await
    }

    /// Sends one request that changes the site, with the permit that `request` receives, and waits as
    /// [`send`](Self::send) does.
    ///
    /// # Errors
    /// - [`Problem::ReadOnly`] or [`Problem::SignIn`] if the site was locked, or the user signed in or out, since the
    ///   run was admitted. It is then recorded as not sent.
    /// - [`Problem::Unexpected`] if the journal cannot be written.
    /// - Those of [`send`](Self::send).
    pub async fn change<'s, R, T, F>(
        &'s self,
        request: impl FnOnce(Permit<'s>) -> F,
    ) -> Result<Response<R, T>, Problem>
    where
        F: Future<Output = Result<R, ClientError>>,
    {
        match self.permit().await {
            // On the heap: with a request, every operation would be too large for the stack.
            Ok(permit) => self.send(Box::pin(request(permit))).await,
            Err(refusal) => self.refused(refusal).await.map(Response::Missing),
        }
    }

    /// Sends an import, as [`change`](Self::change) does. `can_undo` is whether a safety backup was created.
    ///
    /// A site that accepts the request and then fails returns 500, at any step. The message can name a web adaptor, which
    /// an import of a server registers.
    ///
    /// # Errors
    /// - [`Problem::ImportFailed`] if the site rejected the import after it might have begun.
    /// - Those of [`change`](Self::change).
    pub(crate) async fn import<'s, R, T, F>(
        &'s self,
        can_undo: bool,
        request: impl FnOnce(Permit<'s>) -> F,
    ) -> Result<Response<R, T>, Problem>
    where
        F: Future<Output = Result<R, ClientError>>,
    {
        let began_at = Some(self.run.started_at().0);
        self.set_facts(Facts { began_at, ..Facts::default() });
        let mut may_have_begun = false;
        let sent = self.change(async |permit| {
            let reply = request(permit).await;
            if let Err(ClientError::Rejected { code, .. }) = &reply {
                may_have_begun = !(400..500).contains(code);
            }
            reply
        });
        match sent.await {
            Ok(Response::Missing(end)) => Ok(Response::Missing(end.with_undo(can_undo))),
            Err(cause @ (Problem::Rejected { .. } | Problem::InFront { .. }))
                if may_have_begun || (can_undo && matches!(cause, Problem::InFront { .. })) =>
            {
                Err(Problem::ImportFailed { cause: Box::new(cause), record: self.record_id(), can_undo })
            }
            ended => ended,
        }
    }

    /// Ends an operation that sent nothing, because it must not.
    ///
    /// # Errors
    /// The problem of the refusal. It is recorded as the reason.
    pub(crate) async fn refused<T>(&self, refusal: Refusal) -> Result<RunResult<T>, Problem> {
        match refusal {
            Refusal::Stopped => Ok(self.not_sent(String::new()).await),
            Refusal::Because(problem) => {
                self.not_sent::<T>(Note::of(&problem)).await;
                Err(problem)
            }
        }
    }

    /// Records a check after its response, if the site exported instead of checking.
    ///
    /// The export exists already, so a failed write to the journal is retried with the outcome.
    pub async fn record_late(&mut self, intended: Intended) {
        let intent = self.intent(&intended);
        match Record::intend(&self.context.history, intent.clone()).await {
            Ok(record) => self.record = OnceCell::new_with(Some(record)),
            Err(problem) => {
                tracing::error!(?problem, "cannot write an operation to the history; it is tried again");
                self.unwritten = Mutex::new(Some(intent));
            }
        }
    }

    fn intent(&self, intended: &Intended) -> Intent {
        let requests = (intended.requests)(&self.known);
        Intent {
            requests: requests.iter().map(|request| record::masked(request, &self.endpoint)).collect(),
            ..intended.intent(&self.site, &self.known, self.operation.component, (&self.run, self.started_at))
        }
    }

    /// Ends an operation that was stopped before it was connected, or was not sent for the reason in `note`. Records it
    /// if `intended` is `Some`.
    pub async fn end_unsent<T>(
        context: &SiteContext,
        operation: &Operation,
        site: &TargetSite,
        run: &Run,
        intended: Option<Intended>,
        note: impl Into<Note>,
    ) -> RunResult<T> {
        let record = match intended {
            None => None,
            Some(intended) => {
                let begun = run.admission_or_set(|| context.admission(site));
                // Record the user who began the run, not one who signed in meanwhile.
                let known = match context.access.check_still_signed_in(site, begun.turn) {
                    Ok(()) => context.access.remembered(site),
                    Err(_) => begun.known.clone(),
                };
                let intent = intended.intent(site, &known, operation.component, (run, run.started_at()));
                Record::not_sent(&context.history, intent, note).await
            }
        };
        run.outcome(Outcome::NotSent, record.clone());
        RunResult::NotSent { record, backup: None }
    }

    /// Returns the version of the server; empty if it is not known.
    pub(crate) fn server_version(&self) -> String {
        self.known.version_at(Component::Server)
    }

    /// Marks the execution as one of short requests: after Stop, the response to the current one is awaited for some
    /// seconds, and no other one is sent.
    #[must_use]
    pub const fn one_of_several(mut self) -> Self {
        self.one_of_several = true;
        self
    }

    /// Waits for requests, until they end or the user presses Stop.
    pub async fn unless_stopped<F: Future>(&self, requests: F) -> Waited<F::Output> {
        let before = self.sending.handed_over();
        let stopped = async {
            self.run.stopped().await;
            if self.one_of_several {
                tokio::time::sleep(AFTER_STOP).await;
            }
        };
        tokio::select! {
            // If a response and Stop are there at once, use the response.
            biased;
            result = requests.instrument(self.run.span()) => Waited::Ended(result),
            () = stopped => match self.sending.handed_over() > before && !self.is_check {
                true => Waited::UnderWay,
                false => Waited::NotSent,
            },
        }
    }

    /// Marks the requests of this execution as checks without effect.
    pub const fn begin_check(&mut self) {
        self.is_check = true;
    }

    /// Sends a request, and waits until the response is received or the user presses Stop.
    ///
    /// A request that might have had an effect ends as [`RunResult::Unknown`], which is no error.
    ///
    /// # Errors
    /// The problem of a request that certainly had no effect, or that has no record.
    pub async fn send<R, T>(
        &self,
        sending: impl Future<Output = Result<R, ClientError>>,
    ) -> Result<Response<R, T>, Problem> {
        self.run.set_prepared();
        let result = match self.unless_stopped(sending).await {
            Waited::Ended(result) => result,
            Waited::UnderWay => return Ok(Response::Missing(self.lost(None).await)),
            Waited::NotSent => return Ok(Response::Missing(self.not_sent(String::new()).await)),
        };
        let error = match result {
            Ok(reply) => return Ok(Response::Received(reply)),
            Err(error) => error,
        };
        self.record_error(&error);
        let problem = self.context.access.problem_at(&self.endpoint, &self.site, &error).await;
        // Without a record, the request changes nothing: a missing response is a failure.
        if error.may_have_taken_effect() && self.record.initialized() {
            return Ok(Response::Missing(self.lost(Some(problem)).await));
        }
        self.conclude(Outcome::Failed, Note::of_client(&error), None).await;
        Err(if self.record.initialized() { problem } else { problem.without_effect() })
    }

    /// Stores what was received in place of the response, for the record.
    pub(crate) fn record_error(&self, error: &ClientError) {
        let instead = error_response(error).map(|instead| instead.to_string());
        *self.error_response.lock().unwrap_or_else(PoisonError::into_inner) = instead;
    }

    /// Returns the response as received, or what was received in its place.
    fn response_to_keep(&self) -> Option<steward_journal::StoredResponse> {
        let instead = self.error_response.lock().unwrap_or_else(PoisonError::into_inner).take();
        let responses = self.sending.responses();
        let truncated = responses.iter().any(|response| response.is_cut);
        let texts: Vec<String> = responses.into_iter().map(|response| response.body).collect();
        let text = if texts.is_empty() { instead } else { Some(texts.join("\n")) };
        text.map(|text| steward_journal::StoredResponse { text, truncated })
    }

    /// Sets the facts of the record. The next outcome is written with them.
    pub(crate) fn set_facts(&self, facts: Facts) {
        *self.facts.lock().unwrap_or_else(PoisonError::into_inner) = Some(facts);
    }

    /// Writes the outcome to disk before the window shows it. If that fails, the window shows it without a record.
    pub async fn conclude(&self, outcome: Outcome, note: impl Into<Note>, report: Option<Report>) {
        self.run.outcome(outcome, None);
        let ended = Ended::since(self.began);
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
        let facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let details = Details { facts, response: self.response_to_keep(), report };
        // Take the intent: `write_late` retries by itself until the entry is on disk.
        let unwritten = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(intent) = unwritten {
            return record::write_late(&self.context.history, intent, ended, outcome, note, details).await;
        }
        let Some(record) = self.record.get() else { return };
        let is_written = record.conclude_at(ended, outcome, note, details).await;
        let is_stale = {
            let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
            if is_written {
                *written = Some(outcome);
            }
            // An outcome can be concluded twice, the second time with more details. If only the second write fails, the
            // record has the right outcome from the first.
            *written != Some(outcome)
        };
        self.record_is_stale.store(is_stale, Ordering::Relaxed);
        self.run.outcome(outcome, self.record_id());
    }

    /// Returns the result of an operation that received its response.
    pub fn done<T: Serialize>(&self, report: T) -> RunResult<T> {
        self.run.set_answered();
        let ended = *self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let Ended { at, elapsed } = ended.unwrap_or_else(|| Ended::since(self.began));
        let took = u32::try_from(elapsed).unwrap_or(u32::MAX);
        RunResult::Done { record: self.record_id(), at, took, report }
    }

    /// Ends an operation that was sent and whose outcome is unknown. `problem` is `None` after Stop.
    pub async fn lost<T>(&self, problem: Option<Problem>) -> RunResult<T> {
        self.lost_with(problem, |why| why).await
    }

    /// Ends an operation as [`lost`](Self::lost) does, with a note that `note` returns from the reason, which is empty
    /// after Stop.
    pub async fn lost_with<T>(
        &self,
        problem: Option<Problem>,
        note: impl FnOnce(Note) -> Note,
    ) -> RunResult<T> {
        let why = match &problem {
            Some(
                problem @ (Problem::Unreachable { .. }
                | Problem::InFront { .. }
                | Problem::Unreadable { .. }
                | Problem::Redirected { .. }
                | Problem::Rejected { .. }),
            ) => Note::of(problem),
            None
            | Some(
                Problem::Form { .. }
                | Problem::SignIn { .. }
                | Problem::TokenRenewed
                | Problem::NotRenewed { .. }
                | Problem::ProxyRefused { .. }
                | Problem::NoResponse { .. }
                | Problem::Keyring { .. }
                | Problem::Busy { .. }
                | Problem::TooOld { .. }
                | Problem::NotOffered { .. }
                | Problem::Certificate { .. }
                | Problem::UnconfirmedAddress { .. }
                | Problem::ClientCertificate { .. }
                | Problem::NoAddress { .. }
                | Problem::NoDialog { .. }
                | Problem::File { .. }
                | Problem::ExtensionNotAllowed { .. }
                | Problem::ReadOnly { .. }
                | Problem::PlanNotAccepted
                | Problem::SafetyBackupFailed { .. }
                | Problem::WebhooksNotDeactivated { .. }
                | Problem::ImportFailed { .. }
                | Problem::WebhooksWereInactive { .. }
                | Problem::SafetyBackupMissing { .. }
                | Problem::PreconditionFailed { .. }
                | Problem::NotRecorded { .. }
                | Problem::Unexpected { .. },
            ) => Note::default(),
        };
        self.conclude(Outcome::Unknown, note(why), None).await;
        RunResult::Unknown { record: self.record_id(), stopped: problem.is_none(), problem, can_undo: false }
    }

    /// Ends an operation whose request was not sent. `note` is the reason; empty after Stop.
    pub async fn not_sent<T>(&self, note: impl Into<Note>) -> RunResult<T> {
        let record = match (self.record.get(), &self.intended) {
            (None, Some(intended)) => {
                let (site, component) = (&self.site, self.operation.component);
                let intent =
                    intended.intent(site, &self.known, component, (&self.run, self.run.started_at()));
                let record = Record::not_sent(&self.context.history, intent, note).await;
                self.run.outcome(Outcome::NotSent, record.clone());
                record
            }
            _ => {
                self.conclude(Outcome::NotSent, note, None).await;
                self.record_id()
            }
        };
        RunResult::NotSent { record, backup: None }
    }

    /// Returns the record in the history; `None` for an operation without one, or if the outcome is not in it.
    pub fn record_id(&self) -> Option<RecordId> {
        self.intent_id().filter(|_| !self.record_is_stale.load(Ordering::Relaxed))
    }

    /// Returns the record that the intent was written to; `None` before that.
    pub(crate) fn intent_id(&self) -> Option<RecordId> {
        self.record.get().map(Record::id)
    }
}

/// Returns the facts of a site, and the endpoint of an operation with a token that is valid long enough.
async fn reach(
    context: &SiteContext,
    operation: &Operation,
    site: &TargetSite,
    run: &Run,
) -> Result<(SiteFacts, Endpoint), Problem> {
    let known = context.access.known(site).await?;
    availability::check(operation, site, &known)?;
    let mut endpoint = context.access.endpoint(site, operation.component).await?;
    // A web adaptor might reject an import, or end the import or its safety backup at its own time limit.
    if let Some(whole) = run.operation().filter(|whole| whole.descriptor().needs_admin_url.is_preferred()) {
        availability::check(&Operation::of(whole), site, &known)?;
        endpoint = admin_url::past_every_adaptor(&context.access, site, endpoint).await?;
    }
    run.set_usual_duration(token_expiry::usual(&context.history, site, operation.key).await);
    // A change is not sent again with another token, and an export or import can run for hours.
    if operation.impact != Impact::None {
        token_expiry::prolong(&context.history, site, operation.key, &endpoint).await;
    }
    Ok((known, endpoint))
}

/// Returns what the site returned in place of the expected response.
fn error_response(error: &ClientError) -> Option<serde_json::Value> {
    match error {
        ClientError::Rejected { code, message, details } => {
            let code = problem::returned_code(*code);
            Some(serde_json::json!({ "error": { "code": code, "message": message, "details": details } }))
        }
        ClientError::Unreadable { excerpt, .. } => Some(serde_json::json!(excerpt)),
        ClientError::Certificate(problem) => serde_json::to_value(problem).ok(),
        ClientError::TokenEnded { source, .. } => error_response(source),
        ClientError::Unreachable { .. }
        | ClientError::TokenRenewed
        | ClientError::ProxyRefused(_)
        | ClientError::NotRenewed { .. }
        | ClientError::ClientCertificate { .. }
        | ClientError::Redirected { .. }
        | ClientError::NotEncrypted { .. }
        | ClientError::Stalled { .. }
        | ClientError::Slow { .. }
        | ClientError::WrongLength { .. }
        | ClientError::Setup { .. } => None,
    }
}
