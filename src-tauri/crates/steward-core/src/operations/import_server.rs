//! Operation 3: server import, which replaces the whole server site.
//!
//! [`perform`] deactivates webhooks and creates a [`safety_backup`] first if the form requests it. [`undo`] imports
//! that backup. [`export_comparison`] compares the server with a file before.

pub mod export_comparison;
mod outcome;
mod quiet;
pub mod safety_backup;

use std::path::PathBuf;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use steward_client::listing::{self, ServiceList};
use steward_client::operations::{Remarks, import_server as wire};
use steward_client::{ServerType, Version};
use steward_journal::{Deactivation, Outcome, Report};

use crate::access::Access;
use crate::execution::{Execution, Intended, Response};
use crate::history::changes_since::must_have_safety_backup;
use crate::history::imports::{
    DEACTIVATION, INACTIVE_IN_BACKUP, SAFETY_BACKUP, SAFETY_BACKUP_SAVED_AS, UNDOES,
    inactive_in_safety_backup,
};
use crate::history::note::Note;
use crate::history::record_target::target_of;
use crate::inventory::stored;
use crate::inventory::{Inventory, service_check};
use crate::model::export_kind;
use crate::model::export_location::ExportLocation;
use crate::model::export_outcome::ExcludedItem;
use crate::model::ids::{RecordId, SiteId, Target};
use crate::model::import_report::ImportReport;
use crate::model::import_report::SafetyBackup;
use crate::model::operation::{Impact, Operation, OperationKey};
use crate::model::pasted_path::pasted_path;
use crate::model::problem::{FieldError, PreconditionFailure, Problem};
use crate::model::reactivated_webhooks::ReactivatedWebhooks;
use crate::model::run_result::RunResult;
use crate::model::service_check::{ImportProof, ServiceCheck};
use crate::model::typed;
use crate::model::unavailable_reason::UnavailableReason;
use crate::operations::descriptor::Descriptor;
use crate::operations::import_server::quiet::{Beginning, Quiet, stay_inactive};
use crate::operations::import_server::safety_backup::{
    BackupContext, SafetyBackupOptions, SafetyBackupResult,
};
use crate::runs::{NewRun, Run, RunStep};
use crate::site_context::{Refusal, SiteContext};
use crate::sites::TargetSite;
use crate::sites::availability::{self, GatedParameter, SiteFacts};
use crate::sites::confirmation;
use crate::transfers::Transfers;
use crate::transfers::export_download;
use crate::transfers::stored_file::{given, is_another, name_of, records_of};
use crate::webhooks::deactivation_log;

/// Operation of this module.
pub const OPERATION: Operation = Operation::of(OperationKey::ImportServer);

/// The same for a check of the file, which changes nothing.
const CHECK: Operation = Operation { impact: Impact::None, ..OPERATION };

/// Parameter of a record: whether the web server restarts after the import.
const RESTART_WEB_SERVER: &str = "restartWebServer";

/// Descriptor of the operation.
pub(super) const DESCRIPTOR: Descriptor<ImportServerForm> = Descriptor {
    requests: |form, site, known| {
        let restarts = restarts(site, known, form.options.restart_web_server);
        let import = import_of(site, pasted_path(&form.location), restarts);
        let check = form.options.check_first.then(|| import.check_request());
        check.into_iter().chain([import.request()]).collect()
    },
    subject: &[],
    summary: |_| None,
    check_outcome: |_, _, server, facts| outcome::check_outcome(server, facts).boxed(),
};

/// Summary of a server import, which the user confirms before it is sent.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ChangeSummary {
    /// Name of the site that will be overwritten.
    pub site: String,
    /// Number of services that will be replaced; `null` if the server does not return it.
    pub services: Option<u32>,
    /// Effects of the import, in display order.
    pub cautions: Vec<ImportEffect>,
    /// Content that is not included in the export, and must be restored manually.
    pub excluded: Vec<ExcludedItem>,
}

/// Effect of an import. The text is in the window's message catalog.
#[derive(Debug, Clone, Copy, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ImportEffect {
    /// All configuration is replaced.
    ReplacesEverything,
    /// The recorded directories must exist.
    DirectoriesMustExist,
    /// The server keeps certificates, paths, names of machines, and more, by the documents of version 11.3 and later.
    KeptSince113,
    /// Name and password of the primary site administrator remain unchanged.
    PrimaryAdministratorStays,
    /// Web adaptors must be registered again.
    WebAdaptorsAgain,
    /// The import can run for a long time.
    MayTakeLong,
    /// Caches, uncopied data, logs and statistics are not in an export.
    ExcludedFromExport,
}

