//! The operations and actions that the events meet, each with the state that it begins from.

use serde::Serialize;
use steward_app::steward::Steward;
use steward_core::batch::result::{BatchItemResult, BatchResult};
use steward_core::model::ids::RecordId;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::deactivate_webhooks::{self, DeactivateWebhooksForm, single};
use steward_core::operations::export_portal::{self, ExportPortalForm, PortalExportDestination};
use steward_core::operations::export_server::{self, ExportServerForm, ServerExportDestination};
use steward_core::operations::find_items::item_search::SearchId;
use steward_core::operations::find_items::{self, FindItemsForm, FirstRows, data_use, validation};
use steward_core::operations::import_portal::{self, ImportPortalForm};
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::operations::import_server::{self, ImportServerForm, ImportServerOptions, UndoOptions};
use steward_core::operations::refresh_invitation::{self, RefreshInvitationForm, into_folder};
use steward_core::operations::update_participant::{self, UpdateParticipantForm};
use steward_core::runs::{NewRun, carry_out};
use steward_core::transfers::upload::{self, UploadEnd, UploadId, UploadSource};
use steward_core::webhooks::deactivation_log::{self, DeactivationId};
use steward_core::webhooks::reactivation;
use steward_journal::Outcome;
use steward_plans::set::PartState;
use steward_plans::{attempt, sets};
use tokio::sync::watch;

use crate::app::App;
use crate::site::COLLABORATION;

