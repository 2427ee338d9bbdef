//! Site discovery: from a pasted URL to the endpoints of a site.
//!
//! [`find`] sends requests without a token, so that no secret reaches a guessed URL. [`find_servers`] requires a
//! session and lists the federated servers. Both return every request with its outcome, and plain data in which the
//! user can override each URL.

mod description;
mod input;
mod probe;
mod resolve;
mod servers;
mod site;

use futures_util::future::join_all;
use url::Url;

pub use input::{Hint, NotAnAddress, Pasted, is_own_address, root_of, secure};
pub use probe::{ProbeOutcome, Trace};
pub use servers::{FoundServers, ListedServer, find_servers, listed_servers};
pub use site::{FellBack, FoundSite, PortalRoots, ServerRoots, UnreachedPortal};

use crate::endpoint::Endpoint;
use crate::http::Http;
use probe::ProbedRoot;

/// Result of site discovery.
#[derive(Debug)]
pub struct Found {
    /// Site. `None` if no endpoint responded like a site.
    pub site: Option<FoundSite>,
    /// Every requested URL with its outcome, in the order of the requests.
    pub traces: Vec<Trace>,
}

/// Finds the site behind a pasted text.
///
/// # Errors
/// [`NotAnAddress`] if the text is not a URL. Missing responses are not an error; see [`Found::traces`].
pub async fn find(http: &Http, pasted: &str) -> Result<Found, NotAnAddress> {
    let pasted = Pasted::parse(pasted)?;
    let mut probed = probe_all(http, pasted.roots()).await;
    // Responses can name further roots: the portal of a server and the target of a redirect.
    let mut named: Vec<Url> = Vec::new();
    for root in probed.iter().flat_map(ProbedRoot::leads_to) {
        if !named.contains(&root) && !probed.iter().any(|one| one.root == root) {
            named.push(root);
        }
    }
    // The client certificate is for the host that was pasted, and for no other that is named there.
    let (same, others): (Vec<_>, Vec<_>) =
        named.into_iter().partition(|root| root.host() == pasted.origin.host());
    let stranger = http.without_client_certificate();
    let (same, others) = tokio::join!(probe_all(http, same), probe_all(&stranger, others));
    probed.extend(same.into_iter().chain(others));
    Ok(Found {
        site: resolve::site(&pasted, &probed),
        traces: probed.into_iter().flat_map(|one| one.traces).collect(),
    })
}

/// Requests one endpoint root, for example after the user changed it, and returns the outcomes.
pub async fn try_root(http: &Http, root: &Url) -> Vec<Trace> {
    ProbedRoot::at(Endpoint::new(http.clone(), root.clone())).await.traces
}

async fn probe_all(http: &Http, roots: Vec<Url>) -> Vec<ProbedRoot> {
    join_all(roots.into_iter().map(|root| ProbedRoot::at(Endpoint::new(http.clone(), root)))).await
}
