use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, Instant};

use steward_core::actions::sign_in::{leave, sign_in_as};
use steward_core::actions::sites::save;
use steward_core::actions::unlock::unlock;
use steward_core::history::{HistorySearch, page_of};
use steward_core::model::history_key::{HistoryAction, HistoryKey};
use steward_core::model::ids::RecordId;
use steward_core::model::operation::Operation;
use steward_core::model::problem::{FieldError as FormFault, Problem};
use steward_core::model::run_result::RunResult;
use steward_core::operations::deactivate_webhooks::single;
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::operations::{
    deactivate_webhooks, export_server, find_items, import_server, refresh_invitation, update_participant,
};
use steward_core::sites::read_only::{Moment, ReadOnlyLocks};
use steward_core::transfers::upload::{self, UploadId, UploadSource};
use steward_core::webhooks::deactivation_log::{self, DeactivationId};
use steward_core::webhooks::reactivation;
use steward_journal::Outcome;
use steward_testkit::{Fault, Reply, TestServer, until};
use steward_vault::Secret;
use tokio::sync::Notify;

use crate::test_app::{TestApp, form};

fn text(text: &str) -> String {
    text.to_owned()
}

pub(crate) fn read_only(app: &TestApp) {
    let mut site = app.sites().get(&app.site).unwrap();
    site.read_only = true;
    app.sites().put(site).unwrap();
}

/// A clock that a test moves.
pub(crate) fn clock_of(app: &mut TestApp) -> Arc<AtomicI64> {
    let (start, passed) = (Instant::now(), Arc::new(AtomicI64::new(0)));
    let seconds = passed.clone();
    app.steward.context.locks = ReadOnlyLocks::by(Box::new(move || {
        let passed = seconds.load(Ordering::SeqCst);
        let steady = start + Duration::from_secs(passed.unsigned_abs());
        Moment { steady, wall: 1_764_000_000_000 + passed * 1000 }
    }));
    passed
}

pub(crate) fn deactivation(service: &str) -> deactivate_webhooks::DeactivateWebhooksForm {
    deactivate_webhooks::DeactivateWebhooksForm {
        services: vec![text(service)],
        why: text("Maintenance"),
        confirmation: text(""),
    }
}

/// Everything that changes a site, each with parameters that would pass every other check.
async fn writes(
    app: &TestApp,
    silence: &DeactivationId,
    import: &RecordId,
) -> Vec<(&'static str, Option<Problem>)> {
    let (steward, site) = (&app.steward, &app.site);
    let import_form = |safety_backup| import_server::ImportServerForm {
        location: text("/exports/a.agssite"),
        confirmation: text("City GIS"),
        safety_backup,
        deactivate_webhooks: None,
        options: import_server::ImportServerOptions::default(),
    };
    let update = update_participant::UpdateParticipantForm {
        collaboration_id: text("c"),
        participant_id: text("p"),
        contact_firstname: text("Ana"),
        contact_lastname: text("Ito"),
        contact_email_address: text("ana@example.net"),
    };
    let refresh =
        refresh_invitation::RefreshInvitationForm { collaboration_id: text("c"), invitation_id: text("i") };
    let one = single::DeactivateWebhookForm {
        service: text("Buffer.GPServer"),
        webhook: text("w1"),
        why: text(""),
        confirmation: text(""),
    };
    let safety_backup = Some(SafetyBackupOptions { also_here: false });
    let upload = UploadSource::Choose { part_mebibytes: 1 };
    vec![
        (
            "import_server",
            import_server::perform(
                &steward.context,
                &steward.transfers,
                &app.server,
                app.run(),
                import_form(None),
            )
            .await
            .err(),
        ),
        (
            "import with a safety backup",
            import_server::perform(
                &steward.context,
                &steward.transfers,
                &app.server,
                app.run(),
                import_form(safety_backup),
            )
            .await
            .err(),
        ),
        ("undo", app.undo_import(import.clone(), true).await.err()),
        ("import_portal", app.import_portal(crate::import_portal::form("/exports/a.portalsite")).await.err()),
        (
            "deactivate_webhooks",
            deactivate_webhooks::perform(
                &steward.context,
                &app.server,
                app.run(),
                deactivation("Buffer.GPServer"),
            )
            .await
            .err(),
        ),
        ("deactivate one", single::perform(&steward.context, &app.server, app.run(), one).await.err()),
        (
            "restore",
            reactivation::reactivate(&steward.context, &app.server, app.run(), silence.clone()).await.err(),
        ),
        (
            "restore several",
            reactivation::reactivate_several(&steward.context, &app.server, app.run(), vec![silence.clone()])
                .await
                .err(),
        ),
        (
            "update_participant",
            update_participant::perform(&steward.context, site, app.run(), update).await.err(),
        ),
        (
            "refresh_invitation",
            refresh_invitation::perform(
                &steward.context,
                &steward.invitation_files,
                site,
                app.run(),
                refresh,
            )
            .await
            .err(),
        ),
        (
            "upload",
            upload::upload(&steward.context, &steward.transfers, &app.server, app.run(), upload).await.err(),
        ),
        (
            "discard",
            upload::discard(&steward.context, &steward.transfers.uploads, &app.server, &UploadId(text("i1")))
                .await
                .err(),
        ),
        (
            "delete a stored file",
            upload::delete_stored(&steward.context, &app.server, &UploadId(text("i1")), "City GIS", "")
                .await
                .err(),
        ),
    ]
}

