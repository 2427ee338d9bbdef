//! Trust, sign-in and changes of a site leave their records, without secrets, and nothing of them is done without one.

use std::sync::Arc;

use rusqlite::Connection;
use steward_core::actions::preferences;
use steward_core::actions::sign_in::{SignInForm, leave, sign_in, sign_in_at};
use steward_core::actions::sites::{remove, save, trust};
use steward_core::actions::unlock::unlock;
use steward_core::follow_up::outcome_check::{resolution, resolve};
use steward_core::history::{HistorySearch, Parameter, page_of};
use steward_core::model::deployment::DeploymentType;
use steward_core::model::history_key::{HistoryAction, HistoryKey};
use steward_core::model::ids::{RecordId, ServerId};
use steward_core::model::problem::Problem;
use steward_core::operations::deactivate_webhooks::DeactivateWebhooksForm;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination};
use steward_core::settings::preferences::{Preferences, ProgramConnection, Theme};
use steward_core::sites::{ConnectionForm, ConnectionRoute, SiteForm, TrustedCertificateView};
use steward_core::webhooks::deactivation_log;
use steward_journal::{Filter, Outcome, StoredRecord, Workstation};
use steward_testkit::{Fault, until};
use steward_vault::{KeyringError, MemoryStore, Secret, SecretStore, StoreFuture};

use crate::import_server::answer;
use crate::test_app::{TestApp, form};

const PROXY_PASSWORD: &str = "canary-proxy-5e1f";

fn origin(app: &TestApp) -> TrustedCertificateView {
    TrustedCertificateView {
        origin: format!("http://{}", app.practice_address()),
        fingerprint: "AB:CD".to_owned(),
    }
}

fn renamed(app: &TestApp) -> SiteForm {
    let ready = app.practice.ready();
    let route = ConnectionRoute::Proxy {
        address: "http://proxy.example.org:3128".to_owned(),
        user: "sam".to_owned(),
        exceptions: vec!["127.0.0.1".to_owned()],
    };
    let proxy_password = Some(PROXY_PASSWORD.to_owned());
    SiteForm {
        name: "Harbour".to_owned(),
        connection: ConnectionForm { route, proxy_password, ..ConnectionForm::default() },
        ..form(Some(&app.site), &ready.portal, &ready.server)
    }
}

fn parameter<'a>(record: &'a StoredRecord, name: &str) -> Option<&'a str> {
    record.intent.parameters.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
}

async fn last(app: &TestApp, act: &str) -> StoredRecord {
    let record = app.acts().await.remove(0);
    assert_eq!((&*record.intent.operation, record.outcome), (act, Outcome::Succeeded));
    record
}

#[tokio::test]
async fn trust_sign_in_and_changes_of_a_site_leave_their_records() {
    let app = TestApp::signed_out().await;
    let me = app.user("administrator").clone();

    app.sign_in("administrator").await.unwrap();
    let record = last(&app, "sign_in").await;
    assert_eq!(
        (&*record.intent.username, parameter(&record, "signInMethod")),
        (&*me.username, Some("password"))
    );

    trust(&app.steward.context, &app.site, &origin(&app)).await.unwrap();
    let record = last(&app, "trust_certificate").await;
    assert_eq!(parameter(&record, "fingerprint"), Some("AB:CD"));
    assert_eq!(record.intent.username, me.username);

    save(&app.steward.context, &renamed(&app)).await.unwrap();
    let record = last(&app, "change_site").await;
    assert_eq!(parameter(&record, "siteName"), Some("City GIS \u{2192} Harbour"));
    assert!(parameter(&record, "siteConnection").unwrap().contains("proxy.example.org"), "{record:?}");
    assert!(
        parameter(&record, "siteCertificates").unwrap().contains("AB:CD"),
        "it is trusted no longer: {record:?}"
    );
    assert!(parameter(&record, "siteProxySecret").is_some(), "{record:?}");
    assert_eq!(parameter(&record, "siteEnvironment"), None, "it did not change");

    let acts = app.acts().await.len();
    let connection = ConnectionForm { proxy_password: None, ..renamed(&app).connection };
    save(&app.steward.context, &SiteForm { connection, ..renamed(&app) }).await.unwrap();
    assert_eq!(app.acts().await.len(), acts, "nothing was changed");

    leave(&app.steward.context, &app.site).await.unwrap();
    last(&app, "sign_out").await;
    let added = save(&app.steward.context, &SiteForm::of("Upland", "https://upland.example.org/portal", ""))
        .await
        .unwrap();
    let record = last(&app, "add_site").await;
    assert_eq!(record.intent.site, added.id.0, "it is found by its site");
    assert_eq!(parameter(&record, "siteAddresses"), Some("portal https://upland.example.org/portal"));
    assert_eq!(record.workstation, *Workstation::this());
    remove(&app.steward.context, &app.site, "").await.unwrap();
    assert_eq!(last(&app, "remove_site").await.intent.site_name, "Harbour");

    for entry in std::fs::read_dir(&app.steward.data_folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap_or_default();
        for secret in [PROXY_PASSWORD, &me.password] {
            let is_there = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!is_there, "{secret} is in {}", path.display());
        }
    }
}

