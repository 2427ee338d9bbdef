//! Geoprocessing jobs.

use crate::wire::ApiError;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::Value;

pub(crate) const SUBMITTED: &str = "esriJobSubmitted";
pub(crate) const EXECUTING: &str = "esriJobExecuting";
pub(crate) const SUCCEEDED: &str = "esriJobSucceeded";
pub(crate) const FAILED: &str = "esriJobFailed";

pub(crate) struct Job {
    pub(crate) id: String,
    /// Full name of the service.
    pub(crate) service: String,
    pub(crate) task: String,
    pub(crate) status: String,
    pub(crate) inputs: Value,
    pub(crate) messages: Value,
    pub(crate) submitted: i64,
}

const FIELDS: &str = "id, service, task, status, inputs, messages, submitted";

/// Adds a job.
pub(crate) fn add(tx: &Transaction, job: &Job) -> Result<(), ApiError> {
    tx.execute(
        &format!("INSERT INTO jobs ({FIELDS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"),
        params![
            job.id,
            job.service,
            job.task,
            job.status,
            job.inputs.to_string(),
            job.messages.to_string(),
            job.submitted
        ],
    )?;
    Ok(())
}

/// Returns a job. `None` if it does not exist.
pub(crate) fn find(runtime: &Connection, id: &str) -> Result<Option<Job>, ApiError> {
    let mut find = runtime.prepare_cached(&format!("SELECT {FIELDS} FROM jobs WHERE id = ?1"))?;
    Ok(find.query_row([id], from_row).optional()?)
}

/// Returns the jobs to run. After a startup, these include interrupted ones.
pub(crate) fn unfinished(runtime: &Connection) -> Result<Vec<Job>, ApiError> {
    let mut list = runtime.prepare_cached(&format!(
        "SELECT {FIELDS} FROM jobs WHERE status IN ('{SUBMITTED}', '{EXECUTING}') ORDER BY submitted, id"
    ))?;
    let jobs = list.query_map([], from_row)?.collect::<rusqlite::Result<_>>()?;
    Ok(jobs)
}

/// Marks a job as running and returns whether it still had to run.
pub(crate) fn begin(tx: &Transaction, id: &str) -> Result<bool, ApiError> {
    let begun = tx.execute(
        &format!("UPDATE jobs SET status = '{EXECUTING}' WHERE id = ?1 AND status IN ('{SUBMITTED}', '{EXECUTING}')"),
        [id],
    )?;
    Ok(begun > 0)
}

/// Ends a job, and returns whether this call ended it.
pub(crate) fn end(tx: &Transaction, id: &str, status: &str, messages: &Value) -> Result<bool, ApiError> {
    let ended = tx.execute(
        &format!(
            "UPDATE jobs SET status = ?2, messages = ?3
             WHERE id = ?1 AND status IN ('{SUBMITTED}', '{EXECUTING}')"
        ),
        params![id, status, messages.to_string()],
    )?;
    Ok(ended > 0)
}

fn from_row(row: &Row) -> rusqlite::Result<Job> {
    Ok(Job {
        id: row.get(0)?,
        service: row.get(1)?,
        task: row.get(2)?,
        status: row.get(3)?,
        inputs: super::json_column(row, 4)?,
        messages: super::json_column(row, 5)?,
        submitted: row.get(6)?,
    })
}
