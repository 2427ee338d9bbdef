//! What the window shows of a search for data store items.

use std::sync::Arc;

use crate::files;
use crate::files::dialogs::Title;
use crate::history::guided_tour;
use crate::host::Host;
use crate::model::data_item::{DataItem, NameValue};
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::model::problem::Problem;
use crate::model::saved_file::Saving;
use crate::operations::find_items::item_search::{
    self, ItemFormat, ItemQuery, ItemRows, ItemSearch, SearchId,
};

/// Some rows of a search, from the `from`th that matches; never more than 500.
pub async fn item_rows(
    host: &Host,
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

/// Everything of one item; on the guided lap, opening the right one is a step.
pub async fn details(host: &Host, site: &SiteId, search: &SearchId, item: u32) -> Result<DataItem, Problem> {
    let item = host.item_searches.get(site, search)?.item(item)?;
    guided_tour::saw_item(host, site, &item).await;
    Ok(DataItem::of(&item))
}

/// The secrets of one item, for a person who asked to see those of this one.
pub fn reveal_item(
    host: &Host,
    site: &SiteId,
    search: &SearchId,
    item: u32,
) -> Result<Vec<NameValue>, Problem> {
    Ok(DataItem::secrets(&host.item_searches.get(site, search)?.item(item)?))
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
    let name = files::dated_name(&format!("{site} data items"), Millis::now(), format.extension());
    let Some(path) = host.dialogs.save_file(Title::SaveItems, &name).await? else {
        return Ok(Saving::Dismissed);
    };
    in_background(move || {
        let content = item_search::save(&search, &query, format)?;
        Ok(files::save(&path, &content))
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
