//! The ports that the browser returns to: a portal knows a few addresses, and no other.

use std::net::TcpListener;

use steward_core::actions::browser_sign_in::{self, BrowserSignIn, redirect_addresses};
use steward_testkit::{Browser, until_some};

use crate::browser_sign_in::registered;
use crate::test_app::TestApp;

fn taken() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

fn uses(app: &TestApp, ports: &[u16]) {
    app.steward.context.access.pending_sign_ins.use_ports(ports);
    let addresses = ports.iter().map(|port| format!("http://127.0.0.1:{port}/"));
    app.practice.register_redirects(addresses.chain(redirect_addresses().pop()).collect());
}

/// Plays the person, and returns where the browser was sent after the sign-in.
async fn person(app: &TestApp) -> url::Url {
    let page = until_some("the page", async || app.dialogs.pages().pop()).await;
    let user = app.user("administrator");
    let browser = Browser::new().unwrap();
    let led = browser.sign_in(&page, &user.username, &user.password).await.unwrap();
    let away = led.away().unwrap().clone();
    assert_eq!(browser.visit(away.as_str()).await.unwrap().0, 200);
    away
}

#[tokio::test]
async fn a_port_of_another_program_is_passed_over_and_used_again_when_it_is_free() {
    let app = registered().await;
    let ((first_is_taken, first), (second_is_taken, second)) = (taken(), taken());
    drop(second_is_taken);
    uses(&app, &[first, second]);

    let (signed_in, away) = tokio::join!(app.sign_in_in_the_browser(), person(&app));

    assert!(matches!(signed_in, Ok(BrowserSignIn::SignedIn { .. })), "{signed_in:?}");
    assert_eq!(away.port(), Some(second));

    drop(first_is_taken);
    app.dialogs.forget_pages();
    let (signed_in, away) = tokio::join!(app.sign_in_in_the_browser(), person(&app));

    assert!(matches!(signed_in, Ok(BrowserSignIn::SignedIn { .. })), "{signed_in:?}");
    assert_eq!(away.port(), Some(first));
}

#[tokio::test]
async fn where_every_port_is_taken_the_code_page_is_opened_and_its_code_signs_in() {
    let app = registered().await;
    let (_taken, port) = taken();
    uses(&app, &[port]);

    let ended = app.sign_in_in_the_browser().await;

    assert!(matches!(ended, Ok(BrowserSignIn::CodePage)), "{ended:?}");
    let user = app.user("administrator");
    let browser = Browser::new().unwrap();
    let led = browser.sign_in(&app.dialogs.pages()[0], &user.username, &user.password).await.unwrap();
    let text = led.page().unwrap();
    let title = text.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;
    let session = browser_sign_in::with_code(&app.steward.context, &app.site, title).await.unwrap();
    assert_eq!(session.username, user.username);
}

#[tokio::test]
async fn the_same_site_again_ends_the_first_sign_in_and_a_late_tab_of_it_is_turned_away() {
    let app = registered().await;
    let [(one, first), (other, second)] = [taken(), taken()];
    drop((one, other));
    uses(&app, &[first, second]);
    let again = async {
        let old = until_some("the first page", async || app.dialogs.pages().pop()).await;
        app.dialogs.forget_pages();
        let late = async {
            let page = until_some("the second page", async || app.dialogs.pages().pop()).await;
            let user = app.user("administrator");
            let browser = Browser::new().unwrap();
            let mut away =
                browser.sign_in(&old, &user.username, &user.password).await.unwrap().away().unwrap().clone();
            // The old tab may find the port of the second sign-in.
            let there = page.query_pairs().find(|(name, _)| name == "redirect_uri").unwrap().1.into_owned();
            away.set_port(url::Url::parse(&there).unwrap().port()).unwrap();
            assert_eq!(browser.visit(away.as_str()).await.unwrap().0, 400);
            person(&app).await
        };
        tokio::join!(app.sign_in_in_the_browser(), late).0
    };

    let (first, second) = tokio::join!(app.sign_in_in_the_browser(), again);

    assert!(matches!(first, Ok(BrowserSignIn::Stopped)), "{first:?}");
    assert!(matches!(second, Ok(BrowserSignIn::SignedIn { .. })), "{second:?}");
}

#[tokio::test]
async fn an_address_that_is_not_registered_is_an_error_of_the_portals_page() {
    let app = registered().await;
    app.practice.register_redirects(Vec::new());
    let looking = async {
        let page = until_some("the page", async || app.dialogs.pages().pop()).await;
        let shown = Browser::new().unwrap().visit(page.as_str()).await.unwrap();
        browser_sign_in::stop(&app.steward.context.access, &app.site);
        shown
    };

    let (ended, (status, page)) = tokio::join!(app.sign_in_in_the_browser(), looking);

    assert!(matches!(ended, Ok(BrowserSignIn::Stopped)), "{ended:?}");
    assert_eq!(status, 400);
    assert!(page.contains("Invalid redirect_uri"), "{page}");
}

#[tokio::test]
async fn a_client_id_of_the_organization_is_used_for_its_portal() {
    let app = TestApp::signed_out().await;
    let portal = &app.practice.ready().portal;
    let policy = format!(r#"{{ "clientIds": {{ "{portal}/": "sitesteward" }} }}"#);
    let app = app.restarted_under(&policy);

    let page = async {
        let page = until_some("the page", async || app.dialogs.pages().pop()).await;
        browser_sign_in::stop(&app.steward.context.access, &app.site);
        page
    };
    let (ended, page) = tokio::join!(app.sign_in_in_the_browser(), page);

    assert!(matches!(ended, Ok(BrowserSignIn::Stopped)), "{ended:?}");
    assert!(page.query().unwrap().contains("client_id=sitesteward"), "{page}");
    let view = steward_core::actions::sites::view_of(&app.steward.context, &app.site).unwrap();
    assert_eq!(view.organization_client_id.as_deref(), Some("sitesteward"));
    assert_eq!(view.client_id, "");
}
