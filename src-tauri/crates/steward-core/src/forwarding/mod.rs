//! Forwarding of the audit trail to one log server, by RFC 5425 (`docs/adr/0047`).
//!
//! [`Forwarding::run`] forwards while the window is open, [`Forwarding::forward_new`] once after a run of backup plans, and
//! [`Forwarding::save`] changes the log server. The trail itself is the queue: only the head that was forwarded last is stored,
//! which both processes read and write under one lock. What a log server might not have read is sent again, and the number of an
//! entry tells duplicates apart.
//!
//! A log server that ends every connection by itself confirms nothing. It gets each entry once all the same, alone in its
//! connection, and all of them again once it confirms one.

mod settings;
mod view;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use steward_client::log_server::{DeliveryError, deliver};
use steward_journal::Following;
use steward_journal::trail::export::{Entry, rfc5424, test_message};
use steward_journal::trail::{Event, Head};
use tokio::sync::Notify;
use tokio::time::Instant;

use self::view::Failure;
pub use view::{Failing, ForwardingFault, ForwardingView, LastForwarded};

use crate::access::Access;
use crate::files::data_folder::{HeldLock, try_lock};
use crate::files::{self, JsonStore, in_background};
use crate::history::record::History;
use crate::model::numbers::Millis;
use crate::model::problem::{FieldError, Problem, as_text};
use crate::model::retry_policy::RetryPolicy;
use crate::settings::policy::{ForwardingRule, Policy};
use crate::settings::preferences::{LogServer, PreferencesStore};
use crate::site_context::SiteContext;

/// Name of forwarding in an event about a rejection by the policy.
const FORWARDING: &str = "forwarding";

/// Maximum number of entries in one connection.
const AT_ONCE: u32 = 1_000;

/// Number of times that an entry is sent again after others were confirmed, before it is passed over.
const RETURNS: u32 = 3;

/// Most doublings of the pause between two test messages to a log server that confirms nothing: to about an hour.
const PROBE_DOUBLINGS: u32 = 12;

/// Name of the file with what was forwarded.
pub(crate) const FORWARDED: &str = "forwarded.json";

/// Name of the file that is locked while a process forwards.
const LOCK: &str = "forwarding.lock";

/// Name in the audit trail of the place that kept a head which the trail does not have.
const KEPT_IN: &str = "forwarded";

/// State of the forwarding.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Forwarded {
    /// The entry that was forwarded last; `None` if none was.
    head: Option<Head>,
    /// The entry that was passed over last, if none was forwarded since.
    passed_over: Option<Head>,
    /// The last entry that was sent and not confirmed; `None` if all that were sent are confirmed.
    unconfirmed: Option<Head>,
    /// Time when `head` was forwarded, in milliseconds since 1970.
    at: i64,
    /// Entries that were forwarded, and that the trail was later found without.
    #[serde(default)]
    lost: Vec<Head>,
}

impl Forwarded {
    /// Returns the entry after which forwarding goes on; `None` for the beginning.
    fn position(&self) -> Option<&Head> {
        self.passed_over.as_ref().or(self.head.as_ref())
    }
}

/// Forwarding of the audit trail.
pub struct Forwarding {
    file: PathBuf,
    lock: PathBuf,
    failing: Mutex<Option<Failing>>,
    /// Whether an earlier process already added the current failure to the trail.
    is_told: AtomicBool,
    changed: Notify,
    /// Pauses after failures, and between two looks for new entries.
    pub retry_policy: RetryPolicy,
}

/// What [`Forwarding::forward`] found.
enum Found {
    /// Entries, which were forwarded.
    Entries,
    /// Entries, which were sent and not confirmed.
    Unconfirmed(Failure),
    /// No entry that is not forwarded.
    Nothing,
    /// All entries were sent, and some are not confirmed.
    NothingNew,
    /// No log server.
    Off,
    /// The other process forwards.
    Elsewhere,
}

/// How fast entries are sent to a log server, by its earlier responses.
struct Pace {
    /// Maximum number of entries in one connection.
    at_once: u32,
    /// Number of test messages that were not confirmed.
    probes: u32,
    /// When the next test message is due.
    probe_at: Instant,
    /// Number of the entry after which everything was sent again last.
    returned_to: i64,
    /// Number of times that everything after it was sent again.
    returns: u32,
}

