//! Changes of a server that is not the practice site: it returns what real deployments return, each time in another order and
//! with other types. What plants the changes edits that, and knows nothing of fields, paths, and comparisons.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use steward_core::actions::sign_in::sign_in_as;
use steward_core::changes::view::{Compared, ComparisonView, SnapshotId};
use steward_core::changes::{Cause, Change, Kind};
use steward_core::sites::SiteForm;
use steward_testkit::{Reply, Request, TestServer};
use steward_vault::Secret;
use url::form_urlencoded;

use crate::test_app::TestApp;

const MACHINE: &str = "GIS1.EXAMPLE.ORG";

/// What the server has, by path.
#[derive(Default)]
struct Deployment {
    services: BTreeMap<String, Value>,
    items: BTreeMap<String, Value>,
    others: BTreeMap<&'static str, Value>,
}

fn service(number: usize) -> Value {
    json!({
        "serviceName": format!("S{number}"), "type": "MapServer", "clusterName": "default", "minInstancesPerNode": 1,
        "maxInstancesPerNode": 2, "maxUsageTime": 600, "isDefault": false, "capabilities": "Map,Query,Data",
        "properties": { "filePath": format!("D:\\arcgisserver\\S{number}.msd"), "maxRecordCount": "2000" },
        "extensions": [
            { "typeName": "KmlServer", "enabled": "true", "properties": { "maxBufferSize": 100 } },
            { "typeName": "WMSServer", "enabled": "true", "capabilities": null },
        ],
        "datasets": [],
    })
}

fn database(number: usize) -> Value {
    let connection =
        format!("ENCRYPTED_PASSWORD=00022e68{number};SERVER=db1;DATABASE=roads{number};USER=gis");
    json!({
        "path": format!("/enterpriseDatabases/roads{number}"), "type": "egdb", "id": format!("5b0e-{number}"),
        "info": { "dataStoreConnectionType": "shared", "isManaged": false, "connectionString": connection },
    })
}

fn permissions(role: &str) -> Value {
    json!({ "permissions": [
        { "principal": "esriEveryone", "permission": { "isAllowed": true }, "childURL": null },
        { "principal": role, "permission": { "isAllowed": true }, "childURL": null },
    ] })
}

fn deployment() -> Deployment {
    let mut all = Deployment::default();
    for number in 0..24 {
        let folder = if number < 12 { "" } else { "Hosted/" };
        all.services.insert(format!("{folder}S{number}.MapServer"), service(number));
    }
    // Names that differ in case only, one that is written from right to left, and one with a control character.
    for name in [
        "Hosted/bus.MapServer",
        "Hosted/Bus.MapServer",
        "Hosted/Ev\u{202e}il.MapServer",
        "Hosted/Be\u{7}ll.MapServer",
    ] {
        all.services.insert(name.to_owned(), service(99));
    }
    for number in 0..8 {
        all.items.insert(format!("/enterpriseDatabases/roads{number}"), database(number));
    }
    let share =
        json!({ "path": "/fileShares/aerial", "type": "folder", "info": { "path": "\\\\nas01\\aerial" } });
    all.items.insert("/fileShares/aerial".to_owned(), share);
    all.others = BTreeMap::from([
        ("/admin", json!({ "currentVersion": 11.3, "fullVersion": "11.3.0", "acceptLanguage": "en" })),
        ("/admin/info", json!({ "loggedInUser": "gisadmin", "loggedInUserPrivilege": "ADMINISTER" })),
        ("/admin/generateToken", json!({ "token": "pQ8bb", "expires": "4102444800000" })),
        ("/rest/info", json!({ "currentVersion": 11.3, "authInfo": { "isTokenBasedSecurity": true } })),
        ("/admin/services/permissions", permissions("publishers")),
        ("/admin/services/Hosted/permissions", permissions("editors")),
        ("/admin/data/items", json!({ "rootItems": ["/enterpriseDatabases", "/fileShares"] })),
        ("/admin/machines", json!({ "machines": [{ "machineName": MACHINE, "synchronize": true }] })),
        ("/admin/system/properties", json!({ "WebContextURL": "https://gis.example.org/server" })),
        (
            "/admin/system/webadaptors",
            json!({ "webAdaptors": [{ "id": "a1", "machineName": "WEB1", "httpsPort": 443 }] }),
        ),
        ("/admin/security/config", json!({ "securityEnabled": "true", "httpsProtocols": "TLSv1.2,TLSv1.3" })),
        ("/admin/logs/settings", json!({ "settings": { "logLevel": "WARNING", "maxLogFileAge": 90 } })),
        (
            "/admin/services/webhooks",
            json!({ "webhooks": [{
                "id": "3f6d0b1e", "folderName": "Hosted", "serviceName": "S12", "serviceType": "FeatureServer",
                "name": "Notify", "active": true, "hookUrl": "https://hooks.example.org/h",
            }] }),
        ),
        (
            "/admin/system/licenses",
            json!({ "edition": { "name": "adv", "canExpire": false }, "level": { "name": "ent", "canExpire": false },
                "features": [{ "name": "Image", "displayName": "Image", "isValid": true, "canExpire": true, "expiration": 1_893_456_000_000_i64 }] }),
        ),
    ]);
    all
}

