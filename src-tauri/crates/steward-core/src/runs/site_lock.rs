//! The lock of a site, which one operation at a time holds on all endpoints of the site (ADR 0041).
//!
//! [`SiteLocks::take`] takes all endpoints or none, and [`SiteLock::extend`] those that are learned later. The lock ends
//! when the [`SiteLock`] is dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::model::problem::Problem;
use crate::sites::endpoints::NormalizedEndpoint;

/// Locked endpoints, each with the [`Problem::Busy`] that another operation ends with.
#[derive(Clone, Default)]
pub(crate) struct SiteLocks(Arc<Mutex<BTreeMap<NormalizedEndpoint, Arc<Problem>>>>);

/// A lock on the endpoints of one site.
pub(crate) struct SiteLock {
    locks: SiteLocks,
    busy: Arc<Problem>,
}

impl SiteLocks {
    /// Locks endpoints. Others that need one of them receive `busy` meanwhile.
    ///
    /// # Errors
    /// [`Problem::Busy`] of the holder of one of the endpoints. None is locked then.
    pub(crate) fn take(
        &self,
        endpoints: BTreeSet<NormalizedEndpoint>,
        busy: Problem,
    ) -> Result<SiteLock, Problem> {
        let lock = SiteLock { locks: self.clone(), busy: Arc::new(busy) };
        lock.extend(endpoints)?;
        Ok(lock)
    }

    /// Checks that none of the endpoints is locked.
    pub(crate) fn are_free(&self, endpoints: &BTreeSet<NormalizedEndpoint>) -> Result<(), Problem> {
        let held = self.held();
        match endpoints.iter().find_map(|endpoint| held.get(endpoint)) {
            Some(holder) => Err(holder.as_ref().clone()),
            None => Ok(()),
        }
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<NormalizedEndpoint, Arc<Problem>>> {
        // Changed only after the check that can fail.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SiteLock {
    /// Locks more endpoints of the same site.
    ///
    /// # Errors
    /// [`Problem::Busy`] of the holder of one of them. None of them is locked then; the earlier ones remain locked.
    pub(crate) fn extend(&self, endpoints: BTreeSet<NormalizedEndpoint>) -> Result<(), Problem> {
        let mut held = self.locks.held();
        let holders = endpoints.iter().filter_map(|endpoint| held.get(endpoint));
        if let Some(other) = holders.into_iter().find(|other| !Arc::ptr_eq(other, &self.busy)) {
            return Err(other.as_ref().clone());
        }
        held.extend(endpoints.into_iter().map(|endpoint| (endpoint, self.busy.clone())));
        Ok(())
    }
}

impl Drop for SiteLock {
    fn drop(&mut self) {
        self.locks.held().retain(|_, holder| !Arc::ptr_eq(holder, &self.busy));
    }
}
