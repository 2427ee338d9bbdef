//! Last validations of the items of each server, stored with their times.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::item_search::ItemSearch;
use crate::files::JsonStore;
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;

/// Limit of the items that are named because they are not valid.
const MOST_NAMED: usize = 100;

/// Last validation of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ItemValidation {
    /// Path of the item.
    pub path: String,
    /// Time of the response.
    pub at: Millis,
    /// Result of the validation.
    pub verdict: Verdict,
    /// Reasons, as returned by the server or the library.
    pub reasons: Vec<String>,
    /// States of its machines; empty for an item that the system does not manage.
    pub machines: Vec<MachineState>,
    /// Time when it was valid for the last time; `null` if it never was.
    pub valid_at: Option<Millis>,
}

/// Result of the validation of an item, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// The server can use the data.
    Valid,
    /// The server can use the data, and returned a warning.
    Warnings,
    /// The server returned no result: it does not support the validation of this item, or not for this user, its check
    /// failed, or it returned an unknown state.
    NotValidated,
    /// The server cannot use the data, or a machine is not healthy.
    Invalid,
}

/// State of a machine of a data store. Texts are as returned by the server, and may be empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct MachineState {
    /// Host name of the machine.
    pub name: String,
    /// Health, for example `Healthy`.
    pub health: String,
    /// State, for example `Started`.
    pub status: String,
}

/// Last validations of the items of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchValidation {
    /// Time of the newest validation; `null` if no item was validated.
    pub at: Option<Millis>,
    /// Number of valid items.
    pub valid: u32,
    /// Number of items that are valid with a warning.
    pub warnings: u32,
    /// Number of invalid items.
    pub invalid: u32,
    /// Number of items without a result.
    pub not_validated: u32,
    /// Items that are not valid, have a warning, or could not be validated, at most 100.
    pub named: Vec<ItemValidation>,
}

/// Last validations, by site, server with its URL, and path. Losing their file does no harm. If the file would be larger than its
/// limit, the oldest validations are removed.
pub struct ItemValidations(JsonStore<Kept>);

type Kept = HashMap<SiteId, HashMap<String, ByPath>>;

/// Validations of the items of a server, by path.
type ByPath = BTreeMap<String, ItemValidation>;

impl ItemValidations {
    /// Reads the stored validations.
    #[must_use]
    pub fn open(file: PathBuf) -> Self {
        Self(JsonStore::open(file))
    }

    /// Returns the last validation of an item; `None` if there is none.
    #[must_use]
    pub fn of_item(&self, site: &SiteId, server: &str, path: &str) -> Option<ItemValidation> {
        self.0.read(|kept| of_server(kept, site, server)?.get(path).cloned())
    }

    /// Stores validations in place of earlier ones of the same items. Of two with one path, the worse one is stored.
    pub(crate) fn keep(&self, site: &SiteId, server: &str, mut results: Vec<ItemValidation>) {
        let add = |kept: &mut Kept| {
            let of_server = kept.entry(site.clone()).or_default().entry(server.to_owned()).or_default();
            // Two items can have one path: what is wrong with one of them must be seen.
            results.sort_by_key(|one| Reverse(one.verdict));
            let mut paths = BTreeSet::new();
            results.retain(|one| paths.insert(one.path.clone()));
            for mut result in results {
                let before = of_server.get(&result.path).and_then(|before| before.valid_at);
                result.valid_at = result.valid_at.or(before);
                of_server.insert(result.path.clone(), result);
            }
        };
        self.0.update_within_limit(add, remove_older_half);
    }

    /// Removes the validations of a site.
    pub fn forget(&self, site: &SiteId) {
        if self.0.read(|kept| kept.contains_key(site)) {
            self.0.update(|kept| {
                kept.remove(site);
            });
        }
    }

    pub(super) fn of_search(&self, site: &SiteId, server: &str, search: &ItemSearch) -> SearchValidation {
        let nothing = SearchValidation {
            at: None,
            valid: 0,
            warnings: 0,
            invalid: 0,
            not_validated: 0,
            named: Vec::new(),
        };
        self.0.read(|kept| match of_server(kept, site, server) {
            Some(kept) => summary(kept, search, nothing),
            None => nothing,
        })
    }
}

