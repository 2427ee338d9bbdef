//! Facts of the portal and the servers of a site, for the table of its overview.

use jiff::tz::TimeZone;
use serde::Serialize;
use steward_core::access::checked_facts::find;
use steward_core::model::checked::{Checked, CheckedSession, ComponentChecks};
use steward_core::model::deployment::DeploymentType;
use steward_core::model::export_verification::ExportState;
use steward_core::model::ids::ServerId;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use steward_core::model::service_check::ServiceCheck;
use steward_core::site_context::SiteContext;
use steward_core::sites::Site;
use steward_core::transfers::export_verification::export_state;
use steward_plans::due::GRACE;
use steward_plans::plan::runs_by_schedule;
use steward_plans::plan::{BackupPlan, PlanPart};
use steward_plans::state::PlanState;

/// Facts of a portal or server, by its last checks and by the history.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ComponentFacts {
    /// Server; `null` for the portal.
    pub server: Option<ServerId>,
    /// Version.
    pub version: Checked<String>,
    /// States of the services of a server.
    pub services: Checked<ServiceCheck>,
    /// Whether the portal or server supports exports.
    pub has_exports: bool,
    /// Time by which a backup plan should have left a newer verified export; `null` if no plan exports it by schedule.
    pub expected_by: Option<Millis>,
    /// Last verified exports; `null` for a portal of which no export was read on this computer.
    pub exports: Option<ExportState>,
    /// Session.
    pub session: Checked<CheckedSession>,
}

/// Returns whether the portal and the servers of a site have a site export.
pub(super) fn has_exports(site: &Site) -> bool {
    !matches!(site.deployment_type, DeploymentType::Kubernetes | DeploymentType::Online)
}

/// Returns the facts of all components of a site.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be read.
pub(super) async fn facts(
    context: &SiteContext,
    site: &Site,
    checks: &[ComponentChecks],
    plans: &[(BackupPlan, PlanState)],
) -> Result<Vec<ComponentFacts>, Problem> {
    let mut all = Vec::new();
    for component in site.components() {
        let checked = find(checks, &component);
        let exports = export_state(context, &component.target()).await?;
        let was_read = exports.verified.is_some() || exports.partly_verified.is_some();
        let exports = Some(exports).filter(|_| component.server().is_some() || was_read);
        let server = component.target().server;
        let last = exports.as_ref().and_then(|exports| exports.verified);
        all.push(ComponentFacts {
            expected_by: expected_by(plans, server.as_ref(), last),
            server,
            version: checked.map(|checks| checks.version.clone()).unwrap_or_default(),
            services: checked.map(|checks| checks.services.clone()).unwrap_or_default(),
            has_exports: has_exports(site),
            exports,
            session: checked.map(|checks| checks.session.clone()).unwrap_or_default(),
        });
    }
    Ok(all)
}

/// Returns whether a plan exports a server by schedule; the portal if `server` is `None`.
pub(super) fn does_export(plan: &BackupPlan, server: Option<&ServerId>) -> bool {
    let is_it = |part: &PlanPart| match part {
        PlanPart::Portal { .. } => server.is_none(),
        PlanPart::Server { server: one } => server == Some(one),
    };
    runs_by_schedule(plan) && plan.parts.iter().any(is_it)
}

/// Returns the time until which the plans of a site have a newer export of a component than the
/// one that began at `last`.
pub(super) fn expected_by(
    plans: &[(BackupPlan, PlanState)],
    server: Option<&ServerId>,
    last: Option<Millis>,
) -> Option<Millis> {
    let of_it = plans.iter().map(|(plan, _)| plan).filter(|plan| does_export(plan, server));
    // An export in the future began by a clock that was ahead, and is ignored.
    let last = last.filter(|last| *last <= Millis::now());
    let expected = of_it.filter_map(|plan| {
        // A plan that was enabled after the export runs first at its next time since then.
        let from = last.map_or(plan.since.0, |last| last.0.max(plan.since.0));
        let next = plan.schedule.after(Millis(from).timestamp(), &TimeZone::system()).next()?;
        next.saturating_add(GRACE).ok().map(Millis::from)
    });
    expected.min()
}
