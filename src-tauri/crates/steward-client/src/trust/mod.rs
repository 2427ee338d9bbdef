//! Trust in server certificates, and the client certificate.
//!
//! A server certificate is accepted if the system or a CA of [`Trust`] issued it, or if it is a [`TrustedCertificate`]
//! of its origin. A rejected one is described by [`CertificateProblem`].

mod authorities;
mod certificate;
mod client_certificate;
mod fingerprint;
mod identity_request;
mod problem;
mod reading;
mod verifier;

use serde::{Deserialize, Serialize};
use url::Url;

pub use authorities::{Authorities, Authority, authorities};
pub use client_certificate::ClientCertificate;
pub use problem::{CertificateProblem, CertificateReason, ChainLink};

pub(crate) use authorities::certificates;
pub(crate) use client_certificate::KeyPair;
pub(crate) use fingerprint::Fingerprint;
pub(crate) use identity_request::IdentityRequest;
pub(crate) use reading::AcceptsNone;
pub(crate) use verifier::{Accepted, CertificateExpiry, Verifier};

/// Trust settings of one site.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    /// Certificates of additional CAs in PEM. `None` for the system's CAs only.
    pub ca_pem: Option<Vec<u8>>,
    /// Client certificate, sent if the site requires one.
    pub identity: Option<ClientCertificate>,
    /// Trusted certificates, each for one origin.
    pub trusted_certificates: Vec<TrustedCertificate>,
}

/// Server certificate that the user accepted for one origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustedCertificate {
    /// Scheme, host and port, for example `https://gis.example.org:7443`. The scheme's default port is omitted.
    pub origin: String,
    /// SHA-256 of the certificate, as `AB:CD:…`.
    pub fingerprint: String,
}

impl TrustedCertificate {
    /// Creates the entry for the certificate with this fingerprint, at the origin of `url`.
    #[must_use]
    pub fn new(url: &Url, fingerprint: &str) -> Self {
        Self { origin: url.origin().ascii_serialization(), fingerprint: fingerprint.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trusted_certificate_is_bound_to_scheme_host_and_port() {
        let origin = |url: &str| TrustedCertificate::new(&Url::parse(url).unwrap(), "").origin;
        assert_eq!(origin("https://GIS.example.org:443/portal?x=1"), "https://gis.example.org");
        assert_eq!(origin("https://gis.example.org:7443/arcgis"), "https://gis.example.org:7443");
    }
}
