//! Confirmation in the window before it closes while operations are running or unsaved data would be lost.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use tauri::{AppHandle, Manager};
use tauri_specta::Event;

use super::{Appearance, MAIN, geometry};
use steward_core::steward::Steward;

/// Event: the user closes the window while operations are running, or data would be lost.
#[derive(Debug, Clone, Serialize, specta::Type, tauri_specta::Event)]
#[serde(rename_all = "camelCase")]
pub struct CloseRequested {
    /// Number of running operations.
    pub runs: u32,
    /// Number of unsaved invitations that could not be written to disk.
    pub unsaved_invitations: u32,
}

impl CloseRequested {
    /// Returns what to confirm; `None` if nothing would be lost.
    #[must_use]
    pub fn of(steward: &Steward) -> Option<Self> {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let runs = count(steward.context.runs.all().len());
        let unsaved_invitations = count(steward.invitation_files.unsaved.only_in_memory());
        (runs > 0 || unsaved_invitations > 0).then_some(Self { runs, unsaved_invitations })
    }
}

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

/// Whether the window did not confirm that it shows the question. Such a window must not keep the app open.
#[derive(Debug, Default)]
pub(crate) struct Question {
    unheard: AtomicBool,
}

/// Returns whether the window must confirm before it closes, and sends it [`CloseRequested`].
pub(super) fn must_ask(app: &AppHandle) -> bool {
    let appearance = app.state::<Appearance>();
    let asked = CloseRequested::of(&app.state::<Steward>());
    let is_deaf = appearance.close.unheard.swap(true, Ordering::Relaxed);
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
    app.state::<Appearance>().close.unheard.store(false, Ordering::Relaxed);
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
