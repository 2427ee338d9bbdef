//! Lists that were last read from each site. A request has only identifiers; its record has the names too.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::model::ids::SiteId;

/// Identifier of a collaboration, and of a participant or invitation in it.
pub(crate) type ListedKey = [String; 2];

/// A participant as it was listed.
#[derive(Debug, Clone)]
pub(crate) struct ListedParticipant {
    /// Name of the participating portal.
    pub(crate) name: String,
    /// Name of the collaboration.
    pub(crate) collaboration: String,
    /// First name, last name and email address of the contact person; empty if there is none.
    pub(crate) contact: [String; 3],
}

/// An invitation as it was listed.
#[derive(Debug, Clone)]
pub(crate) struct ListedInvitation {
    /// URL of the invited portal.
    pub(crate) guest: String,
    /// Name of the collaboration.
    pub(crate) collaboration: String,
    /// When it ended, as the portal returned it.
    pub(crate) expiration: Option<i64>,
}

/// The last list of each site.
pub(crate) struct Listed<T>(Mutex<HashMap<SiteId, HashMap<ListedKey, T>>>);

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Clone> Listed<T> {
    /// Stores a list, in place of the earlier one.
    pub(crate) fn replace(&self, site: &SiteId, list: impl IntoIterator<Item = (ListedKey, T)>) {
        let list = list.into_iter().collect();
        self.lists().insert(site.clone(), list);
    }

    /// Returns an entry; `None` if it was not listed since its last change.
    pub(crate) fn get(&self, site: &SiteId, collaboration: &str, id: &str) -> Option<T> {
        self.lists().get(site)?.get(&[collaboration.to_owned(), id.to_owned()]).cloned()
    }

    /// Removes an entry that was changed.
    pub(crate) fn remove(&self, site: &SiteId, collaboration: &str, id: &str) {
        if let Some(list) = self.lists().get_mut(site) {
            list.remove(&[collaboration.to_owned(), id.to_owned()]);
        }
    }

    /// Removes the list of a site.
    pub(crate) fn forget(&self, site: &SiteId) {
        self.lists().remove(site);
    }

    fn lists(&self) -> MutexGuard<'_, HashMap<SiteId, HashMap<ListedKey, T>>> {
        // Changed by single inserts and removals, so that a panic leaves it consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
