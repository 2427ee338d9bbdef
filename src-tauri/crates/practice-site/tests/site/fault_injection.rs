//! What goes wrong when it is ordered to.

use crate::import_server::exported;
use crate::support::{Rehearsal, error_code, rehearsal, server_error_code};
use reqwest::Client;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use steward_testkit::until;

const CONTROL: &str = "/practice/faults";
const FIND: &str = "/server/admin/data/findItems";
const EXPORT: &str = "/portal/portaladmin/exportSite";

async fn order(site: &Rehearsal, operation: &str, fault: &str, more: &[(&str, &str)]) -> Value {
    let form = [&[("operation", operation), ("fault", fault)], more].concat();
    let answer = site.post_as("administrator", CONTROL, &form).await;
    assert_eq!(answer["status"], "success", "{answer}");
    answer
}

async fn find(site: &Rehearsal) -> reqwest::Result<reqwest::Response> {
    let token = site.token("administrator").await;
    // A client of its own: a connection that is left over must not be repeated on another one in silence.
    let form = [("token", token.as_str()), ("ancestorPath", "/")];
    Client::new().post(site.address(FIND)).form(&form).send().await
}

#[tokio::test]
async fn only_an_administrator_orders_faults_and_only_such_as_make_sense() {
    let site = rehearsal().await;
    let good = [("operation", "find_items"), ("fault", "html")];
    assert_eq!(error_code(&site.post(CONTROL, &good).await), 499);
    assert_eq!(error_code(&site.post_as("publisher", CONTROL, &good).await), 403);
    for wrong in [
        vec![("operation", "find_items")],
        vec![("operation", "everything"), ("fault", "html")],
        vec![("operation", "find_items"), ("fault", "fire")],
        vec![("operation", "find_items"), ("fault", "unwritableFolder")],
        vec![("operation", "export_server"), ("fault", "serviceWillNotStart")],
        vec![("operation", "find_items"), ("fault", "html"), ("times", "0")],
        vec![("operation", "find_items"), ("fault", "delay"), ("seconds", "86400")],
    ] {
        assert_eq!(error_code(&site.post_as("administrator", CONTROL, &wrong).await), 400, "{wrong:?}");
    }
    assert_eq!(site.get_as("administrator", CONTROL).await["faults"], json!([]));
}

#[tokio::test]
async fn a_rejected_token_is_rejected_before_anything_is_done() {
    let site = rehearsal().await;
    let rule = [("operation", "export_portal"), ("fault", "expiredToken"), ("after", "true")];
    assert_eq!(error_code(&site.post_as("administrator", CONTROL, &rule).await), 400);
    let folder = site.exports();
    let form = [("location", folder.to_str().unwrap())];

    order(&site, "export_portal", "expiredToken", &[]).await;
    let answer = site.post_as("administrator", EXPORT, &form).await;

    assert_eq!((error_code(&answer), site.exported_files().len()), (498, 0));
}

#[tokio::test]
async fn a_fault_befalls_as_many_requests_as_were_ordered_and_no_other_operation() {
    let site = rehearsal().await;
    order(&site, "find_items", "expiredToken", &[("times", "2")]).await;
    let listed = site.get_as("administrator", CONTROL).await;
    assert_eq!(listed["faults"][0]["times"], 2);
    let folder = site.exports();
    let form = [("location", folder.to_str().unwrap())];
    assert_eq!(site.post_as("administrator", EXPORT, &form).await["status"], "success");
    for _ in 0..2 {
        let answer = site.post_as("administrator", FIND, &[("ancestorPath", "/")]).await;
        assert_eq!(server_error_code(&answer), 498);
    }
    assert!(site.post_as("administrator", FIND, &[("ancestorPath", "/")]).await["items"].is_array());
    order(&site, "find_items", "html", &[]).await;
    site.post_as("administrator", &format!("{CONTROL}/clear"), &[]).await;
    assert!(site.post_as("administrator", FIND, &[("ancestorPath", "/")]).await["items"].is_array());
}

