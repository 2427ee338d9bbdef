//! A file of this computer on its way to a server: all of it, once, or a failure that is said and can go on.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use steward_app::steward::Steward;
use steward_client::uploads::Outgoing;
use steward_client::{Endpoint, STALLED, listing, uploads};
use steward_core::actions::sign_in::leave;
use steward_core::actions::sites::{lock_site, remove, unlock_site};
use steward_core::files;
use steward_core::follow_up::outcome_check::{self, CheckFact, Suggestion};
use steward_core::model::history_key::{DELETE_UPLOAD, DISCARD, HistoryAction, UPLOAD};
use steward_core::model::ids::RecordId;
use steward_core::model::numbers::Bytes;
use steward_core::model::problem::{FieldError, PreconditionFailure, Problem};
use steward_core::model::retry_policy::RetryPolicy;
use steward_core::model::run_result::RunResult;
use steward_core::operations::import_server::{ImportServerForm, ImportServerOptions};
use steward_core::runs::RunStep;
use steward_core::sites::Site;
use steward_core::transfers::upload::{
    UnfinishedUpload, UploadEnd, UploadId, UploadSource, delete_stored, discard, unfinished, upload,
};
use steward_journal::Outcome;
use steward_testkit::{Fault, FaultProxy, until, until_some};
use tokio::sync::Notify;

use crate::downloads_cut_off::sha256;
use crate::export_server::stored_export;
use crate::import_server::answer;
use crate::test_app::TestApp;

const MEBIBYTE: usize = 1024 * 1024;

const STUBBORN: RetryPolicy =
    RetryPolicy { tries: 3, pause: Duration::ZERO, stalled: Duration::from_secs(5) };

const IN_PARTS: UploadSource = UploadSource::Choose { part_mebibytes: 1 };
const WHOLE: UploadSource = UploadSource::Choose { part_mebibytes: 100 };

/// Three parts and a bit, of one MiB each, in which every place can be told from every other.
fn content() -> Vec<u8> {
    (0..(3 * MEBIBYTE + 4_321) / 4).flat_map(|number| u32::try_from(number).unwrap().to_le_bytes()).collect()
}

async fn app() -> TestApp {
    let mut app = TestApp::new().await;
    app.steward.transfers.retry_policy = STUBBORN;
    app
}

fn survey(app: &TestApp) -> PathBuf {
    let path = app.folder("desk").join("survey.csv");
    std::fs::write(&path, content()).unwrap();
    path
}

async fn choose(app: &TestApp, path: &Path, source: UploadSource) -> UploadEnd {
    app.dialogs.will_choose(path);
    upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), source).await.unwrap()
}

async fn go_on(app: &TestApp, item: &UploadId) -> UploadEnd {
    let source = UploadSource::GoOn { item: item.clone() };
    upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), source).await.unwrap()
}

async fn server(app: &TestApp) -> Endpoint {
    app.steward.context.access.server(&app.sites().at(&app.server).unwrap()).await.unwrap()
}

fn uploaded(end: UploadEnd) -> UploadId {
    let UploadEnd::Uploaded { item, .. } = end else { panic!("{end:?}") };
    item
}

/// What the server has is what was sent, and it has it once. The history knows it by its content.
async fn is_whole(app: &TestApp, item: &UploadId) {
    let facts = app.history().await.into_iter().map(|record| record.facts);
    let facts = facts.into_iter().find(|facts| facts.upload.as_ref() == Some(&item.0)).unwrap();
    assert_eq!(facts.sha256.unwrap(), sha256(&content()));
    let server = server(app).await;
    let stored = listing::uploads(&server).await.unwrap();
    assert_eq!(stored.iter().map(|upload| &*upload.id).collect::<Vec<_>>(), [&*item.0]);
    assert_eq!(stored[0].name, "survey.csv");
    let location = format!("{}/admin/uploads/{}", server.root(), item.0);
    let place = app.folder("back").join("survey.csv");
    let never = std::future::pending();
    files::download(&server, &location, &place, &STUBBORN, never, |_, _| ()).await.unwrap().unwrap();
    assert!(std::fs::read(place).unwrap() == content());
    assert!(unfinished(&app.steward.transfers.uploads, &app.server).is_empty());
}

#[tokio::test]
async fn a_file_arrives_as_it_is_whole_and_in_parts() {
    for source in [WHOLE, IN_PARTS] {
        let app = app().await;
        let parts = app.with_fault("/uploadPart", Fault::CutAfter(usize::MAX)).await;

        let end = choose(&app, &survey(&app), source.clone()).await;

        let (name, size) = ("survey.csv".to_owned(), Bytes(content().len() as u64));
        assert!(matches!(&end, UploadEnd::Uploaded { name: n, size: s, .. } if *n == name && *s == size));
        assert_eq!(
            parts.met(),
            if matches!(source, UploadSource::Choose { part_mebibytes: 1 }) { 4 } else { 0 }
        );
        is_whole(&app, &uploaded(end)).await;
        let record = app.history().await.remove(0);
        assert_eq!((record.intent.operation.as_str(), record.outcome), (UPLOAD, Outcome::Succeeded));
        let bytes = content().len().to_string();
        assert!(record.intent.parameters.contains(&("bytes".to_owned(), bytes)), "{record:?}");
    }
}

#[tokio::test]
async fn an_upload_that_is_being_confirmed_is_no_import() {
    let app = app().await;
    let way = app.with_fault("/commit", Fault::Silence).await;
    let path = survey(&app);
    let (runs, context) = (&app.steward.context.runs, &app.steward.context);
    let second = async {
        until("the confirmation", async || {
            way.met() == 1 && runs.all().first().is_some_and(|run| run.step == RunStep::Confirming)
        })
        .await;
        assert_eq!(runs.all()[0].act, Some(HistoryAction::Upload));
        let busy = remove(context, &app.site, "City GIS").await.err();
        runs.stop(&app.run());
        busy
    };

    let (_, busy) = tokio::join!(choose(&app, &path, IN_PARTS), second);

    let Some(Problem::Busy { act, .. }) = busy else { panic!("{busy:?}") };
    assert_eq!((act, way.met()), (Some(HistoryAction::Upload), 1));
    let ended = runs.ended().remove(0);
    assert_eq!((ended.act, ended.outcome), (Some(HistoryAction::Upload), Outcome::Unknown));
    assert_eq!(ended.record.map(|record| record.0), Some(app.history().await[0].id.clone()));
}

