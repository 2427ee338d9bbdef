//! A session ends when the route to its site, or whom the app trusts there, changes: neither its token nor a stored
//! password is sent to whoever sits on the new one.

use steward_core::actions::preferences;
use steward_core::actions::sites::{save, trust};
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::operations::find_items::FindItemsForm;
use steward_core::runs::{RunId, RunStep};
use steward_core::sites::{ConnectionForm, ConnectionRoute, SiteForm, TrustedCertificateView};
use steward_testkit::until;
use steward_vault::Secret;

use crate::program_connection::proxy;
use crate::test_app::{TestApp, form};

/// Signs in, and stores the password.
async fn signed_in() -> TestApp {
    let app = TestApp::new().await;
    sign_in(&app).await;
    app
}

async fn sign_in(app: &TestApp) {
    app.sign_in("administrator").await.unwrap();
    let user = app.user("administrator");
    let password = Secret::new(user.password.clone());
    app.steward.context.access.keep_password(&app.site, &user.username, &password).await.unwrap();
    assert_eq!(app.kept_names().await, ["portal", "password"]);
}

fn with(app: &TestApp, connection: ConnectionForm) -> SiteForm {
    let ready = app.practice.ready();
    SiteForm { connection, ..form(Some(&app.site), &ready.portal, &ready.server) }
}

fn everything() -> FindItemsForm {
    FindItemsForm { ancestor_path: "/".to_owned(), ..FindItemsForm::default() }
}

async fn asks_to_sign_in(app: &TestApp) -> bool {
    matches!(app.find_items(everything()).await, Err(Problem::SignIn { .. }))
}

/// A certificate of the site's own origin.
fn certificate(app: &TestApp) -> TrustedCertificateView {
    TrustedCertificateView {
        origin: format!("http://{}", app.practice_address()),
        fingerprint: "AB:".repeat(31) + "AB",
    }
}

#[tokio::test]
async fn no_token_and_no_stored_password_goes_by_a_route_or_to_a_certificate_that_came_later() {
    let app = signed_in().await;
    let proxy = proxy().await;
    let route =
        ConnectionRoute::Proxy { address: proxy.origin(), user: String::new(), exceptions: Vec::new() };
    let authority = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/expired-ca.pem").to_owned();
    for connection in [
        ConnectionForm { route, ..ConnectionForm::default() },
        ConnectionForm { route: ConnectionRoute::Direct, ..ConnectionForm::default() },
        ConnectionForm { ca_certificate: authority, ..ConnectionForm::default() },
        ConnectionForm { trusted_certificates: vec![certificate(&app)], ..ConnectionForm::default() },
    ] {
        save(&app.steward.context, &with(&app, connection.clone())).await.unwrap();
        assert!(app.kept_names().await.is_empty(), "{:?}", connection.route);
        assert!(asks_to_sign_in(&app).await, "{:?}", connection.route);
        save(&app.steward.context, &with(&app, ConnectionForm::default())).await.unwrap();
        sign_in(&app).await;
    }
    assert!(proxy.requests().is_empty(), "nothing went there: {:?}", proxy.requests().len());
}

#[tokio::test]
async fn a_change_of_anything_else_keeps_the_session() {
    let app = signed_in().await;
    let named = SiteForm { name: "Town GIS".to_owned(), ..with(&app, ConnectionForm::default()) };

    save(&app.steward.context, &named).await.unwrap();

    assert_eq!(app.kept_names().await, ["portal", "password"]);
    assert!(!asks_to_sign_in(&app).await);
}

#[tokio::test]
async fn a_session_ends_when_a_certificate_is_trusted_and_not_when_it_was_before() {
    let app = signed_in().await;

    trust(&app.steward.context, &app.site, &certificate(&app)).await.unwrap();
    assert!(app.kept_names().await.is_empty() && asks_to_sign_in(&app).await);

    sign_in(&app).await;
    trust(&app.steward.context, &app.site, &certificate(&app)).await.unwrap();
    assert_eq!(app.kept_names().await, ["portal", "password"]);
}

#[tokio::test]
async fn a_change_of_the_programs_connection_ends_the_sessions_that_use_it_and_no_others() {
    let app = signed_in().await;
    let mut changed = app.steward.preferences.get();
    let change =
        async |wanted| preferences::save(&app.steward.preferences, &app.steward.context, wanted, None).await;
    changed.connection.route = ConnectionRoute::Direct;

    let running = begin(&app);
    let refused = change(changed.clone()).await;
    assert!(matches!(refused, Err(Problem::Busy { .. })), "{refused:?}");
    assert_eq!(app.kept_names().await, ["portal", "password"]);
    drop(running);
    change(changed.clone()).await.unwrap();
    assert!(app.kept_names().await.is_empty() && asks_to_sign_in(&app).await);

    let own = ConnectionForm { route: ConnectionRoute::Direct, ..ConnectionForm::default() };
    save(&app.steward.context, &with(&app, own)).await.unwrap();
    sign_in(&app).await;
    changed.connection.route = ConnectionRoute::System;
    change(changed).await.unwrap();
    assert_eq!(app.kept_names().await, ["portal", "password"]);
}

#[tokio::test]
async fn neither_route_nor_trust_changes_under_a_running_operation() {
    let app = signed_in().await;
    let running = begin(&app);
    let direct = ConnectionForm { route: ConnectionRoute::Direct, ..ConnectionForm::default() };

    let rerouted = save(&app.steward.context, &with(&app, direct)).await.err();
    let trusted = trust(&app.steward.context, &app.site, &certificate(&app)).await.err();

    for refused in [rerouted, trusted] {
        assert!(matches!(refused, Some(Problem::Busy { .. })), "{refused:?}");
    }
    assert_eq!(app.sites().get(&app.site).unwrap().route, ConnectionRoute::System);
    assert_eq!(app.kept_names().await, ["portal", "password"]);
    drop(running);
    until("the site", async || !asks_to_sign_in(&app).await).await;
}

fn begin(app: &TestApp) -> steward_core::runs::Run {
    let site = app.sites().get(&app.site).unwrap();
    let id = RunId("other".to_owned());
    app.steward
        .context
        .runs
        .begin(id, &app.current(&site), OperationKey::ExportServer, None, RunStep::Waiting)
        .unwrap()
}
