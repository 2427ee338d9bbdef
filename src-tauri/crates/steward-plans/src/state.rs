//! State of a backup plan, as the window shows it: verified, or what is wrong and since when.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use steward_core::model::ids::ServerId;
use steward_core::model::numbers::{Bytes, Millis, count};

use super::acceptance::reminded_at;
use super::acceptance_line::{AcceptanceLine, SessionEnd};
use super::due::overdue_since;
use super::not_removed::WhyNotRemoved;
use super::plan::{BackupPlan, runs_by_schedule};
use super::set::{PartState, Verdict};
use super::store::{LastRun, PlanProgress};

/// State of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PlanState {
    /// The plan is paused.
    Paused,
    /// The plan has not run since it was saved, or since it got another part, and no run was due.
    New,
    /// The last set is as the plan expects.
    Verified {
        /// Time when the run of that set began.
        at: Millis,
    },
    /// The plan requires an action of a user.
    NeedsYou {
        /// Time since which it is required.
        since: Millis,
        /// Reason.
        reason: NeedsYou,
    },
    /// A run was due, but did not begin.
    DidNotRun {
        /// Time at which the run was due.
        since: Millis,
    },
}

/// Reason why a plan requires an action of a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum NeedsYou {
    /// A part of the last set is not as the plan expects.
    Part {
        /// Server; `null` for the portal.
        server: Option<ServerId>,
        /// State of the part.
        state: PartState,
        /// Number of other parts with the same problem.
        others: u32,
    },
    /// The last run did not begin, because a requirement of the acceptance list was not met.
    NotAccepted {
        /// Line of the acceptance list.
        line: Box<AcceptanceLine>,
    },
    /// The last run created no set.
    NoSet {
        /// Reason as text.
        note: String,
    },
    /// No user is signed in at a part, for example because its session ended when the proxy was changed.
    SignIn {
        /// Server; `null` for the portal.
        server: Option<ServerId>,
    },
    /// A session ends within a week, and a user has to sign in again.
    SessionEnds {
        /// Part, and time when its session ends.
        end: SessionEnd,
    },
    /// The export of a part is much smaller than usual.
    Small {
        /// Server; `null` for the portal.
        server: Option<ServerId>,
        /// Size of its file.
        size: Bytes,
        /// Usual size of earlier exports of the part.
        usual: Bytes,
    },
    /// Sets that no rule keeps could not be removed.
    NotRemoved {
        /// Number of these sets.
        sets: u32,
        /// Reason why the first of them could not be removed.
        why: WhyNotRemoved,
    },
    /// The site of the plan is no longer saved. The plan can only be deleted.
    NoSite,
    /// No export of a part was rehearsed within the period that the plan requires.
    Rehearse {
        /// Server; `null` for the portal.
        server: Option<ServerId>,
        /// Time of the last rehearsal of the part; `null` if there was none.
        last: Option<Millis>,
    },
}

/// Facts that the state of a plan depends on, besides its progress.
#[derive(Debug, Clone, Default)]
pub struct PlanFacts {
    /// Parts whose session ended, with the time of the check; `None` for the portal.
    pub signed_out: Vec<(Option<ServerId>, Millis)>,
    /// First end of a session of its parts; `None` if none is near.
    pub session_end: Option<SessionEnd>,
    /// Last rehearsal of each part whose content is read on this computer; empty if the plan requires no rehearsals.
    pub rehearsed: Vec<(Option<ServerId>, Option<Millis>)>,
}

