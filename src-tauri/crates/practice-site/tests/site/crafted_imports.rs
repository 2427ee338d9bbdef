//! Archives that are whole and hold values that no site would write.

use crate::archives::{Entries, packed, unpacked, with_true_manifest};
use crate::import_portal;
use crate::import_server::{exported, import};
use crate::support::{Rehearsal, error_code, rehearsal, server_error_code};
use serde_json::{Value, json};
use std::path::Path;

const BUFFER: &str = "services/Buffer.GPServer.json";
const ITEMS: &str = "datastore/items.json";

fn nested(levels: usize) -> Value {
    (0..levels).fold(json!({}), |inner, _| json!({ "a": inner }))
}

/// Every row of the server's configuration.
fn configuration(site: &Rehearsal) -> Vec<String> {
    let database = site.server_db();
    let mut rows = Vec::new();
    for table in ["services", "webhooks", "data_items", "settings", "web_adaptors"] {
        let mut all = database.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = all.column_count();
        let mut found = all.query([]).unwrap();
        while let Some(row) = found.next().unwrap() {
            let row: Vec<_> =
                (0..columns).map(|column| row.get::<_, rusqlite::types::Value>(column).unwrap()).collect();
            rows.push(format!("{table} {row:?}"));
        }
    }
    rows
}

#[tokio::test]
async fn a_server_archive_with_a_value_that_the_site_relies_on_is_rejected_whole() {
    let site = rehearsal().await;
    let original = unpacked(&exported(&site).await);
    let before = configuration(&site);
    let document = |name: &str| -> Value { serde_json::from_slice(&original[name]).unwrap() };
    let changed = |name: &str, path: &str, value: Value| {
        let mut document = document(name);
        let place = document.pointer_mut(path).unwrap_or_else(|| panic!("{name} has no {path}"));
        *place = value;
        (name.to_owned(), document)
    };
    let mut twins = document(BUFFER);
    twins["webhooks"][1]["name"] = twins["webhooks"][0]["name"].clone();
    let mut slash = document(BUFFER);
    slash["folder"] = json!("");
    slash["serviceName"] = json!("a/b");
    slash["webhooks"] = json!([]);
    let mut twice = document(ITEMS);
    twice[0]["id"] = twice[1]["id"].clone();
    let cases: Vec<((String, Value), &str)> = vec![
        (changed(BUFFER, "/webhooks/0/settings", json!([])), "not an object"),
        (changed(BUFFER, "/webhooks/0/settings", json!("text")), "not an object"),
        (changed(BUFFER, "/webhooks/0/settings", nested(60)), "not an object"),
        (changed(BUFFER, "/webhooks/0/id", json!("../all")), "address"),
        (changed(BUFFER, "/configuration", json!([])), "configuration"),
        (changed(BUFFER, "/configuration/properties", json!([])), "properties"),
        (changed(BUFFER, "/configuration/properties", json!("text")), "properties"),
        (changed(BUFFER, "/configuration", nested(60)), "configuration"),
        (changed(BUFFER, "/configuredState", json!("RUNS")), "configuredState"),
        ((BUFFER.to_owned(), twins), "two webhooks"),
        (("services/a/b.GPServer.json".to_owned(), slash), "name of a service"),
        (changed(ITEMS, "/0", json!("text")), "not an object"),
        (changed(ITEMS, "/0", nested(60)), "not an object"),
        (changed(ITEMS, "/0/id", Value::Null), "'id'"),
        (changed(ITEMS, "/0/id", json!(7)), "'id'"),
        (changed(ITEMS, "/0/type", json!([])), "'type'"),
        (changed(ITEMS, "/0/path", json!("fileShares/x")), "'path'"),
        (changed(ITEMS, "/0/path", json!("/")), "'path'"),
        (changed(ITEMS, "/0/path", json!("/a/b\u{1}")), "control"),
        (changed(ITEMS, "/0/info", json!([])), "'info'"),
        (changed(ITEMS, "/0/encryptAttributes", json!(["path"])), "encryptAttributes"),
        (changed(ITEMS, "/0/encryptAttributes", json!({})), "encryptAttributes"),
        ((ITEMS.to_owned(), twice), "twice"),
        (("settings/machines.json".to_owned(), json!({})), "machineName"),
        (("settings/machines.json".to_owned(), json!([{ "machineName": 7 }])), "machineName"),
        (("settings/directories.json".to_owned(), json!([{}])), "physicalPath"),
        (("settings/properties.json".to_owned(), json!([])), "an object"),
        (("settings/properties.json".to_owned(), nested(60)), "too deeply"),
        (("settings/logSettings.json".to_owned(), json!(null)), "an object"),
        (("settings/webhookSettings.json".to_owned(), json!([])), "webhookSettings"),
        (("settings/webhookSettings.json".to_owned(), json!({ "attempts": "3" })), "webhookSettings"),
        (("settings/webhookSettings.json".to_owned(), json!({ "attempts": 1_000_000 })), "webhookSettings"),
        (("settings/webhookSettings.json".to_owned(), json!({ "days": i64::MIN })), "webhookSettings"),
        (("settings/unheard.json".to_owned(), json!({})), "unheard"),
    ];
    for ((name, document), expected) in cases {
        let mut entries = original.clone();
        entries.insert(name.clone(), document.to_string().into_bytes());
        let file = site.exports().join("crafted.agssite");
        std::fs::write(&file, packed(&with_true_manifest(entries))).unwrap();
        let answer = import(&site, file.to_str().unwrap()).await;
        let text = document.to_string();
        let text = text.get(..text.len().min(60)).unwrap_or_default();
        assert_eq!(answer["status"], "error", "{name} {text}: {answer}");
        assert_eq!(server_error_code(&answer), 500);
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(expected) && message.contains("Nothing was changed"), "{name}: {message}");
        assert!(configuration(&site) == before, "{name}: something was replaced");
    }
    let webhooks = site.get_as("administrator", "/server/admin/services/webhooks").await;
    assert!(webhooks["webhooks"].is_array());
    assert!(site.get_as("administrator", "/server/admin/services/Buffer.GPServer").await["type"].is_string());
}

