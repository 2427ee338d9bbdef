//! After a deactivation a receiver gets nothing, until activation.

use crate::hooks::{
    FLOW_TRACE, FLOW_TRACE_TASK, PLAYGROUNDS, PLAYGROUNDS_LAYER, add_feature, hook, job_with_status, queued,
    runtime_db, submit,
};
use crate::import_server::{exported, import};
use crate::receiver::{Receiver, SILENCE};
use crate::support::{Rehearsal, rehearsal};
use steward_testkit::until;

const SETTINGS: &str = "/server/admin/services/webhooks/settings";
const POINT: [(&str, &str); 1] = [("geometry", r#"{"x":1,"y":1}"#)];
const STREET_TREES: &str = "/server/admin/services/Hosted/StreetTrees.FeatureServer/webhooks";
const STREET_TREES_LAYER: &str = "/server/rest/services/Hosted/StreetTrees/FeatureServer/0";

/// Waits until whatever is queued for these webhooks is overdue, and others were served after that.
async fn others_are_served(site: &Rehearsal, receiver: &Receiver, held: &[&str]) {
    for id in held {
        until("the held payload to be overdue", async || {
            let due: i64 = runtime_db(site)
                .query_row("SELECT max(due) FROM deliveries WHERE webhook = ?1", [id], |row| row.get(0))
                .unwrap();
            due < jiff::Timestamp::now().as_millisecond()
        })
        .await;
    }
    for _ in 0..2 {
        let before = receiver.at("witness").len();
        add_feature(site, STREET_TREES_LAYER, "Lime").await;
        receiver.wait_for("witness", before + 1).await;
    }
}

#[tokio::test]
async fn after_deactivate_all_nothing_arrives_not_even_what_was_queued_and_activate_all_delivers_it() {
    let site = rehearsal().await;
    site.post_as("administrator", SETTINGS, &[("notificationAttempts", "5")]).await;
    let (receiver, broken) = (Receiver::that_answers(200).await, Receiver::that_answers(500).await);
    hook(&site, STREET_TREES, &receiver.url("witness"), &[]).await;
    let features = hook(&site, PLAYGROUNDS, &broken.url("fs"), &[]).await;
    let jobs = hook(&site, FLOW_TRACE, &broken.url("gp"), &[]).await;
    add_feature(&site, PLAYGROUNDS_LAYER, "Before").await;
    let before = submit(&site, FLOW_TRACE_TASK, &POINT).await;
    broken.wait_for("fs", 1).await;
    broken.wait_for("gp", 1).await;

    for webhooks in [PLAYGROUNDS, FLOW_TRACE] {
        let answer = site.post_as("publisher", &format!("{webhooks}/deactivateAll"), &[]).await;
        assert_eq!(answer["status"], "success");
    }
    let counts = (broken.at("fs").len(), broken.at("gp").len());
    broken.answers(200);
    // What happens now is not for them.
    add_feature(&site, PLAYGROUNDS_LAYER, "Meanwhile").await;
    let meanwhile = submit(&site, FLOW_TRACE_TASK, &POINT).await;
    job_with_status(&site, FLOW_TRACE_TASK, &meanwhile, "esriJobSucceeded").await;
    others_are_served(&site, &receiver, &[&features, &jobs]).await;
    let site = site.restarted().await;
    others_are_served(&site, &receiver, &[&features, &jobs]).await;
    assert_eq!((broken.at("fs").len(), broken.at("gp").len()), counts, "something arrived");
    assert_eq!((queued(&site, &features), queued(&site, &jobs)), (1, 1));

    for webhooks in [PLAYGROUNDS, FLOW_TRACE] {
        site.post_as("publisher", &format!("{webhooks}/activateAll"), &[]).await;
    }
    broken.wait_for("fs", counts.0 + 1).await;
    let told = broken.wait_for("gp", counts.1 + 1).await;
    assert_eq!(told.last().unwrap().json().unwrap()["jobId"], before);
    until("empty queues", async || queued(&site, &features) + queued(&site, &jobs) == 0).await;
    assert_eq!((broken.at("fs").len(), broken.at("gp").len()), (counts.0 + 1, counts.1 + 1));
    assert!(!told.iter().any(|one| one.json().unwrap()["jobId"] == meanwhile.as_str()));
}

/// A site that gives a payload up after one attempt that ran to its end. One that was cut off holds it.
async fn with_one_attempt() -> Rehearsal {
    let site = rehearsal().await;
    let answer = site.post_as("administrator", SETTINGS, &[("notificationAttempts", "1")]).await;
    assert_eq!(answer["status"], "success", "{answer}");
    site
}

/// How many attempts ran to their end, also of webhooks that are no more. A stop waits for those that are under way.
async fn ran_to_their_end(site: Rehearsal) -> i64 {
    let site = site.restarted().await;
    runtime_db(&site).query_row("SELECT count(*) FROM failures", [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn an_attempt_under_way_has_ended_when_the_answer_comes() {
    let site = with_one_attempt().await;
    let receiver = Receiver::that_answers(SILENCE).await;
    let id = hook(&site, FLOW_TRACE, &receiver.url("gp"), &[]).await;
    submit(&site, FLOW_TRACE_TASK, &POINT).await;
    let edit = format!("{FLOW_TRACE}/{id}/edit");
    let all = format!("{FLOW_TRACE}/deactivateAll");
    let delete = format!("{FLOW_TRACE}/{id}/delete");
    for (path, form) in [(&all, &[][..]), (&edit, &[("active", "false")]), (&delete, &[])] {
        // The payload is held: there is an attempt after each activation.
        receiver.wait_for_open(1).await;
        let answer = site.post_as("publisher", path, form).await;
        assert_eq!(answer["status"], "success", "{answer}");
        receiver.wait_for_open(0).await;
        let count = if *path == delete { 0 } else { 1 };
        assert_eq!(queued(&site, &id), count, "{path}");
        if count == 1 {
            site.post_as("publisher", &edit, &[("active", "true")]).await;
        }
    }
    assert_eq!(ran_to_their_end(site).await, 0);
}

#[tokio::test]
async fn delete_all_ends_attempts_and_forgets_what_is_queued() {
    let site = with_one_attempt().await;
    let receiver = Receiver::that_answers(SILENCE).await;
    let first = hook(&site, FLOW_TRACE, &receiver.url("first"), &[]).await;
    let second = hook(&site, FLOW_TRACE, &receiver.url("second"), &[]).await;
    submit(&site, FLOW_TRACE_TASK, &POINT).await;
    receiver.wait_for_open(2).await;
    let answer = site.post_as("publisher", &format!("{FLOW_TRACE}/deleteAll"), &[]).await;
    assert_eq!(answer["status"], "success");
    assert_eq!(queued(&site, &first) + queued(&site, &second), 0);
    receiver.wait_for_open(0).await;
    assert_eq!((receiver.at("first").len(), receiver.at("second").len()), (1, 1));
    assert_eq!(ran_to_their_end(site).await, 0);
}

#[tokio::test]
async fn a_stop_does_not_wait_for_a_receiver_and_loses_nothing() {
    let site = with_one_attempt().await;
    let receiver = Receiver::that_answers(SILENCE).await;
    let id = hook(&site, FLOW_TRACE, &receiver.url("gp"), &[]).await;
    submit(&site, FLOW_TRACE_TASK, &POINT).await;
    receiver.wait_for_open(1).await;
    receiver.answers(200);
    let site = site.restarted().await;
    receiver.wait_for("gp", 2).await;
    receiver.wait_for_open(0).await;
    until("an empty queue", async || queued(&site, &id) == 0).await;
    assert_eq!(ran_to_their_end(site).await, 0);
}

#[tokio::test]
async fn an_import_that_deactivates_a_webhook_ends_its_attempt_and_holds_the_payload() {
    let site = with_one_attempt().await;
    let receiver = Receiver::that_answers(SILENCE).await;
    let id = hook(&site, FLOW_TRACE, &receiver.url("gp"), &[("active", "false")]).await;
    let file = exported(&site).await;
    let edit = format!("{FLOW_TRACE}/{id}/edit");
    site.post_as("publisher", &edit, &[("active", "true")]).await;
    submit(&site, FLOW_TRACE_TASK, &POINT).await;
    receiver.wait_for_open(1).await;
    assert_eq!(import(&site, file.to_str().unwrap()).await["status"], "success");
    receiver.wait_for_open(0).await;
    assert_eq!((queued(&site, &id), receiver.at("gp").len()), (1, 1));
    receiver.answers(200);
    site.post_as("publisher", &edit, &[("active", "true")]).await;
    receiver.wait_for("gp", 2).await;
}
