//! Site Steward: point-and-click administration of a geographic information portal and its servers.
//!
//! Tauri is the shell: it opens the window and carries its questions here. The map of the whole is
//! `src-tauri/docs/architecture.md`.

mod archive;
pub mod bindings;
pub mod commands;
mod confirmation;
mod connection;
pub mod dialogs;
pub mod doctor;
pub mod gate;
pub mod host;
pub mod kept_invitations;
pub mod locks;
pub mod logs;
pub mod operations;
pub mod parachute;
pub mod persistence;
pub mod places;
pub mod problem;
pub mod reconcile;
pub mod reminders;
pub mod report_file;
pub mod runs;
pub mod saving;
mod sent;
pub mod sessions;
pub mod silences;
pub mod sites;
mod stored_export;
pub mod task;
pub mod token_life;
pub mod uploading;
pub mod views;

use std::sync::Arc;

use anyhow::Context;
use commands::practice::Practice;
use commands::runs::RunsChanged;
use steward_vault::KeyringStore;
use tauri::Manager;
use tauri_specta::Event;

/// Name of the program's entries in the keyring. No dots: see [`KeyringStore::new`].
const KEYRING_SERVICE: &str = "site-steward";

/// Opens the window and stays until it is closed.
///
/// # Errors
/// When the window cannot be opened, or what the program keeps cannot be read.
pub fn run() -> anyhow::Result<()> {
    let builder = bindings::builder();
    let app = tauri::Builder::default()
        .invoke_handler(builder.invoke_handler())
        .build(tauri::generate_context!())
        .context("the window could not be opened")?;
    logs::start(&app.path().app_data_dir()?.join(logs::FOLDER));
    builder.mount_events(&app);
    // Before the window is there, so that its first question finds somebody to answer.
    app.manage(Practice::default());
    app.manage(host(&app)?);
    app.run(|_, _| ());
    Ok(())
}

/// The program around the operations, as the desktop offers it.
fn host(app: &tauri::App) -> anyhow::Result<host::Host> {
    let handle = app.handle().clone();
    let runs = runs::RunRegistry::new(Box::new(move |runs| {
        if let Err(error) = (RunsChanged { runs }).emit(&handle) {
            tracing::warn!(%error, "the window was not told of a run");
        }
    }));
    host::Host::open(
        &app.path().app_data_dir()?,
        Arc::new(KeyringStore::new(KEYRING_SERVICE)?),
        Arc::new(dialogs::NativeDialogs::new(app.handle().clone())),
        runs,
    )
}
