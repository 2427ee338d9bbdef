//! Commands for the lists that the forms offer.

use steward_command::command;
use steward_core::inventory::service_check;
use steward_core::listings;
use steward_core::listings::deliveries::{self, WebhookDeliveries, WebhookOfService};
use steward_core::listings::uploads::{self, ServerUpload};
use steward_core::listings::{InvitationView, ParticipantView, ServiceView};
use steward_core::model::ids::{RecordId, SiteId, Target};
use steward_core::model::service_check::ServiceCheck;
use steward_core::site_context::SiteContext;

use super::{Program, Reply};

/// Returns the services that can have webhooks.
#[command]
pub(crate) async fn list_services(steward: Program<'_>, target: Target) -> Reply<Vec<ServiceView>> {
    listings::services_of(&steward.context.access, &target).await
}

/// Returns the failed deliveries of webhooks; a server lists no others.
#[command]
pub(crate) async fn list_failed_deliveries(
    steward: Program<'_>,
    target: Target,
    webhooks: Vec<WebhookOfService>,
) -> Reply<Vec<WebhookDeliveries>> {
    deliveries::failed_deliveries(&steward.context.access, &target, &webhooks).await
}

/// Checks whether the services of the server run that are set to run. Nothing is changed.
#[command]
pub(crate) async fn check_services(steward: Program<'_>, target: Target) -> Reply<ServiceCheck> {
    service_check::check_services(&steward.context.access, &target).await
}

/// Checks the services again after an import, and adds the result to its record.
#[command]
pub(crate) async fn check_services_again(
    steward: Program<'_>,
    site: SiteId,
    record: RecordId,
) -> Reply<ServiceCheck> {
    let SiteContext { access, history, .. } = &steward.context;
    service_check::check_again(access, history, &site, record).await
}

/// Returns the root paths of the data store.
#[command]
pub(crate) async fn list_data_roots(steward: Program<'_>, target: Target) -> Reply<Vec<String>> {
    listings::list_data_roots(&steward.context.access, &target).await
}

/// Returns the uploads of the server.
#[command]
pub(crate) async fn list_uploads(steward: Program<'_>, target: Target) -> Reply<Vec<ServerUpload>> {
    uploads::list_uploads(&steward.context, &target).await
}

/// Returns the participants of all collaborations.
#[command]
pub(crate) async fn list_participants(steward: Program<'_>, site: SiteId) -> Reply<Vec<ParticipantView>> {
    listings::participants(&steward.context.access, &site).await
}

/// Returns the invitations of all collaborations.
#[command]
pub(crate) async fn list_invitations(steward: Program<'_>, site: SiteId) -> Reply<Vec<InvitationView>> {
    listings::invitations(&steward.context.access, &site).await
}

/// Opens a dialog to choose a folder; `null` if the user closes it.
#[command]
pub(crate) async fn choose_folder(steward: Program<'_>) -> Reply<Option<String>> {
    listings::choose_folder(&steward.dialogs).await
}

/// Opens a dialog to choose a file, without reading it; `null` if the user closes it.
#[command]
pub(crate) async fn choose_file(steward: Program<'_>) -> Reply<Option<String>> {
    listings::choose_file(&steward.dialogs).await
}
