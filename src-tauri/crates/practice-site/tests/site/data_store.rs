//! The data store's own resources.

use crate::support::{rehearsal, server_error_code};
use serde_json::{Value, json};
use std::path::Path;

const DATA: &str = "/server/admin/data";

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
}

#[tokio::test]
async fn clients_walk_roots_items_and_machines() {
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
    // On Windows, a share on this computer has its own separators.
    let connection = |manifest: &Value| {
        manifest["databases"][0]["onServerConnectionString"].as_str().unwrap().replace('\\', "/")
    };

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
