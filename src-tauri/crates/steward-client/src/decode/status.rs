//! Words of a status.

/// Returns whether a word begins with `start`. Case is ignored.
pub(super) fn starts_with(word: &str, start: &str) -> bool {
    word.get(..start.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(start))
}

/// Returns whether a status means success: `success`, `success with warning`, `success with warnings`. Case is ignored.
pub(crate) fn is_success(status: &str) -> bool {
    starts_with(status.trim(), "success")
}

/// Returns whether a status means success without warnings.
pub(crate) fn is_plain_success(status: &str) -> bool {
    status.trim().eq_ignore_ascii_case("success")
}
