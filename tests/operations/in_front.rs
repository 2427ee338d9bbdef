//! Requests that something in front of the site rejects.

use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::import_server::{ImportServerForm, ImportServerOptions};
use steward_testkit::Fault;

use crate::odd_sites::json;
use crate::test_app::TestApp;

/// What went wrong with an import whose outcome is unknown, or else its rejection.
async fn imported(answer: Vec<u8>) -> Result<Problem, Problem> {
    let app = TestApp::new().await;
    let _way = app.with_fault("/admin/importSite", Fault::Instead(answer)).await;
    let form = ImportServerForm {
        location: "/exports/a.agssite".to_owned(),
        confirmation: "City GIS".to_owned(),
        safety_backup: None,
        deactivate_webhooks: None,
        options: ImportServerOptions::default(),
    };
    match app.import_server(form).await? {
        RunResult::Unknown { problem: Some(problem), .. } => Ok(problem),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_rejection_by_the_web_adaptor_is_no_missing_privilege() {
    let words = "This operation is not allowed through the web adaptor.";
    let in_front = Problem::InFront { message: words.to_owned() };
    let said = |code| serde_json::json!({ "status": "error", "messages": [words], "code": code }).to_string();
    assert_eq!(imported(json(&said(403))).await.err(), Some(in_front.clone()));
    // A server returns 500 for an import that had begun as well.
    let failed = imported(json(&said(500))).await.err().unwrap();
    let Problem::ImportFailed { cause, can_undo: false, .. } = failed else { panic!("{failed:?}") };
    assert_eq!(*cause, in_front);
    let said = r#"{"status":"error","messages":["You do not have permissions for this."],"code":403}"#;
    let rejected = imported(json(said)).await;
    assert!(matches!(rejected, Err(Problem::Rejected { .. })), "{rejected:?}");
}

#[tokio::test]
async fn a_page_of_a_proxy_points_at_the_administration_url_and_leaves_the_outcome_open() {
    for status in ["403 Forbidden", "405 Method Not Allowed"] {
        let page = "<html><title>No</title></html>";
        let head =
            format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", page.len());

        let problem = imported([head.as_bytes(), page.as_bytes()].concat()).await.unwrap();

        let Problem::InFront { message } = problem else { panic!("{status}: {problem:?}") };
        assert!(message.contains("<title>No</title>"), "{message}");
    }
}
