//! Addresses of a site that are at another host than the one that is seen: what may go there, and after which question.

use serde_json::{Value, json};
use steward_client::Version;
use steward_core::actions::profile_files::{self, ProfileFile, ProfileView};
use steward_core::actions::sign_in::{session, sign_in_as};
use steward_core::actions::sites::{self, confirm};
use steward_core::model::ids::SiteId;
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::{FieldError as FormFault, Problem};
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::operations::import_server::{self, ImportServerForm, ImportServerOptions};
use steward_core::sites::availability::{SiteFacts, availability};
use steward_core::sites::{ServerForm, Site, SiteForm};
use steward_testkit::{Fault, FaultProxy};
use steward_vault::{Secret, SecretStore};
use url::Url;

use crate::scripted::{Scripted, Then};
use crate::test_app::TestApp;

/// A host that says what every site says, and remembers what it was asked.
async fn hostile() -> Scripted {
    Scripted::new(|_, _| {
        let body = r#"{"status":"success","token":"t","currentVersion":11.3,"result":[]}"#;
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
        (format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes(), Then::Close)
    })
    .await
}

/// The profile of the desk's site, changed on its way here, as it is opened.
async fn profile(app: &TestApp, change: impl FnOnce(&mut Value)) -> ProfileView {
    let file = app.folder("mail").join("profiles.json");
    app.dialogs.will_choose(&file);
    profile_files::save(&app.steward.context, &app.steward.dialogs, std::slice::from_ref(&app.site), |_| {
        Ok(Vec::new())
    })
    .await
    .unwrap();
    let mut written: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    change(&mut written["sites"][0]);
    std::fs::write(&file, written.to_string()).unwrap();
    app.dialogs.will_choose(&file);
    let opened = profile_files::open(&app.steward.context.access.sites, &app.steward.dialogs).await.unwrap();
    let ProfileFile::Read { mut profiles, .. } = opened else { panic!("{opened:?}") };
    profiles.remove(0)
}

fn differing(view: &ProfileView) -> Vec<String> {
    view.addresses.iter().filter(|one| one.differs).map(|one| one.address.clone()).collect()
}

async fn import(app: &TestApp, site: &SiteId, is_secured: bool) -> Result<(), Problem> {
    let form = ImportServerForm {
        location: "/exports/a.agssite".to_owned(),
        confirmation: app.sites().get(site).unwrap().name,
        safety_backup: is_secured.then_some(SafetyBackupOptions { also_here: false }),
        deactivate_webhooks: None,
        options: ImportServerOptions::default(),
    };
    import_server::perform(
        &app.steward.context,
        &app.steward.transfers,
        &app.server_of(site),
        app.run(),
        form,
    )
    .await
    .map(drop)
}

#[tokio::test]
async fn nothing_goes_to_a_host_that_a_profile_hid_until_it_was_confirmed_for_that_site() {
    for is_federated in [true, false] {
        let app = TestApp::signed_out().await;
        let hidden = hostile().await;
        let view = profile(&app, |site| {
            site["name"] = json!("Harbour");
            site["servers"][0]["adminUrl"] = json!(hidden.address());
            if !is_federated {
                site["portal"] = json!("");
                site["deploymentType"] = json!("standaloneServer");
            }
        })
        .await;
        assert_eq!(differing(&view), [hidden.address()]);

        let add = async |confirmed: &[String]| {
            profile_files::add(&app.steward.context, view.profile.clone(), "Harbour".to_owned(), confirmed)
                .await
        };
        let open =
            Problem::UnconfirmedAddress { site: SiteId(String::new()), addresses: vec![hidden.address()] };
        assert_eq!(add(&[]).await.err(), Some(open));
        assert_eq!(app.sites().all().len(), 1);
        let site = add(&[hidden.address()]).await.unwrap().id;
        let user = app.user("administrator");
        sign_in_as(&app.steward.context, &site, &user.username, &Secret::new(user.password.clone()))
            .await
            .unwrap();

        for is_secured in [false, true] {
            let open = Problem::UnconfirmedAddress { site: site.clone(), addresses: vec![hidden.address()] };
            let ended = import(&app, &site, is_secured).await;
            assert_eq!(ended.err(), Some(open), "federated: {is_federated}, secured: {is_secured}");
        }
        assert_eq!(hidden.asked(), [""; 0]);
        assert!(app.history().await.iter().all(|record| record.intent.requests.is_empty()));

        // Only for what is an address of this site.
        let other = confirm(&app.steward.context, &site, "http://127.0.0.1:1/server").await;
        assert_eq!(other.err(), Some(Problem::form("address", FormFault::NotAnAddress)));
        confirm(&app.steward.context, &site, &hidden.address()).await.unwrap();
        let kept = app.acts().await.remove(0).intent;
        let origin = hidden.address().trim_end_matches("/server").to_owned();
        assert_eq!(kept.parameters, [("siteConfirmed".to_owned(), origin)]);
        let ended = import(&app, &site, false).await;
        assert!(ended.is_ok(), "{ended:?}");
        // The inventory before the import and the check after it only read.
        let mut asked = hidden.asked();
        asked.retain(|one| !one.starts_with("get "));
        assert!(matches!(&asked[..], [one] if one.starts_with("post /server/admin/importsite")), "{asked:?}");

        // What was confirmed here is confirmed for nobody else.
        app.dialogs.will_choose(&app.folder("mail").join("again.json"));
        profile_files::save(&app.steward.context, &app.steward.dialogs, std::slice::from_ref(&site), |_| {
            Ok(Vec::new())
        })
        .await
        .unwrap();
        let again = std::fs::read_to_string(app.folder("mail").join("again.json")).unwrap();
        assert!(!again.contains("confirmed"), "{again}");
    }
}

