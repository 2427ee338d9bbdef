//! The acceptance list of a backup plan: judges, from facts that are here, whether the plan can run without a user.
//!
//! A line that is [`NotMet`](LineState::NotMet) keeps an enabled plan from being saved, and a saved one from running. A
//! line that is [`NotKnown`](LineState::NotKnown) does neither: a site without a backup is worse.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use steward_client::Version;
use steward_core::model::ids::ServerId;
use steward_core::model::keyring_state::KeyringState;
use steward_core::model::numbers::{Bytes, Millis};
use steward_core::model::unavailable_reason::UnavailableReason;

use super::acceptance_line::{
    AcceptanceLine, FolderFault, LineAbout, LineState, PlanSession, Remedy, SessionEnd,
};

/// Time in which the user is asked to sign in again, before a refresh token ends too soon for the plan.
const NOTICE: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Last version on which an export ends when its token expires, one hour after it was issued.
const SHORT_TOKENS: Version = Version::new(10, 8);

/// Life of a token during an export up to [`SHORT_TOKENS`].
const SHORT_LIFE: Duration = Duration::from_hours(1);

/// Facts that the acceptance list of a plan depends on.
#[derive(Debug, Clone)]
pub struct AcceptanceFacts {
    /// Time of the judgement.
    pub now: Timestamp,
    /// How long the plan has to run without a user from then on; `None` if a user starts each of its runs.
    pub unattended: Option<SignedDuration>,
    /// Parts of the plan.
    pub parts: Vec<PartFacts>,
    /// Folder for the sets.
    pub folder: FolderFacts,
    /// Whether the site is read-only.
    pub is_read_only: bool,
    /// Whether each file of the portal stays in the folder that the portal writes it to.
    pub keeps_portal_files: bool,
    /// Whether each upload stays on its server.
    pub keeps_uploads: bool,
}

/// Facts of a part.
#[derive(Debug, Clone)]
pub struct PartFacts {
    /// Server; `None` for the portal.
    pub server: Option<ServerId>,
    /// Where its session began: at this server, or at the portal for `None`.
    pub signs_in_at: Option<ServerId>,
    /// Session.
    pub session: PlanSession,
    /// Version; `None` if it is not known.
    pub version: Option<Version>,
    /// Reason why it cannot be exported; `None` if it can, as far as that is known.
    pub unavailable: Option<UnavailableReason>,
    /// Duration of the longest earlier export; `None` if there was none.
    pub longest: Option<Duration>,
}

/// Facts of the folder for the sets.
#[derive(Debug, Clone)]
pub struct FolderFacts {
    /// Reason why no set can be written to it.
    pub fault: Option<FolderFault>,
    /// Free space; `None` if the system does not return it.
    pub free: Option<Bytes>,
    /// Size of the last set that is as the plan expects; `None` before the first one.
    pub last_set: Option<Bytes>,
    /// Name of the folder that another program synchronizes, if it is in one.
    pub synchronized: Option<String>,
}

/// Returns the acceptance list of a plan.
#[must_use]
pub fn judge(facts: &AcceptanceFacts) -> Vec<AcceptanceLine> {
    let mut lines = sessions(facts);
    lines.extend(versions(&facts.parts));
    lines.extend(facts.parts.iter().filter_map(token_life));
    lines.extend(folder(&facts.folder));
    let about = LineAbout::OnlyExports {
        is_read_only: facts.is_read_only,
        keeps_portal_files: facts.keeps_portal_files,
        keeps_uploads: facts.keeps_uploads,
    };
    lines.push(AcceptanceLine { state: LineState::Met, about, remedy: None });
    lines
}

/// Returns the first line that keeps a plan from running.
#[must_use]
pub fn obstacle(lines: Vec<AcceptanceLine>) -> Option<AcceptanceLine> {
    lines.into_iter().find(|line| line.state == LineState::NotMet)
}

/// Returns the first end of a session of these parts, after which a user has to sign in again.
#[must_use]
pub fn session_end(parts: &[PartFacts]) -> Option<SessionEnd> {
    let ends = parts.iter().filter_map(|part| match part.session {
        PlanSession::RefreshToken { ends } => {
            Some(SessionEnd { server: part.signs_in_at.clone(), ends: ends? })
        }
        _ => None,
    });
    ends.min_by_key(|end| end.ends)
}

/// Returns the time of the last reminder of the end of a session: a week before it, and again a day before. `None`
/// before the first one.
#[must_use]
pub fn reminded_at(ends: Millis, now: Timestamp) -> Option<Millis> {
    let before = |time: SignedDuration| ends.timestamp().saturating_sub(time).ok();
    let mut reminders = [SignedDuration::from_hours(24), NOTICE].into_iter().filter_map(before);
    reminders.find(|at| *at <= now).map(Millis::from)
}

/// Returns a line for each kind of session, with all parts that have it.
fn sessions(facts: &AcceptanceFacts) -> Vec<AcceptanceLine> {
    let mut lines: Vec<AcceptanceLine> = Vec::new();
    for part in &facts.parts {
        let (state, remedy) = session(facts, part);
        let same = lines.iter_mut().find_map(|line| match &mut line.about {
            LineAbout::Session { parts, session } if *session == part.session && line.remedy == remedy => {
                Some(parts)
            }
            _ => None,
        });
        match same {
            Some(parts) => parts.push(part.server.clone()),
            None => {
                let (parts, session) = (vec![part.server.clone()], part.session.clone());
                lines.push(AcceptanceLine { state, about: LineAbout::Session { parts, session }, remedy });
            }
        }
    }
    lines
}

