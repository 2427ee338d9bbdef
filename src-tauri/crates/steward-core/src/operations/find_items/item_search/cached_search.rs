//! A search with its results in memory: the items as returned by the site, and their rows.
//!
//! [`ItemSearch::rows`] returns rows in any order and with any filter.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use steward_client::RawList;
use steward_client::listing::Gap;

use super::columns::{self, ItemColumn};
use super::partial_item::Head;
use crate::model::item_row::ItemRow;
use crate::model::numbers::{Millis, count};
use crate::model::problem::Problem;
use crate::model::type_count::TypeCount;
use crate::operations::find_items::form::FindItemsForm;

/// Identifier of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct SearchId(pub String);

/// A search, as shown in the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ItemSearchView {
    /// Identifier of the search.
    pub id: SearchId,
    /// Filters of the search.
    pub form: FindItemsForm,
    /// Time of the response.
    pub at: Millis,
    /// Number of returned items.
    pub total: u32,
    /// Gap in the items of the server; `null` if it returned all.
    pub gap: Option<Gap>,
    /// Types of the items, the most frequent first, at most 200.
    pub types: Vec<TypeCount>,
}

/// Order and filter of rows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ItemQuery {
    /// Column to order by.
    pub column: ItemColumn,
    /// Whether the order is descending. Missing values come last in either direction.
    pub descending: bool,
    /// Texts that must all occur in a row, ignoring case and accents. Empty for all rows.
    pub filter: String,
    /// Only items of this type; `null` for all.
    pub r#type: Option<String>,
}

/// Rows of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ItemRows {
    /// Number of rows that match the query.
    pub matching: u32,
    /// Requested rows, in the order of the query.
    pub rows: Vec<ItemRow>,
}

/// Limit of the rows that are returned at a time.
const MOST_ROWS: u32 = 500;

/// Limit of the types. A site usually has a dozen.
const MOST_TYPES: usize = 200;

type Places = Arc<Vec<u32>>;

/// A search with its results in memory.
pub struct ItemSearch {
    view: ItemSearchView,
    /// Items as returned by the site, including secrets. As text they take a fraction of the memory of parsed values.
    items: RawList,
    heads: Vec<Head>,
    rows: OnceLock<Vec<ItemRow>>,
    searchable: OnceLock<Vec<String>>,
    orders: Mutex<HashMap<(ItemColumn, bool), Places>>,
    latest: Mutex<Option<(ItemQuery, Places)>>,
}

