//! The server past every web adaptor, and whether a credential may go there (`docs/adr/0026`).

use steward_client::Area;
use steward_client::finding::{ListedServer, listed_servers};
use url::Url;

use crate::host::Host;
use crate::model::problem::Problem;
use crate::sites::{SavedServer, Site, origin};

/// The area of a server at its own address, asked by the same person; the same area where no other address is known.
///
/// # Errors
/// [`Problem::UnconfirmedAddress`] when nobody confirmed the address and the portal does not list it: then nothing was
/// sent there, not even a question.
pub(crate) async fn past_every_adaptor(host: &Host, site: &Site, server: Area) -> Result<Area, Problem> {
    let Some(saved) = site.server() else { return Ok(server) };
    let Some(direct) = saved.direct() else { return Ok(server) };
    let is_same_place = |listed: &ListedServer| listed.addresses().any(|own| origin(own) == origin(direct));
    if site.is_confirmed(saved, direct) || listed(host, site).await.iter().any(is_same_place) {
        return Ok(server.moved_to(direct.clone()));
    }
    Err(Problem::UnconfirmedAddress { site: site.id.clone(), addresses: vec![direct.to_string()] })
}

/// Whether the portal says that a server's address is its own, where the address does not say so by itself.
pub(crate) async fn is_listed_as_own(host: &Host, site: &Site, server: &SavedServer) -> bool {
    // Without a port it is a web adaptor's.
    if server.direct().is_some() || server.address.port().is_none() {
        return false;
    }
    let here = plain(&server.address);
    let is_own = |listed: &ListedServer| {
        let is_here = |own: &Option<Url>| own.as_ref().is_some_and(|own| plain(own) == here);
        is_here(&listed.admin_url) && !is_here(&listed.url)
    };
    listed(host, site).await.iter().any(is_own)
}

/// An address without the slash at its end, which is no other place.
fn plain(address: &Url) -> &str {
    address.as_str().trim_end_matches('/')
}

/// The servers that the signed-in portal lists; none where it does not say.
async fn listed(host: &Host, site: &Site) -> Vec<ListedServer> {
    if site.portal.is_none() {
        return Vec::new();
    }
    let Ok(portal) = host.portal(site).await else { return Vec::new() };
    listed_servers(&portal).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "the portal does not say which servers are its own");
        Vec::new()
    })
}
