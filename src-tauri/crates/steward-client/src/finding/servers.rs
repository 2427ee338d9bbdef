//! The servers that a portal knows.

use futures_util::{StreamExt, stream};
use serde::Deserialize;
use url::Url;

use super::look::{Outcome, Trace, ask};
use super::pasted::{is_own_address, secure};
use super::site::{FellBack, ServerRoots};
use crate::area::Area;
use crate::error::ClientError;
use crate::flavour::ServerFlavour;
use crate::wire::{list, text};

/// Servers that are tried at the same time. A portal may name any number, and any addresses.
const AT_ONCE: usize = 8;

/// What a portal says of its servers, and what came of asking them.
#[derive(Debug)]
pub struct FoundServers {
    /// The servers, in the portal's order.
    pub servers: Vec<ServerRoots>,
    /// Every address that was asked.
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
    name: String,
    #[serde(default, deserialize_with = "text")]
    url: String,
    #[serde(default, alias = "adminURL", deserialize_with = "text")]
    admin_url: String,
    #[serde(default, deserialize_with = "text")]
    server_type: String,
    #[serde(default, deserialize_with = "text")]
    server_role: String,
    #[serde(default, deserialize_with = "text")]
    server_function: String,
}

/// The addresses under which a portal lists one of its servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedServer {
    /// The address that everybody uses.
    pub url: Option<Url>,
    /// The root of its administration.
    pub admin_url: Option<Url>,
}

impl ListedServer {
    /// Both addresses, each once, the public one first.
    pub fn addresses(&self) -> impl Iterator<Item = &Url> {
        let admin_url = self.admin_url.as_ref().filter(|admin_url| self.url.as_ref() != Some(*admin_url));
        self.url.iter().chain(admin_url)
    }

    /// Returns whether the portal lists the server under this address. Neither a slash at the end nor the case of the
    /// path makes a difference: web servers ignore both.
    #[must_use]
    pub fn is_at(&self, address: &Url) -> bool {
        let path = |url: &Url| url.path().trim_end_matches('/').to_ascii_lowercase();
        self.addresses().any(|own| own.origin() == address.origin() && path(own) == path(address))
    }
}

/// Lists the servers that are federated with the portal, as the portal's own records have them.
///
/// Only this list decides whether a token that the portal issued for a server is sent to that server: what a server
/// says about its owner proves nothing. `portal` carries the session; no server is contacted.
///
/// # Errors
/// When the portal rejects the request or cannot be reached.
pub async fn listed_servers(portal: &Area) -> Result<Vec<ListedServer>, ClientError> {
    let listed = federation(portal).await?.servers;
    Ok(listed
        .iter()
        .map(|entry| ListedServer { url: root(&entry.url), admin_url: root(&entry.admin_url) })
        .collect())
}

/// Asks the portal, which `portal` carries a token for, for its servers, and tries each of their addresses without
/// one. A server whose own address cannot be reached from here is used at its public one, and says so.
///
/// # Errors
/// When the portal refuses or cannot be reached.
pub async fn find_servers(portal: &Area) -> Result<FoundServers, ClientError> {
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

async fn federation(portal: &Area) -> Result<Federation, ClientError> {
    let expected = "the list of federated servers";
    let path = ["sharing", "rest", "portals", "self", "servers"];
    let mut listed = portal.get::<Federation>(&path, &[], expected).await;
    // Whoever may not ask there may ask here, and a portal without any is asked twice.
    let is_enough = match &listed {
        Ok(federation) => !federation.servers.is_empty(),
        Err(error) => matches!(error, ClientError::Refused { code: 498 | 499, .. }),
    };
    if !is_enough {
        let path = ["portaladmin", "federation", "servers"];
        if let Ok(more) = portal.get::<Federation>(&path, &[], expected).await {
            listed = Ok(more);
        }
    }
    listed
}

/// A server without any address that could be used is left out.
async fn try_server(portal: &Area, entry: &Entry) -> (Option<ServerRoots>, Vec<Trace>) {
    let own = root(&entry.admin_url);
    let Some(public) = root(&entry.url).or_else(|| own.clone()) else { return (None, Vec::new()) };
    let own = own.unwrap_or_else(|| public.clone());
    let (mut outcome, mut traces) = try_root(portal, &own).await;
    let reached = outcome.is_site();
    // An address behind a web adaptor is no way past it, whatever port the web adaptor has.
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
        direct: (reached && is_direct).then_some(own),
        flavour: ServerFlavour::from_portal(&entry.server_type, &entry.server_function),
        role: entry.server_role.clone(),
        federated: Some(portal.root().clone()),
        version: match outcome {
            Outcome::Answered { version } => version,
            _ => None,
        },
        public,
        fell_back,
    };
    (Some(server), traces)
}

/// Servers without the public description have an administration that asks one to sign in.
async fn try_root(portal: &Area, root: &Url) -> (Outcome, Vec<Trace>) {
    let server = portal.at(root.clone());
    let ((info, first), (admin, second)) =
        tokio::join!(ask(&server, &["rest", "info"]), ask(&server, &["admin"]));
    let outcome =
        if info.outcome.is_site() || !admin.outcome.is_site() { info.outcome } else { admin.outcome };
    (outcome, vec![first, second])
}

/// An address in the portal's list, without the slash at its end.
fn root(listed: &str) -> Option<Url> {
    Url::parse(listed.trim().trim_end_matches('/')).ok().as_ref().and_then(secure)
}
