//! Endpoints of saved sites, in a form in which two spellings of one address are equal.
//!
//! [`Site::endpoints`] returns those of a site. Two saved sites with a common one are the same site (ADR 0041).

use std::collections::BTreeSet;

use percent_encoding::percent_decode_str;
use steward_client::is_this_computer;
use url::Url;

use crate::sites::{SavedServer, Site, TargetSite};

/// What requests begin with below the root of a portal or server.
const RESOURCES: [&str; 4] = ["admin", "portaladmin", "rest", "sharing"];

/// Address of a portal or server, for example `gis.example.org/portal`. Locks of several endpoints are taken in the
/// order of these values.
///
/// HTTP leads to the same site as HTTPS, a host can end in a dot, and web adaptors accept upper and lower case,
/// percent-encoded characters, and repeated slashes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NormalizedEndpoint(String);

impl NormalizedEndpoint {
    /// Returns the endpoint at an address.
    pub(crate) fn of(address: &Url) -> Self {
        let host = address.host_str().unwrap_or_default().trim_end_matches('.');
        let port = address.port().map(|port| format!(":{port}")).unwrap_or_default();
        Self(format!("{host}{port}{}", path_of(address)))
    }

    /// Returns the endpoint without what changes although it is the same one: on this computer, a tunnel and the practice site have
    /// another port each time.
    pub(crate) fn lasting(address: &Url) -> Self {
        if is_this_computer(address) {
            return Self(format!("localhost{}", path_of(address)));
        }
        Self::of(address)
    }

    /// Returns whether a request to this URL is one to the portal or server at `root`. Another one can be below the root of a host.
    fn is_request_to(&self, root: &Self) -> bool {
        let resource = self.0.strip_prefix(&root.0).and_then(|rest| rest.strip_prefix('/'));
        let first = resource.and_then(|resource| resource.split('/').next());
        first.is_some_and(|first| RESOURCES.contains(&first))
    }
}

fn path_of(address: &Url) -> String {
    let path = percent_decode_str(address.path()).decode_utf8_lossy().to_lowercase();
    let segments = path.split('/').filter(|segment| !segment.is_empty());
    segments.map(|segment| format!("/{segment}")).collect()
}

impl std::fmt::Display for NormalizedEndpoint {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(&self.0)
    }
}

impl SavedServer {
    /// Returns the endpoints of all saved addresses of the server.
    pub(super) fn endpoints(&self) -> impl Iterator<Item = NormalizedEndpoint> {
        self.addresses().map(NormalizedEndpoint::of)
    }
}

impl TargetSite {
    /// Returns whether another component of a saved site is the same portal or server: they have a common address.
    pub(crate) fn is_same_component(&self, other: &Self) -> bool {
        self.server().is_some() == other.server().is_some()
            && !self.own_endpoints().is_disjoint(&other.own_endpoints())
    }

    /// Returns whether a request to `url` went to this component as it is saved now, or at an earlier URL that the user declared to be
    /// its own. Nothing else is known of a URL that is empty, or is none.
    pub fn is_at(&self, url: &str) -> bool {
        let Ok(url) = Url::parse(url) else { return true };
        let sent_to = NormalizedEndpoint::lasting(&url);
        let id = self.server().map(|server| &server.id);
        let earlier = self.earlier.iter().filter(|(of, _)| of.as_ref() == id).map(|(_, address)| address);
        self.own_addresses()
            .into_iter()
            .chain(earlier)
            .any(|own| sent_to.is_request_to(&NormalizedEndpoint::lasting(own)))
    }

    fn own_endpoints(&self) -> BTreeSet<NormalizedEndpoint> {
        self.own_addresses().into_iter().map(NormalizedEndpoint::of).collect()
    }

    pub(super) fn own_addresses(&self) -> Vec<&Url> {
        match (self.server(), &self.portal) {
            (Some(server), _) => server.addresses().collect(),
            (None, Some(portal)) => portal.addresses().collect(),
            (None, None) => Vec::new(),
        }
    }
}

impl Site {
    /// Returns the endpoints of all saved addresses: of the portal and all servers, behind web adaptors and directly.
    pub(crate) fn endpoints(&self) -> BTreeSet<NormalizedEndpoint> {
        self.addresses().map(NormalizedEndpoint::of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(address: &str) -> NormalizedEndpoint {
        NormalizedEndpoint::of(&Url::parse(address).unwrap())
    }

    #[test]
    fn every_spelling_of_an_address_is_one_endpoint() {
        for same in [
            "https://gis.example.org/portal/",
            "https://gis.example.org:443/portal",
            "https://GIS.example.org/Portal",
            "https://gis.example.org./portal",
            "https://gis.example.org//p%6Frtal",
            "http://gis.example.org/portal",
        ] {
            assert_eq!(endpoint(same), endpoint("https://gis.example.org/portal"), "{same}");
        }
    }

    #[test]
    fn a_request_was_to_the_server_at_whose_url_it_was_sent_in_any_spelling() {
        let mut site = Site::example("a");
        let is_at = |site: &Site, url: &str| site.clone().at_current().is_at(url);
        for (url, expected) in [
            ("https://GIS.example.org.:443/Server/admin/exportSite", true),
            ("https://gis.example.org/server2/admin/exportSite", false),
            ("https://gis.example.org/portal/portaladmin/exportSite", false),
            ("https://gis2.example.org/server/admin/exportSite", false),
            ("https://machine.example.org:6443/arcgis/admin/importSite", false),
            ("", true),
        ] {
            assert_eq!(is_at(&site, url), expected, "{url}");
        }
        let at = |url: &str| Url::parse(url).unwrap();
        site.servers[0].admin_url = Some(at("https://machine.example.org:6443/arcgis"));
        assert!(is_at(&site, "https://machine.example.org:6443/arcgis/admin/importSite"));
        site.servers[0].address = at("https://gis.example.org/");
        assert!(!is_at(&site, "https://gis.example.org/server/admin/exportSite"), "it is below the root");
        site.servers[0].address = at("http://localhost:7001/server");
        assert!(is_at(&site, "http://127.0.0.1:7002/server/admin/exportSite"), "another port of a tunnel");
        assert!(!is_at(&site, "http://127.0.0.1:7001/server2/admin/exportSite"));
    }

    #[test]
    fn another_host_port_or_path_is_another_endpoint() {
        for other in [
            "https://gis2.example.org/portal",
            "https://gis.example.org:7443/portal",
            "https://gis.example.org/portal2",
            "https://gis.example.org/a/portal",
            "https://gis.example.org/",
        ] {
            assert_ne!(endpoint(other), endpoint("https://gis.example.org/portal"), "{other}");
        }
    }
}
