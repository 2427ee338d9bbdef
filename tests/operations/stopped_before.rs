//! Stop before the request has left: at every await on the way to it, the site falls silent and the person stops.

use std::fmt::Debug;
use std::pin::Pin;

use steward_core::history::{HistorySearch, Outcome as Shown, page_of};
use steward_core::listings::invitations;
use steward_core::model::ids::RecordId;
use steward_core::model::operation::{Component, Impact, Operation, OperationKey};
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::deactivate_webhooks::{self, DeactivateWebhooksForm, single};
use steward_core::operations::export_portal;
use steward_core::operations::export_server::{self, ExportServerForm, ServerExportDestination};
use steward_core::operations::find_items::FindItemsForm;
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::operations::import_server::{self, ImportServerForm, ImportServerOptions};
use steward_core::operations::refresh_invitation::{self, RefreshInvitationForm, into_folder};
use steward_core::operations::update_participant::{self, UpdateParticipantForm};
use steward_core::runs::RunStep;
use steward_core::webhooks::deactivation_log;
use steward_core::webhooks::reactivation;
use steward_journal::Outcome;
use steward_testkit::{Fault, FaultProxy, until};
use steward_vault::Secret;

use crate::export_portal::to;
use crate::import_server::with_safety_backup;
use crate::scripted::STORED;
use crate::test_app::{TestApp, files_in};

/// A site that falls silent at requests that contain `on`, and counts those that contain `effect`.
async fn silent_at(app: &TestApp, on: &str, effect: &str) -> (FaultProxy, FaultProxy) {
    let silent = FaultProxy::to(app.practice_address(), on, Fault::Silence).await.unwrap();
    let counted = FaultProxy::to(&silent.address(), effect, Fault::CutAfter(usize::MAX)).await.unwrap();
    app.go_through(&counted.address());
    (silent, counted)
}

/// Stops the operation once the site is silent, and waits for its end.
async fn stop_at(app: &TestApp, silent: &FaultProxy) {
    until("the request", async || silent.met() > 0).await;
    app.steward.context.runs.stop(&app.run());
    // The site stays silent for a minute: whoever waits for it does not end now.
    until("the end of the run", async || app.steward.context.runs.all().is_empty()).await;
}

/// The record of what was stopped, and that of the safety backup before it.
type Records = (Option<RecordId>, Option<RecordId>);

/// Stops the operation once the site is silent, and takes its end apart: it must be *not sent*, and at once. In a box,
/// for an operation is large.
fn stopped<'a, T: Debug + 'a>(
    app: &'a TestApp,
    silent: &'a FaultProxy,
    operation: impl Future<Output = Result<RunResult<T>, Problem>> + 'a,
) -> Pin<Box<dyn Future<Output = Records> + 'a>> {
    Box::pin(async move {
        app.steward.context.runs.dismiss(&app.run());
        let (ended, ()) = tokio::join!(operation, stop_at(app, silent));
        let Ok(RunResult::NotSent { record, backup }) = ended else { panic!("{ended:?}") };
        assert_eq!(app.steward.context.runs.ended()[0].outcome, Shown::NotSent);
        (record, backup)
    })
}

fn deactivation(services: &[&str]) -> DeactivateWebhooksForm {
    DeactivateWebhooksForm {
        services: services.iter().map(|service| (*service).to_owned()).collect(),
        why: String::new(),
        confirmation: String::new(),
    }
}

fn import(with_backup: bool) -> ImportServerForm {
    ImportServerForm {
        location: "/exports/a.agssite".to_owned(),
        confirmation: "City GIS".to_owned(),
        safety_backup: with_backup.then_some(SafetyBackupOptions { also_here: false }),
        deactivate_webhooks: None,
        options: ImportServerOptions::default(),
    }
}

fn contact(participant: &str) -> UpdateParticipantForm {
    UpdateParticipantForm {
        collaboration_id: "c0a1".to_owned(),
        participant_id: participant.to_owned(),
        contact_firstname: "Ana".to_owned(),
        contact_lastname: "Ito".to_owned(),
        contact_email_address: "ana@example.net".to_owned(),
    }
}

