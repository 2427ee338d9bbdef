//! What differs between the site of a backup set and a test site, and which server takes the place of which. What this
//! returns depends on its arguments only.

use serde::{Deserialize, Serialize};
use steward_client::Version;
use steward_core::model::ids::ServerId;
use steward_core::sites::{SavedServer, Site};

use crate::set::SetPart;

/// Difference between a part of a set and the portal or server of the test site that it is imported into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RehearsalDifference {
    /// Name of the part; the name of the server of the test site if the set has no such part.
    pub part: String,
    /// Property that differs.
    pub about: DifferenceAbout,
    /// Value of the set; empty if it is not known.
    pub set: String,
    /// Value of the test site; empty if it is not known.
    pub test: String,
}

/// Property in which a part of a set and its target on the test site differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum DifferenceAbout {
    /// Version. Also if one of both versions is not known.
    Version,
    /// URL.
    Url,
    /// Server type, or role in the portal.
    ServerType,
    /// The test site has no portal or server that the part can be imported into.
    NothingForPart,
    /// The set has no part for the server of the test site, which no import changes.
    NoPart,
}

/// Facts of a part that are compared with those of its counterpart.
#[derive(Debug, Clone, Default)]
pub(super) struct Side {
    pub(super) version: String,
    pub(super) url: String,
    pub(super) server_type: String,
}

impl Side {
    /// Returns what is known of a server besides its version.
    pub(super) fn of_server(server: &SavedServer, version: String) -> Self {
        let server_type = serde_json::to_value(&server.server_type).ok();
        // A type that the app does not know has the name that the portal returned.
        let name =
            |value: &serde_json::Value| Some(value.get("name").or(value.get("kind"))?.as_str()?.to_owned());
        let server_type = server_type.as_ref().and_then(name).unwrap_or_default();
        let types = [server_type, server.role.clone()];
        let server_type = types.into_iter().filter(|one| !one.is_empty()).collect::<Vec<_>>().join(", ");
        Self { version, url: server.address.to_string(), server_type }
    }
}

/// Returns what differs between a part of a set and its counterpart, which is `None` if there is none.
pub(super) fn of_part(part: &str, set: &Side, test: Option<&Side>) -> Vec<RehearsalDifference> {
    let difference = |about, set: &str, test: &str| RehearsalDifference {
        part: part.to_owned(),
        about,
        set: set.to_owned(),
        test: test.to_owned(),
    };
    let Some(test) = test else {
        return vec![difference(DifferenceAbout::NothingForPart, &set.url, "")];
    };
    let versions = [&set.version, &test.version].map(|version| Version::parse(version));
    let is_same_version = versions[0].is_some() && versions[0] == versions[1];
    let compared = [
        (DifferenceAbout::Version, &set.version, &test.version, is_same_version),
        (DifferenceAbout::Url, &set.url, &test.url, set.url == test.url),
        (
            DifferenceAbout::ServerType,
            &set.server_type,
            &test.server_type,
            set.server_type == test.server_type,
        ),
    ];
    let differing = compared.into_iter().filter(|(.., is_same)| !is_same);
    differing.map(|(about, set, test, _)| difference(about, set, test)).collect()
}

/// Returns a server of the test site that no part of the set is imported into.
pub(super) fn no_part(server: &SavedServer) -> RehearsalDifference {
    RehearsalDifference {
        part: server.name.clone(),
        about: DifferenceAbout::NoPart,
        set: String::new(),
        test: server.address.to_string(),
    }
}

/// Whether a server of a set might be imported into one of the test site.
type Rule<'r> = &'r dyn Fn(&ServerId, &SavedServer) -> bool;

