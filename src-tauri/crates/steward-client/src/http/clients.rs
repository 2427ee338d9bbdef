//! The library's clients, a few for each origin: what a person accepted for one is unknown to the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderValue};
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use url::Url;

use super::{REFERER, library};
use crate::error::SetupFault;
use crate::route::{self, Route, is_this_computer};
use crate::trust::{Accepted, Fingerprint, KeyPair, Pin, Trust, Verifier};

/// The clients of one origin.
#[derive(Debug, Clone)]
pub(super) struct Origin {
    /// Keeps connections: for reading.
    pub(super) pooled: reqwest::Client,
    /// A connection for each request: for whatever may have an effect.
    pub(super) once: reqwest::Client,
    /// Keeps connections, and has one request at a time on each: for the parts of a file, each of which may be sent twice.
    pub(super) parts: reqwest::Client,
}

/// Makes the clients of an origin when they are first needed.
pub(super) struct Clients {
    provider: Arc<CryptoProvider>,
    usual: Arc<dyn ServerCertVerifier>,
    identity: Option<KeyPair>,
    pins: Vec<Pin>,
    way: route::Way,
    origins: Mutex<HashMap<String, Origin>>,
}

impl std::fmt::Debug for Clients {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clients").finish_non_exhaustive()
    }
}

impl Clients {
    pub(super) fn new(trust: &Trust, route: &Route) -> Result<Self, SetupFault> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let clients = Self {
            usual: usual(trust.ca_pem.as_deref(), &provider)?,
            provider,
            identity: trust.identity.as_ref().map(crate::trust::Identity::read).transpose()?,
            pins: trust.pins.clone(),
            way: route.way()?,
            origins: Mutex::default(),
        };
        // A key that does not fit is said now, not at the first request.
        clients.tls(None, &[])?;
        Ok(clients)
    }

    /// The clients for the origin of `url`.
    pub(super) fn of(&self, url: &Url) -> Result<Origin, SetupFault> {
        let origin = url.origin().ascii_serialization();
        // Single inserts only; none can be left half done.
        let mut origins = self.origins.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(clients) = origins.get(&origin) {
            return Ok(clients.clone());
        }
        let accepted = self.accepted(&origin, url);
        let pooled = self.tls(accepted.clone(), &["h2", "http/1.1"])?;
        let once = self.tls(accepted, &["http/1.1"])?;
        // Servers forget idle connections after five seconds and more; no request must meet one at that time.
        let kept = Duration::from_secs(4);
        let single = || self.client(url, once.clone()).http1_only();
        let clients = Origin {
            pooled: self.client(url, pooled).pool_idle_timeout(kept).build().map_err(library)?,
            once: single().pool_max_idle_per_host(0).build().map_err(library)?,
            parts: single().pool_idle_timeout(kept).build().map_err(library)?,
        };
        origins.insert(origin, clients.clone());
        Ok(clients)
    }

    fn accepted(&self, origin: &str, url: &Url) -> Option<Accepted> {
        let pin = self.pins.iter().find(|pin| pin.origin == origin)?;
        let host = url.host_str()?.trim_matches(['[', ']']).to_owned();
        let host = ServerName::try_from(host).ok()?;
        Some(Accepted { host, fingerprint: Fingerprint::parse(&pin.fingerprint)? })
    }

    fn tls(
        &self,
        accepted: Option<Accepted>,
        protocols: &[&str],
    ) -> Result<rustls::ClientConfig, SetupFault> {
        let builder = rustls::ClientConfig::builder_with_provider(self.provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(library)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Verifier::new(self.usual.clone(), accepted)));
        let mut tls = match &self.identity {
            Some((chain, key)) => builder
                .with_client_auth_cert(chain.clone(), key.clone_key())
                .map_err(SetupFault::IdentityMismatch)?,
            None => builder.with_no_client_auth(),
        };
        tls.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
        Ok(tls)
    }

    fn client(&self, url: &Url, tls: rustls::ClientConfig) -> reqwest::ClientBuilder {
        let mut headers = HeaderMap::new();
        headers.insert(reqwest::header::REFERER, HeaderValue::from_static(REFERER));
        let builder = reqwest::Client::builder()
            .user_agent(concat!("SiteSteward/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers)
            .referer(false)
            .tls_backend_preconfigured(tls)
            // What may be followed is decided where the token is known.
            .redirect(reqwest::redirect::Policy::none())
            // No POST that changes a site is repeated, not by the library either.
            .retry(reqwest::retry::never())
            .connect_timeout(Duration::from_secs(10))
            // An export is silent for hours; the routers in between must not forget it.
            .tcp_keepalive(Duration::from_secs(30));
        match &self.way {
            _ if is_this_computer(url) => builder.no_proxy(),
            route::Way::System => builder,
            route::Way::Direct => builder.no_proxy(),
            route::Way::Through(proxy) => builder.proxy(proxy.as_ref().clone()),
        }
    }
}

/// The system's verifier, told of further authorities.
fn usual(
    ca_pem: Option<&[u8]>,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, SetupFault> {
    let provider = provider.clone();
    let Some(pem) = ca_pem else {
        let system = rustls_platform_verifier::Verifier::new(provider).map_err(SetupFault::SystemRoots)?;
        return Ok(Arc::new(system));
    };
    let authorities: Vec<_> =
        CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().map_err(|_| SetupFault::Authority)?;
    if authorities.is_empty() {
        return Err(SetupFault::Authority);
    }
    let both = rustls_platform_verifier::Verifier::new_with_extra_roots(authorities, provider)
        .map_err(|_| SetupFault::Authority)?;
    Ok(Arc::new(both))
}
