use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use steward_client::listing;
use steward_core::actions::sign_in::leave;
use steward_core::actions::unlock::unlock;
use steward_core::files::file_facts;
use steward_core::history::changes_since::{RecordedChanges, since_import};
use steward_core::history::details::details_of;
use steward_core::history::{self, imports, record_as_command};
use steward_core::model::deployment::ServerType;
use steward_core::model::export_outcome::ExportOutcome;
use steward_core::model::export_verification::ArchiveFault;
use steward_core::model::ids::RecordId;
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::{FieldError as FormFault, PreconditionFailure, Problem, SafetyBackupStep};
use steward_core::model::retry_policy::RetryPolicy;
use steward_core::model::run_result::RunResult;
use steward_core::operations::deactivate_webhooks::DeactivateWebhooksForm;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination};
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::operations::import_server::{ImportServerForm, ImportServerOptions};
use steward_core::sites::{Site, SiteForm};
use steward_core::transfers::upload::{UploadEnd, UploadSource};
use steward_journal::{Conclusion, Intent, Outcome, StoredRecord};
use steward_testkit::{Fault, FaultProxy, until};

use crate::deactivations::deactivate;
use crate::export_server::stored_export;
use crate::quiet_import::post;
use crate::read_only::{clock_of, read_only};
use crate::test_app::TestApp;

pub(crate) async fn exported(app: &TestApp) -> String {
    let place =
        ServerExportDestination::ServerFolder { location: app.folder("exports").display().to_string() };
    let form = ExportServerForm { place };
    let ended = app.export_server(form).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ExportOutcome::Written { location, .. } = report.outcome else { panic!("{report:?}") };
    location
}

pub(crate) fn form(location: &str) -> ImportServerForm {
    ImportServerForm {
        location: location.to_owned(),
        confirmation: "City GIS".to_owned(),
        safety_backup: None,
        deactivate_webhooks: None,
        options: ImportServerOptions::default(),
    }
}

#[tokio::test]
async fn an_import_reports_the_service_that_cannot_start_and_the_report_is_on_disk() {
    let app = TestApp::new().await;
    let file = exported(&app).await;

    let ended = app.import_server(form(&file)).await.unwrap();

    let RunResult::Done { report, record: Some(record), .. } = ended else { panic!("{ended:?}") };
    assert_eq!(report.status, "success");
    assert!(report.counts.failed_services >= 1, "{:?}", report.counts);
    let history = app.history().await;
    assert_eq!(history[0].outcome, Outcome::Warnings, "services are down: that is not plain success");
    let kept =
        app.steward.context.history.journal(move |journal| journal.report(&record.0)).await.unwrap().unwrap();
    assert_eq!(kept.read::<serde_json::Value>().unwrap(), serde_json::to_value(&report).unwrap());
}

#[tokio::test]
async fn an_import_into_a_notebook_server_is_recorded_with_every_field_that_is_sent() {
    let app = TestApp::new().await;
    let mut site = app.sites().get(&app.site).unwrap();
    for server in &mut site.servers {
        server.server_type = ServerType::Notebook;
    }
    app.sites().put(site).unwrap();

    let problem = app.import_server(form("/nowhere/a.agssite")).await.err().unwrap();

    assert!(matches!(problem, Problem::ImportFailed { .. }), "{problem:?}");
    let record = app.history().await.remove(0);
    let fields = &record.intent.requests[0].form;
    for name in ["location", "EXPORT_LOCATION"] {
        let field = (name.to_owned(), "/nowhere/a.agssite".to_owned());
        assert!(fields.contains(&field), "{fields:?}");
    }
    let history = &app.steward.context.history;
    let command = record_as_command(history, RecordId(record.id.clone())).await.unwrap();
    assert!(command.contains("EXPORT_LOCATION"), "{command}");
}

#[tokio::test]
async fn the_wrong_name_typed_sends_nothing() {
    let app = TestApp::new().await;
    let wrong = ImportServerForm { confirmation: "City".to_owned(), ..form("/a.agssite") };

    let problem = app.import_server(wrong).await.err().unwrap();

    let expected = Problem::Form { field: "confirmation".to_owned(), fault: FormFault::NotTheName };
    assert_eq!(problem, expected);
    assert!(app.history().await.is_empty());
}

#[tokio::test]
async fn a_file_that_is_no_export_is_refused_and_changes_nothing() {
    let app = TestApp::new().await;
    let file = app.folder("exports").join("no.agssite");
    std::fs::write(&file, "not an archive").unwrap();

    let problem = app.import_server(form(&file.display().to_string())).await.err().unwrap();

    let Problem::ImportFailed { cause, can_undo: false, .. } = problem else { panic!("{problem:?}") };
    assert!(matches!(*cause, Problem::Rejected { .. }), "{cause:?}");
    assert_eq!(app.history().await[0].outcome, Outcome::Failed);
}

