//! From what a person pastes to a site that can be worked with.

use std::net::{Ipv4Addr, SocketAddr};

use practice_site::{Options, PracticeSite, Release};
use steward_client::CertificateReason;
use steward_core::access::discovery;
use steward_core::access::found_site::{FoundSiteView, OutcomeView};
use steward_core::actions::sign_in::sign_in_as;
use steward_core::actions::sites;
use steward_core::model::deployment::Environment;
use steward_core::model::ids::{ServerId, SiteId};
use steward_core::model::problem::{FieldError, Problem};
use steward_core::sites::{ConnectionForm, SiteColor, SiteForm, TrustedCertificateView};
use steward_vault::Secret;

use crate::test_app::TestApp;

/// Another site, over https with a certificate that nobody trusts yet.
pub(crate) async fn encrypted(app: &TestApp) -> PracticeSite {
    encrypted_at(app, 0).await
}

/// The same at a port.
pub(crate) async fn encrypted_at(app: &TestApp, port: u16) -> PracticeSite {
    let options = Options {
        data_dir: app.folder("encrypted"),
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        localhost: false,
        http: false,
        deliver_anywhere: false,
        release: Release::default(),
        servers: 1,
    };
    PracticeSite::start(options).await.unwrap()
}

pub(crate) fn form_of(found: FoundSiteView, connection: ConnectionForm) -> SiteForm {
    let portal = found.portal.unwrap();
    SiteForm {
        id: None,
        name: "Found".to_owned(),
        environment: Environment::Test,
        color: SiteColor::Green,
        deployment_type: Some(found.deployment_type),
        portal: portal.address,
        portal_admin_url: portal.admin_url,
        servers: found.servers.into_iter().map(|server| server.form).collect(),
        connection,
        client_id: String::new(),
        read_only: false,
        is_same: false,
        reason: String::new(),
    }
}

#[tokio::test]
async fn a_pasted_page_is_found_saved_signed_in_to_and_its_servers_are_known() {
    let app = TestApp::signed_out().await;
    // Some apps put invisible characters around a URL.
    let pasted = format!("\u{feff}{}/home/index.html\u{200b}", app.practice.ready().portal);

    let found = discovery::look(&app.steward.context.access, None, &pasted, &ConnectionForm::default())
        .await
        .unwrap();

    assert!(found.traces.iter().any(|trace| matches!(trace.outcome, OutcomeView::Answered { .. })));
    let saved = sites::save(&app.steward.context, &form_of(found.site.unwrap(), ConnectionForm::default()))
        .await
        .unwrap();
    let user = app.user("administrator");
    sign_in_as(&app.steward.context, &saved.id, &user.username, &Secret::new(user.password.clone()))
        .await
        .unwrap();
    let servers = discovery::servers(&app.steward.context.access, &saved.id).await.unwrap();
    let server = app.practice.ready().server.clone();
    assert!(servers.iter().any(|one| one.form.address == server), "{servers:?}");
}

#[tokio::test]
async fn what_is_no_address_is_said_under_the_field() {
    let app = TestApp::signed_out().await;
    for (pasted, fault) in [("", FieldError::Required), ("two words", FieldError::NotAnAddress)] {
        let refused =
            discovery::look(&app.steward.context.access, None, pasted, &ConnectionForm::default()).await;
        assert_eq!(refused.err(), Some(Problem::form("pasted", fault)), "{pasted:?}");
    }
}

