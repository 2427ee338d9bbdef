//! A page whose process ended: it had no memory left, or something in the system's web view broke. WebKitGTK leaves an
//! empty window then. On macOS Tauri says it (`crate::run`); on Windows the web view itself offers to load the page again.

use std::cell::Cell;
use std::time::{Duration, Instant};

use tauri::WebviewWindow;
use webkit2gtk::WebViewExt as _;

/// A page that ends again so soon would do so for ever.
const TOO_SOON: Duration = Duration::from_secs(5);

/// Loads the page again when its process has ended. What runs goes on meanwhile, and the page asks for it.
pub(super) fn watch(window: &WebviewWindow) {
    let watched = window.with_webview(|webview| {
        let before: Cell<Option<Instant>> = Cell::default();
        webview.inner().connect_web_process_terminated(move |page, why| {
            tracing::error!(?why, "the process of the page has ended");
            let now = Instant::now();
            if before.replace(Some(now)).is_none_or(|before| now.duration_since(before) > TOO_SOON) {
                page.reload();
            }
        });
    });
    if let Err(error) = watched {
        tracing::warn!(%error, "a page whose process ends will not be loaded again");
    }
}
