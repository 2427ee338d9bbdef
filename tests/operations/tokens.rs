//! Tokens that run out while the program works, and whose they are.

use steward_app::steward::Steward;
use steward_core::actions::sign_in::{sign_in_as, sign_in_as_bearer};
use steward_core::batch::result::BatchItemResult;
use steward_core::model::problem::{FieldError, Problem};
use steward_core::model::run_result::RunResult;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination};
use steward_core::operations::update_participant::perform_several;
use steward_core::operations::{export_portal, find_items};
use steward_journal::Outcome;
use steward_vault::{Secret, SecretStore};

use crate::test_app::TestApp;
use crate::update_participant::{form as contact_of, guests};

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
    app.order("export_portal", "expiredToken", &[]).await;
    let folder = app.folder("exports");

    let ended = app.export_portal(export_to(&folder)).await;

    assert!(matches!(ended, Ok(RunResult::Done { .. })), "{ended:?}");
    assert_eq!(crate::test_app::files_in(&folder).len(), 1, "exported once");
    assert_ne!(app.kept("portal").await.unwrap(), before, "the new token is in the keyring");
}

#[tokio::test]
async fn a_token_that_cannot_be_renewed_asks_the_person_to_sign_in() {
    let app = TestApp::new().await;
    app.order("export_portal", "expiredToken", &[]).await;
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
    app.order("find_items", "expiredToken", &[]).await;
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
    let end = 4_102_444_800_000_i64;
    let response = serde_json::json!({ "token": token, "expires": end, "ssl": true });
    let cookie: String = url::form_urlencoded::byte_serialize(response.to_string().as_bytes()).collect();
    for (pasted, ends) in [
        (serde_json::to_string_pretty(&response).unwrap(), true),
        (format!("Cookie: a=b; esri_auth={cookie}; c=d"), true),
        (format!("X-Esri-Authorization: Bearer {token}"), false),
    ] {
        let session = sign_in_as_bearer(&app.steward.context, &app.site, &Secret::new(pasted)).await.unwrap();
        assert_eq!(session.username, app.user("administrator").username);
        assert_eq!(session.expires_at.map(|time| time.0), ends.then_some(end));
    }
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

#[tokio::test]
async fn a_token_that_ends_soon_is_renewed_before_a_small_change_too() {
    let app = TestApp::new().await;
    let guest = guests(&app).await.remove(0);
    let short = with_a_short_token(&app).await;
    app.steward.context.access.forget_connection(&app.site);

    let ended = app.update_participant(contact_of(&guest)).await;

    assert!(matches!(ended, Ok(RunResult::Done { .. })), "{ended:?}");
    let kept: serde_json::Value = serde_json::from_str(&app.kept("portal").await.unwrap()).unwrap();
    assert_ne!(kept["token"], short["token"], "a change is not sent again with another token");
}

#[tokio::test]
async fn a_change_whose_token_is_rejected_is_sent_once_and_can_be_started_again() {
    let app = TestApp::new().await;
    app.order("export_server", "expiredToken", &[]).await;
    let folder = app.folder("exports");
    let location = folder.display().to_string();
    let form =
        || ExportServerForm { place: ServerExportDestination::ServerFolder { location: location.clone() } };

    let rejected = app.export_server(form()).await;

    assert_eq!(rejected.err(), Some(Problem::TokenRenewed));
    assert!(crate::test_app::files_in(&folder).is_empty());
    let record = app.history().await.remove(0);
    assert_eq!(record.outcome, Outcome::Failed);
    let kept = app.steward.context.history.journal(move |journal| journal.whole(&record.id)).await.unwrap();
    assert!(kept.response.unwrap().text.contains("Invalid Token."), "what the site said is kept");
    let again = app.export_server(form()).await;
    assert!(matches!(again, Ok(RunResult::Done { .. })), "{again:?}");
    assert_eq!(crate::test_app::files_in(&folder).len(), 1);
}

#[tokio::test]
async fn after_a_change_whose_token_was_rejected_the_others_of_a_batch_are_sent_with_the_next_one() {
    let app = TestApp::new().await;
    let user = app.user("administrator");
    let password = Secret::new(user.password.clone());
    app.steward.context.access.keep_password(&app.site, &user.username, &password).await.unwrap();
    let forms: Vec<_> = guests(&app).await.iter().take(3).map(contact_of).collect();
    assert!(forms.len() > 1);
    app.order("update_participant", "expiredToken", &[]).await;

    let Steward { context, contacts_batches, .. } = &app.steward;
    let ended = perform_several(context, contacts_batches, &app.site, app.run(), forms).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let first = &report.parts[0];
    assert!(matches!(first, BatchItemResult::Rejected { problem: Problem::TokenRenewed }), "{first:?}");
    let others = &report.parts[1..];
    assert!(others.iter().all(|part| matches!(part, BatchItemResult::Done { .. })), "{others:?}");
}

fn export_to(folder: &std::path::Path) -> export_portal::ExportPortalForm {
    export_portal::ExportPortalForm {
        target: export_portal::PortalExportDestination::Folder { location: folder.display().to_string() },
        check_only: false,
    }
}