#[tokio::test]
async fn secrets_in_an_imported_data_item_are_neither_stored_nor_told() {
    let site = rehearsal().await;
    let mut entries = unpacked(&exported(&site).await);
    let mut items: Vec<Value> = serde_json::from_slice(&entries[ITEMS]).unwrap();
    let typed = [
        json!({
            "path": "/enterpriseDatabases/typed",
            "encryptAttributes": ["info.connectionString", "info.apiToken"],
            "info": {
                "apiToken": "canary-1",
                "connectionString": "SERVER=db1;DATABASE=canary;USER=gis;PASSWORD=canary-2",
                "connectionStringHA": "SERVER=db2;PWD=canary-3;pass=canary-4;USER=gis",
                "JDBCConnection": { "username": "gis", "password": "canary-5" },
            },
        }),
        json!({
            "path": "/cloudStores/typed",
            "encryptAttributes": [],
            "info": { "connectionString": r#"{"accessKeyId":"A","secretAccessKey":"canary-6"}"# },
        }),
        json!({
            "path": "/cloudStores/odd",
            "encryptAttributes": [],
            "info": { "password": "canary-7", "connectionString": { "password": "canary-8" } },
        }),
    ];
    for typed in typed {
        let mut item = items[0].clone();
        item.as_object_mut().unwrap().extend(typed.as_object().unwrap().clone());
        item["id"] = json!(format!("id of {}", typed["path"]));
        items.push(item);
    }
    entries.insert(ITEMS.to_owned(), json!(items).to_string().into_bytes());
    let file = site.exports().join("typed.agssite");
    std::fs::write(&file, packed(&with_true_manifest(entries))).unwrap();
    let answer = import(&site, file.to_str().unwrap()).await;
    assert_eq!(answer["status"], "success", "{answer}");
    std::fs::remove_file(file).unwrap();

    let found = "/server/admin/data/findItems";
    let found = site.post_as("publisher", found, &[("ancestorPath", "/")]).await;
    assert!(!found.to_string().contains("canary-"), "{found}");
    let items = found["items"].as_array().unwrap();
    let database = items.iter().find(|item| item["path"] == "/enterpriseDatabases/typed").unwrap();
    let connection = database["info"]["connectionString"].as_str().unwrap();
    let start = "SERVER=db1;DATABASE=canary;USER=gis;ENCRYPTED_PASSWORD=";
    assert!(connection.starts_with(start), "{connection}");
    assert!(database["info"]["JDBCConnection"]["password"].as_str().unwrap().starts_with("{crypt}"));
    exported(&site).await;
    assert_eq!(holders(&site.data(), "canary-"), [""; 0]);
    assert_eq!(holders(&site.exports(), "canary-"), [""; 0]);
}

/// The files below a folder that hold a secret.
fn holders(folder: &Path, secret: &str) -> Vec<String> {
    let mut holders = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            holders.extend(self::holders(&path, secret));
        } else if String::from_utf8_lossy(&std::fs::read(&path).unwrap()).contains(secret) {
            holders.push(path.display().to_string());
        }
    }
    holders
}

