//! A door for property tests and fuzzers: whatever bytes they make up come back as a site's answer.
//!
//! Nothing here is for use by a program.

use reqwest::ResponseBuilderExt as _;
use rustls::client::danger::ServerCertVerifier;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use serde::de::IgnoredAny;
use std::sync::Arc;
use steward_vault::Secret;
use url::Url;

use crate::area::Area;
use crate::error::ClientError;
use crate::flavour::ServerFlavour;
use crate::http::{Canned, Http};
use crate::listing;
use crate::oauth::{self, RefreshToken};
use crate::operations::deactivate_webhooks::DeactivateWebhooks;
use crate::operations::export_portal::ExportPortal;
use crate::operations::export_server::ExportServer;
use crate::operations::find_items::FindItems;
use crate::operations::import_server::ImportServer;
use crate::operations::refresh_invitation::RefreshInvitation;
use crate::operations::update_participant::UpdateParticipant;
use crate::trust::{Identity, Verifier};

/// What a decoder made of an answer.
pub type Read = (&'static str, Result<String, ClientError>);

/// The token of [`answering`].
pub const TOKEN: &str = "canary-token";

/// An area that answers every request with this status, content type and body, without a network.
#[must_use]
pub fn answering(status: u16, content_type: &str, body: Vec<u8>) -> Option<Area> {
    let content_type = content_type.to_owned();
    let build = move |url: &Url| {
        let answer = http::Response::builder().url(url.clone()).status(status);
        answer.header("content-type", &content_type).body(body.clone())
    };
    let root = Url::parse("https://site.invalid/context").ok()?;
    build(&root).ok()?;
    let canned = Canned(Box::new(move |url| build(url).unwrap_or_default()));
    Some(Area::new(Http::canned(canned), root).with_token(Secret::new(TOKEN.to_owned())))
}

/// Every operation reads the answer.
pub async fn operations(area: &Area) -> Vec<Read> {
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
    let refresh = RefreshInvitation { portal_id: text(), collaboration_id: text(), invitation_id: text() };
    let deactivate = DeactivateWebhooks { folder: text(), service: text() };
    vec![
        ("export_portal", shown(export.send(area).await)),
        ("export_server", shown(ExportServer { location: text() }.send(area).await)),
        (
            "import_server",
            shown(ImportServer { location: text(), flavour: ServerFlavour::Gis }.send(area).await),
        ),
        ("deactivate_webhooks", shown(deactivate.send(area).await)),
        ("find_items", shown(FindItems::default().send(area, is_json).await.map(|(items, _)| items))),
        ("update_participant", shown(update.send(area).await)),
        ("refresh_invitation", refresh.send(area).await.map(|reply| format!("{:?}", reply.file_name))),
    ]
}

fn is_json(item: &str) -> Option<()> {
    serde_json::from_str::<IgnoredAny>(item).ok().map(|_| ())
}

/// Every list reads the answer.
pub async fn listings(area: &Area) -> Vec<Read> {
    vec![
        ("services", shown(listing::services(area).await)),
        ("service_count", shown(listing::service_count(area).await)),
        ("webhooks", shown(crate::webhooks::ServiceWebhooks::at("x").list(area).await)),
        ("uploads", shown(listing::uploads(area).await)),
        ("data_roots", shown(listing::data_roots(area).await)),
        ("participants", shown(listing::participants(area, "x").await)),
        ("invitations", shown(listing::invitations(area, "x").await)),
        ("invitation", shown(listing::invitation(area, "x", "x", "x").await)),
    ]
}

/// Signing in, and finding out where one is, read the answer.
pub async fn sign_in(area: &Area) -> Vec<Read> {
    let password = Secret::new("canary-password".to_owned());
    vec![
        ("generate_token", shown(crate::generate_token(area, &["generateToken"], "x", &password).await)),
        ("federated_with", shown(crate::federated_with(area).await)),
        ("describe_portal", shown(crate::describe_portal(area).await)),
        ("describe_server", shown(crate::describe_server(area).await)),
        ("exchange_for_server", shown(crate::exchange_for_server(area, area.root()).await)),
        ("sign_in_with_token", shown(crate::sign_in_with_token(area, &Secret::new(TOKEN.to_owned())).await)),
        ("find_servers", shown(crate::finding::find_servers(area).await)),
    ]
}

/// A sign-in in the browser, once it is done, reads the answer.
pub async fn grants(area: &Area) -> Vec<Read> {
    let refresh = RefreshToken {
        token: Secret::new(TOKEN.to_owned()),
        client_id: "x".to_owned(),
        redirect_uri: "http://127.0.0.1:1/".to_owned(),
        expires_at: None,
        life: None,
    };
    vec![
        ("refresh", shown(oauth::refresh(area, &refresh).await)),
        ("exchange_refresh_token", shown(oauth::exchange_refresh_token(area, &refresh).await)),
        ("revoke", shown(oauth::revoke(area, &refresh).await)),
    ]
}

/// A download whose place the site named reads the answer.
pub async fn downloads(area: &Area, location: &str) -> Vec<Read> {
    let mut length = 0;
    let read = match area.download_stored(location, crate::STALLED).await {
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
    let resumed = area.resume_stored(location, 5, &same, crate::STALLED).await;
    vec![("download", read), ("resume", shown(resumed))]
}

/// What is brought to a server reads the answer.
pub async fn uploads(area: &Area) -> Vec<Read> {
    let file = || crate::uploads::Outgoing::of(b"x".to_vec());
    vec![
        ("register", shown(crate::uploads::register(area, "x", "x").await)),
        ("upload_part", shown(crate::uploads::upload_part(area, "x", 1, file(), crate::STALLED).await)),
        ("commit", shown(crate::uploads::commit(area, "x", 1).await)),
        ("upload_whole", shown(crate::uploads::upload_whole(area, "x", "x", file(), crate::STALLED).await)),
        ("item", shown(crate::uploads::item(area, "x").await)),
        ("delete", shown(crate::uploads::delete(area, "x").await)),
        ("allowed_extensions", shown(crate::uploads::allowed_extensions(area).await)),
    ]
}

/// Somebody who is presented with certificates.
#[derive(Debug)]
pub struct Certificates(Verifier);

impl Certificates {
    /// `None` where the system's authorities cannot be read.
    #[must_use]
    pub fn new() -> Option<Self> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let usual = rustls_platform_verifier::Verifier::new(provider).ok()?;
        Some(Self(Verifier::new(Arc::new(usual), None)))
    }

    /// Why a server that presents these bytes is refused; `None` where it is not.
    #[must_use]
    pub fn read(&self, der: &[u8]) -> Option<String> {
        let name = ServerName::try_from("site.invalid").ok()?;
        let certificate = CertificateDer::from(der);
        let chain = [certificate.clone()];
        let verified = self.0.verify_server_cert(&certificate, &chain, &name, &[], UnixTime::now());
        verified.err().map(|error| error.to_string())
    }
}

/// These bytes are brought as a client certificate, in PEM and in PKCS#12.
#[must_use]
pub fn identity(file: &[u8]) -> [bool; 2] {
    let (file, password) = (Secret::new(file.to_vec()), Secret::new("throw-away".to_owned()));
    [Identity::Pem(file.clone()), Identity::Pkcs12 { file, password }].map(|identity| identity.read().is_ok())
}

fn shown<T: std::fmt::Debug>(read: Result<T, ClientError>) -> Result<String, ClientError> {
    read.map(|read| format!("{read:?}"))
}
