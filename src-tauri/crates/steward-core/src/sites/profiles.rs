//! Site profiles: sites in a file, for another computer or user.
//!
//! [`write()`] creates a file, and [`read`] returns its profiles. A profile contains the addresses of a site. It
//! contains no secrets and no trust settings: neither trusted certificates nor CA files, which each user decides on
//! (`docs/adr/0018`).

use encoding_rs::UTF_8;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use steward_client::visible;

use super::form::{ConnectionForm, ServerForm, SiteForm};
use super::site::{ConnectionRoute, SavedServer, Site, SiteColor, is_same_host};
use crate::model::deployment::DeploymentType;
use crate::model::deployment::Environment;

/// Mark of a file with profiles.
const KIND: &str = "site-steward-profiles";

/// Format that is read and written.
const FORMAT: u64 = 1;

/// Limit of the shown name of a profile that cannot be read, in characters.
const LONGEST_NAME: usize = 60;

/// Limit of the servers of a profile: the names of all are compared wherever one is shown. No portal has as many.
const MOST_SERVERS: usize = 200;

/// Limit of a file, in bytes. A thousand sites need a tenth of it.
pub const LARGEST: u64 = 4 * 1024 * 1024;

/// A site without secrets and trust settings, as stored in a file and shown in the window.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// Name of the site, at most 60 characters.
    pub name: String,
    /// Environment of the site.
    pub environment: ProfileKind,
    /// Color that the user chose for the site.
    pub color: SiteColor,
    /// Deployment type.
    pub deployment_type: DeploymentType,
    /// URL of the portal; may be empty.
    pub portal: String,
    /// Administration URL of the portal; may be empty.
    pub portal_admin_url: String,
    /// Servers of the site.
    pub servers: Vec<ServerForm>,
    /// Proxy settings, without a password.
    pub route: ConnectionRoute,
    /// Whether the site used a CA file, which is not part of the profile.
    pub had_authority: bool,
    /// Whether the site used a client certificate, which is not part of the profile.
    pub had_client_certificate: bool,
    /// Client ID of the app at the portal; may be empty.
    pub client_id: String,
    /// Whether the site is read-only until a user unlocks it.
    pub read_only: bool,
    /// Backup plans of the site.
    pub plans: Vec<ProfilePlan>,
}

/// A backup plan of a profile, in the format of `profiles.rs` in `steward-plans`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct ProfilePlan(#[specta(type = specta_typescript::Unknown)] pub serde_json::Value);

/// Environment of a profile. The practice site is never part of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ProfileKind {
    /// A site for tests.
    Test,
    /// A site in use.
    Production,
}

/// An address that the site would use if the profile is added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProfileAddress {
    /// URL of the portal, a server, or the proxy.
    pub address: String,
    /// Role of the address.
    pub role: AddressRole,
    /// Whether the address is at another host than the main address of the portal or server. The user must confirm such
    /// an address before the profile is added.
    pub differs: bool,
}

/// Role of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum AddressRole {
    /// URL of the portal.
    Portal,
    /// Administration URL of the portal.
    PortalAdminUrl,
    /// URL of a server.
    Server,
    /// Public URL of a server.
    ServerServicesUrl,
    /// Administration URL of a server.
    ServerAdminUrl,
    /// URL of the proxy.
    Proxy,
}

impl AddressRole {
    /// Returns the name stored in a record.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Portal => "portal",
            Self::PortalAdminUrl => "portal direct",
            Self::Server => "server",
            Self::ServerServicesUrl => "server public",
            Self::ServerAdminUrl => "server direct",
            Self::Proxy => "proxy",
        }
    }
}

/// Returns all addresses of the site of a profile, in display order.
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
        add(&portal.address, portal.admin_url.as_ref(), AddressRole::PortalAdminUrl);
    }
    for server in &site.servers {
        add(&server.address, Some(&server.address), AddressRole::Server);
        add(&server.address, server.services_url.as_ref(), AddressRole::ServerServicesUrl);
        add(&server.address, server.admin_url.as_ref(), AddressRole::ServerAdminUrl);
    }
    if let ConnectionRoute::Proxy { address, .. } = &site.route {
        all.push(ProfileAddress { address: address.clone(), role: AddressRole::Proxy, differs: true });
    }
    all
}

/// Reason why a file cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoProfiles {
    /// The file contains no profiles, or it is damaged.
    NotOurs,
    /// The file has a newer format.
    Newer {
        /// Its format.
        format: u64,
    },
}

#[derive(Serialize, Deserialize)]
struct File<S> {
    kind: String,
    format: u64,
    sites: S,
}

/// Content of a file of profiles.
#[derive(Debug, Clone)]
pub struct ReadProfiles {
    /// Profiles, in the order of the file.
    pub profiles: Vec<Profile>,
    /// Names of those that cannot be read; empty for one without a name.
    pub damaged: Vec<String>,
}

