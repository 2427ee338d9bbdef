//! The one window: how it opens, looks and closes.

mod close;
mod drag;
#[cfg(target_os = "linux")]
mod lost_page;
mod menu;
mod notices;
mod opened;
mod place;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use tauri::window::Color;
use tauri::{AppHandle, Manager, RunEvent, WebviewWindow, WebviewWindowBuilder, WindowEvent};
use url::Url;

pub(crate) use close::answered as close_answered;
pub use close::{CloseAnswer, CloseAsked};
pub use drag::{DroppedFile, DroppedKind, FileDrag};
pub use menu::{MenuAct, MenuChosen};
pub use notices::run_ended;
pub use opened::{FileOpened, Opened, OpenedFile, started_with};

use steward_core::host::Host;
use steward_core::settings::preferences::{Preferences, Theme};

/// Its label.
pub const MAIN: &str = "main";
/// A page that says nothing for so long is shown as it is: better white than nowhere.
const SHOWN_AT_LATEST: Duration = Duration::from_secs(5);

/// How the window looks, and whether its page is there.
pub struct Appearance {
    app: AppHandle,
    ready: AtomicBool,
    pub(crate) close: close::Question,
}

impl Appearance {
    /// Of the window of `app`.
    #[must_use]
    pub fn new(app: AppHandle) -> Self {
        Self { app, ready: AtomicBool::default(), close: close::Question::default() }
    }

    /// Shows what a person prefers.
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

    /// The page has painted its first screen, in this language.
    pub fn is_ready(&self, language: &str) {
        self.app.state::<Host>().spoken.speak(language);
        menu::speak(&self.app, language);
        if !self.ready.swap(true, Ordering::Relaxed) {
            self.bring_forward();
        }
    }

    fn bring_forward(&self) {
        if let Some(window) = self.app.get_webview_window(MAIN) {
            let shown = window.show().and_then(|()| window.unminimize()).and_then(|()| window.set_focus());
            if let Err(error) = shown {
                tracing::warn!(%error, "the window could not be brought forward");
            }
        }
    }
}

/// A second start hands its file over, brings the window of the first one forward, and ends.
pub fn only_once(app: &AppHandle) {
    let plugin = tauri_plugin_single_instance::init(|app, words, folder| {
        // It may come while this one still starts.
        if app.try_state::<Host>().is_some() {
            started_with(app, &words, Path::new(&folder));
        }
        if let Some(appearance) = app.try_state::<Appearance>() {
            appearance.bring_forward();
        }
    });
    // The first one may be ending at this moment. Two programs are less trouble than none.
    if let Err(error) = app.plugin(plugin) {
        tracing::warn!(%error, "whether the program runs already could not be found out");
    }
}

/// Opens the window, hidden until its page is painted.
///
/// # Errors
/// When the system gives no window.
pub fn open(app: &tauri::App) -> anyhow::Result<()> {
    let handle = app.handle();
    let config = app.config().app.windows.first().context("tauri.conf.json describes no window")?;
    let preferences = app.state::<Host>().preferences.get();
    let window = WebviewWindowBuilder::from_config(handle, config)?
        .theme(native(preferences.theme))
        .on_navigation(is_own_page)
        .build()?;
    #[cfg(target_os = "linux")]
    lost_page::watch(&window);
    place::restore(&window);
    app.state::<Appearance>().show(&preferences);
    menu::set(handle);
    let handle = handle.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(SHOWN_AT_LATEST).await;
        if !handle.state::<Appearance>().ready.load(Ordering::Relaxed) {
            tracing::warn!("the page has not said that it is painted");
            handle.state::<Appearance>().bring_forward();
        }
    });
    Ok(())
}

/// Ends the program and starts it again, where its window was.
pub fn restart(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(MAIN) {
        place::remember(&window);
    }
    app.request_restart();
}

/// What happens to the window.
pub fn on_event(app: &AppHandle, event: &RunEvent) {
    // There the system names files by an event, the first one too.
    #[cfg(target_os = "macos")]
    if let RunEvent::Opened { urls } = event {
        let paths: Vec<_> = urls.iter().filter_map(|url| url.to_file_path().ok()).collect();
        opened::heard(app, &paths);
        return;
    }
    let RunEvent::WindowEvent { event, .. } = event else { return };
    let Some(window) = app.get_webview_window(MAIN) else { return };
    match event {
        WindowEvent::CloseRequested { api, .. } => {
            if close::must_ask(app) {
                api.prevent_close();
            } else {
                place::remember(&window);
            }
        }
        WindowEvent::DragDrop(event) => drag::heard(app, event),
        _ => {}
    }
}

/// The window shows its own page and no other, whatever a link says.
fn is_own_page(url: &Url) -> bool {
    let own = match url.scheme() {
        "tauri" => "localhost",
        "http" | "https" => "tauri.localhost",
        // The driver of the journeys begins at an empty page.
        _ => return url.as_str() == "about:blank",
    };
    url.host_str() == Some(own) && url.port().is_none()
}

const fn native(theme: Theme) -> Option<tauri::Theme> {
    match theme {
        Theme::System => None,
        Theme::Light => Some(tauri::Theme::Light),
        Theme::Dark => Some(tauri::Theme::Dark),
    }
}

/// The ground that the page paints, so that nothing flashes before it does.
fn ground(window: &WebviewWindow, theme: Theme) -> Color {
    let is_dark = match theme {
        Theme::System => window.theme().is_ok_and(|theme| theme == tauri::Theme::Dark),
        Theme::Light => false,
        Theme::Dark => true,
    };
    if is_dark { Color(0x24, 0x24, 0x24, 0xff) } else { Color(0xff, 0xff, 0xff, 0xff) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_shows_its_own_page_and_no_other() {
        let is_own = |page: &str| is_own_page(&Url::parse(page).unwrap());
        assert!(is_own("tauri://localhost/index.html"));
        assert!(is_own("http://tauri.localhost/"));
        assert!(is_own("https://tauri.localhost/"));
        assert!(is_own("about:blank"));
        assert!(!is_own("http://tauri.localhost:8080/"));
        assert!(!is_own("tauri://localhost:8080/"));
        assert!(!is_own("tauri://gis.example.org/"));
        assert!(!is_own("ftp://tauri.localhost/"));
        assert!(!is_own("https://gis.example.org/portal"));
        assert!(!is_own("file:///etc/passwd"));
        assert!(!is_own("javascript:alert(1)"));
        assert!(!is_own("https://tauri.localhost.example.org/"));
    }
}