/// Moves the portal and the server of a site to another host, as an older copy of `sites.json` would, and starts the app again.
fn moved_by_a_file(app: TestApp, host: &str) -> TestApp {
    let mut site = app.sites().get(&app.site).unwrap();
    for address in [&mut site.portal.as_mut().unwrap().address, &mut site.servers[0].address] {
        *address = format!("http://{host}{}", address.path()).parse().unwrap();
    }
    app.sites().put(site).unwrap();
    app.restarted()
}

#[tokio::test]
async fn no_token_and_no_password_goes_to_a_host_that_an_older_copy_of_the_sites_names() {
    let app = TestApp::new().await;
    app.save_password().await;
    let here = format!("http://{}", app.practice_address());
    let other = hostile().await;
    let app = moved_by_a_file(app, &other.host());
    let site = app.sites().get(&app.site).unwrap();

    let portal = app.steward.context.access.portal(&site).await;

    let told = Problem::SignIn { site: app.site.clone(), server: None, elsewhere: Some(here.clone()) };
    assert_eq!(portal.err(), Some(told.clone()));
    assert_eq!(session(&app.steward.context, &app.server).await.err(), Some(told));
    assert_eq!(other.asked(), Vec::<String>::new());

    // Back where it was issued, the session goes on.
    let own = app.practice_address().to_owned();
    let app = moved_by_a_file(app, &own);
    assert!(session(&app.steward.context, &app.server).await.unwrap().is_some());
}

#[tokio::test]
async fn a_password_of_another_host_renews_no_session_of_a_new_sign_in() {
    let app = TestApp::new().await;
    app.save_password().await;
    let password = app.kept("password").await.unwrap();
    let way = FaultProxy::to(app.practice_address(), "/never", Fault::AnswerLost).await.unwrap();
    let app = moved_by_a_file(app, &way.address());
    app.sign_in("administrator").await.unwrap();
    // As an earlier copy of the keyring has it.
    app.vault.set(&format!("{}/password", app.site.0), Secret::new(password)).await.unwrap();
    let mut token: Value = serde_json::from_str(&app.kept("portal").await.unwrap()).unwrap();
    token["token"] = json!("stale");
    app.vault.set(&format!("{}/portal", app.site.0), Secret::new(token.to_string())).await.unwrap();
    app.steward.context.access.forget_known(&app.site);

    let ended = session(&app.steward.context, &app.server).await;

    assert_eq!(ended.unwrap().map(|session| session.username), None, "the password is for the other host");
}

#[tokio::test]
async fn a_session_of_an_earlier_version_is_used_and_bound_to_the_host_where_the_site_is() {
    let app = TestApp::new().await;
    app.save_password().await;
    for entry in ["portal", "password"] {
        let mut kept: Value = serde_json::from_str(&app.kept(entry).await.unwrap()).unwrap();
        kept.as_object_mut().unwrap().remove("origin").unwrap();
        app.vault.set(&format!("{}/{entry}", app.site.0), Secret::new(kept.to_string())).await.unwrap();
    }
    let app = app.restarted();

    assert!(session(&app.steward.context, &app.server).await.unwrap().is_some());

    let here = format!("http://{}", app.practice_address());
    for entry in ["portal", "password"] {
        let kept: Value = serde_json::from_str(&app.kept(entry).await.unwrap()).unwrap();
        assert_eq!(kept["origin"], here, "{entry}");
    }
}

