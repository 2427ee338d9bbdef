//! Operation 1: portal export.
//!
//! [`perform`] exports a portal, or checks the destination only.

mod outcome;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use steward_client::operations::export_portal::ExportPortal;
use steward_client::operations::{ExportReply, Remarks};
use steward_journal::Outcome;

use crate::execution::{Execution, Intended, Response};
use crate::inventory::portal::PortalInventory;
use crate::inventory::stored;
use crate::model::export_outcome::ExportOutcome;
use crate::model::ids::{SiteId, Target};
use crate::model::operation::{Operation, OperationKey};
use crate::model::pasted_path::pasted_path;
use crate::model::portal_store::{self, blob_of, bucket_of};
use crate::model::problem::{FieldError, Problem};
use crate::model::run_result::RunResult;
use crate::model::typed;
use crate::operations::descriptor::Descriptor;
use crate::operations::new_file::look_for_new_file;
use crate::runs::{NewRun, Run, RunStep};
use crate::site_context::SiteContext;
use crate::sites::TargetSite;
use crate::sites::availability::{self, GatedParameter};

/// Operation of this module.
pub const OPERATION: Operation = Operation::of(OperationKey::ExportPortal);

/// Descriptor of the operation.
pub(super) const DESCRIPTOR: Descriptor<ExportPortalForm> = Descriptor {
    requests: |form, _, _| {
        let export = ExportPortal { validate: form.check_only, ..form.export() };
        vec![export.request()]
    },
    subject: &[],
    summary: |_| None,
    check_outcome: |request, _, portal, facts| outcome::check_outcome(request, portal, facts).map(Ok).boxed(),
};

/// Form of the operation.
#[derive(Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportPortalForm {
    /// Destination of the export.
    pub target: PortalExportDestination,
    /// Whether to check the destination only, without an export.
    pub check_only: bool,
}

/// Destination of a portal export.
#[derive(Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PortalExportDestination {
    /// A folder that the portal can write to.
    Folder {
        /// Path on the machine of the portal.
        location: String,
    },
    /// A bucket.
    Bucket {
        /// Folder for the pointer file.
        location: String,
        /// Name of the bucket.
        bucket: String,
        /// Region of the bucket.
        region: String,
    },
    /// A blob container.
    Blob {
        /// Folder for the pointer file.
        location: String,
        /// URL of the container.
        container: String,
        /// Name of the account.
        account_name: String,
        /// Key of the account.
        account_key: String,
        /// Endpoint of the account.
        account_endpoint: String,
    },
    /// A directory of the portal itself, which returns a URL: since version 12.0.
    Portal,
}

/// Result of a portal export or of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PortalExportReport {
    /// Result on the portal.
    pub outcome: ExportOutcome,
    /// Inventory of the portal that was taken after the export; `null` after a check, and if the user skipped it.
    pub inventory: Option<PortalInventory>,
    /// Other fields of the responses, each with its name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<String>,
    /// Whether the portal named the file of an earlier export.
    #[serde(skip)]
    pub is_earlier: bool,
}

/// Exports a portal, or checks whether it can write to the destination.
///
/// If the portal can check a destination, it does so before an export, in the same run. A destination that it cannot
/// write to leaves no record: nothing was exported.
///
/// # Errors
/// - [`Problem::Form`] if a field of the form is empty, or if a destination is to be checked that the portal chooses.
/// - Those of [`availability::check_parameter`] if only a check is requested, or no folder is given, and the portal does
///   not support it.
/// - Those of [`Execution::admit`], [`Access::ask_who`](crate::access::Access::ask_who), [`Execution::connect`] and
///   [`Execution::send`].
pub async fn perform(
    context: &SiteContext,
    site: &SiteId,
    run: impl Into<NewRun>,
    form: ExportPortalForm,
) -> Result<RunResult<PortalExportReport>, Problem> {
    let only_check = form.check_only;
    let export = form.export();
    // Without a folder, there is nothing to check.
    check_complete(&export, matches!(form.target, PortalExportDestination::Portal) && !only_check)?;
    let (site, run) = Execution::admit(context, &OPERATION, &Target::portal(site.clone()), run)?;
    let ended = check_and_export(context, site, run.clone(), export, only_check).await;
    let is_exported = matches!(&ended, Ok(RunResult::Done { report, .. }) if report.outcome.is_written());
    // A mere check must not be shown as an ended export.
    if only_check && !is_exported {
        run.clear_outcome();
    }
    ended
}

