//! Certificates, right and wrong.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

/// A certificate with its key.
pub(crate) struct Certified {
    pub(crate) certificate: rcgen::Certificate,
    pub(crate) key: KeyPair,
}

/// Somebody who signs certificates.
pub(crate) struct Authority {
    certificate: rcgen::Certificate,
    issuer: Issuer<'static, KeyPair>,
}

fn params(name: &str, hosts: &[&str]) -> CertificateParams {
    let hosts: Vec<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
    let mut params = CertificateParams::new(hosts).unwrap();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

/// Time is over.
pub(crate) fn expired(params: &mut CertificateParams) {
    params.not_before = rcgen::date_time_ymd(2020, 1, 1);
    params.not_after = rcgen::date_time_ymd(2021, 1, 1);
}

/// Time has not begun.
pub(crate) fn not_yet_valid(params: &mut CertificateParams) {
    params.not_before = rcgen::date_time_ymd(3020, 1, 1);
    params.not_after = rcgen::date_time_ymd(3021, 1, 1);
}

/// A certificate that nobody else signed.
pub(crate) fn self_signed(hosts: &[&str], change: impl FnOnce(&mut CertificateParams)) -> Certified {
    let key = KeyPair::generate().unwrap();
    let mut params = params("itself", hosts);
    change(&mut params);
    Certified { certificate: params.self_signed(&key).unwrap(), key }
}

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = params(name, &[]);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).unwrap();
        Self { certificate, issuer: Issuer::new(params, key) }
    }

    pub(crate) fn pem(&self) -> Vec<u8> {
        self.certificate.pem().into_bytes()
    }

    pub(crate) fn der(&self) -> CertificateDer<'static> {
        self.certificate.der().clone()
    }

    /// A certificate for these hosts.
    pub(crate) fn signs(&self, hosts: &[&str], change: impl FnOnce(&mut CertificateParams)) -> Certified {
        let key = KeyPair::generate().unwrap();
        let mut params = params("server", hosts);
        change(&mut params);
        Certified { certificate: params.signed_by(&key, &self.issuer).unwrap(), key }
    }
}

impl Certified {
    pub(crate) fn der(&self) -> CertificateDer<'static> {
        self.certificate.der().clone()
    }

    pub(crate) fn private_key(&self) -> PrivateKeyDer<'static> {
        PrivatePkcs8KeyDer::from(self.key.serialize_der()).into()
    }

    pub(crate) fn fingerprint(&self) -> String {
        let digest = <sha2::Sha256 as sha2::Digest>::digest(self.certificate.der());
        digest.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":")
    }

    /// How a server presents it.
    pub(crate) fn server(&self) -> Arc<ServerConfig> {
        let config =
            builder().with_no_client_auth().with_single_cert(vec![self.der()], self.private_key()).unwrap();
        Arc::new(config)
    }

    /// How somebody presents it who has seen it and does not have its key.
    pub(crate) fn stolen(&self) -> Arc<ServerConfig> {
        #[derive(Debug)]
        struct Always(Arc<rustls::sign::CertifiedKey>);
        impl rustls::server::ResolvesServerCert for Always {
            fn resolve(&self, _: rustls::server::ClientHello<'_>) -> Option<Arc<rustls::sign::CertifiedKey>> {
                Some(self.0.clone())
            }
        }
        let other = PrivatePkcs8KeyDer::from(KeyPair::generate().unwrap().serialize_der());
        let key = rustls::crypto::aws_lc_rs::sign::any_supported_type(&other.into()).unwrap();
        let shown = rustls::sign::CertifiedKey::new(vec![self.der()], key);
        Arc::new(builder().with_no_client_auth().with_cert_resolver(Arc::new(Always(Arc::new(shown)))))
    }

    /// How a server presents it that asks for a certificate of `authority` in return.
    pub(crate) fn server_asking(&self, authority: &Authority) -> Arc<ServerConfig> {
        self.asking(authority, builder())
    }

    /// The same by TLS 1.2, which has no alert for a missing certificate.
    pub(crate) fn server_asking_by_tls12(&self, authority: &Authority) -> Arc<ServerConfig> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let builder = ServerConfig::builder_with_provider(provider);
        self.asking(authority, builder.with_protocol_versions(&[&rustls::version::TLS12]).unwrap())
    }

    fn asking(
        &self,
        authority: &Authority,
        builder: rustls::ConfigBuilder<ServerConfig, rustls::WantsVerifier>,
    ) -> Arc<ServerConfig> {
        let mut roots = rustls::RootCertStore::empty();
        roots.add(authority.der()).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let verifier = rustls::server::WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
            .build()
            .unwrap();
        let config = builder
            .with_client_cert_verifier(verifier)
            .with_single_cert(vec![self.der()], self.private_key())
            .unwrap();
        Arc::new(config)
    }
}

fn builder() -> rustls::ConfigBuilder<ServerConfig, rustls::WantsVerifier> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap()
}
