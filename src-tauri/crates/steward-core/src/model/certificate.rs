//! Certificates that are not trusted, as shown in the trust dialog.
//!
//! [`CertificateView`] is made from a [`CertificateProblem`] of the client.

use serde::Serialize;
use steward_client::{CertificateProblem, CertificateReason};

/// A certificate that is not trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CertificateView {
    /// Host name or IP address that the certificate must be valid for.
    pub server: String,
    /// Origin that a decision to trust it applies to; `null` for the certificate of a proxy, which cannot be trusted
    /// for the site.
    pub origin: Option<String>,
    /// Distinguished name of the subject.
    pub subject: String,
    /// Distinguished name of the issuer.
    pub issuer: String,
    /// Host names and IP addresses that it is valid for.
    pub names: Vec<String>,
    /// Start of its validity, in RFC 3339.
    pub not_before: String,
    /// End of its validity, in RFC 3339.
    pub not_after: String,
    /// SHA-256 fingerprint, for example `AB:CD:…`.
    pub fingerprint: String,
    /// Chain that the server presented, starting with its own certificate.
    pub chain: Vec<ChainLinkView>,
    /// Main reason why it is not trusted.
    pub reason: DistrustView,
    /// Further reasons.
    pub also: Vec<DistrustView>,
    /// Fingerprint that is trusted for this origin, if the server now presents another certificate; `null` otherwise.
    pub accepted_before: Option<String>,
}

/// One certificate of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ChainLinkView {
    /// Distinguished name of the subject.
    pub subject: String,
    /// SHA-256 fingerprint, for example `AB:CD:…`.
    pub fingerprint: String,
}

/// A reason why a certificate is not trusted. The text is in the window's message catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DistrustView {
    /// The certificate has expired.
    Expired,
    /// The certificate is not valid yet.
    NotYetValid,
    /// The certificate is valid for other hosts only.
    WrongHost {
        /// Host that was connected to.
        asked: String,
        /// Host names and IP addresses that it is valid for.
        names: Vec<String>,
    },
    /// The issuer is not a trusted certificate authority.
    UnknownIssuer,
    /// The certificate is self-signed.
    SelfSigned,
    /// The certificate is that of a certificate authority, but is used by a server. No CA file makes it trusted.
    CaAsEndEntity,
    /// The issuer revoked the certificate. It cannot be trusted.
    Revoked,
    /// The certificate was signed with another key than that of the issuer that it names.
    AnotherKey,
    /// Another certificate of the chain has expired.
    ChainExpired,
    /// Another certificate of the chain is not valid yet.
    ChainNotYetValid,
    /// Any other reason. The window shows a general sentence, and `text` as a detail.
    Other {
        /// Message of the library or the system.
        text: String,
    },
}

impl From<&CertificateProblem> for CertificateView {
    fn from(problem: &CertificateProblem) -> Self {
        let problem = problem.clone();
        let link = |link: steward_client::ChainLink| ChainLinkView {
            subject: link.subject,
            fingerprint: link.fingerprint,
        };
        Self {
            server: problem.server,
            origin: problem.origin,
            subject: problem.subject,
            issuer: problem.issuer,
            names: problem.names,
            not_before: problem.not_before,
            not_after: problem.not_after,
            fingerprint: problem.fingerprint,
            chain: problem.chain.into_iter().map(link).collect(),
            reason: problem.reason.into(),
            also: problem.also.into_iter().map(DistrustView::from).collect(),
            accepted_before: problem.accepted_before,
        }
    }
}

impl From<CertificateReason> for DistrustView {
    fn from(reason: CertificateReason) -> Self {
        match reason {
            CertificateReason::Expired => Self::Expired,
            CertificateReason::NotYetValid => Self::NotYetValid,
            CertificateReason::WrongHost { asked, names } => Self::WrongHost { asked, names },
            CertificateReason::UnknownIssuer => Self::UnknownIssuer,
            CertificateReason::SelfSigned => Self::SelfSigned,
            CertificateReason::CaAsEndEntity => Self::CaAsEndEntity,
            CertificateReason::Revoked => Self::Revoked,
            CertificateReason::AnotherKey => Self::AnotherKey,
            CertificateReason::ChainExpired => Self::ChainExpired,
            CertificateReason::ChainNotYetValid => Self::ChainNotYetValid,
            CertificateReason::Other { text } => Self::Other { text },
        }
    }
}
