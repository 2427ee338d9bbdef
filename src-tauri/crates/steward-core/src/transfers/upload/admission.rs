//! What is checked before an upload, or its deletion.

use super::result::UploadId;
use crate::model::history_key::HistoryAction;
use crate::model::operation::{Operation, OperationKey};
use crate::model::problem::Problem;
use crate::site_context::SiteContext;
use crate::sites::{TargetSite, availability};

/// Checks that a file may be uploaded to the server of a site. All uploads call this.
pub(super) async fn may_upload(context: &SiteContext, site: &TargetSite) -> Result<(), Problem> {
    context.may_write(site, HistoryAction::Upload.name())?;
    availability::check(&Operation::of(OperationKey::ImportServer), site, &context.access.known(site).await?)
}

/// Returns the problem of an upload that this app did not begin.
pub(super) fn unknown_upload(item: &UploadId) -> Problem {
    Problem::Unexpected { message: format!("no upload {} was begun on this site", item.0) }
}
