//! The way to a site that is changed while something is under way there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use steward_client::Area;
use steward_core::actions::preferences;
use steward_core::actions::sites::save;
use steward_core::model::ids::SiteId;
use steward_core::settings::preferences::{Preferences, ProgramConnection};
use steward_core::sites::{ConnectionForm, SavedRoute, Site, SiteForm};
use steward_vault::{Secret, SecretStore};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

use crate::desk::Desk;
use crate::held_keyring::{HeldKeyring, Question};

/// A proxy that only says what arrived first.
struct Proxy(TcpListener);

impl Proxy {
    async fn new() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").await.unwrap())
    }

    fn address(&self) -> String {
        format!("http://{}/", self.0.local_addr().unwrap())
    }

    fn route(&self) -> SavedRoute {
        SavedRoute::Proxy { address: self.address(), user: "sam".to_owned(), exceptions: Vec::new() }
    }

    /// The password that arrives here when somebody asks a portal; `None` without one.
    async fn password_of(&self, portal: Area) -> Option<String> {
        let asking = tokio::spawn(async move { steward_client::describe_portal(&portal).await.map(drop) });
        let (mut client, _) = tokio::select! {
            arrived = self.0.accept() => arrived.unwrap(),
            answered = asking => panic!("it went another way: {answered:?}"),
        };
        let mut head = Vec::new();
        while !head.windows(4).any(|window| window == b"\r\n\r\n") {
            assert!(client.read_buf(&mut head).await.unwrap() > 0);
        }
        let head = String::from_utf8_lossy(&head).to_ascii_lowercase();
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

async fn saved(desk: &Desk, form: &SiteForm) -> Site {
    let id = save(&desk.host, form).await.unwrap().id;
    desk.host.sites.get(&id).unwrap()
}

#[tokio::test]
async fn what_was_begun_before_a_site_was_edited_does_not_bring_back_its_proxy() {
    let (desk, keyring) = HeldKeyring::of(Desk::signed_out().await);
    let (one, two) = (Proxy::new().await, Proxy::new().await);
    let before = saved(&desk, &county(None, &one, Some("first"))).await;
    keyring.hold(Question::Get, "/proxy-password");
    let edited = async {
        keyring.waits(1).await;
        let edited = saved(&desk, &county(Some(&before.id), &two, Some("second"))).await;
        keyring.let_go();
        edited
    };

    let (under_way, edited) = tokio::join!(desk.host.portal_address(&before), edited);

    under_way.unwrap();
    let portal = desk.host.portal_address(&edited).await.unwrap();
    assert_eq!(two.password_of(portal).await.as_deref(), Some("second"));
}

#[tokio::test]
async fn whoever_knows_only_the_proxy_of_before_takes_no_other_password_there() {
    let desk = Desk::signed_out().await;
    let (one, two) = (Proxy::new().await, Proxy::new().await);
    let before = saved(&desk, &county(None, &one, Some("first"))).await;
    let edited = saved(&desk, &county(Some(&before.id), &two, Some("second"))).await;

    let late = desk.host.portal_address(&before).await.unwrap();

    assert_eq!(one.password_of(late).await, None);
    let portal = desk.host.portal_address(&edited).await.unwrap();
    assert_eq!(two.password_of(portal).await.as_deref(), Some("second"));
}

#[tokio::test]
async fn a_new_password_of_a_proxy_is_used_by_whoever_asks_after_it_was_saved() {
    let (desk, keyring) = HeldKeyring::of(Desk::signed_out().await);
    let proxy = Proxy::new().await;
    let site = saved(&desk, &county(None, &proxy, Some("first"))).await;
    keyring.hold(Question::Set, "/proxy-password");
    let asked_meanwhile = async {
        keyring.waits(1).await;
        desk.host.portal_address(&site).await.unwrap();
        keyring.let_go();
    };

    let edited = county(Some(&site.id), &proxy, Some("second"));
    let (site, ()) = tokio::join!(saved(&desk, &edited), asked_meanwhile);

    let portal = desk.host.portal_address(&site).await.unwrap();
    assert_eq!(proxy.password_of(portal).await.as_deref(), Some("second"));
}

#[tokio::test]
async fn a_password_that_an_earlier_version_kept_alone_is_still_good() {
    let desk = Desk::signed_out().await;
    let proxy = Proxy::new().await;
    let site = saved(&desk, &county(None, &proxy, None)).await;
    let name = format!("{}/proxy-password", site.id.0);
    desk.vault.set(&name, Secret::new("first".to_owned())).await.unwrap();

    let portal = desk.host.portal_address(&site).await.unwrap();

    assert_eq!(proxy.password_of(portal).await.as_deref(), Some("first"));
}

async fn prefers(desk: &Desk, proxy: &Proxy, password: &str) {
    let connection = ProgramConnection { route: proxy.route(), ca_certificate: String::new() };
    let preferences = Preferences { connection, ..Preferences::default() };
    preferences::save(&desk.host, preferences, Some(password.to_owned())).await.unwrap();
}

#[tokio::test]
async fn what_was_begun_before_the_settings_were_saved_does_not_bring_back_the_programs_proxy() {
    let (desk, keyring) = HeldKeyring::of(Desk::signed_out().await);
    let (one, two) = (Proxy::new().await, Proxy::new().await);
    let site = saved(&desk, &SiteForm::of("County", "https://gis.invalid/portal", "")).await;
    prefers(&desk, &one, "first").await;
    keyring.hold(Question::Get, "program/proxy-password");
    let person = async {
        keyring.waits(1).await;
        prefers(&desk, &two, "second").await;
        keyring.let_go();
    };

    let (under_way, ()) = tokio::join!(desk.host.portal_address(&site), person);

    under_way.unwrap();
    let portal = desk.host.portal_address(&site).await.unwrap();
    assert_eq!(two.password_of(portal).await.as_deref(), Some("second"));
}

#[tokio::test]
async fn settings_whose_password_the_keyring_does_not_take_are_not_saved() {
    let (desk, keyring) = HeldKeyring::of(Desk::signed_out().await);
    let proxy = Proxy::new().await;
    let before = desk.host.preferences.get();
    keyring.hold(Question::Set, "program/proxy-password");

    tokio::select! {
        () = prefers(&desk, &proxy, "first") => panic!("the keyring did not answer"),
        () = keyring.waits(1) => {}
    }

    assert_eq!(desk.host.preferences.get(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_asked_over_the_way_of_before_is_not_known_after() {
    let desk = Desk::signed_out().await;
    let let_go = Arc::new(AtomicBool::new(false));
    let alone = crate::meanwhile::answers_when_let(let_go.clone()).await;
    let form = crate::desk::form(Some(&desk.site), "", &alone.address());
    let site = desk.host.sites.save(&form).unwrap();
    crate::meanwhile::with_server_token(&desk).await;

    let (asked, ()) = tokio::join!(desk.host.ask_who(&site), async {
        crate::stop::soon(|| async { !alone.asked().is_empty() }).await;
        let connection = ConnectionForm { route: SavedRoute::Direct, ..ConnectionForm::default() };
        save(&desk.host, &SiteForm { connection, ..form }).await.unwrap();
        let_go.store(true, Ordering::SeqCst);
    });

    asked.unwrap();
    let before = alone.asked().len();
    desk.host.known(&desk.host.sites.get(&site.id).unwrap()).await.unwrap();
    assert!(alone.asked().len() > before, "asked once more, over the way of now");
}
