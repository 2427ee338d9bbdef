//! A feature service: one layer of points, the same fields everywhere.

use super::{Names, reader};
use crate::discovery::VERSION;
use crate::store::features::LayerName;
use crate::store::services::ServiceName;
use crate::wire::{Call, Refusal, Reply, json};
use serde_json::{Value, json};

pub(super) const KIND: &str = "FeatureServer";
/// The only layer of every service here.
pub(super) const LAYER: i64 = 0;
pub(super) const OBJECT_ID: &str = "OBJECTID";
pub(super) const GLOBAL_ID: &str = "GlobalID";
const CAPABILITIES: &str = "Query,Create,Update,Delete,Editing,ChangeTracking";

pub(super) async fn describe(call: Call, names: Names) -> Reply {
    reader(&call).await?;
    let service = names.service(&call, KIND).await?;
    json(json!({
        "currentVersion": VERSION,
        "serviceDescription": "",
        "hasVersionedData": false,
        "syncEnabled": false,
        "maxRecordCount": 2000,
        "supportedQueryFormats": "JSON",
        "capabilities": CAPABILITIES,
        "changeTrackingInfo": { "layers": [{ "id": LAYER }] },
        "layers": [{
            "id": LAYER,
            "name": service.name,
            "type": "Feature Layer",
            "geometryType": "esriGeometryPoint",
        }],
        "tables": [],
    }))
}

pub(super) async fn describe_layer(call: Call, names: Names) -> Reply {
    reader(&call).await?;
    let service = names.service(&call, KIND).await?;
    layer(&names, &service)?;
    json(json!({
        "currentVersion": VERSION,
        "id": LAYER,
        "name": service.name,
        "type": "Feature Layer",
        "geometryType": "esriGeometryPoint",
        "objectIdField": OBJECT_ID,
        "globalIdField": GLOBAL_ID,
        "displayField": "NAME",
        "capabilities": CAPABILITIES,
        "fields": fields(),
    }))
}

pub(super) fn fields() -> Value {
    json!([
        { "name": OBJECT_ID, "type": "esriFieldTypeOID", "editable": false },
        { "name": GLOBAL_ID, "type": "esriFieldTypeGlobalID", "editable": false },
        { "name": "NAME", "type": "esriFieldTypeString", "length": 255, "editable": true },
        { "name": "STATUS", "type": "esriFieldTypeString", "length": 255, "editable": true },
        { "name": "AMOUNT", "type": "esriFieldTypeDouble", "editable": true },
    ])
}

/// The layer of the path.
pub(super) fn layer(names: &Names, service: &ServiceName) -> Result<LayerName, Refusal> {
    match names.get("layer").parse::<i64>() {
        Ok(LAYER) => Ok(layer_of(service)),
        _ => Err(Refusal::not_found(format!("The layer {} of {service}", names.get("layer")))),
    }
}

pub(super) fn layer_of(service: &ServiceName) -> LayerName {
    LayerName { service: service.to_string(), layer: LAYER }
}
