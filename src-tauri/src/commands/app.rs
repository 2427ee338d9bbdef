//! Commands for the app itself: its version, diagnostics, preferences, and start.

use serde::Serialize;
use steward_app::steward::Steward;
use steward_command::command;
use steward_core::actions::preferences::{PreferencesView, SetAside};
use steward_core::actions::{certificate_files, preferences};
use steward_core::diagnostics::report;
use steward_core::diagnostics::report::DiagnosticReport;
use steward_core::model::ids::SiteId;
use steward_core::settings::preferences::Preferences;
use steward_core::sites::ConnectionForm;
use steward_core::start::StartChoice;
use steward_core::{diagnostics, logs};
use tauri::{AppHandle, State};

use super::{Program, Reply};
use crate::failed_start::{FailedStart, StartProblemView};
use crate::plan_scheduler::PlanScheduler;
use crate::start;
use crate::window::Appearance;

/// Information for support.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct About {
    /// Version of the app.
    pub version: String,
    /// Path of the data folder.
    pub data_folder: String,
    /// Path of the log folder.
    pub log_folder: String,
    /// Name of the keyring.
    pub keyring: String,
}

/// Returns information about the program.
#[command]
pub(crate) fn about(steward: Program<'_>) -> About {
    About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        data_folder: steward.data_folder.display().to_string(),
        log_folder: steward.data_folder.join(logs::FOLDER).display().to_string(),
        keyring: diagnostics::keyring_name().to_owned(),
    }
}

/// Shows the newest log in the file manager.
#[command]
#[expect(clippy::needless_pass_by_value, reason = "the state is handed over so")]
pub(crate) fn show_logs(steward: Program<'_>) -> Reply<()> {
    logs::show(&steward.dialogs, &steward.data_folder)
}

/// Length of each text of a window fault in the log, in characters.
const WINDOW_FAULT_LENGTH: usize = 4_000;

/// Writes to the log that a part of the window could not be drawn. `place` names the parts of the window around it.
#[command]
pub(crate) fn log_window_fault(mut words: String, mut place: String) {
    for text in [&mut words, &mut place] {
        *text = text.chars().take(WINDOW_FAULT_LENGTH).collect();
    }
    tracing::error!(?words, ?place, "a part of the window could not be drawn");
}

/// Runs diagnostics. With `site`, includes the connection to that site.
#[command]
pub(crate) async fn run_diagnostics(steward: Program<'_>, site: Option<SiteId>) -> Reply<DiagnosticReport> {
    let webview = tauri::webview_version().ok();
    report::report_of(steward.diagnosed(), site.as_ref(), webview).await
}

/// Returns the preferences of the user.
#[command]
pub(crate) async fn preferences(steward: Program<'_>) -> Reply<PreferencesView> {
    Ok(preferences::preferences(&steward.preferences, steward.set_aside().await?))
}

/// Marks data that could not be read as resolved: it is not shown any more, and its content stays. Returns the other data.
#[command]
pub(crate) async fn resolve_set_aside(
    steward: Program<'_>,
    scheduler: State<'_, PlanScheduler>,
    file: SetAside,
) -> Reply<Vec<SetAside>> {
    let left = steward.resolve_set_aside(&file).await?;
    // The registration of the runner stays while unreadable plans might need it, which can end here.
    scheduler.follow(steward.plans.all()).await;
    Ok(left)
}

/// Saves the preferences. The password of the proxy is stored in the keyring; `null` keeps the stored one.
#[command]
pub(crate) async fn save_preferences(
    steward: Program<'_>,
    appearance: State<'_, Appearance>,
    preferences: Preferences,
    proxy_password: Option<String>,
) -> Reply<Preferences> {
    let named = ConnectionForm {
        ca_certificate: preferences.connection.ca_certificate.clone(),
        ..ConnectionForm::default()
    };
    let Steward { context, dialogs, forwarding, preferences: store, .. } = &*steward;
    let (sites, program) = (&context.access.sites, store.get().connection);
    certificate_files::check(sites, None, &program, dialogs, &named)?;
    let saved = preferences::save(store, context, preferences, proxy_password).await?;
    if saved.connection != program {
        forwarding.use_another_connection(store, &context.history).await;
    }
    appearance.show(&saved);
    Ok(saved)
}

/// Returns why the app could not start; `null` if it did. No other command can be used then.
#[command]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub(crate) fn start_problem(start: State<'_, FailedStart>) -> Option<StartProblemView> {
    start.view()
}

/// Does what the user chose, and starts again. Returns what is wrong next; `null` if the app is started.
#[command(async)]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub(crate) fn resolve_start(app: AppHandle, choice: StartChoice) -> Option<StartProblemView> {
    start::resolve(&app, choice)
}

/// Ends an app that could not start.
#[command]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub(crate) fn quit_start(app: AppHandle) {
    app.exit(1);
}