#[tokio::test]
async fn a_folder_is_unwritable_and_a_service_does_not_start() {
    let site = rehearsal().await;
    let folder = site.exports();
    let form = [("location", folder.to_str().unwrap())];
    for (operation, path) in [("export_portal", EXPORT), ("export_server", "/server/admin/exportSite")] {
        order(&site, operation, "unwritableFolder", &[]).await;
        let answer = site.post_as("administrator", path, &form).await;
        assert_eq!(error_code(&answer), 500);
        assert!(answer["error"]["message"].as_str().unwrap().contains("must be accessible and writable"));
    }
    assert_eq!(site.exported_files(), [""; 0]);

    let file = exported(&site).await;
    order(&site, "import_server", "serviceWillNotStart", &[]).await;
    let form = [("location", file.to_str().unwrap())];
    let warnings = |answer: &Value| {
        let sources = answer["result"].as_array().unwrap();
        let messages = sources.iter().flat_map(|source| source["messages"].as_array().unwrap());
        messages.filter(|message| message["level"] == "WARNING").count()
    };
    let rehearsed = site.post_as("administrator", "/server/admin/importSite", &form).await;
    assert_eq!((&rehearsed["status"], warnings(&rehearsed)), (&json!("success"), 2));
    // Its data is in a folder that is registered: who looks for it among the data items finds it.
    let survey =
        ["server", "data", "shares", "survey"].iter().fold(site.data(), |path, name| path.join(name));
    // As JSON writes it, with twice as many backslashes.
    let survey = json!(survey).to_string();
    assert!(rehearsed.to_string().contains(survey.trim_matches('"')), "{rehearsed}");
    let usual = site.post_as("administrator", "/server/admin/importSite", &form).await;
    assert_eq!(warnings(&usual), 1);
}

#[tokio::test]
async fn a_page_comes_instead_of_json_from_the_site_or_from_a_proxy() {
    let site = rehearsal().await;
    for (fault, status) in [("html", 200), ("badGateway", 502)] {
        order(&site, "find_items", fault, &[]).await;
        let answer = find(&site).await.unwrap();
        assert_eq!(answer.status(), status);
        assert!(answer.text().await.unwrap().starts_with("<!doctype html>"));
    }
}

#[tokio::test]
async fn an_answer_is_cut_off_in_the_middle() {
    let site = rehearsal().await;
    order(&site, "find_items", "truncated", &[]).await;
    let answer = find(&site).await.unwrap();
    let announced = answer.content_length().unwrap();
    assert!(announced > 1000);
    assert!(answer.bytes().await.is_err(), "half an answer passed for a whole one");
}

#[tokio::test]
async fn a_connection_is_reset_before_or_after_the_operation() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    let folder = site.exports();
    let form = [("token", token.as_str()), ("location", folder.to_str().unwrap())];
    let export = || Client::new().post(site.address(EXPORT)).form(&form).send();
    order(&site, "export_portal", "reset", &[]).await;
    let cut = export().await.unwrap_err();
    assert!(format!("{cut:?}").contains("ConnectionReset"), "{cut:?}");
    assert_eq!(site.exported_files(), [""; 0]);
    order(&site, "export_portal", "reset", &[("after", "true")]).await;
    assert!(format!("{:?}", export().await.unwrap_err()).contains("ConnectionReset"));
    assert_eq!(site.exported_files().len(), 1);
}

#[tokio::test]
async fn an_operation_begins_late() {
    let site = rehearsal().await;
    order(&site, "find_items", "delay", &[("seconds", "2")]).await;
    let begun = Instant::now();
    assert_eq!(find(&site).await.unwrap().status(), 200);
    assert!(begun.elapsed() >= Duration::from_secs(2));
}

#[tokio::test]
async fn an_operation_is_done_and_its_response_is_late() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    let folder = site.exports();
    let form = [("token", token.as_str()), ("location", folder.to_str().unwrap())];
    order(&site, "export_portal", "delay", &[("seconds", "3600"), ("after", "true")]).await;
    let export = tokio::spawn(Client::new().post(site.address(EXPORT)).form(&form).send());
    let is_done = || site.exported_files().iter().any(|file| file.ends_with(".portalsite"));
    until("the export", async || is_done() || export.is_finished()).await;
    assert!(!export.is_finished());
    export.abort();
}
