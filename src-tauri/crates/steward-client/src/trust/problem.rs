//! A refused certificate as data, for whoever has to decide about it.

use std::fmt;

use serde::Serialize;

/// A certificate that was not accepted. The request was not sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CertificateProblem {
    /// The name or address that the certificate should be for.
    pub server: String,
    /// What accepting it would be for, as in `https://gis.example.org:7443`. `None` when it is not the site's own
    /// but a proxy's, which cannot be accepted for the site.
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
    pub chain: Vec<ChainLink>,
    /// Why it was refused.
    pub reason: Reason,
    /// What is wrong with it besides.
    pub also: Vec<Reason>,
    /// The fingerprint that was accepted for this origin, when the server now presents another one.
    pub accepted_before: Option<String>,
}

/// One certificate of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChainLink {
    /// Whom it names.
    pub subject: String,
    /// SHA-256 of it.
    pub fingerprint: String,
}

/// What is wrong with a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Reason {
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
    /// Nobody we trust issued it.
    UnknownIssuer,
    /// It was issued by itself.
    SelfSigned,
    /// It is an authority's certificate, used as a server's. No authority file makes it acceptable.
    CaAsEndEntity,
    /// Its issuer has withdrawn it. Accepting it by hand does not help.
    Revoked,
    /// An authority of the issuer's name is known, and it was signed with another key than that authority's.
    AnotherKey,
    /// A certificate that the server presented beside its own has expired.
    ChainExpired,
    /// A certificate that the server presented beside its own is not valid yet.
    ChainNotYetValid,
    /// Anything else, in the words of the library or the system.
    Other {
        /// These words.
        text: String,
    },
}

impl fmt::Display for Reason {
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
            Self::UnknownIssuer => f.write_str("nobody this computer trusts issued the certificate"),
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
