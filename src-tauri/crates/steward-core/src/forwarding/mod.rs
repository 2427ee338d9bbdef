//! Forwarding of the audit trail to one log server, by RFC 5425 (`docs/adr/0047`).
//!
//! [`Forwarding::run`] forwards while the window is open, [`Forwarding::forward_new`] once after a run of backup plans, and
//! [`Forwarding::save`] changes the log server. The trail itself is the queue: only the head that was forwarded last is stored,
//! which both processes read and write under one lock. What a log server might not have read is sent again, and the number of an
//! entry tells duplicates apart.

mod settings;
mod view;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use steward_client::log_server::deliver;
use steward_journal::Following;
use steward_journal::trail::export::{Entry, rfc5424, test_message};
use steward_journal::trail::{Event, Head};
use tokio::sync::Notify;

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

/// Name of forwarding in a refusal.
const FORWARDING: &str = "forwarding";

/// Number of entries in one connection.
const AT_ONCE: u32 = 1_000;

/// Name of the file with what was forwarded.
pub(crate) const FORWARDED: &str = "forwarded.json";

/// Name of the file that is locked while a process forwards.
const LOCK: &str = "forwarding.lock";

/// Where a head was kept that the trail does not have.
const KEPT_IN: &str = "forwarded";

/// What was forwarded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Forwarded {
    /// The entry that was forwarded last; `None` if none was.
    head: Option<Head>,
    /// When, in milliseconds since 1970.
    at: i64,
    /// Entries that were forwarded last before the trail was found without them.
    lost: Vec<Head>,
}

/// Forwarding of the audit trail.
pub struct Forwarding {
    file: PathBuf,
    lock: PathBuf,
    failing: Mutex<Option<Failing>>,
    changed: Notify,
    /// Pauses after failures, and between two looks for new entries.
    pub retry_policy: RetryPolicy,
}

/// What [`Forwarding::forward`] found.
enum Found {
    /// Entries, which were forwarded.
    Entries,
    /// No entry that is not forwarded.
    Nothing,
    /// No log server.
    Off,
    /// The other process forwards.
    Elsewhere,
}

impl Forwarding {
    /// Opens forwarding in a data folder.
    #[must_use]
    pub fn open(data_folder: &Path) -> Self {
        let file = data_folder.join(FORWARDED);
        // One that cannot be read is set aside at the start, also while forwarding is off.
        drop(JsonStore::<Forwarded>::open(file.clone()).noted());
        Self {
            file,
            lock: data_folder.join(LOCK),
            failing: Mutex::default(),
            changed: Notify::new(),
            retry_policy: RetryPolicy::default(),
        }
    }

    /// Forwards the trail while the program runs, over stops and starts of the log server.
    pub async fn run(&self, store: &PreferencesStore, context: &SiteContext) {
        self.begin(store, &context.history).await;
        let mut in_vain = 0;
        loop {
            let log_server = store.log_server();
            let found = self.forward(store, context, &log_server).await;
            if store.log_server() != log_server {
                // What failed is not about the one that is in effect now.
                continue;
            }
            let pause = async {
                match &found {
                    Ok(Found::Entries) => {}
                    Ok(Found::Nothing | Found::Elsewhere) => {
                        tokio::time::sleep(self.retry_policy.pause * 2).await
                    }
                    Ok(Found::Off) | Err(ForwardingFault::NotAllowed) => std::future::pending().await,
                    Err(_) => self.retry_policy.pause(in_vain).await,
                }
            };
            match &found {
                Err(fault) => self.fail(&context.history, &log_server, fault).await,
                Ok(_) => *self.failing() = None,
            }
            tokio::select! {
                biased;
                () = self.changed.notified() => in_vain = 0,
                () = pause => in_vain = if found.is_err() { in_vain + 1 } else { 0 },
            }
        }
    }

    /// Forwards what is new, until nothing is or something fails: in a process that does not stay.
    pub(crate) async fn forward_new(&self, store: &PreferencesStore, context: &SiteContext) {
        self.begin(store, &context.history).await;
        let log_server = store.log_server();
        loop {
            match self.forward(store, context, &log_server).await {
                Ok(Found::Entries) => {}
                Ok(Found::Nothing | Found::Off | Found::Elsewhere) => return,
                Err(fault) => return self.fail(&context.history, &log_server, &fault).await,
            }
        }
    }

    /// Tells the audit trail what is different from what it says: where it is forwarded, and whether it has the entry that was
    /// forwarded last. Also while forwarding is off.
    async fn begin(&self, store: &PreferencesStore, history: &History) {
        settings::tell(history, &store.log_server(), true).await;
        match self.held().await {
            Ok(Some((_held, forwarded))) => {
                if let Err(fault) = known(history, &forwarded).await {
                    tracing::error!(?fault, "the audit trail was not compared with what was forwarded");
                }
            }
            // The other process compares.
            Ok(None) => {}
            Err(fault) => tracing::error!(?fault, "what was forwarded cannot be read"),
        }
    }

