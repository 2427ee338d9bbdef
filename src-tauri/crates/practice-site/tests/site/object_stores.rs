//! Operation 1 to buckets and blob containers: rclone and azurite, which check signatures, and garage, which also checks
//! the region.

use crate::import_portal::{everything, import};
use crate::odd_store::OddStore;
use crate::support::{Rehearsal, error_code, rehearsal};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use steward_testkit::storage::{Azurite, S3};
use steward_testkit::{Reply, TestServer};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const EXPORT: &str = "/portal/portaladmin/exportSite";
const BUCKET: &str = "exports";

async fn s3() -> (S3, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (S3::rclone(folder.path()).await.unwrap(), folder)
}

/// Tells the site how to reach the bucket. The secret may be another one than the store's.
fn settle(site: &Rehearsal, s3: &S3, endpoint: &str, secret: &str) {
    let settings = json!({
        "AWS_ACCESS_KEY_ID": s3.access_key(),
        "AWS_SECRET_ACCESS_KEY": secret,
        "AWS_ENDPOINT_URL": endpoint,
    });
    std::fs::write(site.data().join("object-store.json"), settings.to_string()).unwrap();
}

/// Content that takes several parts: random, so that it does not shrink.
fn content_of_several_parts(data: &Path) {
    let database = rusqlite::Connection::open(data.join("portal/portal.db")).unwrap();
    let item: String = database.query_row("SELECT id FROM items LIMIT 1", [], |row| row.get(0)).unwrap();
    let random: Vec<u8> = (0..800_000u64).flat_map(|n| Sha256::digest(n.to_le_bytes())).collect();
    std::fs::write(data.join("portal/content").join(item).join("survey.tif"), random).unwrap();
}

async fn export(site: &Rehearsal, more: &[(&str, &str)]) -> Value {
    let folder = site.exports();
    site.post_as("administrator", EXPORT, &[&[("location", folder.to_str().unwrap())], more].concat()).await
}

fn bucket<'a>(name: &'a str, region: &'a str) -> [(&'a str, &'a str); 2] {
    [("backupObjectStore", name), ("backupObjectStoreRegion", region)]
}

#[tokio::test]
async fn an_export_to_a_bucket_leaves_a_pointer_and_can_be_imported_through_it() {
    let (s3, _folder) = s3().await;
    let site = rehearsal().await;
    settle(&site, &s3, &s3.endpoint(), s3.secret());
    content_of_several_parts(&site.data());
    let before = everything(&site.data());

    let answer = export(&site, &bucket(BUCKET, s3.region())).await;

    assert_eq!(answer["status"], "success", "{answer}");
    let pointer = answer["location"].as_str().unwrap();
    assert!(pointer.ends_with(".portalsite"));
    let text = std::fs::read_to_string(pointer).unwrap();
    assert!(!text.contains(s3.secret()) && !text.contains(s3.access_key()), "a credential in the pointer");
    let text: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&text["bucket"], &text["region"]), (&json!(BUCKET), &json!(s3.region())));
    let names = s3.names().await.unwrap();
    assert_eq!(names, [text["object"].as_str().unwrap()]);
    let object = s3.read(&names[0]).await.unwrap();
    assert!(object.len() > 24 << 20, "it took only one part");
    let hash: String = Sha256::digest(&object).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!((&text["size"], &text["sha256"]), (&json!(object.len()), &json!(hash)));
    assert_eq!(s3.unfinished().await.unwrap(), [""; 0]);

    site.portal_db().execute_batch("DELETE FROM group_items; DELETE FROM items;").unwrap();
    assert_eq!(import(&site, Path::new(pointer)).await, json!({ "status": "success" }));
    assert!(everything(&site.data()) == before);

    // Somebody else's object under the same name is not imported.
    let store = s3.store().unwrap();
    let path = object_store::path::Path::from(names[0].as_str());
    object_store::ObjectStoreExt::put(&store, &path, object[..1000].to_vec().into()).await.unwrap();
    let answer = import(&site, Path::new(pointer)).await;
    assert_eq!(error_code(&answer), 500);
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("is not what the file at 'location' points to"), "{message}");
    assert!(message.contains("Nothing was changed"), "{message}");
    assert!(everything(&site.data()) == before);
}