#[tokio::test]
async fn a_read_only_site_refuses_every_write_and_is_asked_for_none() {
    let app = TestApp::new().await;
    let first = deactivation("Buffer.GPServer");
    app.deactivate_webhooks(first).await.unwrap();
    let silence = deactivation_log::entries(&app.steward.context, None).await.unwrap().remove(0).id;
    let import = crate::import_server::with_safety_backup(&app, false).await;
    read_only(&app);
    let records = app.history().await.len();
    let way = app.with_fault("POST ", Fault::AnswerLost).await;
    read_only(&app);

    let tried = Box::pin(writes(&app, &silence, &import)).await;
    for operation in Operation::all().iter().filter(|operation| operation.impact.changes_the_site()) {
        let key = operation.key.name();
        assert!(tried.iter().any(|(write, _)| *write == key), "{key} is not tried");
    }
    for (write, problem) in tried {
        assert_eq!(
            problem,
            Some(Problem::ReadOnly { site: app.site.clone(), site_name: "City GIS".to_owned() }),
            "{write}"
        );
    }

    assert_eq!(way.met(), 0, "nothing was posted");
    assert_eq!(app.history().await.len(), records, "what was not sent is no history");
    assert!(app.dialogs.suggested().is_empty(), "nobody is asked for a place in vain");
}

#[tokio::test]
async fn a_read_only_site_is_still_exported_and_searched() {
    let app = TestApp::new().await;
    read_only(&app);
    let location = app.folder("exports").display().to_string();

    let place = export_server::ServerExportDestination::ServerFolder { location };
    let form = export_server::ExportServerForm { place };
    let exported = app.export_server(form).await;
    let form = find_items::FindItemsForm {
        parent_path: text("/enterpriseDatabases"),
        ancestor_path: text(""),
        types: text(""),
        id: text(""),
        is_managed: None,
    };
    let found = app.find_items(form).await;

    assert!(matches!(exported, Ok(RunResult::Done { .. })), "{exported:?}");
    assert!(found.is_ok(), "{:?}", found.err());
}

#[tokio::test]
async fn an_unlock_takes_a_reason_lasts_a_quarter_of_an_hour_and_is_in_the_history() {
    let mut app = TestApp::new().await;
    let passed = clock_of(&mut app);
    read_only(&app);
    let silence = |service: &'static str| app.deactivate_webhooks(deactivation(service));
    let locked = Problem::ReadOnly { site: app.site.clone(), site_name: "City GIS".to_owned() };

    for no_reason in ["", "  ", "..", "a b", "\u{200b}\u{200b}\u{200b}"] {
        let refused = unlock(&app.steward.context, &app.site, no_reason).await.err();
        let expected = Problem::Form { field: text("reason"), fault: FormFault::TooShort };
        assert_eq!(refused, Some(expected), "{no_reason:?}");
    }
    assert_eq!(silence("Buffer.GPServer").await.err(), Some(locked.clone()));
    assert!(app.history().await.is_empty());

    unlock(&app.steward.context, &app.site, "Receiver moves to another machine").await.unwrap();
    passed.store(15 * 60 - 1, Ordering::SeqCst);
    assert!(silence("Buffer.GPServer").await.is_ok());
    passed.store(15 * 60, Ordering::SeqCst);
    assert_eq!(silence("Hosted/Hydrants.FeatureServer").await.err(), Some(locked.clone()));

    let search = HistorySearch { text: text("another machine"), ..HistorySearch::default() };
    let shown = page_of(&app.steward.context.history, search, None, 10).await.unwrap().entries;
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0].operation, HistoryKey::Act(HistoryAction::Unlock));
    assert_eq!(shown[0].username, app.sites().get(&app.site).unwrap().username.unwrap());

    unlock(&app.steward.context, &app.site, "Once more").await.unwrap();
    app.steward.context.locks.lock_again(&app.site);
    assert_eq!(silence("Hosted/Hydrants.FeatureServer").await.err(), Some(locked.clone()));
    unlock(&app.steward.context, &app.site, "And again").await.unwrap();
    let app = app.restarted();
    let form = deactivation("Hosted/Hydrants.FeatureServer");
    let after = app.deactivate_webhooks(form).await.err();
    assert_eq!(after, Some(locked), "a restart locks again");
}

