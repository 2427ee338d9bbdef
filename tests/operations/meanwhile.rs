//! What changes meanwhile: a site is edited, removed, signed out of or pointed elsewhere while something is under way.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use steward_client::{listing, uploads};
use steward_core::actions::browser_sign_in::{self, BrowserSignIn};
use steward_core::actions::sign_in::{leave, sign_in_as};
use steward_core::actions::sites::{choose, remove, save};
use steward_core::files::dialogs::{Choice, Dialogs, Title};
use steward_core::files::selected_paths::Places;
use steward_core::host::Host;
use steward_core::model::deployment::ServerKind;
use steward_core::model::ids::ServerId;
use steward_core::model::operation::Key;
use steward_core::model::problem::Problem;
use steward_core::runs::{RunId, RunStep};
use steward_core::sites::{ServerForm, Site, SiteForm};
use steward_core::transfers::upload::{self, UploadEnd, UploadId, UploadSource};
use steward_testkit::{Browser, Fault, FaultProxy};
use steward_vault::{Answer, MemoryStore, Secret, SecretStore, VaultError};
use url::Url;

use crate::desk::{Desk, form};
use crate::scripted::{Scripted, Then};

/// A site that the portal knows the program at, as the person sees it in the form.
fn filled_in(desk: &Desk) -> SiteForm {
    let ready = desk.practice.ready();
    SiteForm { client_id: "sitesteward".to_owned(), ..form(Some(&desk.site), &ready.portal, &ready.server) }
}

/// The same site at another address.
fn moved(desk: &Desk, address: &str) -> SiteForm {
    let ready = desk.practice.ready();
    let there = |root: &str| root.replace(desk.practice_address(), address);
    SiteForm {
        client_id: "sitesteward".to_owned(),
        ..form(Some(&desk.site), &there(&ready.portal), &there(&ready.server))
    }
}

