//! Tokens that somebody made on the site's own page, bound to the URL of a web app.

use serde_json::Value;
use steward_core::access::Access;
use steward_core::actions::sign_in::{SessionView, sign_in_as_bearer_at};
use steward_core::model::ids::SiteId;
use steward_core::model::problem::{FieldError, Problem};
use steward_core::operations::find_items::FindItemsForm;
use steward_core::transfers::upload::{UploadEnd, UploadSource};
use steward_vault::Secret;

use crate::test_app::TestApp;
use crate::uploads::allow_site_files;

const APP: &str = "https://maps.example.org/app";

/// The response to the form on the token page of the portal, or of the server.
async fn made(app: &TestApp, page: &str, referer: &str) -> Value {
    let user = app.user("administrator");
    let form = [
        ("username", user.username.as_str()),
        ("password", &user.password),
        ("client", "referer"),
        ("referer", referer),
        ("expiration", "60"),
        ("f", "json"),
    ];
    let address = format!("http://{}/{page}/generateToken", app.practice_address());
    reqwest::Client::new().post(address).form(&form).send().await.unwrap().json().await.unwrap()
}

async fn paste(app: &TestApp, pasted: &str, url: &str) -> Result<SessionView, Problem> {
    let pasted = Secret::new(pasted.to_owned());
    sign_in_as_bearer_at(&app.steward.context, &app.site, None, &pasted, url).await
}

async fn endpoints_work(access: &Access, site: &SiteId) {
    let target = access.sites.get(site).unwrap().current_target();
    let server = access.sites.at(&target).unwrap();
    access.ask_who(&server).await.unwrap();
    access.server(&server).await.unwrap();
}

#[tokio::test]
async fn every_form_of_a_token_signs_in_and_its_expiry_is_known() {
    let app = TestApp::signed_out().await;
    let made = made(&app, "portal/sharing/rest", "site-steward").await;
    let (token, expires) = (made["token"].as_str().unwrap(), made["expires"].as_i64().unwrap());
    let cookie =
        format!("Cookie: a=b; esri_auth=%7B%22token%22%3A%22{token}%22%2C%22expires%22%3A{expires}%7D");
    for (pasted, knows_expiry) in [
        (token.to_owned(), false),
        (serde_json::to_string_pretty(&made).unwrap().replace('\n', "\u{2028}"), true),
        (cookie, true),
        (format!("https://gis.example.org/portal/sharing/rest?token={token}&expires={expires}"), true),
        (format!("X-Esri-Authorization: Bearer {token}"), false),
    ] {
        let session =
            paste(&app, &pasted, "").await.unwrap_or_else(|problem| panic!("{pasted}: {problem:?}"));

        assert_eq!(session.username, app.user("administrator").username);
        assert_eq!(session.expires_at.map(|end| end.0), knows_expiry.then_some(expires), "{pasted}");
    }
}

#[tokio::test]
async fn a_token_of_another_web_app_needs_its_url_and_then_works_for_everything() {
    let app = TestApp::signed_out().await;
    let token = made(&app, "portal/sharing/rest", APP).await["token"].as_str().unwrap().to_owned();

    let refused = paste(&app, &token, "").await.unwrap_err();
    assert!(matches!(refused, Problem::Rejected { code: Some(498), .. }), "{refused:?}");
    let refused = paste(&app, &token, "https://maps.example.org/other").await.unwrap_err();
    assert!(matches!(refused, Problem::Rejected { code: Some(498), .. }), "{refused:?}");

    paste(&app, &token, APP).await.unwrap();
    endpoints_work(&app.steward.context.access, &app.site).await;
    let everything = FindItemsForm { ancestor_path: "/".to_owned(), ..FindItemsForm::default() };
    app.find_items(everything).await.unwrap();
    allow_site_files(&app);
    let file = app.folder("files").join("parcels.agssite");
    std::fs::write(&file, b"PK").unwrap();
    app.dialogs.will_choose(&file);
    let end = app.upload(UploadSource::Choose { part_mebibytes: 1 }).await.unwrap();
    assert!(matches!(end, UploadEnd::Uploaded { .. }), "{end:?}");

    // The URL is kept with the token.
    let app = app.restarted();
    endpoints_work(&app.steward.context.access, &app.site).await;
}

#[tokio::test]
async fn what_cannot_be_a_token_or_a_web_app_url_is_told_and_never_sent() {
    let app = TestApp::signed_out().await;
    for (pasted, url, field, fault) in [
        ("two words", "", "token", FieldError::NotAToken),
        (r#"{"error":{"code":400,"message":"no"}}"#, "", "token", FieldError::AnErrorResponse),
        (r#"{"token":"aT0","expires":1600000000000}"#, "", "token", FieldError::TokenExpired),
        (r#"[{"token":"aT0"},{"token":"bT0"}]"#, "", "token", FieldError::SeveralTokens),
        (r#"{"all":[{"token":"aT0"},{"token":"bT0"}]}"#, "", "token", FieldError::SeveralTokens),
        ("aT0", "maps.example.org", "webAppUrl", FieldError::NotAWebAppUrl),
        ("aT0", "https://maps.example.org/\r\nx: y", "webAppUrl", FieldError::NotOneLine),
    ] {
        assert_eq!(paste(&app, pasted, url).await.err(), Some(Problem::form(field, fault)), "{pasted}");
    }
}
