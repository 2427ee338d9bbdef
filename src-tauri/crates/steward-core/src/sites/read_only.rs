//! Read-only sites, and unlocking one for 15 minutes.
//!
//! `ReadOnlyLocks::is_open` is the check for one saved site; before each change it is called for every saved site at the
//! same address. An unlock is stored in memory only: a restart locks the site again. It is recorded in the history before
//! it takes effect.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use steward_client::Moment;

use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::model::problem::{FieldError, Problem};
use crate::sites::Site;

/// Duration of an unlock.
pub const LASTS: Duration = Duration::from_secs(15 * 60);

/// Shortest reason, in letters and digits.
const SHORTEST_REASON: usize = 3;

/// Source of the time; replaced in tests.
pub type Clock = Box<dyn Fn() -> Moment + Send + Sync>;

/// Current unlocks of read-only sites, in memory only.
pub struct ReadOnlyLocks {
    /// When each site was unlocked.
    open: Mutex<HashMap<SiteId, Moment>>,
    /// Number of times that each site was locked early.
    locked: Mutex<HashMap<SiteId, u32>>,
    clock: Clock,
}

impl Default for ReadOnlyLocks {
    fn default() -> Self {
        Self::by(Box::new(Moment::now))
    }
}

impl ReadOnlyLocks {
    /// Creates an empty list with a clock.
    #[must_use]
    pub fn by(clock: Clock) -> Self {
        Self { open: Mutex::default(), locked: Mutex::default(), clock }
    }

    /// Checks that a saved site is not read-only, or is unlocked.
    pub(crate) fn is_open(&self, site: &Site) -> Result<(), Problem> {
        match site.read_only && self.unlocked_until(&site.id).is_none() {
            true => Err(locked(site)),
            false => Ok(()),
        }
    }

    /// Returns the end of an unlock; `None` if the site is locked.
    pub fn unlocked_until(&self, site: &SiteId) -> Option<Millis> {
        let now = (self.clock)();
        let mut open = self.lock();
        let begun = *open.get(site)?;
        if begun.until(now) >= LASTS {
            open.remove(site);
            return None;
        }
        let lasts = i64::try_from(LASTS.as_millis()).unwrap_or(i64::MAX);
        Some(Millis(begun.wall.saturating_add(lasts)))
    }

    /// Ends an unlock early.
    pub fn lock_again(&self, site: &SiteId) {
        *counted(&self.locked).entry(site.clone()).or_default() += 1;
        self.lock().remove(site);
    }

    /// Returns how often an unlock of the site was ended early. Long operations compare it: an unlock that expired
    /// meanwhile was sufficient to begin, but one that a user ended is not.
    pub(crate) fn times_locked(&self, site: &SiteId) -> u32 {
        counted(&self.locked).get(site).copied().unwrap_or_default()
    }

    pub(crate) fn unlock(&self, site: &SiteId) {
        self.lock().insert(site.clone(), (self.clock)());
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SiteId, Moment>> {
        // Changed by single inserts and removals, so that a panic leaves it consistent.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn counted(locked: &Mutex<HashMap<SiteId, u32>>) -> MutexGuard<'_, HashMap<SiteId, u32>> {
    // Changed by single increments, so that a panic leaves it consistent.
    locked.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the problem of a change while a saved site is read-only and locked.
pub(crate) fn locked(site: &Site) -> Problem {
    Problem::ReadOnly { site: site.id.clone(), site_name: site.name.clone() }
}

/// Returns the trimmed reason.
pub(crate) fn checked_reason(reason: &str) -> Result<&str, Problem> {
    let reason = reason.trim();
    if reason.chars().filter(|letter| letter.is_alphanumeric()).count() < SHORTEST_REASON {
        return Err(Problem::form("reason", FieldError::TooShort));
    }
    Ok(reason)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
    use std::time::Instant;

    use super::*;

    #[test]
    fn an_unlock_ends_by_whichever_clock_is_first() {
        let start = Instant::now();
        let (steady, wall) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicI64::new(0)));
        let (s, w) = (steady.clone(), wall.clone());
        let locks = ReadOnlyLocks::by(Box::new(move || Moment {
            steady: start + Duration::from_secs(s.load(Ordering::SeqCst)),
            wall: w.load(Ordering::SeqCst) * 1000,
        }));
        let site = SiteId("a".to_owned());
        let at = |seconds: u64, by_the_wall: i64| {
            steady.store(seconds, Ordering::SeqCst);
            wall.store(by_the_wall, Ordering::SeqCst);
            locks.unlocked_until(&site).is_some()
        };

        locks.unlock(&site);
        assert!(at(14 * 60 + 59, 14 * 60 + 59));
        assert!(!at(15 * 60, -3600), "the computer's clock was set back");

        locks.unlock(&site);
        assert!(!at(15 * 60 + 10, -3600 + 15 * 60), "the computer slept, and its own clock went on");
        assert_eq!(locks.unlocked_until(&SiteId("b".to_owned())), None);
    }
}