#[tokio::test]
async fn an_unknown_certificate_comes_back_for_the_trust_card_and_accepting_it_is_for_this_site_only() {
    let app = TestApp::signed_out().await;
    let site = encrypted(&app).await;
    let pasted = site.ready().portal.clone();
    let look = async |connection: &ConnectionForm| {
        discovery::look(&app.steward.context.access, None, &pasted, connection).await
    };

    let refused = look(&ConnectionForm::default()).await.unwrap();

    assert!(refused.site.is_none());
    let certificate = refused
        .traces
        .into_iter()
        .find_map(|trace| match trace.outcome {
            OutcomeView::Distrusted { certificate } => Some(certificate),
            _ => None,
        })
        .unwrap();
    assert!(!matches!(certificate.reason, CertificateReason::Expired), "{certificate:?}");
    let origin = certificate.origin.unwrap();
    let certificate = TrustedCertificateView { origin: origin.clone(), fingerprint: certificate.fingerprint };
    let accepting =
        ConnectionForm { trusted_certificates: vec![certificate.clone()], ..ConnectionForm::default() };
    let found = look(&accepting).await.unwrap();
    let saved = sites::save(&app.steward.context, &form_of(found.site.unwrap(), accepting)).await.unwrap();
    assert_eq!(saved.connection.trusted_certificates, [certificate]);

    // For the first site nothing was accepted.
    let elsewhere = TrustedCertificateView { origin, fingerprint: String::new() };
    let refused = sites::trust(&app.steward.context, &app.site, &elsewhere).await;
    assert_eq!(refused.err(), Some(Problem::form("origin", FieldError::NotAnAddress)));
}

#[tokio::test]
async fn a_refused_certificate_of_a_saved_site_opens_the_trust_card_and_can_be_accepted() {
    let app = TestApp::signed_out().await;
    let site = encrypted(&app).await;
    let form = SiteForm::of("Encrypted", &site.ready().portal, "");
    let saved = sites::save(&app.steward.context, &form).await.unwrap();
    let user = &site.ready().users[0];
    let password = Secret::new(user.password.clone());

    let refused = sign_in_as(&app.steward.context, &saved.id, &user.username, &password).await;

    let Err(Problem::Certificate { site: about, certificate }) = refused else { panic!("trusted") };
    assert_eq!(about, saved.id);
    let certificate =
        TrustedCertificateView { origin: certificate.origin.unwrap(), fingerprint: certificate.fingerprint };
    sites::trust(&app.steward.context, &saved.id, &certificate).await.unwrap();
    sign_in_as(&app.steward.context, &saved.id, &user.username, &password).await.unwrap();
}

#[tokio::test]
async fn another_server_is_worked_with_once_it_is_chosen() {
    let app = TestApp::new().await;
    let site = app.sites().get(&app.site).unwrap();
    let mut second = site.servers[0].clone();
    second.id = ServerId("second".to_owned());
    second.address = url::Url::parse("http://127.0.0.1:9/server").unwrap();
    let servers = vec![site.servers[0].clone(), second.clone()];
    app.sites().put(steward_core::sites::Site { servers, ..site }).unwrap();

    let chosen = sites::choose(&app.steward.context, &app.site, second.id.clone()).unwrap();

    assert_eq!(chosen.server.as_deref(), Some(second.address.as_str()));
    assert_eq!(chosen.current_server, Some(second.id));
    let unknown = sites::choose(&app.steward.context, &app.site, ServerId("third".to_owned()));
    assert_eq!(unknown.err(), Some(Problem::form("server", FieldError::Required)));
}

#[tokio::test]
async fn a_token_does_not_follow_a_site_to_another_address() {
    let app = TestApp::new().await;
    assert!(app.kept("portal").await.is_some());
    let there = SiteForm::of("City GIS", "https://other.example.org/portal", "");
    let moved = SiteForm { id: Some(app.site.clone()), ..there };

    sites::save(&app.steward.context, &moved).await.unwrap();

    assert!(app.kept("portal").await.is_none());
}

#[tokio::test]
async fn a_site_gets_its_identifier_from_the_app_and_not_from_the_form() {
    let app = TestApp::new().await;
    // Names entries of the keyring that belong to another site, or to the app.
    for id in [format!("{}/server/server", app.site.0), "program".to_owned(), String::new()] {
        let there = SiteForm::of("Other", "https://other.example.org/portal", "");

        let refused =
            sites::save(&app.steward.context, &SiteForm { id: Some(SiteId(id.clone())), ..there }).await;

        assert!(matches!(refused, Err(Problem::Unexpected { .. })), "{id}: {refused:?}");
        assert_eq!(app.sites().all().len(), 1, "{id}");
    }
}