#[tokio::test]
async fn a_check_of_a_bucket_writes_nothing_that_stays() {
    let (s3, _folder) = s3().await;
    let site = rehearsal().await;
    settle(&site, &s3, &s3.endpoint(), s3.secret());
    let answer = export(&site, &[&bucket(BUCKET, s3.region())[..], &[("validate", "true")]].concat()).await;
    assert_eq!(answer, json!({ "status": "success" }));
    assert_eq!(s3.names().await.unwrap(), [""; 0]);
    assert_eq!(s3.unfinished().await.unwrap(), [""; 0]);
    assert_eq!(site.exported_files(), [""; 0]);
}

fn settle_odd(site: &Rehearsal, store: &OddStore) {
    let settings = json!({
        "AWS_ACCESS_KEY_ID": "SITE",
        "AWS_SECRET_ACCESS_KEY": "own",
        "AWS_ENDPOINT_URL": store.endpoint,
    });
    std::fs::write(site.data().join("object-store.json"), settings.to_string()).unwrap();
}

#[tokio::test]
async fn a_check_makes_no_object_that_stays_as_a_version_or_because_nobody_may_delete_it() {
    let site = rehearsal().await;
    let store = OddStore::start().await;
    settle_odd(&site, &store);
    let check = [&bucket(BUCKET, "practice-1")[..], &[("validate", "true")]].concat();
    let answer = export(&site, &check).await;
    assert_eq!(answer["status"], "success with warning", "{answer}");
    let warning = answer["messages"][0].as_str().unwrap();
    assert!(warning.contains("unfinished upload") && warning.contains(BUCKET), "{warning}");
    let asked = store.asked();
    let whole = asked.iter().find(|one| !one.contains("uploads") && !one.contains("uploadId"));
    assert_eq!(whole, None, "{asked:?}");
    assert!(asked.iter().any(|one| one.starts_with("DELETE")), "{asked:?}");

    let blobs = OddStore::start().await;
    let container = format!("{}/siteacct/backups", blobs.endpoint);
    let connection = "{accountName: 'siteacct', accountKey: 'a2V5'}";
    let check = [
        ("backupObjectStore", &*container),
        ("backupObjectStoreConnectionStr", connection),
        ("validate", "true"),
    ];
    assert_eq!(export(&site, &check).await, json!({ "status": "success" }));
    let asked = blobs.asked();
    assert_eq!(asked.len(), 1, "{asked:?}");
    assert!(asked[0].starts_with("PUT"), "{asked:?}");
}

#[tokio::test]
async fn an_object_that_is_larger_than_its_pointer_says_is_not_read() {
    let site = rehearsal().await;
    let store = OddStore::start().await;
    settle_odd(&site, &store);
    let before = everything(&site.data());
    let pointer = json!({
        "format": "practice-site export pointer",
        "version": 1,
        "store": "bucket",
        "bucket": BUCKET,
        "region": "practice-1",
        "object": "export.portalsite",
        "size": 1000,
        "sha256": "0".repeat(64),
    });
    let file = site.exports().join("pointer.portalsite");
    std::fs::write(&file, pointer.to_string()).unwrap();
    let answer = import(&site, &file).await;
    assert_eq!(error_code(&answer), 500);
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("is not what the file at 'location' points to"), "{message}");
    // What fits into the buffers of a connection was on its way before it was closed.
    assert!(store.sent() < 64 << 20, "{} bytes were read", store.sent());
    assert!(everything(&site.data()) == before);
}

#[tokio::test]
async fn a_wrong_secret_or_bucket_is_rejected_with_the_reason_and_nothing_is_left() {
    let (s3, _folder) = s3().await;
    let wrong = "0".repeat(64);
    let cases = [
        (wrong.as_str(), BUCKET, s3.region(), "does not accept the credentials"),
        (s3.secret(), "missing", s3.region(), "not there"),
    ];
    are_rejected(&s3, &cases).await;
}

#[tokio::test]
#[ignore = "needs garage, which the weekly run compiles"]
async fn a_wrong_region_is_rejected_with_the_reason_and_nothing_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let s3 = S3::garage(folder.path()).await.unwrap();
    are_rejected(&s3, &[(s3.secret(), BUCKET, "elsewhere-2", "another region")]).await;
}

