//! Operation 2: server export.
//!
//! [`perform`] exports a server to a folder, or to its uploads and then to this computer.

mod outcome;

use std::path::{Path, PathBuf};

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use steward_client::operations::export_server::ExportServer;
use steward_journal::{Facts, Outcome};

use crate::execution::{Execution, Intended, Response};
use crate::history::note::Note;
use crate::history::parameters::DESTINATION;
use crate::inventory::{Inventory, InventorySummary, stored};
use crate::model::export_outcome::ExportOutcome;
use crate::model::export_verification::{ArchiveFault, ExportVerification};
use crate::model::ids::Target;
use crate::model::numbers::Bytes;
use crate::model::operation::{Operation, OperationKey};
use crate::model::pasted_path::pasted_path;
use crate::model::problem::{FieldError, Problem};
use crate::model::run_result::RunResult;
use crate::model::saved_file::SaveResult;
use crate::model::typed;
use crate::operations::descriptor::Descriptor;
use crate::operations::new_file::look_for_new_file;
use crate::runs::{NewRun, Run, RunId, RunStep};
use crate::site_context::SiteContext;
use crate::sites::TargetSite;
use crate::transfers::Transfers;
use crate::transfers::export_download::{ask_place, download, suggested_name};
use crate::transfers::export_verification::{add_to_record, last_size, note_earlier, record_at, verify};
use crate::transfers::stored_file::with_file;
use crate::transfers::uploads_before::UploadsBefore;

/// Operation of this module.
pub const OPERATION: Operation = Operation::of(OperationKey::ExportServer);

/// Descriptor of the operation.
pub(super) const DESCRIPTOR: Descriptor<ExportServerForm> = Descriptor {
    requests: |form, _, _| vec![form.export().request()],
    subject: &[],
    summary: |_| None,
    check_outcome: |request, _, server, facts| outcome::check_outcome(request, server, facts).boxed(),
};

/// Form of the operation.
#[derive(Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportServerForm {
    /// Destination of the export.
    pub place: ServerExportDestination,
}

/// Destination of a server export.
#[derive(Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ServerExportDestination {
    /// A folder that the server can write to.
    ServerFolder {
        /// Path on the machine of the server.
        location: String,
    },
    /// A file on this computer: the server stores the export among its uploads, and it is downloaded.
    ThisComputer,
}

/// Result of a server export.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServerExportReport {
    /// Result on the server.
    pub outcome: ExportOutcome,
    /// Result of the download; `null` if none was requested.
    pub saving: Option<SaveResult>,
    /// Inventory of the server that was taken with the export; `null` if the user skipped it.
    pub inventory: Option<InventorySummary>,
    /// Verification of the file on this computer; `null` if there is none, or if the user skipped it.
    pub verification: Option<ExportVerification>,
    /// Reason why the inventory could not be written beside the file; `null` if it was, or there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inventory_unwritten: Option<String>,
    /// Other fields of the response, each with its name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<String>,
    /// Whether this run created the upload that the server named; `None` if that is not known, or there is no upload.
    #[serde(skip)]
    pub is_new: Option<bool>,
}

/// Suggestion for the file of an export to this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SuggestedExport {
    /// Suggested file name. It contains the present time.
    pub name: String,
    /// Size of the last export of the server that is on this computer; `null` if there is none.
    pub last_size: Option<Bytes>,
}

/// Returns the name and the likely size of an export to this computer. Nothing is sent.
///
/// # Errors
/// [`Problem::Unexpected`] if the site is not saved, or the journal cannot be read.
pub async fn suggest(context: &SiteContext, target: &Target) -> Result<SuggestedExport, Problem> {
    let site = context.access.sites.at(target)?;
    let last_size = last_size(&context.history, &site).await?;
    Ok(SuggestedExport { name: suggested_name(&site), last_size })
}

impl ExportServerForm {
    /// Returns the export. Accepts an incomplete form, for the request preview.
    fn export(&self) -> ExportServer {
        let location = match &self.place {
            ServerExportDestination::ServerFolder { location } => pasted_path(location),
            ServerExportDestination::ThisComputer => String::new(),
        };
        ExportServer { location }
    }
}

