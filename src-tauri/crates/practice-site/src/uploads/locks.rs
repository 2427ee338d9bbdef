//! One change of an upload at a time: a part that arrives while the upload is committed would be lost.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// The uploads that somebody is changing.
#[derive(Default)]
pub(crate) struct Locks(Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>);

impl Locks {
    /// Waits for whoever changes this upload.
    pub(super) async fn take(&self, upload: &str) -> OwnedMutexGuard<()> {
        let lock = {
            let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            locks.retain(|_, lock| Arc::strong_count(lock) > 1);
            Arc::clone(locks.entry(upload.to_owned()).or_default())
        };
        lock.lock_owned().await
    }
}
