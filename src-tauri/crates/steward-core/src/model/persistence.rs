//! How long a [`Problem`] lasts, which decides about repetitions, alerts, and forwarding.

#![deny(clippy::wildcard_enum_match_arm)]

use steward_client::{ClientError, ProxyRefusal, Stage, StreamError};

use crate::model::ids::SiteId;
use crate::model::problem::Problem;

/// How long a problem lasts, and therefore whether the same request is worth another attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Persistence {
    /// It passes by itself: another attempt within minutes might succeed.
    Temporary,
    /// It passes when a user acts, for example unlocks the keyring or trusts a certificate. A later attempt might succeed, and does no
    /// harm until then.
    Persistent,
    /// It stays until the request or the account is changed. Another attempt fails again, and might lock an account.
    Permanent,
}

impl Persistence {
    /// Returns how long an error lasts, for a request to a receiver that is not a site.
    #[must_use]
    pub fn of_client(error: &ClientError) -> Self {
        Problem::from_client(error, &SiteId(String::new())).persistence()
    }

    /// Returns how long an error lasts, for a connection to a receiver that is not a site, such as a log server.
    #[must_use]
    pub fn of_stream(error: &StreamError) -> Self {
        match error {
            StreamError::Setup(_) => Self::Permanent,
            StreamError::ProxyRefused(refusal) => of_proxy(refusal),
            StreamError::Certificate(_) | StreamError::ClientCertificate { .. } => Self::Persistent,
            StreamError::Tls(_) | StreamError::NoTls(_) => of_stage(Stage::Tls),
            StreamError::Network(_) => of_stage(Stage::Connect),
        }
    }
}

impl Problem {
    /// Returns how long the problem lasts.
    #[must_use]
    pub fn persistence(&self) -> Persistence {
        match self {
            Self::NoResponse { .. } | Self::Busy { .. } => Persistence::Temporary,
            Self::Unreachable { stage, .. } => of_stage(*stage),
            Self::ProxyRefused { refusal } => of_proxy(refusal),
            Self::Keyring { .. }
            | Self::Certificate { .. }
            | Self::UnconfirmedAddress { .. }
            | Self::ClientCertificate { .. }
            | Self::Redirected { .. }
            | Self::File { .. }
            | Self::NotRecorded { .. } => Persistence::Persistent,
            Self::NotRenewed { cause }
            | Self::ImportFailed { cause, .. }
            | Self::WebhooksWereInactive { cause, .. }
            | Self::SafetyBackupFailed { cause: Some(cause), .. } => cause.persistence(),
            // A backup plan has repeated the request once by then, with the renewed token.
            Self::TokenRenewed
            | Self::Form { .. }
            | Self::Rejected { .. }
            | Self::InFront { .. }
            | Self::SignIn { .. }
            | Self::Unreadable { .. }
            | Self::TooOld { .. }
            | Self::NotOffered { .. }
            | Self::NoAddress { .. }
            | Self::NoDialog { .. }
            | Self::ExtensionNotAllowed { .. }
            | Self::ReadOnly { .. }
            | Self::PlanNotAccepted
            | Self::SafetyBackupFailed { cause: None, .. }
            | Self::WebhooksNotDeactivated { .. }
            | Self::SafetyBackupMissing { .. }
            | Self::PreconditionFailed { .. }
            | Self::Unexpected { .. } => Persistence::Permanent,
        }
    }
}

/// A failed handshake fails again, until the site or its settings here are changed.
const fn of_stage(stage: Stage) -> Persistence {
    match stage {
        Stage::Connect | Stage::Send | Stage::Wait | Stage::Lost | Stage::Read | Stage::Short => {
            Persistence::Temporary
        }
        Stage::Tls | Stage::TlsVersions | Stage::TlsSuites | Stage::LateCertificate => {
            Persistence::Persistent
        }
    }
}

/// A proxy that does not respond, or reports that the site does not, might succeed later. Other statuses are its
/// decision.
const fn of_proxy(refusal: &ProxyRefusal) -> Persistence {
    match refusal.status {
        None | Some(408 | 502..) => Persistence::Temporary,
        Some(_) => Persistence::Persistent,
    }
}
