use steward_core::model::export_outcome::ExportOutcome;
use steward_core::model::problem::Problem;
use steward_core::model::retry_policy::Persistence;
use steward_core::model::run_result::Ended;
use steward_core::model::saved_file::Saving;
use steward_core::operations::export_server::{ExportServerForm, ServerExportPlace, perform, save_again};
use steward_journal::Outcome;
use steward_testkit::Fault;

use crate::desk::{Desk, files_in};

const HERE: ExportServerForm = ExportServerForm { place: ServerExportPlace::ThisComputer };

/// An export that was downloaded to this computer.
pub(crate) async fn stored_export(desk: &Desk) -> std::path::PathBuf {
    let place = desk.folder("exported").join("city.agssite");
    desk.dialogs.will_choose(&place);
    let ended = perform(&desk.host, &desk.site, desk.run(), HERE).await.unwrap();
    assert!(matches!(ended, Ended::Done { .. }), "{ended:?}");
    place
}

#[tokio::test]
async fn a_server_is_exported_to_a_folder_of_its_own() {
    let desk = Desk::new().await;
    let folder = desk.folder("exports");
    let place = ServerExportPlace::ServerFolder { location: folder.display().to_string() };

    let ended = perform(&desk.host, &desk.site, desk.run(), ExportServerForm { place }).await.unwrap();

    let Ended::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ExportOutcome::Written { location } = report.outcome else { panic!("{report:?}") };
    assert!(location.ends_with(".agssite") && std::fs::exists(&location).unwrap(), "{location}");
    assert_eq!(report.saving, None);
}

#[tokio::test]
async fn a_stored_export_is_downloaded_to_the_place_chosen_first() {
    let desk = Desk::new().await;
    let place = desk.folder("desk").join("city.agssite");
    desk.dialogs.will_choose(&place);

    let ended = perform(&desk.host, &desk.site, desk.run(), HERE).await.unwrap();

    let Ended::Done { report, .. } = ended else { panic!("{ended:?}") };
    let Some(Saving::Saved { file }) = report.saving else { panic!("{report:?}") };
    let bytes = std::fs::read(&place).unwrap();
    assert_eq!(file.size.0, bytes.len() as u64);
    assert!(bytes.starts_with(b"PK"), "an .agssite is a ZIP archive");
    assert_eq!(desk.history().await[0].note, place.display().to_string());
}

#[tokio::test]
async fn a_closed_dialog_sends_nothing() {
    let desk = Desk::new().await;

    let ended = perform(&desk.host, &desk.site, desk.run(), HERE).await.unwrap();

    assert!(matches!(ended, Ended::Dismissed), "{ended:?}");
    assert!(desk.history().await.is_empty());
}

#[tokio::test]
async fn a_cut_download_leaves_the_old_file_untouched_and_can_be_saved_again() {
    let mut desk = Desk::new().await;
    desk.host.persistence = Persistence::none();
    let folder = desk.folder("desk");
    let place = folder.join("city.agssite");
    std::fs::write(&place, "the last good export").unwrap();
    desk.dialogs.will_choose(&place);
    let way = desk.with_fault("/download", Fault::CutAfter(2_000)).await;

    let ended = perform(&desk.host, &desk.site, desk.run(), HERE).await.unwrap();

    let Ended::Done { report, .. } = ended else { panic!("{ended:?}") };
    let Some(Saving::Failed { problem: Problem::Unreachable { .. } }) = report.saving else {
        panic!("{report:?}")
    };
    assert_eq!(way.met(), 1);
    assert_eq!(std::fs::read_to_string(&place).unwrap(), "the last good export");
    assert_eq!(files_in(&folder), ["city.agssite"], "no temporary file is left");
    assert_eq!(desk.history().await[0].outcome, Outcome::Succeeded, "the export itself is on the server");

    let ExportOutcome::Written { location } = report.outcome else { panic!("{report:?}") };
    let _mended = desk.with_fault("/no-such-request", Fault::AnswerLost).await;
    desk.dialogs.will_choose(&place);
    let saving = save_again(&desk.host, &desk.site, desk.run(), &location).await.unwrap();
    assert!(matches!(saving, Saving::Saved { .. }), "{saving:?}");
    assert!(std::fs::read(&place).unwrap().starts_with(b"PK"));
}

#[tokio::test]
async fn a_place_that_cannot_be_written_does_not_lose_the_export() {
    let desk = Desk::new().await;
    let place = desk.folder("desk").join("not-there").join("city.agssite");
    desk.dialogs.will_choose(&place);

    let ended = perform(&desk.host, &desk.site, desk.run(), HERE).await.unwrap();

    let Ended::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert!(matches!(report.saving, Some(Saving::Failed { problem: Problem::File { .. } })), "{report:?}");
    assert!(matches!(report.outcome, ExportOutcome::Written { .. }), "{report:?}");
}

#[tokio::test]
async fn a_stored_export_is_had_from_the_host_in_use_whatever_host_its_address_names() {
    let desk = Desk::new().await;
    desk.dialogs.will_choose(&desk.folder("desk").join("first.agssite"));
    let ended = perform(&desk.host, &desk.site, desk.run(), HERE).await.unwrap();
    let Ended::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ExportOutcome::Written { location } = report.outcome else { panic!("{report:?}") };
    let id = location.rsplit('/').next().unwrap();
    // What a server says that stands behind a web adaptor.
    let inside = format!("https://srv1.inside.invalid:6443/arcgis/admin/uploads/{id}");
    let answer = format!(r#"{{"status":"success","location":"{inside}"}}"#);
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        answer.len()
    );
    let _way =
        desk.with_fault("/admin/exportSite", Fault::Instead([head, answer].concat().into_bytes())).await;
    let place = desk.folder("desk").join("second.agssite");
    desk.dialogs.will_choose(&place);

    let ended = perform(&desk.host, &desk.site, desk.run(), HERE).await.unwrap();

    let Ended::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert!(matches!(report.saving, Some(Saving::Saved { .. })), "{report:?}");
    let first = std::fs::read(desk.folder("desk").join("first.agssite")).unwrap();
    assert_eq!(std::fs::read(&place).unwrap(), first);
}
