//! Portal import, which replaces the whole portal. The specification does not have it (`docs/spec-notes.md`).
//!
//! [`perform`] has the portal check the file, and creates a safety backup first if the form requests it. [`undo`]
//! imports that backup. [`change_summary`] lists the effects of an import, and [`proof`] compares the portal with the
//! export afterward.

pub mod change_summary;
mod outcome;
pub mod proof;
mod report;
mod safety_backup;

use std::mem;

use futures_util::FutureExt;
use serde::Deserialize;
use steward_client::Version;
use steward_client::operations::Remarks;
use steward_client::operations::export_portal::{BackupStore, ExportPortal};
use steward_client::operations::import_portal::ImportPortal;
use steward_journal::{Outcome, Report};

use crate::execution::{Execution, Intended, Response};
use crate::history::changes_since::must_have_safety_backup;
use crate::history::imports::{SAFETY_BACKUP, UNDOES, is_portal_import};
use crate::history::note::Note;
use crate::inventory::portal::PortalInventory;
use crate::model::checked::Checked;
use crate::model::export_kind;
use crate::model::ids::{RecordId, SiteId, Target};
use crate::model::operation::{Impact, Operation, OperationKey};
use crate::model::pasted_path::pasted_path;
use crate::model::portal_store::{self, PortalStoreForm};
use crate::model::problem::{FieldError, PreconditionFailure, Problem, SafetyBackupStep};
use crate::model::run_result::RunResult;
use crate::model::typed::{self, trimmed};
use crate::operations::descriptor::Descriptor;
use crate::operations::import_portal::change_summary::written_to;
pub use crate::operations::import_portal::report::{PortalImportReport, PortalProof};
pub use crate::operations::import_portal::safety_backup::PortalSafetyBackup;
use crate::operations::import_portal::safety_backup::{Secured, write};
use crate::runs::{NewRun, Run, RunStep};
use crate::site_context::SiteContext;
use crate::sites::availability::{self, GatedParameter, SiteFacts};
use crate::sites::{TargetSite, confirmation};
use crate::transfers::stored_file::given;

/// Operation of this module.
pub const OPERATION: Operation = Operation::of(OperationKey::ImportPortal);

/// The same for a check of the file, which changes nothing.
const CHECK: Operation = Operation { impact: Impact::None, ..OPERATION };

/// Descriptor of the operation.
pub(super) const DESCRIPTOR: Descriptor<ImportPortalForm> = Descriptor {
    requests: |form, _, _| {
        let store = form.store.as_ref().map(PortalStoreForm::store);
        let import = import_of(pasted_path(&form.location), store);
        vec![ImportPortal { validate: form.check_only, ..import }.request()]
    },
    subject: &[],
    summary: |_| None,
    check_outcome: |_, _, portal, facts| outcome::check_outcome(portal, facts).boxed(),
};

/// Form of the operation.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportPortalForm {
    /// Path of the export file, as the portal sees it.
    pub location: String,
    /// Object storage that has the content of the export; `null` if the file has it. Portals support it since version
    /// 12.0.
    #[serde(default)]
    pub store: Option<PortalStoreForm>,
    /// Version of the portal that wrote the file, as the user entered it; `null` if the history has the export, and so
    /// its version.
    pub export_version: Option<String>,
    /// Folder for the safety backup, as the portal sees it; `null` for none.
    pub safety_backup: Option<String>,
    /// Name of the site, as typed. Not needed for a check.
    pub confirmation: String,
    /// Whether the portal only checks that it can read the file, without an import.
    pub check_only: bool,
}

