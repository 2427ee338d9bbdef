//! Which backup sets of a plan are kept, by which rule, and which are removed.
//!
//! Rules are joined by *or*: a set is kept if any rule keeps it. Sets that do not count are kept by the same rules,
//! counted apart, so that failed runs neither replace good sets nor fill the disk. What is decided here is the preview
//! in the window, and what a run removes.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::ISOWeekDate;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use serde::{Deserialize, Serialize};

/// Rules of a plan by which sets are kept. A rule that is `null` or 0 does not apply; without any rule, no set is
/// removed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeepRules {
    /// Number of newest sets to keep.
    pub last: Option<u32>,
    /// Number of days whose newest set is kept. Days without a set are not counted.
    pub daily: Option<u32>,
    /// Number of weeks whose newest set is kept. Weeks without a set are not counted.
    pub weekly: Option<u32>,
    /// Number of months whose newest set is kept. Months without a set are not counted.
    pub monthly: Option<u32>,
    /// Number of days before the newest set, in which all sets are kept. If the newest set is the first one after a
    /// pause of more than three intervals, the days before the previous set are kept instead: a clock that was set
    /// forward for one run removes nothing.
    pub within_days: Option<u32>,
}

impl KeepRules {
    /// Returns the rules that keep something: a number of zero is no rule.
    fn effective(&self) -> Self {
        let Self { last, daily, weekly, monthly, within_days } = self;
        let [last, daily, weekly, monthly, within_days] =
            [last, daily, weekly, monthly, within_days].map(|number| number.filter(|number| *number > 0));
        Self { last, daily, weekly, monthly, within_days }
    }
}

/// Facts of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetFacts {
    /// Name of the folder of the set: unique within the plan.
    pub name: String,
    /// When its run began.
    pub at: Timestamp,
    /// State of the set.
    pub state: SetState,
    /// Parts of which the set has a verified copy.
    pub verified_parts: BTreeSet<String>,
    /// Parts of which the set has a complete copy: verified, not recognized as an export, or with entries that cannot
    /// be verified.
    pub copied_parts: BTreeSet<String>,
    /// Whether the user pinned it.
    pub is_pinned: bool,
    /// When one of its files was last imported into a test site; `None` if never.
    pub rehearsed: Option<Timestamp>,
}

/// State of a set, as far as rules need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetState {
    /// Every part that can be verified here is.
    Counts,
    /// A part was not verified, for example because the run was stopped.
    Incomplete,
    /// The run has not ended.
    Running,
}

/// Whether a set is kept or removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Fate {
    /// The set is kept, for each of these reasons.
    Kept {
        /// Reasons; at least one.
        reasons: Vec<Reason>,
    },
    /// No rule keeps the set.
    Removed,
}

/// Reason why a set is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", content = "number", rename_all = "camelCase")]
pub enum Reason {
    /// It is the n-th newest set.
    Last(u32),
    /// It is the newest set of the n-th newest day with sets.
    Daily(u32),
    /// It is the newest set of the n-th newest week with sets.
    Weekly(u32),
    /// It is the newest set of the n-th newest month with sets.
    Monthly(u32),
    /// It is not older than the days in which all sets are kept.
    Within,
    /// It is the oldest set, and a rule requires more days, weeks, or months than have sets.
    Oldest,
    /// The user pinned it.
    Pinned,
    /// It has the newest verified export of a part, or the newest complete one.
    NewestOfPart,
    /// Its files are those that were imported last into a test site.
    Rehearsed,
    /// It has a part that was not verified, so that it does not count for the rules. A rule keeps it among the other
    /// sets that do not count.
    NotCounted,
    /// Its run has not ended.
    Running,
    /// No set of the plan is removed at the moment.
    NothingRemoved,
}

/// Reason why no set of a plan is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum NoRemoval {
    /// The plan has no rule.
    NoRule,
    /// No set is completely verified, and none has a complete export of a part.
    NothingVerified,
    /// The newest set is in the future by the clock of this computer.
    ClockSetBack,
    /// The newest set is older than three intervals of the plan: the clock was set forward, or the plan did not run.
    NewestIsOld,
}

