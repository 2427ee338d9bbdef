//! Unlocks a read-only site, and locks it again.

use steward_client::Moment;
use steward_journal::{Intent, Outcome};

use crate::actions::record;
use crate::history::note::Note;
use crate::history::record::{self as records, Details, Ended, Record};
use crate::model::history_key::HistoryAction;
use crate::model::ids::SiteId;
use crate::model::problem::Problem;
use crate::site_context::SiteContext;
use crate::sites::Site;
use crate::sites::read_only::{LASTS, checked_reason, locked};

/// Unlocks a read-only site for 15 minutes. The reason is written to disk first. Does nothing if the site is not
/// read-only.
///
/// # Errors
/// - [`Problem::Form`] with `TooShort` if the reason has fewer than 3 letters and digits.
/// - [`Problem::ReadOnly`] if the site was locked meanwhile.
/// - [`Problem::Unexpected`] if the site is not saved, or the history cannot be written.
pub async fn unlock(context: &SiteContext, id: &SiteId, reason: &str) -> Result<Site, Problem> {
    let site = context.access.sites.get(id)?;
    let reason = checked_reason(reason)?;
    if !site.read_only {
        return Ok(site);
    }
    let locked_before = context.locks.times_locked(&site.id);
    let parameters = vec![
        ("reason".to_owned(), reason.to_owned()),
        ("minutes".to_owned(), (LASTS.as_secs() / 60).to_string()),
    ];
    let intent = record::intent(&context.access, &site, HistoryAction::Unlock, parameters).await;
    let intent = Intent { reason: reason.to_owned(), ..intent };
    let record = Record::intend(&context.history, intent).await?;
    // The keyring or the disk might have waited, and the site been locked meanwhile.
    if context.locks.times_locked(&site.id) != locked_before {
        let problem = locked(&site);
        record.conclude(Outcome::Failed, Note::of(&problem), Details::default()).await;
        return Err(problem);
    }
    context.locks.unlock(&site.id);
    record.conclude(Outcome::Succeeded, reason.to_owned(), Details::default()).await;
    Ok(site)
}

/// Locks a read-only site before its unlock ends. Does nothing if the site is locked.
///
/// A site is locked even if the history cannot be written: the record is retried.
pub(crate) async fn lock(context: &SiteContext, id: &SiteId) -> Result<Site, Problem> {
    let site = context.access.sites.get(id)?;
    let began = Moment::now();
    let was_unlocked = site.read_only && context.locks.unlocked_until(&site.id).is_some();
    context.locks.lock_again(&site.id);
    if was_unlocked {
        let intent = record::intent(&context.access, &site, HistoryAction::Lock, Vec::new()).await;
        let (outcome, details) = (Outcome::Succeeded, Details::default());
        let ended = Ended::since(began);
        records::write_late(&context.history, intent, ended, outcome, String::new(), details).await;
    }
    Ok(site)
}
