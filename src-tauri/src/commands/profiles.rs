//! Commands for site profiles.

use steward_core::actions::profile_files;
use steward_core::actions::profile_files::ProfileFile;
use steward_core::actions::sites::SiteView;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::SaveResult;
use steward_core::sites::profiles::Profile;
use steward_core::steward::Steward;
use tauri::State;

/// Exports the profiles of sites, without secrets, to a file that the user chooses.
///
/// # Errors
/// Those of [`profile_files::save`].
#[tauri::command]
#[specta::specta]
pub async fn save_profiles(steward: State<'_, Steward>, sites: Vec<SiteId>) -> Result<SaveResult, Problem> {
    profile_files::save(&steward.context.access.sites, &steward.dialogs, &sites).await
}

/// Reads the profiles of a file that the user chooses. Nothing is saved.
///
/// # Errors
/// Those of [`profile_files::open`].
#[tauri::command]
#[specta::specta]
pub async fn open_profiles(steward: State<'_, Steward>) -> Result<ProfileFile, Problem> {
    profile_files::open(&steward.context.access.sites, &steward.dialogs).await
}

/// Adds the site of a profile under a name. `confirmed` contains the addresses at other hosts that the user confirmed.
///
/// # Errors
/// Those of [`profile_files::add`].
#[tauri::command]
#[specta::specta]
pub async fn add_profile(
    steward: State<'_, Steward>,
    profile: Profile,
    name: String,
    confirmed: Vec<String>,
) -> Result<SiteView, Problem> {
    profile_files::add(&steward.context, profile, name, &confirmed).await
}
