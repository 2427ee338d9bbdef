use steward_core::actions::sign_in::sign_in_as;
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::operations::deactivate_webhooks::DeactivateWebhooksForm;
use steward_core::operations::find_items::{self, FindItemsForm, recent_filters};
use steward_journal::Outcome;
use steward_testkit::{Fault, Reply, TestServer};
use steward_vault::Secret;

use crate::test_app::{TestApp, form};

#[tokio::test]
async fn a_wrong_password_is_said_in_the_sites_words_and_leaves_no_token() {
    let app = TestApp::signed_out().await;
    let user = app.practice.ready().users[0].username.clone();

    let refused = sign_in_as(&app.steward.context, &app.site, &user, &Secret::new("wrong".to_owned())).await;

    let problem = refused.err().unwrap();
    assert!(matches!(&problem, Problem::Rejected { code: Some(400), .. }), "{problem:?}");
    assert!(app.kept("portal").await.is_none());
}

#[tokio::test]
async fn a_password_that_a_portal_rejects_like_a_token_is_said_in_its_words_and_asks_for_no_other_sign_in() {
    let app = TestApp::signed_out().await;
    let body = r#"{"error":{"code":498,"message":"The account is locked.","details":[]}}"#;
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
    let _way = app.with_fault("/generateToken", Fault::Instead(answer.into_bytes())).await;

    let problem = app.sign_in("administrator").await.err();

    let words = "The account is locked.";
    assert!(
        matches!(&problem, Some(Problem::Rejected { code: Some(498), message, .. }) if message == words),
        "{problem:?}"
    );
}

#[tokio::test]
async fn a_token_that_the_portal_itself_does_not_accept_is_no_sign_in_in_the_history_either() {
    let app = TestApp::signed_out().await;
    let body = r#"{"token":"nobody-knows-me","expires":4102444800000}"#;
    let _way = app.with_fault("/generateToken", crate::import_server::answer(body)).await;

    let problem = app.sign_in("administrator").await.err();

    assert!(matches!(problem, Some(Problem::SignIn { .. })), "{problem:?}");
    let act = app.acts().await.remove(0);
    assert_eq!((act.intent.operation.as_str(), act.outcome), ("sign_in", Outcome::Failed));
    assert!(app.kept("portal").await.is_none(), "what signs nobody in is not kept");
}

#[tokio::test]
async fn without_a_token_the_person_is_asked_to_sign_in_and_nothing_is_recorded() {
    let app = TestApp::signed_out().await;
    let form = find_items::FindItemsForm {
        parent_path: "/".to_owned(),
        ancestor_path: String::new(),
        types: String::new(),
        id: String::new(),
        is_managed: None,
    };

    let ended = app.find_items(form).await;

    assert_eq!(ended.err(), Some(Problem::sign_in(&app.site)));
    assert!(app.history().await.is_empty());
}

#[tokio::test]
async fn a_publisher_is_shown_what_only_administrators_may() {
    let app = TestApp::signed_out().await;
    app.sign_in("publisher").await.unwrap();
    let site = app.sites().get(&app.site).unwrap();
    let known = app.steward.context.access.known(&app.current(&site)).await.unwrap();

    let forbidden: Vec<OperationKey> =
        steward_core::sites::availability::availability(&app.current(&site), &known)
            .into_iter()
            .filter(|one| !one.reasons.is_empty())
            .map(|one| one.operation)
            .collect();

    let expected = [
        OperationKey::ExportPortal,
        OperationKey::ExportServer,
        OperationKey::ImportServer,
        OperationKey::UpdateParticipant,
        OperationKey::RefreshInvitation,
        OperationKey::ImportPortal,
    ];
    assert_eq!(forbidden, expected);
}

#[tokio::test]
async fn a_mistyped_password_does_not_sign_out_who_was_signed_in() {
    let app = TestApp::new().await;
    let user = app.practice.ready().users[0].username.clone();

    let refused = sign_in_as(&app.steward.context, &app.site, &user, &Secret::new("wrong".to_owned())).await;

    assert!(refused.is_err());
    let site = app.sites().get(&app.site).unwrap();
    assert!(
        app.steward.context.access.ask_who(&app.current(&site)).await.is_ok(),
        "the earlier token is still there"
    );
}

#[tokio::test]
async fn a_windows_account_is_one_person_however_the_site_and_the_form_write_its_name() {
    let app = TestApp::signed_out().await;
    let server = TestServer::start(|request| match request.path() {
        path if path.ends_with("/generateToken") => {
            let is_lab = request.text().contains("LAB");
            let token = if is_lab { "of-lab" } else { "of-corp" };
            Reply::json(format!(r#"{{"token":"{token}","expires":"4102444800000"}}"#))
        }
        path if path.ends_with("/webhooks") => Reply::json(r#"{"webhooks":[]}"#),
        path if path.ends_with("/deactivateAll") => Reply::json(r#"{"status":"success"}"#),
        path if path.ends_with("/findItems") => Reply::json(r#"{"items":[]}"#),
        _ => {
            let domain = if request.text().contains("of-lab") { "LAB" } else { "CORP" };
            Reply::json(format!(r#"{{"currentVersion":"11.5","loggedInUser":"{domain}::gisadmin"}}"#))
        }
    });
    let server = server.await.unwrap();
    app.sites().save(&form(Some(&app.site), "", &format!("{}/server", server.origin()))).unwrap();
    let context = &app.steward.context;
    let sign_in = async |name: &str| {
        sign_in_as(context, &app.site, name, &Secret::new("canary".to_owned())).await.unwrap().username
    };
    let asked = || recent_filters(context, &app.steward.item_searches, &app.site).len();

    assert_eq!(sign_in("gisadmin").await, "gisadmin");
    let form = DeactivateWebhooksForm {
        services: vec!["Roads.FeatureServer".to_owned()],
        why: String::new(),
        confirmation: String::new(),
    };
    app.deactivate_webhooks(form).await.unwrap();
    app.find_items(FindItemsForm { types: "folder".to_owned(), ..FindItemsForm::default() }).await.unwrap();
    let by: Vec<_> = app.history().await.into_iter().map(|record| record.intent.username).collect();
    assert_eq!(by, ["gisadmin"], "what this person sent is found under the name of the session");
    for name in [r"CORP\gisadmin", "gisadmin@CORP", "GISADMIN"] {
        assert_eq!((sign_in(name).await.as_str(), asked()), ("gisadmin", 1), "{name}");
    }

    assert_eq!(sign_in("ben").await, "ben");
    assert_eq!(sign_in(r"LAB\gisadmin").await, r"LAB\gisadmin");
    assert_eq!(asked(), 0, "another domain, another person");
    assert_eq!((sign_in("CORP::gisadmin").await.as_str(), asked()), ("CORP::gisadmin", 0));
}