/// Imports an export file into a portal, after a safety backup if the form requests it, or checks the file only.
///
/// If the portal can check a file, it does so before an import, in the same run. With a file that it cannot read, the import is
/// not sent.
///
/// # Errors
/// - [`Problem::Form`] if the location or another field is empty, the file is of another kind, the version of the export is
///   not known or cannot be read, or the site name is not confirmed.
/// - [`Problem::ReadOnly`] if the site is read-only, or became so while the safety backup was created.
/// - [`Problem::PreconditionFailed`] if the export is of another version than the portal, if the version of the portal is not
///   known, or if the site was locked while the safety backup was created.
/// - [`Problem::SafetyBackupFailed`] if the safety backup failed. The import was not sent.
/// - [`Problem::SignIn`] if the user signed in or out while the safety backup was created.
/// - [`Problem::ImportFailed`] if the portal rejected the import after it might have begun.
/// - Those of [`availability::check_parameter`] if only a check is requested, or the content is in object storage, and the
///   portal does not support it.
/// - Those of [`Execution::admit`], [`Access::ask_who`](crate::access::Access::ask_who), [`Execution::connect`] and
///   [`Execution::change`].
pub async fn perform(
    context: &SiteContext,
    site: &SiteId,
    run: impl Into<NewRun>,
    form: ImportPortalForm,
) -> Result<RunResult<PortalImportReport>, Problem> {
    let location = pasted_path(&form.location);
    let folder = form.safety_backup.as_deref().map(pasted_path);
    for (field, value) in [("location", Some(&location)), ("safetyBackup", folder.as_ref())] {
        typed::check_paths(value.map(|value| (field, value.as_str())))?;
        if value.is_some_and(String::is_empty) {
            return Err(Problem::form(field, FieldError::Required));
        }
    }
    export_kind::check(OPERATION.component, "location", &location)?;
    let store = form.store.as_ref().map(PortalStoreForm::store);
    store.as_ref().map_or(Ok(()), portal_store::check)?;
    let target = Target::portal(site.clone());
    let saved = context.access.sites.at(&target)?;
    let written = written_to(&context.history, site, &location).await?;
    let entered = form.export_version.as_deref().map(trimmed).filter(|version| !version.is_empty());
    typed::check(entered.map(|version| ("exportVersion", version)))?;
    let export_version = match &written {
        Some(export) if !export.version.is_empty() => export.version.clone(),
        _ => entered.unwrap_or_default().to_owned(),
    };
    let expected = written.and_then(|export| export.inventory);
    let mut parameters = vec![("location", location)];
    parameters.extend(store.iter().flat_map(portal_store::parameters));
    if form.check_only {
        let (site, run) = Execution::admit(context, &CHECK, &target, run)?;
        let planned = Planned { site, run, parameters, store, export_version, expected };
        let ended = planned.check(context).await;
        // A mere check must not be shown as an ended import.
        planned.run.clear_outcome();
        return ended;
    }
    if export_version.is_empty() {
        return Err(Problem::form("exportVersion", FieldError::Required));
    }
    if Version::parse(&export_version).is_none() {
        return Err(Problem::form("exportVersion", FieldError::NotAVersion));
    }
    confirmation::check(&form.confirmation, &confirmation::for_import(&saved))?;
    let (site, run) = Execution::admit(context, &OPERATION, &target, run)?;
    Planned { site, run, parameters, store, export_version, expected }.carry_out(context, folder).await
}

/// Undoes an import: imports its safety backup into the portal.
///
/// The path of the export is in the import's record before the import is sent, so that it is known after a missing response
/// or a crash. With `folder`, a safety backup of the current state is created there first, so that the undo can be undone
/// too.
///
/// # Errors
/// - [`Problem::Unexpected`] if the site is not saved, the journal cannot be read, or the record is no import of this
///   portal with a safety backup.
/// - Those of [`must_have_safety_backup`] and [`perform`].
pub async fn undo(
    context: &SiteContext,
    site: &SiteId,
    run: impl Into<NewRun>,
    record: RecordId,
    typed: &str,
    folder: Option<String>,
) -> Result<RunResult<PortalImportReport>, Problem> {
    let folder = folder.as_deref().map(pasted_path);
    if folder.as_ref().is_some_and(String::is_empty) {
        return Err(Problem::form("safetyBackup", FieldError::Required));
    }
    let saved = context.access.sites.at(&Target::portal(site.clone()))?;
    confirmation::check(typed, &confirmation::for_import(&saved))?;
    let id = record.0.clone();
    let recorded = context.history.journal(move |journal| journal.record(&id)).await?;
    let import = &recorded.intent;
    let is_ours = is_portal_import(import) && import.site == site.0;
    let kept = given(&import.parameters, SAFETY_BACKUP).filter(|_| is_ours);
    let location = kept.ok_or_else(|| Problem::Unexpected {
        message: "this record is no import of this portal with a safety backup".to_owned(),
    })?;
    must_have_safety_backup(&context.access.sites, &context.history, &saved, &recorded).await?;
    let written = written_to(&context.history, site, &location).await?;
    let expected = written.and_then(|export| export.inventory);
    let (site, run) = Execution::admit(context, &OPERATION, &Target::portal(site.clone()), run)?;
    run.mark_as_undo();
    let parameters = vec![("location", location), (UNDOES, record.0)];
    let export_version = recorded.intent.site_version;
    let planned = Planned { site, run, parameters, store: None, export_version, expected };
    planned.carry_out(context, folder).await
}

