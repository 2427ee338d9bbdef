//! Combination of the discovery outcomes into one site.

use url::Url;

use super::description::Description;
use super::input::{Hint, Pasted, is_own_address, is_portal_port, secure};
use super::probe::{ProbeOutcome, ProbedRoot};
use super::site::{FellBack, FoundSite, PortalRoots, ServerRoots, UnreachedPortal};
use crate::deployment_type::{DeploymentType, ServerType};
use crate::route::is_this_computer;
use crate::version::Version;

/// Returns the site. `None` if none of the roots belongs to one.
pub(super) fn site(pasted: &Pasted, probed: &[ProbedRoot]) -> Option<FoundSite> {
    let portals: Vec<&ProbedRoot> = probed.iter().filter(|one| one.is_portal()).collect();
    let portal = portals.iter().find(|one| !is_direct_portal(&one.root)).or(portals.first()).copied();
    let mut servers = servers(probed);
    // The owner that a server names. A portal that was only guessed on the same host might belong to another site.
    let owners: Vec<Url> = servers.iter().filter_map(|server| server.federated.clone()).collect();
    let Some(portal) = portal else {
        let deployment_type =
            if owners.is_empty() { DeploymentType::StandaloneServer } else { DeploymentType::Enterprise };
        let unreached_portal = servers.iter().find_map(|server| unreached_portal(server, probed));
        return (!servers.is_empty()).then_some(FoundSite {
            deployment_type,
            portal: None,
            servers,
            unreached_portal,
        });
    };
    let is_online = match portal.portal_self.is_portal {
        Some(is_portal) => !is_portal,
        None => pasted.hint == Hint::Online,
    };
    let deployment_type = match portal {
        _ if is_online => DeploymentType::Online,
        portal if portal.is_kubernetes() => DeploymentType::Kubernetes,
        _ => DeploymentType::Enterprise,
    };
    let mut roots = portal_roots(portal, &portals, deployment_type);
    if let Some(owner) = owners.iter().find(|owner| !roots.is_at(owner)) {
        roots.fell_back = fell_back(owner, probed);
    }
    match deployment_type {
        DeploymentType::Online => servers.clear(),
        DeploymentType::Kubernetes => servers = vec![kubernetes(&roots)],
        DeploymentType::Enterprise | DeploymentType::StandaloneServer => {}
    }
    Some(FoundSite { deployment_type, portal: Some(roots), servers, unreached_portal: None })
}

/// Returns the owner that a server names, with the outcome of the request to it.
fn unreached_portal(server: &ServerRoots, probed: &[ProbedRoot]) -> Option<UnreachedPortal> {
    let address = server.federated.clone()?;
    let outcome = probed.iter().find(|one| one.root == address)?.sharing.outcome.clone();
    Some(UnreachedPortal { server: server.services_url.clone(), address, outcome })
}

/// Returns the owner URL and its outcome, if the portal did not respond there.
fn fell_back(owner: &Url, probed: &[ProbedRoot]) -> Option<FellBack> {
    let one = probed.iter().find(|one| one.root == *owner && !one.is_portal())?;
    Some(FellBack { from: owner.clone(), outcome: one.sharing.outcome.clone() })
}

fn portal_roots(portal: &ProbedRoot, all: &[&ProbedRoot], deployment_type: DeploymentType) -> PortalRoots {
    let root = &portal.root;
    let itself = &portal.portal_self;
    let public = match deployment_type {
        // Such a portal names the vendor's host as its own, not the organization's.
        DeploymentType::Online => root.clone(),
        _ => public(itself, root).unwrap_or_else(|| root.clone()),
    };
    let is_same = |other: &&&ProbedRoot| {
        is_direct_portal(&other.root)
            && other.portal_self.id == itself.id
            && other.portal_self.portal_hostname == itself.portal_hostname
    };
    let direct = match deployment_type {
        DeploymentType::Online => None,
        _ => all.iter().find(is_same).map(|other| other.root.clone()),
    };
    PortalRoots {
        sharing: below(root, &["sharing", "rest"]),
        admin: match deployment_type {
            DeploymentType::Online => None,
            DeploymentType::Kubernetes => Some(below(root, &["admin"])),
            DeploymentType::Enterprise | DeploymentType::StandaloneServer => {
                Some(below(root, &["portaladmin"]))
            }
        },
        admin_url: direct.or_else(|| is_this_computer(root).then(|| root.clone())),
        services_url: public,
        name: itself.name.clone(),
        version: portal_version(portal, deployment_type),
        supports_oauth: itself.supports_oauth != Some(false),
        fell_back: None,
        context: root.clone(),
    }
}

