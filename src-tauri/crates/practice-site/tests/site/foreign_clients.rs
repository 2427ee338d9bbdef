//! The vendor's JavaScript client at work here.

use crate::support::options;
use practice_site::PracticeSite;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

#[tokio::test]
async fn the_vendors_javascript_client_signs_in_and_performs_every_operation() {
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign");
    assert!(
        client.join("node_modules/@esri/arcgis-rest-request").is_dir(),
        "the vendor's JavaScript client is not installed: run `npm ci` in {} (`cargo xtask test` does)",
        client.display()
    );
    let folder = tempfile::tempdir().unwrap();
    let exports = folder.path().join("exports");
    std::fs::create_dir(&exports).unwrap();
    let site = PracticeSite::start(options(&folder.path().join("data"), false)).await.unwrap();
    let ready = site.ready();
    let ready_file = folder.path().join("ready.json");
    ready.write(&ready_file).unwrap();
    let mut node = Command::new("node");
    node.args([client.join("administer.mjs"), ready_file, exports.clone()]);
    node.env("NODE_EXTRA_CA_CERTS", ready.ca_certificate.as_ref().unwrap());
    let node = tokio::task::spawn_blocking(move || node.output())
        .await
        .unwrap()
        .expect("node cannot be started: the vendor's JavaScript client needs Node 20 or newer");
    let said = String::from_utf8(node.stdout).unwrap();
    assert!(node.status.success(), "{said}{}", String::from_utf8_lossy(&node.stderr));
    let steps: HashMap<String, Value> = said
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|line| (line["step"].as_str().unwrap().to_owned(), line))
        .collect();
    let got = |step: &str| {
        let line = steps.get(step).unwrap_or_else(|| panic!("{step} was not tried: {said}"));
        assert!(line.get("refused").is_none(), "{line}");
        line["got"].clone()
    };
    let refused = |step: &str| steps[step]["refused"]["code"].clone();
    let username = &ready.users.iter().find(|user| user.role == "administrator").unwrap().username;
    let inside = |location: &Value, ending: &str| {
        let file = Path::new(location.as_str().unwrap());
        assert_eq!(file.parent(), Some(exports.as_path()));
        assert!(file.extension().unwrap() == ending && file.is_file(), "{location}");
    };

    // Sign-in and discovery.
    assert_eq!(got("sign in")["username"], username.as_str());
    assert_eq!(refused("sign in with a wrong password"), "TOKEN_REFRESH_FAILED");
    assert_eq!(got("self"), username.as_str());
    assert_eq!(got("portal"), ready.portal_id);
    assert!(got("user").to_string().contains(":admin:"));
    assert!(got("server token").is_string());
    assert_eq!(refused("without a token"), 499);

    // Exports and imports.
    assert_eq!(got("export_portal: check"), json!({ "status": "success" }));
    assert_eq!(got("export_portal")["status"], "success");
    inside(&got("export_portal")["location"], "portalsite");
    inside(&got("export_server")["location"], "agssite");
    let stored = got("export_server: stored")["location"].clone();
    assert!(stored.as_str().unwrap().starts_with(&format!("{}/admin/uploads/", ready.server)), "{stored}");
    assert_eq!(got("import_server")["status"], "success");
    assert!(!got("import_server")["result"].as_array().unwrap().is_empty());

    // Webhooks.
    assert!(got("webhooks before").as_i64() > Some(0));
    assert_eq!(got("deactivate_webhooks"), json!({ "status": "success" }));
    assert_eq!(got("webhooks after"), 0);

    // Data store items.
    assert!(got("find_items").as_i64() > Some(1));
    assert_eq!(got("find_items: GET"), json!(["egdb"]));
    assert_eq!(refused("find_items: no filter"), 400);

    // Collaborations.
    assert_eq!(got("update_participant")["success"], true);
    assert_eq!(got("participant")["contactEmailAddress"], "ana@example.net");
    let invitation = got("refresh_invitation");
    assert_eq!(invitation["id"], true);
    assert!(invitation["disposition"].as_str().unwrap().starts_with("attachment; filename=collaboration-"));
    assert!((71.9..=72.0).contains(&invitation["hours"].as_f64().unwrap()), "{invitation}");

    // The same client with a code, its refresh token, and out again.
    assert_eq!(got("code"), username.as_str());
    assert_eq!(got("refresh token"), true);
    assert_eq!(got("exchange refresh token"), true);
    assert_eq!(got("self by code"), username.as_str());
    assert_eq!(refused("self by an ended token"), 498);
    got("sign out");
    assert_eq!(refused("self after sign out"), 498);

    // The import of the portal ends every session.
    assert_eq!(got("import_portal"), json!({ "status": "success" }));
    assert_eq!(refused("self after the import"), 498);
    site.stop().await;
}
