//! Commands to upload files for an import.

use steward_app::steward::Steward;
use steward_core::model::archive_contents::ExportEntries;
use steward_core::model::ids::Target;
use steward_core::model::problem::Problem;
use steward_core::runs::NewRun;
use steward_core::transfers::export_entries::{self, ExportFile};
use steward_core::transfers::stored_file::{self, StoredFile};
use steward_core::transfers::upload;
use steward_core::transfers::upload::{UnfinishedUpload, UploadEnd, UploadId, UploadSource};
use tauri::State;

/// Uploads a local file to a server.
#[tauri::command]
#[specta::specta]
pub(crate) async fn upload_for_import(
    steward: State<'_, Steward>,
    target: Target,
    run: NewRun,
    source: UploadSource,
) -> Result<UploadEnd, Problem> {
    upload::upload(&steward.context, &steward.transfers, &target, run, source).await
}

/// Returns the uploads to a server that can be resumed.
#[tauri::command]
#[specta::specta]
#[must_use]
pub(crate) fn list_unfinished_uploads(steward: State<'_, Steward>, target: Target) -> Vec<UnfinishedUpload> {
    upload::unfinished(&steward.transfers.uploads, &target)
}

/// Returns size and local path of a file that a server stores.
#[tauri::command]
#[specta::specta]
pub(crate) async fn stored_file(
    steward: State<'_, Steward>,
    target: Target,
    upload: String,
) -> Result<StoredFile, Problem> {
    stored_file::stored_file(&steward.context, &steward.transfers, &target, upload).await
}

/// Lists the entries of an export file; `null` if the user closed the dialog.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_export_entries(
    steward: State<'_, Steward>,
    target: Target,
    file: ExportFile,
) -> Result<Option<ExportEntries>, Problem> {
    export_entries::list_entries(&steward.context, &steward.transfers, &steward.data_folder, &target, file)
        .await
}

/// Deletes an unfinished upload, here and on the server. Returns the name of the file if it is complete, and stays on
/// the server.
#[tauri::command]
#[specta::specta]
pub(crate) async fn discard_upload(
    steward: State<'_, Steward>,
    target: Target,
    item: UploadId,
) -> Result<Option<String>, Problem> {
    upload::discard(&steward.context, &steward.transfers.uploads, &target, &item).await
}

/// Deletes a stored file from the server.
#[tauri::command]
#[specta::specta]
pub(crate) async fn delete_upload(
    steward: State<'_, Steward>,
    target: Target,
    item: UploadId,
    confirmation: String,
    reason: String,
) -> Result<(), Problem> {
    upload::delete_stored(&steward.context, &target, &item, &confirmation, &reason).await
}
