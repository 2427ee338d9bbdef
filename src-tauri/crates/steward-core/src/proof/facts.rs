//! What was read of a site, or why it could not be.

use steward_client::ClientError;
use steward_client::listing::{Gap, IndexCount, ServiceItem, ValidatedServer};

use crate::history::note::Note;
use crate::model::ids::{ServerId, SiteId};
use crate::model::numbers::Millis;
use crate::model::persistence::Persistence;
use crate::model::problem::{Problem, without_secrets};
use crate::model::service_check::ServiceCheck;
use crate::model::site_proof::WhyOpen;

pub(super) type Read<T> = Result<T, NotRead>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NotRead {
    /// No user is signed in.
    SignIn,
    /// The site did not return it.
    NotReturned {
        /// Reason, as returned by the site or the library.
        message: String,
        /// Whether the reason might pass without a change on the site.
        may_pass: bool,
    },
    /// No token can be obtained without a user.
    NoRenewal,
    /// The URL of the server leads to another server of the site, so everything that it returned belongs to that
    /// server.
    SameServer {
        /// Name of the other server.
        other: String,
    },
}

impl NotRead {
    pub(super) fn of(problem: &Problem) -> Self {
        match problem {
            Problem::SignIn { .. } => Self::SignIn,
            other => {
                Self::because(&Note::of(other).to_string(), other.persistence() != Persistence::Permanent)
            }
        }
    }

    /// Returns why a request failed. A rejected token means that no user is signed in, as in the window.
    pub(super) fn of_client_at(error: &ClientError, site: &SiteId) -> Self {
        Self::of(&Problem::from_client(error, site))
    }

    pub(super) fn of_gap(gap: &Gap) -> Self {
        Self::because(&gap.to_string(), false)
    }

    /// Returns the reason for a response that does not contain what is needed.
    pub(super) fn missing(what: &str) -> Self {
        Self::because(what, false)
    }

    fn because(message: &str, may_pass: bool) -> Self {
        Self::NotReturned { message: without_secrets(message), may_pass }
    }

    pub(super) fn why(&self) -> WhyOpen {
        match self {
            Self::SignIn => WhyOpen::SignIn,
            Self::NotReturned { message, may_pass } => {
                WhyOpen::NotReturned { message: message.clone(), may_pass: *may_pass }
            }
            Self::NoRenewal => WhyOpen::NoRenewal,
            Self::SameServer { other } => WhyOpen::SameServer { other: other.clone() },
        }
    }
}

/// Data that was read from a site.
#[derive(Debug, Clone)]
pub(super) struct SiteReading {
    /// Portal, and then the servers.
    pub(super) components: Vec<ComponentReading>,
    /// `None` without a portal, and for a portal whose deployment type has no portal administration.
    pub(super) portal: Option<PortalReading>,
    /// Time when the site issued a token.
    pub(super) token: Read<Millis>,
    /// Differences from the export after an import; `None` without an import, and if the content of the export is not known.
    pub(super) content: Option<Read<ContentReading>>,
}

/// Differences from the export after an import.
#[derive(Debug, Clone, Default)]
pub(super) struct ContentReading {
    /// Name of the server; `None` for the portal, and for the only server of a site.
    pub(super) server: Option<String>,
    /// Paths of services that are not on the server.
    pub(super) missing: Vec<String>,
    /// Names of what is counted, with the number now, and that of the export, or of before the import.
    pub(super) differing: Vec<(String, u32, u32)>,
}

/// Data that was read from a portal or server.
#[derive(Debug, Clone)]
pub(super) struct ComponentReading {
    /// Identifier of the server; `None` for the portal.
    pub(super) id: Option<ServerId>,
    /// Name of the server; `None` for the portal, and for the only server of a site.
    pub(super) server: Option<String>,
    /// Normalized administration URL of the first machine; `None` if the server returns none, was not reached, or is
    /// the only one.
    pub(super) machine: Read<Option<String>>,
    /// Version before the import; empty if it is not known.
    pub(super) before: String,
    /// Version now.
    pub(super) version: Read<String>,
    /// Services of a server; `None` for the portal.
    pub(super) services: Option<Read<ServicesReading>>,
    /// Data store items of a server; `None` for the portal.
    pub(super) data: Option<Read<DataReading>>,
}

/// Services of a server.
#[derive(Debug, Clone)]
pub(super) struct ServicesReading {
    /// Whether those that are set to run do.
    pub(super) check: ServiceCheck,
    /// Paths of all services, for example `Parcels/Zoning.MapServer`.
    pub(super) paths: Vec<String>,
    /// Addresses of the server, which begin the URLs of its services.
    pub(super) roots: Vec<String>,
    /// Whether the portal lists the server as federated.
    pub(super) is_federated: Federated,
}

/// Whether a server is federated with the portal of its site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Federated {
    /// The portal lists the server.
    Yes,
    /// The portal does not list the server, although the server is used with tokens of the portal, or reports a portal.
    Lost,
    /// The server is not federated.
    No,
    NotKnown(NotRead),
}

/// Data store items of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct DataReading {
    pub(super) items: u32,
    /// Number of items that the server can use.
    pub(super) valid: u32,
    /// Items that the server cannot use or did not validate, and items with a warning.
    pub(super) open: Vec<OpenItem>,
    /// Number of items that were not validated, because there are too many.
    pub(super) left_out: u32,
    /// Roots that the server does not list.
    pub(super) unlisted: Vec<(String, NotRead)>,
}

/// Data store item that is not simply valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpenItem {
    pub(super) path: String,
    /// Result of its validation by the server.
    pub(super) verdict: crate::operations::find_items::validation::Verdict,
    /// First reason; may be empty.
    pub(super) reason: String,
}

/// Data that was read from a portal.
#[derive(Debug, Clone)]
pub(super) struct PortalReading {
    /// Entries in database and search index.
    pub(super) index: Read<Vec<IndexCount>>,
    pub(super) federation: Read<FederationReading>,
    /// Error if the portal did not list its federated servers, or validated one that it does not list.
    pub(super) listed: Read<()>,
    /// Items that stand for services.
    pub(super) items: Read<(Vec<ServiceItem>, Option<Gap>)>,
}

/// Federated servers of a portal.
#[derive(Debug, Clone)]
pub(super) struct FederationReading {
    /// Number of the servers that the portal lists.
    pub(super) listed: u32,
    /// Listed servers that the portal validated, each once.
    pub(super) validated: Vec<ValidatedServer>,
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_token_that_ended_is_that_no_user_is_signed_in() {
        let rejected = |code| ClientError::Rejected { code, message: "no".to_owned(), details: Vec::new() };
        let ended = ClientError::TokenEnded { after: Duration::ZERO, source: Box::new(rejected(498)) };
        let site = SiteId("a".to_owned());
        for (error, is_sign_in) in
            [(ended, true), (rejected(498), true), (rejected(499), true), (rejected(403), false)]
        {
            let reason = NotRead::of_client_at(&error, &site);
            assert_eq!(reason == NotRead::SignIn, is_sign_in, "{error:?}: {reason:?}");
        }
    }
}
