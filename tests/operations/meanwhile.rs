//! What changes meanwhile: a site is edited, removed, signed out of or pointed elsewhere while something is under way.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use steward_app::steward::Steward;
use steward_client::{listing, uploads};
use steward_core::actions::browser_sign_in::{self, BrowserSignIn};
use steward_core::actions::sign_in::{SignInForm, leave, sign_in, sign_in_as};
use steward_core::actions::sites::{choose, remove, save};
use steward_core::files::dialogs::{Choice, Dialogs, Title};
use steward_core::follow_up::outcome_check;
use steward_core::model::deployment::ServerType;
use steward_core::model::ids::{RecordId, ServerId};
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::{FieldError, PreconditionFailure, Problem};
use steward_core::operations::deactivate_webhooks::DeactivateWebhooksForm;
use steward_core::operations::export_server::{self, ExportServerForm, ServerExportDestination};
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::operations::import_server::{self, ImportServerForm, ImportServerOptions};
use steward_core::operations::refresh_invitation::RefreshInvitationForm;
use steward_core::operations::refresh_invitation::into_folder;
use steward_core::runs::{RunId, RunStep};
use steward_core::sites::{ConnectionForm, ConnectionRoute, ServerForm, Site, SiteForm};
use steward_core::transfers::upload::{self, UploadEnd, UploadId, UploadSource};
use steward_journal::Outcome;
use steward_testkit::{Browser, Fault, FaultProxy, Reply, TestServer, move_sessions, until, until_some};
use steward_vault::{KeyringError, MemoryStore, Secret, SecretStore, StoreFuture};
use tokio::sync::Notify;
use url::Url;

use crate::held_keyring::{HeldKeyring, Question};
use crate::history::{listened_to, posts};
use crate::import_server::form as import_server_form;
use crate::invitations_into_folder::forms as invitation_forms;
use crate::odd_sites::json;
use crate::scripted::{Scripted, Then};
use crate::test_app::{TestApp, form};

/// A site that the portal knows the program at, as the person sees it in the form.
fn filled_in(app: &TestApp) -> SiteForm {
    let ready = app.practice.ready();
    SiteForm { client_id: "sitesteward".to_owned(), ..form(Some(&app.site), &ready.portal, &ready.server) }
}

/// The same site at another address.
fn moved(app: &TestApp, address: &str) -> SiteForm {
    let ready = app.practice.ready();
    let there = |root: &str| root.replace(app.practice_address(), address);
    SiteForm {
        client_id: "sitesteward".to_owned(),
        ..form(Some(&app.site), &there(&ready.portal), &there(&ready.server))
    }
}

async fn page(app: &TestApp) -> Url {
    until_some("the page in the browser", async || app.dialogs.pages().pop()).await
}

#[tokio::test]
async fn a_site_that_is_edited_while_the_browser_is_away_stays_as_it_was_edited() {
    let app = TestApp::signed_out().await;
    save(&app.steward.context, &filled_in(&app)).await.unwrap();
    let user = app.user("administrator");
    let person = async {
        let browser = Browser::new().unwrap();
        let led = browser.sign_in(&page(&app).await, &user.username, &user.password).await.unwrap();
        save(&app.steward.context, &SiteForm { read_only: true, ..filled_in(&app) }).await.unwrap();
        browser.visit(led.away().unwrap().as_str()).await.unwrap();
    };

    let (signed_in, ()) = tokio::join!(app.sign_in_in_the_browser(), person);

    assert!(matches!(signed_in, Ok(BrowserSignIn::SignedIn { .. })), "{signed_in:?}");
    let site = app.sites().get(&app.site).unwrap();
    assert!(site.read_only, "a mark that was just set");
    assert_eq!(site.username.as_deref(), Some(user.username.as_str()));
}

#[tokio::test]
async fn a_site_that_is_removed_or_moved_while_the_browser_is_away_gets_no_token() {
    for is_moved in [false, true] {
        let app = TestApp::signed_out().await;
        save(&app.steward.context, &filled_in(&app)).await.unwrap();
        let user = app.user("administrator");
        let elsewhere = FaultProxy::to(app.practice_address(), "nothing", Fault::AnswerLost).await.unwrap();
        let person = async {
            let browser = Browser::new().unwrap();
            let led = browser.sign_in(&page(&app).await, &user.username, &user.password).await.unwrap();
            if is_moved {
                save(&app.steward.context, &moved(&app, &elsewhere.address())).await.unwrap();
            } else {
                remove(&app.steward.context, &app.site, "").await.unwrap();
            }
            // Nobody may be listening any more.
            let _ = browser.visit(led.away().unwrap().as_str()).await;
        };

        let (signed_in, ()) = tokio::join!(app.sign_in_in_the_browser(), person);

        assert!(!matches!(signed_in, Ok(BrowserSignIn::SignedIn { .. })), "{signed_in:?}");
        assert_eq!(app.kept("portal").await, None);
        let now = app.sites().get(&app.site).ok().and_then(|site| site.portal);
        assert_eq!(now.is_some(), is_moved, "what was removed stays removed");
        assert!(now.is_none_or(|portal| portal.address.as_str().contains(&elsewhere.address())));
    }
}