impl Pace {
    /// Counts another attempt to send everything after an entry again, and returns whether it is allowed. The number is
    /// limited: the log server might end the connection each time that it gets the next entry, for example because it
    /// is too long.
    fn may_return_to(&mut self, position: Option<&Head>) -> bool {
        let entry = position.map_or(0, |position| position.entry);
        if self.returned_to != entry {
            (self.returned_to, self.returns) = (entry, 0);
        }
        self.returns += 1;
        self.returns <= RETURNS
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self { at_once: AT_ONCE, probes: 0, probe_at: Instant::now(), returned_to: 0, returns: 0 }
    }
}

impl Forwarding {
    /// Opens forwarding in a data folder.
    #[must_use]
    pub fn open(data_folder: &Path) -> Self {
        let (file, lock) = (data_folder.join(FORWARDED), data_folder.join(LOCK));
        // Set aside an unreadable file now, also while forwarding is off; but not while the other process writes it.
        if let Ok(Some(_held)) = try_lock(&lock) {
            drop(JsonStore::<Forwarded>::open(file.clone()).noted());
        }
        Self {
            file,
            lock,
            failing: Mutex::default(),
            is_told: AtomicBool::new(false),
            changed: Notify::new(),
            retry_policy: RetryPolicy::default(),
        }
    }

    /// Notes that another process already added the current failure to the trail, so that it is not added again.
    pub fn is_known_to_fail(&self) {
        self.is_told.store(true, Ordering::Relaxed);
    }

    /// Forwards the trail while the program runs, over stops and starts of the log server.
    pub async fn run(&self, store: &PreferencesStore, context: &SiteContext) {
        self.begin(store, &context.history).await;
        let mut in_vain = 0;
        let mut pace = Pace::default();
        loop {
            let log_server = store.log_server();
            let found = self.forward(store, context, &log_server, &mut pace).await;
            if store.log_server() != log_server {
                // The result is that of the earlier log server.
                self.forget_unconfirmed().await;
                pace = Pace::default();
                continue;
            }
            let pause = async {
                match &found {
                    Ok(Found::Entries | Found::Unconfirmed(_)) => {}
                    Ok(Found::Nothing | Found::NothingNew | Found::Elsewhere) => {
                        tokio::time::sleep(self.retry_policy.pause * 2).await
                    }
                    Ok(Found::Off) | Err(Failure { fault: ForwardingFault::NotAllowed, .. }) => {
                        std::future::pending().await
                    }
                    Err(failure) => self.retry_policy.pause(failure.attempts(in_vain)).await,
                }
            };
            match &found {
                Err(failure) | Ok(Found::Unconfirmed(failure)) => {
                    self.fail(&context.history, &log_server, failure).await;
                }
                // The failure stays while only some entries are confirmed: each further event about it would have to be
                // forwarded, too.
                Ok(Found::Entries | Found::NothingNew | Found::Elsewhere) => {}
                Ok(Found::Nothing | Found::Off) => *self.failing() = None,
            }
            tokio::select! {
                biased;
                () = self.changed.notified() => (in_vain, pace) = (0, Pace::default()),
                () = pause => in_vain = if found.is_err() { in_vain + 1 } else { 0 },
            }
        }
    }

    /// Forwards new entries until none is left or something fails, for a process that ends afterward. Ends earlier,
    /// after entries were confirmed, if `is_enough` returns true. Returns whether no entry is left.
    pub async fn forward_new(
        &self,
        store: &PreferencesStore,
        context: &SiteContext,
        is_enough: impl Fn() -> bool,
    ) -> bool {
        self.begin(store, &context.history).await;
        let log_server = store.log_server();
        let mut pace = Pace::default();
        loop {
            let many = pace.at_once > 1;
            match self.forward(store, context, &log_server, &mut pace).await {
                Ok(Found::Entries) if is_enough() => return false,
                Ok(Found::Entries) => {}
                Ok(Found::Unconfirmed(failure)) => self.fail(&context.history, &log_server, &failure).await,
                Ok(Found::Nothing | Found::Off) => return true,
                Ok(Found::NothingNew | Found::Elsewhere) => return false,
                Err(failure) => {
                    self.fail(&context.history, &log_server, &failure).await;
                    // The log server ended the connection with several entries. It now gets one at a time.
                    if !(many && pace.at_once == 1) {
                        return false;
                    }
                }
            }
        }
    }

