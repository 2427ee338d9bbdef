//! Features of layers, and the record of every edit.

use crate::wire::Refusal;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::Value;

/// A layer of a feature service.
#[derive(Clone)]
pub(crate) struct LayerName {
    /// The full name of the service.
    pub(crate) service: String,
    pub(crate) layer: i64,
}

pub(crate) struct Feature {
    pub(crate) object_id: i64,
    pub(crate) global_id: String,
    pub(crate) attributes: Value,
    pub(crate) geometry: Value,
}

/// What an edit did to a feature.
pub(crate) struct Change {
    pub(crate) object_id: i64,
    pub(crate) global_id: String,
    /// The change type of webhooks: `FeaturesCreated`, …
    pub(crate) kind: String,
}

pub(crate) const CREATED: &str = "FeaturesCreated";
pub(crate) const UPDATED: &str = "FeaturesUpdated";
pub(crate) const DELETED: &str = "FeaturesDeleted";

const FIELDS: &str = "object_id, global_id, attributes, geometry";

pub(crate) fn all(runtime: &Connection, layer: &LayerName) -> Result<Vec<Feature>, Refusal> {
    let mut list = runtime.prepare_cached(&format!(
        "SELECT {FIELDS} FROM features WHERE service = ?1 AND layer = ?2 ORDER BY object_id"
    ))?;
    let features =
        list.query_map(params![layer.service, layer.layer], from_row)?.collect::<rusqlite::Result<_>>()?;
    Ok(features)
}

pub(crate) fn find(
    runtime: &Connection,
    layer: &LayerName,
    object_id: i64,
) -> Result<Option<Feature>, Refusal> {
    let mut find = runtime.prepare_cached(&format!(
        "SELECT {FIELDS} FROM features WHERE service = ?1 AND layer = ?2 AND object_id = ?3"
    ))?;
    Ok(find.query_row(params![layer.service, layer.layer, object_id], from_row).optional()?)
}

/// An object id that no feature of this layer ever had.
pub(crate) fn next_object_id(tx: &Transaction, layer: &LayerName) -> Result<i64, Refusal> {
    Ok(tx.query_row(
        "SELECT coalesce(max(object_id), 0) + 1 FROM changes WHERE service = ?1 AND layer = ?2",
        params![layer.service, layer.layer],
        |row| row.get(0),
    )?)
}

/// Adds the feature, or puts it in the place of the one with its object id.
pub(crate) fn put(tx: &Transaction, layer: &LayerName, feature: &Feature, kind: &str) -> Result<(), Refusal> {
    tx.execute(
        "INSERT OR REPLACE INTO features (service, layer, object_id, global_id, attributes, geometry)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            layer.service,
            layer.layer,
            feature.object_id,
            feature.global_id,
            feature.attributes.to_string(),
            feature.geometry.to_string()
        ],
    )?;
    note(tx, layer, feature, kind)
}

pub(crate) fn remove(tx: &Transaction, layer: &LayerName, feature: &Feature) -> Result<(), Refusal> {
    tx.execute(
        "DELETE FROM features WHERE service = ?1 AND layer = ?2 AND object_id = ?3",
        params![layer.service, layer.layer, feature.object_id],
    )?;
    note(tx, layer, feature, DELETED)
}

fn note(tx: &Transaction, layer: &LayerName, feature: &Feature, kind: &str) -> Result<(), Refusal> {
    tx.execute(
        "INSERT INTO changes (service, layer, object_id, global_id, kind) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![layer.service, layer.layer, feature.object_id, feature.global_id, kind],
    )?;
    Ok(())
}

/// The number of the latest edit: what the field calls the server's generation.
pub(crate) fn generation(runtime: &Connection) -> Result<i64, Refusal> {
    Ok(runtime.query_row("SELECT coalesce(max(gen), 0) FROM changes", [], |row| row.get(0))?)
}

/// The edits after generation `from`, up to and with `to`.
pub(crate) fn changes(
    runtime: &Connection,
    layer: &LayerName,
    from: i64,
    to: i64,
) -> Result<Vec<Change>, Refusal> {
    let mut list = runtime.prepare_cached(
        "SELECT object_id, global_id, kind FROM changes
         WHERE service = ?1 AND layer = ?2 AND gen > ?3 AND gen <= ?4 ORDER BY gen",
    )?;
    let changes = list
        .query_map(params![layer.service, layer.layer, from, to], |row| {
            Ok(Change { object_id: row.get(0)?, global_id: row.get(1)?, kind: row.get(2)? })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(changes)
}

fn from_row(row: &Row) -> rusqlite::Result<Feature> {
    Ok(Feature {
        object_id: row.get(0)?,
        global_id: row.get(1)?,
        attributes: super::json_column(row, 2)?,
        geometry: super::json_column(row, 3)?,
    })
}
