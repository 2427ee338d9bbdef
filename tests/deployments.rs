//! Answers as real deployments give them, transcribed into `tests/fixtures/wire/deployments`, read by the client's own
//! decoders: both families of errors, every type of server, the shapes that the specification leaves out. The values are
//! invented.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use steward_client::discovery::{find_servers, listed_servers};
use steward_client::listing::Validity;
use steward_client::oauth::{self, RefreshToken};
use steward_client::operations::deactivate_webhooks::DeactivateWebhooks;
use steward_client::operations::export_portal::ExportPortal;
use steward_client::operations::export_server::ExportServer;
use steward_client::operations::find_items::FindItems;
use steward_client::operations::import_server::ImportServer;
use steward_client::operations::update_participant::UpdateParticipant;
use steward_client::webhooks::ServiceWebhooks;
use steward_client::{
    ClientError, Endpoint, NO_CODE, ServerType, Version, describe_portal, federated_with, fuzzing,
    generate_token, listing, uploads,
};
use steward_vault::Secret;

/// A site that answers everything with this fixture, with status 200 as nearly all of them do.
fn answering(name: &str) -> Endpoint {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/wire/deployments");
    let body = std::fs::read(folder.join(format!("{name}.json"))).unwrap();
    fuzzing::answering(200, "application/json;charset=UTF-8", body).unwrap()
}

fn text(text: &str) -> String {
    text.to_owned()
}

fn portal_export(validate: bool) -> ExportPortal {
    ExportPortal { location: text("\\\\nas\\gisbackup"), store: None, validate }
}

