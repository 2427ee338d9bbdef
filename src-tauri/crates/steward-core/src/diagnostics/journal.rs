//! Checks the integrity of the history, and makes its copy of the day.

use std::path::Path;

use super::check_result::{Advice, Check, CheckResult, FactName, State};
use crate::daily_copies;
use crate::history::record::History;

pub(super) async fn check(history: &History, data_folder: &Path) -> CheckResult {
    let finding = CheckResult::new(Check::Journal);
    let health = match history.journal(steward_journal::Journal::check).await {
        Ok(health) => health,
        Err(problem) => {
            return finding
                .fact(FactName::Said, crate::model::problem::as_text(&problem))
                .say(State::Trouble, Advice::JournalUnreadable);
        }
    };
    let mut finding = finding.fact(FactName::Records, health.records);
    // A head is of use only where it is kept elsewhere, and the text of the diagnostics leaves the computer most often.
    if let Ok(head) = history.trail_head().await {
        finding = finding.fact(FactName::AuditTrailHead, head);
    }
    let finding = health.damage.into_iter().fold(finding, |finding, damage| {
        finding.fact(FactName::Damage, damage).say(State::Trouble, Advice::JournalDamaged)
    });
    let folder = data_folder.to_owned();
    let failures = history.journal(move |journal| Ok(daily_copies::keep(&folder, journal))).await;
    failures.unwrap_or_default().into_iter().fold(finding, |finding, failure| {
        finding.fact(FactName::Said, failure).say(State::Trouble, Advice::NoCopyOfDay)
    })
}
