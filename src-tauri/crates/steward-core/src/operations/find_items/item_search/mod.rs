//! What was found of data store items. The answer stays here, and the window asks for the rows it shows: a hundred
//! thousand items are more than a window should hold, and their secrets are not for it.
//!
//! The last search of each site is kept until the next one, until somebody signs in or out there, or the site is
//! changed or removed.

mod cached_search;
mod columns;
mod file;
mod first_rows;
mod partial_item;
mod recent_filters;
pub mod rows;

pub use cached_search::{ItemQuery, ItemRows, ItemSearch, ItemSearchView, SearchId, TypeCount};
pub use columns::ItemColumn;
pub use file::{ItemFormat, save};
pub use first_rows::Arriving;
pub use partial_item::Head;
pub use recent_filters::RecentFilters;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::model::ids::SiteId;
use crate::model::problem::{Declined, Problem};

/// The last search of each site.
#[derive(Default)]
pub struct ItemSearches(Mutex<HashMap<SiteId, Arc<ItemSearch>>>);

impl ItemSearches {
    /// Keeps a search, in the place of the one before.
    #[must_use = "to let go of a hundred thousand items takes a while"]
    pub fn keep(&self, site: &SiteId, search: Arc<ItemSearch>) -> Option<Arc<ItemSearch>> {
        self.held().insert(site.clone(), search)
    }

    /// The last search of a site.
    pub fn last(&self, site: &SiteId) -> Option<Arc<ItemSearch>> {
        self.held().get(site).cloned()
    }

    /// A search that the window shows.
    ///
    /// # Errors
    /// When it is not held any more.
    pub fn get(&self, site: &SiteId, search: &SearchId) -> Result<Arc<ItemSearch>, Problem> {
        let held = self.last(site).filter(|held| held.id() == search);
        held.ok_or_else(|| Problem::declined(Declined::SearchGone))
    }

    /// Lets go of what was found on a site.
    pub fn forget(&self, site: &SiteId) {
        self.held().remove(site);
    }

    fn held(&self) -> MutexGuard<'_, HashMap<SiteId, Arc<ItemSearch>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
