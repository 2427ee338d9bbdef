//! Site Steward: administration of GIS portals and servers in a desktop app.
//!
//! This crate is the Tauri shell: [`run`] opens the window and passes its commands to `steward-core`. The overview is
//! `src-tauri/docs/architecture.md`.

pub mod bindings;
pub mod command_line;
mod commands;
mod desktop;
pub mod dialogs;
pub mod failed_start;
pub mod fault_injection;
mod plan_scheduler;
pub mod practice;
mod session_bus;
pub mod start;
pub mod updates;
pub mod window;

use anyhow::Context;
use commands::updates::UpdateChanged;
use failed_start::FailedStart;
use practice::Practice;
use steward_core::files::data_folder;
use tauri::Manager;
use tauri_specta::Event;

/// Opens the window, and returns when it is closed.
///
/// # Errors
/// - The system does not name a place for the data folder.
/// - The updater cannot be initialized.
/// - The window cannot be opened.
///
/// What else prevents a start is shown in the window.
pub fn run() -> anyhow::Result<()> {
    render_without_dmabuf();
    let mut context = tauri::generate_context!();
    updates::configure(context.config_mut());
    let program = tauri::Builder::default().invoke_handler(bindings::handler());
    #[cfg(target_os = "macos")]
    let program = program.on_web_content_process_terminate(|page| {
        if let Err(error) = page.reload() {
            tracing::error!(%error, "the process of the page has ended, and it could not be loaded again");
        }
    });
    let app = program.build(context).context("the program could not be started")?;
    window::only_once(app.handle());
    let data_folder = data_folder::place(&app.path().app_data_dir()?, &app.path().app_local_data_dir()?);
    tauri_specta::Builder::new().events(bindings::events()).mount_events(&app);
    // Before the window opens, so that its first command finds the state.
    app.manage(Practice::from_environment());
    app.manage(window::Appearance::new(app.handle().clone()));
    app.manage(window::Opened::default());
    app.manage(FailedStart::default());
    start::begin(app.handle(), &data_folder);
    app.manage(updates(&app)?);
    let words: Vec<_> = std::env::args_os().collect();
    window::started_with(app.handle(), &words, &std::env::current_dir().unwrap_or_default());
    window::open(&app).context("the window could not be opened")?;
    tauri::async_runtime::spawn(window::notify_of_reminders(app.handle().clone()));
    app.run(|app, event| window::on_event(app, &event));
    Ok(())
}

/// Disables the DMABUF renderer of WebKit, which leaves the window blank with some graphics drivers, and always takes
/// more memory. `WEBKIT_DISABLE_DMABUF_RENDERER=0` enables it.
fn render_without_dmabuf() {
    #[cfg(target_os = "linux")]
    if let Err(error) = glib::setenv("WEBKIT_DISABLE_DMABUF_RENDERER", "1", false) {
        eprintln!("WebKit paints as it likes: {error}");
    }
}

/// Creates the state of updates, which reports changes to the window.
fn updates(app: &tauri::App) -> tauri::Result<steward_core::updates::Updates> {
    let handle = app.handle().clone();
    let listener = move |now| {
        if let Err(error) = (UpdateChanged { now }).emit(&handle) {
            tracing::warn!(%error, "the window was not told of a newer version");
        }
    };
    updates::updates(app.handle(), Box::new(listener))
}
