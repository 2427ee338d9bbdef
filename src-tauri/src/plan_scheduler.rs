//! The scheduler of the system, as the window uses it: it registers the runner of backup plans, and starts it.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use serde::Serialize;
use steward_core::model::problem::Problem;
use steward_plans::data_files;
use steward_plans::plan::BackupPlan;
use steward_plans::scheduler::registrar::{self, Folders, Followed, Scheduler};

/// Registration of the runner with the scheduler of the system.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RegistrationView {
    /// Change of the registration at the last comparison with the plans; `null` before the first comparison, and if it
    /// failed.
    pub(crate) followed: Option<Followed>,
    /// Reason why the last comparison failed; `null` if it did not.
    pub(crate) problem: Option<String>,
}

/// Scheduler of the system, with what is known of the registration.
#[derive(Clone)]
pub(crate) struct PlanScheduler(Arc<Mutex<RegistrationView>>, Arc<Folders>);

impl PlanScheduler {
    pub(crate) fn new(program_data: &Path) -> Self {
        let folder = |of_user: Option<std::path::PathBuf>| of_user.unwrap_or_default();
        let folders = Folders {
            config: folder(dirs::config_dir()),
            data: folder(dirs::data_dir()),
            home: folder(dirs::home_dir()),
            program_data: program_data.to_owned(),
        };
        Self(Arc::default(), Arc::new(folders))
    }

    /// Compares the registration with what the plans need, and repairs it. The calls of the system can take seconds.
    pub(crate) async fn follow(&self, plans: Vec<BackupPlan>) {
        let folders = self.1.clone();
        let followed = in_background(move || {
            let stays = data_files::are_plans_unknown(&folders.program_data);
            scheduler(&folders)?.follow(&registrar::program()?, &plans, stays)
        });
        *self.view_mut() = match followed.await {
            Ok(followed) => {
                tracing::info!(?followed, "the runner of backup plans is registered as the plans need it");
                RegistrationView { followed: Some(followed), problem: None }
            }
            Err(error) => {
                tracing::error!(%error, "the runner of backup plans could not be registered");
                RegistrationView { followed: None, problem: Some(format!("{error:#}")) }
            }
        };
    }

    /// Starts the runner now.
    pub(crate) async fn start_now(&self) -> Result<(), Problem> {
        let folders = self.1.clone();
        let started = in_background(move || scheduler(&folders)?.start_now(&registrar::program()?));
        Ok(started.await?)
    }

    pub(crate) fn view(&self) -> RegistrationView {
        self.view_mut().clone()
    }

    fn view_mut(&self) -> MutexGuard<'_, RegistrationView> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn scheduler(folders: &Folders) -> std::io::Result<Scheduler> {
    Scheduler::of_system(folders)
}

async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> anyhow::Result<T> {
    Ok(tauri::async_runtime::spawn_blocking(work).await.context("the scheduler was not asked")??)
}
