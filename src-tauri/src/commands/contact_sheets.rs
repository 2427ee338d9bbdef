//! Contact sheets, and the tables that are saved of what came of them.

use std::path::PathBuf;
use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::Saving;
use steward_core::operations::update_participant::contacts_file::{ContactRun, SheetReading, files};
use tauri::State;

/// Reads a contact sheet and says what it would change: the file at `path`, which was dropped onto the window, or
/// the one that the person chooses in the system's dialog.
#[tauri::command]
#[specta::specta]
pub async fn read_contact_sheet(
    host: State<'_, Host>,
    site: SiteId,
    path: Option<String>,
) -> Result<SheetReading, Problem> {
    files::read(&host, &site, path.map(PathBuf::from)).await
}

/// What came of the last sheet that was sent on a site; `null` when none was since somebody signed in.
#[tauri::command]
#[specta::specta]
#[must_use]
pub fn last_contact_run(host: State<'_, Host>, site: SiteId) -> Option<ContactRun> {
    host.contact_runs.last(&site)
}

/// Saves a sheet with the present contact of every participant, to be corrected and read again.
#[tauri::command]
#[specta::specta]
pub async fn save_contact_template(host: State<'_, Host>, site: SiteId) -> Result<Saving, Problem> {
    files::save_template(&host, &site).await
}

/// Saves a table that the window shows, its first row the names of the columns.
#[tauri::command]
#[specta::specta]
pub async fn save_table(
    host: State<'_, Host>,
    name: String,
    rows: Vec<Vec<String>>,
) -> Result<Saving, Problem> {
    files::save(&host, &name, &rows).await
}
