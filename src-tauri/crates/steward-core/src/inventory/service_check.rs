//! Check whether all services of a server that are set to run do run. Nothing is changed.
//!
//! [`prove`] checks them after an import, and [`check_again`] once more later. Invariant: a service whose state the
//! server does not return is never reported as not running.

use std::collections::HashSet;

use anyhow::Context;
use steward_client::listing::{self, ServiceList};
use steward_client::{ClientError, Endpoint};
use steward_journal::Report;

use super::unlisted::Unlisted;
use super::{Inventory, InventoryPart, InventoryService, ROOT_FOLDER};
use crate::access::Access;
use crate::history::imports;
use crate::history::record::History;
use crate::history::record_target::{must_be_of, target_of};
use crate::model::ids::{RecordId, SiteId, Target};
use crate::model::numbers::{Millis, count};
use crate::model::problem::Problem;
use crate::model::service_check::{EarlierCheck, ImportProof, NotRunning, ServiceCheck};
use crate::sites::TargetSite;

/// State of a service that is set to run, or runs.
const STARTED: &str = "STARTED";

/// State of a service that is set not to run.
const STOPPED: &str = "STOPPED";

/// Folder of the services with hosted layers.
const HOSTED_FOLDER: &str = "Hosted";

/// States of a service that does not run. Any other state but [`STARTED`] is unknown: such a service counts as neither.
const NOT_RUNNING: [&str; 6] = [STOPPED, "STOPPING", "STARTING", "FAILED", "PAUSED", "DELETED"];

/// Checks the services of a server.
///
/// # Errors
/// - [`Problem::Rejected`] or another error of the client if the server does not list its services.
/// - [`Problem::Unexpected`] if the site is not saved.
/// - Those of [`Sites::at`](crate::sites::Sites::at) and [`Access::server`].
pub async fn check_services(access: &Access, target: &Target) -> Result<ServiceCheck, Problem> {
    let site = access.sites.at(target)?;
    check_with_paths(access, &site, listing::AT_ONCE).await.map(|(check, _)| check)
}

/// Checks the services of a server as [`check_services`], with at most `at_once` concurrent requests, and returns their
/// paths, too.
///
/// # Errors
/// Those of [`check_services`].
pub async fn check_with_paths(
    access: &Access,
    site: &TargetSite,
    at_once: usize,
) -> Result<(ServiceCheck, Vec<String>), Problem> {
    let checked = checked(access, site, at_once).await;
    access.note_checked(site, |checks| match &checked {
        Ok((check, found)) => {
            let earlier = checks.services.value.as_ref().and_then(|earlier| not_judged(found, earlier));
            checks.services.returned(Some(ServiceCheck { earlier, ..check.in_short() }));
            match hosted(check, &found.listed) {
                Some(hosted) => checks.hosted.returned(Some(hosted)),
                None => checks.hosted.failed(),
            }
        }
        Err(_) => {
            checks.services.failed();
            checks.hosted.failed();
        }
    });
    checked.map(|(check, found)| (check, found.listed.into_iter().map(|service| service.path).collect()))
}

/// Returns the number of services with hosted layers, which are in a folder of their own; `None` if none of them is
/// listed, but not all services are.
fn hosted(check: &ServiceCheck, listed: &[InventoryService]) -> Option<u32> {
    let is_hosted = |service: &&InventoryService| {
        service.path.split_once('/').is_some_and(|(folder, _)| folder.eq_ignore_ascii_case(HOSTED_FOLDER))
    };
    let hosted = count(listed.iter().filter(is_hosted).count());
    let are_all_listed = check.unlisted.is_empty() && check.services == count(listed.len());
    (hosted > 0 || are_all_listed).then_some(hosted)
}

async fn checked(
    access: &Access,
    site: &TargetSite,
    at_once: usize,
) -> Result<(ServiceCheck, Services), Problem> {
    let server = access.server(site).await?;
    match services_of(&server, at_once).await {
        Ok(found) => Ok((judged(&found, Millis::now()), found)),
        Err(error) => Err(access.problem_at(&server, site, &error).await),
    }
}

/// Checks the services of the server again after an import, and adds the result to the report of its record.
///
/// # Errors
/// - [`Problem::Unexpected`] if the record is no import of the site, or the history cannot be read or written.
/// - [`Problem::PreconditionFailed`] if the site has another server in place of the one of the import.
/// - Those of [`check_services`].
pub async fn check_again(
    access: &Access,
    history: &History,
    site: &SiteId,
    record: RecordId,
) -> Result<ServiceCheck, Problem> {
    let id = record.0.clone();
    let import = history.journal(move |journal| journal.record(&id)).await?.intent;
    if !imports::is_import(&import) || import.site != site.0 {
        let message = "this record is no import of this site".to_owned();
        return Err(Problem::Unexpected { message });
    }
    let target = target_of(&import);
    must_be_of(&access.sites.at(&target)?, &import)?;
    let check = check_services(access, &target).await?;
    let later = Report::of(&check).context("the check could not be written down")?;
    history.journal(move |journal| journal.set_in_report(&record.0, "$.proof.later[#]", &later)).await?;
    Ok(check)
}