    /// Adds events to the audit trail if its last event about forwarding names another log server than the one in effect, or
    /// if it lacks the entry that was forwarded last. Also while forwarding is off.
    async fn begin(&self, store: &PreferencesStore, history: &History) {
        settings::tell(history, store, true).await;
        match self.held().await {
            Ok(Some((_held, forwarded))) => {
                if let Err(failure) = known(history, &forwarded).await {
                    tracing::error!(?failure, "the audit trail was not compared with what was forwarded");
                }
            }
            // The other process compares.
            Ok(None) => {}
            Err(failure) => tracing::error!(?failure, "what was forwarded cannot be read"),
        }
    }

    /// Returns what was forwarded, and the lock under which it may be changed; `None` while the other process has it.
    async fn held(&self) -> Result<Option<(HeldLock, JsonStore<Forwarded>)>, Failure> {
        let (lock, file) = (self.lock.clone(), self.file.clone());
        let opened = in_background(move || {
            let held = try_lock(&lock)?;
            Ok(held.map(|held| (held, JsonStore::open(file).noted())))
        });
        let opened: std::io::Result<_> = opened
            .await
            .map_err(|problem| std::io::Error::other(as_text(&problem)))
            .and_then(|opened| opened);
        opened.map_err(|error| Failure::of_trail(format!("{}: {error}", self.lock.display())))
    }

    /// Forwards the next entries.
    async fn forward(
        &self,
        store: &PreferencesStore,
        context: &SiteContext,
        log_server: &LogServer,
        pace: &mut Pace,
    ) -> Result<Found, Failure> {
        if !log_server.is_on() {
            return Ok(Found::Off);
        }
        if !store.policy.allows_forwarding_to(&log_server.host) {
            return Err(Failure::NOT_ALLOWED);
        }
        let Some((_held, forwarded)) = self.held().await? else { return Ok(Found::Elsewhere) };
        let position = known(&context.history, &forwarded).await?;
        let unconfirmed = forwarded.get().unconfirmed;
        let is_confirmed = unconfirmed.is_none();
        // While entries are unconfirmed, also those that another process sent, the log server gets one at a time.
        let at_once = if is_confirmed { pace.at_once } else { 1 };
        let Following { entries, last, .. } =
            following(&context.history, unconfirmed.or_else(|| position.clone()), at_once).await?;
        let Some(last) = last else {
            return if is_confirmed {
                Ok(Found::Nothing)
            } else {
                self.probe(context, log_server, &forwarded, pace).await
            };
        };
        // Check that the file can be written: entries that cannot be noted as sent would be sent again without end.
        keep(&forwarded, |_| {})?;
        let messages: Vec<_> = entries.iter().filter_map(message).collect();
        match send(&context.access, log_server, None, &messages).await? {
            Ok(()) if is_confirmed => {
                pace.at_once = AT_ONCE.min(pace.at_once * 2);
                let at = Millis::now().0;
                keep(&forwarded, |forwarded| {
                    (forwarded.head, forwarded.passed_over, forwarded.at) = (Some(last), None, at);
                })?;
                Ok(Found::Entries)
            }
            // It confirms entries now: what it did not confirm before is sent again.
            Ok(()) if pace.may_return_to(position.as_ref()) => {
                pace.at_once = 1;
                keep(&forwarded, |forwarded| forwarded.unconfirmed = None)?;
                Ok(Found::Entries)
            }
            Ok(()) => self.pass_over(&context.history, log_server, &forwarded, position).await,
            // The log server might read them one at a time.
            Err(error @ DeliveryError::Ended(_)) if entries.len() > 1 => {
                pace.at_once = 1;
                Err(error.into())
            }
            Err(DeliveryError::Stream(error)) => Err(error.into()),
            Err(error) => {
                keep(&forwarded, |forwarded| forwarded.unconfirmed = Some(last))?;
                (pace.probes, pace.probe_at) = (0, Instant::now() + self.retry_policy.pause);
                Ok(Found::Unconfirmed(error.into()))
            }
        }
    }

