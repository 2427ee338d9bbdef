//! Use of data: the services that use a data store item, and the items that a service needs, as far as the server
//! returns it.
//!
//! The manifest of a service names its databases and folders. [`find`] reads the manifests of all services, one request
//! for each, and keeps the result in memory; [`of_item`] searches the result for an item. [`of_service`] reads one
//! manifest.

use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Serialize;
use serde_json::Value;
use steward_client::listing::{self, Gap, ServiceName, UnlistedFolder};
use steward_client::operations::find_items::FindItems;
use steward_client::{ClientError, Endpoint, shown};

use super::data_location::{Covers, DataLocation};
use super::data_of_services::{DataOfServices, best};
pub use super::data_of_services::{DataUse, UnreadService};
use super::item_search::{ItemSearches, SearchId};
use super::item_validations::ItemValidation;
use super::validation::{AT_ONCE, server_of};
use super::{OPERATION, outcome_of_reading};
use crate::access::Access;
use crate::execution::{Execution, Response};
use crate::model::data_item::DataStoreItem;
use crate::model::history_key::HistoryAction;
use crate::model::ids::Target;
use crate::model::numbers::{Millis, count};
use crate::model::problem::{Problem, without_secrets};
use crate::model::run_result::RunResult;
use crate::runs::{NewRun, RunStep};
use crate::site_context::SiteContext;

/// Limit of the services that are named because their data could not be read.
const MOST_NAMED: usize = 100;

/// Limit of the databases of one service that are compared with items.
const MOST_DATABASES: usize = 1000;

/// Services that use an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ItemUse {
    /// Paths of the services. `null` if the item has no location that a manifest could name.
    pub services: Option<Vec<String>>,
    /// Paths of services that might use the item: their manifests name a host or a database in another way.
    pub perhaps: Vec<String>,
    /// Summary of the data of all services, in which the item was searched for.
    pub all: DataUse,
}

/// Data store items that a service needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServiceData {
    /// Time of the response.
    pub at: Millis,
    /// Items that contain its data.
    pub items: Vec<NeededItem>,
    /// Locations of its data that belong to none of the returned items.
    pub elsewhere: Vec<String>,
    /// Gap in the items of the server; `null` if it returned all.
    pub gap: Option<Gap>,
}

/// Data store item that a service needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct NeededItem {
    /// Path, for example `/fileShares/survey`.
    pub path: String,
    /// Type, as returned by the site.
    pub r#type: String,
    /// Whether the item certainly contains the data. Otherwise, the manifest names a host or a database in another way.
    pub is_certain: bool,
    /// Last validation; `null` if it was not validated.
    pub validation: Option<ItemValidation>,
}

/// Reads the data of all services of a server, and keeps it in memory. Changes nothing, and leaves no record.
///
/// # Errors
/// - [`Problem::NoResponse`] if the server does not list its services.
/// - [`Problem::SignIn`] if the user signed in or out meanwhile.
/// - Those of [`Execution::admit`], [`Execution::connect`] and [`Execution::send`].
pub async fn find(
    context: &SiteContext,
    searches: &ItemSearches,
    target: &Target,
    run: impl Into<NewRun>,
) -> Result<RunResult<DataUse>, Problem> {
    let act = Some(HistoryAction::FindDataUse);
    let (saved, run) = Execution::admit_as(context, &OPERATION, act, target, run)?;
    let execution = match Execution::connect(context, &OPERATION, saved, run, None).await? {
        Response::Received(execution) => execution,
        Response::Missing(end) => return Ok(end),
    };
    let begun_as = context.access.turn(&execution.site);
    let tell = |done, total| execution.run.step(RunStep::Services { done, total });
    let data = match execution.send(read_all(&execution.endpoint, tell)).await? {
        Response::Received(data) => data,
        Response::Missing(end) => return Ok(end),
    };
    // The result belongs to the session that requested it.
    context.access.check_still_signed_in(&execution.site, begun_as)?;
    let view = data.view.clone();
    let [read, unread] = [view.read, view.unread].map(|count| count as usize);
    execution.run.outcome(outcome_of_reading(read + unread, read, unread), None);
    searches.keep_data_use(target, data);
    Ok(execution.done(view))
}

/// Returns the services that use an item. `None` if the data of the services was not read.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the search is no longer in memory.
/// - [`Problem::Unexpected`] if there is no item at this index.
pub fn of_item(
    searches: &ItemSearches,
    target: &Target,
    search: &SearchId,
    item: u32,
) -> Result<Option<ItemUse>, Problem> {
    let item = searches.get(target, search)?.item(item)?;
    let location = DataLocation::of_item(&item);
    let found = |data: &DataOfServices| ItemUse {
        services: location.as_ref().map(|location| data.using(location, Covers::Yes)),
        perhaps: location.as_ref().map(|location| data.using(location, Covers::Perhaps)).unwrap_or_default(),
        all: data.view.clone(),
    };
    Ok(searches.data_use(target).as_deref().map(found))
}

