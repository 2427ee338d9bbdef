//! HTTP clients by origin.
//!
//! [`Clients::of`] returns the clients of an origin. A certificate trusted for one origin is not trusted for others, so
//! each origin has its own clients.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderValue};
use rustls::CertificateError;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::ServerName;
use url::Url;

use crate::proxy_exceptions::covers;
use crate::proxy_refusal::UsedProxy;
use crate::referer::REFERER;
use crate::route::{self, Route, is_this_computer};
use crate::setup_fault::SetupFault;
use crate::system_proxy::used_proxy;
use crate::trust::{
    Accepted, AcceptsNone, CertificateExpiry, Fingerprint, IdentityRequest, KeyPair, Trust,
    TrustedCertificate, Verifier, certificates,
};

/// HTTP clients of one origin.
#[derive(Debug, Clone)]
pub(super) struct Origin {
    /// Client that reuses connections, for reading, and for parts of a file, which can be sent twice.
    pub(super) kept: reqwest::Client,
    /// Client with a new connection for each request, for requests that might have an effect.
    pub(super) once: reqwest::Client,
    /// When the certificate of the origin expires.
    pub(super) expiry: CertificateExpiry,
    /// Whether the origin asked for a client certificate.
    pub(super) identity_request: IdentityRequest,
}

/// Cache of the clients, created per origin at first use.
pub(super) struct Clients {
    provider: Arc<CryptoProvider>,
    usual: Arc<dyn ServerCertVerifier>,
    identity: Option<KeyPair>,
    trusted_certificates: Vec<TrustedCertificate>,
    proxy: route::ProxySetting,
    origins: Mutex<HashMap<String, Origin>>,
}

/// Proxy of the requests to one URL.
enum Way<'a> {
    /// None.
    Direct,
    /// That of the system, which the library finds.
    System,
    /// A proxy of the settings, as the library takes it, and as it is shown.
    Through(&'a reqwest::Proxy, &'a UsedProxy),
}

impl std::fmt::Debug for Clients {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clients").finish_non_exhaustive()
    }
}

