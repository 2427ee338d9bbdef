//! Background execution of jobs. A job that was interrupted by a stop or kill runs again after the next startup.

use crate::app::App;
use crate::deliveries::Subscribers;
use crate::store::jobs::{self, FAILED, Job, SUCCEEDED};
use crate::store::services::ServiceName;
use crate::wire::ApiError;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Maximum waiting time of a job, in seconds.
const LONGEST_WAIT: f64 = 600.0;

/// Runs jobs until `closing` is cancelled.
pub(crate) async fn run_jobs(app: Arc<App>, closing: CancellationToken) {
    let mut workers = JoinSet::new();
    loop {
        match app.runtime.read(jobs::unfinished).await {
            Ok(unfinished) => {
                for job in unfinished {
                    take_on(&app, &mut workers, job);
                }
            }
            Err(fault) => tracing::error!("the jobs cannot be read: {}", fault.message),
        }
        tokio::select! {
            // Nothing begins once the site closes.
            biased;
            () = closing.cancelled() => break,
            Some(_) = workers.join_next() => {}
            () = app.job_runner.nudge.notified() => {}
        }
    }
    workers.shutdown().await;
}

fn take_on(app: &Arc<App>, workers: &mut JoinSet<()>, job: Job) {
    if !app.job_runner.running().insert(job.id.clone()) {
        return;
    }
    let app = Arc::clone(app);
    workers.spawn(async move {
        let id = job.id.clone();
        if let Err(fault) = work(&app, job).await {
            tracing::error!(job = id, "internal error in a job: {}", fault.message);
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        app.job_runner.running().remove(&id);
    });
}

async fn work(app: &Arc<App>, job: Job) -> Result<(), ApiError> {
    let id = job.id.clone();
    if !app.runtime.write(move |tx| jobs::begin(tx, &id)).await? {
        return Ok(());
    }
    let (status, kind, said) = match perform(&job.inputs).await {
        Ok(()) => (SUCCEEDED, "esriJobMessageTypeInformative", "The job has ended.".to_owned()),
        Err(why) => (FAILED, "esriJobMessageTypeError", why),
    };
    let messages = json!([{ "type": kind, "description": said }]);
    let subscribers = match ServiceName::parse_full(&job.service) {
        Some(service) => Some(Subscribers::of(app, &service).await?),
        None => None,
    };
    app.runtime
        .write(move |tx| {
            if jobs::end(tx, &job.id, status, &messages)?
                && let Some(subscribers) = subscribers
            {
                subscribers.queue_job_end(tx, &job.id, &job.task, status)?;
            }
            Ok(())
        })
        .await?;
    app.dispatcher.nudge();
    Ok(())
}

/// Reads the inputs and waits as long as they ask for. A job has no result.
async fn perform(inputs: &Value) -> Result<(), String> {
    let geometry = inputs["geometry"].as_str().ok_or("'geometry' is missing.")?;
    serde_json::from_str::<Value>(geometry).map_err(|_| "'geometry' is not readable as JSON.".to_owned())?;
    let wait = inputs["waitSeconds"].as_str().unwrap_or("0").parse::<f64>().ok();
    let wait = wait.filter(|seconds| (0.0..=LONGEST_WAIT).contains(seconds));
    let wait = wait.ok_or("'waitSeconds' is not a number that can be used.")?;
    tokio::time::sleep(Duration::from_secs_f64(wait)).await;
    Ok(())
}
