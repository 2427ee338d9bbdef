//! Services of all types with their states.
//!
//! [`service_states`] reads one report for each folder, and the status of each service that the report does not have.

use std::collections::HashMap;

use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;

use super::gap::Gap;
use super::service_list::{Entry, ServiceList, UnlistedFolder};
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::request::of_service;
use crate::wire::{list, text, used};

/// Service with its states. A state is for example `STARTED` or `STOPPED`; empty if the server does not return it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceState {
    /// Folder; empty for the root folder.
    pub folder: String,
    /// Name without the type.
    pub name: String,
    /// Service type, for example `MapServer`.
    pub kind: String,
    /// State that the service is set to.
    pub configured: String,
    /// State that the service is in.
    pub real_time: String,
}

/// States of the services of a server.
#[derive(Debug, Default)]
pub struct ServiceStates {
    /// Services of all folders that the server lists.
    pub services: Vec<ServiceState>,
    /// Folders that the server does not list.
    pub unlisted: Vec<UnlistedFolder>,
    /// Folders with services that no request can name, because their names are missing or too long. Their other
    /// services are listed.
    pub unreadable: Vec<UnreadableServices>,
}

/// Services of a folder whose names are missing or too long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableServices {
    /// Folder; empty for the root folder.
    pub folder: String,
    /// Number of services.
    pub count: usize,
    /// The same as a gap of the list.
    pub gap: Gap,
}

#[derive(Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    #[serde(default, deserialize_with = "text")]
    configured_state: String,
    #[serde(default, deserialize_with = "text")]
    real_time_state: String,
}

/// Returns all services with their states, by folder. The names are those of the `list`: a report can lack services,
/// whose states are requested, `at_once` of them at the same time.
///
/// # Errors
/// - [`ClientError::Rejected`] if a token expired.
/// - A connection or session error of [`ClientError`].
pub async fn service_states(
    server: &Endpoint,
    list: &ServiceList,
    at_once: usize,
) -> Result<ServiceStates, ClientError> {
    let mut found =
        ServiceStates { unlisted: list.unreadable_folder().into_iter().collect(), ..Default::default() };
    for folder in &list.folders {
        let entries = match folder.listed() {
            Ok(entries) => entries,
            Err(gap) => {
                found.unlisted.push(UnlistedFolder { folder: folder.name.clone(), gap });
                continue;
            }
        };
        let readable: Vec<_> =
            entries.iter().filter(|entry| !entry.service_name.is_empty()).cloned().collect();
        let unreadable = entries.len() - readable.len();
        found.services.extend(states(server, &folder.name, readable, at_once).await?);
        if let Some(gap) = Gap::of_unreadable(unreadable) {
            found.unreadable.push(UnreadableServices { folder: folder.name.clone(), count: unreadable, gap });
        }
    }
    Ok(found)
}

/// Returns the services of a folder with the states of its report. The state of a service that the report does not have
/// is requested.
async fn states(
    server: &Endpoint,
    folder: &str,
    entries: Vec<Entry>,
    at_once: usize,
) -> Result<Vec<ServiceState>, ClientError> {
    let reported = match report(server, folder).await {
        Ok(reported) => reported,
        Err(error) if error.is_of_one_resource() => Report::default(),
        Err(error) => return Err(error),
    };
    let ask = |entry: Entry| {
        let service = file_name(&entry.service_name, &entry.kind);
        let known = reported.status(&service);
        async move {
            let status = match known {
                Some(status) => status,
                None => status(server, folder, &service).await?,
            };
            Ok(ServiceState {
                folder: folder.to_owned(),
                name: entry.service_name,
                kind: entry.kind,
                configured: status.configured_state,
                real_time: status.real_time_state,
            })
        }
    };
    stream::iter(entries.into_iter().map(ask)).buffered(at_once).try_collect().await
}

fn file_name(name: &str, kind: &str) -> String {
    format!("{name}.{kind}")
}

/// States in the report of a folder, by name and type in lower case, with the names as they are. A service without a
/// state is not in it.
#[derive(Default)]
struct Report(HashMap<String, Vec<(String, Status)>>);

impl Report {
    /// Returns the status of a service. It is empty if the report names the service more than once, with other states.
    fn status(&self, service: &str) -> Option<Status> {
        let found = self.0.get(&service.to_lowercase())?;
        // A report can have a name in another case than the list. If it has the exact name too, these are two services,
        // and the exact one counts.
        let is_exact = found.iter().any(|(name, _)| name == service);
        let mut said =
            found.iter().filter(|(name, _)| !is_exact || name == service).map(|(_, status)| status);
        let first = said.next()?;
        Some(if said.all(|other| other == first) { first.clone() } else { Status::default() })
    }
}

async fn report(server: &Endpoint, folder: &str) -> Result<Report, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Reported {
        #[serde(deserialize_with = "used")]
        service_name: String,
        #[serde(rename = "type", deserialize_with = "used")]
        kind: String,
        status: Option<Status>,
    }
    #[derive(Deserialize)]
    struct Reports {
        #[serde(default, deserialize_with = "list")]
        reports: Vec<Reported>,
    }
    let path = of_service(folder, "report", &[]);
    let Reports { reports } = server.get_list(&path, &[], "the report of a folder").await?;
    let mut report = Report::default();
    for one in reports {
        let name = file_name(&one.service_name, &one.kind);
        if let Some(status) = one.status {
            report.0.entry(name.to_lowercase()).or_default().push((name, status));
        }
    }
    Ok(report)
}

/// Returns the status of a service. It is empty if the server does not return it, which must not hide the service.
async fn status(server: &Endpoint, folder: &str, service: &str) -> Result<Status, ClientError> {
    let path = of_service(folder, service, &["status"]);
    match server.get(&path, &[], "the status of a service").await {
        Err(error) if error.is_of_one_resource() => Ok(Status::default()),
        status => status,
    }
}
