use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use steward_core::actions::sign_in::leave;
use steward_core::model::export_outcome::ExportOutcome;
use steward_core::model::problem::{FieldError as FormFault, Problem};
use steward_core::model::run_result::RunResult;
use steward_core::operations::export_portal::{
    ExportPortalForm, PortalExportDestination, PortalExportReport,
};
use steward_core::operations::import_portal::change_summary::change_summary;
use steward_core::sites::Site;
use steward_journal::Outcome;
use steward_testkit::{Fault, FaultProxy, Reply, TestServer, move_sessions, until};
use tokio::sync::Notify;

use crate::import_server::answer;
use crate::test_app::{TestApp, files_in};

pub(crate) fn to(folder: &Path, check_only: bool) -> ExportPortalForm {
    ExportPortalForm {
        target: PortalExportDestination::Folder { location: folder.display().to_string() },
        check_only,
    }
}

#[tokio::test]
async fn a_portal_is_exported_to_a_folder_and_the_history_says_where() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");

    let ended = app.export_portal(to(&folder, false)).await.unwrap();

    let RunResult::Done {
        report: PortalExportReport { outcome: ExportOutcome::Written { location, .. }, .. },
        record,
        ..
    } = ended
    else {
        panic!("{ended:?}");
    };
    assert!(location.ends_with(".portalsite"), "{location}");
    assert!(std::fs::metadata(&location).unwrap().len() > 1_000);
    let history = app.history().await;
    assert_eq!(Some(&history[0].id), record.map(|record| record.0).as_ref());
    assert_eq!(history[0].outcome, Outcome::Succeeded);
    assert_eq!(history[0].note, location);
}

#[tokio::test]
async fn a_check_writes_nothing_and_leaves_no_record() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");

    let ended = app.export_portal(to(&folder, true)).await.unwrap();

    assert!(
        matches!(
            ended,
            RunResult::Done {
                report: PortalExportReport { outcome: ExportOutcome::Checked, .. },
                record: None,
                ..
            }
        ),
        "{ended:?}"
    );
    assert!(files_in(&folder).is_empty());
    assert!(app.history().await.is_empty());
}

#[tokio::test]
async fn a_check_ends_without_an_ended_export() {
    let app = TestApp::new().await;
    let (folder, ended) = (app.folder("exports"), || app.steward.context.runs.ended());

    app.export_portal(to(&folder, true)).await.unwrap();
    assert_eq!(ended(), []);

    let nowhere = folder.join("not-there");
    app.export_portal(to(&nowhere, true)).await.unwrap_err();
    assert_eq!(ended(), []);

    app.export_portal(to(&folder, false)).await.unwrap();
    assert_eq!(ended().len(), 1);
}

#[tokio::test]
async fn a_check_with_a_warning_shows_it() {
    let app = TestApp::new().await;
    let body = r#"{"status":"success with warning","messages":["The disk is almost full."]}"#;
    let _way = app.with_fault("/portaladmin/exportSite", instead(body)).await;

    let ended = app.export_portal(to(&app.folder("exports"), true)).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let messages = vec!["The disk is almost full.".to_owned()];
    assert_eq!(report.outcome, ExportOutcome::CheckedWithWarnings { messages });
}

