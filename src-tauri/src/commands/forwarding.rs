//! Commands for forwarding the audit trail to a log server.

use steward_app::steward::Steward;
use steward_core::actions::certificate_files;
use steward_core::forwarding::{ForwardingFault, ForwardingView};
use steward_core::model::problem::Problem;
use steward_core::settings::preferences::LogServer;
use tauri::State;

/// Returns the state of forwarding.
#[tauri::command]
#[specta::specta]
pub(crate) async fn forwarding(steward: State<'_, Steward>) -> Result<ForwardingView, Problem> {
    steward.forwarding.view(&steward.preferences, &steward.context.history).await
}

/// Saves another log server. The password of its client certificate is stored in the keyring; `null` keeps the stored
/// one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_log_server(
    steward: State<'_, Steward>,
    log_server: LogServer,
    password: Option<String>,
) -> Result<ForwardingView, Problem> {
    let Steward { forwarding, preferences, context, dialogs, .. } = &*steward;
    certificate_files::check_log_server(&preferences.log_server(), dialogs, &log_server)?;
    forwarding.save(preferences, context, &log_server, password.as_deref()).await
}

/// Sends a test message to a log server, and returns why that failed; `null` if the log server read it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn test_log_server(
    steward: State<'_, Steward>,
    log_server: LogServer,
    password: Option<String>,
) -> Result<Option<ForwardingFault>, Problem> {
    let Steward { forwarding, preferences, context, dialogs, .. } = &*steward;
    certificate_files::check_log_server(&preferences.log_server(), dialogs, &log_server)?;
    forwarding.test(preferences, context, &log_server, password.as_deref()).await
}
