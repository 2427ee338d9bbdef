//! Contact sheets: what a file says beside what the portal has, and several contacts changed in one run.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use steward_core::actions::sign_in::leave;
use steward_core::batch::result::{BatchItemResult, BatchResult};
use steward_core::listings::{ParticipantView, participants};
use steward_core::model::problem::{FieldError as FormFault, PreconditionFailure, Problem};
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::update_participant::contacts_file::files::{read, save, save_template};
use steward_core::operations::update_participant::contacts_file::{
    self, ContactsFile, ContactsFileEncoding, ContactsFileError, ContactsFileReading, RowVerdict,
};
use steward_core::operations::update_participant::{UpdateParticipantForm, UpdateReport, perform_several};
use steward_core::sites::Site;
use steward_journal::Outcome;
use steward_testkit::{Fault, until};
use tokio::sync::Notify;

use crate::odd_sites::json;
use crate::test_app::{TestApp, files_in};
use crate::update_participant::changed_by_another;

/// Those of collaborations that this portal hosts.
async fn guests(app: &TestApp) -> Vec<ParticipantView> {
    let mut guests = participants(&app.steward.context.access, &app.site).await.unwrap();
    guests.retain(|one| one.role == "Guest" && one.collaboration_name != "County Base Map");
    assert_eq!(guests.len(), 3);
    guests
}

fn form(of: &ParticipantView, firstname: &str) -> UpdateParticipantForm {
    UpdateParticipantForm {
        collaboration_id: of.collaboration_id.clone(),
        participant_id: of.participant_id.clone(),
        contact_firstname: firstname.to_owned(),
        contact_lastname: of.contact_lastname.clone(),
        contact_email_address: of.contact_email_address.clone(),
    }
}

async fn change(app: &TestApp, forms: Vec<UpdateParticipantForm>) -> BatchResult<UpdateReport> {
    match perform_several(&app.steward.context, &app.steward.contacts_batches, &app.site, app.run(), forms)
        .await
        .unwrap()
    {
        RunResult::Done { report, .. } => report,
        other => panic!("{other:?}"),
    }
}

fn ends<T>(several: &BatchResult<T>) -> Vec<&'static str> {
    let end = |part: &BatchItemResult<T>| match part {
        BatchItemResult::Done { .. } => "done",
        BatchItemResult::Rejected { .. } => "refused",
        BatchItemResult::Unknown { .. } => "unknown",
        BatchItemResult::NotSent => "not sent",
    };
    several.parts.iter().map(end).collect()
}

async fn names(app: &TestApp) -> Vec<String> {
    guests(app).await.into_iter().map(|one| one.contact_firstname).collect()
}

fn sheet(app: &TestApp, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = app.folder("desk").join("contacts.csv");
    std::fs::write(&path, bytes).unwrap();
    path
}

async fn understood(app: &TestApp, bytes: impl AsRef<[u8]>) -> ContactsFile {
    app.dialogs.will_choose(&sheet(app, bytes));
    match read(&app.steward.context.access, &app.steward.dialogs, &app.site, None).await.unwrap() {
        ContactsFileReading::Read { sheet } => sheet,
        other => panic!("{other:?}"),
    }
}

fn verdicts(sheet: &ContactsFile) -> Vec<&RowVerdict> {
    sheet.rows.iter().map(|row| &row.verdict).collect()
}

#[tokio::test]
async fn a_file_in_which_every_row_fits_thousands_of_participants_is_read() {
    let app = TestApp::new().await;
    let guest = guests(&app).await.remove(0);
    // One portal that takes part in twenty thousand collaborations.
    let of =
        |at: usize| ParticipantView { collaboration_name: format!("Collaboration {at}"), ..guest.clone() };
    let participants: Vec<_> = (0..20_000).map(of).collect();
    let rows: String =
        (0..20_000).map(|at| format!("{},Collaboration {at},Ana\n", guest.portal_name)).collect();
    let path = sheet(&app, format!("Portal,Collaboration,First name\n{rows}"));

    let read = contacts_file::read(&path, &participants).unwrap();

    let ContactsFileReading::Read { sheet } = read else { panic!("{read:?}") };
    assert!(verdicts(&sheet).iter().all(|verdict| **verdict == RowVerdict::Changes));
    assert_eq!(sheet.rows[19_999].participant.as_ref().unwrap().collaboration_name, "Collaboration 19999");
}

