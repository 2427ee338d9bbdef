//! The way to a site that is changed while something is under way there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use steward_app::steward::Steward;
use steward_client::Endpoint;
use steward_core::actions::browser_sign_in::{self, BrowserSignIn};
use steward_core::actions::preferences;
use steward_core::actions::sites::{remove, save, trust};
use steward_core::model::ids::SiteId;
use steward_core::settings::preferences::{Preferences, ProgramConnection};
use steward_core::sites::{ConnectionForm, ConnectionRoute, Site, SiteForm, TrustedCertificateView};
use steward_testkit::{TestServer, until};
use steward_vault::SecretStore;

use crate::held_keyring::{HeldKeyring, Question};
use crate::test_app::TestApp;

/// A proxy that lets nothing through and keeps what arrived.
struct Proxy(TestServer);

impl Proxy {
    async fn new() -> Self {
        Self(crate::program_connection::proxy().await)
    }

    fn address(&self) -> String {
        format!("{}/", self.0.origin())
    }

    fn route(&self) -> ConnectionRoute {
        ConnectionRoute::Proxy { address: self.address(), user: "sam".to_owned(), exceptions: Vec::new() }
    }

    /// The password that arrives here when somebody asks a portal; `None` without one.
    async fn password_of(&self, portal: Endpoint) -> Option<String> {
        let before = self.0.requests().len();
        let answered = steward_client::describe_portal(&portal).await.map(drop);
        let arrived = self.0.requests();
        let Some(first) = arrived.get(before) else { panic!("it went another way: {answered:?}") };
        let head = first.head.to_ascii_lowercase();
        assert!(head.starts_with("connect gis.invalid:443"), "{head}");
        let known = ["first", "second"].into_iter().find(|password| {
            head.contains(&BASE64_STANDARD.encode(format!("sam:{password}")).to_ascii_lowercase())
        });
        known.map(str::to_owned)
    }
}

/// A site that is not on this machine, as a person fills it in.
fn county(id: Option<&SiteId>, proxy: &Proxy, password: Option<&str>) -> SiteForm {
    SiteForm {
        id: id.cloned(),
        connection: ConnectionForm {
            route: proxy.route(),
            proxy_password: password.map(str::to_owned),
            ..ConnectionForm::default()
        },
        ..SiteForm::of("County", "https://gis.invalid/portal", "")
    }
}

async fn saved(app: &TestApp, form: &SiteForm) -> Site {
    let id = save(&app.steward.context, form).await.unwrap().id;
    app.sites().get(&id).unwrap()
}

#[tokio::test]
async fn what_was_begun_before_a_site_was_edited_does_not_bring_back_its_proxy() {
    let (app, keyring) = HeldKeyring::of(TestApp::signed_out().await);
    let (one, two) = (Proxy::new().await, Proxy::new().await);
    let before = saved(&app, &county(None, &one, Some("first"))).await;
    keyring.hold(Question::Get, "/proxy-password");
    let edited = async {
        keyring.waits(1).await;
        let edited = saved(&app, &county(Some(&before.id), &two, Some("second"))).await;
        keyring.let_go();
        edited
    };

    let (under_way, edited) = tokio::join!(app.steward.context.access.portal_address(&before), edited);

    under_way.unwrap();
    let portal = app.steward.context.access.portal_address(&edited).await.unwrap();
    assert_eq!(two.password_of(portal).await.as_deref(), Some("second"));
}

#[tokio::test]
async fn whoever_knows_only_the_proxy_of_before_takes_no_other_password_there() {
    let app = TestApp::signed_out().await;
    let (one, two) = (Proxy::new().await, Proxy::new().await);
    let before = saved(&app, &county(None, &one, Some("first"))).await;
    let edited = saved(&app, &county(Some(&before.id), &two, Some("second"))).await;

    let late = app.steward.context.access.portal_address(&before).await.unwrap();

    assert_eq!(one.password_of(late).await, None);
    let portal = app.steward.context.access.portal_address(&edited).await.unwrap();
    assert_eq!(two.password_of(portal).await.as_deref(), Some("second"));
}

