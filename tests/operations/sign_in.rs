use steward_core::actions::sign_in::sign_in_as;
use steward_core::model::operation::Key;
use steward_core::model::problem::Problem;
use steward_core::operations::find_items;
use steward_testkit::Fault;
use steward_vault::Secret;

use crate::desk::Desk;

#[tokio::test]
async fn a_wrong_password_is_said_in_the_sites_words_and_leaves_no_token() {
    let desk = Desk::signed_out().await;
    let user = desk.practice.ready().users[0].username.clone();

    let refused = sign_in_as(&desk.host, &desk.site, &user, &Secret::new("wrong".to_owned())).await;

    let problem = refused.err().unwrap();
    assert!(matches!(&problem, Problem::Refused { code: Some(400), .. }), "{problem:?}");
    assert!(desk.kept("portal").await.is_none());
}

#[tokio::test]
async fn a_password_that_a_portal_rejects_like_a_token_is_said_in_its_words_and_asks_for_no_other_sign_in() {
    let desk = Desk::signed_out().await;
    let body = r#"{"error":{"code":498,"message":"The account is locked.","details":[]}}"#;
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
    let _way = desk.with_fault("/generateToken", Fault::Instead(answer.into_bytes())).await;

    let problem = desk.sign_in("administrator").await.err();

    let words = "The account is locked.";
    assert!(
        matches!(&problem, Some(Problem::Refused { code: Some(498), message, .. }) if message == words),
        "{problem:?}"
    );
}

#[tokio::test]
async fn without_a_token_the_person_is_asked_to_sign_in_and_nothing_is_recorded() {
    let desk = Desk::signed_out().await;
    let form = find_items::FindItemsForm {
        parent_path: "/".to_owned(),
        ancestor_path: String::new(),
        types: String::new(),
        id: String::new(),
        is_managed: None,
    };

    let ended = desk.find_items(form).await;

    assert_eq!(ended.err(), Some(Problem::sign_in(&desk.site)));
    assert!(desk.history().await.is_empty());
}

#[tokio::test]
async fn a_publisher_is_shown_what_only_administrators_may() {
    let desk = Desk::signed_out().await;
    desk.sign_in("publisher").await.unwrap();
    let site = desk.host.sites.get(&desk.site).unwrap();
    let known = desk.host.known(&site).await.unwrap();

    let forbidden: Vec<Key> = steward_core::sites::availability::availability(&site, &known)
        .into_iter()
        .filter(|one| !one.obstacles.is_empty())
        .map(|one| one.operation)
        .collect();

    let expected = [
        Key::ExportPortal,
        Key::ExportServer,
        Key::ImportServer,
        Key::UpdateParticipant,
        Key::RefreshInvitation,
    ];
    assert_eq!(forbidden, expected);
}

#[tokio::test]
async fn a_mistyped_password_does_not_sign_out_who_was_signed_in() {
    let desk = Desk::new().await;
    let user = desk.practice.ready().users[0].username.clone();

    let refused = sign_in_as(&desk.host, &desk.site, &user, &Secret::new("wrong".to_owned())).await;

    assert!(refused.is_err());
    let site = desk.host.sites.get(&desk.site).unwrap();
    assert!(desk.host.ask_who(&site).await.is_ok(), "the earlier token is still there");
}
