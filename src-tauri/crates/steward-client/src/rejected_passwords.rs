//! Passwords that a site rejected.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use steward_vault::Secret;
use url::Url;

/// Passwords that a portal or server rejected for an account. A site locks an account after a few of them, so that the
/// app sends none of them again by itself, in whichever session.
///
/// Contains only hashes with a random key, not the passwords.
#[derive(Debug, Default)]
pub struct RejectedPasswords {
    key: RandomState,
    hashes: Mutex<HashSet<u64>>,
}

impl RejectedPasswords {
    /// Removes a password that the site at `root` accepted after all, for example because the account was unlocked.
    pub fn remove(&self, root: &Url, username: &str, password: &Secret<String>) {
        self.hashes().remove(&self.hash(root, username, password));
    }

    pub(crate) fn add(&self, root: &Url, username: &str, password: &Secret<String>) {
        self.hashes().insert(self.hash(root, username, password));
    }

    pub(crate) fn contains(&self, root: &Url, username: &str, password: &Secret<String>) -> bool {
        self.hashes().contains(&self.hash(root, username, password))
    }

    fn hash(&self, root: &Url, username: &str, password: &Secret<String>) -> u64 {
        self.key.hash_one((root.as_str(), username, password.expose()))
    }

    fn hashes(&self) -> MutexGuard<'_, HashSet<u64>> {
        // A panic cannot leave a single insertion or removal incomplete.
        self.hashes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
