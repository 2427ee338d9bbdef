//! 1 Portal export.

use serde::Deserialize;
use steward_client::operations::ExportReply;
use steward_client::operations::export_portal::{BackupStore, ExportPortal};
use steward_journal::Outcome;
use steward_vault::Secret;

use crate::execution::{Answer, History, Task};
use crate::host::Host;
use crate::model::export_outcome::ExportOutcome;
use crate::model::ids::SiteId;
use crate::model::operation::Operation;
use crate::model::problem::{Fault, Problem};
use crate::model::run_result::Ended;
use crate::runs::{Run, RunId, RunStep};
use crate::sites::Site;
use crate::sites::availability::{self, GatedParameter};

/// Its descriptor.
pub const OPERATION: Operation = Operation::EXPORT_PORTAL;

/// What the person fills in.
#[derive(Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportPortalForm {
    /// Where to.
    pub target: PortalTarget,
    /// Only check that the place can be written; nothing is exported.
    pub check_only: bool,
}

/// Where a portal is exported to.
#[derive(Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PortalTarget {
    /// A folder that the portal can write to.
    Folder {
        /// Its path, as the portal sees it.
        location: String,
    },
    /// A bucket.
    Bucket {
        /// Folder of the file that points to the bucket.
        location: String,
        /// Name of the bucket.
        bucket: String,
        /// Its region.
        region: String,
    },
    /// A blob container.
    Blob {
        /// Folder of the file that points to the container.
        location: String,
        /// Address of the container.
        container: String,
        /// Name of the account.
        account_name: String,
        /// Key of the account.
        account_key: String,
        /// Endpoint of the account.
        account_endpoint: String,
    },
}

/// The operation as the window asks for it: where the portal can check a place, it does so before the export begins,
/// in the same run. A place that it cannot write to leaves no record: nothing was exported.
pub async fn checked_first(
    host: &Host,
    site: &SiteId,
    run: RunId,
    form: ExportPortalForm,
) -> Result<Ended<ExportOutcome>, Problem> {
    let mut request = form.request()?;
    let (site, run) = Task::admit(host, &OPERATION, site, run)?;
    if request.validate {
        return send(host, site, run, request).await;
    }
    // A portal may be another one than it was, and one that does not know the parameter exports.
    let Some(known) = run.unless_stopped(host.ask_who(&site)).await else {
        let history = History::Record(parameters(&request));
        return Ok(Task::stopped_early(host, &OPERATION, &site, &run, history).await);
    };
    let known = known?;
    let can_check = known.portal_version.is_some()
        && availability::check_parameter(&OPERATION, GatedParameter::Validate, &site, &known).is_ok();
    if !can_check {
        return send(host, site, run, request).await;
    }
    run.step(RunStep::Checking);
    let history = History::Check { parameters: parameters(&request), then_export: true };
    request.validate = true;
    let task = match Task::within(host, &OPERATION, site.clone(), run, history).await? {
        Answer::Came(task) => task,
        Answer::Lost(end) => return Ok(end),
    };
    let reply = match task.answer(request.send(&task.area)).await? {
        Answer::Came(reply) => reply,
        Answer::Lost(end) => return Ok(end),
    };
    if !reply.location.is_empty() {
        return exported(task, &request, reply).await;
    }
    request.validate = false;
    let run = task.into_run();
    run.step(RunStep::Preparing);
    send(host, site, run, request).await
}

/// The operation itself: one request.
pub async fn perform(
    host: &Host,
    site: &SiteId,
    run: RunId,
    form: ExportPortalForm,
) -> Result<Ended<ExportOutcome>, Problem> {
    let request = form.request()?;
    let (site, run) = Task::admit(host, &OPERATION, site, run)?;
    send(host, site, run, request).await
}

async fn send(
    host: &Host,
    site: Site,
    run: Run,
    request: ExportPortal,
) -> Result<Ended<ExportOutcome>, Problem> {
    let history = if request.validate {
        // As it is now: see `checked_first`.
        let Some(known) = run.unless_stopped(host.ask_who(&site)).await else {
            return Ok(Task::stopped_early(host, &OPERATION, &site, &run, History::Nothing).await);
        };
        availability::check_parameter(&OPERATION, GatedParameter::Validate, &site, &known?)?;
        History::Check { parameters: parameters(&request), then_export: false }
    } else {
        History::Record(parameters(&request))
    };
    let task = match Task::within(host, &OPERATION, site, run, history).await? {
        Answer::Came(task) => task,
        Answer::Lost(end) => return Ok(end),
    };
    let reply = match task.answer(request.send(&task.area)).await? {
        Answer::Came(reply) => reply,
        Answer::Lost(end) => return Ok(end),
    };
    if request.validate && reply.location.is_empty() {
        return Ok(task.done(ExportOutcome::Checked));
    }
    exported(task, &request, reply).await
}

/// Records and reports an export. The response to a check that names a file is one, too.
async fn exported(
    mut task: Task<'_>,
    request: &ExportPortal,
    reply: ExportReply,
) -> Result<Ended<ExportOutcome>, Problem> {
    if request.validate {
        task = task.recorded_late(parameters(request)).await;
    }
    let outcome = if reply.warns() { Outcome::Warnings } else { Outcome::Succeeded };
    task.conclude(outcome, reply.location.clone(), None).await;
    Ok(task.done(ExportOutcome::of(reply)))
}

impl ExportPortalForm {
    fn request(self) -> Result<ExportPortal, Problem> {
        let validate = self.check_only;
        Ok(match self.target {
            PortalTarget::Folder { location } => {
                ExportPortal { location: given("location", &location)?, store: None, validate }
            }
            PortalTarget::Bucket { location, bucket, region } => {
                let store = BackupStore::Bucket {
                    name: given("bucket", &bucket)?,
                    region: given("region", &region)?,
                };
                ExportPortal { location: given("location", &location)?, store: Some(store), validate }
            }
            PortalTarget::Blob { location, container, account_name, account_key, account_endpoint } => {
                let store = BackupStore::Blob {
                    container: given("container", &container)?,
                    account_name: given("accountName", &account_name)?,
                    account_key: Secret::new(given("accountKey", &account_key)?),
                    account_endpoint: given("accountEndpoint", &account_endpoint)?,
                };
                ExportPortal { location: given("location", &location)?, store: Some(store), validate }
            }
        })
    }
}

fn given(field: &str, text: &str) -> Result<String, Problem> {
    match text.trim() {
        "" => Err(Problem::form(field, Fault::Required)),
        text => Ok(text.to_owned()),
    }
}

/// What the history keeps: everything but the key of the account.
fn parameters(request: &ExportPortal) -> Vec<(&'static str, String)> {
    let mut parameters = vec![("location", request.location.clone())];
    if request.validate {
        parameters.push(("validate", "true".to_owned()));
    }
    match &request.store {
        None => {}
        Some(BackupStore::Bucket { name, region }) => {
            parameters.push(("backupObjectStore", name.clone()));
            parameters.push(("backupObjectStoreRegion", region.clone()));
        }
        Some(BackupStore::Blob { container, account_name, account_endpoint, .. }) => {
            parameters.push(("backupObjectStore", container.clone()));
            parameters.push(("accountName", account_name.clone()));
            parameters.push(("accountEndpoint", account_endpoint.clone()));
        }
    }
    parameters
}
