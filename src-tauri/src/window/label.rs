//! The label that the system parts of the window are found by.

/// Label of the window.
pub const MAIN: &str = "main";
