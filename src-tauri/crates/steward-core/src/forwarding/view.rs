//! State of forwarding, as shown in the window.

use serde::Serialize;
use steward_client::StreamError;
use steward_client::log_server::DeliveryError;

use crate::model::connection_fault::ConnectionFault;
use crate::model::numbers::Millis;
use crate::model::persistence::Persistence;
use crate::model::problem::{Problem, as_text};
use crate::settings::policy::ForwardingRule;
use crate::settings::preferences::LogServer;

/// State of the forwarding of the audit trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ForwardingView {
    /// Log server in effect.
    pub log_server: LogServer,
    /// Whether the policy of the organization allows, requires, or forbids forwarding.
    pub rule: ForwardingRule,
    /// Hosts that the policy allows; `null` for any.
    pub hosts: Option<Vec<String>>,
    /// Entry that was forwarded last; `null` if none was.
    pub last: Option<LastForwarded>,
    /// Number of entries that are to be forwarded.
    pub waiting: u32,
    /// Why no entry can be forwarded, and since when; `null` if nothing fails.
    pub failing: Option<Failing>,
}

/// Entry of the audit trail that was forwarded last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LastForwarded {
    /// Number of the entry.
    pub entry: u32,
    /// Time when it was forwarded.
    pub at: Millis,
}

/// Failure that lasts: no entry has been forwarded since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Failing {
    /// Time of the first failed attempt since the last success.
    pub since: Millis,
    /// Reason of the last failed attempt.
    pub fault: ForwardingFault,
}

/// Reason why entries cannot be forwarded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ForwardingFault {
    /// The policy of the organization does not allow this log server.
    NotAllowed,
    /// The log server closes each connection by itself, or does not respond to the end of one: no entry counts as
    /// delivered.
    NotConfirmed {
        /// Message of the system.
        said: String,
    },
    /// The audit trail cannot be read.
    Trail {
        /// Message of the journal.
        said: String,
    },
    /// The connection to the log server failed.
    #[serde(untagged)]
    Connection(ConnectionFault),
}

impl ForwardingFault {
    /// Returns the reason as a text for the audit trail.
    pub(super) fn said(&self) -> String {
        match self {
            Self::NotAllowed => "the policy of the organization does not allow it".to_owned(),
            Self::NotConfirmed { said } | Self::Trail { said } => said.clone(),
            Self::Connection(fault) => fault.said().to_owned(),
        }
    }
}

/// Why an attempt to forward failed.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) fault: ForwardingFault,
    /// Whether it may pass.
    persistence: Persistence,
}

impl Failure {
    /// The policy does not allow the log server.
    pub(super) const NOT_ALLOWED: Self =
        Self { fault: ForwardingFault::NotAllowed, persistence: Persistence::Permanent };

    /// Returns the failure of settings with which no connection can be made.
    pub(super) fn of_settings(problem: &Problem) -> Self {
        Self {
            fault: ForwardingFault::Connection(ConnectionFault::Settings { said: as_text(problem) }),
            persistence: problem.persistence(),
        }
    }

    /// Returns the failure of the audit trail or of a file beside it, by its message. It is temporary: the disk might
    /// have space again.
    pub(super) const fn of_trail(said: String) -> Self {
        Self { fault: ForwardingFault::Trail { said }, persistence: Persistence::Temporary }
    }

    /// Returns the number of attempts in vain by which the pause before the next one is chosen: what only a user can mend is tried
    /// again after the longest pause.
    pub(super) fn attempts(&self, in_vain: u32) -> u32 {
        match self.persistence {
            Persistence::Temporary => in_vain,
            Persistence::Persistent | Persistence::Permanent => u32::MAX,
        }
    }
}

impl From<StreamError> for Failure {
    fn from(error: StreamError) -> Self {
        let fault = ForwardingFault::Connection(ConnectionFault::from(&error));
        Self { fault, persistence: Persistence::of_stream(&error) }
    }
}

impl From<DeliveryError> for Failure {
    fn from(error: DeliveryError) -> Self {
        match error {
            DeliveryError::Stream(error) => error.into(),
            DeliveryError::Ended(_) | DeliveryError::NotConfirmed(_) => Self {
                fault: ForwardingFault::NotConfirmed { said: error.to_string() },
                persistence: Persistence::Temporary,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use steward_client::ProxyRefusal;

    use super::*;

    #[test]
    fn what_a_user_has_to_mend_is_tried_again_after_the_longest_pause_and_the_network_soon() {
        let refused = |status| {
            let (proxy, target) = ("http://proxy".to_owned(), "logs".to_owned());
            let refusal = ProxyRefusal { proxy, target, status: Some(status), schemes: Vec::new() };
            Failure::from(StreamError::ProxyRefused(Box::new(refusal)))
        };
        let alert = StreamError::ClientCertificate { alert: String::new() };
        let reset = || std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        for (failure, attempts) in [
            (Failure::from(StreamError::from(reset())), 1),
            (refused(502), 1),
            (Failure::from(DeliveryError::Ended(reset())), 1),
            (refused(407), u32::MAX),
            (Failure::from(alert), u32::MAX),
            (Failure::from(StreamError::NoTls(String::new())), u32::MAX),
            (Failure::of_settings(&Problem::Unexpected { message: String::new() }), u32::MAX),
        ] {
            assert_eq!(failure.attempts(1), attempts, "{failure:?}");
        }
    }
}