/// Checks the destination, if the portal can, and exports unless only the check is requested.
async fn check_and_export(
    context: &SiteContext,
    site: TargetSite,
    run: Run,
    export: ExportPortal,
    only_check: bool,
) -> Result<RunResult<PortalExportReport>, Problem> {
    let check = ExportPortal { validate: true, ..export.clone() };
    let record = |sent: &ExportPortal| Intended::to(&OPERATION, parameters(sent), sent.request());
    let intended = (!only_check).then(|| record(&export));
    // Request the version again: a portal that was replaced by one without the parameter would export instead of
    // checking.
    let Some(known) = run.unless_stopped(context.access.ask_who(&site)).await else {
        return Ok(Execution::end_unsent(context, &OPERATION, &site, &run, intended, String::new()).await);
    };
    let known = known?;
    let can_check = availability::check_parameter(&OPERATION, GatedParameter::Validate, &site, &known);
    if export.location.is_empty() {
        availability::check_parameter(&OPERATION, GatedParameter::NoLocation, &site, &known)?;
    }
    let checks = match only_check {
        true => can_check.map(|()| true)?,
        false => known.portal_version.is_some() && can_check.is_ok() && !export.location.is_empty(),
    };
    if checks {
        run.step(RunStep::Checking);
    }
    let mut execution = match Execution::connect(context, &OPERATION, site, run, intended).await? {
        Response::Received(execution) => execution,
        Response::Missing(end) => return Ok(end),
    };
    let mut remarks = Remarks::default();
    if checks {
        execution.begin_check();
        let reply = match execution.send(check.check(&execution.endpoint)).await? {
            Response::Received(reply) => reply,
            Response::Missing(end) => return Ok(end),
        };
        // A portal that names a file has exported.
        if !reply.location.is_empty() {
            execution.record_late(record(&check)).await;
            return Ok(exported(&execution, remarks, reply).await);
        }
        if only_check {
            let further = reply.further.clone();
            let outcome = ExportOutcome::of_check(reply);
            let report = PortalExportReport { outcome, inventory: None, further, is_earlier: false };
            return Ok(execution.done(report));
        }
        remarks = reply.remarks();
        execution.run.step(RunStep::Preparing);
        execution = match execution.connect_again().await? {
            Response::Received(execution) => execution,
            Response::Missing(end) => return Ok(end),
        };
    }
    let reply = match execution.change(|permit| export.send(permit)).await? {
        Response::Received(reply) => reply,
        Response::Missing(end) => return Ok(end),
    };
    Ok(exported(&execution, remarks, reply).await)
}

/// Writes the outcome of an export, takes the inventory, and returns the result. Stop skips the inventory: the export
/// has its outcome already. `remarks` are those of the check before it.
async fn exported(
    execution: &Execution<'_>,
    remarks: Remarks,
    mut reply: ExportReply,
) -> RunResult<PortalExportReport> {
    reply.messages.splice(0..0, remarks.messages);
    reply.further.splice(0..0, remarks.further);
    let (is_earlier, facts, note) = look_for_new_file(execution, &mut reply, false).await;
    execution.set_facts(facts);
    let outcome = if reply.warns() { Outcome::Warnings } else { Outcome::Succeeded };
    execution.conclude(outcome, note.clone(), None).await;
    execution.run.step(RunStep::CountingPortal);
    let taking = Box::pin(PortalInventory::take_after_export(&execution.endpoint));
    let inventory = execution.run.unless_stopped(taking).await;
    if let Some(report) = stored::report(inventory.as_ref(), None) {
        execution.conclude(outcome, note, Some(report)).await;
    }
    let further = std::mem::take(&mut reply.further);
    execution.done(PortalExportReport { outcome: ExportOutcome::of(reply), inventory, further, is_earlier })
}

impl ExportPortalForm {
    /// Returns the export. Accepts an incomplete form, for the request preview.
    pub(crate) fn export(&self) -> ExportPortal {
        let (location, store) = match &self.target {
            PortalExportDestination::Folder { location } => (location.as_str(), None),
            PortalExportDestination::Bucket { location, bucket, region } => {
                (location.as_str(), Some(bucket_of(bucket, region)))
            }
            PortalExportDestination::Blob {
                location,
                container,
                account_name,
                account_key,
                account_endpoint,
            } => {
                let store = blob_of(container, account_name, account_key, account_endpoint);
                (location.as_str(), Some(store))
            }
            PortalExportDestination::Portal => ("", None),
        };
        ExportPortal { location: pasted_path(location), store, validate: false }
    }
}

/// Checks that no field is empty or has an invisible character. `in_portal` is whether the portal chooses the folder.
fn check_complete(export: &ExportPortal, in_portal: bool) -> Result<(), Problem> {
    if let Some(store) = &export.store {
        portal_store::check(store)?;
    }
    typed::check_paths([("location", export.location.as_str())])?;
    match export.location.is_empty() && !in_portal {
        true => Err(Problem::form("location", FieldError::Required)),
        false => Ok(()),
    }
}

/// Returns the parameters for the history: all but the account key.
fn parameters(export: &ExportPortal) -> Vec<(&'static str, String)> {
    let validate = export.validate.then(|| ("validate", "true".to_owned()));
    let store = export.store.as_ref().map(portal_store::parameters).unwrap_or_default();
    [("location", export.location.clone())].into_iter().chain(validate).chain(store).collect()
}
