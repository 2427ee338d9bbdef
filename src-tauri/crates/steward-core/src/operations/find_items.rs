//! 5 Data store items.

pub mod item_search;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use steward_client::operations::find_items::FindItems;

use crate::execution::{Answer, History, Task};
use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::model::operation::Operation;
use crate::model::problem::{Fault, Problem};
use crate::model::run_result::Ended;
use crate::operations::find_items::item_search::{
    Arriving, Head, ItemQuery, ItemRows, ItemSearch, ItemSearchView,
};
use crate::runs::{RunId, RunStep};

/// Its descriptor.
pub const OPERATION: Operation = Operation::FIND_ITEMS;

/// The filters; at least one must be given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FindItemsForm {
    /// Items directly below this path.
    pub parent_path: String,
    /// Items anywhere below this path.
    pub ancestor_path: String,
    /// Item types, separated by commas.
    pub types: String,
    /// Identifier of an item.
    pub id: String,
    /// Whether the data store is managed by the system; `null` for any.
    pub is_managed: Option<bool>,
}

/// The rows that the window shows first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FirstRows {
    /// Of which, and in what order.
    pub query: ItemQuery,
    /// How many at most.
    pub most: u32,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundItems {
    /// The search, which is held.
    pub search: ItemSearchView,
    /// The rows that are shown first: asked for by themselves, they would come later.
    pub first: ItemRows,
}

/// The operation itself. What was found is held by the program, and the window asks for the rows that it shows.
pub async fn perform(
    host: &Host,
    site: &SiteId,
    run: RunId,
    form: FindItemsForm,
    first: FirstRows,
) -> Result<Ended<FoundItems>, Problem> {
    let form = form.trimmed()?;
    let task = match Task::begin(host, &OPERATION, site, run, History::Nothing).await? {
        Answer::Came(task) => task,
        Answer::Lost(end) => return Ok(end),
    };
    host.recent_filters.note(site, &form);
    let begun_as = host.turn(&task.site, OPERATION.area);
    let mut arriving = Arriving::telling(|first| task.run.step(RunStep::Arriving { first }));
    let read = |item: &str| {
        arriving.see(item);
        Head::of(item)
    };
    let (items, heads) = match task.answer(form.request().send(&task.area, read)).await? {
        Answer::Came(found) => found,
        Answer::Lost(end) => return Ok(end),
    };
    let at = Millis::now();
    let taken_up = tokio::task::spawn_blocking(move || {
        let search = ItemSearch::of(form, at, items, heads);
        let first = search.rows(&first.query, 0, first.most);
        (Arc::new(search), first)
    });
    let (search, first) =
        taken_up.await.map_err(|error| Problem::Unexpected { message: error.to_string() })?;
    // What was found for somebody who has signed out meanwhile is nobody's now.
    host.is_still_signed_in(&task.site, OPERATION.area, begun_as)?;
    let before = host.item_searches.keep(site, search.clone());
    let found = FoundItems { search: search.view(), first };
    drop(tokio::task::spawn_blocking(move || drop(before)));
    Ok(task.done(found))
}

impl FindItemsForm {
    /// As it is sent; at least one filter must be given.
    fn trimmed(self) -> Result<Self, Problem> {
        let form = Self {
            parent_path: self.parent_path.trim().to_owned(),
            ancestor_path: self.ancestor_path.trim().to_owned(),
            types: self.types.trim().to_owned(),
            id: self.id.trim().to_owned(),
            is_managed: self.is_managed,
        };
        // The specification: at least one filter must be defined for the operation to succeed.
        if form == Self::default() {
            return Err(Problem::form("parentPath", Fault::OneFilterNeeded));
        }
        Ok(form)
    }

    fn request(&self) -> FindItems {
        FindItems {
            parent_path: self.parent_path.clone(),
            ancestor_path: self.ancestor_path.clone(),
            types: self.types.clone(),
            id: self.id.clone(),
            is_managed: self.is_managed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_filter_nothing_is_sent() {
        let spaces = FindItemsForm { types: "  ".to_owned(), ..FindItemsForm::default() };
        let fault = Problem::form("parentPath", Fault::OneFilterNeeded);

        assert_eq!(FindItemsForm::default().trimmed().unwrap_err(), fault);
        assert_eq!(spaces.trimmed().unwrap_err(), fault);
    }

    #[test]
    fn one_filter_is_enough() {
        assert!(FindItemsForm { is_managed: Some(false), ..FindItemsForm::default() }.trimmed().is_ok());
        assert!(
            FindItemsForm { ancestor_path: "/".to_owned(), ..FindItemsForm::default() }.trimmed().is_ok()
        );
    }
}
