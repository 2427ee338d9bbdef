//! Operation 4.

use crate::support::{Rehearsal, rehearsal, server_error_code};

const HYDRANTS: &str = "/server/admin/services/Hosted/Hydrants.FeatureServer/webhooks";
const BUFFER: &str = "/server/admin/services/Buffer.GPServer/webhooks";

async fn active(site: &Rehearsal, webhooks: &str) -> Vec<bool> {
    let listed = site.get_as("publisher", webhooks).await;
    listed["webhooks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|webhook| webhook["active"].as_bool().unwrap())
        .collect()
}

#[tokio::test]
async fn every_webhook_of_a_feature_or_geoprocessing_service_is_deactivated() {
    let site = rehearsal().await;
    for (webhooks, role) in [(HYDRANTS, "publisher"), (BUFFER, "administrator")] {
        assert!(active(&site, webhooks).await.contains(&true));
        let answer = site.post_as(role, &format!("{webhooks}/deactivateAll"), &[("f", "json")]).await;
        assert_eq!(answer, serde_json::json!({ "status": "success" }));
        assert!(!active(&site, webhooks).await.contains(&true));
    }
    // Only of these services.
    let others = "/server/admin/services/Hosted/StreetTrees.FeatureServer/webhooks";
    assert!(active(&site, others).await.contains(&true));
    let stored: i64 = site
        .server_db()
        .query_row(
            "SELECT sum(active) FROM webhooks JOIN services ON services.id = service_id WHERE services.name = 'Hydrants'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(stored, 0);
}

#[tokio::test]
async fn activating_again_restores_exactly_what_was_active() {
    let site = rehearsal().await;
    let before = active(&site, HYDRANTS).await;
    assert!(before.contains(&true) && before.contains(&false));
    // Twice: the second must not make the site forget what the first one stopped.
    for _ in 0..2 {
        site.post_as("publisher", &format!("{HYDRANTS}/deactivateAll"), &[]).await;
    }
    let answer = site.post_as("publisher", &format!("{HYDRANTS}/activateAll"), &[]).await;
    assert_eq!(answer["status"], "success");
    assert_eq!(active(&site, HYDRANTS).await, before);
    // Without a pause to end, all are activated.
    site.post_as("publisher", &format!("{HYDRANTS}/activateAll"), &[]).await;
    assert!(!active(&site, HYDRANTS).await.contains(&false));
}

#[tokio::test]
async fn an_unknown_service_and_a_service_without_webhooks_are_refused() {
    let site = rehearsal().await;
    let path = |service: &str| format!("/server/admin/services/{service}/webhooks/deactivateAll");
    for unknown in ["Hosted/Nothing.FeatureServer", "Nothing.GPServer", "Elsewhere/Buffer.GPServer"] {
        assert_eq!(server_error_code(&site.post_as("publisher", &path(unknown), &[]).await), 404);
    }
    let answer = site.post_as("publisher", &path("Basemap.MapServer"), &[]).await;
    assert_eq!(server_error_code(&answer), 400);
    let nonsense = site.post_as("publisher", &path("Basemap"), &[]).await;
    assert_eq!(server_error_code(&nonsense), 404);
}
