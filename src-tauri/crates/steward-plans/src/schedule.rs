//! Schedule of a backup plan: days of the week and times of day, in local time.
//!
//! Schedulers of operating systems leave out a time that a change of daylight saving time skips, or do not document
//! what they do. Here such a time is moved by the length of the gap, and one that occurs twice is the first of both.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use steward_core::model::numbers::Millis;

/// Days and times at which a plan is due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Schedule {
    /// Days of the week, in any order.
    pub days: Vec<Day>,
    /// Times of each of these days, in any order.
    pub times: Vec<TimeOfDay>,
    /// Whether a time that passed while the computer was off is skipped. Otherwise, the plan runs once when the
    /// computer is on again.
    pub skip_missed: bool,
}

/// Day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Day {
    /// Monday.
    Monday,
    /// Tuesday.
    Tuesday,
    /// Wednesday.
    Wednesday,
    /// Thursday.
    Thursday,
    /// Friday.
    Friday,
    /// Saturday.
    Saturday,
    /// Sunday.
    Sunday,
}

/// Time of day, to the minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TimeOfDay {
    /// Hour, from 0 to 23.
    #[serde(deserialize_with = "below::<24, _>")]
    #[specta(type = u8)]
    pub hour: u8,
    /// Minute, from 0 to 59.
    #[serde(deserialize_with = "below::<60, _>")]
    #[specta(type = u8)]
    pub minute: u8,
}

/// Run at a time that does not exist on its day because of a change to daylight saving time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct MovedRun {
    /// Time when the run begins instead.
    pub at: Millis,
    /// Time of the schedule that does not exist on that day.
    pub time: TimeOfDay,
}

impl Schedule {
    /// Returns the times after a moment at which the plan is due, in order. None if no day or no valid time is named.
    pub fn after(&self, moment: Timestamp, zone: &TimeZone) -> impl Iterator<Item = Timestamp> {
        let mut times = self.times.clone();
        times.sort_unstable();
        times.dedup();
        let is_never = self.days.is_empty() || !times.iter().any(|time| time.is_valid());
        let first = (!is_never).then(|| moment.to_zoned(zone.clone()).date());
        let dates = first.into_iter().flat_map(|first| first.series(1.day()));
        let named = dates.filter(|date| self.days.iter().any(|day| day.is(*date)));
        let zone = zone.clone();
        let all = named.flat_map(move |date| {
            let at: Vec<Timestamp> = times.iter().filter_map(|time| time.on(date, &zone)).collect();
            at
        });
        // When daylight saving time begins, two times of the schedule can be the same moment.
        let mut last = moment;
        all.filter(move |at| {
            *at > last && {
                last = *at;
                true
            }
        })
    }

    /// Returns the next run within a year whose time a change of daylight saving time skips.
    #[must_use]
    pub(crate) fn next_moved(&self, now: Timestamp, zone: &TimeZone) -> Option<MovedRun> {
        let end = now.saturating_add(SignedDuration::from_hours(366 * 24)).ok()?;
        let coming = self.after(now, zone).take_while(|at| *at < end);
        coming.into_iter().find_map(|at| {
            let local = at.to_zoned(zone.clone());
            // A run at a time of the schedule is not moved, even if a skipped time is moved to it.
            let clock = |time: &TimeOfDay| (i64::from(time.hour) * 60) + i64::from(time.minute);
            let shown = i64::from(local.hour()) * 60 + i64::from(local.minute());
            if self.times.iter().any(|time| clock(time) == shown) {
                return None;
            }
            let skipped = self.times.iter().filter(|time| time.on(local.date(), zone) == Some(at));
            skipped.copied().next().map(|time| MovedRun { at: Millis::from(at), time })
        })
    }

    /// Returns the longest time between two runs, apart from changes of daylight saving time. `None` if there is never
    /// one.
    #[must_use]
    pub fn longest_interval(&self) -> Option<SignedDuration> {
        let week: Vec<Timestamp> = {
            let first = Timestamp::UNIX_EPOCH;
            let end = first + SignedDuration::from_hours(15 * 24);
            self.after(first, &TimeZone::UTC).take_while(|at| *at < end).collect()
        };
        week.windows(2).map(|pair| pair[1].duration_since(pair[0])).max()
    }
}

impl Day {
    /// All days, from Monday on.
    pub const ALL: [Self; 7] = [
        Self::Monday,
        Self::Tuesday,
        Self::Wednesday,
        Self::Thursday,
        Self::Friday,
        Self::Saturday,
        Self::Sunday,
    ];

    fn is(self, date: Date) -> bool {
        let place = date.weekday().to_monday_zero_offset();
        usize::try_from(place).is_ok_and(|place| Self::ALL.get(place) == Some(&self))
    }
}

impl TimeOfDay {
    /// Returns whether a clock shows this time.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        self.hour < 24 && self.minute < 60
    }

    fn on(self, date: Date, zone: &TimeZone) -> Option<Timestamp> {
        let (hour, minute) = (i8::try_from(self.hour).ok()?, i8::try_from(self.minute).ok()?);
        let time = jiff::civil::Time::new(hour, minute, 0, 0).ok()?;
        Some(date.to_datetime(time).to_zoned(zone.clone()).ok()?.timestamp())
    }
}