/// Returns the version of a portal. The `currentVersion` of an Enterprise portal is that of the hosted service and is
/// not comparable with a release.
fn portal_version(portal: &ProbedRoot, deployment_type: DeploymentType) -> Option<Version> {
    let bodies = [&portal.portal_self, &portal.sharing.body];
    if deployment_type == DeploymentType::Online {
        return bodies.into_iter().find_map(Description::version);
    }
    bodies.into_iter().find_map(|body| Version::parse(&body.enterprise_version))
}

/// Returns the services URL that a portal names: host and context, without a scheme.
fn public(itself: &Description, root: &Url) -> Option<Url> {
    let name = &itself.portal_hostname;
    let url = Url::parse(&format!("https://{}", name.trim_end_matches('/'))).ok()?;
    let here = secure(&url)?;
    // On this computer, a portal can use HTTP; if the URL equals the root otherwise, keep the root's scheme.
    let is_root =
        here.host_str() == root.host_str() && here.path() == root.path() && here.port() == root.port();
    Some(if is_root { root.clone() } else { here })
}

fn kubernetes(portal: &PortalRoots) -> ServerRoots {
    ServerRoots {
        name: portal.context.host_str().unwrap_or_default().to_owned(),
        services_url: portal.context.clone(),
        admin: portal.context.clone(),
        admin_url: None,
        server_type: ServerType::Kubernetes,
        role: String::new(),
        federated: Some(portal.context.clone()),
        version: portal.version,
        fell_back: None,
    }
}

/// Returns the servers that responded. A server that responded at its web adaptor and at its own port is listed once,
/// unless the port could be that of several servers behind one host: an import would go to the wrong one.
fn servers(probed: &[ProbedRoot]) -> Vec<ServerRoots> {
    let found = probed.iter().filter(|one| one.is_server()).map(server);
    let (own, mut servers): (Vec<ServerRoots>, Vec<_>) = found.partition(|one| one.admin_url.is_some());
    for direct in own {
        let mut same = servers.iter_mut().filter(|other| {
            other.admin_url.is_none()
                && other.services_url.host_str() == direct.services_url.host_str()
                && other.federated == direct.federated
                && other.version == direct.version
        });
        match (same.next(), same.next()) {
            (Some(public), None) => public.admin_url = direct.admin_url,
            _ => servers.push(direct),
        }
    }
    servers
}

fn server(probed: &ProbedRoot) -> ServerRoots {
    let root = &probed.root;
    let name = match (root.host_str(), root.port()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (host, _) => host.unwrap_or_default().to_owned(),
    };
    ServerRoots {
        name,
        services_url: root.clone(),
        admin: root.clone(),
        admin_url: is_own_address(root).then(|| root.clone()),
        server_type: server_type_of(root, &probed.rest_info.body),
        role: String::new(),
        federated: probed.owner(),
        version: match probed.rest_info.outcome {
            ProbeOutcome::Answered { version } => version,
            _ => None,
        },
        fell_back: None,
    }
}

/// Returns the server type by port, or by the field names of its description. The type in the portal's list has
/// priority later.
fn server_type_of(root: &Url, info: &Description) -> ServerType {
    match root.port() {
        Some(11443) => return ServerType::Notebook,
        Some(20443) => return ServerType::Mission,
        _ => {}
    }
    match () {
        () if info.has_field_of("notebook") => ServerType::Notebook,
        () if info.has_field_of("mission") => ServerType::Mission,
        () if info.has_field_of("video") => ServerType::Video,
        () => ServerType::Gis,
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

#[cfg(test)]
mod tests {
    use super::super::probe::Reply;
    use super::*;

    fn at(root: &str) -> ProbedRoot {
        let reply = |outcome| Reply { outcome, body: Description::default() };
        let nothing = ProbeOutcome::SomethingElse { status: 404 };
        ProbedRoot {
            root: root.parse().unwrap(),
            sharing: reply(nothing.clone()),
            portal_self: Description::default(),
            portaladmin: None,
            rest_info: reply(ProbeOutcome::Answered { version: None }),
            admin: nothing,
            traces: Vec::new(),
        }
    }

    #[test]
    fn an_own_port_is_that_of_the_only_server_behind_the_host_and_of_none_among_several() {
        let (server, image) = ("https://gis.example.org/server", "https://gis.example.org/image");
        let own = "https://gis.example.org:6443/arcgis";
        let found = |roots: &[&str]| -> Vec<(String, Option<String>)> {
            let probed: Vec<_> = roots.iter().map(|root| at(root)).collect();
            let of = |one: ServerRoots| (one.admin.into(), one.admin_url.map(String::from));
            servers(&probed).into_iter().map(of).collect()
        };
        let (own_url, public) = (Some(own.to_owned()), |root: &str| (root.to_owned(), None));
        assert_eq!(found(&[own, server]), [(server.to_owned(), own_url.clone())]);
        assert_eq!(found(&[server, image, own]), [public(server), public(image), (own.to_owned(), own_url)]);
    }
}
