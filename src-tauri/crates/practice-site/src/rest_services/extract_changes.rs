//! Edits between two generations, the target of a payload's `changesUrl`.

use super::layers::{GLOBAL_ID, KIND, LAYER, OBJECT_ID, layer_of};
use super::request::{Names, reader};
use crate::store::features::{self, CREATED, DELETED, Feature};
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(crate) async fn extract_changes(call: RequestContext, names: Names) -> Reply {
    reader(&call).await?;
    let service = names.service(&call, KIND).await?;
    let gens: Option<Vec<i64>> =
        call.parameters.json("serverGens")?.and_then(|gens| serde_json::from_value(gens).ok());
    let (from, until) = match gens.as_deref() {
        Some([from]) => (*from, i64::MAX),
        Some([from, until]) => (*from, *until),
        _ => return Err(ApiError::bad_request("'serverGens' must be [from] or [from,to].")),
    };
    let wants = |name: &str| Ok::<bool, ApiError>(call.parameters.flag(name)?.unwrap_or(true));
    let (inserts, updates, deletes) =
        (wants("returnInserts")?, wants("returnUpdates")?, wants("returnDeletes")?);
    let layer = layer_of(&service);
    let answer = call
        .app
        .runtime
        .read(move |runtime| {
            // Report the net change of each feature: omit features that were added and deleted in between.
            let mut last: BTreeMap<i64, (bool, bool, String)> = BTreeMap::new();
            for change in features::changes(runtime, &layer, from, until)? {
                let known =
                    last.entry(change.object_id).or_insert((change.kind == CREATED, false, change.global_id));
                known.1 = change.kind == DELETED;
            }
            let (mut added, mut updated, mut deleted): (Vec<Value>, Vec<Value>, Vec<Value>) =
                Default::default();
            for (object_id, (is_new, is_gone, global_id)) in last {
                match (is_new, is_gone) {
                    (true, true) => {}
                    (false, true) => deleted.push(json!(global_id)),
                    (is_new, false) => {
                        if let Some(feature) = features::find(runtime, &layer, object_id)? {
                            if is_new { &mut added } else { &mut updated }.push(shown(&feature));
                        }
                    }
                }
            }
            let only = |wanted: bool, list: Vec<Value>| if wanted { list } else { Vec::new() };
            Ok(json!({
                "layerServerGens": [{ "id": LAYER, "serverGen": features::generation(runtime)? }],
                "edits": [{
                    "id": LAYER,
                    "features": {
                        "adds": only(inserts, added),
                        "updates": only(updates, updated),
                        "deleteIds": only(deletes, deleted),
                    },
                }],
            }))
        })
        .await?;
    json(answer)
}

fn shown(feature: &Feature) -> Value {
    let mut attributes = feature.attributes.clone();
    attributes[OBJECT_ID] = json!(feature.object_id);
    attributes[GLOBAL_ID] = json!(feature.global_id);
    json!({ "attributes": attributes, "geometry": feature.geometry })
}
