use std::path::Path;
use std::time::{Duration, SystemTime};

use steward_client::listing;
use steward_core::follow_up::outcome_check::{
    CheckFact, OutcomeCheck, Suggestion, check, resolution, resolve,
};
use steward_core::listings::participants;
use steward_core::model::history_key::REACTIVATE;
use steward_core::model::ids::RecordId;
use steward_core::model::problem::{PreconditionFailure, Problem};
use steward_core::model::retry_policy::RetryPolicy;
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::deactivate_webhooks::DeactivateWebhooksForm;
use steward_core::operations::deactivate_webhooks::single;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination};
use steward_core::operations::import_server;
use steward_core::operations::refresh_invitation::{RefreshInvitationForm, save_kept};
use steward_core::operations::update_participant::UpdateParticipantForm;
use steward_core::transfers::upload::{UploadId, UploadSource, delete_stored, upload};
use steward_core::webhooks::{deactivation_log, reactivation};
use steward_journal::{Conclusion, Facts, Intent, Outcome};
use steward_testkit::{Fault, FaultProxy, until};

use crate::export_portal::to;
use crate::export_server::stored_export;
use crate::import_server::answer;
use crate::test_app::{TestApp, files_in};

/// The newest record, whose answer was lost, looked at over an undisturbed way.
async fn newest(app: &TestApp) -> (RecordId, OutcomeCheck) {
    app.go_through(app.practice_address());
    let newest = app.history().await.remove(0);
    assert_eq!(newest.outcome, Outcome::Unknown);
    let record = RecordId(newest.id);
    let seen =
        check(&app.steward.context, &app.steward.invitation_files.unsaved, &app.steward.dialogs, &record)
            .await
            .unwrap();
    assert!(matches!(seen.facts[0], CheckFact::SiteAnswers { .. }), "{seen:?}");
    (record, seen)
}

/// The site never hears of it, and nobody knows.
fn never_heard() -> Fault {
    Fault::Instead(Vec::new())
}

#[tokio::test]
async fn of_a_portal_export_the_file_is_looked_for() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    // An older export in the same folder is not taken for this one.
    app.export_portal(to(&folder, false)).await.unwrap();
    for name in files_in(&folder) {
        let old = std::fs::File::options().append(true).open(folder.join(name)).unwrap();
        old.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    }
    for (fault, done) in [(never_heard(), false), (Fault::AnswerLost, true)] {
        let _way = app.with_fault_after_the_check(fault).await;
        app.export_portal(to(&folder, false)).await.unwrap();

        let (_, seen) = newest(&app).await;

        let whole = |fact: &CheckFact| matches!(fact, CheckFact::FileHere { whole: true, .. });
        assert_eq!(seen.facts.iter().any(whole), done, "{seen:?}");
        let suggested = if done { Suggestion::Done } else { Suggestion::Unclear };
        assert_eq!(seen.suggestion, suggested, "an export that is not there may still be running");
    }
    let old = app.with_portal_without_check().await;
    let way = FaultProxy::to(&old.address(), "/portaladmin/exportSite", Fault::AnswerLost).await.unwrap();
    app.go_through(&way.address());
    let unseen = to(Path::new("/only/the/portal/sees/this"), false);
    let _ = app.export_portal(unseen).await;
    let (_, seen) = newest(&app).await;
    assert!(matches!(seen.facts[1], CheckFact::FolderNotHere { .. }), "{seen:?}");
}

#[tokio::test]
async fn of_a_stored_export_a_new_upload_is_looked_for_by_the_servers_clock() {
    let app = TestApp::new().await;
    // An older upload is not taken for this one.
    let form = ExportServerForm { place: ServerExportDestination::ThisComputer };
    app.dialogs.will_choose(&app.folder("desk").join("old.agssite"));
    app.export_server(form).await.unwrap();
    let database = rusqlite::Connection::open(app.practice_folder().join("server/server.db")).unwrap();
    assert_eq!(database.execute("UPDATE uploads SET created = created - 60000", []).unwrap(), 1);
    for (fault, new) in [(never_heard(), 0), (Fault::AnswerLost, 1)] {
        app.dialogs.will_choose(&app.folder("desk").join("a.agssite"));
        let _way = app.with_fault("/admin/exportSite", fault).await;
        let form = ExportServerForm { place: ServerExportDestination::ThisComputer };
        app.export_server(form).await.unwrap();

        let (_, seen) = newest(&app).await;

        let uploads = seen.facts.iter().filter(|fact| matches!(fact, CheckFact::NewUpload { .. }));
        assert_eq!(uploads.count(), new, "{seen:?}");
        assert!(seen.facts.iter().any(|fact| matches!(fact, CheckFact::FileNotHere { .. })), "{seen:?}");
        assert_eq!(seen.suggestion, if new > 0 { Suggestion::Done } else { Suggestion::Unclear });
    }
}

