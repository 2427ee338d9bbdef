//! Description of a rejected server certificate, for the user's decision.

use std::fmt;

use serde::Serialize;

/// Rejected server certificate. The request was not sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct CertificateProblem {
    /// Host name or IP address that the certificate must be valid for.
    pub server: String,
    /// Origin that the certificate can be trusted for, for example `https://gis.example.org:7443`. `None` for the
    /// certificate of a proxy, which cannot be trusted for the site.
    pub origin: Option<String>,
    /// Distinguished name of the subject.
    pub subject: String,
    /// Distinguished name of the issuer.
    pub issuer: String,
    /// Host names and IP addresses it is valid for; at most 100.
    pub names: Vec<String>,
    /// Start of validity, in RFC 3339.
    pub not_before: String,
    /// End of validity, in RFC 3339.
    pub not_after: String,
    /// SHA-256 of the certificate, as `AB:CD:…`.
    pub fingerprint: String,
    /// Certificates that the server sent, its own first; at most 10.
    pub chain: Vec<ChainLink>,
    /// Reason of the rejection.
    pub reason: CertificateReason,
    /// Further problems of the certificate.
    pub also: Vec<CertificateReason>,
    /// Fingerprint that is trusted for this origin, if the server now sends another certificate.
    pub accepted_before: Option<String>,
}

/// Certificate of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ChainLink {
    /// Distinguished name of the subject. Empty if the certificate cannot be read.
    pub subject: String,
    /// SHA-256 of the certificate, as `AB:CD:…`.
    pub fingerprint: String,
}

/// Problem of a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum CertificateReason {
    /// The validity has ended.
    Expired,
    /// The validity has not started.
    NotYetValid,
    /// The certificate is valid for other hosts.
    WrongHost {
        /// Requested host.
        asked: String,
        /// Hosts it is valid for.
        names: Vec<String>,
    },
    /// No trusted CA issued the certificate.
    UnknownIssuer,
    /// The certificate is its own issuer.
    SelfSigned,
    /// The certificate belongs to a CA but is used by a server. Trusting the CA does not help on Linux.
    CaAsEndEntity,
    /// The issuer revoked the certificate. It stays rejected even if the user trusts it.
    Revoked,
    /// A CA with the issuer's name is known, but another key signed the certificate.
    AnotherKey,
    /// Another certificate of the chain has expired.
    ChainExpired,
    /// Another certificate of the chain is not valid yet.
    ChainNotYetValid,
    /// Other problem, described by the library or the system.
    Other {
        /// Description.
        text: String,
    },
}

impl fmt::Display for CertificateReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expired => f.write_str("the certificate has expired"),
            Self::NotYetValid => f.write_str("the certificate is not valid yet; is this computer's clock right?"),
            Self::WrongHost { asked, names } if names.is_empty() => {
                write!(f, "the certificate names no host, so it is not for {asked}")
            }
            Self::WrongHost { asked, names } => {
                write!(f, "the certificate is for {}, not for {asked}", names.join(", "))
            }
            Self::UnknownIssuer => f.write_str("no certificate authority trusted by this computer issued the certificate"),
            Self::SelfSigned => f.write_str("the server issued the certificate to itself"),
            Self::CaAsEndEntity => f.write_str(
                "the server uses the certificate of an authority as its own, which stays refused even when that \
                 authority is trusted",
            ),
            Self::Revoked => f.write_str("the certificate was withdrawn by its issuer"),
            Self::AnotherKey => {
                f.write_str("the certificate was signed with another key than that of the authority it names")
            }
            Self::ChainExpired => f.write_str("a certificate of the server's chain has expired"),
            Self::ChainNotYetValid => f.write_str("a certificate of the server's chain is not valid yet"),
            Self::Other { text } => f.write_str(text),
        }
    }
}

impl fmt::Display for CertificateProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the certificate of {} was refused: {}", self.server, self.reason)
    }
}

impl std::error::Error for CertificateProblem {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_has_words_of_its_own_that_name_what_was_asked_for() {
        let wrong_host = |names: &[&str]| CertificateReason::WrongHost {
            asked: "gis.example.org".to_owned(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
        };
        let reasons = [
            CertificateReason::Expired,
            CertificateReason::NotYetValid,
            CertificateReason::UnknownIssuer,
            CertificateReason::SelfSigned,
            CertificateReason::CaAsEndEntity,
            CertificateReason::Revoked,
            CertificateReason::AnotherKey,
            CertificateReason::ChainExpired,
            CertificateReason::ChainNotYetValid,
        ];
        let texts: std::collections::BTreeSet<_> = reasons.iter().map(ToString::to_string).collect();

        assert_eq!(texts.len(), reasons.len());
        assert!(texts.iter().all(|text| text.contains("certificate")), "{texts:?}");
        assert_eq!(
            wrong_host(&[]).to_string(),
            "the certificate names no host, so it is not for gis.example.org"
        );
        assert_eq!(
            wrong_host(&["a.example.org", "b.example.org"]).to_string(),
            "the certificate is for a.example.org, b.example.org, not for gis.example.org"
        );
        assert_eq!(CertificateReason::Other { text: "odd".to_owned() }.to_string(), "odd");
    }

    #[test]
    fn a_rejected_certificate_names_its_server_and_the_reason() {
        let problem = CertificateProblem {
            server: "gis.example.org".to_owned(),
            origin: None,
            subject: String::new(),
            issuer: String::new(),
            names: Vec::new(),
            not_before: String::new(),
            not_after: String::new(),
            fingerprint: String::new(),
            chain: Vec::new(),
            reason: CertificateReason::Expired,
            also: Vec::new(),
            accepted_before: None,
        };
        assert_eq!(
            problem.to_string(),
            "the certificate of gis.example.org was refused: the certificate has expired"
        );
    }
}
