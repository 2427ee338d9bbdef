//! A file of this computer on its way to a server: all of it, once, or a failure that is said and can go on.

use std::path::{Path, PathBuf};
use std::time::Duration;

use steward_client::{Area, listing, uploads};
use steward_core::files;
use steward_core::model::history_key::{DISCARD, UPLOAD};
use steward_core::model::numbers::Bytes;
use steward_core::model::problem::Problem;
use steward_core::model::retry_policy::Persistence;
use steward_core::model::run_result::Ended;
use steward_core::operations::import_server::{self, ImportServerForm};
use steward_core::runs::RunStep;
use steward_core::transfers::upload::{
    UnfinishedUpload, UploadEnd, UploadId, UploadSource, discard, unfinished, upload,
};
use steward_journal::Outcome;
use steward_testkit::{Fault, FaultProxy};

use crate::desk::Desk;
use crate::export_server::stored_export;

const MEBIBYTE: usize = 1024 * 1024;

const STUBBORN: Persistence =
    Persistence { tries: 3, pause: Duration::ZERO, stalled: Duration::from_secs(5) };

const IN_PARTS: UploadSource = UploadSource::Choose { part_mebibytes: 1 };
const WHOLE: UploadSource = UploadSource::Choose { part_mebibytes: 100 };

/// Three parts and a bit, of one MiB each, in which every place can be told from every other.
fn content() -> Vec<u8> {
    (0..(3 * MEBIBYTE + 4_321) / 4).flat_map(|number| u32::try_from(number).unwrap().to_le_bytes()).collect()
}

async fn desk() -> Desk {
    let mut desk = Desk::new().await;
    desk.host.persistence = STUBBORN;
    desk
}

fn survey(desk: &Desk) -> PathBuf {
    let path = desk.folder("desk").join("survey.csv");
    std::fs::write(&path, content()).unwrap();
    path
}

async fn choose(desk: &Desk, path: &Path, source: UploadSource) -> UploadEnd {
    desk.dialogs.will_choose(path);
    upload(&desk.host, &desk.site, desk.run(), source).await.unwrap()
}

async fn go_on(desk: &Desk, item: &UploadId) -> UploadEnd {
    let source = UploadSource::GoOn { item: item.clone() };
    upload(&desk.host, &desk.site, desk.run(), source).await.unwrap()
}

async fn server(desk: &Desk) -> Area {
    desk.host.server(&desk.host.sites.get(&desk.site).unwrap()).await.unwrap()
}

fn uploaded(end: UploadEnd) -> UploadId {
    let UploadEnd::Uploaded { item, .. } = end else { panic!("{end:?}") };
    item
}

/// What the server has is what was sent, and it has it once.
async fn is_whole(desk: &Desk, item: &UploadId) {
    let server = server(desk).await;
    let stored = listing::uploads(&server).await.unwrap();
    assert_eq!(stored.iter().map(|upload| &*upload.id).collect::<Vec<_>>(), [&*item.0]);
    assert_eq!(stored[0].name, "survey.csv");
    let location = format!("{}/admin/uploads/{}", server.root(), item.0);
    let place = desk.folder("back").join("survey.csv");
    let never = std::future::pending();
    files::download(&server, &location, &place, &STUBBORN, never, |_, _| ()).await.unwrap().unwrap();
    assert!(std::fs::read(place).unwrap() == content());
    assert!(unfinished(&desk.host, &desk.site).is_empty());
}

#[tokio::test]
async fn a_file_arrives_as_it_is_whole_and_in_parts() {
    for source in [WHOLE, IN_PARTS] {
        let desk = desk().await;
        let parts = desk.with_fault("/uploadPart", Fault::CutAfter(usize::MAX)).await;

        let end = choose(&desk, &survey(&desk), source.clone()).await;

        let (name, size) = ("survey.csv".to_owned(), Bytes(content().len() as u64));
        assert!(matches!(&end, UploadEnd::Uploaded { name: n, size: s, .. } if *n == name && *s == size));
        assert_eq!(
            parts.met(),
            if matches!(source, UploadSource::Choose { part_mebibytes: 1 }) { 4 } else { 0 }
        );
        is_whole(&desk, &uploaded(end)).await;
        let record = desk.history().await.remove(0);
        assert_eq!((record.intent.operation.as_str(), record.outcome), (UPLOAD, Outcome::Succeeded));
        let bytes = content().len().to_string();
        assert!(record.intent.parameters.contains(&("bytes".to_owned(), bytes)), "{record:?}");
    }
}