    /// Sends a test message to a log server that got all entries and did not confirm the last ones. Unlike an entry, it can be
    /// repeated without end.
    async fn probe(
        &self,
        context: &SiteContext,
        log_server: &LogServer,
        forwarded: &JsonStore<Forwarded>,
        pace: &mut Pace,
    ) -> Result<Found, Failure> {
        if Instant::now() < pace.probe_at {
            return Ok(Found::NothingNew);
        }
        pace.probes += 1;
        let pause = self.retry_policy.pause * 2_u32.pow(pace.probes.min(PROBE_DOUBLINGS));
        pace.probe_at = Instant::now() + pause;
        match send(&context.access, log_server, None, &[test_message()]).await? {
            Ok(()) if pace.may_return_to(forwarded.get().position()) => {
                pace.at_once = 1;
                keep(forwarded, |forwarded| forwarded.unconfirmed = None)?;
                Ok(Found::Entries)
            }
            Ok(()) => Ok(Found::NothingNew),
            Err(DeliveryError::Stream(error)) => Err(error.into()),
            // Not news: the entries before it were not confirmed either.
            Err(_) => Ok(Found::NothingNew),
        }
    }

    /// Passes over the entry after `position`, at which the log server ends the connection each time while it confirms later ones. An
    /// event of the trail names it.
    async fn pass_over(
        &self,
        history: &History,
        log_server: &LogServer,
        forwarded: &JsonStore<Forwarded>,
        position: Option<Head>,
    ) -> Result<Found, Failure> {
        let Following { last, .. } = following(history, position, 1).await?;
        let Some(passed) = last else { return Ok(Found::Nothing) };
        let note =
            format!("the log server ends the connection at entry {}, which is passed over", passed.entry);
        tracing::warn!(note, "an entry of the audit trail was not forwarded");
        keep(forwarded, |forwarded| (forwarded.passed_over, forwarded.unconfirmed) = (Some(passed), None))?;
        history.append(Event::ForwardingFailing { log_server: log_server.place(), note }).await;
        Ok(Found::Entries)
    }

    /// Notes a failure. The first one in a row is an event of the trail, which reaches the log server later.
    async fn fail(&self, history: &History, log_server: &LogServer, failure: &Failure) {
        let fault = &failure.fault;
        let since = {
            let mut failing = self.failing();
            let since = failing.as_ref().map(|failing| failing.since);
            *failing = Some(Failing { since: since.unwrap_or_else(Millis::now), fault: fault.clone() });
            since
        };
        if since.is_some() || self.is_told.swap(false, Ordering::Relaxed) {
            return;
        }
        tracing::warn!(?fault, "the audit trail cannot be forwarded; it is tried again");
        match fault {
            ForwardingFault::NotAllowed => history.refused_by_policy(FORWARDING, None).await,
            ForwardingFault::Connection(_)
            | ForwardingFault::NotConfirmed { .. }
            | ForwardingFault::Trail { .. } => {
                let (log_server, note) = (log_server.place(), fault.said());
                history.append(Event::ForwardingFailing { log_server, note }).await;
            }
        }
    }

    /// Returns the state for the window.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the trail cannot be read.
    pub async fn view(&self, store: &PreferencesStore, history: &History) -> Result<ForwardingView, Problem> {
        let forwarded: Forwarded = JsonStore::open_read_only(self.file.clone()).get();
        let known = forwarded.position().cloned();
        let Forwarded { head, at, .. } = forwarded;
        let after = history.journal(move |journal| journal.entries_after(known.as_ref(), 0)).await?;
        let number = |entry: i64| u32::try_from(entry).unwrap_or(u32::MAX);
        let Policy { forwarding_hosts, .. } = &store.policy;
        let log_server = store.log_server();
        Ok(ForwardingView {
            waiting: if log_server.is_on() { number(after.further) } else { 0 },
            rule: store.policy.forwarding_rule(),
            hosts: forwarding_hosts.clone(),
            last: head.map(|head| LastForwarded { entry: number(head.entry), at: Millis(at) }),
            failing: self.failing().clone(),
            log_server,
        })
    }