async fn page(desk: &Desk) -> Url {
    loop {
        if let Some(page) = desk.dialogs.pages().pop() {
            return page;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_site_that_is_edited_while_the_browser_is_away_stays_as_it_was_edited() {
    let desk = Desk::signed_out().await;
    save(&desk.host, &filled_in(&desk)).await.unwrap();
    let user = desk.user("administrator");
    let person = async {
        let browser = Browser::new().unwrap();
        let led = browser.sign_in(&page(&desk).await, &user.username, &user.password).await.unwrap();
        save(&desk.host, &SiteForm { read_only: true, ..filled_in(&desk) }).await.unwrap();
        browser.visit(led.away().unwrap().as_str()).await.unwrap();
    };

    let (signed_in, ()) = tokio::join!(browser_sign_in::through_loopback(&desk.host, &desk.site), person);

    assert!(matches!(signed_in, Ok(BrowserSignIn::SignedIn { .. })), "{signed_in:?}");
    let site = desk.host.sites.get(&desk.site).unwrap();
    assert!(site.read_only, "a mark that was just set");
    assert_eq!(site.username.as_deref(), Some(user.username.as_str()));
}

#[tokio::test]
async fn a_site_that_is_removed_or_moved_while_the_browser_is_away_gets_no_token() {
    for is_moved in [false, true] {
        let desk = Desk::signed_out().await;
        save(&desk.host, &filled_in(&desk)).await.unwrap();
        let user = desk.user("administrator");
        let elsewhere = FaultProxy::to(desk.practice_address(), "nothing", Fault::AnswerLost).await.unwrap();
        let person = async {
            let browser = Browser::new().unwrap();
            let led = browser.sign_in(&page(&desk).await, &user.username, &user.password).await.unwrap();
            if is_moved {
                save(&desk.host, &moved(&desk, &elsewhere.address())).await.unwrap();
            } else {
                remove(&desk.host, &desk.site, "").await.unwrap();
            }
            // Nobody may be listening any more.
            let _ = browser.visit(led.away().unwrap().as_str()).await;
        };

        let (signed_in, ()) = tokio::join!(browser_sign_in::through_loopback(&desk.host, &desk.site), person);

        assert!(!matches!(signed_in, Ok(BrowserSignIn::SignedIn { .. })), "{signed_in:?}");
        assert_eq!(desk.kept("portal").await, None);
        let now = desk.host.sites.get(&desk.site).ok().and_then(|site| site.portal);
        assert_eq!(now.is_some(), is_moved, "what was removed stays removed");
        assert!(now.is_none_or(|portal| portal.address.as_str().contains(&elsewhere.address())));
    }
}

#[tokio::test]
async fn a_code_of_one_portal_is_not_sent_to_another() {
    let desk = Desk::signed_out().await;
    save(&desk.host, &filled_in(&desk)).await.unwrap();
    browser_sign_in::open_page(&desk.host, &desk.site).await.unwrap();
    let elsewhere = FaultProxy::to(desk.practice_address(), "oauth2/token", Fault::AnswerLost).await.unwrap();
    save(&desk.host, &moved(&desk, &elsewhere.address())).await.unwrap();

    let refused = browser_sign_in::with_code(&desk.host, &desk.site, "canary").await;

    assert!(refused.is_err());
    assert_eq!(elsewhere.met(), 0);
}

/// A keyring that refuses to remove anything while it is locked.
#[derive(Default)]
struct Lockable {
    inner: Arc<MemoryStore>,
    locked: AtomicBool,
}

impl SecretStore for Lockable {
    fn get<'a>(&'a self, name: &'a str) -> Answer<'a, Option<Secret<String>>> {
        self.inner.get(name)
    }

    fn set<'a>(&'a self, name: &'a str, secret: Secret<String>) -> Answer<'a, ()> {
        self.inner.set(name, secret)
    }

    fn forget<'a>(&'a self, name: &'a str) -> Answer<'a, ()> {
        if self.locked.load(Ordering::SeqCst) {
            return Box::pin(std::future::ready(Err(VaultError::Slow)));
        }
        self.inner.forget(name)
    }
}

#[tokio::test]
async fn a_keyring_that_does_not_answer_does_not_leave_a_token_for_another_address() {
    let desk = Desk::new().await;
    let vault = Arc::new(Lockable { inner: desk.vault.clone(), locked: AtomicBool::new(true) });
    let desk = desk.restarted_with(vault.clone());
    let elsewhere = FaultProxy::to(desk.practice_address(), "/", Fault::AnswerLost).await.unwrap();

    let refused = save(&desk.host, &moved(&desk, &elsewhere.address())).await;
    assert!(matches!(refused, Err(Problem::Vault { .. })), "{:?}", refused.err());
    vault.locked.store(false, Ordering::SeqCst);
    // The person presses Save once more.
    save(&desk.host, &moved(&desk, &elsewhere.address())).await.unwrap();

    let site = desk.host.sites.get(&desk.site).unwrap();
    assert_eq!(desk.host.ask_who(&site).await.err(), Some(Problem::sign_in(&site.id)));
    assert_eq!((desk.kept("portal").await, elsewhere.met()), (None, 0));
}

fn server_form(id: Option<&str>, address: &str) -> ServerForm {
    ServerForm {
        id: id.map(|id| ServerId(id.to_owned())),
        name: String::new(),
        address: address.to_owned(),
        public: String::new(),
        direct: String::new(),
        flavour: ServerKind::Gis,
        role: String::new(),
    }
}

/// A token of a server that stands alone, which this site has none of by itself.
pub(crate) async fn with_server_token(desk: &Desk) {
    let token = r#"{"token":"canary","expires_at":null}"#.to_owned();
    desk.vault.set(&format!("{}/server/server", desk.site.0), Secret::new(token)).await.unwrap();
}

#[tokio::test]
async fn a_server_under_another_name_or_at_another_place_gets_no_token_of_the_one_before() {
    let desk = Desk::signed_out().await;
    let ready = desk.practice.ready();
    let (one, two) = (ready.server.clone(), "http://127.0.0.1:9/server");
    let both = |first, second| SiteForm {
        servers: vec![server_form(first, &one), server_form(second, two)],
        ..filled_in(&desk)
    };
    save(&desk.host, &both(Some("server"), Some("other"))).await.unwrap();
    with_server_token(&desk).await;

    save(&desk.host, &both(Some("other"), Some("server"))).await.unwrap();
    assert_eq!(desk.kept("server/server").await, None, "its name is now another server's");

    save(&desk.host, &both(Some("server"), Some("other"))).await.unwrap();
    with_server_token(&desk).await;
    save(&desk.host, &both(None, Some("other"))).await.unwrap();
    assert_eq!(desk.kept("server/server").await, None, "nobody would ever remove it");
}

#[tokio::test]
async fn what_is_renewed_after_signing_out_is_not_put_back_into_the_keyring() {
    let desk = Desk::new().await;
    let user = desk.user("administrator");
    let password = Secret::new(user.password.clone());
    desk.host.keep_password(&desk.site, &user.username, &password).await.unwrap();
    let under_way = desk.host.portal(&desk.host.sites.get(&desk.site).unwrap()).await.unwrap();

    leave(&desk.host, &desk.site).await.unwrap();
    under_way.session().unwrap().renew().await.unwrap();
    assert_eq!(desk.kept("portal").await, None);

    let viewer = desk.user("viewer");
    let password = Secret::new(viewer.password.clone());
    sign_in_as(&desk.host, &desk.site, &viewer.username, &password).await.unwrap();
    let kept = desk.kept("portal").await;
    under_way.session().unwrap().renew().await.unwrap();
    assert!(kept.is_some() && desk.kept("portal").await == kept, "the next one is somebody else");
}

#[tokio::test]
async fn a_site_is_neither_moved_nor_removed_under_a_running_operation() {
    let desk = Desk::new().await;
    let site = desk.host.sites.get(&desk.site).unwrap();
    let elsewhere = "127.0.0.1:9";
    let run = desk.host.runs.begin(desk.run(), &site, Key::ImportServer, RunStep::Securing).unwrap();

    let busy = [
        save(&desk.host, &moved(&desk, elsewhere)).await.err(),
        remove(&desk.host, &desk.site, "").await.err(),
    ];

    for problem in busy {
        assert!(matches!(problem, Some(Problem::Busy { operation: Key::ImportServer, .. })), "{problem:?}");
    }
    assert!(desk.kept("portal").await.is_some());
    let named = SiteForm { name: "City".to_owned(), ..form_of(&site) };
    save(&desk.host, &named).await.unwrap();
    drop(run);
    remove(&desk.host, &desk.site, "").await.unwrap();
}

fn form_of(site: &Site) -> SiteForm {
    let portal = site.portal.as_ref().unwrap().address.to_string();
    form(Some(&site.id), &portal, site.server().unwrap().address.as_str())
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

async fn upload_beside(desk: &mut Desk, meanwhile: impl AsyncFnOnce(&Host)) -> Result<UploadEnd, Problem> {
    let place = desk.folder("desk").join("a.csv");
    std::fs::write(&place, "a,b").unwrap();
    let closed = Arc::new(AtomicBool::new(false));
    let dialogs = Arc::new(Open { place, closed: closed.clone(), opened: Mutex::default() });
    desk.host.dialogs = Places::new(dialogs.clone());
    let source = UploadSource::Choose { part_mebibytes: 1 };
    let upload = upload::upload(&desk.host, &desk.site, desk.run(), source);
    let person = async {
        while !*dialogs.opened.lock().unwrap() {
            tokio::task::yield_now().await;
        }
        meanwhile(&desk.host).await;
        closed.store(true, Ordering::SeqCst);
    };
    tokio::join!(upload, person).0
}

#[tokio::test]
async fn an_upload_goes_to_the_server_that_is_chosen_when_it_begins() {
    let mut desk = Desk::new().await;
    let other = FaultProxy::to(desk.practice_address(), "/uploads/upload", Fault::CutAfter(usize::MAX))
        .await
        .unwrap();
    let mut site = desk.host.sites.get(&desk.site).unwrap();
    let mut second = site.servers[0].clone();
    second.id = ServerId("other".to_owned());
    second.public = Some(second.address.clone());
    second.address = format!("http://{}/server", other.address()).parse().unwrap();
    site.servers.push(second);
    site.confirmed.push(format!("http://{}", other.address()));
    desk.host.sites.put(site).unwrap();
    let id = desk.site.clone();

    let end = upload_beside(&mut desk, async |host| {
        choose(host, &id, ServerId("other".to_owned())).await.unwrap();
    })
    .await;

    assert!(matches!(end, Ok(UploadEnd::Uploaded { .. })), "{end:?}");
    assert_eq!(other.met(), 1);
}

#[tokio::test]
async fn an_upload_to_a_site_that_became_read_only_behind_the_dialog_is_refused() {
    let mut desk = Desk::new().await;
    let id = desk.site.clone();

    let end = upload_beside(&mut desk, async |host| {
        let site = host.sites.get(&id).unwrap();
        host.sites.put(Site { read_only: true, ..site }).unwrap();
    })
    .await;

    assert_eq!(end, Err(Problem::ReadOnly { site: desk.site.clone() }));
}

#[tokio::test]
async fn only_an_upload_that_was_begun_here_is_discarded() {
    let desk = Desk::new().await;
    let server = desk.host.server(&desk.host.sites.get(&desk.site).unwrap()).await.unwrap();
    let stored = uploads::upload_whole(
        &server,
        "way-back.csv",
        "",
        uploads::Outgoing::of(b"a,b".to_vec()),
        std::time::Duration::from_secs(5),
    )
    .await
    .unwrap();
    let way = desk.with_fault("/delete", Fault::AnswerLost).await;

    for item in [stored.id.as_str(), "..", "", "a/../b"] {
        let refused = upload::discard(&desk.host, &desk.site, &UploadId(item.to_owned())).await;
        assert!(matches!(refused, Err(Problem::Unexpected { .. })), "{item}: {refused:?}");
    }

    assert_eq!(way.met(), 0);
    let server = desk.host.server(&desk.host.sites.get(&desk.site).unwrap()).await.unwrap();
    assert_eq!(listing::uploads(&server).await.unwrap().len(), 1);
}

#[tokio::test]
async fn two_runs_of_one_name_are_two_runs() {
    let desk = Desk::new().await;
    let site = desk.host.sites.get(&desk.site).unwrap();
    let begin = |id: &str, key| desk.host.runs.begin(RunId(id.to_owned()), &site, key, RunStep::Waiting);
    let import = begin("run", Key::ImportServer).unwrap();

    drop(begin("run", Key::FindItems).unwrap());

    assert!(matches!(begin("second", Key::ExportServer), Err(Problem::Busy { .. })), "the import still runs");
    drop(import);
    assert!(begin("second", Key::ExportServer).is_ok());
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
    let desk = Desk::signed_out().await;
    let let_go = Arc::new(AtomicBool::new(false));
    let alone = answers_when_let(let_go.clone()).await;
    let site = desk.host.sites.save(&form(Some(&desk.site), "", &alone.address())).unwrap();
    with_server_token(&desk).await;

    let (asked, ()) = tokio::join!(desk.host.ask_who(&site), async {
        crate::stop::soon(|| async { !alone.asked().is_empty() }).await;
        leave(&desk.host, &desk.site).await.unwrap();
        let_go.store(true, Ordering::SeqCst);
    });

    assert!(asked.is_ok(), "{asked:?}");
    let problem = desk.host.known(&site).await.err();
    assert!(matches!(problem, Some(Problem::SignIn { server: Some(_), .. })), "{problem:?}");
}
