use std::path::Path;
use std::time::{Duration, SystemTime};

use steward_client::listing;
use steward_core::follow_up::outcome_check::{
    CheckFact, OutcomeCheck, Suggestion, check, settle, settlement,
};
use steward_core::model::problem::Problem;
use steward_core::model::retry_policy::Persistence;
use steward_core::model::run_result::{Ended, RecordId};
use steward_core::model::saved_file::Saving;
use steward_core::operations::deactivate_webhooks::deactivation_log;
use steward_core::operations::deactivate_webhooks::{self, DeactivateWebhooksForm};
use steward_core::operations::export_server::{self, ExportServerForm, ServerExportPlace};
use steward_core::operations::refresh_invitation::{self, RefreshInvitationForm, save_kept};
use steward_core::operations::update_participant::{self, UpdateParticipantForm};
use steward_core::operations::{export_portal, import_server};
use steward_core::transfers::upload::{UploadSource, upload};
use steward_journal::{Intent, Outcome};
use steward_testkit::Fault;

use crate::desk::{Desk, files_in};
use crate::export_portal::to;

/// The newest record, whose answer was lost, looked at over an undisturbed way.
async fn newest(desk: &Desk) -> (RecordId, OutcomeCheck) {
    desk.go_through(desk.practice_address());
    let newest = desk.history().await.remove(0);
    assert_eq!(newest.outcome, Outcome::Unknown);
    let record = RecordId(newest.id);
    let seen = check(&desk.host, &record).await.unwrap();
    assert!(matches!(seen.facts[0], CheckFact::SiteAnswers { .. }), "{seen:?}");
    (record, seen)
}

/// The site never hears of it, and nobody knows.
fn never_heard() -> Fault {
    Fault::Instead(Vec::new())
}

#[tokio::test]
async fn of_a_portal_export_the_file_is_looked_for() {
    let desk = Desk::new().await;
    let folder = desk.folder("exports");
    // An older export in the same folder is not taken for this one.
    export_portal::perform(&desk.host, &desk.site, desk.run(), to(&folder, false)).await.unwrap();
    for name in files_in(&folder) {
        let old = std::fs::File::options().append(true).open(folder.join(name)).unwrap();
        old.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    }
    for (fault, done) in [(never_heard(), false), (Fault::AnswerLost, true)] {
        let _way = desk.with_fault("/portaladmin/exportSite", fault).await;
        export_portal::perform(&desk.host, &desk.site, desk.run(), to(&folder, false)).await.unwrap();

        let (_, seen) = newest(&desk).await;

        let whole = |fact: &CheckFact| matches!(fact, CheckFact::FileHere { whole: true, .. });
        assert_eq!(seen.facts.iter().any(whole), done, "{seen:?}");
        let suggested = if done { Suggestion::Done } else { Suggestion::Unclear };
        assert_eq!(seen.suggestion, suggested, "an export that is not there may still be running");
    }
    let _way = desk.with_fault("/portaladmin/exportSite", Fault::AnswerLost).await;
    let unseen = to(Path::new("/only/the/portal/sees/this"), false);
    let _ = export_portal::perform(&desk.host, &desk.site, desk.run(), unseen).await;
    let (_, seen) = newest(&desk).await;
    assert!(matches!(seen.facts[1], CheckFact::FolderNotHere { .. }), "{seen:?}");
}

