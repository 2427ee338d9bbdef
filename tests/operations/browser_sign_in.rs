//! Signing in through the portal's own page. A test plays the browser and the person.

use steward_core::access::links;
use steward_core::actions::browser_sign_in::{self, BrowserSignIn};
use steward_core::model::problem::{FieldError, Problem};
use steward_testkit::{Browser, until, until_some};

use crate::test_app::TestApp;

/// A desk that somebody signed in at through the browser.
pub(crate) async fn signed_in() -> TestApp {
    let app = registered().await;
    browser_sign_in::open_page(&app.steward.context.access, &app.steward.dialogs, &app.site).await.unwrap();
    let user = app.user("administrator");
    let browser = Browser::new().unwrap();
    let led = browser.sign_in(&page(&app).await, &user.username, &user.password).await.unwrap();
    let text = led.page().unwrap();
    let title = text.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;
    browser_sign_in::with_code(&app.steward.context, &app.site, title).await.unwrap();
    app
}

/// A desk whose portal knows the program.
pub(crate) async fn registered() -> TestApp {
    let app = TestApp::signed_out().await;
    let site = app.sites().get(&app.site).unwrap();
    let client_id = Some("sitesteward".to_owned());
    app.sites().put(steward_core::sites::Site { client_id, ..site }).unwrap();
    app
}

/// The page that was opened, once it is.
async fn page(app: &TestApp) -> url::Url {
    until_some("the page", async || app.dialogs.pages().pop()).await
}

#[tokio::test]
async fn the_browser_comes_back_and_the_keyring_has_what_renews_the_token() {
    let app = registered().await;
    let user = app.user("administrator");
    let person = async {
        let browser = Browser::new().unwrap();
        let led = browser.sign_in(&page(&app).await, &user.username, &user.password).await.unwrap();
        browser.visit(led.away().unwrap().as_str()).await.unwrap()
    };

    let (signed_in, (status, _)) = tokio::join!(app.sign_in_in_the_browser(), person);

    assert_eq!(status, 200);
    let BrowserSignIn::SignedIn { session } = signed_in.unwrap() else { panic!("not signed in") };
    assert_eq!(session.username, user.username);
    assert_eq!(app.sites().get(&app.site).unwrap().username.as_deref(), Some(user.username.as_str()));
    let kept: serde_json::Value = serde_json::from_str(&app.kept("portal").await.unwrap()).unwrap();
    assert!(kept["refresh"]["token"].is_string(), "what renews the token is kept");
}

#[tokio::test]
async fn the_page_that_the_browser_ends_at_speaks_the_language_of_the_window() {
    let app = registered().await;
    app.steward.language.speak("de");
    let user = app.user("administrator");
    let person = async {
        let browser = Browser::new().unwrap();
        let led = browser.sign_in(&page(&app).await, &user.username, &user.password).await.unwrap();
        browser.visit(led.away().unwrap().as_str()).await.unwrap()
    };

    let (signed_in, (_, page)) = tokio::join!(app.sign_in_in_the_browser(), person);

    assert!(matches!(signed_in, Ok(BrowserSignIn::SignedIn { .. })), "{signed_in:?}");
    assert!(page.contains("<html lang=\"de\">") && page.contains("Zurück zu Site Steward"), "{page}");
}

#[tokio::test]
async fn the_person_stops_waiting_for_the_browser() {
    let app = registered().await;
    let person = async {
        page(&app).await;
        // Until it listens to Stop there is nothing to stop.
        until("something to stop", async || browser_sign_in::stop(&app.steward.context.access, &app.site))
            .await;
    };

    let (ended, ()) = tokio::join!(app.sign_in_in_the_browser(), person);

    assert!(matches!(ended, Ok(BrowserSignIn::Stopped)), "{ended:?}");
    assert!(app.kept("portal").await.is_none());
    assert!(!browser_sign_in::stop(&app.steward.context.access, &app.site), "nothing is pending");
}

#[tokio::test]
async fn the_code_of_the_page_signs_in_and_is_good_once() {
    let app = registered().await;
    browser_sign_in::open_page(&app.steward.context.access, &app.steward.dialogs, &app.site).await.unwrap();
    let user = app.user("publisher");
    let browser = Browser::new().unwrap();
    let led = browser.sign_in(&page(&app).await, &user.username, &user.password).await.unwrap();
    let text = led.page().unwrap();
    let title = text.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;

    let session = browser_sign_in::with_code(&app.steward.context, &app.site, title).await.unwrap();

    assert_eq!(session.username, user.username);
    let again = browser_sign_in::with_code(&app.steward.context, &app.site, title).await;
    assert_eq!(again.err(), Some(Problem::form("code", FieldError::Required)));
}

#[tokio::test]
async fn without_a_client_id_the_form_says_that_one_is_needed() {
    let app = TestApp::signed_out().await;

    let refused = app.sign_in_in_the_browser().await;

    assert_eq!(refused.err(), Some(Problem::form("clientId", FieldError::NoClientId)));
    assert!(app.dialogs.pages().is_empty());
}

#[tokio::test]
async fn a_link_from_a_server_leads_to_the_sites_own_hosts_and_nowhere_else() {
    let app = registered().await;
    let site = app.sites().get(&app.site).unwrap();
    for link in [
        "https://elsewhere.example.org/portal",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "file://127.0.0.1/share",
        "smb://127.0.0.1/share",
    ] {
        let opened = links::open_page(&app.steward.dialogs, &site, &url::Url::parse(link).unwrap());
        assert!(opened.is_err(), "{link}");
    }
    assert!(app.dialogs.pages().is_empty());

    let portal = site.portal.as_ref().unwrap().address.clone();
    links::open_page(&app.steward.dialogs, &site, &portal).unwrap();
    assert_eq!(app.dialogs.pages(), [portal]);
}
