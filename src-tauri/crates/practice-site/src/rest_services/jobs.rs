//! Jobs are submitted, watched and cancelled.

use super::gp_service::{KIND, OUTPUT, task};
use super::{Names, editor, reader};
use crate::clock::now_ms;
use crate::deliveries::Subscribers;
use crate::random;
use crate::store::jobs::{self, CANCELLED, Job, SUBMITTED, SUCCEEDED};
use crate::store::services::ServiceName;
use crate::wire::{Call, Refusal, Reply, json};
use serde_json::{Value, json};

/// What the task reads. Everything else in a request is no input.
const INPUTS: [&str; 3] = ["geometry", "distance", "waitSeconds"];

pub(super) async fn submit(call: Call, names: Names) -> Reply {
    editor(&call, KIND).await?;
    let service = names.service(&call, KIND).await?;
    let mut inputs = json!({});
    for name in INPUTS {
        // As it was said: whether it makes sense is for the job to find out.
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
    call.app.job_shop.nudge();
    json(answer)
}

pub(super) async fn status(call: Call, names: Names) -> Reply {
    reader(&call).await?;
    let service = names.service(&call, KIND).await?;
    json(shown(&find(&call, &names, &service).await?))
}

/// A job that has ended stays as it ended.
pub(super) async fn cancel(call: Call, names: Names) -> Reply {
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
                subscribers.tell_of_job(tx, &id, &task, CANCELLED)?;
            }
            Ok(())
        })
        .await?;
    call.app.job_shop.interrupt(&job.id);
    call.app.courier.nudge();
    json(shown(&find(&call, &names, &service).await?))
}

pub(super) async fn result(call: Call, names: Names) -> Reply {
    reader(&call).await?;
    let service = names.service(&call, KIND).await?;
    let job = find(&call, &names, &service).await?;
    if job.status != SUCCEEDED || names.get("result") != OUTPUT {
        return Err(Refusal::not_found(format!("The result {} of the job", names.get("result"))));
    }
    json(json!({ "paramName": OUTPUT, "dataType": "GPString", "value": job.result }))
}

async fn find(call: &Call, names: &Names, service: &ServiceName) -> Result<Job, Refusal> {
    let task = task(names, service)?;
    let id = names.get("job").to_owned();
    let job = call.app.runtime.read(move |runtime| jobs::find(runtime, &id)).await?;
    job.filter(|job| job.service == service.to_string() && job.task == task)
        .ok_or_else(|| Refusal::not_found(format!("The job {}", names.get("job"))))
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

/// A line of a job's log.
pub(super) fn message(text: &str) -> Value {
    json!({ "type": "esriJobMessageTypeInformative", "description": text })
}
