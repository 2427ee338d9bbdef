//! Commands of the operations, and the preview of their requests.

use steward_app::steward::Steward;
use steward_command::command;
use steward_core::batch::result::BatchResult;
use steward_core::history::changes_since::{self, RecordedChanges};
use steward_core::model::export_location::ExportLocation;
use steward_core::model::ids::{RecordId, SiteId, Target, UnsavedInvitationId};
use steward_core::model::import_report::ImportReport;
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::deactivate_webhooks::single::{DeactivateWebhookForm, DeactivateWebhookReport};
use steward_core::operations::deactivate_webhooks::{DeactivateWebhooksForm, single};
use steward_core::operations::export_portal::{ExportPortalForm, PortalExportReport};
use steward_core::operations::export_server::{
    ExportServerForm, SavedExport, ServerExportReport, SuggestedExport,
};
use steward_core::operations::find_items::{FindItemsForm, FirstRows, FoundItems};
use steward_core::operations::import_portal::change_summary::{PortalChangeSummary, PortalExportComparison};
use steward_core::operations::import_portal::proof;
use steward_core::operations::import_portal::{
    ImportPortalForm, PortalImportReport, PortalProof, change_summary,
};
use steward_core::operations::import_server::export_comparison::ExportComparison;
use steward_core::operations::import_server::{
    ChangeSummary, ImportServerForm, UndoOptions, export_comparison, safety_backup,
};
use steward_core::operations::refresh_invitation::{
    RefreshInvitationForm, RefreshReport, UnsavedInvitationView, into_folder,
};
use steward_core::operations::update_participant::{UpdateParticipantForm, UpdateReport};
use steward_core::operations::{
    OperationForm, deactivate_webhooks, export_portal, export_server, find_items, import_portal,
    import_server, refresh_invitation, update_participant,
};
use steward_core::request_preview::{self, RequestPreview};
use steward_core::runs::{NewRun, RunId, carry_out};
use steward_core::webhooks::deactivation::DeactivateReport;

use super::{Program, Reply};

/// Returns the requests that an operation with this form sends.
#[command]
pub(crate) async fn preview_requests(
    steward: Program<'_>,
    target: Target,
    form: OperationForm,
) -> Reply<Vec<RequestPreview>> {
    request_preview::preview(&steward.context.access, &target, form).await
}

/// Exports a portal, or checks the destination.
#[command]
pub(crate) async fn export_portal(
    steward: Program<'_>,
    site: SiteId,
    run: NewRun,
    form: ExportPortalForm,
) -> Reply<RunResult<PortalExportReport>> {
    Ok(carry_out(run, |run| export_portal::perform(&steward.context, &site, run, form)).await)
}

/// Exports a server.
#[command]
pub(crate) async fn export_server(
    steward: Program<'_>,
    target: Target,
    run: NewRun,
    form: ExportServerForm,
) -> Reply<RunResult<ServerExportReport>> {
    Ok(carry_out(run, |run| export_server::perform(&steward.context, &steward.transfers, &target, run, form))
        .await)
}

/// Returns the file that an export to this computer would become. Nothing is sent.
#[command]
pub(crate) async fn suggest_export(steward: Program<'_>, target: Target) -> Reply<SuggestedExport> {
    export_server::suggest(&steward.context, &target).await
}

/// Downloads an export that is stored by the server and not saved yet.
#[command]
pub(crate) async fn save_stored_export(
    steward: Program<'_>,
    target: Target,
    run: RunId,
    location: String,
) -> Reply<SavedExport> {
    export_server::save_again(&steward.context, &steward.transfers, &target, run, &location).await
}

/// Returns the change summary of an import, without sending it.
#[command]
pub(crate) async fn preview_import(steward: Program<'_>, target: Target) -> Reply<ChangeSummary> {
    import_server::preview_import(&steward.context.access, &target).await
}

/// Compares a server with an export. Nothing is changed.
#[command]
pub(crate) async fn compare_with_export(
    steward: Program<'_>,
    target: Target,
    location: ExportLocation,
) -> Reply<ExportComparison> {
    export_comparison::compare_with_export(&steward.context, &steward.dialogs, &target, &location).await
}

/// Returns whether this computer has room for a copy of a safety backup.
#[command]
pub(crate) fn has_room_for_copy(steward: Program<'_>) -> bool {
    safety_backup::has_room_for_copy(&steward.data_folder)
}

/// Replaces the configuration of a server.
#[command]
pub(crate) async fn import_server(
    steward: Program<'_>,
    target: Target,
    run: NewRun,
    form: ImportServerForm,
) -> Reply<RunResult<ImportReport>> {
    Ok(carry_out(run, |run| import_server::perform(&steward.context, &steward.transfers, &target, run, form))
        .await)
}

/// Returns the recorded changes that an undo of an import would undo with it. Nothing is sent.
#[command]
pub(crate) async fn preview_undo(steward: Program<'_>, record: RecordId) -> Reply<RecordedChanges> {
    changes_since::since_import(&steward.context.access.sites, &steward.context.history, record).await
}

/// Undoes an import: imports its safety backup.
#[command]
pub(crate) async fn undo_import(
    steward: Program<'_>,
    site: SiteId,
    run: NewRun,
    record: RecordId,
    confirmation: String,
    options: UndoOptions,
) -> Reply<RunResult<ImportReport>> {
    let Steward { context, transfers, .. } = &*steward;
    Ok(carry_out(run, |run| {
        import_server::undo(context, transfers, &site, run, record, &confirmation, options)
    })
    .await)
}