/// Reads a number below a limit: a plan at another time would never be due, and nothing would show that.
fn below<'de, const LIMIT: u8, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    let number = u8::deserialize(from)?;
    let beyond = || D::Error::custom(format_args!("{number} is not below {LIMIT}"));
    (number < LIMIT).then_some(number).ok_or_else(beyond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_no_clock_shows_is_not_read() {
        let read = |hour: u8, minute: u8| {
            serde_json::from_value::<TimeOfDay>(serde_json::json!({ "hour": hour, "minute": minute }))
        };
        assert!(read(23, 59).is_ok());
        for (hour, minute) in [(24, 0), (25, 0), (2, 60)] {
            assert!(read(hour, minute).unwrap_err().to_string().contains("is not below"), "{hour}:{minute}");
        }
    }

    fn at(days: &[Day], times: &[(u8, u8)]) -> Schedule {
        let times = times.iter().map(|&(hour, minute)| TimeOfDay { hour, minute }).collect();
        Schedule { days: days.to_vec(), times, skip_missed: false }
    }

    /// The next times after a local one, as a clock on the wall shows them.
    fn next(schedule: &Schedule, zone: &str, after: &str, number: usize) -> Vec<String> {
        let zone = TimeZone::get(zone).unwrap();
        let after = after.parse::<jiff::civil::DateTime>().unwrap().to_zoned(zone.clone()).unwrap();
        let times = schedule.after(after.timestamp(), &zone).take(number);
        times.map(|at| at.to_zoned(zone.clone()).strftime("%a %d %b %H:%M %Z").to_string()).collect()
    }

    #[test]
    fn a_plan_is_due_at_each_of_its_times_on_each_of_its_days() {
        let schedule = at(&[Day::Friday, Day::Monday], &[(22, 30), (1, 0)]);
        assert_eq!(
            next(&schedule, "Europe/Berlin", "2026-11-27T01:00", 4),
            ["Fri 27 Nov 22:30 CET", "Mon 30 Nov 01:00 CET", "Mon 30 Nov 22:30 CET", "Fri 04 Dec 01:00 CET"]
        );
    }

    #[test]
    fn a_time_that_the_change_of_daylight_saving_time_skips_is_an_hour_later() {
        let schedule = at(&Day::ALL, &[(2, 30)]);
        assert_eq!(
            next(&schedule, "Europe/Berlin", "2027-03-27T00:00", 3),
            ["Sat 27 Mar 02:30 CET", "Sun 28 Mar 03:30 CEST", "Mon 29 Mar 02:30 CEST"]
        );
        // It is then the same as another time of the plan.
        let schedule = at(&Day::ALL, &[(2, 30), (3, 30)]);
        assert_eq!(
            next(&schedule, "Europe/Berlin", "2027-03-28T00:00", 2),
            ["Sun 28 Mar 03:30 CEST", "Mon 29 Mar 02:30 CEST"]
        );
        // Here the gap begins at midnight.
        let schedule = at(&Day::ALL, &[(0, 15)]);
        assert_eq!(
            next(&schedule, "Africa/Cairo", "2027-04-29T12:00", 2),
            ["Fri 30 Apr 01:15 EEST", "Sat 01 May 00:15 EEST"]
        );
    }

    #[test]
    fn the_next_run_whose_time_does_not_exist_is_named() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let now: Timestamp = "2026-11-27T08:00:00Z".parse().unwrap();
        let moved = |schedule: Schedule| schedule.next_moved(now, &zone);
        let expected = MovedRun {
            at: Millis::from("2027-03-28T01:30:00Z".parse::<Timestamp>().unwrap()),
            time: TimeOfDay { hour: 2, minute: 30 },
        };
        assert_eq!(moved(at(&Day::ALL, &[(22, 0), (2, 30)])), Some(expected));
        // At 3:30, the plan runs at a time of its schedule.
        assert_eq!(moved(at(&Day::ALL, &[(2, 30), (3, 30)])), None);
        assert_eq!(moved(at(&[Day::Monday], &[(2, 30)])), None);
        assert_eq!(moved(at(&[], &[(2, 30)])), None);
    }

    #[test]
    fn a_time_that_occurs_twice_is_the_first_of_both() {
        let schedule = at(&Day::ALL, &[(2, 30)]);
        assert_eq!(
            next(&schedule, "Europe/Berlin", "2027-10-30T12:00", 2),
            ["Sun 31 Oct 02:30 CEST", "Mon 01 Nov 02:30 CET"]
        );
    }

    #[test]
    fn a_schedule_without_a_day_or_a_time_is_never_due() {
        for never in [at(&[], &[(1, 0)]), at(&Day::ALL, &[]), at(&Day::ALL, &[(24, 0), (3, 60)])] {
            assert_eq!(next(&never, "Europe/Berlin", "2026-11-27T00:00", 1), [""; 0]);
            assert_eq!(never.longest_interval(), None);
        }
    }

    #[test]
    fn the_longest_interval_is_that_over_the_weekend() {
        let hours = |schedule: Schedule| schedule.longest_interval().unwrap().as_hours();
        assert_eq!(hours(at(&Day::ALL, &[(1, 0)])), 24);
        assert_eq!(hours(at(&Day::ALL, &[(1, 0), (13, 0)])), 12);
        assert_eq!(hours(at(&Day::ALL[..5], &[(1, 0)])), 72);
        assert_eq!(hours(at(&[Day::Sunday], &[(1, 0)])), 168);
    }
}