fn session(facts: &AcceptanceFacts, part: &PartFacts) -> (LineState, Option<Remedy>) {
    let sign_in = || Some(Remedy::SignIn { server: part.signs_in_at.clone() });
    let has_ended_after =
        |ends: Millis, time: SignedDuration| ends.timestamp().duration_since(facts.now) <= time;
    match (&part.session, facts.unattended) {
        (PlanSession::SignedOut, _) | (PlanSession::BareToken { .. }, Some(_)) => {
            (LineState::NotMet, sign_in())
        }
        (
            PlanSession::RefreshToken { ends: Some(ends) } | PlanSession::BareToken { ends: Some(ends) },
            time,
        ) if has_ended_after(*ends, time.unwrap_or_default()) => (LineState::NotMet, sign_in()),
        (PlanSession::RefreshToken { ends: Some(ends) }, Some(time))
            if has_ended_after(*ends, time + NOTICE) =>
        {
            (LineState::Warning, sign_in())
        }
        (PlanSession::RefreshToken { ends: None }, Some(_)) => (LineState::NotKnown, None),
        (PlanSession::Password | PlanSession::RefreshToken { .. } | PlanSession::BareToken { .. }, _) => {
            (LineState::Met, None)
        }
        (PlanSession::NotChecked, _) => (LineState::NotKnown, Some(Remedy::CheckSite)),
        (PlanSession::Keyring { keyring: KeyringState::Absent }, _) => (LineState::NotMet, None),
        (PlanSession::Keyring { .. }, _) => (LineState::NotKnown, Some(Remedy::UnlockKeyring)),
    }
}

/// Returns a line for each part that cannot be exported, one for all parts that can, and one for all parts whose
/// version is not known.
fn versions(parts: &[PartFacts]) -> Vec<AcceptanceLine> {
    let line = |state, parts: Vec<Option<ServerId>>, reason, remedy| AcceptanceLine {
        state,
        about: LineAbout::Versions { parts, reason },
        remedy,
    };
    let mut lines = Vec::new();
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for PartFacts { server, version, unavailable, .. } in parts {
        match (unavailable, version) {
            (Some(reason), _) => {
                let (parts, reason) = (vec![server.clone()], Some(reason.clone()));
                lines.push(line(LineState::NotMet, parts, reason, Some(Remedy::ClearParts)));
            }
            (None, Some(_)) => known.push(server.clone()),
            (None, None) => unknown.push(server.clone()),
        }
    }
    if !unknown.is_empty() {
        lines.push(line(LineState::NotKnown, unknown, None, Some(Remedy::CheckSite)));
    }
    if !known.is_empty() {
        lines.push(line(LineState::Met, known, None, None));
    }
    lines
}

/// Returns the line of a part whose version ends an export when its token expires. A long export is only a warning: the
/// next one might be short enough.
fn token_life(part: &PartFacts) -> Option<AcceptanceLine> {
    part.version.filter(|version| *version <= SHORT_TOKENS)?;
    let state = match part.longest {
        None => LineState::NotKnown,
        Some(longest) if longest.saturating_mul(3) > SHORT_LIFE * 2 => LineState::Warning,
        Some(_) => LineState::Met,
    };
    let seconds = |time: Duration| u32::try_from(time.as_secs()).unwrap_or(u32::MAX);
    let about = LineAbout::TokenLife {
        server: part.server.clone(),
        longest: part.longest.map(seconds),
        life: seconds(SHORT_LIFE),
    };
    Some(AcceptanceLine { state, about, remedy: None })
}

/// Room that every set needs, in bytes: a set of a portal alone has no file of an export here, only small ones of the
/// app.
const LEAST_ROOM: u64 = 1_000_000;

fn folder(facts: &FolderFacts) -> Vec<AcceptanceLine> {
    let about = LineAbout::Folder { fault: facts.fault.clone() };
    if facts.fault.is_some() {
        return vec![AcceptanceLine { state: LineState::NotMet, about, remedy: Some(Remedy::ChooseFolder) }];
    }
    let mut lines = vec![AcceptanceLine { state: LineState::Met, about, remedy: None }];
    let needed = facts.last_set.map(|Bytes(size)| Bytes(size.saturating_mul(3).div_ceil(2).max(LEAST_ROOM)));
    let (state, remedy) = match (facts.free, needed) {
        (Some(free), Some(needed)) => match needed.0.saturating_sub(free.0) {
            0 => (LineState::Met, None),
            lacking => (LineState::NotMet, Some(Remedy::FreeSpace { lacking: Bytes(lacking) })),
        },
        _ => (LineState::NotKnown, None),
    };
    lines.push(AcceptanceLine { state, about: LineAbout::Space { free: facts.free, needed }, remedy });
    if let Some(name) = facts.synchronized.clone() {
        let (about, remedy) = (LineAbout::Synchronized { name }, Some(Remedy::ChooseFolder));
        lines.push(AcceptanceLine { state: LineState::Warning, about, remedy });
    }
    lines
}

#[cfg(test)]
mod tests;
