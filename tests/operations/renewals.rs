//! Sessions that are renewed: side by side, over a keyring that waits, at a portal in trouble.

use std::sync::Arc;

use steward_client::{ClientError, describe_portal};
use steward_core::actions::sign_in::{SignInForm, sign_in, sign_in_as};
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::export_portal::{ExportPortalForm, PortalExportDestination};
use steward_core::sites::SiteForm;
use steward_testkit::{Fault, until};
use steward_vault::{Secret, SecretStore};

use crate::held_keyring::{HeldKeyring, PATIENCE, Question};
use crate::test_app::{TestApp, form};

/// From now on the refresh token is on its last day.
async fn on_its_last_day(app: &TestApp) {
    let mut kept: serde_json::Value = serde_json::from_str(&app.kept("portal").await.unwrap()).unwrap();
    let soon = jiff::Timestamp::now().as_millisecond() + 60_000;
    kept["refresh"]["expires_at"] = serde_json::json!(soon);
    app.vault.set(&format!("{}/portal", app.site.0), Secret::new(kept.to_string())).await.unwrap();
}

#[tokio::test]
async fn a_site_that_is_edited_during_work_does_not_sign_the_person_out() {
    let app = crate::browser_sign_in::signed_in().await;
    on_its_last_day(&app).await;
    let app = app.restarted();
    let site = app.sites().get(&app.site).unwrap();
    let under_way = app.steward.context.access.portal(&site).await.unwrap();
    // What saving the site does to the way there.
    app.steward.context.access.forget_known(&app.site);
    let next = app.steward.context.access.portal(&site).await.unwrap();

    under_way.renew_token().await.unwrap();
    next.renew_token().await.unwrap();

    for portal in [under_way, next] {
        describe_portal(&portal).await.unwrap();
    }
}

#[tokio::test]
async fn two_who_ask_at_once_share_one_session() {
    let (app, keyring) = HeldKeyring::of(crate::browser_sign_in::signed_in().await);
    let site = app.sites().get(&app.site).unwrap();
    keyring.hold(Question::Get, "/portal");
    let person = async {
        keyring.waits(1).await;
        keyring.let_go();
    };

    let (one, two, ()) = tokio::join!(
        app.steward.context.access.portal(&site),
        app.steward.context.access.portal(&site),
        person
    );

    assert!(Arc::ptr_eq(one.unwrap().session().unwrap(), two.unwrap().session().unwrap()));
}

#[tokio::test]
async fn a_keyring_that_waits_for_its_password_keeps_no_other_site_waiting() {
    let (app, keyring) = HeldKeyring::of(TestApp::signed_out().await);
    let ready = app.practice.ready();
    let other = SiteForm { name: "County".to_owned(), ..form(None, &ready.portal, &ready.server) };
    let other = app.sites().save(&other).unwrap();
    let user = app.user("administrator");
    let password = Secret::new(user.password.clone());
    sign_in_as(&app.steward.context, &other.id, &user.username, &password).await.unwrap();
    keyring.hold(Question::Set, &app.site.0);

    let asked = async {
        keyring.waits(1).await;
        tokio::time::timeout(PATIENCE, app.steward.context.access.ask_who(&app.current(&other))).await
    };
    let asked = tokio::select! {
        signed_in = sign_in_as(&app.steward.context, &app.site, &user.username, &password) => panic!("{signed_in:?}"),
        asked = asked => asked,
    };

    assert_eq!(asked.expect("it waited for the other site").unwrap().username, user.username);
}

fn export_to(folder: &std::path::Path) -> ExportPortalForm {
    let target = PortalExportDestination::Folder { location: folder.display().to_string() };
    ExportPortalForm { target, check_only: false }
}

#[tokio::test]
async fn a_portal_in_trouble_signs_nobody_out() {
    let trouble = r#"{"error":{"code":500,"message":"The database is down.","details":[]}}"#;
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", trouble.len());
    let trouble = Fault::Instead([head.as_bytes(), trouble.as_bytes()].concat());
    for fault in [trouble, Fault::AnswerLost] {
        let app = TestApp::new().await;
        let user = app.user("administrator");
        let password = Secret::new(user.password.clone());
        app.steward.context.access.keep_password(&app.site, &user.username, &password).await.unwrap();
        app.order("export_portal", "expiredToken", &[]).await;
        let way = app.with_fault("generateToken", fault).await;
        let folder = app.folder("exports");

        let ended = app.export_portal(export_to(&folder)).await;

        assert!(matches!(ended, Err(Problem::NotRenewed { .. })), "{ended:?}");
        assert!(way.met() > 0);
        assert!(app.history().await.is_empty(), "the check was not sent, and nothing was exported");
        for name in ["portal", "password"] {
            assert!(app.kept(name).await.is_some(), "{name}");
        }
        let app = app.without_fault(way);
        app.order("export_portal", "expiredToken", &[]).await;
        let ended = app.export_portal(export_to(&folder)).await;
        assert!(matches!(ended, Ok(RunResult::Done { .. })), "{ended:?}");
    }
}

#[tokio::test]
async fn a_rejected_password_is_not_sent_again_whatever_closes_the_session_until_the_person_types_one() {
    let words = r#"{"error":{"code":400,"message":"Unable to generate token.","details":["Invalid username or password."]}}"#;
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", words.len());
    let rejection = Fault::Instead([head.as_bytes(), words.as_bytes()].concat());
    let app = TestApp::new().await;
    let user = app.user("administrator").clone();
    let old = Secret::new("it was changed meanwhile".to_owned());
    app.steward.context.access.keep_password(&app.site, &user.username, &old).await.unwrap();
    let way = app.with_fault("generateToken", rejection).await;
    let asks_to_sign_in = async |app: &TestApp| {
        let portal = app.steward.context.access.portal(&app.sites().get(&app.site).unwrap()).await.unwrap();
        let rejected = portal.renew_token().await.unwrap_err();
        assert!(matches!(rejected, ClientError::Rejected { code: 498, .. }), "{rejected:?}");
    };

    asks_to_sign_in(&app).await;
    until("the keyring", async || app.kept("password").await.is_none()).await;
    // Even if the keyring did not delete it.
    app.steward.context.access.keep_password(&app.site, &user.username, &old).await.unwrap();
    asks_to_sign_in(&app).await;
    app.steward.context.access.keep_password(&app.site, &user.username, &old).await.unwrap();
    app.steward.context.access.forget_connection(&app.site);
    asks_to_sign_in(&app).await;
    until("the keyring", async || app.kept("password").await.is_none()).await;
    let app = app.restarted();
    asks_to_sign_in(&app).await;
    assert_eq!(way.met(), 1, "more would lock the account");

    let app = app.without_fault(way);
    let form =
        SignInForm { username: user.username.clone(), password: user.password.clone(), keep_password: true };
    sign_in(&app.steward.context, app.site.clone(), None, form).await.unwrap();
    let portal = app.steward.context.access.portal(&app.sites().get(&app.site).unwrap()).await.unwrap();
    portal.renew_token().await.unwrap();
}
