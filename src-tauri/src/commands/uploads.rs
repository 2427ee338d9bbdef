//! Commands to upload files for an import.

use steward_command::command;
use steward_core::model::archive_contents::ExportEntries;
use steward_core::model::ids::Target;
use steward_core::runs::NewRun;
use steward_core::transfers::export_entries::{self, ExportFile};
use steward_core::transfers::stored_file::{self, StoredFile};
use steward_core::transfers::upload;
use steward_core::transfers::upload::{UnfinishedUpload, UploadEnd, UploadId, UploadSource};

use super::{Program, Reply};

/// Uploads a local file to a server.
#[command]
pub(crate) async fn upload_for_import(
    steward: Program<'_>,
    target: Target,
    run: NewRun,
    source: UploadSource,
) -> Reply<UploadEnd> {
    upload::upload(&steward.context, &steward.transfers, &target, run, source).await
}

/// Returns the uploads to a server that can be resumed.
#[command]
pub(crate) fn list_unfinished_uploads(steward: Program<'_>, target: Target) -> Vec<UnfinishedUpload> {
    upload::unfinished(&steward.transfers.uploads, &target)
}

/// Returns size and local path of a file that a server stores.
#[command]
pub(crate) async fn stored_file(steward: Program<'_>, target: Target, upload: String) -> Reply<StoredFile> {
    stored_file::stored_file(&steward.context, &steward.transfers, &target, upload).await
}

/// Lists the entries of an export file; `null` if the user closed the dialog.
#[command]
pub(crate) async fn list_export_entries(
    steward: Program<'_>,
    target: Target,
    file: ExportFile,
) -> Reply<Option<ExportEntries>> {
    export_entries::list_entries(&steward.context, &steward.transfers, &steward.data_folder, &target, file)
        .await
}

/// Deletes an unfinished upload, here and on the server. Returns the name of the file if it is complete, and stays on the server.
#[command]
pub(crate) async fn discard_upload(
    steward: Program<'_>,
    target: Target,
    item: UploadId,
) -> Reply<Option<String>> {
    upload::discard(&steward.context, &steward.transfers.uploads, &target, &item).await
}

/// Deletes a stored file from the server.
#[command]
pub(crate) async fn delete_upload(
    steward: Program<'_>,
    target: Target,
    item: UploadId,
    confirmation: String,
    reason: String,
) -> Reply<()> {
    upload::delete_stored(&steward.context, &target, &item, &confirmation, &reason).await
}
