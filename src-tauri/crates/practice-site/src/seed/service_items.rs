//! Seeded items of the portal that stand for the services of its servers.

use super::files::write;
use super::services::of_server;
use crate::clock::DAY;
use crate::folders::Folders;
use crate::random;
use crate::wire::ApiError;
use rusqlite::{Transaction, params};
use serde_json::json;

const FILE: &str = "service.json";

/// Adds an item for each service of the servers with these names. `now` is in milliseconds since 1970.
pub(super) fn fill(
    tx: &Transaction,
    folders: &Folders,
    owner: &str,
    servers: &[String],
    now: i64,
) -> Result<(), ApiError> {
    let mut add = tx.prepare(
        "INSERT INTO items (id, owner, title, type, access, file, size, created, modified, url)
         VALUES (?1, ?2, ?3, ?4, 'org', ?5, ?6, ?7, ?7, ?8)",
    )?;
    for (number, server) in servers.iter().enumerate() {
        for (folder, name, kind) in of_server(number) {
            let Some(item_type) = item_type(folder, kind) else { continue };
            let below = if folder.is_empty() { String::new() } else { format!("{folder}/") };
            let url = format!("{server}/rest/services/{below}{name}/{kind}");
            let id = random::hex_secret::<16>()?;
            let content = json!({ "service": format!("{below}{name}.{kind}") }).to_string();
            write(&folders.portal.join("content").join(&id).join(FILE), &content)?;
            let size = i64::try_from(content.len()).unwrap_or(0);
            add.execute(params![id, owner, name, item_type, FILE, size, now - 60 * DAY, url])?;
        }
    }
    Ok(())
}

/// Returns the type of the item of a service; `None` if it has none, as the tools of the server.
fn item_type(folder: &str, kind: &str) -> Option<&'static str> {
    match kind {
        _ if folder == "Utilities" => None,
        "MapServer" => Some("Map Service"),
        "FeatureServer" => Some("Feature Service"),
        "GPServer" => Some("Geoprocessing Service"),
        "GeocodeServer" => Some("Geocoding Service"),
        _ => None,
    }
}
