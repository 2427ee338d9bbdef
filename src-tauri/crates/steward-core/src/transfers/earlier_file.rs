//! Whether a site named the file of an earlier export for a new one.

use steward_journal::StoredRecord;

use crate::history::changes_since::{of_sites, writing_files};
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
    let same = in_all_sites(&context.access.sites, site);
    let is_it = |other: &StoredRecord| {
        let is_one_file = match (&named.site_path, &other.facts.site_path) {
            (Some(named), Some(other)) => can_be_one_file(named, other),
            _ => named.upload.is_some(),
        };
        let is_same = is_one_file && named.upload == other.facts.upload;
        is_same
            && record.is_none_or(|record| record.0 != other.id)
            && same.iter().any(|one| is_of(one, &other.intent))
    };
    for operation in writing_files(site) {
        let written = of_sites(&context.history, &same, succeeded(&site.id.0, operation)).await?;
        if written.iter().any(is_it) {
            return Ok(true);
        }
    }
    Ok(false)
}
