//! Command to run diagnostics.

use steward_core::diagnostics::report;
use steward_core::diagnostics::report::DiagnosticReport;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::steward::Steward;
use tauri::State;

/// Runs diagnostics. With `site`, includes the connection to that site.
///
/// # Errors
/// Those of [`report::report_of`].
#[tauri::command]
#[specta::specta]
pub async fn run_diagnostics(
    steward: State<'_, Steward>,
    site: Option<SiteId>,
) -> Result<DiagnosticReport, Problem> {
    let webview = tauri::webview_version().ok();
    report::report_of(steward.diagnosed(), site.as_ref(), webview).await
}
