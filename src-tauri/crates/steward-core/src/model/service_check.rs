//! Whether the services of a server run, and the proof of an import, as shown in the window and stored in the history.

use serde::{Deserialize, Serialize};

use crate::model::numbers::Millis;

/// States of the services at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServiceCheck {
    /// Time of the check.
    pub checked_at: Millis,
    /// Services of all types.
    pub services: u32,
    /// Services that are set to run, and whose state is known.
    pub should_run: u32,
    /// Services of these that run.
    pub running: u32,
    /// Services of these that do not run.
    pub not_running: Vec<NotRunning>,
    /// Services whose state the server does not return.
    #[serde(default)]
    pub unknown: u32,
    /// Folders whose services the server does not list; `/` is the root folder.
    #[serde(default)]
    pub unlisted: Vec<String>,
}

/// Service that is set to run and does not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct NotRunning {
    /// Path, for example `Parcels/Zoning.MapServer`.
    pub service: String,
    /// State that it is in, as the server returns it.
    pub state: String,
}

/// Proof of an import: the services after it, compared with those before it and those of the export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportProof {
    /// Whether the services run; `null` if the server did not list them.
    pub check: Option<ServiceCheck>,
    /// Checks of the following minutes, the oldest first.
    pub later: Vec<ServiceCheck>,
    /// Services before the import; `null` if the server did not list them.
    pub services_before: Option<u32>,
    /// Services of the export that are not on the site; `null` if there is no inventory of the export.
    pub lost: Option<Vec<String>>,
}

impl ServiceCheck {
    /// Returns whether every service that is set to run was listed and runs.
    pub(crate) fn do_all_run(&self) -> bool {
        self.not_running.is_empty() && self.unlisted.is_empty()
    }
}

impl ImportProof {
    /// Returns the last check; `None` if there is none.
    pub(crate) fn last_check(&self) -> Option<&ServiceCheck> {
        self.later.last().or(self.check.as_ref())
    }
}