impl ItemSearch {
    /// Creates a search from the items of a response and the [`Head`] of each.
    #[must_use]
    pub fn of(form: FindItemsForm, at: Millis, items: RawList, heads: Vec<Head>) -> Self {
        let mut types = BTreeMap::<&str, u32>::new();
        for head in &heads {
            *types.entry(&head.r#type).or_default() += 1;
        }
        let mut types: Vec<_> =
            types.into_iter().map(|(name, count)| TypeCount { r#type: name.to_owned(), count }).collect();
        types.sort_by_key(|one| std::cmp::Reverse(one.count));
        types.truncate(MOST_TYPES);
        let id = SearchId(uuid::Uuid::new_v4().to_string());
        let (total, gap) = (count(items.len()), Gap::of_list(&items));
        Self {
            view: ItemSearchView { id, form, at, total, gap, types },
            items,
            heads,
            rows: OnceLock::new(),
            searchable: OnceLock::new(),
            orders: Mutex::default(),
            latest: Mutex::default(),
        }
    }

    /// Returns the identifier.
    #[must_use]
    pub const fn id(&self) -> &SearchId {
        &self.view.id
    }

    /// Returns the search for the window.
    #[must_use]
    pub fn view(&self) -> ItemSearchView {
        self.view.clone()
    }

    /// Returns an item as returned by the site, including secrets.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if there is no item at this index.
    pub fn item(&self, place: u32) -> Result<Value, Problem> {
        let item = self.items.get(place as usize);
        item.and_then(|item| serde_json::from_str(item).ok())
            .ok_or_else(|| Problem::Unexpected { message: format!("the search has no item {place}") })
    }

    /// Returns the text of an item as returned by the site, including secrets. `None` if there is no item at this
    /// index.
    pub(in crate::operations::find_items) fn text(&self, place: u32) -> Option<&str> {
        self.items.get(place as usize)
    }

    /// Returns the paths of all items.
    pub(in crate::operations::find_items) fn paths(&self) -> impl Iterator<Item = &str> {
        self.all_rows().iter().map(|row| row.path.as_str())
    }

    /// Returns up to `most` matching rows (at most 500), starting at index `from`.
    #[must_use]
    pub fn rows(&self, query: &ItemQuery, from: u32, most: u32) -> ItemRows {
        let matching = self.matching(query);
        let wanted = matching.iter().skip(from as usize).take(most.min(MOST_ROWS) as usize);
        let rows = wanted.filter_map(|place| self.row(*place)).collect();
        ItemRows { matching: count(matching.len()), rows }
    }

    /// Returns all matching rows, in order.
    pub(super) fn all<'a>(&'a self, query: &ItemQuery) -> impl Iterator<Item = &'a ItemRow> + use<'a> {
        let (matching, rows) = (self.matching(query), self.all_rows());
        (0..matching.len()).filter_map(move |one| rows.get(*matching.get(one)? as usize))
    }

    /// Reads all rows, so that the first filter and the first other order are fast.
    pub fn prepare(&self) {
        self.searchable();
    }

    fn matching(&self, query: &ItemQuery) -> Places {
        // The window often requests the next rows of the same query.
        if let Some((before, places)) = &*locked(&self.latest)
            && before == query
        {
            return places.clone();
        }
        let places = self.find(query);
        *locked(&self.latest) = Some((query.clone(), places.clone()));
        places
    }

    fn find(&self, query: &ItemQuery) -> Places {
        let order = self.order(query.column, query.descending);
        let filter = columns::folded(&query.filter);
        let words: Vec<&str> = filter.split_whitespace().collect();
        if words.is_empty() && query.r#type.is_none() {
            return order;
        }
        let searchable = if words.is_empty() { &[][..] } else { self.searchable() };
        let matches = |place: &u32| {
            let place = *place as usize;
            let is_of_type = query
                .r#type
                .as_ref()
                .is_none_or(|wanted| self.heads.get(place).is_some_and(|head| &head.r#type == wanted));
            is_of_type
                && (words.is_empty()
                    || searchable.get(place).is_some_and(|text| words.iter().all(|word| text.contains(word))))
        };
        Arc::new(order.iter().copied().filter(matches).collect())
    }

    fn searchable(&self) -> &[String] {
        self.searchable.get_or_init(|| self.all_rows().iter().map(columns::searchable).collect())
    }

    /// Returns one row. The first requested rows are read individually, so that they are available early.
    fn row(&self, place: u32) -> Option<ItemRow> {
        match self.rows.get() {
            Some(rows) => rows.get(place as usize).cloned(),
            None => Some(ItemRow::of(place, self.items.get(place as usize)?)),
        }
    }

    fn all_rows(&self) -> &[ItemRow] {
        let read = |place| Some(ItemRow::of(place, self.items.get(place as usize)?));
        self.rows.get_or_init(|| (0..self.view.total).filter_map(read).collect())
    }

    /// Returns all indexes in the order of a column. Equal values keep the order of the site, in either direction.
    fn order(&self, column: ItemColumn, descending: bool) -> Places {
        // Keep the lock: a concurrent request for the same order then reuses it.
        let mut orders = locked(&self.orders);
        if let Some(order) = orders.get(&(column, descending)) {
            return order.clone();
        }
        let keys: Vec<Option<Cow<'_, [u8]>>> = match column {
            ItemColumn::Path => self.heads.iter().map(|head| head.path.as_deref().map(Cow::from)).collect(),
            _ => self.all_rows().iter().map(|row| column.key(row).map(Cow::from)).collect(),
        };
        let keyed = keys.into_iter().zip(0..);
        let (mut said, unsaid): (Vec<_>, Vec<_>) = keyed.partition(|(key, _)| key.is_some());
        // Stable, because all indexes differ.
        said.sort_unstable_by(|(one, at), (other, place)| {
            let ordered = if descending { other.cmp(one) } else { one.cmp(other) };
            ordered.then(at.cmp(place))
        });
        let order: Places = Arc::new(said.into_iter().chain(unsaid).map(|(_, place)| place).collect());
        orders.insert((column, descending), order.clone());
        order
    }
}

#[cfg(test)]
impl ItemSearch {
    /// Creates a search from a JSON list.
    pub(super) fn of_list(items: &str) -> Self {
        let items = RawList::read(items.to_owned()).unwrap();
        let heads = (0..items.len()).map(|place| Head::of(items.get(place).unwrap()).unwrap()).collect();
        Self::of(FindItemsForm::default(), Millis(0), items, heads)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Code that can panic only reads, so the content is consistent.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "cached_search_tests.rs"]
mod tests;
