//! The last filters of each site. A search changes nothing and leaves no record in the history, so what was asked for
//! is kept here, to be offered again.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::files;
use crate::model::ids::SiteId;
use crate::operations::find_items::FindItemsForm;

/// How many are kept for each site.
const MOST: usize = 5;

/// The last filters, in a file that only this person can read.
pub struct RecentFilters {
    file: PathBuf,
    kept: Mutex<HashMap<SiteId, Vec<FindItemsForm>>>,
}

impl RecentFilters {
    /// Reads what was kept. A file that cannot be read costs the convenience, and nothing else.
    #[must_use]
    pub fn open(file: PathBuf) -> Self {
        let read = std::fs::read(&file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Self { file, kept: Mutex::new(read.unwrap_or_default()) }
    }

    /// Those of a site, newest first.
    pub fn of(&self, site: &SiteId) -> Vec<FindItemsForm> {
        self.kept().get(site).cloned().unwrap_or_default()
    }

    /// Keeps what is asked for now.
    pub fn note(&self, site: &SiteId, form: &FindItemsForm) {
        let mut kept = self.kept();
        let of_site = kept.entry(site.clone()).or_default();
        if of_site.first() == Some(form) {
            return;
        }
        of_site.retain(|other| other != form);
        of_site.insert(0, form.clone());
        of_site.truncate(MOST);
        self.write(&kept);
    }

    /// Forgets those of a site that is removed.
    pub fn forget(&self, site: &SiteId) {
        let mut kept = self.kept();
        if kept.remove(site).is_some() {
            self.write(&kept);
        }
    }

    fn write(&self, kept: &HashMap<SiteId, Vec<FindItemsForm>>) {
        let written = serde_json::to_vec_pretty(kept)
            .map_err(std::io::Error::other)
            .and_then(|bytes| files::write_whole(&self.file, &bytes));
        if let Err(error) = written {
            tracing::warn!(%error, "the filters of a search could not be kept");
        }
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<SiteId, Vec<FindItemsForm>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_filters_of_a_site_are_known_after_a_restart_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("item-filters.json");
        let site = |name: &str| SiteId(name.to_owned());
        let of_type = |types: &str| FindItemsForm { types: types.to_owned(), ..FindItemsForm::default() };
        let filters = RecentFilters::open(file.clone());
        for types in ["1", "2", "3", "4", "5", "6", "2"] {
            filters.note(&site("a"), &of_type(types));
        }

        let filters = RecentFilters::open(file.clone());
        assert_eq!(filters.of(&site("a")), ["2", "6", "5", "4", "3"].map(of_type));
        assert!(filters.of(&site("b")).is_empty());

        filters.forget(&site("a"));
        assert!(RecentFilters::open(file.clone()).of(&site("a")).is_empty());

        std::fs::write(&file, "half a fi").unwrap();
        assert!(RecentFilters::open(file).of(&site("a")).is_empty());
    }
}
