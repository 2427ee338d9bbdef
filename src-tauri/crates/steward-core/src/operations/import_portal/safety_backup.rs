//! Safety backup before a portal import: written to a folder that the portal can write to. The app cannot read that folder,
//! so the export is *written*, and not *verified*.

use serde::{Deserialize, Serialize};
use steward_client::operations::Remarks;
use steward_client::operations::export_portal::ExportPortal;
use steward_journal::Outcome;

use crate::execution::{Execution, Intended, Response};
use crate::history::imports::{PURPOSE, SAFETY_BACKUP};
use crate::history::note::Note;
use crate::inventory::portal::PortalInventory;
use crate::inventory::stored;
use crate::model::export_kind;
use crate::model::export_outcome::{can_be_one_file, facts_at};
use crate::model::export_verification::ArchiveFault;
use crate::model::ids::RecordId;
use crate::model::numbers::Millis;
use crate::model::operation::{Component, Operation, OperationKey};
use crate::model::problem::{Problem, SafetyBackupStep};
use crate::model::run_result::RunResult;
use crate::runs::{Run, RunStep};
use crate::site_context::SiteContext;
use crate::sites::TargetSite;
use crate::transfers::earlier_file::names_earlier;

/// Operation that makes the safety backup.
const OPERATION: Operation = Operation::of(OperationKey::ExportPortal);

/// Export that was written before an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PortalSafetyBackup {
    /// Path of the file, as the portal returned it.
    pub location: String,
    /// Warnings of the portal about the export.
    pub warnings: Vec<String>,
    /// Other fields of the response to the export, each with its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<String>,
    /// Record of the export in the history; `null` if it could not be written.
    pub record: Option<RecordId>,
    /// Time when it was written.
    pub written_at: Millis,
}

/// Result of a safety backup.
pub(super) enum Secured {
    /// The portal wrote the file.
    Ready(Box<PortalSafetyBackup>),
    /// The user pressed Stop. Record of the export, if its request was sent.
    Stopped(Option<RecordId>),
}

/// Exports the portal to a folder, in the run of the import, so that Stop applies to both, and takes the inventory of
/// the portal. `imported` is the file that is imported afterward.
///
/// # Errors
/// - [`Problem::SafetyBackupFailed`] if the export failed, or the portal did not return its path. Then nothing may be
///   imported.
/// - Those of [`Execution::connect`].
pub(super) async fn write(
    context: &SiteContext,
    site: &TargetSite,
    run: &Run,
    folder: String,
    imported: &str,
) -> Result<Secured, Problem> {
    run.step(RunStep::Securing);
    let failed =
        |step, cause: Option<Problem>| Problem::SafetyBackupFailed { step, cause: cause.map(Box::new) };
    let export = ExportPortal { location: folder.clone(), store: None, validate: false };
    // If the program ends meanwhile, this parameter shows that an import was planned.
    let parameters = vec![("location", folder), (PURPOSE, SAFETY_BACKUP.to_owned())];
    let intended = Intended::to(&OPERATION, parameters, export.request());
    let connecting = Execution::connect::<()>(context, &OPERATION, site.clone(), run.clone(), Some(intended));
    let execution = match connecting.await? {
        Response::Received(execution) => execution,
        Response::Missing(_) => return Ok(Secured::Stopped(None)),
    };
    let reply = match execution.change::<_, (), _>(|permit| export.send(permit)).await {
        Ok(Response::Received(reply)) => reply,
        Ok(Response::Missing(RunResult::Unknown { problem: Some(problem), .. })) => {
            return Err(failed(SafetyBackupStep::Unknown, Some(problem)));
        }
        Ok(Response::Missing(RunResult::NotSent { .. })) => return Ok(Secured::Stopped(None)),
        Ok(Response::Missing(_)) => return Ok(Secured::Stopped(execution.record_id())),
        Err(problem) => return Err(failed(SafetyBackupStep::Export, Some(problem))),
    };
    // An earlier file does not have the present state of the portal.
    let own = execution.record_id();
    let is_earlier = can_be_one_file(&reply.location, imported)
        || names_earlier(context, site, &reply.location, own.as_ref()).await?;
    let outcome = if reply.warns() { Outcome::Warnings } else { Outcome::Succeeded };
    let note = Note::written(&reply.location);
    execution.set_facts(facts_at(&reply.location));
    execution.conclude(outcome, note.clone(), None).await;
    if is_earlier {
        let problem = failed(SafetyBackupStep::Archive(ArchiveFault::Earlier), None);
        execution.conclude(Outcome::Failed, Note::of(&problem), None).await;
        return Err(problem);
    }
    // Without its path, or with the name of another kind of file, the export could not be imported.
    let location = &reply.location;
    if location.is_empty() || export_kind::check(Component::Portal, "location", location).is_err() {
        let problem = failed(SafetyBackupStep::Export, None);
        execution.conclude(Outcome::Failed, Note::of(&problem), None).await;
        return Err(problem);
    }
    run.step(RunStep::TakingInventory);
    let taking = Box::pin(PortalInventory::take_after_export(&execution.endpoint));
    let Some(inventory) = run.unless_stopped(taking).await else {
        return Ok(Secured::Stopped(execution.record_id()));
    };
    execution.conclude(outcome, note, stored::report(Some(&inventory), None)).await;
    let record = execution.record_id();
    run.clear_outcome();
    let location = reply.location.clone();
    let Remarks { messages: warnings, further } = reply.remarks();
    Ok(Secured::Ready(Box::new(PortalSafetyBackup {
        location,
        warnings,
        further,
        record,
        written_at: Millis::now(),
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_safety_backup_that_was_stored_without_the_rest_of_its_response_is_read() {
        let stored = r#"{"location":"/b/a.portalsite","warnings":["w"],"record":null,"writtenAt":1}"#;
        let backup: PortalSafetyBackup = serde_json::from_str(stored).unwrap();
        assert_eq!((backup.warnings.len(), backup.further.len()), (1, 0));
    }
}