#[tokio::test]
async fn of_a_stored_export_a_new_upload_is_looked_for_by_the_servers_clock() {
    let desk = Desk::new().await;
    // An older upload is not taken for this one.
    let form = ExportServerForm { place: ServerExportPlace::ThisComputer };
    desk.dialogs.will_choose(&desk.folder("desk").join("old.agssite"));
    export_server::perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();
    let database = rusqlite::Connection::open(desk.practice_folder().join("server/server.db")).unwrap();
    assert_eq!(database.execute("UPDATE uploads SET created = created - 60000", []).unwrap(), 1);
    for (fault, new) in [(never_heard(), 0), (Fault::AnswerLost, 1)] {
        desk.dialogs.will_choose(&desk.folder("desk").join("a.agssite"));
        let _way = desk.with_fault("/admin/exportSite", fault).await;
        let form = ExportServerForm { place: ServerExportPlace::ThisComputer };
        export_server::perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();

        let (_, seen) = newest(&desk).await;

        let uploads = seen.facts.iter().filter(|fact| matches!(fact, CheckFact::NewUpload { .. }));
        assert_eq!(uploads.count(), new, "{seen:?}");
        assert!(seen.facts.iter().any(|fact| matches!(fact, CheckFact::FileNotHere { .. })), "{seen:?}");
        assert_eq!(seen.suggestion, if new > 0 { Suggestion::Done } else { Suggestion::Unclear });
    }
}

#[tokio::test]
async fn what_somebody_else_wrote_or_uploaded_meanwhile_is_shown_and_is_no_sign_of_an_export() {
    let desk = Desk::new().await;
    let folder = desk.folder("exports");
    let archive = desk.folder("desk").join("other.portalsite");
    export_portal::perform(&desk.host, &desk.site, desk.run(), to(&folder, false)).await.unwrap();
    std::fs::rename(folder.join(&files_in(&folder)[0]), &archive).unwrap();
    let _way = desk.with_fault("/portaladmin/exportSite", never_heard()).await;
    export_portal::perform(&desk.host, &desk.site, desk.run(), to(&folder, false)).await.unwrap();
    for (name, suggested) in [
        ("photos.zip", Suggestion::Unclear),
        ("One.PORTALSITE", Suggestion::Done),
        ("another.portalsite", Suggestion::Unclear),
    ] {
        std::fs::write(folder.join(name), std::fs::read(&archive).unwrap()).unwrap();

        let (_, seen) = newest(&desk).await;

        let is_shown =
            |fact: &CheckFact| matches!(fact, CheckFact::FileHere { path, .. } if path.ends_with(name));
        assert!(seen.facts.iter().any(is_shown), "{name}: {seen:?}");
        assert_eq!(seen.suggestion, suggested, "{name}");
    }

    let _way = desk.with_fault("/admin/exportSite", never_heard()).await;
    desk.dialogs.will_choose(&desk.folder("desk").join("a.agssite"));
    let form = ExportServerForm { place: ServerExportPlace::ThisComputer };
    export_server::perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();
    desk.go_through(desk.practice_address());
    let export = desk.history().await.remove(0);
    let other = desk.folder("desk").join("somebody.csv");
    std::fs::write(&other, "a,b\n").unwrap();
    desk.dialogs.will_choose(&other);
    let whole = UploadSource::Choose { part_mebibytes: 1 };
    upload(&desk.host, &desk.site, desk.run(), whole).await.unwrap();

    let seen = check(&desk.host, &RecordId(export.id)).await.unwrap();

    assert!(seen.facts.iter().any(|fact| matches!(fact, CheckFact::NewUpload { .. })), "{seen:?}");
    assert_eq!(seen.suggestion, Suggestion::Unclear);
}

#[tokio::test]
async fn of_an_import_nothing_is_concluded_that_cannot_be_seen() {
    let desk = Desk::new().await;
    let _way = desk.with_fault("/admin/importSite", never_heard()).await;
    let form = import_server::ImportServerForm {
        location: "/exports/a.agssite".to_owned(),
        confirmation: "City GIS".to_owned(),
        parachute: None,
    };
    import_server::perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();

    let (_, seen) = newest(&desk).await;

    assert!(matches!(seen.facts[1], CheckFact::Services { count: 16 }), "{seen:?}");
    assert_eq!(seen.suggestion, Suggestion::Unclear);
}

