//! Resources of the portal administration that tell whether a portal is complete again after an import, and whether its data stores
//! are in a backup.

use crate::clock::{DAY, now_ms};
use crate::fault_injection::InjectedFault;
use crate::release::Release;
use crate::sign_in::{Capability, Component};
use crate::store::items;
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde_json::{Value, json};

/// Release whose portal reports the backups of the vendor's utility.
const REPORTS_BACKUPS: Release = Release::new(11, 0);
/// Release that reports those in the mode of that name, too.
const REPORTS_BACKUP_MODE: Release = Release::new(11, 1);
/// Days since the last full backup, always: no utility writes one of a practice site.
const DAYS_SINCE_BACKUP: i64 = 9;

/// Returns when the vendor's utility last wrote backups: a full one some days ago, and none since.
pub(crate) async fn backups(call: RequestContext) -> Reply {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    if call.app.release < REPORTS_BACKUPS {
        return Err(ApiError::not_found("This resource"));
    }
    let mut info = json!({
        "fullBackupTimeStamp": now_ms() / DAY * DAY - DAYS_SINCE_BACKUP * DAY,
        "fullRestoreTimeStamp": 0,
        "incrementalBackupTimeStamp": 0,
        "incrementalRestoreTimeStamp": 0,
        "backupMode": "FULL",
        "failOver": "false",
        "incrementalBackupEnabled": "false",
    });
    if call.app.release >= REPORTS_BACKUP_MODE {
        info["backupModeTimeStamp"] = json!(0);
    }
    json(info)
}

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
