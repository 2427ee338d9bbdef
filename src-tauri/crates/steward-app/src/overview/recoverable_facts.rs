//! Reads the facts that show to which time a site is recoverable: from the history, the last checks, and the plans.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::Duration;

use steward_core::access::checked_facts::find;
use steward_core::files::archive_check::modified_at;
use steward_core::files::in_background;
use steward_core::history::imports::AS_SAFETY_BACKUP;
use steward_core::model::checked::{Checked, CheckedFile, ComponentChecks, FileFound, same_server};
use steward_core::model::export_verification::{ExportVerification, Rehearsal};
use steward_core::model::ids::{RecordId, ServerId};
use steward_core::model::numbers::Millis;
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::site_context::SiteContext;
use steward_core::sites::{Site, TargetSite};
use steward_core::transfers::export_verification::{last_rehearsal, last_verification};
use steward_core::transfers::recorded_export::is_gone;
use steward_journal::{NewestExports, Outcome, StoredRecord};
use steward_plans::mark::MarkedFolder;
use steward_plans::plan::BackupPlan;
use steward_plans::saved::SavedPlans;
use steward_plans::state::PlanState;
use tokio::time::Instant;

use super::components::{expected_by, has_exports};
use super::recoverable::{
    CopyKind, CopyPlace, Export, PartFacts, PortalFacts, Recoverability, SiteFacts, judge,
};

/// Longest look for the files of a component. A network drive that does not respond would take minutes.
const LOOK: Duration = Duration::from_secs(5);

/// Longest look for these files while a page waits for it.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Files of a component that are looked for until one is there.
const MOST_FILES: usize = 10;

/// Files of verified exports, from the newest to the first that is there.
type Files = Checked<Vec<CheckedFile>>;

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
    let components = site.components();
    let machine = |one| find(checks, one).map(|checks| &checks.machine);
    let machines: Vec<_> = components.iter().map(|one| machine(one)?.last().map(String::as_str)).collect();
    let (mut is_first, mut are_known) = (true, true);
    for (component, same_as) in components.iter().zip(same_server(&machines)) {
        let is_server = component.server().is_some();
        are_known &= !is_server || machine(component).is_some_and(Checked::is_known);
        let might_be_same = is_server && !is_first && !are_known;
        is_first &= !is_server;
        let checks = find(checks, component);
        let files = checks.map(|checks| checks.export_files.clone()).unwrap_or_default();
        let (NewestExports { last, verified }, file) = newest_restorable(context, component, &files).await?;
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
            file: file.zip(files.checked_at),
            same_as: same_as.and_then(|earlier| components[earlier].target().server),
            might_be_same,
        });
    }
    let portal = components.iter().find(|one| one.server().is_none()).map(|portal| {
        let checks_of_portal = find(checks, portal);
        PortalFacts {
            version: checks_of_portal.and_then(|checks| checks.version.value.as_deref()),
            backups: checks_of_portal.map(|checks| &checks.backups),
            has_hosted: has_hosted(site, checks, checks_of_portal),
        }
    });
    Ok(judge(SiteFacts { has_exports: has_exports(site), parts, portal, rehearsed }))
}

/// Returns whether a site has hosted layers. None are known only if its hosting server, as the portal lists it now, is
/// saved, and all servers list their services.
fn has_hosted(site: &Site, checks: &[ComponentChecks], portal: Option<&ComponentChecks>) -> Option<bool> {
    let components = site.components();
    let servers = components.iter().filter(|one| one.server().is_some());
    let counts: Vec<Option<u32>> =
        servers.map(|server| find(checks, server).and_then(|checks| checks.hosted.last()).copied()).collect();
    if counts.iter().flatten().any(|count| *count > 0) {
        return Some(true);
    }
    let hosting = portal?.hosting.last()?;
    let is_saved = |one: &Option<ServerId>| {
        one.as_ref().is_some_and(|one| site.servers.iter().any(|server| server.id == *one))
    };
    let is_known = !hosting.is_empty() && hosting.iter().all(is_saved) && counts.iter().all(Option::is_some);
    is_known.then_some(false)
}

/// Returns the newest exports of a component. The verified one is the newest whose file is there; otherwise, the newest
/// of which this is not known, or else the newest, with what was found instead of its file.
async fn newest_restorable(
    context: &SiteContext,
    component: &TargetSite,
    files: &Files,
) -> Result<(NewestExports, Option<FileFound>), Problem> {
    let without = |without: &'static [FileFound]| {
        let files = files.clone();
        newest_exports(context, component, move |path, written_at| {
            !without.contains(&files.file(path, Millis(written_at)))
        })
    };
    let newest = without(&[FileFound::Gone, FileFound::Changed, FileFound::NotKnown]).await?;
    if newest.verified.is_some() {
        return Ok((newest, None));
    }
    let newest = without(&[FileFound::Gone, FileFound::Changed]).await?;
    if newest.verified.is_some() {
        return Ok((newest, Some(FileFound::NotKnown)));
    }
    let newest = without(&[]).await?;
    let found = newest.verified.as_ref().and_then(|export| {
        Some(files.file(export.facts.path.as_deref()?, Millis(export.ended_at.unwrap_or_default())))
    });
    Ok((newest, found))
}