fn invitation(id: &str) -> RefreshInvitationForm {
    RefreshInvitationForm { collaboration_id: "c0a1".to_owned(), invitation_id: id.to_owned() }
}

/// Performs an operation that changes something, stopped where the site is silent; its record.
async fn operation(app: &TestApp, key: OperationKey, silent: &FaultProxy) -> Option<RecordId> {
    let (steward, site, run) = (&app.steward, &app.site, app.run());
    let here = app.folder("exports");
    let place = ServerExportDestination::ServerFolder { location: here.display().to_string() };
    let (record, _) = match key {
        OperationKey::ExportPortal => {
            stopped(app, silent, export_portal::perform(&steward.context, site, run, to(&here, false))).await
        }
        OperationKey::ExportServer => {
            stopped(
                app,
                silent,
                export_server::perform(
                    &steward.context,
                    &steward.transfers,
                    &app.server,
                    run,
                    ExportServerForm { place },
                ),
            )
            .await
        }
        OperationKey::ImportServer => {
            stopped(
                app,
                silent,
                import_server::perform(&steward.context, &steward.transfers, &app.server, run, import(false)),
            )
            .await
        }
        OperationKey::ImportPortal => {
            let form = crate::import_portal::form(&crate::import_portal::some_file(app));
            stopped(app, silent, app.import_portal(form)).await
        }
        OperationKey::DeactivateWebhooks => {
            let form = deactivation(&["Buffer.GPServer"]);
            stopped(app, silent, deactivate_webhooks::perform(&steward.context, &app.server, run, form)).await
        }
        OperationKey::UpdateParticipant => {
            stopped(app, silent, update_participant::perform(&steward.context, site, run, contact("2d4c")))
                .await
        }
        OperationKey::RefreshInvitation => {
            stopped(
                app,
                silent,
                refresh_invitation::perform(
                    &steward.context,
                    &steward.invitation_files,
                    site,
                    run,
                    invitation("9e2b"),
                ),
            )
            .await
        }
        OperationKey::FindItems => unreachable!("it changes nothing"),
    };
    record
}

const EFFECTS: [(OperationKey, &str); 7] = [
    (OperationKey::ExportPortal, "/portaladmin/exportSite"),
    (OperationKey::ExportServer, "/admin/exportSite"),
    (OperationKey::ImportServer, "/admin/importSite"),
    (OperationKey::ImportPortal, "/portaladmin/importSite"),
    (OperationKey::DeactivateWebhooks, "/deactivateAll"),
    (OperationKey::UpdateParticipant, "/updateInfo"),
    (OperationKey::RefreshInvitation, "/refresh"),
];

#[test]
fn every_operation_with_an_impact_is_stopped() {
    for operation in Operation::all().iter().filter(|operation| operation.impact != Impact::None) {
        assert!(EFFECTS.iter().any(|(key, _)| *key == operation.key), "{}", operation.key.name());
    }
}

#[tokio::test]
async fn stop_while_the_site_is_looked_up_is_not_sent_in_window_and_history() {
    for on in ["/portals/self", "/server/admin?", "generateToken"] {
        for (key, effect) in EFFECTS {
            // An operation on the portal asks no server.
            if on != "/portals/self" && Operation::of(key).component == Component::Portal {
                continue;
            }
            let app = TestApp::new().await;
            let (silent, counted) = silent_at(&app, on, effect).await;

            let record = operation(&app, key, &silent).await;

            assert_eq!(counted.met(), 0, "{key:?} at {on}");
            let history = app.history().await;
            assert_eq!((history.len(), history[0].outcome), (1, Outcome::NotSent), "{key:?} at {on}");
            assert_eq!(record.unwrap().0, history[0].id);
            assert_eq!(history[0].intent.operation, key.name());
            assert!(!history[0].intent.parameters.is_empty() && history[0].intent.requests.is_empty());
        }
    }
}

