//! Notifications of ended operations while the window is in the background, and of reminders when they are due.

use std::time::Duration;

use tauri::{AppHandle, Manager};

use super::MAIN;
use steward_core::follow_up::reminders::{self, Reminder, ReminderAbout};
use steward_core::history::Outcome;
use steward_core::model::localized_text::Words;
use steward_core::model::numbers::Millis;
use steward_core::runs::EndedRun;
use steward_core::steward::Steward;

/// Interval between two checks for due reminders. Journeys do not wait that long.
const CHECK_INTERVAL: Duration = Duration::from_secs(if cfg!(feature = "journeys") { 1 } else { 60 });
/// Desktops cut off longer notifications.
const MOST_LINES: usize = 4;

/// Shows a notification for each reminder when it is due, while the app runs.
pub async fn notify_of_reminders(app: AppHandle) {
    loop {
        // The first check waits as well: the page sets the language at start.
        tokio::time::sleep(CHECK_INTERVAL).await;
        let Some(steward) = app.try_state::<Steward>() else { continue };
        for (title, body) in due_now(&steward).await {
            if let Err(error) = show(&title, &body).await {
                tracing::info!(%error, "the system shows no notifications");
            }
        }
    }
}

/// Returns title and body of the notifications to show, one for each site.
async fn due_now(steward: &Steward) -> Vec<(String, String)> {
    let preferences = steward.preferences.get();
    if !preferences.notifications || !preferences.reminders {
        return Vec::new();
    }
    let due = match reminders::due(&steward.context, Millis::now()).await {
        Ok(due) => steward.announced.take_new(due),
        Err(error) => {
            tracing::warn!(?error, "cannot read the reminders");
            Vec::new()
        }
    };
    let words = steward.language.words();
    let sites = steward.context.access.sites.all();
    sites
        .iter()
        .map(|site| (site, due.iter().filter(|one| one.site == site.id).collect::<Vec<_>>()))
        .filter(|(_, due)| !due.is_empty())
        .map(|(site, due)| reminder(&site.name, &due, &words))
        .collect()
}

fn reminder(site: &str, due: &[&Reminder], words: &Words) -> (String, String) {
    let mut lines: Vec<_> = due
        .iter()
        .take(MOST_LINES)
        .map(|one| match &one.about {
            ReminderAbout::Deactivation { service, .. } => {
                words.say("notice.deactivation", &[("service", service)])
            }
            ReminderAbout::Invitation { .. } => words.say("notice.invitation", &[]),
        })
        .collect();
    if due.len() > MOST_LINES {
        lines.push("…".to_owned());
    }
    (words.say("notice.reminder", &[("site", site)]), lines.join("\n"))
}

/// Shows a notification for an ended run, unless the window is focused or notifications are off.
pub fn run_ended(app: &AppHandle, run: &EndedRun) {
    // A run can end before the app is initialized, and after its window is closed.
    let Some(steward) = app.try_state::<Steward>() else { return };
    let is_looked_at =
        app.get_webview_window(MAIN).is_some_and(|window| window.is_focused().unwrap_or_default());
    if is_looked_at || !steward.preferences.get().notifications {
        return;
    }
    let (title, body) = sentences(run, &steward.language.words());
    tauri::async_runtime::spawn(async move {
        if let Err(error) = show(&title, &body).await {
            tracing::info!(%error, "the system shows no notifications");
        }
    });
}

fn sentences(run: &EndedRun, words: &Words) -> (String, String) {
    let name = match run.act {
        Some(act) => format!("historyAction.{}", act.name()),
        None => format!("operation.{}.name", run.operation.name()),
    };
    let operation = words.say(&name, &[]);
    let outcome = match run.outcome {
        Outcome::Sent | Outcome::Unknown => "unknown",
        Outcome::Succeeded => "succeeded",
        Outcome::Warnings => "warnings",
        Outcome::Failed => "failed",
        Outcome::NotSent => "notSent",
    };
    let given = [("operation", operation.as_str()), ("site", run.site_name.as_str())];
    (words.say("operationsPanel.run", &given), words.say(&format!("notice.{outcome}"), &given))
}

#[cfg(target_os = "linux")]
async fn show(title: &str, body: &str) -> zbus::Result<()> {
    use std::collections::HashMap;

    // Many desktops parse the body as markup, so escape the name of the site.
    let body = body.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
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

#[cfg(not(target_os = "linux"))]
async fn show(title: &str, body: &str) -> anyhow::Result<()> {
    let mut notice = notify_rust::Notification::new();
    notice.summary(title).body(body);
    #[cfg(windows)]
    notice.app_id("org.sitesteward.desktop");
    tokio::task::spawn_blocking(move || notice.show().map(drop)).await??;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use steward_core::model::history_key::HistoryAction;
    use steward_core::model::ids::SiteId;
    use steward_core::model::operation::OperationKey;
    use steward_core::runs::RunId;
    use steward_core::webhooks::deactivation_log::DeactivationId;

    fn ended(operation: OperationKey, act: Option<HistoryAction>) -> EndedRun {
        EndedRun {
            id: RunId("1".to_owned()),
            site: SiteId("a".to_owned()),
            site_name: "City & <County>".to_owned(),
            operation,
            act,
            outcome: Outcome::Warnings,
            record: None,
            ended_at: Millis(0),
            took: 1,
        }
    }

    #[test]
    fn a_notice_says_what_ended_where_and_how() {
        let (title, body) = sentences(&ended(OperationKey::ExportServer, None), &Words::of("en"));

        assert_eq!(title, "Server export on City & <County>");
        assert_eq!(body, "Completed with warnings.");
    }

    #[test]
    fn a_reminder_says_where_and_of_what() {
        let about = |service: &str| Reminder {
            site: SiteId("a".to_owned()),
            at: Millis(0),
            about: ReminderAbout::Deactivation {
                entry: DeactivationId("1".to_owned()),
                service: service.to_owned(),
            },
        };
        let one = about("Water/Mains.FeatureServer");

        let (title, body) = reminder("City GIS", &[&one], &Words::of("en"));

        assert_eq!(title, "Reminder: City GIS");
        assert_eq!(body, "The webhooks of Water/Mains.FeatureServer are still deactivated.");
        let (_, many) = reminder("City GIS", &[&one; 20], &Words::of("en"));
        assert_eq!(many.lines().count(), 5);
    }

    #[test]
    fn a_reactivation_goes_by_its_own_name_and_not_by_the_deactivation() {
        let run = ended(OperationKey::DeactivateWebhooks, Some(HistoryAction::ReactivateWebhooks));

        assert_eq!(sentences(&run, &Words::of("en")).0, "Reactivate webhooks on City & <County>");
    }
}
