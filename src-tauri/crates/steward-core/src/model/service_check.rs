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
    /// Number of services that are set to run, and whose state is known.
    pub should_run: u32,
    /// Number of these services that run.
    pub running: u32,
    /// Those of these services that do not run.
    pub not_running: Vec<NotRunning>,
    /// Services whose state the server does not return.
    #[serde(default)]
    pub unknown: u32,
    /// Folders whose services the server does not list; `/` is the root folder.
    #[serde(default)]
    pub unlisted: Vec<String>,
    /// Services that did not run at an earlier check, and whose state this check does not know; `null` if there are
    /// none. Set only in the check that the overview shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<EarlierCheck>,
}

/// Services that did not run at an earlier check, and whose state is not known since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct EarlierCheck {
    /// Time of that check.
    pub checked_at: Millis,
    /// Services that did not run.
    pub not_running: Vec<NotRunning>,
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
    /// Check of the services right after the import; `null` if the server did not list them.
    pub check: Option<ServiceCheck>,
    /// Checks in the minutes afterwards, the oldest first.
    pub later: Vec<ServiceCheck>,
    /// Number of services before the import; `null` if the server did not list them.
    pub services_before: Option<u32>,
    /// Paths of services of the export that are not on the site; `null` if there is no inventory of the export.
    pub lost: Option<Vec<String>>,
}

/// Largest number of services, and of folders, of a check that are stored for the overview. All facts of all sites
/// share a file, which one large server must not fill.
const KEPT: usize = 100;

impl ServiceCheck {
    /// Returns whether every service that is set to run was listed and runs, and the state of none is unknown.
    pub(crate) fn do_all_run(&self) -> bool {
        self.not_running.is_empty() && self.is_whole()
    }

    /// Returns whether every service was listed, and its state is known.
    pub const fn is_whole(&self) -> bool {
        self.unlisted.is_empty() && self.unknown == 0
    }

    /// Returns the number of services that should run and do not.
    pub const fn failed(&self) -> u32 {
        self.should_run.saturating_sub(self.running)
    }

    /// Returns the check with the first of its services and folders, for the overview.
    pub(crate) fn in_short(&self) -> Self {
        let first = |services: &[NotRunning]| services.iter().take(KEPT).cloned().collect();
        let folders = self.unlisted.iter().take(KEPT).cloned().collect();
        let earlier = self.earlier.clone();
        Self { not_running: first(&self.not_running), unlisted: folders, earlier, ..*self }
    }
}

impl ImportProof {
    /// Returns the number of services before the import, if the server lists none after it. `None` if the inventory of
    /// the export is known: `lost` then names what is missing.
    pub(crate) fn lost_all(&self) -> Option<u32> {
        self.lost_all_by(self.last_check()?)
    }

    /// Returns the same as [`lost_all`](Self::lost_all), by `check` in place of the last check.
    pub(crate) fn lost_all_by(&self, check: &ServiceCheck) -> Option<u32> {
        let lists_none = check.services == 0 && check.unlisted.is_empty();
        let is_unexpected = self.lost.is_none() && lists_none;
        self.services_before.filter(|before| *before > 0 && is_unexpected)
    }

    /// Returns the last check; `None` if there is none.
    pub(crate) fn last_check(&self) -> Option<&ServiceCheck> {
        self.later.last().or(self.check.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none_listed(unlisted: &[&str]) -> ServiceCheck {
        ServiceCheck {
            checked_at: Millis(1),
            services: 0,
            should_run: 0,
            running: 0,
            not_running: Vec::new(),
            unknown: 0,
            unlisted: unlisted.iter().map(|&folder| folder.to_owned()).collect(),
            earlier: None,
        }
    }

    #[test]
    fn a_server_without_services_after_an_import_of_an_export_that_is_not_known_lost_all() {
        let proof = |before, check, lost: Option<&[&str]>| ImportProof {
            check: Some(check),
            later: Vec::new(),
            services_before: before,
            lost: lost.map(|lost| lost.iter().map(|&path| path.to_owned()).collect()),
        };
        assert_eq!(proof(Some(16), none_listed(&[]), None).lost_all(), Some(16));
        assert_eq!(proof(Some(16), none_listed(&[]), Some(&[])).lost_all(), None, "the export had none");
        assert_eq!(proof(Some(16), none_listed(&["/"]), None).lost_all(), None, "they are not listed");
        assert_eq!(proof(Some(0), none_listed(&[]), None).lost_all(), None);
        assert_eq!(proof(None, none_listed(&[]), None).lost_all(), None);
    }

    #[test]
    fn of_very_many_services_that_do_not_run_the_first_are_kept_and_all_are_counted() {
        let service = NotRunning { service: "Zoning.MapServer".to_owned(), state: "FAILED".to_owned() };
        let check = ServiceCheck {
            checked_at: Millis(1),
            services: 50_000,
            should_run: 40_000,
            running: 10_000,
            not_running: vec![service; 30_000],
            unknown: 0,
            unlisted: vec!["Water".to_owned(); 20_000],
            earlier: None,
        };

        let short = check.in_short();

        assert_eq!((short.not_running.len(), short.unlisted.len()), (KEPT, KEPT));
        assert_eq!((short.failed(), check.failed()), (30_000, 30_000));
    }
}
