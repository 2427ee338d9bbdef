//! Why an alert was not sent.

#![deny(clippy::wildcard_enum_match_arm)]

use serde::{Deserialize, Serialize};
use steward_client::mail::MailError;
use steward_client::{ClientError, Stage};
use steward_core::model::connection_fault::ConnectionFault;
use steward_core::model::one_line::one_line;
use steward_core::model::problem::{Problem, as_text, causes};
use steward_redact as redact;
use url::Url;

/// Longest message of a receiver that is kept, in characters.
const LONGEST: usize = 300;

/// Length from which a part of an address is masked in a message of its receiver, in characters. Shorter parts are
/// words, not secrets.
const SHORTEST_SECRET: usize = 6;

/// Reason why an alert was not sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AlertFault {
    /// The policy of the organization does not allow this channel, or its host.
    NotAllowed,
    /// The channel is no longer saved, or its address is missing in the keyring.
    NotThere,
    /// The keyring cannot be read.
    Keyring {
        /// Message of the keyring.
        said: String,
    },
    /// The receiver redirects to another address. Nothing was sent there.
    Redirected {
        /// Origin of the target.
        to: String,
    },
    /// The mail server does not offer STARTTLS. Nothing was sent.
    NoStartTls,
    /// The mail server accepted the mail for some receivers only.
    SomeReceivers {
        /// Receivers that it rejected.
        refused: Vec<RefusedReceiver>,
        /// Addresses that got the mail.
        #[serde(default)]
        reached: Vec<String>,
    },
    /// The receiver rejected the alert.
    Rejected {
        /// HTTP status; `null` for mail.
        status: Option<u16>,
        /// Message of the receiver; may be empty.
        said: String,
    },
    /// The desktop shows no notifications.
    NoDesktop {
        /// Message of the desktop.
        said: String,
    },
    /// The connection to the receiver failed. Alerts are sent without a client certificate.
    #[serde(untagged)]
    Connection(ConnectionFault),
}

/// A receiver that a mail server rejected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct RefusedReceiver {
    /// Address.
    pub address: String,
    /// Message of the mail server.
    pub said: String,
}

impl RefusedReceiver {
    pub(super) fn new(address: &str, said: &str) -> Self {
        Self { address: address.to_owned(), said: shortened(said) }
    }
}

impl AlertFault {
    /// Returns whether some receivers of the same channel got the alert.
    pub(super) const fn is_partial(&self) -> bool {
        matches!(self, Self::SomeReceivers { .. })
    }

    /// Returns the reason as a text for the audit trail.
    #[must_use]
    pub fn said(&self) -> String {
        match self {
            Self::NotAllowed => "the policy of the organization does not allow it".to_owned(),
            Self::NotThere => "the channel is no longer saved, or has no address".to_owned(),
            Self::Redirected { to } => format!("redirected to {to}"),
            Self::NoStartTls => "the mail server does not offer STARTTLS".to_owned(),
            Self::SomeReceivers { refused, .. } => {
                let refused: Vec<_> = refused
                    .iter()
                    .map(|one| format!("not taken for {}: {}", one.address, one.said))
                    .collect();
                refused.join("; ")
            }
            Self::Rejected { status: Some(status), said } => format!("HTTP status {status}: {said}"),
            Self::Rejected { status: None, said } | Self::Keyring { said } | Self::NoDesktop { said } => {
                said.clone()
            }
            Self::Connection(fault) => fault.said().to_owned(),
        }
    }

    /// Returns the fault of a problem that occurs before anything is sent, for example with the keyring or the proxy
    /// settings.
    pub(super) fn before(problem: &Problem) -> Self {
        let said = as_text(problem);
        let is_of_keyring = matches!(problem, Problem::Keyring { .. });
        if is_of_keyring { Self::Keyring { said } } else { ConnectionFault::Settings { said }.into() }
    }

    pub(super) fn of_client(error: &ClientError) -> Self {
        let fault = match error {
            ClientError::Certificate(problem) => ConnectionFault::Certificate { said: problem.to_string() },
            ClientError::ClientCertificate { alert } => {
                ConnectionFault::ClientCertificate { said: alert.clone() }
            }
            ClientError::Unreachable {
                stage: Stage::Tls | Stage::TlsVersions | Stage::TlsSuites,
                source,
            } => ConnectionFault::Encryption { said: causes(source) },
            ClientError::ProxyRefused(_) => ConnectionFault::ProxyRefused { said: error.to_string() },
            ClientError::Redirected { to, .. } => {
                // The path of the target might repeat the secret of the address.
                let origin = Url::parse(to).map(|url| url.origin().ascii_serialization());
                return Self::Redirected { to: origin.unwrap_or_default() };
            }
            ClientError::Setup { .. } | ClientError::NotEncrypted { .. } => {
                ConnectionFault::Settings { said: causes(error) }
            }
            ClientError::Stalled { after, .. } => {
                ConnectionFault::Network { said: format!("no response within {} seconds", after.as_secs()) }
            }
            // The texts of these errors are about sites, so that only their cause is used.
            ClientError::Rejected { .. }
            | ClientError::TokenEnded { .. }
            | ClientError::TokenRenewed
            | ClientError::NotRenewed { .. }
            | ClientError::Unreachable {
                stage:
                    Stage::Connect
                    | Stage::LateCertificate
                    | Stage::Send
                    | Stage::Wait
                    | Stage::Lost
                    | Stage::Read
                    | Stage::Short,
                ..
            }
            | ClientError::Unreadable { .. }
            | ClientError::Slow { .. }
            | ClientError::WrongLength { .. } => ConnectionFault::Network {
                said: std::error::Error::source(error).map_or_else(|| error.to_string(), causes),
            },
        };
        fault.into()
    }

    pub(super) fn of_mail(error: &MailError) -> Self {
        let said = error.to_string();
        match error {
            MailError::NoStartTls => Self::NoStartTls,
            MailError::Message(_) | MailError::NotEncrypted => ConnectionFault::Settings { said }.into(),
            MailError::Rejected(_) => Self::Rejected { status: None, said: shortened(&said) },
            MailError::Stream(error) => ConnectionFault::from(error).into(),
        }
    }
}

impl From<ConnectionFault> for AlertFault {
    fn from(fault: ConnectionFault) -> Self {
        Self::Connection(fault)
    }
}

/// Returns the message of a receiver without its address, which some repeat, and in one line.
pub(super) fn said_by(address: &Url, beginning: &str) -> String {
    let path = address.path_segments().into_iter().flatten().map(str::to_owned);
    let query = address.query_pairs().map(|(_, value)| value.into_owned());
    let secrets = path.chain(query).filter(|part| part.chars().count() >= SHORTEST_SECRET);
    let masked = secrets.fold(beginning.to_owned(), |said, secret| said.replace(&secret, "…"));
    shortened(&masked)
}

fn shortened(said: &str) -> String {
    redact::text(&one_line(said)).chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_that_repeats_its_address_gives_it_to_nobody() {
        let address = Url::parse("https://h.example.org/services/T0/canary12?sig=canary34&x=1").unwrap();
        let said = said_by(&address, "no hook /services/T0/canary12?sig=canary34\r\n\u{1b}[31mred");
        assert!(!said.contains("canary") && said.contains("T0"), "{said}");
        assert!(!said.contains('\n') && !said.contains('\u{1b}'), "{said}");
        assert!(said_by(&address, &"x".repeat(9_000)).len() <= LONGEST);
    }
}
