//! Archives that nobody should import.

use crate::archives::{Entries, packed, unpacked, with_true_manifest};
use crate::import_server::{count, exported, import};
use crate::support::{Rehearsal, rehearsal, server_error_code};
use serde_json::{Value, json};

const BUFFER: &str = "services/Buffer.GPServer.json";

/// Imports these bytes, which must be refused and change nothing.
async fn refused(site: &Rehearsal, archive: &[u8]) -> String {
    let before = (count(site, "services"), count(site, "webhooks"), count(site, "data_items"));
    site.server_db().execute("UPDATE services SET description = 'mine' WHERE name = 'Buffer'", []).unwrap();
    let file = site.exports().join("hostile.agssite");
    std::fs::write(&file, archive).unwrap();

    let answer = import(site, file.to_str().unwrap()).await;

    assert_eq!(server_error_code(&answer), 500);
    let message = answer["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("Nothing was changed"), "{message}");
    assert_eq!((count(site, "services"), count(site, "webhooks"), count(site, "data_items")), before);
    let mine: String = site
        .server_db()
        .query_row("SELECT description FROM services WHERE name = 'Buffer'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(mine, "mine");
    message
}

/// The export of a new site, changed and with a manifest that agrees, must be refused.
async fn refused_with(change: impl FnOnce(&mut Entries)) -> String {
    let site = rehearsal().await;
    let mut entries = unpacked(&exported(&site).await);
    change(&mut entries);
    refused(&site, &packed(&with_true_manifest(entries))).await
}

#[tokio::test]
async fn a_file_that_is_no_archive_or_only_half_of_one_is_refused() {
    let site = rehearsal().await;
    let whole = std::fs::read(exported(&site).await).unwrap();
    refused(&site, b"hello").await;
    refused(&site, &whole[..whole.len() / 2]).await;
}

#[tokio::test]
async fn a_changed_entry_is_refused() {
    let site = rehearsal().await;
    let mut entries = unpacked(&exported(&site).await);
    // Of the same size, so that only the hash can tell.
    *entries.get_mut(BUFFER).unwrap().last_mut().unwrap() = b' ';
    let why = refused(&site, &packed(&entries)).await;
    assert!(why.contains("not what the manifest says"), "{why}");
}

#[tokio::test]
async fn entries_more_or_fewer_than_the_manifest_lists_are_refused() {
    let site = rehearsal().await;
    let original = unpacked(&exported(&site).await);
    let mut fewer = original.clone();
    fewer.remove(BUFFER);
    let mut more = original;
    more.insert("settings/extra.json".into(), b"{}".to_vec());
    for entries in [fewer, more] {
        let why = refused(&site, &packed(&entries)).await;
        assert!(why.contains("lists other entries"), "{why}");
    }
}

#[tokio::test]
async fn names_that_lead_elsewhere_are_refused() {
    for name in [
        "services/../x.json",
        "/services/x.json",
        "services//x.json",
        "services/a:x.json",
        "services/..\\x.json",
        "program.exe",
        "services/a/b/c.json",
    ] {
        let why = refused_with(|entries| drop(entries.insert(name.into(), b"{}".to_vec()))).await;
        assert!(why.contains("does not belong there"), "{name}: {why}");
    }
}

#[tokio::test]
async fn the_same_name_twice_is_refused() {
    let site = rehearsal().await;
    let mut entries = unpacked(&exported(&site).await);
    let twin = "services/Cuffer.GPServer.json";
    entries.insert(twin.into(), entries[BUFFER].clone());
    let mut bytes = packed(&with_true_manifest(entries));
    // The library does not write twins, so one entry is renamed in the bytes.
    let places: Vec<usize> =
        (0..bytes.len() - twin.len()).filter(|at| bytes[*at..].starts_with(twin.as_bytes())).collect();
    for at in places {
        bytes[at..at + twin.len()].copy_from_slice(BUFFER.as_bytes());
    }
    let why = refused(&site, &bytes).await;
    assert!(why.contains("share a name"), "{why}");
}

#[tokio::test]
async fn a_document_that_is_broken_or_about_something_else_is_refused() {
    let why = refused_with(|entries| drop(entries.insert(BUFFER.into(), b"{".to_vec()))).await;
    assert!(why.contains("cannot be read"), "{why}");
    let why = refused_with(|entries| {
        let content = entries[BUFFER].clone();
        entries.insert("services/Other.GPServer.json".into(), content);
    })
    .await;
    assert!(why.contains("another service"), "{why}");
    let why = refused_with(|entries| drop(entries.remove("datastore/items.json"))).await;
    assert!(why.contains("datastore/items.json"), "{why}");
    let why = refused_with(|entries| {
        let items: Vec<Value> = serde_json::from_slice(&entries["datastore/items.json"]).unwrap();
        let twice = json!([items[0], items[0]]).to_string();
        entries.insert("datastore/items.json".into(), twice.into_bytes());
    })
    .await;
    assert!(why.contains("twice"), "{why}");
}

#[tokio::test]
async fn a_bomb_is_refused() {
    let why =
        refused_with(|entries| drop(entries.insert("settings/x.json".into(), vec![b' '; 17 << 20]))).await;
    assert!(why.contains("too large"), "{why}");
    // Each of them would do; together they take more memory than a program has.
    let why = refused_with(|entries| {
        for name in ["settings/x.json", "settings/y.json", "settings/z.json"] {
            entries.insert(name.into(), vec![b' '; 15 << 20]);
        }
    })
    .await;
    assert!(why.contains("too large"), "{why}");
}

#[tokio::test]
async fn an_archive_of_another_kind_or_version_is_refused() {
    let site = rehearsal().await;
    for (field, value) in [("format", json!("something else")), ("version", json!(99))] {
        let mut entries = unpacked(&exported(&site).await);
        let mut manifest: Value = serde_json::from_slice(&entries["manifest.json"]).unwrap();
        manifest[field] = value;
        entries.insert("manifest.json".into(), manifest.to_string().into_bytes());
        refused(&site, &packed(&entries)).await;
    }
}