/// Returns the validations of a server. Earlier versions stored them by its identifier alone.
fn of_server<'k>(kept: &'k Kept, site: &SiteId, server: &str) -> Option<&'k ByPath> {
    let of_site = kept.get(site)?;
    of_site.get(server).or_else(|| of_site.get(server.split(' ').next()?))
}

/// Removes the older half of all validations.
fn remove_older_half(kept: &mut Kept) {
    let all = || kept.values().flat_map(HashMap::values).flat_map(BTreeMap::values);
    let mut times: Vec<Millis> = all().map(|one| one.at).collect();
    times.sort_unstable();
    let Some(newest_removed) = times.len().checked_sub(1).map(|last| times[last / 2]) else { return };
    for of_site in kept.values_mut() {
        for of_server in of_site.values_mut() {
            of_server.retain(|_, one| one.at > newest_removed);
        }
    }
}

/// Adds the validations of the items of a search to `all`.
fn summary(kept: &ByPath, search: &ItemSearch, mut all: SearchValidation) -> SearchValidation {
    // Two items can have one path.
    let paths: BTreeSet<&str> = search.paths().collect();
    let mut named = Vec::new();
    for one in paths.into_iter().filter_map(|path| kept.get(path)) {
        all.at = all.at.max(Some(one.at));
        match one.verdict {
            Verdict::Valid => all.valid += 1,
            Verdict::Warnings => all.warnings += 1,
            Verdict::Invalid => all.invalid += 1,
            Verdict::NotValidated => all.not_validated += 1,
        }
        if one.verdict != Verdict::Valid {
            named.push(one);
        }
    }
    // The worst first, each in the order of their paths.
    named.sort_by_key(|one| Reverse(one.verdict));
    all.named = named.into_iter().take(MOST_NAMED).cloned().collect();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn validation(path: &str, at: i64, reason: &str) -> ItemValidation {
        ItemValidation {
            path: path.to_owned(),
            at: Millis(at),
            verdict: Verdict::Invalid,
            reasons: vec![reason.to_owned()],
            machines: Vec::new(),
            valid_at: None,
        }
    }

    #[test]
    fn of_two_items_with_one_path_the_worse_result_is_kept_in_either_order() {
        let folder = tempfile::tempdir().unwrap();
        let validations = ItemValidations::open(folder.path().join("item-validations.json"));
        let (site, server) = (SiteId("a".to_owned()), "b");
        let invalid = validation("/x/y", 1, "no such host");
        let valid = ItemValidation { verdict: Verdict::Valid, valid_at: Some(Millis(1)), ..invalid.clone() };

        for both in [vec![invalid.clone(), valid.clone()], vec![valid, invalid.clone()]] {
            validations.keep(&site, server, both);

            assert_eq!(validations.of_item(&site, server, "/x/y"), Some(invalid.clone()));
        }
    }

    #[test]
    fn validations_that_outgrow_their_file_lose_the_oldest_and_not_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("item-validations.json");
        let (site, server) = (SiteId("a".to_owned()), "b");
        let opened = || ItemValidations(JsonStore::open_within(file.clone(), 20_000));
        let validations = opened();
        let long = "x".repeat(500);

        for at in 0..100 {
            validations.keep(&site, server, vec![validation(&format!("/x/{at:03}"), at, &long)]);
        }

        for validations in [validations, opened()] {
            let is_kept = |at: i64| validations.of_item(&site, server, &format!("/x/{at:03}")).is_some();
            assert!(is_kept(99) && !is_kept(0));
            let first = (0..100).find(|at| is_kept(*at)).unwrap();
            assert!((first..100).all(is_kept) && first < 90, "from {first}");
        }
        let too_long = vec![validation("/x/y", 100, &"x".repeat(30_000))];
        opened().keep(&site, server, too_long);
        drop(opened());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "the file could be read each time");
    }
}
