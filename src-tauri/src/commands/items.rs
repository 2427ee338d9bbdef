//! What the window shows of a search for data store items.

use std::sync::Arc;

use tauri::State;

use crate::dialogs::Title;
use crate::host::Host;
use crate::item_searches::{self, ItemFormat, ItemQuery, ItemRows, ItemSearch, ItemSearchView, SearchId};
use crate::lap;
use crate::operations::find_items::FindItemsForm;
use crate::problem::Problem;
use crate::saving;
use crate::sites::SiteId;
use crate::views::data_item::{DataItem, NameValue};
use crate::views::numbers::Millis;
use crate::views::saved_file::Saving;

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
    let search = host.item_searches.get(&site, &search)?;
    let whole = search.clone();
    let rows = in_background(move || Ok(search.rows(&query, from, most))).await;
    // The window has drawn the first rows, and may be asked for another order, or for a filter.
    drop(tokio::task::spawn_blocking(move || whole.prepare()));
    rows
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
    details(&host, &site, &search, item).await
}

/// Everything of one item; on the guided lap, opening the right one is a step.
pub async fn details(host: &Host, site: &SiteId, search: &SearchId, item: u32) -> Result<DataItem, Problem> {
    let item = host.item_searches.get(site, search)?.item(item)?;
    lap::saw_item(host, site, &item).await;
    Ok(DataItem::of(&item))
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
    Ok(DataItem::secrets(&host.item_searches.get(&site, &search)?.item(item)?))
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
    save(&host, &site, &search, query, format).await
}

/// The saving itself.
pub async fn save(
    host: &Host,
    site: &SiteId,
    search: &SearchId,
    query: ItemQuery,
    format: ItemFormat,
) -> Result<Saving, Problem> {
    let search: Arc<ItemSearch> = host.item_searches.get(site, search)?;
    let site = host.sites.get(site)?.name;
    let name = saving::dated_name(&format!("{site} data items"), Millis::now(), format.extension());
    let Some(path) = host.dialogs.save_file(Title::SaveItems, &name).await? else {
        return Ok(Saving::Dismissed);
    };
    in_background(move || {
        let content = item_searches::save(&search, &query, format)?;
        Ok(saving::save(&path, &content))
    })
    .await
}

/// Work that keeps a processor busy, off the threads that answer the window.
async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|error| Problem::Unexpected { message: error.to_string() })??)
}
