//! Enterprise on Kubernetes: one administration, at the portal's own web context, which takes the portal's token.

use std::sync::atomic::{AtomicBool, Ordering};

use steward_client::Version;
use steward_core::listings::services_of;
use steward_core::model::deployment::{DeploymentType, ServerType};
use steward_core::model::ids::SiteId;
use steward_core::model::run_result::RunResult;
use steward_core::operations::deactivate_webhooks::{self, DeactivateWebhooksForm};
use steward_core::operations::find_items::{self, FindItemsForm, FirstRows};
use steward_core::sites::SiteForm;
use steward_vault::{Secret, SecretStore};

use crate::odd_sites::json;
use crate::scripted::{Scripted, Then};
use crate::test_app::TestApp;

/// Version 11.1, whose portal does not tell its version.
async fn deployment() -> Scripted {
    let is_active = AtomicBool::new(true);
    Scripted::new(move |_, head| {
        let path = head.split_whitespace().nth(1).unwrap().split('?').next().unwrap();
        let webhooks = format!(
            r#"{{"webhooks":[{{"id":"1","name":"notify","active":{},"hookUrl":"https://hooks.example.org/"}}]}}"#,
            is_active.load(Ordering::Relaxed)
        );
        let body = match path {
            "/gis/sharing/rest/portals/self" => {
                r#"{"id":"0123456789ABCDEF","isPortal":true,"user":{"username":"gisadmin","role":"org_admin"}}"#
            }
            // No server is federated with it: there is nothing to exchange a token for.
            "/gis/sharing/rest/generatetoken" => {
                r#"{"error":{"code":400,"message":"Unable to generate token.","details":[]}}"#
            }
            "/gis/sharing/rest/portals/self/servers" => r#"{"servers":[]}"#,
            "/gis/admin" => r#"{"currentVersion":11.1,"fullVersion":"11.1.0","resources":["services","data"]}"#,
            "/gis/admin/services" => {
                r#"{"folders":[],"services":[{"serviceName":"hydrants","type":"FeatureServer"}]}"#
            }
            "/gis/admin/services/hydrants.featureserver/webhooks" => &webhooks,
            "/gis/admin/services/hydrants.featureserver/webhooks/deactivateall" => {
                is_active.store(false, Ordering::Relaxed);
                r#"{"status":"success"}"#
            }
            "/gis/admin/data/finditems" => r#"{"items":[{"path":"/enterpriseDatabases/relds-1","type":"egdb"}]}"#,
            _ => {
                let page = b"HTTP/1.1 404 Not Found\r\ncontent-length: 6\r\nconnection: close\r\n\r\n<html>";
                return (page.to_vec(), Then::Close);
            }
        };
        (json(body), Then::Close)
    })
    .await
}

fn context(of: &Scripted) -> String {
    of.address().replace("/server", "/gis")
}

/// A site on Kubernetes at which somebody is signed in.
async fn site(app: &TestApp, portal: &str, administration: &str) -> SiteId {
    let mut form = SiteForm::of("Water on Kubernetes", portal, administration);
    form.deployment_type = Some(DeploymentType::Kubernetes);
    form.servers[0].server_type = ServerType::Kubernetes;
    let id = app.sites().save(&form).unwrap().id;
    let token = r#"{"token":"portal-token","expires_at":null}"#.to_owned();
    app.vault.set(&format!("{}/portal", id.0), Secret::new(token)).await.unwrap();
    id
}

#[tokio::test]
async fn kubernetes_is_administered_with_the_portals_token_and_asked_for_what_it_has() {
    let (app, deployment) = (TestApp::signed_out().await, deployment().await);
    let at = context(&deployment);
    let site = site(&app, &at, &at).await;

    let known =
        app.steward.context.access.known(&app.sites().at(&app.server_of(&site)).unwrap()).await.unwrap();
    let version = Some(Version::new(11, 1));
    assert_eq!((known.portal_version, known.server_version), (version, version));
    let services = services_of(&app.steward.context.access, &app.server_of(&site)).await.unwrap();
    assert_eq!(services[0].webhooks.as_ref().unwrap()[0].active, Some(true), "{services:?}");
    let form = DeactivateWebhooksForm {
        services: vec![services[0].path.clone()],
        why: String::new(),
        confirmation: String::new(),
    };
    let silenced =
        deactivate_webhooks::perform(&app.steward.context, &app.server_of(&site), app.run(), form).await;
    assert!(matches!(silenced, Ok(RunResult::Done { .. })), "{silenced:?}");
    let everything = FindItemsForm { ancestor_path: "/".to_owned(), ..FindItemsForm::default() };
    let found = find_items::perform(
        &app.steward.context,
        &app.steward.item_searches,
        &app.server_of(&site),
        app.run(),
        everything,
        FirstRows::default(),
    )
    .await;
    assert!(matches!(found, Ok(RunResult::Done { .. })), "{found:?}");

    let asked = deployment.asked();
    for no in ["generatetoken", "/gis/rest/info"] {
        assert!(!asked.iter().any(|head| head.contains(no)), "{no}: {asked:?}");
    }
    let read = |head: &&String| head.starts_with("get /gis/admin");
    assert!(asked.iter().filter(read).count() >= 3, "{asked:?}");
    for head in asked.iter().filter(read) {
        assert!(head.contains("x-esri-authorization: bearer portal-token"), "{head}");
    }
}

#[tokio::test]
async fn the_portals_token_goes_to_no_administration_elsewhere() {
    let (app, portal, elsewhere) = (TestApp::signed_out().await, deployment().await, deployment().await);
    let site = site(&app, &context(&portal), &context(&elsewhere)).await;

    let services = services_of(&app.steward.context.access, &app.server_of(&site)).await;

    assert!(services.is_err(), "{services:?}");
    assert!(!elsewhere.asked().iter().any(|head| head.contains("portal-token")), "{:?}", elsewhere.asked());
}
