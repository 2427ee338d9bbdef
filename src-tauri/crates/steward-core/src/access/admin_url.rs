//! The administration URL of a server, and whether a token may be sent to it (`docs/adr/0026`).
//!
//! [`past_every_adaptor`] returns the endpoint for requests that bypass web adaptors.

use steward_client::Endpoint;
use steward_client::discovery::ListedServer;

use crate::access::Access;
use crate::access::listed_server::listed_as;
use crate::model::problem::Problem;
use crate::sites::{TargetSite, origin};

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
        || listed_as(saved, access.listed(site).await).as_ref().is_some_and(is_listed)
    {
        return Ok(server.moved_to(direct.clone()));
    }
    Err(Problem::UnconfirmedAddress { site: site.id.clone(), addresses: vec![direct.to_string()] })
}
