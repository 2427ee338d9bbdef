//! Recent filters of each user of a site, offered for the next search. A search leaves no record in the history.

use std::collections::HashMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::files::JsonStore;
use crate::model::ids::SiteId;
use crate::operations::find_items::form::FindItemsForm;

/// Limit of the filters of a user.
const MOST: usize = 5;

/// Recent filters. Losing their file does no harm.
pub struct RecentFilters(JsonStore<HashMap<SiteId, Vec<Filter>>>);

#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Filter {
    /// Name of the user.
    #[serde(default)]
    username: String,
    #[serde(flatten)]
    form: FindItemsForm,
}

impl RecentFilters {
    /// Reads the stored filters.
    #[must_use]
    pub fn open(file: PathBuf) -> Self {
        Self(JsonStore::open(file))
    }

    /// Returns the filters of a user of a site, newest first.
    pub fn of(&self, site: &SiteId, username: &str) -> Vec<FindItemsForm> {
        self.0.read(|kept| {
            let of_site = kept.get(site).into_iter().flatten();
            of_site.filter(|one| one.username == username).map(|one| one.form.clone()).collect()
        })
    }

    /// Adds a filter as the newest of its user.
    pub fn note(&self, site: &SiteId, username: &str, form: &FindItemsForm) {
        let newest = Filter { username: username.to_owned(), form: form.clone() };
        self.0.change(|kept| {
            let of_site = kept.entry(site.clone()).or_default();
            of_site.retain(|other| *other != newest);
            of_site.insert(0, newest);
            let mut count = 0;
            of_site.retain(|one| {
                count += usize::from(one.username == username);
                one.username != username || count <= MOST
            });
        });
    }

    /// Removes the filters of a site.
    pub(super) fn forget(&self, site: &SiteId) {
        self.0.change(|kept| {
            kept.remove(site);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_filters_of_a_user_are_known_after_a_restart_each_once_and_to_nobody_else() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("item-filters.json");
        let site = |name: &str| SiteId(name.to_owned());
        let of_type = |types: &str| FindItemsForm { types: types.to_owned(), ..FindItemsForm::default() };
        let filters = RecentFilters::open(file.clone());
        for types in ["1", "2", "3", "4", "5", "6", "2"] {
            filters.note(&site("a"), "ana", &of_type(types));
        }

        let filters = RecentFilters::open(file.clone());
        assert_eq!(filters.of(&site("a"), "ana"), ["2", "6", "5", "4", "3"].map(of_type));
        assert!(filters.of(&site("a"), "ben").is_empty());
        assert!(filters.of(&site("b"), "ana").is_empty());

        filters.forget(&site("a"));
        assert!(RecentFilters::open(file.clone()).of(&site("a"), "ana").is_empty());

        std::fs::write(&file, "half a fi").unwrap();
        assert!(RecentFilters::open(file).of(&site("a"), "ana").is_empty());
    }
}
