//! The last search of each server, and what is stored beside it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cached_search::{ItemSearch, SearchId};
use super::recent_filters::RecentFilters;
use crate::model::ids::{SiteId, Target};
use crate::model::problem::{PreconditionFailure, Problem};
use crate::operations::find_items::data_of_services::DataOfServices;
use crate::operations::find_items::item_validations::ItemValidations;
use crate::sites::site_data::SiteData;

/// The last search, the data of the services, and the last validations of each server, and the recent filters of each
/// site.
pub struct ItemSearches {
    last: Mutex<HashMap<Target, Arc<ItemSearch>>>,
    data_use: Mutex<HashMap<Target, Arc<DataOfServices>>>,
    /// Recent filters.
    pub recent_filters: RecentFilters,
    /// Last validations of the items. The checks of whether a site is back add theirs.
    pub validations: Arc<ItemValidations>,
}

impl ItemSearches {
    /// Reads the recent filters and the last validations from their files; there are no results yet.
    #[must_use]
    pub fn open(recent_filters: PathBuf, validations: PathBuf) -> Self {
        Self {
            last: Mutex::default(),
            data_use: Mutex::default(),
            recent_filters: RecentFilters::open(recent_filters),
            validations: Arc::new(ItemValidations::open(validations)),
        }
    }

    /// Stores a search, and returns the earlier one.
    #[must_use = "to let go of a hundred thousand items takes a while"]
    pub fn keep(&self, target: &Target, search: Arc<ItemSearch>) -> Option<Arc<ItemSearch>> {
        self.held().insert(target.clone(), search)
    }

    /// Returns the last search of a server.
    pub fn last(&self, target: &Target) -> Option<Arc<ItemSearch>> {
        self.held().get(target).cloned()
    }

    /// Returns a search by its identifier.
    ///
    /// # Errors
    /// [`Problem::PreconditionFailed`] with [`PreconditionFailure::SearchGone`] if it is not the last search of the
    /// server.
    pub fn get(&self, target: &Target, search: &SearchId) -> Result<Arc<ItemSearch>, Problem> {
        let held = self.last(target).filter(|held| held.id() == search);
        held.ok_or_else(|| Problem::precondition_failed(PreconditionFailure::SearchGone))
    }

    /// Stores the data of the services of a server.
    pub(in crate::operations::find_items) fn keep_data_use(&self, target: &Target, data: DataOfServices) {
        locked(&self.data_use).insert(target.clone(), Arc::new(data));
    }

    /// Returns the data of the services of a server, if it was read.
    pub(in crate::operations::find_items) fn data_use(&self, target: &Target) -> Option<Arc<DataOfServices>> {
        locked(&self.data_use).get(target).cloned()
    }

    fn held(&self) -> MutexGuard<'_, HashMap<Target, Arc<ItemSearch>>> {
        locked(&self.last)
    }
}

impl SiteData for ItemSearches {
    fn session_changed(&self, site: &SiteId) {
        self.held().retain(|target, _| target.site != *site);
        locked(&self.data_use).retain(|target, _| target.site != *site);
    }

    fn site_removed(&self, site: &SiteId) {
        self.recent_filters.forget(site);
        self.validations.forget(site);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
