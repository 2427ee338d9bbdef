//! Background execution of jobs. A job that was interrupted by a stop or kill runs again after the next startup.

use super::buffer::buffer;
use super::jobs::message;
use crate::app::App;
use crate::deliveries::Subscribers;
use crate::store::jobs::{self, FAILED, Job, SUCCEEDED};
use crate::store::services::ServiceName;
use crate::wire::ApiError;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Maximum waiting time of a job, in seconds.
const LONGEST_WAIT: f64 = 600.0;

/// Running jobs, and the signal for new ones.
#[derive(Default)]
pub(crate) struct JobRunner {
    nudge: Notify,
    running: Mutex<HashMap<String, CancellationToken>>,
}

impl JobRunner {
    pub(super) fn nudge(&self) {
        self.nudge.notify_one();
    }

    /// Cancels a job. Its result is discarded.
    pub(super) fn interrupt(&self, job: &str) {
        if let Some(running) = self.running().get(job) {
            running.cancel();
        }
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, CancellationToken>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

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
            () = closing.cancelled() => break,
            () = app.job_runner.nudge.notified() => {}
            Some(_) = workers.join_next() => {}
        }
    }
    workers.shutdown().await;
}

fn take_on(app: &Arc<App>, workers: &mut JoinSet<()>, job: Job) {
    let mut running = app.job_runner.running();
    if running.contains_key(&job.id) {
        return;
    }
    let interrupted = CancellationToken::new();
    running.insert(job.id.clone(), interrupted.clone());
    let app = Arc::clone(app);
    workers.spawn(async move {
        let id = job.id.clone();
        tokio::select! {
            () = interrupted.cancelled() => {}
            worked = work(&app, job) => {
                if let Err(fault) = worked {
                    tracing::error!(job = id, "internal error in a job: {}", fault.message);
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
        }
        app.job_runner.running().remove(&id);
    });
}

async fn work(app: &Arc<App>, job: Job) -> Result<(), ApiError> {
    let id = job.id.clone();
    if !app.runtime.write(move |tx| jobs::begin(tx, &id)).await? {
        return Ok(());
    }
    let (status, said, result) = match perform(&job.inputs).await {
        Ok(area) => (SUCCEEDED, message("The area was computed."), area),
        Err(why) => (FAILED, json!({ "type": "esriJobMessageTypeError", "description": why }), Value::Null),
    };
    let subscribers = match ServiceName::parse_full(&job.service) {
        Some(service) => Some(Subscribers::of(app, &service).await?),
        None => None,
    };
    app.runtime
        .write(move |tx| {
            if jobs::end(tx, &job.id, status, &json!([said]), &result)?
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

async fn perform(inputs: &Value) -> Result<Value, String> {
    let number = |name: &str, otherwise: f64| match inputs[name].as_str() {
        None => Ok(otherwise),
        Some(text) => match text.parse::<f64>() {
            Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
            _ => Err(format!("'{name}' is not a number that can be used.")),
        },
    };
    let wait = number("waitSeconds", 0.0)?.min(LONGEST_WAIT);
    let distance = number("distance", 1.0)?;
    let geometry = inputs["geometry"].as_str().ok_or("'geometry' is missing.")?;
    let geometry: Value =
        serde_json::from_str(geometry).map_err(|_| "'geometry' is not readable as JSON.".to_owned())?;
    tokio::time::sleep(Duration::from_secs_f64(wait)).await;
    buffer(&geometry, distance)
}
