//! Features of layers, and the log of edits.

use crate::wire::ApiError;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::Value;

/// Layer of a feature service.
#[derive(Clone)]
pub(crate) struct LayerName {
    /// Full name of the service.
    pub(crate) service: String,
    pub(crate) layer: i64,
}

pub(crate) struct Feature {
    pub(crate) object_id: i64,
    pub(crate) global_id: String,
    pub(crate) attributes: Value,
    pub(crate) geometry: Value,
}

/// Edit of one feature.
pub(crate) struct Change {
    pub(crate) object_id: i64,
    pub(crate) global_id: String,
    /// Change type of webhooks, for example `FeaturesCreated`.
    pub(crate) kind: String,
}

pub(crate) const CREATED: &str = "FeaturesCreated";
pub(crate) const UPDATED: &str = "FeaturesUpdated";
pub(crate) const DELETED: &str = "FeaturesDeleted";

const FIELDS: &str = "object_id, global_id, attributes, geometry";

/// Returns a feature. `None` if it does not exist.
pub(crate) fn find(
    runtime: &Connection,
    layer: &LayerName,
    object_id: i64,
) -> Result<Option<Feature>, ApiError> {
    let mut find = runtime.prepare_cached(&format!(
        "SELECT {FIELDS} FROM features WHERE service = ?1 AND layer = ?2 AND object_id = ?3"
    ))?;
    Ok(find.query_row(params![layer.service, layer.layer, object_id], from_row).optional()?)
}

/// Returns an object ID that no feature of this layer has ever had.
pub(crate) fn next_object_id(tx: &Transaction, layer: &LayerName) -> Result<i64, ApiError> {
    Ok(tx.query_row(
        "SELECT coalesce(max(object_id), 0) + 1 FROM changes WHERE service = ?1 AND layer = ?2",
        params![layer.service, layer.layer],
        |row| row.get(0),
    )?)
}

/// Adds the feature, or replaces the one with its object ID, and logs the edit.
pub(crate) fn put(
    tx: &Transaction,
    layer: &LayerName,
    feature: &Feature,
    kind: &str,
) -> Result<(), ApiError> {
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

/// Deletes a feature and logs the edit.
pub(crate) fn remove(tx: &Transaction, layer: &LayerName, feature: &Feature) -> Result<(), ApiError> {
    tx.execute(
        "DELETE FROM features WHERE service = ?1 AND layer = ?2 AND object_id = ?3",
        params![layer.service, layer.layer, feature.object_id],
    )?;
    note(tx, layer, feature, DELETED)
}

fn note(tx: &Transaction, layer: &LayerName, feature: &Feature, kind: &str) -> Result<(), ApiError> {
    tx.execute(
        "INSERT INTO changes (service, layer, object_id, global_id, kind) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![layer.service, layer.layer, feature.object_id, feature.global_id, kind],
    )?;
    Ok(())
}

/// Returns the number of the latest edit, the server generation.
pub(crate) fn generation(runtime: &Connection) -> Result<i64, ApiError> {
    Ok(runtime.query_row("SELECT coalesce(max(gen), 0) FROM changes", [], |row| row.get(0))?)
}

/// Returns the edits after generation `from`, up to and including `to`.
pub(crate) fn changes(
    runtime: &Connection,
    layer: &LayerName,
    from: i64,
    to: i64,
) -> Result<Vec<Change>, ApiError> {
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
