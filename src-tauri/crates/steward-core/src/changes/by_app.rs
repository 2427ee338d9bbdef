//! Which entries of the history explain a difference: what the app did itself, between two snapshots.

use steward_changes::{Key, Kind};
use steward_journal::{Filter, Outcome, StoredRecord};

use super::view::ByApp;
use crate::history::imports;
use crate::history::record::History;
use crate::model::history_key::{HistoryAction, HistoryKey};
use crate::model::ids::{RecordId, SiteId};
use crate::model::numbers::Millis;
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;

/// Longest duration of an operation, in milliseconds: one that ended after a snapshot might have begun that long before
/// it.
const LONGEST: i64 = 24 * 60 * 60 * 1000;

/// Operations of the app on a site, newest first.
pub(super) struct Acts(Vec<StoredRecord>);

impl Acts {
    /// Reads what was done since a time.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the history cannot be read.
    pub(super) async fn since(history: &History, site: &SiteId, since: Millis) -> Result<Self, Problem> {
        let filter =
            Filter { site: Some(site.0.clone()), from: Some(since.0 - LONGEST), ..Filter::default() };
        let mut records = history.journal(move |journal| journal.records(&filter)).await?;
        records.retain(|record| !matches!(record.outcome, Outcome::NotSent | Outcome::Failed));
        records.sort_by_key(|record| std::cmp::Reverse(record.intent.started_at));
        Ok(Self(records))
    }

    /// Returns the imports with their servers, and when each began and ended, newest first.
    pub(super) fn imports(&self) -> impl Iterator<Item = (ByApp, &str, [i64; 2])> {
        self.0.iter().filter_map(|record| {
            let operation = HistoryKey::named(&record.intent.operation)?;
            let is_import = imports::replaced(&record.intent).is_some();
            let began = record.intent.started_at;
            let times = [began, record.ended_at.unwrap_or(began)];
            is_import.then(|| (by_app(record, operation), record.intent.server.as_str(), times))
        })
    }

    /// Returns the last operation that can have changed a resource between two times.
    pub(super) fn of(&self, key: &Key, after: Millis, until: Millis) -> Option<ByApp> {
        self.0.iter().find_map(|record| {
            let operation = HistoryKey::named(&record.intent.operation)?;
            let ended = record.ended_at.unwrap_or(record.intent.started_at);
            let is_then = ended >= after.0 && record.intent.started_at <= until.0;
            (is_then && can_change(operation, &record.intent.server, key)).then(|| by_app(record, operation))
        })
    }
}

fn by_app(record: &StoredRecord, operation: HistoryKey) -> ByApp {
    ByApp {
        record: RecordId(record.id.clone()),
        operation,
        at: Millis(record.intent.started_at),
        username: record.intent.username.clone(),
    }
}

/// Returns whether an operation on a server, or on the portal if `server` is empty, can change a resource.
fn can_change(operation: HistoryKey, server: &str, key: &Key) -> bool {
    let is_there = server == key.place;
    match operation {
        HistoryKey::Operation(operation) if operation.replaces().is_some() => is_there,
        HistoryKey::Operation(OperationKey::DeactivateWebhooks)
        | HistoryKey::Act(HistoryAction::DeactivateWebhook | HistoryAction::ReactivateWebhooks) => {
            is_there && key.kind == Kind::Webhooks
        }
        HistoryKey::Operation(OperationKey::UpdateParticipant) => key.kind == Kind::Collaborations,
        HistoryKey::Operation(_) | HistoryKey::Act(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_explains_only_what_it_can_change() {
        let key = |kind, place: &str| Key { kind, place: place.to_owned(), name: "x".to_owned() };
        let operation = HistoryKey::Operation;
        for (operation, server, key, expected) in [
            (operation(OperationKey::ImportServer), "s1", key(Kind::Services, "s1"), true),
            (operation(OperationKey::ImportServer), "s1", key(Kind::Services, "s2"), false),
            (operation(OperationKey::ImportServer), "s1", key(Kind::Roles, ""), false),
            (operation(OperationKey::ImportPortal), "", key(Kind::Roles, ""), true),
            (operation(OperationKey::ImportPortal), "", key(Kind::Services, "s1"), false),
            (operation(OperationKey::ExportServer), "s1", key(Kind::Services, "s1"), false),
            (operation(OperationKey::DeactivateWebhooks), "s1", key(Kind::Webhooks, "s1"), true),
            (operation(OperationKey::DeactivateWebhooks), "s1", key(Kind::Services, "s1"), false),
            (HistoryKey::Act(HistoryAction::ReactivateWebhooks), "s1", key(Kind::Webhooks, "s1"), true),
            (operation(OperationKey::UpdateParticipant), "", key(Kind::Collaborations, ""), true),
            (HistoryKey::Act(HistoryAction::SignIn), "", key(Kind::Collaborations, ""), false),
        ] {
            assert_eq!(can_change(operation, server, &key), expected, "{operation:?} {server} {key:?}");
        }
    }
}
