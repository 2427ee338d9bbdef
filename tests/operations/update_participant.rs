use steward_client::listing::{self, Participant};
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::update_participant::UpdateParticipantForm;
use steward_journal::Outcome;
use steward_testkit::{Fault, until};

use crate::test_app::TestApp;

pub(crate) async fn guests(app: &TestApp) -> Vec<Participant> {
    let site = app.sites().get(&app.site).unwrap();
    let (portal, known) = (
        app.steward.context.access.portal(&site).await.unwrap(),
        app.steward.context.access.known(&site).await.unwrap(),
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
