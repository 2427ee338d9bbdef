//! Operation 7.

use crate::support::{Rehearsal, error_code, rehearsal};
use serde_json::Value;
use std::time::{SystemTime, UNIX_EPOCH};

const SEVENTY_TWO_HOURS: i64 = 72 * 60 * 60 * 1000;

fn now_ms() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

async fn invitations(site: &Rehearsal, collaboration: &str) -> Vec<Value> {
    let all = site.get_as("administrator", &format!("{collaboration}/invitations")).await;
    all["collaborationInvitations"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_refreshed_invitation_expires_in_72_hours_and_comes_as_a_file() {
    let site = rehearsal().await;
    let collaboration = site.collaboration(true).await;
    let all = invitations(&site, &collaboration).await;
    let before = all.iter().min_by_key(|one| one["expiration"].as_i64()).unwrap();
    let path = format!("{collaboration}/invitations/{}", before["id"].as_str().unwrap());
    assert!(before["expiration"].as_i64().unwrap() < now_ms() + SEVENTY_TWO_HOURS / 2);

    let token = site.token("administrator").await;
    let earliest = now_ms() + SEVENTY_TWO_HOURS;
    let address = site.address(&format!("{path}/refresh"));
    let form = [("f", "json"), ("token", &token)];
    let response = site.http.post(address).form(&form).send().await.unwrap();
    let latest = now_ms() + SEVENTY_TWO_HOURS;

    let host = url::Url::parse(before["guestPortalUrl"].as_str().unwrap()).unwrap();
    let name = format!("attachment; filename=collaboration-{}.invite", host.host_str().unwrap());
    assert_eq!(response.headers()["content-disposition"], name.as_str());
    assert_eq!(response.headers()["content-type"], "application/octet-stream");
    let text = response.text().await.unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();

    let after = site.get_as("administrator", &path).await;
    let expiration = after["expiration"].as_i64().unwrap();
    assert!((earliest..=latest).contains(&expiration));
    assert_eq!(file["invitationRequest"]["expiration"], expiration);
    // The same invitation, in the file and in the record.
    assert_eq!(file["invitationRequest"]["id"], before["id"]);
    assert_eq!(after["invitationString"], text);
    assert_eq!(after["created"], before["created"]);
    assert_eq!(after["status"], before["status"]);
}

#[tokio::test]
async fn unknown_invitations_and_other_hosts_invitations_are_refused() {
    let site = rehearsal().await;
    let ours = site.collaboration(true).await;
    let theirs = site.collaboration(false).await;
    let unknown = format!("{ours}/invitations/unknown/refresh");
    assert_eq!(error_code(&site.post_as("administrator", &unknown, &[]).await), 404);

    let before = invitations(&site, &theirs).await;
    let id = before[0]["id"].as_str().unwrap();
    let answer = site.post_as("administrator", &format!("{theirs}/invitations/{id}/refresh"), &[]).await;
    assert_eq!(error_code(&answer), 403);
    assert_eq!(invitations(&site, &theirs).await, before);
    // Nor by way of another collaboration.
    let answer = site.post_as("administrator", &format!("{ours}/invitations/{id}/refresh"), &[]).await;
    assert_eq!(error_code(&answer), 404);
}

#[tokio::test]
async fn accepted_and_invalidated_invitations_are_refused_and_stay_as_they_are() {
    let site = rehearsal().await;
    let ours = site.collaboration(true).await;
    let all = invitations(&site, &ours).await;
    assert!(all.len() >= 2);
    let path = |one: &Value| format!("{ours}/invitations/{}", one["id"].as_str().unwrap());
    let invalidate = format!("{}/invalidate", path(&all[0]));
    assert_eq!(site.post_as("administrator", &invalidate, &[]).await, serde_json::json!({ "success": true }));
    let accept = "UPDATE invitations SET status = 'guest_accepted' WHERE id = ?1";
    site.portal_db().execute(accept, [all[1]["id"].as_str().unwrap()]).unwrap();
    let before = invitations(&site, &ours).await;
    for (one, status) in [(&all[0], "invalidated"), (&all[1], "guest_accepted")] {
        let answer = site.post_as("administrator", &format!("{}/refresh", path(one)), &[]).await;
        assert_eq!(error_code(&answer), 400);
        assert!(answer["error"]["message"].as_str().unwrap().contains(status), "{answer}");
    }
    assert_eq!(invitations(&site, &ours).await, before);
}