#[tokio::test]
async fn a_closed_dialog_uploads_nothing() {
    let desk = desk().await;
    assert_eq!(upload(&desk.host, &desk.site, desk.run(), WHOLE).await.unwrap(), UploadEnd::Dismissed);
    assert!(listing::uploads(&server(&desk).await).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_extension_that_is_not_allowed_is_said_with_those_that_are() {
    let desk = desk().await;
    let path = desk.folder("desk").join("City.AGSSITE");
    std::fs::write(&path, content()).unwrap();
    for source in [WHOLE, IN_PARTS] {
        let end = choose(&desk, &path, source).await;

        let UploadEnd::Failed { problem, unfinished: None } = end else { panic!("{end:?}") };
        let Problem::ExtensionNotAllowed { extension, allowed } = problem else { panic!("{problem:?}") };
        assert_eq!(extension, "agssite");
        assert!(allowed.contains(&"csv".to_owned()) && !allowed.contains(&extension), "{allowed:?}");
    }
}

#[tokio::test]
async fn a_site_file_that_may_be_uploaded_is_imported_from_where_it_was_stored() {
    let desk = desk().await;
    let path = stored_export(&desk).await;
    allow_site_files(&desk);

    let item = uploaded(choose(&desk, &path, IN_PARTS).await);

    let form = ImportServerForm { location: item.0, confirmation: "City GIS".to_owned(), parachute: None };
    let ended = import_server::perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();
    assert!(matches!(ended, Ended::Done { .. }), "{ended:?}");
}

#[tokio::test]
async fn a_part_whose_answer_is_lost_is_sent_again_and_the_file_is_whole() {
    for fault in [Fault::AnswerLost, Fault::Instead(Vec::new()), Fault::CutAfter(20)] {
        let desk = desk().await;
        let way = desk.with_fault("/uploadPart", fault).await.only(2);

        let item = uploaded(choose(&desk, &survey(&desk), IN_PARTS).await);

        assert_eq!(way.met(), 2);
        is_whole(&desk, &item).await;
    }
}

#[tokio::test]
async fn a_commit_whose_answer_is_lost_is_sent_once_and_asked_about() {
    let desk = desk().await;
    let way = desk.with_fault("/commit", Fault::AnswerLost).await;

    let item = uploaded(choose(&desk, &survey(&desk), IN_PARTS).await);

    assert_eq!(way.met(), 1);
    is_whole(&desk, &item).await;
}

#[tokio::test]
async fn a_commit_that_never_arrived_is_not_repeated_by_itself() {
    let desk = desk().await;
    let way = desk.with_fault("/commit", Fault::Instead(Vec::new())).await;

    let end = choose(&desk, &survey(&desk), IN_PARTS).await;

    let UploadEnd::Unknown { problem: Some(_), unfinished: Some(begun) } = end else { panic!("{end:?}") };
    assert_eq!((way.met(), begun.done), (1, begun.size));
    assert_eq!(desk.history().await[0].outcome, Outcome::Unknown);
    let _mended = desk.with_fault("/no-such-request", Fault::AnswerLost).await;
    let item = uploaded(go_on(&desk, &begun.item).await);
    is_whole(&desk, &item).await;
}

#[tokio::test]
async fn a_whole_file_whose_answer_is_lost_is_sent_once_and_found_again() {
    let desk = desk().await;
    let way = desk.with_fault("/uploads/upload", Fault::AnswerLost).await;

    let item = uploaded(choose(&desk, &survey(&desk), WHOLE).await);

    assert_eq!(way.met(), 1);
    is_whole(&desk, &item).await;
}

/// As a server answers whose gateway has lost it.
fn gone_away() -> Fault {
    Fault::Instead(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec())
}

/// The way to the site, with an accident that happens in front of another one.
async fn also(desk: &Desk, behind: &FaultProxy, on: &str, fault: Fault) -> FaultProxy {
    let proxy = FaultProxy::to(&behind.address(), on, fault).await.unwrap();
    desk.go_through(&proxy.address());
    proxy
}

#[tokio::test]
async fn a_commit_whose_response_is_lost_is_asked_about_until_the_server_says_what_it_has() {
    let desk = desk().await;
    let way = desk.with_fault("/commit", Fault::AnswerLost).await;
    let silent = also(&desk, &way, "GET /server/admin/uploads/", gone_away()).await.only(3);

    let item = uploaded(choose(&desk, &survey(&desk), IN_PARTS).await);

    assert_eq!((way.met(), silent.met()), (1, 3), "committed once, and asked for until the server answered");
    is_whole(&desk, &item).await;
}

#[tokio::test]
async fn a_commit_that_nobody_saw_is_unknown_in_the_window_and_in_the_history() {
    let desk = desk().await;
    let way = desk.with_fault("/commit", Fault::AnswerLost).await;
    let silent = also(&desk, &way, "GET /server/admin/uploads/", gone_away()).await;

    let end = choose(&desk, &survey(&desk), IN_PARTS).await;

    let UploadEnd::Unknown { problem: Some(Problem::Unreachable { .. }), unfinished: Some(begun) } = end
    else {
        panic!("{end:?}")
    };
    assert_eq!((way.met(), silent.met()), (1, 4), "asked about once, and three times more");
    assert_eq!(desk.history().await[0].outcome, Outcome::Unknown);
    desk.go_through(desk.practice_address());
    assert_eq!(uploaded(go_on(&desk, &begun.item).await), begun.item, "it was there all the time");
    is_whole(&desk, &begun.item).await;
}

#[tokio::test]
async fn a_whole_file_whose_response_is_lost_is_looked_for_until_the_list_comes() {
    let desk = desk().await;
    let way = desk.with_fault("/uploads/upload", Fault::AnswerLost).await;
    let silent = also(&desk, &way, "GET /server/admin/uploads?", gone_away()).await.sparing(1).only(3);

    let item = uploaded(choose(&desk, &survey(&desk), WHOLE).await);

    assert_eq!((way.met(), silent.met()), (1, 3));
    is_whole(&desk, &item).await;
}

#[tokio::test]
async fn a_lost_upload_does_not_take_the_error_of_the_list_that_was_asked_for_afterwards() {
    let desk = desk().await;
    let way = desk.with_fault("/uploads/upload", Fault::AnswerLost).await;
    let body = r#"{"status":"error","messages":["No."],"code":403}"#;
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let rejection = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
    let list = Fault::Instead(rejection.into_bytes());
    let rejected = also(&desk, &way, "GET /server/admin/uploads?", list).await.sparing(1);

    let end = choose(&desk, &survey(&desk), WHOLE).await;

    let UploadEnd::Unknown { problem: Some(Problem::Unreachable { .. }), unfinished: None } = end else {
        panic!("{end:?}")
    };
    assert_eq!((way.met(), rejected.met()), (1, 4));
    assert_eq!(desk.history().await[0].outcome, Outcome::Unknown);
}

#[tokio::test]
async fn asking_for_a_file_can_be_stopped_and_what_became_of_it_stays_unknown() {
    for (on, list, source) in [
        ("/uploads/upload", "GET /server/admin/uploads?", WHOLE),
        ("/commit", "GET /server/admin/uploads/", IN_PARTS),
    ] {
        let desk = desk().await;
        let way = desk.with_fault(on, Fault::AnswerLost).await;
        let spared = usize::from(matches!(source, UploadSource::Choose { part_mebibytes: 100 }));
        let silent = also(&desk, &way, list, Fault::Silence).await.sparing(spared);
        desk.dialogs.will_choose(&survey(&desk));

        let uploading = upload(&desk.host, &desk.site, desk.run(), source);
        let stop = async {
            crate::stop::soon(|| async { silent.met() > 0 }).await;
            desk.host.runs.stop(&desk.run());
        };
        let (end, ()) = tokio::join!(uploading, stop);

        assert!(matches!(end, Ok(UploadEnd::Unknown { problem: None, .. })), "{end:?}");
        assert_eq!(desk.history().await[0].outcome, Outcome::Unknown);
        assert!(desk.host.runs.all().is_empty());
    }
}

#[tokio::test]
async fn an_upload_that_is_stopped_before_its_file_leaves_is_not_sent() {
    let desk = desk().await;
    let counted = desk.with_fault("/uploads/upload", Fault::CutAfter(usize::MAX)).await;
    let silent = also(&desk, &counted, "GET /server/admin/uploads?", Fault::Silence).await;
    desk.dialogs.will_choose(&survey(&desk));

    let uploading = upload(&desk.host, &desk.site, desk.run(), WHOLE);
    let stop = async {
        crate::stop::soon(|| async { silent.met() > 0 }).await;
        desk.host.runs.stop(&desk.run());
    };
    let (end, ()) = tokio::join!(uploading, stop);

    assert_eq!(end, Ok(UploadEnd::Stopped { unfinished: None }));
    assert_eq!(counted.met(), 0);
    assert_eq!(desk.history().await[0].outcome, Outcome::NotSent);
}

#[tokio::test]
async fn a_whole_file_that_never_arrived_is_unknown_and_not_repeated_by_itself() {
    let desk = desk().await;
    let way = desk.with_fault("/uploads/upload", Fault::Instead(Vec::new())).await;

    let end = choose(&desk, &survey(&desk), WHOLE).await;

    let UploadEnd::Unknown { problem: Some(Problem::Unreachable { .. }), unfinished: None } = end else {
        panic!("{end:?}")
    };
    assert_eq!(way.met(), 1);
    assert!(listing::uploads(&server(&desk).await).await.unwrap().is_empty());
}

/// An upload that broke off after two parts.
async fn broken_off(desk: &Desk) -> UnfinishedUpload {
    let through = desk.with_fault("/uploadPart", Fault::CutAfter(usize::MAX)).await;
    desk.dialogs.will_choose(&survey(desk));
    let uploading = upload(&desk.host, &desk.site, desk.run(), IN_PARTS);
    let stop = async {
        // The third part is on its way when two are acknowledged.
        while through.met() < 3 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        desk.host.runs.stop(&desk.run());
    };
    let (end, ()) = tokio::join!(uploading, stop);
    let end = end.unwrap();
    let UploadEnd::Stopped { unfinished: Some(begun) } = end else { panic!("{end:?}") };
    assert!(desk.host.runs.all().is_empty());
    desk.go_through(desk.practice_address());
    begun
}

#[tokio::test]
async fn an_upload_goes_on_after_a_restart_with_the_first_part_that_is_missing() {
    let desk = desk().await;
    let begun = broken_off(&desk).await;
    assert_eq!(begun.done, Bytes(2 * MEBIBYTE as u64));

    let mut desk = desk.restarted();
    desk.host.persistence = STUBBORN;

    assert_eq!(unfinished(&desk.host, &desk.site), std::slice::from_ref(&begun));
    let parts = desk.with_fault("/uploadPart", Fault::CutAfter(usize::MAX)).await;
    let item = uploaded(go_on(&desk, &begun.item).await);
    assert_eq!((parts.met(), &item), (2, &begun.item));
    is_whole(&desk, &item).await;
}

#[tokio::test]
async fn a_file_that_changed_is_never_put_together_from_two() {
    let desk = desk().await;
    let begun = broken_off(&desk).await;
    let mut other = content();
    other.reverse();
    std::fs::write(&begun.path, other).unwrap();

    let end = go_on(&desk, &begun.item).await;

    let UploadEnd::Failed { problem: Problem::File { .. }, unfinished: None } = end else {
        panic!("{end:?}")
    };
    assert!(listing::uploads(&server(&desk).await).await.unwrap().is_empty());
    assert!(unfinished(&desk.host, &desk.site).is_empty());
}

#[tokio::test]
async fn an_upload_that_the_server_has_forgotten_begins_anew() {
    let desk = desk().await;
    let begun = broken_off(&desk).await;
    uploads::delete(&server(&desk).await, &begun.item.0).await.unwrap();

    let item = uploaded(go_on(&desk, &begun.item).await);

    assert_ne!(item, begun.item);
    is_whole(&desk, &item).await;
}

#[tokio::test]
async fn an_upload_that_is_let_go_of_is_removed_from_the_server() {
    let desk = desk().await;
    let begun = broken_off(&desk).await;

    discard(&desk.host, &desk.site, &begun.item).await.unwrap();

    let history = desk.history().await;
    let seen: Vec<_> = history.iter().map(|one| (one.intent.operation.as_str(), one.outcome)).collect();
    assert_eq!(seen, [(DISCARD, Outcome::Succeeded), (UPLOAD, Outcome::Failed)]);
    assert!(unfinished(&desk.host, &desk.site).is_empty());
    assert!(uploads::item(&server(&desk).await, &begun.item.0).await.is_err());
}

#[tokio::test]
async fn a_line_that_stays_broken_is_a_failure_that_can_go_on() {
    let desk = desk().await;
    let way = desk.with_fault("/uploadPart", Fault::Instead(Vec::new())).await;

    let end = choose(&desk, &survey(&desk), IN_PARTS).await;

    let UploadEnd::Failed { problem: Problem::Unreachable { .. }, unfinished: Some(begun) } = end else {
        panic!("{end:?}")
    };
    assert_eq!((way.met(), begun.done), (4, Bytes(0)), "once, and three times more");
}

#[tokio::test]
async fn a_server_that_takes_nothing_any_more_is_noticed() {
    let mut desk = desk().await;
    desk.host.persistence = Persistence { tries: 0, stalled: Duration::from_millis(100), ..STUBBORN };
    let _way = desk.with_fault("/uploadPart", Fault::Silence).await;

    let path = survey(&desk);
    let end = tokio::time::timeout(Duration::from_secs(20), choose(&desk, &path, IN_PARTS));

    let end = end.await.expect("it is waited for without end");
    assert!(matches!(end, UploadEnd::Failed { problem: Problem::Unreachable { .. }, .. }), "{end:?}");
}

#[tokio::test]
async fn a_file_that_is_gone_is_said_before_anything_is_sent() {
    let desk = desk().await;
    for name in ["not-there.csv", "."] {
        desk.dialogs.will_choose(&desk.folder("desk").join(name));
        let end = upload(&desk.host, &desk.site, desk.run(), WHOLE).await;
        assert!(matches!(end, Err(Problem::File { .. })), "{end:?}");
    }
}

#[tokio::test]
async fn whoever_may_not_import_may_not_upload_for_it() {
    let desk = Desk::signed_out().await;
    desk.sign_in("publisher").await.unwrap();
    let path = survey(&desk);
    for source in [WHOLE, IN_PARTS] {
        let end = choose(&desk, &path, source).await;
        let UploadEnd::Failed { problem, unfinished: None } = end else { panic!("{end:?}") };
        assert!(matches!(problem, Problem::Refused { code: Some(403), .. }), "{problem:?}");
    }
}

#[tokio::test]
async fn the_window_sees_how_far_an_upload_is() {
    let desk = desk().await;
    let _way = desk.with_fault("/uploadPart", Fault::Silence).await;
    desk.dialogs.will_choose(&survey(&desk));

    let uploading = upload(&desk.host, &desk.site, desk.run(), IN_PARTS);
    let look = async {
        loop {
            let runs = desk.host.runs.all();
            if let Some(RunStep::Uploading { done, total }) = runs.first().map(|run| run.step.clone())
                && done.0 > 0
            {
                desk.host.runs.stop(&desk.run());
                break (done.0, total.0);
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let (_, (done, total)) = tokio::join!(uploading, look);

    assert_eq!(total, content().len() as u64);
    assert!(done <= MEBIBYTE as u64, "no more than the part that is on its way: {done}");
}

#[tokio::test]
async fn while_the_server_puts_the_parts_together_the_window_shows_that_it_waits_for_that() {
    let desk = desk().await;
    let _way = desk.with_fault("/commit", Fault::Silence).await;
    desk.dialogs.will_choose(&survey(&desk));

    let uploading = upload(&desk.host, &desk.site, desk.run(), IN_PARTS);
    let look = async {
        while desk.host.runs.all().first().is_none_or(|run| run.step != RunStep::Confirming) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        desk.host.runs.stop(&desk.run());
    };
    let (end, ()) = tokio::join!(uploading, look);

    assert!(matches!(end.unwrap(), UploadEnd::Unknown { problem: None, .. }));
}

#[tokio::test]
async fn a_site_that_loses_parts_and_the_answer_to_the_commit_has_the_file_in_the_end() {
    let desk = desk().await;
    desk.order("upload_part", "reset", &[]).await;
    desk.order("upload_part", "bad-gateway", &[("after", "true")]).await;
    desk.order("upload_part", "truncated", &[]).await;
    desk.order("commit_upload", "bad-gateway", &[("after", "true")]).await;

    let item = uploaded(choose(&desk, &survey(&desk), IN_PARTS).await);

    is_whole(&desk, &item).await;
}

/// As an administrator does in the system properties.
fn allow_site_files(desk: &Desk) {
    let database = rusqlite::Connection::open(desk.practice_folder().join("server/server.db")).unwrap();
    let changed = database
        .execute(
            "UPDATE settings SET value = json_set(value, '$.uploadFileExtensionAllowedList', 'csv,agssite')
             WHERE name = 'properties'",
            [],
        )
        .unwrap();
    assert_eq!(changed, 1);
}

#[tokio::test]
async fn a_file_that_the_window_names_is_uploaded_only_if_it_was_dropped_there() {
    let desk = desk().await;
    let path = survey(&desk);
    let source = || UploadSource::Dropped { path: path.display().to_string(), part_mebibytes: 100 };

    let refused = upload(&desk.host, &desk.site, desk.run(), source()).await;

    assert!(matches!(refused, Err(Problem::Unexpected { .. })), "{refused:?}");
    assert!(listing::uploads(&server(&desk).await).await.unwrap().is_empty());

    desk.host.dropped.remember(&path);
    let end = upload(&desk.host, &desk.site, desk.run(), source()).await.unwrap();

    let UploadEnd::Uploaded { name, .. } = end else { panic!("{end:?}") };
    assert_eq!(name, "survey.csv");
}
