//! The saved sites.

use steward_core::actions::sites::{self, SiteView};
use steward_core::host::Host;
use steward_core::model::ids::{ServerId, SiteId};
use steward_core::model::problem::Problem;
use steward_core::sites::{PinView, SiteForm};
use tauri::State;

/// All saved sites.
#[tauri::command]
#[specta::specta]
pub async fn list_sites(host: State<'_, Host>) -> Result<Vec<SiteView>, Problem> {
    sites::views(&host).await
}

/// Adds a site, or changes one.
#[tauri::command]
#[specta::specta]
pub async fn save_site(host: State<'_, Host>, form: SiteForm) -> Result<SiteView, Problem> {
    sites::save(&host, &form).await
}

/// Unlocks a read-only site for a quarter of an hour. The reason goes into the history first.
#[tauri::command]
#[specta::specta]
pub async fn unlock_site(host: State<'_, Host>, site: SiteId, reason: String) -> Result<SiteView, Problem> {
    sites::unlock_site(&host, site, reason).await
}

/// Locks a read-only site again, before its quarter of an hour is over.
#[tauri::command]
#[specta::specta]
pub async fn lock_site(host: State<'_, Host>, site: SiteId) -> Result<SiteView, Problem> {
    sites::lock_site(&host, site).await
}

/// Forgets a site, its tokens, its passwords, and what waited to be saved for it. Its history stays. A production site
/// takes a reason, a read-only one its unlock.
#[tauri::command]
#[specta::specta]
pub async fn remove_site(host: State<'_, Host>, site: SiteId, reason: String) -> Result<(), Problem> {
    sites::remove(&host, &site, &reason).await
}

/// Puts the sites into this order; those that it does not name come after.
#[tauri::command]
#[specta::specta]
pub async fn order_sites(host: State<'_, Host>, order: Vec<SiteId>) -> Result<Vec<SiteView>, Problem> {
    sites::order_sites(&host, order).await
}

/// Chooses the server that is worked with.
#[tauri::command]
#[specta::specta]
pub async fn choose_server(
    host: State<'_, Host>,
    site: SiteId,
    server: ServerId,
) -> Result<SiteView, Problem> {
    sites::choose(&host, &site, server).await
}

/// Trusts one certificate, for one address of this site and no other.
#[tauri::command]
#[specta::specta]
pub async fn trust_certificate(
    host: State<'_, Host>,
    site: SiteId,
    pin: PinView,
) -> Result<SiteView, Problem> {
    sites::trust(&host, &site, &pin).await
}

/// Confirms that an address of this site is the site's own, so that credentials may go there.
#[tauri::command]
#[specta::specta]
pub async fn confirm_address(
    host: State<'_, Host>,
    site: SiteId,
    address: String,
) -> Result<SiteView, Problem> {
    sites::confirm(&host, &site, &address).await
}
