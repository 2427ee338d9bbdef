//! What an import did not bring: the comparison with the export, which the entry of the import keeps.

use steward_client::listing::IndexCount;

use super::facts::{ComponentReading, ContentReading, NotRead, Read, are_complete};
use super::recovery::Import;
use crate::inventory::InventoryPart;
use crate::inventory::portal_comparison::CountedPart;
use crate::inventory::unlisted::Unlisted;
use crate::model::ids::ServerId;
use crate::model::service_check::ImportProof;
use crate::operations::import_portal::proof;
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
    if let Some(mut lost) = kept.lost {
        // What was added since then is not missing any more, and of a folder that is not listed, nothing is known.
        let unlisted = services.map(|services| services.check.unlisted.iter().map(String::as_str));
        let unlisted = Unlisted::of(InventoryPart::Services, unlisted.into_iter().flatten());
        lost.retain(|path| {
            services.is_none_or(|services| !services.paths.contains(path)) && !unlisted.has(path)
        });
        found.missing = lost;
    } else {
        // Of an export that is not known, only that it was hardly one without any service.
        let before = kept.services_before.filter(|before| *before > 0)?;
        services.filter(|now| now.paths.is_empty() && now.check.unlisted.is_empty())?;
        found.differing.push(("services".to_owned(), 0, before));
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
        _ => match proof::check_again(&context.access, &context.history, &site.id, import.record.clone())
            .await
        {
            Ok(kept) => kept,
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
