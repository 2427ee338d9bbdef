//! The entry of a server in the portal's list of its servers.

use steward_client::discovery::ListedServer;
use url::Url;

use crate::sites::SavedServer;

/// Returns the entry of a server in the list of the portal, by the address in use or by its public URL.
pub(super) fn listed_as(server: &SavedServer, listed: Vec<ListedServer>) -> Option<ListedServer> {
    let is_at = |address: &Url| listed.iter().position(|one| one.is_at(address));
    let place = is_at(&server.address).or_else(|| server.services_url.as_ref().and_then(is_at))?;
    listed.into_iter().nth(place)
}

/// Returns whether the address of a server does not show by itself whether it is the administration URL.
pub(super) fn is_unclear(server: &SavedServer) -> bool {
    // An address without a port is that of a web adaptor.
    server.admin_url().is_none() && server.address.port().is_some()
}

/// Returns whether the portal lists the address of a server as its administration URL.
pub(super) fn is_listed_as_own(server: &SavedServer, listed: &[ListedServer]) -> bool {
    let here = plain(&server.address);
    let is_own = |listed: &ListedServer| {
        let is_here = |own: &Option<Url>| own.as_ref().is_some_and(|own| plain(own) == here);
        is_here(&listed.admin_url) && !is_here(&listed.url)
    };
    listed.iter().any(is_own)
}

/// Returns an address without its trailing slash, which does not matter.
fn plain(address: &Url) -> &str {
    address.as_str().trim_end_matches('/')
}