#[tokio::test]
async fn what_somebody_else_wrote_or_uploaded_meanwhile_is_shown_and_is_no_sign_of_an_export() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    let archive = app.folder("desk").join("other.portalsite");
    app.export_portal(to(&folder, false)).await.unwrap();
    std::fs::rename(folder.join(&files_in(&folder)[0]), &archive).unwrap();
    let _way = app.with_fault_after_the_check(never_heard()).await;
    app.export_portal(to(&folder, false)).await.unwrap();
    for (name, suggested) in [
        ("photos.zip", Suggestion::Unclear),
        ("One.PORTALSITE", Suggestion::Done),
        ("another.portalsite", Suggestion::Unclear),
    ] {
        std::fs::write(folder.join(name), std::fs::read(&archive).unwrap()).unwrap();

        let (_, seen) = newest(&app).await;

        let is_shown =
            |fact: &CheckFact| matches!(fact, CheckFact::FileHere { path, .. } if path.ends_with(name));
        assert!(seen.facts.iter().any(is_shown), "{name}: {seen:?}");
        assert_eq!(seen.suggestion, suggested, "{name}");
    }

    let _way = app.with_fault("/admin/exportSite", never_heard()).await;
    app.dialogs.will_choose(&app.folder("desk").join("a.agssite"));
    let form = ExportServerForm { place: ServerExportDestination::ThisComputer };
    app.export_server(form).await.unwrap();
    app.go_through(app.practice_address());
    let export = app.history().await.remove(0);
    let other = app.folder("desk").join("somebody.csv");
    std::fs::write(&other, "a,b\n").unwrap();
    app.dialogs.will_choose(&other);
    let whole = UploadSource::Choose { part_mebibytes: 1 };
    upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), whole).await.unwrap();

    let seen = check(
        &app.steward.context,
        &app.steward.invitation_files.unsaved,
        &app.steward.dialogs,
        &RecordId(export.id),
    )
    .await
    .unwrap();

    assert!(seen.facts.iter().any(|fact| matches!(fact, CheckFact::NewUpload { .. })), "{seen:?}");
    assert_eq!(seen.suggestion, Suggestion::Unclear);
}

#[tokio::test]
async fn of_an_import_nothing_is_concluded_that_cannot_be_seen() {
    let app = TestApp::new().await;
    let _way = app.with_fault("/admin/importSite", never_heard()).await;
    let form = import_server::ImportServerForm {
        location: "/exports/a.agssite".to_owned(),
        confirmation: "City GIS".to_owned(),
        safety_backup: None,
        deactivate_webhooks: None,
        options: import_server::ImportServerOptions::default(),
    };
    app.import_server(form).await.unwrap();

    let (_, seen) = newest(&app).await;

    assert!(matches!(seen.facts[1], CheckFact::Services { count: 16 }), "{seen:?}");
    assert_eq!(seen.suggestion, Suggestion::Unclear);
}

