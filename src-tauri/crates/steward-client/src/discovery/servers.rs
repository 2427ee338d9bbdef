//! Federated servers of a portal.
//!
//! [`listed_servers`] returns the portal's list, [`find_servers`] also requests each server.

use futures_util::{StreamExt, stream};
use serde::Deserialize;
use url::Url;

use super::input::{is_own_address, secure};
use super::probe::{ProbeOutcome, Trace, request};
use super::site::{FellBack, ServerRoots};
use crate::deployment_type::ServerType;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::wire::{list, text, used};

/// Maximum number of concurrent requests. A portal can list any number of servers with any URL.
const AT_ONCE: usize = 8;

/// Role of the server that has the hosted layers of a portal.
const HOSTING: &str = "HOSTING_SERVER";

/// Federated servers of a portal, with the requests to them.
#[derive(Debug)]
pub struct FoundServers {
    /// Servers, in the order of the portal's list.
    pub servers: Vec<ServerRoots>,
    /// Every requested URL with its outcome.
    pub traces: Vec<Trace>,
}

#[derive(Deserialize)]
struct Federation {
    #[serde(default, deserialize_with = "list")]
    servers: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    #[serde(default, deserialize_with = "text")]
    id: String,
    #[serde(default, deserialize_with = "text")]
    name: String,
    #[serde(default, deserialize_with = "used")]
    url: String,
    #[serde(default, alias = "adminURL", deserialize_with = "used")]
    admin_url: String,
    #[serde(default, deserialize_with = "text")]
    server_type: String,
    #[serde(default, deserialize_with = "text")]
    server_role: String,
    #[serde(default, deserialize_with = "text")]
    server_function: String,
}

/// Server in the portal's list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedServer {
    /// Identifier in the portal; may be empty.
    pub id: String,
    /// Services URL, for clients. `None` if missing or not a URL.
    pub url: Option<Url>,
    /// Root of the administration URL. `None` if missing or not a URL.
    pub admin_url: Option<Url>,
    /// Whether the portal lists the server as its hosting server.
    pub is_hosting: bool,
}

impl ListedServer {
    /// Returns the distinct URLs, the services URL first.
    pub fn addresses(&self) -> impl Iterator<Item = &Url> {
        let admin_url = self.admin_url.as_ref().filter(|admin_url| self.url.as_ref() != Some(*admin_url));
        self.url.iter().chain(admin_url)
    }

    /// Returns whether the portal lists the server under this URL. A trailing slash and the case of the path are
    /// ignored, as web servers do.
    #[must_use]
    pub fn is_at(&self, address: &Url) -> bool {
        let path = |url: &Url| url.path().trim_end_matches('/').to_ascii_lowercase();
        self.addresses().any(|own| own.origin() == address.origin() && path(own) == path(address))
    }
}

/// Returns the servers that are federated with the portal, according to the portal.
///
/// Only this list decides whether a token that the portal issued for a server is sent to that server: the owner that a
/// server names proves nothing. `portal` carries the session; no server is contacted.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the request.
/// - [`ClientError::Unreadable`] if the response is not JSON.
/// - A connection or session error of [`ClientError`].
pub async fn listed_servers(portal: &Endpoint) -> Result<Vec<ListedServer>, ClientError> {
    let listed = federation(portal).await?.servers;
    Ok(listed
        .into_iter()
        .map(|entry| ListedServer {
            url: root(&entry.url),
            admin_url: root(&entry.admin_url),
            id: entry.id,
            is_hosting: entry.server_role.eq_ignore_ascii_case(HOSTING),
        })
        .collect())
}

/// Returns the federated servers of `portal`, and requests each of their URLs without a token.
///
/// If the administration URL of a server is not reachable from here, its services URL is used, and
/// [`ServerRoots::fell_back`] is set.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the request.
/// - [`ClientError::Unreadable`] if the response is not JSON.
/// - A connection or session error of [`ClientError`].
pub async fn find_servers(portal: &Endpoint) -> Result<FoundServers, ClientError> {
    let listed = federation(portal).await?;
    let tries: Vec<_> = listed.servers.iter().map(|entry| try_server(portal, entry)).collect();
    let mut found = stream::iter(tries).buffered(AT_ONCE);
    let mut all = FoundServers { servers: Vec::new(), traces: Vec::new() };
    while let Some((server, traces)) = found.next().await {
        all.servers.extend(server);
        all.traces.extend(traces);
    }
    Ok(all)
}

async fn federation(portal: &Endpoint) -> Result<Federation, ClientError> {
    let expected = "the list of federated servers";
    let path = ["sharing", "rest", "portals", "self", "servers"];
    let mut listed = portal.get_list::<Federation>(&path, &[], expected).await;
    // The first resource can be forbidden for a role that is allowed to read the second; a portal without servers is
    // requested twice.
    let is_enough = match &listed {
        Ok(federation) => !federation.servers.is_empty(),
        Err(error) => matches!(error, ClientError::Rejected { code: 498 | 499, .. }),
    };
    if !is_enough {
        let path = ["portaladmin", "federation", "servers"];
        if let Ok(more) = portal.get_list::<Federation>(&path, &[], expected).await {
            listed = Ok(more);
        }
    }
    listed
}

/// Requests the URLs of one server. Returns no server if none of its URLs is usable.
async fn try_server(portal: &Endpoint, entry: &Entry) -> (Option<ServerRoots>, Vec<Trace>) {
    let own = root(&entry.admin_url);
    let Some(public) = root(&entry.url).or_else(|| own.clone()) else { return (None, Vec::new()) };
    let own = own.unwrap_or_else(|| public.clone());
    let (mut outcome, mut traces) = try_root(portal, &own).await;
    let reached = outcome.is_site();
    // A URL of a web adaptor does not bypass it, whatever its port.
    let is_direct = own != public || is_own_address(&own);
    let (admin, fell_back) = if reached || own == public {
        (own.clone(), None)
    } else {
        let (at_public, more) = try_root(portal, &public).await;
        traces.extend(more);
        let fell_back = FellBack { from: own.clone(), outcome };
        outcome = at_public;
        (public.clone(), Some(fell_back))
    };
    let server = ServerRoots {
        name: if entry.name.is_empty() {
            public.host_str().unwrap_or_default().to_owned()
        } else {
            entry.name.clone()
        },
        admin,
        admin_url: (reached && is_direct).then_some(own),
        server_type: ServerType::from_portal(&entry.server_type, &entry.server_function),
        role: entry.server_role.clone(),
        federated: Some(portal.root().clone()),
        version: match outcome {
            ProbeOutcome::Answered { version } => version,
            _ => None,
        },
        services_url: public,
        fell_back,
    };
    (Some(server), traces)
}

/// Requests a server root. Servers without a public description still have an administration that requires a sign-in.
async fn try_root(portal: &Endpoint, root: &Url) -> (ProbeOutcome, Vec<Trace>) {
    let server = portal.at(root.clone());
    let ((info, first), (admin, second)) =
        tokio::join!(request(&server, &["rest", "info"]), request(&server, &["admin"]));
    let outcome =
        if info.outcome.is_site() || !admin.outcome.is_site() { info.outcome } else { admin.outcome };
    (outcome, vec![first, second])
}

/// Returns a URL of the portal's list, without a trailing slash.
fn root(listed: &str) -> Option<Url> {
    Url::parse(listed.trim().trim_end_matches('/')).ok().as_ref().and_then(secure)
}
