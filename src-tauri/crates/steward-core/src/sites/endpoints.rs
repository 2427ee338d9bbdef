//! Endpoints of saved sites, in a form in which two spellings of one address are equal.
//!
//! [`Site::endpoints`] returns those of a site. Two saved sites with a common one are the same site (ADR 0041).

use std::collections::BTreeSet;

use percent_encoding::percent_decode_str;
use url::Url;

use crate::sites::{SavedServer, Site, TargetSite};

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
        let path = percent_decode_str(address.path()).decode_utf8_lossy().to_lowercase();
        let segments = path.split('/').filter(|segment| !segment.is_empty());
        let path: String = segments.map(|segment| format!("/{segment}")).collect();
        Self(format!("{host}{port}{path}"))
    }
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

    fn own_endpoints(&self) -> BTreeSet<NormalizedEndpoint> {
        match (self.server(), &self.portal) {
            (Some(server), _) => server.endpoints().collect(),
            (None, Some(portal)) => portal.addresses().map(NormalizedEndpoint::of).collect(),
            (None, None) => BTreeSet::new(),
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
