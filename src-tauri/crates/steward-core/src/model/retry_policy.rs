//! Retries of interrupted transfers.

use std::time::Duration;

/// Retry limits of a transfer.
#[derive(Debug, Clone, Copy)]
pub struct RetryPolicy {
    /// Consecutive attempts without progress before the transfer fails. 0: no retries.
    pub tries: u32,
    /// Shortest pause between two attempts; doubled after each attempt without progress, up to 64 times.
    pub pause: Duration,
    /// Time without any transferred byte after which the connection counts as broken.
    pub stalled: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { tries: 5, pause: Duration::from_secs(1), stalled: steward_client::STALLED }
    }
}

impl RetryPolicy {
    /// Returns a policy without retries.
    #[must_use]
    pub fn none() -> Self {
        Self { tries: 0, ..Self::default() }
    }

    /// Returns the policy for a server that restarts: ten minutes, by pauses of one second to one minute.
    #[must_use]
    pub fn of_restart() -> Self {
        Self { tries: 14, ..Self::default() }
    }

    /// Waits before the next attempt, after `in_vain` attempts without progress.
    pub async fn pause(&self, in_vain: u32) {
        tokio::time::sleep(self.pause * 2_u32.saturating_pow(in_vain.min(6))).await;
    }
}
