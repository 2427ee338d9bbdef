//! The program examines itself.

use serde::Serialize;

use crate::diagnostics::{self, Finding};
use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::problem::Problem;

/// What an examination found.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Examination {
    /// One finding for each part, what needs attention first.
    pub findings: Vec<Finding>,
    /// All of it as one text to send to somebody, without secrets.
    pub text: String,
}

/// The whole of an examination. `webview` is the version of what draws the window.
pub async fn examination_of(
    host: &Host,
    site: Option<&SiteId>,
    webview: Option<String>,
) -> Result<Examination, Problem> {
    let site = site.map(|id| host.sites.get(id)).transpose()?;
    let findings = diagnostics::examine(host, site.as_ref(), webview).await;
    let text = diagnostics::as_text(&findings);
    Ok(Examination { findings, text })
}
