use std::path::Path;
use std::sync::atomic::Ordering;

use steward_client::listing;
use steward_core::actions::sign_in::leave;
use steward_core::history::details::details_of;
use steward_core::model::export_outcome::ExportOutcome;
use steward_core::model::problem::{Declined, Fault as FormFault, ParachuteStep, Problem};
use steward_core::model::run_result::{Ended, RecordId};
use steward_core::operations::deactivate_webhooks::{self, DeactivateWebhooksForm};
use steward_core::operations::export_server::{self, ExportServerForm, ServerExportPlace};
use steward_core::operations::import_server::safety_backup::Parachute;
use steward_core::operations::import_server::{ImportServerForm, perform, undo};
use steward_core::sites::Site;
use steward_journal::Outcome;
use steward_testkit::{Fault, FaultProxy};

use crate::desk::Desk;
use crate::read_only::{clock_of, read_only};
use crate::stop::soon;

async fn exported(desk: &Desk) -> String {
    let place = ServerExportPlace::ServerFolder { location: desk.folder("exports").display().to_string() };
    let form = ExportServerForm { place };
    let ended = export_server::perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();
    let Ended::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ExportOutcome::Written { location } = report.outcome else { panic!("{report:?}") };
    location
}

fn form(location: &str) -> ImportServerForm {
    ImportServerForm { location: location.to_owned(), confirmation: "City GIS".to_owned(), parachute: None }
}

#[tokio::test]
async fn an_import_reports_the_service_that_cannot_start_and_the_report_is_on_disk() {
    let desk = Desk::new().await;
    let file = exported(&desk).await;

    let ended = perform(&desk.host, &desk.site, desk.run(), form(&file)).await.unwrap();

    let Ended::Done { report, record: Some(record), .. } = ended else { panic!("{ended:?}") };
    assert_eq!(report.status, "success");
    assert!(report.counts.failed_services >= 1, "{:?}", report.counts);
    let history = desk.history().await;
    assert_eq!(history[0].outcome, Outcome::Warnings, "services are down: that is not plain success");
    let kept = desk.host.journal(move |journal| journal.report(&record.0)).await.unwrap().unwrap();
    assert_eq!(kept, serde_json::to_value(&report).unwrap());
}

#[tokio::test]
async fn the_wrong_name_typed_sends_nothing() {
    let desk = Desk::new().await;
    let wrong = ImportServerForm { confirmation: "City".to_owned(), ..form("/a.agssite") };

    let problem = perform(&desk.host, &desk.site, desk.run(), wrong).await.err().unwrap();

    let expected = Problem::Form { field: "confirmation".to_owned(), fault: FormFault::NotTheSitesName };
    assert_eq!(problem, expected);
    assert!(desk.history().await.is_empty());
}

#[tokio::test]
async fn a_file_that_is_no_export_is_refused_and_changes_nothing() {
    let desk = Desk::new().await;
    let file = desk.folder("exports").join("no.agssite");
    std::fs::write(&file, "not an archive").unwrap();

    let problem =
        perform(&desk.host, &desk.site, desk.run(), form(&file.display().to_string())).await.err().unwrap();

    let Problem::ImportFailed { cause, can_undo: false, .. } = problem else { panic!("{problem:?}") };
    assert!(matches!(*cause, Problem::Refused { .. }), "{cause:?}");
    assert_eq!(desk.history().await[0].outcome, Outcome::Failed);
}

