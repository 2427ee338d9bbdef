//! Geoprocessing services with one asynchronous task, named like the service.

use super::{Names, reader};
use crate::resources::VERSION;
use crate::store::services::ServiceName;
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde_json::json;

pub(super) const KIND: &str = "GPServer";
/// Name of the only result of the task.
pub(super) const OUTPUT: &str = "Output_Geometry";
const EXECUTION: &str = "esriExecutionTypeAsynchronous";

pub(super) async fn describe(call: RequestContext, names: Names) -> Reply {
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

pub(super) async fn describe_task(call: RequestContext, names: Names) -> Reply {
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

/// Returns the task in the path.
///
/// # Errors
/// Code 404 if it does not exist.
pub(super) fn task(names: &Names, service: &ServiceName) -> Result<String, ApiError> {
    match names.get("task") {
        task if task == service.name => Ok(task.to_owned()),
        other => Err(ApiError::not_found(format!("The task {other} of {service}"))),
    }
}