#[tokio::test]
async fn a_closed_dialog_uploads_nothing() {
    let app = app().await;
    assert_eq!(
        upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), WHOLE).await.unwrap(),
        UploadEnd::Dismissed
    );
    assert!(listing::uploads(&server(&app).await).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_extension_that_is_not_allowed_is_said_with_those_that_are() {
    let app = app().await;
    let path = app.folder("desk").join("City.AGSSITE");
    std::fs::write(&path, content()).unwrap();
    for source in [WHOLE, IN_PARTS] {
        let end = choose(&app, &path, source).await;

        let UploadEnd::Failed { problem, unfinished: None, .. } = end else { panic!("{end:?}") };
        let Problem::ExtensionNotAllowed { extension, allowed } = problem else { panic!("{problem:?}") };
        assert_eq!(extension, "agssite");
        assert!(allowed.contains(&"csv".to_owned()) && !allowed.contains(&extension), "{allowed:?}");
    }
}

#[tokio::test]
async fn a_site_file_that_may_be_uploaded_is_imported_from_where_it_was_stored() {
    let app = app().await;
    let path = stored_export(&app).await;
    allow_site_files(&app);

    let item = uploaded(choose(&app, &path, IN_PARTS).await);

    let form = ImportServerForm {
        location: item.0,
        confirmation: "City GIS".to_owned(),
        safety_backup: None,
        deactivate_webhooks: None,
        options: ImportServerOptions::default(),
    };
    let ended = app.import_server(form).await.unwrap();
    assert!(matches!(ended, RunResult::Done { .. }), "{ended:?}");
}

#[tokio::test]
async fn a_part_whose_answer_is_lost_is_sent_again_and_the_file_is_whole() {
    for fault in [Fault::AnswerLost, Fault::Instead(Vec::new()), Fault::CutAfter(20)] {
        let app = app().await;
        let way = app.with_fault("/uploadPart", fault).await.only(2);

        let item = uploaded(choose(&app, &survey(&app), IN_PARTS).await);

        assert_eq!(way.met(), 2);
        is_whole(&app, &item).await;
    }
}

/// The server rejects the token, before it does anything.
fn rejected_token() -> Fault {
    instead(r#"{"status":"error","messages":["Invalid Token."],"code":498}"#)
}

#[tokio::test]
async fn a_part_whose_token_is_rejected_is_sent_again_with_the_next_one() {
    let app = app().await;
    let way = app.with_fault("/uploadPart", rejected_token()).await.sparing(1).only(1);

    let item = uploaded(choose(&app, &survey(&app), IN_PARTS).await);

    assert_eq!(way.met(), 1);
    is_whole(&app, &item).await;
}

#[tokio::test]
async fn whatever_makes_a_file_on_the_server_is_sent_once_also_if_its_token_is_rejected() {
    for (on, source) in [("/uploads/upload", WHOLE), ("/register", IN_PARTS), ("/commit", IN_PARTS)] {
        let app = app().await;
        let way = app.with_fault(on, rejected_token()).await;

        let end = choose(&app, &survey(&app), source).await;

        assert!(matches!(end, UploadEnd::Failed { problem: Problem::TokenRenewed, .. }), "{on}: {end:?}");
        assert_eq!(way.met(), 1, "{on}");
        assert!(listing::uploads(&server(&app).await).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_commit_whose_answer_is_lost_is_sent_once_and_asked_about() {
    let app = app().await;
    let way = app.with_fault("/commit", Fault::AnswerLost).await;

    let item = uploaded(choose(&app, &survey(&app), IN_PARTS).await);

    assert_eq!(way.met(), 1);
    is_whole(&app, &item).await;
}

#[tokio::test]
async fn a_commit_that_never_arrived_is_not_repeated_by_itself() {
    let app = app().await;
    let way = app.with_fault("/commit", Fault::Instead(Vec::new())).await;

    let end = choose(&app, &survey(&app), IN_PARTS).await;

    let UploadEnd::Unknown { problem: Some(_), unfinished: Some(begun) } = end else { panic!("{end:?}") };
    assert_eq!((way.met(), begun.done), (1, begun.size));
    assert_eq!(app.history().await[0].outcome, Outcome::Unknown);
    let _mended = app.with_fault("/no-such-request", Fault::AnswerLost).await;
    let item = uploaded(go_on(&app, &begun.item).await);
    is_whole(&app, &item).await;
}

#[tokio::test]
async fn a_whole_file_whose_answer_is_lost_is_sent_once_and_found_again() {
    let app = app().await;
    let way = app.with_fault("/uploads/upload", Fault::AnswerLost).await;

    let item = uploaded(choose(&app, &survey(&app), WHOLE).await);

    assert_eq!(way.met(), 1);
    is_whole(&app, &item).await;
}

/// As a server answers whose gateway has lost it.
fn gone_away() -> Fault {
    Fault::Instead(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec())
}

/// The way to the site, with an accident that happens in front of another one.
async fn also(app: &TestApp, behind: &FaultProxy, on: &str, fault: Fault) -> FaultProxy {
    let proxy = FaultProxy::to(&behind.address(), on, fault).await.unwrap();
    app.go_through(&proxy.address());
    proxy
}

#[tokio::test]
async fn the_response_to_an_earlier_upload_is_not_that_of_this_one() {
    let app = app().await;
    let first = app.folder("desk").join("first.csv");
    std::fs::write(&first, b"id;name\n1;a\n").unwrap();
    let earlier = uploaded(choose(&app, &first, WHOLE).await);
    let body = format!(
        r#"{{"success":true,"item":{{"itemID":"{}","itemName":"first.csv","committed":true}}}}"#,
        earlier.0
    );
    let _way = app.with_fault("/uploads/upload", answer(&body)).await;

    let end = choose(&app, &survey(&app), WHOLE).await;

    assert!(matches!(end, UploadEnd::Unknown { .. }), "{end:?}");
    assert_eq!(app.history().await[0].outcome, Outcome::Unknown);
}

#[tokio::test]
async fn a_commit_whose_response_is_lost_is_asked_about_until_the_server_says_what_it_has() {
    let app = app().await;
    let way = app.with_fault("/commit", Fault::AnswerLost).await;
    let silent = also(&app, &way, "GET /server/admin/uploads/", gone_away()).await.only(3);

    let item = uploaded(choose(&app, &survey(&app), IN_PARTS).await);

    assert_eq!((way.met(), silent.met()), (1, 3), "committed once, and asked for until the server answered");
    is_whole(&app, &item).await;
}

#[tokio::test]
async fn a_commit_that_nobody_saw_is_unknown_in_the_window_and_in_the_history() {
    let app = app().await;
    let way = app.with_fault("/commit", Fault::AnswerLost).await;
    let silent = also(&app, &way, "GET /server/admin/uploads/", gone_away()).await;

    let end = choose(&app, &survey(&app), IN_PARTS).await;

    let UploadEnd::Unknown { problem: Some(Problem::Unreachable { .. }), unfinished: Some(begun) } = end
    else {
        panic!("{end:?}")
    };
    assert_eq!((way.met(), silent.met()), (1, 4), "asked about once, and three times more");
    assert_eq!(app.history().await[0].outcome, Outcome::Unknown);
    app.go_through(app.practice_address());
    assert_eq!(uploaded(go_on(&app, &begun.item).await), begun.item, "it was there all the time");
    is_whole(&app, &begun.item).await;
}

#[tokio::test]
async fn a_whole_file_whose_response_is_lost_is_looked_for_until_the_list_comes() {
    let app = app().await;
    let way = app.with_fault("/uploads/upload", Fault::AnswerLost).await;
    let silent = also(&app, &way, "GET /server/admin/uploads?", gone_away()).await.sparing(1).only(3);

    let item = uploaded(choose(&app, &survey(&app), WHOLE).await);

    assert_eq!((way.met(), silent.met()), (1, 3));
    is_whole(&app, &item).await;
}

#[tokio::test]
async fn a_file_of_the_same_name_that_another_user_uploads_meanwhile_is_not_taken_for_a_lost_one() {
    // The second one has the same length too.
    for content in [b"of another user".to_vec(), vec![b'x'; content().len()]] {
        Box::pin(another_is_not_taken_for_a_lost_one(content)).await;
    }
}

async fn another_is_not_taken_for_a_lost_one(content: Vec<u8>) {
    let app = app().await;
    let way = app.with_fault("/uploads/upload", Fault::Reset).await;
    let gate = Arc::new(Notify::new());
    let list =
        also(&app, &way, "GET /server/admin/uploads?", Fault::HeldUntil(gate.clone())).await.sparing(1);
    let other = async {
        until("the first look for it", async || list.met() == 1).await;
        let server = server(&app).await.moved_to(app.practice.ready().server.parse().unwrap());
        let (name, content) = ("survey.csv", Outgoing::of(content));
        uploads::upload_whole(server.permit_unchecked().await, name, "Survey", content, STALLED)
            .await
            .unwrap();
        loop {
            gate.notify_one();
            tokio::task::yield_now().await;
        }
    };

    let file = survey(&app);
    let end = tokio::select! {
        end = choose(&app, &file, WHOLE) => end,
        () = other => unreachable!("it goes on"),
    };

    assert!(matches!(end, UploadEnd::Unknown { .. }), "{end:?}");
    app.go_through(app.practice_address());
    assert_eq!(listing::uploads(&server(&app).await).await.unwrap().len(), 1);
    let Steward { context, invitation_files, dialogs, .. } = &app.steward;
    let record = RecordId(app.history().await[0].id.clone());
    let found = outcome_check::check(context, &invitation_files.unsaved, dialogs, &record).await.unwrap();
    assert_eq!(found.suggestion, Suggestion::Unclear, "{found:?}");
}

#[tokio::test]
async fn a_lost_upload_does_not_take_the_error_of_the_list_that_was_asked_for_afterwards() {
    let app = app().await;
    let way = app.with_fault("/uploads/upload", Fault::AnswerLost).await;
    let body = r#"{"status":"error","messages":["No."],"code":403}"#;
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let rejection = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
    let list = Fault::Instead(rejection.into_bytes());
    let rejected = also(&app, &way, "GET /server/admin/uploads?", list).await.sparing(1);

    let end = choose(&app, &survey(&app), WHOLE).await;

    let UploadEnd::Unknown { problem: Some(Problem::Unreachable { .. }), unfinished: None } = end else {
        panic!("{end:?}")
    };
    assert_eq!((way.met(), rejected.met()), (1, 4));
    assert_eq!(app.history().await[0].outcome, Outcome::Unknown);
}

#[tokio::test]
async fn asking_for_a_file_can_be_stopped_and_what_became_of_it_stays_unknown() {
    for (on, list, source) in [
        ("/uploads/upload", "GET /server/admin/uploads?", WHOLE),
        ("/commit", "GET /server/admin/uploads/", IN_PARTS),
    ] {
        let app = app().await;
        let way = app.with_fault(on, Fault::AnswerLost).await;
        let spared = usize::from(matches!(source, UploadSource::Choose { part_mebibytes: 100 }));
        let silent = also(&app, &way, list, Fault::Silence).await.sparing(spared);
        app.dialogs.will_choose(&survey(&app));

        let uploading = upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), source);
        let stop = async {
            until("the request", async || silent.met() > 0).await;
            app.steward.context.runs.stop(&app.run());
        };
        let (end, ()) = tokio::join!(uploading, stop);

        assert!(matches!(end, Ok(UploadEnd::Unknown { problem: None, .. })), "{end:?}");
        assert_eq!(app.history().await[0].outcome, Outcome::Unknown);
        assert!(app.steward.context.runs.all().is_empty());
    }
}

#[tokio::test]
async fn an_upload_that_is_stopped_before_its_file_leaves_is_not_sent() {
    let app = app().await;
    let counted = app.with_fault("/uploads/upload", Fault::CutAfter(usize::MAX)).await;
    let silent = also(&app, &counted, "GET /server/admin/uploads?", Fault::Silence).await;
    app.dialogs.will_choose(&survey(&app));

    let uploading = upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), WHOLE);
    let stop = async {
        until("the request", async || silent.met() > 0).await;
        app.steward.context.runs.stop(&app.run());
    };
    let (end, ()) = tokio::join!(uploading, stop);

    assert_eq!(end, Ok(UploadEnd::Stopped { unfinished: None }));
    assert_eq!(counted.met(), 0);
    assert_eq!(app.history().await[0].outcome, Outcome::NotSent);
}

#[tokio::test]
async fn a_whole_file_that_never_arrived_is_unknown_and_not_repeated_by_itself() {
    let app = app().await;
    let way = app.with_fault("/uploads/upload", Fault::Instead(Vec::new())).await;

    let end = choose(&app, &survey(&app), WHOLE).await;

    let UploadEnd::Unknown { problem: Some(Problem::Unreachable { .. }), unfinished: None } = end else {
        panic!("{end:?}")
    };
    assert_eq!(way.met(), 1);
    assert!(listing::uploads(&server(&app).await).await.unwrap().is_empty());
}

/// An upload that broke off after two parts.
async fn broken_off(app: &TestApp) -> UnfinishedUpload {
    let through = app.with_fault("/uploadPart", Fault::CutAfter(usize::MAX)).await;
    app.dialogs.will_choose(&survey(app));
    let uploading = upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), IN_PARTS);
    let stop = async {
        // The third part is on its way when two are acknowledged.
        until("the third part", async || through.met() >= 3).await;
        app.steward.context.runs.stop(&app.run());
    };
    let (end, ()) = tokio::join!(uploading, stop);
    let end = end.unwrap();
    let UploadEnd::Stopped { unfinished: Some(begun) } = end else { panic!("{end:?}") };
    let runs = &app.steward.context.runs;
    assert!(runs.all().is_empty() && runs.ended().is_empty(), "whoever stopped it knows");
    let stopped = app.history().await.remove(0);
    let parts =
        format!("{} of {} bytes need not be sent again ({})", begun.done.0, begun.size.0, begun.item.0);
    assert!(stopped.outcome == Outcome::Failed && stopped.note.ends_with(&parts), "{stopped:?}");
    app.go_through(app.practice_address());
    begun
}

