//! Editing of features. Queues an event for the webhooks of the service.

use super::layers::{GLOBAL_ID, KIND, OBJECT_ID, layer};
use super::request::{Names, editor};
use crate::clock::now_ms;
use crate::deliveries::{LayerEdits, Subscribers};
use crate::random;
use crate::store::features::{self, CREATED, DELETED, Feature, LayerName, UPDATED};
use crate::store::services::ServiceName;
use crate::wire::{ApiError, Parameters, Reply, RequestContext, json};
use rusqlite::Transaction;
use serde_json::{Value, json};

pub(crate) async fn apply_edits(call: RequestContext, names: Names) -> Reply {
    editor(&call, KIND).await?;
    let service = names.service(&call, KIND).await?;
    let layer = layer(&names, &service)?;
    let edits = Edits {
        adds: list(call.parameters.json("adds")?, "adds")?,
        updates: list(call.parameters.json("updates")?, "updates")?,
        deletes: deletes_parameter(&call.parameters)?,
    };
    json(apply(&call, &service, layer, edits).await?)
}

struct Edits {
    adds: Vec<Value>,
    updates: Vec<Value>,
    deletes: Vec<i64>,
}

/// Edit that can be applied, or the reason why not, as object ID and message.
type Checked = Result<Feature, (i64, String)>;

async fn apply(
    call: &RequestContext,
    service: &ServiceName,
    layer: LayerName,
    edits: Edits,
) -> Result<Value, ApiError> {
    let subscribers = Subscribers::of(&call.app, service).await?;
    let answer = call.app.runtime.write(move |tx| apply_now(tx, &layer, edits, &subscribers)).await?;
    call.app.dispatcher.nudge();
    Ok(answer)
}

fn apply_now(
    tx: &Transaction,
    layer: &LayerName,
    edits: Edits,
    subscribers: &Subscribers,
) -> Result<Value, ApiError> {
    let first_id = features::next_object_id(tx, layer)?;
    let mut adds: Vec<Checked> =
        (first_id..).zip(edits.adds).map(|(id, add)| check_add(id, add)).collect::<Result<_, _>>()?;
    let mut updates: Vec<Checked> =
        edits.updates.into_iter().map(|update| check_update(tx, layer, update)).collect::<Result<_, _>>()?;
    let mut deletes: Vec<Checked> = edits
        .deletes
        .into_iter()
        .map(|id| Ok(features::find(tx, layer, id)?.ok_or_else(|| not_there(id))))
        .collect::<Result<_, ApiError>>()?;
    // Webhooks get all edits of a request or none.
    if [&adds, &updates, &deletes].into_iter().flatten().any(Result::is_err) {
        for edit in [&mut adds, &mut updates, &mut deletes].into_iter().flatten() {
            if let Ok(feature) = edit {
                *edit = Err((feature.object_id, "Operation rolled back.".to_owned()));
            }
        }
    }

    let from = features::generation(tx)?;
    let mut events = Vec::new();
    for (edits, kind) in [(&adds, CREATED), (&updates, UPDATED), (&deletes, DELETED)] {
        for feature in edits.iter().flatten() {
            match kind {
                DELETED => features::remove(tx, layer, feature)?,
                _ => features::put(tx, layer, feature, kind)?,
            }
        }
        if edits.iter().any(Result::is_ok) {
            events.push(kind.to_owned());
        }
    }
    if !events.is_empty() {
        let to = features::generation(tx)?;
        let told = LayerEdits { layer: layer.layer, events, from, to, last: now_ms() };
        subscribers.queue_edits(tx, &told)?;
    }
    Ok(json!({
        "addResults": results(&adds),
        "updateResults": results(&updates),
        "deleteResults": results(&deletes),
    }))
}

fn results(edits: &[Checked]) -> Vec<Value> {
    edits
        .iter()
        .map(|edit| match edit {
            Ok(feature) => {
                json!({ "objectId": feature.object_id, "globalId": feature.global_id, "success": true })
            }
            Err((object_id, why)) => json!({
                "objectId": object_id,
                "success": false,
                "error": { "code": 1000, "description": why },
            }),
        })
        .collect()
}

fn check_add(object_id: i64, add: Value) -> Result<Checked, ApiError> {
    let global_id = format!("{{{}}}", random::uuid().to_uppercase());
    let blank = Feature { object_id, global_id, attributes: json!({}), geometry: Value::Null };
    Ok(fill(blank, add).map_err(|why| (-1, why)))
}

fn check_update(tx: &Transaction, layer: &LayerName, update: Value) -> Result<Checked, ApiError> {
    let Some(id) = update["attributes"][OBJECT_ID].as_i64() else {
        return Ok(Err((-1, format!("An update must name its {OBJECT_ID}."))));
    };
    let Some(feature) = features::find(tx, layer, id)? else { return Ok(Err(not_there(id))) };
    Ok(fill(feature, update).map_err(|why| (id, why)))
}

fn not_there(object_id: i64) -> (i64, String) {
    (object_id, format!("There is no feature with the {OBJECT_ID} {object_id}."))
}

/// Applies the values of an edit to a feature.
fn fill(mut feature: Feature, mut edit: Value) -> Result<Feature, String> {
    let Some(Value::Object(attributes)) = edit.get_mut("attributes").map(Value::take) else {
        return Err("A feature must have 'attributes', an object.".to_owned());
    };
    for (name, value) in attributes {
        if name != OBJECT_ID && name != GLOBAL_ID {
            feature.attributes[name] = value;
        }
    }
    if let Some(geometry) = edit.get_mut("geometry") {
        feature.geometry = geometry.take();
    }
    Ok(feature)
}

fn list(given: Option<Value>, name: &str) -> Result<Vec<Value>, ApiError> {
    match given {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(list)) => Ok(list),
        Some(_) => Err(ApiError::bad_request(format!("'{name}' must be a list."))),
    }
}

/// Reads the parameter `deletes`: object IDs separated by commas, or a JSON array.
fn deletes_parameter(parameters: &Parameters) -> Result<Vec<i64>, ApiError> {
    let Some(text) = parameters.text("deletes") else { return Ok(Vec::new()) };
    let text = text.trim_start_matches('[').trim_end_matches(']');
    text.split(',')
        .map(|id| {
            id.trim().parse().map_err(|_| ApiError::bad_request("'deletes' must be a list of object ids."))
        })
        .collect()
}