fn import_of(location: String, store: Option<BackupStore>) -> ImportPortal {
    ImportPortal { location, store, validate: false }
}

/// Import that was admitted, and not sent yet.
struct Planned {
    site: TargetSite,
    run: Run,
    /// Parameters of its record; the first is the location.
    parameters: Vec<(&'static str, String)>,
    /// Object storage with the content; `None` if the file has it.
    store: Option<BackupStore>,
    /// Version of the portal that wrote the file; empty if it is not known.
    export_version: String,
    /// Content of the export; `None` if it is not known.
    expected: Option<PortalInventory>,
}

impl Planned {
    fn import(&self) -> ImportPortal {
        let location = self.parameters.first().map(|(_, location)| location.clone()).unwrap_or_default();
        import_of(location, self.store.clone())
    }

    /// Has the portal check the file, without an import.
    async fn check(&self, context: &SiteContext) -> Result<RunResult<PortalImportReport>, Problem> {
        let Some(known) = self.run.unless_stopped(Box::pin(context.access.ask_who(&self.site))).await else {
            return Ok(
                Execution::end_unsent(context, &CHECK, &self.site, &self.run, None, Note::default()).await
            );
        };
        let known = known?;
        self.can_check(&known)?;
        self.has_store(&known)?;
        // A portal that was replaced by one without the parameter would import instead of checking.
        if known.portal_version.is_none() {
            return Err(Problem::precondition_failed(PreconditionFailure::VersionUnknown));
        }
        self.run.step(RunStep::CheckingExport);
        let (site, run) = (self.site.clone(), self.run.clone());
        let mut execution = match Execution::connect(context, &CHECK, site, run, None).await? {
            Response::Received(execution) => execution,
            Response::Missing(end) => return Ok(end),
        };
        execution.begin_check();
        let reply = match execution.send(self.import().check(&execution.endpoint)).await? {
            Response::Received(reply) => reply,
            Response::Missing(end) => return Ok(end),
        };
        Ok(execution.done(PortalImportReport {
            check_only: true,
            warned: reply.warns(),
            messages: reply.messages,
            further: reply.further,
            safety_backup: None,
            proof: None,
            back: None,
        }))
    }

    fn can_check(&self, known: &SiteFacts) -> Result<(), Problem> {
        availability::check_parameter(&OPERATION, GatedParameter::Validate, &self.site, known)
    }

    /// Checks that the portal can read the content from object storage, if it is there. A portal of an earlier version
    /// would ignore the parameter.
    fn has_store(&self, known: &SiteFacts) -> Result<(), Problem> {
        match self.store {
            Some(_) => {
                availability::check_parameter(&OPERATION, GatedParameter::LocationConfig, &self.site, known)
            }
            None => Ok(()),
        }
    }

