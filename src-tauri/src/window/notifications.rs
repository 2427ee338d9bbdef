//! Notifications of ended operations while the window is in the background, and of reminders when they are due.

use std::time::Duration;

use tauri::{AppHandle, Manager};

use super::label::MAIN;
use crate::desktop::SystemDesktop;
use steward_app::steward::Steward;
use steward_core::follow_up::notifications::{self, Notification};
use steward_core::proof::watch::Ended;
use steward_core::runs::EndedRun;
use steward_plans::alerts::desktop::Desktop;

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

/// Checks sites after imports until they are back, while the app runs, and shows a notification for each when it needs
/// no further check.
pub async fn follow_proofs(app: AppHandle) {
    let steward = app.state::<Steward>();
    let tell = |ended: Ended| {
        if is_focused(&app) {
            return;
        }
        let notice = notifications::of_proof(&ended, &steward.preferences.get(), &steward.language.texts());
        if let Some(notification) = notice {
            tauri::async_runtime::spawn(async move { show(&notification).await });
        }
    };
    steward.proofs.follow(&steward.context, tell).await;
}

fn is_focused(app: &AppHandle) -> bool {
    app.get_webview_window(MAIN).is_some_and(|window| window.is_focused().unwrap_or_default())
}

/// Shows a notification for an ended run, unless the window is focused.
pub fn run_ended(app: &AppHandle, run: &EndedRun) {
    // A run can end before the app is initialized, and after its window is closed.
    let Some(steward) = app.try_state::<Steward>() else { return };
    steward.proofs.look();
    let (of, ended) = (app.clone(), run.clone());
    tauri::async_runtime::spawn(async move {
        let steward = of.state::<Steward>();
        steward.snapshots.after_run(&steward.context, &ended).await;
    });
    if is_focused(app) {
        return;
    }
    let notification = notifications::of_run(run, &steward.preferences.get(), &steward.language.texts());
    if let Some(notification) = notification {
        tauri::async_runtime::spawn(async move { show(&notification).await });
    }
}

async fn show(notification: &Notification) {
    if let Err(error) = SystemDesktop.show(&notification.title, &notification.body).await {
        tracing::info!(error, "the system shows no notifications");
    }
}
