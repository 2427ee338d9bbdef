//! What an import did not bring: the comparison with the export, which the entry of the import keeps.

use steward_client::listing::IndexCount;

use super::facts::{ComponentReading, ContentReading, NotRead, Read, are_complete};
use super::recovery::Import;
use crate::inventory::portal_comparison::CountedPart;
use crate::inventory::service_check::still_lost;
use crate::model::ids::ServerId;
use crate::model::problem::Problem;
use crate::model::service_check::ImportProof;
use crate::operations::import_portal::{PortalProof, proof};
use crate::site_context::SiteContext;
use crate::sites::Site;

/// Returns what differs from the export after an import; `None` if the content of the export is not known.
pub(super) async fn of_import(
    context: &SiteContext,
    site: &Site,
    import: &Import,
    components: &[ComponentReading],
    indexes: Option<&Read<Vec<IndexCount>>>,
) -> Option<Read<ContentReading>> {
    if import.server.is_empty() {
        of_portal(context, site, import, indexes).await
    } else {
        of_server(context, import, components).await.map(Ok)
    }
}

async fn of_server(
    context: &SiteContext,
    import: &Import,
    components: &[ComponentReading],
) -> Option<ContentReading> {
    let record = import.record.0.clone();
    let kept =
        context.history.journal(move |journal| journal.report_field(&record, "proof")).await.ok()??;
    let kept: ImportProof = kept.read().ok()?;
    let id = Some(ServerId(import.server.clone()));
    let component = components.iter().find(|one| one.id == id)?;
    let services = component.services.as_ref().and_then(|services| services.as_ref().ok());
    let mut found = ContentReading { server: component.server.clone(), ..ContentReading::default() };
    match (&kept.lost, services) {
        (Some(lost), Some(now)) => found.missing = still_lost(lost, &now.check, &now.paths),
        (Some(lost), None) => found.missing.clone_from(lost),
        // Of an export that is not known, only that it was hardly one without any service.
        (None, now) => {
            let before = kept.lost_all_by(&now?.check)?;
            found.differing.push(("services".to_owned(), 0, before));
        }
    }
    Some(found)
}

async fn of_portal(
    context: &SiteContext,
    site: &Site,
    import: &Import,
    indexes: Option<&Read<Vec<IndexCount>>>,
) -> Option<Read<ContentReading>> {
    let kept = proof::report_of(&context.history, import.record.clone()).await.ok()?.proof;
    let kept = match kept {
        Some(kept) if kept.is_as_exported() => kept,
        // Until the index is complete, the numbers are too low.
        kept if !matches!(indexes, Some(Ok(indexes)) if are_complete(indexes)) => kept?,
        kept => match counted(context, site, import, kept.as_ref()).await {
            Ok(now) => now,
            Err(problem) => return Some(Err(NotRead::of(&problem))),
        },
    };
    let mut found = ContentReading::default();
    for row in kept.comparison?.rows {
        let (Some(portal), Some(export)) = (row.portal, row.export) else { continue };
        if portal != export {
            found.differing.push((name_of(row.part), portal, export));
        }
    }
    Some(Ok(found))
}

/// Counts a portal. The entry of the import keeps it if it is not as it was.
async fn counted(
    context: &SiteContext,
    site: &Site,
    import: &Import,
    kept: Option<&PortalProof>,
) -> Result<PortalProof, Problem> {
    let now = proof::again(&context.access, &context.history, &site.id, &import.record).await?;
    let rows = |proof: &PortalProof| proof.comparison.as_ref().map(|comparison| comparison.rows.clone());
    if kept.map(rows) != Some(rows(&now)) {
        proof::keep(&context.history, import.record.clone(), &now).await?;
    }
    Ok(now)
}

fn name_of(part: CountedPart) -> String {
    let name = match part {
        CountedPart::Items => "search",
        CountedPart::Users => "users",
        CountedPart::Groups => "groups",
        CountedPart::Collaborations => "collaborations",
        CountedPart::ItemsOfType { name } => return name,
    };
    name.to_owned()
}
