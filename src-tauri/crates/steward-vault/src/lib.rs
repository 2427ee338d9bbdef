//! Storage of secrets in the keyring of the operating system.
//!
//! [`SecretStore`] is the interface, and [`KeyringStore`] implements it. [`Secret`] holds a secret in memory.
//!
//! A secret is never written to a file. If no keyring is available, every call returns [`KeyringError::Absent`]; the
//! program does not fall back to [`MemoryStore`], which is for tests.

mod keyring_store;
mod memory_store;
mod secret;
mod secret_store;
mod system;

pub use keyring_store::KeyringStore;
pub use memory_store::MemoryStore;
pub use secret::Secret;
pub use secret_store::{KeyringError, SecretStore, StoreFuture};
