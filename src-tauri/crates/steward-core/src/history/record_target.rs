//! The component of a site that a record belongs to.
//!
//! A server keeps its identifier when its URL is changed to that of another server. What was recorded before is not about that one.

use steward_journal::{Deactivation, Intent};

use crate::model::ids::{ServerId, SiteId, Target};
use crate::model::problem::{PreconditionFailure, Problem};
use crate::sites::{Sites, TargetSite};

/// Returns what the requests of a record were sent to.
pub fn target_of(intent: &Intent) -> Target {
    let server = Some(&intent.server).filter(|server| !server.is_empty());
    Target { site: SiteId(intent.site.clone()), server: server.cloned().map(ServerId) }
}

/// Returns whether the requests of a record were sent to this component as it is saved now, or to the whole site.
pub fn is_of(site: &TargetSite, intent: &Intent) -> bool {
    intent.site == site.id.0 && must_be_of(site, intent).is_ok()
}

/// Returns a component in all sites that it is saved in: what one of them recorded is about the same portal or server.
pub(crate) fn in_all_sites(sites: &Sites, site: &TargetSite) -> Vec<TargetSite> {
    let saved = sites.all().into_iter().flat_map(|site| site.components());
    // Two servers of one site are two, also with one public URL.
    let is_other = |one: &TargetSite| one.id == site.id && one.target().server != site.target().server;
    saved.filter(|one| one.is_same_component(site) && !is_other(one)).collect()
}

/// Returns whether an entry of the deactivation log is of this server as it is saved now. If its server is not known, it is of all.
pub fn is_entry_of(site: &TargetSite, entry: &Deactivation) -> bool {
    let server = entry.server.as_deref().unwrap_or_default();
    entry.intent.site == site.id.0 && must_be_here(site, server, &entry.sent_to).is_ok()
}

/// Checks that the requests of a record of the site were sent to this component as it is saved now.
pub(crate) fn must_be_of(site: &TargetSite, intent: &Intent) -> Result<(), Problem> {
    must_be_here(site, &intent.server, intent.sent_to())
}

/// Checks the same by the recorded server and URL. An empty server is that of a record about the whole site.
pub(crate) fn must_be_here(site: &TargetSite, recorded: &str, sent_to: &str) -> Result<(), Problem> {
    if !recorded.is_empty() && recorded != site.recorded_server() {
        let server = site.name_of_server(&ServerId(recorded.to_owned())).unwrap_or_default();
        return Err(Problem::precondition_failed(PreconditionFailure::OtherServer { server }));
    }
    if site.is_at(sent_to) {
        return Ok(());
    }
    Err(Problem::precondition_failed(PreconditionFailure::ServerChanged))
}
