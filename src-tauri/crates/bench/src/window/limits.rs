//! Limits of what is measured in the window.

/// Maximum number of elements in a page, regardless of the length of its list.
pub(super) const MOST_ELEMENTS: f64 = 2_000.0;

/// Maximum time from the last byte of a response to its first painted rows, in milliseconds.
pub(super) const PAINTED: f64 = 150.0;

/// Maximum time from a pressed heading or a typed letter to the rows in their new order, in milliseconds.
pub(super) const ANSWERED: f64 = 100.0;
