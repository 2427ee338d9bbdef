use steward_client::listing::{self, Participant};
use steward_client::operations::update_participant::UpdateParticipant;
use steward_core::history;
use steward_core::history::summary::Summary;
use steward_core::listings::participants;
use steward_core::model::problem::{FieldError, PreconditionFailure, Problem};
use steward_core::model::run_result::RunResult;
use steward_core::operations::update_participant::{ShownContact, UpdateParticipantForm, UpdateReport};
use steward_journal::Outcome;
use steward_testkit::{Fault, FaultProxy, until};

use crate::import_server::answer;
use crate::odd_sites::json;
use crate::test_app::TestApp;

pub(crate) async fn guests(app: &TestApp) -> Vec<Participant> {
    let site = app.sites().get(&app.site).unwrap();
    let (portal, known) = (
        app.steward.context.access.portal(&site).await.unwrap(),
        app.steward.context.access.known(&app.current(&site)).await.unwrap(),
    );
    let mut participants = listing::participants(&portal, &known.portal_id).await.unwrap();
    participants.retain(|participant| participant.role == "Guest");
    participants
}

pub(crate) fn form(participant: &Participant) -> UpdateParticipantForm {
    UpdateParticipantForm {
        collaboration_id: participant.collaboration_id.clone(),
        participant_id: participant.portal_id.clone(),
        contact_firstname: "Zoë".to_owned(),
        contact_lastname: "Müller & Söhne".to_owned(),
        contact_email_address: "zoe+gis@example.net".to_owned(),
    }
}

#[tokio::test]
async fn an_outcome_that_the_disk_refused_is_written_once_there_is_room() {
    let app = TestApp::new().await;
    let guest = guests(&app).await.remove(0);
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal.execute_batch(full).unwrap();

    let ended = app.update_participant(form(&guest)).await.unwrap();

    assert!(matches!(ended, RunResult::Done { record: None, .. }), "{ended:?}");
    assert_eq!(app.history().await[0].outcome, Outcome::Sent);
    journal.execute_batch("DROP TRIGGER full").unwrap();
    until("the record", async || app.history().await[0].outcome == Outcome::Succeeded).await;
}

#[tokio::test]
async fn a_corrected_contact_is_read_back_letter_by_letter() {
    let app = TestApp::new().await;
    let guest = guests(&app).await.remove(0);

    let ended = app.update_participant(form(&guest)).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert_eq!(
        (report.collaboration_id, report.portal_id),
        (guest.collaboration_id.clone(), guest.portal_id)
    );
    let after = guests(&app).await.remove(0);
    assert_eq!(after.contact_firstname, "Zoë");
    assert_eq!(after.contact_lastname, "Müller & Söhne");
    assert_eq!(after.contact_email_address, "zoe+gis@example.net");
}

