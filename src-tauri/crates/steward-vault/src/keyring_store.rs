//! The keyring of the operating system, on a thread of its own.
//!
//! A locked keyring blocks until the person has answered its dialog. On tokio's own threads that would hang
//! the program, and on its blocking pool it would keep it from ending; an ordinary thread with a queue and a
//! time-out does neither.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use keyring_core::{CredentialStore, Entry, Error};
use tokio::sync::oneshot;

use crate::{Answer, Secret, SecretStore, VaultError, system};

/// Long enough to type a password into the keyring's own dialog.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long it may take to find out why there was no answer.
const SECOND_LOOK: Duration = Duration::from_secs(2);

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// The keyring: Secret Service on Linux, Credential Manager on Windows, Keychain on macOS.
pub struct KeyringStore {
    service: String,
    jobs: mpsc::Sender<Job>,
    patience: Duration,
}

impl KeyringStore {
    /// Speaks to the keyring in the name of `service`, which must hold no dots: Windows joins it to the entry's
    /// name with one. The keyring is looked for at the first question, and again whenever it is gone.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new(service: &str) -> std::io::Result<Self> {
        let (jobs, queue) = mpsc::channel::<Job>();
        std::thread::Builder::new().name("keyring".to_owned()).spawn(move || {
            let mut connection = Connection::default();
            for job in queue {
                job(&mut connection);
            }
        })?;
        Ok(Self { service: service.to_owned(), jobs, patience: PATIENCE })
    }

    /// The same, waiting at most this long for each answer instead of a minute.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    fn ask<T: Send + 'static>(
        &self,
        name: &str,
        question: impl Fn(&Entry) -> keyring_core::Result<T> + Send + 'static,
    ) -> Answer<'static, T> {
        let (reply, answer) = oneshot::channel();
        let (service, name) = (self.service.clone(), name.to_owned());
        let sent = self.jobs.send(Box::new(move |connection| {
            // Whoever was told that the keyring is slow must not find out later that it was done all the same.
            if reply.is_closed() {
                return;
            }
            // Nobody may be listening any more; then the answer is of no use to anyone.
            let _ = reply.send(connection.ask(&service, &name, question));
        }));
        let patience = self.patience;
        Box::pin(async move {
            sent.map_err(|_| VaultError::Gone)?;
            match tokio::time::timeout(patience, answer).await {
                Ok(answer) => answer.map_err(|_| VaultError::Gone)?,
                Err(_) => Err(why_so_slow().await),
            }
        })
    }
}

impl SecretStore for KeyringStore {
    fn get<'a>(&'a self, name: &'a str) -> Answer<'a, Option<Secret<String>>> {
        self.ask(name, |entry| match entry.get_secret() {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Ok(Some(Secret::new(text))),
                Err(error) => Err(Error::BadEncoding(error.into_bytes())),
            },
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        })
    }

    fn set<'a>(&'a self, name: &'a str, secret: Secret<String>) -> Answer<'a, ()> {
        // As bytes, because Windows keeps 2,560 of them and would write each letter of a password with two.
        self.ask(name, move |entry| entry.set_secret(secret.expose().as_bytes()))
    }

    fn forget<'a>(&'a self, name: &'a str) -> Answer<'a, ()> {
        self.ask(name, |entry| match entry.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(error),
        })
    }
}

/// The way to the keyring, as long as it holds.
#[derive(Default)]
struct Connection {
    store: Option<Arc<CredentialStore>>,
}

impl Connection {
    /// Asks the keyring. One that ended since the last question and is there again is found again.
    fn ask<T>(
        &mut self,
        service: &str,
        name: &str,
        question: impl Fn(&Entry) -> keyring_core::Result<T>,
    ) -> Result<T, VaultError> {
        if let Some(store) = self.store.take() {
            match store.build(service, name, None).and_then(|entry| question(&entry)) {
                // The three questions do the same when they are asked twice.
                Err(Error::PlatformFailure(_)) => {}
                answer => {
                    self.store = Some(store);
                    return answer.map_err(in_our_words);
                }
            }
        }
        let store = system::open().map_err(VaultError::Absent)?;
        let answer = store.build(service, name, None).and_then(|entry| question(&entry));
        self.store = Some(store);
        answer.map_err(in_our_words)
    }
}

fn in_our_words(error: Error) -> VaultError {
    match error {
        Error::NoStorageAccess(_) => VaultError::Locked(error),
        // What these print for a programmer is the entry itself.
        Error::BadEncoding(_) | Error::BadDataFormat(..) => {
            VaultError::Failed(Error::BadStoreFormat("the entry is not what was stored".to_owned()))
        }
        _ if system::is_locked_out(&error) => VaultError::Locked(error),
        _ => VaultError::Failed(error),
    }
}

/// A keyring that waits for its password is not a slow one, though it takes as long.
async fn why_so_slow() -> VaultError {
    match tokio::time::timeout(SECOND_LOOK, system::waits_for_its_password()).await {
        Ok(true) => VaultError::Locked(Error::NoStorageAccess("it waits for its password".into())),
        _ => VaultError::Slow,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_keyring_that_does_not_answer_is_said_and_does_not_hang_the_program() {
        let store = KeyringStore::new("site-steward-test").unwrap().with_patience(Duration::from_millis(20));
        let (release, wait) = mpsc::channel::<()>();
        let blocked = move |_: &mut Connection| assert!(wait.recv().is_err(), "released by hanging up");
        store.jobs.send(Box::new(blocked)).unwrap();

        let answer = store.get("site/portal").await;

        assert!(matches!(answer, Err(VaultError::Slow | VaultError::Locked(_))), "{answer:?}");
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