#[tokio::test]
async fn a_code_of_one_portal_is_not_sent_to_another() {
    let app = TestApp::signed_out().await;
    save(&app.steward.context, &filled_in(&app)).await.unwrap();
    browser_sign_in::open_page(&app.steward.context.access, &app.steward.dialogs, &app.site).await.unwrap();
    let elsewhere = FaultProxy::to(app.practice_address(), "oauth2/token", Fault::AnswerLost).await.unwrap();
    save(&app.steward.context, &moved(&app, &elsewhere.address())).await.unwrap();

    let refused = browser_sign_in::with_code(&app.steward.context, &app.site, "canary").await;

    assert!(refused.is_err());
    assert_eq!(elsewhere.met(), 0);
}

#[tokio::test]
async fn a_code_that_could_not_be_sent_is_not_sent_to_the_portal_that_the_site_has_by_then() {
    let app = TestApp::signed_out().await;
    let (arrived, released) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (told, wait) = (arrived.clone(), released.clone());
    let unreachable = TestServer::start_async(move |_| {
        let (told, wait) = (told.clone(), wait.clone());
        async move {
            told.notify_one();
            wait.notified().await;
            Reply::reset()
        }
    });
    let unreachable = unreachable.await.unwrap();
    let elsewhere = TestServer::start(|_| Reply::json("{}")).await.unwrap();
    let at = |server: &TestServer| moved(&app, server.origin().trim_start_matches("http://"));
    let context = &app.steward.context;
    save(context, &at(&unreachable)).await.unwrap();
    browser_sign_in::open_page(&context.access, &app.steward.dialogs, &app.site).await.unwrap();
    let person = async {
        arrived.notified().await;
        save(context, &at(&elsewhere)).await.unwrap();
        released.notify_one();
    };

    let (lost, ()) = tokio::join!(browser_sign_in::with_code(context, &app.site, "canary"), person);
    let again = browser_sign_in::with_code(context, &app.site, "canary").await;

    assert!(matches!(lost, Err(Problem::Unreachable { .. })), "{:?}", lost.err());
    assert!(matches!(again, Err(Problem::Form { .. })), "{:?}", again.err());
    assert!(elsewhere.requests().iter().all(|request| !request.text().contains("canary")));
}

/// A keyring that refuses to remove anything while it is locked.
#[derive(Default)]
pub(crate) struct Lockable {
    pub(crate) inner: Arc<MemoryStore>,
    pub(crate) locked: AtomicBool,
}

impl SecretStore for Lockable {
    fn get<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Secret<String>>> {
        self.inner.get(name)
    }

    fn set<'a>(&'a self, name: &'a str, secret: Secret<String>) -> StoreFuture<'a, ()> {
        self.inner.set(name, secret)
    }

    fn forget<'a>(&'a self, name: &'a str) -> StoreFuture<'a, bool> {
        if self.locked.load(Ordering::SeqCst) {
            return Box::pin(std::future::ready(Err(KeyringError::Slow)));
        }
        self.inner.forget(name)
    }
}

#[tokio::test]
async fn a_keyring_that_does_not_answer_does_not_leave_a_token_for_another_address() {
    let app = TestApp::new().await;
    let vault = Arc::new(Lockable { inner: app.vault.clone(), locked: AtomicBool::new(true) });
    let app = app.restarted_with(vault.clone());
    let elsewhere = FaultProxy::to(app.practice_address(), "/", Fault::AnswerLost).await.unwrap();

    let refused = save(&app.steward.context, &moved(&app, &elsewhere.address())).await;
    assert!(matches!(refused, Err(Problem::Keyring { .. })), "{:?}", refused.err());
    vault.locked.store(false, Ordering::SeqCst);
    // The person presses Save once more.
    save(&app.steward.context, &moved(&app, &elsewhere.address())).await.unwrap();

    let site = app.sites().get(&app.site).unwrap();
    assert_eq!(
        app.steward.context.access.ask_who(&app.current(&site)).await.err(),
        Some(Problem::sign_in(&site.id))
    );
    assert_eq!((app.kept("portal").await, elsewhere.met()), (None, 0));
}

