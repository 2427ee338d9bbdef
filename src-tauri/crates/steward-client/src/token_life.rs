//! Whether a token lives long enough for what is about to begin.

use std::time::Duration;

/// Clocks differ, and an operation may take longer than the last time.
const MARGIN: Duration = Duration::from_secs(5 * 60);

/// What is left of a token, beside what an operation needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenLife {
    /// It will outlive the operation.
    Enough,
    /// It is likely to end first.
    Short {
        /// By how much.
        by: Duration,
    },
    /// The site did not say when it ends.
    Unknown,
}

/// Compares the life of a token with how long an operation took before; with nothing known of that, only a margin
/// is asked for. Times are in milliseconds since 1970.
#[must_use]
pub fn token_life(expires_at: Option<i64>, now: i64, took_before: Option<Duration>) -> TokenLife {
    let Some(expires_at) = expires_at else { return TokenLife::Unknown };
    let left = Duration::from_millis(u64::try_from(expires_at.saturating_sub(now)).unwrap_or(0));
    let needed = took_before.unwrap_or_default().saturating_add(MARGIN);
    match needed.checked_sub(left) {
        None | Some(Duration::ZERO) => TokenLife::Enough,
        Some(by) => TokenLife::Short { by },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);
    const NOW: i64 = 1_767_225_600_000;

    #[test]
    fn a_token_must_outlive_what_took_an_hour_before() {
        let in_minutes = |minutes: i64| token_life(Some(NOW + minutes * 60_000), NOW, Some(HOUR));

        assert_eq!(in_minutes(120), TokenLife::Enough);
        assert_eq!(in_minutes(65), TokenLife::Enough);
        assert_eq!(in_minutes(60), TokenLife::Short { by: Duration::from_secs(300) });
        assert_eq!(in_minutes(-10), TokenLife::Short { by: Duration::from_secs(3900) });
    }

    #[test]
    fn without_an_earlier_run_a_few_minutes_must_be_left() {
        assert_eq!(token_life(Some(NOW + 600_000), NOW, None), TokenLife::Enough);
        assert_eq!(
            token_life(Some(NOW + 60_000), NOW, None),
            TokenLife::Short { by: Duration::from_secs(240) }
        );
        assert_eq!(token_life(None, NOW, Some(HOUR)), TokenLife::Unknown);
    }
}
