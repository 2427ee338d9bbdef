//! Rate limiting of failed sign-ins: increasing delays, without locking accounts.

use crate::wire::ApiError;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
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
    longest_wait: Duration::from_secs(15),
};

/// Maximum number of concurrent attempts per name, plus the reference in the map.
const MOST_WAITING: usize = 8 + 1;

/// Maximum number of names. Names without a recent failed attempt are removed first.
const MANY_NAMES: usize = 10_000;

/// Failed attempts by user name. The lock of a name is held during the complete attempt, so that concurrent attempts
/// are delayed one after the other.
#[derive(Default)]
pub(crate) struct RateLimit(Mutex<HashMap<String, Arc<tokio::sync::Mutex<Wrong>>>>);

/// Times of the failed attempts, oldest first.
#[derive(Default)]
struct Wrong(VecDeque<Instant>);

impl RateLimit {
    /// Performs one attempt for this name after the delay. A correct password is delayed as well, so that the response
    /// time does not reveal it.
    ///
    /// # Errors
    /// Code 500 if too many attempts are waiting; otherwise the error of `check`.
    pub(super) async fn attempt(
        &self,
        name: &str,
        check: impl Future<Output = Result<bool, ApiError>>,
    ) -> Result<bool, ApiError> {
        let wrong = self.of(name);
        // Each waiting attempt delays the following ones, including those of the owner of the name.
        if Arc::strong_count(&wrong) > MOST_WAITING {
            return Err(ApiError::failed(
                "Too many attempts to sign in with this name are waiting. Try again in a minute.",
            ));
        }
        let mut wrong = wrong.lock().await;
        tokio::time::sleep(wrong.wait(&POLICY, Instant::now())).await;
        // Count the attempt before the check, so that it counts even if the client disconnects.
        wrong.0.push_back(Instant::now());
        let right = check.await?;
        if right {
            wrong.0.clear();
        }
        Ok(right)
    }

    fn of(&self, name: &str) -> Arc<tokio::sync::Mutex<Wrong>> {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if names.len() >= MANY_NAMES {
            let now = Instant::now();
            names.retain(|_, wrong| wrong.try_lock().is_ok_and(|mut wrong| wrong.recent(&POLICY, now) > 0));
        }
        if names.len() >= MANY_NAMES {
            names.clear();
        }
        Arc::clone(names.entry(name.to_owned()).or_default())
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
        assert_eq!(waits(15), [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 15, 15, 15]);
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
        assert_eq!(slow.of("a").lock().await.0.len(), 0);
        assert_eq!(slow.of("b").lock().await.0.len(), 1);
    }

    #[tokio::test]
    async fn concurrent_attempts_for_one_name_run_in_sequence() {
        let slow = RateLimit::default();
        let inside = std::sync::atomic::AtomicUsize::new(0);
        let attempt = || {
            slow.attempt("a", async {
                use std::sync::atomic::Ordering::SeqCst;
                assert_eq!(inside.fetch_add(1, SeqCst), 0);
                tokio::task::yield_now().await;
                inside.fetch_sub(1, SeqCst);
                Ok(false)
            })
        };
        let (first, second, third) = tokio::join!(attempt(), attempt(), attempt());
        assert!(!first.unwrap() && !second.unwrap() && !third.unwrap());
        assert_eq!(slow.of("a").lock().await.0.len(), 3);
    }
}
