//! Commands to sign in with the system's browser.

use steward_core::actions::browser_sign_in;
use steward_core::actions::browser_sign_in::BrowserSignIn;
use steward_core::actions::sign_in::SessionView;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::steward::Steward;
use tauri::State;

/// Opens the sign-in page of the portal in the system's browser, and waits for the browser to return.
///
/// # Errors
/// Those of [`browser_sign_in::through_loopback`].
#[tauri::command]
#[specta::specta]
pub async fn sign_in_in_browser(steward: State<'_, Steward>, site: SiteId) -> Result<BrowserSignIn, Problem> {
    browser_sign_in::through_loopback(&steward.context, &steward.dialogs, &steward.language, &site).await
}

/// Stops waiting for the browser.
#[tauri::command]
#[specta::specta]
pub fn stop_browser_sign_in(steward: State<'_, Steward>, site: SiteId) {
    browser_sign_in::stop(&steward.context.access, &site);
}

/// Opens the sign-in page of the portal, which shows a code: for portals that cannot redirect to this computer.
///
/// # Errors
/// Those of [`browser_sign_in::open_page`].
#[tauri::command]
#[specta::specta]
pub async fn open_sign_in_page(steward: State<'_, Steward>, site: SiteId) -> Result<(), Problem> {
    browser_sign_in::open_page(&steward.context.access, &steward.dialogs, &site).await
}

/// Signs in with the code shown by the page.
///
/// # Errors
/// Those of [`browser_sign_in::with_code`].
#[tauri::command]
#[specta::specta]
pub async fn sign_in_with_code(
    steward: State<'_, Steward>,
    site: SiteId,
    pasted: String,
) -> Result<SessionView, Problem> {
    browser_sign_in::with_code(&steward.context, &site, &pasted).await
}
