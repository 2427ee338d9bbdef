//! Commands to find a site and its servers.

use steward_core::access::discovery;
use steward_core::access::found_site::{FoundServerView, FoundView};
use steward_core::actions::certificate_files;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::sites::ConnectionForm;
use steward_core::steward::Steward;
use tauri::State;

/// Finds the site behind a pasted host or URL. No credentials are sent. `site` is the saved site that is edited, whose
/// stored passwords the connection can use.
///
/// # Errors
/// Those of [`certificate_files::check`] and [`discovery::look`].
#[tauri::command]
#[specta::specta]
pub async fn find_site(
    steward: State<'_, Steward>,
    site: Option<SiteId>,
    pasted: String,
    connection: ConnectionForm,
) -> Result<FoundView, Problem> {
    let Steward { context, preferences, dialogs, .. } = &*steward;
    let (sites, program) = (&context.access.sites, preferences.get().connection);
    certificate_files::check(sites, site.as_ref(), &program, dialogs, &connection)?;
    discovery::look(&context.access, site.as_ref(), &pasted, &connection).await
}

/// Returns the servers that the portal of a site lists, with their reachable addresses. Requires a session.
///
/// # Errors
/// Those of [`discovery::servers`].
#[tauri::command]
#[specta::specta]
pub async fn find_servers(
    steward: State<'_, Steward>,
    site: SiteId,
) -> Result<Vec<FoundServerView>, Problem> {
    discovery::servers(&steward.context.access, &site).await
}
