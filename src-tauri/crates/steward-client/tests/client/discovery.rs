//! From what is pasted to a site.

use std::time::Duration;

use steward_client::discovery::{Found, FoundSite, ProbeOutcome, find};
use steward_client::requirements::{Availability, Facts, UnmetRequirement, availability};
use steward_client::{DeploymentType, OperationKey, ServerType, Stage, Version};
use steward_testkit::{Reply, TestServer, until};

use crate::canned::Canned;
use crate::rehearsal::{http, rehearsal};

const NO_TOKEN: &str =
    r#"{"status":"error","messages":["Unauthorized access. Token not found."],"code":499}"#;

async fn found(pasted: &str) -> Found {
    find(&http(), pasted).await.unwrap()
}

async fn site(pasted: &str) -> FoundSite {
    let found = found(pasted).await;
    found.site.unwrap_or_else(|| panic!("{pasted}: {:#?}", found.traces))
}

#[tokio::test]
async fn the_practice_site_is_found_from_every_page_of_it() {
    let rehearsal = rehearsal().await;
    let ready = rehearsal.site.ready();
    let origin = rehearsal.origin();
    let host = origin.trim_start_matches("http://");
    for (pasted, has_server) in [
        (origin.clone(), true),
        (format!(" {host}/ "), true),
        (format!("{host}/portal"), false),
        (format!("{origin}/portal/"), false),
        (format!("{origin}/portal/home/index.html#overview"), false),
        (format!("{origin}/portal/portaladmin"), false),
        (format!("{origin}/portal/sharing/rest/portals/self?f=json"), false),
        (format!("{origin}/server"), true),
        (format!("{origin}/server/admin/"), true),
        (format!("{origin}/server/manager"), true),
        (format!("{origin}/server/rest/services"), true),
    ] {
        let site = site(&pasted).await;
        assert_eq!(site.deployment_type, DeploymentType::Enterprise, "{pasted}");
        let portal = site.portal.unwrap();
        assert_eq!(portal.context.as_str(), ready.portal, "{pasted}");
        assert_eq!(portal.services_url.as_str(), ready.portal, "{pasted}");
        assert_eq!(portal.sharing.as_str(), format!("{}/sharing/rest", ready.portal));
        assert_eq!(portal.admin.unwrap().as_str(), format!("{}/portaladmin", ready.portal));
        assert_eq!(portal.version.unwrap().to_string(), "11.1");
        assert_eq!(portal.fell_back, None);
        assert_eq!(!site.servers.is_empty(), has_server, "{pasted}");
        for server in site.servers {
            assert_eq!(server.admin.as_str(), ready.server, "{pasted}");
            assert_eq!(server.federated.unwrap().as_str(), ready.portal);
            assert_eq!(server.server_type, ServerType::Gis);
            assert_eq!(server.version.unwrap().to_string(), "11.1");
        }
    }
}

#[tokio::test]
async fn everything_that_was_tried_is_shown_with_what_it_answered() {
    let rehearsal = rehearsal().await;
    let found = found(&rehearsal.origin()).await;
    let outcome = |path: &str| {
        let address = format!("{}{path}", rehearsal.origin());
        found.traces.iter().find(|trace| trace.address.as_str() == address).map(|trace| trace.outcome.clone())
    };
    let answered =
        matches!(outcome("/portal/sharing/rest"), Some(ProbeOutcome::Answered { version: Some(_) }));
    assert!(answered, "{:?}", found.traces);
    assert_eq!(outcome("/portal/portaladmin"), Some(ProbeOutcome::SignInFirst));
    assert_eq!(outcome("/server/admin"), Some(ProbeOutcome::SignInFirst));
    assert!(matches!(outcome("/arcgis/sharing/rest"), Some(ProbeOutcome::Rejected { code: 404, .. })));
}