/// Returns the data store items that a service needs.
///
/// # Errors
/// - [`Problem::Rejected`] or another error of the client if the server returns no manifest of the service, or does not
///   list its items.
/// - [`Problem::Unexpected`] if the site is not saved.
/// - Those of [`Access::server`].
pub async fn of_service(
    access: &Access,
    searches: &ItemSearches,
    target: &Target,
    service: &str,
) -> Result<ServiceData, Problem> {
    let site = access.sites.at(target)?;
    let server = access.server(&site).await?;
    let read = async {
        let sources = locations(&server, &ServiceName::of_path(service)).await?;
        Ok((sources, items(&server).await?))
    };
    let (Sources { known: sources, unknown }, (items, gap)) = match read.await {
        Ok(read) => read,
        Err(error) => {
            return Err(access.problem_at(&server, &site, &error).await.without_effect());
        }
    };
    let covered =
        |source: &DataLocation| items.iter().any(|(_, location)| location.covers(source) != Covers::No);
    let elsewhere = sources.iter().filter(|source| !covered(source)).map(DataLocation::shown);
    let elsewhere = elsewhere.chain(unknown).collect();
    let needed = items.iter().map(|(item, location)| (item, best(location, &sources)));
    let needed = needed.filter(|(_, covers)| *covers != Covers::No);
    let current = server_of(&site);
    let item = |([path, kind], covers): (&[String; 2], Covers)| NeededItem {
        is_certain: covers == Covers::Yes,
        validation: searches.validations.of_item(&site.id, &current, path),
        path: path.clone(),
        r#type: kind.clone(),
    };
    Ok(ServiceData { at: Millis::now(), items: needed.map(item).collect(), elsewhere, gap })
}

/// Reads the manifests of all services, and reports the number of those that were read.
async fn read_all(server: &Endpoint, tell: impl Fn(u32, u32)) -> Result<DataOfServices, ClientError> {
    let (names, unlisted) = listing::service_names(server).await?;
    let (done, total) = (AtomicU32::new(0), count(names.len()));
    tell(0, total);
    let read = |name: ServiceName| {
        let (done, tell) = (&done, &tell);
        async move {
            let sources = match locations(server, &name).await {
                // The error is about this service alone: some have no manifest.
                Err(error) if error.is_of_one_resource() => Err(without_secrets(&error.to_string())),
                Err(error) => return Err(error),
                Ok(sources) => Ok(sources),
            };
            tell(done.fetch_add(1, Ordering::Relaxed) + 1, total);
            Ok((name.path(), sources))
        }
    };
    let read: Vec<_> = stream::iter(names).map(read).buffered(AT_ONCE).try_collect().await?;
    let folder = |one: UnlistedFolder| UnreadService {
        service: format!("{}/", one.folder),
        reason: without_secrets(&one.gap.to_string()),
    };
    let (mut services, mut read_whole, mut unread) = (Vec::new(), 0, count(unlisted.len()));
    let mut named: Vec<_> = unlisted.into_iter().take(MOST_NAMED).map(folder).collect();
    for (service, sources) in read {
        let reason = match sources {
            Ok(Sources { known, unknown }) => {
                let reason = unknown.into_iter().next();
                services.push((service.clone(), known));
                reason
            }
            Err(reason) => Some(reason),
        };
        let Some(reason) = reason else {
            read_whole += 1;
            continue;
        };
        unread += 1;
        if named.len() < MOST_NAMED {
            named.push(UnreadService { service, reason });
        }
    }
    let view = DataUse { at: Millis::now(), read: read_whole, unread, named };
    Ok(DataOfServices { view, services })
}

/// Locations of the data of a service.
#[derive(Default)]
struct Sources {
    known: Vec<DataLocation>,
    /// For each database whose location is not known, what the manifest contains, without secrets.
    unknown: Vec<String>,
}

async fn locations(server: &Endpoint, service: &ServiceName) -> Result<Sources, ClientError> {
    let mut sources = Sources::default();
    let connections = listing::data_connections(server, service).await?;
    let more = connections.len().saturating_sub(MOST_DATABASES);
    for connection in connections.into_iter().take(MOST_DATABASES) {
        match DataLocation::of_connection(connection.expose()) {
            Some(location) => sources.known.push(location),
            None if connection.expose().trim().is_empty() => {
                sources.unknown.push("a database without a connection string".to_owned());
            }
            None => sources.unknown.push(shown(without_secrets(connection.expose()))),
        }
    }
    if more > 0 {
        sources.unknown.push(format!("{more} more databases"));
    }
    Ok(sources)
}

/// Path and type of an item, with its location.
type Located = ([String; 2], DataLocation);

/// Returns the items whose location a manifest could name, and what the server did not return of all items.
async fn items(server: &Endpoint) -> Result<(Vec<Located>, Option<Gap>), ClientError> {
    let all = FindItems { ancestor_path: "/".to_owned(), ..FindItems::default() };
    let read = |item: &str| {
        let item: Value = serde_json::from_str(item).ok()?;
        Some(DataLocation::of_item(&item).map(|location| {
            let DataStoreItem { path, r#type, .. } = DataStoreItem::of(&item);
            ([path, r#type], location)
        }))
    };
    let (list, items) = all.send(server, read).await?;
    Ok((items.into_iter().flatten().collect(), Gap::of_list(&list)))
}
