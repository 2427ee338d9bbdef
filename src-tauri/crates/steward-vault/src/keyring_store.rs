//! Keyring of the operating system, on a separate thread.
//!
//! [`KeyringStore::new`] starts the thread. A locked keyring blocks until the user closes its dialog: on a thread of
//! tokio, that would block the program, and on its blocking pool, it would prevent the program from ending. An ordinary
//! thread with a queue and a timeout does neither.
//!
//! Invariant: a secret that was reported as not stored is removed again if it is stored after the timeout.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use keyring::{Entry, Error};
use tokio::sync::oneshot;

use crate::{KeyringError, Secret, SecretStore, StoreFuture, system};

/// Time for a response: long enough to enter a password in the dialog of the keyring.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Time limit for checking why there was no response.
const SECOND_LOOK: Duration = Duration::from_secs(2);

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// Store in the keyring: Secret Service on Linux, Credential Manager on Windows, Keychain on macOS.
pub struct KeyringStore {
    service: String,
    jobs: mpsc::Sender<Job>,
    timeout: Duration,
}

impl KeyringStore {
    /// Starts the thread that opens the entries of `service`.
    ///
    /// `service` must contain no dots: Windows joins it to the name of the entry with one. The keyring is opened at the
    /// first request, and again after it has ended.
    ///
    /// # Errors
    ///
    /// Returns the error of the system if it cannot start a thread.
    pub fn new(service: &str) -> std::io::Result<Self> {
        let (jobs, queue) = mpsc::channel::<Job>();
        std::thread::Builder::new().name("keyring".to_owned()).spawn(move || {
            let mut connection = Connection::default();
            for job in queue {
                job(&mut connection);
            }
        })?;
        Ok(Self { service: service.to_owned(), jobs, timeout: TIMEOUT })
    }

    /// Sets how long to wait for each response. The default is 1 minute.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Calls `question` with the entry on the thread of the keyring. If it is done after the timeout, calls `take_back`
    /// with its result.
    fn ask<T: Send + 'static>(
        &self,
        name: &str,
        question: impl Fn(&Entry) -> keyring::Result<T> + Send + 'static,
        take_back: impl Fn(&Entry, &T) -> keyring::Result<()> + Send + 'static,
    ) -> StoreFuture<'static, T> {
        let (reply, mut answer) = oneshot::channel();
        let (service, name) = (self.service.clone(), name.to_owned());
        let is_late = Arc::new(AtomicBool::new(false));
        let late = is_late.clone();
        let sent = self.jobs.send(Box::new(move |connection| {
            // Skip a request that has timed out: it was reported as failed, so it must have no effect.
            if reply.is_closed() {
                return;
            }
            // Undo a request that timed out while it was processed.
            if let Err(Ok(done)) = reply.send(connection.ask(&service, &name, question))
                && late.load(Ordering::SeqCst)
            {
                // Ignore an error: the caller has its result already.
                let _ = connection.ask(&service, &name, |entry| take_back(entry, &done));
            }
        }));
        let timeout = self.timeout;
        Box::pin(async move {
            sent.map_err(|_| KeyringError::Gone)?;
            if let Ok(answer) = tokio::time::timeout(timeout, &mut answer).await {
                return answer.map_err(|_| KeyringError::Gone)?;
            }
            is_late.store(true, Ordering::SeqCst);
            answer.close();
            match answer.try_recv() {
                // The response arrived together with the timeout. It is returned, so it is not undone.
                Ok(answer) => answer,
                Err(_) => Err(why_so_slow().await),
            }
        })
    }
}

