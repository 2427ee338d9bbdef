//! One HTTP client per site.

use std::time::Duration;

use crate::error::ClientError;

/// Sent with every request. A token is bound to the referer it was asked for with, so it never changes.
pub const REFERER: &str = "site-steward";

/// Whom a site's certificate may be signed by.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    /// A CA certificate in PEM, trusted for this site beside the system's roots.
    pub ca_pem: Option<Vec<u8>>,
}

/// The HTTP client of one site.
#[derive(Debug, Clone)]
pub struct Http(pub(crate) reqwest::Client);

impl Http {
    /// A client that fails fast to connect, then waits as long as each request says.
    ///
    /// # Errors
    /// When the CA certificate cannot be read.
    pub fn new(trust: &Trust) -> Result<Self, ClientError> {
        let setup = |source| ClientError::Setup { source };
        let mut headers = reqwest::header::HeaderMap::new();
        headers.insert(reqwest::header::REFERER, reqwest::header::HeaderValue::from_static(REFERER));
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("SiteSteward/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers)
            .referer(false)
            // A redirect would carry token and form to whatever place the answer names.
            .redirect(reqwest::redirect::Policy::none())
            // No POST that changes a site is repeated, not by the library either.
            .retry(reqwest::retry::never())
            .connect_timeout(Duration::from_secs(10))
            // An export is silent for hours; the routers in between must not forget it.
            .tcp_keepalive(Duration::from_secs(30));
        if let Some(pem) = &trust.ca_pem {
            let certificates = reqwest::Certificate::from_pem_bundle(pem).map_err(setup)?;
            builder = builder.tls_certs_merge(certificates);
        }
        builder.build().map(Self).map_err(setup)
    }
}
