//! Sites in a file for another computer, or for a colleague.
//!
//! A profile says where a site is. It carries no secret, and no trust either: neither accepted certificates nor files
//! of authorities, which each person decides about (`docs/adr/0018`).

use serde::{Deserialize, Serialize};

use super::form::{ConnectionForm, ServerForm, SiteForm};
use super::site::{SavedRoute, Site, SiteColor, is_same_host};
use crate::files::visible;
use crate::model::deployment::SiteFlavour;
use crate::model::deployment::SiteKind;

/// What the file says it is.
const FORMAT: &str = "site-steward-profiles";

/// The version that this program writes.
const VERSION: u32 = 1;

/// No file of profiles is larger: a thousand sites need a tenth of it.
pub const LARGEST: u64 = 4 * 1024 * 1024;

/// A site without secrets and without trust, as a file holds it and the window shows it.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// Name.
    pub name: String,
    /// What it is for.
    pub kind: ProfileKind,
    /// Colour.
    pub color: SiteColor,
    /// What kind of deployment it is.
    pub flavour: SiteFlavour,
    /// Address of the portal; may be empty.
    pub portal: String,
    /// Its address past every web adaptor; may be empty.
    pub portal_direct: String,
    /// The servers.
    pub servers: Vec<ServerForm>,
    /// The way there.
    pub route: SavedRoute,
    /// Whether a file of authorities was trusted there, which the profile does not carry.
    pub had_authority: bool,
    /// Whether a client certificate was used there, which the profile does not carry.
    pub had_client_certificate: bool,
    /// The name this program is registered under at the portal; may be empty.
    pub client_id: String,
    /// Whether every change is refused until somebody unlocks it with a reason.
    pub read_only: bool,
}

/// What a site of a profile is for. The practice site of this program is never in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ProfileKind {
    /// A site that may be broken.
    Test,
    /// A site that people work with.
    Production,
}

/// An address that a site of a profile would use, as it would use it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProfileAddress {
    /// The address.
    pub address: String,
    /// What it is to the site.
    pub role: AddressRole,
    /// Whether it is at another host than the address that the portal or the server is shown by. Such a profile is
    /// added only when a person has confirmed this address.
    pub differs: bool,
}

/// What an address is to a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum AddressRole {
    /// That of the portal.
    Portal,
    /// The portal past every web adaptor.
    PortalDirect,
    /// That of a server.
    Server,
    /// The one that the portal knows a server by.
    ServerPublic,
    /// A server past every web adaptor.
    ServerDirect,
    /// The proxy on the way there.
    Proxy,
}

impl AddressRole {
    /// The name in a record.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Portal => "portal",
            Self::PortalDirect => "portal direct",
            Self::Server => "server",
            Self::ServerPublic => "server public",
            Self::ServerDirect => "server direct",
            Self::Proxy => "proxy",
        }
    }
}

/// Every address of a site that a profile became, in the order in which they are shown.
#[must_use]
pub fn addresses(site: &Site) -> Vec<ProfileAddress> {
    let mut all = Vec::new();
    let mut add = |shown: &url::Url, address: Option<&url::Url>, role| {
        all.extend(address.map(|address| ProfileAddress {
            address: address.as_str().to_owned(),
            role,
            differs: !is_same_host(shown, address),
        }));
    };
    if let Some(portal) = &site.portal {
        add(&portal.address, Some(&portal.address), AddressRole::Portal);
        add(&portal.address, portal.direct.as_ref(), AddressRole::PortalDirect);
    }
    for server in &site.servers {
        add(&server.address, Some(&server.address), AddressRole::Server);
        add(&server.address, server.public.as_ref(), AddressRole::ServerPublic);
        add(&server.address, server.direct.as_ref(), AddressRole::ServerDirect);
    }
    if let SavedRoute::Proxy { address, .. } = &site.route {
        all.push(ProfileAddress { address: address.clone(), role: AddressRole::Proxy, differs: true });
    }
    all
}

/// Why a file holds no profiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoProfiles {
    /// It is something else, or damaged.
    NotOurs,
    /// A newer version of this program wrote it.
    Newer {
        /// The version of its format.
        version: u32,
    },
}

#[derive(Serialize, Deserialize)]
struct File<S> {
    format: String,
    version: u32,
    sites: S,
}

/// What a file holds.
///
/// # Errors
/// When it holds no profiles that this program can read.
pub fn read(bytes: &[u8]) -> Result<Vec<Profile>, NoProfiles> {
    let file: File<serde_json::Value> = serde_json::from_slice(bytes).map_err(|_| NoProfiles::NotOurs)?;
    match (file.format.as_str(), file.version) {
        (FORMAT, VERSION) => {
            let profiles: Vec<Profile> =
                serde_json::from_value(file.sites).map_err(|_| NoProfiles::NotOurs)?;
            Ok(profiles.into_iter().map(Profile::plain).collect())
        }
        (FORMAT, version) if version > VERSION => Err(NoProfiles::Newer { version }),
        _ => Err(NoProfiles::NotOurs),
    }
}

