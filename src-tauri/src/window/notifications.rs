//! Notifications of ended operations while the window is in the background, and of reminders when they are due.

use std::time::Duration;

use tauri::{AppHandle, Manager};

use super::label::MAIN;
use steward_core::follow_up::notifications::{self, Notification};
use steward_core::runs::EndedRun;
use steward_core::steward::Steward;

/// Interval between two checks for due reminders. Journeys do not wait that long.
const CHECK_INTERVAL: Duration = Duration::from_secs(if cfg!(feature = "journeys") { 1 } else { 60 });

/// Shows a notification for each reminder when it is due, while the app runs.
pub async fn notify_of_reminders(app: AppHandle) {
    loop {
        // The first check waits as well: the page sets the language at start.
        tokio::time::sleep(CHECK_INTERVAL).await;
        let Some(steward) = app.try_state::<Steward>() else { continue };
        let (preferences, words) = (steward.preferences.get(), steward.language.texts());
        let due = notifications::of_reminders(&steward.context, &steward.announced, &preferences, &words);
        for notification in due.await {
            show(&notification).await;
        }
    }
}

/// Shows a notification for an ended run, unless the window is focused.
pub fn run_ended(app: &AppHandle, run: &EndedRun) {
    // A run can end before the app is initialized, and after its window is closed.
    let Some(steward) = app.try_state::<Steward>() else { return };
    let is_focused =
        app.get_webview_window(MAIN).is_some_and(|window| window.is_focused().unwrap_or_default());
    if is_focused {
        return;
    }
    let notification = notifications::of_run(run, &steward.preferences.get(), &steward.language.texts());
    if let Some(notification) = notification {
        tauri::async_runtime::spawn(async move { show(&notification).await });
    }
}

async fn show(notification: &Notification) {
    if let Err(error) = show_by_system(&notification.title, &notification.body).await {
        tracing::info!(%error, "the system shows no notifications");
    }
}

#[cfg(target_os = "linux")]
async fn show_by_system(title: &str, body: &str) -> zbus::Result<()> {
    use std::collections::HashMap;

    let body = escaped(body);
    let bus = zbus::Connection::session().await?;
    let nothing: (Vec<&str>, HashMap<&str, zbus::zvariant::Value<'_>>) = Default::default();
    let notice = ("Site Steward", 0_u32, "site-steward", title, body.as_str(), nothing.0, nothing.1, -1_i32);
    bus.call_method(
        Some("org.freedesktop.Notifications"),
        "/org/freedesktop/Notifications",
        Some("org.freedesktop.Notifications"),
        "Notify",
        &notice,
    )
    .await
    .map(drop)
}

/// Returns a text for desktops that parse the body of a notification as markup: the name of a site or of a service could
/// be a link or an image otherwise.
#[cfg(target_os = "linux")]
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(not(target_os = "linux"))]
async fn show_by_system(title: &str, body: &str) -> anyhow::Result<()> {
    let mut notice = notify_rust::Notification::new();
    notice.summary(title).body(body);
    #[cfg(windows)]
    notice.app_id("org.sitesteward.desktop");
    tokio::task::spawn_blocking(move || notice.show().map(drop)).await??;
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::escaped;

    #[test]
    fn a_name_with_markup_stays_a_name() {
        assert_eq!(
            escaped(r#"<a href="https://example.org">City</a> & <img src=x>"#),
            r#"&lt;a href="https://example.org"&gt;City&lt;/a&gt; &amp; &lt;img src=x&gt;"#
        );
        // Escaped once only.
        assert_eq!(escaped("&lt;"), "&amp;lt;");
    }
}
