//! Sites in a file, to take them to another computer or give them to a colleague.

use steward_core::actions::profile_files;
use steward_core::actions::profile_files::ProfileFile;
use steward_core::actions::sites::SiteView;
use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::Saving;
use steward_core::sites::profiles::Profile;
use tauri::State;

/// Saves the profiles of these sites, without secrets, where the person says.
#[tauri::command]
#[specta::specta]
pub async fn save_profiles(host: State<'_, Host>, sites: Vec<SiteId>) -> Result<Saving, Problem> {
    profile_files::save(&host, &sites).await
}

/// Reads the profiles in a file that the person chooses. Nothing is saved by that.
#[tauri::command]
#[specta::specta]
pub async fn open_profiles(host: State<'_, Host>) -> Result<ProfileFile, Problem> {
    profile_files::open(&host).await
}

/// Adds a site from a profile, under this name. `confirmed` are the addresses at other hosts than the visible ones that
/// the person agreed to.
#[tauri::command]
#[specta::specta]
pub async fn add_profile(
    host: State<'_, Host>,
    profile: Profile,
    name: String,
    confirmed: Vec<String>,
) -> Result<SiteView, Problem> {
    profile_files::add(&host, profile, name, &confirmed).await
}
