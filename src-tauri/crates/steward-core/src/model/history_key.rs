//! Kinds of history entries: the operations, and other actions.
//!
//! [`HistoryKey::name`] and [`HistoryKey::named`] convert to and from the names stored in the journal.

use serde::{Deserialize, Serialize};

use crate::model::operation::OperationKey;

/// Name of an unlock in the journal.
pub const UNLOCK: &str = "unlock";
/// Name of a lock in the journal.
pub const LOCK: &str = "lock";
/// Name of a reactivation of webhooks in the journal.
pub const REACTIVATE: &str = "reactivate_webhooks";
/// Name of the deactivation of a single webhook in the journal.
pub const DEACTIVATE_ONE: &str = "deactivate_webhook";
/// Name of an upload in the journal.
pub const UPLOAD: &str = "upload";
/// Name in the journal of the deletion of an incomplete upload.
pub const DISCARD: &str = "discard_upload";
/// Name in the journal of the deletion of a server upload.
pub const DELETE_UPLOAD: &str = "delete_upload";

/// Name in the journal of the run of a backup plan.
pub const RUN_PLAN: &str = "run_plan";

/// Name in the journal of the receipt of a rehearsal.
pub const REHEARSE: &str = "rehearse";
/// Name of the parameter of a receipt for the identifier of the rehearsal.
pub const REHEARSAL: &str = "rehearsal";
/// Name of the parameter of a receipt for the site whose backup set was rehearsed.
pub const REHEARSED_SITE: &str = "rehearsedSite";

/// Name of a validation of data store items, which is not recorded.
pub const VALIDATE_ITEMS: &str = "validate_data_items";
/// Name of a search for the services that use data store items, which is not recorded.
pub const FIND_DATA_USE: &str = "find_data_use";
/// Name of another verification of an export file, which is not recorded.
pub const VERIFY_EXPORT: &str = "verify_export";

/// Kind of a history entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(untagged)]
pub enum HistoryKey {
    /// An operation.
    Operation(OperationKey),
    /// Another action that changed a site, its settings, or the access to it.
    Act(HistoryAction),
}

/// Action that is not an operation. All are recorded, except for checks, which change nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum HistoryAction {
    /// A read-only site was unlocked for 15 minutes.
    Unlock,
    /// A read-only site was locked before its unlock ended.
    Lock,
    /// A single webhook of a service was deactivated.
    DeactivateWebhook,
    /// Webhooks were reactivated.
    ReactivateWebhooks,
    /// A file was uploaded for an import.
    Upload,
    /// The parts of an incomplete upload were deleted from the server.
    DiscardUpload,
    /// A server upload was deleted from the server.
    DeleteUpload,
    /// A user signed in.
    SignIn,
    /// A user signed out.
    SignOut,
    /// A certificate was marked as trusted.
    TrustCertificate,
    /// A site was added.
    AddSite,
    /// The settings of a site were changed.
    ChangeSite,
    /// A site was removed.
    RemoveSite,
    /// The proxy or the certificate authority that applies to all sites without their own was changed.
    ChangeConnection,
    /// A file that the app could not start with was set aside.
    SetDataAside,
    /// A backup plan ran.
    RunPlan,
    /// A restore was rehearsed on a test site.
    Rehearse,
    /// Data store items were validated: a check.
    ValidateDataItems,
    /// The services that use data store items were determined: a check.
    FindDataUse,
    /// The file of a recorded export was verified again: a check.
    VerifyExport,
}

impl HistoryKey {
    /// Returns the key with this name in the journal; `None` for a name of a later version.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match HistoryAction::ALL.into_iter().find(|act| act.name() == name) {
            Some(act) => Some(Self::Act(act)),
            None => OperationKey::named(name).map(Self::Operation),
        }
    }

    /// Returns the name in the journal.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Operation(key) => key.name(),
            Self::Act(act) => act.name(),
        }
    }
}

impl HistoryAction {
    const ALL: [Self; 20] = [
        Self::Unlock,
        Self::Lock,
        Self::DeactivateWebhook,
        Self::ReactivateWebhooks,
        Self::Upload,
        Self::DiscardUpload,
        Self::DeleteUpload,
        Self::SignIn,
        Self::SignOut,
        Self::TrustCertificate,
        Self::AddSite,
        Self::ChangeSite,
        Self::RemoveSite,
        Self::ChangeConnection,
        Self::SetDataAside,
        Self::RunPlan,
        Self::Rehearse,
        Self::ValidateDataItems,
        Self::FindDataUse,
        Self::VerifyExport,
    ];

    /// Returns the name in the journal.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unlock => UNLOCK,
            Self::Lock => LOCK,
            Self::DeactivateWebhook => DEACTIVATE_ONE,
            Self::ReactivateWebhooks => REACTIVATE,
            Self::Upload => UPLOAD,
            Self::DiscardUpload => DISCARD,
            Self::DeleteUpload => DELETE_UPLOAD,
            Self::SignIn => "sign_in",
            Self::SignOut => "sign_out",
            Self::TrustCertificate => "trust_certificate",
            Self::AddSite => "add_site",
            Self::ChangeSite => "change_site",
            Self::RemoveSite => "remove_site",
            Self::ChangeConnection => "change_connection",
            Self::SetDataAside => "set_data_aside",
            Self::RunPlan => RUN_PLAN,
            Self::Rehearse => REHEARSE,
            Self::ValidateDataItems => VALIDATE_ITEMS,
            Self::FindDataUse => FIND_DATA_USE,
            Self::VerifyExport => VERIFY_EXPORT,
        }
    }

    /// Returns whether it is a check, which changes nothing and leaves no record.
    #[must_use]
    pub const fn is_check(self) -> bool {
        matches!(self, Self::ValidateDataItems | Self::FindDataUse | Self::VerifyExport)
    }
}