/// Declares the scenarios, each with its name.
macro_rules! scenarios {
    ($($variant:ident = $name:literal,)+) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Subject {
            $($variant,)+
        }

        pub(crate) const ALL: &[Subject] = &[$(Subject::$variant),+];

        impl Subject {
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}

scenarios! {
    ExportPortal = "export_portal",
    ExportServer = "export_server",
    ExportServerHere = "export_server_here",
    ImportServer = "import_server",
    ImportServerWithBackup = "import_with_backup",
    ImportServerWithCopy = "import_with_copy",
    QuietImport = "quiet_import",
    Undo = "undo",
    ImportPortal = "import_portal",
    ImportPortalWithBackup = "import_portal_with_backup",
    UndoPortal = "undo_portal",
    DeactivateWebhooks = "deactivate_webhooks",
    DeactivateWebhook = "deactivate_webhook",
    Reactivate = "reactivate",
    ReactivateSeveral = "reactivate_several",
    FindItems = "find_items",
    Validate = "validate",
    FindDataUse = "find_data_use",
    UpdateParticipant = "update_participant",
    UpdateParticipants = "update_participants",
    RefreshInvitation = "refresh_invitation",
    RefreshInvitations = "refresh_invitations",
    Upload = "upload",
    UploadParts = "upload_parts",
    ResumeUpload = "resume_upload",
    DiscardUpload = "discard_upload",
    DeleteUpload = "delete_upload",
    BackupPlan = "backup_plan",
}

/// What was done before, for an operation that needs it.
#[derive(Debug, Default)]
pub(crate) struct Before {
    import: Option<RecordId>,
    entries: Vec<DeactivationId>,
    search: Option<SearchId>,
    unfinished: Option<UploadId>,
}

/// End of an operation, as the window gets it, with the record that it names.
#[derive(Debug)]
pub(crate) enum End {
    Done(Option<RecordId>),
    NotSent(Option<RecordId>),
    Unknown(Option<RecordId>),
    /// An error of a run, with the outcome and the record that the window is told.
    Failed(Problem, Outcome, Option<RecordId>),
    /// An upload that was stopped after a part was sent.
    Stopped,
    /// An error of an upload or a deletion.
    Problem(#[expect(dead_code, reason = "a failed check prints it")] Problem),
    /// One request of several that the site processed, with its outcome and the record that the window can show.
    Item(Outcome, Option<RecordId>),
    /// An error of one request of several, with the record that the window can show.
    Part(Option<RecordId>),
    /// The ends of several requests in one run, in their order.
    Several(Vec<Self>),
}

impl End {
    /// Performs a run as a command of the window does.
    async fn of<T: Serialize, F>(app: &App, work: impl FnOnce(NewRun) -> F) -> Self
    where
        F: Future<Output = Result<RunResult<T>, Problem>>,
    {
        let end = carry_out(app.run(), work).await;
        app.was_told(serde_json::to_value(&end).unwrap());
        match end {
            RunResult::Done { record, .. } => Self::Done(record),
            RunResult::NotSent { record, .. } => Self::NotSent(record),
            RunResult::Dismissed => Self::NotSent(None),
            RunResult::Unknown { record, .. } => Self::Unknown(record),
            RunResult::Failed { problem, outcome, record } => Self::Failed(problem, outcome, record),
        }
    }

    /// Performs a run of several requests as a command of the window does.
    async fn of_several<T: Serialize, F>(app: &App, work: impl FnOnce(NewRun) -> F) -> Self
    where
        F: Future<Output = Result<RunResult<BatchResult<T>>, Problem>>,
    {
        let mut parts = Vec::new();
        let end = Self::of(app, async |run| {
            let end = work(run).await?;
            if let RunResult::Done { report, .. } = &end {
                parts.extend(report.parts.iter().map(Self::of_part));
            }
            Ok(end)
        });
        let end = end.await;
        if parts.is_empty() { end } else { Self::Several(parts) }
    }

    fn of_part<T>(part: &BatchItemResult<T>) -> Self {
        match part {
            BatchItemResult::Done { record, outcome, .. } => Self::Item(*outcome, record.clone()),
            BatchItemResult::Rejected { .. } => Self::Part(None),
            BatchItemResult::Unknown { record, .. } => Self::Unknown(record.clone()),
            BatchItemResult::NotSent => Self::NotSent(None),
        }
    }

    /// Returns the ends of its requests: one, unless there are several.
    pub(crate) fn parts(&self) -> &[Self] {
        match self {
            Self::Several(parts) => parts,
            one => std::slice::from_ref(one),
        }
    }

    /// Returns whether this is the end of an operation whose record has an outcome; of several, of a run with one.
    pub(crate) fn says(&self, outcome: Outcome) -> bool {
        match self {
            Self::Done(_) => outcome != Outcome::Sent && outcome != Outcome::NotSent,
            Self::NotSent(_) => outcome == Outcome::NotSent,
            Self::Unknown(_) => outcome == Outcome::Unknown,
            Self::Failed(_, told, _) | Self::Item(told, _) => outcome == *told,
            // A part with a record was sent: the outcome is known by its end, and is not open any more.
            Self::Part(Some(_)) => outcome != Outcome::Sent && outcome != Outcome::Unknown,
            Self::Part(None) | Self::Stopped | Self::Problem(_) => {
                matches!(outcome, Outcome::NotSent | Outcome::Failed)
            }
            Self::Several(parts) => {
                let number_of = |is: fn(&Self) -> bool| parts.iter().filter(|part| is(part)).count();
                let done = number_of(Self::is_done);
                let unknown =
                    |part: &Self| matches!(part, Self::Unknown(_) | Self::Item(Outcome::Unknown, _));
                match (number_of(unknown), done) {
                    (0, 0) => matches!(outcome, Outcome::NotSent | Outcome::Failed),
                    (0, done) if done < parts.len() => outcome == Outcome::Warnings,
                    (0, _) => matches!(outcome, Outcome::Succeeded | Outcome::Warnings),
                    _ => outcome == Outcome::Unknown,
                }
            }
        }
    }

    /// Returns whether the operation did all that it was to do.
    pub(crate) fn is_done(&self) -> bool {
        let is_done = |part: &Self| {
            matches!(part, Self::Done(_) | Self::Item(Outcome::Succeeded | Outcome::Warnings, _))
        };
        self.parts().iter().all(is_done)
    }

    /// Returns the record that the window can show; `None` if it is told of none.
    pub(crate) fn record(&self) -> Option<&RecordId> {
        match self {
            Self::Done(record)
            | Self::NotSent(record)
            | Self::Unknown(record)
            | Self::Failed(_, _, record)
            | Self::Item(_, record)
            | Self::Part(record) => record.as_ref(),
            Self::Stopped | Self::Problem(_) | Self::Several(_) => None,
        }
    }
}

impl Subject {
    /// Returns the name of its record in the history.
    pub(crate) const fn record(self) -> &'static str {
        match self {
            Self::ExportServerHere => "export_server",
            Self::ImportServerWithBackup | Self::ImportServerWithCopy | Self::QuietImport | Self::Undo => {
                "import_server"
            }
            Self::ImportPortalWithBackup | Self::UndoPortal => "import_portal",
            Self::Reactivate | Self::ReactivateSeveral => "reactivate_webhooks",
            Self::UpdateParticipants => "update_participant",
            Self::RefreshInvitations => "refresh_invitation",
            Self::UploadParts | Self::ResumeUpload => "upload",
            Self::BackupPlan => "export_portal",
            _ => self.name(),
        }
    }

    /// Returns whether it is left to the run with each request: another one goes the same way, but for a step.
    pub(crate) const fn is_for_each_request(self) -> bool {
        matches!(
            self,
            Self::ImportServerWithCopy
                | Self::UndoPortal
                | Self::FindDataUse
                | Self::RefreshInvitations
                | Self::ResumeUpload
                | Self::DiscardUpload
        )
    }

    /// Returns whether it only reads.
    pub(crate) const fn only_reads(self) -> bool {
        matches!(self, Self::FindItems | Self::Validate | Self::FindDataUse)
    }

    /// Returns whether an entry of the history is one of its own, and not one of a step before or after it.
    pub(crate) fn leaves(self, operation: &str) -> bool {
        operation == self.record() || (self == Self::BackupPlan && operation == Self::ExportServer.record())
    }

    /// Does what must precede it.
    pub(crate) async fn prepare(self, app: &App) -> Before {
        let Steward { context, item_searches, transfers, .. } = &app.steward;
        let mut before = Before::default();
        match self {
            Self::Undo => {
                let ended = import_server::perform(
                    context,
                    transfers,
                    &app.server,
                    app.run(),
                    import(app, Some(false), None),
                )
                .await;
                let Ok(RunResult::Done { record, .. }) = ended else { panic!("{ended:?}") };
                before.import = record;
            }
            Self::UndoPortal => {
                let form = portal_import(Some("/exports".to_owned()));
                let ended = import_portal::perform(context, &app.server.site, app.run(), form).await;
                let Ok(RunResult::Done { record, .. }) = ended else { panic!("{ended:?}") };
                before.import = record;
            }
            Self::Reactivate | Self::ReactivateSeveral => {
                let all = deactivation(&["Roads.FeatureServer", "Water/Mains.FeatureServer"]);
                deactivate_webhooks::perform(context, &app.server, app.run(), all).await.unwrap();
                let entries = deactivation_log::entries(context, None).await.unwrap();
                before.entries = entries.into_iter().rev().map(|entry| entry.id).collect();
            }
            Self::Validate => {
                let rows = FirstRows::default();
                let ended =
                    find_items::perform(context, item_searches, &app.server, app.run(), all_items(), rows)
                        .await;
                let Ok(RunResult::Done { report, .. }) = ended else { panic!("{ended:?}") };
                before.search = Some(report.search.id);
            }
            Self::Upload | Self::UploadParts => app.write_chosen_file().await,
            Self::ResumeUpload | Self::DiscardUpload => {
                // The site rejects its first commit.
                let path = app.unfinished_file().await;
                transfers.dialogs.dropped.remember(&path);
                let path = path.display().to_string();
                let source = UploadSource::Dropped { path, part_mebibytes: 1 };
                let ended = upload::upload(context, transfers, &app.server, app.run(), source).await;
                let Ok(UploadEnd::Failed { unfinished: Some(one), .. }) = ended else { panic!("{ended:?}") };
                before.unfinished = Some(one.item);
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
                End::of(app, |run| export_portal::perform(context, site, run, form)).await
            }
            Self::ExportServer => {
                let place = ServerExportDestination::ServerFolder { location: "/exports".to_owned() };
                let form = ExportServerForm { place };
                End::of(app, |run| export_server::perform(context, transfers, &app.server, run, form)).await
            }
            Self::ExportServerHere => {
                let form = ExportServerForm { place: ServerExportDestination::ThisComputer };
                End::of(app, |run| export_server::perform(context, transfers, &app.server, run, form)).await
            }
            Self::ImportServer => {
                End::of(app, |run| {
                    import_server::perform(context, transfers, &app.server, run, import(app, None, None))
                })
                .await
            }
            Self::ImportServerWithBackup => {
                End::of(app, |run| {
                    import_server::perform(
                        context,
                        transfers,
                        &app.server,
                        run,
                        import(app, Some(false), None),
                    )
                })
                .await
            }
            Self::ImportServerWithCopy => {
                let form = import(app, Some(true), None);
                End::of(app, |run| import_server::perform(context, transfers, &app.server, run, form)).await
            }
            Self::QuietImport => {
                let form = import(app, None, Some("Import".to_owned()));
                End::of(app, |run| import_server::perform(context, transfers, &app.server, run, form)).await
            }
            Self::Undo => {
                let import = before.import.unwrap();
                let typed = to_type(app);
                End::of(app, |run| {
                    let options = UndoOptions::default();
                    import_server::undo(context, transfers, site, run, import, &typed, options)
                })
                .await
            }
            Self::ImportPortal => {
                End::of(app, |run| import_portal::perform(context, site, run, portal_import(None))).await
            }
            Self::ImportPortalWithBackup => {
                let form = portal_import(Some("/exports".to_owned()));
                End::of(app, |run| import_portal::perform(context, site, run, form)).await
            }
            Self::UndoPortal => {
                let import = before.import.unwrap();
                End::of(app, |run| import_portal::undo(context, site, run, import, "City GIS", None)).await
            }
            Self::DeactivateWebhooks => {
                let form = deactivation(&["Roads.FeatureServer", "Water/Mains.FeatureServer"]);
                End::of(app, |run| deactivate_webhooks::perform(context, &app.server, run, form)).await
            }
            Self::DeactivateWebhook => {
                let form = single::DeactivateWebhookForm {
                    service: "Roads.FeatureServer".to_owned(),
                    webhook: "w1".to_owned(),
                    why: String::new(),
                    confirmation: String::new(),
                };
                End::of(app, |run| single::perform(context, &app.server, run, form)).await
            }
            Self::Reactivate => {
                let entry = before.entries.into_iter().next().unwrap();
                End::of(app, |run| reactivation::reactivate(context, &app.server, run, entry)).await
            }
            Self::ReactivateSeveral => {
                End::of_several(app, |run| {
                    reactivation::reactivate_several(context, &app.server, run, before.entries)
                })
                .await
            }
            Self::FindItems => {
                let rows = FirstRows::default();
                End::of(app, |run| {
                    find_items::perform(context, item_searches, &app.server, run, all_items(), rows)
                })
                .await
            }
            Self::Validate => {
                let search = before.search.unwrap();
                End::of(app, |run| {
                    validation::perform(context, item_searches, &app.server, run, &search, None)
                })
                .await
            }
            Self::FindDataUse => {
                End::of(app, |run| data_use::find(context, item_searches, &app.server, run)).await
            }
            Self::UpdateParticipant => {
                End::of(app, |run| update_participant::perform(context, site, run, contact("p1"))).await
            }
            Self::UpdateParticipants => {
                let forms = vec![contact("p1"), contact("p2"), contact("p3")];
                End::of_several(app, |run| {
                    update_participant::perform_several(context, contacts_batches, site, run, forms)
                })
                .await
            }
            Self::RefreshInvitation => {
                let form = invitation("i1");
                End::of(app, |run| refresh_invitation::perform(context, invitation_files, site, run, form))
                    .await
            }
            Self::RefreshInvitations => {
                let forms = vec![invitation("i1"), invitation("i2")];
                End::of_several(app, |run| into_folder::perform(context, invitation_files, site, run, forms))
                    .await
            }
            Self::Upload | Self::UploadParts | Self::ResumeUpload => {
                let part_mebibytes = if self == Self::Upload { 10 } else { 1 };
                let source = match before.unfinished {
                    Some(item) => UploadSource::GoOn { item },
                    None => UploadSource::Choose { part_mebibytes },
                };
                match upload::upload(context, transfers, &app.server, run, source).await {
                    Ok(UploadEnd::Uploaded { .. }) => End::Done(None),
                    Ok(UploadEnd::Unknown { .. }) => End::Unknown(None),
                    Ok(UploadEnd::Stopped { .. }) => End::Stopped,
                    Ok(UploadEnd::Failed { problem, .. }) | Err(problem) => End::Problem(problem),
                    Ok(UploadEnd::Dismissed) => End::NotSent(None),
                }
            }
            Self::DeleteUpload => {
                let item = UploadId("stored".to_owned());
                deletion(upload::delete_stored(context, &app.server, &item, &to_type(app), "").await)
            }
            Self::DiscardUpload => {
                let item = before.unfinished.unwrap();
                deletion(upload::discard(context, &transfers.uploads, &app.server, &item).await.map(drop))
            }
            Self::BackupPlan => {
                let (plan, (_stop, stopped)) = (app.plan(), watch::channel(false));
                attempt::run(context, transfers, &plan, None, &stopped).await.unwrap();
                // As the page of the plan shows it.
                let set = sets::of(context, &plan).await.unwrap().sets.remove(0).set;
                let part_of = |state, record| match state {
                    PartState::VerifiedHere | PartState::OnSite { .. } | PartState::Unrecognized { .. } => {
                        End::Done(record)
                    }
                    PartState::Unknown => End::Unknown(record),
                    PartState::Failed { .. } if record.is_some() => End::Part(record),
                    PartState::Failed { .. }
                    | PartState::Skipped { .. }
                    | PartState::Waiting
                    | PartState::Running => End::NotSent(record),
                };
                End::Several(set.parts.into_iter().map(|part| part_of(part.state, part.record)).collect())
            }
        }
    }
}

/// Returns what is typed before the server is replaced: its name, which tells it from the other server of the site.
fn to_type(app: &App) -> String {
    let server =
        app.steward.context.access.sites.at(&app.server).ok().and_then(|server| server.server_name());
    server.unwrap_or_else(|| "City GIS".to_owned())
}

/// `also_here`: whether the safety backup is also downloaded; `None` for no safety backup.
fn import(app: &App, also_here: Option<bool>, deactivate_webhooks: Option<String>) -> ImportServerForm {
    ImportServerForm {
        location: "/exports/site.agssite".to_owned(),
        confirmation: to_type(app),
        safety_backup: also_here.map(|also_here| SafetyBackupOptions { also_here }),
        deactivate_webhooks,
        options: ImportServerOptions::default(),
    }
}

/// `safety_backup`: folder of the safety backup; `None` for none.
fn portal_import(safety_backup: Option<String>) -> ImportPortalForm {
    ImportPortalForm {
        location: "/exports/Nov-20-2026.portalsite".to_owned(),
        export_version: Some("11.3".to_owned()),
        safety_backup,
        confirmation: "City GIS".to_owned(),
        check_only: false,
        store: None,
    }
}

fn deletion(ended: Result<(), Problem>) -> End {
    match ended {
        Ok(()) => End::Done(None),
        Err(Problem::Unreachable { .. } | Problem::Unreadable { .. }) => End::Unknown(None),
        Err(problem) => End::Problem(problem),
    }
}

fn invitation(id: &str) -> RefreshInvitationForm {
    RefreshInvitationForm { collaboration_id: COLLABORATION.to_owned(), invitation_id: id.to_owned() }
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
