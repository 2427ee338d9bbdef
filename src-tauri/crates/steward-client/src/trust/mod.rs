//! Whom a site may be: the system's roots, an authority of its own, one accepted certificate; and who we are.

mod authorities;
mod certificate;
mod identity;
mod problem;
mod verifier;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use url::Url;

pub use authorities::{Authority, authorities};
pub use identity::Identity;
pub use problem::{CertificateProblem, ChainLink, Reason};

pub(crate) use identity::KeyPair;
pub(crate) use verifier::{Accepted, Verifier};

/// Whom a site's certificate may be signed by, and which one was accepted as it is.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    /// Certificates of authorities in PEM, trusted for this site beside the system's roots.
    pub ca_pem: Option<Vec<u8>>,
    /// The certificate that says who we are, for sites that ask.
    pub identity: Option<Identity>,
    /// Certificates that a person accepted, each for one address.
    pub pins: Vec<Pin>,
}

/// A certificate that a person accepted for one address, and for no other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// Scheme, host and port, as in `https://gis.example.org:7443`; the scheme's own port is left out.
    pub origin: String,
    /// SHA-256 of the certificate, as in `AB:CD:…`.
    pub fingerprint: String,
}

impl Pin {
    /// The acceptance of the certificate with this fingerprint, for the origin of `url`.
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

    /// Reads 64 hexadecimal digits, with or without colons. Anything else is no fingerprint and matches nothing.
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
    fn a_fingerprint_is_read_with_and_without_colons_and_only_whole() {
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
    fn an_acceptance_is_for_scheme_host_and_port() {
        let origin = |url: &str| Pin::new(&Url::parse(url).unwrap(), "").origin;
        assert_eq!(origin("https://GIS.example.org:443/portal?x=1"), "https://gis.example.org");
        assert_eq!(origin("https://gis.example.org:7443/arcgis"), "https://gis.example.org:7443");
    }
}
