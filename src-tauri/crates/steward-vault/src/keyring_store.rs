//! The keyring of the operating system, on a thread of its own.
//!
//! A locked keyring blocks until the person has answered its dialog. On tokio's own threads that would hang
//! the program, and on its blocking pool it would keep it from ending; an ordinary thread with a queue and a
//! time-out does neither.

use std::sync::mpsc;
use std::time::Duration;

use keyring::{Entry, Error};
use tokio::sync::oneshot;

use crate::{Answer, Secret, SecretStore, VaultError};

/// Long enough to type a password into the keyring's own dialog.
const PATIENCE: Duration = Duration::from_secs(60);

type Job = Box<dyn FnOnce() + Send>;

/// The keyring: Secret Service on Linux, Credential Manager on Windows, Keychain on macOS.
pub struct KeyringStore {
    service: String,
    jobs: mpsc::Sender<Job>,
    patience: Duration,
}

impl KeyringStore {
    /// Speaks to the keyring in the name of `service`, which must hold no dots: Windows joins it to the entry's
    /// name with one.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new(service: &str) -> std::io::Result<Self> {
        let (jobs, queue) = mpsc::channel::<Job>();
        std::thread::Builder::new().name("keyring".to_owned()).spawn(move || {
            for job in queue {
                job();
            }
        })?;
        Ok(Self { service: service.to_owned(), jobs, patience: PATIENCE })
    }

    fn ask<T: Send + 'static>(
        &self,
        name: &str,
        question: impl FnOnce(Entry) -> keyring::Result<T> + Send + 'static,
    ) -> Answer<'static, T> {
        let (reply, answer) = oneshot::channel();
        let (service, name) = (self.service.clone(), name.to_owned());
        let sent = self.jobs.send(Box::new(move || {
            // Nobody may be listening any more; then the answer is of no use to anyone.
            let _ = reply.send(Entry::new(&service, &name).and_then(question));
        }));
        let patience = self.patience;
        Box::pin(async move {
            sent.map_err(|_| VaultError::Gone)?;
            let answer = tokio::time::timeout(patience, answer).await.map_err(|_| VaultError::Slow)?;
            answer.map_err(|_| VaultError::Gone)?.map_err(in_our_words)
        })
    }
}

impl SecretStore for KeyringStore {
    fn get<'a>(&'a self, name: &'a str) -> Answer<'a, Option<Secret<String>>> {
        self.ask(name, |entry| match entry.get_password() {
            Ok(secret) => Ok(Some(Secret::new(secret))),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        })
    }

    fn set<'a>(&'a self, name: &'a str, secret: Secret<String>) -> Answer<'a, ()> {
        self.ask(name, move |entry| entry.set_password(secret.expose()))
    }

    fn forget<'a>(&'a self, name: &'a str) -> Answer<'a, ()> {
        self.ask(name, |entry| match entry.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(error),
        })
    }
}

fn in_our_words(error: Error) -> VaultError {
    match error {
        Error::NoDefaultStore => VaultError::Absent(error),
        Error::NoStorageAccess(_) => VaultError::Locked(error),
        _ => VaultError::Failed(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(patience: Duration) -> KeyringStore {
        KeyringStore { patience, ..KeyringStore::new("site-steward-test").unwrap() }
    }

    #[tokio::test]
    async fn a_keyring_that_does_not_answer_is_said_and_does_not_hang_the_program() {
        let store = store(Duration::from_millis(20));
        let (release, wait) = mpsc::channel::<()>();
        let blocked = move || assert!(wait.recv().is_err(), "released by hanging up");
        store.jobs.send(Box::new(blocked)).unwrap();

        let answer = store.get("site/portal").await;

        assert!(matches!(answer, Err(VaultError::Slow)), "{answer:?}");
        drop(release);
    }
}
