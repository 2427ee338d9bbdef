//! Items of a portal without a service, and services without an item. Decides by its arguments alone.

use std::collections::HashSet;

use steward_client::listing::ServiceItem;
use url::Url;

use super::facts::ServicesReading;
use crate::sites::endpoints::NormalizedEndpoint;

/// Folders whose services have no items: tools of the server.
const TOOLS: [&str; 2] = ["system", "utilities"];

/// Types of the services that have items.
const WITH_ITEMS: [&str; 8] = [
    "mapserver",
    "featureserver",
    "imageserver",
    "gpserver",
    "geocodeserver",
    "sceneserver",
    "vectortileserver",
    "streamserver",
];

/// Orphans, and the number of items and services that were compared.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Orphans {
    /// Items whose service is missing, each with the index of its server.
    pub(super) items: Vec<(ServiceItem, usize)>,
    /// Services without an item: path, and index of the server.
    pub(super) services: Vec<(String, usize)>,
    /// Number of items and services that were compared.
    pub(super) compared: usize,
}

/// Finds the orphans among the items of a portal and the services of its federated servers.
///
/// Names are compared without their type: a map service also has an item for its features, and hosted services have
/// several items.
pub(super) fn of(items: &[ServiceItem], servers: &[&ServicesReading]) -> Orphans {
    let roots: Vec<(String, usize)> = servers
        .iter()
        .enumerate()
        .flat_map(|(number, server)| {
            server.roots.iter().map(move |root| (format!("{root}/rest/services/"), number))
        })
        .collect();
    let has: Vec<HashSet<String>> = servers
        .iter()
        .map(|server| server.paths.iter().map(|path| named(path).0.to_lowercase()).collect())
        .collect();
    let mut with_items: Vec<HashSet<String>> = vec![HashSet::new(); servers.len()];
    let mut found = Orphans::default();
    for item in items {
        let Some((name, number)) = service_of(&item.url, &roots) else { continue };
        found.compared += 1;
        if !has.get(number).is_some_and(|services| services.contains(&name)) {
            found.items.push((item.clone(), number));
        }
        if let Some(services) = with_items.get_mut(number) {
            services.insert(name);
        }
    }
    for (number, (server, with_item)) in servers.iter().zip(&with_items).enumerate() {
        for path in &server.paths {
            let (name, kind) = named(path);
            let name = name.to_lowercase();
            let folder = name.split_once('/').map_or("", |(folder, _)| folder);
            if TOOLS.contains(&folder) || !WITH_ITEMS.contains(&kind.to_lowercase().as_str()) {
                continue;
            }
            found.compared += 1;
            if !with_item.contains(&name) {
                found.services.push((path.clone(), number));
            }
        }
    }
    found
}

/// Returns the path of a service without its type, and the type.
fn named(path: &str) -> (&str, &str) {
    path.rsplit_once('.').unwrap_or((path, ""))
}

/// Returns the path of the service that a URL leads to, and the index of its server; `None` if it is on none of them.
fn service_of(url: &str, roots: &[(String, usize)]) -> Option<(String, usize)> {
    let address = NormalizedEndpoint::of(&Url::parse(url).ok()?).to_string();
    let (below, number) =
        roots.iter().find_map(|(root, number)| Some((address.strip_prefix(root.as_str())?, *number)))?;
    // A layer can follow the type, for example `MapServer/3`.
    let segments: Vec<&str> = below.split('/').collect();
    let kind = segments.iter().rposition(|segment| segment.ends_with("server")).filter(|place| *place > 0)?;
    Some((segments.get(..kind)?.join("/"), number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::numbers::Millis;
    use crate::model::service_check::ServiceCheck;
    use crate::proof::facts::Federated;

    fn server(root: &str, paths: &[&str]) -> ServicesReading {
        ServicesReading {
            check: ServiceCheck {
                checked_at: Millis(0),
                services: 0,
                should_run: 0,
                running: 0,
                not_running: Vec::new(),
                unknown: 0,
                unlisted: Vec::new(),
                earlier: None,
            },
            paths: paths.iter().map(|path| (*path).to_owned()).collect(),
            roots: vec![NormalizedEndpoint::of(&Url::parse(root).unwrap()).to_string()],
            is_federated: Federated::Yes,
        }
    }

    fn item(url: &str) -> ServiceItem {
        ServiceItem { id: "1".to_owned(), title: url.to_owned(), url: url.to_owned() }
    }

    #[test]
    fn an_item_is_of_its_service_whatever_its_type_layer_and_spelling() {
        let gis = server(
            "https://gis.example.org/server",
            &["Parcels/Zoning.MapServer", "Straße.FeatureServer", "My/TileServer.MapServer"],
        );
        for url in [
            "https://gis.example.org/server/rest/services/Parcels/Zoning/MapServer",
            "https://GIS.example.org/server/rest/services/parcels/Zoning/FeatureServer/3",
            "https://gis.example.org/server/rest/services/Stra%C3%9Fe/FeatureServer",
            "http://gis.example.org/server/rest/services/My/TileServer/MapServer/",
        ] {
            assert_eq!(of(&[item(url)], &[&gis]).items, [], "{url}");
        }
        let gone = "https://gis.example.org/server/rest/services/Parcels/Gone/MapServer";
        assert_eq!(of(&[item(gone)], &[&gis]).items, [(item(gone), 0)]);
        for other in ["https://else.example.org/server/rest/services/A/MapServer", "no address", ""] {
            assert_eq!(of(&[item(other)], &[&gis]).items, [], "not of a server of the site: {other}");
        }
    }

    #[test]
    fn a_service_needs_an_item_of_its_own_server_unless_it_is_a_tool() {
        let first = server(
            "https://gis.example.org/server",
            &[
                "Zoning.MapServer",
                "Utilities/PrintingTools.GPServer",
                "System/Sync.GPServer",
                "Geometry.GeometryServer",
            ],
        );
        let second = server("https://gis.example.org/server2", &["Zoning.MapServer"]);
        let zoning = item("https://gis.example.org/server2/rest/services/Zoning/MapServer");
        let found = of(&[zoning], &[&first, &second]);
        assert_eq!(found.services, [("Zoning.MapServer".to_owned(), 0)]);
        assert_eq!((found.items.len(), found.compared), (0, 3));
    }
}
