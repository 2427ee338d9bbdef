//! Machines of a server site.

use serde::Deserialize;

use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::wire::{list, used};

/// Returns the names of the machines of a server site. One that is too long is empty.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the request.
/// - [`ClientError::Unreadable`] if the response is not JSON.
/// - A connection or session error of [`ClientError`].
pub async fn machines(server: &Endpoint) -> Result<Vec<String>, ClientError> {
    #[derive(Deserialize)]
    struct Machines {
        #[serde(default, deserialize_with = "list")]
        machines: Vec<Machine>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Machine {
        #[serde(default, deserialize_with = "used")]
        machine_name: String,
    }
    let found: Machines = server.get(&["admin", "machines"], &[], "the machines of a site").await?;
    Ok(found.machines.into_iter().map(|machine| machine.machine_name).collect())
}