/// Exports a server site, and downloads the export if requested.
///
/// A failed download is part of the report: the export exists on the server. A file on this computer is verified.
///
/// # Errors
/// - [`Problem::Form`] if the location is empty.
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
/// - [`Problem::PreconditionFailed`] or [`Problem::SignIn`] if the server got another URL, or the user signed in or out, while the
///   dialog was open.
/// - Those of [`export_to`].
pub async fn perform(
    context: &SiteContext,
    transfers: &Transfers,
    target: &Target,
    run: impl Into<NewRun>,
    form: ExportServerForm,
) -> Result<RunResult<ServerExportReport>, Problem> {
    // Ask for the destination before the export starts: an export can run unattended for hours.
    let shown = context.shown(target)?;
    let export = form.export();
    typed::check_paths([("location", export.location.as_str())])?;
    let place = match form.place {
        ServerExportDestination::ServerFolder { .. } if export.location.is_empty() => {
            return Err(Problem::form("location", FieldError::Required));
        }
        ServerExportDestination::ServerFolder { .. } => None,
        ServerExportDestination::ThisComputer => match ask_place(&transfers.dialogs, &shown.site).await? {
            Some(place) => Some(place),
            None => return Ok(RunResult::Dismissed),
        },
    };
    context.check_shown(&shown)?;
    export_to(context, transfers, &shown.site, run, export, place).await
}

/// Exports a server site, and downloads the export to `place` if there is one. A backup plan calls it without a dialog.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the server has another address than `shown`.
/// - Those of [`Execution::admit`], [`Execution::connect`] and [`Execution::change`].
pub async fn export_to(
    context: &SiteContext,
    transfers: &Transfers,
    shown: &TargetSite,
    run: impl Into<NewRun>,
    export: ExportServer,
    place: Option<PathBuf>,
) -> Result<RunResult<ServerExportReport>, Problem> {
    let mut parameters = vec![("location", export.location.clone())];
    parameters.extend(place.iter().map(|place| (DESTINATION, place.display().to_string())));

    let intended = Intended::to(&OPERATION, parameters, export.request());
    let (saved, run) = Execution::admit(context, &OPERATION, &shown.target(), run)?;
    // While the dialog was open, the server could get another address.
    saved.must_be_where(shown)?;
    let execution = match Execution::connect(context, &OPERATION, saved, run, Some(intended)).await? {
        Response::Received(execution) => execution,
        Response::Missing(end) => return Ok(end),
    };
    let looking = async {
        if export.location.is_empty() {
            UploadsBefore::read(&execution.endpoint).await
        } else {
            UploadsBefore::not_read()
        }
    };
    let Some(before) = execution.run.unless_stopped(Box::pin(looking)).await else {
        return Ok(execution.not_sent(String::new()).await);
    };
    let mut reply = match execution.change(|permit| export.send(permit)).await? {
        Response::Received(reply) => reply,
        Response::Missing(end) => return Ok(end),
    };
    let was_there = before.has(&reply.location);
    let (is_earlier, on_server, note) =
        look_for_new_file(&execution, &mut reply, was_there == Some(true)).await;
    let outcome = if reply.warns() { Outcome::Warnings } else { Outcome::Succeeded };
    execution.set_facts(on_server.clone());
    // Record the outcome before the download: the export exists on the server even if the download fails.
    execution.conclude(outcome, note.clone(), None).await;
    let downloading = async {
        let place = place.as_deref()?;
        let Execution { endpoint, run, .. } = &execution;
        Some(download(&transfers.retry_policy, endpoint, &reply.location, place, run, &shown.id).await)
    };
    let (saving, inventory) = tokio::join!(downloading, inventory_of(&execution));
    let saved_at = place.as_deref().zip(saving.as_ref());
    let mut verification = verification_of(context, &execution.site, &execution.run, saved_at).await;
    if let (Some(verification), Some(SaveResult::Saved { file })) = (&mut verification, &saving) {
        note_earlier(&context.history, verification, &file.sha256, execution.record_id().as_ref()).await;
        if is_earlier {
            verification.fault.get_or_insert(ArchiveFault::Earlier);
        }
    }
    let report = stored::report(inventory.as_ref(), verification.as_ref());
    let mut inventory_unwritten = None;
    match saved_at {
        Some((place, SaveResult::Saved { file })) => {
            execution.set_facts(with_file(on_server, file, verification.as_ref()));
            let is_faulty = verification.as_ref().is_some_and(ExportVerification::is_faulty);
            let outcome = if is_faulty { Outcome::Warnings } else { outcome };
            execution.conclude(outcome, Note::path(&file.path), report).await;
            if let Some(inventory) = inventory.as_ref().filter(|_| !is_faulty) {
                inventory_unwritten = stored::save_beside(place, file, inventory).await;
            }
        }
        None => execution.conclude(outcome, note, report).await,
        Some(_) => {
            execution.set_facts(Facts { lacks_only_file: outcome == Outcome::Succeeded, ..on_server });
            execution.conclude(Outcome::Warnings, note, report).await;
        }
    }
    let inventory = inventory.as_ref().map(InventorySummary::of);
    let further = std::mem::take(&mut reply.further);
    let is_new = if is_earlier { Some(false) } else { was_there.map(|was_there| !was_there) };
    Ok(execution.done(ServerExportReport {
        outcome: ExportOutcome::of(reply),
        saving,
        inventory,
        verification,
        inventory_unwritten,
        further,
        is_new,
    }))
}

