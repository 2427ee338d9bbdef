//! What the forms pick from.

use steward_core::host::Host;
use steward_core::listings;
use steward_core::listings::{InvitationView, ParticipantView, ServiceView, StoredUpload};
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use tauri::State;

/// Services that can have webhooks.
#[tauri::command]
#[specta::specta]
pub async fn list_services(host: State<'_, Host>, site: SiteId) -> Result<Vec<ServiceView>, Problem> {
    listings::services_of(&host, &site).await
}

/// Root paths of the data store.
#[tauri::command]
#[specta::specta]
pub async fn list_data_roots(host: State<'_, Host>, site: SiteId) -> Result<Vec<String>, Problem> {
    listings::list_data_roots(&host, site).await
}

/// Files stored on the server.
#[tauri::command]
#[specta::specta]
pub async fn list_uploads(host: State<'_, Host>, site: SiteId) -> Result<Vec<StoredUpload>, Problem> {
    listings::list_uploads(&host, site).await
}

/// Participants of all collaborations.
#[tauri::command]
#[specta::specta]
pub async fn list_participants(host: State<'_, Host>, site: SiteId) -> Result<Vec<ParticipantView>, Problem> {
    listings::participants(&host, &site).await
}

/// Invitations to all collaborations.
#[tauri::command]
#[specta::specta]
pub async fn list_invitations(host: State<'_, Host>, site: SiteId) -> Result<Vec<InvitationView>, Problem> {
    listings::invitations(&host, &site).await
}

/// A folder of this computer, chosen in the system's dialog; `null` when it was closed.
#[tauri::command]
#[specta::specta]
pub async fn choose_folder(host: State<'_, Host>) -> Result<Option<String>, Problem> {
    listings::choose_folder(&host).await
}

/// A file of this computer, chosen in the system's dialog; `null` when it was closed. Nothing is read from it.
#[tauri::command]
#[specta::specta]
pub async fn choose_file(host: State<'_, Host>) -> Result<Option<String>, Problem> {
    listings::choose_file(&host).await
}
