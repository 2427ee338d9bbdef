//! Sign-ins that are pending in the browser.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use steward_client::oauth::Authorization;
use tokio::sync::Notify;

use crate::model::ids::SiteId;

/// Sign-ins that are pending in the browser.
#[derive(Default)]
pub(crate) struct PendingSignIns {
    waiting: Mutex<HashMap<SiteId, Arc<Notify>>>,
    pages: Mutex<HashMap<SiteId, Authorization>>,
}

impl PendingSignIns {
    /// Begins to wait, and stops an earlier sign-in to the same site.
    pub(crate) fn wait(&self, site: &SiteId) -> Arc<Notify> {
        let stop = Arc::new(Notify::new());
        let before = locked(&self.waiting).insert(site.clone(), stop.clone());
        if let Some(before) = before {
            before.notify_one();
        }
        stop
    }

    /// Stops waiting, and returns whether a sign-in was pending.
    pub(crate) fn stop(&self, site: &SiteId) -> bool {
        let waiting = locked(&self.waiting).remove(site);
        if let Some(stop) = &waiting {
            stop.notify_one();
        }
        waiting.is_some()
    }

    /// Cancels the pending sign-ins of a site.
    pub(crate) fn forget(&self, site: &SiteId) {
        self.stop(site);
        self.take(site);
    }

    /// Stores the request whose code the user will paste.
    pub(crate) fn keep(&self, site: &SiteId, page: Authorization) {
        locked(&self.pages).insert(site.clone(), page);
    }

    /// Returns the stored request, and removes it: a code is valid once.
    pub(crate) fn take(&self, site: &SiteId) -> Option<Authorization> {
        locked(&self.pages).remove(site)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Changed by single inserts and removals, so that a panic leaves it consistent.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
