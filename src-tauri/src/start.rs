//! The start of the app, which opens the services, and the window's page about a start that failed.
//!
//! [`begin`] is the entry point. What is wrong, and what each choice does, is decided in `steward_core::start`.

use std::path::Path;
use std::sync::Arc;

use steward_app::steward::Steward;
use steward_core::files::data_folder::DataFolder;
use steward_core::history::trail;
use steward_core::logs;
use steward_core::runs::RunRegistry;
use steward_core::settings::policy::{self, Policy};
use steward_core::settings::preferences::PreferencesStore;
use steward_core::start::{self, RequiredFiles, StartChoice, StartProblem};
use steward_vault::KeyringStore;
use tauri::{AppHandle, Manager};
use tauri_specta::Event;

use crate::commands::runs::RunsChanged;
use crate::failed_start::{Failed, FailedStart, StartProblemView};
use crate::plan_scheduler::PlanScheduler;
use crate::{dialogs, window};

/// Service name of the keyring entries. No dots: see [`KeyringStore::new`].
pub(crate) const KEYRING_SERVICE: &str = "site-steward";

/// Opens the services in a data folder. If that fails, the window shows why.
pub fn begin(app: &AppHandle, folder: &Path) {
    let held = match DataFolder::take(folder) {
        Ok(held) => held,
        Err(error) => return fail(app, None, StartProblem::of_folder(error)),
    };
    logs::start(&held.path().join(logs::FOLDER));
    match RequiredFiles::open(&held) {
        Ok(files) => finish(app, held, files),
        Err(problem) => fail(app, Some(held), problem),
    }
}

/// Does what the user chose, and starts again. Returns what is wrong next; `None` if nothing is.
pub fn resolve(app: &AppHandle, choice: StartChoice) -> Option<StartProblemView> {
    let failed_start = app.state::<FailedStart>();
    let failed = failed_start.failed().take()?;
    match failed.held {
        None => fail(app, None, failed.view.problem),
        Some(held) => match start::resolve(&held, &failed.view.problem, choice) {
            Ok(files) => finish(app, held, files),
            Err(problem) => fail(app, Some(held), problem),
        },
    }
    failed_start.view()
}

fn fail(app: &AppHandle, held: Option<DataFolder>, problem: StartProblem) {
    tracing::error!(%problem, "cannot start");
    let preferences = held
        .as_ref()
        .map(|held| PreferencesStore::look(&held.path().join("preferences.json"), &policy(held.path())));
    let view = StartProblemView { problem, preferences: preferences.unwrap_or_default() };
    *app.state::<FailedStart>().failed() = Some(Failed { held, view });
}

fn finish(app: &AppHandle, held: DataFolder, files: RequiredFiles) {
    let vault = match KeyringStore::new(KEYRING_SERVICE) {
        Ok(vault) => vault,
        Err(error) => return fail(app, Some(held), StartProblem::other(&error.into())),
    };
    let policy = policy(held.path());
    let dialogs = Arc::new(dialogs::NativeDialogs::new(app.clone()));
    let steward = Steward::with(files, policy, held, Arc::new(vault), dialogs, runs(app));
    let copies = start::keep_copies(steward.data_folder.clone(), steward.context.history.clone());
    let verification = trail::verify_new_entries(steward.context.history.clone());
    let scheduler = PlanScheduler::new(&steward.data_folder);
    let plans = steward.plans.all();
    app.manage(steward);
    app.manage(scheduler.clone());
    tauri::async_runtime::spawn(async move { scheduler.follow(plans).await });
    tauri::async_runtime::spawn(copies);
    tauri::async_runtime::spawn(verification);
    tauri::async_runtime::spawn(forward(app.clone()));
    tauri::async_runtime::spawn(window::follow_proofs(app.clone()));
}

/// Forwards the audit trail while the app runs.
async fn forward(app: AppHandle) {
    let steward = app.state::<Steward>();
    steward.forwarding.run(&steward.preferences, &steward.context).await;
}

/// Reads the policy of the organization.
pub(crate) fn policy(data_folder: &Path) -> Policy {
    match policy::file() {
        Some(file) => Policy::read(&file, &data_folder.join("policy-before.json")),
        None => Policy::default(),
    }
}

fn runs(app: &AppHandle) -> RunRegistry {
    let handle = app.clone();
    RunRegistry::new(Box::new(move |now| {
        if let Some(ended) = &now.just_ended {
            window::run_ended(&handle, ended);
        }
        if let Err(error) = (RunsChanged { now }).emit(&handle) {
            tracing::warn!(%error, "the window was not told of a run");
        }
    }))
}
