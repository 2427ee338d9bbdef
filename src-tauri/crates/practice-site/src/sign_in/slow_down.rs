//! Guessing passwords takes ever longer, without locking anybody out.

use crate::wire::Refusal;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How wrong passwords are paid for.
#[derive(Clone, Copy)]
struct Policy {
    /// Wrong ones that cost nothing: the vendor's Python client tries one wrong password four times.
    free: usize,
    /// After this long a wrong one is forgotten.
    window: Duration,
    /// What the first one after the free ones costs. Each further one costs twice as much.
    first_wait: Duration,
    longest_wait: Duration,
}

const POLICY: Policy = Policy {
    free: 8,
    window: Duration::from_secs(10 * 60),
    first_wait: Duration::from_secs(1),
    longest_wait: Duration::from_secs(15),
};

/// Attempts for one name that may wait for each other, and the name's own place in the list.
const MOST_WAITING: usize = 8 + 1;

/// More names than this are not remembered at once; those without a recent wrong password go first.
const MANY_NAMES: usize = 10_000;

/// What is remembered of each user name. The lock is held through a whole attempt, so that attempts side by side
/// wait for each other instead of all finding the same short wait.
#[derive(Default)]
pub(crate) struct SlowDown(Mutex<HashMap<String, Arc<tokio::sync::Mutex<Wrong>>>>);

/// When wrong passwords came, the oldest first.
#[derive(Default)]
struct Wrong(VecDeque<Instant>);

impl SlowDown {
    /// Makes one attempt for this name, after the wait that earlier ones have earned it. A right password waits
    /// as well: the answer must not be told apart by its time.
    pub(super) async fn attempt(
        &self,
        name: &str,
        check: impl Future<Output = Result<bool, Refusal>>,
    ) -> Result<bool, Refusal> {
        let wrong = self.of(name);
        // Each one in the queue holds up those behind it, the owner of the name among them.
        if Arc::strong_count(&wrong) > MOST_WAITING {
            return Err(Refusal::failed(
                "Too many attempts to sign in with this name are waiting. Try again in a minute.",
            ));
        }
        let mut wrong = wrong.lock().await;
        tokio::time::sleep(wrong.wait(&POLICY, Instant::now())).await;
        // Counted before the check: a client that hangs up in between has had its attempt.
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
    fn two_wrong_logins_of_the_python_client_cost_nothing_and_guessing_ever_more() {
        assert_eq!(waits(15), [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 15, 15, 15]);
    }

    #[test]
    fn wrong_passwords_are_forgotten_after_the_window() {
        let start = Instant::now();
        let mut wrong = Wrong(std::iter::repeat_n(start, 12).collect());
        assert_eq!(wrong.wait(&POLICY, start), POLICY.longest_wait);
        assert_eq!(wrong.wait(&POLICY, start + POLICY.window), Duration::ZERO);
    }

    #[tokio::test]
    async fn a_right_password_clears_the_name_and_no_other() {
        let slow = SlowDown::default();
        for name in ["a", "a", "b"] {
            assert!(!slow.attempt(name, async { Ok(false) }).await.unwrap());
        }
        assert!(slow.attempt("a", async { Ok(true) }).await.unwrap());
        assert_eq!(slow.of("a").lock().await.0.len(), 0);
        assert_eq!(slow.of("b").lock().await.0.len(), 1);
    }

    #[tokio::test]
    async fn attempts_side_by_side_for_one_name_run_one_after_the_other() {
        let slow = SlowDown::default();
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
