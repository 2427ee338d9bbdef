//! Tokens that run out while the program works, and whose they are.

use steward_core::actions::sign_in::{sign_in_as, sign_in_as_bearer};
use steward_core::model::problem::{Fault, Problem};
use steward_core::model::run_result::Ended;
use steward_core::operations::{export_portal, find_items};
use steward_vault::{Secret, SecretStore};

use crate::desk::Desk;

fn everything() -> find_items::FindItemsForm {
    find_items::FindItemsForm { ancestor_path: "/".to_owned(), ..find_items::FindItemsForm::default() }
}

#[tokio::test]
async fn a_token_that_ran_out_is_renewed_with_the_kept_password_and_nobody_is_asked() {
    let desk = Desk::new().await;
    let user = desk.user("administrator");
    let password = Secret::new(user.password.clone());
    desk.host.keep_password(&desk.site, &user.username, &password).await.unwrap();
    let before = desk.kept("portal").await.unwrap();
    desk.order("export_portal", "expired-token", &[]).await;
    let folder = desk.folder("exports");

    let ended = export_portal::perform(&desk.host, &desk.site, desk.run(), export_to(&folder)).await;

    assert!(matches!(ended, Ok(Ended::Done { .. })), "{ended:?}");
    assert_eq!(crate::desk::files_in(&folder).len(), 1, "exported once");
    assert_ne!(desk.kept("portal").await.unwrap(), before, "the new token is in the keyring");
}

#[tokio::test]
async fn a_token_that_cannot_be_renewed_asks_the_person_to_sign_in() {
    let desk = Desk::new().await;
    desk.order("export_portal", "expired-token", &[]).await;
    let folder = desk.folder("exports");

    let ended = export_portal::perform(&desk.host, &desk.site, desk.run(), export_to(&folder)).await;

    assert_eq!(ended.err(), Some(Problem::sign_in(&desk.site)));
    assert!(crate::desk::files_in(&folder).is_empty());
}

#[tokio::test]
async fn a_federated_server_is_asked_with_a_token_that_the_portal_made_for_it() {
    let desk = Desk::new().await;

    let found = desk.find_items(everything()).await;

    assert!(matches!(found, Ok(Ended::Done { .. })), "{found:?}");
    assert!(desk.kept("server/server").await.is_none(), "the portal makes another when it is needed");
    // Renewed at the portal when the server no longer takes it.
    desk.order("find_items", "expired-token", &[]).await;
    let found = desk.find_items(everything()).await;
    assert!(matches!(found, Ok(Ended::Done { .. })), "{found:?}");
}

#[tokio::test]
async fn a_pasted_token_signs_in_whoever_it_belongs_to() {
    let desk = Desk::new().await;
    let kept: serde_json::Value = serde_json::from_str(&desk.kept("portal").await.unwrap()).unwrap();
    let token = kept["token"].as_str().unwrap();

    let pasted = Secret::new(format!("https://gis.example.org/?f=json&token={token}"));
    let session = sign_in_as_bearer(&desk.host, &desk.site, &pasted).await.unwrap();

    assert_eq!(session.username, desk.user("administrator").username);
    assert!(session.expires_at.is_none(), "nobody says when it ends");
    let wrong = sign_in_as_bearer(&desk.host, &desk.site, &Secret::new("two words".to_owned())).await;
    assert_eq!(wrong.err(), Some(Problem::form("token", Fault::NotAToken)));
}

#[tokio::test]
async fn who_signs_in_next_does_not_work_with_the_token_before() {
    let desk = Desk::new().await;
    desk.find_items(everything()).await.unwrap();
    let viewer = desk.user("viewer");

    sign_in_as(&desk.host, &desk.site, &viewer.username, &Secret::new(viewer.password.clone()))
        .await
        .unwrap();

    let refused = desk.find_items(everything()).await;
    assert!(matches!(refused, Err(Problem::Refused { code: Some(403), .. })), "{refused:?}");
}

/// Keeps the password, and lets the portal's token end in a minute; what is kept of that token.
pub(crate) async fn with_a_short_token(desk: &Desk) -> serde_json::Value {
    let user = desk.user("administrator");
    let password = Secret::new(user.password.clone());
    desk.host.keep_password(&desk.site, &user.username, &password).await.unwrap();
    let mut short: serde_json::Value = serde_json::from_str(&desk.kept("portal").await.unwrap()).unwrap();
    short["expires_at"] = serde_json::json!(jiff::Timestamp::now().as_millisecond() + 60_000);
    let name = format!("{}/portal", desk.site.0);
    desk.vault.set(&name, Secret::new(short.to_string())).await.unwrap();
    short
}

#[tokio::test]
async fn a_token_that_would_end_under_way_is_renewed_before_an_export() {
    let desk = Desk::new().await;
    let short = with_a_short_token(&desk).await;
    desk.host.forget_way(&desk.site);
    let folder = desk.folder("exports");

    let ended = export_portal::perform(&desk.host, &desk.site, desk.run(), export_to(&folder)).await;

    assert!(matches!(ended, Ok(Ended::Done { .. })), "{ended:?}");
    let kept: serde_json::Value = serde_json::from_str(&desk.kept("portal").await.unwrap()).unwrap();
    assert_ne!(kept["token"], short["token"], "another token, before anything was sent");
}

fn export_to(folder: &std::path::Path) -> export_portal::ExportPortalForm {
    export_portal::ExportPortalForm {
        target: export_portal::PortalTarget::Folder { location: folder.display().to_string() },
        check_only: false,
    }
}
