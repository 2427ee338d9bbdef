//! Backup plans: what is exported of a site, when, and where the backup sets are stored.

use std::path::{Path, PathBuf};

use jiff::{Span, ToSpan as _};
use serde::{Deserialize, Serialize};
use steward_core::model::ids::{PRACTICE, ServerId, SiteId};
use steward_core::model::numbers::Millis;
use steward_journal::Workstation;

use super::retention::KeepRules;
use super::schedule::Schedule;

/// Identifier of a backup plan.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct PlanId(pub String);

/// Identifier of a channel for alerts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct ChannelId(pub String);

/// Calendar period within which an export has to be rehearsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum RehearseEvery {
    /// Every month.
    Month,
    /// Every three months.
    Quarter,
}

impl RehearseEvery {
    pub(crate) fn span(self) -> Span {
        match self {
            Self::Month => 1.month(),
            Self::Quarter => 3.months(),
        }
    }
}

/// Backup plan of one site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct BackupPlan {
    /// Identifier.
    pub id: PlanId,
    /// Site.
    pub site: SiteId,
    /// Name, as the user entered it.
    pub name: String,
    /// Whether the plan runs by its schedule. A paused plan runs only on request.
    pub is_enabled: bool,
    /// Who paused the plan, and when; `null` if it is enabled, or if an earlier version paused it.
    #[serde(default)]
    pub paused: Option<Pause>,
    /// Time when the plan was enabled or its schedule was changed. Earlier times of the schedule do not count as
    /// missed.
    pub since: Millis,
    /// Time when the plan was enabled. The results of earlier runs do not count for its state.
    #[serde(default)]
    pub enabled_since: Millis,
    /// Parts, in the order in which they are exported.
    pub parts: Vec<PlanPart>,
    /// Days and times.
    pub schedule: Schedule,
    /// Folder of this computer for the sets.
    pub folder: PathBuf,
    /// Whether the stored file of a server is deleted after the copy on this computer was verified.
    pub delete_stored: bool,
    /// Rules by which sets are kept.
    pub keep: KeepRules,
    /// How often an export of each part has to be rehearsed; `null` for never.
    pub rehearse_every: Option<RehearseEvery>,
    /// Channels of its alerts, besides the desktop.
    pub alerts: Vec<ChannelId>,
    /// Whether its alerts include what changed on the site since an earlier run.
    #[serde(default)]
    pub tells_changes: bool,
}

/// Since when a plan is paused, and by whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Pause {
    /// Since when.
    pub since: Millis,
    /// Account of this computer that paused it.
    pub by: String,
}

impl Pause {
    /// Returns one that the account of this computer makes now.
    pub(crate) fn made_here(now: Millis) -> Self {
        Self { since: now, by: Workstation::this().user.clone() }
    }
}

#[cfg(test)]
impl BackupPlan {
    /// Returns a plan for tests, without parts and times.
    pub(crate) fn example() -> Self {
        Self {
            id: PlanId("nightly".to_owned()),
            site: SiteId("s".to_owned()),
            name: "Every night".to_owned(),
            is_enabled: true,
            paused: None,
            since: Millis(0),
            enabled_since: Millis(0),
            parts: Vec::new(),
            schedule: Schedule { days: Vec::new(), times: Vec::new(), skip_missed: false },
            folder: PathBuf::new(),
            delete_stored: false,
            keep: KeepRules::default(),
            rehearse_every: None,
            tells_changes: false,
            alerts: Vec::new(),
        }
    }
}

impl BackupPlan {
    /// Returns the servers that it exports.
    pub(crate) fn servers(&self) -> impl Iterator<Item = &ServerId> {
        self.parts.iter().filter_map(PlanPart::server)
    }

    /// Returns the folder of this computer where the file of its portal is seen; `None` if it is not.
    pub(crate) fn portal_seen_at(&self) -> Option<&Path> {
        self.parts.iter().find_map(|part| match part {
            PlanPart::Portal { seen_at, .. } => seen_at.as_deref(),
            PlanPart::Server { .. } => None,
        })
    }

    /// Returns the object storage of its portal; `None` if it has none.
    pub(crate) fn portal_store(&self) -> Option<&PortalStore> {
        self.parts.iter().find_map(|part| match part {
            PlanPart::Portal { store, .. } => store.as_ref(),
            PlanPart::Server { .. } => None,
        })
    }
}

/// Part of a site that a plan exports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PlanPart {
    /// The portal. Its file stays in a folder that the portal can write to, or in object storage.
    Portal {
        /// Path on the machine of the portal: folder for the export file, or for the pointer file.
        location: String,
        /// Path of the same folder on this computer, where the file is verified; `null` if this computer cannot access
        /// it, or if it has only the pointer file.
        seen_at: Option<PathBuf>,
        /// Object storage for the export; `null` if it is written to the folder.
        store: Option<PortalStore>,
    },
    /// A server, whose export is downloaded.
    Server {
        /// Identifier of the server.
        server: ServerId,
    },
}

impl PlanPart {
    /// Returns the server; `None` for the portal.
    pub(crate) const fn server(&self) -> Option<&ServerId> {
        match self {
            Self::Portal { .. } => None,
            Self::Server { server } => Some(server),
        }
    }
}

/// Object storage for the export of a portal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum PortalStore {
    /// A bucket.
    Bucket {
        /// Name of the bucket.
        bucket: String,
        /// Region of the bucket.
        region: String,
    },
    /// A blob container. The key of its account is in the keyring.
    Blob {
        /// URL of the container.
        container: String,
        /// Name of the account.
        account_name: String,
        /// Endpoint of the account.
        account_endpoint: String,
    },
}

/// Returns whether a plan runs by its schedule. The practice site runs only while the window is open.
#[must_use]
pub fn runs_by_schedule(plan: &BackupPlan) -> bool {
    plan.is_enabled && plan.site.0 != PRACTICE
}
