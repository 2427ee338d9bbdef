//! Commands for the results of a data store item search.

use steward_command::command;
use steward_core::model::data_item::{DataStoreItem, NameValue};
use steward_core::model::ids::{SiteId, Target};
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::find_items::data_use::{DataUse, ItemUse, ServiceData};
use steward_core::operations::find_items::item_search::{
    ItemFormat, ItemQuery, ItemRows, ItemSearchView, SearchId, rows,
};
use steward_core::operations::find_items::validation::{ItemValidation, SearchValidation};
use steward_core::operations::find_items::{self, FindItemsForm, data_use, validation};
use steward_core::runs::{RunId, carry_out};

use super::{Program, Reply};

/// Returns the last search of a site; `null` if there is none in memory.
#[command]
pub(crate) fn last_item_search(steward: Program<'_>, target: Target) -> Option<ItemSearchView> {
    steward.item_searches.last(&target).map(|search| search.view())
}

/// Returns the recent filters of a site, newest first.
#[command]
pub(crate) fn recent_item_filters(steward: Program<'_>, site: SiteId) -> Vec<FindItemsForm> {
    find_items::recent_filters(&steward.context, &steward.item_searches, &site)
}

/// Returns up to `most` matching rows of a search (at most 500), starting at index `from`.
#[command]
pub(crate) async fn item_rows(
    steward: Program<'_>,
    target: Target,
    search: SearchId,
    query: ItemQuery,
    from: u32,
    most: u32,
) -> Reply<ItemRows> {
    rows::item_rows(&steward.item_searches, &target, search, query, from, most).await
}

/// Returns all values of one item, with secrets masked.
#[command]
pub(crate) async fn item_details(
    steward: Program<'_>,
    target: Target,
    search: SearchId,
    item: u32,
) -> Reply<DataStoreItem> {
    rows::details(&steward.item_searches, &steward.context.history, &steward.tour, &target, &search, item)
        .await
}

/// Returns the secrets of one item, for a user who reveals those of this item.
#[command]
pub(crate) async fn reveal_item(
    steward: Program<'_>,
    target: Target,
    search: SearchId,
    item: u32,
) -> Reply<Vec<NameValue>> {
    rows::reveal_item(&steward.item_searches, &target, &search, item)
}

/// Exports the rows of a query to a file that the user chooses, with secrets masked.
#[command]
pub(crate) async fn save_items(
    steward: Program<'_>,
    target: Target,
    search: SearchId,
    query: ItemQuery,
    format: ItemFormat,
) -> Reply<SaveResult> {
    rows::save(&steward.item_searches, &steward.context, &steward.dialogs, &target, &search, query, format)
        .await
}

/// Validates one item of a search, or all of them for `null`. Nothing is changed.
#[command]
pub(crate) async fn validate_items(
    steward: Program<'_>,
    target: Target,
    run: RunId,
    search: SearchId,
    item: Option<u32>,
) -> Reply<RunResult<SearchValidation>> {
    Ok(carry_out(run, |run| {
        validation::perform(&steward.context, &steward.item_searches, &target, run, &search, item)
    })
    .await)
}

/// Returns the last validations of the items of a search.
#[command]
pub(crate) async fn search_validation(
    steward: Program<'_>,
    target: Target,
    search: SearchId,
) -> Reply<SearchValidation> {
    validation::of_search(&steward.context, &steward.item_searches, &target, &search)
}

/// Returns the last validation of an item; `null` if it was not validated.
#[command]
pub(crate) async fn item_validation(
    steward: Program<'_>,
    target: Target,
    search: SearchId,
    item: u32,
) -> Reply<Option<ItemValidation>> {
    validation::of_item(&steward.context, &steward.item_searches, &target, &search, item)
}

/// Reads which data each service of the server uses. Nothing is changed.
#[command]
pub(crate) async fn find_data_use(
    steward: Program<'_>,
    target: Target,
    run: RunId,
) -> Reply<RunResult<DataUse>> {
    Ok(carry_out(run, |run| data_use::find(&steward.context, &steward.item_searches, &target, run)).await)
}

/// Returns the services that use an item; `null` if the data of the services was not read.
#[command]
pub(crate) async fn item_use(
    steward: Program<'_>,
    target: Target,
    search: SearchId,
    item: u32,
) -> Reply<Option<ItemUse>> {
    data_use::of_item(&steward.item_searches, &target, &search, item)
}

/// Returns the data store items that a service needs.
#[command]
pub(crate) async fn service_data(
    steward: Program<'_>,
    target: Target,
    service: String,
) -> Reply<ServiceData> {
    data_use::of_service(&steward.context.access, &steward.item_searches, &target, &service).await
}