/// Exports and checks with each secret, bucket and region, and expects the reason in the message.
async fn are_rejected(s3: &S3, cases: &[(&str, &str, &str, &str)]) {
    let site = rehearsal().await;
    content_of_several_parts(&site.data());
    for &(secret, name, region, why) in cases {
        settle(&site, s3, &s3.endpoint(), secret);
        for validate in ["true", "false"] {
            let answer =
                export(&site, &[&bucket(name, region)[..], &[("validate", validate)]].concat()).await;
            assert_eq!(error_code(&answer), 500);
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.starts_with("Unable to write to the location"), "{message}");
            assert!(message.contains(why) && message.contains(name), "{message}");
            assert!(message.contains("must be accessible and writable"), "{message}");
            assert!(!message.contains(secret));
        }
    }
    assert_eq!(s3.names().await.unwrap(), [""; 0]);
    assert_eq!(s3.unfinished().await.unwrap(), [""; 0]);
    assert_eq!(site.exported_files(), [""; 0]);
}

#[tokio::test]
async fn content_that_cannot_be_archived_leaves_no_half_object() {
    use std::os::unix::ffi::OsStrExt as _;
    let (s3, _folder) = s3().await;
    let site = rehearsal().await;
    settle(&site, &s3, &s3.endpoint(), s3.secret());
    content_of_several_parts(&site.data());
    // The last item that is archived has a file whose name is no text.
    let last = "SELECT id FROM items ORDER BY id DESC LIMIT 1";
    let last: String = site.portal_db().query_row(last, [], |row| row.get(0)).unwrap();
    let name = std::ffi::OsStr::from_bytes(b"\xff.txt");
    std::fs::write(site.data().join("portal/content").join(last).join(name), "x").unwrap();
    let answer = export(&site, &bucket(BUCKET, s3.region())).await;
    assert_eq!(error_code(&answer), 500);
    assert_eq!(s3.names().await.unwrap(), [""; 0]);
    assert_eq!(s3.unfinished().await.unwrap(), [""; 0]);
    assert_eq!(site.exported_files(), [""; 0]);
}

/// A line to the store that is cut after so many bytes, for good or only once.
async fn line_that_breaks(store: &str, after: u64, for_good: bool) -> String {
    let store = store.trim_start_matches("http://").to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let left = Arc::new(AtomicU64::new(after));
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let (store, left) = (store.clone(), Arc::clone(&left));
            tokio::spawn(async move {
                let server = TcpStream::connect(store).await.unwrap();
                let (mut from_client, mut to_client) = client.into_split();
                let (mut from_server, mut to_server) = server.into_split();
                let back =
                    tokio::spawn(async move { tokio::io::copy(&mut from_server, &mut to_client).await });
                let mut buffer = vec![0; 64 * 1024];
                while let Ok(read @ 1..) = from_client.read(&mut buffer).await {
                    let before = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                        Some(left.saturating_sub(read as u64))
                    });
                    if before.unwrap() <= read as u64 {
                        left.store(if for_good { 0 } else { u64::MAX }, Ordering::Relaxed);
                        break;
                    }
                    to_server.write_all(&buffer[..read]).await.unwrap();
                }
                back.abort();
            });
        }
    });
    address
}

#[tokio::test]
async fn a_line_that_breaks_once_is_taken_up_again_and_one_that_stays_broken_is_said() {
    let (s3, _folder) = s3().await;
    let site = rehearsal().await;
    content_of_several_parts(&site.data());
    let once = line_that_breaks(&s3.endpoint(), 5 << 20, false).await;
    settle(&site, &s3, &once, s3.secret());
    let answer = export(&site, &bucket(BUCKET, s3.region())).await;
    assert_eq!(answer["status"], "success", "{answer}");
    let whole = std::fs::read_to_string(answer["location"].as_str().unwrap()).unwrap();
    let whole: Value = serde_json::from_str(&whole).unwrap();
    let names = s3.names().await.unwrap();
    assert_eq!(s3.read(&names[0]).await.unwrap().len(), whole["size"]);

    let broken = line_that_breaks(&s3.endpoint(), 5 << 20, true).await;
    settle(&site, &s3, &broken, s3.secret());
    let answer = export(&site, &bucket(BUCKET, s3.region())).await;
    assert_eq!(error_code(&answer), 500);
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("cannot be reached") || message.contains("connection was lost"), "{message}");
    assert_eq!(s3.names().await.unwrap(), names, "half an object is there");
    assert_eq!(site.exported_files().len(), 1, "a pointer to nothing, or half of one, is there");
}

