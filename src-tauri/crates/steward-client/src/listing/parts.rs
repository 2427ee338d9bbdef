//! Number of the parts of a list that are requested.

use crate::error::ClientError;

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
