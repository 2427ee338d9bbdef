//! Signing in through the portal's own page. A test plays the browser and the person.

use steward_core::actions::browser_sign_in::{self, BrowserSignIn};
use steward_core::model::problem::{Fault, Problem};
use steward_testkit::Browser;

use crate::desk::Desk;

/// A desk that somebody signed in at through the browser.
pub(crate) async fn signed_in() -> Desk {
    let desk = registered().await;
    browser_sign_in::open_page(&desk.host, &desk.site).await.unwrap();
    let user = desk.user("administrator");
    let browser = Browser::new().unwrap();
    let led = browser.sign_in(&page(&desk).await, &user.username, &user.password).await.unwrap();
    let text = led.page().unwrap();
    let title = text.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;
    browser_sign_in::with_code(&desk.host, &desk.site, title).await.unwrap();
    desk
}

/// A desk whose portal knows the program.
async fn registered() -> Desk {
    let desk = Desk::signed_out().await;
    let site = desk.host.sites.get(&desk.site).unwrap();
    let client_id = Some("sitesteward".to_owned());
    desk.host.sites.put(steward_core::sites::Site { client_id, ..site }).unwrap();
    desk
}

/// The page that was opened, once it is.
async fn page(desk: &Desk) -> url::Url {
    loop {
        if let Some(page) = desk.dialogs.pages().pop() {
            return page;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn the_browser_comes_back_and_the_keyring_has_what_renews_the_token() {
    let desk = registered().await;
    let user = desk.user("administrator");
    let person = async {
        let browser = Browser::new().unwrap();
        let led = browser.sign_in(&page(&desk).await, &user.username, &user.password).await.unwrap();
        browser.visit(led.away().unwrap().as_str()).await.unwrap()
    };

    let (signed_in, (status, _)) =
        tokio::join!(browser_sign_in::through_loopback(&desk.host, &desk.site), person);

    assert_eq!(status, 200);
    let BrowserSignIn::SignedIn { session } = signed_in.unwrap() else { panic!("not signed in") };
    assert_eq!(session.username, user.username);
    assert_eq!(desk.host.sites.get(&desk.site).unwrap().username.as_deref(), Some(user.username.as_str()));
    let kept: serde_json::Value = serde_json::from_str(&desk.kept("portal").await.unwrap()).unwrap();
    assert!(kept["refresh"]["token"].is_string(), "what renews the token is kept");
}

#[tokio::test]
async fn the_page_that_the_browser_ends_at_speaks_the_language_of_the_window() {
    let desk = registered().await;
    desk.host.spoken.speak("de");
    let user = desk.user("administrator");
    let person = async {
        let browser = Browser::new().unwrap();
        let led = browser.sign_in(&page(&desk).await, &user.username, &user.password).await.unwrap();
        browser.visit(led.away().unwrap().as_str()).await.unwrap()
    };

    let (signed_in, (_, page)) =
        tokio::join!(browser_sign_in::through_loopback(&desk.host, &desk.site), person);

    assert!(matches!(signed_in, Ok(BrowserSignIn::SignedIn { .. })), "{signed_in:?}");
    assert!(page.contains("<html lang=\"de\">") && page.contains("Sie sind angemeldet"), "{page}");
}

#[tokio::test]
async fn the_person_stops_waiting_for_the_browser() {
    let desk = registered().await;
    let person = async {
        page(&desk).await;
        // Until it listens to Stop there is nothing to stop.
        while !browser_sign_in::stop(&desk.host, &desk.site) {
            tokio::task::yield_now().await;
        }
    };

    let (ended, ()) = tokio::join!(browser_sign_in::through_loopback(&desk.host, &desk.site), person);

    assert!(matches!(ended, Ok(BrowserSignIn::Stopped)), "{ended:?}");
    assert!(desk.kept("portal").await.is_none());
}

#[tokio::test]
async fn the_code_of_the_page_signs_in_and_is_good_once() {
    let desk = registered().await;
    browser_sign_in::open_page(&desk.host, &desk.site).await.unwrap();
    let user = desk.user("publisher");
    let browser = Browser::new().unwrap();
    let led = browser.sign_in(&page(&desk).await, &user.username, &user.password).await.unwrap();
    let text = led.page().unwrap();
    let title = text.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;

    let session = browser_sign_in::with_code(&desk.host, &desk.site, title).await.unwrap();

    assert_eq!(session.username, user.username);
    let again = browser_sign_in::with_code(&desk.host, &desk.site, title).await;
    assert_eq!(again.err(), Some(Problem::form("code", Fault::Required)));
}

#[tokio::test]
async fn without_a_client_id_the_form_says_that_one_is_needed() {
    let desk = Desk::signed_out().await;

    let refused = browser_sign_in::through_loopback(&desk.host, &desk.site).await;

    assert_eq!(refused.err(), Some(Problem::form("clientId", Fault::NoClientId)));
    assert!(desk.dialogs.pages().is_empty());
}

#[tokio::test]
async fn a_link_from_a_server_leads_to_the_sites_own_hosts_and_nowhere_else() {
    let desk = registered().await;
    let site = desk.host.sites.get(&desk.site).unwrap();
    for link in [
        "https://elsewhere.example.org/portal",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "file://127.0.0.1/share",
        "smb://127.0.0.1/share",
    ] {
        let opened = desk.host.open_page(&site, &url::Url::parse(link).unwrap());
        assert!(opened.is_err(), "{link}");
    }
    assert!(desk.dialogs.pages().is_empty());

    let portal = site.portal.as_ref().unwrap().address.clone();
    desk.host.open_page(&site, &portal).unwrap();
    assert_eq!(desk.dialogs.pages(), [portal]);
}
