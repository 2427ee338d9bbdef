//! A site that returns megabytes of text: what is shown and kept of it stays small, and the rest of the app fast.

use std::time::{Duration, Instant};

use steward_core::history::details::details_of;
use steward_core::model::ids::RecordId;
use steward_core::model::problem::Problem;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination};

use crate::import_server::answer;
use crate::test_app::TestApp;

#[tokio::test]
async fn fifty_megabytes_in_an_error_leave_a_small_record() {
    let app = TestApp::new().await;
    let text = "x".repeat(50_000_000);
    let error = answer(&format!(r#"{{"error":{{"code":500,"message":"{text}","details":null}}}}"#));
    let _way = app.with_fault("/exportSite", error).await;
    let place = ServerExportDestination::ServerFolder { location: "/backups".to_owned() };
    let began = Instant::now();

    let problem = app.export_server(ExportServerForm { place }).await.unwrap_err();

    let took = began.elapsed();
    let Problem::Rejected { code: Some(500), message, .. } = problem else { panic!("{problem:?}") };
    assert!(message.len() <= 8 * 1024 && message.ends_with(" / 50000000 bytes]"), "{}", message.len());
    let entry = app.history().await.remove(0);
    assert!(
        entry.note.len() <= 8 * 1024 && entry.note.ends_with(" / 50000000 bytes]"),
        "{}",
        entry.note.len()
    );
    let details = details_of(&app.steward.context.history, RecordId(entry.id)).await.unwrap();
    assert!(
        details.response.is_some_and(|response| response.len() <= 1024 * 1024) && details.response_truncated
    );
    let files =
        ["journal.db", "journal.db-wal"].map(|name| std::fs::metadata(app.steward.data_folder.join(name)));
    let journal: u64 = files.into_iter().flatten().map(|file| file.len()).sum();
    assert!((1..5_000_000).contains(&journal), "{journal}");
    assert!(took < Duration::from_secs(60), "{took:?}");
}
