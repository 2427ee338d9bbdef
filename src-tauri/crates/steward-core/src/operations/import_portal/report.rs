//! Report of a portal import, as the window shows it and the record stores it.

use serde::{Deserialize, Serialize};

use super::safety_backup::PortalSafetyBackup;
use crate::inventory::portal::PortalInventory;
use crate::inventory::portal_comparison::PortalComparison;
use crate::model::site_proof::SiteProof;

/// Result of a portal import or of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PortalImportReport {
    /// Whether the file was only checked.
    pub check_only: bool,
    /// Whether the portal returned warnings.
    pub warned: bool,
    /// Warnings of the portal; might be empty although `warned` is set.
    pub messages: Vec<String>,
    /// Other fields of the responses, each with its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<String>,
    /// Safety backup to undo the import with; `null` if none was created.
    pub safety_backup: Option<PortalSafetyBackup>,
    /// Comparison with the export after the import; `null` if the portal was not counted, for example because its
    /// session ended.
    pub proof: Option<PortalProof>,
    /// Whether the site was back, by the last check after the import; left out while it is checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<SiteProof>,
}

/// Content of a portal after an import, with its comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PortalProof {
    /// Content of the portal.
    pub inventory: PortalInventory,
    /// Comparison with the export; `null` if its content is not known.
    pub comparison: Option<PortalComparison>,
}

impl PortalProof {
    /// Returns whether no number is known to differ from the export.
    pub(crate) fn is_as_exported(&self) -> bool {
        self.comparison.as_ref().is_none_or(PortalComparison::is_equal)
    }
}