/// Services of a server, and the folders that it does not list.
#[derive(Default)]
struct Services {
    listed: Vec<InventoryService>,
    unlisted: Vec<String>,
    /// Folders with services whose names cannot be used, and the number of these services.
    unreadable: Vec<(String, usize)>,
}

async fn services_of(server: &Endpoint, at_once: usize) -> Result<Services, ClientError> {
    let list = ServiceList::read(server).await?;
    let states = listing::service_states(server, &list, at_once).await?;
    let name = |folder: String| if folder.is_empty() { ROOT_FOLDER.to_owned() } else { folder };
    Ok(Services {
        listed: states.services.into_iter().map(InventoryService::of).collect(),
        unlisted: states.unlisted.into_iter().map(|one| name(one.folder)).collect(),
        unreadable: states.unreadable.into_iter().map(|one| (name(one.folder), one.count)).collect(),
    })
}

impl Services {
    /// Returns the folders whose services are not all listed.
    fn not_listed(&self) -> Unlisted<'_> {
        let unreadable = self.unreadable.iter().map(|(folder, _)| folder);
        let folders = self.unlisted.iter().chain(unreadable).map(String::as_str);
        Unlisted::of(folders)
    }
}

/// Returns whether it is known whether a service should run, and whether it does.
fn is_known(service: &InventoryService) -> bool {
    [STARTED, STOPPED].contains(&service.configured.as_str())
        && (service.real_time == STARTED || NOT_RUNNING.contains(&service.real_time.as_str()))
}

/// Returns the services that did not run by an earlier check, and of which nothing new is known; `None` if there are none.
fn not_judged(now: &Services, earlier: &ServiceCheck) -> Option<EarlierCheck> {
    let unlisted = now.not_listed();
    let unknown: HashSet<&str> =
        now.listed.iter().filter(|one| !is_known(one)).map(|one| one.path.as_str()).collect();
    let is_open = |one: &NotRunning| unlisted.has(&one.service) || unknown.contains(one.service.as_str());
    let last = (earlier.checked_at, &earlier.not_running);
    let before = earlier.earlier.as_ref().map(|before| (before.checked_at, &before.not_running));
    let open = before.into_iter().chain([last]).flat_map(|(at, services)| {
        services.iter().filter(|one| is_open(one)).map(move |service| (at, service.clone()))
    });
    // If such services are from two earlier checks, the time is that of the older one.
    let (times, not_running): (Vec<_>, Vec<_>) = open.unzip();
    let checked_at = times.first().copied()?;
    Some(EarlierCheck { checked_at, not_running })
}

/// Judges the states of services. A service whose state is not known is neither running nor not running.
fn judged(
    Services { listed: services, unlisted, unreadable }: &Services,
    checked_at: Millis,
) -> ServiceCheck {
    let unreadable: usize = unreadable.iter().map(|(_, services)| services).sum();
    let should_run: Vec<_> =
        services.iter().filter(|service| service.configured == STARTED && is_known(service)).collect();
    let not_running: Vec<_> = should_run
        .iter()
        .filter(|service| service.real_time != STARTED)
        .map(|service| NotRunning { service: service.path.clone(), state: service.real_time.clone() })
        .collect();
    ServiceCheck {
        checked_at,
        services: count(services.len() + unreadable),
        should_run: count(should_run.len()),
        running: count(should_run.len() - not_running.len()),
        not_running,
        unknown: count(services.iter().filter(|service| !is_known(service)).count() + unreadable),
        unlisted: unlisted.clone(),
        earlier: None,
    }
}

/// Reads the services of the server again after an import, and compares them with those `before` it and those of the
/// `export`.
pub async fn prove(server: &Endpoint, before: &Inventory, export: Option<&Inventory>) -> ImportProof {
    let services = services_of(server, listing::AT_ONCE).await.ok();
    let lost = match (&services, export.and_then(listed)) {
        (Some(now), Some(export)) => Some(lost(now, export)),
        _ => None,
    };
    ImportProof {
        check: services.map(|services| judged(&services, Millis::now())),
        later: Vec::new(),
        services_before: listed(before).map(|services| count(services.len())),
        lost,
    }
}

/// Returns the services of an inventory; `None` if the server did not list all of them.
pub(crate) fn listed(inventory: &Inventory) -> Option<&[InventoryService]> {
    inventory.has(InventoryPart::Services).then_some(&inventory.services)
}

/// Returns the services of an export that the server does not list, although it lists their folders.
fn lost(now: &Services, export: &[InventoryService]) -> Vec<String> {
    let there = now.listed.iter().map(|service| service.path.as_str());
    missing(there, &now.not_listed(), export.iter().map(|service| service.path.as_str()))
}

/// Returns the services of an export that a check of the server, which listed `paths`, does not have, although it listed their
/// folders.
pub(crate) fn missing_services<'e>(
    exported: impl Iterator<Item = &'e str>,
    check: &ServiceCheck,
    paths: &'e [String],
) -> Vec<String> {
    let unlisted = Unlisted::of(check.unlisted.iter().map(String::as_str));
    missing(paths.iter().map(String::as_str), &unlisted, exported)
}