#[tokio::test]
async fn settings_that_waited_for_the_keyring_do_not_bring_back_the_address_before_a_move() {
    let (app, keyring) = HeldKeyring::of(TestApp::signed_out().await);
    let elsewhere = FaultProxy::to(app.practice_address(), "/nowhere", Fault::AnswerLost).await.unwrap();
    let password = Some("word".to_owned());
    let connection = ConnectionForm { client_certificate_password: password, ..ConnectionForm::default() };
    let renamed = SiteForm { connection, name: "County".to_owned(), ..moved(&app, app.practice_address()) };
    keyring.hold(Question::Set, "/certificate-password");
    let person = async {
        keyring.waits(1).await;
        save(&app.steward.context, &moved(&app, &elsewhere.address())).await.unwrap();
        app.sign_in("administrator").await.unwrap();
        keyring.let_go();
    };

    let (saved, ()) = tokio::join!(save(&app.steward.context, &renamed), person);

    assert!(matches!(saved, Err(Problem::Unexpected { .. })), "{saved:?}");
    let site = app.sites().get(&app.site).unwrap();
    assert!(site.portal.unwrap().address.as_str().contains(&elsewhere.address()));
    assert!(app.kept("portal").await.is_some(), "the token of the new address");
}

#[tokio::test]
async fn whoever_signs_in_while_a_removal_waits_for_the_keyring_leaves_no_token() {
    let (app, keyring) = HeldKeyring::of(TestApp::signed_out().await);
    keyring.hold(Question::Forget, "/proxy-password");
    let person = async {
        keyring.waits(1).await;
        app.sign_in("administrator").await.unwrap();
        keyring.let_go();
    };

    let (removed, ()) = tokio::join!(remove(&app.steward.context, &app.site, ""), person);

    removed.unwrap();
    assert_eq!(app.kept("portal").await, None);
}

#[tokio::test]
async fn whoever_signs_in_while_a_move_waits_for_the_keyring_leaves_no_token_for_the_new_address() {
    let (app, keyring) = HeldKeyring::of(TestApp::signed_out().await);
    let elsewhere = FaultProxy::to(app.practice_address(), "/", Fault::AnswerLost).await.unwrap();
    let route = ConnectionRoute::Proxy {
        address: "http://proxy.example.org:3128".to_owned(),
        user: "sam".to_owned(),
        exceptions: Vec::new(),
    };
    let proxy_password = Some("word".to_owned());
    let connection = ConnectionForm { route, proxy_password, ..ConnectionForm::default() };
    let moved = SiteForm { connection, ..moved(&app, &elsewhere.address()) };
    keyring.hold(Question::Set, "/proxy-password");
    let person = async {
        keyring.waits(1).await;
        app.sign_in("administrator").await.unwrap();
        keyring.let_go();
    };

    let (saved, ()) = tokio::join!(save(&app.steward.context, &moved), person);

    saved.unwrap();
    assert_eq!(app.kept("portal").await, None);
    let site = app.sites().get(&app.site).unwrap();
    assert_eq!(
        app.steward.context.access.ask_who(&app.current(&site)).await.err(),
        Some(Problem::sign_in(&site.id))
    );
    assert_eq!(elsewhere.met(), 0);
}