#[tokio::test]
async fn a_visible_address_that_nobody_typed_receives_no_token_of_the_server_that_the_portal_lists() {
    let app = TestApp::signed_out().await;
    let look_alike = hostile().await;
    let view = profile(&app, |site| {
        site["servers"][0]["servicesUrl"] = site["servers"][0]["address"].take();
        site["servers"][0]["address"] = json!(look_alike.address());
    })
    .await;
    let added = profile_files::add(
        &app.steward.context,
        view.profile.clone(),
        "Harbour".to_owned(),
        &differing(&view),
    )
    .await;
    let site = added.unwrap().id;
    let user = app.user("administrator");
    sign_in_as(&app.steward.context, &site, &user.username, &Secret::new(user.password.clone()))
        .await
        .unwrap();

    let ended = import(&app, &site, false).await;

    let open = Problem::UnconfirmedAddress { site, addresses: vec![look_alike.address()] };
    assert_eq!(ended.err(), Some(open));
    assert_eq!(look_alike.asked(), [""; 0]);
}

#[tokio::test]
async fn an_address_of_a_profile_with_a_character_inside_that_nobody_sees_is_not_saved() {
    let app = TestApp::signed_out().await;
    let view = profile(&app, |site| {
        site["servers"][0]["address"] = json!("https://gis.example.org\t.other.example.org/server");
    })
    .await;

    let added = profile_files::add(&app.steward.context, view.profile, "Harbour".to_owned(), &[]).await;

    assert_eq!(added.err(), Some(Problem::form("servers.0.address", FormFault::NotOneLine)));
}

#[tokio::test]
async fn every_address_of_a_profile_is_shown_as_it_would_be_used() {
    let app = TestApp::signed_out().await;
    let view = profile(&app, |site| {
        site["portal"] = json!("https://GIS.example.org/portal");
        site["portalAdminUrl"] = json!("https://gis.example.org:7443/arcgis");
        site["servers"][0]["address"] = json!("https://gis.example.org.other.example.org/server");
        site["servers"][0]["servicesUrl"] = json!("https://gis.example.org/server");
        site["servers"][0]["adminUrl"] = json!("https://gis。example。net:6443/arcgis");
        let route = json!({ "kind": "proxy", "address": "http://Proxy.example.org:3128", "user": "",
            "exceptions": [] });
        site["route"] = route;
    })
    .await;

    let shown: Vec<_> = view.addresses.iter().map(|one| (one.address.as_str(), one.differs)).collect();

    let expected = [
        ("https://gis.example.org/portal", false),
        ("https://gis.example.org:7443/arcgis", false),
        ("https://gis.example.org.other.example.org/server", false),
        ("https://gis.example.org/server", true),
        ("https://gis.example.net:6443/arcgis", true),
        ("http://proxy.example.org:3128/", true),
    ];
    assert_eq!(shown, expected);
    let some = differing(&view)[..2].to_vec();
    let added = profile_files::add(&app.steward.context, view.profile, "Harbour".to_owned(), &some).await;
    let open = vec!["http://proxy.example.org:3128/".to_owned()];
    let open = Problem::UnconfirmedAddress { site: SiteId(String::new()), addresses: open };
    assert_eq!(added.err(), Some(open));
}

#[tokio::test]
async fn what_a_person_types_is_confirmed_and_what_stood_in_the_form_already_is_not() {
    let app = TestApp::signed_out().await;
    let (hidden, typed) = ("https://other.example.org:6443/arcgis", "https://srv1.example.org:6443/arcgis");
    let view = profile(&app, |site| site["servers"][0]["adminUrl"] = json!(hidden)).await;
    let added =
        profile_files::add(&app.steward.context, view.profile, "Harbour".to_owned(), &[hidden.to_owned()])
            .await;
    let added = app.sites().get(&added.unwrap().id).unwrap();
    let is_confirmed = |site: &Site| {
        let server = site.current_server().unwrap();
        site.is_confirmed(&server.address, server.admin_url.as_ref().unwrap())
    };
    assert!(!is_confirmed(&added));
    let save = async |id: Option<&SiteId>, name: &str, direct: &str| {
        let portal = added.portal.as_ref().unwrap().address.as_str();
        let form = SiteForm::of(name, portal, added.current_server().unwrap().address.as_str());
        let server = ServerForm { admin_url: direct.to_owned(), ..form.servers[0].clone() };
        let form = SiteForm { id: id.cloned(), servers: vec![server], ..form };
        let saved = sites::save(&app.steward.context, &form).await.unwrap().id;
        app.sites().get(&saved).unwrap()
    };

    assert!(!is_confirmed(&save(Some(&added.id), "Harbor", hidden).await), "another name");
    assert!(!is_confirmed(&save(None, "Harbor (copy)", hidden).await), "a duplicate");
    let site = save(Some(&added.id), "Harbor", typed).await;
    assert!(is_confirmed(&site), "typed");
    assert!(is_confirmed(&save(None, "Harbor (copy 2)", typed).await), "a duplicate of what was typed");
    let site = save(Some(&site.id), "Harbor", "").await;
    assert!(!site.confirmed.contains(&"https://srv1.example.org:6443".to_owned()), "removed: {site:?}");
}

