//! The two ways this site tells the time.

use jiff::{Timestamp, Zoned};

/// Milliseconds since 1970, the unit of every time in the area's JSON.
pub(crate) fn now_ms() -> i64 {
    Timestamp::now().as_millisecond()
}

/// The base of an export's file name: `<month>-<day>-<year>_<hour>-<minute>-<second>` (Export result).
pub(crate) fn file_timestamp(when: &Zoned) -> String {
    when.strftime("%b-%d-%Y_%H-%M-%S").to_string()
}

/// A text date as the uploads listing shows it.
pub(crate) fn text_date(ms: i64) -> String {
    Timestamp::from_millisecond(ms)
        .map(|when| when.strftime("%a %b %d %H:%M:%S UTC %Y").to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exports_name_carries_an_english_month_and_two_digits_elsewhere() {
        let when: Zoned = "2026-03-04T01:05:09[UTC]".parse().unwrap();
        assert_eq!(file_timestamp(&when), "Mar-04-2026_01-05-09");
    }
}
