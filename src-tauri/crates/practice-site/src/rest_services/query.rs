//! Queries of features.

use super::feature_service::{GLOBAL_ID, KIND, OBJECT_ID, fields, layer};
use super::{Names, reader};
use crate::store::features::{self, Feature};
use crate::wire::{ApiError, Parameters, Reply, RequestContext, json};
use serde_json::{Value, json};

pub(super) async fn query(call: RequestContext, names: Names) -> Reply {
    reader(&call).await?;
    let service = names.service(&call, KIND).await?;
    let layer = layer(&names, &service)?;
    let wanted = wanted(&call.parameters)?;
    let mut found = call.app.runtime.read(move |runtime| features::all(runtime, &layer)).await?;
    if let Some(ids) = wanted {
        found.retain(|feature| ids.contains(&feature.object_id));
    }
    if call.parameters.flag("returnCountOnly")? == Some(true) {
        return json(json!({ "count": found.len() }));
    }
    if call.parameters.flag("returnIdsOnly")? == Some(true) {
        let ids: Vec<i64> = found.iter().map(|feature| feature.object_id).collect();
        return json(json!({ "objectIdFieldName": OBJECT_ID, "objectIds": ids }));
    }
    json(json!({
        "objectIdFieldName": OBJECT_ID,
        "globalIdFieldName": GLOBAL_ID,
        "geometryType": "esriGeometryPoint",
        "fields": fields(),
        "features": found.iter().map(shown).collect::<Vec<_>>(),
    }))
}

/// Returns the requested object IDs. `None` for all features.
fn wanted(parameters: &Parameters) -> Result<Option<Vec<i64>>, ApiError> {
    if let Some(clause) = parameters.text("where")
        && clause.replace(' ', "") != "1=1"
    {
        return Err(ApiError::bad_request("'where' can only be 1=1 here."));
    }
    let Some(ids) = parameters.text("objectIds") else { return Ok(None) };
    let ids: Result<Vec<i64>, _> = ids.split(',').map(|id| id.trim().parse()).collect();
    ids.map(Some).map_err(|_| ApiError::bad_request("'objectIds' must be numbers with commas between them."))
}

pub(super) fn shown(feature: &Feature) -> Value {
    let mut attributes = json!({ OBJECT_ID: feature.object_id, GLOBAL_ID: feature.global_id });
    for name in ["NAME", "STATUS", "AMOUNT"] {
        attributes[name] = feature.attributes[name].clone();
    }
    json!({ "attributes": attributes, "geometry": feature.geometry })
}
