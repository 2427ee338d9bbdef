//! Where secrets live: the keyring of the operating system, and nowhere else.
//!
//! A missing keyring is said, never replaced by a file or by memory in silence: [`MemoryStore`] exists for
//! tests and is chosen by nobody else.

mod keyring_store;
mod memory_store;
mod secret;
mod system;

pub use keyring_store::KeyringStore;
pub use memory_store::MemoryStore;
pub use secret::Secret;

use std::future::Future;
use std::pin::Pin;

/// What a store answers, some time later.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, VaultError>> + Send + 'a>>;

/// A place that keeps secrets by name.
pub trait SecretStore: Send + Sync {
    /// The secret stored under `name`; `None` when there is none, which is no error.
    fn get<'a>(&'a self, name: &'a str) -> Answer<'a, Option<Secret<String>>>;
    /// Stores `secret` under `name`, in the place of what was there.
    fn set<'a>(&'a self, name: &'a str, secret: Secret<String>) -> Answer<'a, ()>;
    /// Forgets what is stored under `name`; nothing stored is no error.
    fn forget<'a>(&'a self, name: &'a str) -> Answer<'a, ()>;
}

/// Why the keyring did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// The desktop runs no keyring.
    #[error("this desktop offers no keyring")]
    Absent(#[source] keyring_core::Error),
    /// The keyring is locked, or it denied access.
    #[error("the keyring is locked or denied access")]
    Locked(#[source] keyring_core::Error),
    /// No answer in time. Most often the keyring is asking the person to unlock it.
    #[error("the keyring did not answer in time; it may be waiting to be unlocked")]
    Slow,
    /// Any other refusal.
    #[error("the keyring could not do it")]
    Failed(#[source] keyring_core::Error),
    /// The thread that speaks to the keyring has ended.
    #[error("the connection to the keyring has ended; start the program again")]
    Gone,
}
