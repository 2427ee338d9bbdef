//! Why a keyring cannot be used.

use serde::{Deserialize, Serialize};

/// State of a keyring that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum KeyringState {
    /// There is no keyring on this desktop.
    Absent,
    /// The keyring is locked, or access was denied.
    Locked,
    /// The keyring did not respond in time. It might be waiting for the user to unlock it.
    Slow,
    /// Any other failure.
    Failed,
}
