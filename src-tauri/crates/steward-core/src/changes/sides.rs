//! Two sites or servers that are compared: which server is the counterpart of which, and which texts differ on purpose. Everything
//! here depends on its arguments alone.

use std::collections::{BTreeMap, BTreeSet};

use steward_changes::Substitution;
use url::Url;

use super::view::Side;
use crate::model::ids::ServerId;
use crate::sites::{SavedServer, Site};

/// Two sites or servers that are compared.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sides {
    /// Identifiers of the servers of the right by those of the left. That of a portal is empty.
    pub(super) counterparts: BTreeMap<String, String>,
    /// Servers of the left, and of the right, that have no counterpart.
    pub(super) alone: [Vec<String>; 2],
    /// Texts that differ between the addresses of both.
    pub(super) proposed: Vec<Substitution>,
}

/// A portal or server with its addresses: that in use, that for clients, and that for administration.
struct Place<'a> {
    id: &'a str,
    addresses: [&'a Url; 3],
}

impl Place<'_> {
    fn path(&self) -> String {
        self.addresses[0].path().trim_end_matches('/').to_lowercase()
    }
}

impl Side {
    /// Name of the side in the store.
    pub(super) fn scope(&self) -> String {
        format!(
            "{} {}",
            self.site.0,
            self.server.as_ref().map(|server| server.0.as_str()).unwrap_or_default()
        )
    }
}

/// Returns what is compared of two sites, or of a server of each.
pub(super) fn sides(left: (&Site, Option<&ServerId>), right: (&Site, Option<&ServerId>)) -> Sides {
    let (mut left, mut right) = (places(left), places(right));
    let mut pairs = Vec::new();
    let mut pair = |left: &mut Vec<_>, right: &mut Vec<_>, one: usize, other: usize| {
        pairs.push((left.remove(one), right.remove(other)));
    };
    let portal = |all: &[Place<'_>]| all.iter().position(|place| place.id.is_empty());
    if let (Some(one), Some(other)) = (portal(&left), portal(&right)) {
        pair(&mut left, &mut right, one, other);
    }
    // Servers with the same path are counterparts if no other server of their side has it.
    let only = |all: &[Place<'_>], path: &str| {
        let mut found =
            all.iter().enumerate().filter(|(_, place)| !place.id.is_empty() && place.path() == path);
        let first = found.next().map(|(number, _)| number);
        first.filter(|_| found.next().is_none())
    };
    let paths: BTreeSet<String> = left.iter().map(Place::path).collect();
    let common: Vec<_> =
        paths.iter().filter(|path| only(&left, path).is_some() && only(&right, path).is_some()).collect();
    for path in common {
        if let (Some(one), Some(other)) = (only(&left, path), only(&right, path)) {
            pair(&mut left, &mut right, one, other);
        }
    }
    // If one is left on each side, the two are counterparts.
    if let ([one], [other]) = (left.as_slice(), right.as_slice())
        && one.id.is_empty() == other.id.is_empty()
    {
        pair(&mut left, &mut right, 0, 0);
    }
    let ids = |all: Vec<Place<'_>>| all.into_iter().map(|place| place.id.to_owned()).collect();
    Sides {
        proposed: proposed(&pairs),
        counterparts: pairs.iter().map(|(one, other)| (one.id.to_owned(), other.id.to_owned())).collect(),
        alone: [ids(left), ids(right)],
    }
}

fn places<'a>((site, server): (&'a Site, Option<&ServerId>)) -> Vec<Place<'a>> {
    let portal = site.portal.iter().filter(|_| server.is_none()).map(|portal| {
        let admin = portal.admin_url.as_ref().unwrap_or(&portal.address);
        Place { id: "", addresses: [&portal.address, &portal.address, admin] }
    });
    let servers = site.servers.iter().filter(|one| server.is_none_or(|server| one.id == *server));
    portal.chain(servers.map(of_server)).collect()
}

fn of_server(server: &SavedServer) -> Place<'_> {
    Place {
        id: &server.id.0,
        addresses: [
            &server.address,
            server.services_url.as_ref().unwrap_or(&server.address),
            server.admin_url.as_ref().unwrap_or(&server.address),
        ],
    }
}

