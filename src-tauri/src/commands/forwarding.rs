//! Commands for forwarding the audit trail to a log server.

use steward_app::steward::Steward;
use steward_command::command;
use steward_core::actions::certificate_files;
use steward_core::forwarding::{ForwardingFault, ForwardingView};
use steward_core::settings::preferences::LogServer;

use super::{Program, Reply};

/// Returns the state of forwarding.
#[command]
pub(crate) async fn forwarding(steward: Program<'_>) -> Reply<ForwardingView> {
    steward.forwarding.view(&steward.preferences, &steward.context.history).await
}

/// Saves another log server. The password of its client certificate is stored in the keyring; `null` keeps the stored one.
#[command]
pub(crate) async fn save_log_server(
    steward: Program<'_>,
    log_server: LogServer,
    password: Option<String>,
) -> Reply<ForwardingView> {
    let Steward { forwarding, preferences, context, dialogs, .. } = &*steward;
    certificate_files::check_log_server(&preferences.log_server(), dialogs, &log_server)?;
    forwarding.save(preferences, context, &log_server, password.as_deref()).await
}

/// Sends a test message to a log server, and returns why that failed; `null` if the log server read it.
#[command]
pub(crate) async fn test_log_server(
    steward: Program<'_>,
    log_server: LogServer,
    password: Option<String>,
) -> Reply<Option<ForwardingFault>> {
    let Steward { forwarding, preferences, context, dialogs, .. } = &*steward;
    certificate_files::check_log_server(&preferences.log_server(), dialogs, &log_server)?;
    forwarding.test(preferences, context, &log_server, password.as_deref()).await
}
