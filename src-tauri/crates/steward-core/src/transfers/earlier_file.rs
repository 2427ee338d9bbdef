//! Whether a site named the file of an earlier export for a new one.

use std::collections::BTreeSet;

use steward_journal::StoredRecord;

use crate::history::changes_since::writing_files;
use crate::history::record_target::{in_all_sites, is_of};
use crate::model::export_outcome::{can_be_one_file, facts_at};
use crate::model::ids::RecordId;
use crate::model::problem::Problem;
use crate::site_context::SiteContext;
use crate::sites::TargetSite;
use crate::transfers::stored_file::succeeded;

/// Returns whether the location that a portal or server returned for an export is that of an earlier export or an
/// upload: another record than `record` has it. The file there does not have the present state.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be read.
pub(crate) async fn names_earlier(
    context: &SiteContext,
    site: &TargetSite,
    location: &str,
    record: Option<&RecordId>,
) -> Result<bool, Problem> {
    let named = facts_at(location);
    if named.upload.is_none() && named.site_path.is_none() {
        return Ok(false);
    }
    let operations = writing_files(site);
    let same = in_all_sites(&context.access.sites, site);
    let ids: BTreeSet<_> = same.iter().map(|one| one.id.0.clone()).collect();
    let own = record.map(|record| record.0.clone());
    let is_it = move |other: &StoredRecord| {
        let is_one_file = match (&named.site_path, &other.facts.site_path) {
            (Some(named), Some(other)) => can_be_one_file(named, other),
            _ => named.upload.is_some(),
        };
        let is_same = is_one_file && named.upload == other.facts.upload;
        is_same && own.as_ref() != Some(&other.id) && same.iter().any(|one| is_of(one, &other.intent))
    };
    context
        .history
        .journal(move |journal| {
            for (id, operation) in ids.iter().flat_map(|id| operations.iter().map(move |one| (id, one))) {
                if journal.records(&succeeded(id, operation))?.iter().any(&is_it) {
                    return Ok(true);
                }
            }
            Ok(false)
        })
        .await
}