#[tokio::test]
async fn a_file_with_millions_of_empty_lines_is_read() {
    let app = TestApp::new().await;
    let path = sheet(&app, format!("{}Portal", "\n".repeat(16 * 1024 * 1024 - 6)));

    let read = contacts_file::read(&path, &[]).unwrap();

    let ContactsFileReading::Unusable { fault, .. } = read else { panic!("{read:?}") };
    assert_eq!(fault, ContactsFileError::NoContactColumn);
}

#[tokio::test]
async fn several_contacts_are_changed_one_after_the_other_with_a_record_each() {
    let app = TestApp::new().await;
    let guests = guests(&app).await;
    // Counts what passes and harms nobody.
    let way = app.with_fault("/updateInfo", Fault::Announcing(0)).await.only(0);
    let mut forms: Vec<_> = guests.iter().map(|one| form(one, "Zoë")).collect();
    forms[1].participant_id = "nobody".to_owned();

    let several = change(&app, forms).await;

    assert_eq!(ends(&several), ["done", "refused", "done"]);
    assert!(matches!(&several.parts[1], BatchItemResult::Rejected { problem: Problem::Rejected { .. } }));
    assert!(!several.stopped);
    let outcomes: Vec<_> = app.history().await.iter().map(|record| record.outcome).collect();
    assert_eq!(outcomes, [Outcome::Succeeded, Outcome::Failed, Outcome::Succeeded]);
    assert_eq!(names(&app).await, ["Zoë", guests[1].contact_firstname.as_str(), "Zoë"]);
    assert!(app.steward.context.runs.all().is_empty());
    drop(way);
}

#[tokio::test]
async fn a_lost_answer_in_the_middle_ends_the_run_and_nothing_is_sent_twice() {
    let app = TestApp::new().await;
    let guests = guests(&app).await;
    let forms: Vec<_> = guests.iter().map(|one| form(one, "Zoë")).collect();
    let second = format!("{}/updateInfo", guests[1].participant_id);
    let way = app.with_fault(&second, Fault::AnswerLost).await;

    let several = change(&app, forms).await;

    assert_eq!(ends(&several), ["done", "unknown", "not sent"]);
    assert_eq!(way.met(), 1, "sent once");
    let app = app.without_fault(way);
    // It did happen, and nobody claims otherwise.
    assert_eq!(names(&app).await, ["Zoë", "Zoë", guests[2].contact_firstname.as_str()]);
    let outcomes: Vec<_> = app.history().await.iter().map(|record| record.outcome).collect();
    assert_eq!(outcomes, [Outcome::Unknown, Outcome::Succeeded], "what was not sent has no record");
}

#[tokio::test]
async fn stop_lets_the_one_under_way_end_and_sends_no_other() {
    let app = TestApp::new().await;
    let guests = guests(&app).await;
    let forms: Vec<_> = guests.iter().map(|one| form(one, "Zoë")).collect();
    app.order("update_participant", "delay", &[("seconds", "1")]).await;
    let way = app.with_fault("/updateInfo", Fault::CutAfter(usize::MAX)).await;

    let stop = async {
        until("the request", async || way.met() == 1).await;
        app.steward.context.runs.stop(&app.run());
    };
    let (several, ()) = tokio::join!(change(&app, forms), stop);

    assert_eq!(ends(&several), ["done", "not sent", "not sent"]);
    assert!(several.stopped);
    assert_eq!(app.history().await.len(), 1);
    assert_eq!(names(&app).await[1..], [guests[1].contact_firstname.as_str(), &guests[2].contact_firstname]);
}

