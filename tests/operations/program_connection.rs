//! What a site uses whose own connection says nothing.

use steward_core::actions::preferences::save;
use steward_core::diagnostics::report::report_of;
use steward_core::settings::policy::Policy;
use steward_core::settings::preferences::{Choices, Preferences, ProgramConnection};
use steward_core::sites::{ConnectionRoute, SiteForm};
use steward_testkit::{Reply, TestServer};
use steward_vault::{Secret, SecretStore};

use crate::test_app::TestApp;

pub(crate) fn through(address: &str) -> Preferences {
    let route = ConnectionRoute::Proxy {
        address: address.to_owned(),
        user: "sam".to_owned(),
        exceptions: Vec::new(),
    };
    let connection = ProgramConnection { route, ca_certificate: String::new() };
    Preferences { connection, ..Preferences::default() }
}

/// A proxy that lets nothing through and keeps what arrived.
pub(crate) async fn proxy() -> TestServer {
    TestServer::start(|_| Reply::new("502 Bad Gateway", "", "").then_close()).await.unwrap()
}

/// Nothing listens there.
const NOBODY: &str = "http://127.0.0.1:9/";

/// Asks a site that is not on this machine, and says what arrives at the proxy first.
async fn asked_of_the_proxy(app: &TestApp, route: ConnectionRoute, before: bool) -> Option<String> {
    let proxy = proxy().await;
    let mut site = app.sites().save(&SiteForm::of("County", "https://gis.invalid/portal", "")).unwrap();
    site.route = route;
    app.sites().put(site.clone()).unwrap();
    if before {
        app.steward.context.access.portal_address(&site).await.unwrap();
    }
    save(&app.steward.preferences, &app.steward.context, through(&format!("{}/", proxy.origin())), None)
        .await
        .unwrap();
    let portal = app.steward.context.access.portal_address(&site).await.unwrap();
    steward_client::describe_portal(&portal).await.map(drop).unwrap_err();
    proxy.requests().first().map(|request| request.head.lines().next().unwrap().to_owned())
}

#[tokio::test]
async fn a_site_without_a_way_of_its_own_goes_through_the_programs_proxy_from_then_on() {
    let app = TestApp::signed_out().await;

    let asked = asked_of_the_proxy(&app, ConnectionRoute::System, true).await;

    assert_eq!(asked.as_deref(), Some("CONNECT gis.invalid:443 HTTP/1.1"));
}

#[tokio::test]
async fn a_site_with_a_way_of_its_own_keeps_it() {
    let app = TestApp::signed_out().await;

    assert_eq!(asked_of_the_proxy(&app, ConnectionRoute::Direct, false).await, None);
}

#[tokio::test]
async fn the_password_of_the_programs_proxy_is_in_the_keyring_and_meant_for_that_proxy_alone() {
    let app = TestApp::signed_out().await;
    let kept =
        async || app.vault.get("program/proxy-password").await.unwrap().map(|kept| kept.expose().clone());
    save(&app.steward.preferences, &app.steward.context, through(NOBODY), Some("seven seas".to_owned()))
        .await
        .unwrap();
    save(&app.steward.preferences, &app.steward.context, through(NOBODY), None).await.unwrap();
    assert!(kept().await.unwrap().contains("seven seas"));
    let file = app.steward.data_folder.join("preferences.json");
    assert!(!std::fs::read_to_string(file).unwrap().contains("seven seas"));

    save(&app.steward.preferences, &app.steward.context, through("http://127.0.0.1:10/"), None)
        .await
        .unwrap();

    assert_eq!(kept().await, None);
}

#[tokio::test]
async fn a_password_for_one_locked_proxy_does_not_go_to_another() {
    let mut app = TestApp::signed_out().await;
    let (first, second) = (proxy().await, proxy().await);
    let kept = serde_json::json!({ "proxy": format!("{}/", first.origin()), "password": "seven seas" });
    app.vault.set("program/proxy-password", Secret::new(kept.to_string())).await.unwrap();
    let ask = async |app: &TestApp| {
        let site = app.sites().save(&SiteForm::of("County", "https://gis.invalid/portal", "")).unwrap();
        let portal = app.steward.context.access.portal_address(&site).await.unwrap();
        steward_client::describe_portal(&portal).await.map(drop).unwrap_err();
    };
    // The base64 of `sam:seven seas`.
    let has_password = |proxy: &TestServer| {
        proxy.requests().iter().any(|request| request.head.contains("c2FtOnNldmVuIHNlYXM="))
    };

    with_locked_route(&mut app, through(&format!("{}/", first.origin())).connection.route);
    ask(&app).await;
    assert!(has_password(&first));

    with_locked_route(&mut app, through(&format!("{}/", second.origin())).connection.route);
    ask(&app).await;
    let asked: Vec<_> = second.requests().into_iter().map(|request| request.head).collect();
    assert!(!asked.is_empty() && !has_password(&second), "{asked:?}");
}

/// The same desk where the organisation locked the way to every site.
fn with_locked_route(app: &mut TestApp, route: ConnectionRoute) {
    let policy = Policy { locked: Choices { route: Some(route), ..Choices::default() }, ..Policy::default() };
    app.put_under(policy);
}

#[tokio::test]
async fn under_a_locked_proxy_no_site_has_a_way_of_its_own() {
    let mut app = TestApp::signed_out().await;
    let proxy = proxy().await;
    let address = format!("{}/", proxy.origin());
    with_locked_route(&mut app, through(&address).connection.route);
    let mut site = app.sites().save(&SiteForm::of("County", "https://gis.invalid/portal", "")).unwrap();
    site.route = ConnectionRoute::Direct;
    app.sites().put(site.clone()).unwrap();

    let portal = app.steward.context.access.portal_address(&site).await.unwrap();
    let answered = steward_client::describe_portal(&portal).await.map(drop);

    let arrived = proxy.requests();
    let Some(first) = arrived.first() else { panic!("it went past the proxy: {answered:?}") };
    assert!(first.head.starts_with("CONNECT gis.invalid:443"));
    let examined = report_of(app.steward.diagnosed(), Some(&site.id), None).await.unwrap();
    let way = format!("https://gis.invalid: {address}, with user name and password");
    assert!(examined.text.contains(&way), "{}", examined.text);
}

#[tokio::test]
async fn under_a_locked_proxy_its_password_can_be_typed_and_nothing_else() {
    let mut app = TestApp::signed_out().await;
    with_locked_route(&mut app, through(NOBODY).connection.route);

    let saved = save(
        &app.steward.preferences,
        &app.steward.context,
        through("http://127.0.0.1:10/"),
        Some("seven seas".to_owned()),
    )
    .await
    .unwrap();

    assert_eq!(saved.connection, through(NOBODY).connection);
    let kept = app.vault.get("program/proxy-password").await.unwrap();
    assert!(kept.unwrap().expose().contains("seven seas"));
}