#[tokio::test]
async fn of_a_deactivation_and_of_a_restoration_the_webhooks_are_looked_at() {
    let app = TestApp::new().await;
    let form = || DeactivateWebhooksForm {
        services: vec!["Hosted/Hydrants.FeatureServer".to_owned()],
        why: String::new(),
        confirmation: String::new(),
    };
    for (fault, suggested) in [(never_heard(), Suggestion::NotDone), (Fault::AnswerLost, Suggestion::Done)] {
        let _way = app.with_fault("/deactivateAll", fault).await;
        app.deactivate_webhooks(form()).await.unwrap();
        let (_, seen) = newest(&app).await;
        assert_eq!(seen.suggestion, suggested, "{seen:?}");
    }
    // All of them were inactive before: that they are so now shows nothing.
    let way = app.with_fault("/deactivateAll", never_heard()).await;
    app.deactivate_webhooks(form()).await.unwrap();
    let (_, seen) = newest(&app).await;
    assert_eq!(seen.suggestion, Suggestion::Unclear, "{seen:?}");
    drop(way);
    let entry = deactivation_log::entries(&app.steward.context, None).await.unwrap().remove(2).id;
    let _way = app.with_fault("/edit", never_heard()).await;
    reactivation::reactivate(&app.steward.context, &app.server, app.run(), entry).await.unwrap();
    let (_, seen) = newest(&app).await;
    assert_eq!(seen.suggestion, Suggestion::NotDone, "{seen:?}");
}

#[tokio::test]
async fn of_the_deactivation_of_one_webhook_that_webhook_is_looked_at() {
    for (fault, suggested) in [(never_heard(), Suggestion::NotDone), (Fault::AnswerLost, Suggestion::Done)] {
        let app = TestApp::new().await;
        let form = crate::deactivations::one_of_hydrants(&app).await;
        let _way = app.with_fault("/edit", fault).await;
        single::perform(&app.steward.context, &app.server, app.run(), form).await.unwrap();

        let (_, seen) = newest(&app).await;

        assert_eq!(seen.suggestion, suggested, "{seen:?}");
    }
}

#[tokio::test]
async fn of_a_contact_what_the_portal_has_is_compared_with_what_was_sent() {
    let app = TestApp::new().await;
    let site = app.sites().get(&app.site).unwrap();
    let (portal, known) = (
        app.steward.context.access.portal(&site).await.unwrap(),
        app.steward.context.access.known(&app.current(&site)).await.unwrap(),
    );
    let participants = listing::participants(&portal, &known.portal_id).await.unwrap();
    let guest = participants.iter().find(|one| one.role == "Guest").unwrap();
    for (fault, suggested) in [(never_heard(), Suggestion::NotDone), (Fault::AnswerLost, Suggestion::Done)] {
        let _way = app.with_fault("/updateInfo", fault).await;
        let form = UpdateParticipantForm {
            collaboration_id: guest.collaboration_id.clone(),
            participant_id: guest.portal_id.clone(),
            contact_firstname: "Zoë".to_owned(),
            contact_lastname: "Müller".to_owned(),
            contact_email_address: "zoe@example.net".to_owned(),
        };
        app.update_participant(form).await.unwrap();
        let (_, seen) = newest(&app).await;
        assert_eq!(seen.suggestion, suggested, "{seen:?}");
    }
}

