//! A history that cannot be read or written: what does not need it works, and what does says why it cannot.

use rusqlite::Connection;
use steward_core::actions::{sign_in, sites};
use steward_core::history::{HistoryFormat, HistorySearch, page_of, records_of};
use steward_core::model::ids::RecordId;
use steward_core::model::problem::{NotRecordedReason, Problem};
use steward_core::model::saved_file::SaveResult;
use steward_journal::Filter;
use steward_testkit::Fault;

use crate::export_portal::to;
use crate::test_app::TestApp;

fn journal(app: &TestApp) -> Connection {
    Connection::open(app.steward.data_folder.join("journal.db")).unwrap()
}

#[tokio::test]
async fn without_a_history_sites_are_listed_and_signed_in_to_and_what_must_be_recorded_is_not_sent() {
    let app = TestApp::signed_out().await;
    journal(&app).execute_batch("DROP TABLE record; DROP TABLE deactivation").unwrap();
    let context = &app.steward.context;

    assert_eq!(sites::views(context).len(), 1);
    app.sign_in("administrator").await.unwrap();
    let session = sign_in::session(context, &app.server).await.unwrap();
    assert!(session.is_some_and(|session| session.portal_version.is_some()), "the site is read");

    let way = app.with_fault_after_the_check(Fault::AnswerLost).await;
    let export = app.export_portal(to(&app.folder("exports"), false)).await;
    let Err(Problem::NotRecorded { reason: NotRecordedReason::Other, message, .. }) = &export else {
        panic!("{export:?}")
    };
    assert!(message.contains("no such table"), "{message}");
    assert_eq!(way.met(), 0, "intent before effect");
    assert_eq!(sign_in::leave(context, &app.site).await, Ok(()));
}

#[tokio::test]
async fn a_damaged_record_is_shown_and_exported_as_damaged_and_the_rest_goes_on() {
    let app = TestApp::new().await;
    app.export_portal(to(&app.folder("exports"), false)).await.unwrap();
    let records = app.steward.context.history.journal(|journal| journal.records(&Filter::default()));
    let [export, sign_in] = &records.await.unwrap()[..] else { panic!("two records") };
    let damage = "UPDATE record SET requests = '[{' WHERE operation = 'export_portal'";
    journal(&app).execute_batch(damage).unwrap();
    let context = &app.steward.context;

    let page = page_of(&context.history, HistorySearch::default(), None, 10).await.unwrap();

    assert_eq!(page.entries.len(), 1);
    assert_eq!(page.entries[0].id.0, sign_in.id);
    let [damaged] = &page.damaged[..] else { panic!("{page:?}") };
    assert_eq!((damaged.after.as_ref(), damaged.count), (None, 1));
    assert_eq!(damaged.id, Some(RecordId(export.id.clone())));

    let file = app.folder("saved").join("history.csv");
    app.dialogs.will_choose(&file);
    let search = HistorySearch::default();
    let saved =
        records_of(&context.history, &app.steward.dialogs, &app.steward.language, search, HistoryFormat::Csv);
    assert!(matches!(saved.await.unwrap(), SaveResult::Saved { .. }));
    let saved = std::fs::read_to_string(file).unwrap();
    assert!(saved.contains("\"damaged\"") && saved.contains(&export.id), "{saved}");
}