/// Returns the texts that differ between the addresses of counterparts: hosts, and where that is not enough, hosts with ports or
/// paths.
fn proposed(pairs: &[(Place<'_>, Place<'_>)]) -> Vec<Substitution> {
    let urls = || {
        pairs.iter().flat_map(|(one, other)| one.addresses.into_iter().zip(other.addresses)).map(
            |(one, other)| {
                let part = |url: &Url| {
                    let host = url.host_str().unwrap_or_default().to_owned();
                    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
                    (host, port, url.path().trim_end_matches('/').to_owned())
                };
                (part(one), part(other))
            },
        )
    };
    let mut hosts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for ((left, ..), (right, ..)) in urls() {
        hosts.entry(left).or_default().insert(right);
    }
    let mut found: Vec<Substitution> = Vec::new();
    let mut propose = |left: String, right: String| {
        if left != right && !found.iter().any(|one| one.left == left) {
            found.push(Substitution { left, right });
        }
    };
    for ((host, port, path), (other_host, other_port, other_path)) in urls() {
        let is_one_host = hosts.get(&host).is_none_or(|all| all.len() == 1);
        if !is_one_host || path != other_path || port.is_empty() != other_port.is_empty() {
            propose(format!("{host}{port}{path}"), format!("{other_host}{other_port}{other_path}"));
        } else if port != other_port {
            propose(format!("{host}{port}"), format!("{other_host}{other_port}"));
        }
        if is_one_host {
            propose(host, other_host);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sites::SavedPortal;

    fn site(portal: &str, servers: &[&str]) -> Site {
        let example = Site::example("city");
        let server = |(number, address): (usize, &&str)| SavedServer {
            id: ServerId(number.to_string()),
            address: address.parse().unwrap(),
            services_url: None,
            admin_url: None,
            ..example.servers[0].clone()
        };
        Site {
            portal: portal.parse().ok().map(|address| SavedPortal { address, admin_url: None }),
            servers: servers.iter().enumerate().map(server).collect(),
            ..example.clone()
        }
    }

    fn of(left: &Site, right: &Site) -> Sides {
        sides((left, None), (right, None))
    }

    fn texts(all: &[Substitution]) -> Vec<(&str, &str)> {
        all.iter().map(|one| (one.left.as_str(), one.right.as_str())).collect()
    }

    #[test]
    fn servers_of_one_path_are_counterparts_and_so_are_the_last_two() {
        let test = site(
            "https://test.example.org/portal",
            &["https://test.example.org/server", "https://t2.example.org/img"],
        );
        let production = site(
            "https://gis.example.org/portal",
            &["https://geo2.example.org/image", "https://gis.example.org/server"],
        );
        let found = of(&test, &production);
        let pairs = [("", ""), ("0", "1"), ("1", "0")].map(|(one, other)| (one.to_owned(), other.to_owned()));
        assert_eq!(found.counterparts, BTreeMap::from(pairs));
        assert_eq!(found.alone, [Vec::<String>::new(), Vec::new()]);
        assert_eq!(
            texts(&found.proposed),
            [
                ("test.example.org", "gis.example.org"),
                ("t2.example.org/img", "geo2.example.org/image"),
                ("t2.example.org", "geo2.example.org")
            ]
        );
    }

    #[test]
    fn a_server_is_never_taken_for_another_where_its_counterpart_is_not_certain() {
        let test = site(
            "https://t.example.org/portal",
            &["https://a.example.org/server", "https://b.example.org/server"],
        );
        let production = site(
            "https://p.example.org/portal",
            &["https://c.example.org/server", "https://d.example.org/server"],
        );
        let found = of(&test, &production);
        assert_eq!(found.counterparts, BTreeMap::from([(String::new(), String::new())]));
        assert_eq!(
            found.alone,
            [["0", "1"].map(str::to_owned).to_vec(), ["0", "1"].map(str::to_owned).to_vec()]
        );
        // Two servers that a user selected are compared.
        let (one, other) = (ServerId("1".to_owned()), ServerId("0".to_owned()));
        let found = sides((&test, Some(&one)), (&production, Some(&other)));
        assert_eq!(found.counterparts, BTreeMap::from([("1".to_owned(), "0".to_owned())]));
        // A portal and a server are never counterparts.
        let alone = site("", &["https://c.example.org/server"]);
        let only_portal = site("https://p.example.org/portal", &[]);
        assert_eq!(of(&alone, &only_portal).counterparts, BTreeMap::new());
    }

    #[test]
    fn one_host_that_is_two_on_the_other_side_is_proposed_with_its_paths() {
        let test = site("https://test.example.org/portal", &["https://test.example.org/server"]);
        let production = site("https://gis.example.org/portal", &["https://geo2.example.org/server"]);
        assert_eq!(
            texts(&of(&test, &production).proposed),
            [
                ("test.example.org/portal", "gis.example.org/portal"),
                ("test.example.org/server", "geo2.example.org/server")
            ]
        );
    }

    #[test]
    fn two_ports_of_one_host_are_proposed_with_it_and_equal_addresses_are_not() {
        let one = site("https://127.0.0.1:4001/portal", &["https://127.0.0.1:4001/server"]);
        let other = site("https://127.0.0.1:4002/portal", &["https://127.0.0.1:4002/server"]);
        assert_eq!(texts(&of(&one, &other).proposed), [("127.0.0.1:4001", "127.0.0.1:4002")]);
        assert_eq!(texts(&of(&one, &one).proposed), []);
    }
}