/// Returns the newest exports of a component at its present URL. A verified one counts only if `counts` accepts its path
/// and the time when it was written.
async fn newest_exports(
    context: &SiteContext,
    component: &TargetSite,
    counts: impl Fn(&str, i64) -> bool + Send + 'static,
) -> Result<NewestExports, Problem> {
    let operation = match component.server() {
        Some(_) => OperationKey::ExportServer,
        None => OperationKey::ExportPortal,
    };
    let component = component.clone();
    // Safety backups are left out: a site is not meant to be restored to the moment before an import.
    context
        .history
        .journal(move |journal| {
            let (site, server) = (&component.id.0, component.recorded_server());
            let is_here = |url: &str| component.is_at(url);
            journal.newest_exports(site, server, operation.name(), AS_SAFETY_BACKUP, &is_here, &counts)
        })
        .await
}

fn export(record: StoredRecord, plans: &[(BackupPlan, PlanState)]) -> Export {
    let place = place_of(&record, plans);
    // The start counts: later changes might not be in the file, whose export and download can take hours.
    let at = Millis(record.intent.started_at);
    let has_warnings = record.outcome == Outcome::Warnings;
    Export { at, version: record.intent.site_version, place, has_warnings }
}

fn place_of(
    StoredRecord { intent, facts, .. }: &StoredRecord,
    plans: &[(BackupPlan, PlanState)],
) -> Option<CopyPlace> {
    let elsewhere = |kind, name: &str| {
        let name = name.to_owned();
        Some(CopyPlace { kind, name, plan: None, plan_name: String::new(), set: None })
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
        set: plan.and_then(|plan| set_of(path, &plan.folder)),
    }
}

/// Returns the folder in that of a plan that a file is in; `None` if the file is in the folder of the plan itself.
fn set_of(path: &Path, plan: &Path) -> Option<String> {
    let mut below = path.strip_prefix(plan).ok()?.components();
    let set = below.next()?;
    below.next()?;
    Some(set.as_os_str().to_string_lossy().into_owned())
}

/// Looks again for what was not there, or not as it was, by the last look, and for the sets of plans that were lost: a
/// drive might be connected again, or a set have been put back.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be read.
pub(super) async fn look_again(
    context: &SiteContext,
    site: &Site,
    plans: &SavedPlans,
) -> Result<(), Problem> {
    let is_set_lost = plans.look_again(&site.id).await;
    let (checks, folders) = (context.access.checked.all(), plans.folders(&site.id));
    for component in site.components() {
        let before = find(&checks, &component).and_then(|checks| checks.export_files.value.as_ref());
        let is_lost = before.is_some_and(|files| files.iter().any(|file| file.found != FileFound::There));
        if is_set_lost || is_lost {
            let files = files_of(context, &component, &folders, LOOK_AGAIN).await?;
            if before != Some(&files) {
                note(context, &component, files);
            }
        }
    }
    Ok(())
}

/// Looks for the files of the verified exports of a component, and stores what it finds.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be read.
pub(super) async fn look(context: &SiteContext, component: &TargetSite) -> Result<(), Problem> {
    note(context, component, files_of(context, component, &[], LOOK).await?);
    Ok(())
}

fn note(context: &SiteContext, component: &TargetSite, files: Vec<CheckedFile>) {
    context.access.note_checked(component, |checks| checks.export_files.returned(Some(files)));
}

/// Returns what is found of the files of the verified exports of a component, from the newest to the first that is as
/// it was. `folders` tells a set that is gone from a drive that is not connected.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be read.
async fn files_of(
    context: &SiteContext,
    component: &TargetSite,
    folders: &[MarkedFolder],
    limit: Duration,
) -> Result<Vec<CheckedFile>, Problem> {
    let until = Instant::now() + limit;
    let mut files: Vec<CheckedFile> = Vec::new();
    while files.len() < MOST_FILES {
        let seen: Vec<_> = files.iter().map(|file| file.path.clone()).collect();
        let counts = move |path: &str, _| seen.iter().all(|seen| seen != path);
        let verified = newest_exports(context, component, counts).await?.verified;
        let Some(export) = verified else { break };
        let Some(path) = export.facts.path else { break };
        let verification = last_verification(&context.history, &RecordId(export.id)).await?;
        let (looked_for, folders) = (PathBuf::from(&path), folders.to_vec());
        let looking = in_background(move || found(&looked_for, verification.as_ref(), &folders));
        let found = match tokio::time::timeout_at(until, looking).await {
            Ok(Ok(found)) => found,
            Ok(Err(_)) | Err(_) => FileFound::NotKnown,
        };
        files.push(CheckedFile { path, found });
        if found == FileFound::There {
            break;
        }
    }
    Ok(files)
}

fn found(path: &Path, verification: Option<&ExportVerification>, folders: &[MarkedFolder]) -> FileFound {
    let is_changed =
        |file: &Metadata| verification.is_some_and(|verified| !verified.is_of(file.len(), modified_at(file)));
    match std::fs::metadata(path) {
        Ok(file) if !file.is_file() || file.len() == 0 => FileFound::Gone,
        Ok(file) if is_changed(&file) => FileFound::Changed,
        Ok(_) => FileFound::There,
        Err(_) if is_gone(path) || folders.iter().any(|folder| folder.lacks(path)) => FileFound::Gone,
        Err(_) => FileFound::NotKnown,
    }
}
