//! What an import lost, by its report: what the site does not have is not said to be other than it should be by anything else.

use std::collections::HashSet;

use steward_journal::Report;

use super::facts::{ComponentReading, SiteReading};
use super::recovery::Import;
use super::verdict::{INDEXES, index_of};
use crate::history::record::History;
use crate::inventory::ROOT_FOLDER;
use crate::inventory::portal_comparison::CountedPart;
use crate::model::service_check::ImportProof;
use crate::model::site_proof::{OpenPart, ProofAbout, ProofState, WhyOpen};
use crate::operations::import_portal::PortalProof;
use crate::sites::Site;

/// Returns what an import should have brought, and the site lacks. After the response to an import, no more of it comes.
pub(super) async fn lost(
    history: &History,
    site: &Site,
    import: &Import,
    reading: &SiteReading,
) -> Vec<(ProofAbout, OpenPart)> {
    let components = site.components();
    let imported = components.iter().position(|component| component.recorded_server() == import.server);
    let Some(component) = imported.and_then(|place| reading.components.get(place)) else { return Vec::new() };
    let record = import.record.0.clone();
    let kept = history.journal(move |journal| journal.report_field(&record, "proof")).await;
    let Some(proof) = kept.ok().flatten() else { return Vec::new() };
    match import.server.is_empty() {
        true => content(&proof, reading).into_iter().map(|part| (ProofAbout::SearchIndex, part)).collect(),
        false => services(&proof, component).into_iter().map(|part| (ProofAbout::Services, part)).collect(),
    }
}

/// Returns the services of the export that the server does not list.
fn services(proof: &Report, component: &ComponentReading) -> Vec<OpenPart> {
    let (Ok(proof), Some(Ok(services))) = (proof.read::<ImportProof>(), &component.services) else {
        return Vec::new();
    };
    let part = |state, name: &str, why| OpenPart {
        state,
        server: component.server.clone(),
        name: name.to_owned(),
        why,
    };
    let there: HashSet<&String> = services.paths.iter().collect();
    let unlisted: HashSet<&str> = services.check.unlisted.iter().map(String::as_str).collect();
    let folder =
        |path: &'_ str| path.rsplit_once('/').map_or(ROOT_FOLDER.to_owned(), |(folder, _)| folder.to_owned());
    let is_lost = |path: &&String| !there.contains(path) && !unlisted.contains(&*folder(path));
    let lost = proof.lost.iter().flatten().filter(is_lost);
    let mut open: Vec<_> = lost.map(|path| part(ProofState::Wrong, path, WhyOpen::NotImported)).collect();
    // The content of the export is not known: it might have had none.
    if open.is_empty()
        && services.check.services == 0
        && let Some(before) = proof.lost_all()
    {
        open.push(part(ProofState::NotKnown, "", WhyOpen::NoServices { before }));
    }
    open
}

/// Returns of which the portal has less than the export. More of it can have come since.
fn content(proof: &Report, reading: &SiteReading) -> Vec<OpenPart> {
    let (Ok(PortalProof { comparison: Some(comparison), .. }), Some(Ok(indexes))) =
        (proof.read(), reading.portal.as_ref().map(|portal| &portal.index))
    else {
        return Vec::new();
    };
    let [items, users, groups] = INDEXES;
    let of = [(CountedPart::Items, items), (CountedPart::Users, users), (CountedPart::Groups, groups)];
    let fewer = of.into_iter().filter_map(|(part, names)| {
        let exported = comparison.rows.iter().find(|row| row.part == part)?.export?;
        let now = index_of(indexes, names)?.database.filter(|now| *now < exported)?;
        let why = WhyOpen::FewerThanExported { now, exported };
        Some(OpenPart { state: ProofState::Wrong, server: None, name: (*names.first()?).to_owned(), why })
    });
    fewer.collect()
}

#[cfg(test)]
mod tests {
    use steward_client::listing::IndexCount;
    use steward_journal::{Conclusion, Intent, Journal, Outcome};

    use super::*;
    use crate::history::record::intent_of;
    use crate::inventory::portal::PortalInventory;
    use crate::inventory::portal_comparison::PortalComparison;
    use crate::model::ids::RecordId;
    use crate::model::numbers::Millis;
    use crate::model::service_check::ServiceCheck;
    use crate::proof::facts::{NotRead, PortalReading, ServicesReading};

    fn check(services: u32, unlisted: &[&str]) -> ServiceCheck {
        ServiceCheck {
            checked_at: Millis(1),
            services,
            should_run: services,
            running: services,
            not_running: Vec::new(),
            unknown: 0,
            unlisted: unlisted.iter().map(|&folder| folder.to_owned()).collect(),
            earlier: None,
        }
    }