impl Deployment {
    fn reply(&self, request: &Request) -> Value {
        let path = decoded(request.path().trim_start_matches("/arcgis"));
        if let Some(other) = self.others.get(path.as_str()) {
            return other.clone();
        }
        if path == "/admin/data/findItems" {
            let within = form_urlencoded::parse(&request.body)
                .find(|(name, _)| name == "ancestorPath")
                .map(|(_, path)| path.into_owned());
            let within = within.unwrap_or_default();
            let items: Vec<_> = self
                .items
                .iter()
                .filter(|(path, _)| path.starts_with(&within))
                .map(|(_, item)| item)
                .collect();
            return json!({ "items": items });
        }
        if path == format!("/admin/machines/{MACHINE}") {
            return json!({ "machineName": MACHINE, "serverTime": request.number, "ports": { "HTTPS": 6443 } });
        }
        let rest = |root: &str| path.strip_prefix(root).map(str::to_owned);
        match (path.as_str(), rest("/admin/services/"), rest("/admin/data/items")) {
            ("/admin/services", ..) => self.listed(""),
            ("/admin/services/Hosted", ..) => self.listed("Hosted/"),
            (_, Some(name), _) if self.services.contains_key(&name) => self.services[&name].clone(),
            (_, _, Some(item)) if self.items.contains_key(&item) => self.items[&item].clone(),
            _ => json!({ "status": "error", "messages": ["The resource was not found."], "code": 404 }),
        }
    }

    /// A folder of services, as deployments list it.
    fn listed(&self, folder: &str) -> Value {
        let entry = |name: &str| {
            let (name, kind) = name.strip_prefix(folder)?.split_once('.')?;
            let folder = if folder.is_empty() { "/" } else { folder.trim_end_matches('/') };
            (!name.contains('/')).then(|| json!({ "folderName": folder, "serviceName": name, "type": kind }))
        };
        let services: Vec<_> = self.services.keys().filter_map(|name| entry(name)).collect();
        let (folders, details) = match folder {
            "" => (json!(["Hosted"]), json!([{ "folderName": "Hosted", "webEncrypted": false }])),
            _ => (json!([]), json!([])),
        };
        json!({ "folderName": "/", "folders": folders, "foldersDetail": details, "services": services })
    }
}

fn decoded(path: &str) -> String {
    let query = format!("p={path}");
    form_urlencoded::parse(query.as_bytes()).next().map(|(_, path)| path.into_owned()).unwrap_or_default()
}

/// The same in another order, and with texts for numbers.
fn varied(value: Value, is_odd: bool) -> Value {
    match value {
        Value::Object(object) => object.into_iter().map(|(name, one)| (name, varied(one, is_odd))).collect(),
        Value::Array(elements) => {
            let elements = elements.into_iter().map(|one| varied(one, is_odd));
            if is_odd { elements.rev().collect() } else { elements.collect() }
        }
        Value::Number(number) if is_odd => json!(number.to_string()),
        other => other,
    }
}

