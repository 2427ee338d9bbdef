//! Commands for the lists that the forms offer.

use steward_app::steward::Steward;
use steward_core::inventory::service_check;
use steward_core::listings;
use steward_core::listings::deliveries::{self, WebhookDeliveries, WebhookOfService};
use steward_core::listings::uploads::{self, ServerUpload};
use steward_core::listings::{InvitationView, ParticipantView, ServiceView};
use steward_core::model::ids::{RecordId, SiteId, Target};
use steward_core::model::problem::Problem;
use steward_core::model::service_check::ServiceCheck;
use steward_core::site_context::SiteContext;
use tauri::State;

/// Returns the services that can have webhooks.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_services(
    steward: State<'_, Steward>,
    target: Target,
) -> Result<Vec<ServiceView>, Problem> {
    listings::services_of(&steward.context.access, &target).await
}

/// Returns the failed deliveries of webhooks; a server lists no others.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_failed_deliveries(
    steward: State<'_, Steward>,
    target: Target,
    webhooks: Vec<WebhookOfService>,
) -> Result<Vec<WebhookDeliveries>, Problem> {
    deliveries::failed_deliveries(&steward.context.access, &target, &webhooks).await
}

/// Checks whether the services of the server run that are set to run. Nothing is changed.
#[tauri::command]
#[specta::specta]
pub(crate) async fn check_services(
    steward: State<'_, Steward>,
    target: Target,
) -> Result<ServiceCheck, Problem> {
    service_check::check_services(&steward.context.access, &target).await
}

/// Checks the services again after an import, and adds the result to its record.
#[tauri::command]
#[specta::specta]
pub(crate) async fn check_services_again(
    steward: State<'_, Steward>,
    site: SiteId,
    record: RecordId,
) -> Result<ServiceCheck, Problem> {
    let SiteContext { access, history, .. } = &steward.context;
    service_check::check_again(access, history, &site, record).await
}

/// Returns the root paths of the data store.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_data_roots(
    steward: State<'_, Steward>,
    target: Target,
) -> Result<Vec<String>, Problem> {
    listings::list_data_roots(&steward.context.access, &target).await
}

/// Returns the uploads of the server.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_uploads(
    steward: State<'_, Steward>,
    target: Target,
) -> Result<Vec<ServerUpload>, Problem> {
    uploads::list_uploads(&steward.context, &target).await
}

/// Returns the participants of all collaborations.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_participants(
    steward: State<'_, Steward>,
    site: SiteId,
) -> Result<Vec<ParticipantView>, Problem> {
    listings::participants(&steward.context.access, &site).await
}

/// Returns the invitations of all collaborations.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_invitations(
    steward: State<'_, Steward>,
    site: SiteId,
) -> Result<Vec<InvitationView>, Problem> {
    listings::invitations(&steward.context.access, &site).await
}

/// Opens a dialog to choose a folder; `null` if the user closes it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_folder(steward: State<'_, Steward>) -> Result<Option<String>, Problem> {
    listings::choose_folder(&steward.dialogs).await
}

/// Opens a dialog to choose a file, without reading it; `null` if the user closes it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_file(steward: State<'_, Steward>) -> Result<Option<String>, Problem> {
    listings::choose_file(&steward.dialogs).await
}
