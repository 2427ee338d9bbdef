//! Commands of the page for its window.

use steward_app::steward::Steward;
use steward_core::access::links;
use steward_core::model::ids::SiteId;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use tauri::{AppHandle, Manager, State};

use crate::window::{Appearance, CloseAnswer, MAIN, Opened, OpenedFile};

/// Reports that the page has its first content: bar and sidebar without their controls. Shows the window.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub(crate) fn window_has_content(appearance: State<'_, Appearance>) {
    appearance.show_once();
}

/// Reports that the first view is painted, or that the language changed.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "what the window sends is owned")]
pub(crate) fn window_ready(appearance: State<'_, Appearance>, language: String) {
    appearance.is_ready(&language);
}

/// Logs that the first view shows its data and can be used, and when the page painted its first content; `null` if the
/// web view did not report it. `cargo xtask bench start` measures the startup time by this line.
#[tauri::command]
#[specta::specta]
pub(crate) fn window_usable(content_at: Option<Millis>) {
    tracing::info!(content_at = content_at.map(|at| at.0), "the window can be used");
}

/// Returns the file that was opened with the app, once; `null` if there is none.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub(crate) fn take_opened_file(opened: State<'_, Opened>) -> Option<OpenedFile> {
    opened.take()
}

/// Handles the decision of the user to close the window while operations are running.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub(crate) fn answer_close(app: AppHandle, answer: CloseAnswer) {
    crate::window::close_answered(&app, answer);
}

/// Opens the system's dialog to print the page.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub(crate) fn print_page(app: AppHandle) -> Result<(), Problem> {
    let window = app.get_webview_window(MAIN);
    let printed = window.ok_or("the window is closed".to_owned());
    let printed = printed.and_then(|window| window.print().map_err(|error| error.to_string()));
    printed.map_err(|message| Problem::Unexpected { message })
}

/// Opens a link that a site returned in the system's browser. Only pages of the site's own origins are opened.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "what the window sends is owned")]
pub(crate) fn open_link(steward: State<'_, Steward>, site: SiteId, address: String) -> Result<(), Problem> {
    links::open_link(&steward.context.access.sites, &steward.dialogs, &site, &address)
}
