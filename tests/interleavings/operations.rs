//! The operations and actions that the events meet, each with the state that it begins from.

use steward_core::model::problem::Problem;
use steward_core::model::run_result::{RecordId, RunResult};
use steward_core::operations::deactivate_webhooks::{self, DeactivateWebhooksForm, single};
use steward_core::operations::export_portal::{self, ExportPortalForm, PortalExportDestination};
use steward_core::operations::export_server::{self, ExportServerForm, ServerExportDestination};
use steward_core::operations::find_items::item_search::SearchId;
use steward_core::operations::find_items::{self, FindItemsForm, FirstRows, validation};
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::operations::import_server::{self, ImportServerForm};
use steward_core::operations::refresh_invitation::{self, RefreshInvitationForm};
use steward_core::operations::update_participant::{self, UpdateParticipantForm};
use steward_core::steward::Steward;
use steward_core::transfers::upload::{self, UploadEnd, UploadId, UploadSource};
use steward_core::webhooks::deactivation_log::{self, DeactivationId};
use steward_core::webhooks::reactivation;
use steward_journal::Outcome;

use crate::app::App;
use crate::site::COLLABORATION;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    ExportPortal,
    ExportServer,
    ExportServerHere,
    ImportServer,
    ImportServerWithBackup,
    QuietImport,
    Undo,
    DeactivateWebhooks,
    DeactivateWebhook,
    Reactivate,
    ReactivateSeveral,
    FindItems,
    Validate,
    UpdateParticipant,
    UpdateParticipants,
    RefreshInvitation,
    Upload,
    UploadParts,
    DeleteUpload,
}

pub(crate) const ALL: [Subject; 19] = [
    Subject::ExportPortal,
    Subject::ExportServer,
    Subject::ExportServerHere,
    Subject::ImportServer,
    Subject::ImportServerWithBackup,
    Subject::QuietImport,
    Subject::Undo,
    Subject::DeactivateWebhooks,
    Subject::DeactivateWebhook,
    Subject::Reactivate,
    Subject::ReactivateSeveral,
    Subject::FindItems,
    Subject::Validate,
    Subject::UpdateParticipant,
    Subject::UpdateParticipants,
    Subject::RefreshInvitation,
    Subject::Upload,
    Subject::UploadParts,
    Subject::DeleteUpload,
];

/// What was done before, for an operation that needs it.
#[derive(Debug, Default)]
pub(crate) struct Before {
    import: Option<RecordId>,
    entries: Vec<DeactivationId>,
    search: Option<SearchId>,
}

/// End of an operation, as the window gets it.
#[derive(Debug)]
pub(crate) enum End {
    Done,
    NotSent,
    Unknown,
    /// An upload that was stopped after a part was sent.
    Stopped,
    Problem(Problem),
}

impl End {
    fn of<T>(ended: Result<RunResult<T>, Problem>) -> Self {
        match ended {
            Ok(RunResult::Done { .. }) => Self::Done,
            Ok(RunResult::NotSent { .. } | RunResult::Dismissed) => Self::NotSent,
            Ok(RunResult::Unknown { .. }) => Self::Unknown,
            Err(problem) => Self::Problem(problem),
        }
    }

    /// Returns the outcomes that the record of the operation may have.
    pub(crate) fn outcomes(&self) -> &'static [Outcome] {
        match self {
            Self::Done => &[Outcome::Succeeded, Outcome::Warnings, Outcome::Unknown, Outcome::Failed],
            Self::NotSent => &[Outcome::NotSent],
            Self::Unknown => &[Outcome::Unknown],
            Self::Stopped => &[Outcome::NotSent, Outcome::Failed],
            Self::Problem(_) => &[Outcome::Failed, Outcome::NotSent],
        }
    }
}