#[tokio::test]
async fn of_a_deactivation_and_of_a_restoration_the_webhooks_are_looked_at() {
    let desk = Desk::new().await;
    let form = || DeactivateWebhooksForm {
        services: vec!["Hosted/Hydrants.FeatureServer".to_owned()],
        why: String::new(),
        confirmation: String::new(),
    };
    for (fault, suggested) in [(never_heard(), Suggestion::NotDone), (Fault::AnswerLost, Suggestion::Done)] {
        let _way = desk.with_fault("/deactivateAll", fault).await;
        deactivate_webhooks::perform(&desk.host, &desk.site, desk.run(), form()).await.unwrap();
        let (_, seen) = newest(&desk).await;
        assert_eq!(seen.suggestion, suggested, "{seen:?}");
    }
    let entry = deactivation_log::ledger(&desk.host, None).await.unwrap().remove(1).id;
    let _way = desk.with_fault("/edit", never_heard()).await;
    deactivation_log::restore(&desk.host, &desk.site, desk.run(), entry).await.unwrap();
    let (_, seen) = newest(&desk).await;
    assert_eq!(seen.suggestion, Suggestion::NotDone, "{seen:?}");
}

#[tokio::test]
async fn of_a_contact_what_the_portal_has_is_compared_with_what_was_sent() {
    let desk = Desk::new().await;
    let site = desk.host.sites.get(&desk.site).unwrap();
    let (portal, known) = (desk.host.portal(&site).await.unwrap(), desk.host.known(&site).await.unwrap());
    let participants = listing::participants(&portal, &known.portal_id).await.unwrap();
    let guest = participants.iter().find(|one| one.role == "Guest").unwrap();
    for (fault, suggested) in [(never_heard(), Suggestion::NotDone), (Fault::AnswerLost, Suggestion::Done)] {
        let _way = desk.with_fault("/updateInfo", fault).await;
        let form = UpdateParticipantForm {
            collaboration_id: guest.collaboration_id.clone(),
            participant_id: guest.portal_id.clone(),
            contact_firstname: "Zoë".to_owned(),
            contact_lastname: "Müller".to_owned(),
            contact_email_address: "zoe@example.net".to_owned(),
        };
        update_participant::perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();
        let (_, seen) = newest(&desk).await;
        assert_eq!(seen.suggestion, suggested, "{seen:?}");
    }
}

#[tokio::test]
async fn an_invitation_whose_refresh_was_lost_is_fetched_and_saved() {
    let desk = Desk::new().await;
    let site = desk.host.sites.get(&desk.site).unwrap();
    let (portal, known) = (desk.host.portal(&site).await.unwrap(), desk.host.known(&site).await.unwrap());
    let invitation = listing::invitations(&portal, &known.portal_id).await.unwrap().remove(0);
    let form = || RefreshInvitationForm {
        collaboration_id: invitation.collaboration_id.clone(),
        invitation_id: invitation.id.clone(),
    };
    let _way = desk.with_fault("/refresh", never_heard()).await;
    refresh_invitation::perform(&desk.host, &desk.site, desk.run(), form()).await.unwrap();
    let (_, seen) = newest(&desk).await;
    assert_eq!(seen.suggestion, Suggestion::NotDone, "{seen:?}");

    let _way = desk.with_fault("/refresh", Fault::AnswerLost).await;
    refresh_invitation::perform(&desk.host, &desk.site, desk.run(), form()).await.unwrap();
    let (_, seen) = newest(&desk).await;

    assert_eq!(seen.suggestion, Suggestion::Done, "{seen:?}");
    let CheckFact::Invitation { kept: Some(kept), refreshed: true, .. } = &seen.facts[1] else {
        panic!("{seen:?}")
    };
    let place = desk.folder("desk").join("guest.invite");
    desk.dialogs.will_choose(&place);
    let saving = save_kept(&desk.host, kept).await.unwrap();
    assert!(matches!(saving, Saving::Saved { .. }), "{saving:?}");
    let saved: serde_json::Value = serde_json::from_slice(&std::fs::read(&place).unwrap()).unwrap();
    assert_eq!(saved["invitationRequest"]["id"], invitation.id);
}

