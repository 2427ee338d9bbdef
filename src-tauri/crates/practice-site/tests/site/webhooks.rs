//! Administration of webhooks.

use crate::hooks::{FLOW_TRACE, PLAYGROUNDS, hook};
use crate::import_server::{exported, import};
use crate::support::{Rehearsal, rehearsal};
use serde_json::{Value, json};

const ALL: &str = "/server/admin/services/webhooks";
const SETTINGS: &str = "/server/admin/services/webhooks/settings";
const URL: &str = "http://127.0.0.1:9/hook";

async fn create(site: &Rehearsal, webhooks: &str, form: &[(&str, &str)]) -> Value {
    site.post_as("publisher", &format!("{webhooks}/create"), form).await
}

async fn names(site: &Rehearsal, webhooks: &str) -> Vec<String> {
    let listed = site.get_as("publisher", webhooks).await;
    let listed = listed["webhooks"].as_array().unwrap();
    listed.iter().map(|webhook| webhook["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_created_webhook_is_listed_with_everything_but_its_key() {
    let site = rehearsal().await;
    let form = [
        ("name", "Notify the painters"),
        ("hookUrl", "https://hooks.example.net/painters"),
        ("changeTypes", "FeaturesCreated, FeaturesDeleted,FeaturesCreated"),
        ("signatureKey", "a key that nobody sees"),
        ("contentType", "application/x-www-form-urlencoded"),
        ("payloadFormat", "pjson"),
    ];
    let answer = create(&site, PLAYGROUNDS, &form).await;
    assert_eq!(answer["status"], "success");
    let id = answer["id"].as_str().unwrap();
    assert!(answer["url"].as_str().unwrap().ends_with(&format!("{PLAYGROUNDS}/{id}")));

    let webhook = site.get_as("publisher", &format!("{PLAYGROUNDS}/{id}")).await;
    let expected = json!({
        "id": id,
        "folderName": "Hosted",
        "serviceName": "Playgrounds",
        "serviceType": "FeatureServer",
        "name": "Notify the painters",
        "hookUrl": "https://hooks.example.net/painters",
        "active": false,
        "signatureKey": "",
        "contentType": "application/x-www-form-urlencoded",
        "payloadFormat": "pjson",
        "changeTypes": ["FeaturesCreated", "FeaturesDeleted"],
        "ownerId": site.sign_in("publisher").0,
        "modifiedId": site.sign_in("publisher").0,
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&webhook[name], value, "{name}");
    }
    assert_eq!(webhook["scheduleInfo"]["recurrenceInfo"], json!({ "frequency": "second", "interval": 20 }));
    let listed = site.get_as("publisher", PLAYGROUNDS).await;
    assert_eq!((&listed["total"], &listed["nextStart"]), (&json!(1), &json!(-1)));
    assert_eq!(listed["webhooks"][0], webhook);
    for answer in [&listed, &webhook, &site.get_as("publisher", ALL).await] {
        assert!(!answer.to_string().contains("a key that nobody sees"));
    }
}

#[tokio::test]
async fn a_webhook_of_a_geoprocessing_service_has_neither_change_types_nor_a_schedule() {
    let site = rehearsal().await;
    let answer = create(&site, FLOW_TRACE, &[("name", "Flow"), ("hookUrl", URL)]).await;
    let path = format!("{FLOW_TRACE}/{}", answer["id"].as_str().unwrap());
    let webhook = site.get_as("publisher", &path).await;
    assert_eq!((&webhook["folderName"], &webhook["serviceType"]), (&json!("Water"), &json!("GPServer")));
    assert!(webhook.get("changeTypes").is_none() && webhook.get("scheduleInfo").is_none());
}

#[tokio::test]
async fn a_webhook_that_cannot_be_right_is_refused() {
    let site = rehearsal().await;
    let long = "x".repeat(101);
    let good = [("name", "Right"), ("hookUrl", URL), ("changeTypes", "*")];
    let wrong = [
        ("name", ""),
        ("name", long.as_str()),
        ("hookUrl", ""),
        ("hookUrl", "not an address"),
        ("hookUrl", "ftp://127.0.0.1/hook"),
        ("hookUrl", "file:///etc/passwd"),
        ("changeTypes", ""),
        ("changeTypes", ","),
        ("changeTypes", "FeaturesPainted"),
        ("changeTypes", "[1]"),
        ("active", "perhaps"),
        ("contentType", "text/plain"),
        ("payloadFormat", "xml"),
        ("scheduleInfo", "every day"),
        ("scheduleInfo", "[]"),
        ("scheduleInfo", "{}"),
        ("scheduleInfo", r#"{"recurrenceInfo":{"interval":0}}"#),
        ("scheduleInfo", r#"{"recurrenceInfo":{"interval":1,"frequency":"blue moon"}}"#),
        ("scheduleInfo", r#"{"startAt":"now","recurrenceInfo":{"interval":1}}"#),
    ];
    for (name, value) in wrong {
        let mut form: Vec<_> = good.into_iter().filter(|(known, _)| *known != name).collect();
        form.push((name, value));
        let answer = create(&site, PLAYGROUNDS, &form).await;
        assert_eq!(answer["code"], 400, "{name}={value}: {answer}");
        let said = answer["messages"][0].as_str().unwrap();
        assert!(said.contains(name), "{name}={value}: {said}");
    }
    assert!(names(&site, PLAYGROUNDS).await.is_empty());
    let longest = "ü".repeat(100);
    let answer = create(&site, PLAYGROUNDS, &[good[1], good[2], ("name", &longest)]).await;
    assert_eq!(answer["status"], "success");
}

#[tokio::test]
async fn a_name_is_taken_once_in_a_service() {
    let site = rehearsal().await;
    let first = hook(&site, PLAYGROUNDS, URL, &[("name", "One")]).await;
    hook(&site, FLOW_TRACE, URL, &[("name", "One")]).await;
    let other = hook(&site, PLAYGROUNDS, URL, &[("name", "Other")]).await;
    let form = [("name", "One"), ("hookUrl", URL), ("changeTypes", "*")];
    assert_eq!(create(&site, PLAYGROUNDS, &form).await["code"], 400);
    let rename = async |id: &str| {
        site.post_as("publisher", &format!("{PLAYGROUNDS}/{id}/edit"), &[("name", "One")]).await
    };
    assert_eq!(rename(&other).await["code"], 400);
    assert_eq!(rename(&first).await["status"], "success", "its own name is not taken");
}

#[tokio::test]
async fn an_edit_changes_what_is_given_and_nothing_else() {
    let site = rehearsal().await;
    let id = hook(&site, PLAYGROUNDS, URL, &[("name", "Before"), ("signatureKey", "secret")]).await;
    let path = format!("{PLAYGROUNDS}/{id}");
    let before = site.get_as("publisher", &path).await;
    let form = [("active", "false"), ("changeTypes", r#"["FeaturesUpdated"]"#), ("name", "")];
    let answer = site.post_as("administrator", &format!("{path}/edit"), &form).await;
    assert_eq!(answer["status"], "success");
    let after = site.get_as("publisher", &path).await;
    assert_eq!(after["active"], false);
    assert_eq!(after["changeTypes"], json!(["FeaturesUpdated"]));
    assert_eq!(after["modifiedId"], site.sign_in("administrator").0);
    for same in ["id", "name", "hookUrl", "contentType", "scheduleInfo", "ownerId", "created"] {
        assert_eq!(after[same], before[same], "{same}");
    }
    let key: String = site
        .server_db()
        .query_row("SELECT settings ->> 'signatureKey' FROM webhooks WHERE id = ?1", [&id], |row| row.get(0))
        .unwrap();
    assert_eq!(key, "secret");
}

#[tokio::test]
async fn one_webhook_is_deleted_and_then_all() {
    let site = rehearsal().await;
    for webhooks in [PLAYGROUNDS, FLOW_TRACE] {
        let first = hook(&site, webhooks, URL, &[("name", "First")]).await;
        hook(&site, webhooks, URL, &[("name", "Second")]).await;
        hook(&site, webhooks, URL, &[("name", "Third")]).await;
        let answer = site.post_as("publisher", &format!("{webhooks}/{first}/delete"), &[]).await;
        assert_eq!(answer, json!({ "status": "success" }));
        assert_eq!(names(&site, webhooks).await, ["Second", "Third"]);
        let again = site.post_as("publisher", &format!("{webhooks}/{first}/delete"), &[]).await;
        assert_eq!(again["code"], 404);
        let answer = site.post_as("publisher", &format!("{webhooks}/deleteAll"), &[]).await;
        assert_eq!(answer, json!({ "status": "success" }));
        assert!(names(&site, webhooks).await.is_empty());
    }
    let others = site.get_as("publisher", ALL).await;
    assert!(others["total"].as_i64().unwrap() > 0, "webhooks of other services were deleted");
}

#[tokio::test]
async fn the_webhooks_of_all_services_are_one_list() {
    let site = rehearsal().await;
    let all = site.get_as("publisher", ALL).await;
    let stored: i64 =
        site.server_db().query_row("SELECT count(*) FROM webhooks", [], |row| row.get(0)).unwrap();
    assert_eq!(all["total"], stored);
    let listed = all["webhooks"].as_array().unwrap();
    for (folder, kind) in [("/", "GPServer"), ("Hosted", "FeatureServer"), ("Parcels", "GPServer")] {
        assert!(listed.iter().any(|hook| hook["folderName"] == folder && hook["serviceType"] == kind));
    }
    let token = site.token("publisher").await;
    let page = site.get(ALL, &[("token", &token), ("start", "2"), ("num", "3")]).await;
    assert_eq!(page["webhooks"].as_array().unwrap().as_slice(), &listed[1..4]);
    assert_eq!(page["nextStart"], 5);
}

#[tokio::test]
async fn the_settings_have_limits_and_what_is_not_given_stays() {
    let site = rehearsal().await;
    let shown = site.get_as("publisher", SETTINGS).await;
    assert_eq!(shown["notificationAttempts"], 3);
    let change = async |form: &[(&str, &str)]| site.post_as("administrator", SETTINGS, form).await;
    for wrong in ["0", "6", "many", "2.5"] {
        assert_eq!(change(&[("notificationAttempts", wrong)]).await["code"], 400, "{wrong}");
    }
    assert_eq!(change(&[("deactivationPolicy", r#"{"numberOfFailures":0}"#)]).await["code"], 400);
    assert_eq!(site.get_as("publisher", SETTINGS).await, shown);

    let answer = change(&[("notificationAttempts", "5")]).await;
    assert_eq!(answer["status"], "success");
    change(&[("deactivationPolicy", r#"{"numberOfFailures":7,"daysInPast":2}"#)]).await;
    change(&[("daysInPast", "9")]).await;
    let site = site.restarted().await;
    let expected = json!({
        "notificationAttempts": 5,
        "deactivationPolicy": { "numberOfFailures": 7, "daysInPast": 9 },
    });
    assert_eq!(site.get_as("publisher", SETTINGS).await, expected);
}

#[tokio::test]
async fn webhooks_are_for_publishers_and_for_services_that_can_have_them() {
    let site = rehearsal().await;
    let id = hook(&site, PLAYGROUNDS, URL, &[]).await;
    let form = [("name", "Mine"), ("hookUrl", URL), ("changeTypes", "*")];
    let posts = [
        format!("{PLAYGROUNDS}/create"),
        format!("{PLAYGROUNDS}/{id}/edit"),
        format!("{PLAYGROUNDS}/{id}/delete"),
        format!("{PLAYGROUNDS}/activateAll"),
        format!("{PLAYGROUNDS}/deleteAll"),
        SETTINGS.to_owned(),
    ];
    for path in &posts {
        assert_eq!(site.post_as("viewer", path, &form).await["code"], 403, "{path}");
        assert_eq!(site.post(path, &form).await["code"], 499, "{path}");
    }
    for path in [ALL, SETTINGS, PLAYGROUNDS, &format!("{PLAYGROUNDS}/{id}/notificationStatus")] {
        assert_eq!(site.get_as("viewer", path).await["code"], 403, "{path}");
    }
    assert_eq!(names(&site, PLAYGROUNDS).await.len(), 1);

    let of = |service: &str| format!("/server/admin/services/{service}/webhooks");
    assert_eq!(create(&site, &of("Basemap.MapServer"), &form).await["code"], 400);
    assert_eq!(create(&site, &of("Hosted/Nothing.FeatureServer"), &form).await["code"], 404);
    // The webhook of one service is no webhook of another.
    let elsewhere = format!("{}/{id}", of("Hosted/StreetTrees.FeatureServer"));
    assert_eq!(site.get_as("publisher", &elsewhere).await["code"], 404);
    assert_eq!(site.post_as("publisher", &format!("{elsewhere}/delete"), &[]).await["code"], 404);
}

#[tokio::test]
async fn webhooks_and_their_settings_travel_with_an_export_and_come_back() {
    let site = rehearsal().await;
    hook(&site, PLAYGROUNDS, URL, &[("name", "Exported")]).await;
    site.post_as("administrator", SETTINGS, &[("notificationAttempts", "2")]).await;
    let file = exported(&site).await;
    site.post_as("publisher", &format!("{PLAYGROUNDS}/deleteAll"), &[]).await;
    site.post_as("administrator", SETTINGS, &[("notificationAttempts", "4")]).await;
    assert_eq!(import(&site, file.to_str().unwrap()).await["status"], "success");
    assert_eq!(names(&site, PLAYGROUNDS).await, ["Exported"]);
    assert_eq!(site.get_as("publisher", SETTINGS).await["notificationAttempts"], 2);
}

#[tokio::test]
async fn whoever_keeps_one_type_of_service_keeps_the_webhooks_of_that_type_only() {
    let site = rehearsal().await;
    let form = [("name", "Mine"), ("hookUrl", URL), ("changeTypes", "*")];
    for (role, own, other, kind) in [
        ("feature-editor", PLAYGROUNDS, FLOW_TRACE, "FeatureServer"),
        ("geoprocessor", FLOW_TRACE, PLAYGROUNDS, "GPServer"),
    ] {
        let create = async |webhooks: &str| site.post_as(role, &format!("{webhooks}/create"), &form).await;
        assert_eq!(create(own).await["status"], "success", "{role}");
        assert_eq!(create(other).await["code"], 403, "{role}");
        let seen = site.get_as(role, ALL).await;
        let seen = seen["webhooks"].as_array().unwrap();
        assert!(seen.len() > 1 && seen.iter().all(|webhook| webhook["serviceType"] == kind), "{role}");
        // The settings are for both.
        let answer = site.post_as(role, SETTINGS, &[("notificationAttempts", "1")]).await;
        assert_eq!(answer["code"], 403, "{role}");
    }
}
