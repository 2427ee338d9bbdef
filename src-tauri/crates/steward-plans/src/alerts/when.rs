//! When an alert about a backup plan is due. What the functions return depends on their arguments only.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use steward_core::model::numbers::Millis;

use crate::due::overdue_since;
use crate::not_removed::NotRemoved;
use crate::plan::BackupPlan;
use crate::set::{PartFault, Verdict};
use crate::store::{LastRun, PlanProgress};

/// Time after which an alert is repeated while its trouble lasts.
const AGAIN: SignedDuration = SignedDuration::from_hours(24);

/// Setback of the clock up to which earlier alerts still count.
const CORRECTION: SignedDuration = SignedDuration::from_hours(1);

/// Reason for an alert about a plan that has a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Trouble {
    /// The last run failed.
    Failed,
    /// The outcome of the last run is unknown.
    Unknown,
    /// No run left a verified set for longer than the schedule allows.
    Overdue,
    /// The keyring is locked or absent.
    KeyringLocked,
    /// A user has to sign in.
    SignIn,
    /// Sets that no rule keeps could not be removed after more than one run.
    NotRemoved,
    /// A file of the app cannot be read. The alert is about the app, and not about one plan.
    Unreadable,
    /// The data folder cannot be used, so that no plan runs.
    NoDataFolder,
}

/// Subject of an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", content = "trouble", rename_all = "camelCase")]
pub enum AlertAbout {
    /// A plan has a problem.
    Trouble(Trouble),
    /// A plan has a verified set again, after a problem.
    Recovered,
    /// Something on a site expires soon, or has expired.
    Expires,
    /// All plans of a night ran as expected.
    AllWell,
    /// The configuration of a site changed since an earlier run.
    Changed,
    /// None: a user tests whether alerts arrive.
    Test,
}

/// State of a plan for its alerts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Its last set is as expected, and recent enough.
    Well,
    /// Something is wrong.
    Troubled(Trouble),
    /// Nothing new is known, for example because its run is repeated until there is a network.
    Unchanged,
}

/// Alerts about a plan so far, since it last stood well.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told(BTreeMap<Trouble, ToldTrouble>);

impl Told {
    /// Adds the alerts that another process sent.
    pub(super) fn add(&mut self, others: Self) {
        for (trouble, other) in others.0 {
            let own = self.0.entry(trouble).or_insert(other);
            *own = ToldTrouble { first: own.first.min(other.first), last: own.last.max(other.last) };
        }
    }
}

/// Alerts about one trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct ToldTrouble {
    first: Millis,
    last: Millis,
}

/// Returns the state of a plan for its alerts.
#[must_use]
pub fn standing(plan: &BackupPlan, progress: &PlanProgress, now: Timestamp, zone: &TimeZone) -> Standing {
    // Runs before the plan was enabled do not count. A change of its schedule does not end a trouble. A time in the
    // future is of a clock that was set back since, and must not keep the plan silent until then.
    let [since, enabled] = [plan.since, plan.enabled_since]
        .map(|since| if since.timestamp() > now { Millis::from(Timestamp::MIN) } else { since });
    let last = progress.last.as_ref().filter(|last| last.at >= enabled);
    if let Some(trouble) = last.and_then(trouble_of) {
        return Standing::Troubled(trouble);
    }
    // A set counts as well if its file is not recognized as an export.
    let well =
        last.filter(|last| last.verdict == Verdict::AsExpected && last.at >= since).map(|last| last.at);
    // A run in the future began by a clock that was ahead, and shows nothing of the time since.
    let known = [progress.verified, well].into_iter().flatten().filter(|at| at.timestamp() <= now);
    let verified = known.fold(since, Ord::max);
    if overdue_since(&plan.schedule, verified.timestamp(), now, zone).is_some() {
        return Standing::Troubled(Trouble::Overdue);
    }
    let goes_on = |one: &NotRemoved| last.is_some_and(|last| one.since < last.at);
    if progress.not_removed.iter().any(goes_on) {
        return Standing::Troubled(Trouble::NotRemoved);
    }
    if well.is_some() { Standing::Well } else { Standing::Unchanged }
}

/// Returns what is wrong with a run. Two kinds are no trouble until the plan is overdue: a run without a connection, which is
/// repeated, and a skipped run, for example on a busy site, which waits for the next time of the schedule.
fn trouble_of(run: &LastRun) -> Option<Trouble> {
    match (run.verdict, run.fault) {
        (Verdict::AsExpected | Verdict::Skipped, _) => None,
        (Verdict::Failed, Some(fault)) if run.folder.is_none() && fault.passes_soon() => None,
        (_, Some(PartFault::SignIn)) => Some(Trouble::SignIn),
        (_, Some(PartFault::Keyring)) => Some(Trouble::KeyringLocked),
        (Verdict::Running | Verdict::Unknown, _) => Some(Trouble::Unknown),
        (Verdict::Failed, _) => Some(Trouble::Failed),
    }
}