#[tokio::test]
async fn a_list_with_one_participant_twice_or_with_a_wrong_address_is_not_begun() {
    let app = TestApp::new().await;
    let guest = guests(&app).await.remove(0);
    let send = async |forms| {
        perform_several(&app.steward.context, &app.steward.contacts_batches, &app.site, app.run(), forms)
            .await
            .err()
            .unwrap()
    };

    assert!(matches!(send(vec![form(&guest, "A"), form(&guest, "B")]).await, Problem::Unexpected { .. }));
    assert!(matches!(send(Vec::new()).await, Problem::Form { .. }));
    let mut wrong = form(&guest, "A");
    wrong.contact_email_address = "nobody".to_owned();
    assert!(matches!(send(vec![wrong]).await, Problem::Form { .. }));
    assert!(app.history().await.is_empty());
}

#[tokio::test]
async fn a_template_that_was_corrected_changes_what_was_corrected_and_nothing_else() {
    let app = TestApp::new().await;
    let path = app.folder("desk").join("contacts.csv");
    app.dialogs.will_choose(&path);
    assert!(matches!(
        save_template(&app.steward.context.access, &app.steward.dialogs, &app.site).await,
        Ok(SaveResult::Saved { .. })
    ));
    assert_eq!(app.dialogs.suggested(), ["Contacts of City GIS.csv"]);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("Regional Water Board"), "{text}");

    let corrected = understood(&app, text.replace("Robin", "Kim").replace(',', ";")).await;

    assert_eq!(corrected.encoding, ContactsFileEncoding::Utf8);
    let changing: Vec<_> = corrected.rows.iter().filter(|row| row.verdict == RowVerdict::Changes).collect();
    let [one] = &changing[..] else { panic!("{changing:?}") };
    assert_eq!(one.contact.contact_firstname, "Kim");
    assert_eq!(one.participant.as_ref().unwrap().contact_firstname, "Robin");
    assert!(corrected.rows.iter().all(|row| matches!(row.verdict, RowVerdict::Changes | RowVerdict::Same)));
}

#[tokio::test]
async fn every_row_that_is_not_sent_says_why() {
    let app = TestApp::new().await;
    let text = "E-mail;Portal;First name;Collaboration\n\
                kim@example.net;Regional Water Board;Kim;\n\
                ;Rivers County;Alex;Flood Response\n\
                a@example.net;rivers county;Alex;\n\
                a@example.net;Nowhere;Ana;\n\
                a@example.net;;Ana;\n\
                nobody;Elderbrook University;Ana;\n";

    let sheet = understood(&app, text).await;

    assert_eq!(
        verdicts(&sheet),
        [
            &RowVerdict::Changes,
            &RowVerdict::Same,
            // It is host of another collaboration too.
            &RowVerdict::Ambiguous,
            &RowVerdict::Unmatched,
            &RowVerdict::Nameless,
            &RowVerdict::Faulty { field: "contactEmailAddress".to_owned(), fault: FormFault::NotAnEmail },
        ]
    );
    assert_eq!(sheet.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7]);
    assert_eq!(sheet.rows[0].contact.contact_lastname, "Brook", "an empty cell leaves what is there");
}

#[tokio::test]
async fn a_row_that_leaves_a_masked_value_as_it_is_says_which_one_to_fill_in() {
    let app = TestApp::new().await;
    let guest = guests(&app).await.remove(0);
    let contact = serde_json::json!({ "contactFirstname": "****", "contactLastname": "Ito", "contactEmailAddress": "a@example.net" });
    let info = serde_json::json!({ "id": guest.participant_id, "name": "Masked Portal" });
    let list = serde_json::json!({ "participants": [{ "portalInfo": info, "collaborationRole": "Guest", "config": contact }] });
    let path = format!("/collaborations/{}/participants?", guest.collaboration_id);
    let _listed = app.with_fault(&path, Fault::Instead(json(&list.to_string()))).await;

    let left = understood(&app, "Portal;First name;Last name\nMasked Portal;;Brook\n").await;
    let filled_in = understood(&app, "Portal;First name;Last name\nMasked Portal;Ana;Brook\n").await;

    let masked = RowVerdict::Faulty { field: "contactFirstname".to_owned(), fault: FormFault::Masked };
    assert_eq!(verdicts(&left), [&masked]);
    assert_eq!(verdicts(&filled_in), [&RowVerdict::Changes]);
}