#[tokio::test]
async fn an_upload_goes_on_after_a_restart_with_the_first_part_that_is_missing() {
    let app = app().await;
    let begun = broken_off(&app).await;
    assert_eq!(begun.done, Bytes(2 * MEBIBYTE as u64));

    let mut app = app.restarted();
    app.steward.transfers.retry_policy = STUBBORN;

    assert_eq!(unfinished(&app.steward.transfers.uploads, &app.server), std::slice::from_ref(&begun));
    let parts = app.with_fault("/uploadPart", Fault::CutAfter(usize::MAX)).await;
    let item = uploaded(go_on(&app, &begun.item).await);
    assert_eq!((parts.met(), &item), (2, &begun.item));
    is_whole(&app, &item).await;
}

#[tokio::test]
async fn a_file_that_changed_is_never_put_together_from_two() {
    let app = app().await;
    let begun = broken_off(&app).await;
    let mut other = content();
    other.reverse();
    std::fs::write(&begun.path, other).unwrap();

    let end = go_on(&app, &begun.item).await;

    let UploadEnd::Failed { problem: Problem::File { .. }, unfinished: None, .. } = end else {
        panic!("{end:?}")
    };
    assert!(listing::uploads(&server(&app).await).await.unwrap().is_empty());
    assert!(unfinished(&app.steward.transfers.uploads, &app.server).is_empty());
}

