//! The last contacts file of each site, kept so that a reloaded page can show the result of each row.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use crate::batch::result::BatchResult;
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::operations::update_participant::form::{UpdateParticipantForm, UpdateReport};
use crate::sites::site_data::SiteData;

/// Updates that were sent from a contacts file, with their results.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ContactsBatch {
    /// Time when the batch ended.
    pub at: Millis,
    /// Updates, in the order in which they were sent.
    pub forms: Vec<UpdateParticipantForm>,
    /// Result of each update.
    pub report: BatchResult<UpdateReport>,
}

/// Last batch of each site.
#[derive(Default)]
pub struct ContactsBatches(Mutex<HashMap<SiteId, ContactsBatch>>);

impl ContactsBatches {
    /// Stores a batch, in place of the earlier one.
    pub(crate) fn keep(&self, site: &SiteId, run: ContactsBatch) {
        self.held().insert(site.clone(), run);
    }

    /// Returns the last batch of a site.
    pub fn last(&self, site: &SiteId) -> Option<ContactsBatch> {
        self.held().get(site).cloned()
    }

    fn held(&self) -> MutexGuard<'_, HashMap<SiteId, ContactsBatch>> {
        // Changed by single inserts and removals, so that a panic leaves it consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SiteData for ContactsBatches {
    fn session_changed(&self, site: &SiteId) {
        self.held().remove(site);
    }
}
