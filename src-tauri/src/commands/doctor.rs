//! The program examines itself.

use steward_core::diagnostics::examination;
use steward_core::diagnostics::examination::Examination;
use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use tauri::State;

/// Examines what the program depends on; with `site`, the way to that site too.
#[tauri::command]
#[specta::specta]
pub async fn examine(host: State<'_, Host>, site: Option<SiteId>) -> Result<Examination, Problem> {
    let webview = tauri::webview_version().ok();
    examination::examination_of(&host, site.as_ref(), webview).await
}
