//! Names of the servers of a site, as they are shown: the one place that decides them.
//!
//! Portals name their servers by the host, and a host can have several of them. [`Site::server_names`] tells them apart.

use std::collections::{HashMap, HashSet};

use steward_client::visible;
use url::Url;

use super::site::{SavedServer, Site};
use crate::model::ids::ServerId;
use crate::model::typeable::typeable;

impl Site {
    /// Returns the names of the servers, in their order: the saved name, or host and path where another server has it
    /// too, or none is saved.
    pub(crate) fn server_names(&self) -> Vec<String> {
        told_apart(self.servers.iter().map(SavedServer::candidates))
    }

    /// Returns the name of a server; `None` if the site does not have it.
    pub fn name_of_server(&self, server: &ServerId) -> Option<String> {
        let place = self.servers.iter().position(|one| one.id == *server)?;
        self.server_names().into_iter().nth(place)
    }
}

/// Names that a server can have.
pub(super) struct Candidates {
    /// Name that the user or the portal gave; empty if there is none.
    name: String,
    /// Its addresses, best first: its public URL is better known than the one in use.
    addresses: Vec<String>,
}

impl Candidates {
    pub(super) fn of<'a>(name: &str, addresses: impl IntoIterator<Item = &'a Url>) -> Self {
        Self { name: visible(name), addresses: addresses.into_iter().map(host_and_path).collect() }
    }
}

impl SavedServer {
    pub(super) fn candidates(&self) -> Candidates {
        Candidates::of(&self.name, self.services_url.iter().chain([&self.address]))
    }

    /// Returns host, port, and path: several servers can have the same host.
    pub(super) fn host_and_path(&self) -> String {
        host_and_path(&self.address)
    }
}

/// Returns the host, port, and path of an address, for example `gis.example.org/server`.
pub(super) fn host_and_path(address: &Url) -> String {
    let host = address.host_str().unwrap_or_default();
    let port = address.port().map(|port| format!(":{port}")).unwrap_or_default();
    let path = match address.path().trim_end_matches('/') {
        "" => "/",
        path => path,
    };
    format!("{host}{port}{path}")
}

/// Returns a key that is equal for names that look alike. Names that a typed confirmation takes for each other look alike.
pub(super) fn key(name: &str) -> String {
    typeable(name).to_lowercase()
}

/// Returns a unique name for each server: its own name, if that is neither the name nor an address of another server,
/// or else its first address that no other server has. Servers with the same addresses are numbered.
pub(super) fn told_apart(servers: impl Iterator<Item = Candidates>) -> Vec<String> {
    let servers: Vec<Candidates> = servers.collect();
    let (mut named, mut placed) = (HashMap::<_, u32>::new(), HashMap::<_, u32>::new());
    for server in &servers {
        *named.entry(key(&server.name)).or_default() += 1;
        for place in server.addresses.iter().map(|address| key(address)).collect::<HashSet<_>>() {
            *placed.entry(place).or_default() += 1;
        }
    }
    let is_only_there = |address: &&String| placed.get(&key(address)) == Some(&1);
    let name = |(server, number): (&Candidates, u32)| {
        let own = key(&server.name);
        let is_here = server.addresses.iter().any(|address| key(address) == own);
        let is_unique = named.get(&own) == Some(&1)
            && placed.get(&own).copied().unwrap_or_default() == u32::from(is_here);
        if is_unique && !own.is_empty() {
            return server.name.clone();
        }
        let address = server.addresses.iter().find(is_only_there);
        address.cloned().unwrap_or_else(|| format!("{} ({number})", server.name).trim_start().to_owned())
    };
    servers.iter().zip(1..).map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server with a name, its address, and its public URL.
    type Given<'a> = (&'a str, &'a str, &'a str);

    fn site(servers: &[Given<'_>]) -> Site {
        let example = Site::example("city");
        let saved = servers.iter().zip(0..).map(|((name, address, public), number)| SavedServer {
            id: ServerId(number.to_string()),
            name: (*name).to_owned(),
            address: address.parse().unwrap(),
            services_url: public.parse().ok(),
            ..example.servers[0].clone()
        });
        Site { servers: saved.collect(), ..example.clone() }
    }

    fn names(servers: &[Given<'_>]) -> Vec<String> {
        site(servers).server_names()
    }

    const HOST: &str = "gis.example.org";

    #[test]
    fn saved_servers_with_one_name_are_told_apart_by_their_path() {
        let both =
            [(HOST, "https://gis.example.org/server", ""), (HOST, "https://gis.example.org/image", "")];
        assert_eq!(names(&both), ["gis.example.org/server", "gis.example.org/image"]);
        let site = site(&both);
        assert_eq!(site.name_of_server(&ServerId("1".to_owned())).unwrap(), "gis.example.org/image");
        assert_eq!(site.name_of_server(&ServerId("2".to_owned())), None);
    }

    #[test]
    fn servers_whose_own_ports_are_alike_are_told_apart_by_their_public_urls() {
        let both = [
            (HOST, "https://a.internal:6443/arcgis", "https://gis.example.org/server"),
            (HOST, "https://b.internal:6443/arcgis", "https://gis.example.org/image"),
        ];
        assert_eq!(names(&both), ["gis.example.org/server", "gis.example.org/image"]);
    }

    #[test]
    fn a_name_of_its_own_stays_and_one_that_looks_like_another_does_not() {
        let all = [
            ("Imagery", "https://gis.example.org/image", ""),
            ("hosting", "https://gis.example.org/server", ""),
            ("Hosting\u{200b}", "https://gis.example.org/hosted", ""),
        ];
        assert_eq!(names(&all), ["Imagery", "gis.example.org/server", "gis.example.org/hosted"]);
        assert_eq!(names(&all[2..]), ["Hosting"], "the only server keeps its name");
    }

    #[test]
    fn a_server_that_is_named_like_the_address_of_another_is_not_taken_for_it() {
        let both = [
            ("gis.example.org/image", "https://gis.example.org/server", ""),
            ("Imagery", "https://gis.example.org/image", ""),
        ];
        assert_eq!(names(&both), ["gis.example.org/server", "Imagery"]);
        let copied = [
            ("gis.example.org/server", "https://gis.example.org/server", ""),
            ("gis.example.org/server", "https://gis.example.org/image", ""),
        ];
        assert_eq!(names(&copied), ["gis.example.org/server", "gis.example.org/image"]);
    }

    #[test]
    fn every_server_has_a_name_that_no_other_has() {
        let root = "https://gis.example.org";
        assert_eq!(names(&[("", "https://gis.example.org/server", "")]), ["gis.example.org/server"]);
        assert_eq!(
            names(&[(HOST, root, ""), (HOST, "https://gis.example.org/a", "")]),
            ["gis.example.org/", "gis.example.org/a"]
        );
        assert_eq!(
            names(&[(HOST, root, ""), (HOST, root, "")]),
            ["gis.example.org (1)", "gis.example.org (2)"]
        );
    }
}
