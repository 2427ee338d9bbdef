//! What a site uses whose own connection says nothing.

use site_steward::commands::preferences::save;
use site_steward::preferences::{Preferences, ProgramConnection};
use site_steward::problem::Problem;
use site_steward::sites::SavedRoute;
use steward_vault::SecretStore;

use crate::desk::Desk;

fn through(address: &str) -> Preferences {
    let route =
        SavedRoute::Proxy { address: address.to_owned(), user: "sam".to_owned(), exceptions: Vec::new() };
    let connection = ProgramConnection { route, ca_certificate: String::new() };
    Preferences { connection, ..Preferences::default() }
}

/// Nothing listens there.
const NOBODY: &str = "http://127.0.0.1:9/";

#[tokio::test]
async fn a_site_without_a_way_of_its_own_goes_through_the_programs_proxy_from_then_on() {
    let desk = Desk::new().await;
    let site = desk.host.sites.get(&desk.site).unwrap();
    desk.host.ask_who(&site).await.unwrap();

    save(&desk.host, through(NOBODY), None).await.unwrap();
    let refused = desk.host.ask_who(&site).await;
    save(&desk.host, Preferences::default(), None).await.unwrap();

    assert!(matches!(refused, Err(Problem::Unreachable { .. })), "{:?}", refused.err());
    desk.host.ask_who(&site).await.unwrap();
}

#[tokio::test]
async fn a_site_with_a_way_of_its_own_keeps_it() {
    let desk = Desk::new().await;
    let mut site = desk.host.sites.get(&desk.site).unwrap();
    site.route = SavedRoute::Direct;
    desk.host.sites.put(site.clone()).unwrap();

    save(&desk.host, through(NOBODY), None).await.unwrap();

    desk.host.ask_who(&site).await.unwrap();
}

#[tokio::test]
async fn the_password_of_the_programs_proxy_is_in_the_keyring_and_meant_for_that_proxy_alone() {
    let desk = Desk::signed_out().await;
    let kept =
        async || desk.vault.get("program/proxy-password").await.unwrap().map(|kept| kept.expose().clone());
    save(&desk.host, through(NOBODY), Some("seven seas".to_owned())).await.unwrap();
    save(&desk.host, through(NOBODY), None).await.unwrap();
    assert_eq!(kept().await.as_deref(), Some("seven seas"));
    let file = desk.host.data_folder.join("preferences.json");
    assert!(!std::fs::read_to_string(file).unwrap().contains("seven seas"));

    save(&desk.host, through("http://127.0.0.1:10/"), None).await.unwrap();

    assert_eq!(kept().await, None);
}