#[tokio::test]
async fn what_was_not_sent_stays_so_after_a_restart_and_is_found_by_its_outcome() {
    let app = TestApp::new().await;
    let (silent, _counted) = silent_at(&app, "/portals/self", "/portaladmin/exportSite").await;
    operation(&app, OperationKey::ExportPortal, &silent).await;

    let app = app.restarted();

    let search = HistorySearch { outcomes: vec![Shown::NotSent], ..HistorySearch::default() };
    let page = page_of(&app.steward.context.history, search, None, 10).await.unwrap();
    assert_eq!((page.entries.len(), page.entries[0].outcome), (1, Shown::NotSent));
    let unknown = HistorySearch { outcomes: vec![Shown::Unknown], ..HistorySearch::default() };
    assert!(page_of(&app.steward.context.history, unknown, None, 10).await.unwrap().entries.is_empty());
}

#[tokio::test]
async fn stop_of_a_search_that_was_not_sent_leaves_no_record() {
    let app = TestApp::new().await;
    let (silent, counted) = silent_at(&app, "/portals/self", "/findItems").await;
    let form = FindItemsForm { ancestor_path: "/".to_owned(), ..FindItemsForm::default() };

    let (record, _) = stopped(&app, &silent, app.find_items(form)).await;

    assert_eq!((record, counted.met()), (None, 0));
    assert!(app.history().await.is_empty());
}

fn without_a_server(app: &TestApp) {
    let mut site = app.sites().get(&app.site).unwrap();
    site.servers.clear();
    app.sites().put(site).unwrap();
    app.steward.context.access.forget_known(&app.site);
}

#[tokio::test]
async fn stop_while_a_token_is_renewed_before_an_export_is_not_sent() {
    let app = TestApp::new().await;
    crate::tokens::with_a_short_token(&app).await;
    let (silent, counted) = silent_at(&app, "generateToken", "/portaladmin/exportSite").await;
    without_a_server(&app);
    let folder = app.folder("exports");

    let export = app.export_portal(to(&folder, false));
    let (record, _) = stopped(&app, &silent, export).await;

    assert_eq!(counted.met(), 0);
    assert_eq!(app.history().await[0].outcome, Outcome::NotSent);
    assert!(record.is_some());
}

#[tokio::test]
async fn stop_while_a_rejected_token_is_renewed_has_no_effect_and_is_not_sent() {
    let app = TestApp::new().await;
    let user = app.user("administrator");
    let password = Secret::new(user.password.clone());
    app.steward.context.access.keep_password(&app.site, &user.username, &password).await.unwrap();
    app.order("export_portal", "expiredToken", &[]).await;
    let (silent, counted) = silent_at(&app, "generateToken", "/portaladmin/exportSite").await;
    without_a_server(&app);
    let folder = app.folder("exports");

    let export = app.export_portal(to(&folder, false));
    stopped(&app, &silent, export).await;

    assert_eq!(counted.met(), 1, "rejected for its token, and not sent again");
    assert!(files_in(&folder).is_empty());
    assert_eq!(app.history().await[0].outcome, Outcome::NotSent);
}

#[tokio::test]
async fn stop_while_the_location_is_checked_exports_nothing() {
    for check_only in [false, true] {
        let app = TestApp::new().await;
        let silent = app.with_fault("/portaladmin/exportSite", Fault::Silence).await;
        let folder = app.folder("exports");

        let export = app.export_portal(to(&folder, check_only));
        if check_only {
            let (ended, ()) = tokio::join!(export, stop_at(&app, &silent));
            assert!(matches!(ended, Ok(RunResult::NotSent { record: None, .. })), "{ended:?}");
            assert_eq!(app.steward.context.runs.ended(), [], "no export ended");
        } else {
            stopped(&app, &silent, export).await;
        }

        assert_eq!(silent.met(), 1, "the check alone");
        let outcomes: Vec<_> = app.history().await.into_iter().map(|record| record.outcome).collect();
        assert_eq!(outcomes, if check_only { Vec::new() } else { vec![Outcome::NotSent] });
    }
}

