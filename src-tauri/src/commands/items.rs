//! What the window shows of a search for data store items.

use steward_core::host::Host;
use steward_core::model::data_item::{DataItem, NameValue};
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::Saving;
use steward_core::operations::find_items::FindItemsForm;
use steward_core::operations::find_items::item_search::{
    ItemFormat, ItemQuery, ItemRows, ItemSearchView, SearchId, rows,
};
use tauri::State;

/// The last search of a site; `null` when none is held.
#[tauri::command]
#[specta::specta]
#[must_use]
pub fn last_item_search(host: State<'_, Host>, site: SiteId) -> Option<ItemSearchView> {
    host.item_searches.last(&site).map(|search| search.view())
}

/// The filters that were used last on a site, newest first.
#[tauri::command]
#[specta::specta]
#[must_use]
pub fn recent_item_filters(host: State<'_, Host>, site: SiteId) -> Vec<FindItemsForm> {
    host.recent_filters.of(&site)
}

/// Some rows of a search, from the `from`th that matches; never more than 500.
#[tauri::command]
#[specta::specta]
pub async fn item_rows(
    host: State<'_, Host>,
    site: SiteId,
    search: SearchId,
    query: ItemQuery,
    from: u32,
    most: u32,
) -> Result<ItemRows, Problem> {
    rows::item_rows(&host, site, search, query, from, most).await
}

/// Everything the site said of one item, with secrets masked.
#[tauri::command]
#[specta::specta]
pub async fn item_details(
    host: State<'_, Host>,
    site: SiteId,
    search: SearchId,
    item: u32,
) -> Result<DataItem, Problem> {
    rows::details(&host, &site, &search, item).await
}

/// The secrets of one item, for a person who asked to see those of this one.
#[tauri::command]
#[specta::specta]
pub async fn reveal_item(
    host: State<'_, Host>,
    site: SiteId,
    search: SearchId,
    item: u32,
) -> Result<Vec<NameValue>, Problem> {
    rows::reveal_item(&host, &site, &search, item)
}

/// Saves the rows of a query where the person says, with secrets masked.
#[tauri::command]
#[specta::specta]
pub async fn save_items(
    host: State<'_, Host>,
    site: SiteId,
    search: SearchId,
    query: ItemQuery,
    format: ItemFormat,
) -> Result<Saving, Problem> {
    rows::save(&host, &site, &search, query, format).await
}