#[tokio::test]
async fn an_invitation_whose_refresh_was_lost_is_fetched_and_saved() {
    let app = TestApp::new().await;
    let site = app.sites().get(&app.site).unwrap();
    let (portal, known) = (
        app.steward.context.access.portal(&site).await.unwrap(),
        app.steward.context.access.known(&app.current(&site)).await.unwrap(),
    );
    let invitation = listing::invitations(&portal, &known.portal_id).await.unwrap().remove(0);
    let form = || RefreshInvitationForm {
        collaboration_id: invitation.collaboration_id.clone(),
        invitation_id: invitation.id.clone(),
    };
    let _way = app.with_fault("/refresh", never_heard()).await;
    app.refresh_invitation(form()).await.unwrap();
    let (_, seen) = newest(&app).await;
    assert_eq!(seen.suggestion, Suggestion::NotDone, "{seen:?}");

    // An invitation that was valid for longer before was not refreshed by that.
    let record = RecordId(app.history().await.remove(0).id);
    let far = format!(
        r#"{{"id":"i1","expiration":{}}}"#,
        jiff::Timestamp::now().as_millisecond() + 240 * 3_600_000
    );
    let alone = format!("{}?", invitation.id);
    let _way = app.with_fault(&alone, crate::import_server::answer(&far)).await;
    let seen =
        check(&app.steward.context, &app.steward.invitation_files.unsaved, &app.steward.dialogs, &record)
            .await
            .unwrap();
    assert_eq!(seen.suggestion, Suggestion::Unclear, "{seen:?}");

    let _way = app.with_fault("/refresh", Fault::AnswerLost).await;
    app.refresh_invitation(form()).await.unwrap();
    let record = RecordId(app.history().await.remove(0).id);
    // A gateway with another clock says nothing about what the portal wrote.
    for hours in [-120, 120] {
        let date = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(hours);
        let date = date.strftime("%a, %d %b %Y %H:%M:%S GMT");
        let answer =
            format!("HTTP/1.1 200 OK\r\ndate: {date}\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{{}}");
        let _way = app.with_fault("/rest/info", Fault::Instead(answer.into_bytes())).await;
        let seen =
            check(&app.steward.context, &app.steward.invitation_files.unsaved, &app.steward.dialogs, &record)
                .await
                .unwrap();
        assert_eq!(seen.suggestion, Suggestion::Unclear, "{hours}: {seen:?}");
    }
    newest(&app).await;
    let (_, seen) = newest(&app).await;

    let unsaved = app.steward.invitation_files.unsaved.of(&app.site);
    assert_eq!(unsaved.len(), 1, "a second check finds the same invitation");
    assert_eq!(seen.suggestion, Suggestion::Done, "{seen:?}");
    let CheckFact::Invitation { kept: Some(kept), refreshed: true, .. } = &seen.facts[1] else {
        panic!("{seen:?}")
    };
    let place = app.folder("desk").join("guest.invite");
    app.dialogs.will_choose(&place);
    let saving = save_kept(&app.steward.invitation_files, kept).await.unwrap();
    assert!(matches!(saving, SaveResult::Saved { .. }), "{saving:?}");
    let saved: serde_json::Value = serde_json::from_slice(&std::fs::read(&place).unwrap()).unwrap();
    assert_eq!(saved["invitationRequest"]["id"], invitation.id);

    // What the invitation owes to another refresh is no sign of a request that the portal did not receive.
    let _way = app.with_fault("/rest/nothing", never_heard()).await;
    app.refresh_invitation(form()).await.unwrap();
    let _way = app.with_fault("/refresh", never_heard()).await;
    app.refresh_invitation(form()).await.unwrap();
    let (_, seen) = newest(&app).await;
    assert_eq!(seen.suggestion, Suggestion::Unclear, "{seen:?}");
}

#[tokio::test]
async fn what_a_person_found_out_is_written_down_once_and_nothing_else_can_be_settled() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    let ended = app.export_portal(to(&folder, false)).await.unwrap();
    let RunResult::Done { record: Some(answered), .. } = ended else { panic!("{ended:?}") };
    assert!(
        resolve(&app.steward.context, answered, Outcome::Failed, "").await.is_err(),
        "the site has answered"
    );
    let _way = app.with_fault_after_the_check(Fault::AnswerLost).await;
    app.export_portal(to(&folder, false)).await.unwrap();
    let (record, _) = newest(&app).await;
    let no_end = resolve(&app.steward.context, record.clone(), Outcome::Sent, "").await;
    assert!(matches!(no_end, Err(Problem::Form { .. })), "{no_end:?}");

    resolve(&app.steward.context, record.clone(), Outcome::Unknown, "").await.unwrap();

    let app = app.restarted();
    let left = app.history().await.remove(0);
    assert!(left.is_resolved, "it was left unknown, and nobody is reminded of it");
    assert_eq!(left.outcome, Outcome::Unknown);
    resolve(&app.steward.context, record.clone(), Outcome::Succeeded, " the file is there ").await.unwrap();

    let app = app.restarted();
    let whole = app.history().await.remove(0);
    assert_eq!(whole.outcome, Outcome::Succeeded);
    let settled = resolution(&app.steward.context.history, record.clone()).await.unwrap().unwrap();
    assert_eq!(settled.note, "the file is there");
    assert_eq!(Some(settled.by), app.sites().get(&app.site).unwrap().username);
    assert!(resolve(&app.steward.context, record, Outcome::Failed, "").await.is_err());
}

#[tokio::test]
async fn a_check_sends_nothing_that_has_an_effect() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    let _way = app.with_fault_after_the_check(never_heard()).await;
    app.export_portal(to(&folder, false)).await.unwrap();
    let record = RecordId(app.history().await.remove(0).id);
    let posts = app.with_fault("POST ", Fault::AnswerLost).await;

    check(&app.steward.context, &app.steward.invitation_files.unsaved, &app.steward.dialogs, &record)
        .await
        .unwrap();

    assert_eq!(posts.met(), 0);
}