#[tokio::test]
async fn a_changed_setting_is_shown_as_it_was_and_as_it_became_also_with_an_arrow_in_a_name() {
    let app = TestApp::signed_out().await;
    let context = &app.steward.context;
    let mut form = SiteForm::of("Up \u{2192} land", "", "https://upland.example.org/server");
    let added = save(context, &form).await.unwrap();
    form.servers[0].id = added.servers[0].id.clone();

    save(context, &SiteForm { id: Some(added.id), name: "Upland".to_owned(), ..form }).await.unwrap();

    let change =
        page_of(&context.history, HistorySearch::default(), None, 1).await.unwrap().entries.remove(0);
    let [Parameter { name, value, before, .. }] = &change.parameters[..] else { panic!("{change:?}") };
    assert_eq!((&**name, before.as_deref(), &**value), ("siteName", Some("Up \u{2192} land"), "Upland"));
}

#[tokio::test]
async fn another_role_of_an_address_and_another_type_of_deployment_are_changes() {
    let app = TestApp::signed_out().await;
    let mut form = SiteForm::of("Upland", "", "https://upland.example.org/server");
    form.id = Some(save(&app.steward.context, &form).await.unwrap().id);
    let direct = "https://upland.example.org:6443/arcgis";
    form.servers[0].services_url = direct.to_owned();
    form.servers[0].id = Some(app.sites().get(form.id.as_ref().unwrap()).unwrap().servers[0].id.clone());
    save(&app.steward.context, &form).await.unwrap();

    form.servers[0].services_url = String::new();
    form.servers[0].admin_url = direct.to_owned();
    save(&app.steward.context, &form).await.unwrap();
    let record = last(&app, "change_site").await;
    let change = parameter(&record, "siteAddresses").unwrap();
    assert!(change.contains(&format!("server public {direct}")), "{change}");
    assert!(change.contains(&format!("server direct {direct}")), "{change}");

    save(&app.steward.context, &SiteForm { deployment_type: Some(DeploymentType::Online), ..form })
        .await
        .unwrap();
    let record = last(&app, "change_site").await;
    assert_eq!(parameter(&record, "siteDeploymentType"), Some("standaloneServer \u{2192} online"));
}

#[tokio::test]
async fn an_address_that_gets_a_second_role_is_a_change() {
    let app = TestApp::signed_out().await;
    let address = "https://upland.example.org:6443/arcgis";
    let mut form = SiteForm::of("Upland", "", "https://upland.example.org/server");
    form.servers[0].services_url = address.to_owned();
    form.id = Some(save(&app.steward.context, &form).await.unwrap().id);

    form.servers[0].admin_url = address.to_owned();
    save(&app.steward.context, &form).await.unwrap();

    let record = last(&app, "change_site").await;
    let change = parameter(&record, "siteAddresses").unwrap();
    assert!(change.ends_with(&format!("server public {address}, server direct {address}")), "{change}");
}

#[tokio::test]
async fn another_proxy_of_the_program_leaves_a_record_that_belongs_to_no_site() {
    let app = TestApp::new().await;
    let before = app.steward.preferences.get();
    let route = ConnectionRoute::Proxy {
        address: "http://proxy.example.org:3128".to_owned(),
        user: String::new(),
        exceptions: vec!["127.0.0.1".to_owned()],
    };
    let connection = ProgramConnection { route, ..before.connection.clone() };
    let after = Preferences { connection, theme: Theme::Dark, ..before };

    preferences::save(
        &app.steward.preferences,
        &app.steward.context,
        after.clone(),
        Some(PROXY_PASSWORD.to_owned()),
    )
    .await
    .unwrap();

    let record = last(&app, "change_connection").await;
    assert_eq!((&*record.intent.site, &*record.intent.site_name), ("", ""));
    assert!(parameter(&record, "siteConnection").unwrap().contains("proxy.example.org"), "{record:?}");
    assert_eq!(parameter(&record, "siteProxySecret"), Some(""));
    let acts = app.acts().await.len();
    preferences::save(
        &app.steward.preferences,
        &app.steward.context,
        Preferences { theme: Theme::Light, ..after },
        None,
    )
    .await
    .unwrap();
    assert_eq!(app.acts().await.len(), acts, "another theme is no change of the way");
}

