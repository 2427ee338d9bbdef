//! The data store's own resources, and the secrets of its items.

use crate::support::{Rehearsal, rehearsal, server_error_code};
use serde_json::{Value, json};
use std::path::Path;

const DATA: &str = "/server/admin/data";

async fn register(site: &Rehearsal, item: &Value) -> Value {
    let form = [("item", &*item.to_string())];
    site.post_as("publisher", &format!("{DATA}/registerItem"), &form).await
}

async fn found(site: &Rehearsal, filter: (&str, &str)) -> Vec<Value> {
    let answer = site.post_as("publisher", &format!("{DATA}/findItems"), &[filter]).await;
    answer["items"].as_array().unwrap().clone()
}

fn holds(folder: &Path, secret: &str) -> Vec<String> {
    let mut holders = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            holders.extend(holds(&path, secret));
        } else if std::fs::read(&path)
            .unwrap()
            .windows(secret.len())
            .any(|window| window == secret.as_bytes())
        {
            holders.push(path.display().to_string());
        }
    }
    holders
}

#[tokio::test]
async fn secrets_in_connection_strings_are_encrypted_at_rest_and_in_answers() {
    let site = rehearsal().await;
    let item = json!({
        "path": "/enterpriseDatabases/canary",
        "type": "egdb",
        "encryptAttributes": ["info.connectionString", "info.apiToken"],
        "info": {
            "apiToken": "canary-one",
            "connectionString": "SERVER=db1;DATABASE=canary;USER=gis;PASSWORD=canary-two",
            "connectionStringHA": "SERVER=db2;PASSWORD=canary-three;USER=gis",
            "JDBCConnection": { "username": "gis", "password": "canary-four" },
        },
    });
    let answer = register(&site, &item).await;
    assert_eq!(answer["status"], "success", "{answer}");
    let cloud = json!({
        "path": "/cloudStores/canary",
        "type": "cloudStore",
        "provider": "amazon",
        "info": { "connectionString": "{\"accessKeyId\":\"A\",\"secretAccessKey\":\"canary-five\"}" },
    });
    assert_eq!(register(&site, &cloud).await["status"], "success");

    let items = found(&site, ("ancestorPath", "/")).await;
    assert!(!json!(items).to_string().contains("canary-"), "a secret in an answer");
    let database = items.iter().find(|item| item["path"] == "/enterpriseDatabases/canary").unwrap();
    let connection = database["info"]["connectionString"].as_str().unwrap();
    assert!(
        connection.starts_with("SERVER=db1;DATABASE=canary;USER=gis;ENCRYPTED_PASSWORD="),
        "{connection}"
    );
    assert!(database["info"]["JDBCConnection"]["password"].as_str().unwrap().starts_with("{crypt}"));
    assert_eq!(holds(&site.data(), "canary-"), [""; 0]);

    let folder = site.exports();
    let form = [("location", folder.to_str().unwrap())];
    site.post_as("administrator", "/server/admin/exportSite", &form).await;
    assert_eq!(holds(&site.exports(), "canary-"), [""; 0]);
}

#[tokio::test]
async fn a_registered_item_is_found_and_walked_to_and_an_unregistered_one_is_gone() {
    let site = rehearsal().await;
    let folder = site.exports();
    let item = json!({ "path": "fileShares/mine/", "type": "folder", "info": { "path": folder } });
    assert_eq!(register(&site, &item).await["status"], "success");
    let items = found(&site, ("parentPath", "/fileShares")).await;
    let mine = items.iter().find(|item| item["path"] == "/fileShares/mine").unwrap();
    assert_eq!(mine["name"], "mine");
    assert!(mine["meta"]["created"].is_i64() && mine["id"].is_string());
    assert_eq!(found(&site, ("id", mine["id"].as_str().unwrap())).await, std::slice::from_ref(mine));
    assert_eq!(site.get_as("publisher", &format!("{DATA}/items/fileShares/mine")).await, *mine);

    let again = register(&site, &item).await;
    assert_eq!(again["code"], 500);
    let path = [("itempath", "/fileShares/mine")];
    let unregister = format!("{DATA}/unregisterItem");
    assert_eq!(site.post_as("publisher", &unregister, &path).await["status"], "success");
    assert_eq!(site.post_as("publisher", &unregister, &path).await["code"], 404);
    assert!(!found(&site, ("parentPath", "/fileShares")).await.contains(mine));
}

