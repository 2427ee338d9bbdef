//! The window: opening, appearance, and closing.
//!
//! [`open`] creates it, and [`on_event`] handles its events.

mod appearance;
mod close;
mod file_drop;
mod file_open;
mod geometry;
mod label;
mod menu;
mod notifications;
mod start_data;
#[cfg(target_os = "linux")]
mod webview_crash;

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context;
use tauri::{AppHandle, Manager, RunEvent, WebviewWindowBuilder, WindowEvent};
use url::Url;

pub use appearance::Appearance;
pub(crate) use close::answered as close_answered;
pub use close::{CloseAnswer, CloseRequested};
pub use file_drop::FileDrag;
pub use file_open::{FileOpened, Opened, OpenedFile, started_with};
pub use label::MAIN;
pub use menu::{MenuChosen, MenuCommand};
pub use notifications::{follow_proofs, notify_of_reminders, run_ended};

use crate::failed_start::FailedStart;
use steward_app::steward::Steward;

/// Time after which the window is shown, even if its page has not reported that it has content.
const SHOWN_AT_LATEST: Duration = Duration::from_secs(5);

/// Ends a second instance after it passed its file to the first one, whose window is activated.
pub fn only_once(app: &AppHandle) {
    let plugin = tauri_plugin_single_instance::init(|app, words, folder| {
        // The first instance might still be starting.
        if app.try_state::<Steward>().is_some() {
            started_with(app, &words, Path::new(&folder));
        }
        if let Some(appearance) = app.try_state::<Appearance>() {
            appearance.bring_forward();
        }
    });
    // The first instance might be ending. Two instances are better than none.
    if let Err(error) = app.plugin(plugin) {
        tracing::warn!(%error, "whether the program runs already could not be found out");
    }
}

/// Opens the window, hidden until its page has content.
///
/// # Errors
/// The system cannot create the window.
pub fn open(app: &tauri::App) -> anyhow::Result<()> {
    let handle = app.handle();
    let config = app.config().app.windows.first().context("tauri.conf.json describes no window")?;
    let steward = app.try_state::<Steward>();
    let failed = app.state::<FailedStart>().view().map(|view| view.preferences);
    let preferences =
        steward.as_ref().map(|steward| steward.preferences.get()).or(failed).unwrap_or_default();
    let mut builder = WebviewWindowBuilder::from_config(handle, config)?
        .theme(appearance::native(preferences.theme))
        .on_navigation(is_own_page);
    if let Some(script) = steward.and_then(|steward| start_data::script(&steward)) {
        builder = builder.initialization_script(script);
    }
    let window = builder.build()?;
    #[cfg(target_os = "linux")]
    webview_crash::watch(&window);
    handle.manage(geometry::Minimum::default());
    geometry::restore(&window);
    app.state::<Appearance>().show(&preferences);
    menu::set(handle);
    let handle = handle.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(SHOWN_AT_LATEST).await;
        let appearance = handle.state::<Appearance>();
        if !appearance.shown.load(Ordering::Relaxed) {
            tracing::warn!("the page has not said that it has content");
            appearance.show_once();
        }
    });
    Ok(())
}

/// Restarts the app with the same window position.
pub fn restart(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(MAIN) {
        geometry::remember(&window);
    }
    app.request_restart();
}

/// Handles the events of the window.
pub fn on_event(app: &AppHandle, event: &RunEvent) {
    // macOS passes opened files by an event, including the first one.
    #[cfg(target_os = "macos")]
    if let RunEvent::Opened { urls } = event {
        let paths: Vec<_> = urls.iter().filter_map(|url| url.to_file_path().ok()).collect();
        file_open::store(app, &paths);
        return;
    }
    if let (RunEvent::Exit, Some(steward)) = (event, app.try_state::<Steward>()) {
        steward.context.history.end();
    }
    let RunEvent::WindowEvent { event, .. } = event else { return };
    let Some(window) = app.get_webview_window(MAIN) else { return };
    match event {
        WindowEvent::CloseRequested { api, .. } => {
            if close::must_ask(app) {
                api.prevent_close();
            } else {
                geometry::remember(&window);
            }
        }
        WindowEvent::DragDrop(event) => file_drop::report(app, event),
        WindowEvent::Moved(_) | WindowEvent::ScaleFactorChanged { .. } => {
            if let Err(error) = geometry::fit(&window) {
                tracing::warn!(%error, "the screen of the window could not be found out");
            }
        }
        _ => {}
    }
}

/// Returns whether a URL is the page of the app. The window shows no other page.
fn is_own_page(url: &Url) -> bool {
    let own = match url.scheme() {
        "tauri" => "localhost",
        "http" | "https" => "tauri.localhost",
        // The driver of the end-to-end tests begins at an empty page.
        _ => return url.as_str() == "about:blank",
    };
    url.host_str() == Some(own) && url.port().is_none()
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