/// Returns the alert that is due, and notes it: each trouble at once and then once a day, and the end of all once.
pub fn decide(told: &mut Told, standing: Standing, now: Timestamp) -> Option<AlertAbout> {
    let trouble = match standing {
        Standing::Unchanged => return None,
        Standing::Well => {
            let was_troubled = !std::mem::take(&mut told.0).is_empty();
            return was_troubled.then_some(AlertAbout::Recovered);
        }
        Standing::Troubled(trouble) => trouble,
    };
    let now_millis = Millis::from(now);
    match told.0.get_mut(&trouble) {
        // The alert was sent by a clock that was ahead.
        Some(before) if before.last.timestamp().duration_since(now) > CORRECTION => {
            *before = ToldTrouble { first: now_millis, last: now_millis };
        }
        // Days are counted from the first alert, so that the daily alert does not move to a later hour each day.
        Some(before) if days(before.first, now) <= days(before.first, before.last.timestamp()) => {
            return None;
        }
        Some(before) => before.last = now_millis,
        None => {
            told.0.insert(trouble, ToldTrouble { first: now_millis, last: now_millis });
        }
    }
    Some(AlertAbout::Trouble(trouble))
}

/// Returns the number of whole days from one time to another.
fn days(from: Millis, to: Timestamp) -> i64 {
    to.duration_since(from.timestamp()).as_secs().div_euclid(AGAIN.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        format!("2027-06-{text}:00Z").parse().unwrap()
    }

    /// Alerts of a plan whose standing changes at times.
    fn alerts(standings: &[(&str, Standing)]) -> Vec<(String, AlertAbout)> {
        let mut told = Told::default();
        let due = standings.iter().filter_map(|(time, standing)| {
            decide(&mut told, *standing, at(time)).map(|about| ((*time).to_owned(), about))
        });
        due.collect()
    }

    const FAILED: Standing = Standing::Troubled(Trouble::Failed);
    const SIGN_IN: Standing = Standing::Troubled(Trouble::SignIn);

    fn trouble(time: &str, trouble: Trouble) -> (String, AlertAbout) {
        (time.to_owned(), AlertAbout::Trouble(trouble))
    }

    #[test]
    fn success_is_silent_and_a_trouble_is_told_at_once_then_daily_and_its_end_once() {
        let found = alerts(&[
            ("01T02:30", Standing::Well),
            ("02T02:40", FAILED),
            ("02T03:00", FAILED),
            ("03T02:30", FAILED),
            ("03T03:00", FAILED),
            ("04T02:00", FAILED),
            ("04T03:00", FAILED),
            ("05T02:30", Standing::Well),
            ("06T02:30", Standing::Well),
        ]);
        let recovered = ("05T02:30".to_owned(), AlertAbout::Recovered);
        let expected = ["02T02:40", "03T03:00", "04T03:00"].map(|time| trouble(time, Trouble::Failed));
        assert_eq!(found, [&expected[..], &[recovered]].concat());
    }

    #[test]
    fn another_trouble_is_told_at_once_but_two_that_take_turns_are_told_once_a_day_each() {
        let found = alerts(&[
            ("02T02:30", FAILED),
            ("02T03:30", SIGN_IN),
            ("02T04:30", FAILED),
            ("02T05:30", SIGN_IN),
            ("03T03:00", FAILED),
        ]);
        assert_eq!(
            found,
            [
                trouble("02T02:30", Trouble::Failed),
                trouble("02T03:30", Trouble::SignIn),
                trouble("03T03:00", Trouble::Failed),
            ]
        );
    }

    #[test]
    fn what_is_not_known_neither_begins_nor_ends_an_alert() {
        let found = alerts(&[
            ("01T02:30", Standing::Unchanged),
            ("02T02:30", FAILED),
            ("03T03:30", Standing::Unchanged),
            ("03T04:30", FAILED),
        ]);
        assert_eq!(found, [trouble("02T02:30", Trouble::Failed), trouble("03T04:30", Trouble::Failed)]);
    }

    #[test]
    fn a_clock_that_showed_another_year_silences_no_alert_for_years() {
        let mut told = Told::default();
        let later: Timestamp = "2030-01-01T00:00:00Z".parse().unwrap();
        assert!(decide(&mut told, FAILED, later).is_some());
        assert!(decide(&mut told, FAILED, at("02T03:00")).is_some());
        assert!(decide(&mut told, FAILED, at("02T04:00")).is_none());
        assert!(decide(&mut told, FAILED, at("03T03:00")).is_some());
    }
}