#[tokio::test]
async fn of_an_upload_whose_answer_was_lost_the_stored_file_is_looked_for() {
    let mut app = TestApp::new().await;
    app.steward.transfers.retry_policy =
        RetryPolicy { tries: 0, pause: Duration::ZERO, stalled: Duration::from_secs(5) };
    let path = app.folder("desk").join("survey.csv");
    std::fs::write(&path, "a,b\n1,2\n").unwrap();
    let choose = || UploadSource::Choose { part_mebibytes: 100 };
    app.dialogs.will_choose(&path);
    let _way = app.with_fault("/uploads/upload", Fault::Instead(Vec::new())).await;
    upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), choose()).await.unwrap();

    let (_, seen) = newest(&app).await;

    assert_eq!(seen.facts[1], CheckFact::NoNewUpload);
    assert_eq!(seen.suggestion, Suggestion::Unclear);
}

#[tokio::test]
async fn of_two_webhooks_of_one_name_both_must_be_active_for_a_reactivation_that_was_done() {
    for (first, second, suggested) in [
        (true, true, Suggestion::Done),
        (true, false, Suggestion::Unclear),
        (false, false, Suggestion::NotDone),
    ] {
        let app = TestApp::new().await;
        let saved = app.sites().get(&app.site).unwrap();
        let given = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let intent = Intent {
            site: saved.id.0.clone(),
            server: "server".to_owned(),
            operation: REACTIVATE.to_owned(),
            parameters: vec![
                given("service", "Hosted/Hydrants.FeatureServer"),
                given("webhook", "Notify"),
                given("webhook", "Notify"),
            ],
            ..Intent::default()
        };
        let record =
            app.steward.context.history.journal(move |journal| journal.intend(&intent)).await.unwrap();
        let list = format!(
            r#"{{"webhooks":[{{"id":"1","name":"Notify","active":{first}}},
                {{"id":"2","name":"Notify","active":{second}}}]}}"#
        );
        let _way = app.with_fault("webhooks?", crate::import_server::answer(&list)).await;

        let seen = check(
            &app.steward.context,
            &app.steward.invitation_files.unsaved,
            &app.steward.dialogs,
            &RecordId(record),
        )
        .await
        .unwrap();

        assert_eq!(seen.suggestion, suggested, "{seen:?}");
    }
}

#[tokio::test]
async fn an_action_that_still_waits_cannot_be_concluded() {
    let app = TestApp::new().await;
    let silent = app.with_fault("/portals/self?", Fault::Silence).await;
    let person = async {
        until("the question", async || silent.met() > 0).await;
        let signing_in = app.acts().await.remove(0);
        assert_eq!((&*signing_in.intent.operation, signing_in.outcome), ("sign_in", Outcome::Sent));
        let record = RecordId(signing_in.id);
        let refused = resolve(&app.steward.context, record.clone(), Outcome::Failed, "").await;
        (record, refused)
    };

    let (record, refused) = tokio::select! {
        _ = app.sign_in("administrator") => panic!("the portal is silent"),
        seen = person => seen,
    };

    let expected = Problem::PreconditionFailed { why: PreconditionFailure::StillWaiting };
    assert_eq!(refused, Err(expected));
    assert_eq!(app.acts().await[0].outcome, Outcome::Sent);
    // Nobody waits any more.
    resolve(&app.steward.context, record, Outcome::Failed, "").await.unwrap();
}

