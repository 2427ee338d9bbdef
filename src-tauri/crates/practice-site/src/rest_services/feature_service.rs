//! Feature services with one point layer and the same fields.

use super::{Names, reader};
use crate::resources::VERSION;
use crate::store::features::LayerName;
use crate::store::services::ServiceName;
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde_json::{Value, json};

pub(super) const KIND: &str = "FeatureServer";
/// ID of the only layer.
pub(super) const LAYER: i64 = 0;
pub(super) const OBJECT_ID: &str = "OBJECTID";
pub(super) const GLOBAL_ID: &str = "GlobalID";
const CAPABILITIES: &str = "Query,Create,Update,Delete,Editing,ChangeTracking";

pub(super) async fn describe(call: RequestContext, names: Names) -> Reply {
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

pub(super) async fn describe_layer(call: RequestContext, names: Names) -> Reply {
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

/// Returns the layer in the path.
///
/// # Errors
/// Code 404 if it does not exist.
pub(super) fn layer(names: &Names, service: &ServiceName) -> Result<LayerName, ApiError> {
    match names.get("layer").parse::<i64>() {
        Ok(LAYER) => Ok(layer_of(service)),
        _ => Err(ApiError::not_found(format!("The layer {} of {service}", names.get("layer")))),
    }
}

pub(super) fn layer_of(service: &ServiceName) -> LayerName {
    LayerName { service: service.to_string(), layer: LAYER }
}