    fn reading(site: &Site, paths: &[&str], unlisted: &[&str]) -> SiteReading {
        let component = |server: bool| ComponentReading {
            id: None,
            server: None,
            is_through_portal: false,
            before: String::new(),
            version: Ok(String::new()),
            services: server.then(|| {
                Ok(ServicesReading {
                    check: check(u32::try_from(paths.len()).unwrap(), unlisted),
                    paths: paths.iter().map(|&path| path.to_owned()).collect(),
                    roots: Vec::new(),
                    is_federated: false,
                })
            }),
            data: None,
        };
        let components = site.components().iter().map(|one| component(one.server().is_some())).collect();
        SiteReading { components, portal: None, token: Err(NotRead::SignIn), lost: Vec::new() }
    }

    #[tokio::test]
    async fn services_that_the_report_of_the_import_misses_are_lost_until_the_server_has_them() {
        let folder = tempfile::tempdir().unwrap();
        let site = Site::example("a");
        let server = site.servers[0].id.0.clone();
        let file = folder.path().join("journal.db");
        let intent = Intent { site: "a".to_owned(), server: server.clone(), ..intent_of("import_server") };
        let import_with = |lost: Option<&[&str]>| {
            let journal = Journal::open(&file).unwrap();
            let id = journal.intend(&intent).unwrap();
            let lost = lost.map(|lost| lost.iter().map(|&path| path.to_owned()).collect());
            let (check, services_before) = (Some(check(0, &[])), Some(16));
            let proof = ImportProof { check, later: Vec::new(), services_before, lost };
            let conclusion = Conclusion {
                outcome: Outcome::Warnings,
                note: String::new(),
                facts: None,
                response: None,
                report: Some(Report::of(&serde_json::json!({ "proof": proof })).unwrap()),
                ended_at: 2,
                elapsed: 1,
            };
            journal.conclude(&id, &conclusion).unwrap();
            Import {
                record: RecordId(id),
                server: server.clone(),
                version: String::new(),
                started_at: Millis(1),
                ended_at: Millis(2),
                is_end_unknown: false,
            }
        };
        let known = import_with(Some(&["Zoning.MapServer", "Water/Mains.MapServer"]));
        let unknown = import_with(None);
        let none = import_with(Some(&[]));
        let history = History::new(Journal::open(&file).unwrap(), |_, _| None);
        for (import, paths, unlisted, open) in [
            (&known, &[][..], &[][..], &["Zoning.MapServer", "Water/Mains.MapServer"][..]),
            (&known, &["Zoning.MapServer"], &["Water"], &[]),
            (&known, &[], &["/"], &["Water/Mains.MapServer"]),
            (&unknown, &[], &[], &[""]),
            (&unknown, &["Zoning.MapServer"], &[], &[]),
            (&none, &[], &[], &[]),
        ] {
            let lost = lost(&history, &site, import, &reading(&site, paths, unlisted)).await;
            let names: Vec<_> = lost.iter().map(|(_, part)| part.name.as_str()).collect();
            assert_eq!(names, open, "{paths:?} {unlisted:?}");
            let state = if import == &known { ProofState::Wrong } else { ProofState::NotKnown };
            assert!(lost.iter().all(|(_, part)| part.state == state), "{lost:?}");
        }
    }

    #[test]
    fn a_portal_that_has_less_than_the_export_is_not_as_it_should_be() {
        let count = |name: &str, database| IndexCount {
            name: name.to_owned(),
            database: Some(database),
            index: Some(database),
        };
        let reading = |items, users| SiteReading {
            portal: Some(PortalReading {
                index: Ok(vec![count("search", items), count("users", users), count("groups", 9)]),
                validated: Err(NotRead::SignIn),
                listed: Err(NotRead::SignIn),
                items: Err(NotRead::SignIn),
            }),
            ..reading(&Site::example("a"), &[], &[])
        };
        let exported =
            PortalInventory { items: Some(313), users: Some(28), groups: None, ..PortalInventory::default() };
        let comparison = PortalComparison::of(&PortalInventory::default(), &exported);
        let proof = PortalProof { inventory: PortalInventory::default(), comparison: Some(comparison) };
        let proof = Report::of(&proof).unwrap();
        let fewer = |items, users| {
            let parts = content(&proof, &reading(items, users)).into_iter();
            parts.map(|part| (part.name, part.why)).collect::<Vec<_>>()
        };

        assert_eq!(fewer(313, 29), [], "a user was added since");
        let items = WhyOpen::FewerThanExported { now: 26, exported: 313 };
        let users = WhyOpen::FewerThanExported { now: 3, exported: 28 };
        assert_eq!(fewer(26, 3), [("search".to_owned(), items), ("users".to_owned(), users)]);
    }
}
