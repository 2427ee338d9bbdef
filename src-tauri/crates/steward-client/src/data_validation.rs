//! Validation of data store items. The server checks whether it can use the data; nothing is changed or registered.

use serde::Deserialize;
use steward_vault::Secret;

use crate::acknowledged::Acknowledged;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::request::{Request, ResponseTimeout};
use crate::wire::{list, text};

/// State of a machine of a data store. Texts are as returned by the server, and may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineHealth {
    /// Host name.
    pub name: String,
    /// Health, for example `Healthy`.
    pub health: String,
    /// State, for example `Started`.
    pub status: String,
}

/// Requests the validation of an item, which is passed on as the server returned it. Success means that every machine
/// of the site can use its data.
///
/// On Kubernetes, a validation can restart services. The parameter that allows it is never sent.
///
/// # Errors
/// - [`ClientError::Rejected`] if the item is not valid, or the server rejects the request.
/// - Another error of [`ClientError`] if no verdict was received.
pub async fn validate_item(server: &Endpoint, item: &str) -> Result<(), ClientError> {
    let request = Request::repeatable(["admin", "data", "validateDataItem"], ResponseTimeout::Minute)
        // The item contains passwords of databases.
        .secret("item", Secret::new(item.to_owned()));
    let Acknowledged = server.send(&request, "the result of a validation").await?;
    Ok(())
}

/// Requests the state of a machine of a data store that the system manages. Returns the states of all machines in the
/// response: some versions return more than the requested one.
///
/// # Errors
/// - [`ClientError::Rejected`] if the data store does not offer it, or the server rejects the request.
/// - Another error of [`ClientError`] if no state was received.
pub async fn validate_machine(
    server: &Endpoint,
    item: &str,
    machine: &str,
) -> Result<Vec<MachineHealth>, ClientError> {
    #[derive(Deserialize)]
    struct Store {
        #[serde(default, deserialize_with = "list")]
        machines: Vec<Machine>,
    }
    #[derive(Deserialize)]
    struct Machine {
        #[serde(default, deserialize_with = "text")]
        name: String,
        #[serde(default, rename = "machine.overallhealth", deserialize_with = "text")]
        health: String,
        #[serde(default, deserialize_with = "text")]
        status: String,
    }
    let below = item.split('/').filter(|segment| !segment.is_empty());
    let path = ["admin", "data", "items"].into_iter().chain(below).chain(["machines", machine, "validate"]);
    let request = Request::repeatable(path, ResponseTimeout::Minute);
    let store: Store = server.send(&request, "the states of the machines of a data store").await?;
    let state = |Machine { name, health, status }| MachineHealth { name, health, status };
    Ok(store.machines.into_iter().map(state).collect())
}
