//! Why no connection to a receiver came about, be it a log server or a receiver of alerts.

use serde::{Deserialize, Serialize};
use steward_client::StreamError;

/// Reason why a connection failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ConnectionFault {
    /// A setting is invalid, or what it names cannot be read.
    Settings {
        /// Message of the system or the library.
        said: String,
    },
    /// The receiver cannot be reached, ended the connection, or did not respond.
    Network {
        /// Message of the system.
        said: String,
    },
    /// The proxy opens no connection to the receiver.
    ProxyRefused {
        /// Message with the address of the proxy and its response.
        said: String,
    },
    /// The certificate of the receiver is not trusted.
    Certificate {
        /// Message of the library.
        said: String,
    },
    /// The receiver requires a client certificate, or rejects the given one.
    ClientCertificate {
        /// TLS alert of the receiver.
        said: String,
    },
    /// The receiver was reached, but the encrypted connection to it failed.
    Encryption {
        /// Message of the library.
        said: String,
    },
}

impl ConnectionFault {
    /// Returns the message of the system, the library, or the receiver.
    #[must_use]
    pub fn said(&self) -> &str {
        match self {
            Self::Settings { said }
            | Self::Network { said }
            | Self::ProxyRefused { said }
            | Self::Certificate { said }
            | Self::ClientCertificate { said }
            | Self::Encryption { said } => said,
        }
    }
}

impl From<&StreamError> for ConnectionFault {
    fn from(error: &StreamError) -> Self {
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