#[tokio::test]
async fn what_renews_a_token_of_one_portal_is_not_revoked_at_another() {
    let (app, keyring) = HeldKeyring::of(TestApp::signed_out().await);
    let before = Scripted::new(|_, _| (Vec::new(), Then::Close)).await;
    save(&app.steward.context, &form(Some(&app.site), &before.address(), "")).await.unwrap();
    keyring.hold(Question::Get, "/portal");
    let person = async {
        keyring.waits(1).await;
        save(&app.steward.context, &filled_in(&app)).await.unwrap();
        let refresh = r#"{"token":"canary","client_id":"c","redirect_uri":"r","expires_at":null}"#;
        let token = format!(r#"{{"token":"t","expires_at":null,"refresh":{refresh}}}"#);
        app.vault.set(&format!("{}/portal", app.site.0), Secret::new(token)).await.unwrap();
        keyring.let_go();
    };

    let (left, ()) = tokio::join!(leave(&app.steward.context, &app.site), person);

    left.unwrap();
    assert_eq!(before.asked(), [""; 0], "the portal of before is told nothing of that of now");
}

fn server_form(id: Option<&str>, address: &str) -> ServerForm {
    ServerForm {
        id: id.map(|id| ServerId(id.to_owned())),
        name: address.to_owned(),
        address: address.to_owned(),
        services_url: String::new(),
        admin_url: String::new(),
        server_type: ServerType::Gis,
        role: String::new(),
    }
}

/// A token of a server that stands alone, which this site has none of by itself.
pub(crate) async fn with_server_token(app: &TestApp) {
    let token = r#"{"token":"canary","expires_at":null}"#.to_owned();
    app.vault.set(&format!("{}/server/server", app.site.0), Secret::new(token)).await.unwrap();
}

#[tokio::test]
async fn a_server_under_another_name_or_at_another_place_gets_no_token_of_the_one_before() {
    let app = TestApp::signed_out().await;
    let ready = app.practice.ready();
    let (one, two) = (ready.server.clone(), "http://127.0.0.1:9/server");
    let both = |first, second| SiteForm {
        servers: vec![server_form(first, &one), server_form(second, two)],
        ..filled_in(&app)
    };
    save(&app.steward.context, &both(Some("server"), Some("other"))).await.unwrap();
    with_server_token(&app).await;

    save(&app.steward.context, &both(Some("other"), Some("server"))).await.unwrap();
    assert_eq!(app.kept("server/server").await, None, "its name is now another server's");

    save(&app.steward.context, &both(Some("server"), Some("other"))).await.unwrap();
    with_server_token(&app).await;
    save(&app.steward.context, &both(None, Some("other"))).await.unwrap();
    assert_eq!(app.kept("server/server").await, None, "nobody would ever remove it");
}

#[tokio::test]
async fn after_signing_out_work_under_way_renews_no_token_and_puts_none_back_into_the_keyring() {
    let app = TestApp::new().await;
    let user = app.user("administrator");
    let password = Secret::new(user.password.clone());
    app.steward.context.access.keep_password(&app.site, &user.username, &password).await.unwrap();
    let site = app.sites().get(&app.site).unwrap();
    let under_way = app.steward.context.access.portal(&site).await.unwrap();
    let at_server = app.steward.context.access.server(&app.current(&site)).await.unwrap();

    leave(&app.steward.context, &app.site).await.unwrap();
    assert!(under_way.renew_token().await.is_err(), "the password is not sent again");
    assert!(at_server.renew_token().await.is_err(), "the token of the portal is not exchanged again");
    assert_eq!(app.kept("portal").await, None);

    let viewer = app.user("viewer");
    let password = Secret::new(viewer.password.clone());
    sign_in_as(&app.steward.context, &app.site, &viewer.username, &password).await.unwrap();
    let kept = app.kept("portal").await;
    assert!(under_way.renew_token().await.is_err());
    assert!(kept.is_some() && app.kept("portal").await == kept, "the next one is somebody else");
}

#[tokio::test]
async fn a_site_is_neither_moved_nor_removed_under_a_running_operation() {
    let app = TestApp::new().await;
    let site = app.sites().get(&app.site).unwrap();
    let elsewhere = "127.0.0.1:9";
    let run = app
        .steward
        .context
        .runs
        .begin(app.run(), &app.current(&site), OperationKey::ImportServer, None, RunStep::Securing)
        .unwrap();

    let busy = [
        save(&app.steward.context, &moved(&app, elsewhere)).await.err(),
        remove(&app.steward.context, &app.site, "").await.err(),
    ];

    for problem in busy {
        assert!(
            matches!(problem, Some(Problem::Busy { operation: OperationKey::ImportServer, .. })),
            "{problem:?}"
        );
    }
    assert!(app.kept("portal").await.is_some());
    let named = SiteForm { name: "City".to_owned(), ..form_of(&site) };
    save(&app.steward.context, &named).await.unwrap();
    drop(run);
    remove(&app.steward.context, &app.site, "").await.unwrap();
}

fn form_of(site: &Site) -> SiteForm {
    let portal = site.portal.as_ref().unwrap().address.to_string();
    form(Some(&site.id), &portal, site.current_server().unwrap().address.as_str())
}

/// A dialog that is open until the person is done with something else.
struct Open {
    place: PathBuf,
    closed: Arc<AtomicBool>,
    opened: Mutex<bool>,
}

impl Dialogs for Open {
    fn save_file<'a>(&'a self, title: Title, _: &'a str) -> Choice<'a> {
        self.open_file(title)
    }

    fn open_file(&self, _: Title) -> Choice<'_> {
        *self.opened.lock().unwrap() = true;
        Box::pin(async move {
            while !self.closed.load(Ordering::SeqCst) {
                tokio::task::yield_now().await;
            }
            Ok(Some(self.place.clone()))
        })
    }

    fn choose_folder(&self, title: Title) -> Choice<'_> {
        self.open_file(title)
    }

    fn open_page(&self, _: &Url) -> Result<(), Problem> {
        Ok(())
    }
}