#[tokio::test]
async fn items_that_make_no_sense_are_not_registered_and_managed_ones_not_unregistered() {
    let site = rehearsal().await;
    for item in [
        json!("text"),
        json!({ "type": "folder" }),
        json!({ "path": "/", "type": "folder" }),
        json!({ "path": "/fileShares", "type": "folder" }),
        json!({ "path": "/fileShares/a" }),
        json!({ "path": "/fileShares/a", "type": "folder", "info": "text" }),
    ] {
        assert_eq!(register(&site, &item).await["code"], 400, "{item}");
    }
    let managed = [("itempath", "/enterpriseDatabases/relational_elderbrook")];
    assert_eq!(site.post_as("publisher", &format!("{DATA}/unregisterItem"), &managed).await["code"], 500);
    assert_eq!(site.post_as("viewer", &format!("{DATA}/registerItem"), &[("item", "{}")]).await["code"], 403);
}

#[tokio::test]
async fn a_check_of_an_item_says_what_is_wrong_with_it() {
    let site = rehearsal().await;
    let check = async |item: Value| {
        let form = [("item", &*item.to_string())];
        site.post_as("publisher", &format!("{DATA}/validateDataItem"), &form).await
    };
    let folder = |path: &Path| json!({ "path": "/fileShares/a", "type": "folder", "info": { "path": path } });
    assert_eq!(check(folder(&site.exports())).await, json!({ "status": "success" }));
    let missing = check(folder(&site.exports().join("missing"))).await;
    assert_eq!(missing["status"], "error");
    assert!(missing["messages"][0].as_str().unwrap().contains("cannot be read"), "{missing}");
    let database = |info: Value| json!({ "path": "/enterpriseDatabases/a", "type": "egdb", "info": info });
    assert_eq!(
        check(database(json!({ "connectionString": "SERVER=db1;PASSWORD=x" }))).await["status"],
        "success"
    );
    assert_eq!(check(database(json!({}))).await["status"], "error");
    let foreign =
        check(database(json!({ "connectionString": "SERVER=db1;ENCRYPTED_PASSWORD=00022e68" }))).await;
    assert!(foreign["messages"][0].as_str().unwrap().contains("another site"), "{foreign}");
}

#[tokio::test]
async fn a_check_of_all_items_names_the_one_whose_folder_was_moved_away() {
    let site = rehearsal().await;
    let path = format!("{DATA}/validateAllDataItems");
    let answer = site.post_as("publisher", &path, &[]).await;
    assert_eq!(answer["status"], "error");
    assert_eq!(answer["messages"].as_array().unwrap().len(), 2, "{answer}");
    assert!(answer["messages"][1].as_str().unwrap().starts_with("/fileShares/zoning"));
    let only_post = site.get_as("publisher", &path).await;
    assert_eq!(only_post["messages"][0], "Only HTTP POST method is supported on this operation.");

    std::fs::create_dir_all(site.data().join("server/data/shares/zoning")).unwrap();
    assert_eq!(site.post_as("publisher", &path, &[]).await, json!({ "status": "success" }));
}

