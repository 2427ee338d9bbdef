use std::path::Path;

use steward_core::model::export_outcome::ExportOutcome;
use steward_core::model::problem::{Fault as FormFault, Problem};
use steward_core::model::run_result::Ended;
use steward_core::operations::export_portal::{ExportPortalForm, PortalTarget, checked_first, perform};
use steward_journal::Outcome;
use steward_testkit::{Fault, FaultProxy};

use crate::desk::{Desk, files_in};

pub(crate) fn to(folder: &Path, check_only: bool) -> ExportPortalForm {
    ExportPortalForm { target: PortalTarget::Folder { location: folder.display().to_string() }, check_only }
}

#[tokio::test]
async fn a_portal_is_exported_to_a_folder_and_the_history_says_where() {
    let desk = Desk::new().await;
    let folder = desk.folder("exports");

    let ended = perform(&desk.host, &desk.site, desk.run(), to(&folder, false)).await.unwrap();

    let Ended::Done { report: ExportOutcome::Written { location }, record, .. } = ended else {
        panic!("{ended:?}");
    };
    assert!(location.ends_with(".portalsite"), "{location}");
    assert!(std::fs::metadata(&location).unwrap().len() > 1_000);
    let history = desk.history().await;
    assert_eq!(Some(&history[0].id), record.map(|record| record.0).as_ref());
    assert_eq!(history[0].outcome, Outcome::Succeeded);
    assert_eq!(history[0].note, location);
}

#[tokio::test]
async fn a_check_writes_nothing_and_leaves_no_record() {
    let desk = Desk::new().await;
    let folder = desk.folder("exports");

    let ended = perform(&desk.host, &desk.site, desk.run(), to(&folder, true)).await.unwrap();

    assert!(matches!(ended, Ended::Done { report: ExportOutcome::Checked, record: None, .. }), "{ended:?}");
    assert!(files_in(&folder).is_empty());
    assert!(desk.history().await.is_empty());
}

#[tokio::test]
async fn an_unwritable_folder_is_refused_with_the_sites_own_words() {
    let desk = Desk::new().await;
    let nowhere = desk.folder("exports").join("not-there");

    for check_only in [true, false] {
        let problem =
            perform(&desk.host, &desk.site, desk.run(), to(&nowhere, check_only)).await.err().unwrap();

        let Problem::Refused { code: Some(500), message, .. } = &problem else { panic!("{problem:?}") };
        assert!(message.contains(&*nowhere.to_string_lossy()), "{message}");
    }
    assert_eq!(desk.history().await[0].outcome, Outcome::Failed);
}

#[tokio::test]
async fn a_place_is_checked_before_the_export_and_one_that_fails_leaves_no_record() {
    let desk = Desk::new().await;
    let folder = desk.folder("exports");
    let nowhere = folder.join("not-there");

    let problem = checked_first(&desk.host, &desk.site, desk.run(), to(&nowhere, false)).await.err().unwrap();

    let Problem::Refused { code: Some(500), message, .. } = &problem else { panic!("{problem:?}") };
    assert!(message.contains(&*nowhere.to_string_lossy()), "{message}");
    assert!(desk.history().await.is_empty(), "nothing was exported");

    let way = desk.with_fault("/portaladmin/exportSite", Fault::CutAfter(usize::MAX)).await;
    let ended = checked_first(&desk.host, &desk.site, desk.run(), to(&folder, false)).await.unwrap();

    assert!(matches!(ended, Ended::Done { report: ExportOutcome::Written { .. }, .. }), "{ended:?}");
    assert_eq!(way.met(), 2, "one check, one export");
    assert_eq!(desk.history().await.len(), 1);
}

#[tokio::test]
async fn nothing_is_exported_when_the_answer_to_the_check_is_lost() {
    let desk = Desk::new().await;
    let folder = desk.folder("exports");
    let way = desk.with_fault("/portaladmin/exportSite", Fault::AnswerLost).await;

    let ended = checked_first(&desk.host, &desk.site, desk.run(), to(&folder, false)).await;

    assert!(matches!(ended, Err(Problem::NoResponse { .. })), "{ended:?}");
    assert_eq!(way.met(), 1);
    assert!(files_in(&folder).is_empty());
    assert!(desk.history().await.is_empty());
}

