//! What a site uses whose own connection says nothing.

use steward_core::actions::preferences::save;
use steward_core::diagnostics::examination::examination_of;
use steward_core::settings::policy::Policy;
use steward_core::settings::preferences::{Choices, Preferences, ProgramConnection};
use steward_core::sites::{SavedRoute, SiteForm};
use steward_vault::SecretStore;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

use crate::desk::Desk;

fn through(address: &str) -> Preferences {
    let route =
        SavedRoute::Proxy { address: address.to_owned(), user: "sam".to_owned(), exceptions: Vec::new() };
    let connection = ProgramConnection { route, ca_certificate: String::new() };
    Preferences { connection, ..Preferences::default() }
}

/// Nothing listens there.
const NOBODY: &str = "http://127.0.0.1:9/";

/// Asks a site that is not on this machine, and says what arrives at the proxy first.
async fn asked_of_the_proxy(desk: &Desk, route: SavedRoute, before: bool) -> Option<String> {
    let proxy = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut site = desk.host.sites.save(&SiteForm::of("County", "https://gis.invalid/portal", "")).unwrap();
    site.route = route;
    desk.host.sites.put(site.clone()).unwrap();
    if before {
        desk.host.portal_address(&site).await.unwrap();
    }
    save(&desk.host, through(&format!("http://{}/", proxy.local_addr().unwrap())), None).await.unwrap();
    let portal = desk.host.portal_address(&site).await.unwrap();
    let asking = tokio::spawn(async move { steward_client::describe_portal(&portal).await.map(drop) });
    let arrived = tokio::select! {
        arrived = proxy.accept() => arrived,
        answered = asking => { answered.unwrap().unwrap_err(); return None }
    };
    let mut line = [0; 64];
    let length = arrived.unwrap().0.read(&mut line).await.unwrap();
    Some(String::from_utf8_lossy(&line[..length]).lines().next().unwrap().to_owned())
}

#[tokio::test]
async fn a_site_without_a_way_of_its_own_goes_through_the_programs_proxy_from_then_on() {
    let desk = Desk::signed_out().await;

    let asked = asked_of_the_proxy(&desk, SavedRoute::System, true).await;

    assert_eq!(asked.as_deref(), Some("CONNECT gis.invalid:443 HTTP/1.1"));
}

#[tokio::test]
async fn a_site_with_a_way_of_its_own_keeps_it() {
    let desk = Desk::signed_out().await;

    assert_eq!(asked_of_the_proxy(&desk, SavedRoute::Direct, false).await, None);
}

#[tokio::test]
async fn the_password_of_the_programs_proxy_is_in_the_keyring_and_meant_for_that_proxy_alone() {
    let desk = Desk::signed_out().await;
    let kept =
        async || desk.vault.get("program/proxy-password").await.unwrap().map(|kept| kept.expose().clone());
    save(&desk.host, through(NOBODY), Some("seven seas".to_owned())).await.unwrap();
    save(&desk.host, through(NOBODY), None).await.unwrap();
    assert!(kept().await.unwrap().contains("seven seas"));
    let file = desk.host.data_folder.join("preferences.json");
    assert!(!std::fs::read_to_string(file).unwrap().contains("seven seas"));

    save(&desk.host, through("http://127.0.0.1:10/"), None).await.unwrap();

    assert_eq!(kept().await, None);
}

/// The same desk where the organisation locked the way to every site.
fn with_locked_route(desk: &mut Desk, route: SavedRoute) {
    let policy = Policy { locked: Choices { route: Some(route), ..Choices::default() }, ..Policy::default() };
    desk.put_under(policy);
}

#[tokio::test]
async fn under_a_locked_proxy_no_site_has_a_way_of_its_own() {
    let mut desk = Desk::signed_out().await;
    let proxy = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/", proxy.local_addr().unwrap());
    with_locked_route(&mut desk, through(&address).connection.route);
    let mut site = desk.host.sites.save(&SiteForm::of("County", "https://gis.invalid/portal", "")).unwrap();
    site.route = SavedRoute::Direct;
    desk.host.sites.put(site.clone()).unwrap();

    let portal = desk.host.portal_address(&site).await.unwrap();
    let asking = tokio::spawn(async move { steward_client::describe_portal(&portal).await.map(drop) });

    let arrived = tokio::select! {
        arrived = proxy.accept() => arrived,
        answered = asking => panic!("it went past the proxy: {answered:?}"),
    };
    let mut line = [0; 64];
    let length = arrived.unwrap().0.read(&mut line).await.unwrap();
    assert!(line[..length].starts_with(b"CONNECT gis.invalid:443"));
    let examined = examination_of(&desk.host, Some(&site.id), None).await.unwrap();
    let way = format!("https://gis.invalid: {address}, with a name and a password");
    assert!(examined.text.contains(&way), "{}", examined.text);
}

#[tokio::test]
async fn under_a_locked_proxy_its_password_can_be_typed_and_nothing_else() {
    let mut desk = Desk::signed_out().await;
    with_locked_route(&mut desk, through(NOBODY).connection.route);

    let saved =
        save(&desk.host, through("http://127.0.0.1:10/"), Some("seven seas".to_owned())).await.unwrap();

    assert_eq!(saved.connection, through(NOBODY).connection);
    let kept = desk.vault.get("program/proxy-password").await.unwrap();
    assert!(kept.unwrap().expose().contains("seven seas"));
}