fn refusal<R: std::fmt::Debug>(answer: Result<R, ClientError>) -> (i32, String, Vec<String>) {
    match answer {
        Err(ClientError::Rejected { code, message, details }) => (code, message, details),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn tokens_end_at_a_number_or_at_a_text() {
    let password = Secret::new(text("x"));
    for (name, path) in [("portal-token", ["sharing", "rest"]), ("server-token", ["admin", "generateToken"])]
    {
        let token = generate_token(&answering(name), &path, "gisadmin", &password).await.unwrap();
        assert_eq!(token.expires_at, Some(1_767_225_600_000), "{name}");
    }
    let refresh = RefreshToken {
        token: Secret::new(text("rT9")),
        client_id: text("sitesteward"),
        redirect_uri: text("http://127.0.0.1:1/"),
        expires_at: None,
        life: None,
    };
    let grant = oauth::refresh(&answering("oauth-token"), &refresh).await.unwrap();
    assert_eq!(grant.username, "gisadmin");
    assert!(grant.refresh.unwrap().expires_at > grant.token.expires_at);
}

#[tokio::test]
async fn both_families_refuse_with_status_200() {
    let (code, message, details) = refusal(describe_portal(&answering("sharing-error")).await);
    assert_eq!((code, message.as_str(), details.len()), (498, "Invalid Token.", 1));
    let (code, message, details) = refusal(describe_portal(&answering("sharing-token-required")).await);
    assert_eq!((code, message.as_str(), details.len()), (499, "Token Required", 0));
    let (code, ..) = refusal(listing::services(&answering("server-error")).await);
    assert_eq!(code, 499);
    let (code, message, _) = refusal(listing::services(&answering("server-wrong-verb")).await);
    assert_eq!((code, message.contains("POST")), (NO_CODE, true));
    let (code, message, _) = refusal(
        portal_export(true).send(answering("portal-validate-refused").permit_unchecked().await).await,
    );
    assert_eq!((code, message.as_str()), (500, "cannot write to \\\\nas\\gisbackup"));
    let busy = ExportServer { location: String::new() }
        .send(answering("server-busy").permit_unchecked().await)
        .await
        .unwrap_err();
    assert!(!busy.may_have_taken_effect(), "{busy:?}");
}

#[tokio::test]
async fn portals_and_organisations_say_who_they_are() {
    let portal = describe_portal(&answering("portal-self")).await.unwrap();
    assert_eq!(portal.version, Some(Version::new(11, 3)), "not the year");
    assert_eq!((portal.username.as_str(), portal.role.as_str()), ("gisadmin", "org_admin"));
    assert_eq!(portal.privileges, ["portal:admin:manageServers"]);
    assert!(!portal.is_online);
    let online = describe_portal(&answering("online-self")).await.unwrap();
    assert!(online.is_online && online.version.unwrap().is_yearly());
    let owner = federated_with(&answering("rest-info")).await.unwrap().unwrap();
    assert_eq!(owner.as_str(), "https://gis.example.org/portal");
}

#[tokio::test]
async fn every_kind_of_federated_server_is_told_from_the_others() {
    let found = find_servers(&answering("federated-servers")).await.unwrap().servers;
    let kinds: Vec<_> = found.iter().map(|server| server.server_type.clone()).collect();
    use ServerType::{Gis, Mission, Notebook, Video};
    assert_eq!(kinds, [Gis, Notebook, Mission, Video]);
    assert_eq!(found[0].role, "HOSTING_SERVER");
    assert_eq!(found[0].services_url.as_str(), "https://gis.example.org/server");
    for server_type in [Gis, Notebook, Mission, Video] {
        let import = ImportServer { location: text("i7c1"), server_type, restart_web_server: None };
        let report = import.send(answering("import-report").permit_unchecked().await).await.unwrap();
        let details = report.result[1].messages[0].details.as_ref().unwrap();
        assert_eq!(details.machines[0].reports[0].message, "No such path.");
    }
}

#[tokio::test]
async fn a_web_adaptor_on_a_port_of_its_own_is_no_way_past_it() {
    let list = r#"{"currentVersion":11.3,"servers":[
        {"url":"https://gis.example.org:8443/server","adminUrl":"https://gis.example.org:8443/server"},
        {"url":"https://gis.example.org:8443/server","adminUrl":"https://srv1.example.org:16443/arcgis"},
        {"url":"https://srv1.example.org:6443/arcgis","adminUrl":"https://srv1.example.org:6443/arcgis"}]}"#;
    let portal = fuzzing::answering(200, "application/json", list.into()).unwrap();

    let found = find_servers(&portal).await.unwrap().servers;

    let direct: Vec<_> = found.iter().map(|server| server.admin_url.as_ref().map(url::Url::as_str)).collect();
    let own = ["https://srv1.example.org:16443/arcgis", "https://srv1.example.org:6443/arcgis"];
    assert_eq!(direct, [None, Some(own[0]), Some(own[1])]);
    let listed = listed_servers(&portal).await.unwrap();
    assert_eq!(listed[1].admin_url.as_ref().map(url::Url::as_str), Some(own[0]));
}

#[tokio::test]
async fn exports_succeed_with_and_without_warnings() {
    let plain = portal_export(false).send(answering("portal-export").permit_unchecked().await).await.unwrap();
    assert!(!plain.warns());
    assert_eq!(plain.location, "\\\\nas\\gisbackup\\Mar-04-2026_01-15-09.portalsite");
    for name in ["portal-export-warning", "portal-export-warnings"] {
        let warned = portal_export(false).send(answering(name).permit_unchecked().await).await.unwrap();
        assert!(warned.warns(), "{name}");
        assert_eq!(warned.messages.len(), 1, "{name}");
    }
    assert!(portal_export(true).send(answering("portal-validate").permit_unchecked().await).await.is_ok());
    let stored = ExportServer { location: String::new() }
        .send(answering("server-export").permit_unchecked().await)
        .await
        .unwrap();
    assert_eq!(
        steward_client::stored_id(&stored.location).as_deref(),
        Some("i7c1f0a52-1111-4222-8333-444455556666")
    );
}

