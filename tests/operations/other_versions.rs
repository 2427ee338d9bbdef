//! The inventory of servers of other versions: answers by path in `tests/fixtures/wire/deployments/inventory-*.json`, each for
//! a site as it is and for the same site after an import of an earlier export.

use std::path::Path;

use serde_json::Value;
use steward_core::changes::{Change, Kind};
use steward_core::inventory::comparison::Comparison;
use steward_core::inventory::service_check::prove;
use steward_core::inventory::{Inventory, InventoryPart};
use steward_testkit::{Reply, TestServer};

use crate::scripted::server_at;

/// A server that answers by path. What is not in the fixture is not there in that version.
async fn answering(version: &str, state: &str) -> TestServer {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/wire/deployments");
    let text = std::fs::read_to_string(folder.join(format!("inventory-{version}.json"))).unwrap();
    let answers = serde_json::from_str::<Value>(&text).unwrap()[state].clone();
    let server = TestServer::start(move |request| {
        let path = request.head.split(' ').nth(1).unwrap_or_default();
        let path = path.split('?').next().unwrap_or_default().trim_start_matches("/server/admin/");
        let missing = || {
            let words = format!("Could not find resource or operation '{path}' on the system.");
            serde_json::json!({ "status": "error", "messages": [words], "code": 404 }).to_string()
        };
        Reply::json(answers.get(path).map_or_else(missing, Value::to_string))
    });
    server.await.unwrap()
}

async fn inventory(version: &str, state: &str) -> Inventory {
    let server = answering(version, state).await;
    Inventory::take(&server_at(&format!("{}/server", server.origin())), version.to_owned()).await
}

/// The differences of services.
fn services(comparison: &Comparison) -> Vec<(Change, &str)> {
    let services = comparison.differences.iter().filter(|one| one.kind == Kind::Services);
    services.map(|one| (one.change, one.name.as_str())).collect()
}

#[tokio::test]
async fn an_import_that_loses_three_services_renames_one_and_stops_one_is_told_before_and_after() {
    for version in ["10.9.1", "11.3"] {
        let (now, export) = (inventory(version, "site").await, inventory(version, "imported").await);

        let comparison = Comparison::of(&now, &export);

        let expected = [
            (Change::Missing, "Bridges.MapServer"),
            (Change::Missing, "BufferZone.GPServer"),
            (Change::Missing, "Ferries.MapServer"),
            (Change::Missing, "Quays.MapServer"),
            (Change::Differs, "Basemap.MapServer"),
            (Change::Added, "Buffer.GPServer"),
        ];
        assert_eq!(services(&comparison), expected, "{version}");
        let imported = answering(version, "imported").await;
        let server = server_at(&format!("{}/server", imported.origin()));
        let proof = prove(&server, &now, Some(&export)).await;
        let check = proof.check.unwrap();
        assert_eq!((proof.services_before, check.services, check.should_run), (Some(6), 3, 2), "{version}");
        assert_eq!((check.running, proof.lost), (2, Some(Vec::new())), "{version}");
        let back = prove(&server, &export, Some(&now)).await.lost.unwrap();
        assert_eq!(back.len(), 4, "{version}: what the site had is missing after it: {back:?}");
    }
}

#[tokio::test]
async fn a_version_without_webhooks_has_them_not_compared_and_a_later_one_has_their_failed_deliveries() {
    let old = inventory("10.9.1", "site").await;
    let new = inventory("11.3", "site").await;

    assert!(!old.has(InventoryPart::Webhooks) && old.webhooks.is_empty(), "{old:?}");
    assert!(old.missing.iter().all(|missing| missing.part == InventoryPart::Webhooks), "{:?}", old.missing);
    assert_eq!(new.missing, []);
    let webhooks: Vec<_> = new.webhooks.iter().map(|one| (one.name.as_str(), one.failures)).collect();
    assert_eq!(webhooks, [("Archive every job", None), ("Notify maintenance", Some(1))]);
    let hosted = Some(vec!["Hosted".to_owned()]);
    assert_eq!((old.folders.as_ref(), new.folders.as_ref()), (hosted.as_ref(), hosted.as_ref()));
}