    /// Saves another log server, and the password of its client certificate. `None` keeps the stored password, and an empty
    /// text deletes it. Entries that the earlier log server did not get are forwarded to the new one.
    ///
    /// # Errors
    /// - [`Problem::Form`] if the host or a certificate is invalid, or the policy of the organization does not allow it.
    /// - [`Problem::File`] if a certificate cannot be read, or the preferences cannot be written.
    /// - [`Problem::Keyring`] if the keyring cannot be written.
    pub async fn save(
        &self,
        store: &PreferencesStore,
        context: &SiteContext,
        log_server: &LogServer,
        password: Option<&str>,
    ) -> Result<ForwardingView, Problem> {
        let SiteContext { access, history, .. } = context;
        let log_server = log_server.checked()?;
        allowed(&store.policy, history, &log_server).await?;
        // Reads the client certificate, too.
        access.connections.to_log_server(&log_server, password).await?;
        access.connections.keep_log_server_password(&log_server, password).await?;
        store.save_log_server(log_server)?;
        self.use_another_connection(store, history).await;
        self.forget_unconfirmed().await;
        self.view(store, history).await
    }

    /// Forwards by the present preferences, after the user changed the log server or the connection of the app.
    pub async fn use_another_connection(&self, store: &PreferencesStore, history: &History) {
        settings::tell(history, store, false).await;
        *self.failing() = None;
        self.changed.notify_one();
    }

    /// Sends a test message to the log server of a form, and returns why that failed; `None` if it was read.
    ///
    /// # Errors
    /// [`Problem::Form`] and [`Problem::File`] as for [`save`](Self::save).
    pub async fn test(
        &self,
        store: &PreferencesStore,
        context: &SiteContext,
        log_server: &LogServer,
        password: Option<&str>,
    ) -> Result<Option<ForwardingFault>, Problem> {
        let log_server = log_server.checked()?;
        if !log_server.is_on() {
            return Err(Problem::form("host", FieldError::Required));
        }
        // The log server in effect can be tested even if the organization locked it.
        if log_server != store.log_server() {
            allowed(&store.policy, &context.history, &log_server).await?;
        }
        let sent = send(&context.access, &log_server, password, &[test_message()]).await;
        Ok(sent.and_then(|sent| sent.map_err(Into::into)).err().map(|failure| failure.fault))
    }

    /// Has unconfirmed entries sent again at once. While the other process forwards, that is left out: they are sent
    /// again once an entry is confirmed.
    async fn forget_unconfirmed(&self) {
        if let Ok(Some((_held, forwarded))) = self.held().await {
            forwarded.change(|forwarded| forwarded.unconfirmed = None);
        }
    }

