//! One administrative operation at a time for each component, whatever becomes of its client.

use crate::support::{error_code, rehearsal};
use std::sync::Arc;
use steward_testkit::{Reply, TestServer, until};
use tokio::sync::Notify;

const PORTAL_EXPORT: &str = "/portal/portaladmin/exportSite";
const SERVER_EXPORT: &str = "/server/admin/exportSite";

/// Blob storage that accepts everything, the first piece only once the gate is notified.
async fn slow_blobs(gate: &Arc<Notify>) -> TestServer {
    let accepted = Reply::new("201 Created", "etag: \"1\"\r\n", "");
    let first = accepted.clone().when(gate);
    let store = TestServer::start(move |request| match request.number {
        1 => first.clone(),
        _ => accepted.clone(),
    });
    store.await.unwrap()
}

#[tokio::test]
async fn a_second_administrative_operation_is_refused_even_when_the_first_client_has_hung_up() {
    let site = rehearsal().await;
    let gate = Arc::new(Notify::new());
    let blobs = slow_blobs(&gate).await;
    let container = format!("{}/account/backups", blobs.origin());
    let folder = site.exports();
    let here = [("location", folder.to_str().unwrap())];
    let slow = [
        here[0],
        ("backupObjectStore", &*container),
        ("backupObjectStoreConnectionStr", "{accountName: 'account', accountKey: 'a2V5'}"),
    ];
    tokio::select! {
        answer = site.post_as("administrator", PORTAL_EXPORT, &slow) => panic!("{answer}"),
        () = until("the first piece", async || blobs.waiting() == 1) => (),
    }

    let second = site.post_as("administrator", PORTAL_EXPORT, &here).await;

    assert_eq!(error_code(&second), 500);
    let words = second["error"]["message"].as_str().unwrap();
    assert!(
        words.to_lowercase().contains("another administrative operation is currently accessing the store")
    );
    assert!(words.contains("exportSite"), "{words}");
    let server = site.post_as("administrator", SERVER_EXPORT, &here).await;
    assert_eq!(server["status"], "success", "the server is another component");

    gate.notify_one();
    let is_whole = |files: Vec<String>| files.iter().any(|file| file.ends_with(".portalsite"));
    until("the end of the first export", async || is_whole(site.exported_files())).await;
    until("another export", async || {
        site.post_as("administrator", PORTAL_EXPORT, &here).await["status"] == "success"
    })
    .await;
}

#[tokio::test]
async fn a_repeat_of_the_same_request_does_not_start_another() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    let folder = site.exports();
    let form = [("token", token.as_str()), ("location", folder.to_str().unwrap())];
    // Six at once, as the vendor's Python client sends them when the answer is slow to come.
    let export = || site.post(PORTAL_EXPORT, &form);
    let (a, b, c, d, e, f) = tokio::join!(export(), export(), export(), export(), export(), export());
    for answer in [&a, &b, &c, &d, &e, &f] {
        assert_eq!(answer["status"], "success");
        assert_eq!(answer["location"], a["location"]);
    }
    assert_eq!(site.exported_files().len(), 1);
}