#[tokio::test]
async fn an_audit_package_has_the_outcome_that_came_while_its_dialog_was_open() {
    let app = TestApp::new().await;
    let way = app.with_fault("/admin/importSite", Fault::AnswerLost).await;
    app.import_server(import_server_form("/a.agssite")).await.unwrap_or_else(|problem| panic!("{problem:?}"));
    let mut app = app.without_fault(way);
    let record = RecordId(app.history().await[0].id.clone());
    let place = app.folder("saved").join("package.zip");
    let closed = Arc::new(AtomicBool::new(false));
    let dialogs = Arc::new(Open { place: place.clone(), closed: closed.clone(), opened: Mutex::default() });
    app.answer_dialogs_by(dialogs.clone());
    let person = async {
        until("the dialog", async || *dialogs.opened.lock().unwrap()).await;
        let context = &app.steward.context;
        outcome_check::resolve(context, record.clone(), Outcome::Failed, "looked").await.unwrap();
        closed.store(true, Ordering::SeqCst);
    };

    let (saved, ()) = tokio::join!(app.save_audit_package(record.clone()), person);

    saved.unwrap();
    let mut package = zip::ZipArchive::new(std::fs::File::open(place).unwrap()).unwrap();
    let record: serde_json::Value = serde_json::from_reader(package.by_name("record.json").unwrap()).unwrap();
    assert_eq!(record["outcomeSetByUser"]["note"], "looked");
}

async fn upload_beside(
    app: &mut TestApp,
    meanwhile: impl AsyncFnOnce(&Steward),
) -> Result<UploadEnd, Problem> {
    let place = app.folder("desk").join("a.csv");
    std::fs::write(&place, "a,b").unwrap();
    let closed = Arc::new(AtomicBool::new(false));
    let dialogs = Arc::new(Open { place, closed: closed.clone(), opened: Mutex::default() });
    app.answer_dialogs_by(dialogs.clone());
    let source = UploadSource::Choose { part_mebibytes: 1 };
    let upload = app.upload(source);
    let person = async {
        until("the dialog", async || *dialogs.opened.lock().unwrap()).await;
        meanwhile(&app.steward).await;
        closed.store(true, Ordering::SeqCst);
    };
    tokio::join!(upload, person).0
}

#[tokio::test]
async fn an_upload_goes_to_its_own_server_whatever_forms_begin_with_meanwhile() {
    let mut app = TestApp::new().await;
    let other =
        FaultProxy::to(app.practice_address(), "/uploads/upload", Fault::CutAfter(usize::MAX)).await.unwrap();
    let mut site = app.sites().get(&app.site).unwrap();
    let mut second = site.servers[0].clone();
    second.id = ServerId("other".to_owned());
    second.services_url = Some(second.address.clone());
    second.address = format!("http://{}/server", other.address()).parse().unwrap();
    site.servers.push(second);
    site.confirmed.push(format!("http://{}", other.address()));
    app.sites().put(site).unwrap();
    let id = app.site.clone();

    let end = upload_beside(&mut app, async |steward| {
        choose(&steward.context, &id, ServerId("other".to_owned())).unwrap();
    })
    .await;

    assert!(matches!(end, Ok(UploadEnd::Uploaded { .. })), "{end:?}");
    assert_eq!(other.met(), 0);
}

#[tokio::test]
async fn an_upload_to_a_site_that_became_read_only_behind_the_dialog_is_refused() {
    let mut app = TestApp::new().await;
    let id = app.site.clone();

    let end = upload_beside(&mut app, async |steward| {
        let site = steward.context.access.sites.get(&id).unwrap();
        steward.context.access.sites.put(Site { read_only: true, ..site }).unwrap();
    })
    .await;

    assert_eq!(end, Err(Problem::ReadOnly { site: app.site.clone(), site_name: "City GIS".to_owned() }));
}

#[derive(Debug, Clone, Copy)]
enum Behind {
    OtherAddress,
    Removed,
    OtherName,
}

