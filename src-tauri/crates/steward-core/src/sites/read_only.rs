//! Sites that are marked read-only, and the quarter of an hour for which one is unlocked.
//!
//! An unlock lives in memory alone: a restart locks again. It is in the journal before it takes effect.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::model::problem::{Fault, Problem};
use crate::sites::Site;

/// How long an unlock lasts.
pub const LASTS: Duration = Duration::from_secs(15 * 60);

/// The least that is a reason.
const SHORTEST_REASON: usize = 3;

/// A moment by two clocks. The one that nobody sets stands still while a computer sleeps, and the other can be set
/// back; whichever is first past the end locks.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// By the clock that nobody sets.
    pub steady: Instant,
    /// By the computer's own.
    pub wall: Millis,
}

/// Where the time comes from; a test brings its own.
pub type Clock = Box<dyn Fn() -> Moment + Send + Sync>;

/// The unlocks that are in force.
pub struct Locks {
    open: Mutex<HashMap<SiteId, Moment>>,
    /// How often an unlock was ended early.
    locked: Mutex<HashMap<SiteId, u32>>,
    clock: Clock,
}

impl Default for Locks {
    fn default() -> Self {
        Self::by(Box::new(|| Moment { steady: Instant::now(), wall: Millis::now() }))
    }
}

impl Locks {
    /// No unlocks, and a clock.
    #[must_use]
    pub fn by(clock: Clock) -> Self {
        Self { open: Mutex::default(), locked: Mutex::default(), clock }
    }

    /// Until when a site is unlocked; `None` when it is locked.
    pub fn unlocked_until(&self, site: &SiteId) -> Option<Millis> {
        let now = (self.clock)();
        let mut open = self.lock();
        let end = open.get(site)?;
        if now.steady >= end.steady || now.wall >= end.wall {
            open.remove(site);
            return None;
        }
        Some(end.wall)
    }

    /// Ends an unlock early.
    pub fn lock_again(&self, site: &SiteId) {
        *counted(&self.locked).entry(site.clone()).or_default() += 1;
        self.lock().remove(site);
    }

    /// How often an unlock of the site was ended early. What takes hours compares: an unlock that ran out meanwhile
    /// was enough to begin, and one that somebody ended is not.
    pub(crate) fn times_locked(&self, site: &SiteId) -> u32 {
        counted(&self.locked).get(site).copied().unwrap_or_default()
    }

    pub(crate) fn unlock(&self, site: &SiteId) {
        let now = (self.clock)();
        let lasts = i64::try_from(LASTS.as_millis()).unwrap_or(i64::MAX);
        let end = Moment { steady: now.steady + LASTS, wall: Millis(now.wall.0 + lasts) };
        self.lock().insert(site.clone(), end);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SiteId, Moment>> {
        // Changed by single inserts and removals.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn counted(locked: &Mutex<HashMap<SiteId, u32>>) -> MutexGuard<'_, HashMap<SiteId, u32>> {
    // Changed by single counts.
    locked.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a person typed as a reason, if it is one.
///
/// # Errors
/// When nobody could read it later.
pub(crate) fn checked_reason(reason: &str) -> Result<&str, Problem> {
    let reason = reason.trim();
    if reason.chars().filter(|letter| letter.is_alphanumeric()).count() < SHORTEST_REASON {
        return Err(Problem::form("reason", Fault::TooShort));
    }
    Ok(reason)
}

impl Host {
    /// Refuses a change of a site that is marked read-only and not unlocked. Whatever writes asks here, once, when
    /// the person asks for it: what was allowed to begin may end after the quarter of an hour.
    pub fn may_write(&self, site: &Site) -> Result<(), Problem> {
        if site.read_only && self.locks.unlocked_until(&site.id).is_none() {
            return Err(Problem::ReadOnly { site: site.id.clone() });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

    use super::*;

    #[test]
    fn an_unlock_ends_by_whichever_clock_is_first() {
        let start = Instant::now();
        let (steady, wall) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicI64::new(0)));
        let (s, w) = (steady.clone(), wall.clone());
        let locks = Locks::by(Box::new(move || Moment {
            steady: start + Duration::from_secs(s.load(Ordering::SeqCst)),
            wall: Millis(w.load(Ordering::SeqCst) * 1000),
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