/// Decision about all sets of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Each set with its fate, the newest first.
    pub sets: Vec<(SetFacts, Fate)>,
    /// Reason why nothing is removed; `None` if sets may be removed.
    pub nothing: Option<NoRemoval>,
}

/// Decides about all sets of a plan. `interval` is the longest one between two runs.
#[must_use]
pub fn decide(
    mut sets: Vec<SetFacts>,
    rules: &KeepRules,
    interval: SignedDuration,
    now: Timestamp,
    zone: &TimeZone,
) -> Decision {
    let rules = &rules.effective();
    sets.sort_by(|a, b| (b.at, &b.name).cmp(&(a.at, &a.name)));
    let nothing = no_removal(&sets, rules, interval, now);
    let reasons = reasons(&sets, rules, interval, zone);
    let fates = reasons.into_iter().map(|reasons| match (reasons.is_empty(), nothing) {
        (true, None) => Fate::Removed,
        (true, Some(_)) => Fate::Kept { reasons: vec![Reason::NothingRemoved] },
        (false, _) => Fate::Kept { reasons },
    });
    let fates: Vec<Fate> = fates.collect();
    Decision { sets: sets.into_iter().zip(fates).collect(), nothing }
}

fn no_removal(
    sets: &[SetFacts],
    rules: &KeepRules,
    interval: SignedDuration,
    now: Timestamp,
) -> Option<NoRemoval> {
    let newest = sets.first()?.at;
    if *rules == KeepRules::default() {
        return Some(NoRemoval::NoRule);
    }
    if !sets.iter().any(|set| set.state == SetState::Counts || !set.copied_parts.is_empty()) {
        return Some(NoRemoval::NothingVerified);
    }
    if now < newest {
        return Some(NoRemoval::ClockSetBack);
    }
    (now.duration_since(newest) > interval.saturating_mul(3)).then_some(NoRemoval::NewestIsOld)
}

/// Returns the reasons to keep each set; none for a set that is removed. `sets` are sorted, the newest first.
fn reasons(
    sets: &[SetFacts],
    rules: &KeepRules,
    interval: SignedDuration,
    zone: &TimeZone,
) -> Vec<Vec<Reason>> {
    let mut reasons: Vec<Vec<Reason>> = vec![Vec::new(); sets.len()];
    let in_state = |state: SetState| -> Vec<(usize, Zoned)> {
        let of_it = sets.iter().enumerate().filter(|(_, set)| set.state == state);
        of_it.map(|(index, set)| (index, set.at.to_zoned(zone.clone()))).collect()
    };
    for (index, reason) in by_rules(&in_state(SetState::Counts), rules, interval) {
        reasons[index].push(reason);
    }
    for (index, _) in by_rules(&in_state(SetState::Incomplete), rules, interval) {
        if reasons[index].is_empty() {
            reasons[index].push(Reason::NotCounted);
        }
    }
    let mut newest_copies: BTreeMap<(bool, &str), usize> = BTreeMap::new();
    for (index, set) in sets.iter().enumerate() {
        let copies = [(true, &set.verified_parts), (false, &set.copied_parts)];
        for (is_verified, part) in copies
            .into_iter()
            .flat_map(|(is_verified, parts)| parts.iter().map(move |part| (is_verified, part.as_str())))
        {
            newest_copies.entry((is_verified, part)).or_insert(index);
        }
    }
    for index in newest_copies.into_values().collect::<BTreeSet<_>>() {
        reasons[index].push(Reason::NewestOfPart);
    }
    let rehearsed = sets.iter().enumerate().filter(|(_, set)| set.rehearsed.is_some());
    if let Some((index, _)) = rehearsed.max_by_key(|(_, set)| set.rehearsed) {
        reasons[index].push(Reason::Rehearsed);
    }
    for (index, set) in sets.iter().enumerate() {
        if set.is_pinned {
            reasons[index].push(Reason::Pinned);
        }
        if set.state == SetState::Running {
            reasons[index].push(Reason::Running);
        }
    }
    reasons
}

