//! Reads what it depends on to which time a site is recoverable: from the history, the last checks, and the plans.

use std::path::{Path, PathBuf};
use std::time::Duration;

use steward_core::access::checked_facts::find;
use steward_core::files::in_background;
use steward_core::history::imports::AS_SAFETY_BACKUP;
use steward_core::model::checked::{CheckedFile, ComponentChecks};
use steward_core::model::export_verification::Rehearsal;
use steward_core::model::numbers::Millis;
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::site_context::SiteContext;
use steward_core::sites::{Site, TargetSite};
use steward_core::transfers::export_verification::last_rehearsal;
use steward_journal::{NewestExports, StoredRecord};
use steward_plans::plan::BackupPlan;
use steward_plans::state::PlanState;

use super::components::{expected_by, has_exports};
use super::recoverable::{
    CopyKind, CopyPlace, Export, PartFacts, PortalFacts, Recoverability, SiteFacts, judge,
};

/// Role of the server that has the hosted layers of a portal.
const HOSTING: &str = "HOSTING_SERVER";

/// Time that a file gets to be seen. A network drive that does not respond would take minutes.
const LOOK: Duration = Duration::from_secs(5);

/// Returns to which time a site is recoverable. Sends nothing, and reads no file.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be read.
pub(super) async fn of_site(
    context: &SiteContext,
    site: &Site,
    checks: &[ComponentChecks],
    plans: &[(BackupPlan, PlanState)],
) -> Result<Recoverability, Problem> {
    let (mut parts, mut rehearsed) = (Vec::new(), None::<Rehearsal>);
    for component in site.components() {
        let NewestExports { last, verified } = newest_exports(context, &component).await?;
        let checks = find(checks, &component);
        let file = checks.and_then(|checks| {
            let file = checks.export_file.value.as_ref()?;
            Some((file, checks.export_file.checked_at?))
        });
        let path = verified.as_ref().and_then(|export| export.facts.path.clone());
        let missing = file.filter(|(file, _)| !file.is_there && Some(&file.path) == path.as_ref());
        let of_part = last_rehearsal(context, &component.target()).await?;
        rehearsed = [rehearsed, of_part].into_iter().flatten().max_by_key(|one| one.at);
        let server = component.target().server;
        let verified = verified.map(|record| export(record, plans));
        parts.push(PartFacts {
            expected_by: expected_by(plans, server.as_ref(), verified.as_ref().map(|export| export.at)),
            server,
            verified,
            last: last.map(|record| export(record, plans)),
            version: checks.and_then(|checks| checks.version.value.clone()),
            missing_at: missing.map(|(_, checked_at)| checked_at),
        });
    }
    let components = site.components();
    let portal = components.iter().find(|one| one.server().is_none()).map(|portal| {
        let checks_of_portal = find(checks, portal);
        PortalFacts {
            version: checks_of_portal.and_then(|checks| checks.version.value.as_deref()),
            backups: checks_of_portal.map(|checks| &checks.backups),
            has_hosted: has_hosted(site, checks),
        }
    });
    Ok(judge(SiteFacts { has_exports: has_exports(site), parts, portal, rehearsed }))
}

/// Returns whether a site has hosted layers. None are known only if its hosting server is saved, and all servers list their services.
fn has_hosted(site: &Site, checks: &[ComponentChecks]) -> Option<bool> {
    let components = site.components();
    let servers = components.iter().filter(|one| one.server().is_some());
    let counts: Vec<Option<u32>> =
        servers.map(|server| find(checks, server).and_then(|checks| checks.hosted.last()).copied()).collect();
    if counts.iter().flatten().any(|count| *count > 0) {
        return Some(true);
    }
    let has_hosting_server = site.servers.iter().any(|server| server.role == HOSTING);
    (has_hosting_server && counts.iter().all(Option::is_some)).then_some(false)
}

async fn newest_exports(context: &SiteContext, component: &TargetSite) -> Result<NewestExports, Problem> {
    let operation = match component.server() {
        Some(_) => OperationKey::ExportServer,
        None => OperationKey::ExportPortal,
    };
    let (site, server) = (component.id.0.clone(), component.recorded_server().to_owned());
    // Who asks to which time a site is recoverable does not mean what an import wrote before it.
    context
        .history
        .journal(move |journal| journal.newest_exports(&site, &server, operation.name(), AS_SAFETY_BACKUP))
        .await
}

fn export(record: StoredRecord, plans: &[(BackupPlan, PlanState)]) -> Export {
    let place = place_of(&record, plans);
    // What changed after the beginning might not be in the file, which can take hours to download.
    let at = Millis(record.intent.started_at);
    Export { at, version: record.intent.site_version, place }
}

fn place_of(
    StoredRecord { intent, facts, .. }: &StoredRecord,
    plans: &[(BackupPlan, PlanState)],
) -> Option<CopyPlace> {
    let elsewhere = |kind, name: &str| {
        Some(CopyPlace { kind, name: name.to_owned(), plan: None, plan_name: String::new() })
    };
    if let Some(path) = &facts.path {
        return Some(on_this_computer(Path::new(path), plans));
    }
    let store = intent.parameters.iter().find(|(name, _)| name == "backupObjectStore");
    match (store, &facts.site_path, &facts.upload) {
        (Some((_, name)), _, _) => elsewhere(CopyKind::Bucket, name),
        (None, Some(path), _) => elsewhere(CopyKind::Site, path),
        (None, None, Some(_)) => elsewhere(CopyKind::Upload, ""),
        (None, None, None) => None,
    }
}

/// Returns the folder of the plan that a file is in, or else its own.
fn on_this_computer(path: &Path, plans: &[(BackupPlan, PlanState)]) -> CopyPlace {
    let plan = plans
        .iter()
        .map(|(plan, _)| plan)
        .find(|plan| !plan.folder.as_os_str().is_empty() && path.starts_with(&plan.folder));
    let folder = plan.map_or_else(|| path.parent().unwrap_or(path), |plan| &plan.folder);
    let name = folder.display().to_string();
    let kind =
        if name.starts_with(r"\\") || name.starts_with("//") { CopyKind::Share } else { CopyKind::Folder };
    CopyPlace {
        kind,
        name,
        plan: plan.map(|plan| plan.id.clone()),
        plan_name: plan.map(|plan| plan.name.clone()).unwrap_or_default(),
    }
}

/// Looks for the file of the newest verified export of a component, and stores whether it is there. A file that is not seen in time is
/// not there.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be read.
pub(super) async fn look(context: &SiteContext, component: &TargetSite) -> Result<(), Problem> {
    let verified = newest_exports(context, component).await?.verified;
    let Some(path) = verified.and_then(|export| export.facts.path) else { return Ok(()) };
    let looked_for = PathBuf::from(&path);
    let seen = in_background(move || {
        std::fs::metadata(looked_for).is_ok_and(|file| file.is_file() && file.len() > 0)
    });
    let is_there = matches!(tokio::time::timeout(LOOK, seen).await, Ok(Ok(true)));
    context.access.note_checked(component, |checks| {
        checks.export_file.returned(Some(CheckedFile { path, is_there }));
    });
    Ok(())
}
