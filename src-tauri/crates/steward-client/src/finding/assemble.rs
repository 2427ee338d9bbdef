//! From what answered to one site.

use serde_json::Value;
use url::Url;

use super::look::{Looked, Outcome, version};
use super::pasted::{Hint, Pasted, is_own_address, is_portal_port, is_this_machine, secure};
use super::site::{FellBack, FoundSite, PortalRoots, ServerRoots, UnreachedPortal};
use crate::flavour::{Flavour, ServerFlavour};
use crate::version::Version;
use crate::wire::texts;

/// The site, if anything that was looked at is one.
pub(super) fn site(pasted: &Pasted, looked: &[Looked]) -> Option<FoundSite> {
    let portals: Vec<&Looked> = looked.iter().filter(|one| one.is_portal()).collect();
    let portal = portals.iter().find(|one| !is_direct_portal(&one.root)).or(portals.first()).copied();
    let mut servers = servers(looked);
    // A server's own word about its owner; what was guessed at the same host may be another site's.
    let owners: Vec<Url> = servers.iter().filter_map(|server| server.federated.clone()).collect();
    let Some(portal) = portal else {
        let flavour = if owners.is_empty() { Flavour::StandaloneServer } else { Flavour::Enterprise };
        let unreached_portal = servers.iter().find_map(|server| unreached_portal(server, looked));
        return (!servers.is_empty()).then_some(FoundSite {
            flavour,
            portal: None,
            servers,
            unreached_portal,
        });
    };
    let is_online = said(&portal.portal_self, "isPortal").as_deref() == Some("false")
        || (pasted.hint == Hint::Online && portal.portal_self.get("isPortal").is_none());
    let flavour = match portal {
        _ if is_online => Flavour::Online,
        portal if portal.is_kubernetes() => Flavour::Kubernetes,
        _ => Flavour::Enterprise,
    };
    let mut roots = portal_roots(portal, &portals, flavour);
    if let Some(owner) = owners.iter().find(|owner| !roots.is_at(owner)) {
        roots.fell_back = fell_back(owner, looked);
    }
    match flavour {
        Flavour::Online => servers.clear(),
        Flavour::Kubernetes => servers = vec![kubernetes(&roots)],
        Flavour::Enterprise | Flavour::StandaloneServer => {}
    }
    Some(FoundSite { flavour, portal: Some(roots), servers, unreached_portal: None })
}

/// The owner that a server names, with the response from its address.
fn unreached_portal(server: &ServerRoots, looked: &[Looked]) -> Option<UnreachedPortal> {
    let address = server.federated.clone()?;
    let outcome = looked.iter().find(|one| one.root == address)?.sharing.outcome.clone();
    Some(UnreachedPortal { server: server.public.clone(), address, outcome })
}

/// The portal that a server named, when it did not answer under that name.
fn fell_back(owner: &Url, looked: &[Looked]) -> Option<FellBack> {
    let one = looked.iter().find(|one| one.root == *owner && !one.is_portal())?;
    Some(FellBack { from: owner.clone(), outcome: one.sharing.outcome.clone() })
}

fn portal_roots(portal: &Looked, all: &[&Looked], flavour: Flavour) -> PortalRoots {
    let root = &portal.root;
    let itself = &portal.portal_self;
    let public = match flavour {
        // What these call themselves is the vendor's host, not the organisation's.
        Flavour::Online => root.clone(),
        _ => public(itself, root).unwrap_or_else(|| root.clone()),
    };
    let is_same = |other: &&&Looked| {
        is_direct_portal(&other.root)
            && said(&other.portal_self, "id") == said(itself, "id")
            && said(&other.portal_self, "portalHostname") == said(itself, "portalHostname")
    };
    let direct = match flavour {
        Flavour::Online => None,
        _ => all.iter().find(is_same).map(|other| other.root.clone()),
    };
    PortalRoots {
        sharing: below(root, &["sharing", "rest"]),
        admin: match flavour {
            Flavour::Online => None,
            Flavour::Kubernetes => Some(below(root, &["admin"])),
            Flavour::Enterprise | Flavour::StandaloneServer => Some(below(root, &["portaladmin"])),
        },
        direct: direct.or_else(|| is_this_machine(root).then(|| root.clone())),
        public,
        name: said(itself, "name").unwrap_or_default(),
        version: portal_version(portal, flavour),
        supports_oauth: said(itself, "supportsOAuth").as_deref() != Some("false"),
        fell_back: None,
        context: root.clone(),
    }
}

