//! The site's clock, compared with ours. A token's end and an invitation's last day are read by the site's clock,
//! and a token is refused where the two differ too much.

use std::time::{Duration, SystemTime};

use jiff::{SignedDuration, Timestamp};
use reqwest::Response;
use reqwest::header::{AGE, DATE, HeaderName};

use crate::area::Area;
use crate::error::ClientError;

/// For connection and answer together: one small page.
const WITHIN: Duration = Duration::from_secs(15);

/// What a site's clock showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SiteClock {
    /// The time at the site, in whole seconds.
    pub time: Timestamp,
    /// How far the site's clock is ahead of ours; negative where it is behind.
    pub ahead: SignedDuration,
    /// How much of `ahead` may be due to the road and to the whole seconds.
    pub uncertainty: Duration,
}

impl SiteClock {
    /// What the site's clock shows at `ours`, a time by our clock.
    #[must_use]
    pub fn at(&self, ours: Timestamp) -> Timestamp {
        ours.saturating_add(self.ahead).unwrap_or(ours)
    }

    /// Whether the clocks differ by more than `tolerated`, whatever the road took.
    #[must_use]
    pub fn differs_by_more_than(&self, tolerated: Duration) -> bool {
        self.ahead.unsigned_abs() > tolerated.saturating_add(self.uncertainty)
    }

    /// `sent` and `came` are by our clock.
    fn read(response: &Response, sent: Timestamp, came: Timestamp) -> Option<Self> {
        let header = |name: HeaderName| response.headers().get(name)?.to_str().ok();
        let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(header(DATE)?.trim()).ok()?;
        // A cache on the way repeats the date at which the site answered somebody else.
        let age = header(AGE).and_then(|age| age.trim().parse::<u32>().ok()).unwrap_or_default();
        let time = date.checked_add(SignedDuration::from_secs(age.into())).ok()?;
        let road = came.duration_since(sent).unsigned_abs();
        let half = SignedDuration::try_from(road / 2).ok()?;
        let middle = sent.checked_add(half).ok()?;
        // The header leaves out what is less than a second, half a second on average.
        let ahead = time.duration_since(middle).checked_add(SignedDuration::from_millis(500))?;
        Some(Self { time, ahead, uncertainty: road / 2 + Duration::from_millis(500) })
    }
}

impl Area {
    /// Asks the site for the time, without a token. `None` when its answer names none.
    ///
    /// # Errors
    /// When there is no answer. A refusal is an answer: it has a date too.
    pub async fn clock(&self) -> Result<Option<SiteClock>, ClientError> {
        let sent = now();
        let response = self.look(&["rest", "info"], WITHIN).await?;
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

    fn read(headers: &[(&str, &str)], came: Timestamp) -> Option<SiteClock> {
        let mut response = http::Response::builder();
        for (name, value) in headers {
            response = response.header(*name, *value);
        }
        SiteClock::read(&response.body(Vec::new()).unwrap().into(), SENT, came)
    }

    #[test]
    fn a_site_whose_clock_is_ahead_is_known_by_the_date_of_its_answer() {
        let clock = read(&[("date", "Sun, 06 Nov 1994 08:49:37 GMT")], SENT).unwrap();

        assert_eq!(clock.time, Timestamp::constant(784_111_777, 0));
        assert_eq!(clock.ahead, SignedDuration::from_millis(7_500));
        assert_eq!(clock.at(SENT), Timestamp::constant(784_111_777, 500_000_000));
        assert!(clock.differs_by_more_than(Duration::from_secs(6)));
        assert!(!clock.differs_by_more_than(Duration::from_secs(7)));
    }

    #[test]
    fn a_slow_road_is_not_taken_for_a_wrong_clock() {
        let came = SENT.checked_add(SignedDuration::from_secs(14)).unwrap();

        let clock = read(&[("date", "Sun, 06 Nov 1994 08:49:43 GMT")], came).unwrap();

        assert_eq!(clock.ahead, SignedDuration::from_millis(6_500));
        assert!(!clock.differs_by_more_than(Duration::ZERO));
    }

    #[test]
    fn an_answer_out_of_a_cache_is_as_old_as_it_says() {
        let headers = [("date", "Sun, 06 Nov 1994 08:49:00 GMT"), ("age", "37")];
        assert_eq!(read(&headers, SENT).unwrap().time, Timestamp::constant(784_111_777, 0));
    }

    #[test]
    fn an_answer_without_a_date_or_with_an_odd_one_tells_no_time() {
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
