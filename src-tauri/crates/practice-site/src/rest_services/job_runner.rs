//! Connection between the code that adds jobs and the task that runs them.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Running jobs, and the signal for new ones.
#[derive(Default)]
pub(crate) struct JobRunner {
    pub(super) nudge: Notify,
    running: Mutex<HashSet<String>>,
}

impl JobRunner {
    pub(super) fn nudge(&self) {
        self.nudge.notify_one();
    }

    pub(super) fn running(&self) -> MutexGuard<'_, HashSet<String>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