/// Form of the operation.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportServerForm {
    /// Path on the server, or identifier of a server upload.
    pub location: String,
    /// Typed name of the server, or of a site with one server.
    pub confirmation: String,
    /// Options of the safety backup; `null` for none.
    pub safety_backup: Option<SafetyBackupOptions>,
    /// Reason for the deactivation log, to deactivate all webhooks before the import and reactivate them after it;
    /// `null` to leave them as they are.
    pub deactivate_webhooks: Option<String>,
    /// Options for sending the import.
    #[serde(default)]
    pub options: ImportServerOptions,
}

/// Options for sending a server import.
#[derive(Debug, Clone, Copy, Default, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportServerOptions {
    /// Whether the server checks the file before the import is sent. Servers support it since version 11.1.
    pub check_first: bool,
    /// Whether the web server restarts after the import. Sent only to servers that have the parameter, since version
    /// 11.3.
    pub restart_web_server: bool,
    /// Whether the import can be sent through the web adaptor if no administration URL is known. Possible since version
    /// 11.3.
    pub through_web_adaptor: bool,
}

/// Options for undoing a server import.
#[derive(Debug, Clone, Copy, Default, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UndoOptions {
    /// Whether a safety backup of the current state is created first.
    pub secure: bool,
    /// Whether the undo can be sent through the web adaptor if no administration URL is known. Possible since version
    /// 11.3.
    pub through_web_adaptor: bool,
}

/// First version whose documents list what a server keeps.
const KEEPS: Version = Version::new(11, 3);

/// Returns the change summary of an import, without sending it.
///
/// # Errors
/// - [`Problem::Unexpected`] if the site is not saved.
/// - Those of [`Access::server`].
pub async fn preview_import(access: &Access, target: &Target) -> Result<ChangeSummary, Problem> {
    let site = access.sites.at(target)?;
    let server = access.server(&site).await?;
    let services = ServiceList::read(&server).await.and_then(|list| list.count()).ok();
    let version = access.remembered(&site).server_version;
    let mut cautions = vec![ImportEffect::ReplacesEverything, ImportEffect::DirectoriesMustExist];
    if version.is_none_or(|version| version >= KEEPS) {
        cautions.push(ImportEffect::KeptSince113);
    }
    cautions.extend([
        ImportEffect::PrimaryAdministratorStays,
        ImportEffect::ExcludedFromExport,
        ImportEffect::WebAdaptorsAgain,
        ImportEffect::MayTakeLong,
    ]);
    Ok(ChangeSummary {
        site: site.name.clone(),
        services,
        cautions,
        excluded: ExcludedItem::of(site.server().map(|server| &server.server_type)),
    })
}

/// Imports an export file into a server, after a safety backup and without active webhooks if the
/// form requests it. If nothing was imported, the webhooks are reactivated.
///
/// # Errors
/// - [`Problem::Form`] if the location is empty, the file is of another kind, or the name is not confirmed.
/// - [`Problem::NotOffered`] if the import would pass a web adaptor, and the form does not allow that.
/// - [`Problem::ReadOnly`] if the site is read-only, or became so while the backup was created.
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
/// - [`Problem::WebhooksNotDeactivated`] if not all webhooks were deactivated. The import was not sent.
/// - [`Problem::SafetyBackupFailed`] if the safety backup failed. The import was not sent.
/// - [`Problem::PreconditionFailed`] if the server was changed while the dialog was open, if the site was locked while the
///   backup was created, or if the file is to be checked and the version of the server is not known.
/// - Those of [`availability::check_parameter`] if the file is to be checked, and the server does not support it.
/// - [`Problem::SignIn`] if the user signed in or out while the dialog was open or the backup was created.
/// - [`Problem::ImportFailed`] if the site rejected the import after it might have begun.
/// - Those of [`Execution::admit`], [`Execution::connect`] and [`Execution::change`].
pub async fn perform(
    context: &SiteContext,
    transfers: &Transfers,
    target: &Target,
    run: impl Into<NewRun>,
    form: ImportServerForm,
) -> Result<RunResult<ImportReport>, Problem> {
    let location = pasted_path(&form.location);
    typed::check_paths([("location", location.as_str())])?;
    if location.is_empty() {
        return Err(Problem::form("location", FieldError::Required));
    }
    export_kind::check(OPERATION.component, "location", &location)?;
    let shown = context.shown(target)?;
    confirmation::check(&form.confirmation, &confirmation::for_import(&shown.site))?;
    context.may_write(&shown.site, OperationKey::ImportServer.name())?;
    // Ask for the destination before the export starts: an export can run unattended for hours.
    let place = match &form.safety_backup {
        Some(SafetyBackupOptions { also_here: true }) => {
            match export_download::ask_place(&transfers.dialogs, &shown.site).await? {
                Some(place) => Some(place),
                None => return Ok(RunResult::Dismissed),
            }
        }
        _ => None,
    };
    context.check_shown(&shown)?;
    let (saved, run) = Execution::admit(context, &OPERATION, target, run)?;
    // While the dialog was open, the site could get another name.
    confirmation::check(&form.confirmation, &confirmation::for_import(&saved))?;
    let parameters = vec![("location", location.clone())];
    let mut import = Planned {
        site: saved,
        run,
        parameters,
        stored_name: None,
        quiet: None,
        inactive: None,
        restarts: form.options.restart_web_server,
        remarks: Remarks::default(),
    };
    if !form.options.through_web_adaptor {
        must_bypass(&import.site)?;
    }
    if !import.is_server_export(context).await? {
        return Ok(import.not_sent(context, Note::default(), None).await);
    }
    if let ExportLocation::Upload { id } = ExportLocation::of_import(&import.location()) {
        import.inactive = quiet::inactive_in(context, &import.site, id).await?;
    }
    if form.options.check_first {
        match Box::pin(import.check(context)).await? {
            Response::Received(remarks) => import.remarks = remarks,
            Response::Missing(end) => return Ok(end),
        }
    }
    let Some(why) = form.deactivate_webhooks else {
        return import.carry_out(context, transfers, form.safety_backup.is_some(), place).await;
    };
    // On the heap: with a deactivation and a reactivation, the future of an import would be too large for the stack.
    let beginning =
        Box::pin(Quiet::begin(context, &import.site, &import.run, why.trim(), transfers.server_restart));
    import.quiet = match beginning.await {
        Ok(Beginning::Quiet(quiet)) => Some(quiet),
        Ok(Beginning::Stopped(quiet)) => {
            let end = import.not_sent(context, Note::default(), None).await;
            if let Some(quiet) = quiet {
                stay_inactive(context, &import.run, quiet.record.as_ref(), true).await;
            }
            return Ok(end);
        }
        Err(problem) => return Err(import.refused(context, problem).await),
    };
    let ended = Box::pin(import.carry_out(context, transfers, form.safety_backup.is_some(), place)).await;
    Box::pin(import.with_webhooks(context, ended)).await
}