#[tokio::test]
async fn signing_out_locks_the_site_for_the_next_user() {
    let app = TestApp::new().await;
    read_only(&app);
    unlock(&app.steward.context, &app.site, "Receiver moves to another machine").await.unwrap();

    leave(&app.steward.context, &app.site).await.unwrap();

    assert_eq!(app.steward.context.locks.unlocked_until(&app.site), None);
    let last: Vec<_> = app.history().await.into_iter().take(2).map(|entry| entry.intent.operation).collect();
    assert_eq!(last, ["lock", "unlock"]);
}

#[tokio::test]
async fn an_unlock_that_cannot_be_written_down_does_not_take_effect() {
    let app = TestApp::new().await;
    read_only(&app);
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal.execute_batch(full).unwrap();

    assert!(unlock(&app.steward.context, &app.site, "A good reason").await.is_err());

    assert_eq!(app.steward.context.locks.unlocked_until(&app.site), None);
}

#[tokio::test]
async fn an_unlock_whose_reason_is_on_disk_takes_effect_and_its_record_ends_once_there_is_room() {
    let app = TestApp::new().await;
    read_only(&app);
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal.execute_batch(full).unwrap();

    let unlocked = unlock(&app.steward.context, &app.site, "A good reason").await;

    journal.execute_batch("DROP TRIGGER full").unwrap();
    assert!(
        unlocked.is_ok() && app.steward.context.locks.unlocked_until(&app.site).is_some(),
        "{unlocked:?}"
    );
    until("the outcome", async || app.history().await[0].outcome == Outcome::Succeeded).await;
}

#[tokio::test]
async fn the_mark_is_taken_away_only_while_the_site_is_unlocked() {
    let app = TestApp::new().await;
    read_only(&app);
    let ready = app.practice.ready();
    let without = || form(Some(&app.site), &ready.portal, &ready.server);

    let refused = save(&app.steward.context, &without()).await.err();
    assert_eq!(refused, Some(Problem::ReadOnly { site: app.site.clone(), site_name: "City GIS".to_owned() }));
    assert!(app.sites().get(&app.site).unwrap().read_only);

    unlock(&app.steward.context, &app.site, "It is a test site from now on").await.unwrap();
    let saved = save(&app.steward.context, &without()).await.unwrap();
    assert!(!saved.read_only);
    assert_eq!(saved.unlocked_until, None);

    let history = app.history().await;
    assert_eq!((history.len(), history[0].outcome), (1, Outcome::Succeeded));
}

