//! Running services: features are edited and jobs are run, so that webhooks have something to deliver.

mod apply_edits;
pub(crate) mod catalogue;
mod extract_changes;
mod job_runner;
mod job_task;
pub(crate) mod jobs;
mod layers;
mod request;

pub(crate) use apply_edits::apply_edits;
pub(crate) use extract_changes::extract_changes;
pub(crate) use job_runner::JobRunner;
pub(crate) use job_task::run_jobs;
