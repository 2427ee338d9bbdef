//! Deletion of server uploads: an unfinished one, a stored one, and that of an export of a backup plan.
//!
//! Both are runs: no import can read a file that is being deleted, and no file is deleted that an import reads.

use steward_client::{Stage, stored_id, uploads};
use steward_journal::Outcome;

use super::admission::{may_upload, unknown_upload};
use super::local_file::upload_name;
use super::record::uploads_of;
use super::result::UploadId;
use super::store::UploadStore;
use crate::execution::{Execution, Intended, Response};
use crate::model::history_key::HistoryAction;
use crate::model::ids::Target;
use crate::model::operation::{Impact, Operation, OperationKey};
use crate::model::problem::{PreconditionFailure, Problem};
use crate::model::run_result::RunResult;
use crate::runs::{NewRun, RunId};
use crate::site_context::SiteContext;
use crate::sites::confirmation;

/// Operation of a deletion: an import, so that neither runs during the other, but one that replaces nothing.
const OPERATION: Operation =
    Operation { impact: Impact::Changes, ..Operation::of(OperationKey::ImportServer) };

/// Operation of the deletion of a stored export, which is a part of that export.
const OF_EXPORT: Operation = Operation::of(OperationKey::ExportServer);

/// Deletes an unfinished upload, here and on the server. Does not delete it here if the server does not confirm it. If the server
/// has a complete file with its identifier, that stays, and its name is returned: the user decides among the stored files.
///
/// # Errors
/// - Those of [`uploads::find`], if the server does not return what it has.
/// - [`Problem::Unexpected`] if the upload was not begun by this app.
/// - [`Problem::Rejected`] if the server rejects the request and still has the upload.
/// - Those of [`Execution::admit`], [`Execution::connect`] and [`Execution::change`].
pub async fn discard(
    context: &SiteContext,
    store: &UploadStore,
    target: &Target,
    item: &UploadId,
) -> Result<Option<String>, Problem> {
    let saved = context.access.sites.at(target)?;
    may_upload(context, &saved).await?;
    // Only an upload that this app began: others might be safety backups.
    let begun = store.find(target, item).ok_or_else(|| unknown_upload(item))?;
    let execution = begin(context, target, HistoryAction::DiscardUpload, "").await?;
    let name = upload_name(&begun.path);
    let found = execution.run.unless_stopped(uploads::find(&execution.endpoint, &item.0)).await;
    let found = found.ok_or_else(stopped)?.map_err(|error| Problem::from_client(&error, &target.site))?;
    // A complete file is no unfinished upload: a server that was restored can give its identifier to a safety backup.
    if let Some(complete) = found.filter(|found| found.committed == Some(true)) {
        execution.run.clear_outcome();
        store.forget(target, item);
        return Ok(Some(if complete.name.is_empty() { name } else { complete.name }));
    }
    delete(execution, HistoryAction::DiscardUpload, item, (begun.path.display().to_string(), name)).await?;
    store.forget(target, item);
    Ok(None)
}

/// Deletes a stored file from a server. `typed` is the name of the server, or of a site with one server, as typed; `reason` is for the history.
///
/// # Errors
/// - [`Problem::Form`] if the name is not confirmed.
/// - [`Problem::Rejected`] if the server does not have the file, or rejects the request.
/// - Those of [`Execution::admit`], [`Execution::connect`] and [`Execution::change`].
pub async fn delete_stored(
    context: &SiteContext,
    target: &Target,
    item: &UploadId,
    typed: &str,
    reason: &str,
) -> Result<(), Problem> {
    let saved = context.access.sites.at(target)?;
    confirmation::check(typed, &confirmation::for_import(&saved))?;
    may_upload(context, &saved).await?;
    let execution = begin(context, target, HistoryAction::DeleteUpload, reason).await?;
    let stored = execution.run.unless_stopped(uploads::item(&execution.endpoint, &item.0)).await;
    let stored = stored.ok_or_else(stopped)?.map_err(|error| Problem::from_client(&error, &target.site))?;
    delete(execution, HistoryAction::DeleteUpload, item, (stored.name.clone(), stored.name)).await
}

