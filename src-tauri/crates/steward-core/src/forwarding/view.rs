//! State of forwarding, as shown in the window.

use serde::Serialize;
use steward_client::StreamError;
use steward_client::log_server::DeliveryError;

use crate::model::numbers::Millis;
use crate::model::problem::{Problem, as_text};
use crate::settings::policy::ForwardingRule;
use crate::settings::preferences::LogServer;

/// State of forwarding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ForwardingView {
    /// Log server in effect.
    pub log_server: LogServer,
    /// What the policy of the organization says.
    pub rule: ForwardingRule,
    /// The only hosts that the policy allows; `null` for any.
    pub hosts: Option<Vec<String>>,
    /// The entry that was forwarded last; `null` if none was.
    pub last: Option<LastForwarded>,
    /// Number of entries that are to be forwarded.
    pub waiting: u32,
    /// Why no entry can be forwarded; `null` if that is not so.
    pub failing: Option<Failing>,
}

/// The entry that was forwarded last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LastForwarded {
    /// Its number.
    pub entry: u32,
    /// When it was forwarded.
    pub at: Millis,
}

/// Since when no entry can be forwarded, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Failing {
    /// Time of the first failure in a row.
    pub since: Millis,
    /// Reason of the last one.
    pub fault: ForwardingFault,
}

/// Reason why entries cannot be forwarded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ForwardingFault {
    /// The policy of the organization does not allow this log server.
    NotAllowed,
    /// A certificate file or the keyring cannot be read, or a setting is invalid.
    Settings {
        /// Message of the system or the library.
        said: String,
    },
    /// The log server cannot be reached, or ended the connection.
    Network {
        /// Message of the system.
        said: String,
    },
    /// The proxy opens no connection to the log server.
    ProxyRefused {
        /// Message with the address of the proxy and its response.
        said: String,
    },
    /// The certificate of the log server is not trusted.
    Certificate {
        /// Message of the library.
        said: String,
    },
    /// The log server requires a client certificate, or rejects the given one.
    ClientCertificate {
        /// TLS alert of the log server.
        said: String,
    },
    /// The log server agrees to no encryption that the app offers.
    Encryption {
        /// Message of the library.
        said: String,
    },
    /// The log server ends each connection by itself, or does not end it: no entry counts as delivered.
    NotConfirmed {
        /// Message of the system.
        said: String,
    },
    /// The audit trail cannot be read.
    Trail {
        /// Message of the journal.
        said: String,
    },
}

impl ForwardingFault {
    /// Returns the reason as a text for the audit trail.
    pub(super) fn said(&self) -> String {
        match self {
            Self::NotAllowed => "the policy of the organization does not allow it".to_owned(),
            Self::Settings { said }
            | Self::Network { said }
            | Self::ProxyRefused { said }
            | Self::Certificate { said }
            | Self::ClientCertificate { said }
            | Self::Encryption { said }
            | Self::NotConfirmed { said }
            | Self::Trail { said } => said.clone(),
        }
    }

    /// Returns the fault of settings that make no connection.
    pub(super) fn of_settings(problem: &Problem) -> Self {
        Self::Settings { said: as_text(problem) }
    }
}

impl From<StreamError> for ForwardingFault {
    fn from(error: StreamError) -> Self {
        let said = error.to_string();
        match error {
            StreamError::Setup(_) => Self::Settings { said },
            StreamError::ProxyRefused(_) => Self::ProxyRefused { said },
            StreamError::Certificate(_) => Self::Certificate { said },
            StreamError::ClientCertificate { .. } => Self::ClientCertificate { said },
            StreamError::Tls(_) | StreamError::NoTls(_) => Self::Encryption { said },
            StreamError::Network(_) => Self::Network { said },
        }
    }
}

impl From<DeliveryError> for ForwardingFault {
    fn from(error: DeliveryError) -> Self {
        match error {
            DeliveryError::Stream(error) => error.into(),
            DeliveryError::Ended(_) | DeliveryError::NotConfirmed(_) => {
                Self::NotConfirmed { said: error.to_string() }
            }
        }
    }
}