#[tokio::test]
async fn they_are_found_in_the_history_like_the_others() {
    let app = TestApp::new().await;
    let search = HistorySearch {
        operation: Some(HistoryKey::Act(HistoryAction::SignIn)),
        site: Some(app.site.clone()),
        ..HistorySearch::default()
    };

    let found = page_of(&app.steward.context.history, search, None, 10).await.unwrap().entries;

    assert_eq!(found.len(), 1);
    assert!(!found[0].has_command && !found[0].has_safety_backup);
}

#[tokio::test]
async fn what_cannot_be_written_down_is_not_done() {
    let app = TestApp::new().await;
    let before = std::fs::read(app.steward.data_folder.join("sites.json")).unwrap();
    let token = app.kept("portal").await;
    let journal = Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal.execute_batch(full).unwrap();

    let problems = [
        save(&app.steward.context, &renamed(&app)).await.err(),
        save(&app.steward.context, &SiteForm::of("Upland", "https://upland.example.org/portal", ""))
            .await
            .err(),
        remove(&app.steward.context, &app.site, "").await.err(),
        trust(&app.steward.context, &app.site, &origin(&app)).await.err(),
    ];

    for problem in problems {
        let is_said =
            matches!(&problem, Some(Problem::NotRecorded { message, .. }) if message.contains("disk full"));
        assert!(is_said, "{problem:?}");
    }
    assert_eq!(std::fs::read(app.steward.data_folder.join("sites.json")).unwrap(), before);
    assert_eq!(app.kept("portal").await, token);
}

#[tokio::test]
async fn signing_in_and_out_does_not_wait_for_the_history_and_is_recorded_once_it_can_be_written() {
    let app = TestApp::signed_out().await;
    let journal = Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal.execute_batch(full).unwrap();

    app.sign_in("administrator").await.unwrap();
    leave(&app.steward.context, &app.site).await.unwrap();
    journal.execute_batch("DROP TRIGGER full").unwrap();

    let is_recorded = async |operation: &str| {
        let filter = Filter { operation: Some(operation.to_owned()), ..Filter::default() };
        let found = app.steward.context.history.journal(move |journal| journal.records(&filter)).await;
        found.unwrap().iter().any(|record| record.outcome == Outcome::Succeeded)
    };
    until("both records", async || is_recorded("sign_in").await && is_recorded("sign_out").await).await;
}

#[tokio::test]
async fn a_sign_in_at_a_portal_that_then_falls_silent_failed_and_signs_nobody_in() {
    for at_server in [false, true] {
        let app = if at_server { TestApp::new().await } else { TestApp::signed_out().await };
        let user = app.user("administrator");
        let (me, password) = (user.username.clone(), Secret::new(user.password.clone()));
        let server = at_server.then(|| ServerId("server".to_owned()));
        let _way = app.with_fault("/portals/self", Fault::AnswerLost).await;

        let ended = sign_in_at(&app.steward.context, &app.site, server.as_ref(), &me, &password).await;

        assert!(matches!(ended, Err(Problem::Unreachable { .. })), "{ended:?}");
        let record = app.acts().await.remove(0);
        assert_eq!((record.intent.username, record.outcome), (me, Outcome::Failed));
        let whose = if at_server { "server/server" } else { "portal" };
        assert_eq!(app.kept(whose).await, None, "who is told of a failure is not signed in");
    }
}

/// A keyring that keeps tokens, and no passwords.
struct WithoutPasswords(Arc<MemoryStore>);

impl SecretStore for WithoutPasswords {
    fn get<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Secret<String>>> {
        self.0.get(name)
    }

    fn set<'a>(&'a self, name: &'a str, secret: Secret<String>) -> StoreFuture<'a, ()> {
        match name.ends_with("/password") {
            true => Box::pin(std::future::ready(Err(KeyringError::Slow))),
            false => self.0.set(name, secret),
        }
    }

    fn forget<'a>(&'a self, name: &'a str) -> StoreFuture<'a, bool> {
        self.0.forget(name)
    }
}