#[tokio::test]
async fn a_store_that_answers_trouble_is_not_called_unreachable() {
    let store =
        TestServer::start(|_| Reply::new("503 Service Unavailable", "", "").then_close()).await.unwrap();
    let (s3, _folder) = s3().await;
    let site = rehearsal().await;
    settle(&site, &s3, &store.origin(), s3.secret());
    let answer = export(&site, &bucket(BUCKET, s3.region())).await;
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("answered 503 Service Unavailable"), "{message}");
}

#[tokio::test]
async fn an_export_to_a_blob_container_leaves_a_pointer_and_can_be_imported_through_it() {
    let folder = tempfile::tempdir().unwrap();
    let azurite = Azurite::start(folder.path()).await.unwrap();
    azurite.make_container("backups").await.unwrap();
    let site = rehearsal().await;
    content_of_several_parts(&site.data());
    let before = everything(&site.data());
    let container = format!("{}/backups", azurite.endpoint());
    // "JSON-style": as somebody writes it by hand.
    let connection = format!(
        "{{ accountName: '{}', 'accountKey': \"{}\", accountEndpoint: '{}', }}",
        azurite.account(),
        azurite.key(),
        azurite.endpoint()
    );
    let target = [("backupObjectStore", &*container), ("backupObjectStoreConnectionStr", &*connection)];

    let check = export(&site, &[&target[..], &[("validate", "true")]].concat()).await;
    assert_eq!(check, json!({ "status": "success" }));
    assert_eq!(azurite.names("backups").await.unwrap(), [""; 0]);
    assert_eq!(azurite.unfinished("backups").await.unwrap(), [""; 0]);
    let answer = export(&site, &target).await;
    assert_eq!(answer["status"], "success", "{answer}");
    let pointer = answer["location"].as_str().unwrap();
    assert!(!std::fs::read_to_string(pointer).unwrap().contains(azurite.key()), "the key is in the pointer");
    assert_eq!(azurite.names("backups").await.unwrap().len(), 1);
    assert_eq!(azurite.unfinished("backups").await.unwrap(), [""; 0]);

    site.portal_db().execute_batch("DELETE FROM group_items; DELETE FROM items;").unwrap();
    let (username, password) = site.sign_in("administrator");
    let form = [("username", username.as_str()), ("password", &password)];
    let token = site.post("/portal/sharing/rest/generateToken", &form).await;
    let form = [("token", token["token"].as_str().unwrap()), ("location", pointer)];
    let without = site.post("/portal/portaladmin/importSite", &form).await;
    assert_eq!(error_code(&without), 400, "{without}");
    let form = [&form[..], &[("backupObjectStoreConnectionStr", &*connection)]].concat();
    let answer = site.post("/portal/portaladmin/importSite", &form).await;
    assert_eq!(answer, json!({ "status": "success" }));
    assert!(everything(&site.data()) == before);
}

#[tokio::test]
async fn a_wrong_key_account_or_container_is_refused_with_the_reason_and_nothing_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let azurite = Azurite::start(folder.path()).await.unwrap();
    azurite.make_container("backups").await.unwrap();
    let site = rehearsal().await;
    let connection =
        |account: &str, key: &str| format!("{{\"accountName\":\"{account}\",\"accountKey\":\"{key}\"}}");
    let right = format!("{}/backups", azurite.endpoint());
    let cases = [
        (right.clone(), connection(azurite.account(), "d3Jvbmc="), "credentials"),
        (right.clone(), connection(azurite.account(), "no base64!"), "cannot be used"),
        (
            format!("{}/missing", azurite.endpoint()),
            connection(azurite.account(), azurite.key()),
            "not there",
        ),
        (right.replace(azurite.account(), "stranger"), connection("stranger", azurite.key()), "not there"),
    ];
    for (container, connection, why) in cases {
        let target = [("backupObjectStore", &*container), ("backupObjectStoreConnectionStr", &*connection)];
        for validate in ["true", "false"] {
            let answer = export(&site, &[&target[..], &[("validate", validate)]].concat()).await;
            assert_eq!(error_code(&answer), 500);
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.contains(why) && message.contains(&container), "{message}");
            assert!(!message.contains(azurite.key()) && !message.contains("no base64"), "{message}");
        }
    }
    assert_eq!(azurite.names("backups").await.unwrap(), [""; 0]);
    assert_eq!(azurite.unfinished("backups").await.unwrap(), [""; 0]);
    assert_eq!(site.exported_files(), [""; 0]);
}
