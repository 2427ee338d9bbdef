//! Comparison of the token lifetime with the expected duration of an operation.

use std::time::Duration;

/// Margin for clock differences and for a run that takes longer than the last one.
const MARGIN: Duration = Duration::from_secs(5 * 60);

/// Remaining lifetime of a token compared with an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenExpiry {
    /// The token will probably outlast the operation.
    Enough,
    /// The token will probably expire first.
    Short {
        /// Missing lifetime, including the margin.
        by: Duration,
    },
    /// The site did not return an expiry.
    Unknown,
}

/// Compares the lifetime of a token with the duration of an earlier run.
///
/// `expires_at` and `now` are in milliseconds since 1970. If `took_before` is `None`, only a margin of 5 minutes is
/// required.
#[must_use]
pub fn token_expiry(expires_at: Option<i64>, now: i64, took_before: Option<Duration>) -> TokenExpiry {
    let Some(expires_at) = expires_at else { return TokenExpiry::Unknown };
    let left = Duration::from_millis(u64::try_from(expires_at.saturating_sub(now)).unwrap_or(0));
    let needed = took_before.unwrap_or_default().saturating_add(MARGIN);
    match needed.checked_sub(left) {
        None | Some(Duration::ZERO) => TokenExpiry::Enough,
        Some(by) => TokenExpiry::Short { by },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);
    const NOW: i64 = 1_767_225_600_000;

    #[test]
    fn token_must_outlast_an_earlier_run_of_an_hour() {
        let in_minutes = |minutes: i64| token_expiry(Some(NOW + minutes * 60_000), NOW, Some(HOUR));

        assert_eq!(in_minutes(120), TokenExpiry::Enough);
        assert_eq!(in_minutes(65), TokenExpiry::Enough);
        assert_eq!(in_minutes(60), TokenExpiry::Short { by: Duration::from_secs(300) });
        assert_eq!(in_minutes(-10), TokenExpiry::Short { by: Duration::from_secs(3900) });
    }

    #[test]
    fn without_an_earlier_run_only_the_margin_is_required() {
        assert_eq!(token_expiry(Some(NOW + 600_000), NOW, None), TokenExpiry::Enough);
        assert_eq!(
            token_expiry(Some(NOW + 60_000), NOW, None),
            TokenExpiry::Short { by: Duration::from_secs(240) }
        );
        assert_eq!(token_expiry(None, NOW, Some(HOUR)), TokenExpiry::Unknown);
    }
}