/// Undoes an import: imports its safety backup into the server that it was sent to.
///
/// The identifier of the backup is in the import's record before the import is sent, so that it is known after a
/// missing response or a crash. With [`UndoOptions::secure`], a safety backup of the current state is created first, so that the undo
/// can be undone too.
///
/// # Errors
/// - [`Problem::Form`] if the name is not confirmed.
/// - [`Problem::NotOffered`] if the import would pass a web adaptor, and `through_web_adaptor` is not set.
/// - [`Problem::SafetyBackupMissing`] if the server no longer has the backup.
/// - [`Problem::PreconditionFailed`] if the server has another file in its place, by its size or its ends.
/// - Those of [`must_have_safety_backup`].
/// - [`Problem::SafetyBackupFailed`] if the safety backup of the current state failed. Nothing was imported.
/// - [`Problem::ReadOnly`], [`Problem::SignIn`] or [`Problem::PreconditionFailed`] as with [`perform`], if something
///   changed while it was created.
/// - [`Problem::ImportFailed`] if the site rejected the import after it might have begun.
/// - [`Problem::Rejected`] or another error of the client if the server does not list its uploads.
/// - [`Problem::Unexpected`] if the site is not saved, the journal cannot be read, or the record is no import of this
///   site with a safety backup.
/// - Those of [`Execution::admit`], [`Execution::connect`], [`Execution::change`] and [`Access::server`].
pub async fn undo(
    context: &SiteContext,
    transfers: &Transfers,
    site: &SiteId,
    run: impl Into<NewRun>,
    record: RecordId,
    typed: &str,
    UndoOptions { secure, through_web_adaptor }: UndoOptions,
) -> Result<RunResult<ImportReport>, Problem> {
    let id = record.0.clone();
    let recorded = context.history.journal(move |journal| journal.record(&id)).await?;
    let import_to_undo = &recorded.intent;
    let kept = |name: &str| given(&import_to_undo.parameters, name);
    let ours = import_to_undo.operation == OPERATION.key.name() && import_to_undo.site == site.0;
    let upload = kept(SAFETY_BACKUP).filter(|_| ours).ok_or_else(|| Problem::Unexpected {
        message: "this record is no import of this site with a safety backup".to_owned(),
    })?;
    let target = target_of(import_to_undo);
    let shown = context.access.sites.at(&target)?;
    must_have_safety_backup(&context.access.sites, &context.history, &shown, &recorded).await?;
    confirmation::check(typed, &confirmation::for_import(&shown))?;
    if !through_web_adaptor {
        must_bypass(&shown)?;
    }
    let (saved, run) = Execution::admit(context, &OPERATION, &target, run)?;
    run.mark_as_undo();
    let inactive = inactive_in_safety_backup(import_to_undo);
    let quiet = inactive.clone().map(|record| Quiet {
        record: Some(record),
        before: None,
        restart: transfers.server_restart,
    });
    let parameters = vec![("location", upload.clone()), (UNDOES, record.0)];
    let restarts = kept(RESTART_WEB_SERVER).is_none_or(|restarts| restarts != "false");
    let mut import = Planned {
        site: saved,
        run,
        parameters,
        stored_name: None,
        quiet,
        inactive,
        restarts,
        remarks: Remarks::default(),
    };
    let looking = async {
        let server = context.access.server(&import.site).await?;
        let listed = listing::uploads(&server).await.map_err(|error| Problem::from_client(&error, site))?;
        let Some(stored) = listed.into_iter().find(|stored| stored.id == upload) else {
            return Err(Problem::SafetyBackupMissing { local: kept(SAFETY_BACKUP_SAVED_AS) });
        };
        let (of, id) = (target.clone(), upload.clone());
        let records = context.history.journal(move |journal| records_of(journal, &of, &id)).await?;
        // Only the record of the export has the facts that were read of its file.
        let recorded = records.iter().map(|record| &record.facts).find(|facts| facts.upload_size.is_some());
        match recorded {
            Some(recorded) if is_another(&server, transfers, &upload, recorded).await => {
                let why = PreconditionFailure::SafetyBackupReplaced { file: stored.name };
                Err(Problem::precondition_failed(why))
            }
            _ => Ok(stored.name),
        }
    };
    let Some(name) = import.run.unless_stopped(Box::pin(looking)).await else {
        return Ok(import.not_sent(context, Note::default(), None).await);
    };
    import.stored_name = Some(name?);
    // Webhooks that this undo reactivates can be inactive until then, and so in its own safety backup.
    if secure
        && let Some(record) = &import.inactive
        && deactivation_log::left_of(context, record).await.is_some()
    {
        import.parameters.push((INACTIVE_IN_BACKUP, record.0.clone()));
    }
    Box::pin(import.carry_out(context, transfers, secure, None)).await
}