/// A response of the site, in place of its own.
fn instead(body: &str) -> Fault {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    Fault::Instead(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

#[tokio::test]
async fn a_rejection_without_a_code_or_words_has_none_in_the_window_and_in_the_history() {
    let desk = Desk::new().await;
    for (body, code, message) in [
        (r#"{"status":"error","messages":["No."]}"#, None, "No."),
        (r#"{"status":"error"}"#, None, ""),
        (r#"{"status":"error","code":0}"#, None, ""),
        (r#"{"status":"error","code":500}"#, Some(500), ""),
    ] {
        let _way = desk.with_fault("/portaladmin/exportSite", instead(body)).await;

        let problem = perform(&desk.host, &desk.site, desk.run(), to(&desk.folder("exports"), false))
            .await
            .err()
            .unwrap();

        let expected = Problem::Refused { code, message: message.to_owned(), details: Vec::new() };
        assert_eq!(problem, expected, "{body}");
        let id = desk.history().await[0].id.clone();
        let kept = desk.host.journal(move |journal| journal.whole(&id)).await.unwrap();
        let said = format!("{:?} {:?}", kept.record.note, kept.answer);
        assert_eq!(said.contains("500"), code.is_some(), "{said}");
    }
}

#[tokio::test]
async fn a_check_whose_response_is_lost_has_no_effect_that_could_be_unknown() {
    let desk = Desk::new().await;
    let _way = desk.with_fault("/portaladmin/exportSite", Fault::AnswerLost).await;

    let ended = perform(&desk.host, &desk.site, desk.run(), to(&desk.folder("exports"), true)).await;

    assert!(matches!(ended, Err(Problem::NoResponse { .. })), "{ended:?}");
    assert!(desk.history().await.is_empty());
}

#[tokio::test]
async fn an_empty_folder_name_is_found_before_anything_is_sent() {
    let desk = Desk::new().await;

    let problem =
        perform(&desk.host, &desk.site, desk.run(), to(Path::new("  "), false)).await.err().unwrap();

    assert_eq!(problem, Problem::Form { field: "location".to_owned(), fault: FormFault::Required });
    assert!(desk.history().await.is_empty());
}

#[tokio::test]
async fn items_without_content_are_a_success_with_warnings_and_nothing_less() {
    let desk = Desk::new().await;
    let content = desk.practice_folder().join("portal");
    let victim = first_content_file(&content);
    std::fs::remove_file(victim).unwrap();

    let ended =
        perform(&desk.host, &desk.site, desk.run(), to(&desk.folder("exports"), false)).await.unwrap();

    let Ended::Done { report: ExportOutcome::WrittenWithWarnings { messages, .. }, .. } = ended else {
        panic!("{ended:?}");
    };
    assert!(!messages.is_empty());
    assert_eq!(desk.history().await[0].outcome, Outcome::Warnings);
}

#[tokio::test]
async fn a_lost_answer_is_unknown_and_the_request_is_sent_once() {
    let desk = Desk::new().await;
    let folder = desk.folder("exports");
    let way = desk.with_fault("/portaladmin/exportSite", Fault::AnswerLost).await;

    let ended = perform(&desk.host, &desk.site, desk.run(), to(&folder, false)).await.unwrap();

    assert!(matches!(ended, Ended::Unknown { stopped: false, .. }), "{ended:?}");
    assert_eq!(way.met(), 1, "no POST that changes a site is repeated by itself");
    assert_eq!(files_in(&folder).len(), 1, "the site did it all the same");
    assert_eq!(desk.history().await[0].outcome, Outcome::Unknown);
}

#[tokio::test]
async fn a_proxys_error_page_is_unknown_and_says_what_came() {
    let desk = Desk::new().await;
    let page =
        b"HTTP/1.1 504 Gateway Time-out\r\ncontent-length: 26\r\n\r\n<html>Gateway Time-out</h>".to_vec();
    let way = desk.with_fault("/portaladmin/exportSite", Fault::Instead(page)).await;

    let ended =
        perform(&desk.host, &desk.site, desk.run(), to(&desk.folder("exports"), false)).await.unwrap();

    let Ended::Unknown { problem: Some(Problem::Unreadable { excerpt, .. }), .. } = ended else {
        panic!("{ended:?}");
    };
    assert!(excerpt.contains("HTTP 504: <html>Gateway Time-out"), "{excerpt}");
    assert_eq!(way.met(), 1);
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_token_and_form() {
    let desk = Desk::new().await;
    let elsewhere = b"HTTP/1.1 307 Temporary Redirect\r\nlocation: /portal/portaladmin/elsewhere\r\n\
                      content-length: 0\r\n\r\n"
        .to_vec();
    let way = desk.with_fault("/portaladmin/", Fault::Instead(elsewhere)).await;

    let ended =
        perform(&desk.host, &desk.site, desk.run(), to(&desk.folder("exports"), false)).await.unwrap();

    assert!(matches!(ended, Ended::Unknown { .. }), "{ended:?}");
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
    let desk = Desk::new().await;
    let old = r#"{"id":"0123456789ABCDEF","isPortal":true,"enterpriseVersion":"10.9.1",
        "user":{"username":"steward","role":"org_admin","privileges":[]}}"#;
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", old.len());
    let answer = Fault::Instead([head.as_bytes(), old.as_bytes()].concat());
    let _way = desk.with_fault("/portals/self", answer).await;
    let folder = desk.folder("exports");

    let refused = perform(&desk.host, &desk.site, desk.run(), to(&folder, true)).await;

    let expected = Problem::TooOld { needs: "11.1".to_owned(), has: "10.9.1".to_owned() };
    assert_eq!(refused.err(), Some(expected));
    assert!(files_in(&folder).is_empty(), "it would have been an export");

    let ended = checked_first(&desk.host, &desk.site, desk.run(), to(&folder, false)).await.unwrap();

    assert!(matches!(ended, Ended::Done { report: ExportOutcome::Written { .. }, .. }), "{ended:?}");
    assert_eq!(files_in(&folder).len(), 1, "a check would have been a second export");
}

/// The remembered version of the portal stays; from now on it is asked at `address`.
async fn later_at(desk: &Desk, address: &str) {
    let mut site = desk.host.sites.get(&desk.site).unwrap();
    desk.host.known(&site).await.unwrap();
    let moved = |url: &url::Url| url.as_str().replace(desk.practice_address(), address).parse().unwrap();
    if let Some(portal) = &mut site.portal {
        portal.address = moved(&portal.address);
    }
    for server in &mut site.servers {
        server.address = moved(&server.address);
    }
    desk.host.sites.put(site).unwrap();
    desk.host.forget_way(&desk.site);
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
    let desk = Desk::new().await;
    let folder = desk.folder("exports");
    let exports = crate::import_server::answer(EXPORTED);
    let export = FaultProxy::to(desk.practice_address(), "/portaladmin/exportSite", exports).await.unwrap();
    let older = FaultProxy::to(&export.address(), "/portals/self", is("10.9.1")).await.unwrap();
    later_at(&desk, &older.address()).await;

    let refused = perform(&desk.host, &desk.site, desk.run(), to(&folder, true)).await;

    let expected = Problem::TooOld { needs: "11.1".to_owned(), has: "10.9.1".to_owned() };
    assert_eq!((refused.err(), export.met()), (Some(expected), 0));

    let ended = checked_first(&desk.host, &desk.site, desk.run(), to(&folder, false)).await.unwrap();

    assert!(matches!(ended, Ended::Done { report: ExportOutcome::Written { .. }, .. }), "{ended:?}");
    assert_eq!(export.met(), 1, "a check would have been a second export");
}

#[tokio::test]
async fn a_check_that_exported_is_told_and_recorded_as_an_export() {
    for check_only in [true, false] {
        let desk = Desk::new().await;
        let export = desk.with_fault("/portaladmin/exportSite", crate::import_server::answer(EXPORTED)).await;
        let folder = desk.folder("exports");

        let ended = checked_first(&desk.host, &desk.site, desk.run(), to(&folder, check_only)).await.unwrap();

        let Ended::Done { report: ExportOutcome::Written { location }, record: Some(record), .. } = ended
        else {
            panic!("{ended:?}");
        };
        assert_eq!((location.as_str(), export.met()), ("/backups/now.portalsite", 1));
        let history = desk.history().await;
        assert_eq!(history.len(), 1);
        assert_eq!((&history[0].id, history[0].outcome), (&record.0, Outcome::Succeeded));
        assert_eq!(history[0].note, location);
        let validate = ("validate".to_owned(), "true".to_owned());
        assert!(history[0].intent.requests[0].form.contains(&validate), "as it was sent");
    }
}
