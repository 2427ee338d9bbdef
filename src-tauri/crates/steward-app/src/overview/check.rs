//! Checks the portal and the servers of a site. Only reads.

use futures_util::{StreamExt, stream};
use serde::Serialize;
use steward_core::access::machine;
use steward_core::expiry;
use steward_core::inventory::service_check::check_with_paths;
use steward_core::listings;
use steward_core::model::ids::{ServerId, SiteId};
use steward_core::model::problem::Problem;
use steward_core::runs::busy;
use steward_core::site_context::SiteContext;
use steward_core::sites::TargetSite;
use steward_core::vendor_backups;
use steward_core::webhooks::deactivation_log;

use super::components::has_exports;
use super::recoverable_facts;

/// Components of a site that are checked at once, each by one request after the other.
const AT_ONCE: usize = 2;

/// A check of a component that failed.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ComponentCheck {
    /// Server; `null` for the portal.
    pub server: Option<ServerId>,
    /// Reason why the first of its failed checks failed.
    pub problem: Problem,
}

/// Checks the version, the session, and the certificate of each component of a site, the invitations of its portal, and
/// the services and deactivated webhooks of its servers, two components at once, and then what expires, the hosting
/// server and the backups that the portal reports, and whether the files of the newest exports are on this computer.
/// The facts are stored; a check that fails leaves the earlier fact. Returns the components of which one failed.
///
/// Where no user is signed in, nothing is requested, and this is no failure.
///
/// # Errors
/// - [`Problem::Unexpected`] if the site is not saved.
/// - [`Problem::Busy`] if an import of it runs, or began meanwhile.
pub async fn check_site(context: &SiteContext, site: &SiteId) -> Result<Vec<ComponentCheck>, Problem> {
    let saved = context.access.sites.get(site)?;
    match context.unless_importing(&saved, check_all(context, &saved.components())).await {
        Ok(failed) => Ok(failed),
        Err(import) => Err(busy(&import)),
    }
}

async fn check_all(context: &SiteContext, components: &[TargetSite]) -> Vec<ComponentCheck> {
    // Boxed: each future is large.
    let checks: Vec<_> = components.iter().map(|component| Box::pin(check(context, component))).collect();
    let checked: Vec<_> = stream::iter(checks).buffered(AT_ONCE).collect().await;
    check_expiries(context, components, &checked).await;
    for component in components {
        if let Err(problem) = recoverable_facts::look(context, component).await {
            tracing::warn!(?problem, "whether the files of exports are there is not known");
        }
    }
    let failed = components.iter().zip(checked).filter_map(|(component, checked)| {
        let problem = checked.err().filter(|problem| !matches!(problem, Problem::SignIn { .. }))?;
        Some(ComponentCheck { server: component.target().server, problem })
    });
    failed.collect()
}

async fn check(context: &SiteContext, component: &TargetSite) -> Result<(), Problem> {
    let access = &context.access;
    let site = &component.id;
    if let Err(problem) = is_reached(context, component).await {
        access.note_failure(component, &problem);
        access.note_checked(component, |checks| match component.server() {
            Some(_) => {
                checks.services.failed();
                checks.hosted.failed();
            }
            None => {
                checks.invitations.failed();
                checks.invitations_gap = String::new();
            }
        });
        return Err(problem);
    }
    match component.server() {
        Some(_) => {
            let services = check_with_paths(access, component, 1).await;
            let webhooks = deactivation_log::compare(context, &component.target()).await;
            services?;
            webhooks?;
        }
        None => {
            let listed = listings::invitations(access, site).await?;
            if let Some(reason) = listings::unlisted_invitations(&listed) {
                let expected = "the invitations of all collaborations".to_owned();
                return Err(Problem::Unreadable { expected, excerpt: reason });
            }
        }
    }
    Ok(())
}

/// Reads what expires on a site and the backups that its portal reports, one request after the other. What a component
/// does not return is named beside the facts, and is no failure of the check.
async fn check_expiries(context: &SiteContext, components: &[TargetSite], checked: &[Result<(), Problem>]) {
    for (place, (component, checked)) in components.iter().zip(checked).enumerate() {
        let was_reached = match checked {
            Ok(()) => true,
            Err(Problem::SignIn { .. }) => continue,
            // An account that cannot list services or invitations might still read what expires.
            Err(_) => context.access.known(component).await.is_ok(),
        };
        let checked = match was_reached {
            true => Box::pin(check_expiries_of(context, component, place == 0)).await,
            false => Err(()),
        };
        if checked.is_err() {
            expiry::failed(&context.access, component);
            context.access.note_checked(component, |checks| {
                checks.hosting.failed();
                checks.backups.failed(String::new());
                checks.machine.failed();
            });
        }
    }
}

async fn check_expiries_of(context: &SiteContext, component: &TargetSite, is_first: bool) -> Result<(), ()> {
    let known = context.access.known(component).await.map_err(drop)?;
    expiry::check(&context.access, component, known.portal_version, is_first).await.map_err(drop)?;
    if component.server().is_none() && has_exports(component) {
        vendor_backups::check(&context.access, component, known.portal_version).await.map_err(drop)?;
    }
    if component.server().is_some() && component.servers.len() > 1 && has_exports(component) {
        let server = context.access.server(component).await.map_err(drop)?;
        // Without a response, the machine is noted as not known, and the other facts are kept.
        drop(machine::read_first(&context.access, component, &server).await);
    }
    Ok(())
}

/// Requests the version and the user of a component.
///
/// # Errors
/// Those of [`Access::ask_who`](steward_core::access::Access::ask_who) and
/// [`Access::server`](steward_core::access::Access::server).
async fn is_reached(context: &SiteContext, component: &TargetSite) -> Result<(), Problem> {
    context.access.ask_who(component).await?;
    // The session of a server in a portal is confirmed by the portal, also if the server does not respond.
    if component.server().is_some() {
        context.access.server(component).await?;
    }
    Ok(())
}
