//! Operation 2.

use crate::support::{Rehearsal, rehearsal, server_error_code};
use serde_json::Value;
use std::fs::File;
use std::io::{Cursor, Read, Seek};
use std::path::Path;
use zip::ZipArchive;

const PATH: &str = "/server/admin/exportSite";

fn entry(archive: &mut ZipArchive<impl Read + Seek>, name: &str) -> Value {
    serde_json::from_reader(archive.by_name(name).unwrap()).unwrap()
}

async fn stored_export(site: &Rehearsal) -> String {
    let answer = site.post_as("administrator", PATH, &[("location", ""), ("f", "json")]).await;
    assert_eq!(answer["status"], "success");
    let location = answer["location"].as_str().unwrap();
    location.strip_prefix(&site.address("")).unwrap().to_owned()
}

#[tokio::test]
async fn an_export_to_a_folder_holds_services_webhooks_data_items_and_settings() {
    let site = rehearsal().await;
    let folder = site.exports();
    let answer = site.post_as("administrator", PATH, &[("location", folder.to_str().unwrap())]).await;
    assert_eq!(answer["status"], "success");
    assert!(answer["location"].as_str().unwrap().ends_with(".agssite"));
    let mut archive = ZipArchive::new(File::open(answer["location"].as_str().unwrap()).unwrap()).unwrap();
    let hydrants = entry(&mut archive, "services/Hosted/Hydrants.FeatureServer.json");
    assert_eq!(hydrants["webhooks"].as_array().unwrap().len(), 3);
    assert!(hydrants["configuration"]["capabilities"].is_string());
    assert!(!entry(&mut archive, "datastore/items.json").as_array().unwrap().is_empty());
    for setting in [
        "machines",
        "directories",
        "logSettings",
        "roles",
        "users",
        "extensions",
        "relationalStoreTypes",
        "statisticsReports",
        "sceneCaches",
    ] {
        entry(&mut archive, &format!("settings/{setting}.json"));
    }
    assert_eq!(entry(&mut archive, "manifest.json")["counts"]["services"], 16);
}

/// Every file below a folder, as text.
fn files_below(folder: &Path, texts: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, texts);
        } else {
            texts.push(String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned());
        }
    }
}

#[tokio::test]
async fn what_the_specification_leaves_out_is_on_the_site_and_in_no_export() {
    let site = rehearsal().await;
    let (name, hash): (String, String) = site
        .server_db()
        .query_row("SELECT username, password_hash FROM primary_administrator", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    let data = "SELECT data_path FROM services WHERE name = 'Buffer'";
    let data: String = site.server_db().query_row(data, [], |row| row.get(0)).unwrap();
    std::fs::write(Path::new(&data).join("parcels.gdb"), "service data").unwrap();
    let sign_ins = std::fs::read_to_string(site.data().join("users.json")).unwrap();
    let sign_ins: Value = serde_json::from_str(&sign_ins).unwrap();
    let password = sign_ins["primary_administrator"]["password"].as_str().unwrap();
    let left_out = [
        "cache tile",
        "tiling scheme",
        "service data",
        "log message",
        "statistics data",
        "adaptor.example.org",
        &name,
        &hash,
        password,
    ];
    let mut on_the_site = Vec::new();
    files_below(&site.data(), &mut on_the_site);
    for text in left_out {
        assert!(on_the_site.iter().any(|file| file.contains(text)), "the site has no {text}");
    }

    let folder = site.exports();
    let answer = site.post_as("administrator", PATH, &[("location", folder.to_str().unwrap())]).await;
    let mut archive = ZipArchive::new(File::open(answer["location"].as_str().unwrap()).unwrap()).unwrap();
    for index in 0..archive.len() {
        let mut text = String::new();
        let mut entry = archive.by_index(index).unwrap();
        entry.read_to_string(&mut text).unwrap();
        for left_out in left_out {
            assert!(!text.contains(left_out), "{left_out} is in {:?}", entry.name());
        }
    }
}

#[tokio::test]
async fn an_import_leaves_caches_logs_and_statistics_and_wants_adaptors_configured_again() {
    let site = rehearsal().await;
    let system = "/server/admin/system/webadaptors";
    let before = site.get_as("administrator", system).await;
    assert_eq!(before["webAdaptors"].as_array().unwrap().len(), 1);
    let file = crate::import_server::exported(&site).await;
    let report = crate::import_server::import(&site, file.to_str().unwrap()).await;
    assert!(report["result"].to_string().contains("configure them again"));
    assert_eq!(site.get_as("administrator", system).await["webAdaptors"], Value::Array(Vec::new()));
    for kept in ["directories/cache/Basemap/Layers/conf.xml", "logs/services.log", "statistics/usage.json"] {
        assert!(site.data().join("server").join(kept).is_file(), "{kept}");
    }
}

#[tokio::test]
async fn an_export_without_a_location_is_stored_and_can_be_downloaded_with_a_token() {
    let site = rehearsal().await;
    let upload = stored_export(&site).await;
    assert!(upload.starts_with("/server/admin/uploads/i"));

    let refused = site.get(&format!("{upload}/download"), &[]).await;
    assert_eq!(refused["code"], 499);

    let token = site.token("administrator").await;
    let address = site.address(&format!("{upload}/download?token={token}"));
    let response = site.http.get(address).send().await.unwrap();
    let length: usize = response.headers()["content-length"].to_str().unwrap().parse().unwrap();
    assert!(response.headers().contains_key("etag"));
    let bytes = response.bytes().await.unwrap();
    assert_eq!(bytes.len(), length);
    assert!(entry(&mut ZipArchive::new(Cursor::new(bytes)).unwrap(), "manifest.json").is_object());

    let listed = site.get_as("administrator", "/server/admin/uploads").await;
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_get_exports_too() {
    let site = rehearsal().await;
    let answer = site.get_as("administrator", PATH).await;
    assert_eq!(answer["status"], "success");
}

#[tokio::test]
async fn a_deleted_upload_is_gone_from_the_list_and_from_the_disk() {
    let site = rehearsal().await;
    let upload = stored_export(&site).await;
    let answer = site.post_as("administrator", &format!("{upload}/delete"), &[]).await;
    assert_eq!(answer["status"], "success");
    let answer = site.get_as("administrator", &upload).await;
    assert_eq!((answer["status"].as_str(), answer["code"].as_i64()), (Some("error"), Some(404)));
    assert_eq!(std::fs::read_dir(site.data().join("server/uploads")).unwrap().count(), 0);
}

#[tokio::test]
async fn an_unwritable_folder_is_refused_in_both_error_shapes() {
    let site = rehearsal().await;
    let missing = site.exports().join("missing");
    let answer = site.post_as("administrator", PATH, &[("location", missing.to_str().unwrap())]).await;
    assert_eq!(server_error_code(&answer), 500);
    assert!(!missing.exists());
}