/// What a check of the newest record finds, over the way to the site as it is.
async fn of_newest(app: &TestApp) -> OutcomeCheck {
    let record = RecordId(app.history().await.remove(0).id);
    check(&app.steward.context, &app.steward.invitation_files.unsaved, &app.steward.dialogs, &record)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_contact_that_the_portal_hides_or_writes_in_another_way_does_not_show_that_nothing_was_done() {
    let app = TestApp::new().await;
    let _way = app.with_fault("/updateInfo", Fault::AnswerLost).await;
    let listed = participants(&app.steward.context.access, &app.site).await.unwrap();
    let guest = listed.into_iter().find(|one| one.role == "Guest").unwrap();
    let form = UpdateParticipantForm {
        collaboration_id: guest.collaboration_id.clone(),
        participant_id: guest.participant_id.clone(),
        contact_firstname: "Zoë".to_owned(),
        contact_lastname: "Müller".to_owned(),
        contact_email_address: "Zoe@example.net".to_owned(),
    };
    app.update_participant(form).await.unwrap();
    let before = [&guest.contact_firstname, &guest.contact_lastname, &guest.contact_email_address];
    let before = before.map(|value| value.as_str());
    for (now, suggested) in [
        (["Zoë", "Müller", "zoe@example.net"], Suggestion::Done),
        (["Zoë", "****", "z***@example.net"], Suggestion::Unclear),
        (["Zoë", "Mueller", "Zoe@example.net"], Suggestion::Unclear),
        (before, Suggestion::NotDone),
        (["****", "****", "****"], Suggestion::Unclear),
        (["", "", ""], Suggestion::Unclear),
    ] {
        let contact = serde_json::json!({ "contactFirstname": now[0], "contactLastname": now[1], "contactEmailAddress": now[2] });
        let list = serde_json::json!({ "participants": [{ "portalInfo": { "id": guest.participant_id }, "config": contact }] });
        let path = format!("/collaborations/{}/participants?", guest.collaboration_id);
        let _listed = app.with_fault(&path, answer(&list.to_string())).await;

        assert_eq!(of_newest(&app).await.suggestion, suggested, "{now:?}");
    }
}

#[tokio::test]
async fn an_upload_of_another_entry_is_no_sign_of_a_lost_export() {
    let app = TestApp::new().await;
    let _way = app.with_fault("/admin/exportSite", never_heard()).await;
    app.dialogs.will_choose(&app.folder("desk").join("lost.agssite"));
    let form = ExportServerForm { place: ServerExportDestination::ThisComputer };
    app.export_server(form).await.unwrap();
    let lost = RecordId(app.history().await.remove(0).id);
    app.go_through(app.practice_address());
    stored_export(&app).await;

    let seen =
        check(&app.steward.context, &app.steward.invitation_files.unsaved, &app.steward.dialogs, &lost)
            .await
            .unwrap();

    assert_eq!(seen.suggestion, Suggestion::Unclear, "{seen:?}");
}

#[tokio::test]
async fn a_file_of_another_entry_is_no_sign_of_a_lost_export() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    let _way = app.with_fault_after_the_check(never_heard()).await;
    app.export_portal(to(&folder, false)).await.unwrap();
    let lost = RecordId(app.history().await.remove(0).id);
    app.go_through(app.practice_address());
    app.export_portal(to(&folder, false)).await.unwrap();

    let seen =
        check(&app.steward.context, &app.steward.invitation_files.unsaved, &app.steward.dialogs, &lost)
            .await
            .unwrap();

    assert_eq!(seen.suggestion, Suggestion::Unclear, "{seen:?}");
}

/// Sets the time of all files of a folder to one that a clock which is an hour ahead has after everything of the test.
fn written_by_a_clock_ahead(folder: &Path) {
    for name in files_in(folder) {
        let file = std::fs::File::options().append(true).open(folder.join(name)).unwrap();
        file.set_modified(SystemTime::now() + Duration::from_secs(3_600)).unwrap();
    }
}

#[tokio::test]
async fn the_file_of_an_earlier_export_is_no_sign_of_a_lost_one_when_the_clock_of_the_share_is_ahead() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    app.export_portal(to(&folder, false)).await.unwrap();
    written_by_a_clock_ahead(&folder);
    let _way = app.with_fault_after_the_check(never_heard()).await;
    app.export_portal(to(&folder, false)).await.unwrap();

    let (_, seen) = newest(&app).await;

    assert!(
        seen.facts.iter().any(|fact| matches!(fact, CheckFact::FileHere { whole: true, .. })),
        "{seen:?}"
    );
    assert_eq!(seen.suggestion, Suggestion::Unclear, "{seen:?}");
}