#[tokio::test]
async fn uploads_are_dated_in_words_or_in_numbers() {
    let upload =
        uploads::register(answering("upload").permit_unchecked().await, "a.agssite", "").await.unwrap();
    assert_eq!((upload.date.as_str(), upload.committed), ("Wed Mar 04 01:20:11 CET 2026", Some(true)));
    let upload =
        uploads::register(answering("upload-on-kubernetes").permit_unchecked().await, "a.agssite", "")
            .await
            .unwrap();
    assert_eq!((upload.date.as_str(), upload.committed), ("1772583611000", Some(false)));
}

#[tokio::test]
async fn services_and_their_webhooks_are_listed_and_silenced() {
    let services = listing::services(&answering("services")).await.unwrap();
    assert_eq!(services.len(), 1, "a map service has no webhooks of its own");
    let hydrants = ServiceWebhooks::at("Hosted/Hydrants.FeatureServer");
    let webhooks = hydrants.list(&answering("webhooks")).await.unwrap();
    assert_eq!(webhooks[0].active, Some(true));
    assert_eq!(webhooks[0].name, "Notify maintenance");
    let silence = DeactivateWebhooks { folder: text("Hosted"), service: text("Hydrants.FeatureServer") };
    silence.send(answering("all-done").permit_unchecked().await).await.unwrap();
}

#[tokio::test]
async fn data_items_have_as_few_fields_as_the_server_likes() {
    let all = FindItems { ancestor_path: text("/"), ..FindItems::default() };
    for (name, path) in [
        ("data-items", "/enterpriseDatabases/roads"),
        ("data-items-on-kubernetes", "/enterpriseDatabases/relds-1"),
    ] {
        let (items, _) = all.send(&answering(name), |_| Some(())).await.unwrap();
        let item: serde_json::Value = serde_json::from_str(items.get(0).unwrap()).unwrap();
        assert_eq!(item["path"], path);
        let shown = steward_core::model::data_item::DataStoreItem::of(&item);
        assert_eq!(shown.path, path);
        assert_eq!(shown.is_managed, Some(name.ends_with("kubernetes")));
        assert!(!serde_json::to_string(&shown).unwrap().contains("00022e68"), "a password is masked");
    }
}

#[tokio::test]
async fn participants_and_invitations_are_known_by_their_portals() {
    let participants = listing::participants(&answering("collaborations"), "p").await.unwrap();
    assert_eq!(participants[0].portal_id, "2d4c7f10-1111-4222-8333-444455556666");
    assert_eq!(participants[0].contact_firstname, "Ana");
    let update = UpdateParticipant {
        portal_id: text("p"),
        collaboration_id: text("c0a1"),
        participant_id: participants[0].portal_id.clone(),
        contact_firstname: text("Ana"),
        contact_lastname: text("Ito"),
        contact_email_address: text("a@example.net"),
    };
    assert_eq!(
        update.send(answering("update-info").permit_unchecked().await).await.unwrap().collaboration_id,
        "c0a1"
    );
    let invitation = listing::invitation(&answering("invitation"), "p", "c0a1", "9e2b").await.unwrap();
    assert_eq!(invitation.expiration, Some(1_767_484_800_000));
    assert!(invitation.content.contains("invitationRequest"));
}

