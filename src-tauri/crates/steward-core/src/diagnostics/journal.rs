//! The history.

use super::check_result::{Advice, Check, FactName, Finding, State};
use crate::host::Host;

pub(super) async fn examine(host: &Host) -> Finding {
    let finding = Finding::new(Check::Journal);
    let health = match host.journal(steward_journal::Journal::check).await {
        Ok(health) => health,
        Err(problem) => {
            return finding
                .fact(FactName::Said, crate::model::problem::words(&problem))
                .say(State::Trouble, Advice::JournalUnreadable);
        }
    };
    let finding = finding.fact(FactName::Records, health.records);
    health.damage.into_iter().fold(finding, |finding, damage| {
        finding.fact(FactName::Damage, damage).say(State::Trouble, Advice::JournalDamaged)
    })
}