/// Returns whether an import certainly changed nothing.
const fn had_no_effect(ended: &Result<RunResult<ImportReport>, Problem>) -> bool {
    match ended {
        Ok(RunResult::NotSent { .. } | RunResult::Dismissed) => true,
        Ok(_) => false,
        Err(problem) => !matches!(problem, Problem::ImportFailed { .. }),
    }
}

/// Added to the note of an import if the server imported the file, although it was only to check it.
const IMPORTED_INSTEAD: &str = "the server imported the file in place of checking it: no safety backup was created, and no webhook deactivated";

/// Added to the note of an import until its webhooks are active again.
const NOT_REACTIVATED: &str = "the webhooks were not reactivated";

/// Import that was admitted, and not sent yet.
struct Planned {
    site: TargetSite,
    run: Run,
    /// Parameters of its record; the first is the location.
    parameters: Vec<(&'static str, String)>,
    /// Name of the upload; `None` until it was looked for.
    stored_name: Option<String>,
    /// Webhooks to reactivate after it.
    quiet: Option<Quiet>,
    /// Deactivation whose webhooks are inactive in the file: it is the safety backup of a quiet import.
    inactive: Option<RecordId>,
    /// Whether the web server restarts after it, if the server has the parameter.
    restarts: bool,
    /// Remarks of the server in its check of the file.
    remarks: Remarks,
}

/// Returns the outcome of an import by its report.
fn outcome_of(report: &ImportReport) -> Outcome {
    // After an import in place of a check, neither the safety backup nor the deactivation that the user might have requested
    // took place.
    match (report.is_failed, report.is_clean() && !report.imported_instead) {
        (true, _) => Outcome::Failed,
        (false, false) => Outcome::Warnings,
        (false, true) => Outcome::Succeeded,
    }
}

/// Checks that an import bypasses the web adaptor of its server.
fn must_bypass(site: &TargetSite) -> Result<(), Problem> {
    match site.must_be_server()?.admin_url() {
        Some(_) => Ok(()),
        None => Err(Problem::NotOffered { reason: UnavailableReason::NoAdminUrl }),
    }
}

impl Planned {
    /// Checks by the name of an upload that it is not an export of another kind; returns `false` after Stop. A path was
    /// checked by its own name before.
    async fn is_server_export(&mut self, context: &SiteContext) -> Result<bool, Problem> {
        let ExportLocation::Upload { id } = ExportLocation::of_import(&self.location()) else {
            return Ok(true);
        };
        let target = self.site.target();
        let naming = async {
            // Ignore an error here: the import meets it again, and reports it.
            let server = context.access.server(&self.site).await.ok()?;
            Some(name_of(context, &server, &target, &id).await)
        };
        let Some(name) = self.run.unless_stopped(Box::pin(naming)).await else { return Ok(false) };
        export_kind::check(OPERATION.component, "stored", name.as_deref().unwrap_or_default())?;
        self.stored_name = name;
        Ok(true)
    }