    /// Has the portal check the file, and the folder of the safety backup, and imports after the safety backup. `folder` is
    /// `None` for no safety backup.
    async fn carry_out(
        &self,
        context: &SiteContext,
        folder: Option<String>,
    ) -> Result<RunResult<PortalImportReport>, Problem> {
        // The current version decides, not the one of the sign-in.
        let Some(known) = self.run.unless_stopped(Box::pin(context.access.ask_who(&self.site))).await else {
            return Ok(self.not_sent(context, Note::default(), None).await);
        };
        let known = known?;
        self.is_of_version(known.portal_version)?;
        self.has_store(&known)?;
        let mut remarks = Remarks::default();
        if known.portal_version.is_some() && self.can_check(&known).is_ok() {
            match self.check_places(context, folder.as_deref()).await? {
                Response::Received(checked) => remarks = checked,
                Response::Missing(end) => return Ok(end),
            }
        }
        let Some(folder) = folder else { return self.send(context, None, remarks).await };
        let secured = match write(context, &self.site, &self.run, folder, &self.import().location).await {
            Ok(Secured::Ready(secured)) => *secured,
            Ok(Secured::Stopped(export)) => return Ok(self.not_sent(context, Note::default(), export).await),
            Err(problem) => return Err(self.refused(context, problem).await),
        };
        if let Err(problem) = context.may_go_on_after_backup(&OPERATION, &self.site, &self.run) {
            return Err(self.refused(context, problem).await);
        }
        self.send(context, Some(secured), remarks).await
    }

    /// Has the portal check the file, and the folder of the safety backup, and returns what it remarks on them. Nothing else
    /// was sent yet.
    async fn check_places(
        &self,
        context: &SiteContext,
        folder: Option<&str>,
    ) -> Result<Response<Remarks, PortalImportReport>, Problem> {
        self.run.step(RunStep::CheckingExport);
        let (site, run) = (self.site.clone(), self.run.clone());
        let mut execution = match Execution::connect::<()>(context, &CHECK, site, run, None).await? {
            Response::Received(execution) => execution,
            Response::Missing(_) => return Ok(Response::Missing(self.stopped(context).await)),
        };
        execution.begin_check();
        let remarks = match execution.send::<_, ()>(self.import().check(&execution.endpoint)).await {
            Ok(Response::Received(reply)) => reply.remarks(),
            Ok(Response::Missing(_)) => return Ok(Response::Missing(self.stopped(context).await)),
            Err(problem) => return Err(self.refused(context, problem).await),
        };
        let Some(folder) = folder else { return Ok(Response::Received(remarks)) };
        self.run.step(RunStep::Checking);
        let export = ExportPortal { location: folder.to_owned(), store: None, validate: true };
        match execution.send::<_, ()>(export.check(&execution.endpoint)).await {
            Ok(Response::Received(reply)) => Ok(Response::Received(remarks.and(reply.remarks()))),
            Ok(Response::Missing(_)) => Ok(Response::Missing(self.stopped(context).await)),
            Err(problem @ Problem::Rejected { .. }) => {
                let (step, cause) = (SafetyBackupStep::Export, Some(Box::new(problem)));
                Err(self.refused(context, Problem::SafetyBackupFailed { step, cause }).await)
            }
            Err(problem) => Err(self.refused(context, problem).await),
        }
    }

    /// Checks that the portal can import the file: it imports only exports of its own version. An undo is possible
    /// without a known version, because the export is the portal's own.
    fn is_of_version(&self, portal: Option<Version>) -> Result<(), Problem> {
        let is_undo = self.parameters.iter().any(|(name, _)| *name == UNDOES);
        if is_undo && (portal.is_none() || self.export_version.is_empty()) {
            return Ok(());
        }
        let unknown = || Problem::precondition_failed(PreconditionFailure::VersionUnknown);
        let portal = portal.ok_or_else(unknown)?;
        if Version::parse(&self.export_version) == Some(portal) {
            return Ok(());
        }
        let (export, portal) = (self.export_version.clone(), portal.to_string());
        Err(Problem::precondition_failed(PreconditionFailure::OtherVersion { export, portal }))
    }

    /// Records that it was not sent, for this reason.
    async fn refused(&self, context: &SiteContext, problem: Problem) -> Problem {
        self.not_sent(context, Note::of(&problem), None).await;
        problem
    }

