//! The component of a site that a record belongs to.

use steward_journal::Intent;

use crate::model::ids::{ServerId, SiteId, Target};
use crate::model::problem::{PreconditionFailure, Problem};
use crate::sites::TargetSite;

/// Returns what the requests of a record were sent to.
pub(crate) fn target_of(intent: &Intent) -> Target {
    let server = Some(&intent.server).filter(|server| !server.is_empty());
    Target { site: SiteId(intent.site.clone()), server: server.cloned().map(ServerId) }
}

/// Returns whether the requests of a record were sent to this component, or to the whole site.
pub(crate) fn is_of(site: &TargetSite, intent: &Intent) -> bool {
    intent.site == site.id.0 && (intent.server.is_empty() || intent.server == site.recorded_server())
}

/// Checks that the requests of a record were sent to this server.
pub(crate) fn must_be_here(site: &TargetSite, intent: &Intent) -> Result<(), Problem> {
    if is_of(site, intent) {
        return Ok(());
    }
    let other = site.servers.iter().find(|server| server.id.0 == intent.server);
    let server = other.map(|server| server.name.clone()).unwrap_or_default();
    Err(Problem::precondition_failed(PreconditionFailure::OtherServer { server }))
}