/// Returns the servers of a set, each with the server of the test site that takes its place: the one with the same
/// path, or else the only one that is left with the same role, or else the only one that is left.
pub(super) fn counterparts(
    parts: &[SetPart],
    source: Option<&Site>,
    test: &Site,
) -> Vec<(ServerId, ServerId)> {
    let saved = |id: &ServerId| source?.servers.iter().find(|server| server.id == *id);
    let mut left: Vec<&SavedServer> = test.servers.iter().collect();
    let mut open: Vec<&ServerId> = parts.iter().filter_map(|part| part.server.as_ref()).collect();
    let mut found = Vec::new();
    let path = |server: &SavedServer| server.address.path().trim_matches('/').to_lowercase();
    let has_same_path =
        |id: &ServerId, other: &SavedServer| saved(id).is_some_and(|server| path(server) == path(other));
    let has_same_role =
        |id: &ServerId, other: &SavedServer| saved(id).is_some_and(|server| server.role == other.role);
    let is_any = |_: &ServerId, _: &SavedServer| true;
    let rules: [Rule<'_>; 3] = [&has_same_path, &has_same_role, &is_any];
    for fits in rules {
        let candidates = open.clone();
        open.retain(|id| {
            let alike: Vec<_> = left.iter().copied().filter(|other| fits(id, other)).collect();
            let [only] = alike[..] else { return true };
            // Another part could as well be imported into it.
            if candidates.iter().filter(|other| fits(other, only)).count() > 1 {
                return true;
            }
            left.retain(|other| other.id != only.id);
            found.push(((*id).clone(), only.id.clone()));
            false
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use steward_core::model::deployment::ServerType;
    use steward_core::model::ids::ServerId;

    use super::*;

    fn side(version: &str, url: &str) -> Side {
        Side { version: version.to_owned(), url: url.to_owned(), server_type: "gis".to_owned() }
    }

    fn abouts(set: &Side, test: Option<&Side>) -> Vec<DifferenceAbout> {
        of_part("a", set, test).into_iter().map(|one| one.about).collect()
    }

    #[test]
    fn a_version_that_is_not_known_is_a_difference_and_another_spelling_is_none() {
        use DifferenceAbout::{NothingForPart, ServerType as ServerTypeDiffers, Url, Version};
        let set = side("11.3", "https://a/server");
        assert_eq!(abouts(&set, Some(&side("11.3.0", "https://a/server"))), []);
        assert_eq!(abouts(&set, Some(&side("11.2", "https://b/server"))), [Version, Url]);
        assert_eq!(abouts(&set, Some(&side("", "https://a/server"))), [Version]);
        assert_eq!(abouts(&side("", "https://a/server"), Some(&side("", "https://a/server"))), [Version]);
        let other = Side { server_type: "image".to_owned(), ..set.clone() };
        assert_eq!(abouts(&set, Some(&other)), [ServerTypeDiffers]);
        assert_eq!(abouts(&set, None), [NothingForPart]);
        let mut saved = site(&[server("a", "server", "")]).servers.remove(0);
        let of = |saved: &SavedServer| Side::of_server(saved, "11.3".to_owned());
        let gis = of(&saved);
        saved.server_type = ServerType::Other { name: "Knowledge".to_owned() };
        assert_eq!((gis.server_type.as_str(), of(&saved).server_type.as_str()), ("gis", "Knowledge"));
        assert_eq!(abouts(&gis, Some(&of(&saved))), [ServerTypeDiffers]);
    }

    fn server(id: &str, path: &str, role: &str) -> serde_json::Value {
        serde_json::json!({
            "id": id, "name": id, "address": format!("https://{id}.example.org/{path}"), "servicesUrl": null,
            "adminUrl": null, "serverType": { "kind": "gis" }, "role": role,
        })
    }

    fn site(servers: &[serde_json::Value]) -> Site {
        serde_json::from_value(serde_json::json!({
            "id": "s", "name": "s", "environment": "test", "color": "blue", "deploymentType": "enterprise",
            "portal": null, "servers": servers, "currentServer": null, "caCertificate": null,
            "clientCertificate": null, "trustedCertificates": [], "confirmed": [], "route": { "kind": "direct" },
            "clientId": null, "username": null, "readOnly": false, "seen": null,
        }))
        .unwrap()
    }

    fn part(server: &str) -> SetPart {
        serde_json::from_value(serde_json::json!({
            "server": server, "name": server, "expected": "verifiedHere", "state": { "kind": "verifiedHere" },
            "record": null, "files": [], "portalFile": null, "usualSize": null,
        }))
        .unwrap()
    }

    fn pairs(source: &[serde_json::Value], test: &[serde_json::Value]) -> Vec<(String, String)> {
        let parts: Vec<_> =
            source.iter().map(|server| part(server["id"].as_str().unwrap_or_default())).collect();
        let pairs = counterparts(&parts, Some(&site(source)), &site(test));
        pairs.into_iter().map(|(ServerId(one), ServerId(other))| (one, other)).collect()
    }

    #[test]
    fn a_server_takes_the_place_of_the_one_with_its_path_and_never_of_two() {
        let named = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(one, other)| ((*one).to_owned(), (*other).to_owned())).collect()
        };
        let (hosting, image) = (server("a", "server", "HOSTING_SERVER"), server("b", "image", ""));
        let test = [server("x", "image", ""), server("y", "server", "HOSTING_SERVER")];
        assert_eq!(pairs(&[hosting.clone(), image.clone()], &test), named(&[("a", "y"), ("b", "x")]));
        // By the role, and then the one that is left.
        let test = [server("x", "arcgis", "HOSTING_SERVER"), server("y", "gis", "FEDERATED_SERVER")];
        assert_eq!(pairs(&[hosting.clone(), image.clone()], &test), named(&[("a", "x"), ("b", "y")]));
        // Two parts for one server: a guess could replace the wrong one.
        let test = [server("x", "gis", "")];
        let twins = [server("a", "one", ""), server("b", "two", "")];
        assert_eq!(pairs(&twins, &test), []);
        assert_eq!(pairs(&[hosting], &[]), []);
    }
}
