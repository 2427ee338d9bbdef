//! Operation 5: data store item search.
//!
//! [`perform`] searches, and keeps the results in [`item_search`]. The window requests the rows that it shows. On
//! request, [`validation`] validates the items, and [`data_use`] finds the services that use them.

mod data_location;
mod data_of_services;
pub mod data_use;
mod form;
pub mod item_search;
mod item_validations;
pub mod validation;

pub use form::FindItemsForm;

use std::future;
use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use steward_journal::Outcome;

use crate::execution::{Execution, Response};
use crate::model::ids::{SiteId, Target};
use crate::model::numbers::Millis;
use crate::model::operation::{Operation, OperationKey};
use crate::model::problem::Problem;
use crate::model::run_result::RunResult;
use crate::operations::descriptor::Descriptor;
use crate::operations::find_items::item_search::{
    Arriving, Head, ItemQuery, ItemRows, ItemSearch, ItemSearchView, ItemSearches,
};
use crate::outcome_facts::Suggestion;
use crate::runs::{NewRun, RunStep};
use crate::site_context::SiteContext;
use crate::sites::Site;

/// Operation of this module.
pub const OPERATION: Operation = Operation::of(OperationKey::FindItems);

/// Descriptor of the operation.
pub(super) const DESCRIPTOR: Descriptor<FindItemsForm> = Descriptor {
    requests: |form, _, _| vec![form.request().request()],
    subject: &[],
    summary: |_| None,
    check_outcome: |_, _, _, _| future::ready(Ok(Suggestion::Unclear)).boxed(),
};

/// Rows to return with the result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FirstRows {
    /// Order and filter of the rows.
    pub query: ItemQuery,
    /// Maximum number of rows.
    pub most: u32,
    /// Whether only these rows are needed, as in a search of all servers of a site. The results then do not replace the
    /// last search of the server, and the filters are not added to its recent ones.
    pub apart: bool,
}

/// Result of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundItems {
    /// The search. Its results are kept in memory, unless [`FirstRows::apart`] was set.
    pub search: ItemSearchView,
    /// First rows, so that the window does not have to request them.
    pub first: ItemRows,
}

/// Returns the outcome of a run that checked `all` items or services, for the operations panel and the notification.
/// `good` of them are as they should be; for `unread` of them, the server returned nothing.
const fn outcome_of_reading(all: usize, good: usize, unread: usize) -> Outcome {
    match (good == all, unread == all) {
        (true, _) => Outcome::Succeeded,
        (false, true) => Outcome::Failed,
        (false, false) => Outcome::Warnings,
    }
}

/// Searches data store items, and keeps the results in memory. Leaves no record.
///
/// # Errors
/// - [`Problem::Form`] with [`FieldError::OneFilterNeeded`](crate::model::problem::FieldError::OneFilterNeeded) if no filter is set.
/// - [`Problem::NoResponse`] if no response was received.
/// - [`Problem::SignIn`] if the user signed in or out meanwhile.
/// - Those of [`Execution::admit`], [`Execution::connect`] and [`Execution::send`].
pub async fn perform(
    context: &SiteContext,
    searches: &ItemSearches,
    target: &Target,
    run: impl Into<NewRun>,
    form: FindItemsForm,
    first: FirstRows,
) -> Result<RunResult<FoundItems>, Problem> {
    let form = form.trimmed()?;
    let (saved, run) = Execution::admit(context, &OPERATION, target, run)?;
    let execution = match Execution::connect(context, &OPERATION, saved, run, None).await? {
        Response::Received(execution) => execution,
        Response::Missing(end) => return Ok(end),
    };
    if !first.apart {
        searches.recent_filters.note(&target.site, user_of(&execution.site), &form);
    }
    let is_apart = first.apart;
    let begun_as = context.access.turn(&execution.site);
    let mut arriving = Arriving::telling(|first| execution.run.step(RunStep::Arriving { first }));
    let read = |item: &str| {
        arriving.see(item);
        Head::of(item)
    };
    let (items, heads) = match execution.send(form.request().send(&execution.endpoint, read)).await? {
        Response::Received(found) => found,
        Response::Missing(end) => return Ok(end),
    };
    let at = Millis::now();
    let taken_up = tokio::task::spawn_blocking(move || {
        let search = ItemSearch::of(form, at, items, heads);
        let first = search.rows(&first.query, 0, first.most);
        (Arc::new(search), first)
    });
    let (search, first) =
        taken_up.await.map_err(|error| Problem::Unexpected { message: error.to_string() })?;
    // The results belong to the session that requested them.
    context.access.check_still_signed_in(&execution.site, begun_as)?;
    let found = FoundItems { search: search.view(), first };
    if found.search.gap.is_some() {
        execution.run.outcome(Outcome::Warnings, None);
    }
    let left = if is_apart { Some(search) } else { searches.keep(target, search) };
    drop(tokio::task::spawn_blocking(move || drop(left)));
    Ok(execution.done(found))
}

/// Returns the recent filters of the user who signed in last, newest first; none if the site is not saved.
#[must_use]
pub fn recent_filters(context: &SiteContext, searches: &ItemSearches, site: &SiteId) -> Vec<FindItemsForm> {
    let saved = context.access.sites.get(site);
    saved.map_or_else(|_| Vec::new(), |saved| searches.recent_filters.of(site, user_of(&saved)))
}

fn user_of(site: &Site) -> &str {
    site.username.as_deref().unwrap_or_default()
}
