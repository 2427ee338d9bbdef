//! Closing the window while something runs, or while something would be lost, is asked about in the window itself.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use tauri::{AppHandle, Manager};
use tauri_specta::Event;

use super::{Appearance, MAIN, place};
use steward_core::host::Host;

/// Sent to the window when somebody closes it while something runs, or would be lost.
#[derive(Debug, Clone, Serialize, specta::Type, tauri_specta::Event)]
#[serde(rename_all = "camelCase")]
pub struct CloseAsked {
    /// How many operations run.
    pub runs: u32,
    /// How many refreshed invitations are in memory alone, because the disk did not take them.
    pub unsaved_invitations: u32,
}

impl CloseAsked {
    /// What there is to ask about; `None` when nothing is lost by closing.
    #[must_use]
    pub fn of(host: &Host) -> Option<Self> {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let runs = count(host.runs.all().len());
        let unsaved_invitations = count(host.kept.only_in_memory());
        (runs > 0 || unsaved_invitations > 0).then_some(Self { runs, unsaved_invitations })
    }
}

/// What the window says to [`CloseAsked`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum CloseAnswer {
    /// The question is on screen.
    Asking,
    /// It stays open.
    Stay,
    /// It closes; what runs goes on at the site, and its outcome will be unknown here.
    Close,
}

/// Whether a question was put to a window that did not show it. Such a window must not hold the program.
#[derive(Debug, Default)]
pub(crate) struct Question {
    unheard: AtomicBool,
}

/// Whether the window has to ask before it closes; then it was told to.
pub(super) fn must_ask(app: &AppHandle) -> bool {
    let appearance = app.state::<Appearance>();
    let asked = CloseAsked::of(&app.state::<Host>());
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

/// Does as the person said.
pub(crate) fn answered(app: &AppHandle, answer: CloseAnswer) {
    app.state::<Appearance>().close.unheard.store(false, Ordering::Relaxed);
    if answer != CloseAnswer::Close {
        return;
    }
    if let Some(window) = app.get_webview_window(MAIN) {
        place::remember(&window);
        if let Err(error) = window.destroy() {
            tracing::warn!(%error, "the window could not be closed");
        }
    }
}
