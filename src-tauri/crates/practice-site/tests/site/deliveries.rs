//! What happens in services reaches a real receiver, as documented.

use crate::hooks::{
    FLOW_TRACE, FLOW_TRACE_TASK, PLAYGROUNDS, PLAYGROUNDS_LAYER, add_feature, delete_feature, failures, hook,
    job_with_status, queued, submit, wait_for_failures,
};
use crate::receiver::Receiver;
use crate::support::{Rehearsal, rehearsal};
use base64::Engine as _;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;
use std::time::{Duration, Instant};
use steward_testkit::until;

const SETTINGS: &str = "/server/admin/services/webhooks/settings";
const POINT: [(&str, &str); 1] = [("geometry", r#"{"x":1,"y":1}"#)];

/// What whoever receives a payload does with its `changesUrl`.
async fn changes(site: &Rehearsal, entry: &Value) -> Value {
    let encoded = entry["changesUrl"].as_str().unwrap();
    assert!(encoded.starts_with("http%3A%2F%2F"), "not url-encoded: {encoded}");
    let (decoded, _) =
        url::form_urlencoded::parse(format!("{encoded}=").as_bytes()).into_owned().next().unwrap();
    let mut address = url::Url::parse(&decoded).unwrap();
    address.query_pairs_mut().append_pair("token", &site.token("viewer").await);
    site.http.get(address).send().await.unwrap().json().await.unwrap()
}

#[tokio::test]
async fn edited_features_are_told_with_the_address_of_their_changes() {
    let site = rehearsal().await;
    let receiver = Receiver::that_answers(200).await;
    hook(&site, PLAYGROUNDS, &receiver.url("fs"), &[("name", "Tell me")]).await;
    let id = add_feature(&site, PLAYGROUNDS_LAYER, "Mill Lane").await;
    let received = receiver.wait_for("fs", 1).await.remove(0);

    assert_eq!(received.header("content-type"), Some("application/json"));
    let payload = received.json().unwrap();
    let entry = &payload.as_array().unwrap()[0];
    let keys: Vec<&String> = entry.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["name", "layerId", "orgId", "serviceName", "lastUpdatedTime", "changesUrl", "events"]);
    assert_eq!((&entry["name"], &entry["layerId"]), (&json!("Tell me"), &json!(0)));
    assert_eq!(entry["orgId"], site.site.ready().portal_id);
    assert_eq!(entry["serviceName"], "Playgrounds");
    assert!(entry["lastUpdatedTime"].as_i64().unwrap() > 1_700_000_000_000);
    assert_eq!(entry["events"], json!(["FeaturesCreated"]));

    let edits = changes(&site, entry).await["edits"][0]["features"].clone();
    assert_eq!(edits["adds"][0]["attributes"]["OBJECTID"], id);
    assert_eq!((&edits["updates"], &edits["deleteIds"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn edits_until_the_next_due_time_are_told_together() {
    let site = rehearsal().await;
    let receiver = Receiver::that_answers(200).await;
    let soon = jiff::Timestamp::now().as_millisecond() + 6000;
    let schedule = json!({ "startAt": soon, "recurrenceInfo": { "frequency": "second", "interval": 60 } });
    hook(&site, PLAYGROUNDS, &receiver.url("fs"), &[("scheduleInfo", &schedule.to_string())]).await;
    let kept = add_feature(&site, PLAYGROUNDS_LAYER, "Kept").await;
    let gone = add_feature(&site, PLAYGROUNDS_LAYER, "Gone").await;
    delete_feature(&site, PLAYGROUNDS_LAYER, gone).await;
    assert!(receiver.at("fs").is_empty(), "told before the schedule begins");

    let received = receiver.wait_for("fs", 1).await.remove(0);
    assert!(jiff::Timestamp::now().as_millisecond() >= soon);
    let payload = received.json().unwrap();
    assert_eq!(payload.as_array().unwrap().len(), 1);
    assert_eq!(payload[0]["events"], json!(["FeaturesCreated", "FeaturesDeleted"]));
    let edits = changes(&site, &payload[0]).await["edits"][0]["features"].clone();
    assert_eq!(edits["adds"].as_array().unwrap().len(), 1, "one came and went");
    assert_eq!(edits["adds"][0]["attributes"]["OBJECTID"], kept);
}

#[tokio::test]
async fn a_webhook_is_told_what_it_asked_for_and_nothing_else() {
    let site = rehearsal().await;
    let receiver = Receiver::that_answers(200).await;
    hook(&site, PLAYGROUNDS, &receiver.url("deletes"), &[("changeTypes", "FeaturesDeleted")]).await;
    hook(&site, PLAYGROUNDS, &receiver.url("edits"), &[("changeTypes", "FeaturesEdited")]).await;
    let id = add_feature(&site, PLAYGROUNDS_LAYER, "Mill Lane").await;
    assert_eq!(
        receiver.wait_for("edits", 1).await[0].json().unwrap()[0]["events"],
        json!(["FeaturesEdited"])
    );
    delete_feature(&site, PLAYGROUNDS_LAYER, id).await;
    receiver.wait_for("edits", 2).await;
    let deletes = receiver.wait_for("deletes", 1).await;
    assert_eq!(deletes.len(), 1);
    assert_eq!(deletes[0].json().unwrap()[0]["events"], json!(["FeaturesDeleted"]));
}

#[tokio::test]
async fn the_end_of_a_job_is_told_once_and_however_it_ends() {
    let site = rehearsal().await;
    let receiver = Receiver::that_answers(200).await;
    hook(&site, FLOW_TRACE, &receiver.url("gp"), &[("name", "Tell me")]).await;
    let good = submit(&site, FLOW_TRACE_TASK, &POINT).await;
    let bad = submit(&site, FLOW_TRACE_TASK, &[]).await;
    receiver.wait_for("gp", 2).await;
    // By the end of another one, whatever is told twice would have been.
    submit(&site, FLOW_TRACE_TASK, &POINT).await;
    let received = receiver.wait_for("gp", 3).await;
    let expected = [(&good, "esriJobSucceeded"), (&bad, "esriJobFailed")];
    for (job, status) in expected {
        let told: Vec<Value> =
            received.iter().map(|one| one.json().unwrap()).filter(|one| one["jobId"] == **job).collect();
        let url = format!("{}{FLOW_TRACE_TASK}/jobs/{job}", site.address(""));
        let payload = json!([{
            "serviceType": "GPServer",
            "jobId": job,
            "statusURL": url,
            "name": "Tell me",
            "taskName": "FlowTrace",
            "folderName": "Water",
            "serviceName": "FlowTrace",
            "eventType": status,
        }]);
        assert_eq!(json!(told), payload);
        let token = site.token("viewer").await;
        let answer: Value =
            site.http.get(format!("{url}?token={token}")).send().await.unwrap().json().await.unwrap();
        assert_eq!(answer["jobStatus"], status);
    }
    assert_eq!(received.len(), 3);
}

#[tokio::test]
async fn a_job_of_the_root_folder_is_told_without_a_folder() {
    let site = rehearsal().await;
    let receiver = Receiver::that_answers(200).await;
    hook(&site, "/server/admin/services/Buffer.GPServer/webhooks", &receiver.url("gp"), &[]).await;
    submit(&site, "/server/rest/services/Buffer/GPServer/Buffer", &POINT).await;
    let payload = receiver.wait_for("gp", 1).await[0].json().unwrap();
    assert_eq!((&payload["folderName"], &payload["serviceName"]), (&json!(""), &json!("Buffer")));
}

#[tokio::test]
async fn the_receiver_can_verify_the_signature_in_both_content_types() {
    let site = rehearsal().await;
    let receiver = Receiver::that_answers(200).await;
    let form = "application/x-www-form-urlencoded";
    let key = [("signatureKey", "päss phrase")];
    hook(&site, FLOW_TRACE, &receiver.url("json"), &key).await;
    hook(&site, FLOW_TRACE, &receiver.url("form"), &[key[0], ("contentType", form)]).await;
    hook(&site, FLOW_TRACE, &receiver.url("unsigned"), &[("payloadFormat", "pjson")]).await;
    submit(&site, FLOW_TRACE_TASK, &POINT).await;
    for path in ["json", "form"] {
        let received = receiver.wait_for(path, 1).await.remove(0);
        let signature = received.header("x-esriHook-Signature").unwrap();
        let signature = signature.strip_prefix("sha256=").unwrap();
        let signature = base64::engine::general_purpose::STANDARD.decode(signature).unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice("päss phrase".as_bytes()).unwrap();
        mac.update(&received.body);
        mac.verify_slice(&signature).unwrap();
    }
    let posted = receiver.at("form").remove(0);
    assert_eq!(posted.header("content-type"), Some(form));
    let fields: Vec<(String, String)> = url::form_urlencoded::parse(&posted.body).into_owned().collect();
    assert_eq!((fields.len(), fields[0].0.as_str()), (1, "payload"));
    let payload: Value = serde_json::from_str(&fields[0].1).unwrap();
    assert_eq!(payload["eventType"], "esriJobSucceeded");
    let unsigned = receiver.wait_for("unsigned", 1).await.remove(0);
    assert!(unsigned.header("x-esriHook-Signature").is_none());
    assert!(unsigned.body.contains(&b'\n') && !receiver.at("json")[0].body.contains(&b'\n'));
}

#[tokio::test]
async fn a_receiver_that_answers_500_gets_three_attempts_and_then_the_failure_is_shown() {
    let site = rehearsal().await;
    let receiver = Receiver::that_answers(500).await;
    let id = hook(&site, FLOW_TRACE, &receiver.url("gp"), &[("signatureKey", "secret")]).await;
    let begun = Instant::now();
    submit(&site, FLOW_TRACE_TASK, &POINT).await;
    let shown = wait_for_failures(&site, FLOW_TRACE, &id, 1).await;
    // Two pauses of 5 seconds, the default of deployed sites.
    assert!(begun.elapsed() >= Duration::from_secs(10), "{:?}", begun.elapsed());
    assert_eq!(shown.len(), 1);
    assert_eq!((&shown[0]["invoked"], &shown[0]["attempts"]), (&json!(false), &json!(3)));
    assert!(shown[0]["invokedTimestamp"].as_i64().unwrap() > 1_700_000_000_000);
    assert!(shown[0]["responseText"].as_str().unwrap().contains("500"));
    let attempts = receiver.at("gp");
    assert_eq!(attempts.len(), 3);
    assert!(attempts.iter().all(|attempt| attempt.body == attempts[0].body));
    assert_eq!(queued(&site, &id), 0);

    // What is delivered is not listed.
    receiver.answers(204);
    submit(&site, FLOW_TRACE_TASK, &POINT).await;
    receiver.wait_for("gp", 4).await;
    until("an empty queue", async || queued(&site, &id) == 0).await;
    assert_eq!(failures(&site, FLOW_TRACE, &id).await, shown);
    let edit = format!("{FLOW_TRACE}/{id}/edit");
    for active in ["false", "true"] {
        assert_eq!(failures(&site, FLOW_TRACE, &id).await.len(), 1, "forgotten too early");
        site.post_as("publisher", &edit, &[("active", active)]).await;
    }
    assert!(failures(&site, FLOW_TRACE, &id).await.is_empty());
}

#[tokio::test]
async fn the_number_of_attempts_is_a_setting() {
    let site = rehearsal().await;
    site.post_as("administrator", SETTINGS, &[("notificationAttempts", "1")]).await;
    let receiver = Receiver::that_answers(404).await;
    let id = hook(&site, FLOW_TRACE, &receiver.url("gp"), &[]).await;
    submit(&site, FLOW_TRACE_TASK, &POINT).await;
    wait_for_failures(&site, FLOW_TRACE, &id, 1).await;
    assert_eq!(receiver.at("gp").len(), 1);
}

#[tokio::test]
async fn a_redirect_is_a_failure_and_is_not_followed() {
    let site = rehearsal().await;
    site.post_as("administrator", SETTINGS, &[("notificationAttempts", "1")]).await;
    let receiver = Receiver::that_answers(307).await;
    let id = hook(&site, FLOW_TRACE, &receiver.url("gp"), &[]).await;
    submit(&site, FLOW_TRACE_TASK, &POINT).await;
    let shown = wait_for_failures(&site, FLOW_TRACE, &id, 1).await;
    assert!(shown[0]["responseText"].as_str().unwrap().contains("307"));
    assert_eq!((receiver.at("gp").len(), receiver.at("elsewhere").len()), (1, 0));
}

#[tokio::test]
async fn a_webhook_that_keeps_failing_is_deactivated_by_the_policy() {
    let site = rehearsal().await;
    let policy = r#"{"numberOfFailures":2,"daysInPast":1}"#;
    let form = [("notificationAttempts", "1"), ("deactivationPolicy", policy)];
    site.post_as("administrator", SETTINGS, &form).await;
    let receiver = Receiver::that_answers(500).await;
    let id = hook(&site, FLOW_TRACE, &receiver.url("gp"), &[]).await;
    let path = format!("{FLOW_TRACE}/{id}");
    let active = async || site.get_as("publisher", &path).await["active"].as_bool().unwrap();
    submit(&site, FLOW_TRACE_TASK, &POINT).await;
    wait_for_failures(&site, FLOW_TRACE, &id, 1).await;
    assert!(active().await);
    submit(&site, FLOW_TRACE_TASK, &POINT).await;
    until("the webhook to be deactivated", async || !active().await).await;
    assert_eq!(receiver.at("gp").len(), 2);
}

/// On this system the address 0.0.0.0 reaches this machine without being a loopback address: the receiver would
/// hear of an attempt.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn nothing_leaves_loopback_unless_a_setting_says_so() {
    let site = rehearsal().await;
    let receiver = Receiver::that_answers(200).await;
    let far = format!("http://0.0.0.0:{}/far", receiver.port());
    let near = format!("http://localhost:{}/near", receiver.port());
    let id = hook(&site, FLOW_TRACE, &far, &[]).await;
    let named = hook(&site, FLOW_TRACE, "https://hooks.example.net/named", &[]).await;
    hook(&site, FLOW_TRACE, &near, &[]).await;
    submit(&site, FLOW_TRACE_TASK, &POINT).await;
    for (id, host) in [(&id, "0.0.0.0"), (&named, "hooks.example.net")] {
        let shown = wait_for_failures(&site, FLOW_TRACE, id, 1).await;
        assert_eq!(shown[0]["attempts"], 0);
        let reason = shown[0]["responseText"].as_str().unwrap();
        assert!(reason.contains("Nothing was sent") && reason.contains(host), "{reason}");
    }
    receiver.wait_for("near", 1).await;
    assert!(receiver.at("far").is_empty());

    let site = site.restarted_with(|options| options.deliver_anywhere = true).await;
    submit(&site, FLOW_TRACE_TASK, &POINT).await;
    receiver.wait_for("far", 1).await;
}

#[tokio::test]
async fn what_is_queued_survives_a_stop_and_names_the_new_address() {
    let site = rehearsal().await;
    let receiver = Receiver::that_answers(500).await;
    let id = hook(&site, FLOW_TRACE, &receiver.url("gp"), &[]).await;
    let job = submit(&site, FLOW_TRACE_TASK, &POINT).await;
    job_with_status(&site, FLOW_TRACE_TASK, &job, "esriJobSucceeded").await;
    receiver.wait_for("gp", 1).await;
    let site = site.restarted().await;
    receiver.answers(200);
    until("an empty queue", async || queued(&site, &id) == 0).await;
    let payload = receiver.at("gp").pop().unwrap().json().unwrap();
    assert_eq!(payload["jobId"], job);
    assert!(payload["statusURL"].as_str().unwrap().starts_with(&site.address("")));
    assert!(failures(&site, FLOW_TRACE, &id).await.is_empty());
}
