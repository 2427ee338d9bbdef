//! Commands for contacts files.

use steward_app::steward::Steward;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::update_participant::contacts_file::{
    ContactsBatch, ContactsFileReading, files,
};
use tauri::State;

/// Reads a contacts file, and returns its changes. `path`: a file that was dropped onto the window; `null` opens a
/// dialog.
#[tauri::command]
#[specta::specta]
pub(crate) async fn read_contacts_file(
    steward: State<'_, Steward>,
    site: SiteId,
    path: Option<String>,
) -> Result<ContactsFileReading, Problem> {
    files::read(&steward.context.access, &steward.dialogs, &site, path).await
}

/// Returns the result of the last contacts file of a site; `null` if there is none since the last sign-in.
#[tauri::command]
#[specta::specta]
#[must_use]
pub(crate) fn last_contacts_batch(steward: State<'_, Steward>, site: SiteId) -> Option<ContactsBatch> {
    steward.contacts_batches.last(&site)
}

/// Saves a contacts file with the present contacts of all participants.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_contacts_template(
    steward: State<'_, Steward>,
    site: SiteId,
) -> Result<SaveResult, Problem> {
    files::save_template(&steward.context.access, &steward.dialogs, &site).await
}

/// Saves a table of the window as CSV. The first row contains the column names.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_table(
    steward: State<'_, Steward>,
    name: String,
    rows: Vec<Vec<String>>,
) -> Result<SaveResult, Problem> {
    files::save(&steward.dialogs, &name, &rows).await
}
