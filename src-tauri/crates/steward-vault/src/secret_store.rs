//! The interface of the stores, and their errors.

use std::future::Future;
use std::pin::Pin;

use crate::secret::Secret;

/// Future result of a call to a [`SecretStore`].
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, KeyringError>> + Send + 'a>>;

/// Store of secrets by name.
///
/// # Errors
///
/// Every function returns
///
/// - [`KeyringError::Absent`] if the system offers no keyring.
/// - [`KeyringError::Locked`] if the keyring is locked or denies access.
/// - [`KeyringError::Slow`] if the keyring does not respond in time.
/// - [`KeyringError::Failed`] if the keyring returns another error.
/// - [`KeyringError::Gone`] if the thread of the keyring has ended.
pub trait SecretStore: Send + Sync {
    /// Reads the secret with this name; `None` if there is none.
    fn get<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Secret<String>>>;
    /// Stores a secret, replacing the one with this name.
    fn set<'a>(&'a self, name: &'a str, secret: Secret<String>) -> StoreFuture<'a, ()>;
    /// Deletes the secret with this name, and returns whether there was one.
    fn forget<'a>(&'a self, name: &'a str) -> StoreFuture<'a, bool>;
}

/// Reason why a call to a [`SecretStore`] failed.
#[derive(Debug, thiserror::Error)]
pub enum KeyringError {
    /// The system offers no keyring.
    #[error("this desktop offers no keyring")]
    Absent(#[source] keyring::Error),
    /// The keyring is locked or denied access.
    #[error("the keyring is locked or denied access")]
    Locked(#[source] keyring::Error),
    /// The keyring did not respond in time, usually because it waits for the user to unlock it.
    #[error("the keyring did not answer in time; it may be waiting to be unlocked")]
    Slow,
    /// The keyring returned another error.
    #[error("the keyring could not do it")]
    Failed(#[source] keyring::Error),
    /// The thread that calls the keyring has ended.
    #[error("the connection to the keyring has ended; start the program again")]
    Gone,
}