#[tokio::test]
async fn what_tells_whether_a_portal_is_complete_is_read_from_each_version() {
    let counts = |name: &'static str| async move {
        let indexes = listing::search_index(&answering(name)).await.unwrap();
        indexes.into_iter().map(|one| (one.name, one.database, one.index)).collect::<Vec<_>>()
    };
    let (users, groups) = (text("users"), text("groups"));
    assert_eq!(
        counts("search-index").await,
        [
            (users.clone(), Some(46), Some(46)),
            (groups.clone(), Some(112), Some(112)),
            (text("search"), Some(3408), Some(212))
        ]
    );
    // A number below zero is none.
    assert_eq!(
        counts("search-index-on-kubernetes").await,
        [(users, Some(5), Some(5)), (groups, Some(12), Some(0)), (text("items"), Some(640), None)]
    );
    let validated = |name: &'static str| async move {
        let servers = listing::validated_servers(&answering(name)).await.unwrap();
        servers.into_iter().map(|one| (one.admin_url, one.validity, one.messages.len())).collect::<Vec<_>>()
    };
    let address = |host: &str| format!("https://{host}.example.org:6443/arcgis");
    assert_eq!(
        validated("validated-servers-10.9.1").await,
        [(String::new(), Validity::Valid, 1), (String::new(), Validity::Invalid, 1)]
    );
    assert_eq!(
        validated("validated-servers").await,
        [(address("gis1"), Validity::Warnings, 2), (address("gis2"), Validity::NotKnown, 0)]
    );
}

#[tokio::test]
async fn licenses_are_read_from_the_lists_that_each_version_has() {
    let at = 1_792_555_200_000_i64;
    for (name, lists) in [
        ("server-licenses-10.1", &["edition", "level", "datafeature", "extensions"][..]),
        ("server-licenses-10.8", &["features"]),
        ("server-licenses-12.0", &["features"]),
    ] {
        let found = listing::server_licenses(&answering(name)).await.unwrap();
        assert!(found.expiring.iter().all(|one| one.expires_at == at && !one.name.is_empty()), "{found:?}");
        assert_eq!((found.expiring.len(), &found.lists[..], found.gap), (lists.len(), lists, None), "{name}");
    }
    let endless = listing::server_licenses(&answering("server-licenses-endless")).await.unwrap();
    assert_eq!((endless.expiring, endless.gap), (Vec::new(), None));
    for version in ["10.4", "10.6.1"] {
        let portal = answering("portal-licenses-10.5");
        let found = listing::portal_licenses(&portal, Version::parse(version)).await.unwrap();
        assert_eq!(
            found.expiring.iter().map(|one| one.expires_at).collect::<Vec<_>>(),
            [at, at],
            "{version}"
        );
    }
}

#[tokio::test]
async fn backups_of_the_vendors_utility_are_in_milliseconds_or_seconds_and_0_is_none() {
    let at = Some(1_750_000_000_000);
    for (name, expected) in [
        ("backups-11.0", (at, None, None)),
        ("backups-11.1", (Some(1_740_000_000_000), at, None)),
        ("backups-12.0", (None, None, at)),
        ("backups-none", (None, None, None)),
    ] {
        let found = listing::vendor_backups(&answering(name)).await.unwrap();
        assert_eq!((found.full, found.incremental, found.backup_mode), expected, "{name}");
    }
}

#[tokio::test]
async fn machines_items_of_services_and_the_time_zone_are_read() {
    let (machines, gap) = listing::machines(&answering("machines")).await.unwrap();
    assert_eq!((machines, gap), (vec![text("GIS2.EXAMPLE.ORG"), text("GIS1.EXAMPLE.ORG")], None));
    let url = listing::machine_url(&answering("machine"), "GIS1.EXAMPLE.ORG").await.unwrap().unwrap();
    assert_eq!(url.as_str(), "https://gis1.example.org:6443/arcgis/admin");
    let zone = listing::time_zone(&answering("server-info")).await.unwrap();
    assert_eq!(zone.as_deref(), Some("America/Los_Angeles"));
    let (items, gap) = listing::service_items(&answering("service-items"), "0123456789ABCDEF").await.unwrap();
    let urls: Vec<_> = items.iter().map(|one| (one.title.as_str(), one.url.is_empty())).collect();
    assert_eq!((urls, gap), (vec![("Hydrants", false), ("Old map", true)], None));
    let validated = listing::validated_servers(&answering("validated-servers-on-kubernetes")).await.unwrap();
    assert_eq!(validated.into_iter().map(|one| one.validity).collect::<Vec<_>>(), [Validity::Valid]);
}