#[tokio::test]
async fn a_new_password_of_a_proxy_is_used_by_whoever_asks_after_it_was_saved() {
    let (app, keyring) = HeldKeyring::of(TestApp::signed_out().await);
    let proxy = Proxy::new().await;
    let site = saved(&app, &county(None, &proxy, Some("first"))).await;
    keyring.hold(Question::Set, "/proxy-password");
    let asked_meanwhile = async {
        keyring.waits(1).await;
        app.steward.context.access.portal_address(&site).await.unwrap();
        keyring.let_go();
    };

    let edited = county(Some(&site.id), &proxy, Some("second"));
    let (site, ()) = tokio::join!(saved(&app, &edited), asked_meanwhile);

    let portal = app.steward.context.access.portal_address(&site).await.unwrap();
    assert_eq!(proxy.password_of(portal).await.as_deref(), Some("second"));
}

async fn prefers(app: &TestApp, proxy: &Proxy, password: &str) {
    let connection = ProgramConnection { route: proxy.route(), ca_certificate: String::new() };
    let preferences = Preferences { connection, ..Preferences::default() };
    preferences::save(&app.steward.preferences, &app.steward.context, preferences, Some(password.to_owned()))
        .await
        .unwrap();
}

#[tokio::test]
async fn what_was_begun_before_the_settings_were_saved_does_not_bring_back_the_programs_proxy() {
    let (app, keyring) = HeldKeyring::of(TestApp::signed_out().await);
    let (one, two) = (Proxy::new().await, Proxy::new().await);
    let site = saved(&app, &SiteForm::of("County", "https://gis.invalid/portal", "")).await;
    prefers(&app, &one, "first").await;
    keyring.hold(Question::Get, "program/proxy-password");
    let person = async {
        keyring.waits(1).await;
        prefers(&app, &two, "second").await;
        keyring.let_go();
    };

    let (under_way, ()) = tokio::join!(app.steward.context.access.portal_address(&site), person);

    under_way.unwrap();
    let portal = app.steward.context.access.portal_address(&site).await.unwrap();
    assert_eq!(two.password_of(portal).await.as_deref(), Some("second"));
}

