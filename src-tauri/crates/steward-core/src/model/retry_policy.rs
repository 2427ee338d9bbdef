//! How long a transfer is kept up on a bad line.

use std::time::Duration;

/// How long a transfer is kept up on a bad line.
#[derive(Debug, Clone, Copy)]
pub struct Persistence {
    /// Tries in a row that may bring nothing, before it is given up.
    pub tries: u32,
    /// The pause before the second try; each further one is twice as long.
    pub pause: Duration,
    /// How long nothing may move before the line counts as broken.
    pub stalled: Duration,
}

impl Default for Persistence {
    fn default() -> Self {
        Self { tries: 5, pause: Duration::from_secs(1), stalled: steward_client::STALLED }
    }
}

impl Persistence {
    /// One try, and no more.
    #[must_use]
    pub fn none() -> Self {
        Self { tries: 0, ..Self::default() }
    }

    /// Waits before the next try, after so many in vain.
    pub(crate) async fn pause(&self, in_vain: u32) {
        tokio::time::sleep(self.pause * 2_u32.saturating_pow(in_vain.min(6))).await;
    }
}
