//! Rows and items of a search for the window.

use std::sync::Arc;

use steward_journal::trail::Event;

use super::ItemSearches;
use crate::files::dialogs::Title;
use crate::files::selected_paths::SelectedPaths;
use crate::files::{self, in_background};
use crate::history::guided_tour;
use crate::history::guided_tour::GuidedTour;
use crate::history::record::History;
use crate::model::data_item::{DataStoreItem, NameValue};
use crate::model::ids::Target;
use crate::model::numbers::Millis;
use crate::model::problem::Problem;
use crate::model::saved_file::SaveResult;
use crate::operations::find_items::item_search::{
    self, ItemFormat, ItemQuery, ItemRows, ItemSearch, SearchId,
};
use crate::site_context::SiteContext;

/// Returns up to `most` matching rows of a search (at most 500), starting at index `from`.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the search is no longer in memory.
/// - [`Problem::Unexpected`] if the search cannot be read.
pub async fn item_rows(
    searches: &ItemSearches,
    target: &Target,
    search: SearchId,
    query: ItemQuery,
    from: u32,
    most: u32,
) -> Result<ItemRows, Problem> {
    let search = searches.get(target, &search)?;
    let whole = search.clone();
    let rows = in_background(move || search.rows(&query, from, most)).await;
    // After the first rows, the user might choose another order or a filter.
    drop(tokio::task::spawn_blocking(move || whole.prepare()));
    rows
}

/// Returns one item with secrets masked. Opening the right item is a step of the guided tour.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the search is no longer in memory.
/// - [`Problem::Unexpected`] if there is no item at this index.
pub async fn details(
    searches: &ItemSearches,
    history: &History,
    tour: &GuidedTour,
    target: &Target,
    search: &SearchId,
    item: u32,
) -> Result<DataStoreItem, Problem> {
    let item = searches.get(target, search)?.item(item)?;
    guided_tour::saw_item(history, tour, &target.site, &item).await;
    Ok(DataStoreItem::of(&item))
}

/// Returns the secrets of one item, for a user who reveals those of this item.
///
/// # Errors
/// Those of [`details`].
pub fn reveal_item(
    searches: &ItemSearches,
    target: &Target,
    search: &SearchId,
    item: u32,
) -> Result<Vec<NameValue>, Problem> {
    Ok(DataStoreItem::secrets(&searches.get(target, search)?.item(item)?))
}

/// Exports the rows of a query to a file that the user chooses.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the search is no longer in memory.
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
/// - [`Problem::Unexpected`] if the site is not saved, or an item cannot be encoded.
pub async fn save(
    searches: &ItemSearches,
    context: &SiteContext,
    dialogs: &SelectedPaths,
    target: &Target,
    search: &SearchId,
    query: ItemQuery,
    format: ItemFormat,
) -> Result<SaveResult, Problem> {
    let search: Arc<ItemSearch> = searches.get(target, search)?;
    let site = context.access.sites.at(target)?;
    let name = files::dated_name(
        &format!("{} data store items", site.name_in_files()),
        Millis::now(),
        format.extension(),
    );
    let Some(path) = dialogs.save_file(Title::SaveItems, &name).await? else {
        return Ok(SaveResult::Dismissed);
    };
    let saving = in_background(move || {
        let content = item_search::save(&search, &query, format)?;
        anyhow::Ok(files::save(&path, &content))
    });
    let saved = saving.await??;
    if let SaveResult::Saved { file } = &saved {
        let (of, site_name, sha256) = (target.site.0.clone(), site.name.clone(), file.sha256.clone());
        context.history.append(Event::ItemsExported { site: of, site_name, sha256 }).await;
    }
    Ok(saved)
}