#[tokio::test]
async fn a_production_site_wants_its_name_typed_before_it_falls_silent() {
    let app = TestApp::new().await;
    let mut site = app.sites().get(&app.site).unwrap();
    site.environment = steward_core::model::deployment::Environment::Production;
    app.sites().put(site).unwrap();
    let typed = |confirmation: &str| deactivate_webhooks::DeactivateWebhooksForm {
        confirmation: text(confirmation),
        ..deactivation("Buffer.GPServer")
    };

    for wrong in ["", "City", "city gis"] {
        let refused = app.deactivate_webhooks(typed(wrong)).await.err();
        let expected = Problem::Form { field: text("confirmation"), fault: FormFault::NotTheName };
        assert_eq!(refused, Some(expected), "{wrong:?}");
    }
    assert!(app.history().await.is_empty(), "nothing was sent");

    let done = app.deactivate_webhooks(typed(" City GIS ")).await;
    assert!(matches!(done, Ok(RunResult::Done { .. })), "{done:?}");
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Meanwhile {
    LockedAgain,
    MarkedReadOnly,
    SignedOut,
    UnlockExpired,
}

/// A server that keeps whoever asks about it waiting at the gate, once after `is_slow` was set.
async fn slow_server(gate: &Arc<Notify>, is_slow: &Arc<AtomicBool>) -> TestServer {
    let (held, slow) = (gate.clone(), is_slow.clone());
    let server = TestServer::start(move |request| match request.path() {
        path if path.ends_with("/generateToken") => {
            Reply::json(r#"{"token":"token","expires":"4102444800000"}"#)
        }
        path if path.ends_with("/webhooks") => Reply::json(r#"{"webhooks":[]}"#),
        path if path.ends_with("/deactivateAll") || path.ends_with("/importSite") => {
            Reply::json(r#"{"status":"success"}"#)
        }
        _ => {
            let root = Reply::json(r#"{"currentVersion":"11.5","loggedInUser":"sam"}"#);
            if slow.swap(false, Ordering::SeqCst) { root.when(&held) } else { root }
        }
    });
    server.await.unwrap()
}

#[tokio::test]
async fn lock_or_sign_out_while_the_site_is_looked_up_leaves_every_change_unsent() {
    for meanwhile in
        [Meanwhile::LockedAgain, Meanwhile::MarkedReadOnly, Meanwhile::SignedOut, Meanwhile::UnlockExpired]
    {
        for (name, path) in [("import_server", "/importSite"), ("deactivate_webhooks", "/deactivateAll")] {
            let mut app = TestApp::signed_out().await;
            let passed = clock_of(&mut app);
            let gate = Arc::new(Notify::new());
            let is_slow = Arc::new(AtomicBool::new(false));
            let server = slow_server(&gate, &is_slow).await;
            let address = format!("{}/server", server.origin());
            app.sites().save(&form(Some(&app.site), "", &address)).unwrap();
            let password = Secret::new("canary".to_owned());
            sign_in_as(&app.steward.context, &app.site, "sam", &password).await.unwrap();
            // As after a restart: the version is asked of the site.
            app.steward.context.access.forget_known(&app.site);
            is_slow.store(true, Ordering::SeqCst);
            if meanwhile != Meanwhile::MarkedReadOnly {
                read_only(&app);
                unlock(&app.steward.context, &app.site, "A change is due").await.unwrap();
            }
            let person = async {
                until("the question", async || server.waiting() == 1).await;
                match meanwhile {
                    Meanwhile::LockedAgain => app.steward.context.locks.lock_again(&app.site),
                    Meanwhile::MarkedReadOnly => read_only(&app),
                    Meanwhile::SignedOut => leave(&app.steward.context, &app.site).await.unwrap(),
                    Meanwhile::UnlockExpired => passed.store(15 * 60, Ordering::SeqCst),
                }
                gate.notify_one();
            };
            let change = async {
                let steward = &app.steward;
                if name == "import_server" {
                    let form = import_server::ImportServerForm {
                        location: text("/exports/a.agssite"),
                        confirmation: text("City GIS"),
                        safety_backup: None,
                        deactivate_webhooks: None,
                        options: import_server::ImportServerOptions::default(),
                    };
                    import_server::perform(&steward.context, &steward.transfers, &app.server, app.run(), form)
                        .await
                        .err()
                } else {
                    deactivate_webhooks::perform(
                        &steward.context,
                        &app.server,
                        app.run(),
                        deactivation("Buffer.GPServer"),
                    )
                    .await
                    .err()
                }
            };

            let (problem, ()) = tokio::join!(change, person);

            let is_sent = server.requests().iter().any(|request| request.path().ends_with(path));
            let history = app.history().await;
            // Signing out has a record of its own: it locks the site.
            let record = history.into_iter().find(|record| record.intent.operation == name).unwrap();
            let told = format!("{meanwhile:?}, {name}: {problem:?}, {record:?}");
            assert_eq!(is_sent, meanwhile == Meanwhile::UnlockExpired, "{told}");
            assert_eq!(record.intent.username, "sam");
            assert_eq!(record.outcome == Outcome::NotSent, !is_sent, "{told}");
            let expected = match meanwhile {
                Meanwhile::UnlockExpired => true,
                Meanwhile::LockedAgain | Meanwhile::MarkedReadOnly | Meanwhile::SignedOut => {
                    problem
                        == Some(Problem::ReadOnly {
                            site: app.site.clone(),
                            site_name: "City GIS".to_owned(),
                        })
                }
            };
            assert!(expected, "{told}");
        }
    }
}