/// The file of these sites; the practice site is left out.
///
/// # Errors
/// Never in practice: there is nothing in a profile that JSON cannot hold.
pub fn write(sites: &[Site]) -> serde_json::Result<Vec<u8>> {
    let sites: Vec<Profile> = sites.iter().filter_map(Profile::of).collect();
    serde_json::to_vec_pretty(&File { format: FORMAT.to_owned(), version: VERSION, sites })
}

impl Profile {
    fn of(site: &Site) -> Option<Self> {
        let kind = match site.kind {
            SiteKind::Practice => return None,
            SiteKind::Test => ProfileKind::Test,
            SiteKind::Production => ProfileKind::Production,
        };
        let text = |url: Option<&url::Url>| url.map(|url| url.as_str().to_owned()).unwrap_or_default();
        let servers = site.servers.iter().map(|server| ServerForm {
            id: None,
            name: server.name.clone(),
            address: server.address.as_str().to_owned(),
            public: text(server.public.as_ref()),
            direct: text(server.direct.as_ref()),
            flavour: server.flavour.clone(),
            role: server.role.clone(),
        });
        Some(Self {
            name: site.name.clone(),
            kind,
            color: site.color,
            flavour: site.flavour,
            portal: text(site.portal.as_ref().map(|portal| &portal.address)),
            portal_direct: text(site.portal.as_ref().and_then(|portal| portal.direct.as_ref())),
            servers: servers.collect(),
            route: site.route.clone(),
            had_authority: site.ca_certificate.is_some(),
            had_client_certificate: site.client_certificate.is_some(),
            client_id: site.client_id.clone().unwrap_or_default(),
            read_only: site.read_only,
        })
    }

    /// As a new site, in the form in which a person would fill it in.
    #[must_use]
    pub fn form(&self) -> SiteForm {
        SiteForm {
            id: None,
            name: self.name.clone(),
            kind: match self.kind {
                ProfileKind::Test => SiteKind::Test,
                ProfileKind::Production => SiteKind::Production,
            },
            color: self.color,
            flavour: Some(self.flavour),
            portal: self.portal.clone(),
            portal_direct: self.portal_direct.clone(),
            servers: self.servers.clone(),
            connection: ConnectionForm { route: self.route.clone(), ..ConnectionForm::default() },
            client_id: self.client_id.clone(),
            read_only: self.read_only,
            reason: String::new(),
        }
    }

    /// Without identifiers, which are this computer's to give, and without letters in its name that nobody sees.
    pub(crate) fn plain(mut self) -> Self {
        for server in &mut self.servers {
            server.id = None;
        }
        self.name = visible(&self.name);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_comes_back_as_it_was_written_and_the_practice_site_is_in_no_file() {
        let practice = Site { kind: SiteKind::Practice, ..Site::example("practice") };

        let read = read(&write(&[Site::example("city"), practice]).unwrap()).unwrap();

        let names: Vec<_> = read.iter().map(|profile| profile.name.as_str()).collect();
        assert_eq!(names, ["city"]);
        assert_eq!(read[0].portal, "https://gis.example.org/portal");
        assert_eq!(read[0].servers[0].address, "https://gis.example.org/server");
        assert!(read[0].servers[0].id.is_none());
    }

    #[test]
    fn what_is_no_file_of_profiles_is_refused_and_a_newer_one_is_named() {
        let of = |text: &str| read(text.as_bytes()).err();
        assert_eq!(of(""), Some(NoProfiles::NotOurs));
        assert_eq!(of("{}"), Some(NoProfiles::NotOurs));
        assert_eq!(of(r#"{"format":"else","version":1,"sites":[]}"#), Some(NoProfiles::NotOurs));
        let practice = write(&[Site::example("city")]).unwrap();
        let practice = String::from_utf8(practice).unwrap().replace("production", "practice");
        assert_eq!(of(&practice), Some(NoProfiles::NotOurs));
        let newer = r#"{"format":"site-steward-profiles","version":2,"sites":{"other":1}}"#;
        assert_eq!(of(newer), Some(NoProfiles::Newer { version: 2 }));
    }

    #[test]
    fn a_name_holds_no_letters_that_nobody_sees() {
        let site = Site { name: "Ci\u{202e}ty\u{0007} GIS".to_owned(), ..Site::example("city") };
        assert_eq!(read(&write(&[site]).unwrap()).unwrap()[0].name, "City GIS");
    }
}
