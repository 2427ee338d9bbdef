//! Commands of the page for its window.

use steward_command::command;
use steward_core::access::links;
use steward_core::model::ids::SiteId;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use tauri::{AppHandle, Manager, State};

use super::{Program, Reply};
use crate::window::{Appearance, CloseAnswer, MAIN, Opened, OpenedFile};

/// Reports that the page has its first content: bar and sidebar without their controls. Shows the window.
#[command]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub(crate) fn window_has_content(appearance: State<'_, Appearance>) {
    appearance.show_once();
}

/// Reports that the first view is painted, or that the language changed.
#[command]
#[expect(clippy::needless_pass_by_value, reason = "what the window sends is owned")]
pub(crate) fn window_ready(appearance: State<'_, Appearance>, language: String) {
    appearance.is_ready(&language);
}

/// Logs that the first view shows its data and can be used, and when the page painted its first content; `null` if the
/// web view did not report it. `cargo xtask bench start` measures the startup time by this line.
#[command]
pub(crate) fn window_usable(content_at: Option<Millis>) {
    tracing::info!(content_at = content_at.map(|at| at.0), "the window can be used");
}

/// Returns the file that was opened with the app, once; `null` if there is none.
#[command]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub(crate) fn take_opened_file(opened: State<'_, Opened>) -> Option<OpenedFile> {
    opened.take()
}

/// Handles the decision of the user to close the window while operations are running.
#[command]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub(crate) fn answer_close(app: AppHandle, answer: CloseAnswer) {
    crate::window::close_answered(&app, answer);
}

/// Opens the system's dialog to print the page.
#[command]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub(crate) fn print_page(app: AppHandle) -> Reply<()> {
    let window = app.get_webview_window(MAIN);
    let printed = window.ok_or("the window is closed".to_owned());
    let printed = printed.and_then(|window| window.print().map_err(|error| error.to_string()));
    printed.map_err(|message| Problem::Unexpected { message })
}

/// Opens a link that a site returned in the system's browser. Only pages of the site's own origins are opened.
#[command]
#[expect(clippy::needless_pass_by_value, reason = "what the window sends is owned")]
pub(crate) fn open_link(steward: Program<'_>, site: SiteId, address: String) -> Reply<()> {
    links::open_link(&steward.context.access.sites, &steward.dialogs, &site, &address)
}