/// Returns which of some sets the rules keep, and why. They are sorted, the newest first.
fn by_rules(sets: &[(usize, Zoned)], rules: &KeepRules, interval: SignedDuration) -> Vec<(usize, Reason)> {
    let mut kept = Vec::new();
    for (n, (index, _)) in (1..=rules.last.unwrap_or(0)).zip(sets) {
        kept.push((*index, Reason::Last(n)));
    }
    type Rule = (Option<u32>, fn(u32) -> Reason, fn(&Zoned) -> (i16, i16));
    let periods: [Rule; 3] = [
        (rules.daily, Reason::Daily, |at| (at.year(), at.day_of_year())),
        (rules.weekly, Reason::Weekly, |at| {
            let week: ISOWeekDate = at.date().iso_week_date();
            (week.year(), week.week().into())
        }),
        (rules.monthly, Reason::Monthly, |at| (at.year(), at.month().into())),
    ];
    for (wanted, reason, period) in periods {
        let Some(wanted) = wanted else { continue };
        let mut found = 0;
        let mut last = None;
        for (index, at) in sets {
            if found < wanted && last.replace(period(at)) != Some(period(at)) {
                found += 1;
                kept.push((*index, reason(found)));
            }
        }
        if found < wanted
            && let Some((oldest, _)) = sets.last()
            && !kept.contains(&(*oldest, Reason::Oldest))
        {
            kept.push((*oldest, Reason::Oldest));
        }
    }
    if let (Some(days), Some((_, newest))) = (rules.within_days, sets.first()) {
        let within = SignedDuration::from_hours(i64::from(days) * 24);
        let before = sets.get(1).map(|(_, before)| before).filter(|before| {
            newest.timestamp().duration_since(before.timestamp()) > interval.saturating_mul(3)
        });
        let from = before.unwrap_or(newest).timestamp();
        for (index, at) in sets {
            if from.duration_since(at.timestamp()) <= within {
                kept.push((*index, Reason::Within));
            }
        }
    }
    kept
}

/// Runs that are looked at for [`full_at`].
const LOOKED_AHEAD: usize = 400;

/// Returns the first of the next runs whose set has no room, if each leaves a set like the newest, as large as the
/// largest of the last three, and the rules remove others after it. `None` if all of them have room, or there is no set
/// to judge by.
#[must_use]
pub fn full_at(
    mut sets: Vec<(SetFacts, u64)>,
    rules: &KeepRules,
    interval: SignedDuration,
    mut free: u64,
    runs: impl Iterator<Item = Timestamp>,
    zone: &TimeZone,
) -> Option<Timestamp> {
    sets.retain(|(set, _)| set.state != SetState::Running);
    sets.sort_by_key(|(one, _)| std::cmp::Reverse(one.at));
    let size = sets.iter().take(3).map(|(_, size)| *size).max().filter(|size| *size > 0)?;
    let newest = SetFacts { is_pinned: false, rehearsed: None, ..sets.first()?.0.clone() };
    let has_rules = rules.effective() != KeepRules::default();
    for at in runs.take(LOOKED_AHEAD) {
        let Some(left) = free.checked_sub(size) else { return Some(at) };
        free = left;
        if !has_rules {
            continue;
        }
        sets.push((SetFacts { name: at.to_string(), at, ..newest.clone() }, size));
        let facts = sets.iter().map(|(set, _)| set.clone()).collect();
        let decided = decide(facts, rules, interval, at, zone).sets;
        let removed: BTreeSet<String> =
            decided.into_iter().filter(|(_, fate)| *fate == Fate::Removed).map(|(set, _)| set.name).collect();
        for (_, size) in sets.extract_if(.., |(set, _)| removed.contains(&set.name)) {
            free = free.saturating_add(size);
        }
    }
    None
}

#[cfg(test)]
mod tests;
