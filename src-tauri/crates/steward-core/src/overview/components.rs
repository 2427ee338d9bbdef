//! Facts of the portal and the servers of a site, for the table of its overview.

use serde::Serialize;

use crate::access::checked_facts::find;
use crate::model::checked::{Checked, CheckedSession, ComponentChecks};
use crate::model::deployment::DeploymentType;
use crate::model::export_verification::ExportState;
use crate::model::ids::ServerId;
use crate::model::numbers::Millis;
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;
use crate::model::service_check::ServiceCheck;
use crate::site_context::SiteContext;
use crate::sites::{Site, TargetSite};
use crate::transfers::export_verification::export_state;

/// Facts of a portal or server: as checked last, and from the history.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ComponentFacts {
    /// Server; `null` for the portal.
    pub server: Option<ServerId>,
    /// Version.
    pub version: Checked<String>,
    /// States of the services of a server.
    pub services: Checked<ServiceCheck>,
    /// Whether it can be exported.
    pub has_exports: bool,
    /// Time of the last successful export; `null` if the history has none.
    pub last_export: Option<Millis>,
    /// Verification and rehearsal of its exports; `null` for a portal, whose exports stay there.
    pub exports: Option<ExportState>,
    /// Whether it is reached over an encrypted connection.
    pub is_encrypted: bool,
    /// Time when its certificate expires.
    pub certificate: Checked<Millis>,
    /// Session.
    pub session: Checked<CheckedSession>,
}

/// Last export of a server of which every entry was verified.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct VerifiedExport {
    /// Server.
    pub server: ServerId,
    /// Time of the export; `null` if none was verified.
    pub at: Option<Millis>,
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
) -> Result<Vec<ComponentFacts>, Problem> {
    let mut all = Vec::new();
    for component in site.components() {
        let checked = find(checks, &component);
        let exports = match component.server() {
            Some(_) => Some(export_state(context, &component.target()).await?),
            None => None,
        };
        all.push(ComponentFacts {
            server: component.target().server,
            version: checked.map(|checks| checks.version.clone()).unwrap_or_default(),
            services: checked.map(|checks| checks.services.clone()).unwrap_or_default(),
            has_exports: has_exports(site),
            last_export: last_export(context, &component).await?,
            exports,
            is_encrypted: is_encrypted(&component),
            certificate: checked.map(|checks| checks.certificate.clone()).unwrap_or_default(),
            session: checked.map(|checks| checks.session.clone()).unwrap_or_default(),
        });
    }
    Ok(all)
}

fn is_encrypted(component: &TargetSite) -> bool {
    let address = match component.server() {
        Some(server) => Some(&server.address),
        None => component.portal.as_ref().map(|portal| &portal.address),
    };
    address.is_some_and(|address| address.scheme() == "https")
}

async fn last_export(context: &SiteContext, component: &TargetSite) -> Result<Option<Millis>, Problem> {
    let operation = match component.server() {
        Some(_) => OperationKey::ExportServer,
        None => OperationKey::ExportPortal,
    };
    let (site, server) = (component.id.0.clone(), component.recorded_server().to_owned());
    let last = context.history.journal(move |journal| journal.last_success(&site, &server, operation.name()));
    Ok(last.await?.map(Millis))
}