impl SecretStore for KeyringStore {
    fn get<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Secret<String>>> {
        let question = |entry: &Entry| match entry.get_secret() {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Ok(Some(Secret::new(text))),
                Err(error) => Err(Error::BadEncoding(error.into_bytes())),
            },
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        };
        self.ask(name, question, |_, _| Ok(()))
    }

    fn set<'a>(&'a self, name: &'a str, secret: Secret<String>) -> StoreFuture<'a, ()> {
        // As bytes, because Windows keeps 2,560 of them and would write each letter of a password with two.
        let question = move |entry: &Entry| {
            let before = entry.get_secret().ok().map(Secret::new);
            entry.set_secret(secret.expose().as_bytes())?;
            Ok(before)
        };
        let take_back = |entry: &Entry, before: &Option<Secret<Vec<u8>>>| match before {
            Some(before) => entry.set_secret(before.expose()),
            None => entry.delete_credential(),
        };
        let set = self.ask(name, question, take_back);
        Box::pin(async move { set.await.map(drop) })
    }

    fn forget<'a>(&'a self, name: &'a str) -> StoreFuture<'a, bool> {
        let question = |entry: &Entry| match entry.delete_credential() {
            Ok(()) => Ok(true),
            Err(Error::NoEntry) => Ok(false),
            Err(error) => Err(error),
        };
        self.ask(name, question, |_, _| Ok(()))
    }
}

/// The open keyring; `None` before the first request and after the keyring has ended.
#[derive(Default)]
struct Connection {
    store: Option<system::Store>,
}

impl Connection {
    /// Sends a request to the keyring. Opens it again if it has ended since the last request.
    fn ask<T>(
        &mut self,
        service: &str,
        name: &str,
        question: impl Fn(&Entry) -> keyring::Result<T>,
    ) -> Result<T, KeyringError> {
        if let Some(store) = self.store.take() {
            match store.entry(service, name).and_then(|entry| question(&entry)) {
                // Repeat it over a new connection: each of the three calls has the same effect when it is repeated.
                Err(Error::PlatformFailure(_)) => {}
                answer => {
                    self.store = Some(store);
                    return answer.map_err(in_our_words);
                }
            }
        }
        let store = system::Store::open().map_err(KeyringError::Absent)?;
        let answer = store.entry(service, name).and_then(|entry| question(&entry));
        self.store = Some(store);
        answer.map_err(in_our_words)
    }
}

fn in_our_words(error: Error) -> KeyringError {
    match error {
        Error::NoStorageAccess(_) => KeyringError::Locked(error),
        // The debug output of these errors contains the entry.
        Error::BadEncoding(_) | Error::BadDataFormat(..) => {
            KeyringError::Failed(Error::BadStoreFormat("the entry is not what was stored".to_owned()))
        }
        _ if system::is_locked_out(&error) => KeyringError::Locked(error),
        _ => KeyringError::Failed(error),
    }
}

/// Returns the reason of a timeout: [`KeyringError::Locked`] if the keyring waits for its password, otherwise
/// [`KeyringError::Slow`].
async fn why_so_slow() -> KeyringError {
    match tokio::time::timeout(SECOND_LOOK, system::waits_for_its_password()).await {
        Ok(true) => KeyringError::Locked(Error::NoStorageAccess("it waits for its password".into())),
        _ => KeyringError::Slow,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_keyring_that_does_not_answer_is_said_and_does_not_hang_the_program() {
        let store = KeyringStore::new("site-steward-test").unwrap().with_timeout(Duration::from_millis(20));
        let (release, wait) = mpsc::channel::<()>();
        let blocked = move |_: &mut Connection| assert!(wait.recv().is_err(), "released by hanging up");
        store.jobs.send(Box::new(blocked)).unwrap();

        let answer = store.get("site/portal").await;

        assert!(matches!(answer, Err(KeyringError::Slow | KeyringError::Locked(_))), "{answer:?}");
        drop(release);
    }

    #[test]
    fn an_entry_that_is_no_text_does_not_show_itself() {
        let errors = [
            Error::BadEncoding(b"canary".to_vec()),
            Error::BadDataFormat(b"canary".to_vec(), "canary".into()),
        ];
        for error in errors {
            let error = in_our_words(error);
            let raw = format!("{:?}", b"canary");
            let shown = format!("{error:?} {error}");
            assert!(!shown.contains("canary") && !shown.contains(raw.trim_matches(['[', ']'])), "{shown}");
        }
    }
}