impl Clients {
    /// Checks the trust settings and the route. The clients of an origin are created at first use.
    pub(super) fn new(trust: &Trust, route: &Route) -> Result<Self, SetupFault> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let clients = Self {
            usual: usual(trust.ca_pem.as_deref(), &provider)?,
            provider,
            identity: trust.identity.as_ref().map(crate::trust::ClientCertificate::read).transpose()?,
            trusted_certificates: trust.trusted_certificates.clone(),
            proxy: route.proxy_setting()?,
            origins: Mutex::default(),
        };
        // Report a key that does not match its certificate now, not at the first request.
        clients.tls(None, CertificateExpiry::default(), &IdentityRequest::default())?;
        Ok(clients)
    }

    /// Returns the same clients without a client certificate.
    pub(super) fn without_client_certificate(&self) -> Self {
        Self {
            provider: self.provider.clone(),
            usual: self.usual.clone(),
            identity: None,
            trusted_certificates: self.trusted_certificates.clone(),
            proxy: self.proxy.clone(),
            origins: Mutex::default(),
        }
    }

    /// Returns the clients for the origin of `url`.
    pub(super) fn of(&self, url: &Url) -> Result<Origin, SetupFault> {
        let origin = url.origin().ascii_serialization();
        // A panic cannot leave a single insertion incomplete.
        let mut origins = self.origins.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(clients) = origins.get(&origin) {
            return Ok(clients.clone());
        }
        let accepted = self.accepted(&origin, url);
        let expiry = CertificateExpiry::default();
        let identity_request = IdentityRequest::default();
        let mut tls = self.tls(accepted, expiry.clone(), &identity_request)?;
        // Only HTTP/1.1 is offered (ADR 0043): a server that needs it for a client certificate or Windows
        // authentication resets each request over HTTP/2.
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        // Servers close idle connections after 5 seconds or later. Close them earlier, so that no request uses a
        // closing connection.
        let kept = Duration::from_secs(4);
        let client = || self.client(url, tls.clone());
        let clients = Origin {
            kept: client().pool_idle_timeout(kept).build().map_err(SetupFault::library)?,
            once: client().pool_max_idle_per_host(0).build().map_err(SetupFault::library)?,
            expiry,
            identity_request,
        };
        origins.insert(origin, clients.clone());
        Ok(clients)
    }

    /// Returns the proxy of requests to `url`; `None` for a direct connection.
    pub(super) fn proxy_of(&self, url: &Url) -> Option<UsedProxy> {
        match self.way_to(url) {
            Way::Direct => None,
            Way::System => used_proxy(url),
            Way::Through(_, used) => Some(used.clone()),
        }
    }

    fn way_to(&self, url: &Url) -> Way<'_> {
        match &self.proxy {
            _ if is_this_computer(url) => Way::Direct,
            route::ProxySetting::Direct => Way::Direct,
            route::ProxySetting::System { exceptions } | route::ProxySetting::Through { exceptions, .. }
                if covers(exceptions, url) =>
            {
                Way::Direct
            }
            route::ProxySetting::System { .. } => Way::System,
            route::ProxySetting::Through { proxy, used, .. } => Way::Through(proxy, used),
        }
    }

    fn accepted(&self, origin: &str, url: &Url) -> Option<Accepted> {
        let certificate =
            self.trusted_certificates.iter().find(|certificate| certificate.origin == origin)?;
        let host = url.host_str()?.trim_matches(['[', ']']).to_owned();
        let host = ServerName::try_from(host).ok()?;
        Some(Accepted { host, fingerprint: Fingerprint::parse(&certificate.fingerprint)? })
    }

    /// Returns the settings of TLS.
    pub(super) fn tls(
        &self,
        accepted: Option<Accepted>,
        expiry: CertificateExpiry,
        identity_request: &IdentityRequest,
    ) -> Result<rustls::ClientConfig, SetupFault> {
        let builder = rustls::ClientConfig::builder_with_provider(self.provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(SetupFault::library)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(
                Verifier::new(self.usual.clone(), accepted).noting(expiry),
            ));
        let mut tls = match &self.identity {
            Some((chain, key)) => builder
                .with_client_auth_cert(chain.clone(), key.clone_key())
                .map_err(SetupFault::IdentityMismatch)?,
            None => builder.with_no_client_auth(),
        };
        tls.client_auth_cert_resolver = identity_request.noted_by(tls.client_auth_cert_resolver);
        Ok(tls)
    }

    /// Returns the settings of TLS for a handshake that only reads which certificate a host presents. None is accepted,
    /// and the client certificate is not sent.
    pub(super) fn tls_to_read(&self) -> Result<rustls::ClientConfig, SetupFault> {
        let schemes = self.provider.signature_verification_algorithms.supported_schemes();
        let none = AcceptsNone { schemes, reason: CertificateError::ApplicationVerificationFailure };
        let verifier = Verifier::new(Arc::new(none), None);
        let builder = rustls::ClientConfig::builder_with_provider(self.provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(SetupFault::library)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        Ok(builder.with_no_client_auth())
    }

    fn client(&self, url: &Url, tls: rustls::ClientConfig) -> reqwest::ClientBuilder {
        let mut headers = HeaderMap::new();
        headers.insert(reqwest::header::REFERER, HeaderValue::from_static(REFERER));
        let builder = reqwest::Client::builder()
            .user_agent(concat!("SiteSteward/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers)
            .referer(false)
            .tls_backend_preconfigured(tls)
            .http1_only()
            // Redirects are handled in [`Http`](super::Http), which can check the target.
            .redirect(reqwest::redirect::Policy::none())
            // The library must not repeat a POST that changes a site.
            .retry(reqwest::retry::never())
            .connect_timeout(Duration::from_secs(10))
            // An export sends no data for hours. Keepalive prevents routers from dropping the connection.
            .tcp_keepalive(Duration::from_secs(30));
        match self.way_to(url) {
            Way::Direct => builder.no_proxy(),
            Way::System => builder,
            Way::Through(proxy, _) => builder.proxy(proxy.clone()),
        }
    }
}

/// Returns the system's verifier, extended by the certificates in `ca_pem`.
fn usual(
    ca_pem: Option<&[u8]>,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, SetupFault> {
    let provider = provider.clone();
    let Some(pem) = ca_pem else {
        let system = rustls_platform_verifier::Verifier::new(provider).map_err(SetupFault::SystemRoots)?;
        return Ok(Arc::new(system));
    };
    let (authorities, damaged) = certificates(pem)?;
    if damaged > 0 {
        tracing::warn!(damaged, "certificates of a CA file cannot be read, and are not trusted");
    }
    let both = rustls_platform_verifier::Verifier::new_with_extra_roots(authorities, provider)
        .map_err(|_| SetupFault::Authority)?;
    Ok(Arc::new(both))
}
