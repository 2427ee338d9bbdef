//! Sign-ins that are pending in the browser.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use steward_client::oauth::{Authorization, PORTS};
use tokio::sync::Notify;

use crate::model::ids::SiteId;

/// Sign-ins that are pending in the browser.
pub struct PendingSignIns {
    /// Ports that the browser can return to.
    ports: Mutex<Vec<u16>>,
    waiting: Mutex<HashMap<SiteId, Arc<Notify>>>,
    pages: Mutex<HashMap<SiteId, Authorization>>,
}

/// A sign-in that waits for the browser. It is pending until this is dropped.
pub(crate) struct Waiting<'a> {
    all: &'a PendingSignIns,
    site: SiteId,
    stop: Arc<Notify>,
}

impl Waiting<'_> {
    /// Completes when the user stops waiting, or begins another sign-in to the site.
    pub(crate) async fn stopped(&self) {
        self.stop.notified().await;
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut waiting = locked(&self.all.waiting);
        // A later sign-in to the site is still pending.
        if waiting.get(&self.site).is_some_and(|stop| Arc::ptr_eq(stop, &self.stop)) {
            waiting.remove(&self.site);
        }
    }
}

impl Default for PendingSignIns {
    fn default() -> Self {
        Self { ports: Mutex::new(PORTS.to_vec()), waiting: Mutex::default(), pages: Mutex::default() }
    }
}

impl PendingSignIns {
    /// Uses other ports than [`PORTS`], for tests: all programs on a computer share those.
    pub fn use_ports(&self, ports: &[u16]) {
        *locked(&self.ports) = ports.to_vec();
    }

    /// Returns the ports that the browser can return to.
    pub(crate) fn ports(&self) -> Vec<u16> {
        locked(&self.ports).clone()
    }

    /// Begins to wait, and stops an earlier sign-in to the same site.
    pub(crate) fn wait(&self, site: &SiteId) -> Waiting<'_> {
        let stop = Arc::new(Notify::new());
        let before = locked(&self.waiting).insert(site.clone(), stop.clone());
        if let Some(before) = before {
            before.notify_one();
        }
        Waiting { all: self, site: site.clone(), stop }
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

    /// Stores a request again whose code was not used, unless there is a later one.
    pub(crate) fn put_back(&self, site: &SiteId, page: Authorization) {
        locked(&self.pages).entry(site.clone()).or_insert(page);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_sign_in_that_ended_is_not_pending_and_ends_no_later_one() {
        let (all, site) = (PendingSignIns::default(), SiteId("a".to_owned()));

        drop(all.wait(&site));
        assert!(!all.stop(&site), "there is nothing to stop");

        let first = all.wait(&site);
        let second = all.wait(&site);
        first.stopped().await;
        drop(first);
        assert!(all.stop(&site));
        second.stopped().await;
    }
}
