//! What the window shows of a start that failed.

use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use steward_core::files::data_folder::DataFolder;
use steward_core::settings::preferences::Preferences;
use steward_core::start::StartProblem;

/// A start that failed; empty after one that succeeded.
#[derive(Default)]
pub struct FailedStart(Mutex<Option<Failed>>);

pub(crate) struct Failed {
    /// `None` if the data folder cannot be used.
    pub(crate) held: Option<DataFolder>,
    pub(crate) view: StartProblemView,
}

/// A start that failed, with the preferences for the page that explains it.
#[derive(Debug, Clone, Serialize, specta::Type)]
pub struct StartProblemView {
    /// Problem that prevents the start.
    pub problem: StartProblem,
    /// Preferences of the user; the defaults if they cannot be read.
    pub preferences: Preferences,
}

impl FailedStart {
    /// Returns what the window shows; `None` after a start that succeeded.
    #[must_use]
    pub fn view(&self) -> Option<StartProblemView> {
        self.failed().as_ref().map(|failed| failed.view.clone())
    }

    /// The failure, which the start sets and takes.
    pub(crate) fn failed(&self) -> std::sync::MutexGuard<'_, Option<Failed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
