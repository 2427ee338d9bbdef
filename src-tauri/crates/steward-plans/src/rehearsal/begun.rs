//! Rehearsals that were begun, one for each test site. They survive the end of the program.

use std::path::Path;

use serde::{Deserialize, Serialize};
use steward_core::files::JsonStore;
use steward_core::model::ids::{ServerId, SiteId};
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use steward_core::sites::site_data::SiteData;

use crate::plan::PlanId;

/// Name of the file with the rehearsals that were begun.
pub(crate) const REHEARSALS: &str = "rehearsals.json";

/// A rehearsal that was begun and has not ended. Its imports are in the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct BegunRehearsal {
    /// Identifier of the rehearsal, also in its receipt.
    pub id: String,
    /// Plan of the set.
    pub plan: PlanId,
    /// Folder name of the set.
    pub set: String,
    /// Test site.
    pub site: SiteId,
    /// Time when the rehearsal was begun.
    pub at: Millis,
    /// Pairs of servers: a server of the set, and the server of the test site that it is imported into.
    pub servers: Vec<(ServerId, ServerId)>,
    /// Parts that the user skipped; `null` for the portal.
    pub skipped: Vec<Option<ServerId>>,
}

/// The rehearsals that were begun.
pub struct Rehearsals(JsonStore<Vec<BegunRehearsal>>);

impl Rehearsals {
    /// Opens those of a data folder.
    #[must_use]
    pub fn open(data_folder: &Path) -> Self {
        Self(JsonStore::open(data_folder.join(REHEARSALS)))
    }

    /// Returns all of them.
    #[must_use]
    pub fn all(&self) -> Vec<BegunRehearsal> {
        self.0.get()
    }

    /// Returns that of a test site; `None` if none was begun.
    #[must_use]
    pub fn on(&self, site: &SiteId) -> Option<BegunRehearsal> {
        self.0.read(|all| all.iter().find(|one| one.site == *site).cloned())
    }

    /// Keeps a rehearsal that begins. One that was begun on the same site stays.
    ///
    /// # Errors
    /// [`Problem::File`] if it cannot be written.
    pub(super) fn begin(&self, begun: BegunRehearsal) -> Result<(), Problem> {
        self.0.try_change(|all| {
            if all.iter().all(|one| one.site != begun.site) {
                all.push(begun);
            }
            Ok(())
        })
    }

    /// Marks a part of the rehearsal on a site as skipped, or as not skipped.
    ///
    /// # Errors
    /// [`Problem::File`] if that cannot be written.
    pub fn skip(&self, site: &SiteId, server: Option<&ServerId>, is_skipped: bool) -> Result<(), Problem> {
        self.0.try_change(|all| {
            for one in all.iter_mut().filter(|one| one.site == *site) {
                one.skipped.retain(|skipped| skipped.as_ref() != server);
                one.skipped.extend(is_skipped.then(|| server.cloned()));
            }
            Ok(())
        })
    }

    /// Forgets a rehearsal. What was imported stays.
    ///
    /// # Errors
    /// [`Problem::File`] if that cannot be written.
    pub(super) fn end(&self, id: &str) -> Result<(), Problem> {
        self.0.try_change(|all| {
            all.retain(|one| one.id != id);
            Ok(())
        })
    }
}

impl SiteData for Rehearsals {
    fn site_removed(&self, site: &SiteId) {
        self.0.change(|all| all.retain(|one| one.site != *site));
    }
}