    /// Has the server check the file, and returns what it remarks. Nothing else was sent yet.
    async fn check(&self, context: &SiteContext) -> Result<Response<Remarks, ImportReport>, Problem> {
        // Request the version again: a server that was replaced by one without the parameter would import instead of
        // checking.
        let asking = Box::pin(context.access.ask_who(&self.site));
        let Some(known) = self.run.unless_stopped(asking).await else {
            return Ok(Response::Missing(self.not_sent(context, Note::default(), None).await));
        };
        let known = known?;
        availability::check_parameter(&OPERATION, GatedParameter::Validate, &self.site, &known)?;
        if known.server_version.is_none() {
            return Err(Problem::precondition_failed(PreconditionFailure::VersionUnknown));
        }
        self.run.step(RunStep::CheckingExport);
        let (site, run) = (self.site.clone(), self.run.clone());
        let connecting = Execution::connect::<()>(context, &CHECK, site, run, None);
        if let Response::Received(mut execution) = connecting.await? {
            execution.begin_check();
            let import = import_of(&self.site, self.location(), None);
            let sent = match execution.send::<_, ()>(import.check(&execution.endpoint)).await {
                Ok(sent) => sent,
                Err(problem) => return Err(self.refused(context, problem).await),
            };
            match sent {
                Response::Received(wire::CheckReply::Checked(reply)) => {
                    return Ok(Response::Received(reply.remarks()));
                }
                Response::Received(wire::CheckReply::Imported(reply)) => {
                    let intended = Intended::to(&OPERATION, self.parameters.clone(), import.check_request());
                    execution.record_late(intended).await;
                    return Ok(Response::Missing(self.imported(&execution, reply).await));
                }
                Response::Missing(_) => {}
            }
        }
        Ok(Response::Missing(self.not_sent(context, Note::default(), None).await))
    }

    /// Ends an import that the server made in place of a check: without a safety backup, and without a comparison.
    async fn imported(&self, execution: &Execution<'_>, reply: wire::ImportReply) -> RunResult<ImportReport> {
        // The import is over: a log that cannot be written does not hide its report.
        let reopened = self.reopen(execution).await.unwrap_or_default();
        deactivation_log::forget_comparison(&execution.context.access, &self.site);
        let report = ImportReport { imported_instead: true, ..ImportReport::of(reply) };
        let about = self.about(execution, &ExportLocation::of_import(&self.location())).await;
        let note = with_failed(&report, about).and(Note::from(IMPORTED_INSTEAD.to_owned()));
        let outcome = outcome_of(&report);
        execution.conclude(outcome, note.clone(), Report::of(&report).ok()).await;
        let report =
            ImportReport { reactivated: self.left_inactive(execution, reopened, None).await, ..report };
        execution.conclude(outcome, note, Report::of(&report).ok()).await;
        stay_inactive(execution.context, &self.run, self.inactive.as_ref(), false).await;
        execution.done(report)
    }

    /// Opens the entries of the deactivation log again whose webhooks are inactive in the file. Returns them as they were.
    async fn reopen(&self, execution: &Execution<'_>) -> Result<Vec<Deactivation>, Problem> {
        match &self.inactive {
            Some(record) => Box::pin(deactivation_log::reopen(execution, record)).await,
            None => Ok(Vec::new()),
        }
    }

    /// Compares the deactivation log with the server after an import, and adds webhooks that are inactive in the file to those
    /// of a quiet import.
    async fn left_inactive(
        &self,
        execution: &Execution<'_>,
        reopened: Vec<Deactivation>,
        reactivated: Option<ReactivatedWebhooks>,
    ) -> Option<ReactivatedWebhooks> {
        let context = execution.context;
        let compared = deactivation_log::compare_in_all_sites(context, &execution.site);
        execution.run.unless_skipped(Box::pin(compared)).await;
        // An undo reactivates them itself.
        let is_own = self.quiet.as_ref().is_some_and(|quiet| quiet.record == self.inactive);
        let Some(record) = self.inactive.as_ref().filter(|_| !is_own) else { return reactivated };
        deactivation_log::close_those_active(context, reopened).await;
        Box::pin(quiet::with_left_by_file(context, record, reactivated)).await
    }