/// A response of the site, in place of its own.
fn instead(body: &str) -> Fault {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    Fault::Instead(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

#[tokio::test]
async fn severe_and_error_lines_of_a_report_are_counted_as_errors_and_not_as_warnings() {
    let desk = Desk::new().await;
    let message = |level: &str| format!(r#"{{"level":"{level}","message":"about {level}"}}"#);
    let messages = ["INFO", "WARNING", "SEVERE", "ERROR"].map(message).join(",");
    let report = format!(r#"{{"status":"success","result":[{{"source":"Site","messages":[{messages}]}}]}}"#);
    let _way = desk.with_fault("/admin/importSite", instead(&report)).await;

    let ended = perform(&desk.host, &desk.site, desk.run(), form("/a.agssite")).await.unwrap();

    let Ended::Done { report, .. } = ended else { panic!("{ended:?}") };
    let counts = report.counts;
    assert_eq!((counts.errors, counts.failed_services, counts.warnings, counts.notes), (2, 0, 1, 1));
}

#[tokio::test]
async fn an_import_that_failed_half_way_says_so_and_can_be_undone() {
    let desk = Desk::new().await;
    let file = exported(&desk).await;
    let refusal = r#"{"status":"error","messages":["The disk is full."],"code":500}"#;
    let _way = desk.with_fault("/admin/importSite", answer(refusal)).await;
    let form = ImportServerForm { parachute: Some(Parachute { also_here: false }), ..form(&file) };

    let problem = perform(&desk.host, &desk.site, desk.run(), form).await.err().unwrap();

    let Problem::ImportFailed { cause, record: Some(record), can_undo: true } = problem else {
        panic!("{problem:?}");
    };
    assert!(matches!(*cause, Problem::Refused { message, .. } if message == "The disk is full."));
    let history = desk.history().await;
    assert_eq!((&history[0].id, history[0].outcome), (&record.0, Outcome::Failed));
    desk.go_through(desk.practice_address());
    let undone = undo(&desk.host, &desk.site, desk.run(), record, "City GIS").await.unwrap();
    assert!(matches!(undone, Ended::Done { .. }), "{undone:?}");
}

#[tokio::test]
async fn an_import_that_was_rejected_before_it_began_replaces_nothing() {
    let desk = Desk::new().await;
    let refusal = r#"{"status":"error","messages":["Not allowed."],"code":403}"#;
    let _way = desk.with_fault("/admin/importSite", answer(refusal)).await;

    let problem = perform(&desk.host, &desk.site, desk.run(), form("/a.agssite")).await.err().unwrap();

    assert!(matches!(problem, Problem::Refused { code: Some(403), .. }), "{problem:?}");
}

#[tokio::test]
async fn a_report_whose_status_is_no_success_is_a_failed_import() {
    let desk = Desk::new().await;
    let report = r#"{"status":"failed","result":[{"source":"Site","messages":["half of it is there"]}]}"#;
    let _way = desk.with_fault("/admin/importSite", answer(report)).await;

    let ended = perform(&desk.host, &desk.site, desk.run(), form("/a.agssite")).await.unwrap();

    assert!(matches!(&ended, Ended::Done { report, .. } if report.status == "failed"), "{ended:?}");
    assert_eq!(desk.history().await[0].outcome, Outcome::Failed);
}

#[tokio::test]
async fn a_response_without_a_status_and_without_messages_is_unknown() {
    for nothing in
        [r#"{"result":null}"#, r#"{"result":[]}"#, r#"{"result":[{"source":"Site","messages":[]}]}"#]
    {
        let desk = Desk::new().await;
        let _way = desk.with_fault("/admin/importSite", answer(nothing)).await;

        let ended = perform(&desk.host, &desk.site, desk.run(), form("/a.agssite")).await.unwrap();

        assert!(matches!(ended, Ended::Unknown { .. }), "{nothing}: {ended:?}");
    }
}

#[tokio::test]
async fn what_a_server_says_beside_its_report_is_shown_and_is_no_plain_success() {
    for (body, message) in [
        (
            r#"{"status":"success with warnings","messages":["2 services were skipped"]}"#,
            "2 services were skipped",
        ),
        (r#"{"status":"success","messages":["2 services were skipped"]}"#, "2 services were skipped"),
        (r#"{"status":"success with warnings"}"#, "success with warnings"),
    ] {
        let desk = Desk::new().await;
        let _way = desk.with_fault("/admin/importSite", answer(body)).await;

        let ended = perform(&desk.host, &desk.site, desk.run(), form("/a.agssite")).await.unwrap();

        let Ended::Done { report, .. } = ended else { panic!("{ended:?}") };
        assert_eq!((report.counts.warnings, &*report.sources[0].messages[0].message), (1, message));
        let record = desk.history().await.remove(0);
        assert_eq!(record.outcome, Outcome::Warnings);
        let kept = details_of(&desk.host, RecordId(record.id)).await.unwrap();
        assert_eq!(kept.answer.as_deref(), Some(body), "as it came");
    }
}

#[tokio::test]
async fn an_import_whose_response_is_lost_after_a_safety_backup_says_that_it_can_be_undone() {
    for with_backup in [true, false] {
        let desk = Desk::new().await;
        let file = exported(&desk).await;
        let _way = desk.with_fault("/admin/importSite", Fault::AnswerLost).await;
        let parachute = with_backup.then_some(Parachute { also_here: false });
        let import = ImportServerForm { parachute, ..form(&file) };

        let ended = perform(&desk.host, &desk.site, desk.run(), import).await.unwrap();

        let Ended::Unknown { can_undo, .. } = ended else { panic!("{ended:?}") };
        assert_eq!(can_undo, with_backup);
    }
}

#[tokio::test]
async fn an_import_that_was_redirected_is_unknown_and_its_record_says_where_to() {
    let desk = Desk::new().await;
    let answer = "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:9/x\r\ncontent-length: 0\r\n\r\n";
    let _way = desk.with_fault("/admin/importSite", Fault::Instead(answer.as_bytes().to_vec())).await;

    let ended = perform(&desk.host, &desk.site, desk.run(), form("/a.agssite")).await.unwrap();

    assert!(matches!(ended, Ended::Unknown { problem: Some(Problem::Redirected { .. }), .. }), "{ended:?}");
    assert_eq!(desk.history().await[0].note, "redirected to http://127.0.0.1:9/x");
}

#[tokio::test]
async fn of_a_report_that_breaks_off_what_came_is_in_the_history_and_marked_as_cut() {
    let desk = Desk::new().await;
    let answer = "HTTP/1.1 200 OK\r\ncontent-length: 5000\r\nconnection: close\r\n\r\n{\"result\":[{\"source\":\"Roads";
    let _way = desk.with_fault("/admin/importSite", Fault::Instead(answer.as_bytes().to_vec())).await;

    let ended = perform(&desk.host, &desk.site, desk.run(), form("/a.agssite")).await.unwrap();

    let Ended::Unknown { record: Some(record), .. } = ended else { panic!("{ended:?}") };
    let details = details_of(&desk.host, record).await.unwrap();
    assert_eq!(details.answer.as_deref(), Some(r#"{"result":[{"source":"Roads"#));
    assert!(details.answer_cut);
}

#[tokio::test]
async fn an_import_whose_answer_is_lost_is_unknown_and_sent_once() {
    let desk = Desk::new().await;
    let file = exported(&desk).await;
    let way = desk.with_fault("/admin/importSite", Fault::AnswerLost).await;

    let ended = perform(&desk.host, &desk.site, desk.run(), form(&file)).await.unwrap();

    assert!(matches!(ended, Ended::Unknown { stopped: false, .. }), "{ended:?}");
    assert_eq!(way.met(), 1);
    assert_eq!(desk.history().await[0].outcome, Outcome::Unknown);
}

#[tokio::test]
async fn a_history_that_cannot_be_written_does_not_keep_the_report_from_the_person() {
    let desk = Desk::new().await;
    let file = exported(&desk).await;
    let journal = rusqlite::Connection::open(desk.host.data_folder.join("journal.db")).unwrap();
    journal
        .execute_batch(
            "CREATE TRIGGER full BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END",
        )
        .unwrap();

    let ended = perform(&desk.host, &desk.site, desk.run(), form(&file)).await.unwrap();

    let Ended::Done { report, record, .. } = ended else { panic!("{ended:?}") };
    assert!(report.counts.failed_services >= 1);
    assert_eq!(record, None, "the person is not sent to a record that does not say how it ended");
}

/// An import that was secured; returns its record.
pub(crate) async fn with_parachute(desk: &Desk, also_here: bool) -> RecordId {
    let file = exported(desk).await;
    let form = ImportServerForm { parachute: Some(Parachute { also_here }), ..form(&file) };
    let ended = perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();
    let Ended::Done { record: Some(record), .. } = ended else { panic!("{ended:?}") };
    record
}

async fn loud(desk: &Desk) -> usize {
    let server = desk.host.server(&desk.host.sites.get(&desk.site).unwrap()).await.unwrap();
    let services = listing::services(&server).await.unwrap();
    let active = services.iter().flat_map(|service| &service.webhooks);
    active.filter(|webhook| webhook.active == Some(true)).count()
}

#[tokio::test]
async fn an_import_with_a_parachute_is_undone_with_one_command() {
    let desk = Desk::new().await;
    let all = loud(&desk).await;
    let before = exported(&desk).await;
    let services = vec!["Buffer.GPServer".to_owned()];
    let silence = DeactivateWebhooksForm { services, why: String::new(), confirmation: String::new() };
    deactivate_webhooks::perform(&desk.host, &desk.site, desk.run(), silence).await.unwrap();
    let fewer = loud(&desk).await;
    assert!(fewer < all);
    let place = desk.folder("desk").join("before.agssite");
    desk.dialogs.will_choose(&place);

    let form = ImportServerForm { parachute: Some(Parachute { also_here: true }), ..form(&before) };
    let ended = perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();

    let Ended::Done { report, record: Some(record), .. } = ended else { panic!("{ended:?}") };
    assert_eq!(loud(&desk).await, all, "the imported configuration is in force");
    let way_back = report.way_back.unwrap();
    let saved = way_back.saved.unwrap();
    assert_eq!(saved.path, place.display().to_string());
    assert_eq!(std::fs::metadata(&place).unwrap().len(), way_back.size.0);
    assert!(way_back.entries > 0);
    let history = desk.history().await;
    assert_eq!(history[1].intent.operation, "export_server", "the export has a record of its own");
    assert_eq!(Some(RecordId(history[1].id.clone())), way_back.record);

    // After a restart too: what it needs is in the record.
    let desk = desk.restarted();
    let undone = undo(&desk.host, &desk.site, desk.run(), record, "City GIS").await.unwrap();

    assert!(matches!(undone, Ended::Done { .. }), "{undone:?}");
    assert_eq!(loud(&desk).await, fewer, "as it was before the import");
    let note = desk.history().await.remove(0).note;
    assert!(note.ends_with(&format!(".agssite ({})", way_back.upload)), "the file by its name: {note}");
    assert!(note.starts_with("Parcels/Zoning.MapServer · "), "what did not start comes first: {note}");
}

/// The import is never sent when `fault` happens to requests that contain `on`.
async fn unsent(also_here: Option<&Path>, on: &str, fault: Fault) -> (Problem, Desk) {
    let desk = Desk::new().await;
    let file = exported(&desk).await;
    if let Some(place) = also_here {
        desk.dialogs.will_choose(&desk.folder("desk").join(place));
    }
    let way = FaultProxy::to(desk.practice_address(), on, fault).await.unwrap();
    let import = FaultProxy::to(&way.address(), "/admin/importSite", Fault::AnswerLost).await.unwrap();
    desk.go_through(&import.address());

    let form =
        ImportServerForm { parachute: Some(Parachute { also_here: also_here.is_some() }), ..form(&file) };
    let problem = perform(&desk.host, &desk.site, desk.run(), form).await.err().unwrap();

    assert!(way.met() > 0, "{on}: the fault happened");
    assert_eq!(import.met(), 0, "{on}: the import was sent without a way back");
    let history = desk.history().await;
    assert!(history.iter().all(|record| record.intent.operation != "import_server"), "{on}");
    assert!(desk.host.runs.all().is_empty());
    (problem, desk)
}

pub(crate) fn answer(body: &str) -> Fault {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\nconnection: close\r\n";
    Fault::Instead(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

fn step(problem: &Problem) -> ParachuteStep {
    let Problem::NoWayBack { step, .. } = problem else { panic!("{problem:?}") };
    *step
}

#[tokio::test]
async fn an_import_is_not_sent_when_the_export_before_it_fails() {
    let refusal = answer(r#"{"status":"error","messages":["The store is locked."],"code":500}"#);
    let (problem, desk) = unsent(None, "/admin/exportSite", refusal).await;
    let Problem::NoWayBack { step: ParachuteStep::Export, cause: Some(cause) } = problem else {
        panic!("{problem:?}")
    };
    assert!(matches!(*cause, Problem::Refused { .. }), "the site's own words are kept: {cause:?}");
    assert_eq!(desk.history().await[0].outcome, Outcome::Failed);

    let (problem, desk) = unsent(None, "/admin/exportSite", Fault::AnswerLost).await;
    assert_eq!(step(&problem), ParachuteStep::Export);
    assert_eq!(desk.history().await[0].outcome, Outcome::Unknown);
}

#[tokio::test]
async fn an_import_is_not_sent_when_the_export_is_not_stored_or_not_whole() {
    let (problem, _) = unsent(None, "/admin/uploads?", answer(r#"{"items":[]}"#)).await;
    assert_eq!(step(&problem), ParachuteStep::NotStored);

    for (stored, expected) in [
        ("", ParachuteStep::Empty),
        ("<html>the proxy's page</html>", ParachuteStep::NoArchive),
        ("PK\u{3}\u{4} and then nothing more", ParachuteStep::Cut),
    ] {
        for also_here in [None, Some(Path::new("before.agssite"))] {
            let (problem, _) = unsent(also_here, "/download", answer(stored)).await;
            // What begins as an archive and does not end as one is not even saved.
            let is_cut = expected == ParachuteStep::Cut && also_here.is_some();
            let expected = if is_cut { ParachuteStep::Download } else { expected };
            assert_eq!(step(&problem), expected, "{stored:?} {also_here:?}");
        }
    }
    let (problem, _) = unsent(None, "/download", Fault::CutAfter(600)).await;
    assert_eq!(step(&problem), ParachuteStep::Unread);
}

#[tokio::test]
async fn an_import_is_not_sent_when_the_copy_here_cannot_be_made() {
    // Nothing of the file ever arrives, so that going on where it broke off leads nowhere.
    let half = Fault::CutAfter(40);
    let (problem, desk) = unsent(Some(Path::new("before.agssite")), "/download", half).await;
    assert_eq!(step(&problem), ParachuteStep::Download);
    assert_eq!(desk.history().await[0].outcome, Outcome::Succeeded, "the export itself is there");

    let nowhere = Path::new("not-there/before.agssite");
    // Whatever happens to this request: it is only there to be counted.
    let (problem, _) = unsent(Some(nowhere), "/admin/uploads?", answer(r#"{"items":[]}"#)).await;
    assert_eq!(step(&problem), ParachuteStep::NotStored);

    let desk = Desk::new().await;
    let file = exported(&desk).await;
    let import = desk.with_fault("/admin/importSite", Fault::AnswerLost).await;
    desk.dialogs.will_choose(&desk.folder("desk").join(nowhere));
    let form = ImportServerForm { parachute: Some(Parachute { also_here: true }), ..form(&file) };
    let problem = perform(&desk.host, &desk.site, desk.run(), form).await.err().unwrap();
    let Problem::NoWayBack { step: ParachuteStep::Download, cause: Some(cause) } = problem else {
        panic!("{problem:?}")
    };
    assert!(matches!(*cause, Problem::File { .. }), "{cause:?}");
    assert_eq!(import.met(), 0);
}

#[tokio::test]
async fn stop_while_the_way_back_is_made_leaves_the_import_unsent() {
    for on in ["/admin/exportSite", "/download"] {
        let desk = Desk::new().await;
        let file = exported(&desk).await;
        let way = FaultProxy::to(desk.practice_address(), on, Fault::Silence).await.unwrap();
        let import = FaultProxy::to(&way.address(), "/admin/importSite", Fault::AnswerLost).await.unwrap();
        desk.go_through(&import.address());
        let form = ImportServerForm { parachute: Some(Parachute { also_here: false }), ..form(&file) };

        let (ended, ()) = tokio::join!(perform(&desk.host, &desk.site, desk.run(), form), async {
            soon(|| async { way.met() > 0 }).await;
            desk.host.runs.stop(&desk.run());
        });

        assert!(matches!(ended, Ok(Ended::NotSent { backup: Some(_), .. })), "{on}: {ended:?}");
        assert_eq!(import.met(), 0, "{on}");
    }
}

#[tokio::test]
async fn a_closed_dialog_exports_and_imports_nothing() {
    let desk = Desk::new().await;
    let way = desk.with_fault("POST ", Fault::AnswerLost).await;
    let form = ImportServerForm { parachute: Some(Parachute { also_here: true }), ..form("/a.agssite") };

    let ended = perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();

    assert!(matches!(ended, Ended::Dismissed), "{ended:?}");
    assert_eq!(way.met(), 0);
}

#[tokio::test]
async fn a_way_back_that_is_no_longer_stored_is_said_with_the_copy_that_is_here() {
    let desk = Desk::new().await;
    let place = desk.folder("desk").join("before.agssite");
    desk.dialogs.will_choose(&place);
    let record = with_parachute(&desk, true).await;
    let gone = FaultProxy::to(desk.practice_address(), "/admin/uploads?", answer(r#"{"items":[]}"#));
    let gone = gone.await.unwrap();
    let import = FaultProxy::to(&gone.address(), "/admin/importSite", Fault::AnswerLost).await.unwrap();
    desk.go_through(&import.address());

    let problem = undo(&desk.host, &desk.site, desk.run(), record, "City GIS").await.err().unwrap();

    assert_eq!(problem, Problem::WayBackGone { local: Some(place.display().to_string()) });
    assert_eq!(import.met(), 0);
}

#[tokio::test]
async fn lock_pressed_while_the_way_back_is_made_leaves_the_import_unsent_and_an_unlock_that_ran_out_does_not()
 {
    for is_pressed in [true, false] {
        let mut desk = Desk::new().await;
        let passed = clock_of(&mut desk);
        let file = exported(&desk).await;
        read_only(&desk);
        desk.host.unlock(&desk.site, "The new services are due").await.unwrap();
        let before = desk.history().await.len();
        let form = ImportServerForm { parachute: Some(Parachute { also_here: false }), ..form(&file) };
        desk.order("export_server", "delay", &[("seconds", "2")]).await;

        let meanwhile = async {
            soon(|| async { desk.history().await.len() > before }).await;
            if is_pressed {
                desk.host.locks.lock_again(&desk.site);
                // Whoever locked it meant this import, whatever is unlocked for afterwards.
                desk.host.unlock(&desk.site, "Something else").await.unwrap();
            } else {
                passed.store(15 * 60, Ordering::SeqCst);
            }
        };
        let (ended, ()) = tokio::join!(perform(&desk.host, &desk.site, desk.run(), form), meanwhile);

        let done: Vec<_> = desk.history().await.into_iter().map(|record| record.intent.operation).collect();
        assert_eq!(done.contains(&"import_server".to_owned()), !is_pressed, "{done:?}");
        if is_pressed {
            assert_eq!(ended.err(), Some(Problem::Declined { why: Declined::LockedMeanwhile }));
        } else {
            assert!(matches!(ended, Ok(Ended::Done { .. })), "{ended:?}");
        }
    }
}

#[tokio::test]
async fn a_lost_answer_to_a_secured_import_keeps_its_way_back() {
    let desk = Desk::new().await;
    let file = exported(&desk).await;
    let way = desk.with_fault("/admin/importSite", Fault::AnswerLost).await;
    let form = ImportServerForm { parachute: Some(Parachute { also_here: false }), ..form(&file) };

    let ended = perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();

    let Ended::Unknown { record: Some(record), .. } = ended else { panic!("{ended:?}") };
    assert_eq!(way.met(), 1);
    desk.go_through(desk.practice_address());
    let undone = undo(&desk.host, &desk.site, desk.run(), record, "City GIS").await.unwrap();
    assert!(matches!(undone, Ended::Done { .. }), "{undone:?}");
}

#[tokio::test]
async fn an_import_goes_past_the_web_adaptor_and_everything_else_through_it() {
    let desk = Desk::new().await;
    let file = exported(&desk).await;
    let adaptor = desk.with_fault("/admin/importSite", Fault::AnswerLost).await;
    let mut site = desk.host.sites.get(&desk.site).unwrap();
    site.servers[0].direct = url::Url::parse(&desk.practice.ready().server).ok();
    desk.host.sites.put(site).unwrap();

    let ended = perform(&desk.host, &desk.site, desk.run(), form(&file)).await.unwrap();

    assert!(matches!(ended, Ended::Done { .. }), "{ended:?}");
    assert_eq!(adaptor.met(), 0);
    let request = &desk.history().await[0].intent.requests[0];
    assert!(request.address.starts_with(&desk.practice.ready().server), "{request:?}");
}

#[tokio::test]
async fn nothing_is_imported_for_somebody_who_left_nor_where_a_mark_was_set_meanwhile() {
    for is_marked in [false, true] {
        let desk = Desk::new().await;
        let file = exported(&desk).await;
        let before = desk.history().await.len();
        let form = ImportServerForm { parachute: Some(Parachute { also_here: false }), ..form(&file) };
        desk.order("export_server", "delay", &[("seconds", "2")]).await;

        let meanwhile = async {
            soon(|| async { desk.history().await.len() > before }).await;
            if is_marked {
                let site = desk.host.sites.get(&desk.site).unwrap();
                desk.host.sites.put(Site { read_only: true, ..site }).unwrap();
            } else {
                leave(&desk.host, &desk.site).await.unwrap();
                desk.sign_in("administrator").await.unwrap();
            }
        };
        let (ended, ()) = tokio::join!(perform(&desk.host, &desk.site, desk.run(), form), meanwhile);

        let problem = ended.err().unwrap();
        let expected = if is_marked {
            Problem::ReadOnly { site: desk.site.clone() }
        } else {
            Problem::sign_in(&desk.site)
        };
        assert_eq!(problem, expected);
        let done: Vec<_> = desk.history().await.into_iter().map(|record| record.intent.operation).collect();
        assert!(!done.contains(&"import_server".to_owned()), "{done:?}");
    }
}