#[tokio::test]
async fn stop_while_the_safety_backup_is_made_sends_no_import() {
    for (on, spared, backup) in [
        ("/portals/self", 0, None),
        // Those before the export, and that of the export.
        ("/admin/uploads?", 0, None),
        ("/admin/exportSite", 0, Some(Outcome::Unknown)),
        ("/admin/uploads?", 1, Some(Outcome::Succeeded)),
        ("/download", 0, Some(Outcome::Succeeded)),
    ] {
        let app = TestApp::new().await;
        let (silent, counted) = silent_at(&app, on, "/admin/importSite").await;
        let silent = silent.sparing(spared);

        let importing = app.import_server(import(true));
        let (record, told) = stopped(&app, &silent, importing).await;

        assert_eq!(counted.met(), 0, "{on}");
        let history = app.history().await;
        let import = &history[0];
        assert_eq!(
            (&import.intent.operation[..], import.outcome),
            ("import_server", Outcome::NotSent),
            "{on}"
        );
        assert_eq!(record.unwrap().0, import.id);
        let export = &history[1];
        assert_eq!(export.outcome, backup.unwrap_or(Outcome::NotSent), "{on}");
        assert_eq!(told.is_some(), backup.is_some(), "{on}");
    }
}

#[tokio::test]
async fn stop_before_an_export_is_downloaded_again_is_said_to_have_sent_nothing() {
    let app = TestApp::new().await;
    let (silent, counted) = silent_at(&app, "generateToken", "/download").await;
    app.dialogs.will_choose(&app.folder("exports").join("a.agssite"));
    let stop = async {
        until("the request", async || silent.met() > 0).await;
        assert_eq!(app.steward.context.runs.all()[0].step, RunStep::Preparing);
        stop_at(&app, &silent).await;
    };

    let (context, transfers) = (&app.steward.context, &app.steward.transfers);
    let saving = export_server::save_again(context, transfers, &app.server, app.run(), STORED);
    let (ended, ()) = tokio::join!(saving, stop);

    assert_eq!((ended.map(|saved| saved.saving), counted.met()), (Ok(SaveResult::Dismissed), 0));
}

#[tokio::test]
async fn stop_after_an_invitation_is_refreshed_saves_its_file_at_once() {
    let app = TestApp::new().await;
    let invitation = invitations(&app.steward.context.access, &app.site).await.unwrap().remove(0);
    let form = RefreshInvitationForm {
        collaboration_id: invitation.collaboration_id,
        invitation_id: invitation.invitation_id.clone(),
    };
    let on = format!("/invitations/{}?", invitation.invitation_id);
    let (silent, counted) = silent_at(&app, &on, "/refresh").await;
    let place = app.folder("invitations").join("guest.invite");
    app.dialogs.will_choose(&place);

    let (context, files) = (&app.steward.context, &app.steward.invitation_files);
    let refresh = refresh_invitation::perform(context, files, &app.site, app.run(), form);
    let (ended, ()) = tokio::join!(refresh, stop_at(&app, &silent));

    let Ok(RunResult::Done { report, .. }) = ended else { panic!("{ended:?}") };
    assert!(matches!(report.saving, SaveResult::Saved { .. }) && report.expiration.is_none(), "{report:?}");
    assert_eq!((counted.met(), app.history().await[0].outcome), (1, Outcome::Succeeded));
    assert!(place.exists());
}

#[tokio::test]
async fn stop_of_an_undo_that_looks_for_its_backup_is_not_sent() {
    let app = TestApp::new().await;
    let record = with_safety_backup(&app, false).await;
    let (silent, counted) = silent_at(&app, "/admin/uploads?", "/admin/importSite").await;

    stopped(&app, &silent, app.undo_import(record, false)).await;

    assert_eq!((counted.met(), app.history().await[0].outcome), (0, Outcome::NotSent));
}

#[tokio::test]
async fn stop_before_the_first_service_is_deactivated_is_not_sent_and_leaves_the_ledger_empty() {
    let app = TestApp::new().await;
    let (silent, counted) = silent_at(&app, "/webhooks?", "/deactivateAll").await;
    let form = deactivation(&["Buffer.GPServer", "Hosted/Hydrants.FeatureServer"]);

    stopped(&app, &silent, app.deactivate_webhooks(form)).await;

    assert_eq!((counted.met(), app.history().await[0].outcome), (0, Outcome::NotSent));
    assert!(deactivation_log::entries(&app.steward.context, None).await.unwrap().is_empty());
}