#[tokio::test]
async fn a_safety_export_goes_past_the_web_adaptor_as_its_import_does() {
    let app = TestApp::new().await;
    let adaptor = app.with_fault("/admin/exportSite", Fault::AnswerLost).await;
    let mut site = app.sites().get(&app.site).unwrap();
    site.servers[0].admin_url = Url::parse(&app.practice.ready().server).ok();
    app.sites().put(site).unwrap();
    // The import itself comes to nothing: the file is not there.
    let ended = import(&app, &app.site, true).await;

    assert!(matches!(ended, Err(Problem::ImportFailed { .. })), "{ended:?}");
    assert_eq!(adaptor.met(), 0);
    for record in &app.history().await[..2] {
        let request = &record.intent.requests[0];
        assert!(request.address.starts_with(&app.practice.ready().server), "{request:?}");
    }
}

#[tokio::test]
async fn a_port_that_anybody_may_choose_is_no_address_of_the_servers_own() {
    let app = TestApp::signed_out().await;
    for (address, is_own) in [
        ("https://gis.example.org/server", false),
        ("https://gis.example.org:8443/server", false),
        ("https://gis.example.org:6443/arcgis", true),
        ("https://gis.example.org:11443/arcgis", true),
        ("https://gis.example.org:20443/arcgis", true),
        ("http://127.0.0.1:8080/server", true),
    ] {
        let form = SiteForm { id: Some(app.site.clone()), ..SiteForm::of("City GIS", "", address) };
        let site = app.sites().save(&form).unwrap();
        assert_eq!(site.current_server().unwrap().admin_url().is_some(), is_own, "{address}");
    }
}

#[tokio::test]
async fn a_port_that_the_portal_lists_for_administration_is_the_servers_own() {
    let app = TestApp::signed_out().await;
    let address = "https://srv1.invalid:16443/arcgis";
    for (public, is_own) in [("https://gis.invalid/server", true), (address, false)] {
        let body = json!({ "servers": [{ "id": "a", "url": public, "adminUrl": address }] }).to_string();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
        let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
        let way = app.with_fault("/portals/self/servers", Fault::Instead(answer.into_bytes())).await;
        let portal = format!("http://{}/portal", way.address());
        let form = SiteForm { id: Some(app.site.clone()), ..SiteForm::of("City GIS", &portal, address) };
        sites::save(&app.steward.context, &form).await.unwrap();
        app.sign_in("administrator").await.unwrap();

        let site = app.sites().get(&app.site).unwrap();
        let known = app.steward.context.access.known(&app.current(&site)).await.unwrap();
        // The server cannot be reached. One of a later version would take an import through a web adaptor.
        let known = SiteFacts { server_version: Some(Version::new(11, 2)), ..known };
        let all = availability(&app.current(&site), &known);
        let import = all.into_iter().find(|one| one.operation == OperationKey::ImportServer).unwrap();

        assert_eq!(import.reasons.is_empty(), is_own, "{public}: {:?}", import.reasons);
    }
}

#[tokio::test]
async fn an_import_does_not_go_to_another_server_of_the_same_portal_that_a_profile_named() {
    let app = TestApp::signed_out().await;
    let (server, other) = (app.practice.ready().server.clone(), hostile().await);
    let servers =
        [server.clone(), other.address()].map(|url| json!({ "id": url, "url": url, "adminUrl": url }));
    let body = json!({ "servers": servers }).to_string();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
    let _way = app.with_fault("/portals/self/servers", Fault::Instead(answer.into_bytes())).await;
    let view = profile(&app, |site| {
        let direct = json!(other.address());
        site["servers"][0] = json!({ "id": null, "name": "Server", "address": server, "servicesUrl": "",
            "adminUrl": direct, "serverType": site["servers"][0]["serverType"], "role": "" });
    })
    .await;
    let added = profile_files::add(
        &app.steward.context,
        view.profile.clone(),
        "Harbour".to_owned(),
        &differing(&view),
    )
    .await;
    let site = added.unwrap().id;
    let user = app.user("administrator");
    sign_in_as(&app.steward.context, &site, &user.username, &Secret::new(user.password.clone()))
        .await
        .unwrap();

    let ended = import(&app, &site, false).await;

    let open = Problem::UnconfirmedAddress { site, addresses: vec![other.address()] };
    assert_eq!(ended.err(), Some(open));
    assert_eq!(other.asked(), [""; 0]);
}
