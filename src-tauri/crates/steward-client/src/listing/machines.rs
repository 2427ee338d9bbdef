//! Machines of a server site.

use serde::Deserialize;
use url::Url;

use super::gap::Gap;
use super::parts::no_list;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::wire::{OrDefault, list_if_any, text, used};

/// Returns the names of the machines of a server site. Where one has no name that can be used, there is a gap.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the request.
/// - [`ClientError::Unreadable`] if the response is not JSON.
/// - A connection or session error of [`ClientError`].
pub async fn machines(server: &Endpoint) -> Result<(Vec<String>, Option<Gap>), ClientError> {
    #[derive(Deserialize)]
    struct Machines {
        #[serde(default, deserialize_with = "list_if_any")]
        machines: Option<Vec<OrDefault<Machine>>>,
    }
    #[derive(Default, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    struct Machine {
        #[serde(deserialize_with = "used")]
        machine_name: String,
    }
    let expected = "the machines of a site";
    let found: Machines = server.get_list(&["admin", "machines"], &[], expected).await?;
    let machines = found.machines.ok_or_else(|| no_list(expected))?;
    let names = machines.into_iter().map(|machine| machine.0.machine_name);
    let (names, unreadable): (Vec<_>, Vec<_>) = names.partition(|name| !name.is_empty());
    Ok((names, Gap::of_unreadable(unreadable.len())))
}

/// Returns the administration URL of a machine, which no machine of another server site has; `None` if it is not
/// returned.
///
/// # Errors
/// As [`machines`].
pub async fn machine_url(server: &Endpoint, machine: &str) -> Result<Option<Url>, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Machine {
        #[serde(default, deserialize_with = "text")]
        machine_name: String,
        #[serde(default, rename = "adminURL", deserialize_with = "text")]
        admin_url: String,
    }
    let expected = "a machine";
    let found: Machine = server.get(&["admin", "machines", machine], &[], expected).await?;
    if found.machine_name.is_empty() && found.admin_url.is_empty() {
        return Err(ClientError::unreadable(expected, "a response without a name"));
    }
    Ok(Url::parse(&found.admin_url).ok())
}