/// What a portal of one's own calls `currentVersion` is that of the hosted service, and is not compared with a release.
fn portal_version(portal: &Looked, flavour: Flavour) -> Option<Version> {
    let bodies = [&portal.portal_self, &portal.sharing.body];
    if flavour == Flavour::Online {
        return bodies.into_iter().find_map(version);
    }
    let release = |body| said(body, "enterpriseVersion").as_deref().and_then(Version::parse);
    bodies.into_iter().find_map(release)
}

/// What a portal calls itself: host and context, without a scheme.
fn public(itself: &Value, root: &Url) -> Option<Url> {
    let name = said(itself, "portalHostname")?;
    let url = Url::parse(&format!("https://{}", name.trim_end_matches('/'))).ok()?;
    let here = secure(&url)?;
    // On this machine it may be served over http, and then says so by being the address in use.
    let is_root =
        here.host_str() == root.host_str() && here.path() == root.path() && here.port() == root.port();
    Some(if is_root { root.clone() } else { here })
}

fn kubernetes(portal: &PortalRoots) -> ServerRoots {
    ServerRoots {
        name: portal.context.host_str().unwrap_or_default().to_owned(),
        public: portal.context.clone(),
        admin: portal.context.clone(),
        direct: None,
        flavour: ServerFlavour::Kubernetes,
        role: String::new(),
        federated: Some(portal.context.clone()),
        version: portal.version,
        fell_back: None,
    }
}

/// The servers that answered; one that answers at its web adaptor and at its own port is one server.
fn servers(looked: &[Looked]) -> Vec<ServerRoots> {
    let mut servers: Vec<ServerRoots> = Vec::new();
    for one in looked.iter().filter(|one| one.is_server()) {
        let found = server(one);
        let is_same = |other: &&mut ServerRoots| {
            other.direct.is_none()
                && found.direct.is_some()
                && other.public.host_str() == found.public.host_str()
                && other.federated == found.federated
                && other.version == found.version
        };
        match servers.iter_mut().find(is_same) {
            Some(public) => public.direct = found.direct,
            None => servers.push(found),
        }
    }
    servers
}

fn server(looked: &Looked) -> ServerRoots {
    let root = &looked.root;
    let name = match (root.host_str(), root.port()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (host, _) => host.unwrap_or_default().to_owned(),
    };
    ServerRoots {
        name,
        public: root.clone(),
        admin: root.clone(),
        direct: is_own_address(root).then(|| root.clone()),
        flavour: server_flavour(root, &looked.rest_info.body),
        role: String::new(),
        federated: looked.owner(),
        version: match looked.rest_info.outcome {
            Outcome::Answered { version } => version,
            _ => None,
        },
        fell_back: None,
    }
}

/// By the port of its own, or by the names of what it tells beside the versions. Its portal knows better.
fn server_flavour(root: &Url, info: &Value) -> ServerFlavour {
    match root.port() {
        Some(11443) => return ServerFlavour::Notebook,
        Some(20443) => return ServerFlavour::Mission,
        _ => {}
    }
    let fields = info.as_object().into_iter().flatten().map(|(name, _)| name.to_ascii_lowercase());
    let fields: Vec<String> = fields.collect();
    let any = |word: &str| fields.iter().any(|field| field.contains(word));
    match () {
        () if any("notebook") => ServerFlavour::Notebook,
        () if any("mission") => ServerFlavour::Mission,
        () if any("video") => ServerFlavour::Video,
        () => ServerFlavour::Gis,
    }
}

fn is_direct_portal(root: &Url) -> bool {
    root.port().is_some_and(is_portal_port)
}

fn below(root: &Url, segments: &[&str]) -> Url {
    let mut url = root.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url
}

fn said(value: &Value, field: &str) -> Option<String> {
    texts(value.get(field)).into_iter().next().filter(|text| !text.is_empty())
}
