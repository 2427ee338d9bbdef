//! Site Steward: point-and-click administration of a geographic information portal and its servers.
//!
//! Tauri is the shell: it opens the window and carries its questions here. The map of the whole is
//! `src-tauri/docs/architecture.md`.

pub mod bindings;
pub mod commands;
pub mod dialogs;
pub mod mishaps;
pub mod practice;
pub mod updates;
pub mod window;

use std::sync::Arc;

use anyhow::Context;
use commands::runs::RunsChanged;
use commands::updates::UpdateMoved;
use practice::Practice;
use steward_core::files::data_folder::{self, DataFolder};
use steward_core::host::Host;
use steward_core::logs;
use steward_core::runs;
use steward_core::settings::policy::{self, Policy};
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
    render_without_dmabuf();
    let builder = bindings::builder();
    let mut context = tauri::generate_context!();
    updates::configure(context.config_mut());
    let program = tauri::Builder::default().invoke_handler(builder.invoke_handler());
    #[cfg(target_os = "macos")]
    let program = program.on_web_content_process_terminate(|page| {
        if let Err(error) = page.reload() {
            tracing::error!(%error, "the process of the page has ended, and it could not be loaded again");
        }
    });
    let app = program.build(context).context("the program could not be started")?;
    window::only_once(app.handle());
    let (data_folder, not_copied) =
        data_folder::place(&app.path().app_data_dir()?, &app.path().app_local_data_dir()?);
    let data_folder = DataFolder::take(&data_folder)?;
    logs::start(&data_folder.path().join(logs::FOLDER));
    if let Some(error) = not_copied {
        tracing::warn!(%error, "the data folder could not be copied to the one of this computer");
    }
    builder.mount_events(&app);
    // Before the window is there, so that its first question finds somebody to answer.
    app.manage(Practice::default());
    app.manage(window::Appearance::new(app.handle().clone()));
    app.manage(window::Opened::default());
    app.manage(host(&app, data_folder)?);
    app.manage(updates(&app)?);
    let words: Vec<_> = std::env::args_os().collect();
    window::started_with(app.handle(), &words, &std::env::current_dir().unwrap_or_default());
    window::open(&app).context("the window could not be opened")?;
    app.run(|app, event| window::on_event(app, &event));
    Ok(())
}

/// With some graphics drivers WebKit's newer way of painting leaves the window blank, and it takes more memory with
/// all of them. `WEBKIT_DISABLE_DMABUF_RENDERER=0` brings it back.
fn render_without_dmabuf() {
    #[cfg(target_os = "linux")]
    if let Err(error) = glib::setenv("WEBKIT_DISABLE_DMABUF_RENDERER", "1", false) {
        eprintln!("WebKit paints as it likes: {error}");
    }
}

/// The program around the operations, as the desktop offers it.
fn host(app: &tauri::App, data_folder: DataFolder) -> anyhow::Result<Host> {
    let handle = app.handle().clone();
    let runs = runs::RunRegistry::new(Box::new(move |now| {
        if let Some(ended) = &now.just_ended {
            window::run_ended(&handle, ended);
        }
        if let Err(error) = (RunsChanged { runs: now.running, ended: now.ended }).emit(&handle) {
            tracing::warn!(%error, "the window was not told of a run");
        }
    }));
    let policy = match policy::file() {
        Some(file) => Policy::read(&file, &data_folder.path().join("policy-before.json")),
        None => Policy::default(),
    };
    Host::open_under(
        policy,
        data_folder,
        Arc::new(KeyringStore::new(KEYRING_SERVICE)?),
        Arc::new(dialogs::NativeDialogs::new(app.handle().clone())),
        runs,
    )
}

/// Newer versions of the program, as the desktop is told of them.
fn updates(app: &tauri::App) -> tauri::Result<steward_core::updates::Updates> {
    let handle = app.handle().clone();
    let listener = move |now| {
        if let Err(error) = (UpdateMoved { now }).emit(&handle) {
            tracing::warn!(%error, "the window was not told of a newer version");
        }
    };
    updates::updates(app.handle(), Box::new(listener))
}
