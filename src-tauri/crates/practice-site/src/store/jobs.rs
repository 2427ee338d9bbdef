//! Jobs of geoprocessing services.

use crate::wire::Refusal;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::Value;

pub(crate) const SUBMITTED: &str = "esriJobSubmitted";
pub(crate) const EXECUTING: &str = "esriJobExecuting";
pub(crate) const SUCCEEDED: &str = "esriJobSucceeded";
pub(crate) const FAILED: &str = "esriJobFailed";
pub(crate) const CANCELLED: &str = "esriJobCancelled";

pub(crate) struct Job {
    pub(crate) id: String,
    /// The full name of its service.
    pub(crate) service: String,
    pub(crate) task: String,
    pub(crate) status: String,
    pub(crate) inputs: Value,
    pub(crate) messages: Value,
    /// `null` until the job has succeeded.
    pub(crate) result: Value,
    pub(crate) submitted: i64,
}

const FIELDS: &str = "id, service, task, status, inputs, messages, result, submitted";

pub(crate) fn add(tx: &Transaction, job: &Job) -> Result<(), Refusal> {
    tx.execute(
        &format!("INSERT INTO jobs ({FIELDS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"),
        params![
            job.id,
            job.service,
            job.task,
            job.status,
            job.inputs.to_string(),
            job.messages.to_string(),
            job.result.to_string(),
            job.submitted
        ],
    )?;
    Ok(())
}

pub(crate) fn find(runtime: &Connection, id: &str) -> Result<Option<Job>, Refusal> {
    let mut find = runtime.prepare_cached(&format!("SELECT {FIELDS} FROM jobs WHERE id = ?1"))?;
    Ok(find.query_row([id], from_row).optional()?)
}

/// Jobs that are to be run; after a start also those that a stop or a kill has interrupted.
pub(crate) fn unfinished(runtime: &Connection) -> Result<Vec<Job>, Refusal> {
    let mut list = runtime.prepare_cached(&format!(
        "SELECT {FIELDS} FROM jobs WHERE status IN ('{SUBMITTED}', '{EXECUTING}') ORDER BY submitted, id"
    ))?;
    let jobs = list.query_map([], from_row)?.collect::<rusqlite::Result<_>>()?;
    Ok(jobs)
}

/// Whether the job was still to be run.
pub(crate) fn begin(tx: &Transaction, id: &str) -> Result<bool, Refusal> {
    let begun = tx.execute(
        &format!("UPDATE jobs SET status = '{EXECUTING}' WHERE id = ?1 AND status IN ('{SUBMITTED}', '{EXECUTING}')"),
        [id],
    )?;
    Ok(begun > 0)
}

/// Ends a job that has not ended yet; says whether it was this call that ended it.
pub(crate) fn end(
    tx: &Transaction,
    id: &str,
    status: &str,
    messages: &Value,
    result: &Value,
) -> Result<bool, Refusal> {
    let ended = tx.execute(
        &format!(
            "UPDATE jobs SET status = ?2, messages = ?3, result = ?4
             WHERE id = ?1 AND status IN ('{SUBMITTED}', '{EXECUTING}')"
        ),
        params![id, status, messages.to_string(), result.to_string()],
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
        result: super::json_column(row, 6)?,
        submitted: row.get(7)?,
    })
}