fn missing<'p>(
    there: impl Iterator<Item = &'p str>,
    unlisted: &Unlisted<'_>,
    expected: impl Iterator<Item = &'p str>,
) -> Vec<String> {
    let there: HashSet<&str> = there.collect();
    expected.filter(|path| !there.contains(path) && !unlisted.has(path)).map(ToOwned::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn service(path: &str, configured: &str, real_time: &str) -> InventoryService {
        InventoryService {
            path: path.to_owned(),
            configured: configured.to_owned(),
            real_time: real_time.to_owned(),
        }
    }

    fn listed(listed: Vec<InventoryService>) -> Services {
        Services { listed, ..Services::default() }
    }

    #[test]
    fn a_state_that_is_spelled_otherwise_is_known_and_another_word_is_neither_running_nor_not() {
        let of = |configured: &str, real_time: &str| {
            InventoryService::of(listing::ServiceState {
                folder: String::new(),
                name: "Zoning".to_owned(),
                kind: "MapServer".to_owned(),
                configured: configured.to_owned(),
                real_time: real_time.to_owned(),
            })
        };
        for (configured, real_time, should_run, running, unknown) in [
            ("Started", "started ", 1, 1, 0),
            ("Started", "Stopped", 1, 0, 0),
            ("STARTED", "RECYCLING", 0, 0, 1),
            ("STARTED", "", 0, 0, 1),
            ("Stopped", "Stopped", 0, 0, 0),
            // Whether it should run is not known.
            ("", "FAILED", 0, 0, 1),
            ("RUNNING", "STOPPED", 0, 0, 1),
            ("", "STARTED", 0, 0, 1),
        ] {
            let check = judged(&listed(vec![of(configured, real_time)]), Millis(1));
            let counts = (check.should_run, check.running, check.unknown);
            assert_eq!(counts, (should_run, running, unknown), "{configured} {real_time}");
        }
    }

    #[test]
    fn a_service_that_is_set_to_run_and_does_not_is_named_with_its_state() {
        let check = judged(
            &listed(vec![
                service("Zoning.MapServer", "STARTED", "FAILED"),
                service("Parcels.MapServer", "STARTED", "STARTED"),
                service("Old.MapServer", "STOPPED", "STOPPED"),
            ]),
            Millis(1),
        );
        assert_eq!((check.services, check.should_run, check.running), (3, 2, 1));
        assert_eq!(
            check.not_running,
            [NotRunning { service: "Zoning.MapServer".to_owned(), state: "FAILED".to_owned() }]
        );
    }

    #[test]
    fn very_many_lost_services_are_found_beside_as_many_folders_that_are_not_listed() {
        let path = |number: usize| format!("Folder{number}/Zoning.MapServer");
        let export: Vec<_> = (0..200_000).map(|number| service(&path(number), "", "")).collect();
        let unlisted = (1..200_000).map(|number| format!("Folder{number}")).collect();

        let lost = lost(&Services { unlisted, ..Services::default() }, &export);

        assert_eq!(lost, [path(0)]);
    }

    #[test]
    fn a_service_that_failed_and_of_which_nothing_new_is_known_stays_with_the_time_of_its_check() {
        let failed =
            ["Parcels/Zoning.MapServer", "Water/Mains.MapServer", "Root.MapServer", "Gone.MapServer"];
        let failed = failed.map(|path| service(path, "STARTED", "FAILED")).to_vec();
        let first = judged(&listed(failed), Millis(1));
        let runs = service("Root.MapServer", "STARTED", "STARTED");
        let second = Services {
            listed: vec![runs.clone(), service("Water/Mains.MapServer", "", "")],
            unlisted: vec!["Parcels".to_owned()],
            ..Services::default()
        };
        let left = |earlier: &EarlierCheck| {
            let paths: Vec<_> = earlier.not_running.iter().map(|one| one.service.clone()).collect();
            (earlier.checked_at, paths)
        };

        let earlier = not_judged(&second, &first).unwrap();
        assert_eq!(
            left(&earlier),
            (Millis(1), vec!["Parcels/Zoning.MapServer".to_owned(), "Water/Mains.MapServer".to_owned()])
        );
        let second = ServiceCheck { earlier: Some(earlier), ..judged(&second, Millis(2)) };
        let third =
            Services { listed: vec![runs], unlisted: vec!["Parcels".to_owned()], ..Services::default() };
        let earlier = not_judged(&third, &second).unwrap();
        assert_eq!(left(&earlier), (Millis(1), vec!["Parcels/Zoning.MapServer".to_owned()]));
        let third = ServiceCheck { earlier: Some(earlier), ..judged(&third, Millis(3)) };
        assert_eq!(not_judged(&listed(Vec::new()), &third), None, "the server lists all, and has it no more");
    }

    #[test]
    fn a_service_whose_state_the_server_does_not_return_is_not_judged() {
        let services = listed(vec![service("Zoning.MapServer", "STARTED", "")]);
        let check = judged(&services, Millis(1));
        assert_eq!((check.services, check.should_run, check.not_running.len()), (1, 0, 0));
        assert_eq!(check.unknown, 1);
    }
}