#[tokio::test]
async fn a_present_name_that_looks_like_a_formula_does_not_prevent_a_new_email_address() {
    let app = TestApp::new().await;
    let guest = guests(&app).await.remove(0);
    let contact = serde_json::json!({ "contactFirstname": "=1+1", "contactLastname": "Ito", "contactEmailAddress": "a@example.net" });
    let info = serde_json::json!({ "id": guest.participant_id, "name": "Formula Portal" });
    let list = serde_json::json!({ "participants": [{ "portalInfo": info, "collaborationRole": "Guest", "config": contact }] });
    let path = format!("/collaborations/{}/participants?", guest.collaboration_id);
    let _listed = app.with_fault(&path, Fault::Instead(json(&list.to_string()))).await;
    let row = |email: &str| format!("Portal;First name;Email address\nFormula Portal;'=1+1;{email}\n");

    let same = understood(&app, row("a@example.net")).await;
    let changed = understood(&app, row("b@example.net")).await;

    assert_eq!((verdicts(&same), verdicts(&changed)), (vec![&RowVerdict::Same], vec![&RowVerdict::Changes]));
}

#[tokio::test]
async fn hostile_sheets_are_read_without_harm() {
    let app = TestApp::new().await;
    let rows = [
        "Regional Water Board,\"=HYPERLINK(\"\"https://evil.example\"\")\",a@example.net".to_owned(),
        format!("Elderbrook University,{},a@example.net", "x".repeat(10 * 1024 * 1024)),
        "Nowhere,\"two\nlines\",a@example.net,,,surplus".to_owned(),
    ];
    let sheet = understood(&app, format!("Portal,First name,Email\n{}\n", rows.join("\n"))).await;
    let faulty = |fault| RowVerdict::Faulty { field: "contactFirstname".to_owned(), fault };
    assert_eq!(
        verdicts(&sheet),
        [&faulty(FormFault::Formula), &faulty(FormFault::TooManyLetters), &RowVerdict::TooManyCells]
    );
    let told = serde_json::to_string(&sheet).unwrap();
    assert!(told.len() < 10_000, "no cell of ten million letters goes to the window: {}", told.len());

    // The window sends the contact of a row as it gets it.
    let long = "Abcdefghij".repeat(23);
    let sheet = understood(&app, format!("Portal,First name\nRegional Water Board,{long}\n")).await;
    assert_eq!(verdicts(&sheet), [&RowVerdict::Changes]);
    assert_eq!(sheet.rows[0].contact.contact_firstname, long);

    let twice = "Portal,First name\nRegional Water Board,Kim\nElderbrook University,Ana\n\
                 https://no,x\nRegional Water Board,Lee\n";
    let sheet = understood(&app, twice).await;
    let repeated = RowVerdict::Repeated { lines: vec![2, 5] };
    assert_eq!(verdicts(&sheet), [&repeated, &RowVerdict::Changes, &RowVerdict::Unmatched, &repeated]);

    let many: String = (0..5_000).map(|row| format!("Portal {row},Ana\n")).collect();
    let sheet = understood(&app, format!("Portal,First name\n{many}Regional Water Board,Kim\n")).await;
    assert_eq!(sheet.rows.len(), 5_001);
    assert_eq!(sheet.rows[5_000].verdict, RowVerdict::Changes);
}

#[tokio::test]
async fn the_letters_of_a_windows_spreadsheet_are_read_and_the_guess_is_said() {
    let app = TestApp::new().await;
    let sheet = understood(&app, b"Portal;First name\r\nRegional Water Board;Zo\xeb\r\n").await;
    assert_eq!(sheet.encoding, ContactsFileEncoding::Windows1252);
    assert_eq!(sheet.rows[0].contact.contact_firstname, "Zoë");
}

