//! Words of a status.

/// Returns whether a word begins with `start`. Case is ignored.
pub(crate) fn starts_with(word: &str, start: &str) -> bool {
    word.get(..start.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(start))
}

/// Returns whether a status means success: `success`, `success with warning`, `success with warnings`. Case is ignored.
pub(crate) fn is_success(status: &str) -> bool {
    starts_with(status.trim(), "success")
}

/// Parts of the words that sites have for a failure.
const FAILURES: [&str; 9] =
    ["fail", "error", "false", "abort", "cancel", "reject", "invalid", "denied", "unsuccess"];

/// Returns whether a status means failure. Of any other that is no success, for example `in progress`, nothing is
/// known.
pub(crate) fn is_failure(status: &str) -> bool {
    let status = status.to_ascii_lowercase();
    FAILURES.iter().any(|word| status.contains(word))
}

/// Returns whether a status means success without warnings.
pub(crate) fn is_plain_success(status: &str) -> bool {
    status.trim().eq_ignore_ascii_case("success")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_that_starts_with_success_is_success() {
        assert!(
            is_success("success")
                && is_success("Success with warnings")
                && is_success("success with warning")
        );
        assert!(!is_success("succ") && !is_success("no success") && !is_success(""));
    }

    #[test]
    fn only_success_alone_is_without_warnings() {
        assert!(is_plain_success(" Success ") && !is_plain_success("success with warnings"));
    }
}
