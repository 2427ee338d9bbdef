//! One at a time for each upload. One changes it: a part that arrives while the upload is committed would be lost. And
//! one writes the part that is next in order, however long it takes to come.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// The uploads at which somebody is.
#[derive(Default)]
pub(crate) struct Locks(Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>);

impl Locks {
    /// Waits for whoever is at this upload.
    pub(super) async fn take(&self, upload: &str) -> OwnedMutexGuard<()> {
        self.of(upload).lock_owned().await
    }

    /// The same if nobody is.
    pub(super) fn try_take(&self, upload: &str) -> Option<OwnedMutexGuard<()>> {
        self.of(upload).try_lock_owned().ok()
    }

    fn of(&self, upload: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        locks.retain(|_, lock| Arc::strong_count(lock) > 1);
        Arc::clone(locks.entry(upload.to_owned()).or_default())
    }
}
