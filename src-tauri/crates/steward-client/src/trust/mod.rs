//! Trust in server certificates, and the client certificate.
//!
//! A server certificate is accepted if the system or a CA of [`Trust`] issued it, or if it is a [`TrustedCertificate`]
//! of its origin. A rejected one is described by [`CertificateProblem`].

mod authorities;
mod certificate;
mod client_certificate;
mod problem;
mod verifier;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use url::Url;

pub use authorities::{Authority, authorities};
pub use client_certificate::ClientCertificate;
pub use problem::{CertificateProblem, CertificateReason, ChainLink};

pub(crate) use client_certificate::KeyPair;
pub(crate) use verifier::{Accepted, Verifier};

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

/// SHA-256 of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fingerprint([u8; 32]);

impl Fingerprint {
    pub(crate) fn of(der: &[u8]) -> Self {
        Self(Sha256::digest(der).into())
    }

    /// Reads 64 hexadecimal digits, with or without colons. `None` for anything else.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits: Vec<u8> = text
            .chars()
            .filter(|letter| *letter != ':' && !letter.is_whitespace())
            .map(|letter| letter.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect::<Option<_>>()?;
        let (pairs, []) = digits.as_chunks::<2>() else { return None };
        let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
        bytes.try_into().ok().map(Self)
    }
}

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, byte) in self.0.iter().enumerate() {
            let colon = if index == 0 { "" } else { ":" };
            write!(f, "{colon}{byte:02X}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprint_is_parsed_with_and_without_colons_and_only_complete() {
        let fingerprint = Fingerprint::of(b"certificate");
        let shown = fingerprint.to_string();

        assert_eq!(shown.len(), 95);
        assert_eq!(Fingerprint::parse(&shown), Some(fingerprint));
        assert_eq!(Fingerprint::parse(&shown.replace(':', "").to_lowercase()), Some(fingerprint));
        assert_eq!(Fingerprint::parse(&shown[..92]), None);
        assert_eq!(Fingerprint::parse(""), None);
        assert_eq!(Fingerprint::parse(&shown.replace(':', "x")), None);
    }

    #[test]
    fn trusted_certificate_is_bound_to_scheme_host_and_port() {
        let origin = |url: &str| TrustedCertificate::new(&Url::parse(url).unwrap(), "").origin;
        assert_eq!(origin("https://GIS.example.org:443/portal?x=1"), "https://gis.example.org");
        assert_eq!(origin("https://gis.example.org:7443/arcgis"), "https://gis.example.org:7443");
    }
}