/// Reads the profiles of a file. A profile that cannot be read does not affect the others.
///
/// # Errors
/// - [`NoProfiles::NotOurs`] if the file contains something else, or it is of a version before the first release.
/// - [`NoProfiles::Newer`] if it has a newer format.
pub fn read(bytes: &[u8]) -> Result<ReadProfiles, NoProfiles> {
    // Editors save it with a byte order mark, or in UTF-16.
    let (text, _, _) = UTF_8.decode(bytes);
    let file: File<Value> = serde_json::from_str(&text).map_err(|_| NoProfiles::NotOurs)?;
    match (file.kind.as_str(), file.format) {
        (KIND, FORMAT) => {
            let Value::Array(sites) = file.sites else { return Err(NoProfiles::NotOurs) };
            let (mut profiles, mut damaged) = (Vec::new(), Vec::new());
            for mut site in sites {
                let name = site["name"].as_str().map(visible).unwrap_or_default();
                // A file that was written by hand need not list plans.
                if let Value::Object(site) = &mut site {
                    site.entry("plans").or_insert_with(|| Value::Array(Vec::new()));
                }
                match serde_json::from_value::<Profile>(site) {
                    Ok(profile) if profile.servers.len() <= MOST_SERVERS => profiles.push(profile.plain()),
                    Ok(_) | Err(_) => damaged.push(name.chars().take(LONGEST_NAME).collect()),
                }
            }
            Ok(ReadProfiles { profiles, damaged })
        }
        (KIND, format) if format > FORMAT => Err(NoProfiles::Newer { format }),
        _ => Err(NoProfiles::NotOurs),
    }
}

/// Writes the profiles of sites, each with its backup plans. The practice site is excluded.
///
/// # Errors
/// The error of `serde_json`, which does not occur for valid sites.
pub fn write(sites: &[(Site, Vec<ProfilePlan>)]) -> serde_json::Result<Vec<u8>> {
    let sites: Vec<Profile> = sites.iter().filter_map(|(site, plans)| Profile::of(site, plans)).collect();
    serde_json::to_vec_pretty(&File { kind: KIND.to_owned(), format: FORMAT, sites })
}

impl Profile {
    fn of(site: &Site, plans: &[ProfilePlan]) -> Option<Self> {
        let kind = match site.environment {
            Environment::Practice => return None,
            Environment::Test => ProfileKind::Test,
            Environment::Production => ProfileKind::Production,
        };
        let text = |url: Option<&url::Url>| url.map(|url| url.as_str().to_owned()).unwrap_or_default();
        let servers = site.servers.iter().zip(site.server_names()).map(|(server, name)| ServerForm {
            id: None,
            name,
            address: server.address.as_str().to_owned(),
            services_url: text(server.services_url.as_ref()),
            admin_url: text(server.admin_url.as_ref()),
            server_type: server.server_type.clone(),
            role: server.role.clone(),
        });
        Some(Self {
            name: site.name.clone(),
            environment: kind,
            color: site.color,
            deployment_type: site.deployment_type,
            portal: text(site.portal.as_ref().map(|portal| &portal.address)),
            portal_admin_url: text(site.portal.as_ref().and_then(|portal| portal.admin_url.as_ref())),
            servers: servers.collect(),
            route: site.route.clone(),
            had_authority: site.ca_certificate.is_some(),
            had_client_certificate: site.client_certificate.is_some(),
            client_id: site.client_id.clone().unwrap_or_default(),
            read_only: site.read_only,
            plans: plans.to_vec(),
        })
    }

    /// Returns the profile as the form of a new site.
    #[must_use]
    pub fn form(&self) -> SiteForm {
        SiteForm {
            id: None,
            name: self.name.clone(),
            environment: match self.environment {
                ProfileKind::Test => Environment::Test,
                ProfileKind::Production => Environment::Production,
            },
            color: self.color,
            deployment_type: Some(self.deployment_type),
            portal: self.portal.clone(),
            portal_admin_url: self.portal_admin_url.clone(),
            servers: self.servers.clone(),
            connection: ConnectionForm { route: self.route.clone(), ..ConnectionForm::default() },
            client_id: self.client_id.clone(),
            read_only: self.read_only,
            is_same: false,
            reason: String::new(),
        }
    }

