//! The last run of a contact sheet, kept until the next: a page that is loaded again shows what came of each row.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use crate::batch::result::Several;
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::operations::update_participant::{UpdateParticipantForm, UpdateReport};

/// What was sent of a sheet, and what came of it.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ContactRun {
    /// When it ended.
    pub at: Millis,
    /// What was sent, in its order.
    pub forms: Vec<UpdateParticipantForm>,
    /// One end for each.
    pub report: Several<UpdateReport>,
}

/// The last run of each site.
#[derive(Default)]
pub struct ContactRuns(Mutex<HashMap<SiteId, ContactRun>>);

impl ContactRuns {
    /// Keeps a run, in the place of the one before.
    pub(crate) fn keep(&self, site: &SiteId, run: ContactRun) {
        self.held().insert(site.clone(), run);
    }

    /// The last run of a site.
    pub fn last(&self, site: &SiteId) -> Option<ContactRun> {
        self.held().get(site).cloned()
    }

    /// Lets go of what was done on a site.
    pub(crate) fn forget(&self, site: &SiteId) {
        self.held().remove(site);
    }

    fn held(&self) -> MutexGuard<'_, HashMap<SiteId, ContactRun>> {
        // Changed by single inserts and removals.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