#[tokio::test]
async fn nothing_is_sent_to_a_server_that_was_changed_behind_the_dialog() {
    for (is_import, behind) in [
        (true, Behind::OtherAddress),
        (true, Behind::Removed),
        (true, Behind::OtherName),
        (false, Behind::OtherAddress),
        (false, Behind::Removed),
    ] {
        let mut app = TestApp::new().await;
        let place = app.folder("desk").join("before.agssite");
        let posted = app.with_fault("POST ", Fault::CutAfter(usize::MAX)).await;
        let closed = Arc::new(AtomicBool::new(false));
        let dialogs = Arc::new(Open { place, closed: closed.clone(), opened: Mutex::default() });
        app.answer_dialogs_by(dialogs.clone());
        let person = async {
            until("the dialog", async || *dialogs.opened.lock().unwrap()).await;
            let mut site = app.sites().get(&app.site).unwrap();
            match behind {
                Behind::OtherAddress => {
                    site.servers[0].address = "http://127.0.0.1:9/server".parse().unwrap()
                }
                Behind::Removed => site.servers.clear(),
                Behind::OtherName => site.name = "Harbour".to_owned(),
            }
            app.sites().put(site).unwrap();
            closed.store(true, Ordering::SeqCst);
        };
        let operation = async {
            let steward = &app.steward;
            if is_import {
                let form = ImportServerForm {
                    location: "/exports/a.agssite".to_owned(),
                    confirmation: "City GIS".to_owned(),
                    safety_backup: Some(SafetyBackupOptions { also_here: true }),
                    deactivate_webhooks: None,
                    options: ImportServerOptions::default(),
                };
                import_server::perform(&steward.context, &steward.transfers, &app.server, app.run(), form)
                    .await
                    .err()
            } else {
                let form = ExportServerForm { place: ServerExportDestination::ThisComputer };
                export_server::perform(&steward.context, &steward.transfers, &app.server, app.run(), form)
                    .await
                    .err()
            }
        };

        let (problem, ()) = tokio::join!(operation, person);

        let expected = match behind {
            Behind::OtherAddress | Behind::Removed => {
                Problem::PreconditionFailed { why: PreconditionFailure::ServerChanged }
            }
            Behind::OtherName => {
                Problem::Form { field: "confirmation".to_owned(), fault: FieldError::NotTheName }
            }
        };
        assert_eq!(problem, Some(expected), "import {is_import}, {behind:?}");
        assert_eq!(posted.met(), 0);
        assert!(app.history().await.is_empty(), "nothing was begun");
    }
}

#[tokio::test]
async fn only_an_upload_that_was_begun_here_is_discarded() {
    let app = TestApp::new().await;
    let server = app.steward.context.access.server(&app.sites().at(&app.server).unwrap()).await.unwrap();
    let stored = uploads::upload_whole(
        server.permit_unchecked().await,
        "way-back.csv",
        "",
        uploads::Outgoing::of(b"a,b".to_vec()),
        std::time::Duration::from_secs(5),
    )
    .await
    .unwrap();
    let way = app.with_fault("/delete", Fault::AnswerLost).await;

    for item in [stored.id.as_str(), "..", "", "a/../b"] {
        let refused = upload::discard(
            &app.steward.context,
            &app.steward.transfers.uploads,
            &app.server,
            &UploadId(item.to_owned()),
        )
        .await;
        assert!(matches!(refused, Err(Problem::Unexpected { .. })), "{item}: {refused:?}");
    }

    assert_eq!(way.met(), 0);
    let server = app.steward.context.access.server(&app.sites().at(&app.server).unwrap()).await.unwrap();
    assert_eq!(listing::uploads(&server).await.unwrap().len(), 1);
}

#[tokio::test]
async fn two_runs_of_one_name_are_two_runs() {
    let app = TestApp::new().await;
    let site = app.sites().get(&app.site).unwrap();
    let begin = |id: &str, key| {
        app.steward.context.runs.begin(RunId(id.to_owned()), &app.current(&site), key, None, RunStep::Waiting)
    };
    let import = begin("run", OperationKey::ImportServer).unwrap();

    drop(begin("run", OperationKey::FindItems).unwrap());

    assert!(
        matches!(begin("second", OperationKey::ExportServer), Err(Problem::Busy { .. })),
        "the import still runs"
    );
    drop(import);
    assert!(begin("second", OperationKey::ExportServer).is_ok());
}

