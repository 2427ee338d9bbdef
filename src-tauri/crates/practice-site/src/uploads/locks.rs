//! Locks per upload. One protects changes: a part that arrives during the commit would be lost. The other protects the
//! next part in sequence, for as long as it takes to arrive.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// Locks by upload ID.
#[derive(Default)]
pub(crate) struct Locks(Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>);

impl Locks {
    /// Waits for the lock of this upload.
    pub(super) async fn take(&self, upload: &str) -> OwnedMutexGuard<()> {
        self.of(upload).lock_owned().await
    }

    /// Takes the lock of this upload. `None` if it is held.
    pub(super) fn try_take(&self, upload: &str) -> Option<OwnedMutexGuard<()>> {
        self.of(upload).try_lock_owned().ok()
    }

    fn of(&self, upload: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        locks.retain(|_, lock| Arc::strong_count(lock) > 1);
        Arc::clone(locks.entry(upload.to_owned()).or_default())
    }
}