    /// Returns the server of the site that was added from this profile, by its place in the file. `None` for a server
    /// without an address, which was not added.
    #[must_use]
    pub fn server_of<'a>(&self, added: &'a Site, place: usize) -> Option<&'a SavedServer> {
        self.servers.get(place).filter(|server| server.is_given())?;
        let before = self.servers.iter().take(place).filter(|server| server.is_given()).count();
        added.servers.get(before)
    }

    /// Removes server identifiers, which are assigned on this computer, and invisible characters of the name.
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

    fn site(name: &str) -> (Site, Vec<ProfilePlan>) {
        (Site::example(name), Vec::new())
    }

    #[test]
    fn a_profile_comes_back_as_it_was_written_and_the_practice_site_is_in_no_file() {
        let practice = Site { environment: Environment::Practice, ..Site::example("practice") };

        let read = read(&write(&[site("city"), (practice, Vec::new())]).unwrap()).unwrap();

        let names: Vec<_> = read.profiles.iter().map(|profile| profile.name.as_str()).collect();
        assert_eq!(names, ["city"]);
        assert_eq!(read.profiles[0].portal, "https://gis.example.org/portal");
        assert_eq!(read.profiles[0].servers[0].address, "https://gis.example.org/server");
        assert!(read.profiles[0].servers[0].id.is_none());
    }

    #[test]
    fn a_profile_that_cannot_be_read_is_named_and_takes_no_other_one_with_it() {
        let file = write(&[site("city"), site("harbour"), site("upland")]).unwrap();
        let mut file: Value = serde_json::from_slice(&file).unwrap();
        file["sites"][1]["environment"] = "practice".into();
        file["sites"].as_array_mut().unwrap().push(7.into());

        let both = read(file.to_string().as_bytes()).unwrap();

        let names: Vec<_> = both.profiles.iter().map(|profile| profile.name.as_str()).collect();
        assert_eq!(names, ["city", "upland"]);
        assert_eq!(both.damaged, ["harbour", ""]);

        // Also if there is no other one.
        let alone = file["sites"][1].take();
        file["sites"] = Value::Array(vec![alone]);
        let read = read(file.to_string().as_bytes()).unwrap();
        assert!(read.profiles.is_empty());
        assert_eq!(read.damaged, ["harbour"]);
    }

    #[test]
    fn a_profile_with_more_servers_than_a_site_has_cannot_be_read_and_takes_no_time() {
        let file = write(&[site("city"), site("harbour")]).unwrap();
        let mut file: Value = serde_json::from_slice(&file).unwrap();
        let server = file["sites"][0]["servers"][0].take();
        let number = |number: usize| {
            let mut server = server.clone();
            server["name"] = format!("Server {number}").into();
            server["address"] = format!("https://gis.example.org/server{number}").into();
            server
        };
        file["sites"][0]["servers"] = (0..=MOST_SERVERS).map(number).collect();

        let many = read(file.to_string().as_bytes()).unwrap();

        assert_eq!((many.profiles.len(), many.damaged), (1, vec!["city".to_owned()]));
        file["sites"][0]["servers"].as_array_mut().unwrap().pop();
        let most = read(file.to_string().as_bytes()).unwrap();
        assert_eq!(most.profiles[0].form().checked().unwrap().servers.len(), MOST_SERVERS);
    }

    #[test]
    fn what_is_no_file_of_profiles_is_refused_and_a_newer_one_is_named() {
        let of = |text: &str| read(text.as_bytes()).err();
        assert_eq!(of(""), Some(NoProfiles::NotOurs));
        assert_eq!(of("{}"), Some(NoProfiles::NotOurs));
        assert_eq!(of(r#"{"kind":"else","format":1,"sites":[]}"#), Some(NoProfiles::NotOurs));
        let newer = r#"{"kind":"site-steward-profiles","format":2,"sites":{"other":1}}"#;
        assert_eq!(of(newer), Some(NoProfiles::Newer { format: 2 }));
        assert_eq!(
            of(&newer.replace('2', "99999999999")),
            Some(NoProfiles::Newer { format: 99_999_999_999 })
        );
        // As versions before the first release marked it.
        let before = r#"{"format":"site-steward-profiles","version":2,"sites":[]}"#;
        assert_eq!(of(before), Some(NoProfiles::NotOurs));
    }

    #[test]
    fn a_file_that_an_editor_saved_with_a_byte_order_mark_or_in_utf_16_is_read() {
        let file = write(&[site("Zoë")]).unwrap();
        let marked = format!("\u{feff}{}", str::from_utf8(&file).unwrap());
        let units = || marked.encode_utf16();
        for bytes in [
            marked.clone().into_bytes(),
            units().flat_map(u16::to_le_bytes).collect(),
            units().flat_map(u16::to_be_bytes).collect(),
        ] {
            assert_eq!(read(&bytes).unwrap().profiles[0].name, "Zoë");
        }
    }

    #[test]
    fn a_name_holds_no_letters_that_nobody_sees() {
        let site = Site { name: "Ci\u{202e}ty\u{0007} GIS".to_owned(), ..Site::example("city") };
        assert_eq!(read(&write(&[(site, Vec::new())]).unwrap()).unwrap().profiles[0].name, "City GIS");
    }

    #[test]
    fn a_server_of_a_file_is_that_server_of_the_added_site_although_another_one_has_no_address() {
        let mut profile = read(&write(&[site("city")]).unwrap()).unwrap().profiles.remove(0);
        let named = |name: &str, address: &str| ServerForm {
            name: name.to_owned(),
            address: address.to_owned(),
            ..Profile::of(&Site::example("city"), &[]).unwrap().servers.remove(0)
        };
        let host = "https://gis.example.org";
        profile.servers = vec![
            named("old", ""),
            named("alpha", &format!("{host}/alpha")),
            named("none", " "),
            named("beta", &format!("{host}/beta")),
        ];

        let added = profile.form().checked().unwrap();

        let servers = (0..5).map(|place| profile.server_of(&added, place).map(|server| server.name.as_str()));
        assert_eq!(servers.collect::<Vec<_>>(), [None, Some("alpha"), None, Some("beta"), None]);
    }
}
