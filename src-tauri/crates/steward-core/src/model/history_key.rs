//! What a record of the history is about.

use serde::{Deserialize, Serialize};

use crate::model::operation::Key;

/// Name of an unlock in the journal.
pub const UNLOCK: &str = "unlock";
/// Name of a reactivation of webhooks in the journal.
pub const RESTORE: &str = "restore_webhooks";
/// Name of an upload in the journal.
pub const UPLOAD: &str = "upload";
/// Name in the journal of the removal of an upload that did not end.
pub const DISCARD: &str = "discard_upload";

/// What a record is about: one of the seven, or an act of another kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(untagged)]
pub enum HistoryKey {
    /// One of the seven.
    Operation(Key),
    /// Something else that changed a site, or what may happen to it.
    Act(HistoryAct),
}

/// An act that is none of the seven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum HistoryAct {
    /// A read-only site was unlocked for a quarter of an hour.
    Unlock,
    /// Webhooks were activated again.
    RestoreWebhooks,
    /// A file was uploaded, to be imported.
    Upload,
    /// What a server had of an upload that did not end was removed.
    DiscardUpload,
    /// Somebody signed in.
    SignIn,
    /// Somebody signed out.
    SignOut,
    /// A certificate was trusted as it is.
    TrustCertificate,
    /// A site was added.
    AddSite,
    /// What is kept of a site was changed.
    ChangeSite,
    /// A site was removed.
    RemoveSite,
    /// The proxy or the certificate authority of the program was changed, for all sites that have none of their own.
    ChangeConnection,
}

impl HistoryKey {
    /// The key that has this name in the journal; `None` for what only a later version knows.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match HistoryAct::ALL.into_iter().find(|act| act.name() == name) {
            Some(act) => Some(Self::Act(act)),
            None => Key::named(name).map(Self::Operation),
        }
    }

    /// Its name in the journal.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Operation(key) => key.name(),
            Self::Act(act) => act.name(),
        }
    }
}

impl HistoryAct {
    const ALL: [Self; 11] = [
        Self::Unlock,
        Self::RestoreWebhooks,
        Self::Upload,
        Self::DiscardUpload,
        Self::SignIn,
        Self::SignOut,
        Self::TrustCertificate,
        Self::AddSite,
        Self::ChangeSite,
        Self::RemoveSite,
        Self::ChangeConnection,
    ];

    /// Its name in the journal.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unlock => UNLOCK,
            Self::RestoreWebhooks => RESTORE,
            Self::Upload => UPLOAD,
            Self::DiscardUpload => DISCARD,
            Self::SignIn => "sign_in",
            Self::SignOut => "sign_out",
            Self::TrustCertificate => "trust_certificate",
            Self::AddSite => "add_site",
            Self::ChangeSite => "change_site",
            Self::RemoveSite => "remove_site",
            Self::ChangeConnection => "change_connection",
        }
    }
}
