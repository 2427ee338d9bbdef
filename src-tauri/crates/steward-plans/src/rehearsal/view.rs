//! What the window shows of a rehearsal: what differs, and its steps with their states. Sends nothing.

use serde::Serialize;
use steward_core::access::checked_facts::find;
use steward_core::model::deployment::Environment;
use steward_core::model::ids::{RecordId, ServerId, SiteId, Target};
use steward_core::model::numbers::Millis;
use steward_core::model::problem::{PreconditionFailure, Problem};
use steward_core::model::site_proof::SiteProof;
use steward_core::proof::watch::Proofs;
use steward_core::site_context::SiteContext;
use steward_core::sites::{Site, TargetSite};
use steward_journal::StoredRecord;

use super::begun::{BegunRehearsal, Rehearsals};
use super::differences::{RehearsalDifference, Side, counterparts, no_part, of_part};
use super::verdict::{AfterImport, RehearsalVerdict, StepState, state, verdict};
use crate::attempt::StoredSet;
use crate::plan::BackupPlan;
use crate::restore::{self, RestoreStep, StepImport};
use crate::set::SetPart;
use crate::sets;

/// Time after an import in which its check is expected to begin, in milliseconds.
const CHECK_BEGINS: i64 = 2 * 60_000;

/// Rehearsal of a set on a test site.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RehearsalView {
    /// The rehearsal of this set, if it was begun; `null` otherwise.
    pub begun: Option<BegunRehearsal>,
    /// Rehearsal of another set that was begun on the test site, and prevents this one; `null` if there is none.
    pub other: Option<BegunRehearsal>,
    /// Site of the set.
    pub site: SiteId,
    /// Name of that site when the set was made.
    pub site_name: String,
    /// Time when the run of the plan began that created the set.
    pub set_started: Millis,
    /// Reason why a rehearsal on the site is not allowed; `null` if it is.
    pub refused: Option<Problem>,
    /// Differences between the site of the set and the test site.
    pub differences: Vec<RehearsalDifference>,
    /// Steps of the rehearsal, in order.
    pub steps: Vec<RehearsalStep>,
    /// Result of the rehearsal if it ended now.
    pub verdict: RehearsalVerdict,
}

/// Step of a rehearsal.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RehearsalStep {
    /// Part of the set, its file, and its import.
    pub part: RestoreStep,
    /// Server of the test site that the part is imported into; `null` for the portal, and if there is none.
    pub onto: Option<ServerId>,
    /// URL of the server or portal that the part is imported into; empty if there is none.
    pub onto_url: String,
    /// State of the step.
    pub state: StepState,
    /// Whether the step is the next one to import or skip.
    pub is_next: bool,
    /// Last check of the test site after its import; `null` if there was none.
    pub back: Option<SiteProof>,
}

/// Everything that is known of a rehearsal.
pub(super) struct Rehearsing {
    pub(super) stored: StoredSet,
    pub(super) test: Site,
    pub(super) differences: Vec<RehearsalDifference>,
    pub(super) steps: Vec<RehearsalStep>,
}

/// Returns a rehearsal of a set on a site. Sends nothing.
///
/// # Errors
/// - [`Problem::Unexpected`] if there is no such set, the site is not saved, or the history cannot be read.
/// - [`Problem::File`] if the folder of the plan cannot be read.
pub async fn view(
    context: &SiteContext,
    rehearsals: &Rehearsals,
    proofs: &Proofs,
    plan: &BackupPlan,
    set: &str,
    site: &SiteId,
) -> Result<RehearsalView, Problem> {
    let on_site = rehearsals.on(site);
    let is_of_set = |one: &BegunRehearsal| one.plan == plan.id && one.set == set;
    let (begun, other) = match on_site {
        Some(one) if is_of_set(&one) => (Some(one), None),
        other => (None, other),
    };
    let Rehearsing { stored, test, differences, steps } =
        rehearsing(context, proofs, plan, set, (site, begun.as_ref())).await?;
    Ok(RehearsalView {
        site: stored.set.site,
        site_name: stored.set.site_name,
        set_started: stored.set.started,
        refused: may_rehearse(context, &test, begun.is_none()).err(),
        verdict: verdict(steps.iter().map(|step| step.state), &differences),
        begun,
        other,
        differences,
        steps,
    })
}

/// Checks that a restore may be rehearsed on a site: it is marked as test, and has no endpoint of a production site.
/// `is_new` is whether nothing was imported yet, so that the portal of the site is its own.
///
/// # Errors
/// [`Problem::PreconditionFailed`] if it may not.
pub(super) fn may_rehearse(context: &SiteContext, test: &Site, is_new: bool) -> Result<(), Problem> {
    if test.environment != Environment::Test {
        return Err(Problem::precondition_failed(PreconditionFailure::NotATestSite));
    }
    match context.production_at(test, is_new) {
        Some(Site { name: production, .. }) => {
            Err(Problem::precondition_failed(PreconditionFailure::ProductionEndpoint { production }))
        }
        None => Ok(()),
    }
}

/// Checks the same before the first import, after asking the portal for its servers, which are not known after a
/// restart.
///
/// # Errors
/// Those of [`may_rehearse`].
pub(super) async fn may_begin(context: &SiteContext, test: &Site) -> Result<(), Problem> {
    may_rehearse(context, test, true)?;
    Box::pin(context.access.ask_for_servers(test)).await;
    may_rehearse(context, test, true)
}

