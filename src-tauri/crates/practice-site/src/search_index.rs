//! Search index of the portal, which a simulated fault lets lag behind the database after an import.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Search index. Real portals need 15 minutes to 3 hours after an import; this one is complete at once without the fault.
#[derive(Default)]
pub(crate) struct SearchIndex(Mutex<Option<Rebuild>>);

/// Rebuild of the index, in proportion to its entries.
struct Rebuild {
    since: Instant,
    of_a_hundred: Duration,
}

impl SearchIndex {
    /// Rebuilds the index from now on, at a pace of so many seconds for 100 entries.
    pub(crate) fn rebuild(&self, seconds: u64) {
        let rebuild = Rebuild { since: Instant::now(), of_a_hundred: Duration::from_secs(seconds.max(1)) };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(rebuild);
    }

    /// Returns how many of `all` entries are indexed.
    pub(crate) fn indexed(&self, all: usize) -> usize {
        let rebuild = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Rebuild { since, of_a_hundred }) = &*rebuild else { return all };
        let done = since.elapsed().as_millis() * 100 / of_a_hundred.as_millis().max(1);
        usize::try_from(done).unwrap_or(all).min(all)
    }
}