#[tokio::test]
async fn a_sign_in_whose_password_cannot_be_kept_failed_and_signs_nobody_in() {
    let app = TestApp::signed_out().await;
    let keyring = Arc::new(WithoutPasswords(app.vault.clone()));
    let app = app.restarted_with(keyring);
    let user = app.user("administrator");
    let form =
        SignInForm { username: user.username.clone(), password: user.password.clone(), keep_password: true };

    let ended = sign_in(&app.steward.context, app.site.clone(), None, form).await;

    assert!(matches!(ended, Err(Problem::Keyring { .. })), "{ended:?}");
    assert_eq!(app.acts().await.remove(0).outcome, Outcome::Failed);
    assert_eq!(app.kept("portal").await, None);
}

#[tokio::test]
async fn what_is_done_at_a_server_is_recorded_by_whoever_signed_in_there_and_not_at_the_portal() {
    let app = TestApp::new().await;
    app.sign_in("viewer").await.unwrap();
    let (me, at_portal) = (app.user("administrator"), &app.user("viewer").username);
    let (server, password) = (ServerId("server".to_owned()), Secret::new(me.password.clone()));
    sign_in_at(&app.steward.context, &app.site, Some(&server), &me.username, &password).await.unwrap();
    let place =
        ServerExportDestination::ServerFolder { location: app.folder("exports").display().to_string() };

    let form = ExportServerForm { place };
    app.export_server(form).await.unwrap();

    let record = app.history().await.remove(0);
    assert_eq!((&*record.intent.operation, record.outcome), ("export_server", Outcome::Succeeded));
    assert_eq!(record.intent.username, me.username, "{at_portal} is signed in to the portal alone");
}

#[tokio::test]
async fn a_server_that_once_does_not_say_who_is_signed_in_is_not_recorded_by_the_user_of_the_portal() {
    let app = TestApp::new().await;
    app.sign_in("viewer").await.unwrap();
    let (me, at_portal) = (app.user("administrator"), &app.user("viewer").username);
    let (server, password) = (ServerId("server".to_owned()), Secret::new(me.password.clone()));
    sign_in_at(&app.steward.context, &app.site, Some(&server), &me.username, &password).await.unwrap();
    let once = answer(r#"{"status":"error","messages":["Try again later."],"code":500}"#);
    let way = app.with_fault("/server/admin?", once).await.only(1);
    let folder = app.folder("exports");
    let export = || {
        let location = folder.display().to_string();
        let form = ExportServerForm { place: ServerExportDestination::ServerFolder { location } };
        app.export_server(form)
    };

    export().await.unwrap();
    export().await.unwrap();

    assert_eq!(way.met(), 1);
    let by: Vec<_> = app.history().await.into_iter().map(|record| record.intent.username).collect();
    assert_eq!(by, [me.username.as_str(), ""], "{at_portal} is signed in to the portal alone");
}

#[tokio::test]
async fn what_is_changed_while_nobody_is_signed_in_names_nobody() {
    let app = TestApp::new().await;
    let me = app.user("administrator").username.clone();
    save(&app.steward.context, &renamed(&app)).await.unwrap();
    assert_eq!(last(&app, "change_site").await.intent.username, me);
    // The site has another route.
    app.sign_in("administrator").await.unwrap();
    let services = vec!["Buffer.GPServer".to_owned()];
    let silence = DeactivateWebhooksForm { services, why: String::new(), confirmation: String::new() };
    let lost = app.with_fault("/deactivateAll", Fault::AnswerLost).await;
    app.deactivate_webhooks(silence).await.unwrap();
    drop(lost);
    leave(&app.steward.context, &app.site).await.unwrap();
    assert_eq!(last(&app, "sign_out").await.intent.username, me, "whoever signs out is still somebody");

    trust(&app.steward.context, &app.site, &origin(&app)).await.unwrap();
    assert_eq!(last(&app, "trust_certificate").await.intent.username, "");
    let unknown = RecordId(app.history().await.remove(0).id);
    resolve(&app.steward.context, unknown.clone(), Outcome::Failed, "").await.unwrap();
    assert_eq!(resolution(&app.steward.context.history, unknown).await.unwrap().unwrap().by, "");
    let entry = deactivation_log::entries(&app.steward.context, None).await.unwrap().remove(0);
    deactivation_log::resolve(&app.steward.context, &app.site, entry.id).await.unwrap();
    let entry = deactivation_log::entries(&app.steward.context, None).await.unwrap().remove(0);
    assert_eq!(entry.restored_by.as_deref(), Some(""));
    let mut site = app.sites().get(&app.site).unwrap();
    site.read_only = true;
    app.sites().put(site).unwrap();
    unlock(&app.steward.context, &app.site, "A new receiver").await.unwrap();
    assert_eq!(app.history().await[0].intent.username, "");
    remove(&app.steward.context, &app.site, "").await.unwrap();
    assert_eq!(last(&app, "remove_site").await.intent.username, "");
}