/// The exported portal with other values in its database.
pub(crate) fn forged(site: &Rehearsal, entries: &Entries, sql: &str) -> Vec<u8> {
    let file = site.exports().join("forged.db");
    std::fs::write(&file, &entries["portal.db"]).unwrap();
    let database = rusqlite::Connection::open(&file).unwrap();
    database
        .execute_batch(&format!("PRAGMA foreign_keys = OFF; PRAGMA journal_mode = DELETE; {sql}"))
        .unwrap();
    drop(database);
    let mut entries = entries.clone();
    entries.insert("portal.db".into(), std::fs::read(&file).unwrap());
    packed(&with_true_manifest(entries))
}

#[tokio::test]
async fn a_portal_archive_with_a_value_that_the_site_relies_on_is_rejected_whole() {
    let site = rehearsal().await;
    let mut entries = unpacked(&import_portal::exported(&site).await);
    // Items may be without content, and there are many.
    entries.retain(|name, _| !name.starts_with("content/"));
    let before = import_portal::everything(&site.data());
    let first = "(SELECT id FROM items ORDER BY id LIMIT 1)";
    let id = |text: &str| {
        format!(
            "UPDATE group_items SET item_id = '{text}' WHERE item_id = {first};
             UPDATE items SET id = '{text}' WHERE id = {first}"
        )
    };
    let file = |text: &str| format!("UPDATE items SET file = '{text}' WHERE id = {first}");
    let hash = |text: &str| format!("UPDATE users SET password_hash = '{text}' WHERE role = 'viewer'");
    let request = |text: &str| format!("UPDATE invitations SET request = '{text}'");
    let phc = "$c29tZXNhbHRzb21l$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let deep = format!("{}{}", r#"{"a":"#.repeat(60), "}".repeat(60)).replace("\"a\":}", "\"a\":{}}");
    let mut cases: Vec<(String, &str)> = ["..", "../../..", "/etc", "a/b", "a\\b", "C:", "nul", ""]
        .iter()
        .map(|text| (id(text), "the id"))
        .collect();
    for text in ["../../users.json", "/etc/passwd", "a/b", "..\\x", ".", "con"] {
        cases.push((file(text), "the file"));
    }
    for costly in [
        format!("$argon2id$v=19$m=4194304,t=2,p=1{phc}"),
        format!("$argon2id$v=19$m=19456,t=4000000,p=1{phc}"),
        format!("$argon2id$v=19$m=19456,t=2,p=255{phc}"),
        format!("$argon2d$v=19$m=19456,t=2,p=1{phc}"),
        "secret".to_owned(),
    ] {
        cases.push((hash(&costly), "password hash"));
    }
    for text in ["[]", "null", "7", "no json", r#""text""#, &deep] {
        cases.push((request(text), "invitation"));
    }
    cases.push(("UPDATE users SET role = 'root'".to_owned(), "role"));
    cases.push(("UPDATE users SET full_name = CAST(x'ff' AS TEXT)".to_owned(), "UTF-8"));
    cases.push(("UPDATE collaborations SET name = CAST(x'c328' AS TEXT)".to_owned(), "UTF-8"));
    for (sql, expected) in cases {
        let file = site.exports().join("crafted.portalsite");
        std::fs::write(&file, forged(&site, &entries, &sql)).unwrap();
        let answer = import_portal::import(&site, &file).await;
        assert!(answer.get("error").is_some(), "{sql}: {answer}");
        assert_eq!(error_code(&answer), 500);
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(expected) && message.contains("Nothing was changed"), "{sql}: {message}");
        assert!(import_portal::everything(&site.data()) == before, "{sql}: something was replaced");
    }
}

#[tokio::test]
async fn an_item_whose_name_leads_out_of_the_content_directory_is_not_packed() {
    let site = rehearsal().await;
    // No import accepts such a name.
    let outside = site.exports().join("private");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("diary.txt"), "private").unwrap();
    site.portal_db()
        .execute_batch(&format!(
            "PRAGMA foreign_keys = OFF;
             UPDATE items SET id = '../../../exports/private', file = 'diary.txt', title = 'Leads out'
             WHERE id = (SELECT id FROM items LIMIT 1);
             UPDATE items SET id = '{}', file = 'diary.txt', title = 'Leads elsewhere'
             WHERE id = (SELECT id FROM items ORDER BY id DESC LIMIT 1);",
            outside.to_str().unwrap()
        ))
        .unwrap();
    let form = [("location", site.exports().to_str().unwrap().to_owned())];
    let form = form.each_ref().map(|(name, value)| (*name, value.as_str()));
    let answer = site.post_as("administrator", "/portal/portaladmin/exportSite", &form).await;
    assert_eq!(answer["status"], "success with warning", "{answer}");
    let messages = answer["messages"].to_string();
    assert!(messages.contains("Leads out") && messages.contains("Leads elsewhere"), "{messages}");
    let names: Vec<String> = unpacked(answer["location"].as_str().unwrap().as_ref()).into_keys().collect();
    assert!(!names.iter().any(|name| name.contains("diary")), "the diary is in the export");
}
