//! Delivery schedule of feature service webhooks.

use serde_json::Value;

/// Default interval between deliveries, in seconds.
pub(crate) const DEFAULT_INTERVAL: i64 = 20;
/// Units of an interval, with their length in milliseconds.
pub(crate) const FREQUENCIES: [(&str, i64); 4] =
    [("second", 1000), ("minute", 60_000), ("hour", 3_600_000), ("day", 86_400_000)];

/// Returns the first time of the schedule at or after `now`: `startAt` plus a multiple of the interval. Times are in
/// milliseconds since 1970.
pub(super) fn next_due(schedule: &Value, now: i64) -> i64 {
    let recurrence = &schedule["recurrenceInfo"];
    let unit =
        FREQUENCIES.iter().find(|(name, _)| recurrence["frequency"] == *name).map_or(1000, |(_, ms)| *ms);
    let step = recurrence["interval"].as_i64().unwrap_or(DEFAULT_INTERVAL).max(1).saturating_mul(unit);
    let start = schedule["startAt"].as_i64().unwrap_or(now);
    if start >= now {
        return start;
    }
    // The numbers come from a request and can have any size: calculate in 128 bits.
    let (start, now, step) = (i128::from(start), i128::from(now), i128::from(step));
    let steps = (now - start + step - 1) / step;
    i64::try_from(start + steps * step).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn next_due_time_follows_the_schedule() {
        let due = |frequency: &str, interval: i64, start: i64, now: i64| {
            let recurrence = json!({ "frequency": frequency, "interval": interval });
            next_due(&json!({ "startAt": start, "recurrenceInfo": recurrence }), now)
        };
        assert_eq!(due("second", 20, 5_000, 6_000), 25_000);
        assert_eq!(due("second", 20, 5_000, 25_000), 25_000);
        assert_eq!(due("second", 20, 5_000, 25_001), 45_000);
        assert_eq!(due("minute", 2, 0, 1), 120_000);
        assert_eq!(due("second", 20, 90_000, 1), 90_000, "not before it starts");
        assert_eq!(next_due(&Value::Null, 7), 7);
        assert!(due("day", i64::MAX, i64::MIN, i64::MAX) > 0);
    }
}
