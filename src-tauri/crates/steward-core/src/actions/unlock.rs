//! Unlocks a read-only site.

use steward_journal::Outcome;

use crate::actions::record;
use crate::history::record::{Details, Record};
use crate::model::history_key::HistoryAction;
use crate::model::ids::SiteId;
use crate::model::problem::Problem;
use crate::site_context::SiteContext;
use crate::sites::Site;
use crate::sites::read_only::{LASTS, checked_reason};

/// Unlocks a read-only site for 15 minutes. The reason is on disk before that. Does nothing if the site is not
/// read-only.
///
/// # Errors
/// - [`Problem::Form`] with `TooShort` if the reason has fewer than 3 letters and digits.
/// - [`Problem::Unexpected`] if the site is not saved, or the history cannot be written.
pub async fn unlock(context: &SiteContext, id: &SiteId, reason: &str) -> Result<Site, Problem> {
    let site = context.access.sites.get(id)?;
    let reason = checked_reason(reason)?;
    if !site.read_only {
        return Ok(site);
    }
    let parameters = vec![
        ("reason".to_owned(), reason.to_owned()),
        ("minutes".to_owned(), (LASTS.as_secs() / 60).to_string()),
    ];
    let intent = record::intent(&context.access, &site, HistoryAction::Unlock, parameters).await;
    let record = Record::intend(&context.history, intent).await?;
    record.conclude(Outcome::Succeeded, reason.to_owned(), Details::default()).await;
    context.locks.unlock(&site.id);
    Ok(site)
}
