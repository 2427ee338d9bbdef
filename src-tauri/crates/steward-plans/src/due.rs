//! Whether a backup plan is due, and whether it is overdue.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use steward_core::model::numbers::Millis;

use super::attempt::Attempt;
use super::plan::BackupPlan;
use super::schedule::Schedule;
use super::store::{self, ProgressStore};

/// Lateness from which a time of the schedule counts as missed. The scheduler of the system starts the program at each
/// time and once an hour.
const LATE: SignedDuration = SignedDuration::from_mins(90);

/// Time for a run and its repetitions, after which a plan without a verified set is overdue.
pub const GRACE: SignedDuration = SignedDuration::from_hours(6);

/// Difference up to which a clock that was set back changes nothing. Otherwise a clock that is corrected by seconds
/// would start a plan twice.
const CORRECTION: SignedDuration = SignedDuration::from_hours(1);

/// Period in which every schedule has at least one time.
const FORTNIGHT: SignedDuration = SignedDuration::from_hours(14 * 24);

/// How far a plan has come in its schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Time up to which the plan ran or left out all times of its schedule. Of a new plan, the time when it was
    /// enabled.
    pub handled: Timestamp,
    /// Time of the schedule whose run ended before a request was sent. It is repeated until the next one.
    pub repeat: Option<Timestamp>,
}

/// Step of a plan that is due now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Nothing.
    NotYet,
    /// A run, and only one for all times that passed.
    Run {
        /// Time of the schedule that it runs for.
        scheduled: Timestamp,
    },
    /// Nothing: the time passed while the computer was off, and the plan leaves out what it missed.
    Skip {
        /// Last time of the schedule that passed.
        scheduled: Timestamp,
    },
    /// Nothing: the clock was set back before the last run. The schedule continues from now.
    ClockSetBack,
}

/// Returns the attempt of a plan that is due in a runner that was started at a time; `None` if none is. Writes which
/// times of its schedule are over.
pub(crate) fn next(
    store: &ProgressStore,
    plan: &BackupPlan,
    (started, now): (Timestamp, Timestamp),
    zone: &TimeZone,
) -> Option<Attempt> {
    let known = store.read(|state| state.of(plan));
    // A plan that was enabled again, or has other times, missed nothing before. A time in the future is of a clock that
    // was set back since.
    let [since, enabled] = [plan.since, plan.enabled_since]
        .map(|since| Some(since.timestamp()).filter(|since| *since <= now).unwrap_or(Timestamp::MIN));
    let from = Progress {
        handled: known.handled.timestamp().max(since),
        // A run is also repeated if only the times of the schedule were changed since.
        repeat: known.repeat.map(Millis::timestamp).filter(|repeat| *repeat >= enabled),
    };
    match due(&plan.schedule, from, (started, now), zone) {
        Due::Run { scheduled } => {
            let is_repetition = from.repeat == Some(scheduled);
            return Some(Attempt { scheduled: Some(scheduled), is_repetition });
        }
        Due::NotYet => {}
        Due::ClockSetBack => {
            tracing::warn!(plan = plan.id.0, "the clock was set back; the schedule continues from now");
            store::change(store, plan, |progress| {
                (progress.handled, progress.repeat) = (Millis::from(now), None);
            });
        }
        Due::Skip { scheduled } => store::change(store, plan, |progress| {
            progress.handled = Millis::from(scheduled);
            (progress.left_out, progress.repeat) = (Some(Millis::from(scheduled)), None);
        }),
    }
    None
}

/// Returns what a plan has to do. A time that was not missed when the runner was `started` is not missed while it runs
/// other plans.
#[must_use]
pub fn due(
    schedule: &Schedule,
    progress: Progress,
    (started, now): (Timestamp, Timestamp),
    zone: &TimeZone,
) -> Due {
    if progress.handled.duration_since(now) > CORRECTION {
        return Due::ClockSetBack;
    }
    match last_time(schedule, progress.handled, now, zone).or(progress.repeat) {
        None => Due::NotYet,
        Some(scheduled) if schedule.skip_missed && started.duration_since(scheduled) > LATE => {
            Due::Skip { scheduled }
        }
        Some(scheduled) => Due::Run { scheduled },
    }
}

/// Returns the last time of a schedule since a moment; `None` if none has passed.
pub(crate) fn last_time(
    schedule: &Schedule,
    since: Timestamp,
    now: Timestamp,
    zone: &TimeZone,
) -> Option<Timestamp> {
    // Without this limit, a file with a time of the year 1 would cost hours.
    let from = since.max(now.saturating_sub(FORTNIGHT).unwrap_or(Timestamp::MIN));
    schedule.after(from, zone).take_while(|at| *at <= now).last()
}

