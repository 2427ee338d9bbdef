//! What the page says to the window around it.

use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use tauri::{AppHandle, State};

use crate::window::{Appearance, CloseAnswer, Opened, OpenedFile};

/// The first screen is painted, or the language has changed.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "what the window sends is owned")]
pub fn window_ready(appearance: State<'_, Appearance>, language: String) {
    appearance.is_ready(&language);
}

/// The first screen shows what the program keeps, and can be used. The line tells how long a start takes: to whoever
/// reads the log of a slow machine, and to `cargo xtask bench start`.
#[tauri::command]
#[specta::specta]
pub fn window_usable() {
    tracing::info!("the window can be used");
}

/// What somebody opened with the program and the page has not taken yet.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub fn take_opened_file(opened: State<'_, Opened>) -> Option<OpenedFile> {
    opened.take()
}

/// What the person says to closing the window while something runs.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub fn answer_close(app: AppHandle, answer: CloseAnswer) {
    crate::window::close_answered(&app, answer);
}

/// Opens a link that a site has sent, in the system's browser: a page of the site's own hosts and nothing else.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "what the window sends is owned")]
pub fn open_link(host: State<'_, Host>, site: SiteId, address: String) -> Result<(), Problem> {
    host.open_link(&site, &address)
}