#[tokio::test]
async fn an_export_whose_response_names_no_file_ends_with_a_warning() {
    let app = TestApp::new().await;
    let _way = app.with_fault_after_the_check(instead(r#"{"status":"success"}"#)).await;

    let ended = app.export_portal(to(&app.folder("exports"), false)).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ExportOutcome::WrittenWithWarnings { messages, .. } = report.outcome else { panic!("{report:?}") };
    assert_eq!(messages, ["the response names no file"]);
    assert_eq!(app.history().await[0].outcome, Outcome::Warnings);
}

#[tokio::test]
async fn an_export_whose_response_names_the_file_of_an_earlier_one_is_no_new_export() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    app.export_portal(to(&folder, false)).await.unwrap();
    let earlier = app.history().await.remove(0).facts.site_path.unwrap();
    let named = serde_json::json!({ "status": "success", "location": earlier }).to_string();
    let _way = app.with_fault_after_the_check(instead(&named)).await;

    let ended = app.export_portal(to(&folder, false)).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ExportOutcome::WrittenWithWarnings { messages, .. } = report.outcome else { panic!("{report:?}") };
    assert_eq!(messages, ["the response names the file of an earlier export"]);
    let entry = app.history().await.remove(0);
    assert_eq!(entry.outcome, Outcome::Warnings);
    assert!(entry.note.contains(&messages[0]), "{}", entry.note);
    let offered = change_summary(&app.steward.context, &app.site).await.unwrap().exports;
    assert_eq!(offered.len(), 1, "the file has the state of the earlier export: {offered:?}");
}

#[tokio::test]
async fn an_unwritable_folder_is_refused_with_the_sites_own_words() {
    let app = TestApp::new().await;
    let nowhere = app.folder("exports").join("not-there");

    for check_only in [true, false] {
        let problem = app.export_portal(to(&nowhere, check_only)).await.err().unwrap();

        let Problem::Rejected { code: Some(500), message, .. } = &problem else { panic!("{problem:?}") };
        assert!(message.contains(&*nowhere.to_string_lossy()), "{message}");
    }
    assert!(app.history().await.is_empty(), "nothing was exported");
}

#[tokio::test]
async fn a_place_is_checked_before_the_export_and_one_that_fails_leaves_no_record() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    let nowhere = folder.join("not-there");

    let problem = app.export_portal(to(&nowhere, false)).await.err().unwrap();

    let Problem::Rejected { code: Some(500), message, .. } = &problem else { panic!("{problem:?}") };
    assert!(message.contains(&*nowhere.to_string_lossy()), "{message}");
    assert!(app.history().await.is_empty(), "nothing was exported");

    let way = app.with_fault("/portaladmin/exportSite", Fault::CutAfter(usize::MAX)).await;
    let ended = app.export_portal(to(&folder, false)).await.unwrap();

    assert!(
        matches!(
            ended,
            RunResult::Done { report: PortalExportReport { outcome: ExportOutcome::Written { .. }, .. }, .. }
        ),
        "{ended:?}"
    );
    assert_eq!(way.met(), 2, "one check, one export");
    assert_eq!(app.history().await.len(), 1);
}

#[tokio::test]
async fn nothing_is_exported_when_the_answer_to_the_check_is_lost() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    let way = app.with_fault("/portaladmin/exportSite", Fault::AnswerLost).await;

    let ended = app.export_portal(to(&folder, false)).await;

    assert!(matches!(ended, Err(Problem::NoResponse { .. })), "{ended:?}");
    assert_eq!(way.met(), 1);
    assert!(files_in(&folder).is_empty());
    assert!(app.history().await.is_empty());
}

