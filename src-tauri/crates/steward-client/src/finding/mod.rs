//! From whatever a person pastes to the roots of a site.
//!
//! [`find`] asks without a token, so that no secret goes to an address that was only guessed. What takes a sign-in,
//! the federated servers, is the second step, [`find_servers`]. Both say what they tried and what came of it, and
//! what they return is plain data: each address may be overridden.

mod assemble;
mod look;
mod pasted;
mod servers;
mod site;

use futures_util::future::join_all;
use url::Url;

pub use look::{Outcome, Trace};
pub use pasted::{Hint, NotAnAddress, Pasted, is_own_address, secure};
pub use servers::{FoundServers, ListedServer, find_servers, listed_servers};
pub use site::{FellBack, FoundSite, PortalRoots, ServerRoots, UnreachedPortal};

use crate::area::Area;
use crate::http::Http;
use look::Looked;

/// What was found, and how.
#[derive(Debug)]
pub struct Found {
    /// The site; `None` when nothing that was tried is one.
    pub site: Option<FoundSite>,
    /// Every address that was asked, with what it answered.
    pub traces: Vec<Trace>,
}

/// Finds the site behind what somebody pasted.
///
/// # Errors
/// When the text is no address of a site. That nothing answers is no error: the traces say why.
pub async fn find(http: &Http, pasted: &str) -> Result<Found, NotAnAddress> {
    let pasted = Pasted::parse(pasted)?;
    let mut looked = look_at(http, pasted.roots()).await;
    // What answered names others: the portal of a server, and the place that a redirect leads to.
    let mut named: Vec<Url> = Vec::new();
    for root in looked.iter().flat_map(Looked::leads_to) {
        if !named.contains(&root) && !looked.iter().any(|one| one.root == root) {
            named.push(root);
        }
    }
    looked.extend(look_at(http, named).await);
    Ok(Found {
        site: assemble::site(&pasted, &looked),
        traces: looked.into_iter().flat_map(|one| one.traces).collect(),
    })
}

/// Tries one address, as when a person overrides what was found.
pub async fn try_root(http: &Http, root: &Url) -> Vec<Trace> {
    Looked::at(Area::new(http.clone(), root.clone())).await.traces
}

async fn look_at(http: &Http, roots: Vec<Url>) -> Vec<Looked> {
    join_all(roots.into_iter().map(|root| Looked::at(Area::new(http.clone(), root)))).await
}
