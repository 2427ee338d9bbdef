//! Operation 1.

use crate::support::{Rehearsal, error_code, rehearsal};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use zip::ZipArchive;

const PATH: &str = "/portal/portaladmin/exportSite";

async fn export(site: &Rehearsal, location: &Path, more: &[(&str, &str)]) -> Value {
    let location = location.to_str().unwrap();
    site.post_as("administrator", PATH, &[&[("location", location)], more].concat()).await
}

#[tokio::test]
async fn an_export_is_one_file_named_by_the_time_in_the_folder_that_was_named() {
    let site = rehearsal().await;
    let answer = export(&site, &site.exports(), &[]).await;
    assert_eq!(answer["status"], "success");
    assert!(answer.get("messages").is_none());
    let files = site.exported_files();
    assert_eq!(files.len(), 1, "{files:?}");
    assert_eq!(answer["location"], site.exports().join(&files[0]).to_str().unwrap());
    let stem = files[0].strip_suffix(".portalsite").unwrap();
    jiff::civil::DateTime::strptime("%b-%d-%Y_%H-%M-%S", stem).unwrap();
}

#[tokio::test]
async fn an_export_holds_the_data_of_every_item_and_a_database_that_opens() {
    let site = rehearsal().await;
    let answer = export(&site, &site.exports(), &[]).await;
    let file = File::open(answer["location"].as_str().unwrap()).unwrap();
    let mut archive = ZipArchive::new(file).unwrap();

    let manifest: Value = serde_json::from_reader(archive.by_name("manifest.json").unwrap()).unwrap();
    let entries = manifest["entries"].as_array().unwrap();
    assert_eq!(entries.len() + 1, archive.len());
    for entry in entries {
        let mut content = Vec::new();
        archive.by_name(entry["name"].as_str().unwrap()).unwrap().read_to_end(&mut content).unwrap();
        let hash: String = Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(entry["sha256"], hash);
        assert_eq!(entry["size"], content.len());
    }

    let database = site.exports().join("copy.db");
    std::io::copy(&mut archive.by_name("portal.db").unwrap(), &mut File::create(&database).unwrap()).unwrap();
    let database = rusqlite::Connection::open(database).unwrap();
    let count = |sql| database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM items"), 313);
    assert_eq!(manifest["counts"]["items"], 313);
    assert!(count("SELECT count(*) FROM users") >= 25);
    assert!(count("SELECT count(*) FROM groups") > 0);
    let mut items = database.prepare("SELECT id, file FROM items").unwrap();
    let items = items.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    for item in items {
        let (id, file): (String, String) = item.unwrap();
        let mut exported = Vec::new();
        let name = format!("content/{id}/{file}");
        archive.by_name(&name).unwrap().read_to_end(&mut exported).unwrap();
        assert_eq!(exported, std::fs::read(site.data().join("portal").join(name)).unwrap());
    }
}

#[tokio::test]
async fn no_token_is_in_an_export() {
    let site = rehearsal().await;
    let token = site.token("publisher").await;
    let answer = export(&site, &site.exports(), &[]).await;
    let mut archive = ZipArchive::new(File::open(answer["location"].as_str().unwrap()).unwrap()).unwrap();
    let hash: String = Sha256::digest(&token).iter().map(|byte| format!("{byte:02x}")).collect();
    for index in 0..archive.len() {
        let mut content = Vec::new();
        archive.by_index(index).unwrap().read_to_end(&mut content).unwrap();
        for secret in [&token, &hash] {
            assert!(!content.windows(secret.len()).any(|window| window == secret.as_bytes()));
        }
    }
}

