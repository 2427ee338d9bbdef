//! Time on two clocks.

use std::time::{Duration, Instant};

use jiff::Timestamp;

/// Smallest number that is milliseconds since 1970 and not seconds: 3 March 1973.
const SMALLEST_MILLISECONDS: i64 = 100_000_000_000;

/// Returns a time of a site as milliseconds since 1970. Some write seconds.
pub(crate) const fn in_milliseconds(time: i64) -> i64 {
    if time < SMALLEST_MILLISECONDS { time.saturating_mul(1000) } else { time }
}

/// A moment on two clocks. The monotonic clock can stop while a computer sleeps, and the system clock can be set back.
/// What must not last longer than a limit is measured by the clock on which more time has passed.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// Time of the monotonic clock.
    pub steady: Instant,
    /// Time of the system clock, in milliseconds since 1970.
    pub wall: i64,
}

impl Moment {
    /// Returns the current moment.
    #[must_use]
    pub fn now() -> Self {
        Self { steady: Instant::now(), wall: Timestamp::now().as_millisecond() }
    }

    /// Returns the time from this moment until `later`, by the clock on which more has passed.
    #[must_use]
    pub fn until(self, later: Self) -> Duration {
        let by_the_wall = u64::try_from(later.wall.saturating_sub(self.wall)).unwrap_or(0);
        later.steady.saturating_duration_since(self.steady).max(Duration::from_millis(by_the_wall))
    }

    /// Returns the time since this moment, by the clock on which more has passed.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        self.until(Self::now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_by_the_clock_that_went_further() {
        let start = Moment::now();
        let after = |steady: u64, wall: i64| {
            let steady = start.steady + Duration::from_secs(steady);
            start.until(Moment { steady, wall: start.wall + wall * 1000 }).as_secs()
        };

        assert_eq!(after(5, 5), 5);
        assert_eq!(after(1, 600), 600, "the computer slept");
        assert_eq!(after(600, -3600), 600, "its clock was set back");
        assert_eq!(after(0, -1), 0);
    }
}
