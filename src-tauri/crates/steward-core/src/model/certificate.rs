//! A refused certificate, for the trust card.

use serde::Serialize;
use steward_client::{CertificateProblem, Reason};

/// A certificate that was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CertificateView {
    /// The name or address that the certificate should be for.
    pub server: String,
    /// What accepting it would be for; `null` when it is a proxy's, which cannot be accepted for the site.
    pub origin: Option<String>,
    /// Whom it names.
    pub subject: String,
    /// Who issued it.
    pub issuer: String,
    /// The hosts it is for.
    pub names: Vec<String>,
    /// When it begins to be valid, in RFC 3339.
    pub not_before: String,
    /// When it ceases to be valid, in RFC 3339.
    pub not_after: String,
    /// SHA-256 of it, as in `AB:CD:…`.
    pub fingerprint: String,
    /// What the server presented, its own certificate first.
    pub chain: Vec<ChainLinkView>,
    /// Why it was refused.
    pub reason: DistrustView,
    /// What is wrong with it besides.
    pub also: Vec<DistrustView>,
    /// The fingerprint that was accepted for this origin, when the server now presents another one.
    pub accepted_before: Option<String>,
}

/// One certificate of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ChainLinkView {
    /// Whom it names.
    pub subject: String,
    /// SHA-256 of it.
    pub fingerprint: String,
}

/// What is wrong with a certificate. The words are in the window's message catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DistrustView {
    /// Its time is over.
    Expired,
    /// Its time has not begun.
    NotYetValid,
    /// It is for other hosts.
    WrongHost {
        /// The host that was asked.
        asked: String,
        /// The hosts it is for.
        names: Vec<String>,
    },
    /// Nobody this computer trusts issued it.
    UnknownIssuer,
    /// It was issued by itself.
    SelfSigned,
    /// It is an authority's certificate, used as a server's. No authority file makes it acceptable.
    CaAsEndEntity,
    /// Its issuer has withdrawn it. It cannot be accepted.
    Revoked,
    /// It was signed with another key than that of the authority it names.
    AnotherKey,
    /// A certificate that the server presented beside it has expired.
    ChainExpired,
    /// A certificate that the server presented beside it is not valid yet.
    ChainNotYetValid,
    /// Anything else. The window has a sentence for it, and shows the text as a detail.
    Other {
        /// The words of the library or the system.
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

impl From<Reason> for DistrustView {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Expired => Self::Expired,
            Reason::NotYetValid => Self::NotYetValid,
            Reason::WrongHost { asked, names } => Self::WrongHost { asked, names },
            Reason::UnknownIssuer => Self::UnknownIssuer,
            Reason::SelfSigned => Self::SelfSigned,
            Reason::CaAsEndEntity => Self::CaAsEndEntity,
            Reason::Revoked => Self::Revoked,
            Reason::AnotherKey => Self::AnotherKey,
            Reason::ChainExpired => Self::ChainExpired,
            Reason::ChainNotYetValid => Self::ChainNotYetValid,
            Reason::Other { text } => Self::Other { text },
        }
    }
}
