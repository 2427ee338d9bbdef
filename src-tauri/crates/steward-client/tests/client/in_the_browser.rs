//! OAuth with PKCE at the practice site; a test plays the browser.

use std::time::Duration;

use steward_client::oauth::{self, Authorization, Grant, Loopback, NoCode, Redirect, code_from};
use steward_client::{ClientError, Endpoint, describe_portal};
use steward_vault::Secret;

use crate::rehearsal::{Rehearsal, rehearsal};
use steward_testkit::Browser;

const CLIENT: &str = "sitesteward";
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

async fn who(portal: &Endpoint, token: &Secret<String>) -> Result<String, ClientError> {
    describe_portal(&portal.clone().with_token(token.clone())).await.map(|facts| facts.username)
}

/// Signs an administrator in, the whole way round.
pub(crate) async fn granted(site: &Rehearsal) -> Grant {
    let loopback = Loopback::listen(&[0]).await.unwrap();
    site.site.register_redirects(vec![loopback.redirect_uri()]);
    let authorization = oauth::begin(&site.portal(), CLIENT, &Redirect::Loopback(&loopback)).unwrap();
    let browser = Browser::new().unwrap();
    let person = async {
        let (username, password) = site.sign_in("administrator");
        let led = browser.sign_in(&authorization.url, &username, password.expose()).await.unwrap();
        browser.visit(led.away().unwrap().as_str()).await.unwrap()
    };
    let (code, (status, page)) = tokio::join!(loopback.code(&authorization, PATIENCE), person);
    assert_eq!(status, 200);
    assert!(page.contains("Return to Site Steward"), "{page}");
    oauth::finish(&site.portal(), &authorization, &code.unwrap()).await.unwrap()
}

/// The page that a publisher copies the code from.
async fn page_with_code(site: &Rehearsal, authorization: &Authorization) -> String {
    let (username, password) = site.sign_in("publisher");
    let browser = Browser::new().unwrap();
    browser.sign_in(&authorization.url, &username, password.expose()).await.unwrap().page().unwrap()
}

#[tokio::test]
async fn the_browser_brings_the_code_back_and_it_becomes_a_token() {
    let site = rehearsal().await;

    let grant = granted(&site).await;

    assert_eq!(grant.username, site.sign_in("administrator").0);
    assert_eq!(who(&site.portal(), &grant.token.token).await.unwrap(), grant.username);
    assert!(grant.token.expires_at.is_some());
    assert!(grant.refresh.unwrap().expires_at > grant.token.expires_at);
}

#[tokio::test]
async fn the_code_is_copied_from_the_page_where_nothing_can_listen() {
    let site = rehearsal().await;
    let authorization = oauth::begin(&site.portal(), CLIENT, &Redirect::OutOfBand).unwrap();
    let page = page_with_code(&site, &authorization).await;
    let title = page.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;

    let code = code_from(title).unwrap();
    let grant = oauth::finish(&site.portal(), &authorization, &code).await.unwrap();

    assert_eq!(grant.username, site.sign_in("publisher").0);
}

#[tokio::test]
async fn a_code_is_worth_nothing_to_whoever_did_not_begin_the_sign_in() {
    let site = rehearsal().await;
    let authorization = oauth::begin(&site.portal(), CLIENT, &Redirect::OutOfBand).unwrap();
    let page = page_with_code(&site, &authorization).await;
    let code = code_from(page.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0).unwrap();
    let stranger = oauth::begin(&site.portal(), CLIENT, &Redirect::OutOfBand).unwrap();

    let refused = oauth::finish(&site.portal(), &stranger, &code).await.unwrap_err();

    assert!(matches!(refused, ClientError::Rejected { code: 400, .. }), "{refused:?}");
    assert!(!format!("{refused:?} {authorization:?}").contains(code.expose().as_str()));
}

#[tokio::test]
async fn a_refresh_token_gets_the_next_token_and_stays_good() {
    let site = rehearsal().await;
    let first = granted(&site).await;
    let refresh = first.refresh.unwrap();

    let next = oauth::refresh(&site.portal(), &refresh).await.unwrap();

    assert!(next.refresh.is_none());
    assert_ne!(next.token.token, first.token.token);
    assert_eq!(who(&site.portal(), &next.token.token).await.unwrap(), first.username);
    oauth::refresh(&site.portal(), &refresh).await.unwrap();
}

#[tokio::test]
async fn an_exchanged_refresh_token_ends_with_all_that_came_from_it() {
    let site = rehearsal().await;
    let first = granted(&site).await;
    let old = first.refresh.unwrap();

    let next = oauth::exchange_refresh_token(&site.portal(), &old).await.unwrap();

    assert_eq!(who(&site.portal(), &next.token.token).await.unwrap(), first.username);
    assert!(who(&site.portal(), &first.token.token).await.is_err());
    assert!(oauth::refresh(&site.portal(), &old).await.is_err());
    oauth::refresh(&site.portal(), &next.refresh.unwrap()).await.unwrap();
}

#[tokio::test]
async fn signing_out_ends_the_refresh_token_at_the_portal() {
    let site = rehearsal().await;
    let grant = granted(&site).await;
    let refresh = grant.refresh.unwrap();

    oauth::revoke(&site.portal(), &refresh).await.unwrap();

    assert!(oauth::refresh(&site.portal(), &refresh).await.is_err());
    assert!(who(&site.portal(), &grant.token.token).await.is_err());
}

#[tokio::test]
async fn nobody_comes_back_from_the_browser() {
    let site = rehearsal().await;
    let loopback = Loopback::listen(&[0]).await.unwrap();
    site.site.register_redirects(vec![loopback.redirect_uri()]);
    let authorization = oauth::begin(&site.portal(), CLIENT, &Redirect::Loopback(&loopback)).unwrap();
    let nobody = loopback.code(&authorization, Duration::from_millis(50)).await.unwrap_err();
    assert!(matches!(nobody, NoCode::TooLate));
}
