//! Submission, status, results and cancellation of jobs.

use super::gp_service::{KIND, OUTPUT, task};
use super::{Names, editor, reader};
use crate::clock::now_ms;
use crate::deliveries::Subscribers;
use crate::random;
use crate::store::jobs::{self, CANCELLED, Job, SUBMITTED, SUCCEEDED};
use crate::store::services::ServiceName;
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde_json::{Value, json};

/// Inputs of the task. Other parameters are ignored.
const INPUTS: [&str; 3] = ["geometry", "distance", "waitSeconds"];

pub(super) async fn submit(call: RequestContext, names: Names) -> Reply {
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
        result: Value::Null,
        submitted: now_ms(),
    };
    let answer = json!({ "jobId": job.id, "jobStatus": job.status });
    call.app.runtime.write(move |tx| jobs::add(tx, &job)).await?;
    call.app.job_runner.nudge();
    json(answer)
}

pub(super) async fn status(call: RequestContext, names: Names) -> Reply {
    reader(&call).await?;
    let service = names.service(&call, KIND).await?;
    json(shown(&find(&call, &names, &service).await?))
}

/// Cancels a job. A job that has ended is not changed.
pub(super) async fn cancel(call: RequestContext, names: Names) -> Reply {
    editor(&call, KIND).await?;
    let service = names.service(&call, KIND).await?;
    let job = find(&call, &names, &service).await?;
    let subscribers = Subscribers::of(&call.app, &service).await?;
    let (id, task) = (job.id.clone(), job.task);
    call.app
        .runtime
        .write(move |tx| {
            let messages = json!([message("The job was cancelled.")]);
            if jobs::end(tx, &id, CANCELLED, &messages, &Value::Null)? {
                subscribers.queue_job_end(tx, &id, &task, CANCELLED)?;
            }
            Ok(())
        })
        .await?;
    call.app.job_runner.interrupt(&job.id);
    call.app.dispatcher.nudge();
    json(shown(&find(&call, &names, &service).await?))
}

pub(super) async fn result(call: RequestContext, names: Names) -> Reply {
    reader(&call).await?;
    let service = names.service(&call, KIND).await?;
    let job = find(&call, &names, &service).await?;
    if job.status != SUCCEEDED || names.get("result") != OUTPUT {
        return Err(ApiError::not_found(format!("The result {} of the job", names.get("result"))));
    }
    json(json!({ "paramName": OUTPUT, "dataType": "GPString", "value": job.result }))
}

async fn find(call: &RequestContext, names: &Names, service: &ServiceName) -> Result<Job, ApiError> {
    let task = task(names, service)?;
    let id = names.get("job").to_owned();
    let job = call.app.runtime.read(move |runtime| jobs::find(runtime, &id)).await?;
    job.filter(|job| job.service == service.to_string() && job.task == task)
        .ok_or_else(|| ApiError::not_found(format!("The job {}", names.get("job"))))
}

fn shown(job: &Job) -> Value {
    let mut shown = json!({
        "jobId": job.id,
        "jobStatus": job.status,
        "inputs": job.inputs,
        "messages": job.messages,
    });
    if job.status == SUCCEEDED {
        shown["results"] = json!({ OUTPUT: { "paramUrl": format!("results/{OUTPUT}") } });
    }
    shown
}

/// Returns a message for the log of a job.
pub(super) fn message(text: &str) -> Value {
    json!({ "type": "esriJobMessageTypeInformative", "description": text })
}
