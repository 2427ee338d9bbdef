//! Files of backup plans in the data folder, as [`unreadable`] looks at them.

use std::path::Path;

use serde_json::Value;
use steward_core::actions::preferences::SetAsideData;
use steward_core::files;
use steward_core::files::data_folder::PLANS;
use steward_core::unreadable::{self, DataFile};

use super::alerts::channel::AlertSettings;
use super::alerts::settings::FILE as ALERTS;
use super::alerts::state::{AlertStore, FILE as TOLD};
use super::rehearsal::begun::REHEARSALS;
use super::saved::{RESTORES, SEEN};
use super::store::{self, PROGRESS, RunnerState};

/// The files, and how each is read.
pub const FILES: &[DataFile] = &[
    (PLANS, SetAsideData::Plans, store::check_plans),
    (PROGRESS, SetAsideData::PlanProgress, files::check::<RunnerState>),
    (ALERTS, SetAsideData::Alerts, files::check::<AlertSettings>),
    (TOLD, SetAsideData::ToldAlerts, AlertStore::check),
    (SEEN, SetAsideData::SeenPlans, files::check::<Value>),
    (RESTORES, SetAsideData::Restores, files::check::<Value>),
    (REHEARSALS, SetAsideData::Restores, files::check::<Value>),
];

/// Returns whether the saved plans could not be read: any of them might have a schedule.
#[must_use]
pub fn are_plans_unknown(data_folder: &Path) -> bool {
    unreadable::deciding(data_folder, FILES).iter().any(|one| one.what == SetAsideData::Plans)
}
