//! From what a person pastes to the addresses of a site.

use steward_core::access::discovery;
use steward_core::access::found_site::{FoundServerView, FoundView};
use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::sites::ConnectionForm;
use tauri::State;

/// Finds the site behind what somebody pasted: a host, a page of a portal, of an administration. Nothing secret is
/// sent. `site` is the saved site that is being changed, whose kept passwords the way may take.
#[tauri::command]
#[specta::specta]
pub async fn find_site(
    host: State<'_, Host>,
    site: Option<SiteId>,
    pasted: String,
    connection: ConnectionForm,
) -> Result<FoundView, Problem> {
    discovery::look(&host, site.as_ref(), &pasted, &connection).await
}

/// The servers that the portal of a site knows, each with the addresses that can be reached from here. Somebody must
/// be signed in.
#[tauri::command]
#[specta::specta]
pub async fn find_servers(host: State<'_, Host>, site: SiteId) -> Result<Vec<FoundServerView>, Problem> {
    discovery::servers(&host, &site).await
}
