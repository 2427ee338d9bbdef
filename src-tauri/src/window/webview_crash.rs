//! Recovery from a crash of the web process, after which WebKitGTK leaves an empty window.
//!
//! On macOS, `crate::run` handles it. On Windows, the web view itself offers to reload the page.

use std::cell::Cell;
use std::time::{Duration, Instant};

use tauri::WebviewWindow;
use webkit2gtk::WebViewExt as _;

/// Time between two crashes below which the page is not loaded again.
const TOO_SOON: Duration = Duration::from_secs(5);

/// Reloads the page after its process ended. Running operations continue, and the page requests their state.
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
