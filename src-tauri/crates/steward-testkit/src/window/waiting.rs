//! How long the tests wait for the window.

use std::time::Duration;

/// Time limit for the window to show something. A debug build on a busy computer is slow.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// Pause between two checks.
pub(super) const BLINK: Duration = Duration::from_millis(100);
