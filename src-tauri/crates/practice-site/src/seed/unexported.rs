//! Content of a server site that exports exclude (specification, operation 2): cache tiles and tiling schemes, log
//! messages, statistics, web adaptors. The fifth exclusion, service data, is written with the services.

use super::files::write;
use crate::clock::DAY;
use crate::clock::text_date;
use crate::folders::Folders;
use crate::random;
use crate::wire::ApiError;
use rusqlite::Transaction;
use serde_json::json;

/// Writes these files, and adds the web adaptor.
pub(super) fn fill(tx: &Transaction, folders: &Folders, now: i64) -> Result<(), ApiError> {
    let cache = folders.directories.join("cache/Basemap/Layers");
    write(
        &cache.join("conf.xml"),
        "<CacheInfo><TileCacheInfo>tiling scheme of the base map</TileCacheInfo></CacheInfo>",
    )?;
    for column in 0..4 {
        let tile = format!("_alllayers/L00/R00000000C{column:08}.tile");
        write(&cache.join(tile), &format!("cache tile {column}"))?;
    }
    let server = &folders.server;
    let log = (1..=20i64).rev().fold(String::new(), |log, age| {
        let when = text_date(now - age * DAY);
        log + &format!("{when} WARNING log message: Parcels/Zoning.MapServer answers slowly\n")
    });
    write(&server.join("logs/services.log"), &log)?;
    let usage =
        json!({ "statistics data": [{ "resource": "services/Basemap.MapServer", "requests": 18_204 }] });
    write(&server.join("statistics/usage.json"), &usage.to_string())?;
    tx.execute(
        "INSERT INTO web_adaptors (id, url, administration) VALUES (?1, 'https://adaptor.example.org/server', 1)",
        [random::uuid()],
    )?;
    Ok(())
}