#[tokio::test]
async fn settings_whose_password_the_keyring_does_not_take_are_not_saved() {
    let (app, keyring) = HeldKeyring::of(TestApp::signed_out().await);
    let proxy = Proxy::new().await;
    let before = app.steward.preferences.get();
    keyring.hold(Question::Set, "program/proxy-password");

    tokio::select! {
        () = prefers(&app, &proxy, "first") => panic!("the keyring did not answer"),
        () = keyring.waits(1) => {}
    }

    assert_eq!(app.steward.preferences.get(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_asked_over_the_way_of_before_is_not_known_after() {
    let app = TestApp::signed_out().await;
    let let_go = Arc::new(AtomicBool::new(false));
    let alone = crate::meanwhile::answers_when_let(let_go.clone()).await;
    let form = crate::test_app::form(Some(&app.site), "", &alone.address());
    let site = app.sites().save(&form).unwrap();
    crate::meanwhile::with_server_token(&app).await;

    let server = app.current(&site);
    let (asked, ()) = tokio::join!(app.steward.context.access.ask_who(&server), async {
        until("the request", async || !alone.asked().is_empty()).await;
        let connection = ConnectionForm { route: ConnectionRoute::Direct, ..ConnectionForm::default() };
        save(&app.steward.context, &SiteForm { connection, ..form }).await.unwrap();
        let_go.store(true, Ordering::SeqCst);
    });
    crate::meanwhile::with_server_token(&app).await;

    asked.unwrap();
    let before = alone.asked().len();
    app.steward.context.access.known(&app.sites().at(&app.server_of(&site.id)).unwrap()).await.unwrap();
    assert!(alone.asked().len() > before, "asked once more, over the way of now");
}

#[tokio::test]
async fn the_code_of_a_browser_that_comes_back_after_the_route_changed_goes_nowhere() {
    let app = TestApp::signed_out().await;
    let (one, two) = (Proxy::new().await, Proxy::new().await);
    let client_id = "sitesteward".to_owned();
    let form = SiteForm { client_id: client_id.clone(), ..county(None, &one, None) };
    let site = saved(&app, &form).await;
    let person = async {
        until("the page", async || !app.dialogs.pages().is_empty()).await;
        saved(&app, &SiteForm { client_id, ..county(Some(&site.id), &two, None) }).await;
        let page = app.dialogs.pages().remove(0);
        let of = |name: &str| page.query_pairs().find(|(one, _)| one == name).unwrap().1.into_owned();
        let mut back = url::Url::parse(&of("redirect_uri")).unwrap();
        back.query_pairs_mut().append_pair("code", "canary").append_pair("state", &of("state"));
        // Nobody might listen any more.
        let _ = steward_testkit::Browser::new().unwrap().visit(back.as_str()).await;
    };
    let Steward { context, dialogs, language, .. } = &app.steward;

    let (signed_in, ()) =
        tokio::join!(browser_sign_in::through_loopback(context, dialogs, language, &site.id), person);

    assert!(!matches!(signed_in, Ok(BrowserSignIn::SignedIn { .. })), "{signed_in:?}");
    let asked = [one.0.connections(), two.0.connections()];
    assert_eq!(asked, [0, 0], "the code was given for the route of before");
}

#[tokio::test]
async fn no_page_is_opened_at_the_portal_that_a_site_had_before_and_no_code_of_it_is_awaited() {
    let (app, keyring) = HeldKeyring::of(TestApp::signed_out().await);
    let proxy = Proxy::new().await;
    let known = SiteForm { client_id: "sitesteward".to_owned(), ..county(None, &proxy, Some("first")) };
    let site = saved(&app, &known).await;
    keyring.hold(Question::Get, "/proxy-password");
    let moved = async {
        keyring.waits(1).await;
        let elsewhere = SiteForm {
            id: Some(site.id.clone()),
            portal: "https://elsewhere.invalid/portal".to_owned(),
            ..known.clone()
        };
        save(&app.steward.context, &elsewhere).await.unwrap();
        keyring.let_go();
    };

    let (opened, ()) = tokio::join!(
        browser_sign_in::open_page(&app.steward.context.access, &app.steward.dialogs, &site.id),
        moved
    );

    assert!(opened.is_err() && app.dialogs.pages().is_empty(), "{:?}", app.dialogs.pages());
    let before = proxy.0.requests().len();
    assert!(browser_sign_in::with_code(&app.steward.context, &site.id, "canary").await.is_err());
    assert_eq!(proxy.0.requests().len(), before, "the code of one portal was sent to another");
}

#[tokio::test]
async fn a_site_that_is_removed_while_its_change_waits_for_the_keyring_stays_removed() {
    let (app, keyring) = HeldKeyring::of(TestApp::signed_out().await);
    let proxy = Proxy::new().await;
    let site = saved(&app, &county(None, &proxy, Some("first"))).await;
    keyring.hold(Question::Set, "/proxy-password");
    let removed = async {
        keyring.waits(1).await;
        remove(&app.steward.context, &site.id, "").await.unwrap();
        keyring.let_go();
    };

    let edited = county(Some(&site.id), &proxy, Some("second"));
    let (changed, ()) = tokio::join!(save(&app.steward.context, &edited), removed);

    assert!(app.sites().get(&site.id).is_err() && changed.is_err(), "{changed:?}");
    let kept = app.vault.get(&format!("{}/proxy-password", site.id.0)).await.unwrap();
    assert_eq!(kept, None, "nor the password of its proxy");
}

#[tokio::test]
async fn a_certificate_that_is_trusted_while_a_change_waits_for_the_keyring_stays_trusted() {
    let (app, keyring) = HeldKeyring::of(TestApp::signed_out().await);
    let proxy = Proxy::new().await;
    let site = saved(&app, &county(None, &proxy, Some("first"))).await;
    let certificate =
        TrustedCertificateView { origin: "https://gis.invalid".to_owned(), fingerprint: "AB".repeat(32) };
    keyring.hold(Question::Set, "/proxy-password");
    let trusted = async {
        keyring.waits(1).await;
        trust(&app.steward.context, &site.id, &certificate).await.unwrap();
        keyring.let_go();
    };

    let edited = SiteForm { name: "County GIS".to_owned(), ..county(Some(&site.id), &proxy, Some("second")) };
    let (changed, ()) = tokio::join!(save(&app.steward.context, &edited), trusted);

    changed.unwrap();
    let now = app.sites().get(&site.id).unwrap();
    let origins: Vec<_> = now.trusted_certificates.iter().map(|one| one.origin.as_str()).collect();
    assert_eq!((now.name.as_str(), origins), ("County GIS", vec!["https://gis.invalid"]));
}
