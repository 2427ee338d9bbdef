use steward_client::listing::{self, Participant};
use steward_core::model::problem::Problem;
use steward_core::model::run_result::Ended;
use steward_core::operations::update_participant::{UpdateParticipantForm, perform};

use crate::desk::Desk;

async fn guests(desk: &Desk) -> Vec<Participant> {
    let site = desk.host.sites.get(&desk.site).unwrap();
    let (portal, known) = (desk.host.portal(&site).await.unwrap(), desk.host.known(&site).await.unwrap());
    let mut participants = listing::participants(&portal, &known.portal_id).await.unwrap();
    participants.retain(|participant| participant.role == "Guest");
    participants
}

fn form(participant: &Participant) -> UpdateParticipantForm {
    UpdateParticipantForm {
        collaboration_id: participant.collaboration_id.clone(),
        participant_id: participant.portal_id.clone(),
        contact_firstname: "Zoë".to_owned(),
        contact_lastname: "Müller & Söhne".to_owned(),
        contact_email_address: "zoe+gis@example.net".to_owned(),
    }
}

#[tokio::test]
async fn a_corrected_contact_is_read_back_letter_by_letter() {
    let desk = Desk::new().await;
    let guest = guests(&desk).await.remove(0);

    let ended = perform(&desk.host, &desk.site, desk.run(), form(&guest)).await.unwrap();

    let Ended::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert_eq!(
        (report.collaboration_id, report.portal_id),
        (guest.collaboration_id.clone(), guest.portal_id)
    );
    let after = guests(&desk).await.remove(0);
    assert_eq!(after.contact_firstname, "Zoë");
    assert_eq!(after.contact_lastname, "Müller & Söhne");
    assert_eq!(after.contact_email_address, "zoe+gis@example.net");
}

#[tokio::test]
async fn a_participant_that_is_not_there_is_refused() {
    let desk = Desk::new().await;
    let mut form = form(&guests(&desk).await[0]);
    form.participant_id = "nobody".to_owned();

    let problem = perform(&desk.host, &desk.site, desk.run(), form).await.err().unwrap();

    assert!(matches!(problem, Problem::Refused { .. }), "{problem:?}");
}
