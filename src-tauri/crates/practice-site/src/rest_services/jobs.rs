//! Submission and status of jobs. A geoprocessing service has one asynchronous task, named like the service.

use super::request::{Names, editor, reader};
use crate::clock::now_ms;
use crate::random;
use crate::store::jobs::{self, Job, SUBMITTED};
use crate::store::services::ServiceName;
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde_json::{Value, json};

const KIND: &str = "GPServer";
/// Inputs of the task. Other parameters are ignored.
const INPUTS: [&str; 2] = ["geometry", "waitSeconds"];

pub(crate) async fn submit(call: RequestContext, names: Names) -> Reply {
    editor(&call, KIND).await?;
    let service = names.service(&call, KIND).await?;
    let mut inputs = json!({});
    for name in INPUTS {
        // Store the text as sent; the job validates it.
        inputs[name] = json!(call.parameters.text(name));
    }
    let job = Job {
        id: format!("j{}", random::uuid().replace('-', "")),
        service: service.to_string(),
        task: task(&names, &service)?,
        status: SUBMITTED.to_owned(),
        inputs,
        messages: json!([]),
        submitted: now_ms(),
    };
    let answer = json!({ "jobId": job.id, "jobStatus": job.status });
    call.app.runtime.write(move |tx| jobs::add(tx, &job)).await?;
    call.app.job_runner.nudge();
    json(answer)
}

pub(crate) async fn status(call: RequestContext, names: Names) -> Reply {
    reader(&call).await?;
    let service = names.service(&call, KIND).await?;
    json(shown(&find(&call, &names, &service).await?))
}

async fn find(call: &RequestContext, names: &Names, service: &ServiceName) -> Result<Job, ApiError> {
    let task = task(names, service)?;
    let id = names.get("job").to_owned();
    let job = call.app.runtime.read(move |runtime| jobs::find(runtime, &id)).await?;
    job.filter(|job| job.service == service.to_string() && job.task == task)
        .ok_or_else(|| ApiError::not_found(format!("The job {}", names.get("job"))))
}

/// Returns the task in the path.
fn task(names: &Names, service: &ServiceName) -> Result<String, ApiError> {
    match names.get("task") {
        task if task == service.name => Ok(task.to_owned()),
        other => Err(ApiError::not_found(format!("The task {other} of {service}"))),
    }
}

fn shown(job: &Job) -> Value {
    json!({ "jobId": job.id, "jobStatus": job.status, "inputs": job.inputs, "messages": job.messages })
}
