//! Every decoder of the client, each with the answer of one endpoint. The fuzz targets include this file too.

use serde::de::IgnoredAny;
use steward_client::fuzzing::TOKEN;
use steward_client::oauth::{self, RefreshToken};
use steward_client::operations::deactivate_webhooks::DeactivateWebhooks;
use steward_client::operations::export_portal::ExportPortal;
use steward_client::operations::export_server::ExportServer;
use steward_client::operations::find_items::FindItems;
use steward_client::operations::import_portal::ImportPortal;
use steward_client::operations::import_server::ImportServer;
use steward_client::operations::refresh_invitation::RefreshInvitation;
use steward_client::operations::update_participant::UpdateParticipant;
use steward_client::{
    ClientError, Endpoint, ServerType, data_validation, discovery, listing, uploads, webhooks,
};
use steward_vault::Secret;

/// Name of a decoder and its result.
pub(crate) type Read = (&'static str, Result<String, ClientError>);

/// Decodes the response with every operation.
pub(crate) async fn operations(endpoint: &Endpoint) -> Vec<Read> {
    let text = || "x".to_owned();
    let export = ExportPortal { location: text(), store: None, validate: false };
    let update = UpdateParticipant {
        portal_id: text(),
        collaboration_id: text(),
        participant_id: text(),
        contact_firstname: text(),
        contact_lastname: text(),
        contact_email_address: text(),
    };
    // Those of the specification: the file of another invitation is no reply.
    let refresh = RefreshInvitation {
        portal_id: text(),
        collaboration_id: "c0a1".to_owned(),
        invitation_id: "9e2b".to_owned(),
    };
    let deactivate = DeactivateWebhooks { folder: text(), service: text() };
    vec![
        ("export_portal", shown(export.send(endpoint.permit_unchecked().await).await)),
        (
            "export_server",
            shown(ExportServer { location: text() }.send(endpoint.permit_unchecked().await).await),
        ),
        (
            "import_server",
            shown(
                ImportServer { location: text(), server_type: ServerType::Gis, restart_web_server: None }
                    .send(endpoint.permit_unchecked().await)
                    .await,
            ),
        ),
        ("deactivate_webhooks", shown(deactivate.send(endpoint.permit_unchecked().await).await)),
        ("find_items", shown(FindItems::default().send(endpoint, is_json).await.map(|(items, _)| items))),
        ("update_participant", shown(update.send(endpoint.permit_unchecked().await).await)),
        (
            "refresh_invitation",
            refresh
                .send(endpoint.permit_unchecked().await)
                .await
                .map(|reply| format!("{:?}", reply.file_name)),
        ),
        (
            "import_portal",
            shown(
                ImportPortal { location: text(), store: None, validate: false }
                    .send(endpoint.permit_unchecked().await)
                    .await,
            ),
        ),
    ]
}

fn is_json(item: &str) -> Option<()> {
    serde_json::from_str::<IgnoredAny>(item).ok().map(|_| ())
}

/// Decodes the response with every listing, and with every validation of a data store item.
pub(crate) async fn listings(endpoint: &Endpoint) -> Vec<Read> {
    let service = listing::ServiceName::of_path("x/y.MapServer");
    vec![
        ("services", shown(listing::services(endpoint).await)),
        ("service_count", shown(listing::ServiceList::read(endpoint).await.and_then(|list| list.count()))),
        ("webhooks", shown(webhooks::ServiceWebhooks::at("x").list(endpoint).await)),
        ("uploads", shown(listing::uploads(endpoint).await)),
        ("data_roots", shown(listing::data_roots(endpoint).await)),
        ("participants", shown(listing::participants(endpoint, "x").await)),
        ("invitations", shown(listing::invitations(endpoint, "x").await)),
        ("invitation", shown(listing::invitation(endpoint, "x", "x", "0123456789ABCDEF").await)),
        ("service_names", shown(listing::service_names(endpoint).await)),
        ("server_licenses", shown(listing::server_licenses(endpoint).await)),
        ("portal_licenses", shown(listing::portal_licenses(endpoint, None).await)),
        ("machine_certificate", shown(listing::machine_certificate(endpoint, "x").await)),
        ("portal_certificate", shown(listing::portal_certificate(endpoint).await)),
        ("time_zone", shown(listing::time_zone(endpoint).await)),
        ("vendor_backups", shown(listing::vendor_backups(endpoint).await)),
        ("data_connections", shown(listing::data_connections(endpoint, &service).await)),
        ("validate_item", shown(data_validation::validate_item(endpoint, "{}").await)),
        ("validate_machine", shown(data_validation::validate_machine(endpoint, "/x/y", "x").await)),
    ]
}

/// Decodes the response with every sign-in and description request.
pub(crate) async fn sign_in(endpoint: &Endpoint) -> Vec<Read> {
    let password = Secret::new("canary-password".to_owned());
    vec![
        (
            "generate_token",
            shown(steward_client::generate_token(endpoint, &["generateToken"], "x", &password).await),
        ),
        ("federated_with", shown(steward_client::federated_with(endpoint).await)),
        ("describe_portal", shown(steward_client::describe_portal(endpoint).await)),
        ("describe_server", shown(steward_client::describe_server(endpoint).await)),
        ("exchange_for_server", shown(steward_client::exchange_for_server(endpoint, endpoint.root()).await)),
        (
            "sign_in_with_token",
            shown(steward_client::sign_in_with_token(endpoint, &Secret::new(TOKEN.to_owned())).await),
        ),
        ("find_servers", shown(discovery::find_servers(endpoint).await)),
    ]
}

/// Decodes the response with every OAuth token request.
pub(crate) async fn grants(endpoint: &Endpoint) -> Vec<Read> {
    let refresh = RefreshToken {
        token: Secret::new(TOKEN.to_owned()),
        client_id: "x".to_owned(),
        redirect_uri: "http://127.0.0.1:1/".to_owned(),
        expires_at: None,
        life: None,
    };
    vec![
        ("refresh", shown(oauth::refresh(endpoint, &refresh).await)),
        ("exchange_refresh_token", shown(oauth::exchange_refresh_token(endpoint, &refresh).await)),
        ("revoke", shown(oauth::revoke(endpoint, &refresh).await)),
    ]
}

/// Decodes the response as a download and as a resumed download of `location`.
pub(crate) async fn downloads(endpoint: &Endpoint, location: &str) -> Vec<Read> {
    let mut length = 0;
    let read = match endpoint.download_stored(location, steward_client::STALLED).await {
        Err(error) => Err(error),
        Ok(mut download) => loop {
            match download.next().await {
                Ok(Some(piece)) => length += piece.as_ref().len(),
                Ok(None) => break Ok(length.to_string()),
                Err(error) => break Err(error),
            }
        },
    };
    let same = steward_client::Same { etag: "\"x\"".to_owned(), length: 10 };
    let resumed = endpoint.resume_stored(location, 5, &same, steward_client::STALLED).await;
    vec![("download", read), ("resume", shown(resumed))]
}

/// Decodes the response with every upload request.
pub(crate) async fn uploads(endpoint: &Endpoint) -> Vec<Read> {
    let file = || uploads::Outgoing::of(b"x".to_vec());
    vec![
        ("register", shown(uploads::register(endpoint.permit_unchecked().await, "x", "x").await)),
        (
            "upload_part",
            shown(
                uploads::upload_part(
                    endpoint.permit_unchecked().await,
                    "x",
                    1,
                    file(),
                    steward_client::STALLED,
                )
                .await,
            ),
        ),
        ("commit", shown(uploads::commit(endpoint.permit_unchecked().await, "i7c1f0a52", 1).await)),
        (
            "upload_whole",
            shown(
                uploads::upload_whole(
                    endpoint.permit_unchecked().await,
                    "x",
                    "x",
                    file(),
                    steward_client::STALLED,
                )
                .await,
            ),
        ),
        ("item", shown(uploads::item(endpoint, "i7c1f0a52").await)),
        ("delete", shown(uploads::delete(endpoint.permit_unchecked().await, "x").await)),
        ("allowed_extensions", shown(uploads::allowed_extensions(endpoint).await)),
    ]
}

fn shown<T: std::fmt::Debug>(read: Result<T, ClientError>) -> Result<String, ClientError> {
    read.map(|read| format!("{read:?}"))
}