impl Subject {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ExportPortal => "export_portal",
            Self::ExportServer => "export_server",
            Self::ExportServerHere => "export_server_here",
            Self::ImportServer => "import_server",
            Self::ImportServerWithBackup => "import_with_backup",
            Self::QuietImport => "quiet_import",
            Self::Undo => "undo",
            Self::DeactivateWebhooks => "deactivate_webhooks",
            Self::DeactivateWebhook => "deactivate_webhook",
            Self::Reactivate => "reactivate",
            Self::ReactivateSeveral => "reactivate_several",
            Self::FindItems => "find_items",
            Self::Validate => "validate",
            Self::UpdateParticipant => "update_participant",
            Self::UpdateParticipants => "update_participants",
            Self::RefreshInvitation => "refresh_invitation",
            Self::Upload => "upload",
            Self::UploadParts => "upload_parts",
            Self::DeleteUpload => "delete_upload",
        }
    }

    /// Returns the name of its record in the history.
    pub(crate) const fn record(self) -> &'static str {
        match self {
            Self::ExportServerHere => "export_server",
            Self::ImportServerWithBackup | Self::QuietImport | Self::Undo => "import_server",
            Self::Reactivate | Self::ReactivateSeveral => "reactivate_webhooks",
            Self::UpdateParticipants => "update_participant",
            Self::UploadParts => "upload",
            _ => self.name(),
        }
    }

    /// Returns whether it only reads.
    pub(crate) const fn only_reads(self) -> bool {
        matches!(self, Self::FindItems | Self::Validate)
    }

    /// Returns whether it consists of several requests with a record each.
    pub(crate) const fn is_batch(self) -> bool {
        matches!(self, Self::ReactivateSeveral | Self::UpdateParticipants)
    }

    /// Does what must precede it.
    pub(crate) async fn prepare(self, app: &App) -> Before {
        let Steward { context, item_searches, transfers, .. } = &app.steward;
        let site = &app.site;
        let mut before = Before::default();
        match self {
            Self::Undo => {
                let ended =
                    import_server::perform(context, transfers, site, app.run(), import(true, None)).await;
                let Ok(RunResult::Done { record, .. }) = ended else { panic!("{ended:?}") };
                before.import = record;
            }
            Self::Reactivate | Self::ReactivateSeveral => {
                let all = deactivation(&["Roads.FeatureServer", "Water/Mains.FeatureServer"]);
                deactivate_webhooks::perform(context, site, app.run(), all).await.unwrap();
                let entries = deactivation_log::entries(&context.history, None).await.unwrap();
                before.entries = entries.into_iter().rev().map(|entry| entry.id).collect();
            }
            Self::Validate => {
                let rows = FirstRows::default();
                let ended =
                    find_items::perform(context, item_searches, site, app.run(), all_items(), rows).await;
                let Ok(RunResult::Done { report, .. }) = ended else { panic!("{ended:?}") };
                before.search = Some(report.search.id);
            }
            _ => {}
        }
        context.runs.dismiss(&app.run());
        before
    }

    pub(crate) async fn perform(self, app: &App, before: Before) -> End {
        let Steward { context, transfers, invitation_files, item_searches, contacts_batches, .. } =
            &app.steward;
        let (site, run) = (&app.site, app.run());
        match self {
            Self::ExportPortal => {
                let target = PortalExportDestination::Folder { location: "/exports".to_owned() };
                let form = ExportPortalForm { target, check_only: false };
                End::of(export_portal::perform(context, site, run, form).await)
            }
            Self::ExportServer => {
                let place = ServerExportDestination::ServerFolder { location: "/exports".to_owned() };
                let form = ExportServerForm { place };
                End::of(export_server::perform(context, transfers, site, run, form).await)
            }
            Self::ExportServerHere => {
                let form = ExportServerForm { place: ServerExportDestination::ThisComputer };
                End::of(export_server::perform(context, transfers, site, run, form).await)
            }
            Self::ImportServer => {
                End::of(import_server::perform(context, transfers, site, run, import(false, None)).await)
            }
            Self::ImportServerWithBackup => {
                End::of(import_server::perform(context, transfers, site, run, import(true, None)).await)
            }
            Self::QuietImport => {
                let form = import(false, Some("Import".to_owned()));
                End::of(import_server::perform(context, transfers, site, run, form).await)
            }
            Self::Undo => {
                let import = before.import.unwrap();
                let undo = import_server::undo(context, transfers, site, run, import, "City GIS", false);
                End::of(undo.await)
            }
            Self::DeactivateWebhooks => {
                let form = deactivation(&["Roads.FeatureServer", "Water/Mains.FeatureServer"]);
                End::of(deactivate_webhooks::perform(context, site, run, form).await)
            }
            Self::DeactivateWebhook => {
                let form = single::DeactivateWebhookForm {
                    service: "Roads.FeatureServer".to_owned(),
                    webhook: "w1".to_owned(),
                    why: String::new(),
                    confirmation: String::new(),
                };
                End::of(single::perform(context, site, run, form).await)
            }
            Self::Reactivate => {
                let entry = before.entries.into_iter().next().unwrap();
                End::of(reactivation::reactivate(context, site, run, entry).await)
            }
            Self::ReactivateSeveral => {
                End::of(reactivation::reactivate_several(context, site, run, before.entries).await)
            }
            Self::FindItems => {
                let rows = FirstRows::default();
                End::of(find_items::perform(context, item_searches, site, run, all_items(), rows).await)
            }
            Self::Validate => {
                let search = before.search.unwrap();
                End::of(validation::perform(context, item_searches, site, run, &search, None).await)
            }
            Self::UpdateParticipant => {
                End::of(update_participant::perform(context, site, run, contact("p1")).await)
            }
            Self::UpdateParticipants => {
                let forms = vec![contact("p1"), contact("p2"), contact("p3")];
                let several = update_participant::perform_several;
                End::of(several(context, contacts_batches, site, run, forms).await)
            }
            Self::RefreshInvitation => {
                let form = RefreshInvitationForm {
                    collaboration_id: COLLABORATION.to_owned(),
                    invitation_id: "i1".to_owned(),
                };
                End::of(refresh_invitation::perform(context, invitation_files, site, run, form).await)
            }
            Self::Upload | Self::UploadParts => {
                let part_mebibytes = if self == Self::Upload { 10 } else { 1 };
                let source = UploadSource::Choose { part_mebibytes };
                match upload::upload(context, transfers, site, run, source).await {
                    Ok(UploadEnd::Uploaded { .. }) => End::Done,
                    Ok(UploadEnd::Unknown { .. }) => End::Unknown,
                    Ok(UploadEnd::Stopped { .. }) => End::Stopped,
                    Ok(UploadEnd::Failed { problem, .. }) | Err(problem) => End::Problem(problem),
                    Ok(UploadEnd::Dismissed) => End::NotSent,
                }
            }
            Self::DeleteUpload => {
                let item = UploadId("stored".to_owned());
                match upload::delete_stored(context, site, &item, "City GIS").await {
                    Ok(()) => End::Done,
                    Err(Problem::Unreachable { .. } | Problem::Unreadable { .. }) => End::Unknown,
                    Err(problem) => End::Problem(problem),
                }
            }
        }
    }
}

fn import(with_backup: bool, deactivate_webhooks: Option<String>) -> ImportServerForm {
    ImportServerForm {
        location: "/exports/site.agssite".to_owned(),
        confirmation: "City GIS".to_owned(),
        safety_backup: with_backup.then_some(SafetyBackupOptions { also_here: false }),
        deactivate_webhooks,
    }
}

fn deactivation(services: &[&str]) -> DeactivateWebhooksForm {
    DeactivateWebhooksForm {
        services: services.iter().map(|service| (*service).to_owned()).collect(),
        why: String::new(),
        confirmation: String::new(),
    }
}

fn all_items() -> FindItemsForm {
    FindItemsForm {
        parent_path: String::new(),
        ancestor_path: "/".to_owned(),
        types: String::new(),
        id: String::new(),
        is_managed: None,
    }
}

fn contact(participant: &str) -> UpdateParticipantForm {
    UpdateParticipantForm {
        collaboration_id: COLLABORATION.to_owned(),
        participant_id: participant.to_owned(),
        contact_firstname: "Ana".to_owned(),
        contact_lastname: "Ito".to_owned(),
        contact_email_address: "ana@example.net".to_owned(),
    }
}
