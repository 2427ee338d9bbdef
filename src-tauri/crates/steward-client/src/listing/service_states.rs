//! Services of all types with their states.
//!
//! [`service_states`] reads one report for each folder, or, on servers without reports, the status of each service.

use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;

use super::service_list::{Entry, ServiceFolder, ServiceList, name_too_long};
use super::services::AT_ONCE;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
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
/// - [`ClientError::Rejected`] if a token expired.
/// - [`ClientError::Unreadable`] if the server neither reports nor lists the services of a folder.
/// - A connection or session error of [`ClientError`].
pub async fn service_states(server: &Endpoint, list: &ServiceList) -> Result<Vec<ServiceState>, ClientError> {
    list.has_all_folders()?;
    let mut found = Vec::new();
    for folder in &list.folders {
        found.extend(states(server, folder).await?);
    }
    match found.iter().all(|service| !service.name.is_empty()) {
        true => Ok(found),
        false => Err(name_too_long()),
    }
}

async fn states(server: &Endpoint, folder: &ServiceFolder) -> Result<Vec<ServiceState>, ClientError> {
    let name = &folder.name;
    match report(server, name).await {
        // Ignore a report without services if the list has some: it is incomplete.
        Ok(states) if !states.is_empty() || folder.services.as_ref().is_some_and(Vec::is_empty) => {
            return Ok(states);
        }
        Ok(_) => {}
        Err(error) if error.is_of_one_resource() => {}
        Err(error) => return Err(error),
    }
    let ask = |entry: Entry| async move {
        if entry.service_name.is_empty() {
            return Err(name_too_long());
        }
        let service = format!("{}.{}", entry.service_name, entry.kind);
        let status = status(server, name, &service).await?;
        Ok(ServiceState {
            folder: name.clone(),
            name: entry.service_name,
            kind: entry.kind,
            configured: status.configured_state,
            real_time: status.real_time_state,
        })
    };
    stream::iter(folder.listed()?.to_vec()).map(ask).buffered(AT_ONCE).try_collect().await
}

/// Returns the services in the report of a folder.
async fn report(server: &Endpoint, folder: &str) -> Result<Vec<ServiceState>, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Reported {
        #[serde(deserialize_with = "used")]
        service_name: String,
        #[serde(rename = "type", deserialize_with = "used")]
        kind: String,
        #[serde(default)]
        status: Status,
    }
    let service = |one: Reported| ServiceState {
        folder: folder.to_owned(),
        name: one.service_name,
        kind: one.kind,
        configured: one.status.configured_state,
        real_time: one.status.real_time_state,
    };
    #[derive(Deserialize)]
    struct Report {
        /// Required: a response without this field does not mean that there are no services.
        #[serde(deserialize_with = "list")]
        reports: Vec<Reported>,
    }
    let path = below(folder, "report");
    let report: Report = server.get_list(&path, &[], "the report of a folder").await?;
    Ok(report.reports.into_iter().map(service).collect())
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
