//! The component of a site that a record belongs to.

use steward_journal::Intent;

use crate::model::ids::{ServerId, SiteId, Target};
use crate::model::problem::{PreconditionFailure, Problem};
use crate::sites::TargetSite;

/// Returns what the requests of a record were sent to.
pub fn target_of(intent: &Intent) -> Target {
    let server = Some(&intent.server).filter(|server| !server.is_empty());
    Target { site: SiteId(intent.site.clone()), server: server.cloned().map(ServerId) }
}

/// Returns whether the requests of a record were sent to this component, or to the whole site.
pub fn is_of(site: &TargetSite, intent: &Intent) -> bool {
    intent.site == site.id.0 && is_server_of(site, &intent.server)
}

/// Returns whether the server of a record of the site is this one; an empty one stands for the whole site.
pub(crate) fn is_server_of(site: &TargetSite, recorded: &str) -> bool {
    recorded.is_empty() || recorded == site.recorded_server()
}

/// Checks that the requests of a record of the site were sent to this server.
pub(crate) fn must_be_here(site: &TargetSite, recorded: &str) -> Result<(), Problem> {
    if is_server_of(site, recorded) {
        return Ok(());
    }
    let server = site.name_of_server(&ServerId(recorded.to_owned())).unwrap_or_default();
    Err(Problem::precondition_failed(PreconditionFailure::OtherServer { server }))
}