#[tokio::test]
async fn stop_between_two_services_tells_which_was_deactivated_and_which_was_not_sent() {
    let app = TestApp::new().await;
    let (silent, counted) = silent_at(&app, "/Hydrants.FeatureServer/webhooks?", "/deactivateAll").await;
    let form = deactivation(&["Buffer.GPServer", "Hosted/Hydrants.FeatureServer", "Other.GPServer"]);

    let stop = async {
        until("the request", async || silent.met() > 0).await;
        app.steward.context.runs.stop(&app.run());
    };
    let deactivating = app.deactivate_webhooks(form);
    let (ended, ()) = tokio::join!(deactivating, stop);

    let Ok(RunResult::Done { report, .. }) = ended else { panic!("{ended:?}") };
    let not_sent: Vec<_> = report.services.iter().map(|one| one.not_sent).collect();
    assert_eq!(not_sent, [false, true, true]);
    assert!(report.services.iter().all(|one| one.problem.is_none()), "{report:?}");
    assert_eq!((counted.met(), app.history().await[0].outcome), (1, Outcome::Warnings));
    assert_eq!(deactivation_log::entries(&app.steward.context, None).await.unwrap().len(), 1);
}

#[tokio::test]
async fn stop_of_a_restoration_that_looks_at_the_service_is_not_sent() {
    let app = TestApp::new().await;
    let form = deactivation(&["Buffer.GPServer"]);
    app.deactivate_webhooks(form).await.unwrap();
    let entry = deactivation_log::entries(&app.steward.context, None).await.unwrap().remove(0);
    let (silent, counted) = silent_at(&app, "/webhooks?", "/edit").await;

    let restore = reactivation::reactivate(&app.steward.context, &app.server, app.run(), entry.id.clone());
    stopped(&app, &silent, restore).await;

    assert_eq!((counted.met(), app.history().await[0].outcome), (0, Outcome::NotSent));
    let (silent, counted) = silent_at(&app, "/webhooks?", "/edit").await;
    let several =
        reactivation::reactivate_several(&app.steward.context, &app.server, app.run(), vec![entry.id]);
    stopped(&app, &silent, several).await;
    assert_eq!((counted.met(), app.history().await[0].outcome), (0, Outcome::NotSent));
}

#[tokio::test]
async fn stop_of_the_deactivation_of_one_webhook_that_looks_at_the_service_is_not_sent() {
    let app = TestApp::new().await;
    let (silent, counted) = silent_at(&app, "/webhooks?", "/edit").await;
    let form = single::DeactivateWebhookForm {
        service: "Buffer.GPServer".to_owned(),
        webhook: "w1".to_owned(),
        why: String::new(),
        confirmation: String::new(),
    };

    stopped(&app, &silent, single::perform(&app.steward.context, &app.server, app.run(), form)).await;

    assert_eq!((counted.met(), app.history().await[0].outcome), (0, Outcome::NotSent));
    assert!(deactivation_log::entries(&app.steward.context, None).await.unwrap().is_empty());
}

#[tokio::test]
async fn stop_before_the_first_of_several_is_not_sent() {
    let app = TestApp::new().await;
    let (silent, counted) = silent_at(&app, "/portals/self", "/updateInfo").await;
    let forms = vec![contact("2d4c"), contact("3e5d")];
    let changing = update_participant::perform_several(
        &app.steward.context,
        &app.steward.contacts_batches,
        &app.site,
        app.run(),
        forms,
    );
    stopped(&app, &silent, changing).await;
    assert_eq!((counted.met(), app.history().await[0].outcome), (0, Outcome::NotSent));

    let app = TestApp::new().await;
    let (silent, counted) = silent_at(&app, "/portals/self", "/refresh").await;
    app.dialogs.will_choose(&app.folder("invitations"));
    let forms = vec![invitation("9e2b"), invitation("8d1a")];
    stopped(
        &app,
        &silent,
        into_folder::perform(
            &app.steward.context,
            &app.steward.invitation_files,
            &app.site,
            app.run(),
            forms,
        ),
    )
    .await;
    assert_eq!((counted.met(), app.history().await[0].outcome), (0, Outcome::NotSent));
}