#[tokio::test]
async fn a_server_that_stands_alone_is_a_site_of_its_own() {
    let canned = Canned::answering(&[
        ("/server/rest/info", r#"{"currentVersion":10.91,"fullVersion":"10.9.1"}"#),
        ("/server/admin", NO_TOKEN),
    ])
    .await;

    let site = site(canned.root("server/manager").as_str()).await;

    assert_eq!(site.deployment_type, DeploymentType::StandaloneServer);
    assert_eq!(site.portal, None);
    assert_eq!(site.servers[0].version.unwrap().to_string(), "10.9.1");
    assert_eq!(site.servers[0].federated, None);
}

#[tokio::test]
async fn kubernetes_is_one_administration_below_the_portals_context_and_exports_nothing() {
    let canned = Canned::answering(&[
        ("/gis/sharing/rest", r#"{"currentVersion":"2024.1","enterpriseVersion":"11.3.0"}"#),
        ("/gis/sharing/rest/portals/self", r#"{"id":"0123456789ABCDEF","isPortal":true,"name":"Cluster"}"#),
        ("/gis/admin", NO_TOKEN),
    ])
    .await;

    let site = site(canned.root("gis/manager").as_str()).await;

    assert_eq!(site.deployment_type, DeploymentType::Kubernetes);
    let portal = site.portal.unwrap();
    assert_eq!(portal.admin.as_ref(), Some(&canned.root("gis/admin")));
    assert_eq!(portal.version.unwrap().to_string(), "11.3");
    assert_eq!(site.servers.len(), 1);
    assert_eq!(site.servers[0].admin, canned.root("gis"));
    let facts = Facts {
        deployment_type: Some(site.deployment_type),
        portal: Some(portal.fact()),
        server: Some(site.servers[0].fact()),
        ..Facts::default()
    };
    let no = Availability::Closed(vec![UnmetRequirement::NotOnDeploymentType(DeploymentType::Kubernetes)]);
    assert_eq!(availability(OperationKey::ExportServer, &facts), no);
    assert_eq!(availability(OperationKey::FindItems, &facts), Availability::Open);
}

#[tokio::test]
async fn an_organisation_that_the_vendor_hosts_has_no_administration() {
    let canned = Canned::answering(&[
        ("/sharing/rest", r#"{"currentVersion":"2024.2"}"#),
        (
            "/sharing/rest/portals/self",
            r#"{"id":"aB3dE5gH7jK9mN1p","isPortal":false,"portalHostname":"www.example.org","currentVersion":"2024.2"}"#,
        ),
    ])
    .await;

    let site = site(canned.root("home/organization.html").as_str()).await;

    assert_eq!(site.deployment_type, DeploymentType::Online);
    let portal = site.portal.unwrap();
    assert_eq!(portal.admin, None);
    assert_eq!(portal.context, canned.root(""));
    assert_eq!(portal.services_url, canned.root(""));
    assert_eq!(portal.sharing, canned.root("sharing/rest"));
    assert_eq!(portal.version.unwrap().to_string(), "2024.2");
    assert!(site.servers.is_empty());
}

#[tokio::test]
async fn a_portal_that_tells_strangers_nothing_is_found_all_the_same() {
    let closed = r#"{"error":{"code":499,"message":"Token Required","details":[]}}"#;
    let canned = Canned::answering(&[
        ("/portal/sharing/rest", closed),
        ("/portal/sharing/rest/portals/self", closed),
        ("/portal/portaladmin", closed),
    ])
    .await;

    let site = site(canned.root("portal/home").as_str()).await;

    assert_eq!(site.deployment_type, DeploymentType::Enterprise);
    let portal = site.portal.unwrap();
    assert_eq!((portal.context, portal.version), (canned.root("portal"), None));
}

#[tokio::test]
async fn an_owner_whose_name_only_the_server_knows_is_found_at_the_servers_host_and_that_is_said() {
    let canned = Canned::answering(&[
        (
            "/server/rest/info",
            r#"{"fullVersion":"11.1.0","owningSystemUrl":"https://portal.internal.invalid/portal"}"#,
        ),
        ("/portal/sharing/rest", r#"{"enterpriseVersion":"11.1.0"}"#),
        ("/portal/sharing/rest/portals/self", r#"{"isPortal":true}"#),
    ])
    .await;

    let site = site(canned.root("server/admin").as_str()).await;

    let portal = site.portal.unwrap();
    assert_eq!(portal.context, canned.root("portal"));
    let fell_back = portal.fell_back.unwrap();
    assert_eq!(fell_back.from.as_str(), "https://portal.internal.invalid/portal");
    assert!(matches!(fell_back.outcome, ProbeOutcome::Unreachable { stage: Stage::Connect, .. }));
}

#[tokio::test]
async fn an_owner_that_cannot_be_reached_leaves_a_federated_server_without_a_portal() {
    let info = r#"{"fullVersion":"11.1.0","owningSystemUrl":"https://portal.internal.invalid/portal"}"#;
    let canned = Canned::answering(&[("/server/rest/info", info)]).await;
    let site = site(canned.root("server/admin").as_str()).await;
    assert_eq!(site.deployment_type, DeploymentType::Enterprise);
    assert_eq!(site.portal, None);
    let unreached = site.unreached_portal.unwrap();
    assert_eq!(unreached.server, canned.root("server"));
    assert_eq!(unreached.address.as_str(), "https://portal.internal.invalid/portal");
    assert!(
        matches!(unreached.outcome, ProbeOutcome::Unreachable { stage: Stage::Connect, .. }),
        "{unreached:?}"
    );
}

#[tokio::test]
async fn a_redirect_to_another_context_is_followed_once_and_without_a_token() {
    let canned = Canned::answering(&[
        ("/old/sharing/rest", "302 ORIGIN/portal/sharing/rest?f=json"),
        ("/portal/sharing/rest", r#"{"enterpriseVersion":"11.1.0"}"#),
        ("/portal/sharing/rest/portals/self", r#"{"isPortal":true}"#),
    ])
    .await;

    let site = site(canned.root("old/home").as_str()).await;

    assert_eq!(site.portal.unwrap().context, canned.root("portal"));
    assert!(canned.asked().iter().all(|asked| !asked.head.to_lowercase().contains("authorization")));
}

#[tokio::test]
async fn a_site_behind_a_byte_order_mark_is_found() {
    let canned = Canned::answering(&[("/server/rest/info", "\u{feff}{\"fullVersion\":\"11.3.0\"}")]).await;

    let site = site(canned.root("server").as_str()).await;

    assert_eq!(site.servers[0].version, Some(Version::new(11, 3)));
}

#[tokio::test]
async fn a_web_server_that_asks_for_a_sign_in_of_its_own_is_told_from_a_site() {
    let canned = Canned::answering(&[("/portal/sharing/rest", "401 Negotiate")]).await;
    let found = found(canned.root("portal/home").as_str()).await;
    assert_eq!(found.site, None);
    let challenge = "Negotiate".to_owned();
    assert!(
        found
            .traces
            .iter()
            .any(|trace| trace.outcome == ProbeOutcome::AtTheDoor { challenge: challenge.clone() })
    );
}

#[tokio::test]
async fn pages_and_programs_that_are_no_site_are_not_taken_for_one() {
    let canned = Canned::answering(&[
        ("/portal/sharing/rest", "<html>Welcome</html>"),
        ("/portal/rest/info", r#"{"hello":"world"}"#),
        ("/portal/admin", "500 {\"error\":{\"code\":500,\"message\":\"down\"}}"),
    ])
    .await;
    let found = found(canned.root("portal").as_str()).await;
    assert_eq!(found.site, None);
    let outcomes: Vec<&ProbeOutcome> = found.traces.iter().map(|trace| &trace.outcome).collect();
    assert!(outcomes.contains(&&ProbeOutcome::SomethingElse { status: 200 }), "{outcomes:?}");
    assert!(
        outcomes.contains(&&ProbeOutcome::Rejected { code: 500, message: "down".to_owned() }),
        "{outcomes:?}"
    );
}

#[tokio::test]
async fn a_host_that_says_nothing_keeps_nobody_waiting() {
    let silent = TestServer::start(|_| Reply::silence()).await.unwrap();
    let origin = silent.origin();
    let looking = tokio::spawn(async move { found(&origin).await });
    // Three requests for each of four roots, none of which waits for another.
    until("all requests at once", async || silent.waiting() == 12).await;

    // The clock is put forward, and goes on by itself as soon as nobody has anything else to do.
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(9)).await;
    let found = tokio::time::timeout(Duration::from_secs(3), looking).await.unwrap().unwrap();

    assert_eq!(found.site, None);
    assert_eq!(found.traces.len(), 12);
    let said_so =
        |outcome: &ProbeOutcome| matches!(outcome, ProbeOutcome::Unreachable { stage: Stage::Wait, .. });
    assert!(found.traces.iter().all(|trace| said_so(&trace.outcome)), "{:?}", found.traces);
}
