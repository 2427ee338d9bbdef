//! Paths of data store items.

/// Normalizes a path to a leading slash and no trailing slash; clients write both forms.
pub(crate) fn path(given: &str) -> String {
    format!("/{}", given.trim_matches('/'))
}
