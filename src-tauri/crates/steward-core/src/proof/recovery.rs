//! The newest import of each site, which its recovery time is counted from.

use std::collections::HashMap;

use steward_journal::{Filter, Outcome, StoredRecord};

use crate::history::record::History;
use crate::model::ids::{RecordId, SiteId};
use crate::model::numbers::Millis;
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;

/// Imports that are looked at: an older one is checked when a user wants it.
const RECENT: i64 = 24 * 3_600_000;

/// Import that a site comes back from.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Import {
    /// Its record.
    pub(super) record: RecordId,
    /// Identifier of the server that was imported; empty for the portal.
    pub(super) server: String,
    /// Version of it before the import; empty if it is not known.
    pub(super) version: String,
    /// Time when the user started it, before its safety backup.
    pub(super) started_at: Millis,
    /// Time when it ended.
    pub(super) ended_at: Millis,
}

impl Import {
    fn of(record: &StoredRecord) -> Option<Self> {
        Some(Self {
            record: RecordId(record.id.clone()),
            server: record.intent.server.clone(),
            version: record.intent.site_version.clone(),
            started_at: Millis(record.facts.began_at.unwrap_or(record.intent.started_at)),
            ended_at: Millis(record.ended_at?),
        })
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
    let filters = [of(OperationKey::ImportPortal), of(OperationKey::ImportServer)];
    let found = history.journal(move |journal| {
        filters.iter().map(|filter| journal.records(filter)).collect::<Result<Vec<_>, _>>()
    });
    let mut newest: HashMap<SiteId, Import> = HashMap::new();
    for record in found.await?.into_iter().flatten() {
        let Some(import) = Import::of(&record) else { continue };
        let site = SiteId(record.intent.site);
        if newest.get(&site).is_none_or(|known| known.ended_at < import.ended_at) {
            newest.insert(site, import);
        }
    }
    Ok(newest)
}
