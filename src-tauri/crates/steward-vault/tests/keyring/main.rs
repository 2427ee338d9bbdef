//! The keyring against a real Secret Service: a session bus and a gnome-keyring of their own for each test, in a
//! temporary home.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod absent;
mod locked;
mod present;
mod session;
mod slow;

use std::time::Duration;

use steward_vault::{KeyringStore, Secret};

/// Far more than any of these keyrings needs, and far less than a person would wait: where an answer is to come
/// at once, this much is a failure.
const AT_ONCE: Duration = Duration::from_secs(15);

fn store() -> KeyringStore {
    KeyringStore::new("site-steward").unwrap().with_timeout(AT_ONCE)
}

fn secret(text: &str) -> Secret<String> {
    Secret::new(text.to_owned())
}
