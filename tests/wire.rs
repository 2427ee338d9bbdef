//! Requests and replies as the specification has them: transcribed by hand into `tests/fixtures/wire`, sent and read
//! by the client over a real socket.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::future::Future;
use std::path::Path;

use steward_client::operations::deactivate_webhooks::DeactivateWebhooks;
use steward_client::operations::export_portal::{BackupStore, ExportPortal};
use steward_client::operations::export_server::ExportServer;
use steward_client::operations::find_items::FindItems;
use steward_client::operations::import_portal::ImportPortal;
use steward_client::operations::import_server::{CheckReply, ImportServer};
use steward_client::operations::refresh_invitation::RefreshInvitation;
use steward_client::operations::update_participant::UpdateParticipant;
use steward_client::{ClientError, Endpoint, Http, ServerType, Trust};
use steward_testkit::{Reply, Request, TestServer};
use steward_vault::Secret;
use url::Url;

fn fixture(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/wire");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// Sends what `send` sends, checks it against the operation's request, and hands on what was read from its reply.
async fn exchange<R, F>(
    operation: &str,
    reply: &str,
    context: &str,
    send: impl FnOnce(Endpoint) -> F,
) -> Result<R, ClientError>
where
    F: Future<Output = Result<R, ClientError>>,
{
    exchange_of(operation, "request", reply, context, send).await
}

/// The same for a request that not every version has.
async fn exchange_of<R, F>(
    operation: &str,
    request: &str,
    reply: &str,
    context: &str,
    send: impl FnOnce(Endpoint) -> F,
) -> Result<R, ClientError>
where
    F: Future<Output = Result<R, ClientError>>,
{
    let reply = fixture(&format!("{operation}/{reply}.json"));
    let site = TestServer::start(move |_| Reply::json(reply.clone()).then_close()).await.unwrap();
    let root = Url::parse(&format!("{}/{context}", site.origin())).unwrap();
    let http = Http::new(&Trust::default()).unwrap();
    let read = send(Endpoint::new(http, root).with_token(Secret::new("T".to_owned()))).await;
    let expected: Sent = serde_json::from_str(&fixture(&format!("{operation}/{request}.json"))).unwrap();
    let sent: Vec<Sent> = site.requests().iter().map(Sent::of).collect();
    assert_eq!(sent, [expected], "{operation}");
    read
}

/// A request as the fixtures describe it.
#[derive(Debug, PartialEq, serde::Deserialize)]
struct Sent {
    method: String,
    /// Path and query, still encoded.
    path: String,
    form: BTreeMap<String, String>,
}

impl Sent {
    fn of(request: &Request) -> Self {
        Self {
            method: request.method().to_owned(),
            path: request.target().to_owned(),
            form: request.form().into_iter().collect(),
        }
    }
}

fn text(text: &str) -> String {
    text.to_owned()
}

fn portal_export() -> ExportPortal {
    let store = BackupStore::Blob {
        container: text("https://account.example.net/backups"),
        account_name: text("account"),
        account_key: Secret::new(text("key")),
        account_endpoint: text("example.net"),
    };
    ExportPortal { location: text("//nas/backup"), store: Some(store), validate: false }
}

#[tokio::test]
async fn export_portal() {
    let send =
        |endpoint: Endpoint| async move { portal_export().send(endpoint.permit_unchecked().await).await };
    let reply = exchange("export_portal", "reply", "portal", send).await.unwrap();
    assert!(reply.warns());
    assert_eq!(reply.location, "//nas/backup/Oct-06-2018_10-20-55.portalsite");
    assert_eq!(reply.messages.len(), 1);
}

#[tokio::test]
async fn export_portal_to_a_place_that_cannot_be_written() {
    let send =
        |endpoint: Endpoint| async move { portal_export().send(endpoint.permit_unchecked().await).await };
    let refusal = exchange("export_portal", "refusal", "portal", send).await.unwrap_err();
    assert!(matches!(refusal, ClientError::Rejected { code: 500, .. }), "{refusal:?}");
    assert!(!refusal.may_have_taken_effect());
}

#[tokio::test]
async fn export_server() {
    let send = |endpoint: Endpoint| async move {
        ExportServer { location: String::new() }.send(endpoint.permit_unchecked().await).await
    };
    let reply = exchange("export_server", "reply", "server", send).await.unwrap();
    assert!(!reply.warns());
    assert_eq!(reply.location, "https://srv1.example.org:6443/gis/admin/uploads/i7c1f0a52");
}

#[tokio::test]
async fn import_server() {
    let import =
        ImportServer { location: text("i7c1f0a52"), server_type: ServerType::Gis, restart_web_server: None };
    let send = |endpoint: Endpoint| async move { import.send(endpoint.permit_unchecked().await).await };
    let report = exchange("import_server", "reply", "server", send).await.unwrap();
    let details = report.result[1].messages[0].details.as_ref().unwrap();
    assert_eq!(details.service, "Parcels/Zoning.MapServer");
    assert_eq!(details.machines[0].reports[0].message, "No such path.");
}

#[tokio::test]
async fn deactivate_webhooks() {
    let service = DeactivateWebhooks { folder: text("Hosted"), service: text("Hydrants.FeatureServer") };
    let send = |endpoint: Endpoint| async move { service.send(endpoint.permit_unchecked().await).await };
    exchange("deactivate_webhooks", "reply", "server", send).await.unwrap();
}

#[tokio::test]
async fn find_items() {
    let filters = FindItems {
        parent_path: text("/enterpriseDatabases"),
        types: text("egdb"),
        is_managed: Some(true),
        ..FindItems::default()
    };
    let send = |endpoint| async move { filters.send(&endpoint, |_| Some(())).await };
    let (items, _) = exchange("find_items", "reply", "server", send).await.unwrap();
    let item: serde_json::Value = serde_json::from_str(items.get(0).unwrap()).unwrap();
    assert_eq!(item["path"], "/enterpriseDatabases/roads");
}

#[tokio::test]
async fn update_participant() {
    let update = UpdateParticipant {
        portal_id: text("0123456789ABCDEF"),
        collaboration_id: text("c0a1"),
        participant_id: text("2d4c7f10"),
        contact_firstname: text("Ana"),
        contact_lastname: text("Ito"),
        contact_email_address: text("ana@example.net"),
    };
    let send = |endpoint: Endpoint| async move { update.send(endpoint.permit_unchecked().await).await };
    let reply = exchange("update_participant", "reply", "portal", send).await.unwrap();
    assert_eq!((reply.collaboration_id.as_str(), reply.portal_id.as_str()), ("c0a1", "2d4c7f10"));
}

#[tokio::test]
async fn refresh_invitation() {
    let refresh = RefreshInvitation {
        portal_id: text("0123456789ABCDEF"),
        collaboration_id: text("c0a1"),
        invitation_id: text("9e2b"),
    };
    let send = |endpoint: Endpoint| async move { refresh.send(endpoint.permit_unchecked().await).await };
    let reply = exchange("refresh_invitation", "reply", "portal", send).await.unwrap();
    assert_eq!(
        reply.content,
        fixture("refresh_invitation/reply.json").into_bytes(),
        "the file is kept byte by byte"
    );
}

#[tokio::test]
async fn import_portal() {
    let import = ImportPortal {
        location: text("//nas/backup/Oct-06-2018_10-20-55.portalsite"),
        store: None,
        validate: false,
    };
    let send = |endpoint: Endpoint| async move { import.send(endpoint.permit_unchecked().await).await };
    let reply = exchange("import_portal", "reply", "arcgis", send).await.unwrap();
    assert!(!reply.warns());
}

/// A portal import of what [`portal_export`] or an export to a bucket wrote.
fn portal_import(store: Option<BackupStore>) -> ImportPortal {
    let location = text("//nas/backup/Oct-06-2018_10-20-55.portalsite");
    ImportPortal { location, store, validate: false }
}

#[tokio::test]
async fn import_portal_from_object_storage() {
    let bucket = || BackupStore::Bucket { name: text("backups"), region: text("eu-central-1") };
    for (request, store) in
        [("request-12.0-bucket", Some(bucket())), ("request-12.0-blob", portal_export().store)]
    {
        let import = portal_import(store);
        let send = |endpoint: Endpoint| async move { import.send(endpoint.permit_unchecked().await).await };
        exchange_of("import_portal", request, "reply", "arcgis", send).await.unwrap();
    }
    let send = |endpoint| async move { portal_import(Some(bucket())).check(&endpoint).await };
    exchange_of("import_portal", "request-12.0-bucket-check", "reply", "arcgis", send).await.unwrap();
}

#[tokio::test]
async fn checks_of_a_destination_and_of_files() {
    let export = ExportPortal { store: None, ..portal_export() };
    let send = |endpoint| async move { export.check(&endpoint).await };
    exchange_of("export_portal", "request-11.1-check", "reply", "portal", send).await.unwrap();
    let send = |endpoint| async move { portal_import(None).check(&endpoint).await };
    exchange_of("import_portal", "request-11.1-check", "reply", "arcgis", send).await.unwrap();
    let import = server_import(Some(true));
    let send = |endpoint| async move { import.check(&endpoint).await };
    let reply = exchange_of("import_server", "request-11.1-check", "reply-11.1-check", "server", send).await;
    assert!(matches!(reply.unwrap(), CheckReply::Checked(checked) if !checked.warns()));
}

#[tokio::test]
async fn export_portal_without_a_location() {
    let export = ExportPortal { location: String::new(), store: None, validate: false };
    let send = |endpoint: Endpoint| async move { export.send(endpoint.permit_unchecked().await).await };
    let (request, reply) = ("request-12.0-no-location", "reply-12.0-no-location");
    let reply = exchange_of("export_portal", request, reply, "portal", send).await.unwrap();
    assert!(reply.location.starts_with("https://"), "{reply:?}");
}

fn server_import(restart_web_server: Option<bool>) -> ImportServer {
    ImportServer { location: text("i7c1f0a52"), server_type: ServerType::Gis, restart_web_server }
}

#[tokio::test]
async fn import_server_with_a_restart_of_the_web_server() {
    for (request, restarts) in [("request-11.3", true), ("request-11.3-no-restart", false)] {
        let import = server_import(Some(restarts));
        let send = |endpoint: Endpoint| async move { import.send(endpoint.permit_unchecked().await).await };
        exchange_of("import_server", request, "reply", "server", send).await.unwrap();
    }
}

#[tokio::test]
async fn warnings_inside_a_success_are_warnings_whatever_their_key_is_and_nothing_disappears() {
    let send =
        |endpoint: Endpoint| async move { portal_export().send(endpoint.permit_unchecked().await).await };
    let reply = exchange("export_portal", "reply-warnings", "portal", send).await.unwrap();
    assert!(reply.warns());
    assert_eq!(reply.messages, ["2 items have no content", "itemsSkipped: 2"]);
    assert_eq!(reply.further, ["size: 214 MB"]);

    let send = |endpoint: Endpoint| async move {
        ExportServer { location: String::new() }.send(endpoint.permit_unchecked().await).await
    };
    let reply = exchange("export_server", "reply-warnings", "server", send).await.unwrap();
    assert!(reply.warns());
    assert_eq!(reply.messages, ["1 service was skipped"]);
    assert_eq!(reply.further, ["duration: 7 min"]);

    let send =
        |endpoint: Endpoint| async move { portal_import(None).send(endpoint.permit_unchecked().await).await };
    let reply = exchange("import_portal", "reply-warnings", "arcgis", send).await.unwrap();
    assert!(reply.warns());
    assert_eq!(reply.messages, ["index is not in sync.", "skippedItems: 2"]);
    assert_eq!(reply.further, ["indexStatus: pending"]);

    let import = server_import(None);
    let send = |endpoint: Endpoint| async move { import.send(endpoint.permit_unchecked().await).await };
    let report = exchange("import_server", "reply-warnings", "server", send).await.unwrap();
    let last = report.result.last().unwrap();
    let texts: Vec<_> = last.messages.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(texts, ["web server was not restarted.", "skippedServices: 1"]);
    assert!(last.messages.iter().all(|one| one.level != "INFO"));
    assert_eq!(report.further, ["elapsedTime: 12 min"]);
}