    /// Returns the deactivation whose webhooks are inactive in the safety backup. That of an undo is created before they are
    /// inactive again, unless some of them were not reactivated.
    fn inactive_in_backup(&self) -> Option<String> {
        if self.parameters.iter().any(|(name, _)| *name == UNDOES) {
            let named = self.parameters.iter().find(|(name, _)| *name == INACTIVE_IN_BACKUP);
            return named.map(|(_, record)| record.clone());
        }
        let record = self.quiet.as_ref().and_then(|quiet| quiet.record.as_ref());
        record.map(|record| record.0.clone())
    }

    fn location(&self) -> String {
        self.parameters.first().map(|(_, location)| location.clone()).unwrap_or_default()
    }

    /// Imports; with `secure`, only after a safety backup is complete. `place` is the path of its local copy; `None`
    /// for none.
    async fn carry_out(
        &self,
        context: &SiteContext,
        transfers: &Transfers,
        secure: bool,
        place: Option<PathBuf>,
    ) -> Result<RunResult<ImportReport>, Problem> {
        let mut safety_backup = None;
        if secure {
            let about = BackupContext { imported: self.location(), inactive: self.inactive_in_backup() };
            match secured(context, transfers, &self.site, &self.run, place, about).await {
                Ok(SafetyBackupResult::Ready(secured)) => safety_backup = Some(*secured),
                Ok(SafetyBackupResult::Stopped(backup)) => {
                    return Ok(self.not_sent(context, Note::default(), backup).await);
                }
                Err(problem) => return Err(self.refused(context, problem).await),
            }
        }
        let ended = Box::pin(self.send(context, safety_backup)).await;
        // Those of a quiet import without a report are in its own note, which includes these.
        let has_own_note = !matches!(ended, Ok(RunResult::Done { .. }))
            && self
                .quiet
                .as_ref()
                .is_some_and(|quiet| quiet.record.is_some() && quiet.record != self.inactive);
        if !had_no_effect(&ended) && !has_own_note {
            Box::pin(stay_inactive(context, &self.run, self.inactive.as_ref(), false)).await;
        }
        ended
    }

    /// Completes a quiet import that has no report: reactivates the webhooks if nothing was imported, and adds what
    /// became of them to the result and the note. A report has that already.
    async fn with_webhooks(
        &self,
        context: &SiteContext,
        ended: Result<RunResult<ImportReport>, Problem>,
    ) -> Result<RunResult<ImportReport>, Problem> {
        let Some(quiet) = &self.quiet else { return ended };
        match ended {
            Err(problem) if !matches!(problem, Problem::ImportFailed { .. }) => {
                let problem = quiet.end_after(context, &self.site, &self.run, problem).await;
                match (self.run.record(), &problem) {
                    (None, problem) if !self.run.has_outcome() => {
                        self.not_sent(context, Note::of(problem), None).await;
                    }
                    (Some(record), Problem::WebhooksWereInactive { webhooks, .. }) => {
                        context.history.add_to_note(record, Note::inactive(webhooks)).await;
                    }
                    _ => {}
                }
                Err(problem)
            }
            Ok(RunResult::Done { .. } | RunResult::Dismissed) => ended,
            // It was stopped, or might still be in progress.
            ended => {
                let is_unsent = had_no_effect(&ended);
                stay_inactive(context, &self.run, quiet.record.as_ref(), is_unsent).await;
                ended
            }
        }
    }

    /// Records that it was not sent, for this reason.
    async fn refused(&self, context: &SiteContext, problem: Problem) -> Problem {
        self.not_sent(context, Note::of(&problem), None).await;
        problem
    }

    /// Records that the import was not sent. `note` is the reason; empty after Stop. `backup` is the record of the safety
    /// backup that was begun.
    async fn not_sent(
        &self,
        context: &SiteContext,
        note: Note,
        backup: Option<RecordId>,
    ) -> RunResult<ImportReport> {
        let intended = Intended::with(&OPERATION, self.parameters.clone(), |_| Vec::new());
        let end =
            Execution::end_unsent(context, &OPERATION, &self.site, &self.run, Some(intended), note).await;
        end.with_backup(backup)
    }

