//! Services of all types with their states.
//!
//! [`service_states`] reads one report for each folder, or, on servers without reports, the status of each service.

use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;

use super::services::{AT_ONCE, Entry, Folder, subfolders};
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::wire::{list_if_any, text};

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

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    #[serde(default, deserialize_with = "text")]
    configured_state: String,
    #[serde(default, deserialize_with = "text")]
    real_time_state: String,
}

/// Returns all services with their states, by folder.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the list of services, or a token expired.
/// - [`ClientError::Unreadable`] if a response contains no list of services.
/// - A connection or session error of [`ClientError`].
pub async fn service_states(server: &Endpoint) -> Result<Vec<ServiceState>, ClientError> {
    let expected = "the list of services";
    let root: Folder = server.get(&["admin", "services"], &[], expected).await?;
    let names: Vec<String> = subfolders(&root).cloned().collect();
    let mut found = states(server, "", root).await?;
    for name in names {
        let folder: Folder = server.get(&["admin", "services", &name], &[], expected).await?;
        found.extend(states(server, &name, folder).await?);
    }
    Ok(found)
}

async fn states(server: &Endpoint, name: &str, folder: Folder) -> Result<Vec<ServiceState>, ClientError> {
    match report(server, name).await {
        Ok(Some(states)) => return Ok(states),
        Ok(None) => {}
        Err(error) if error.is_of_one_resource() => {}
        Err(error) => return Err(error),
    }
    let entries = folder.services.ok_or_else(|| {
        ClientError::unreadable("the list of services", "the response contains no list of services")
    })?;
    let ask = |entry: Entry| async move {
        let service = format!("{}.{}", entry.service_name, entry.kind);
        let status = status(server, name, &service).await?;
        Ok(ServiceState {
            folder: name.to_owned(),
            name: entry.service_name,
            kind: entry.kind,
            configured: status.configured_state,
            real_time: status.real_time_state,
        })
    };
    stream::iter(entries).map(ask).buffered(AT_ONCE).try_collect().await
}

/// Returns the services in the report of a folder. `None` if the response contains no report.
async fn report(server: &Endpoint, folder: &str) -> Result<Option<Vec<ServiceState>>, ClientError> {
    #[derive(Deserialize)]
    struct Report {
        #[serde(default, deserialize_with = "list_if_any")]
        reports: Option<Vec<Reported>>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Reported {
        #[serde(deserialize_with = "text")]
        service_name: String,
        #[serde(rename = "type", deserialize_with = "text")]
        kind: String,
        #[serde(default)]
        status: Status,
    }
    let report: Report = server.get(&below(folder, "report"), &[], "the report of a folder").await?;
    let service = |one: Reported| ServiceState {
        folder: folder.to_owned(),
        name: one.service_name,
        kind: one.kind,
        configured: one.status.configured_state,
        real_time: one.status.real_time_state,
    };
    Ok(report.reports.map(|reports| reports.into_iter().map(service).collect()))
}

/// Returns the status of a service. It is empty if the server does not return it, which must not hide the service.
async fn status(server: &Endpoint, folder: &str, service: &str) -> Result<Status, ClientError> {
    let mut path = below(folder, service);
    path.push("status");
    match server.get(&path, &[], "the status of a service").await {
        Err(error) if error.is_of_one_resource() => Ok(Status::default()),
        status => status,
    }
}

fn below<'n>(folder: &'n str, name: &'n str) -> Vec<&'n str> {
    let mut path = vec!["admin", "services"];
    path.extend((!folder.is_empty()).then_some(folder));
    path.push(name);
    path
}
