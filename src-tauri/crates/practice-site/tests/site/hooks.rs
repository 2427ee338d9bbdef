//! Short ways to make webhooks and to give them something to tell.

use crate::support::Rehearsal;
use serde_json::{Value, json};
use steward_testkit::until;

pub(crate) const PLAYGROUNDS: &str = "/server/admin/services/Hosted/Playgrounds.FeatureServer/webhooks";
pub(crate) const FLOW_TRACE: &str = "/server/admin/services/Water/FlowTrace.GPServer/webhooks";
pub(crate) const PLAYGROUNDS_LAYER: &str = "/server/rest/services/Hosted/Playgrounds/FeatureServer/0";
pub(crate) const FLOW_TRACE_TASK: &str = "/server/rest/services/Water/FlowTrace/GPServer/FlowTrace";

/// Makes an active webhook that is told every second, and returns its id. Later fields win.
pub(crate) async fn hook(site: &Rehearsal, webhooks: &str, url: &str, fields: &[(&str, &str)]) -> String {
    let schedule = json!({ "recurrenceInfo": { "frequency": "second", "interval": 1 } }).to_string();
    let mut form = vec![
        ("name", url),
        ("hookUrl", url),
        ("active", "true"),
        ("changeTypes", "*"),
        ("scheduleInfo", schedule.as_str()),
    ];
    form.extend(fields);
    let answer = site.post_as("publisher", &format!("{webhooks}/create"), &form).await;
    assert_eq!(answer["status"], "success", "{answer}");
    answer["id"].as_str().unwrap().to_owned()
}

/// Adds a feature to a layer, and returns its object id.
pub(crate) async fn add_feature(site: &Rehearsal, layer: &str, name: &str) -> i64 {
    let adds = json!([{ "attributes": { "NAME": name }, "geometry": { "x": 1.5, "y": 2.5 } }]).to_string();
    let answer = site.post_as("publisher", &format!("{layer}/applyEdits"), &[("adds", &adds)]).await;
    assert_eq!(answer["addResults"][0]["success"], true, "{answer}");
    answer["addResults"][0]["objectId"].as_i64().unwrap()
}

pub(crate) async fn delete_feature(site: &Rehearsal, layer: &str, id: i64) {
    let id = id.to_string();
    let answer = site.post_as("publisher", &format!("{layer}/applyEdits"), &[("deletes", &id)]).await;
    assert_eq!(answer["deleteResults"][0]["success"], true, "{answer}");
}

/// Submits a job, and returns its id.
pub(crate) async fn submit(site: &Rehearsal, task: &str, inputs: &[(&str, &str)]) -> String {
    let answer = site.post_as("publisher", &format!("{task}/submitJob"), inputs).await;
    assert_eq!(answer["jobStatus"], "esriJobSubmitted", "{answer}");
    answer["jobId"].as_str().unwrap().to_owned()
}

/// Waits until a job has this status.
pub(crate) async fn job_with_status(site: &Rehearsal, task: &str, job: &str, status: &str) -> Value {
    let path = format!("{task}/jobs/{job}");
    until(&format!("the job to be {status}"), async || {
        site.get_as("publisher", &path).await["jobStatus"] == status
    })
    .await;
    site.get_as("publisher", &path).await
}

pub(crate) async fn failures(site: &Rehearsal, webhooks: &str, id: &str) -> Vec<Value> {
    let answer = site.get_as("publisher", &format!("{webhooks}/{id}/notificationStatus")).await;
    answer["webhookNotificationStatus"].as_array().unwrap().clone()
}

/// Waits until a webhook has this many failures.
pub(crate) async fn wait_for_failures(
    site: &Rehearsal,
    webhooks: &str,
    id: &str,
    count: usize,
) -> Vec<Value> {
    until(&format!("{count} failures"), async || failures(site, webhooks, id).await.len() >= count).await;
    failures(site, webhooks, id).await
}

pub(crate) fn runtime_db(site: &Rehearsal) -> rusqlite::Connection {
    rusqlite::Connection::open(site.data().join("server/runtime.db")).unwrap()
}

/// How many payloads a webhook has in the queue.
pub(crate) fn queued(site: &Rehearsal, id: &str) -> i64 {
    runtime_db(site)
        .query_row("SELECT count(*) FROM deliveries WHERE webhook = ?1", [id], |row| row.get(0))
        .unwrap()
}