    fn failing(&self) -> MutexGuard<'_, Option<Failing>> {
        // Poisoning is ignored: the value is only assigned as a whole.
        self.failing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Checks that the file with what was forwarded can be read.
///
/// # Errors
/// Why it cannot be read.
pub(crate) fn check(file: &Path) -> anyhow::Result<()> {
    files::check::<Forwarded>(file)
}

/// Returns the entry after which forwarding goes on. If the trail lacks a stored head, because an older copy of the
/// history was restored or the history is another one, that is added to the trail, and all entries are forwarded.
async fn known(history: &History, forwarded: &JsonStore<Forwarded>) -> Result<Option<Head>, Failure> {
    let before = forwarded.get();
    let mut lost = Vec::new();
    for kept in before.unconfirmed.iter().chain(&before.passed_over).chain(&before.head) {
        let compared = kept.clone();
        let has = history.journal(move |journal| journal.compare_head(KEPT_IN, &compared)).await;
        if !has.map_err(|problem| of_trail(&problem))? {
            lost.push(kept.clone());
        }
    }
    if lost.is_empty() {
        return Ok(before.position().cloned());
    }
    keep(forwarded, |forwarded| {
        (forwarded.head, forwarded.passed_over, forwarded.unconfirmed) = (None, None, None);
        forwarded.lost.extend(lost);
    })?;
    Ok(None)
}

/// Changes the stored state of forwarding.
///
/// # Errors
/// [`Failure`] if the file cannot be written: without it, the same entries would be sent again.
fn keep(forwarded: &JsonStore<Forwarded>, change: impl FnOnce(&mut Forwarded)) -> Result<(), Failure> {
    let kept = forwarded.try_change(|forwarded| {
        change(forwarded);
        Ok(())
    });
    kept.map_err(|problem| of_trail(&problem))
}

async fn following(history: &History, known: Option<Head>, limit: u32) -> Result<Following, Failure> {
    let following = history.journal(move |journal| journal.entries_after(known.as_ref(), limit)).await;
    following.map_err(|problem| of_trail(&problem))
}

fn of_trail(problem: &Problem) -> Failure {
    Failure::of_trail(as_text(problem))
}

/// Sends messages, and returns once the log server has read them.
async fn send(
    access: &Access,
    log_server: &LogServer,
    password: Option<&str>,
    messages: &[Vec<u8>],
) -> Result<Result<(), DeliveryError>, Failure> {
    let http = access.connections.to_log_server(log_server, password).await;
    let http = http.map_err(|problem| Failure::of_settings(&problem))?;
    Ok(deliver(&http, &log_server.host, log_server.port, messages).await)
}

/// Returns an entry as a message; `None` for one whose body was removed.
fn message(entry: &Entry) -> Option<Vec<u8>> {
    let mut message = Vec::new();
    rfc5424(&mut message, entry).ok()?;
    // The line break at the end belongs to a file, not to a message.
    message.pop().map(|_| message)
}

/// Checks whether the policy allows the log server, and adds an event to the audit trail if it does not.
async fn allowed(policy: &Policy, history: &History, log_server: &LogServer) -> Result<(), Problem> {
    let is_allowed = policy.locked.log_server.is_none()
        && if log_server.is_on() {
            policy.allows_forwarding_to(&log_server.host)
        } else {
            policy.forwarding_rule() != ForwardingRule::Required
        };
    if is_allowed {
        return Ok(());
    }
    history.refused_by_policy(FORWARDING, None).await;
    Err(Problem::form("host", FieldError::NotAllowed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_entry_that_was_passed_over_is_not_the_one_that_was_forwarded_last() {
        let folder = tempfile::tempdir().unwrap();
        let journal = steward_journal::Journal::open(&folder.path().join("journal.db")).unwrap();
        journal.append_all(&vec![Event::AppEnded; 3]).unwrap();
        let history = History::new(journal, |_, _| None);
        let forwarding = Forwarding::open(folder.path());
        let store = PreferencesStore::open(&folder.path().join("preferences.json"), Policy::default());
        let log_server = LogServer { host: "logs.example.org".to_owned(), ..LogServer::default() };
        store.save_log_server(log_server.clone()).unwrap();
        let (held, forwarded) = forwarding.held().await.unwrap().unwrap();
        let head = following(&history, None, 2).await.unwrap().last;
        keep(&forwarded, |forwarded| (forwarded.head, forwarded.at) = (head.clone(), 1)).unwrap();

        forwarding.pass_over(&history, &log_server, &forwarded, head.clone()).await.unwrap();

        let position = known(&history, &forwarded).await.unwrap().unwrap();
        assert_eq!(position.entry, 3, "it goes on behind the one that was passed over");
        let last = LastForwarded { entry: 2, at: Millis(1) };
        let view = forwarding.view(&store, &history).await.unwrap();
        assert_eq!((view.last, view.waiting), (Some(last), 2), "one more, and the event that tells of it");
        drop(held);
    }

    #[tokio::test]
    async fn each_head_that_the_trail_lost_is_told_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let journal = steward_journal::Journal::open(&folder.path().join("journal.db")).unwrap();
        journal.append_all(&vec![Event::AppEnded; 3]).unwrap();
        let history = History::new(journal, |_, _| None);
        let forwarding = Forwarding::open(folder.path());
        let (_held, forwarded) = forwarding.held().await.unwrap().unwrap();
        let now = following(&history, None, 3).await.unwrap().last.unwrap();
        let of_before = |entry| Head { entry, hash: "0".repeat(64), ..now.clone() };
        let (head, unconfirmed) = (of_before(106), of_before(110));
        keep(&forwarded, |forwarded| {
            (forwarded.head, forwarded.unconfirmed) = (Some(head.clone()), Some(unconfirmed.clone()));
        })
        .unwrap();

        for _ in 0..2 {
            assert_eq!(known(&history, &forwarded).await.unwrap(), None, "all is forwarded again");
        }

        assert_eq!(forwarded.get().lost, [unconfirmed, head]);
        let told = history.journal(steward_journal::Journal::trail_status).await.unwrap().rolled_back;
        assert_eq!(told.iter().map(|one| one.entry).collect::<Vec<_>>(), [110, 106]);
    }
}
