//! Notifications of the desktop: of the window, and of the runner of backup plans, which has no window.

use std::pin::Pin;

use steward_plans::alerts::desktop::Desktop;

/// Desktop of the system.
///
/// On Windows, a notification needs the entry in the Start menu that the installer makes: a copy without it shows none.
/// macOS might show none of a process without a window.
pub(crate) struct SystemDesktop;

impl Desktop for SystemDesktop {
    fn show<'a>(
        &'a self,
        title: &'a str,
        body: &'a str,
    ) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>> {
        Box::pin(async move { show(title, body).await.map_err(|error| error.to_string()) })
    }
}

#[cfg(target_os = "linux")]
async fn show(title: &str, body: &str) -> zbus::Result<()> {
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

/// Returns a text for desktops that parse the body of a notification as markup: the name of a site or of a service
/// could be a link or an image otherwise.
#[cfg(target_os = "linux")]
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(not(target_os = "linux"))]
async fn show(title: &str, body: &str) -> anyhow::Result<()> {
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
