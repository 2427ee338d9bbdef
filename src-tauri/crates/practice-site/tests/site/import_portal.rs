//! The way back from operation 1.

use crate::archives::{packed, unpacked, with_true_manifest};
use crate::support::{Rehearsal, error_code, rehearsal};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use steward_testkit::until;
use zip::ZipArchive;

const PATH: &str = "/portal/portaladmin/importSite";

pub(crate) async fn exported(site: &Rehearsal) -> PathBuf {
    let form = [("location", site.exports().to_str().unwrap().to_owned())];
    let form = form.each_ref().map(|(name, value)| (*name, value.as_str()));
    let answer = site.post_as("administrator", "/portal/portaladmin/exportSite", &form).await;
    answer["location"].as_str().unwrap().into()
}

/// Whoever imports is signed out afterwards, so each import signs in anew.
pub(crate) async fn import(site: &Rehearsal, location: &Path) -> Value {
    let (username, password) = site.sign_in("administrator");
    let form = [("username", username.as_str()), ("password", &password)];
    let token = site.post("/portal/sharing/rest/generateToken", &form).await;
    let form = [("token", token["token"].as_str().unwrap()), ("location", location.to_str().unwrap())];
    site.post(PATH, &form).await
}

/// Every row of the portal and every file of its content, without the content directory's name.
pub(crate) fn everything(data: &Path) -> (Vec<String>, BTreeMap<String, Vec<u8>>) {
    let database = rusqlite::Connection::open(data.join("portal/portal.db")).unwrap();
    let mut rows = Vec::new();
    let tables = [
        "users",
        "groups",
        "group_members",
        "items",
        "group_items",
        "collaborations",
        "participants",
        "invitations",
    ];
    for table in tables {
        let mut all = database.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = all.column_count();
        let mut found = all.query([]).unwrap();
        while let Some(row) = found.next().unwrap() {
            let row: Vec<_> =
                (0..columns).map(|column| row.get::<_, rusqlite::types::Value>(column).unwrap()).collect();
            rows.push(format!("{table} {row:?}"));
        }
    }
    rows.sort();
    let content: String = database.query_row("SELECT content FROM portal", [], |row| row.get(0)).unwrap();
    let mut files = BTreeMap::new();
    for item in std::fs::read_dir(data.join("portal").join(content)).unwrap() {
        for file in std::fs::read_dir(item.unwrap().path()).unwrap() {
            let file = file.unwrap().path();
            let name = format!(
                "{}/{}",
                file.parent().unwrap().file_name().unwrap().display(),
                file.file_name().unwrap().display()
            );
            files.insert(name, std::fs::read(file).unwrap());
        }
    }
    (rows, files)
}

/// It is removed behind the answer.
async fn former_content_is_gone(site: &Rehearsal) {
    until("the end of the former content", async || content_directories(site) == 1).await;
}

fn content_directories(site: &Rehearsal) -> usize {
    let entries = std::fs::read_dir(site.data().join("portal")).unwrap();
    entries
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("content"))
        .count()
}

#[tokio::test]
async fn an_import_brings_back_the_portal_that_was_exported_and_signs_everybody_out() {
    let site = rehearsal().await;
    // A large file, an empty one and one that does not shrink, beside the small ones that every site has.
    let item: String =
        site.portal_db().query_row("SELECT id FROM items LIMIT 1", [], |row| row.get(0)).unwrap();
    let folder = site.data().join("portal/content").join(&item);
    let random: Vec<u8> = (0..300_000u64).flat_map(|n| Sha256::digest(n.to_le_bytes())).collect();
    std::fs::write(folder.join("large.tif"), &random).unwrap();
    std::fs::write(folder.join("empty.txt"), "").unwrap();
    std::fs::write(folder.join("plain.csv"), "1,2,3\n".repeat(700_000)).unwrap();
    let before = everything(&site.data());
    let file = exported(&site).await;
    let token = site.token("administrator").await;

    site.portal_db()
        .execute_batch("DELETE FROM group_items; DELETE FROM items; UPDATE users SET email = 'changed';")
        .unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let answer = import(&site, &file).await;

    assert_eq!(answer, json!({ "status": "success" }));
    let after = everything(&site.data());
    assert_eq!(after.0, before.0);
    assert!(after.1 == before.1, "the content differs");
    former_content_is_gone(&site).await;
    assert_eq!(error_code(&site.get("/portal/portaladmin", &[("token", &token)]).await), 498);
    // And the imported portal can be exported again.
    let (username, password) = site.sign_in("administrator");
    let form = [("username", username.as_str()), ("password", &password)];
    let token = site.post("/portal/sharing/rest/generateToken", &form).await;
    let folder = site.data();
    let form = [
        ("token", token["token"].as_str().unwrap()),
        ("location", folder.parent().unwrap().to_str().unwrap()),
    ];
    assert_eq!(site.post("/portal/portaladmin/exportSite", &form).await["status"], "success");
}

