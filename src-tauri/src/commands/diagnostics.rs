//! Command to run diagnostics.

use steward_core::diagnostics::examination;
use steward_core::diagnostics::examination::DiagnosticReport;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::steward::Steward;
use tauri::State;

/// Runs diagnostics. With `site`, includes the connection to that site.
///
/// # Errors
/// Those of [`examination::examination_of`].
#[tauri::command]
#[specta::specta]
pub async fn run_diagnostics(
    steward: State<'_, Steward>,
    site: Option<SiteId>,
) -> Result<DiagnosticReport, Problem> {
    let webview = tauri::webview_version().ok();
    examination::examination_of(steward.examined(), site.as_ref(), webview).await
}
