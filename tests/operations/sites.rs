//! The saved sites as a person tends them: their order, their names, what goes with one that is removed, and the
//! file that takes them elsewhere.

use std::sync::Arc;

use steward_core::actions::profile_files::{self, ProfileFile};
use steward_core::actions::sign_in;
use steward_core::actions::sites;
use steward_core::model::deployment::Environment;
use steward_core::model::ids::{ServerId, SiteId};
use steward_core::model::numbers::Millis;
use steward_core::model::problem::{FieldError, Problem};
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::refresh_invitation::unsaved_invitations::UnsavedInvitation;
use steward_core::sites::{ConnectionRoute, ServerForm, Site, SiteForm, TrustedCertificateView};

use crate::test_app::TestApp;

async fn added(app: &TestApp, name: &str) -> SiteId {
    let form = SiteForm::of(name, &format!("https://{}.example.org/portal", name.to_lowercase()), "");
    sites::save(&app.steward.context, &form).await.unwrap().id
}

fn names(app: &TestApp) -> Vec<String> {
    app.sites().all().into_iter().map(|site| site.name).collect()
}

#[tokio::test]
async fn the_order_that_a_person_gave_is_there_after_a_restart_and_leaves_nobody_out() {
    let app = TestApp::signed_out().await;
    let (harbour, county) = (added(&app, "Harbour").await, added(&app, "County").await);

    // A site that was removed meanwhile is named too.
    app.sites().order(&[county, SiteId("gone".to_owned()), harbour]).unwrap();

    assert_eq!(names(&app), ["County", "Harbour", "City GIS"]);
    assert_eq!(names(&app.restarted()), ["County", "Harbour", "City GIS"]);
}

#[tokio::test]
async fn what_the_site_said_of_itself_is_known_when_nobody_is_signed_in_and_not_of_another_place() {
    let app = TestApp::new().await;
    let seen = async |app: &TestApp| {
        let site = app.sites().get(&app.site).unwrap();
        site.seen.and_then(|seen| seen.portal_version)
    };
    let version = seen(&app).await;
    assert!(version.is_some());
    sign_in::leave(&app.steward.context, &app.site).await.unwrap();
    let app = app.restarted();
    assert_eq!(seen(&app).await, version);

    let there = SiteForm::of("City GIS", "https://other.example.org/portal", "");
    sites::save(&app.steward.context, &SiteForm { id: Some(app.site.clone()), ..there }).await.unwrap();

    assert_eq!(seen(&app).await, None);
}

#[tokio::test]
async fn a_server_that_is_added_signs_nobody_out_and_one_that_is_removed_does() {
    let app = TestApp::new().await;
    let save = async |others: &[&str]| {
        let saved = sites::view_of(&app.steward.context, &app.site).unwrap();
        let first = saved.servers.into_iter().take(1);
        let others = others.iter().map(|address| SiteForm::of("", "", address).servers.remove(0));
        let others = others.map(|server| ServerForm { id: Some(ServerId("other".to_owned())), ..server });
        let form = SiteForm::of("City GIS", saved.portal.as_deref().unwrap(), "");
        let form = SiteForm { id: Some(app.site.clone()), servers: first.chain(others).collect(), ..form };
        sites::save(&app.steward.context, &form).await.unwrap();
    };

    save(&["https://other.example.org/server"]).await;
    assert!(app.kept("portal").await.is_some());

    save(&[]).await;
    assert!(app.kept("portal").await.is_none());
}

#[tokio::test]
async fn a_long_name_is_a_fault_of_its_field() {
    let app = TestApp::signed_out().await;
    let form = SiteForm::of(&"x".repeat(61), "https://gis.example.org/portal", "");

    let refused = sites::save(&app.steward.context, &form).await;

    assert_eq!(refused.err(), Some(Problem::form("name", FieldError::TooLong)));
}

#[tokio::test]
async fn no_invitation_waits_for_a_site_that_was_removed() {
    let app = TestApp::signed_out().await;
    let other = added(&app, "Harbour").await;
    for site in [&app.site, &other] {
        app.steward.invitation_files.unsaved.keep(UnsavedInvitation {
            site: site.clone(),
            file_name: "guest.invite".to_owned(),
            content: Arc::new(b"an invitation".to_vec()),
            refreshed_at: Millis::now(),
        });
    }

    sites::remove(&app.steward.context, &app.site, "").await.unwrap();

    assert!(app.steward.invitation_files.unsaved.of(&app.site).is_empty());
    assert_eq!(app.steward.invitation_files.unsaved.of(&other).len(), 1);
}

#[tokio::test]
async fn profiles_go_to_a_file_without_secrets_and_without_trust() {
    let app = TestApp::new().await;
    let site = app.sites().get(&app.site).unwrap();
    let certificate = TrustedCertificateView {
        origin: "https://gis.example.org".to_owned(),
        fingerprint: "AB:CD".to_owned(),
    }
    .certificate();
    let route = ConnectionRoute::Proxy {
        address: "http://proxy.example.org:3128/".to_owned(),
        user: "steward".to_owned(),
        exceptions: Vec::new(),
    };
    app.sites()
        .put(Site {
            trusted_certificates: vec![certificate],
            route,
            ca_certificate: Some("/home/somebody/city.pem".into()),
            username: Some("gisadmin".to_owned()),
            ..site
        })
        .unwrap();
    let file = app.folder("out").join("profiles.json");
    app.dialogs.will_choose(&file);

    let saving = profile_files::save(
        &app.steward.context,
        &app.steward.dialogs,
        std::slice::from_ref(&app.site),
        |_| Ok(Vec::new()),
    )
    .await
    .unwrap();

    let SaveResult::Saved { file: saved } = saving else { panic!("{saving:?}") };
    let entries = app.steward.context.history.journal(|journal| journal.entries_after(None, 1_000)).await;
    let last = entries.unwrap().entries.pop().unwrap();
    assert!(last.envelope.contains("\"profiles.exported\""), "{}", last.envelope);
    let body = last.body.unwrap();
    assert!(body.contains(&saved.sha256) && body.contains("City GIS"), "{body}");
    assert_eq!(app.dialogs.suggested(), ["City GIS.json"]);
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written.contains("proxy.example.org"));
    let token: serde_json::Value = serde_json::from_str(&app.kept("portal").await.unwrap()).unwrap();
    for canary in ["AB:CD", "city.pem", "gisadmin", token["token"].as_str().unwrap()] {
        assert!(!written.contains(canary), "{canary} is in the file");
    }
}

