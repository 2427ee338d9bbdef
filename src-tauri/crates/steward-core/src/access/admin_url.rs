//! The administration URL of a server, and whether a token may be sent to it (`docs/adr/0026`).
//!
//! [`past_every_adaptor`] returns the endpoint for requests that bypass web adaptors.

use steward_client::Endpoint;
use steward_client::discovery::{ListedServer, listed_servers};
use url::Url;

use crate::access::Access;
use crate::model::problem::Problem;
use crate::sites::{SavedServer, Site, TargetSite, origin};

/// Returns the endpoint of a server at its administration URL, with the same session. Returns `server` unchanged if no
/// administration URL is known.
///
/// # Errors
/// [`Problem::UnconfirmedAddress`] if the user has not confirmed the address and the portal does not list it. Nothing
/// was sent there.
pub(crate) async fn past_every_adaptor(
    access: &Access,
    site: &TargetSite,
    server: Endpoint,
) -> Result<Endpoint, Problem> {
    let Some(saved) = site.server() else { return Ok(server) };
    let Some(direct) = saved.admin_url() else { return Ok(server) };
    let is_listed = |listed: &ListedServer| listed.addresses().any(|own| origin(own) == origin(direct));
    if site.is_confirmed(saved, direct)
        || listed_as(saved, listed(access, site).await).as_ref().is_some_and(is_listed)
    {
        return Ok(server.moved_to(direct.clone()));
    }
    Err(Problem::UnconfirmedAddress { site: site.id.clone(), addresses: vec![direct.to_string()] })
}

/// Returns the entry of a server in the list of the portal, by the address in use or by its public URL.
pub(crate) fn listed_as(server: &SavedServer, listed: Vec<ListedServer>) -> Option<ListedServer> {
    let is_at = |address: &Url| listed.iter().position(|one| one.is_at(address));
    let place = is_at(&server.address).or_else(|| server.services_url.as_ref().and_then(is_at))?;
    listed.into_iter().nth(place)
}

/// Returns whether the portal lists the address of a server as its administration URL, if the address itself does not
/// show it.
pub(crate) async fn is_listed_as_own(access: &Access, site: &Site, server: &SavedServer) -> bool {
    // An address without a port is that of a web adaptor.
    if server.admin_url().is_some() || server.address.port().is_none() {
        return false;
    }
    let here = plain(&server.address);
    let is_own = |listed: &ListedServer| {
        let is_here = |own: &Option<Url>| own.as_ref().is_some_and(|own| plain(own) == here);
        is_here(&listed.admin_url) && !is_here(&listed.url)
    };
    listed(access, site).await.iter().any(is_own)
}

/// Returns an address without its trailing slash, which does not matter.
fn plain(address: &Url) -> &str {
    address.as_str().trim_end_matches('/')
}

/// Returns the servers that the portal lists; none if it rejects the request.
async fn listed(access: &Access, site: &Site) -> Vec<ListedServer> {
    if site.portal.is_none() {
        return Vec::new();
    }
    let Ok(portal) = access.portal(site).await else { return Vec::new() };
    let servers = listed_servers(&portal).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the portal does not say which servers are its own");
        Vec::new()
    });
    access.learn(site, &servers);
    servers
}
