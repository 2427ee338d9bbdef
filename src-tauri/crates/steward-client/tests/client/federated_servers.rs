//! The servers that a portal knows.

use steward_client::discovery::{ProbeOutcome, find_servers, listed_servers};
use steward_client::{Endpoint, ServerType, Stage};
use steward_vault::Secret;

use crate::canned::Canned;
use crate::rehearsal::{http, rehearsal};

const LISTED: &str = "/portal/sharing/rest/portals/self/servers";
const FEDERATION: &str = "/portal/portaladmin/federation/servers";
const INFO: &str = r#"{"currentVersion":11.1,"fullVersion":"11.1.0"}"#;

fn portal(canned: &Canned) -> Endpoint {
    Endpoint::new(http(), canned.root("portal")).with_token(Secret::new("canary".to_owned()))
}

/// An address of this machine where nobody listens.
async fn nowhere() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("https://{}/arcgis", listener.local_addr().unwrap())
}

#[tokio::test]
async fn the_practice_sites_server_is_listed_with_its_addresses() {
    let site = rehearsal().await;
    let portal = site.portal().with_token(site.token("administrator").await.token);

    let found = find_servers(&portal).await.unwrap();

    let [server] = found.servers.as_slice() else { panic!("{found:?}") };
    assert_eq!(server.role, "HOSTING_SERVER");
    assert_eq!(server.server_type, ServerType::Gis);
    assert_eq!(server.admin, site.server_root());
    assert_eq!(server.admin_url.as_ref(), Some(&site.server_root()));
    assert_eq!(server.fell_back, None);
}

#[tokio::test]
async fn an_internal_name_that_cannot_be_reached_gives_way_to_the_public_one_and_says_so() {
    let internal = nowhere().await;
    let list = format!(
        r#"{{"servers":[{{"id":"a","name":"srv1:6443","url":"ORIGIN/server","adminUrl":"{internal}",
            "serverType":"ArcGIS","serverRole":"FEDERATED_SERVER","serverFunction":""}}]}}"#
    );
    let canned = Canned::answering(&[(LISTED, &list), ("/server/rest/info", INFO)]).await;

    let found = find_servers(&portal(&canned)).await.unwrap();

    let [server] = found.servers.as_slice() else { panic!("{found:?}") };
    assert_eq!(server.name, "srv1:6443");
    assert_eq!(server.admin, canned.root("server"));
    assert_eq!(server.version.unwrap().to_string(), "11.1");
    // And so an import has nowhere to go.
    assert_eq!(server.admin_url, None);
    assert!(!server.fact().has_admin_url);
    let fell_back = server.fell_back.as_ref().unwrap();
    assert_eq!(fell_back.from.as_str(), internal);
    assert!(
        matches!(fell_back.outcome, ProbeOutcome::Unreachable { stage: Stage::Connect, .. }),
        "{fell_back:?}"
    );
}

#[tokio::test]
async fn something_else_behind_the_internal_name_is_not_taken_for_the_server() {
    let list = r#"{"servers":[{"name":"a","url":"ORIGIN/server","adminUrl":"ORIGIN/router"}]}"#;
    let router = ("/router/rest/info", "<html>Your router</html>");
    let canned = Canned::answering(&[(LISTED, list), ("/server/rest/info", INFO), router]).await;

    let found = find_servers(&portal(&canned)).await.unwrap();

    assert_eq!(found.servers[0].admin, canned.root("server"));
    let outcome = &found.servers[0].fell_back.as_ref().unwrap().outcome;
    assert_eq!(*outcome, ProbeOutcome::SomethingElse { status: 200 });
}

#[tokio::test]
async fn every_kind_of_server_is_told_and_no_token_goes_to_an_address_that_is_only_tried() {
    let list = r#"{"servers":[
        {"name":"m","url":"ORIGIN/mission","adminUrl":"ORIGIN/m","serverType":"ARCGIS_MISSION_SERVER"},
        {"name":"n","url":"ORIGIN/notebook","adminURL":"ORIGIN/n/","serverType":"ARCGIS_NOTEBOOK_SERVER"},
        {"name":"v","url":"ORIGIN/v","adminUrl":"","serverType":"ArcGIS","serverFunction":"VideoServer"},
        {"name":"x","url":"mailto:x","adminUrl":null},
        "no server"]}"#;
    let no_token = r#"{"status":"error","messages":["Unauthorized access."],"code":499}"#;
    let canned = Canned::answering(&[(LISTED, list), ("/m/admin", no_token), ("/n/rest/info", INFO)]).await;

    let found = find_servers(&portal(&canned)).await.unwrap();

    let told: Vec<(&str, &ServerType, bool)> = found
        .servers
        .iter()
        .map(|server| (server.name.as_str(), &server.server_type, server.admin_url.is_some()))
        .collect();
    let expected = [
        ("m", &ServerType::Mission, true),
        ("n", &ServerType::Notebook, true),
        ("v", &ServerType::Video, false),
    ];
    assert_eq!(told, expected);
    assert_eq!(found.servers[1].admin, canned.root("n"));
    for asked in canned.asked() {
        assert_eq!(asked.head.contains("canary"), asked.path() == LISTED, "{asked:?}");
    }
}

#[tokio::test]
async fn a_portal_that_refuses_the_list_is_asked_for_its_federation() {
    let canned = Canned::answering(&[
        (LISTED, r#"{"error":{"code":403,"message":"You do not have permissions.","details":[]}}"#),
        (FEDERATION, r#"{"servers":[{"name":"a","url":"ORIGIN/server","adminURL":"ORIGIN/server"}]}"#),
        ("/server/rest/info", INFO),
    ])
    .await;
    let found = find_servers(&portal(&canned)).await.unwrap();
    assert_eq!(found.servers[0].admin, canned.root("server"));
}

#[tokio::test]
async fn a_server_is_listed_under_its_two_addresses_and_at_no_other_host_port_or_context() {
    let list = r#"{"servers":[{"name":"a","url":"https://gis.example.org/server",
        "adminUrl":"https://srv1.example.org:6443/arcgis/"}]}"#;
    let canned = Canned::answering(&[(LISTED, list)]).await;

    let listed = listed_servers(&portal(&canned)).await.unwrap();

    let is_at = |address: &str| listed[0].is_at(&address.parse().unwrap());
    for address in [
        "https://gis.example.org/Server/",
        "https://GIS.example.org:443/server",
        "https://srv1.example.org:6443/arcgis",
    ] {
        assert!(is_at(address), "{address}");
    }
    for address in [
        "https://gis.example.org:6443/server",
        "https://gis.example.org/server/other",
        "https://gis.example.org.example.com/server",
        "http://gis.example.org/server",
        "https://srv1.example.org/arcgis",
    ] {
        assert!(!is_at(address), "{address}");
    }
}

#[tokio::test]
async fn a_token_that_ran_out_is_the_answer_and_not_an_empty_list() {
    let site = rehearsal().await;
    let portal = site.portal().with_token(Secret::new("made-up".to_owned()));
    let refused = find_servers(&portal).await.unwrap_err();
    assert!(matches!(refused, steward_client::ClientError::Rejected { code: 498, .. }), "{refused:?}");
}
