//! Difference between the clock of a site and the local clock.
//!
//! Token and invitation expiry are given in the site's time, and a site rejects a token if the clocks differ too much.
//! [`Endpoint::clock`] reads the `Date` header of one response; no token is sent.

use std::time::{Duration, SystemTime};

use jiff::{SignedDuration, Timestamp};
use reqwest::Response;
use reqwest::header::{AGE, DATE, HeaderName};

use crate::endpoint::Endpoint;
use crate::error::ClientError;

/// Timeout for connection and response together. The response is one small page.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Time at a site compared with the local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SiteClock {
    /// Site time when the response was sent, with a resolution of 1 second.
    pub time: Timestamp,
    /// Site time minus local time; negative if the site's clock is behind.
    pub ahead: SignedDuration,
    /// Maximum error of `ahead`, from the round trip and the one-second resolution of the header.
    pub uncertainty: Duration,
}

impl SiteClock {
    /// Returns the site time that corresponds to the local time `ours`.
    #[must_use]
    pub fn at(&self, ours: Timestamp) -> Timestamp {
        ours.saturating_add(self.ahead).unwrap_or(ours)
    }

    /// Returns the local time that corresponds to the site time `theirs`. Both are in milliseconds since 1970.
    #[must_use]
    pub fn here(&self, theirs: i64) -> i64 {
        let ahead = i64::try_from(self.ahead.as_millis()).unwrap_or_default();
        theirs.saturating_sub(ahead)
    }

    /// Returns whether the clocks differ by more than `tolerated`, after the uncertainty is subtracted.
    #[must_use]
    pub fn differs_by_more_than(&self, tolerated: Duration) -> bool {
        self.ahead.unsigned_abs() > tolerated.saturating_add(self.uncertainty)
    }

    /// Reads the site time from `Date` and `Age`. `sent` and `received` are local times of request and response.
    /// Returns `None` if `Date` is missing or cannot be parsed.
    fn read(response: &Response, sent: Timestamp, received: Timestamp) -> Option<Self> {
        let header = |name: HeaderName| response.headers().get(name)?.to_str().ok();
        let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(header(DATE)?.trim()).ok()?;
        // A cache repeats the `Date` of an earlier response and reports its age in `Age`.
        let age = header(AGE).and_then(|age| age.trim().parse::<u32>().ok()).unwrap_or_default();
        let time = date.checked_add(SignedDuration::from_secs(age.into())).ok()?;
        let round_trip = received.duration_since(sent).unsigned_abs();
        let half = SignedDuration::try_from(round_trip / 2).ok()?;
        let middle = sent.checked_add(half).ok()?;
        // The header is truncated to whole seconds: 0.5 s are lost on average.
        let ahead = time.duration_since(middle).checked_add(SignedDuration::from_millis(500))?;
        Some(Self { time, ahead, uncertainty: round_trip / 2 + Duration::from_millis(500) })
    }
}

impl Endpoint {
    /// Reads the site time from the response to `GET rest/info`, without a token.
    ///
    /// A rejection also has a `Date` header, so it counts as a response. Returns `None` if the header is missing or
    /// cannot be parsed.
    ///
    /// # Errors
    /// A connection error of [`ClientError`] if no response is received within 15 seconds.
    pub async fn clock(&self) -> Result<Option<SiteClock>, ClientError> {
        let sent = now();
        let response = self.look(&["rest", "info"], TIMEOUT).await?;
        Ok(SiteClock::read(&response, sent, now()))
    }
}

fn now() -> Timestamp {
    Timestamp::try_from(SystemTime::now()).unwrap_or(Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENT: Timestamp = Timestamp::constant(784_111_770, 0);

    fn read(headers: &[(&str, &str)], received: Timestamp) -> Option<SiteClock> {
        let mut response = http::Response::builder();
        for (name, value) in headers {
            response = response.header(*name, *value);
        }
        SiteClock::read(&response.body(Vec::new()).unwrap().into(), SENT, received)
    }

    #[test]
    fn date_header_shows_that_the_site_clock_is_ahead() {
        let clock = read(&[("date", "Sun, 06 Nov 1994 08:49:37 GMT")], SENT).unwrap();

        assert_eq!(clock.time, Timestamp::constant(784_111_777, 0));
        assert_eq!(clock.ahead, SignedDuration::from_millis(7_500));
        assert_eq!(clock.at(SENT), Timestamp::constant(784_111_777, 500_000_000));
        assert_eq!(clock.here(784_111_777_500), SENT.as_millisecond());
        assert!(clock.differs_by_more_than(Duration::from_secs(6)));
        assert!(!clock.differs_by_more_than(Duration::from_secs(7)));
    }

    #[test]
    fn long_round_trip_is_not_a_clock_difference() {
        let received = SENT.checked_add(SignedDuration::from_secs(14)).unwrap();

        let clock = read(&[("date", "Sun, 06 Nov 1994 08:49:43 GMT")], received).unwrap();

        assert_eq!(clock.ahead, SignedDuration::from_millis(6_500));
        assert!(!clock.differs_by_more_than(Duration::ZERO));
    }

    #[test]
    fn age_of_a_cached_response_is_added_to_its_date() {
        let headers = [("date", "Sun, 06 Nov 1994 08:49:00 GMT"), ("age", "37")];
        assert_eq!(read(&headers, SENT).unwrap().time, Timestamp::constant(784_111_777, 0));
    }

    #[test]
    fn missing_or_invalid_date_gives_no_time() {
        for headers in [
            &[][..],
            &[("date", "")],
            &[("date", "yesterday")],
            &[("date", "Sun, 06 Nov 99999 08:49:00 GMT")],
        ] {
            assert_eq!(read(headers, SENT), None, "{headers:?}");
        }
    }
}
