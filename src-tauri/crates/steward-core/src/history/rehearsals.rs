//! Receipts of rehearsals in the history: which content was restored on a test site, and how that ended (ADR 0081).

use std::collections::HashMap;

use steward_journal::{Filter, Journal, JournalError, StoredRecord};

use crate::history::record::History;
use crate::model::export_verification::Rehearsal;
use crate::model::history_key::REHEARSE;
use crate::model::ids::{RecordId, SiteId};
use crate::model::numbers::{Millis, count};
use crate::model::problem::Problem;

/// Rehearsals that ended, by the content that they imported: the newest of each SHA-256.
#[derive(Debug, Clone, Default)]
pub struct Rehearsed(HashMap<String, Rehearsal>);

impl Rehearsed {
    /// Returns whether nothing was rehearsed.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the newest rehearsal that imported one of these contents.
    pub fn newest<'c>(&self, contents: impl IntoIterator<Item = &'c str>) -> Option<&Rehearsal> {
        contents.into_iter().filter_map(|sha256| self.0.get(sha256)).max_by_key(|one| one.at)
    }
}

/// Returns the rehearsals of all sites.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be read.
pub async fn rehearsed(history: &History) -> Result<Rehearsed, Problem> {
    history.journal(in_journal).await
}

/// Returns the rehearsals of all sites in a journal.
pub(crate) fn in_journal(journal: &Journal) -> Result<Rehearsed, JournalError> {
    let receipts = Filter { operation: Some(REHEARSE.to_owned()), ..Filter::default() };
    let mut found = HashMap::new();
    for receipt in journal.records(&receipts)? {
        let rehearsal = rehearsal(&receipt);
        for sha256 in receipt.facts.run_parts.into_iter().filter_map(|part| part.sha256) {
            // The newest comes first.
            found.entry(sha256).or_insert_with(|| rehearsal.clone());
        }
    }
    Ok(Rehearsed(found))
}

fn rehearsal(receipt: &StoredRecord) -> Rehearsal {
    let parts = &receipt.facts.run_parts;
    Rehearsal {
        record: RecordId(receipt.id.clone()),
        at: Millis(receipt.ended_at.unwrap_or(receipt.intent.started_at)),
        outcome: receipt.outcome,
        back: count(parts.iter().filter(|part| part.is_as_expected).count()),
        of: count(parts.len()),
        site: SiteId(receipt.intent.site.clone()),
        site_name: receipt.intent.site_name.clone(),
    }
}
