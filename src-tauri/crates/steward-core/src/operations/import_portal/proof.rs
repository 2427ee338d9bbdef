//! Proof of a portal import: the portal is counted afterward, and compared with the export. Nothing is changed.
//!
//! An import can end all sessions of the portal, so that the user might have to sign in again first. After that,
//! [`check_again`] counts the portal.

use std::cmp::Ordering;

use anyhow::Context;
use steward_client::listing;
use steward_journal::Report;

use super::change_summary::written_before;
use super::report::{PortalImportReport, PortalProof};
use crate::access::Access;
use crate::history::imports::is_portal_import;
use crate::history::record::History;
use crate::history::record_target::must_be_of;
use crate::inventory::portal::PortalInventory;
use crate::inventory::portal_comparison::PortalComparison;
use crate::model::ids::{RecordId, SiteId, Target};
use crate::model::numbers::Millis;
use crate::model::problem::Problem;
use crate::sites::TargetSite;

/// Counts a portal, and compares it with an export. `export` is `None` if its content is not known.
pub(super) async fn of(
    access: &Access,
    site: &TargetSite,
    export: Option<&PortalInventory>,
) -> Result<PortalProof, Problem> {
    let portal = access.portal(site).await?;
    let taken = PortalInventory::take(&portal).await;
    let inventory = taken.map_err(|error| Problem::from_client(&error, &site.id))?;
    let comparison = export.map(|export| PortalComparison::of(&inventory, export));
    Ok(PortalProof { inventory, comparison })
}

/// Counts a portal right after an import, as [`of`] does. `None` while its search index is known to have fewer entries than its
/// database: the numbers would be too low. Where the portal does not return both, it is counted.
pub(super) async fn right_after(
    access: &Access,
    site: &TargetSite,
    export: Option<&PortalInventory>,
) -> Result<Option<PortalProof>, Problem> {
    let portal = access.portal(site).await?;
    match listing::search_index(&portal).await {
        Ok(indexes) if indexes.iter().any(|one| one.beside_database() == Some(Ordering::Less)) => Ok(None),
        Ok(_) | Err(_) => of(access, site, export).await.map(Some),
    }
}

/// Returns the report of an import.
///
/// # Errors
/// [`Problem::Unexpected`] if the record has none, or the history cannot be read.
pub async fn report_of(history: &History, record: RecordId) -> Result<PortalImportReport, Problem> {
    let kept = history.journal(move |journal| journal.report(&record.0)).await?;
    kept.and_then(|report| report.read().ok())
        .ok_or_else(|| Problem::Unexpected { message: "this record keeps no import report".to_owned() })
}

/// Counts the portal again after an import, and stores the result in the report of its record.
///
/// # Errors
/// - [`Problem::Unexpected`] if the record is no import of the portal, or the history cannot be read or written.
/// - [`Problem::PreconditionFailed`] if the site has another portal in place of the one of the import.
/// - Those of [`Access::portal`], and another problem of the client if the portal does not name the signed-in user.
pub async fn check_again(
    access: &Access,
    history: &History,
    site: &SiteId,
    record: RecordId,
) -> Result<PortalProof, Problem> {
    let proof = again(access, history, site, &record).await?;
    keep(history, record, &proof).await?;
    Ok(proof)
}

/// Counts the portal again after an import.
///
/// # Errors
/// Those of [`check_again`].
pub(crate) async fn again(
    access: &Access,
    history: &History,
    site: &SiteId,
    record: &RecordId,
) -> Result<PortalProof, Problem> {
    let id = record.0.clone();
    let import = history.journal(move |journal| journal.record(&id)).await?.intent;
    if !is_portal_import(&import) || import.site != site.0 {
        let message = "this record is no import of this portal".to_owned();
        return Err(Problem::Unexpected { message });
    }
    let location = import.parameters.iter().find(|(name, _)| name == "location");
    let location = location.map(|(_, location)| location.as_str()).unwrap_or_default();
    let begun = Some(Millis(import.started_at));
    let portal = access.sites.at(&Target::portal(site.clone()))?;
    must_be_of(&portal, &import)?;
    let export = written_before(history, site, location, begun).await?.and_then(|export| export.inventory);
    of(access, &portal, export.as_ref()).await
}

/// Stores how a portal was counted after an import in the report of its record. The audit trail records each time.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be written.
pub(crate) async fn keep(history: &History, record: RecordId, proof: &PortalProof) -> Result<(), Problem> {
    let kept = Report::of(proof).context("the proof could not be written down")?;
    history.journal(move |journal| journal.set_in_report(&record.0, "$.proof", &kept)).await
}