/// A response of the site, in place of its own.
fn instead(body: &str) -> Fault {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    Fault::Instead(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

#[tokio::test]
async fn a_rejection_without_a_code_or_words_has_none_in_the_window_and_in_the_history() {
    let app = TestApp::new().await;
    for (body, code, message) in [
        (r#"{"status":"error","messages":["No."]}"#, None, "No."),
        (r#"{"status":"error"}"#, None, ""),
        (r#"{"status":"error","code":0}"#, None, ""),
        (r#"{"status":"error","code":500}"#, Some(500), ""),
    ] {
        let _way = app.with_fault_after_the_check(instead(body)).await;

        let problem = app.export_portal(to(&app.folder("exports"), false)).await.err().unwrap();

        let expected = Problem::Rejected { code, message: message.to_owned(), details: Vec::new() };
        assert_eq!(problem, expected, "{body}");
        let id = app.history().await[0].id.clone();
        let kept = app.steward.context.history.journal(move |journal| journal.whole(&id)).await.unwrap();
        let said = format!("{:?} {:?}", kept.record.note, kept.response);
        assert_eq!(said.contains("500"), code.is_some(), "{said}");
    }
}

#[tokio::test]
async fn a_check_whose_response_is_lost_has_no_effect_that_could_be_unknown() {
    let app = TestApp::new().await;
    let _way = app.with_fault("/portaladmin/exportSite", Fault::AnswerLost).await;

    let ended = app.export_portal(to(&app.folder("exports"), true)).await;

    assert!(matches!(ended, Err(Problem::NoResponse { .. })), "{ended:?}");
    assert!(app.history().await.is_empty());
}

#[tokio::test]
async fn an_empty_folder_name_is_found_before_anything_is_sent() {
    let app = TestApp::new().await;

    let problem = app.export_portal(to(Path::new("  "), false)).await.err().unwrap();

    assert_eq!(problem, Problem::Form { field: "location".to_owned(), fault: FormFault::Required });
    assert!(app.history().await.is_empty());
}

#[tokio::test]
async fn items_without_content_are_a_success_with_warnings_and_nothing_less() {
    let app = TestApp::new().await;
    let content = app.practice_folder().join("portal");
    let victim = first_content_file(&content);
    std::fs::remove_file(victim).unwrap();

    let ended = app.export_portal(to(&app.folder("exports"), false)).await.unwrap();

    let RunResult::Done {
        report: PortalExportReport { outcome: ExportOutcome::WrittenWithWarnings { messages, .. }, .. },
        ..
    } = ended
    else {
        panic!("{ended:?}");
    };
    assert!(!messages.is_empty());
    assert_eq!(app.history().await[0].outcome, Outcome::Warnings);
}

#[tokio::test]
async fn a_lost_answer_is_unknown_and_the_request_is_sent_once() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    let way = app.with_fault_after_the_check(Fault::AnswerLost).await;

    let ended = app.export_portal(to(&folder, false)).await.unwrap();

    assert!(matches!(ended, RunResult::Unknown { stopped: false, .. }), "{ended:?}");
    assert_eq!(way.met(), 1, "no POST that changes a site is repeated by itself");
    assert_eq!(files_in(&folder).len(), 1, "the site did it all the same");
    assert_eq!(app.history().await[0].outcome, Outcome::Unknown);
}

#[tokio::test]
async fn a_gateways_error_is_unknown_and_says_what_came() {
    for (status, body) in [
        ("504 Gateway Time-out", "<html>Gateway Time-out</html>"),
        ("504 Gateway Timeout", r#"{"error":{"code":504,"message":"Gateway Timeout","details":[]}}"#),
        ("500 Internal Server Error", r#"{"error": "There was a problem proxying the request"}"#),
    ] {
        let app = TestApp::new().await;
        let head =
            format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
        let way = app.with_fault_after_the_check(Fault::Instead((head + body).into_bytes())).await;

        let ended = app.export_portal(to(&app.folder("exports"), false)).await.unwrap();

        let RunResult::Unknown { problem: Some(Problem::Unreadable { excerpt, .. }), .. } = ended else {
            panic!("{ended:?}");
        };
        assert!(excerpt.starts_with(&format!("HTTP {}: {body}", &status[..3])), "{excerpt}");
        assert_eq!(app.history().await[0].outcome, Outcome::Unknown, "{body}");
        assert_eq!(way.met(), 1);
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_token_and_form() {
    let app = TestApp::new().await;
    let elsewhere = b"HTTP/1.1 307 Temporary Redirect\r\nlocation: /portal/portaladmin/elsewhere\r\n\
                      content-length: 0\r\n\r\n"
        .to_vec();
    let way = app.with_fault("/portaladmin/", Fault::Instead(elsewhere)).await.sparing(1);

    let ended = app.export_portal(to(&app.folder("exports"), false)).await.unwrap();

    assert!(matches!(ended, RunResult::Unknown { .. }), "{ended:?}");
    assert_eq!(way.met(), 1);
}

fn first_content_file(folder: &Path) -> std::path::PathBuf {
    let mut folders = vec![folder.join("content")];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                return path;
            }
            folders.push(path);
        }
    }
    panic!("the practice site has no content");
}

#[tokio::test]
async fn a_portal_that_knows_no_check_is_not_asked_for_one() {
    let app = TestApp::new().await;
    let _way = app.with_portal_without_check().await;
    let folder = app.folder("exports");

    let refused = app.export_portal(to(&folder, true)).await;

    let expected = Problem::TooOld { needs: "11.1".to_owned(), has: "10.9.1".to_owned() };
    assert_eq!(refused.err(), Some(expected));
    assert!(files_in(&folder).is_empty(), "it would have been an export");

    let ended = app.export_portal(to(&folder, false)).await.unwrap();

    assert!(
        matches!(
            ended,
            RunResult::Done { report: PortalExportReport { outcome: ExportOutcome::Written { .. }, .. }, .. }
        ),
        "{ended:?}"
    );
    assert_eq!(files_in(&folder).len(), 1, "a check would have been a second export");
}

/// The remembered version of the portal stays; from now on it is asked at `address`.
async fn later_at(app: &TestApp, address: &str) {
    let mut site = app.sites().get(&app.site).unwrap();
    app.steward.context.access.known(&app.current(&site)).await.unwrap();
    let moved = |url: &url::Url| url.as_str().replace(app.practice_address(), address).parse().unwrap();
    if let Some(portal) = &mut site.portal {
        portal.address = moved(&portal.address);
    }
    for server in &mut site.servers {
        server.address = moved(&server.address);
    }
    app.sites().put(site).unwrap();
    move_sessions(&app.vault, &app.site.0, &format!("http://{address}"));
    app.steward.context.access.forget_connection(&app.site);
}

fn is(version: &str) -> Fault {
    crate::import_server::answer(&format!(
        r#"{{"id":"0123456789ABCDEF","isPortal":true,"enterpriseVersion":"{version}",
            "user":{{"username":"steward","role":"org_admin","privileges":[]}}}}"#
    ))
}

const EXPORTED: &str = r#"{"status":"success","location":"/backups/now.portalsite"}"#;

#[tokio::test]
async fn a_portal_that_was_replaced_by_an_older_one_is_not_asked_for_a_check() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    let exports = crate::import_server::answer(EXPORTED);
    let export = FaultProxy::to(app.practice_address(), "/portaladmin/exportSite", exports).await.unwrap();
    let older = FaultProxy::to(&export.address(), "/portals/self", is("10.9.1")).await.unwrap();
    later_at(&app, &older.address()).await;

    let refused = app.export_portal(to(&folder, true)).await;

    let expected = Problem::TooOld { needs: "11.1".to_owned(), has: "10.9.1".to_owned() };
    assert_eq!((refused.err(), export.met()), (Some(expected), 0));

    let ended = app.export_portal(to(&folder, false)).await.unwrap();

    assert!(
        matches!(
            ended,
            RunResult::Done { report: PortalExportReport { outcome: ExportOutcome::Written { .. }, .. }, .. }
        ),
        "{ended:?}"
    );
    assert_eq!(export.met(), 1, "a check would have been a second export");
}

#[tokio::test]
async fn a_check_that_exported_is_told_and_recorded_as_an_export() {
    for check_only in [true, false] {
        let app = TestApp::new().await;
        let export = app.with_fault("/portaladmin/exportSite", crate::import_server::answer(EXPORTED)).await;
        let folder = app.folder("exports");

        let ended = app.export_portal(to(&folder, check_only)).await.unwrap();

        let RunResult::Done {
            report: PortalExportReport { outcome: ExportOutcome::Written { location, .. }, .. },
            record: Some(record),
            ..
        } = ended
        else {
            panic!("{ended:?}");
        };
        assert_eq!((location.as_str(), export.met()), ("/backups/now.portalsite", 1));
        let history = app.history().await;
        assert_eq!(history.len(), 1);
        assert_eq!((&history[0].id, history[0].outcome), (&record.0, Outcome::Succeeded));
        assert_eq!(history[0].note, location);
        let validate = ("validate".to_owned(), "true".to_owned());
        assert!(history[0].intent.requests[0].form.contains(&validate), "as it was sent");
    }
}

/// A portal that replies to a check with `body`, once the gate is notified.
async fn slow_to_check(app: &TestApp, body: &'static str, gate: &Arc<Notify>) -> TestServer {
    let gate = gate.clone();
    let script = move |request: &steward_testkit::Request| match request.path() {
        path if path.ends_with("/exportSite") => Reply::json(body).when(&gate),
        path if path.ends_with("/portals/self") => Reply::json(
            r#"{"id":"0123456789ABCDEF","isPortal":true,"enterpriseVersion":"11.5",
                "user":{"username":"steward","role":"org_admin","privileges":[]}}"#,
        ),
        _ => Reply::new("404 Not Found", "", ""),
    };
    let portal = TestServer::start(script).await.unwrap();
    later_at(app, &portal.address()).await;
    portal
}

fn checks(portal: &TestServer) -> usize {
    portal.requests().iter().filter(|request| request.path().ends_with("/exportSite")).count()
}

#[tokio::test]
async fn a_check_that_exported_took_as_long_as_its_response() {
    let app = TestApp::new().await;
    let gate = Arc::new(Notify::new());
    let portal = slow_to_check(&app, EXPORTED, &gate).await;
    let folder = app.folder("exports");
    let portal_at_work = async {
        until("the check", async || checks(&portal) == 1).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        gate.notify_one();
    };

    let export = app.export_portal(to(&folder, true));
    let (ended, ()) = tokio::join!(export, portal_at_work);

    assert!(matches!(ended, Ok(RunResult::Done { record: Some(_), .. })), "{ended:?}");
    let elapsed = app.history().await[0].elapsed.unwrap();
    assert!(elapsed >= 500, "{elapsed} ms");
}

#[tokio::test]
async fn nothing_is_exported_for_somebody_who_signed_out_during_the_check() {
    let app = TestApp::new().await;
    let gate = Arc::new(Notify::new());
    let portal = slow_to_check(&app, r#"{"status":"success"}"#, &gate).await;
    let folder = app.folder("exports");
    let person = async {
        until("the check", async || checks(&portal) == 1).await;
        leave(&app.steward.context, &app.site).await.unwrap();
        // Twice: an export that is sent all the same ends, too.
        gate.notify_one();
        until("the end of the check", async || portal.waiting() == 0).await;
        gate.notify_one();
    };

    let export = app.export_portal(to(&folder, false));
    let (ended, ()) = tokio::join!(export, person);

    assert_eq!(ended.err(), Some(Problem::sign_in(&app.site)));
    assert_eq!(checks(&portal), 1, "the check alone");
    let outcomes: Vec<_> = app.history().await.iter().map(|record| record.outcome).collect();
    assert_eq!(outcomes, [Outcome::NotSent]);
}

#[tokio::test]
async fn an_export_after_its_check_is_one_of_the_site_as_it_is_by_then() {
    let app = TestApp::new().await;
    let gate = Arc::new(Notify::new());
    let portal = slow_to_check(&app, r#"{"status":"success"}"#, &gate).await;
    let folder = app.folder("exports");
    let person = async {
        until("the check", async || checks(&portal) == 1).await;
        let site = app.sites().get(&app.site).unwrap();
        app.sites().put(Site { name: "Town GIS".to_owned(), ..site }).unwrap();
        gate.notify_one();
        until("the export", async || checks(&portal) == 2).await;
        gate.notify_one();
    };

    let export = app.export_portal(to(&folder, false));
    let (ended, ()) = tokio::join!(export, person);

    assert!(matches!(ended, Ok(RunResult::Done { record: Some(_), .. })), "{ended:?}");
    assert_eq!(app.history().await[0].intent.site_name, "Town GIS");
}

#[tokio::test]
async fn a_check_that_exported_on_a_full_disk_is_recorded_once_there_is_room() {
    let app = TestApp::new().await;
    let _way = app.with_fault("/portaladmin/exportSite", crate::import_server::answer(EXPORTED)).await;
    let folder = app.folder("exports");
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal.execute_batch(full).unwrap();

    let ended = app.export_portal(to(&folder, true)).await;

    assert!(matches!(ended, Ok(RunResult::Done { record: None, .. })), "{ended:?}");
    journal.execute_batch("DROP TRIGGER full").unwrap();
    until("the record", async || !app.history().await.is_empty()).await;
    until("its outcome", async || app.history().await[0].outcome == Outcome::Succeeded).await;
    assert_eq!(app.history().await.len(), 1);
    assert_eq!(app.history().await[0].note, "/backups/now.portalsite");
}

#[tokio::test]
async fn a_check_that_names_the_destination_is_no_export() {
    for only_check in [true, false] {
        let app = TestApp::new().await;
        let folder = app.folder("exports");
        let echo = format!(r#"{{"status":"success","location":"{}/"}}"#, folder.display());
        let way = app.with_fault("/portaladmin/exportSite", answer(&echo)).await.only(1);

        let ended = app.export_portal(to(&folder, only_check)).await.unwrap();

        let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
        let is_checked = matches!(report.outcome, ExportOutcome::Checked);
        assert_eq!((way.met(), is_checked), (1, only_check), "{report:?}");
        let exported = usize::from(!only_check);
        assert_eq!((files_in(&folder).len(), app.history().await.len()), (exported, exported));
    }
}
