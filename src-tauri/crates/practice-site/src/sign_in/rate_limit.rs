//! Rate limiting of failed sign-ins: increasing delays, without locking accounts.
//!
//! Attempts wait side by side, not one after the other: a correct password waits for the longest delay at most, however many
//! other attempts there are. The passwords of a site have 96 random bits and cannot be guessed: the delays are there because
//! real sites have them.

use crate::wire::ApiError;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Parameters of the delays.
#[derive(Clone, Copy)]
struct Policy {
    /// Failed attempts without a delay. The vendor's Python client tries one wrong password 4 times.
    free: usize,
    /// Time after which a failed attempt no longer counts.
    window: Duration,
    /// First delay. Each further failed attempt doubles it.
    first_wait: Duration,
    longest_wait: Duration,
}

const POLICY: Policy = Policy {
    free: 8,
    window: Duration::from_secs(10 * 60),
    first_wait: Duration::from_secs(1),
    longest_wait: Duration::from_secs(5),
};

/// Maximum number of names. Names without a recent failed attempt are removed first.
const MANY_NAMES: usize = 10_000;

/// Maximum number of failed attempts that are counted for a name: all that come later wait for the longest delay.
const MOST_COUNTED: usize = 32;

/// Failed attempts by user name.
#[derive(Default)]
pub(crate) struct RateLimit(Mutex<HashMap<String, Wrong>>);

/// Times of the failed attempts, oldest first.
#[derive(Default)]
struct Wrong(VecDeque<Instant>);

impl RateLimit {
    /// Performs one attempt for this name after the delay. A correct password is delayed as well, so that the response
    /// time does not reveal it.
    pub(super) async fn attempt(
        &self,
        name: &str,
        check: impl Future<Output = Result<bool, ApiError>>,
    ) -> Result<bool, ApiError> {
        tokio::time::sleep(self.count(name, Instant::now())).await;
        let right = check.await?;
        if right {
            self.names().remove(name);
        }
        Ok(right)
    }

    /// Counts an attempt and returns its delay. It is counted before the check, so that it counts even if the client
    /// disconnects.
    fn count(&self, name: &str, now: Instant) -> Duration {
        let mut names = self.names();
        if names.len() >= MANY_NAMES {
            names.retain(|_, wrong| wrong.recent(&POLICY, now) > 0);
        }
        if names.len() >= MANY_NAMES {
            names.clear();
        }
        let wrong = names.entry(name.to_owned()).or_default();
        let wait = wrong.wait(&POLICY, now);
        wrong.0.push_back(now);
        if wrong.0.len() > MOST_COUNTED {
            wrong.0.pop_front();
        }
        wait
    }

    fn names(&self) -> MutexGuard<'_, HashMap<String, Wrong>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wrong {
    fn recent(&mut self, policy: &Policy, now: Instant) -> usize {
        while self.0.front().is_some_and(|when| now.duration_since(*when) >= policy.window) {
            self.0.pop_front();
        }
        self.0.len()
    }

    fn wait(&mut self, policy: &Policy, now: Instant) -> Duration {
        let Some(costly) = self.recent(policy, now).checked_sub(policy.free) else {
            return Duration::ZERO;
        };
        let doublings = u32::try_from(costly.min(16)).unwrap_or(16);
        policy.first_wait.saturating_mul(1 << doublings).min(policy.longest_wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(count: usize) -> Vec<u64> {
        let now = Instant::now();
        let mut wrong = Wrong::default();
        let mut waits = Vec::new();
        for _ in 0..count {
            waits.push(wrong.wait(&POLICY, now).as_secs());
            wrong.0.push_back(now);
        }
        waits
    }

    #[test]
    fn delay_starts_after_the_free_attempts_and_doubles() {
        assert_eq!(waits(15), [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 5, 5, 5, 5]);
    }

    #[test]
    fn failed_attempts_expire_after_the_window() {
        let start = Instant::now();
        let mut wrong = Wrong(std::iter::repeat_n(start, 12).collect());
        assert_eq!(wrong.wait(&POLICY, start), POLICY.longest_wait);
        assert_eq!(wrong.wait(&POLICY, start + POLICY.window), Duration::ZERO);
    }

    #[tokio::test]
    async fn correct_password_clears_only_its_own_name() {
        let slow = RateLimit::default();
        for name in ["a", "a", "b"] {
            assert!(!slow.attempt(name, async { Ok(false) }).await.unwrap());
        }
        assert!(slow.attempt("a", async { Ok(true) }).await.unwrap());
        let counted = |name: &str| slow.names().get(name).map_or(0, |wrong| wrong.0.len());
        assert_eq!((counted("a"), counted("b")), (0, 1));
    }

    #[test]
    fn however_many_wait_for_a_name_the_next_waits_no_longer_than_the_longest_delay() {
        let slow = RateLimit::default();
        let now = Instant::now();
        let waits: Vec<Duration> = (0..1_000).map(|_| slow.count("a", now)).collect();
        assert_eq!(waits.iter().max(), Some(&POLICY.longest_wait));
        assert_eq!(slow.names()["a"].0.len(), MOST_COUNTED);
    }
}
