//! The newest import of each site, which its recovery time is counted from.

use std::collections::HashMap;

use steward_journal::{Filter, Outcome, StoredRecord};

use crate::history::record::History;
use crate::model::ids::{RecordId, SiteId};
use crate::model::numbers::Millis;
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;

/// Age in milliseconds up to which an import is found. The site is checked after an older one only when a user requests
/// it.
const RECENT: i64 = 24 * 3_600_000;

/// Import after which a site is checked until it is back.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Import {
    pub(super) record: RecordId,
    /// Identifier of the server that was imported; empty for the portal.
    pub(super) server: String,
    /// Version of the portal or server before the import; empty if it is not known.
    pub(super) version: String,
    /// Time when the user started it, before its safety backup.
    pub(super) started_at: Millis,
    /// Time when it ended; if the program ended before the response, when a user set its outcome.
    pub(super) ended_at: Millis,
    /// Whether `ended_at` is the time when a user set the outcome.
    #[serde(default)]
    pub(super) is_end_unknown: bool,
}

impl Import {
    fn of(record: &StoredRecord, (ended_at, is_end_unknown): (i64, bool)) -> Self {
        Self {
            record: RecordId(record.id.clone()),
            server: record.intent.server.clone(),
            version: record.intent.site_version.clone(),
            started_at: Millis(record.facts.began_at.unwrap_or(record.intent.started_at)),
            ended_at: Millis(ended_at),
            is_end_unknown,
        }
    }
}

/// Returns the newest import of each site, of the portal or of a server, that succeeded within a day.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub(super) async fn newest_imports(
    history: &History,
    now: Millis,
) -> Result<HashMap<SiteId, Import>, Problem> {
    let of = |operation: OperationKey| Filter {
        operation: Some(operation.name().to_owned()),
        outcomes: vec![Outcome::Succeeded, Outcome::Warnings],
        from: Some(now.0 - RECENT),
        ..Filter::default()
    };
    let replacing = OperationKey::ALL.into_iter().filter(|key| key.replaces().is_some());
    let filters: Vec<_> = replacing.map(of).collect();
    let found = history.journal(move |journal| {
        let mut found = Vec::new();
        for filter in &filters {
            for record in journal.records(filter)? {
                let ended_at = match record.ended_at {
                    Some(ended_at) => Some((ended_at, false)),
                    None => journal.outcome_resolution(&record.id)?.map(|resolution| (resolution.at, true)),
                };
                found.extend(ended_at.map(|ended_at| (record, ended_at)));
            }
        }
        Ok(found)
    });
    let mut newest: HashMap<SiteId, Import> = HashMap::new();
    for (record, ended_at) in found.await? {
        let import = Import::of(&record, ended_at);
        let site = SiteId(record.intent.site);
        if newest.get(&site).is_none_or(|known| known.ended_at < import.ended_at) {
            newest.insert(site, import);
        }
    }
    Ok(newest)
}

#[cfg(test)]
mod tests {
    use steward_journal::{Intent, Journal, OutcomeResolution};

    use super::*;
    use crate::history::record::intent_of;

    #[tokio::test]
    async fn an_import_during_which_the_program_ended_is_one_as_soon_as_a_user_set_its_outcome() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("journal.db");
        let intent = Intent { site: "a".to_owned(), ..intent_of("import_portal") };
        let now = Millis(intent.started_at);
        let id = Journal::open(&file).unwrap().intend(&intent).unwrap();
        let history = History::new(Journal::open(&file).unwrap(), |_, _| None);
        assert_eq!(newest_imports(&history, now).await.unwrap(), HashMap::new(), "its outcome is unknown");
        let at = now.0 + 5_000;
        let (outcome, note, by) = (Outcome::Succeeded, String::new(), "sam".to_owned());
        let resolution = OutcomeResolution { outcome, note, by, at };
        let of = id.clone();
        history.journal(move |journal| journal.set_outcome(&of, &resolution)).await.unwrap();

        let imports = newest_imports(&history, now).await.unwrap();

        let import = &imports[&SiteId("a".to_owned())];
        assert_eq!((&import.record.0, import.started_at, import.ended_at), (&id, now, Millis(at)));
        assert!(import.is_end_unknown, "when it ended is not known");
    }
}
