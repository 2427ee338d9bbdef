//! For property tests and fuzzers: an endpoint without a network, and readers of arbitrary bytes.
//!
//! `tests/situations/decoders.rs` has every decoder of the crate read the answer of [`answering`]. Not for use in the
//! program.

use reqwest::ResponseBuilderExt as _;
use rustls::client::danger::ServerCertVerifier;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use std::sync::Arc;
use steward_vault::Secret;
use url::Url;

use crate::endpoint::Endpoint;
use crate::http::{Canned, Http};
use crate::trust::{ClientCertificate, Verifier};

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
