//! Compares the content of a portal or server after an import with the export. The history entry of the import stores
//! the result.

use steward_client::listing::IndexCount;
use steward_journal::Journal;

use super::facts::{ComponentReading, ContentReading, NotRead, Read};
use super::recovery::Import;
use super::verdict::are_complete;
use crate::history::parameters::given;
use crate::inventory::portal_comparison::CountedPart;
use crate::inventory::service_check::{listed, missing_services};
use crate::inventory::stored;
use crate::model::export_location::ExportLocation;
use crate::model::ids::{ServerId, Target};
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
        of_server(context, site, import, components)
            .await
            .unwrap_or_else(|problem| Some(Err(NotRead::of(&problem))))
    }
}

/// Compares the services of a server with those of the export, even if the import could not: right after it, the server
/// might restart.
async fn of_server(
    context: &SiteContext,
    site: &Site,
    import: &Import,
    components: &[ComponentReading],
) -> Result<Option<Read<ContentReading>>, Problem> {
    let id = Some(ServerId(import.server.clone()));
    let Some(component) = components.iter().find(|one| one.id == id) else { return Ok(None) };
    let services = match &component.services {
        Some(Ok(services)) => services,
        Some(Err(reason)) => return Ok(Some(Err(reason.clone()))),
        None => return Ok(None),
    };
    let record = import.record.0.clone();
    let read = move |journal: &Journal| {
        Ok((journal.record(&record)?.intent, journal.report_field(&record, "proof")?))
    };
    let (intent, proof) = context.history.journal(read).await?;
    let location = ExportLocation::of_import(given(&intent.parameters, "location").unwrap_or_default());
    let export =
        stored::of_export(&context.history, &Target { site: site.id.clone(), server: id }, &location).await?;
    let export = export.ok().map(|found| found.inventory);
    let mut found = ContentReading { server: component.server.clone(), ..ContentReading::default() };
    if let Some(exported) = export.as_ref().and_then(listed) {
        let exported = exported.iter().map(|service| service.path.as_str());
        found.missing = missing_services(exported, &services.check, &services.paths);
        return Ok(Some(Ok(found)));
    }
    // The services of the export are not known. Only a server that had services before the import and now has none is
    // reported.
    let proof = proof.and_then(|proof| proof.read::<ImportProof>().ok());
    let before = proof.and_then(|proof| proof.lost_all_by(&services.check));
    Ok(before.map(|before| {
        found.differing.push(("services".to_owned(), 0, before));
        Ok(found)
    }))
}

async fn of_portal(
    context: &SiteContext,
    site: &Site,
    import: &Import,
    indexes: Option<&Read<Vec<IndexCount>>>,
) -> Option<Read<ContentReading>> {
    // The report is absent if the program ended during the import, and a user set its outcome.
    let report = proof::report_of(&context.history, import.record.clone()).await.ok();
    let kept = report.and_then(|report| report.proof);
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

/// Counts a portal, and stores the counts in the history entry of the import if they differ from those stored there.
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