#[tokio::test]
async fn items_without_content_are_a_warning_that_names_them() {
    let site = rehearsal().await;
    let database = site.portal_db();
    let (id, title): (String, String) = database
        .query_row("SELECT id, title FROM items LIMIT 1 OFFSET 7", [], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap();
    std::fs::remove_dir_all(site.data().join("portal/content").join(&id)).unwrap();

    let answer = export(&site, &site.exports(), &[]).await;

    assert_eq!(answer["status"], "success with warning");
    assert!(Path::new(answer["location"].as_str().unwrap()).is_file());
    let messages = answer["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[1].as_str().unwrap().contains(&title) && messages[1].as_str().unwrap().contains(&id));
}

#[tokio::test]
async fn a_check_answers_success_only_and_writes_nothing() {
    let site = rehearsal().await;
    for spelling in ["true", "True", "TRUE"] {
        let answer = export(&site, &site.exports(), &[("validate", spelling)]).await;
        assert_eq!(answer, serde_json::json!({ "status": "success" }));
    }
    assert_eq!(site.exported_files(), [""; 0]);
}

#[tokio::test]
async fn an_unwritable_folder_is_refused_and_nothing_is_left() {
    let site = rehearsal().await;
    let file = site.exports().join("a-file");
    std::fs::write(&file, "not a folder").unwrap();
    let places = [
        site.exports().join("missing"),
        file.clone(),
        file.join("below"),
        // A folder, but of whoever started the site.
        ".".into(),
    ];
    for place in &places {
        for validate in ["true", "false"] {
            let answer = export(&site, place, &[("validate", validate)]).await;
            assert_eq!(error_code(&answer), 500);
            assert_eq!(answer["error"]["details"], Value::Null);
            let message = answer["error"]["message"].as_str().unwrap().to_lowercase();
            assert!(
                message
                    .contains(&format!("unable to write to the location {}", place.display()).to_lowercase())
            );
            assert!(message.contains("must be accessible and writable"));
        }
    }
    assert_eq!(site.exported_files(), ["a-file"]);
}

#[tokio::test]
async fn a_missing_location_and_a_strange_validate_are_refused() {
    let site = rehearsal().await;
    let answer = site.post_as("administrator", PATH, &[("location", "")]).await;
    assert_eq!(error_code(&answer), 400);
    let answer = export(&site, &site.exports(), &[("validate", "yes, please")]).await;
    assert_eq!(error_code(&answer), 400);
    assert_eq!(site.exported_files(), [""; 0]);
}

#[tokio::test]
async fn parameters_of_a_store_that_make_no_sense_are_refused() {
    let site = rehearsal().await;
    let store = ("backupObjectStore", "exports");
    let region = ("backupObjectStoreRegion", "eu-central-1");
    let connection = ("backupObjectStoreConnectionStr", "{accountName: 'a', accountKey: 'a2V5'}");
    let senseless = [
        vec![region],
        vec![store, region, connection],
        vec![connection],
        vec![store, ("backupObjectStoreConnectionStr", "no object")],
        vec![store, ("backupObjectStoreConnectionStr", "{accountName: 'a'}")],
    ];
    for more in senseless {
        let answer = export(&site, &site.exports(), &more).await;
        assert_eq!(error_code(&answer), 400, "{more:?}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("backupObjectStore"));
    }
    assert_eq!(site.exported_files(), [""; 0]);
}

#[tokio::test]
async fn an_account_endpoint_that_is_not_the_one_of_the_container_is_rejected() {
    let site = rehearsal().await;
    for (container, connection) in [
        (
            "http://127.0.0.1:9/siteacct/exports",
            "{accountName: 'siteacct', accountKey: 'a2V5', accountEndpoint: '127.0.0.2:9'}",
        ),
        (
            "http://127.0.0.1:9/siteacct/exports",
            "{accountName: 'siteacct', accountKey: 'a2V5', accountEndpoint: 'http://127.0.0.1:8'}",
        ),
        ("http://127.0.0.1:9/siteacct/exports", "{accountName: 'another', accountKey: 'a2V5'}"),
    ] {
        for validate in ["true", "false"] {
            let store = [
                ("backupObjectStore", container),
                ("backupObjectStoreConnectionStr", connection),
                ("validate", validate),
            ];
            let answer = export(&site, &site.exports(), &store).await;
            assert_eq!(error_code(&answer), 400, "{answer}");
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.contains("accountEndpoint") && !message.contains("a2V5"), "{message}");
        }
    }
    assert_eq!(site.exported_files(), [""; 0]);
}

#[tokio::test]
async fn a_bucket_without_credentials_is_refused_and_says_where_they_belong() {
    let site = rehearsal().await;
    let bucket = [("backupObjectStore", "exports"), ("backupObjectStoreRegion", "eu-central-1")];
    let answer = export(&site, &site.exports(), &bucket).await;
    assert_eq!(error_code(&answer), 500);
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("exports") && message.contains("AWS_SECRET_ACCESS_KEY"), "{message}");
    assert_eq!(site.exported_files(), [""; 0]);
}

#[tokio::test]
async fn a_second_export_does_not_replace_the_first() {
    let site = rehearsal().await;
    let first = export(&site, &site.exports(), &[]).await;
    let second = export(&site, &site.exports(), &[]).await;
    assert_ne!(first["location"], second["location"]);
    assert_eq!(site.exported_files().len(), 2);
}

#[tokio::test]
async fn a_get_exports_nothing() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    let location = site.exports().to_str().unwrap().to_owned();
    let answer = site.get(PATH, &[("token", &token), ("location", &location)]).await;
    assert_eq!(error_code(&answer), 405);
    // A client asks below the operation for the site's information; that is not the operation.
    let answer =
        site.post_as("administrator", &format!("{PATH}/rest/info"), &[("location", &location)]).await;
    assert_eq!(error_code(&answer), 404);
    assert_eq!(site.exported_files(), [""; 0]);
}
