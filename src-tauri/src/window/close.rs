//! Confirmation in the window before it closes while operations are running or unsaved data would be lost.

use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};
use tauri::{AppHandle, Manager};
use tauri_specta::Event;

use super::appearance::Appearance;
use super::geometry;
use super::label::MAIN;
use steward_app::steward::{Steward, Unfinished};

/// Event: the user closes the window while operations are running, or data would be lost.
#[derive(Debug, Clone, Serialize, specta::Type, tauri_specta::Event)]
pub struct CloseRequested(pub Unfinished);

/// Response of the window to [`CloseRequested`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum CloseAnswer {
    /// The confirmation is shown.
    Asking,
    /// The window remains open.
    Stay,
    /// The window closes. Running operations continue at the site, and their outcome will be unknown.
    Close,
}

/// Returns whether the window must confirm before it closes, and sends it [`CloseRequested`].
pub(super) fn must_ask(app: &AppHandle) -> bool {
    let appearance = app.state::<Appearance>();
    let steward = app.try_state::<Steward>();
    let asked = steward.and_then(|steward| steward.unfinished()).map(CloseRequested);
    let is_deaf = appearance.unheard.swap(true, Ordering::Relaxed);
    let Some(asked) = asked.filter(|_| !is_deaf && appearance.ready.load(Ordering::Relaxed)) else {
        return false;
    };
    if let Err(error) = asked.emit(app) {
        tracing::warn!(%error, "the window could not be asked whether it may close");
        return false;
    }
    true
}

/// Handles the response of the window.
pub(crate) fn answered(app: &AppHandle, answer: CloseAnswer) {
    app.state::<Appearance>().unheard.store(false, Ordering::Relaxed);
    if answer != CloseAnswer::Close {
        return;
    }
    if let Some(window) = app.get_webview_window(MAIN) {
        geometry::remember(&window);
        if let Err(error) = window.destroy() {
            tracing::warn!(%error, "the window could not be closed");
        }
    }
}