#[tokio::test]
async fn what_a_person_found_out_is_written_down_once_and_nothing_else_can_be_settled() {
    let desk = Desk::new().await;
    let folder = desk.folder("exports");
    let ended = export_portal::perform(&desk.host, &desk.site, desk.run(), to(&folder, false)).await.unwrap();
    let Ended::Done { record: Some(answered), .. } = ended else { panic!("{ended:?}") };
    assert!(settle(&desk.host, answered, Outcome::Failed, "").await.is_err(), "the site has answered");
    let _way = desk.with_fault("/portaladmin/exportSite", Fault::AnswerLost).await;
    export_portal::perform(&desk.host, &desk.site, desk.run(), to(&folder, false)).await.unwrap();
    let (record, _) = newest(&desk).await;
    for no_end in [Outcome::Sent, Outcome::Unknown] {
        assert!(matches!(settle(&desk.host, record.clone(), no_end, "").await, Err(Problem::Form { .. })));
    }

    settle(&desk.host, record.clone(), Outcome::Succeeded, " the file is there ").await.unwrap();

    let desk = desk.restarted();
    let whole = desk.history().await.remove(0);
    assert_eq!(whole.outcome, Outcome::Succeeded);
    let settled = settlement(&desk.host, record.clone()).await.unwrap().unwrap();
    assert_eq!(settled.note, "the file is there");
    assert_eq!(Some(settled.by), desk.host.sites.get(&desk.site).unwrap().username);
    assert!(settle(&desk.host, record, Outcome::Failed, "").await.is_err());
}

#[tokio::test]
async fn a_check_sends_nothing_that_has_an_effect() {
    let desk = Desk::new().await;
    let folder = desk.folder("exports");
    let _way = desk.with_fault("/portaladmin/exportSite", never_heard()).await;
    export_portal::perform(&desk.host, &desk.site, desk.run(), to(&folder, false)).await.unwrap();
    let record = RecordId(desk.history().await.remove(0).id);
    let posts = desk.with_fault("POST ", Fault::AnswerLost).await;

    check(&desk.host, &record).await.unwrap();

    assert_eq!(posts.met(), 0);
}

#[tokio::test]
async fn a_deactivation_that_an_earlier_version_wrote_down_in_one_text_is_looked_at_service_by_service() {
    let desk = Desk::new().await;
    let saved = desk.host.sites.get(&desk.site).unwrap();
    let intent = Intent {
        site: saved.id.0.clone(),
        operation: "deactivate_webhooks".to_owned(),
        parameters: vec![(
            "services".to_owned(),
            "Hosted/Hydrants.FeatureServer, Water/Mains.FeatureServer".to_owned(),
        )],
        ..Intent::default()
    };
    let record = desk.host.journal(move |journal| journal.intend(&intent)).await.unwrap();

    let seen = check(&desk.host, &RecordId(record)).await.unwrap();

    let services: Vec<_> = seen
        .facts
        .iter()
        .filter_map(|fact| match fact {
            CheckFact::Webhooks { service, .. } => Some(service.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(services, ["Hosted/Hydrants.FeatureServer", "Water/Mains.FeatureServer"]);
}

#[tokio::test]
async fn of_an_upload_whose_answer_was_lost_the_stored_file_is_looked_for() {
    let mut desk = Desk::new().await;
    desk.host.persistence = Persistence { tries: 0, pause: Duration::ZERO, stalled: Duration::from_secs(5) };
    let path = desk.folder("desk").join("survey.csv");
    std::fs::write(&path, "a,b\n1,2\n").unwrap();
    let choose = || UploadSource::Choose { part_mebibytes: 100 };
    desk.dialogs.will_choose(&path);
    let _way = desk.with_fault("/uploads/upload", Fault::Instead(Vec::new())).await;
    upload(&desk.host, &desk.site, desk.run(), choose()).await.unwrap();

    let (_, seen) = newest(&desk).await;

    assert_eq!(seen.facts[1], CheckFact::NoNewUpload);
    assert_eq!(seen.suggestion, Suggestion::Unclear);
}