/// What a server answers only when it is let.
pub(crate) async fn answers_when_let(let_go: Arc<AtomicBool>) -> Scripted {
    Scripted::new(move |_, _| {
        // A worker that waits here without saying so may be the one that looks after all timers.
        tokio::task::block_in_place(|| {
            while !let_go.load(Ordering::SeqCst) {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
        });
        let body = r#"{"currentVersion":"11.5","loggedInUser":"sam"}"#;
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
        let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
        (answer.into_bytes(), Then::Close)
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_asked_before_signing_out_is_not_known_after() {
    let app = TestApp::signed_out().await;
    let let_go = Arc::new(AtomicBool::new(false));
    let alone = answers_when_let(let_go.clone()).await;
    let site = app.sites().save(&form(Some(&app.site), "", &alone.address())).unwrap();
    with_server_token(&app).await;

    let server = app.current(&site);
    let (asked, ()) = tokio::join!(app.steward.context.access.ask_who(&server), async {
        until("the request", async || !alone.asked().is_empty()).await;
        leave(&app.steward.context, &app.site).await.unwrap();
        let_go.store(true, Ordering::SeqCst);
    });

    assert!(asked.is_ok(), "{asked:?}");
    let problem = app.steward.context.access.known(&app.current(&site)).await.err();
    assert!(matches!(problem, Some(Problem::SignIn { server: Some(_), .. })), "{problem:?}");
}

#[tokio::test]
async fn whoever_signs_in_while_another_does_leaves_neither_name_nor_password() {
    let app = TestApp::signed_out().await;
    let gate = Arc::new(Notify::new());
    let (held, is_held) = (gate.clone(), AtomicBool::new(false));
    let server = TestServer::start(move |request| {
        if request.path().ends_with("/generateToken") {
            let is_first = request.text().contains("username=first");
            let token = if is_first { "token-of-first" } else { "token-of-second" };
            return Reply::json(format!(r#"{{"token":"{token}","expires":"4102444800000"}}"#));
        }
        let root = Reply::json(r#"{"currentVersion":"11.5"}"#);
        let waits = request.text().contains("token-of-first") && !is_held.swap(true, Ordering::SeqCst);
        if waits { root.when(&held) } else { root }
    });
    let server = server.await.unwrap();
    let address = format!("{}/server", server.origin());
    app.sites().save(&form(Some(&app.site), "", &address)).unwrap();
    let form_of_first =
        SignInForm { username: "first".to_owned(), password: "canary".to_owned(), keep_password: true };
    let is_asked = |server: &TestServer| {
        server.requests().iter().any(|request| request.text().contains("token-of-first"))
    };
    let second = async {
        until("the question", async || is_asked(&server)).await;
        sign_in_as(&app.steward.context, &app.site, "second", &Secret::new("other".to_owned()))
            .await
            .unwrap();
        gate.notify_one();
    };

    let first = sign_in(&app.steward.context, app.site.clone(), None, form_of_first);
    let (ended, ()) = tokio::join!(first, second);

    assert!(matches!(ended, Err(Problem::SignIn { .. })), "{ended:?}");
    let site = app.sites().get(&app.site).unwrap();
    assert_eq!(site.username.as_deref(), Some("second"));
    assert_eq!(app.kept("server/server/password").await, None, "it would renew the token of another");
}

#[tokio::test]
async fn nothing_is_sent_and_recorded_for_two_users_when_another_signs_in_while_the_site_is_asked() {
    let app = TestApp::signed_out().await;
    let gate = Arc::new(Notify::new());
    let (held, is_slow) = (gate.clone(), Arc::new(AtomicBool::new(false)));
    let slow = is_slow.clone();
    let server = TestServer::start(move |request| {
        let is_first = request.text().contains("first");
        let name = if is_first { "first" } else { "second" };
        match request.path() {
            path if path.ends_with("/generateToken") => {
                Reply::json(format!(r#"{{"token":"token-of-{name}","expires":"4102444800000"}}"#))
            }
            path if path.ends_with("/webhooks") => Reply::json(r#"{"webhooks":[]}"#),
            path if path.ends_with("/deactivateAll") => Reply::json(r#"{"status":"success"}"#),
            _ => {
                let root = Reply::json(format!(r#"{{"currentVersion":"11.5","loggedInUser":"{name}"}}"#));
                if is_first && slow.swap(false, Ordering::SeqCst) { root.when(&held) } else { root }
            }
        }
    });
    let server = server.await.unwrap();
    app.sites().save(&form(Some(&app.site), "", &format!("{}/server", server.origin()))).unwrap();
    sign_in_as(&app.steward.context, &app.site, "first", &Secret::new("canary".to_owned())).await.unwrap();
    // As after a restart: who is signed in is asked of the site.
    app.steward.context.access.forget_known(&app.site);
    is_slow.store(true, Ordering::SeqCst);
    let second = async {
        until("the question", async || server.waiting() == 1).await;
        sign_in_as(&app.steward.context, &app.site, "second", &Secret::new("other".to_owned()))
            .await
            .unwrap();
        gate.notify_one();
    };
    let services = DeactivateWebhooksForm {
        services: vec!["Hosted/Hydrants.FeatureServer".to_owned()],
        why: String::new(),
        confirmation: String::new(),
    };

    let silencing = app.deactivate_webhooks(services);
    let (ended, ()) = tokio::join!(silencing, second);

    let records = app.history().await.into_iter().map(|record| (record.intent.username, record.outcome));
    let by: Vec<_> = records.collect();
    let is_sent = |name: &str| {
        let is_of = |request: &steward_testkit::Request| {
            request.path().ends_with("/deactivateAll") && request.text().contains(&format!("token-of-{name}"))
        };
        server.requests().iter().any(is_of)
    };
    assert!(matches!(ended, Err(Problem::SignIn { .. })), "{ended:?}");
    assert!(!is_sent("first") && !is_sent("second"), "recorded for {by:?}: {ended:?}");
    assert_eq!(by, [("first".to_owned(), Outcome::NotSent)], "whoever began it");
}

/// Does `operation` with a dialog that is open until a user has signed in. Returns its end and what was posted to the site,
/// without the sign-in.
async fn behind_a_sign_in(
    place: &str,
    operation: impl AsyncFnOnce(&TestApp) -> Option<Problem>,
) -> (Option<Problem>, Vec<String>) {
    let mut app = TestApp::new().await;
    let place = app.folder("desk").join(place);
    if place.extension().is_some_and(|extension| extension == "csv") {
        std::fs::write(&place, "a,b").unwrap();
    }
    let (address, wire) = listened_to(app.practice_address()).await;
    app.go_through(&address);
    let closed = Arc::new(AtomicBool::new(false));
    let dialogs = Arc::new(Open { place, closed: closed.clone(), opened: Mutex::default() });
    app.answer_dialogs_by(dialogs.clone());
    let person = async {
        until("the dialog", async || *dialogs.opened.lock().unwrap()).await;
        app.sign_in("administrator").await.unwrap();
        closed.store(true, Ordering::SeqCst);
    };

    let (ended, ()) = tokio::join!(Box::pin(operation(&app)), person);

    let sent = posts(&wire).into_iter().map(|(path, _)| path);
    (ended, sent.filter(|path| !path.ends_with("/generateToken")).collect())
}

#[tokio::test]
async fn nothing_is_sent_in_a_session_that_began_behind_the_dialog() {
    let export = async |app: &TestApp| {
        let form = ExportServerForm { place: ServerExportDestination::ThisComputer };
        app.export_server(form).await.err()
    };
    let import = async |app: &TestApp| {
        let safety_backup = Some(SafetyBackupOptions { also_here: true });
        app.import_server(ImportServerForm { safety_backup, ..import_server_form("/a.agssite") }).await.err()
    };
    let upload = async |app: &TestApp| app.upload(UploadSource::Choose { part_mebibytes: 1 }).await.err();
    let invitations = async |app: &TestApp| {
        let form = |id: &str| RefreshInvitationForm {
            collaboration_id: "c".to_owned(),
            invitation_id: id.to_owned(),
        };
        let (context, files) = (&app.steward.context, &app.steward.invitation_files);
        into_folder::perform(context, files, &app.site, app.run(), vec![form("1"), form("2")]).await.err()
    };
    let ends = [
        Box::pin(behind_a_sign_in("a.agssite", export)).await,
        Box::pin(behind_a_sign_in("a.agssite", import)).await,
        Box::pin(behind_a_sign_in("a.csv", upload)).await,
        Box::pin(behind_a_sign_in("", invitations)).await,
    ];

    for (place, (ended, sent)) in ends.into_iter().enumerate() {
        assert!(matches!(ended, Some(Problem::SignIn { .. })), "{place}: {ended:?}");
        assert!(sent.is_empty(), "{place}: {sent:?}");
    }
}

#[tokio::test]
async fn neither_an_upload_nor_invitations_go_to_what_the_site_has_since_its_dialog_was_opened() {
    let mut app = TestApp::new().await;
    let other = Scripted::new(|_, _| (json(r#"{"items":[],"success":true}"#), Then::Close)).await;
    let changed = Problem::PreconditionFailed { why: PreconditionFailure::ServerChanged };
    let (id, host) = (app.site.clone(), other.host());

    let upload = upload_beside(&mut app, async |steward| {
        let mut site = steward.context.access.sites.get(&id).unwrap();
        site.servers[0].address = format!("http://{host}/other").parse().unwrap();
        steward.context.access.sites.put(site).unwrap();
    })
    .await;

    assert_eq!(upload, Err(changed.clone()));
    let mut app = TestApp::new().await;
    let closed = Arc::new(AtomicBool::new(false));
    let place = app.folder("desk");
    let dialogs = Arc::new(Open { place, closed: closed.clone(), opened: Mutex::default() });
    app.answer_dialogs_by(dialogs.clone());
    let person = async {
        until("the dialog", async || *dialogs.opened.lock().unwrap()).await;
        let mut site = app.sites().get(&app.site).unwrap();
        site.portal.as_mut().unwrap().address = format!("http://{}/other", other.host()).parse().unwrap();
        app.sites().put(site).unwrap();
        move_sessions(&app.vault, &app.site.0, &format!("http://{}", other.host()));
        closed.store(true, Ordering::SeqCst);
    };
    let forms = invitation_forms(&app).await;
    let (context, files) = (&app.steward.context, &app.steward.invitation_files);
    let refreshing = into_folder::perform(context, files, &app.site, app.run(), forms);
    let (ended, ()) = tokio::join!(refreshing, person);

    assert_eq!(ended.err(), Some(changed));
    assert!(other.asked().is_empty(), "{:?}", other.asked());
}
