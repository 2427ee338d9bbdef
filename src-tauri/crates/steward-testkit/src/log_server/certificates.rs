//! Certificates of a log server and of its clients, made for one test.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};

/// An authority, and what it issued to the server at `127.0.0.1` and to a client, as files.
pub struct LogCertificates {
    /// Certificate of the authority, in PEM.
    pub authority: PathBuf,
    /// Certificate of the server, in PEM.
    pub server: PathBuf,
    /// Key of the server, in PEM.
    pub server_key: PathBuf,
    /// Certificate and key of a client, in PEM.
    pub client: PathBuf,
    config: Arc<ServerConfig>,
    without_clients: Arc<ServerConfig>,
}

impl LogCertificates {
    /// Makes them in a folder.
    ///
    /// # Errors
    /// The error of the library or of the files.
    pub fn make(folder: &Path) -> Result<Self> {
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::new(Vec::new())?;
        params.distinguished_name.push(DnType::CommonName, "Example Authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key)?;
        let issuer = Issuer::new(params, key);
        let issue = |name: &str| -> Result<(rcgen::Certificate, KeyPair)> {
            let key = KeyPair::generate()?;
            Ok((CertificateParams::new(vec![name.to_owned()])?.signed_by(&key, &issuer)?, key))
        };
        let (server, server_key) = issue("127.0.0.1")?;
        let (client, client_key) = issue("administrator")?;
        let write = |name: &str, text: String| -> Result<PathBuf> {
            std::fs::write(folder.join(name), text)?;
            Ok(folder.join(name))
        };
        Ok(Self {
            authority: write("authority.pem", certificate.pem())?,
            server: write("server.pem", server.pem())?,
            server_key: write("server-key.pem", server_key.serialize_pem())?,
            client: write("client.pem", [client.pem(), client_key.serialize_pem()].concat())?,
            config: config(certificate.der().clone(), server.der().clone(), &server_key)?,
            without_clients: without_clients(server.der().clone(), &server_key)?,
        })
    }

    /// Returns how a server presents itself that requires a client certificate.
    #[must_use]
    pub fn config(&self) -> Arc<ServerConfig> {
        self.config.clone()
    }

    /// Returns how the same server presents itself to clients without a certificate.
    #[must_use]
    pub fn without_clients(&self) -> Arc<ServerConfig> {
        self.without_clients.clone()
    }
}

fn without_clients(server: CertificateDer<'static>, key: &KeyPair) -> Result<Arc<ServerConfig>> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![server], PrivatePkcs8KeyDer::from(key.serialize_der()).into())?;
    Ok(Arc::new(config))
}

fn config(
    authority: CertificateDer<'static>,
    server: CertificateDer<'static>,
    key: &KeyPair,
) -> Result<Arc<ServerConfig>> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut roots = rustls::RootCertStore::empty();
    roots.add(authority)?;
    let verifier =
        rustls::server::WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_client_cert_verifier(verifier.build()?)
        .with_single_cert(vec![server], PrivatePkcs8KeyDer::from(key.serialize_der()).into())?;
    Ok(Arc::new(config))
}
