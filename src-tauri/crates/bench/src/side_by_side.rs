//! Medians of measurements that alternate, so that other load on the computer affects all of them.

use std::time::Duration;

/// Number of runs of each measurement.
pub(crate) const RUNS: usize = 3;

/// Times of one measurement.
#[derive(Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// Adds a time that a page measured.
    pub(crate) fn add_millis(&mut self, millis: f64) {
        self.add(Duration::from_secs_f64(millis / 1_000.0));
    }

    /// Returns the median, in milliseconds.
    pub(crate) fn millis(&self) -> f64 {
        self.median().as_secs_f64() * 1_000.0
    }

    /// Returns the median.
    pub(crate) fn median(&self) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort();
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slow_run_does_not_count() {
        let mut times = Times::default();
        for seconds in [2, 90, 1] {
            times.add(Duration::from_secs(seconds));
        }
        assert_eq!(times.median(), Duration::from_secs(2));
    }
}
