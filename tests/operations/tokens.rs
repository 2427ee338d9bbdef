//! Tokens that run out while the program works, and whose they are.

use steward_core::actions::sign_in::{sign_in_as, sign_in_as_bearer};
use steward_core::model::problem::{FieldError, Problem};
use steward_core::model::run_result::RunResult;
use steward_core::operations::{export_portal, find_items};
use steward_vault::{Secret, SecretStore};

use crate::test_app::TestApp;

fn everything() -> find_items::FindItemsForm {
    find_items::FindItemsForm { ancestor_path: "/".to_owned(), ..find_items::FindItemsForm::default() }
}

#[tokio::test]
async fn a_token_that_ran_out_is_renewed_with_the_kept_password_and_nobody_is_asked() {
    let app = TestApp::new().await;
    let user = app.user("administrator");
    let password = Secret::new(user.password.clone());
    app.steward.context.access.keep_password(&app.site, &user.username, &password).await.unwrap();
    let before = app.kept("portal").await.unwrap();
    app.order("export_portal", "expired-token", &[]).await;
    let folder = app.folder("exports");

    let ended = app.export_portal(export_to(&folder)).await;

    assert!(matches!(ended, Ok(RunResult::Done { .. })), "{ended:?}");
    assert_eq!(crate::test_app::files_in(&folder).len(), 1, "exported once");
    assert_ne!(app.kept("portal").await.unwrap(), before, "the new token is in the keyring");
}

#[tokio::test]
async fn a_token_that_cannot_be_renewed_asks_the_person_to_sign_in() {
    let app = TestApp::new().await;
    app.order("export_portal", "expired-token", &[]).await;
    let folder = app.folder("exports");

    let ended = app.export_portal(export_to(&folder)).await;

    assert_eq!(ended.err(), Some(Problem::sign_in(&app.site)));
    assert!(crate::test_app::files_in(&folder).is_empty());
}

#[tokio::test]
async fn a_federated_server_is_asked_with_a_token_that_the_portal_made_for_it() {
    let app = TestApp::new().await;

    let found = app.find_items(everything()).await;

    assert!(matches!(found, Ok(RunResult::Done { .. })), "{found:?}");
    assert!(app.kept("server/server").await.is_none(), "the portal makes another when it is needed");
    // Renewed at the portal when the server no longer takes it.
    app.order("find_items", "expired-token", &[]).await;
    let found = app.find_items(everything()).await;
    assert!(matches!(found, Ok(RunResult::Done { .. })), "{found:?}");
}

#[tokio::test]
async fn a_pasted_token_signs_in_whoever_it_belongs_to() {
    let app = TestApp::new().await;
    let kept: serde_json::Value = serde_json::from_str(&app.kept("portal").await.unwrap()).unwrap();
    let token = kept["token"].as_str().unwrap();

    let pasted = Secret::new(format!("https://gis.example.org/?f=json&token={token}"));
    let session = sign_in_as_bearer(&app.steward.context, &app.site, &pasted).await.unwrap();

    assert_eq!(session.username, app.user("administrator").username);
    assert!(session.expires_at.is_none(), "nobody says when it ends");
    let wrong =
        sign_in_as_bearer(&app.steward.context, &app.site, &Secret::new("two words".to_owned())).await;
    assert_eq!(wrong.err(), Some(Problem::form("token", FieldError::NotAToken)));
}

#[tokio::test]
async fn who_signs_in_next_does_not_work_with_the_token_before() {
    let app = TestApp::new().await;
    app.find_items(everything()).await.unwrap();
    let viewer = app.user("viewer");

    sign_in_as(&app.steward.context, &app.site, &viewer.username, &Secret::new(viewer.password.clone()))
        .await
        .unwrap();

    let refused = app.find_items(everything()).await;
    assert!(matches!(refused, Err(Problem::Rejected { code: Some(403), .. })), "{refused:?}");
}

/// Keeps the password, and lets the portal's token end in a minute; what is kept of that token.
pub(crate) async fn with_a_short_token(app: &TestApp) -> serde_json::Value {
    let user = app.user("administrator");
    let password = Secret::new(user.password.clone());
    app.steward.context.access.keep_password(&app.site, &user.username, &password).await.unwrap();
    let mut short: serde_json::Value = serde_json::from_str(&app.kept("portal").await.unwrap()).unwrap();
    short["expires_at"] = serde_json::json!(jiff::Timestamp::now().as_millisecond() + 60_000);
    let name = format!("{}/portal", app.site.0);
    app.vault.set(&name, Secret::new(short.to_string())).await.unwrap();
    short
}

#[tokio::test]
async fn a_token_that_would_end_under_way_is_renewed_before_an_export() {
    let app = TestApp::new().await;
    let short = with_a_short_token(&app).await;
    app.steward.context.access.forget_connection(&app.site);
    let folder = app.folder("exports");

    let ended = app.export_portal(export_to(&folder)).await;

    assert!(matches!(ended, Ok(RunResult::Done { .. })), "{ended:?}");
    let kept: serde_json::Value = serde_json::from_str(&app.kept("portal").await.unwrap()).unwrap();
    assert_ne!(kept["token"], short["token"], "another token, before anything was sent");
}

fn export_to(folder: &std::path::Path) -> export_portal::ExportPortalForm {
    export_portal::ExportPortalForm {
        target: export_portal::PortalExportDestination::Folder { location: folder.display().to_string() },
        check_only: false,
    }
}
