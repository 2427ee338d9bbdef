//! Confirmation of high-impact operations: the user types the name of what is replaced. The one place that decides the text.

use std::collections::HashMap;

use serde::Serialize;
use steward_client::is_this_computer;
use url::Url;

use crate::model::deployment::Environment;
use crate::model::ids::{ServerId, Target};
use crate::model::problem::{FieldError, Problem};
use crate::model::typeable::typeable;
use crate::sites::{Site, TargetSite};

/// Names that a user types to confirm irreversible operations; empty if no confirmation is required.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TypedConfirmations {
    /// Name to type before a portal import and its undo.
    pub portal_import: String,
    /// Names to type before an import into each server, its undo, and the deletion of an upload there.
    pub server_imports: HashMap<ServerId, String>,
    /// Name to type before webhooks are deactivated.
    pub deactivation: String,
}

impl TypedConfirmations {
    pub(crate) fn of(site: &Site) -> Self {
        let at = |target| TargetSite::of(site.clone(), &target).map(|target| for_import(&target));
        let server_imports = site.servers.iter().filter_map(|server| {
            let text = at(Target { site: site.id.clone(), server: Some(server.id.clone()) }).ok()?;
            Some((server.id.clone(), text))
        });
        Self {
            portal_import: at(Target::portal(site.id.clone())).unwrap_or_else(|_| name(site).to_owned()),
            server_imports: server_imports.collect(),
            deactivation: for_deactivation(site).to_owned(),
        }
    }
}

/// Returns the text to type before an import; empty for the practice site, which requires none.
///
/// On a site with several servers, this is the name of the server, so that the wrong one is not replaced; otherwise, it
/// is the name of the site.
pub(crate) fn for_import(target: &TargetSite) -> String {
    if is_ours(target) {
        return String::new();
    }
    target.server_name().unwrap_or_else(|| name(target).to_owned())
}

/// Returns the name of a site, or its host if the saved name has no visible characters: an empty text would require no
/// confirmation.
fn name(site: &Site) -> &str {
    if typeable(&site.name).is_empty() {
        site.addresses().find_map(Url::host_str).unwrap_or(&site.id.0)
    } else {
        site.name.trim()
    }
}

/// Returns whether a site is the practice site: by its identifier and its local addresses. The environment alone can be
/// set in the form of any site.
fn is_ours(site: &Site) -> bool {
    site.environment == Environment::Practice && site.is_built_in() && site.addresses().all(is_this_computer)
}

/// Returns the text to type before a webhook deactivation; empty except for production sites.
pub(crate) fn for_deactivation(site: &Site) -> &str {
    if site.environment == Environment::Production { name(site) } else { "" }
}

/// Checks the typed text.
pub(crate) fn check(typed: &str, wanted: &str) -> Result<(), Problem> {
    if wanted.is_empty() || typeable(typed) == typeable(wanted) {
        return Ok(());
    }
    Err(Problem::form("confirmation", FieldError::NotTheName))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::PRACTICE;
    use crate::sites::SavedServer;

    fn portal_of(site: &Site) -> TargetSite {
        TargetSite::of(site.clone(), &Target::portal(site.id.clone())).unwrap()
    }

    #[test]
    fn a_name_is_confirmed_by_what_keyboards_have_and_by_nothing_else() {
        let cases = include_str!("../../../../../tests/fixtures/confirmations.json");
        let cases: Vec<serde_json::Value> = serde_json::from_str(cases).unwrap();
        for case in &cases {
            let text = |key: &str| case[key].as_str().unwrap();
            let confirmed = check(text("typed"), text("name")).is_ok();
            assert_eq!(confirmed, case["matches"], "{case}");
        }
    }

    #[test]
    fn a_saved_site_whose_name_shows_nothing_is_not_confirmed_by_nothing() {
        let invisible = include_str!("../../../../../tests/fixtures/invisible-names.json");
        let invisible: Vec<String> = serde_json::from_str(invisible).unwrap();
        for name in &invisible {
            let environment = Environment::Production;
            let site = Site { name: name.clone(), environment, ..Site::example("city") };
            for wanted in [for_import(&portal_of(&site)), for_deactivation(&site).to_owned()] {
                assert_eq!(wanted, "gis.example.org", "{name:?}");
                for typed in ["", " ", name] {
                    assert!(check(typed, &wanted).is_err(), "{name:?} by {typed:?}");
                }
            }
        }
    }

    #[test]
    fn only_the_practice_site_of_this_program_is_replaced_without_its_name_typed() {
        let at = |id: &str, kind, address: &str| {
            let mut site =
                Site { environment: kind, name: "City".to_owned(), portal: None, ..Site::example(id) };
            site.servers[0].address = address.parse().unwrap();
            for_import(&portal_of(&site))
        };
        let here = "https://127.0.0.1:4711/server";
        assert_eq!(at(PRACTICE, Environment::Practice, here), "");
        assert_eq!(at("another", Environment::Practice, here), "City");
        assert_eq!(at(PRACTICE, Environment::Practice, "https://gis.example.org/server"), "City");
        assert_eq!(at(PRACTICE, Environment::Test, here), "City");
    }

    #[test]
    fn of_servers_behind_one_host_the_one_that_is_replaced_is_typed_and_of_the_only_one_the_site() {
        let mut site = Site { name: "Harbour".to_owned(), ..Site::example("harbour") };
        let alone = TypedConfirmations::of(&site);
        assert_eq!(alone.server_imports.into_values().collect::<Vec<_>>(), ["Harbour"]);

        let first = site.servers[0].clone();
        site.servers = ["server", "image", "geo"]
            .map(|path| SavedServer {
                id: ServerId(path.to_owned()),
                name: "gis.example.org".to_owned(),
                address: format!("https://gis.example.org/{path}").parse().unwrap(),
                ..first.clone()
            })
            .to_vec();
        let typed = TypedConfirmations::of(&site);
        let names = ["gis.example.org/geo", "gis.example.org/image", "gis.example.org/server"];
        let of = |path: &str| typed.server_imports[&ServerId(path.to_owned())].as_str();
        assert_eq!([of("geo"), of("image"), of("server")], names);
        assert_eq!(typed.portal_import, "Harbour");
        for other in ["Harbour", "gis.example.org", "gis.example.org/server"] {
            assert!(check(other, names[1]).is_err(), "{other}");
        }
    }
}
