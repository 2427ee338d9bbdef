//! Runs all diagnostics for the window.

use serde::Serialize;

use crate::diagnostics::{self, CheckResult, Diagnosed};
use crate::model::ids::SiteId;
use crate::model::problem::Problem;

/// Result of all diagnostics.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DiagnosticReport {
    /// One result for each check, problems first.
    pub findings: Vec<CheckResult>,
    /// All results as text for support, without secrets.
    pub text: String,
}

/// Runs all diagnostics. `webview` is the version of the web view.
///
/// # Errors
/// [`Problem::Unexpected`] if the site is not saved.
pub async fn report_of(
    diagnosed: Diagnosed<'_>,
    site: Option<&SiteId>,
    webview: Option<String>,
) -> Result<DiagnosticReport, Problem> {
    let site = site.map(|id| diagnosed.context.access.sites.get(id)).transpose()?;
    let findings = diagnostics::check(diagnosed, site.as_ref(), webview).await;
    let text = diagnostics::as_text(&findings);
    Ok(DiagnosticReport { findings, text })
}
