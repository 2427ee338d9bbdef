//! Entry points for property tests and fuzzers: decode arbitrary bytes as the response of a site.
//!
//! [`answering`] creates an endpoint without a network. The other functions run every decoder of the crate against it.
//! Not for use in the program.

use reqwest::ResponseBuilderExt as _;
use rustls::client::danger::ServerCertVerifier;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use serde::de::IgnoredAny;
use std::sync::Arc;
use steward_vault::Secret;
use url::Url;

use crate::data_validation;
use crate::deployment_type::ServerType;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::http::{Canned, Http};
use crate::listing;
use crate::oauth::{self, RefreshToken};
use crate::operations::deactivate_webhooks::DeactivateWebhooks;
use crate::operations::export_portal::ExportPortal;
use crate::operations::export_server::ExportServer;
use crate::operations::find_items::FindItems;
use crate::operations::import_portal::ImportPortal;
use crate::operations::import_server::ImportServer;
use crate::operations::refresh_invitation::RefreshInvitation;
use crate::operations::update_participant::UpdateParticipant;
use crate::sign_in;
use crate::trust::{ClientCertificate, Verifier};

/// Name of a decoder and its result.
pub type Read = (&'static str, Result<String, ClientError>);

/// Token of [`answering`]. It must not appear in any result.
pub const TOKEN: &str = "canary-token";

/// Creates an endpoint that returns this status, content type and body for every request, without a network. `None` if
/// `content_type` cannot be used as a header.
#[must_use]
pub fn answering(status: u16, content_type: &str, body: Vec<u8>) -> Option<Endpoint> {
    let content_type = content_type.to_owned();
    let build = move |url: &Url| {
        let answer = http::Response::builder().url(url.clone()).status(status);
        answer.header("content-type", &content_type).body(body.clone())
    };
    let root = Url::parse("https://site.invalid/context").ok()?;
    build(&root).ok()?;
    let canned = Canned(Box::new(move |url| build(url).unwrap_or_default()));
    Some(Endpoint::new(Http::canned(canned), root).with_token(Secret::new(TOKEN.to_owned())))
}

/// Decodes the response with every operation.
pub async fn operations(endpoint: &Endpoint) -> Vec<Read> {
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
    // IDs of the example in the specification: the file of another invitation is no reply.
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
pub async fn listings(endpoint: &Endpoint) -> Vec<Read> {
    let service = listing::ServiceName::of_path("x/y.MapServer");
    vec![
        ("services", shown(listing::services(endpoint).await)),
        ("service_count", shown(listing::ServiceList::read(endpoint).await.and_then(|list| list.count()))),
        ("webhooks", shown(crate::webhooks::ServiceWebhooks::at("x").list(endpoint).await)),
        ("uploads", shown(listing::uploads(endpoint).await)),
        ("data_roots", shown(listing::data_roots(endpoint).await)),
        ("participants", shown(listing::participants(endpoint, "x").await)),
        ("invitations", shown(listing::invitations(endpoint, "x").await)),
        ("invitation", shown(listing::invitation(endpoint, "x", "x", "x").await)),
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
pub async fn sign_in(endpoint: &Endpoint) -> Vec<Read> {
    let password = Secret::new("canary-password".to_owned());
    vec![
        (
            "generate_token",
            shown(sign_in::generate_token(endpoint, &["generateToken"], "x", &password).await),
        ),
        ("federated_with", shown(sign_in::federated_with(endpoint).await)),
        ("describe_portal", shown(sign_in::describe_portal(endpoint).await)),
        ("describe_server", shown(sign_in::describe_server(endpoint).await)),
        ("exchange_for_server", shown(sign_in::exchange_for_server(endpoint, endpoint.root()).await)),
        (
            "sign_in_with_token",
            shown(sign_in::sign_in_with_token(endpoint, &Secret::new(TOKEN.to_owned())).await),
        ),
        ("find_servers", shown(crate::discovery::find_servers(endpoint).await)),
    ]
}

/// Decodes the response with every OAuth token request.
pub async fn grants(endpoint: &Endpoint) -> Vec<Read> {
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
pub async fn downloads(endpoint: &Endpoint, location: &str) -> Vec<Read> {
    let mut length = 0;
    let read = match endpoint.download_stored(location, crate::STALLED).await {
        Err(error) => Err(error),
        Ok(mut download) => loop {
            match download.next().await {
                Ok(Some(piece)) => length += piece.as_ref().len(),
                Ok(None) => break Ok(length.to_string()),
                Err(error) => break Err(error),
            }
        },
    };
    let same = crate::Same { etag: "\"x\"".to_owned(), length: 10 };
    let resumed = endpoint.resume_stored(location, 5, &same, crate::STALLED).await;
    vec![("download", read), ("resume", shown(resumed))]
}

/// Decodes the response with every upload request.
pub async fn uploads(endpoint: &Endpoint) -> Vec<Read> {
    let file = || crate::uploads::Outgoing::of(b"x".to_vec());
    vec![
        ("register", shown(crate::uploads::register(endpoint.permit_unchecked().await, "x", "x").await)),
        (
            "upload_part",
            shown(
                crate::uploads::upload_part(
                    endpoint.permit_unchecked().await,
                    "x",
                    1,
                    file(),
                    crate::STALLED,
                )
                .await,
            ),
        ),
        ("commit", shown(crate::uploads::commit(endpoint.permit_unchecked().await, "x", 1).await)),
        (
            "upload_whole",
            shown(
                crate::uploads::upload_whole(
                    endpoint.permit_unchecked().await,
                    "x",
                    "x",
                    file(),
                    crate::STALLED,
                )
                .await,
            ),
        ),
        ("item", shown(crate::uploads::item(endpoint, "x").await)),
        ("delete", shown(crate::uploads::delete(endpoint.permit_unchecked().await, "x").await)),
        ("allowed_extensions", shown(crate::uploads::allowed_extensions(endpoint).await)),
    ]
}

/// Verifier of server certificates, with the system's certificate authorities.
#[derive(Debug)]
pub struct Certificates(Verifier);

impl Certificates {
    /// Creates the verifier. `None` if the system's certificate authorities cannot be read.
    #[must_use]
    pub fn new() -> Option<Self> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let usual = rustls_platform_verifier::Verifier::new(provider).ok()?;
        Some(Self(Verifier::new(Arc::new(usual), None)))
    }

    /// Returns why a server certificate with these DER bytes is rejected. `None` if it is accepted.
    #[must_use]
    pub fn read(&self, der: &[u8]) -> Option<String> {
        let name = ServerName::try_from("site.invalid").ok()?;
        let certificate = CertificateDer::from(der);
        let chain = [certificate.clone()];
        let verified = self.0.verify_server_cert(&certificate, &chain, &name, &[], UnixTime::now());
        verified.err().map(|error| error.to_string())
    }
}

/// Returns whether these bytes can be read as a client certificate: in PEM, and in PKCS#12.
#[must_use]
pub fn identity(file: &[u8]) -> [bool; 2] {
    let (file, password) = (Secret::new(file.to_vec()), Secret::new("throw-away".to_owned()));
    [ClientCertificate::Pem(file.clone()), ClientCertificate::Pkcs12 { file, password }]
        .map(|identity| identity.read().is_ok())
}

fn shown<T: std::fmt::Debug>(read: Result<T, ClientError>) -> Result<String, ClientError> {
    read.map(|read| format!("{read:?}"))
}
