//! Resources of the portal administration that tell whether a portal is complete again after an import.

use crate::fault_injection::InjectedFault;
use crate::release::Release;
use crate::sign_in::{Capability, Component};
use crate::store::items;
use crate::wire::{Reply, RequestContext, json};
use serde_json::{Value, json};

/// Returns the number of entries in the database and in the search index.
pub(crate) async fn index_status(call: RequestContext) -> Reply {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    let counts = call.app.portal.read(items::counts).await?;
    let mut is_complete = true;
    let indexes: Vec<Value> = [("users", "users"), ("groups", "groups"), ("search", "items")]
        .into_iter()
        .map(|(name, table)| {
            let database = counts[table].as_u64().unwrap_or_default();
            let index = call.app.index.indexed(usize::try_from(database).unwrap_or_default());
            is_complete &= u64::try_from(index).ok() == Some(database);
            json!({ "name": name, "databaseCount": database, "indexCount": index })
        })
        .collect();
    json(json!({ "indexes": indexes, "syncStatus": is_complete }))
}

/// Validates the federated servers. With a simulated fault, the last one is not valid.
pub(crate) async fn validate_servers(call: RequestContext) -> Reply {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    let is_invalid = |number: usize| {
        call.fault == Some(InjectedFault::InvalidServer) && number + 1 == call.app.servers.len()
    };
    let servers = call.app.servers.iter().enumerate().map(|(number, name)| {
        let (url, is_valid) = (call.app.url_of(name), !is_invalid(number));
        let message = match is_valid {
            true => format!("Server administration URL '{url}' is accessible."),
            false => format!("Server administration URL '{url}' is not accessible."),
        };
        let mut server = json!({
            "serverId": super::portal::server_id(number),
            "status": if is_valid { "success" } else { "failure" },
            "messages": [message],
        });
        if call.app.release >= Release::new(11, 1) {
            server["adminUrl"] = json!(url);
        }
        server
    });
    let servers: Vec<Value> = servers.collect();
    let is_valid = servers.iter().all(|server| server["status"] == "success");
    json(json!({ "status": if is_valid { "success" } else { "failure" }, "serversStatus": servers }))
}