#[tokio::test]
async fn a_file_that_is_no_sheet_is_an_answer_and_one_that_is_not_there_a_problem() {
    let app = TestApp::new().await;
    let fault = async |bytes: &[u8]| {
        app.dialogs.will_choose(&sheet(&app, bytes));
        match read(&app.steward.context.access, &app.steward.dialogs, &app.site, None).await {
            Ok(ContactsFileReading::Unusable { file, fault }) => {
                assert_eq!(file, "contacts.csv");
                fault
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(fault(b"").await, ContactsFileError::Empty);
    assert_eq!(fault(b"PK\x03\x04\x14\0").await, ContactsFileError::Workbook);
    assert_eq!(fault(&vec![b'a'; 17 * 1024 * 1024]).await, ContactsFileError::TooLarge);
    assert!(matches!(
        read(&app.steward.context.access, &app.steward.dialogs, &app.site, None).await,
        Ok(ContactsFileReading::Dismissed)
    ));
    let absent = app.folder("desk").join("absent.csv");
    app.dialogs.will_choose(&absent);
    assert!(matches!(
        read(&app.steward.context.access, &app.steward.dialogs, &app.site, None).await,
        Err(Problem::File { .. })
    ));
}

#[tokio::test]
async fn a_file_is_read_when_it_was_dropped_and_not_because_the_window_names_it() {
    let app = TestApp::new().await;
    let path = sheet(&app, "Portal,First name\nRegional Water Board,Kim\n");
    let refused =
        read(&app.steward.context.access, &app.steward.dialogs, &app.site, Some(path.display().to_string()))
            .await;
    assert!(matches!(refused, Err(Problem::Unexpected { .. })), "{refused:?}");

    app.steward.dialogs.dropped.remember(&path);

    let read =
        read(&app.steward.context.access, &app.steward.dialogs, &app.site, Some(path.display().to_string()))
            .await;
    assert!(matches!(read, Ok(ContactsFileReading::Read { .. })), "{read:?}");
}

#[tokio::test]
async fn a_saved_table_runs_nothing_in_a_spreadsheet_and_leaves_its_folder_alone() {
    let app = TestApp::new().await;
    let place = app.folder("desk").join("results.csv");
    app.dialogs.will_choose(&place);
    let rows =
        [vec!["Portal".to_owned(), "Result".to_owned()], vec!["=1+1".to_owned(), "a \"b\", c".to_owned()]];

    let saving = save(&app.steward.dialogs, "../results", &rows).await.unwrap();

    assert!(matches!(saving, SaveResult::Saved { .. }), "{saving:?}");
    assert_eq!(app.dialogs.suggested(), ["results.csv"]);
    let text = std::fs::read_to_string(&place).unwrap();
    assert_eq!(text, "\u{feff}\"Portal\",\"Result\"\r\n\"'=1+1\",\"a \"\"b\"\", c\"\r\n");
    assert_eq!(files_in(&app.folder("desk")), ["results.csv"]);
}

#[tokio::test]
async fn a_site_that_is_marked_read_only_in_the_middle_is_changed_no_more() {
    let app = TestApp::new().await;
    let forms: Vec<_> = guests(&app).await.iter().map(|one| form(one, "Zoë")).collect();
    let sent = Arc::new(Notify::new());
    let held = app.with_fault("/updateInfo", Fault::HeldUntil(sent.clone())).await.only(1);

    let mark = async {
        until("the first request", async || held.met() == 1).await;
        let site = app.sites().get(&app.site).unwrap();
        app.sites().put(Site { read_only: true, ..site }).unwrap();
        sent.notify_one();
    };
    let (several, ()) = tokio::join!(change(&app, forms), mark);

    assert_eq!(ends(&several), ["done", "refused", "not sent"]);
    assert!(matches!(&several.parts[1], BatchItemResult::Rejected { problem: Problem::ReadOnly { .. } }));
    assert_eq!(app.history().await.len(), 1);
}

#[tokio::test]
async fn what_is_sent_later_goes_the_way_that_leads_to_the_site_by_then() {
    let app = TestApp::new().await;
    let ca = app.folder("trust").join("ca.pem");
    std::fs::write(&ca, include_str!("../fixtures/expired-ca.pem")).unwrap();
    let site = app.sites().get(&app.site).unwrap();
    app.sites().put(Site { ca_certificate: Some(ca.clone()), ..site.clone() }).unwrap();
    app.steward.context.access.forget_known(&app.site);
    let forms: Vec<_> = guests(&app).await.iter().map(|one| form(one, "Zoë")).collect();
    app.order("update_participant", "delay", &[("seconds", "1")]).await;

    let withdrawn = async {
        until("the record", async || !app.history().await.is_empty()).await;
        let ready = app.practice.ready();
        let form = crate::test_app::form(Some(&app.site), &ready.portal, &ready.server);
        app.sites().save(&form).unwrap();
        app.steward.context.access.forget_known(&app.site);
        // Whoever still trusted it would have to read it.
        std::fs::remove_file(&ca).unwrap();
    };
    let (several, ()) = tokio::join!(change(&app, forms), withdrawn);

    assert_eq!(ends(&several), ["done", "done", "done"], "{several:?}");
}

#[tokio::test]
async fn what_one_person_began_is_not_sent_in_the_name_of_another() {
    let app = TestApp::new().await;
    let guests = guests(&app).await;
    let forms: Vec<_> = guests.iter().map(|one| form(one, "Zoë")).collect();
    let sent = Arc::new(Notify::new());
    let held = app.with_fault("/updateInfo", Fault::HeldUntil(sent.clone())).await.only(1);

    let another = async {
        until("the first request", async || held.met() == 1).await;
        leave(&app.steward.context, &app.site).await.unwrap();
        app.sign_in("administrator").await.unwrap();
        sent.notify_one();
    };
    let (several, ()) = tokio::join!(change(&app, forms), another);

    assert_eq!(ends(&several), ["done", "refused", "not sent"]);
    assert!(matches!(&several.parts[1], BatchItemResult::Rejected { problem: Problem::SignIn { .. } }));
    assert_eq!(app.history().await.len(), 1);
    let kept = app.steward.contacts_batches.last(&app.site);
    assert!(kept.is_none(), "what one person sent is not kept for another: {kept:?}");
}

#[tokio::test]
async fn a_sheet_of_one_participant_alone_is_no_larger_in_the_window_than_on_the_disk() {
    let app = TestApp::new().await;
    let portal = guests(&app).await[0].portal_url.clone();
    let rows = format!("{portal},Zoë\n").repeat(20_000);

    let sheet = understood(&app, format!("Portal URL,First name\n{rows}")).await;

    assert_eq!(sheet.rows.len(), 20_000);
    let RowVerdict::Repeated { lines } = &sheet.rows[19_999].verdict else {
        panic!("{:?}", sheet.rows[19_999])
    };
    assert_eq!(lines[..], (2..22).collect::<Vec<_>>());
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_is_no_sheet_and_nobody_waits_for_it() {
    let app = TestApp::new().await;
    let pipe = app.folder("desk").join("contacts.csv");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    app.steward.dialogs.dropped.remember(&pipe);

    let read = tokio::time::timeout(
        Duration::from_secs(5),
        read(&app.steward.context.access, &app.steward.dialogs, &app.site, Some(pipe.display().to_string())),
    )
    .await;

    assert!(matches!(read, Ok(Err(Problem::File { .. }))), "{read:?}");
}

#[tokio::test]
async fn a_contact_of_a_collaboration_that_another_portal_hosts_is_marked_and_not_sent_from_a_sheet() {
    let app = TestApp::new().await;
    let all = participants(&app.steward.context.access, &app.site).await.unwrap();
    let county =
        all.iter().find(|one| one.role == "Host" && one.collaboration_name == "County Base Map").unwrap();
    for one in &all {
        let expected = (one.collaboration_name == "County Base Map").then_some(&county.portal_name);
        assert_eq!(one.hosted_elsewhere.as_ref(), expected, "{one:?}");
    }
    let rows = format!(
        "participant id,collaboration,first name\n{},County Base Map,Somebody else\n",
        county.participant_id
    );

    let sheet = understood(&app, rows).await;

    let portal = county.portal_name.clone();
    assert_eq!(verdicts(&sheet), [&RowVerdict::HostedElsewhere { portal }]);
}

#[tokio::test]
async fn what_came_of_the_last_sheet_is_kept_until_somebody_else_signs_in() {
    let app = TestApp::new().await;
    let guests = guests(&app).await;
    let forms = vec![form(&guests[0], "Ana"), form(&guests[1], "Bo")];

    let report = change(&app, forms).await;

    let kept = app.steward.contacts_batches.last(&app.site).unwrap();
    assert_eq!(ends(&kept.report), ends(&report));
    assert_eq!(kept.forms[1].contact_firstname, "Bo");
    leave(&app.steward.context, &app.site).await.unwrap();
    assert!(app.steward.contacts_batches.last(&app.site).is_none());
}

#[tokio::test]
async fn a_row_whose_contact_another_user_changed_meanwhile_is_not_sent_and_the_others_are() {
    let app = TestApp::new().await;
    let guests = guests(&app).await;
    let [_, second, _] = &guests[..] else { panic!("{guests:?}") };
    changed_by_another(&app, &second.collaboration_id, &second.participant_id).await;

    let several = change(&app, guests.iter().map(|one| form(one, "Zoë")).collect()).await;

    assert_eq!(ends(&several), ["done", "refused", "done"], "{several:?}");
    let BatchItemResult::Rejected { problem: Problem::PreconditionFailed { why } } = &several.parts[1] else {
        panic!("{several:?}")
    };
    assert!(matches!(why, PreconditionFailure::ContactChanged { .. }), "{why:?}");
    assert_eq!(names(&app).await, ["Zoë", "New", "Zoë"]);
}

#[tokio::test]
async fn a_row_that_the_portal_confirmed_and_did_not_make_is_no_success_of_the_file() {
    let app = TestApp::new().await;
    let rows: Vec<_> = guests(&app).await.iter().map(|guest| form(guest, "Ada")).collect();
    let _way = app.with_fault("/updateInfo", Fault::Instead(json(r#"{"success":true}"#))).await.only(1);

    let several = change(&app, rows).await;

    let outcomes = several.parts.iter().map(|part| match part {
        BatchItemResult::Done { outcome, .. } => *outcome,
        other => panic!("{other:?}"),
    });
    let expected = [Outcome::Warnings, Outcome::Succeeded, Outcome::Succeeded];
    assert_eq!(outcomes.collect::<Vec<_>>(), expected);
    assert_eq!(several.outcome, Outcome::Warnings);
    let mut recorded: Vec<_> = app.history().await.iter().map(|record| record.outcome).collect();
    recorded.reverse();
    assert_eq!(recorded, expected);
}

#[tokio::test]
async fn a_row_that_two_stray_quotation_marks_include_is_not_lost_without_a_word() {
    let app = TestApp::new().await;
    let guests = guests(&app).await;
    let [one, two] =
        [&guests[0], &guests[1]].map(|guest| format!("{},{}", guest.participant_id, guest.collaboration_id));
    let head = "Participant ID,Collaboration ID,First name,Email address";
    for text in [
        format!("Notes,{head}\n\"call,{one},Ana,ana@example.net\n\",{two},Eva,eva@example.net\n"),
        format!("{head},Notes\n{one},Ana,ana@example.net,\"call\n{two},Eva,eva@example.net,soon\"\n"),
    ] {
        app.dialogs.will_choose(&sheet(&app, &text));
        let read = read(&app.steward.context.access, &app.steward.dialogs, &app.site, None).await.unwrap();
        let ContactsFileReading::Unusable { fault, .. } = read else { panic!("{text}: {read:?}") };
        assert_eq!(fault, ContactsFileError::OpenQuote, "{text}");
    }

    let note = format!("{head},Notes\n{one},Ana,ana@example.net,\"Main Street 5,\nBrookfield, 2nd floor\"\n");
    assert_eq!(verdicts(&understood(&app, note).await), [&RowVerdict::Changes]);
}