#[tokio::test]
async fn the_sign_ins_of_the_site_outlive_the_import_of_another_sites_portal() {
    let other = rehearsal().await;
    let file = exported(&other).await;
    let site = rehearsal().await;
    assert_eq!(import(&site, &file).await, json!({ "status": "success" }));
    for role in ["administrator", "publisher", "viewer"] {
        let (username, password) = site.sign_in(role);
        let form = [("username", username.as_str()), ("password", &password)];
        let token = site.post("/portal/sharing/rest/generateToken", &form).await;
        assert!(token["token"].is_string(), "{role}: {token}");
    }
    let name = "SELECT uuid FROM portal";
    let uuid =
        |site: &Rehearsal| site.portal_db().query_row(name, [], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(uuid(&site), uuid(&other));
}

#[tokio::test]
async fn sub_folders_of_an_item_are_exported_and_come_back() {
    let site = rehearsal().await;
    let item: String =
        site.portal_db().query_row("SELECT id FROM items LIMIT 1", [], |row| row.get(0)).unwrap();
    let folder = site.data().join("portal/content").join(&item);
    std::fs::create_dir_all(folder.join("esriinfo/thumbnail")).unwrap();
    std::fs::write(folder.join("esriinfo/metadata.xml"), "<metadata/>").unwrap();
    std::fs::write(folder.join("esriinfo/thumbnail/small.png"), [7; 3000]).unwrap();
    let file = exported(&site).await;
    std::fs::remove_dir_all(&folder).unwrap();

    assert_eq!(import(&site, &file).await, json!({ "status": "success" }));

    let content: String =
        site.portal_db().query_row("SELECT content FROM portal", [], |row| row.get(0)).unwrap();
    let folder = site.data().join("portal").join(content).join(&item);
    assert_eq!(std::fs::read(folder.join("esriinfo/metadata.xml")).unwrap(), b"<metadata/>");
    assert_eq!(std::fs::read(folder.join("esriinfo/thumbnail/small.png")).unwrap(), [7; 3000]);
}

#[cfg(unix)]
#[tokio::test]
async fn what_no_archive_takes_is_left_out_with_a_warning_and_the_archive_can_be_imported() {
    let site = rehearsal().await;
    let item: String =
        site.portal_db().query_row("SELECT id FROM items LIMIT 1", [], |row| row.get(0)).unwrap();
    let folder = site.data().join("portal/content").join(&item);
    std::os::unix::fs::symlink("/etc", folder.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", folder.join("people.txt")).unwrap();
    std::fs::write(folder.join("a:b.txt"), "a name that Windows does not know").unwrap();
    std::fs::create_dir(folder.join("nul")).unwrap();
    std::fs::write(folder.join("nul/inside.txt"), "x").unwrap();
    let form = [("location", site.exports().to_str().unwrap().to_owned())];
    let form = form.each_ref().map(|(name, value)| (*name, value.as_str()));
    let answer = site.post_as("administrator", "/portal/portaladmin/exportSite", &form).await;
    assert_eq!(answer["status"], "success with warning", "{answer}");
    let messages = answer["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 5, "{messages:?}");
    assert!(messages[0].as_str().unwrap().contains("not in the export: 4"), "{messages:?}");
    for name in ["elsewhere", "people.txt", "a:b.txt", "nul"] {
        let named = |message: &Value| message.as_str().unwrap().contains(&format!("{item}/{name}"));
        assert!(messages.iter().any(named), "{name}: {messages:?}");
    }
    let file = PathBuf::from(answer["location"].as_str().unwrap());
    assert!(unpacked(&file).keys().all(|name| !name.contains("people") && !name.contains("elsewhere")));
    assert_eq!(import(&site, &file).await, json!({ "status": "success" }));
}

#[tokio::test]
async fn a_missing_file_is_refused_and_a_check_changes_nothing() {
    let site = rehearsal().await;
    let file = exported(&site).await;
    let before = everything(&site.data());
    assert_eq!(error_code(&site.post_as("administrator", PATH, &[]).await), 400);
    for wrong in [site.exports().join("missing.portalsite"), site.exports(), "relative.portalsite".into()] {
        let answer = import(&site, &wrong).await;
        assert_eq!(error_code(&answer), 500);
        assert!(answer["error"]["message"].as_str().unwrap().contains("no exported portal"));
    }
    let form = [("location", file.to_str().unwrap()), ("validate", "true")];
    assert_eq!(site.post_as("administrator", PATH, &form).await, json!({ "status": "success" }));
    assert!(everything(&site.data()) == before);
}

/// Imports these bytes, which must be refused and leave the portal as it is.
async fn refused(site: &Rehearsal, archive: &[u8]) -> String {
    let before = everything(&site.data());
    let file = site.exports().join("hostile.portalsite");
    std::fs::write(&file, archive).unwrap();
    let answer = import(site, &file).await;
    assert_eq!(error_code(&answer), 500, "{answer}");
    let message = answer["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("Nothing was changed"), "{message}");
    assert!(everything(&site.data()) == before, "something changed");
    assert_eq!(content_directories(site), 1, "half an import stays");
    message
}

#[tokio::test]
async fn hostile_archives_are_refused_and_leave_nothing() {
    let site = rehearsal().await;
    let original = std::fs::read(exported(&site).await).unwrap();
    std::fs::write(site.exports().join("original"), &original).unwrap();
    let entries = unpacked(&site.exports().join("original"));

    let why = refused(&site, &original[..original.len() / 2]).await;
    assert!(why.contains("not an archive"), "{why}");
    for name in [
        "content/../x/y",
        "/content/a/b",
        "content/a//b",
        "content/a/../b",
        "content/a/b/../c",
        "portal.db-wal",
        "content/a/nul",
        "content/a\\b/c",
    ] {
        let mut entries = entries.clone();
        entries.insert(name.into(), b"x".to_vec());
        let why = refused(&site, &packed(&with_true_manifest(entries))).await;
        assert!(why.contains("does not belong there"), "{name}: {why}");
    }
    let mut without = entries.clone();
    without.remove("portal.db");
    let why = refused(&site, &packed(&with_true_manifest(without))).await;
    assert!(why.contains("portal.db"), "{why}");
    let mut bomb = entries.clone();
    bomb.insert("content/a/zeros".into(), vec![0; 200 << 20]);
    let why = refused(&site, &packed(&with_true_manifest(bomb))).await;
    assert!(why.contains("too large"), "{why}");
    // One byte flipped in the middle of an entry.
    let mut archive = ZipArchive::new(std::io::Cursor::new(&original)).unwrap();
    let entry = archive.by_index(100).unwrap();
    let middle = entry.data_start().unwrap() + entry.compressed_size() / 2;
    drop(entry);
    let mut flipped = original.clone();
    flipped[usize::try_from(middle).unwrap()] ^= 1;
    refused(&site, &flipped).await;
}

#[tokio::test]
async fn a_forged_database_is_refused() {
    let site = rehearsal().await;
    let entries = unpacked(&exported(&site).await);
    let forged = |sql: &str| crate::crafted_imports::forged(&site, &entries, sql);
    let cases = [
        ("CREATE TRIGGER t AFTER INSERT ON items BEGIN DELETE FROM users; END", "other tables"),
        ("ALTER TABLE users ADD COLUMN more TEXT", "other tables"),
        ("DELETE FROM users", "contradicts itself"),
        ("DELETE FROM portal", "describes no portal"),
    ];
    for (sql, expected) in cases {
        let why = refused(&site, &forged(sql)).await;
        assert!(why.contains(expected), "{sql}: {why}");
    }
    let mut damaged = entries.clone();
    damaged.get_mut("portal.db").unwrap()[0..16].fill(b'x');
    let why = refused(&site, &packed(&with_true_manifest(damaged))).await;
    assert!(why.contains("database"), "{why}");
}
