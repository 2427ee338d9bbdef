//! How the window looks, and when it is shown.

use std::sync::atomic::{AtomicBool, Ordering};

use tauri::window::Color;
use tauri::{AppHandle, Manager, WebviewWindow};

use super::label::MAIN;
use super::menu;
use steward_app::steward::Steward;
use steward_core::settings::preferences::{Preferences, Theme};

/// Appearance of the window, whether it is shown, and whether its page is painted and responds.
pub struct Appearance {
    app: AppHandle,
    pub(super) ready: AtomicBool,
    pub(super) shown: AtomicBool,
    /// Whether the window did not confirm that it shows the question before it closes. Such a window must not keep the
    /// app open.
    pub(super) unheard: AtomicBool,
}

impl Appearance {
    /// Creates the appearance of the window of `app`.
    #[must_use]
    pub fn new(app: AppHandle) -> Self {
        Self {
            app,
            ready: AtomicBool::default(),
            shown: AtomicBool::default(),
            unheard: AtomicBool::default(),
        }
    }

    /// Applies the preferences to the window.
    pub fn show(&self, preferences: &Preferences) {
        let Some(window) = self.app.get_webview_window(MAIN) else { return };
        let shown = window
            .set_theme(native(preferences.theme))
            .and_then(|()| window.set_background_color(Some(ground(&window, preferences.theme))))
            .and_then(|()| window.set_zoom(f64::from(preferences.zoom) / 100.0));
        if let Err(error) = shown {
            tracing::warn!(%error, "the window could not be made to look as wanted");
        }
    }

    /// Shows the window after its page is painted, and sets its language.
    pub fn is_ready(&self, language: &str) {
        if let Some(steward) = self.app.try_state::<Steward>() {
            steward.language.speak(language);
            steward.alerts.speak(language);
        }
        menu::speak(&self.app, language);
        self.ready.store(true, Ordering::Relaxed);
        self.show_once();
    }

    /// Shows the window, unless that happened before.
    pub fn show_once(&self) {
        if !self.shown.swap(true, Ordering::Relaxed) {
            self.bring_forward();
        }
    }

    /// Brings the window to the front.
    pub(super) fn bring_forward(&self) {
        if let Some(window) = self.app.get_webview_window(MAIN) {
            let shown = window.show().and_then(|()| window.unminimize()).and_then(|()| window.set_focus());
            if let Err(error) = shown {
                tracing::warn!(%error, "the window could not be brought forward");
            }
        }
    }
}

/// Returns the theme as the system parts of the window name it.
pub(super) const fn native(theme: Theme) -> Option<tauri::Theme> {
    match theme {
        Theme::System => None,
        Theme::Light => Some(tauri::Theme::Light),
        Theme::Dark => Some(tauri::Theme::Dark),
    }
}

/// Returns the background color of the page, so that nothing flashes before it is painted.
fn ground(window: &WebviewWindow, theme: Theme) -> Color {
    let is_dark = match theme {
        Theme::System => window.theme().is_ok_and(|theme| theme == tauri::Theme::Dark),
        Theme::Light => false,
        Theme::Dark => true,
    };
    if is_dark { Color(0x24, 0x24, 0x24, 0xff) } else { Color(0xff, 0xff, 0xff, 0xff) }
}