/// Collects what is known of a rehearsal.
pub(super) async fn rehearsing(
    context: &SiteContext,
    proofs: &Proofs,
    plan: &BackupPlan,
    set: &str,
    (site, begun): (&SiteId, Option<&BegunRehearsal>),
) -> Result<Rehearsing, Problem> {
    let stored = sets::find(plan, set).await?;
    let test = context.access.sites.get(site)?;
    // `None` if the site was removed: the sets of its plan stay.
    let source = context.access.sites.get(&plan.site).ok();
    let servers = begun.map_or_else(
        || counterparts(&stored.set.parts, source.as_ref(), &test),
        |begun| begun.servers.clone(),
    );
    let mut differences = Vec::new();
    let mut steps = Vec::new();
    for part in restore::in_order(&stored.set.parts) {
        let onto = part.server.as_ref().and_then(|server| {
            servers.iter().find(|(of_set, _)| of_set == server).map(|(_, onto)| onto.clone())
        });
        let is_possible = if part.server.is_some() { onto.is_some() } else { test.portal.is_some() };
        let target = is_possible.then(|| Target { site: site.clone(), server: onto.clone() });
        let component = target.as_ref().and_then(|target| context.access.sites.at(target).ok());
        let record = restore::export_record(context, &plan.site, part).await?;
        let set_side = side_of_set(source.as_ref(), part, record.as_ref());
        let test_side = component.as_ref().map(|component| side_of_test(context, component));
        differences.extend(of_part(&part.name, &set_side, test_side.as_ref()));
        let begun_at = begun.map(|begun| begun.at);
        let step = restore::step(context, &plan.site, part, target.as_ref(), begun_at).await?;
        let (after, back) = match &step.import {
            Some(import) => after(context, proofs, site, import).await?,
            None => (After::NotKnown, None),
        };
        let after = match (after, &back) {
            (After::Waiting, _) => AfterImport::Waiting,
            (After::Checked, Some(proof)) => AfterImport::Checked(proof),
            (After::Checked, None) | (After::NotKnown, _) => AfterImport::NotKnown,
        };
        let is_skipped = begun.is_some_and(|begun| begun.skipped.contains(&part.server));
        let state = state(&step, is_skipped, after);
        let onto_url = test_side.map(|side| side.url).unwrap_or_default();
        steps.push(RehearsalStep { part: step, onto, onto_url, state, is_next: false, back });
    }
    let is_free = |id: &ServerId| servers.iter().all(|(_, onto)| onto != id);
    differences.extend(test.servers.iter().filter(|server| is_free(&server.id)).map(no_part));
    let is_skipped =
        |step: &RehearsalStep| begun.is_some_and(|begun| begun.skipped.contains(&step.part.server));
    let goes_on = |step: &RehearsalStep| {
        step.state.is_settled() || (is_skipped(step) && step.state != StepState::Importing)
    };
    if let Some(next) = steps.iter_mut().find(|step| !goes_on(step)) {
        next.is_next = begun.is_some();
    }
    Ok(Rehearsing { stored, test, differences, steps })
}

fn side_of_set(source: Option<&Site>, part: &SetPart, record: Option<&StoredRecord>) -> Side {
    let version = record.map(|record| record.intent.site_version.clone()).unwrap_or_default();
    let Some(id) = &part.server else {
        let portal = source.and_then(|site| site.portal.as_ref());
        let url = portal.map(|portal| portal.address.to_string()).unwrap_or_default();
        return Side { version, url, ..Side::default() };
    };
    let server = source.and_then(|site| site.servers.iter().find(|server| server.id == *id));
    match server {
        Some(server) => Side::of_server(server, version),
        None => Side { version, ..Side::default() },
    }
}

fn side_of_test(context: &SiteContext, component: &TargetSite) -> Side {
    let checks = context.access.checked.all();
    let version =
        find(&checks, component).and_then(|checks| checks.version.value.clone()).unwrap_or_default();
    match (component.server(), &component.portal) {
        (Some(server), _) => Side::of_server(server, version),
        (None, Some(portal)) => Side { version, url: portal.address.to_string(), ..Side::default() },
        (None, None) => Side { version, ..Side::default() },
    }
}

enum After {
    Waiting,
    Checked,
    NotKnown,
}

/// Returns what is known of the test site after an import, and its last check.
async fn after(
    context: &SiteContext,
    proofs: &Proofs,
    site: &SiteId,
    import: &StepImport,
) -> Result<(After, Option<SiteProof>), Problem> {
    if let Some(now) = proofs.of(context, site).filter(|now| now.import.as_ref() == Some(&import.record)) {
        return Ok((if now.is_waiting { After::Waiting } else { After::Checked }, now.proof));
    }
    // A later import ended that wait: its result is in the entry of the import.
    let RecordId(id) = import.record.clone();
    let kept = context.history.journal(move |journal| journal.report_field(&id, "back")).await?;
    let kept = kept.and_then(|kept| kept.read::<Option<SiteProof>>().ok()).flatten();
    Ok(match kept {
        Some(proof) => (After::Checked, Some(proof)),
        None if Millis::now().0 - import.at.0 < CHECK_BEGINS => (After::Waiting, None),
        None => (After::NotKnown, None),
    })
}
