//! Operation 6.

use crate::support::{Rehearsal, error_code, rehearsal};
use serde_json::{Value, json};

/// The address of a guest's record in a collaboration.
async fn guest(site: &Rehearsal, collaboration: &str) -> String {
    let all = site.get_as("administrator", &format!("{collaboration}/participants")).await;
    let all = all["participants"].as_array().unwrap().clone();
    let guest = all.iter().find(|one| one["collaborationRole"] == "Guest").unwrap();
    format!("{collaboration}/participants/{}", guest["portalInfo"]["id"].as_str().unwrap())
}

async fn update(site: &Rehearsal, participant: &str, form: &[(&str, &str)]) -> Value {
    site.post_as("administrator", &format!("{participant}/updateInfo"), form).await
}

#[tokio::test]
async fn the_new_contact_is_read_back() {
    let site = rehearsal().await;
    let participant = guest(&site, &site.collaboration(true).await).await;
    let form = [
        ("contactFirstname", "Kim"),
        ("contactLastname", "Harbour"),
        ("contactEmailAddress", "kim@example.org"),
    ];
    let answer = update(&site, &participant, &form).await;
    let ids: Vec<&str> = participant.split('/').collect();
    let expected = json!({ "success": true, "collaborationId": ids[7], "portalId": ids[9] });
    assert_eq!(answer, expected);
    let config = site.get_as("administrator", &participant).await["config"].clone();
    assert_eq!(config["contactFirstname"], "Kim");
    assert_eq!(config["contactLastname"], "Harbour");
    assert_eq!(config["contactEmailAddress"], "kim@example.org");
}

#[tokio::test]
async fn what_is_not_given_stays_and_both_spellings_are_read() {
    let site = rehearsal().await;
    let participant = guest(&site, &site.collaboration(true).await).await;
    let before = site.get_as("administrator", &participant).await["config"].clone();
    update(&site, &participant, &[("contactFirstName", "Jo"), ("contactEmailAddress", "")]).await;
    let after = site.get_as("administrator", &participant).await["config"].clone();
    assert_eq!(after["contactFirstname"], "Jo");
    assert_eq!(after["contactLastname"], before["contactLastname"]);
    assert_eq!(after["contactEmailAddress"], before["contactEmailAddress"]);
}

#[tokio::test]
async fn an_address_without_the_form_of_one_is_refused_and_nothing_changes() {
    let site = rehearsal().await;
    let participant = guest(&site, &site.collaboration(true).await).await;
    let before = site.get_as("administrator", &participant).await;
    for bad in ["nobody", "a@b", "a b@example.org"] {
        let answer =
            update(&site, &participant, &[("contactFirstname", "X"), ("contactEmailAddress", bad)]).await;
        assert_eq!(error_code(&answer), 400);
    }
    assert_eq!(site.get_as("administrator", &participant).await, before);
}

#[tokio::test]
async fn only_the_host_may_change_a_contact() {
    let site = rehearsal().await;
    let participant = guest(&site, &site.collaboration(false).await).await;
    let answer = update(&site, &participant, &[("contactFirstname", "Kim")]).await;
    assert_eq!(error_code(&answer), 403);
}

#[tokio::test]
async fn unknown_portals_collaborations_and_participants_are_refused() {
    let site = rehearsal().await;
    let collaboration = site.collaboration(true).await;
    let participant = guest(&site, &collaboration).await;
    for unknown in [
        participant.replace("/portals/self/", "/portals/ANOTHER/"),
        participant.replace(&collaboration, &format!("{collaboration}x")),
        format!("{participant}x"),
    ] {
        assert_eq!(error_code(&update(&site, &unknown, &[("contactFirstname", "Kim")]).await), 404);
    }
}
