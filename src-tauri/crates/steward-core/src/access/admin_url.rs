//! The administration URL of a portal or server, and whether a token may be sent to it (`docs/adr/0026`).
//!
//! [`past_every_adaptor`] returns the endpoint for requests that bypass web adaptors.

use steward_client::Endpoint;
use url::Url;

use crate::access::Access;
use crate::access::listed_server::listed_as;
use crate::model::problem::Problem;
use crate::sites::{TargetSite, origin};

/// Returns the endpoint of a portal or server at its administration URL, with the same session. Returns `endpoint` unchanged if no
/// administration URL is known.
///
/// # Errors
/// [`Problem::UnconfirmedAddress`] if the user has not confirmed the address and the portal does not list it. Nothing
/// was sent there.
pub(crate) async fn past_every_adaptor(
    access: &Access,
    site: &TargetSite,
    endpoint: Endpoint,
) -> Result<Endpoint, Problem> {
    let (in_use, direct) = match (site.server(), &site.portal) {
        (Some(server), _) => (&server.address, server.admin_url()),
        (None, Some(portal)) => (&portal.address, portal.admin_url()),
        (None, None) => return Ok(endpoint),
    };
    let Some(direct) = direct else { return Ok(endpoint) };
    if site.is_confirmed(in_use, direct) || is_listed(access, site, direct).await {
        return Ok(endpoint.moved_to(direct.clone()));
    }
    Err(Problem::UnconfirmedAddress { site: site.id.clone(), addresses: vec![direct.to_string()] })
}

/// Returns whether the portal lists an address of a server. `false` for a portal, which does not list its own.
async fn is_listed(access: &Access, site: &TargetSite, direct: &Url) -> bool {
    let Some(server) = site.server() else { return false };
    let listed = listed_as(server, access.listed(site).await);
    listed.is_some_and(|listed| listed.addresses().any(|own| origin(own) == origin(direct)))
}