/// Deletes the stored file that an export of this run wrote, also from a read-only site: it leaves the server as it was
/// before the export (ADR 0048). `location` is the one that the server returned for that export.
///
/// # Errors
/// - [`Problem::Rejected`] if the server rejects the request.
/// - [`Problem::Unexpected`] if the location names no server upload.
/// - Those of [`Execution::admit`], [`Execution::connect`] and [`Execution::change`].
pub async fn delete_exported(context: &SiteContext, target: &Target, location: &str) -> Result<(), Problem> {
    let item = stored_id(location).map(UploadId);
    let item =
        item.ok_or_else(|| Problem::Unexpected { message: format!("no server upload: {location}") })?;
    let execution = begin_as(context, &OF_EXPORT, target, HistoryAction::DeleteUpload, "").await?;
    delete(execution, HistoryAction::DeleteUpload, &item, (location.to_owned(), item.0.clone())).await
}

/// Begins the run of a deletion, and connects.
async fn begin<'a>(
    context: &'a SiteContext,
    target: &Target,
    action: HistoryAction,
    reason: &str,
) -> Result<Execution<'a>, Problem> {
    begin_as(context, &OPERATION, target, action, reason).await
}

async fn begin_as<'a>(
    context: &'a SiteContext,
    operation: &'static Operation,
    target: &Target,
    action: HistoryAction,
    reason: &str,
) -> Result<Execution<'a>, Problem> {
    let run = NewRun::from(RunId(uuid::Uuid::new_v4().to_string())).because(reason);
    let (saved, run) = Execution::admit_as(context, operation, Some(action), target, run)?;
    match Execution::connect::<()>(context, operation, saved, run, None).await? {
        Response::Received(execution) => Ok(execution.one_of_several()),
        Response::Missing(_) => Err(stopped()),
    }
}

/// Deletes a server upload. `file` and `name` are for its record.
async fn delete(
    execution: Execution<'_>,
    action: HistoryAction,
    item: &UploadId,
    (file, name): (String, String),
) -> Result<(), Problem> {
    let mut parameters = vec![("file", file), ("item", item.0.clone())];
    parameters.extend(execution.site.server().map(|server| ("origin", uploads_of(server))));
    let requests = vec![uploads::deletion(&item.0)];
    let execution = execution.intending(Intended {
        name: action.name(),
        parameters,
        requests: Box::new(move |_| requests.clone()),
    });
    let ended = execution.change::<_, (), _>(|permit| uploads::delete(permit, &item.0)).await;
    let is_deleted = match ended {
        Ok(Response::Received(())) => {
            execution.conclude(Outcome::Succeeded, name, None).await;
            Ok(())
        }
        Ok(Response::Missing(RunResult::Unknown { problem, .. })) => {
            let message = "no response was received before Stop".to_owned();
            Err(problem.unwrap_or(Problem::Unreachable { stage: Stage::Wait, message }))
        }
        Ok(Response::Missing(_)) => Err(stopped()),
        // A server that no longer has it has nothing to delete.
        Err(Problem::Rejected { .. })
            if matches!(
                execution.run.unless_stopped(uploads::find(&execution.endpoint, &item.0)).await,
                Some(Ok(None))
            ) =>
        {
            let note = format!("{name}: the server no longer had it");
            execution.conclude(Outcome::Succeeded, note, None).await;
            Ok(())
        }
        Err(problem) => Err(problem),
    };
    // The page of the deletion shows how it ended, so the operations panel does not.
    execution.run.clear_outcome();
    is_deleted
}

fn stopped() -> Problem {
    Problem::precondition_failed(PreconditionFailure::Stopped)
}
