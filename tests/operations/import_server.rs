use site_steward::operations::export_server::{self, ExportServerForm, ServerExportPlace};
use site_steward::operations::import_server::{ImportServerForm, perform};
use site_steward::problem::{Fault as FormFault, Problem};
use site_steward::views::ended::Ended;
use site_steward::views::export::ExportOutcome;
use steward_journal::Outcome;
use steward_testkit::Fault;

use crate::desk::Desk;

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

    assert!(matches!(problem, Problem::Refused { .. }), "{problem:?}");
    assert_eq!(desk.history().await[0].outcome, Outcome::Failed);
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
