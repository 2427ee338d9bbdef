//! Imports whose effect on a site is not known.

use steward_journal::{Filter, Outcome, StoredRecord};

use crate::history::record::History;
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::model::operation::{Component, OperationKey};
use crate::model::problem::Problem;

/// Outcomes of an import that runs, or of which no response was received.
const OPEN: [Outcome; 2] = [Outcome::Sent, Outcome::Unknown];

/// Returns whether an import of a portal has begun whose outcome is not known, neither by a response nor by a user.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub async fn has_open_portal_import(history: &History, site: &SiteId) -> Result<bool, Problem> {
    let imports = imports(history, site, |component| component == Component::Portal, OPEN.to_vec()).await?;
    Ok(imports.iter().any(|import| !import.is_resolved))
}

/// Returns the start of the last import into a portal or server that ended after `since`, or has no end and began after
/// it, and might have changed the site: it runs, its outcome is not known, or it failed. A failed one might have
/// replaced a part.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub(crate) async fn uncertain_import_since(
    history: &History,
    site: &SiteId,
    since: Millis,
) -> Result<Option<Millis>, Problem> {
    let outcomes = [&OPEN[..], &[Outcome::Failed]].concat();
    // An outcome that a user set is certain.
    last_import(history, site, outcomes, since, |one| !one.is_resolved).await
}

/// Returns the time of the last import into a portal or server after a check of the site at `since`, whatever its outcome, also one
/// that a user set.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub(crate) async fn import_since(
    history: &History,
    site: &SiteId,
    since: Millis,
) -> Result<Option<Millis>, Problem> {
    let outcomes = [&OPEN[..], &[Outcome::Failed, Outcome::Succeeded, Outcome::Warnings]].concat();
    last_import(history, site, outcomes, since, |_| true).await
}

async fn last_import(
    history: &History,
    site: &SiteId,
    outcomes: Vec<Outcome>,
    since: Millis,
    counts: impl Fn(&StoredRecord) -> bool,
) -> Result<Option<Millis>, Problem> {
    let all = imports(history, site, |_| true, outcomes).await?;
    // An import has no end if it runs, or if the program ended during it.
    let later =
        all.iter().filter(|one| counts(one) && one.ended_at.unwrap_or(one.intent.started_at) > since.0);
    Ok(later.map(|one| Millis(one.intent.started_at)).max())
}

async fn imports(
    history: &History,
    site: &SiteId,
    into: impl Fn(Component) -> bool,
    outcomes: Vec<Outcome>,
) -> Result<Vec<StoredRecord>, Problem> {
    let imports = OperationKey::ALL.into_iter().filter(|key| key.replaces().is_some_and(&into));
    let filters = imports.map(|key| Filter {
        site: Some(site.0.clone()),
        operation: Some(key.name().to_owned()),
        outcomes: outcomes.clone(),
        ..Filter::default()
    });
    let filters: Vec<_> = filters.collect();
    history
        .journal(move |journal| {
            let mut found = Vec::new();
            for filter in &filters {
                found.extend(journal.records(filter)?);
            }
            Ok(found)
        })
        .await
}
