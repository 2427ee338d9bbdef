//! What replaces a secret.

/// Text that replaces a secret.
pub const MASK: &str = "***";
