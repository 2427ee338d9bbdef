//! Time formats of the service.

use jiff::{Timestamp, Zoned};

/// Milliseconds of a day.
pub(crate) const DAY: i64 = 24 * 60 * 60 * 1000;

/// Returns the current time in milliseconds since 1970, the unit of all times in the JSON of the service.
pub(crate) fn now_ms() -> i64 {
    Timestamp::now().as_millisecond()
}

/// Returns the base name of an export file: `<month>-<day>-<year>_<hour>-<minute>-<second>` (specification, "Export
/// result").
pub(crate) fn file_timestamp(when: &Zoned) -> String {
    when.strftime("%b-%d-%Y_%H-%M-%S").to_string()
}

/// Returns a date as text, in the format of the uploads list.
pub(crate) fn text_date(ms: i64) -> String {
    Timestamp::from_millisecond(ms)
        .map(|when| when.strftime("%a %b %d %H:%M:%S UTC %Y").to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn export_file_name_has_english_month_and_two_digits() {
        let when: Zoned = "2026-03-04T01:05:09[UTC]".parse().unwrap();
        assert_eq!(file_timestamp(&when), "Mar-04-2026_01-05-09");
    }
}