#[tokio::test]
async fn the_upload_of_an_earlier_export_is_no_sign_of_a_lost_one_when_the_server_says_another_time() {
    let app = TestApp::new().await;
    stored_export(&app).await;
    let database = rusqlite::Connection::open(app.practice_folder().join("server/server.db")).unwrap();
    assert_eq!(database.execute("UPDATE uploads SET created = created + 3600000", []).unwrap(), 1);
    let _way = app.with_fault("/admin/exportSite", never_heard()).await;
    app.dialogs.will_choose(&app.folder("desk").join("lost.agssite"));
    let form = ExportServerForm { place: ServerExportDestination::ThisComputer };
    app.export_server(form).await.unwrap();

    let (_, seen) = newest(&app).await;

    assert!(seen.facts.iter().any(|fact| matches!(fact, CheckFact::NewUpload { .. })), "{seen:?}");
    assert_eq!(seen.suggestion, Suggestion::Unclear, "{seen:?}");
}

#[tokio::test]
async fn the_file_that_another_portal_exported_to_the_same_share_is_no_sign_of_a_lost_export() {
    let app = TestApp::new().await;
    let (folder, share) = (app.folder("exports"), app.folder("share"));
    app.export_portal(to(&folder, false)).await.unwrap();
    // The other portal is another saved site, and knows the share by another path.
    let of_here = app.history().await.remove(0);
    let theirs = Intent { site: "other".to_owned(), ..of_here.intent };
    let facts = Facts { site_path: Some(r"\\nas\share\County.portalsite".to_owned()), ..Facts::default() };
    let conclusion = Conclusion {
        outcome: Outcome::Succeeded,
        note: String::new(),
        facts: Some(facts),
        response: None,
        report: None,
        ended_at: 1,
        elapsed: 1,
    };
    let write = app.steward.context.history.journal(move |journal| journal.not_sent(&theirs, &conclusion));
    write.await.unwrap();
    let _way = app.with_fault_after_the_check(never_heard()).await;
    app.export_portal(to(&share, false)).await.unwrap();
    std::fs::copy(folder.join(&files_in(&folder)[0]), share.join("county.portalsite")).unwrap();

    let (_, seen) = newest(&app).await;

    assert!(
        seen.facts.iter().any(|fact| matches!(fact, CheckFact::FileHere { whole: true, .. })),
        "{seen:?}"
    );
    assert_eq!(seen.suggestion, Suggestion::Unclear, "{seen:?}");
}

#[tokio::test]
async fn of_a_deletion_whose_answer_was_lost_the_upload_is_looked_for() {
    let app = TestApp::new().await;
    stored_export(&app).await;
    let server = app.steward.context.access.server(&app.sites().at(&app.server).unwrap()).await.unwrap();
    let stored = listing::uploads(&server).await.unwrap().remove(0);
    for (fault, suggested) in [(never_heard(), Suggestion::Unclear), (Fault::AnswerLost, Suggestion::Done)] {
        let _way = app.with_fault("/delete", fault).await;
        let item = UploadId(stored.id.clone());
        let ended = delete_stored(&app.steward.context, &app.server, &item, "City GIS", "").await;
        assert!(ended.is_err(), "{ended:?}");

        let (_, seen) = newest(&app).await;

        let is_gone = suggested == Suggestion::Done;
        assert_eq!(seen.suggestion, suggested, "{seen:?}");
        assert_eq!(seen.facts.contains(&CheckFact::UploadGone), is_gone, "{seen:?}");
        let there = CheckFact::UploadThere { name: stored.name.clone() };
        assert_eq!(seen.facts.contains(&there), !is_gone, "{seen:?}");
    }
}

#[tokio::test]
async fn a_file_that_a_damaged_entry_might_have_is_no_sign_of_a_lost_export() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    let _way = app.with_fault_after_the_check(never_heard()).await;
    app.export_portal(to(&folder, false)).await.unwrap();
    let lost = RecordId(app.history().await.remove(0).id);
    app.go_through(app.practice_address());
    app.export_portal(to(&folder, false)).await.unwrap();
    let other = app.history().await.remove(0).id;
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    assert_eq!(journal.execute("UPDATE record SET requests = '[{' WHERE id = ?1", [&other]).unwrap(), 1);

    let seen =
        check(&app.steward.context, &app.steward.invitation_files.unsaved, &app.steward.dialogs, &lost)
            .await
            .unwrap();

    assert_eq!(seen.suggestion, Suggestion::Unclear, "{seen:?}");
}