#[tokio::test]
async fn opening_profiles_names_clashes_and_saves_nothing() {
    let app = TestApp::signed_out().await;
    let harbour = added(&app, "Harbour").await;
    let file = app.folder("out").join("profiles.json");
    app.dialogs.will_choose(&file);
    profile_files::save(
        &app.steward.context,
        &app.steward.dialogs,
        &[app.site.clone(), harbour.clone()],
        |_| Ok(Vec::new()),
    )
    .await
    .unwrap();
    sites::remove(&app.steward.context, &harbour, "").await.unwrap();
    app.dialogs.will_choose(&file);

    let opened = profile_files::open(&app.steward.context.access.sites, &app.steward.dialogs).await.unwrap();

    let ProfileFile::Read { profiles, .. } = opened else { panic!("{opened:?}") };
    assert_eq!(profiles[0].problem, Some(Problem::form("name", FieldError::NameTaken)));
    assert_eq!(profiles[0].same_place.as_deref(), Some("City GIS"));
    assert_eq!((&profiles[1].problem, &profiles[1].same_place), (&None, &None));
    assert_eq!(names(&app), ["City GIS"]);
}

#[tokio::test]
async fn a_hostile_file_of_profiles_is_refused_or_says_what_is_wrong() {
    let app = TestApp::signed_out().await;
    let file = app.folder("in").join("profiles.json");
    let opened = async |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        app.dialogs.will_choose(&file);
        profile_files::open(&app.steward.context.access.sites, &app.steward.dialogs).await.unwrap()
    };
    let profile = |portal: &str, proxy: &str| {
        format!(
            r#"{{"kind":"site-steward-profiles","format":1,"sites":[{{"name":"Harbour","environment":"test",
            "color":"blue","deploymentType":"enterprise","portal":"{portal}","portalAdminUrl":"","servers":[],
            "route":{proxy},"hadAuthority":false,"hadClientCertificate":false,"clientId":"","readOnly":false,
            "trustedCertificates":[{{"origin":"{portal}","fingerprint":"AB"}}],"caCertificate":"//evil.example.org/ca.pem"}}]}}"#
        )
    };
    let system = r#"{"kind":"system"}"#;
    let deep = "[".repeat(100_000);
    let large = vec![b' '; 5 * 1024 * 1024];
    for bytes in [&b""[..], b"\xff\xfe", b"{\"a\":", deep.as_bytes(), &large] {
        assert!(matches!(opened(bytes).await, ProfileFile::NotOurs { .. }), "{}", bytes.len());
    }
    for (portal, proxy, field, fault) in [
        ("javascript:alert(1)", system, "portal", FieldError::NotAnAddress),
        ("http://gis.example.org/portal", system, "portal", FieldError::NotHttps),
        ("https://a:b@gis.example.org", system, "portal", FieldError::NotHttps),
        (
            "https://gis.example.org",
            r#"{"kind":"proxy","address":"http://a:b@p.example.org","user":"","exceptions":[]}"#,
            "connection.route.address",
            FieldError::NotAnAddress,
        ),
    ] {
        let ProfileFile::Read { profiles, .. } = opened(profile(portal, proxy).as_bytes()).await else {
            panic!("{portal}")
        };
        assert_eq!(profiles[0].problem, Some(Problem::form(field, fault)), "{portal}");
    }
    // Another spelling of a URL leads to the saved site, too.
    added(&app, "County").await;
    for same in ["https://county.example.org./portal", "https://COUNTY.example.org/Portal/home"] {
        let ProfileFile::Read { profiles, .. } = opened(profile(same, system).as_bytes()).await else {
            panic!("{same}")
        };
        assert_eq!(profiles[0].same_place.as_deref(), Some("County"), "{same}");
    }
    // What is trusted, and files of this computer, never come out of a file.
    let good = profile("https://gis.example.org/portal", system);
    let ProfileFile::Read { profiles, .. } = opened(good.as_bytes()).await else { panic!("refused") };
    let form = profiles[0].profile.form();
    assert!(form.connection.trusted_certificates.is_empty() && form.connection.ca_certificate.is_empty());
    assert_eq!(form.environment, Environment::Test);
}

#[tokio::test]
async fn a_file_that_is_gone_is_said_and_a_closed_dialog_is_no_problem() {
    let app = TestApp::signed_out().await;
    assert!(matches!(
        profile_files::open(&app.steward.context.access.sites, &app.steward.dialogs).await,
        Ok(ProfileFile::Dismissed)
    ));
    app.dialogs.will_choose(&app.folder("in").join("gone.json"));
    assert!(matches!(
        profile_files::open(&app.steward.context.access.sites, &app.steward.dialogs).await,
        Err(Problem::File { .. })
    ));
    let closed = profile_files::save(
        &app.steward.context,
        &app.steward.dialogs,
        std::slice::from_ref(&app.site),
        |_| Ok(Vec::new()),
    )
    .await;
    assert!(matches!(closed, Ok(SaveResult::Dismissed)));
}