    async fn stopped(&self, context: &SiteContext) -> RunResult<PortalImportReport> {
        self.not_sent(context, Note::default(), None).await
    }

    /// Records that it was not sent. `note` is the reason; empty after Stop. `export` is the record of the safety backup
    /// that was begun.
    async fn not_sent(
        &self,
        context: &SiteContext,
        note: Note,
        export: Option<RecordId>,
    ) -> RunResult<PortalImportReport> {
        let intended = Intended::with(&OPERATION, self.parameters.clone(), |_| Vec::new());
        let end =
            Execution::end_unsent(context, &OPERATION, &self.site, &self.run, Some(intended), note).await;
        end.with_backup(export)
    }

    /// Sends the import, and counts the content of the portal afterwards. `before` has the remarks of the portal about the
    /// check of the file.
    async fn send(
        &self,
        context: &SiteContext,
        safety_backup: Option<PortalSafetyBackup>,
        before: Remarks,
    ) -> Result<RunResult<PortalImportReport>, Problem> {
        // The run still shows the step of the requests before.
        self.run.step(RunStep::Preparing);
        let mut parameters = self.parameters.clone();
        parameters.extend(safety_backup.iter().map(|export| (SAFETY_BACKUP, export.location.clone())));
        let export = safety_backup.as_ref().and_then(|export| export.record.clone());
        let import = self.import();
        let note = Note::path(&import.location);
        let intended = Intended::to(&OPERATION, parameters, import.request());
        let (site, run) = (self.site.clone(), self.run.clone());
        let execution = match Execution::connect(context, &OPERATION, site, run, Some(intended)).await? {
            Response::Received(execution) => execution,
            Response::Missing(end) => return Ok(end.with_backup(export)),
        };
        // The import replaces the invitations by those of the export.
        let mut invitations = Checked::default();
        context.access.note_checked(&self.site, |checks| invitations = mem::take(&mut checks.invitations));
        let sent = execution.import(safety_backup.is_some(), |permit| import.send(permit)).await;
        let had_no_effect = match &sent {
            Ok(Response::Missing(end)) => matches!(end, RunResult::NotSent { .. } | RunResult::Dismissed),
            Ok(Response::Received(_)) => false,
            Err(problem) => !matches!(problem, Problem::ImportFailed { .. }),
        };
        if had_no_effect {
            context.access.note_checked(&self.site, |checks| checks.invitations = invitations);
        }
        let reply = match sent? {
            Response::Received(reply) => reply,
            Response::Missing(end) => return Ok(end.with_backup(export)),
        };
        let warned = reply.warns() || !before.messages.is_empty();
        let remarks = before.and(Remarks { messages: reply.messages, further: reply.further });
        let report = PortalImportReport {
            check_only: false,
            warned,
            messages: remarks.messages,
            further: remarks.further,
            safety_backup,
            proof: None,
            back: None,
        };
        let outcome = if report.warned { Outcome::Warnings } else { Outcome::Succeeded };
        execution.conclude(outcome, note.clone(), Report::of(&report).ok()).await;
        // Users, roles and keys were replaced: nothing that was known of the session holds any more.
        context.access.forget_known(&self.site.id);
        // The import has its outcome: Stop skips the proof.
        execution.run.step(RunStep::CountingPortal);
        let counting = Box::pin(proof::right_after(&context.access, &self.site, self.expected.as_ref()));
        let counted = execution.run.unless_stopped(counting).await;
        let proof = match counted {
            Some(Ok(proof)) => proof,
            Some(Err(problem)) => {
                tracing::info!(?problem, "the portal was not counted after the import");
                None
            }
            None => None,
        };
        let is_as_exported = proof.as_ref().is_none_or(PortalProof::is_as_exported);
        let outcome = if is_as_exported { outcome } else { Outcome::Warnings };
        let report = PortalImportReport { proof, ..report };
        execution.conclude(outcome, note, Report::of(&report).ok()).await;
        Ok(execution.done(report))
    }
}
