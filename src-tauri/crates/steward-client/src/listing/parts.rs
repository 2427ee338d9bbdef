//! Parts of a list that are requested, and a list that did not come.

use crate::error::ClientError;

/// Returns the error of a response without its list. An empty list in its place would mean that there is nothing.
pub(crate) fn no_list(expected: &'static str) -> ClientError {
    ClientError::unreadable(expected, "the response contains no such list")
}

/// Maximum number of folders, roots, or collaborations that a list names. Each is requested, and Stop does not end the
/// requests of a list.
const PARTS: usize = 10_000;

/// Checks that a list does not name more parts than are requested.
pub(crate) fn are_few<T>(parts: &[T], expected: &'static str) -> Result<(), ClientError> {
    match parts.len() {
        0..=PARTS => Ok(()),
        many => Err(ClientError::unreadable(
            expected,
            format!("it names {many} parts, and at most {PARTS} are read"),
        )),
    }
}