#[tokio::test]
async fn the_contact_before_is_in_the_history_although_a_first_attempt_was_refused() {
    let app = TestApp::new().await;
    let rejection = answer(r#"{"error":{"code":400,"message":"Invalid contact.","details":[]}}"#);
    let way = app.with_fault("/updateInfo", rejection).await.only(1);
    let guest = guests(&app).await.remove(0);
    let listed = participants(&app.steward.context.access, &app.site).await.unwrap();
    let before = listed.iter().find(|one| one.participant_id == guest.portal_id).unwrap();
    let rejected = app.update_participant(form(&guest)).await;
    assert!(matches!(rejected, Err(Problem::Rejected { .. })), "{rejected:?}");
    assert_eq!(way.met(), 1);

    app.update_participant(form(&guest)).await.unwrap();

    let updates = app.history().await;
    assert_eq!(updates.len(), 2);
    for update in updates {
        let given = |name| update.intent.parameters.iter().find(|(given, _)| given == name);
        for (name, value) in [
            ("previousContactFirstname", &before.contact_firstname),
            ("previousContactLastname", &before.contact_lastname),
            ("previousContactEmailAddress", &before.contact_email_address),
        ] {
            assert_eq!(given(name).map(|(_, value)| value), Some(value), "{update:?}");
        }
        assert_eq!(given("participantName").unwrap().1, before.portal_name);
    }
}

#[tokio::test]
async fn a_participant_that_is_not_there_is_refused() {
    let app = TestApp::new().await;
    let mut form = form(&guests(&app).await[0]);
    form.participant_id = "nobody".to_owned();

    let problem = app.update_participant(form).await.err().unwrap();

    assert!(matches!(problem, Problem::Rejected { .. }), "{problem:?}");
}

#[tokio::test]
async fn an_answer_that_names_the_collaboration_and_does_not_say_success_is_unknown() {
    for said in [
        r#""status":"pending","collaborationId":"c""#,
        r#""success":"no","collaborationId":"c""#,
        r#""success":0,"collaborationId":"c","portalId":"p""#,
    ] {
        let app = TestApp::new().await;
        let guest = guests(&app).await.remove(0);
        let body = format!("{{{said}}}");
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
        let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
        let _way = app.with_fault("/updateInfo", Fault::Instead(answer.into_bytes())).await;

        let ended = app.update_participant(form(&guest)).await.unwrap();

        assert!(matches!(ended, RunResult::Unknown { .. }), "{body}: {ended:?}");
        assert_eq!(app.history().await[0].outcome, Outcome::Unknown, "{body}");
    }
}

#[tokio::test]
async fn a_mask_that_the_portal_returned_of_a_contact_is_not_sent_back() {
    let app = TestApp::new().await;
    let guest = guests(&app).await.remove(0);
    for (field, mask) in [
        ("contactFirstname", "****"),
        ("contactFirstname", "<hidden>"),
        ("contactLastname", "xxxx"),
        ("contactLastname", "M•••"),
        ("contactEmailAddress", "s***@example.net"),
        ("contactEmailAddress", "[redacted]"),
    ] {
        let mut contact = serde_json::json!({ "contactFirstname": "Sam", "contactLastname": "Ito", "contactEmailAddress": "s@example.net" });
        contact[field] = mask.into();
        let info = serde_json::json!({ "id": guest.portal_id, "name": guest.portal_name });
        let list = serde_json::json!({ "participants": [{ "portalInfo": info, "collaborationRole": "Guest", "config": contact }] });
        let path = format!("/collaborations/{}/participants?", guest.collaboration_id);
        let _listed = app.with_fault(&path, Fault::Instead(json(&list.to_string()))).await;
        let listed = participants(&app.steward.context.access, &app.site).await.unwrap();
        let listed = listed.into_iter().find(|one| one.participant_id == guest.portal_id).unwrap();
        let updates = app.with_fault("/updateInfo", Fault::AnswerLost).await;
        let mut form = UpdateParticipantForm {
            collaboration_id: listed.collaboration_id,
            participant_id: listed.participant_id,
            contact_firstname: listed.contact_firstname,
            contact_lastname: listed.contact_lastname,
            contact_email_address: listed.contact_email_address,
        };
        // The user corrects another field.
        match field {
            "contactLastname" => form.contact_firstname = "Zoë".to_owned(),
            _ => form.contact_lastname = "Müller".to_owned(),
        }

        let problem = app.update_participant(form).await.err();

        assert_eq!(problem, Some(Problem::form(field, FieldError::Masked)), "{mask}");
        assert_eq!(updates.met(), 0, "{mask}");
    }
    assert!(app.history().await.is_empty());
}

#[tokio::test]
async fn an_answer_about_another_participant_is_unknown_and_no_success() {
    let app = TestApp::new().await;
    let guest = guests(&app).await.remove(0);
    let ours = &guest.collaboration_id;
    for (named, is_ours) in [
        (format!(r#""collaborationId":"{ours}","portalId":"another""#), false),
        (format!(r#""collaborationId":"another","portalId":"{}""#, guest.portal_id), false),
        (format!(r#""collaborationId":"{ours}","portalId":"{}""#, guest.portal_id), true),
        (r#""portalId":null"#.to_owned(), true),
    ] {
        let way = app.with_fault("/updateInfo", answer(&format!(r#"{{"success":true,{named}}}"#))).await;

        let ended = app.update_participant(form(&guest)).await.unwrap();

        assert_eq!(matches!(ended, RunResult::Done { .. }), is_ours, "{named}: {ended:?}");
        // The participant is the right one, and has the contact of before.
        let outcome = if is_ours { Outcome::Warnings } else { Outcome::Unknown };
        assert_eq!((app.history().await[0].outcome, way.met()), (outcome, 1), "{named}");
        app.go_through(app.practice_address());
    }
}

/// Updates the contact of a participant as another user does, without the app.
pub(crate) async fn changed_by_another(app: &TestApp, collaboration: &str, participant: &str) {
    let site = app.sites().get(&app.site).unwrap();
    let access = &app.steward.context.access;
    let (portal, known) =
        (access.portal(&site).await.unwrap(), access.known(&app.current(&site)).await.unwrap());
    let update = UpdateParticipant {
        portal_id: known.portal_id,
        collaboration_id: collaboration.to_owned(),
        participant_id: participant.to_owned(),
        contact_firstname: "New".to_owned(),
        contact_lastname: "Other".to_owned(),
        contact_email_address: "other@example.org".to_owned(),
    };
    update.send(portal.permit_unchecked().await).await.unwrap();
}

#[tokio::test]
async fn a_contact_that_another_user_changed_since_it_was_listed_is_not_overwritten() {
    let app = TestApp::new().await;
    let guest = guests(&app).await.remove(0);
    // The first one is that of the other user.
    let updates = app.with_fault("/updateInfo", Fault::AnswerLost).await.sparing(1);
    participants(&app.steward.context.access, &app.site).await.unwrap();
    changed_by_another(&app, &guest.collaboration_id, &guest.portal_id).await;

    let refused = app.update_participant(form(&guest)).await.err();

    let why = PreconditionFailure::ContactChanged { contact: "New Other, other@example.org".to_owned() };
    assert_eq!(refused, Some(Problem::precondition_failed(why)));
    assert_eq!(updates.met(), 0);
    let record = app.history().await.remove(0);
    assert_eq!(record.outcome, Outcome::NotSent);
    assert!(record.note.contains("New Other, other@example.org"), "{}", record.note);

    // Once the user has seen it, the update is sent.
    app.go_through(app.practice_address());
    participants(&app.steward.context.access, &app.site).await.unwrap();
    let ended = app.update_participant(form(&guest)).await.unwrap();
    assert!(matches!(ended, RunResult::Done { .. }), "{ended:?}");
}

#[tokio::test]
async fn a_contact_that_cannot_be_read_again_is_not_overwritten() {
    let app = TestApp::new().await;
    let guest = guests(&app).await.remove(0);
    let updates = app.with_fault("/updateInfo", Fault::AnswerLost).await;
    let path = format!("/collaborations/{}/participants?", guest.collaboration_id);
    let refusal = answer(r#"{"error":{"code":500,"message":"No.","details":[]}}"#);
    // The first one is the list of the form.
    let way = FaultProxy::to(&updates.address(), &path, refusal).await.unwrap().sparing(1);
    app.go_through(&way.address());
    participants(&app.steward.context.access, &app.site).await.unwrap();

    let refused = app.update_participant(form(&guest)).await.err();

    assert!(matches!(refused, Some(Problem::Rejected { .. })), "{refused:?}");
    assert_eq!((updates.met(), app.history().await[0].outcome), (0, Outcome::NotSent));
}

async fn updated(app: &TestApp, guest: &Participant) -> UpdateReport {
    let ended = app.update_participant(form(guest)).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    report
}

/// Whether the history says that the contact was changed.
async fn is_changed(app: &TestApp) -> bool {
    let record = app.history().await.remove(0);
    let entry = history::entry(&app.steward.context.history, record).unwrap();
    matches!(entry.summary, Some(Summary::Contact { changed: true, .. }))
}

#[tokio::test]
async fn an_update_that_the_portal_confirms_and_does_not_make_is_told_with_the_contact_that_it_shows() {
    let app = TestApp::new().await;
    let guest = guests(&app).await.remove(0);
    let updates = app.with_fault("/updateInfo", answer(r#"{"success":true}"#)).await;

    let report = updated(&app, &guest).await;

    let Participant { contact_firstname, contact_lastname, contact_email_address, .. } = guest;
    let (firstname, lastname, email) = (contact_firstname, contact_lastname, contact_email_address);
    assert_eq!(report.shown, ShownContact::Other { firstname, lastname, email: email.clone() });
    let record = app.history().await.remove(0);
    assert_eq!((record.outcome, updates.met()), (Outcome::Warnings, 1));
    assert!(record.note.contains("shows another contact") && record.note.contains(&email), "{}", record.note);
    assert!(!is_changed(&app).await);
}

#[tokio::test]
async fn a_contact_that_cannot_be_read_again_is_updated_and_said_not_to_be_verified() {
    for fault in [Fault::Reset, answer(r#"{"error":{"code":403,"message":"No.","details":[]}}"#)] {
        let app = TestApp::new().await;
        let guest = guests(&app).await.remove(0);
        let reading = app.with_fault("/participants?", fault).await;

        let report = updated(&app, &guest).await;

        assert_eq!((report.shown, reading.met()), (ShownContact::NotRead, 1));
        let record = app.history().await.remove(0);
        assert_eq!(record.outcome, Outcome::Succeeded);
        assert!(record.note.contains("was not read"), "{}", record.note);
        assert!(is_changed(&app).await);
    }
}

#[tokio::test]
async fn an_address_that_the_portal_writes_in_lower_case_is_the_one_that_was_sent() {
    let app = TestApp::new().await;
    let guest = guests(&app).await.remove(0);
    let _way = app.with_fault("/participants?", Fault::Saying("Zoe+GIS@", "zoe+gis@")).await;
    let form =
        UpdateParticipantForm { contact_email_address: "Zoe+GIS@example.net".to_owned(), ..form(&guest) };

    let ended = app.update_participant(form).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert_eq!(report.shown, ShownContact::AsSent);
    assert_eq!(app.history().await[0].outcome, Outcome::Succeeded);
}

#[tokio::test]
async fn fields_that_the_portal_skipped_are_warnings_of_the_update() {
    let app = TestApp::new().await;
    let guest = guests(&app).await.remove(0);
    let skipped = r#""success":true,"skippedFields":["contactLastname"]"#;
    let _way = app.with_fault("/updateInfo", Fault::Saying(r#""success":true"#, skipped)).await;

    let report = updated(&app, &guest).await;

    assert_eq!(
        (report.shown, &report.warnings[..]),
        (ShownContact::AsSent, &["skippedFields: contactLastname".to_owned()][..])
    );
    let record = app.history().await.remove(0);
    assert_eq!(record.outcome, Outcome::Warnings);
    assert!(record.note.contains("skippedFields"), "{}", record.note);
    assert!(is_changed(&app).await);
}

#[tokio::test]
async fn an_update_that_the_portal_made_before_it_returned_an_error_of_its_own_is_not_said_to_have_failed() {
    let error = r#""error":{"code":500,"message":"Unable to notify.","details":[]}"#;
    let failed = Fault::Saying(r#""success":true"#, error);
    let rejected = answer(&format!("{{{error}}}"));
    for (fault, outcome) in [(failed, Outcome::Unknown), (rejected, Outcome::Failed)] {
        let app = TestApp::new().await;
        let guest = guests(&app).await.remove(0);
        let updates = app.with_fault("/updateInfo", fault).await;

        let ended = app.update_participant(form(&guest)).await;

        assert_eq!(matches!(ended, Ok(RunResult::Unknown { .. })), outcome == Outcome::Unknown, "{ended:?}");
        assert_eq!((app.history().await[0].outcome, updates.met()), (outcome, 1));
    }
}
