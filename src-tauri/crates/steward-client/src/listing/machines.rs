//! Machines of a server site.

use serde::Deserialize;

use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::wire::{list, name};

/// Returns the names of the machines of a server site.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the request.
/// - [`ClientError::Unreadable`] if the response is not JSON, or a name is too long.
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
        #[serde(default = "no_name", deserialize_with = "name")]
        machine_name: Option<String>,
    }
    let expected = "the machines of a site";
    let found: Machines = server.get_list(&["admin", "machines"], &[], expected).await?;
    let names = found.machines.into_iter().map(|machine| machine.machine_name);
    names.collect::<Option<_>>().ok_or_else(|| ClientError::unreadable(expected, "a name is too long"))
}

#[expect(clippy::unnecessary_wraps, reason = "the type of the field")]
const fn no_name() -> Option<String> {
    Some(String::new())
}
