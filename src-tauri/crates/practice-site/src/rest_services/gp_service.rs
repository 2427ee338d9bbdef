//! A geoprocessing service: one asynchronous task with the service's own name.

use super::{Names, reader};
use crate::discovery::VERSION;
use crate::store::services::ServiceName;
use crate::wire::{Call, Refusal, Reply, json};
use serde_json::json;

pub(super) const KIND: &str = "GPServer";
/// The task's only result.
pub(super) const OUTPUT: &str = "Output_Geometry";
const EXECUTION: &str = "esriExecutionTypeAsynchronous";

pub(super) async fn describe(call: Call, names: Names) -> Reply {
    reader(&call).await?;
    let service = names.service(&call, KIND).await?;
    json(json!({
        "currentVersion": VERSION,
        "serviceDescription": "",
        "tasks": [service.name],
        "executionType": EXECUTION,
        "resultMapServerName": "",
        "maximumRecords": 1000,
    }))
}

pub(super) async fn describe_task(call: Call, names: Names) -> Reply {
    reader(&call).await?;
    let service = names.service(&call, KIND).await?;
    let parameter = |name: &str, kind: &str, direction: &str, need: &str| json!({ "name": name, "dataType": kind, "direction": direction, "parameterType": need });
    let (input, output) = ("esriGPParameterDirectionInput", "esriGPParameterDirectionOutput");
    let (required, optional, derived) =
        ("esriGPParameterTypeRequired", "esriGPParameterTypeOptional", "esriGPParameterTypeDerived");
    json(json!({
        "name": task(&names, &service)?,
        "displayName": service.name,
        "description": "The area within a distance of a geometry.",
        "executionType": EXECUTION,
        "parameters": [
            parameter("geometry", "GPString", input, required),
            parameter("distance", "GPDouble", input, optional),
            parameter("waitSeconds", "GPDouble", input, optional),
            parameter(OUTPUT, "GPString", output, derived),
        ],
    }))
}

/// The task of the path.
pub(super) fn task(names: &Names, service: &ServiceName) -> Result<String, Refusal> {
    match names.get("task") {
        task if task == service.name => Ok(task.to_owned()),
        other => Err(Refusal::not_found(format!("The task {other} of {service}"))),
    }
}
