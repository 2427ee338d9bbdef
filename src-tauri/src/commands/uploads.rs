//! Files that are uploaded, so that a server can import them.

use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::runs::RunId;
use steward_core::transfers::upload;
use steward_core::transfers::upload::{UnfinishedUpload, UploadEnd, UploadId, UploadSource};
use tauri::State;

/// Uploads a file of this computer to a server.
#[tauri::command]
#[specta::specta]
pub async fn upload_for_import(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    source: UploadSource,
) -> Result<UploadEnd, Problem> {
    upload::upload(&host, &site, run, source).await
}

/// Uploads to a server that were begun and can go on.
#[tauri::command]
#[specta::specta]
#[must_use]
pub fn list_unfinished_uploads(host: State<'_, Host>, site: SiteId) -> Vec<UnfinishedUpload> {
    upload::unfinished(&host, &site)
}

/// Forgets an upload that was begun, here and on the server.
#[tauri::command]
#[specta::specta]
pub async fn discard_upload(host: State<'_, Host>, site: SiteId, item: UploadId) -> Result<(), Problem> {
    upload::discard(&host, &site, &item).await
}
