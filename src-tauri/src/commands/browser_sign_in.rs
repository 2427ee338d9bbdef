//! Signing in through the portal's own page, in the system's browser.

use steward_core::actions::browser_sign_in;
use steward_core::actions::browser_sign_in::BrowserSignIn;
use steward_core::actions::sign_in::SessionView;
use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use tauri::State;

/// Opens the portal's sign-in page in the system's browser, and waits until the browser comes back.
#[tauri::command]
#[specta::specta]
pub async fn sign_in_in_browser(host: State<'_, Host>, site: SiteId) -> Result<BrowserSignIn, Problem> {
    browser_sign_in::through_loopback(&host, &site).await
}

/// Stops waiting for the browser.
#[tauri::command]
#[specta::specta]
pub fn stop_browser_sign_in(host: State<'_, Host>, site: SiteId) {
    browser_sign_in::stop(&host, &site);
}

/// Opens the portal's sign-in page, which then shows a code: for portals that send nobody back to this computer.
#[tauri::command]
#[specta::specta]
pub async fn open_sign_in_page(host: State<'_, Host>, site: SiteId) -> Result<(), Problem> {
    browser_sign_in::open_page(&host, &site).await
}

/// Signs in with the code that the page showed.
#[tauri::command]
#[specta::specta]
pub async fn sign_in_with_code(
    host: State<'_, Host>,
    site: SiteId,
    pasted: String,
) -> Result<SessionView, Problem> {
    browser_sign_in::with_code(&host, &site, &pasted).await
}