/// Deactivates the webhooks of services.
#[command]
pub(crate) async fn deactivate_webhooks(
    steward: Program<'_>,
    target: Target,
    run: NewRun,
    form: DeactivateWebhooksForm,
) -> Reply<RunResult<DeactivateReport>> {
    Ok(carry_out(run, |run| deactivate_webhooks::perform(&steward.context, &target, run, form)).await)
}

/// Deactivates a single webhook of a service.
#[command]
pub(crate) async fn deactivate_webhook(
    steward: Program<'_>,
    target: Target,
    run: NewRun,
    form: DeactivateWebhookForm,
) -> Reply<RunResult<DeactivateWebhookReport>> {
    Ok(carry_out(run, |run| single::perform(&steward.context, &target, run, form)).await)
}

/// Searches data store items.
#[command]
pub(crate) async fn find_items(
    steward: Program<'_>,
    target: Target,
    run: RunId,
    form: FindItemsForm,
    first: FirstRows,
) -> Reply<RunResult<FoundItems>> {
    Ok(carry_out(run, |run| {
        find_items::perform(&steward.context, &steward.item_searches, &target, run, form, first)
    })
    .await)
}

/// Updates the contact of a participant.
#[command]
pub(crate) async fn update_participant(
    steward: Program<'_>,
    site: SiteId,
    run: NewRun,
    form: UpdateParticipantForm,
) -> Reply<RunResult<UpdateReport>> {
    Ok(carry_out(run, |run| update_participant::perform(&steward.context, &site, run, form)).await)
}

/// Updates the contacts of several participants, one after another, each with its own record.
#[command]
pub(crate) async fn update_participants(
    steward: Program<'_>,
    site: SiteId,
    run: NewRun,
    forms: Vec<UpdateParticipantForm>,
) -> Reply<RunResult<BatchResult<UpdateReport>>> {
    Ok(carry_out(run, |run| {
        update_participant::perform_several(&steward.context, &steward.contacts_batches, &site, run, forms)
    })
    .await)
}

/// Refreshes an invitation, and saves its file where the user chooses.
#[command]
pub(crate) async fn refresh_invitation(
    steward: Program<'_>,
    site: SiteId,
    run: NewRun,
    form: RefreshInvitationForm,
) -> Reply<RunResult<RefreshReport>> {
    Ok(carry_out(run, |run| {
        refresh_invitation::perform(&steward.context, &steward.invitation_files, &site, run, form)
    })
    .await)
}

/// Saves an unsaved invitation.
#[command]
pub(crate) async fn save_invitation_again(
    steward: Program<'_>,
    kept: UnsavedInvitationId,
) -> Reply<SaveResult> {
    refresh_invitation::save_kept(&steward.invitation_files, &kept).await
}

/// Returns the unsaved invitations of a site, including those of earlier starts of the app.
#[command]
pub(crate) fn list_unsaved_invitations(steward: Program<'_>, site: SiteId) -> Vec<UnsavedInvitationView> {
    refresh_invitation::waiting(&steward.invitation_files.unsaved, &site)
}

/// Deletes an unsaved invitation.
#[command]
pub(crate) fn discard_unsaved_invitation(steward: Program<'_>, kept: UnsavedInvitationId) {
    steward.invitation_files.unsaved.forget(&kept.0);
}

/// Refreshes several invitations, and saves their files in a folder that the user chooses first.
#[command]
pub(crate) async fn refresh_invitations(
    steward: Program<'_>,
    site: SiteId,
    run: NewRun,
    forms: Vec<RefreshInvitationForm>,
) -> Reply<RunResult<BatchResult<RefreshReport>>> {
    Ok(carry_out(run, |run| {
        into_folder::perform(&steward.context, &steward.invitation_files, &site, run, forms)
    })
    .await)
}

/// Returns what an import of a portal would do, and the exports that can be imported. Nothing is sent that changes it.
#[command]
pub(crate) async fn preview_portal_import(steward: Program<'_>, site: SiteId) -> Reply<PortalChangeSummary> {
    change_summary::change_summary(&steward.context, &site).await
}

/// Compares a portal with an export. Nothing is changed.
#[command]
pub(crate) async fn compare_with_portal_export(
    steward: Program<'_>,
    site: SiteId,
    location: String,
) -> Reply<PortalExportComparison> {
    change_summary::compare(&steward.context, &site, &location).await
}

/// Replaces a portal, or checks an export file only.
#[command]
pub(crate) async fn import_portal(
    steward: Program<'_>,
    site: SiteId,
    run: NewRun,
    form: ImportPortalForm,
) -> Reply<RunResult<PortalImportReport>> {
    Ok(carry_out(run, |run| import_portal::perform(&steward.context, &site, run, form)).await)
}

/// Undoes an import of a portal: imports its safety backup, after one of the current state if a folder is given.
#[command]
pub(crate) async fn undo_portal_import(
    steward: Program<'_>,
    site: SiteId,
    run: NewRun,
    record: RecordId,
    confirmation: String,
    safety_backup: Option<String>,
) -> Reply<RunResult<PortalImportReport>> {
    Ok(carry_out(run, |run| {
        import_portal::undo(&steward.context, &site, run, record, &confirmation, safety_backup)
    })
    .await)
}

/// Returns the report of an import of a portal.
#[command]
pub(crate) async fn portal_import_report(
    steward: Program<'_>,
    record: RecordId,
) -> Reply<PortalImportReport> {
    proof::report_of(&steward.context.history, record).await
}

/// Counts a portal after an import, and stores the comparison with the export in its record.
#[command]
pub(crate) async fn check_portal_import(
    steward: Program<'_>,
    site: SiteId,
    record: RecordId,
) -> Reply<PortalProof> {
    let context = &steward.context;
    proof::check_again(&context.access, &context.history, &site, record).await
}