/// A response of the site, in place of its own.
fn instead(body: &str) -> Fault {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    Fault::Instead(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

#[tokio::test]
async fn severe_and_error_lines_of_a_report_are_counted_as_errors_and_not_as_warnings() {
    let app = TestApp::new().await;
    let message = |level: &str| format!(r#"{{"level":"{level}","message":"about {level}"}}"#);
    let messages = ["INFO", "WARNING", "SEVERE", "ERROR"].map(message).join(",");
    let report = format!(r#"{{"status":"success","result":[{{"source":"Site","messages":[{messages}]}}]}}"#);
    let _way = app.with_fault("/admin/importSite", instead(&report)).await;

    let ended = app.import_server(form("/a.agssite")).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let counts = report.counts;
    assert_eq!((counts.errors, counts.failed_services, counts.warnings, counts.notes), (2, 0, 1, 1));
}

#[tokio::test]
async fn an_import_that_failed_half_way_says_so_and_can_be_undone() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let refusal = r#"{"status":"error","messages":["The disk is full."],"code":500}"#;
    let _way = app.with_fault("/admin/importSite", answer(refusal)).await;
    let form =
        ImportServerForm { safety_backup: Some(SafetyBackupOptions { also_here: false }), ..form(&file) };

    let problem = app.import_server(form).await.err().unwrap();

    let Problem::ImportFailed { cause, record: Some(record), can_undo: true } = problem else {
        panic!("{problem:?}");
    };
    assert!(matches!(*cause, Problem::Rejected { message, .. } if message == "The disk is full."));
    let history = app.history().await;
    assert_eq!((&history[0].id, history[0].outcome), (&record.0, Outcome::Failed));
    app.go_through(app.practice_address());
    let undone = app.undo_import(record, false).await.unwrap();
    assert!(matches!(undone, RunResult::Done { .. }), "{undone:?}");
}

#[tokio::test]
async fn an_import_that_was_rejected_before_it_began_replaces_nothing() {
    let app = TestApp::new().await;
    let refusal = r#"{"status":"error","messages":["Not allowed."],"code":403}"#;
    let _way = app.with_fault("/admin/importSite", answer(refusal)).await;

    let problem = app.import_server(form("/a.agssite")).await.err().unwrap();

    assert!(matches!(problem, Problem::Rejected { code: Some(403), .. }), "{problem:?}");
}

#[tokio::test]
async fn a_report_whose_status_is_no_success_is_a_failed_import() {
    let app = TestApp::new().await;
    let report = r#"{"status":"failed","result":[{"source":"Site","messages":["half of it is there"]}]}"#;
    let _way = app.with_fault("/admin/importSite", answer(report)).await;

    let ended = app.import_server(form("/a.agssite")).await.unwrap();

    assert!(
        matches!(&ended, RunResult::Done { report, .. } if report.status == "failed" && report.is_failed),
        "{ended:?}"
    );
    assert_eq!(app.history().await[0].outcome, Outcome::Failed);
}

#[tokio::test]
async fn a_report_beside_success_false_or_beside_a_message_of_failure_is_no_success() {
    let result =
        r#""result":[{"source":"Site","messages":[{"level":"INFO","message":"Imported the site."}]}]"#;
    for (said, outcome) in [
        (r#""success":false"#, Outcome::Failed),
        (r#""success":"False","status":"success""#, Outcome::Failed),
        (r#""code":500,"message":"The services were not imported.""#, Outcome::Warnings),
    ] {
        let app = TestApp::new().await;
        let _way = app.with_fault("/admin/importSite", answer(&format!("{{{said},{result}}}"))).await;

        let ended = app.import_server(form("/a.agssite")).await.unwrap();

        let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
        assert!(report.counts.warnings > 0, "{said}: {report:?}");
        assert_eq!(app.history().await[0].outcome, outcome, "{said}");
    }
}

#[tokio::test]
async fn a_response_without_a_status_and_without_messages_is_unknown() {
    for nothing in
        [r#"{"result":null}"#, r#"{"result":[]}"#, r#"{"result":[{"source":"Site","messages":[]}]}"#]
    {
        let app = TestApp::new().await;
        let _way = app.with_fault("/admin/importSite", answer(nothing)).await;

        let ended = app.import_server(form("/a.agssite")).await.unwrap();

        assert!(matches!(ended, RunResult::Unknown { .. }), "{nothing}: {ended:?}");
    }
}

#[tokio::test]
async fn a_response_that_is_no_end_of_the_import_is_unknown_also_with_messages() {
    for no_end in [
        r#"{"status":"error","messages":["Upstream timed out."],"code":504}"#,
        r#"{"error":{"code":504,"message":"x","details":[]},"messages":["y"]}"#,
        r#"{"status":"in progress","messages":["The import was queued."],"jobId":"j1"}"#,
        r#"{"status":"pending","result":[{"source":"Site","messages":[{"level":"INFO","message":"Begun."}]}]}"#,
    ] {
        let app = TestApp::new().await;
        let _way = app.with_fault("/admin/importSite", answer(no_end)).await;

        let ended = app.import_server(form("/a.agssite")).await.unwrap();

        assert!(matches!(ended, RunResult::Unknown { .. }), "{no_end}: {ended:?}");
        assert_eq!(app.history().await[0].outcome, Outcome::Unknown, "{no_end}");
    }
}

#[tokio::test]
async fn a_message_of_a_report_keeps_its_text_whatever_its_keys() {
    for (message, text) in [
        (r#"{"level":"WARNING","text":"Folder skipped"}"#, "Folder skipped"),
        (r#"{"severity":"WARNING","description":"Folder skipped"}"#, "Folder skipped"),
        (
            r#"{"level":"WARNING","message":null,"msg":"Folder skipped","code":7}"#,
            "msg: Folder skipped, code: 7",
        ),
    ] {
        let app = TestApp::new().await;
        let body = format!(r#"{{"status":"success","result":[{{"source":"Site","messages":[{message}]}}]}}"#);
        let _way = app.with_fault("/admin/importSite", answer(&body)).await;

        let ended = app.import_server(form("/a.agssite")).await.unwrap();

        let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
        assert_eq!((report.counts.warnings, &*report.sources[0].messages[0].message), (1, text), "{message}");
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
        let app = TestApp::new().await;
        let _way = app.with_fault("/admin/importSite", answer(body)).await;

        let ended = app.import_server(form("/a.agssite")).await.unwrap();

        let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
        assert_eq!((report.counts.warnings, &*report.sources[0].messages[0].message), (1, message));
        let record = app.history().await.remove(0);
        assert_eq!(record.outcome, Outcome::Warnings);
        let kept = details_of(&app.steward.context.history, RecordId(record.id)).await.unwrap();
        assert_eq!(kept.response.as_deref(), Some(body), "as it came");
    }
}

#[tokio::test]
async fn an_import_whose_response_is_lost_after_a_safety_backup_says_that_it_can_be_undone() {
    for with_backup in [true, false] {
        let app = TestApp::new().await;
        let file = exported(&app).await;
        let _way = app.with_fault("/admin/importSite", Fault::AnswerLost).await;
        let safety_backup = with_backup.then_some(SafetyBackupOptions { also_here: false });
        let import = ImportServerForm { safety_backup, ..form(&file) };

        let ended = app.import_server(import).await.unwrap();

        let RunResult::Unknown { can_undo, .. } = ended else { panic!("{ended:?}") };
        assert_eq!(can_undo, with_backup);
    }
}

#[tokio::test]
async fn an_import_that_was_redirected_is_unknown_and_its_record_says_where_to() {
    let app = TestApp::new().await;
    let answer = "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:9/x\r\ncontent-length: 0\r\n\r\n";
    let _way = app.with_fault("/admin/importSite", Fault::Instead(answer.as_bytes().to_vec())).await;

    let ended = app.import_server(form("/a.agssite")).await.unwrap();

    assert!(
        matches!(ended, RunResult::Unknown { problem: Some(Problem::Redirected { .. }), .. }),
        "{ended:?}"
    );
    assert_eq!(app.history().await[0].note, "redirected to http://127.0.0.1:9/x");
}

#[tokio::test]
async fn of_a_report_that_breaks_off_what_came_is_in_the_history_and_marked_as_cut() {
    let app = TestApp::new().await;
    let answer = "HTTP/1.1 200 OK\r\ncontent-length: 5000\r\nconnection: close\r\n\r\n{\"result\":[{\"source\":\"Roads";
    let _way = app.with_fault("/admin/importSite", Fault::Instead(answer.as_bytes().to_vec())).await;

    let ended = app.import_server(form("/a.agssite")).await.unwrap();

    let RunResult::Unknown { record: Some(record), .. } = ended else { panic!("{ended:?}") };
    let details = details_of(&app.steward.context.history, record).await.unwrap();
    assert_eq!(details.response.as_deref(), Some(r#"{"result":[{"source":"Roads"#));
    assert!(details.response_truncated);
}

#[tokio::test]
async fn an_import_whose_answer_is_lost_is_unknown_and_sent_once() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let way = app.with_fault("/admin/importSite", Fault::AnswerLost).await;

    let ended = app.import_server(form(&file)).await.unwrap();

    assert!(matches!(ended, RunResult::Unknown { stopped: false, .. }), "{ended:?}");
    assert_eq!(way.met(), 1);
    assert_eq!(app.history().await[0].outcome, Outcome::Unknown);
}

#[tokio::test]
async fn a_history_that_cannot_be_written_does_not_keep_the_report_from_the_person() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    app.steward.context.runs.dismiss(&app.run());
    journal
        .execute_batch(
            "CREATE TRIGGER full BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END",
        )
        .unwrap();

    let ended = app.import_server(form(&file)).await.unwrap();

    let RunResult::Done { report, record, .. } = ended else { panic!("{ended:?}") };
    assert!(report.counts.failed_services >= 1);
    assert_eq!(record, None, "the person is not sent to a record that does not say how it ended");
    let ended = app.steward.context.runs.ended();
    assert_eq!((ended.len(), ended[0].record.as_ref()), (1, None), "nor from the operations panel");
}

/// An import that was secured; returns its record.
pub(crate) async fn with_safety_backup(app: &TestApp, also_here: bool) -> RecordId {
    let file = exported(app).await;
    let safety_backup = Some(SafetyBackupOptions { also_here });
    let form = ImportServerForm { safety_backup, confirmation: app.to_type(), ..form(&file) };
    let ended = app.import_server(form).await.unwrap();
    let RunResult::Done { record: Some(record), .. } = ended else { panic!("{ended:?}") };
    record
}

async fn loud(app: &TestApp) -> usize {
    let server = app.steward.context.access.server(&app.sites().at(&app.server).unwrap()).await.unwrap();
    let services = listing::services(&server).await.unwrap();
    let active = services.iter().flat_map(|service| service.webhooks.iter().flatten());
    active.filter(|webhook| webhook.active == Some(true)).count()
}

#[tokio::test]
async fn an_import_with_a_safety_backup_is_undone_with_one_command() {
    let app = TestApp::new().await;
    let all = loud(&app).await;
    let before = exported(&app).await;
    let services = vec!["Buffer.GPServer".to_owned()];
    let silence = DeactivateWebhooksForm { services, why: String::new(), confirmation: String::new() };
    app.deactivate_webhooks(silence).await.unwrap();
    let fewer = loud(&app).await;
    assert!(fewer < all);
    let place = app.folder("desk").join("before.agssite");
    app.dialogs.will_choose(&place);

    let form =
        ImportServerForm { safety_backup: Some(SafetyBackupOptions { also_here: true }), ..form(&before) };
    let ended = app.import_server(form).await.unwrap();

    let RunResult::Done { report, record: Some(record), .. } = ended else { panic!("{ended:?}") };
    assert_eq!(loud(&app).await, all, "the imported configuration is in force");
    let safety_backup = report.safety_backup.unwrap();
    let saved = safety_backup.saved.unwrap();
    assert_eq!(saved.path, place.display().to_string());
    assert_eq!(std::fs::metadata(&place).unwrap().len(), safety_backup.size.0);
    assert!(safety_backup.entries > 0);
    assert_eq!(
        safety_backup.unverified_entries,
        Some(0),
        "entries of the practice site are compressed with zstd"
    );
    let history = app.history().await;
    assert_eq!(history[1].intent.operation, "export_server", "the export has a record of its own");
    assert_eq!(Some(RecordId(history[1].id.clone())), safety_backup.record);

    // After a restart too: what it needs is in the record.
    let app = app.restarted();
    let undone = app.undo_import(record, false).await.unwrap();

    assert!(matches!(undone, RunResult::Done { .. }), "{undone:?}");
    assert_eq!(loud(&app).await, fewer, "as it was before the import");
    let note = app.history().await.remove(0).note;
    assert!(note.ends_with(&format!(".agssite ({})", safety_backup.upload)), "the file by its name: {note}");
    assert!(note.starts_with("Parcels/Zoning.MapServer · "), "what did not start comes first: {note}");
}

/// Imports an upload, and returns the file in the note of its record: name and identifier.
async fn named_in_history(app: &TestApp, upload: &str) -> (String, Option<String>) {
    let ended = app.import_server(form(upload)).await.unwrap();
    let RunResult::Done { record: Some(record), .. } = ended else { panic!("{ended:?}") };
    let entry = details_of(&app.steward.context.history, record).await.unwrap().entry;
    let file = entry.note_parts.into_iter().find(|part| part.upload.is_some()).unwrap();
    (file.text, file.upload)
}

#[tokio::test]
async fn the_history_names_the_imported_file_as_it_was_chosen_and_not_only_by_its_identifier() {
    let app = TestApp::new().await;
    let place = stored_export(&app).await;
    let here = app.history().await.remove(0).facts.upload.unwrap();
    let name = place.file_name().unwrap().to_str().unwrap().to_owned();

    assert_eq!(named_in_history(&app, &here).await, (name, Some(here)), "by its name on this computer");

    let secured = ImportServerForm {
        safety_backup: Some(SafetyBackupOptions { also_here: false }),
        ..form(&exported(&app).await)
    };
    let ended = app.import_server(secured).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let there = report.safety_backup.unwrap().upload;
    let server = app.steward.context.access.server(&app.sites().at(&app.server).unwrap()).await.unwrap();
    let listed = listing::uploads(&server).await.unwrap();
    let name = listed.into_iter().find(|upload| upload.id == there).unwrap().name;
    assert!(name.ends_with(".agssite"), "{name}");

    assert_eq!(
        named_in_history(&app, &there).await,
        (name, Some(there.clone())),
        "by its name on the server"
    );

    let refused = answer(r#"{"status":"error","messages":["No list."],"code":500}"#);
    let _way = app.with_fault("/admin/uploads?", refused).await;
    assert_eq!(named_in_history(&app, &there).await, (String::new(), Some(there)), "where no list has it");
}

#[tokio::test]
async fn the_result_of_an_import_has_the_end_and_the_duration_of_its_history_entry() {
    let app = TestApp::new().await;
    let file = exported(&app).await;

    let ended = app.import_server(form(&file)).await.unwrap();

    // Before the intent, the inventory was taken.
    let RunResult::Done { at, took, .. } = ended else { panic!("{ended:?}") };
    let import = app.history().await.remove(0);
    assert_eq!((import.ended_at, import.elapsed), (Some(at.0), Some(i64::from(took))));
}

#[tokio::test]
async fn an_undo_is_undone_with_the_safety_backup_that_it_takes_itself() {
    let app = TestApp::new().await;
    let all = loud(&app).await;
    let import = with_safety_backup(&app, false).await;
    deactivate(&app, &["Buffer.GPServer"]).await.unwrap();
    let fewer = loud(&app).await;
    assert!(fewer < all);

    let undone = app.undo_import(import.clone(), true).await.unwrap();

    assert!(app.steward.context.runs.ended().last().unwrap().is_undo, "told apart from an import");
    let RunResult::Done { report, record: Some(undo), .. } = undone else { panic!("{undone:?}") };
    assert_eq!(loud(&app).await, all, "what was deactivated since is active again");
    let history = app.history().await;
    let backup = &history[1];
    assert_eq!(backup.intent.operation, "export_server", "the backup has a record of its own");
    assert_eq!(report.safety_backup.unwrap().record, Some(RecordId(backup.id.clone())));
    let undoes = ("undoes".to_owned(), import.0);
    assert!(history[0].intent.parameters.contains(&undoes), "{:?}", history[0].intent.parameters);

    let app = app.restarted();
    let again = app.undo_import(undo, false).await.unwrap();

    assert!(matches!(again, RunResult::Done { .. }), "{again:?}");
    assert_eq!(loud(&app).await, fewer, "as it was before the undo");
}

#[tokio::test]
async fn an_undo_whose_safety_backup_fails_replaces_nothing() {
    let app = TestApp::new().await;
    let import = with_safety_backup(&app, false).await;
    let refusal = answer(r#"{"status":"error","messages":["The store is locked."],"code":500}"#);
    let export = FaultProxy::to(app.practice_address(), "/admin/exportSite", refusal).await.unwrap();
    let importing = FaultProxy::to(&export.address(), "/admin/importSite", Fault::AnswerLost).await.unwrap();
    app.go_through(&importing.address());

    let problem = app.undo_import(import.clone(), true).await.err().unwrap();

    assert_eq!((step(&problem), export.met()), (SafetyBackupStep::Export, 1));
    assert_eq!(importing.met(), 0, "the undo was sent without a safety backup");
    assert_eq!(app.history().await[0].outcome, Outcome::NotSent);
    app.go_through(app.practice_address());
    let undone = app.undo_import(import, false).await.unwrap();
    assert!(matches!(undone, RunResult::Done { .. }), "it can still be undone: {undone:?}");
}

async fn summary(app: &TestApp, import: &RecordId) -> RecordedChanges {
    let context = &app.steward.context;
    since_import(&context.access.sites, &context.history, import.clone()).await.unwrap()
}

#[tokio::test]
async fn a_change_after_an_import_is_listed_although_the_clock_was_set_back_in_between() {
    let app = TestApp::new().await;
    let import = with_safety_backup(&app, false).await;
    deactivate(&app, &["Buffer.GPServer"]).await.unwrap();
    let mut earlier = app.history().await.remove(0).intent;
    earlier.started_at -= 3_600_000;
    let written = app.steward.context.history.journal(move |journal| journal.intend(&earlier));
    written.await.unwrap();

    assert_eq!(summary(&app, &import).await.count, 2);
}

#[tokio::test]
async fn a_change_under_another_name_of_the_same_server_is_listed_too() {
    let app = TestApp::new().await;
    let import = with_safety_backup(&app, false).await;
    let form = SiteForm::of("Harbour", "", &app.practice.ready().server.replace("/server", "//SERVER/"));
    let other = app.sites().save(&form).unwrap();
    let mut change = deactivate_recorded(&app).await;
    (change.site, change.server) = (other.id.0.clone(), other.servers[0].id.0.clone());
    app.steward.context.history.journal(move |journal| journal.intend(&change)).await.unwrap();

    assert_eq!(summary(&app, &import).await.count, 2);
}

/// Deactivates webhooks, and returns what the history recorded of it.
async fn deactivate_recorded(app: &TestApp) -> Intent {
    deactivate(app, &["Buffer.GPServer"]).await.unwrap();
    app.history().await.remove(0).intent
}

#[tokio::test]
async fn what_changed_the_server_since_an_import_is_listed_before_it_is_undone() {
    let app = TestApp::new().await;
    deactivate(&app, &["Water/Mains.FeatureServer"]).await.unwrap();
    let import = with_safety_backup(&app, false).await;
    assert_eq!(summary(&app, &import).await.count, 0, "what was before the import stays");

    // Of these, none changed the server.
    exported(&app).await;
    let refusal = answer(r#"{"status":"error","messages":["No."],"code":403}"#);
    let refused = app.with_fault("/deactivateAll", refusal).await;
    assert!(deactivate(&app, &["Buffer.GPServer"]).await.is_err());
    let app = app.without_fault(refused);
    assert_eq!(summary(&app, &import).await.count, 0);

    deactivate(&app, &["Buffer.GPServer"]).await.unwrap();
    let lost = app.with_fault("/deactivateAll", Fault::AnswerLost).await;
    deactivate(&app, &["Hosted/Hydrants.FeatureServer"]).await.unwrap();
    let app = app.without_fault(lost);
    let found = summary(&app, &import).await;

    let names: Vec<_> = found.changes.iter().map(|one| (one.operation.name(), one.outcome)).collect();
    let name = "deactivate_webhooks";
    assert_eq!(names, [(name, Outcome::Unknown), (name, Outcome::Succeeded)], "newest first");
    assert_eq!(found.count, 2);

    for _ in 0..5 {
        deactivate(&app, &["Buffer.GPServer"]).await.unwrap();
    }
    let found = summary(&app, &import).await;
    assert_eq!((found.changes.len(), found.count), (5, 7), "a handful by name, and how many there are");
}

/// The import is never sent when `fault` happens to requests that contain `on`.
async fn unsent(also_here: Option<&Path>, on: &str, fault: Fault) -> (Problem, TestApp) {
    let mut app = TestApp::new().await;
    // A download that is tried again for a minute is a matter of its own tests.
    app.steward.transfers.retry_policy = RetryPolicy::none();
    let file = exported(&app).await;
    if let Some(place) = also_here {
        app.dialogs.will_choose(&app.folder("desk").join(place));
    }
    let way = FaultProxy::to(app.practice_address(), on, fault).await.unwrap();
    let import = FaultProxy::to(&way.address(), "/admin/importSite", Fault::AnswerLost).await.unwrap();
    app.go_through(&import.address());

    let form = ImportServerForm {
        safety_backup: Some(SafetyBackupOptions { also_here: also_here.is_some() }),
        ..form(&file)
    };
    let problem = app.import_server(form).await.err().unwrap();

    assert!(way.met() > 0, "{on}: the fault happened");
    assert_eq!(import.met(), 0, "{on}: the import was sent without a way back");
    let history = app.history().await;
    assert_eq!(history[0].intent.operation, "import_server", "{on}: that it was asked for is in the history");
    assert_eq!(history[0].outcome, Outcome::NotSent, "{on}");
    assert!(history[0].note.contains("the safety backup"), "{on}: {}", history[0].note);
    assert!(history[1..].iter().all(|record| record.intent.operation != "import_server"), "{on}");
    assert!(app.steward.context.runs.all().is_empty());
    // Whoever looks elsewhere meanwhile is told the same.
    let ended = app.steward.context.runs.ended().pop().unwrap();
    assert_eq!(
        (ended.operation, ended.outcome),
        (OperationKey::ImportServer, history::Outcome::NotSent),
        "{on}"
    );
    (problem, app)
}

pub(crate) fn answer(body: &str) -> Fault {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\nconnection: close\r\n";
    Fault::Instead(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

fn step(problem: &Problem) -> SafetyBackupStep {
    let Problem::SafetyBackupFailed { step, .. } = problem else { panic!("{problem:?}") };
    *step
}

#[tokio::test]
async fn an_import_is_not_sent_when_the_export_before_it_fails() {
    let refusal = answer(r#"{"status":"error","messages":["The store is locked."],"code":500}"#);
    let (problem, app) = unsent(None, "/admin/exportSite", refusal).await;
    let Problem::SafetyBackupFailed { step: SafetyBackupStep::Export, cause: Some(cause) } = problem else {
        panic!("{problem:?}")
    };
    assert!(matches!(*cause, Problem::Rejected { .. }), "the site's own words are kept: {cause:?}");
    assert_eq!(app.history().await[1].outcome, Outcome::Failed);
}

#[tokio::test]
async fn a_safety_backup_whose_response_is_lost_is_not_said_to_have_failed() {
    let (problem, app) = unsent(None, "/admin/exportSite", Fault::AnswerLost).await;

    assert_eq!(step(&problem), SafetyBackupStep::Unknown);
    assert_eq!(app.history().await[1].outcome, Outcome::Unknown);
}

#[tokio::test]
async fn an_import_is_not_sent_when_the_export_is_not_stored_or_not_whole() {
    let (problem, app) = unsent(None, "/admin/uploads?", answer(r#"{"items":[]}"#)).await;
    assert_eq!(step(&problem), SafetyBackupStep::NotStored);
    let backup = app.history().await.remove(1);
    assert_eq!(backup.outcome, Outcome::Failed, "an export that is not there is no export");

    for (stored, expected) in [
        ("", SafetyBackupStep::Archive(ArchiveFault::Empty)),
        ("<html>the proxy's page</html>", SafetyBackupStep::Archive(ArchiveFault::NoArchive)),
        ("PK\u{3}\u{4} and then nothing more", SafetyBackupStep::Archive(ArchiveFault::Cut)),
    ] {
        for also_here in [None, Some(Path::new("before.agssite"))] {
            let (problem, _) = unsent(also_here, "/download", answer(stored)).await;
            // An empty file, and one that begins as an archive and does not end as one, are not even saved.
            let is_whole = expected == SafetyBackupStep::Archive(ArchiveFault::NoArchive);
            let expected =
                if also_here.is_some() && !is_whole { SafetyBackupStep::Download } else { expected };
            assert_eq!(step(&problem), expected, "{stored:?} {also_here:?}");
        }
    }
    let (problem, _) = unsent(None, "/download", Fault::CutAfter(600)).await;
    assert_eq!(step(&problem), SafetyBackupStep::Archive(ArchiveFault::Unread));
    // In the content of the first entry: the headers of an archive have bytes that no reader looks at.
    let flipped = Fault::FlippedAt(600);
    let (problem, _) = unsent(Some(Path::new("before.agssite")), "/download", flipped).await;
    assert_eq!(step(&problem), SafetyBackupStep::Archive(ArchiveFault::Damaged));
}

#[tokio::test]
async fn the_stored_file_of_an_earlier_export_is_no_safety_backup() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let secured =
        ImportServerForm { safety_backup: Some(SafetyBackupOptions { also_here: false }), ..form(&file) };
    let ended = app.import_server(secured.clone()).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let earlier = report.safety_backup.unwrap().location;
    let again = format!(r#"{{"status":"success","location":"{earlier}"}}"#);
    let _way = app.with_fault("/admin/exportSite", answer(&again)).await;

    let problem = app.import_server(secured).await.err().unwrap();

    assert_eq!(step(&problem), SafetyBackupStep::Archive(ArchiveFault::Earlier));
    let [import, backup] = &app.history().await[..2] else { panic!() };
    assert_eq!((import.outcome, backup.outcome), (Outcome::NotSent, Outcome::Failed));
}

#[tokio::test]
async fn an_import_after_which_no_service_can_be_read_is_no_plain_success() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let way = app.with_fault("/admin/importSite", answer(r#"{"status":"success","result":[]}"#)).await;
    let refusal = answer(r#"{"status":"error","messages":["No."],"code":500}"#);
    let address = way.address();
    let services = FaultProxy::to(&address, "GET /server/admin/services?", refusal).await.unwrap().sparing(1);
    app.go_through(&services.address());

    let ended = app.import_server(form(&file)).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert!(services.met() > 0 && report.proof.unwrap().check.is_none());
    assert_eq!(app.history().await[0].outcome, Outcome::Warnings, "nothing is known of its services");
}

#[tokio::test]
async fn the_stored_file_of_another_administrator_is_no_safety_backup() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    // The history does not know it.
    let other = post(&app, "/server/admin/exportSite", &[]).await["location"].clone();
    let again = serde_json::json!({ "status": "success", "location": other }).to_string();
    let _way = app.with_fault("/admin/exportSite", answer(&again)).await;
    let secured =
        ImportServerForm { safety_backup: Some(SafetyBackupOptions { also_here: false }), ..form(&file) };

    let problem = app.import_server(secured).await.err().unwrap();

    assert_eq!(step(&problem), SafetyBackupStep::Archive(ArchiveFault::Earlier));
    assert_eq!(app.history().await[0].outcome, Outcome::NotSent);
}

#[tokio::test]
async fn of_two_outcomes_that_the_disk_refused_the_later_one_is_written_once_there_is_room() {
    let mut app = TestApp::new().await;
    app.steward.transfers.retry_policy =
        RetryPolicy { pause: Duration::from_millis(20), tries: 3, stalled: Duration::from_secs(5) };
    let file = exported(&app).await;
    let _way = app.with_fault("/admin/uploads?", answer(r#"{"items":[]}"#)).await;
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal.execute_batch(full).unwrap();
    let form =
        ImportServerForm { safety_backup: Some(SafetyBackupOptions { also_here: false }), ..form(&file) };

    let problem = app.import_server(form).await.err().unwrap();

    assert_eq!(step(&problem), SafetyBackupStep::NotStored);
    journal.execute_batch("DROP TRIGGER full").unwrap();
    let is_backup =
        |record: &StoredRecord| record.intent.parameters.iter().any(|(name, _)| name == "purpose");
    let outcome = async || app.history().await.into_iter().find(is_backup).unwrap().outcome;
    until("the outcome", async || outcome().await != Outcome::Sent).await;
    assert_eq!(outcome().await, Outcome::Failed, "an export that is not there is no export");
}

#[tokio::test]
async fn an_outcome_that_the_disk_refused_after_another_was_written_is_written_once_there_is_room() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let _way = app.with_fault("/admin/uploads?", answer(r#"{"items":[]}"#)).await;
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE UPDATE ON record WHEN new.outcome = 'failed'
                BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal.execute_batch(full).unwrap();
    let form =
        ImportServerForm { safety_backup: Some(SafetyBackupOptions { also_here: false }), ..form(&file) };

    let problem = app.import_server(form).await.err().unwrap();

    assert_eq!(step(&problem), SafetyBackupStep::NotStored);
    let is_backup =
        |record: &StoredRecord| record.intent.parameters.iter().any(|(name, _)| name == "purpose");
    let outcome = async || app.history().await.into_iter().find(is_backup).unwrap().outcome;
    assert_eq!(outcome().await, Outcome::Succeeded, "what the server said of the export");
    journal.execute_batch("DROP TRIGGER full").unwrap();
    until("the outcome", async || outcome().await == Outcome::Failed).await;
}

#[tokio::test]
async fn an_import_is_not_sent_when_the_copy_here_cannot_be_made() {
    // Nothing of the file ever arrives, so that going on where it broke off leads nowhere.
    let half = Fault::CutAfter(40);
    let (problem, app) = unsent(Some(Path::new("before.agssite")), "/download", half).await;
    assert_eq!(step(&problem), SafetyBackupStep::Download);
    assert_eq!(app.history().await[1].outcome, Outcome::Warnings, "its copy is not here");

    let nowhere = Path::new("not-there/before.agssite");
    // Whatever happens to this request: it is only there to be counted.
    let (problem, _) = unsent(Some(nowhere), "/admin/uploads?", answer(r#"{"items":[]}"#)).await;
    assert_eq!(step(&problem), SafetyBackupStep::NotStored);

    let app = TestApp::new().await;
    let file = exported(&app).await;
    let import = app.with_fault("/admin/importSite", Fault::AnswerLost).await;
    app.dialogs.will_choose(&app.folder("desk").join(nowhere));
    let form =
        ImportServerForm { safety_backup: Some(SafetyBackupOptions { also_here: true }), ..form(&file) };
    let problem = app.import_server(form).await.err().unwrap();
    let Problem::SafetyBackupFailed { step: SafetyBackupStep::Download, cause: Some(cause) } = problem else {
        panic!("{problem:?}")
    };
    assert!(matches!(*cause, Problem::File { .. }), "{cause:?}");
    assert_eq!(import.met(), 0);
    let backup = app.history().await.into_iter().find(|record| record.intent.operation == "export_server");
    assert_eq!(backup.unwrap().outcome, Outcome::Warnings, "its copy is not here");
}

#[tokio::test]
async fn an_import_whose_services_do_not_run_ends_with_warnings_although_its_report_has_none() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let _way = app.with_fault("/admin/importSite", answer(r#"{"status":"success","result":[]}"#)).await;

    let ended = app.import_server(form(&file)).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let check = report.proof.and_then(|proof| proof.check).unwrap();
    assert!(!check.not_running.is_empty(), "{check:?}");
    assert_eq!(app.history().await[0].outcome, Outcome::Warnings);
    assert_eq!(app.steward.context.runs.ended().last().unwrap().outcome, Outcome::Warnings);
}

#[cfg(unix)]
#[tokio::test]
async fn a_copy_of_the_way_back_in_a_folder_whose_name_is_not_unicode_is_verified_and_shown() {
    use std::os::unix::ffi::OsStrExt;
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let folder = app.folder("desk").join(std::ffi::OsStr::from_bytes(b"Stra\xDFen"));
    std::fs::create_dir(&folder).unwrap();
    app.dialogs.will_choose(&folder.join("before.agssite"));
    let form =
        ImportServerForm { safety_backup: Some(SafetyBackupOptions { also_here: true }), ..form(&file) };

    let ended = app.import_server(form).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let saved = report.safety_backup.unwrap().saved.unwrap();
    let names = crate::test_app::files_in(&folder);
    assert!(
        names.len() == 2 && names.contains(&"before.agssite".to_owned()),
        "with its inventory: {names:?}"
    );
    let found = file_facts(&app.steward.dialogs, &app.steward.data_folder, saved.path.clone()).await;
    assert_eq!(found, Ok(saved));
}

#[tokio::test]
async fn stop_while_the_way_back_is_made_leaves_the_import_unsent() {
    for on in ["/admin/exportSite", "/download"] {
        let app = TestApp::new().await;
        let file = exported(&app).await;
        let way = FaultProxy::to(app.practice_address(), on, Fault::Silence).await.unwrap();
        let import = FaultProxy::to(&way.address(), "/admin/importSite", Fault::AnswerLost).await.unwrap();
        app.go_through(&import.address());
        let form =
            ImportServerForm { safety_backup: Some(SafetyBackupOptions { also_here: false }), ..form(&file) };

        let (ended, ()) = tokio::join!(app.import_server(form), async {
            until("the request", async || way.met() > 0).await;
            app.steward.context.runs.stop(&app.run());
        });

        assert!(matches!(ended, Ok(RunResult::NotSent { backup: Some(_), .. })), "{on}: {ended:?}");
        assert_eq!(import.met(), 0, "{on}");
    }
}

#[tokio::test]
async fn a_closed_dialog_exports_and_imports_nothing() {
    let app = TestApp::new().await;
    let way = app.with_fault("POST ", Fault::AnswerLost).await;
    let form = ImportServerForm {
        safety_backup: Some(SafetyBackupOptions { also_here: true }),
        ..form("/a.agssite")
    };

    let ended = app.import_server(form).await.unwrap();

    assert!(matches!(ended, RunResult::Dismissed), "{ended:?}");
    assert_eq!(way.met(), 0);
}

#[tokio::test]
async fn a_way_back_that_is_no_longer_stored_is_said_with_the_copy_that_is_here() {
    let app = TestApp::new().await;
    let place = app.folder("desk").join("before.agssite");
    app.dialogs.will_choose(&place);
    let record = with_safety_backup(&app, true).await;
    let gone = FaultProxy::to(app.practice_address(), "/admin/uploads?", answer(r#"{"items":[]}"#));
    let gone = gone.await.unwrap();
    let import = FaultProxy::to(&gone.address(), "/admin/importSite", Fault::AnswerLost).await.unwrap();
    app.go_through(&import.address());

    let problem = app.undo_import(record, false).await.err().unwrap();

    assert_eq!(problem, Problem::SafetyBackupMissing { local: Some(place.display().to_string()) });
    assert_eq!(import.met(), 0);
}

#[tokio::test]
async fn an_import_is_not_undone_with_another_file_that_the_server_has_in_place_of_its_safety_backup() {
    type Change = fn(&mut Vec<u8>);
    let longer: Change = |content| content.push(0);
    let as_long: Change = |content| {
        let in_directory = content.len() - 40;
        content[in_directory] ^= 1;
    };
    for (change, copied) in [(longer, false), (as_long, false), (as_long, true)] {
        let app = TestApp::new().await;
        app.dialogs.will_choose(&app.folder("desk").join("before.agssite"));
        let record = with_safety_backup(&app, copied).await;
        let history = app.history().await;
        let parameters = &history[0].intent.parameters;
        let (_, upload) = parameters.iter().find(|(name, _)| name == "safetyBackup").unwrap();
        let stored = app.practice_folder().join("server/uploads").join(upload);
        let file = std::fs::read_dir(stored).unwrap().next().unwrap().unwrap();
        let mut content = std::fs::read(file.path()).unwrap();
        change(&mut content);
        std::fs::write(file.path(), content).unwrap();
        let import = app.with_fault("/admin/importSite", Fault::AnswerLost).await;

        let refused = app.undo_import(record, false).await.err();

        let file = file.file_name().display().to_string();
        let why = PreconditionFailure::SafetyBackupReplaced { file };
        assert_eq!(refused, Some(Problem::PreconditionFailed { why }), "a copy: {copied}");
        assert_eq!((import.met(), app.history().await.len()), (0, history.len()));
    }
}

#[tokio::test]
async fn lock_pressed_while_the_way_back_is_made_leaves_the_import_unsent_and_an_unlock_that_ran_out_does_not()
 {
    for is_pressed in [true, false] {
        let mut app = TestApp::new().await;
        let passed = clock_of(&mut app);
        let file = exported(&app).await;
        read_only(&app);
        unlock(&app.steward.context, &app.site, "The new services are due").await.unwrap();
        let before = app.history().await.len();
        let form =
            ImportServerForm { safety_backup: Some(SafetyBackupOptions { also_here: false }), ..form(&file) };
        app.order("export_server", "delay", &[("seconds", "2")]).await;

        let meanwhile = async {
            until("the record", async || app.history().await.len() > before).await;
            if is_pressed {
                app.steward.context.locks.lock_again(&app.site);
                // Whoever locked it meant this import, whatever is unlocked for afterwards.
                unlock(&app.steward.context, &app.site, "Something else").await.unwrap();
            } else {
                passed.store(15 * 60, Ordering::SeqCst);
            }
        };
        let (ended, ()) = tokio::join!(app.import_server(form), meanwhile);

        let import = app.history().await.remove(0);
        let outcome = if is_pressed { Outcome::NotSent } else { Outcome::Warnings };
        assert_eq!((import.intent.operation.as_str(), import.outcome), ("import_server", outcome));
        if is_pressed {
            assert_eq!(
                ended.err(),
                Some(Problem::PreconditionFailed { why: PreconditionFailure::LockedMeanwhile })
            );
        } else {
            assert!(matches!(ended, Ok(RunResult::Done { .. })), "{ended:?}");
        }
    }
}

#[tokio::test]
async fn a_lost_answer_to_a_secured_import_keeps_its_way_back() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let way = app.with_fault("/admin/importSite", Fault::AnswerLost).await;
    let form =
        ImportServerForm { safety_backup: Some(SafetyBackupOptions { also_here: false }), ..form(&file) };

    let ended = app.import_server(form).await.unwrap();

    let RunResult::Unknown { record: Some(record), .. } = ended else { panic!("{ended:?}") };
    assert_eq!(way.met(), 1);
    app.go_through(app.practice_address());
    let undone = app.undo_import(record, false).await.unwrap();
    assert!(matches!(undone, RunResult::Done { .. }), "{undone:?}");
}

#[tokio::test]
async fn an_import_goes_past_the_web_adaptor_and_everything_else_through_it() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let adaptor = app.with_fault("/admin/importSite", Fault::AnswerLost).await;
    let mut site = app.sites().get(&app.site).unwrap();
    site.servers[0].admin_url = url::Url::parse(&app.practice.ready().server).ok();
    app.sites().put(site).unwrap();

    let ended = app.import_server(form(&file)).await.unwrap();

    assert!(matches!(ended, RunResult::Done { .. }), "{ended:?}");
    assert_eq!(adaptor.met(), 0);
    let request = &app.history().await[0].intent.requests[0];
    assert!(request.address.starts_with(&app.practice.ready().server), "{request:?}");
}

#[tokio::test]
async fn nothing_is_imported_for_somebody_who_left_nor_where_a_mark_was_set_meanwhile() {
    for is_marked in [false, true] {
        let app = TestApp::new().await;
        let file = exported(&app).await;
        let before = app.history().await.len();
        let form =
            ImportServerForm { safety_backup: Some(SafetyBackupOptions { also_here: false }), ..form(&file) };
        app.order("export_server", "delay", &[("seconds", "2")]).await;

        let meanwhile = async {
            until("the record", async || app.history().await.len() > before).await;
            // Whoever leaves between the record and the request has no safety backup either.
            until("the export was sent", async || app.steward.context.runs.all().iter().any(|run| run.sent))
                .await;
            if is_marked {
                let site = app.sites().get(&app.site).unwrap();
                app.sites().put(Site { read_only: true, ..site }).unwrap();
            } else {
                leave(&app.steward.context, &app.site).await.unwrap();
                app.sign_in("administrator").await.unwrap();
            }
        };
        let (ended, ()) = tokio::join!(app.import_server(form), meanwhile);

        let problem = ended.err().unwrap();
        let expected = if is_marked {
            Problem::ReadOnly { site: app.site.clone(), site_name: "City GIS".to_owned() }
        } else {
            Problem::sign_in(&app.site)
        };
        assert_eq!(problem, expected);
        let history = app.history().await;
        assert_eq!(
            (history[0].intent.operation.as_str(), history[0].outcome),
            ("import_server", Outcome::NotSent)
        );
        assert!(history[1..].iter().all(|record| record.intent.operation != "import_server"), "{history:?}");
    }
}

#[tokio::test]
async fn a_failure_that_names_a_web_adaptor_may_have_replaced_parts_without_a_backup_too() {
    let words = "Importing the registration of the web adaptor failed.";
    for (code, may_have_begun) in [("500", true), ("null", true), ("403", false)] {
        let app = TestApp::new().await;
        let said = format!(r#"{{"status":"error","messages":["{words}"],"code":{code}}}"#);
        let _way = app.with_fault("/admin/importSite", instead(&said)).await;

        let ended = app.import_server(form("/a.agssite")).await;

        let in_front = Problem::InFront { message: words.to_owned() };
        match ended.err().unwrap() {
            Problem::ImportFailed { can_undo: false, record: Some(_), .. } => {
                assert!(may_have_begun, "{code}")
            }
            problem => assert_eq!((problem, may_have_begun), (in_front, false), "{code}"),
        }
    }
}

#[tokio::test]
async fn an_import_is_not_undone_with_an_upload_that_got_the_identifier_of_its_safety_backup() {
    let app = TestApp::new().await;
    let import = with_safety_backup(&app, false).await;
    let history = app.history().await;
    let given = |name: &str| history[0].intent.parameters.iter().find(|(given, _)| given == name).unwrap();
    let backup = given("safetyBackup").1.clone();
    // The server deleted the backup, and gives the next file its identifier.
    let gone = answer(r#"{"items":[]}"#);
    let lists = FaultProxy::to(app.practice_address(), "/admin/uploads?", gone).await.unwrap();
    let stored = serde_json::json!({ "itemID": backup, "itemName": "a.csv", "committed": true });
    let stored = serde_json::json!({ "status": "success", "item": stored }).to_string();
    let taking = FaultProxy::to(&lists.address(), "/uploads/upload", answer(&stored)).await.unwrap();
    let length = FaultProxy::to(&taking.address(), "/download", answer("a,b")).await.unwrap();
    app.go_through(&length.address());
    let place = app.folder("desk").join("a.csv");
    std::fs::write(&place, "a,b").unwrap();
    app.dialogs.will_choose(&place);
    let end = app.upload(UploadSource::Choose { part_mebibytes: 1 }).await;
    assert!(matches!(end, Ok(UploadEnd::Uploaded { .. })), "{end:?}");
    let app = app.without_fault(length);

    let refused = app.undo_import(import, false).await.err();

    let why = PreconditionFailure::SafetyBackupReplaced { file: backup };
    assert_eq!(refused, Some(Problem::PreconditionFailed { why }));
}

#[tokio::test]
async fn an_import_is_known_to_be_undone_although_the_clock_was_set_back_in_between() {
    let app = TestApp::new().await;
    let import = with_safety_backup(&app, false).await;
    let ended = app.undo_import(import.clone(), false).await.unwrap();
    assert!(matches!(ended, RunResult::Done { .. }), "{ended:?}");
    let undo = app.history().await.remove(0).id;
    let undone = async || {
        let import = import.clone();
        let read = app.steward.context.history.journal(move |journal| imports::undone_by(journal, &import));
        read.await.unwrap().1.map(|undo| undo.0)
    };
    assert_eq!(undone().await, Some(undo));

    let mut earlier = app.history().await.remove(0).intent;
    earlier.started_at -= 3_600_000;
    let conclusion = Conclusion {
        outcome: Outcome::Succeeded,
        note: String::new(),
        facts: None,
        response: None,
        report: None,
        ended_at: earlier.started_at + 1,
        elapsed: 1,
    };
    let again = app.steward.context.history.journal(move |journal| {
        let id = journal.intend(&earlier)?;
        journal.conclude(&id, &conclusion)?;
        Ok(id)
    });

    let again = again.await.unwrap();

    assert_eq!(undone().await, Some(again), "the newer one, by its place in the history");
}
