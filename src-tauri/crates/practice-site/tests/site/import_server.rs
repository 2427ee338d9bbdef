//! Operation 3.

use crate::support::{Rehearsal, rehearsal, server_error_code};
use serde_json::Value;
use std::path::PathBuf;

const PATH: &str = "/server/admin/importSite";

pub(crate) async fn exported(site: &Rehearsal) -> PathBuf {
    let folder = site.exports();
    let form = [("location", folder.to_str().unwrap())];
    let answer = site.post_as("administrator", "/server/admin/exportSite", &form).await;
    answer["location"].as_str().unwrap().into()
}

pub(crate) async fn import(site: &Rehearsal, location: &str) -> Value {
    site.post_as("administrator", PATH, &[("location", location)]).await
}

pub(crate) fn count(site: &Rehearsal, table: &str) -> i64 {
    let sql = format!("SELECT count(*) FROM {table}");
    site.server_db().query_row(&sql, [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn an_import_replaces_the_configuration_with_what_was_exported() {
    let site = rehearsal().await;
    let file = exported(&site).await;
    let (services, webhooks, items) =
        (count(&site, "services"), count(&site, "webhooks"), count(&site, "data_items"));
    site.server_db()
        .execute_batch(
            "PRAGMA foreign_keys = ON;
             DELETE FROM services WHERE folder = 'Hosted';
             DELETE FROM data_items WHERE managed = 1;
             INSERT INTO services (folder, name, type, description, configuration, data_path, configured_state,
                 real_time_state) VALUES ('', 'Later', 'MapServer', '', '{}', '/nowhere', 'STARTED', 'STARTED');",
        )
        .unwrap();

    let answer = import(&site, file.to_str().unwrap()).await;

    assert_eq!(answer["status"], "success");
    assert_eq!(count(&site, "services"), services);
    assert_eq!(count(&site, "webhooks"), webhooks);
    assert_eq!(count(&site, "data_items"), items);
    let later = site.get_as("administrator", "/server/admin/services/Later.MapServer").await;
    assert_eq!(later["code"], 404);
}

#[tokio::test]
async fn a_service_that_cannot_start_is_a_warning_and_the_import_a_success() {
    let site = rehearsal().await;
    let file = exported(&site).await;
    let answer = import(&site, file.to_str().unwrap()).await;
    assert_eq!(answer["status"], "success");
    let sources = answer["result"].as_array().unwrap();
    assert!(sources.len() >= 3);
    let messages: Vec<&Value> =
        sources.iter().flat_map(|source| source["messages"].as_array().unwrap()).collect();
    let warnings: Vec<&&Value> = messages.iter().filter(|message| message["level"] == "WARNING").collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let details = &warnings[0]["details"];
    assert_eq!(details["service"], "Parcels/Zoning.MapServer");
    assert_eq!(details["state"], "FAILED");
    assert!(details["message"].is_string());
    assert_eq!(details["machines"][0]["state"], "FAILED");
    assert!(details["machines"][0]["machine"].is_string());
    assert_eq!(details["machines"][0]["reports"][0]["state"], "FAILED");
    assert!(details["machines"][0]["reports"][0]["message"].is_string());
    assert!(messages.iter().all(|message| message["level"] == "INFO" || message["level"] == "WARNING"));

    let status = |name: &str| format!("/server/admin/services/{name}/status");
    let failed = site.get_as("administrator", &status("Parcels/Zoning.MapServer")).await;
    assert_eq!(failed["realTimeState"], "FAILED");
    let running = site.get_as("administrator", &status("Water/Mains.FeatureServer")).await;
    assert_eq!(running["realTimeState"], "STARTED");
}

#[tokio::test]
async fn an_upload_can_be_imported_by_its_identifier() {
    let site = rehearsal().await;
    let stored = site.post_as("administrator", "/server/admin/exportSite", &[]).await;
    let id = stored["location"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    assert_eq!(import(&site, &id).await["status"], "success");
    let answer = site.post_as("administrator", PATH, &[("EXPORT_LOCATION", &id)]).await;
    assert_eq!(answer["status"], "success");
    // The upload outlives the import.
    assert_eq!(count(&site, "uploads"), 1);
}

#[tokio::test]
async fn credentials_and_tokens_outlive_an_import() {
    let site = rehearsal().await;
    let file = exported(&site).await;
    let token = site.token("administrator").await;
    let sign_ins: Value =
        serde_json::from_slice(&std::fs::read(site.data().join("users.json")).unwrap()).unwrap();
    let primary = &sign_ins["primary_administrator"];
    assert_eq!(import(&site, file.to_str().unwrap()).await["status"], "success");
    let answer = site.get("/server/admin", &[("token", &token)]).await;
    assert!(answer["resources"].is_array());
    let form = [
        ("username", primary["username"].as_str().unwrap()),
        ("password", primary["password"].as_str().unwrap()),
    ];
    let answer = site.post("/server/admin/generateToken", &form).await;
    assert!(answer["token"].is_string(), "{answer}");
}

#[tokio::test]
async fn nothing_to_import_is_refused() {
    let site = rehearsal().await;
    let before = count(&site, "services");
    assert_eq!(server_error_code(&import(&site, "").await), 400);
    assert_eq!(server_error_code(&import(&site, "i-unknown-upload").await), 404);
    let missing = site.exports().join("missing.agssite");
    assert_eq!(server_error_code(&import(&site, missing.to_str().unwrap()).await), 500);
    assert_eq!(server_error_code(&import(&site, site.exports().to_str().unwrap()).await), 500);
    assert_eq!(count(&site, "services"), before);
}

#[tokio::test]
async fn missing_directories_are_named_and_nothing_changes() {
    let site = rehearsal().await;
    let file = exported(&site).await;
    let cache = site.data().join("server").join("directories").join("cache");
    std::fs::remove_dir_all(&cache).unwrap();
    site.server_db().execute("DELETE FROM data_items", []).unwrap();
    let answer = import(&site, file.to_str().unwrap()).await;
    assert_eq!(server_error_code(&answer), 500);
    assert!(answer["error"]["details"][0].as_str().unwrap().contains(cache.to_str().unwrap()));
    assert_eq!(count(&site, "data_items"), 0);
}