#[tokio::test]
async fn a_file_that_changed_within_its_time_and_length_is_never_put_together_from_two() {
    let app = app().await;
    let begun = broken_off(&app).await;
    let written = std::fs::metadata(&begun.path).unwrap().modified().unwrap();
    let mut other = content();
    other[100] ^= 1;
    std::fs::write(&begun.path, other).unwrap();
    std::fs::File::options().write(true).open(&begun.path).unwrap().set_modified(written).unwrap();

    let end = go_on(&app, &begun.item).await;

    let UploadEnd::Failed { problem: Problem::File { .. }, unfinished: None, .. } = end else {
        panic!("{end:?}")
    };
    assert!(listing::uploads(&server(&app).await).await.unwrap().is_empty());
    assert!(unfinished(&app.steward.transfers.uploads, &app.server).is_empty());
}

#[tokio::test]
async fn an_upload_that_the_server_has_forgotten_begins_anew() {
    let app = app().await;
    let begun = broken_off(&app).await;
    uploads::delete(server(&app).await.permit_unchecked().await, &begun.item.0).await.unwrap();

    let item = uploaded(go_on(&app, &begun.item).await);

    assert_ne!(item, begun.item);
    is_whole(&app, &item).await;
}

#[tokio::test]
async fn an_upload_whose_identifier_the_server_gave_to_another_file_begins_anew() {
    let app = app().await;
    let begun = broken_off(&app).await;
    let other = format!(r#"{{"itemID":"{}","itemName":"other.agssite","committed":true}}"#, begun.item.0);
    let _way = app.with_fault(&format!("GET /server/admin/uploads/{}", begun.item.0), instead(&other)).await;

    let item = uploaded(go_on(&app, &begun.item).await);

    assert_ne!(item, begun.item);
    is_whole(&app, &item).await;
}

#[tokio::test]
async fn a_complete_file_with_the_identifier_of_an_unfinished_upload_is_not_discarded() {
    let app = app().await;
    let begun = broken_off(&app).await;
    let deleted = app.with_fault("/delete", Fault::CutAfter(usize::MAX)).await;
    let other = format!(r#"{{"itemID":"{}","itemName":"backup.agssite","committed":true}}"#, begun.item.0);
    let on = format!("GET /server/admin/uploads/{}", begun.item.0);
    let _behind = also(&app, &deleted, &on, instead(&other)).await;

    let kept = discard(&app.steward.context, &app.steward.transfers.uploads, &app.server, &begun.item).await;

    assert_eq!(kept, Ok(Some("backup.agssite".to_owned())));
    assert_eq!(deleted.met(), 0);
    assert!(unfinished(&app.steward.transfers.uploads, &app.server).is_empty());
    let last = app.history().await.remove(0);
    assert_eq!(last.intent.operation, UPLOAD, "nothing was deleted: {last:?}");
}

#[tokio::test]
async fn a_complete_file_with_the_identifier_of_an_upload_whose_file_changed_is_not_deleted() {
    let app = app().await;
    let begun = broken_off(&app).await;
    std::fs::write(&begun.path, b"another content").unwrap();
    let deleted = app.with_fault("/delete", Fault::CutAfter(usize::MAX)).await;
    let other = format!(r#"{{"itemID":"{}","itemName":"backup.agssite","committed":true}}"#, begun.item.0);
    let on = format!("GET /server/admin/uploads/{}", begun.item.0);
    let _behind = also(&app, &deleted, &on, instead(&other)).await;

    let end = go_on(&app, &begun.item).await;

    assert!(matches!(end, UploadEnd::Failed { problem: Problem::File { .. }, .. }), "{end:?}");
    assert_eq!(deleted.met(), 0);
}

#[tokio::test]
async fn a_registration_that_names_a_file_that_was_there_before_begins_no_upload() {
    let app = app().await;
    let first = app.folder("desk").join("first.csv");
    std::fs::write(&first, b"id;name\n1;a\n").unwrap();
    let earlier = uploaded(choose(&app, &first, WHOLE).await);
    let body = format!(
        r#"{{"status":"success","item":{{"itemID":"{}","itemName":"survey.csv","committed":false}}}}"#,
        earlier.0
    );
    let way = app.with_fault("/uploads/register", instead(&body)).await;
    let parts = also(&app, &way, "/uploadPart", Fault::CutAfter(usize::MAX)).await;

    let end = choose(&app, &survey(&app), IN_PARTS).await;

    assert!(matches!(end, UploadEnd::Unknown { problem: Some(_), unfinished: None }), "{end:?}");
    assert_eq!((way.met(), parts.met()), (1, 0));
    assert!(unfinished(&app.steward.transfers.uploads, &app.server).is_empty());
}

#[tokio::test]
async fn the_parts_of_an_earlier_upload_are_none_of_a_later_one_of_the_same_path() {
    let app = app().await;
    let begun = broken_off(&app).await;
    std::fs::write(&begun.path, b"another content").unwrap();
    let refusal = instead(r#"{"status":"error","messages":["No."],"code":500}"#);
    let _way = app.with_fault("/uploads/upload", refusal).await;

    let end = choose(&app, Path::new(&begun.path), WHOLE).await;

    assert!(matches!(end, UploadEnd::Failed { unfinished: None, .. }), "{end:?}");
    let failed = app.history().await.remove(0);
    assert!(!failed.note.contains(&begun.item.0), "{}", failed.note);
    assert_eq!(unfinished(&app.steward.transfers.uploads, &app.server), [begun], "it can still be resumed");
}

/// The server fails at the request for one upload.
async fn fails_at_one(app: &TestApp) -> FaultProxy {
    let failure = instead(r#"{"status":"error","messages":["The store cannot be read."],"code":500}"#);
    app.with_fault("GET /server/admin/uploads/", failure).await
}

#[tokio::test]
async fn an_upload_that_the_server_cannot_show_now_is_not_begun_anew() {
    let app = app().await;
    let begun = broken_off(&app).await;
    let way = fails_at_one(&app).await;

    let end = go_on(&app, &begun.item).await;

    let UploadEnd::Failed {
        problem: Problem::Rejected { code: Some(500), .. }, unfinished: Some(kept), ..
    } = end
    else {
        panic!("{end:?}")
    };
    assert_eq!(kept, begun);
    let app = app.without_fault(way);
    assert_eq!(uploaded(go_on(&app, &begun.item).await), begun.item);
    is_whole(&app, &begun.item).await;
}

#[tokio::test]
async fn an_upload_that_the_whole_list_of_the_server_lacks_begins_anew() {
    let app = app().await;
    let begun = broken_off(&app).await;
    // The list tells incomplete uploads from complete ones.
    uploads::register(server(&app).await.permit_unchecked().await, "other.csv", "").await.unwrap();
    uploads::delete(server(&app).await.permit_unchecked().await, &begun.item.0).await.unwrap();
    let _way = fails_at_one(&app).await.only(1);

    let item = uploaded(go_on(&app, &begun.item).await);

    assert_ne!(item, begun.item);
    is_whole(&app, &item).await;
}

#[tokio::test]
async fn an_upload_is_not_said_to_be_discarded_while_its_parts_might_be_there() {
    let app = app().await;
    let begun = broken_off(&app).await;
    let way = app.with_fault("/delete", instead(r#"{"status":"error","messages":["No."],"code":500}"#)).await;
    let failure = instead(r#"{"status":"error","messages":["The store cannot be read."],"code":500}"#);
    let _behind = also(&app, &way, "GET /server/admin/uploads/", failure).await;

    let refused =
        discard(&app.steward.context, &app.steward.transfers.uploads, &app.server, &begun.item).await;

    assert!(matches!(refused, Err(Problem::Rejected { code: Some(500), .. })), "{refused:?}");
    assert_eq!(unfinished(&app.steward.transfers.uploads, &app.server), [begun]);
    assert_eq!(app.history().await[0].outcome, Outcome::Failed);
}

#[tokio::test]
async fn an_empty_list_of_a_server_that_fails_is_no_proof_that_an_upload_is_gone() {
    let app = app().await;
    let begun = broken_off(&app).await;
    let failure = || instead(r#"{"status":"error","messages":["The store cannot be read."],"code":500}"#);
    let way = app.with_fault("/delete", failure()).await;
    let behind = also(&app, &way, "GET /server/admin/uploads/", failure()).await;
    let _last = also(&app, &behind, "GET /server/admin/uploads?", instead(r#"{"items":[]}"#)).await;

    let refused =
        discard(&app.steward.context, &app.steward.transfers.uploads, &app.server, &begun.item).await;
    let end = go_on(&app, &begun.item).await;

    assert!(matches!(refused, Err(Problem::Rejected { code: Some(500), .. })), "{refused:?}");
    assert!(matches!(end, UploadEnd::Failed { .. }), "{end:?}");
    assert_eq!(unfinished(&app.steward.transfers.uploads, &app.server), [begun]);
}

#[tokio::test]
async fn a_registration_whose_answer_is_lost_is_unknown_and_its_check_shows_the_incomplete_upload() {
    let app = app().await;
    let way = app.with_fault("/uploads/register", Fault::AnswerLost).await;

    let end = choose(&app, &survey(&app), IN_PARTS).await;

    assert!(matches!(end, UploadEnd::Unknown { problem: Some(_), unfinished: None }), "{end:?}");
    assert_eq!(way.met(), 1);
    let record = app.history().await.remove(0);
    assert_eq!((record.intent.operation.as_str(), record.outcome), (UPLOAD, Outcome::Unknown));
    let app = app.without_fault(way);
    let Steward { context, invitation_files, dialogs, .. } = &app.steward;
    let record = RecordId(record.id);
    let seen = outcome_check::check(context, &invitation_files.unsaved, dialogs, &record).await.unwrap();
    let is_shown =
        |fact: &CheckFact| matches!(fact, CheckFact::IncompleteUpload { name, .. } if name == "survey.csv");
    assert!(seen.facts.iter().any(is_shown), "{seen:?}");
    assert_eq!(seen.suggestion, Suggestion::Unclear);
}

#[tokio::test]
async fn an_upload_that_the_server_does_not_let_go_of_can_be_discarded_later() {
    let app = app().await;
    let begun = broken_off(&app).await;
    let refusal = answer(
        r#"{"status":"error","messages":["You do not have the privilege to delete items."],"code":403}"#,
    );
    let _way = app.with_fault("/delete", refusal).await;

    let refused =
        discard(&app.steward.context, &app.steward.transfers.uploads, &app.server, &begun.item).await;

    assert!(matches!(refused, Err(Problem::Rejected { code: Some(403), .. })), "{refused:?}");
    assert_eq!(unfinished(&app.steward.transfers.uploads, &app.server).len(), 1);
    app.go_through(app.practice_address());
    discard(&app.steward.context, &app.steward.transfers.uploads, &app.server, &begun.item).await.unwrap();
    assert!(unfinished(&app.steward.transfers.uploads, &app.server).is_empty());
}

#[tokio::test]
async fn an_upload_that_is_gone_already_is_discarded_in_window_and_history() {
    let app = app().await;
    let begun = broken_off(&app).await;
    let _way = app.with_fault("/delete", Fault::AnswerLost).await;
    let lost = discard(&app.steward.context, &app.steward.transfers.uploads, &app.server, &begun.item).await;
    assert!(lost.is_err(), "{lost:?}");
    app.go_through(app.practice_address());

    discard(&app.steward.context, &app.steward.transfers.uploads, &app.server, &begun.item).await.unwrap();

    let record = app.history().await.remove(0);
    assert_eq!((record.intent.operation.as_str(), record.outcome), (DISCARD, Outcome::Succeeded));
    assert!(record.note.ends_with(": the server no longer had it"), "{}", record.note);
    assert!(unfinished(&app.steward.transfers.uploads, &app.server).is_empty());
}

#[tokio::test]
async fn an_upload_that_is_let_go_of_is_removed_from_the_server() {
    let app = app().await;
    let begun = broken_off(&app).await;

    let kept = discard(&app.steward.context, &app.steward.transfers.uploads, &app.server, &begun.item).await;

    assert_eq!(kept, Ok(None));
    let history = app.history().await;
    let seen: Vec<_> = history.iter().map(|one| (one.intent.operation.as_str(), one.outcome)).collect();
    assert_eq!(seen, [(DISCARD, Outcome::Succeeded), (UPLOAD, Outcome::Failed)]);
    assert!(unfinished(&app.steward.transfers.uploads, &app.server).is_empty());
    assert!(uploads::item(&server(&app).await, &begun.item.0).await.is_err());
}

#[tokio::test]
async fn a_line_that_stays_broken_is_a_failure_that_can_go_on() {
    let app = app().await;
    let way = app.with_fault("/uploadPart", Fault::Instead(Vec::new())).await;

    let end = choose(&app, &survey(&app), IN_PARTS).await;

    let UploadEnd::Failed { problem: Problem::Unreachable { .. }, unfinished: Some(begun), .. } = end else {
        panic!("{end:?}")
    };
    assert_eq!((way.met(), begun.done), (4, Bytes(0)), "once, and three times more");
}

#[tokio::test]
async fn a_server_that_takes_nothing_any_more_is_noticed() {
    let mut app = app().await;
    app.steward.transfers.retry_policy =
        RetryPolicy { tries: 0, stalled: Duration::from_millis(100), ..STUBBORN };
    let _way = app.with_fault("/uploadPart", Fault::Silence).await;

    let path = survey(&app);
    let end = tokio::time::timeout(Duration::from_secs(20), choose(&app, &path, IN_PARTS));

    let end = end.await.expect("it is waited for without end");
    assert!(matches!(end, UploadEnd::Failed { problem: Problem::Unreachable { .. }, .. }), "{end:?}");
}

#[tokio::test]
async fn a_part_that_is_rejected_for_its_length_is_told_as_such() {
    let page = |status: &str| {
        let body = "<html>not found or too large</html>";
        let head = format!("HTTP/1.1 {status}\r\ncontent-type: text/html\r\ncontent-length: {}", body.len());
        Fault::Instead(format!("{head}\r\nconnection: close\r\n\r\n{body}").into_bytes())
    };
    let error = r#"{"status":"error","messages":["Too large"],"code":413}"#;
    for (fault, right) in [
        (page("413 Payload Too Large"), true),
        (page("404 Not Found"), true),
        (instead(error), true),
        (page("403 Forbidden"), false),
        (instead(r#"{"status":"error","messages":["no"],"code":500}"#), false),
    ] {
        let app = app().await;
        let _way = app.with_fault("/uploadPart", fault.clone()).await;

        let end = choose(&app, &survey(&app), IN_PARTS).await;

        let UploadEnd::Failed { too_long, .. } = end else { panic!("{fault:?}: {end:?}") };
        assert_eq!(too_long, right, "{fault:?}");
    }
}

#[tokio::test]
async fn a_file_that_is_gone_is_said_before_anything_is_sent() {
    let app = app().await;
    for name in ["not-there.csv", "."] {
        app.dialogs.will_choose(&app.folder("desk").join(name));
        let end = upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), WHOLE).await;
        assert!(matches!(end, Err(Problem::File { .. })), "{end:?}");
    }
}

#[tokio::test]
async fn whoever_may_not_import_may_not_upload_for_it() {
    let app = TestApp::signed_out().await;
    app.sign_in("publisher").await.unwrap();
    let path = survey(&app);
    for source in [WHOLE, IN_PARTS] {
        let end = choose(&app, &path, source).await;
        let UploadEnd::Failed { problem, unfinished: None, .. } = end else { panic!("{end:?}") };
        assert!(matches!(problem, Problem::Rejected { code: Some(403), .. }), "{problem:?}");
    }
}

#[tokio::test]
async fn the_window_sees_how_far_an_upload_is() {
    let app = app().await;
    let _way = app.with_fault("/uploadPart", Fault::Silence).await;
    app.dialogs.will_choose(&survey(&app));

    let uploading = upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), IN_PARTS);
    let look = async {
        let begun = until_some("the first part", async || {
            let runs = app.steward.context.runs.all();
            match runs.first().map(|run| run.step.clone())? {
                RunStep::Uploading { done, total } if done.0 > 0 => Some((done.0, total.0)),
                _ => None,
            }
        });
        let begun = begun.await;
        app.steward.context.runs.stop(&app.run());
        begun
    };
    let (_, (done, total)) = tokio::join!(uploading, look);

    assert_eq!(total, content().len() as u64);
    assert!(done <= MEBIBYTE as u64, "no more than the part that is on its way: {done}");
}

#[tokio::test]
async fn while_the_server_puts_the_parts_together_the_window_shows_that_it_waits_for_that() {
    let app = app().await;
    let _way = app.with_fault("/commit", Fault::Silence).await;
    app.dialogs.will_choose(&survey(&app));

    let uploading = upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), IN_PARTS);
    let look = async {
        let confirms = async || {
            app.steward.context.runs.all().first().is_some_and(|run| run.step == RunStep::Confirming)
        };
        until("the commit", confirms).await;
        app.steward.context.runs.stop(&app.run());
    };
    let (end, ()) = tokio::join!(uploading, look);

    assert!(matches!(end.unwrap(), UploadEnd::Unknown { problem: None, .. }));
}

#[tokio::test]
async fn a_site_that_loses_parts_and_the_answer_to_the_commit_has_the_file_in_the_end() {
    let app = app().await;
    app.order("upload_part", "reset", &[]).await;
    app.order("upload_part", "badGateway", &[("after", "true")]).await;
    app.order("upload_part", "truncated", &[]).await;
    app.order("commit_upload", "badGateway", &[("after", "true")]).await;

    let item = uploaded(choose(&app, &survey(&app), IN_PARTS).await);

    is_whole(&app, &item).await;
}

/// As an administrator does in the system properties.
pub(crate) fn allow_site_files(app: &TestApp) {
    let database = rusqlite::Connection::open(app.practice_folder().join("server/server.db")).unwrap();
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
    let app = app().await;
    let path = survey(&app);
    let source = || UploadSource::Dropped { path: path.display().to_string(), part_mebibytes: 100 };

    let refused =
        upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), source()).await;

    assert!(matches!(refused, Err(Problem::Unexpected { .. })), "{refused:?}");
    assert!(listing::uploads(&server(&app).await).await.unwrap().is_empty());

    app.steward.dialogs.dropped.remember(&path);
    let end =
        upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), source()).await.unwrap();

    let UploadEnd::Uploaded { name, .. } = end else { panic!("{end:?}") };
    assert_eq!(name, "survey.csv");
}

#[cfg(unix)]
#[tokio::test]
async fn a_dropped_file_whose_name_is_not_unicode_is_uploaded() {
    use std::os::unix::ffi::OsStrExt;
    let app = app().await;
    let path = app.folder("desk").join(std::ffi::OsStr::from_bytes(b"Stra\xDFen.csv"));
    std::fs::write(&path, content()).unwrap();
    app.steward.dialogs.dropped.remember(&path);
    let source = UploadSource::Dropped { path: path.display().to_string(), part_mebibytes: 100 };

    let end =
        upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), source).await.unwrap();

    let UploadEnd::Uploaded { name, .. } = end else { panic!("{end:?}") };
    assert_eq!(name, "Stra_en.csv");
}

/// A response of the server, in place of its own.
fn instead(body: &str) -> Fault {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    Fault::Instead(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

#[tokio::test]
async fn a_commit_that_the_server_does_not_call_done_is_no_upload() {
    for said in ["{}", r#"{"status":"pending"}"#, r#"{"status":"success","item":{"committed":false}}"#] {
        let app = app().await;
        let way = app.with_fault("/commit", instead(said)).await;

        let end = choose(&app, &survey(&app), IN_PARTS).await;

        assert!(matches!(end, UploadEnd::Unknown { .. }), "{said}: {end:?}");
        assert_eq!(way.met(), 1, "sent once");
        assert_eq!(app.history().await[0].outcome, Outcome::Unknown, "{said}");
        assert_eq!(unfinished(&app.steward.transfers.uploads, &app.server).len(), 1, "it can go on");
    }
}

#[tokio::test]
async fn a_commit_that_is_confirmed_and_not_carried_out_is_no_upload_and_can_be_resumed() {
    for confirmed in [r#"{"status":"success"}"#, r#"{"success":true,"item":null}"#] {
        let app = app().await;
        let way = app.with_fault("/commit", answer(confirmed)).await;

        let end = choose(&app, &survey(&app), IN_PARTS).await;

        let UploadEnd::Unknown { unfinished: Some(begun), .. } = end else { panic!("{end:?}") };
        assert_eq!((way.met(), app.history().await[0].outcome), (1, Outcome::Unknown));
        let app = app.without_fault(way);
        assert_eq!(uploaded(go_on(&app, &begun.item).await), begun.item);
        is_whole(&app, &begun.item).await;
    }
}

#[tokio::test]
async fn a_whole_file_that_the_server_does_not_call_complete_is_no_upload() {
    for said in [
        r#"{"status":"pending","item":{"itemID":"i1"}}"#,
        r#"{"status":"success","item":{"itemID":"i1","committed":false}}"#,
        r#"{"status":"success","item":{"itemID":""}}"#,
    ] {
        let app = app().await;
        let way = app.with_fault("/uploads/upload", instead(said)).await;

        let end = choose(&app, &survey(&app), WHOLE).await;

        assert!(matches!(end, UploadEnd::Unknown { .. }), "{said}: {end:?}");
        assert_eq!(way.met(), 1, "sent once");
        assert_eq!(app.history().await[0].outcome, Outcome::Unknown, "{said}");
    }
}

#[tokio::test]
async fn a_removal_that_the_server_does_not_confirm_is_not_recorded_as_done() {
    let app = app().await;
    let begun = broken_off(&app).await;
    let _way = app.with_fault("/delete", instead("{}")).await;

    let ended = discard(&app.steward.context, &app.steward.transfers.uploads, &app.server, &begun.item).await;

    assert!(ended.is_err(), "{ended:?}");
    let record = app.history().await.remove(0);
    assert_eq!((record.intent.operation.as_str(), record.outcome), (DISCARD, Outcome::Unknown));
    assert_eq!(unfinished(&app.steward.transfers.uploads, &app.server).len(), 1);
}

#[tokio::test]
async fn an_upload_that_the_server_keeps_although_it_was_to_delete_it_stays_in_the_list() {
    let app = app().await;
    let begun = broken_off(&app).await;
    let refusal = instead(r#"{"status":"error","messages":["The disk is read-only."],"code":500}"#);
    let _way = app.with_fault("/delete", refusal).await;

    let refused =
        discard(&app.steward.context, &app.steward.transfers.uploads, &app.server, &begun.item).await;

    assert!(uploads::item(&server(&app).await, &begun.item.0).await.is_ok());
    assert!(matches!(refused, Err(Problem::Rejected { code: Some(500), .. })), "{refused:?}");
    assert_eq!(unfinished(&app.steward.transfers.uploads, &app.server).len(), 1);
    assert_eq!(app.history().await[0].outcome, Outcome::Failed);
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Meanwhile {
    SignedOut,
    MarkedReadOnly,
    LockedAgain,
}

#[tokio::test]
async fn an_upload_of_a_site_that_somebody_signs_out_of_or_locks_is_sent_no_further() {
    for meanwhile in [Meanwhile::SignedOut, Meanwhile::MarkedReadOnly, Meanwhile::LockedAgain] {
        let mut app = app().await;
        // The second part never arrives, and would be sent again.
        app.steward.transfers.retry_policy.stalled = Duration::from_millis(400);
        let parts = app.with_fault("/uploadPart", Fault::Silence).await.sparing(1);
        let mark = || {
            let site = app.sites().get(&app.site).unwrap();
            app.sites().put(Site { read_only: true, ..site }).unwrap();
        };
        if meanwhile == Meanwhile::LockedAgain {
            mark();
            unlock_site(&app.steward.context, app.site.clone(), "A survey".to_owned()).await.unwrap();
        }
        app.dialogs.will_choose(&survey(&app));
        let person = async {
            until("the second part", async || parts.met() >= 1).await;
            match meanwhile {
                Meanwhile::SignedOut => leave(&app.steward.context, &app.site).await.unwrap(),
                Meanwhile::MarkedReadOnly => mark(),
                Meanwhile::LockedAgain => {
                    drop(lock_site(&app.steward.context, app.site.clone()).await.unwrap())
                }
            }
        };

        let uploading =
            upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), IN_PARTS);
        let (end, ()) = tokio::join!(uploading, person);

        let Ok(UploadEnd::Failed { problem, unfinished: Some(begun), .. }) = end else { panic!("{end:?}") };
        let expected = match meanwhile {
            Meanwhile::SignedOut => matches!(problem, Problem::SignIn { .. }),
            Meanwhile::MarkedReadOnly | Meanwhile::LockedAgain => matches!(problem, Problem::ReadOnly { .. }),
        };
        assert!(expected, "{meanwhile:?}: {problem:?}");
        assert_eq!(parts.met(), 1, "not sent again");
        assert_eq!(begun.done, Bytes(MEBIBYTE as u64), "and it can go on later");
        let upload = app.history().await.into_iter().find(|one| one.intent.operation == UPLOAD).unwrap();
        assert_eq!(upload.outcome, Outcome::Failed);
    }
}

/// An export that the server stores, and the program knows.
async fn stored(app: &TestApp) -> listing::StoredUpload {
    stored_export(app).await;
    listing::uploads(&server(app).await).await.unwrap().remove(0)
}

#[tokio::test]
async fn a_stored_export_is_deleted_from_the_server_and_its_record_names_it() {
    let app = app().await;
    let export = stored(&app).await;
    let item = UploadId(export.id.clone());

    delete_stored(&app.steward.context, &app.server, &item, "City GIS", "").await.unwrap();

    assert!(listing::uploads(&server(&app).await).await.unwrap().is_empty());
    let record = app.history().await.remove(0);
    assert_eq!((&*record.intent.operation, record.outcome), (DELETE_UPLOAD, Outcome::Succeeded));
    assert_eq!(record.note, export.name);
    let given = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let parameters = &record.intent.parameters;
    assert_eq!(parameters[..2], [given("file", &export.name), given("item", &export.id)]);
    let [request] = &record.intent.requests[..] else { panic!("{record:?}") };
    assert!(
        request.address.ends_with(&format!("/admin/uploads/{}/delete", export.id)),
        "{}",
        request.address
    );
}

#[tokio::test]
async fn a_stored_export_stays_without_the_name_of_the_site_typed() {
    let app = app().await;
    let item = UploadId(stored(&app).await.id);
    let records = app.history().await.len();

    let refused = delete_stored(&app.steward.context, &app.server, &item, "City", "").await;

    assert_eq!(refused, Err(Problem::form("confirmation", FieldError::NotTheName)));
    assert_eq!(listing::uploads(&server(&app).await).await.unwrap().len(), 1);
    assert_eq!(app.history().await.len(), records);
}

#[tokio::test]
async fn a_file_that_the_server_does_not_store_is_not_said_to_be_deleted() {
    let app = app().await;
    let delete = app.with_fault("/delete", Fault::AnswerLost).await;

    let none = UploadId("i00000000-0000-4000-8000-000000000000".to_owned());
    let refused = delete_stored(&app.steward.context, &app.server, &none, "City GIS", "").await;

    assert!(matches!(refused, Err(Problem::Rejected { .. })), "{refused:?}");
    assert_eq!((delete.met(), app.history().await.len()), (0, 0));
}

#[tokio::test]
async fn a_deletion_whose_answer_is_lost_is_unknown_and_sent_once() {
    let app = app().await;
    let item = UploadId(stored(&app).await.id);
    let way = app.with_fault("/delete", Fault::AnswerLost).await;

    let ended = delete_stored(&app.steward.context, &app.server, &item, "City GIS", "").await;

    assert!(ended.is_err(), "{ended:?}");
    assert_eq!((way.met(), app.history().await[0].outcome), (1, Outcome::Unknown));
}

#[tokio::test]
async fn a_deletion_that_is_stopped_after_it_was_sent_is_unknown_and_not_said_to_be_unsent() {
    let app = TestApp::new().await;
    let item = UploadId(stored(&app).await.id);
    let way = app.with_fault("/delete", Fault::Silence).await;

    let stop = async {
        until("the request", async || way.met() == 1).await;
        app.steward.context.runs.all().iter().for_each(|run| app.steward.context.runs.stop(&run.id));
    };
    let (ended, ()) =
        tokio::join!(delete_stored(&app.steward.context, &app.server, &item, "City GIS", ""), stop);

    assert!(matches!(ended, Err(Problem::Unreachable { .. })), "{ended:?}");
    assert_eq!(app.history().await[0].outcome, Outcome::Unknown);
}

#[tokio::test]
async fn a_file_of_which_the_server_lost_a_part_that_it_confirmed_is_not_said_to_be_uploaded() {
    let app = app().await;
    let gate = Arc::new(Notify::new());
    let held = app.with_fault("/commit", Fault::HeldUntil(gate.clone())).await;
    let lost = async {
        until("the commit", async || held.met() == 1).await;
        let item = unfinished(&app.steward.transfers.uploads, &app.server).remove(0).item;
        let server = server(&app).await.moved_to(app.practice.ready().server.parse().unwrap());
        let permit = server.permit_unchecked().await;
        uploads::upload_part(permit, &item.0, 2, Outgoing::of(b"abc".to_vec()), STALLED).await.unwrap();
        gate.notify_one();
    };
    let path = survey(&app);

    let (end, ()) = tokio::join!(choose(&app, &path, IN_PARTS), lost);

    let size = content().len() as u64;
    let stored = size - MEBIBYTE as u64 + 3;
    let UploadEnd::Failed { problem, unfinished: None, too_long: false } = end else { panic!("{end:?}") };
    let why = PreconditionFailure::StoredDiffers { stored: Bytes(stored), size: Bytes(size) };
    assert_eq!(problem, Problem::precondition_failed(why));
    let failed = app.history().await.remove(0);
    assert_eq!((failed.outcome, failed.facts.sha256), (Outcome::Failed, None));
    assert!(failed.note.contains(&format!("stored {stored} of {size} bytes")), "{}", failed.note);
    assert_eq!(app.steward.context.runs.ended().remove(0).outcome, Outcome::Failed);
}

#[tokio::test]
async fn an_upload_that_the_server_does_not_put_together_is_resumed_from_its_first_part() {
    let app = app().await;
    let refusal =
        instead(r#"{"status":"error","messages":["Part 2 of the upload has not arrived."],"code":400}"#);
    let way = app.with_fault("/commit", refusal).await;
    let end = choose(&app, &survey(&app), IN_PARTS).await;
    let UploadEnd::Failed { unfinished: Some(begun), .. } = end else { panic!("{end:?}") };
    assert_eq!((way.met(), begun.done), (1, Bytes(0)));
    let parts = app.with_fault("/uploadPart", Fault::CutAfter(usize::MAX)).await;

    let item = uploaded(go_on(&app, &begun.item).await);

    assert_eq!((parts.met(), &item), (4, &begun.item));
    is_whole(&app, &item).await;
}

#[tokio::test]
async fn an_empty_file_is_said_before_anything_is_sent() {
    let app = app().await;
    let path = app.folder("desk").join("empty.agssite");
    std::fs::write(&path, b"").unwrap();
    app.dialogs.will_choose(&path);

    let end = upload(&app.steward.context, &app.steward.transfers, &app.server, app.run(), WHOLE).await;

    assert!(matches!(end, Err(Problem::File { .. })), "{end:?}");
    assert!(app.history().await.is_empty());
}

#[tokio::test]
async fn a_commit_that_is_rejected_for_no_part_leaves_the_parts_that_were_sent() {
    for (code, message) in [
        (429, "Too many requests."),
        (500, "The disk is full."),
        (400, "Access to this resource is not allowed through the Web Adaptor."),
    ] {
        let app = app().await;
        let refusal = instead(&format!(r#"{{"status":"error","messages":["{message}"],"code":{code}}}"#));
        let _way = app.with_fault("/commit", refusal).await;

        let end = choose(&app, &survey(&app), IN_PARTS).await;

        let UploadEnd::Failed { unfinished: Some(begun), .. } = end else { panic!("{code}: {end:?}") };
        assert_eq!(begun.done, Bytes(content().len() as u64), "{code}");
    }
}

#[tokio::test]
async fn a_commit_that_names_another_upload_is_no_upload() {
    let app = app().await;
    let other =
        r#"{"status":"success","item":{"itemID":"i-another","itemName":"survey.csv","committed":true}}"#;
    let way = app.with_fault("/commit", answer(other)).await;

    let end = choose(&app, &survey(&app), IN_PARTS).await;

    assert!(matches!(end, UploadEnd::Unknown { unfinished: Some(_), .. }), "{end:?}");
    assert_eq!((way.met(), app.history().await[0].outcome), (1, Outcome::Unknown));
}

#[tokio::test]
async fn a_file_that_the_server_names_and_does_not_have_is_not_said_to_be_uploaded() {
    let app = app().await;
    let absent =
        r#"{"status":"success","item":{"itemID":"i-absent","itemName":"survey.csv","committed":true}}"#;
    let way = app.with_fault("/uploads/upload", answer(absent)).await;

    let end = choose(&app, &survey(&app), WHOLE).await;

    assert!(matches!(end, UploadEnd::Unknown { .. }), "{end:?}");
    assert_eq!((way.met(), app.history().await[0].outcome), (1, Outcome::Unknown));
}