    /// Returns what was forwarded, and the lock under which it may be changed; `None` while the other process has it.
    async fn held(&self) -> Result<Option<(HeldLock, JsonStore<Forwarded>)>, ForwardingFault> {
        let (lock, file) = (self.lock.clone(), self.file.clone());
        let opened = in_background(move || {
            let held = try_lock(&lock)?;
            Ok(held.map(|held| (held, JsonStore::open(file).noted())))
        });
        let opened: std::io::Result<_> = opened
            .await
            .map_err(|problem| std::io::Error::other(as_text(&problem)))
            .and_then(|opened| opened);
        opened.map_err(|error| ForwardingFault::Trail { said: format!("{}: {error}", self.lock.display()) })
    }

    /// Forwards the next entries.
    async fn forward(
        &self,
        store: &PreferencesStore,
        context: &SiteContext,
        log_server: &LogServer,
    ) -> Result<Found, ForwardingFault> {
        if !log_server.is_on() {
            return Ok(Found::Off);
        }
        if !store.policy.allows_forwarding_to(&log_server.host) {
            return Err(ForwardingFault::NotAllowed);
        }
        let Some((_held, forwarded)) = self.held().await? else { return Ok(Found::Elsewhere) };
        let known = known(&context.history, &forwarded).await?;
        let Following { entries, last, .. } = following(&context.history, known, AT_ONCE).await?;
        if last.is_none() {
            return Ok(Found::Nothing);
        }
        let messages: Vec<_> = entries.iter().filter_map(message).collect();
        send(&context.access, log_server, None, &messages).await?;
        forwarded.change(|forwarded| (forwarded.head, forwarded.at) = (last, Millis::now().0));
        Ok(Found::Entries)
    }

    /// Notes a failure. The first one in a row is an event of the trail, which reaches the log server later.
    async fn fail(&self, history: &History, log_server: &LogServer, fault: &ForwardingFault) {
        let since = {
            let mut failing = self.failing();
            let since = failing.as_ref().map(|failing| failing.since);
            *failing = Some(Failing { since: since.unwrap_or_else(Millis::now), fault: fault.clone() });
            since
        };
        if since.is_some() {
            return;
        }
        tracing::warn!(?fault, "the audit trail cannot be forwarded; it is tried again");
        match fault {
            ForwardingFault::NotAllowed => history.refused_by_policy(FORWARDING, None).await,
            _ => {
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
        let Forwarded { head, at, .. } = JsonStore::open_read_only(self.file.clone()).get();
        let known = head.clone();
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
        settings::tell(history, &store.log_server(), false).await;
        *self.failing() = None;
        self.changed.notify_one();
        self.view(store, history).await
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
        // One that the organization locked can be tested, and no other.
        if log_server != store.log_server() {
            allowed(&store.policy, &context.history, &log_server).await?;
        }
        Ok(send(&context.access, &log_server, password, &[test_message()]).await.err())
    }

    fn failing(&self) -> MutexGuard<'_, Option<Failing>> {
        // Assigned as a whole.
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

/// Returns the head that was forwarded last. One that the trail does not have is an event, and kept: an older copy of the history
/// was restored, or it is another one. Then all entries are forwarded.
async fn known(history: &History, forwarded: &JsonStore<Forwarded>) -> Result<Option<Head>, ForwardingFault> {
    let Some(head) = forwarded.get().head else { return Ok(None) };
    let compared = head.clone();
    let has = history.journal(move |journal| journal.compare_head(KEPT_IN, &compared)).await;
    if has.map_err(|problem| of_trail(&problem))? {
        return Ok(Some(head));
    }
    forwarded.change(|forwarded| {
        forwarded.head = None;
        forwarded.lost.push(head);
    });
    Ok(None)
}

async fn following(history: &History, known: Option<Head>, limit: u32) -> Result<Following, ForwardingFault> {
    let following = history.journal(move |journal| journal.entries_after(known.as_ref(), limit)).await;
    following.map_err(|problem| of_trail(&problem))
}

fn of_trail(problem: &Problem) -> ForwardingFault {
    ForwardingFault::Trail { said: as_text(problem) }
}

/// Sends messages, and returns once the log server has read them.
async fn send(
    access: &Access,
    log_server: &LogServer,
    password: Option<&str>,
    messages: &[Vec<u8>],
) -> Result<(), ForwardingFault> {
    let http = access.connections.to_log_server(log_server, password).await;
    let http = http.map_err(|problem| ForwardingFault::of_settings(&problem))?;
    Ok(deliver(&http, &log_server.host, log_server.port, messages).await?)
}

/// Returns an entry as a message; `None` for one whose body was removed by law.
fn message(entry: &Entry) -> Option<Vec<u8>> {
    let mut message = Vec::new();
    rfc5424(&mut message, entry).ok()?;
    // What ends a line of a file is no part of a message.
    message.pop().map(|_| message)
}

/// Checks whether the policy allows the log server, and tells the audit trail if it does not.
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