/// Takes the inventory of the server that was exported. `None` if the user presses Stop: the export has its outcome
/// already.
async fn inventory_of(execution: &Execution<'_>) -> Option<Inventory> {
    let taking = Box::pin(Inventory::take(&execution.endpoint, execution.server_version()));
    execution.run.unless_stopped(taking).await
}

/// Verifies a saved export. `None` if none was saved, or if the user presses Stop.
async fn verification_of(
    context: &SiteContext,
    site: &TargetSite,
    run: &Run,
    saved_at: Option<(&Path, &SaveResult)>,
) -> Option<ExportVerification> {
    let Some((place, SaveResult::Saved { file })) = saved_at else { return None };
    run.step(RunStep::VerifyingExport);
    run.unless_stopped(verify(context, site, place, file)).await
}

/// Result of another download of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedExport {
    /// Result of the download.
    pub saving: SaveResult,
    /// Verification of the file; `null` if there is none, or if the user skipped it.
    pub verification: Option<ExportVerification>,
}

/// Downloads an export again, to a file that the user chooses, and verifies it.
///
/// # Errors
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
/// - [`Problem::Busy`] if another operation runs on the site.
/// - [`Problem::Unexpected`] if the site is not saved.
/// - Those of [`Access::server`](crate::access::Access::server).
pub async fn save_again(
    context: &SiteContext,
    transfers: &Transfers,
    target: &Target,
    run: RunId,
    location: &str,
) -> Result<SavedExport, Problem> {
    let shown = context.shown(target)?;
    let saved_site = shown.site.clone();
    let Some(place) = ask_place(&transfers.dialogs, &saved_site).await? else {
        return Ok(SavedExport { saving: SaveResult::Dismissed, verification: None });
    };
    context.check_shown(&shown)?;
    let run = context.runs.begin(run, &saved_site, OPERATION.key, None, RunStep::Preparing)?;
    let Some(server) = run.unless_stopped(context.access.server(&saved_site)).await else {
        return Ok(SavedExport { saving: SaveResult::Dismissed, verification: None });
    };
    let server = server?;
    context.lock_learned(&saved_site, &run)?;
    let saving = download(&transfers.retry_policy, &server, location, &place, &run, &target.site).await;
    let mut verification = verification_of(context, &saved_site, &run, Some((&place, &saving))).await;
    if let SaveResult::Saved { file } = &saving {
        if let Some(verification) = &mut verification {
            let own = record_at(&context.history, target, location).await;
            note_earlier(&context.history, verification, &file.sha256, own.as_ref()).await;
        }
        add_to_record(context, target, location, file, verification.as_ref()).await;
    }
    Ok(SavedExport { saving, verification })
}