    /// Sends the import. `secured` is the safety backup, with the inventory that was taken with it.
    async fn send(
        &self,
        context: &SiteContext,
        secured: Option<(SafetyBackup, Inventory)>,
    ) -> Result<RunResult<ImportReport>, Problem> {
        // The run still shows the step of a deactivation or a safety backup.
        self.run.step(RunStep::Preparing);
        let (safety_backup, before) = secured.unzip();
        let mut parameters = self.parameters.clone();
        let deactivation = self.quiet.as_ref().and_then(|quiet| quiet.record.as_ref());
        parameters.extend(deactivation.map(|record| (DEACTIVATION, record.0.clone())));
        if let Some(safety_backup) = &safety_backup {
            parameters.push((SAFETY_BACKUP, safety_backup.upload.clone()));
            parameters
                .extend(safety_backup.saved.iter().map(|file| (SAFETY_BACKUP_SAVED_AS, file.path.clone())));
        }
        let can_undo = safety_backup.is_some();
        let backup = safety_backup.as_ref().and_then(|safety_backup| safety_backup.record.clone());
        let mut import = import_of(&self.site, self.location(), None);
        let location = ExportLocation::of_import(&import.location);
        let intended = Intended::to(&OPERATION, parameters.clone(), import.request());
        let (site, run) = (self.site.clone(), self.run.clone());
        let mut execution = match Execution::connect(context, &OPERATION, site, run, Some(intended)).await? {
            Response::Received(execution) => execution,
            Response::Missing(end) => return Ok(end.with_backup(backup)),
        };
        // Whether the server has this parameter depends on its version, which is known only now.
        if let Some(restarts) = restarts(&execution.site, &execution.known, self.restarts) {
            import.restart_web_server = Some(restarts);
            parameters.push((RESTART_WEB_SERVER, restarts.to_string()));
            execution.intend(Intended::to(&OPERATION, parameters, import.request()));
        }
        let Some(about) = execution.run.unless_stopped(Box::pin(self.about(&execution, &location))).await
        else {
            return Ok(execution.not_sent(String::new()).await.with_backup(backup));
        };
        let taken_before = self.quiet.as_ref().and_then(|quiet| quiet.before.as_ref()).or(before.as_ref());
        let taken_now;
        let before = match taken_before {
            Some(before) => before,
            None => {
                execution.run.step(RunStep::TakingInventory);
                let taking = Box::pin(Inventory::take(&execution.endpoint, execution.server_version()));
                let Some(inventory) = execution.run.unless_stopped(taking).await else {
                    return Ok(execution.not_sent(String::new()).await.with_backup(backup));
                };
                execution.run.step(RunStep::Preparing);
                taken_now = inventory;
                &taken_now
            }
        };
        let reopened = match self.reopen(&execution).await {
            Ok(reopened) => reopened,
            Err(problem) => {
                let refused = execution.refused::<ImportReport>(Refusal::Because(problem)).await;
                return refused.map(|end| end.with_backup(backup));
            }
        };
        let compared = deactivation_log::forget_comparison(&context.access, &self.site);
        let sent = match execution.import(can_undo, |permit| import.send(permit)).await {
            Ok(Response::Received(reply)) => Ok(reply),
            Ok(Response::Missing(end)) => Err(Ok(end.with_backup(backup))),
            Err(problem) => Err(Err(problem)),
        };
        let mut reply = match sent {
            Ok(reply) => reply,
            Err(ended) => {
                if had_no_effect(&ended) {
                    deactivation_log::close_again(&context.history, reopened).await;
                    deactivation_log::restore_comparison(&context.access, compared);
                }
                return ended;
            }
        };
        reply.precede(self.remarks.clone());
        let report = ImportReport { safety_backup, ..ImportReport::of(reply) };
        let outcome = outcome_of(&report);
        // The site does not store its report.
        let kept = Report::of(&report).ok();
        let note = with_failed(&report, about);
        // Record the webhooks as inactive until they are active again: the app might be killed before.
        let is_quiet = self.quiet.as_ref().is_some_and(|quiet| quiet.record.is_some());
        let (now, note_now) = match outcome {
            now if !is_quiet => (now, note.clone()),
            now => {
                let now = if now == Outcome::Succeeded { Outcome::Warnings } else { now };
                (now, note.clone().and(Note::from(NOT_REACTIVATED.to_owned())))
            }
        };
        execution.conclude(now, note_now, kept).await;
        let responds = match &self.quiet {
            Some(quiet) => quiet.await_server(context, &self.site, &self.run).await,
            None => true,
        };
        // The import has its outcome: Stop skips the proof, and not the reactivation.
        execution.run.step(RunStep::CheckingServices);
        let export = stored::of_export(&context.history, &self.site.target(), &location).await;
        let export = export.ok().and_then(Result::ok).map(|found| found.inventory);
        let proof = Box::pin(service_check::prove(&execution.endpoint, before, export.as_ref()));
        // Stop that ended the wait for the server also applies to the reactivation, so do not clear it.
        let is_ended = !responds && execution.run.is_stopped();
        let proof = if is_ended { None } else { execution.run.unless_skipped(proof).await };
        let report = ImportReport { proof, ..report };
        if let Some(check) = report.proof.as_ref().and_then(|proof| proof.check.as_ref()) {
            let check = check.in_short();
            context.access.note_checked(&execution.site, |checks| checks.services.returned(Some(check)));
        }
        let reactivated = match &self.quiet {
            Some(quiet) => quiet.end(context, &self.site, &self.run, false).await,
            None => None,
        };
        let reactivated = Box::pin(self.left_inactive(&execution, reopened, reactivated)).await;
        // Services that the server does not list are not known to run. After Stop, there is no proof to judge.
        let do_all_run = report
            .proof
            .as_ref()
            .is_none_or(|proof| proof.check.as_ref().is_some_and(ServiceCheck::do_all_run));
        let lost = report.proof.as_ref().and_then(|proof| proof.lost.as_ref());
        let lost_all = report.proof.as_ref().and_then(ImportProof::lost_all);
        let is_well = do_all_run
            && lost.is_none_or(Vec::is_empty)
            && lost_all.is_none()
            && reactivated.as_ref().is_none_or(ReactivatedWebhooks::is_complete);
        let outcome = if outcome == Outcome::Succeeded && !is_well { Outcome::Warnings } else { outcome };
        let report = ImportReport { reactivated, ..report };
        execution.conclude(outcome, note, Report::of(&report).ok()).await;
        Ok(execution.done(report))
    }
}

impl Planned {
    /// Returns the note about the file that is imported.
    async fn about(&self, execution: &Execution<'_>, location: &ExportLocation) -> Note {
        let id = match location {
            ExportLocation::Path { path } | ExportLocation::Here { path } => return Note::path(path),
            ExportLocation::Upload { id } => id,
        };
        match &self.stored_name {
            Some(name) => Note::upload(name, id),
            None => {
                let (context, target) = (execution.context, self.site.target());
                let name = name_of(context, &execution.endpoint, &target, id).await;
                Note::upload(&name, id)
            }
        }
    }
}

/// Creates the safety backup, which can take hours, and then repeats the checks.
async fn secured(
    context: &SiteContext,
    transfers: &Transfers,
    saved: &TargetSite,
    run: &Run,
    place: Option<PathBuf>,
    about: BackupContext,
) -> Result<SafetyBackupResult, Problem> {
    let packed = SafetyBackupOptions::pack(context, transfers, saved.clone(), run, place, about).await?;
    if let SafetyBackupResult::Ready(..) = packed {
        context.may_go_on_after_backup(&OPERATION, saved, run)?;
    }
    Ok(packed)
}

/// Returns the import of an export file into a server.
fn import_of(site: &TargetSite, location: String, restart_web_server: Option<bool>) -> wire::ImportServer {
    let server_type = site.server().map_or(ServerType::Gis, |server| server.server_type.clone());
    wire::ImportServer { location, server_type, restart_web_server }
}

/// Returns whether the web server is to restart; `None` if the server does not have the parameter, or if its version is not
/// known.
fn restarts(site: &TargetSite, known: &SiteFacts, is_chosen: bool) -> Option<bool> {
    let parameter = GatedParameter::RestartWebServer;
    let has_it = known.server_version.is_some()
        && availability::check_parameter(&OPERATION, parameter, site, known).is_ok();
    has_it.then_some(is_chosen)
}

/// Number of services that are named in the one-line history entry. The report lists all.
const NAMED: usize = 3;

/// Returns `note` with the services that did not start before it, because they matter more than the path of the file.
fn with_failed(report: &ImportReport, note: Note) -> Note {
    let mut names: Vec<&str> = report.failed_services().map(|service| service.service.as_str()).collect();
    if names.is_empty() {
        return note;
    }
    if names.len() > NAMED {
        names.truncate(NAMED);
        names.push("…");
    }
    Note::from(names.join(", ")).and(note)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::import_report::{ReportCounts, ReportMessage, ReportSource, ServiceStart};

    fn with_failed_services(names: &[&str]) -> ImportReport {
        let failed = |name: &&str| ReportMessage {
            level: "WARNING".to_owned(),
            message: String::new(),
            service: Some(ServiceStart {
                service: (*name).to_owned(),
                state: "FAILED".to_owned(),
                message: String::new(),
                machines: Vec::new(),
            }),
        };
        let messages = names.iter().map(failed).collect();
        ImportReport {
            status: "success".to_owned(),
            is_failed: false,
            imported_instead: false,
            counts: ReportCounts::default(),
            sources: vec![ReportSource { source: "Services".to_owned(), messages }],
            further: Vec::new(),
            safety_backup: None,
            proof: None,
            reactivated: None,
            back: None,
        }
    }

    #[test]
    fn the_history_names_what_did_not_start_and_a_whole_site_that_is_down_stays_one_line() {
        let note = |names: &[&str]| {
            with_failed(&with_failed_services(names), Note::path("site.agssite")).to_string()
        };
        assert_eq!(note(&[]), "site.agssite");
        assert_eq!(note(&["a", "b", "c"]), "a, b, c · site.agssite");
        assert_eq!(note(&["a", "b", "c", "d", "e"]), "a, b, c, … · site.agssite");
    }
}