type Planted = BTreeSet<(Kind, String, &'static str)>;

/// Plants changes in everything that the server has, and returns them.
fn plant(site: &mut Deployment) -> Planted {
    let mut planted = Planted::new();
    let edits: [(&str, Value); 7] = [
        ("/minInstancesPerNode", json!(3)),
        ("/maxUsageTime", json!(60)),
        ("/isDefault", json!(true)),
        ("/capabilities", json!("Map")),
        ("/properties/maxRecordCount", json!("5000")),
        ("/extensions/0/enabled", json!("false")),
        ("/extensions/1", json!({ "typeName": "WFSServer", "enabled": "true" })),
    ];
    let is_numbered = |name: &&String| name.trim_start_matches("Hosted/").starts_with('S');
    let names: Vec<_> = site.services.keys().filter(is_numbered).cloned().collect();
    for (name, (at, new)) in names.iter().zip(edits.iter().cycle()).take(22) {
        *site.services.get_mut(name).unwrap().pointer_mut(at).unwrap() = new.clone();
        planted.insert((Kind::Services, name.clone(), "differs"));
    }
    site.services.remove(&names[22]).unwrap();
    planted.insert((Kind::Services, names[22].clone(), "missing"));
    let renamed = site.services.remove("Hosted/bus.MapServer").unwrap();
    site.services.insert("Hosted/busses.MapServer".to_owned(), renamed);
    planted.insert((Kind::Services, "Hosted/bus.MapServer".to_owned(), "missing"));
    planted.insert((Kind::Services, "Hosted/busses.MapServer".to_owned(), "added"));
    for (name, shown) in [
        ("Hosted/Ev\u{202e}il.MapServer", "Hosted/Ev\\u{202e}il.MapServer"),
        ("Hosted/Be\u{7}ll.MapServer", "Hosted/Be\\u{7}ll.MapServer"),
    ] {
        site.services.get_mut(name).unwrap()["maxUsageTime"] = json!(1);
        planted.insert((Kind::Services, shown.to_owned(), "differs"));
    }

    let new = [("00022e68", "0003ffff"), ("SERVER=db1", "SERVER=db2"), ("USER=gis", "USER=sde")];
    for (number, (old, new)) in (0..6).zip(new.iter().cycle()) {
        let name = format!("/enterpriseDatabases/roads{number}");
        let connection = &mut site.items.get_mut(&name).unwrap()["info"]["connectionString"];
        *connection = json!(connection.as_str().unwrap().replace(old, new));
        planted.insert((Kind::DataStoreItems, name, "differs"));
    }
    site.items.get_mut("/fileShares/aerial").unwrap()["info"]["path"] = json!("\\\\nas02\\aerial");
    planted.insert((Kind::DataStoreItems, "/fileShares/aerial".to_owned(), "differs"));
    site.items.remove("/enterpriseDatabases/roads6").unwrap();
    planted.insert((Kind::DataStoreItems, "/enterpriseDatabases/roads6".to_owned(), "missing"));

    for (path, at, new, kind, name) in [
        (
            "/admin/services/permissions",
            "/permissions/1/permission/isAllowed",
            json!(false),
            Kind::Folders,
            "/",
        ),
        (
            "/admin/services/Hosted/permissions",
            "/permissions/1/principal",
            json!("x"),
            Kind::Folders,
            "Hosted",
        ),
        ("/admin/logs/settings", "/settings/logLevel", json!("FINE"), Kind::Logs, "settings"),
        ("/admin/security/config", "/httpsProtocols", json!("TLSv1.0"), Kind::Security, "config"),
        (
            "/admin/system/properties",
            "/WebContextURL",
            json!("https://other.example.org/server"),
            Kind::SystemProperties,
            "properties",
        ),
        (
            "/admin/system/webadaptors",
            "/webAdaptors/0/httpsPort",
            json!(8443),
            Kind::SystemProperties,
            "webadaptors",
        ),
        (
            "/admin/services/webhooks",
            "/webhooks/0/active",
            json!(false),
            Kind::Webhooks,
            "Hosted/S12.FeatureServer: Notify",
        ),
        ("/admin", "/fullVersion", json!("11.4.0"), Kind::Versions, "version"),
    ] {
        *site.others.get_mut(path).unwrap().pointer_mut(at).unwrap() = new;
        planted.insert((kind, name.to_owned(), "differs"));
    }
    planted
}

fn told(found: &ComparisonView) -> Planted {
    let word = |change| match change {
        Change::Missing => "missing",
        Change::Differs => "differs",
        Change::Added => "added",
    };
    found.differences.iter().map(|one| (one.key.kind, one.key.name.clone(), word(one.change))).collect()
}

#[tokio::test]
async fn forty_changes_planted_on_another_server_are_found_and_none_is_told_while_nothing_changed() {
    let app = TestApp::new().await;
    let deployment = Arc::new(Mutex::new(deployment()));
    let shared = deployment.clone();
    let server = TestServer::start(move |request| {
        let value = shared.lock().unwrap().reply(request);
        let is_plain =
            ["generateToken", "/info", "findItems"].iter().any(|end| request.path().ends_with(end));
        Reply::json(varied(value, !is_plain && request.number % 2 == 1).to_string())
    })
    .await
    .unwrap();
    let (context, snapshots) = (&app.steward.context, &app.steward.snapshots);
    let form = SiteForm::of("Foreign", "", &format!("{}/arcgis", server.origin()));
    let site = context.access.sites.save(&form).unwrap().id;
    sign_in_as(context, &site, "gisadmin", &Secret::new("x".to_owned())).await.unwrap();
    let take = async || -> SnapshotId {
        let taken = snapshots.take(context, &site, Cause::Manual).await.unwrap();
        assert_eq!(taken.snapshots[0].failure, "");
        taken.snapshots[0].id
    };
    let compare = async |from, to| {
        let compared = Compared::Since { site: site.clone(), from, to };
        snapshots.compare(context, &compared).await.unwrap()
    };

    let first = take().await;
    let mut last = first;
    for reading in 1..50 {
        last = take().await;
        let found = compare(first, last).await;
        assert_eq!(told(&found), Planted::new(), "reading {reading}");
    }
    assert!(snapshots.imports(context, &site).await.unwrap().is_empty(), "the version is what it was");
    let planted = plant(&mut deployment.lock().unwrap());
    assert!(planted.len() >= 40, "{}", planted.len());
    let changed = take().await;

    let found = compare(last, changed).await;
    assert_eq!(told(&found), planted);
    let gaps: Vec<_> = found.not_compared.iter().map(|gap| (gap.resource_kind, gap.name.as_str())).collect();
    assert_eq!(gaps, [(Kind::Expiries, "certificate of GIS1.EXAMPLE.ORG")], "the server has no such list");
    assert_eq!(compare(first, changed).await.differences.len(), planted.len());

    // The version is another one: the server was upgraded.
    let upgrades = snapshots.imports(context, &site).await.unwrap();
    let told: Vec<_> = upgrades.iter().map(|one| (one.by.is_none(), one.before, one.after)).collect();
    assert_eq!(told, [(true, last, changed)]);
}

/// Takes so many snapshots of a server with these services, and compares the first one with the last.
async fn read_large(services: BTreeMap<String, Value>, readings: usize) -> ComparisonView {
    let app = TestApp::new().await;
    let many = Deployment { services, ..deployment() };
    let server =
        TestServer::start(move |request| Reply::json(many.reply(request).to_string())).await.unwrap();
    let (context, snapshots) = (&app.steward.context, &app.steward.snapshots);
    let form = SiteForm::of("Foreign", "", &format!("{}/arcgis", server.origin()));
    let site = context.access.sites.save(&form).unwrap().id;
    sign_in_as(context, &site, "gisadmin", &Secret::new("x".to_owned())).await.unwrap();
    let mut taken = Vec::new();
    for _ in 0..readings {
        let newest = snapshots.take(context, &site, Cause::Manual).await.unwrap().snapshots.remove(0);
        assert_eq!(newest.failure, "");
        taken.push(newest.id);
    }
    let compared = Compared::Since { site, from: taken[0], to: taken[readings - 1] };
    let found = snapshots.compare(context, &compared).await.unwrap();
    assert!(found.differences.is_empty(), "{} differences", found.differences.len());
    found
}

fn equal_services(found: &ComparisonView) -> u32 {
    found.equal.iter().find(|one| one.resource_kind == Kind::Services).unwrap().count
}

#[tokio::test]
async fn of_a_large_server_each_service_is_read_and_compared() {
    let services = (0..3_000).map(|number| (format!("Hosted/S{number:06}.MapServer"), service(number)));
    let found = read_large(services.collect(), 2).await;
    assert_eq!(equal_services(&found), 3_000);
    assert!(found.not_compared.iter().all(|gap| gap.resource_kind != Kind::Services));
}

/// The services are small, and are read once: the situation is their number.
#[tokio::test]
async fn of_100_000_services_the_first_20_000_are_read_and_the_others_are_a_named_gap() {
    let services =
        (0..100_000).map(|number| (format!("Hosted/S{number:06}.MapServer"), json!({ "n": number })));
    let found = read_large(services.collect(), 1).await;
    assert_eq!(equal_services(&found), 20_000);
    let reasons: Vec<_> = found.not_compared.iter().map(|gap| gap.reason.as_str()).collect();
    assert!(reasons.contains(&"20000 of 100000 services were read"), "{reasons:?}");
}