#[tokio::test]
async fn clients_walk_roots_items_machines_and_counts() {
    let site = rehearsal().await;
    let roots = site.get_as("publisher", &format!("{DATA}/items")).await;
    let roots = roots["rootItems"].as_array().unwrap().clone();
    assert!(
        roots.contains(&json!("/fileShares")) && roots.contains(&json!("/enterpriseDatabases")),
        "{roots:?}"
    );
    let below = site.get_as("publisher", &format!("{DATA}/items/fileShares")).await;
    assert_eq!(below["items"].as_array().unwrap().len(), 3);
    let machines = format!("{DATA}/items/enterpriseDatabases/relational_elderbrook/machines");
    let listed = site.get_as("publisher", &machines).await;
    assert_eq!(listed["machines"].as_array().unwrap().len(), 2);
    let health = site.post_as("publisher", &format!("{machines}/store1.example.org/validate"), &[]).await;
    assert_eq!(health["machines"][0]["machine.overallhealth"], "Healthy");
    let unknown = site.post_as("publisher", &format!("{machines}/other/validate"), &[]).await;
    assert_eq!(server_code(&unknown), 404);

    let service = site
        .server_db()
        .query_row("SELECT data_path FROM services LIMIT 1", [], |row| row.get::<_, String>(0));
    let item = json!({ "path": "/fileShares/data", "type": "folder", "info": { "path": service.unwrap() } });
    register(&site, &item).await;
    let count = format!("{DATA}/computeTotalRefCount");
    let answer = site.post_as("publisher", &count, &[("path", "/fileShares/data")]).await;
    assert_eq!(answer["totalRefCount"], 1);
    let none = site.post_as("publisher", &count, &[("path", "/fileShares/plans")]).await;
    assert_eq!(none["totalRefCount"], 0);
}

fn server_code(answer: &Value) -> i64 {
    answer["code"].as_i64().unwrap()
}

#[tokio::test]
async fn an_answer_of_find_items_reads_the_same_in_every_format() {
    let site = rehearsal().await;
    let find = async |format: &str| {
        let token = site.token("publisher").await;
        let form = [("ancestorPath", "/"), ("f", format), ("token", &token)];
        site.http
            .post(site.address(&format!("{DATA}/findItems")))
            .form(&form)
            .send()
            .await
            .unwrap()
            .text()
            .await
            .unwrap()
    };
    let json: Value = serde_json::from_str(&find("json").await).unwrap();
    let indented = find("pjson").await;
    assert!(indented.lines().count() > 100);
    assert_eq!(serde_json::from_str::<Value>(&indented).unwrap(), json);
    assert!(find("html").await.contains("/fileShares/survey"));
    let none = site.post_as("publisher", &format!("{DATA}/findItems"), &[]).await;
    assert_eq!(server_error_code(&none), 400);
}

#[tokio::test]
async fn the_manifest_of_a_service_names_its_data_as_the_registered_items_do() {
    let site = rehearsal().await;
    let manifest = async |service: &str| {
        let path = format!("/server/admin/services/{service}/iteminfo/manifest/manifest.json");
        site.get_as("publisher", &path).await
    };
    let connection = |manifest: &Value| manifest["databases"][0]["onServerConnectionString"].to_string();

    let zoning = manifest("Parcels/Zoning.MapServer").await;
    assert!(connection(&zoning).contains("shares/zoning"), "{zoning}");
    assert_eq!(zoning["databases"][0]["byReference"], true);
    let hydrants = manifest("Hosted/Hydrants.FeatureServer").await;
    assert!(connection(&hydrants).contains("SERVER=store1.example.org"), "{hydrants}");
    assert!(connection(&hydrants).contains("DATABASE=db_elderbrook"), "{hydrants}");
    let basemap = manifest("Basemap.MapServer").await;
    assert_eq!(basemap["databases"][0]["byReference"], false, "its data was copied to the server");
    assert_eq!(manifest("Buffer.GPServer").await["databases"], json!([]));
    assert_eq!(server_code(&manifest("Utilities/Geometry.GeometryServer").await), 404);
    assert_eq!(server_code(&manifest("Nowhere.MapServer").await), 404);
}

#[tokio::test]
async fn a_machine_that_is_stopped_is_not_healthy() {
    let site = rehearsal().await;
    let state = async |machine: &str| {
        let path = format!("{DATA}/items/nosqlDatabases/sensors/machines/{machine}/validate");
        let answer = site.post_as("publisher", &path, &[]).await;
        let machine = &answer["machines"][0];
        [&machine["machine.overallhealth"], &machine["status"]].map(|text| text.as_str().unwrap().to_owned())
    };
    assert_eq!(state("STORE1.EXAMPLE.ORG").await, ["Healthy", "Started"]);
    assert_eq!(state("store2.example.org").await, ["Unhealthy", "Stopped"]);
}