/// Returns the state of a plan.
#[must_use]
pub fn state(
    plan: &BackupPlan,
    progress: Option<&PlanProgress>,
    facts: &PlanFacts,
    now: Timestamp,
    zone: &TimeZone,
) -> PlanState {
    if !plan.is_enabled {
        return PlanState::Paused;
    }
    let last = progress.and_then(|progress| progress.last.as_ref());
    if runs_by_schedule(plan) {
        let known =
            progress.map(|progress| [progress.begun, progress.verified]).into_iter().flatten().flatten();
        // A run in the future began by a clock that was ahead, and is ignored. The run before it is known by its set.
        let began = known.chain(last.map(|last| last.at)).filter(|at| at.timestamp() <= now).max();
        let began = began.map_or(plan.since, |at| Millis(at.0.max(plan.since.0)));
        if let Some(since) = overdue_since(&plan.schedule, began.timestamp(), now, zone) {
            return PlanState::DidNotRun { since: Millis::from(since) };
        }
    }
    let needs = |since, reason| PlanState::NeedsYou { since, reason };
    if let Some(last) = last.filter(|last| last.verdict != Verdict::AsExpected) {
        return needs(last.at, why(last));
    }
    if let Some((last, part)) =
        last.and_then(|last| Some((last, last.parts.iter().find(|one| !one.is_recognized())?)))
    {
        let reason = NeedsYou::Part { server: part.server.clone(), state: part.state.clone(), others: 0 };
        return needs(last.at, reason);
    }
    let is_part = |server: &Option<ServerId>| plan.parts.iter().any(|part| part.server() == server.as_ref());
    // A run after the check was signed in, so that the check no longer counts.
    let is_newer = |at: Millis| last.is_none_or(|last| at.0 > last.at.0);
    let signed_out = facts.signed_out.iter().find(|(server, at)| is_part(server) && is_newer(*at));
    if let Some((server, at)) = signed_out {
        return needs(*at, NeedsYou::SignIn { server: server.clone() });
    }
    if let Some(end) = facts.session_end.clone()
        && let Some(since) = reminded_at(end.ends, now)
    {
        return needs(since, NeedsYou::SessionEnds { end });
    }
    let small = last.into_iter().flat_map(|last| last.parts.iter().map(move |part| (last.at, part)));
    for (at, part) in small {
        if let (Some(usual), Some(size)) = (part.usual_size, part.export_size()) {
            return needs(at, NeedsYou::Small { server: part.server.clone(), size, usual });
        }
    }
    let not_removed = progress.map_or(&[][..], |progress| &progress.not_removed);
    if let Some(first) = not_removed.iter().min_by_key(|one| one.since) {
        let (sets, why) = (count(not_removed.len()), first.why.clone());
        return needs(first.since, NeedsYou::NotRemoved { sets, why });
    }
    if let Some(every) = plan.rehearse_every {
        for (server, rehearsed) in &facts.rehearsed {
            let from = rehearsed.unwrap_or(plan.since).timestamp().to_zoned(zone.clone());
            if let Ok(until) = from.checked_add(every.span())
                && until.timestamp() < now
            {
                let reason = NeedsYou::Rehearse { server: server.clone(), last: *rehearsed };
                return needs(Millis::from(until.timestamp()), reason);
            }
        }
    }
    let has = |last: &LastRun, server: Option<&ServerId>| {
        last.parts.iter().any(|part| part.server.as_ref() == server)
    };
    match last {
        Some(last) if plan.parts.iter().all(|part| has(last, part.server())) => {
            PlanState::Verified { at: last.at }
        }
        _ => PlanState::New,
    }
}

/// Returns the reason why a run is not as expected: that of the worst part, or why there is no set.
fn why(LastRun { parts, note, refused, .. }: &LastRun) -> NeedsYou {
    if let Some(line) = refused {
        return NeedsYou::NotAccepted { line: Box::new(line.clone()) };
    }
    let worst = parts.iter().rev().max_by_key(|part| part.verdict());
    match worst {
        Some(worst) if worst.verdict() != Verdict::AsExpected => {
            let alike = parts.iter().filter(|part| part.state == worst.state);
            NeedsYou::Part {
                server: worst.server.clone(),
                state: worst.state.clone(),
                others: count(alike.count().saturating_sub(1)),
            }
        }
        _ => NeedsYou::NoSet { note: note.clone() },
    }
}

#[cfg(test)]
mod tests;