/// Returns the time at which a verified set was expected, if a plan is overdue. `verified` is when the run of its
/// last verified set began, or when it was enabled. A schedule without a time, which only a damaged file has, expects one at once:
/// its plan would never run, and nothing would show that.
#[must_use]
pub fn overdue_since(
    schedule: &Schedule,
    verified: Timestamp,
    now: Timestamp,
    zone: &TimeZone,
) -> Option<Timestamp> {
    let expected = schedule.after(verified, zone).next().unwrap_or(verified);
    (now.duration_since(expected) > GRACE).then_some(expected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{Day, TimeOfDay};

    fn nightly(skip_missed: bool) -> Schedule {
        Schedule { days: Day::ALL.to_vec(), times: vec![TimeOfDay { hour: 1, minute: 0 }], skip_missed }
    }

    fn utc(text: &str) -> Timestamp {
        format!("2026-{text}:00Z").parse().unwrap()
    }

    fn handled(until: &str) -> Progress {
        Progress { handled: utc(until), repeat: None }
    }

    fn due_at(skip_missed: bool, progress: Progress, now: &str) -> Due {
        due(&nightly(skip_missed), progress, (utc(now), utc(now)), &TimeZone::UTC)
    }

    fn run(scheduled: &str) -> Due {
        Due::Run { scheduled: utc(scheduled) }
    }

    #[test]
    fn a_time_of_long_ago_is_not_counted_from() {
        let handled = "-009999-01-02T01:59:59Z".parse().unwrap();
        let times: Vec<_> =
            (0..24).flat_map(|hour| [0, 30].map(|minute| TimeOfDay { hour, minute })).collect();
        let schedule = Schedule { days: Day::ALL.to_vec(), times, skip_missed: false };

        let now = utc("11-27T00:45");
        let due = due(&schedule, Progress { handled, repeat: None }, (now, now), &TimeZone::UTC);

        assert_eq!(due, Due::Run { scheduled: utc("11-27T00:30") });
    }

    #[test]
    fn a_plan_is_due_at_its_time_and_not_again_until_the_next_one() {
        let enabled = handled("11-26T12:00");
        assert_eq!(due_at(false, enabled, "11-27T00:59"), Due::NotYet);
        assert_eq!(due_at(false, enabled, "11-27T01:00"), run("11-27T01:00"));
        assert_eq!(due_at(false, enabled, "11-27T03:40"), run("11-27T01:00"));
        assert_eq!(due_at(false, handled("11-27T01:00"), "11-27T23:00"), Due::NotYet);
    }

    #[test]
    fn after_a_week_off_a_plan_runs_once_or_leaves_out_what_it_missed() {
        let before = handled("11-20T01:00");
        assert_eq!(due_at(false, before, "11-27T08:00"), run("11-27T01:00"));
        assert_eq!(due_at(true, before, "11-27T08:00"), Due::Skip { scheduled: utc("11-27T01:00") });
        // The computer was switched on in time for the last one.
        assert_eq!(due_at(true, before, "11-27T02:00"), run("11-27T01:00"));
    }

    #[test]
    fn a_time_that_passed_while_another_plan_ran_is_not_missed() {
        let before = handled("11-26T01:00");
        let at = |started, now| due(&nightly(true), before, (utc(started), utc(now)), &TimeZone::UTC);
        assert_eq!(at("11-27T01:00", "11-27T02:35"), run("11-27T01:00"));
        assert_eq!(at("11-27T00:30", "11-27T09:00"), run("11-27T01:00"));
        assert_eq!(at("11-27T02:35", "11-27T02:35"), Due::Skip { scheduled: utc("11-27T01:00") });
    }

    #[test]
    fn a_run_that_sent_nothing_is_repeated_until_the_next_time_of_the_schedule() {
        let failed = Progress { repeat: Some(utc("11-27T01:00")), ..handled("11-27T01:00") };
        assert_eq!(due_at(false, failed, "11-27T02:00"), run("11-27T01:00"));
        assert_eq!(due_at(false, failed, "11-28T00:59"), run("11-27T01:00"));
        assert_eq!(due_at(false, failed, "11-28T01:00"), run("11-28T01:00"));
        // A plan that leaves out missed times is not repeated at noon either.
        assert_eq!(due_at(true, failed, "11-27T12:00"), Due::Skip { scheduled: utc("11-27T01:00") });
    }

    #[test]
    fn a_clock_that_was_set_back_starts_no_run_twice_and_stops_no_plan_for_years() {
        // The clock was corrected by a minute, just after the run began.
        assert_eq!(due_at(false, handled("11-27T01:00"), "11-27T00:59"), Due::NotYet);
        // The clock showed another year for a while.
        assert_eq!(due_at(false, handled("12-31T01:00"), "11-27T08:00"), Due::ClockSetBack);
        assert_eq!(due_at(false, handled("11-27T08:00"), "11-28T01:00"), run("11-28T01:00"));
    }

    #[test]
    fn a_plan_is_overdue_some_hours_after_a_verified_set_was_expected() {
        let overdue = |verified, now| overdue_since(&nightly(false), utc(verified), utc(now), &TimeZone::UTC);
        assert_eq!(overdue("11-26T01:00", "11-27T07:00"), None);
        assert_eq!(overdue("11-26T01:00", "11-27T07:01"), Some(utc("11-27T01:00")));
        assert_eq!(overdue("11-20T01:00", "11-27T08:00"), Some(utc("11-21T01:00")));
        // A clock that was set back makes nothing overdue.
        assert_eq!(overdue("12-31T01:00", "11-27T08:00"), None);
    }

    #[test]
    fn a_plan_whose_times_were_lost_is_overdue_at_once() {
        let never = Schedule { times: Vec::new(), ..nightly(false) };
        let overdue = |now| overdue_since(&never, utc("11-26T01:00"), utc(now), &TimeZone::UTC);
        assert_eq!(overdue("11-26T07:00"), None);
        assert_eq!(overdue("11-26T07:01"), Some(utc("11-26T01:00")));
    }

    #[test]
    fn a_plan_that_was_handled_last_in_the_first_year_runs_once_without_a_walk_through_all_years() {
        let times = (0..24 * 60).map(|minute: u16| TimeOfDay {
            hour: u8::try_from(minute / 60).unwrap(),
            minute: u8::try_from(minute % 60).unwrap(),
        });
        let schedule = Schedule { times: times.collect(), ..nightly(false) };
        let first = Progress { handled: Timestamp::MIN, repeat: None };
        let now = utc("11-27T08:00");
        assert_eq!(due(&schedule, first, (now, now), &TimeZone::UTC), run("11-27T08:00"));
    }
}
