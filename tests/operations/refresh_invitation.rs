use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use steward_app::overview::ConcernAbout;
use steward_app::steward::Steward;
use steward_client::listing::{self, Invitation};
use steward_core::actions::sign_in::sign_in_as;
use steward_core::files::dialogs::{Choice, Dialogs, Title};
use steward_core::follow_up::reminders::{self, ReminderAbout};
use steward_core::history::details::details_of;
use steward_core::history::invitations::expires_at;
use steward_core::listings::invitations;
use steward_core::model::ids::{RecordId, SiteId};
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::refresh_invitation::{RefreshInvitationForm, perform, save_kept, waiting};
use steward_core::runs::{RunId, RunRegistry};
use steward_journal::Outcome;
use steward_testkit::{Fault, FaultProxy};
use steward_vault::{MemoryStore, Secret};

use crate::import_server::answer;
use crate::test_app::{TestApp, files_in};

const HOURS_72: i64 = 72 * 60 * 60 * 1000;

pub(crate) async fn invitation(app: &TestApp) -> Invitation {
    let site = app.sites().get(&app.site).unwrap();
    let (portal, known) = (
        app.steward.context.access.portal(&site).await.unwrap(),
        app.steward.context.access.known(&app.current(&site)).await.unwrap(),
    );
    listing::invitations(&portal, &known.portal_id).await.unwrap().remove(0)
}

pub(crate) fn form(invitation: &Invitation) -> RefreshInvitationForm {
    RefreshInvitationForm {
        collaboration_id: invitation.collaboration_id.clone(),
        invitation_id: invitation.id.clone(),
    }
}

#[tokio::test]
async fn an_invitation_of_a_collaboration_that_another_portal_hosts_is_marked() {
    let app = TestApp::new().await;

    let all = invitations(&app.steward.context.access, &app.site).await.unwrap();

    assert_eq!(all.len(), 4);
    for one in all {
        let expected = (one.collaboration_name == "County Base Map").then_some("Rivers County");
        assert_eq!(one.hosted_elsewhere.as_deref(), expected, "{one:?}");
    }
}

#[tokio::test]
async fn a_refreshed_invitation_is_saved_and_valid_for_72_hours() {
    let app = TestApp::new().await;
    let before = Millis::now().0;
    let place = app.folder("desk").join("guest.invite");
    app.dialogs.will_choose(&place);

    let invitation = invitation(&app).await;
    let ended = app.refresh_invitation(form(&invitation)).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert!((before + HOURS_72..=Millis::now().0 + HOURS_72).contains(&report.expiration.unwrap().0));
    assert!(matches!(report.saving, SaveResult::Saved { .. }), "{report:?}");
    assert!(report.file_name.ends_with(".invite"));
    assert_eq!(app.dialogs.suggested(), [report.file_name]);
    let saved: serde_json::Value = serde_json::from_slice(&std::fs::read(&place).unwrap()).unwrap();
    assert_eq!(saved["invitationRequest"]["id"], invitation.id);
}

#[tokio::test]
async fn an_invitation_that_does_not_end_later_is_told_although_the_portal_confirmed_its_refresh() {
    let app = TestApp::new().await;
    let listed = invitations(&app.steward.context.access, &app.site).await.unwrap();
    let invitation = invitation(&app).await;
    let before = listed.iter().find(|one| one.invitation_id == invitation.id).unwrap().expiration.unwrap().0;
    for end in [before, Millis::now().0 - 3_600_000, 0] {
        let record = serde_json::json!({ "id": invitation.id, "expiration": end }).to_string();
        let _way =
            app.with_fault(&format!("{}?", invitation.id), crate::import_server::answer(&record)).await;
        invitations(&app.steward.context.access, &app.site).await.unwrap();

        let ended = app.refresh_invitation(form(&invitation)).await.unwrap();

        let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
        assert_eq!((report.is_extended, report.expiration), (false, Some(Millis(end))));
        let shown = app.steward.context.runs.ended().pop().unwrap().outcome;
        let entry = app.history().await.remove(0);
        assert_eq!((shown, entry.outcome), (Outcome::Warnings, Outcome::Warnings), "{end}");
        assert_eq!(entry.facts.expires_at, Some(end));
    }
}

#[tokio::test]
async fn a_dismissed_dialog_does_not_lose_the_refreshed_invitation() {
    let app = TestApp::new().await;
    let ended = app.refresh_invitation(form(&invitation(&app).await)).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert_eq!(report.saving, SaveResult::Dismissed);

    let place = app.folder("desk").join("guest.invite");
    app.dialogs.will_choose(&place);
    let saving = save_kept(&app.steward.invitation_files, &report.kept).await.unwrap();

    assert!(matches!(saving, SaveResult::Saved { .. }), "{saving:?}");
    assert!(std::fs::read(&place).unwrap().starts_with(b"{"));
}

#[tokio::test]
async fn a_disk_that_refuses_does_not_lose_the_refreshed_invitation() {
    let app = TestApp::new().await;
    app.dialogs.will_choose(&app.folder("desk").join("not-there").join("guest.invite"));

    let ended = app.refresh_invitation(form(&invitation(&app).await)).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert!(matches!(report.saving, SaveResult::Failed { problem: Problem::File { .. } }), "{report:?}");
    // The portal has refreshed it, but there is no file, as after an export that could not be saved.
    let shown = app.steward.context.runs.ended()[0].outcome;
    assert_eq!((shown, app.history().await[0].outcome), (Outcome::Warnings, Outcome::Warnings));
    app.dialogs.will_choose(&app.folder("desk").join("guest.invite"));
    let saving = save_kept(&app.steward.invitation_files, &report.kept).await.unwrap();
    assert!(matches!(saving, SaveResult::Saved { .. }), "{saving:?}");
    assert_eq!(files_in(&app.folder("desk")), ["guest.invite"]);
}

#[tokio::test]
async fn closing_asks_about_an_invitation_that_only_memory_holds() {
    let app = TestApp::new().await;
    // Where a file is, no folder can be made.
    std::fs::write(app.steward.data_folder.join("unsaved-invitations"), "").unwrap();
    assert!(app.steward.unfinished().is_none(), "nothing is lost by closing");

    let ended = app.refresh_invitation(form(&invitation(&app).await)).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let asked = app.steward.unfinished().unwrap();
    assert_eq!((asked.runs, asked.unsaved_invitations), (0, 1));
    app.dialogs.will_choose(&app.folder("desk").join("guest.invite"));
    save_kept(&app.steward.invitation_files, &report.kept).await.unwrap();
    assert!(app.steward.unfinished().is_none(), "it is saved");
}

#[tokio::test]
async fn an_error_object_is_never_saved_as_an_invitation() {
    let app = TestApp::new().await;
    let mut form = form(&invitation(&app).await);
    form.invitation_id = "nobody".to_owned();

    let problem = app.refresh_invitation(form).await.err().unwrap();

    assert!(matches!(problem, Problem::Rejected { .. }), "{problem:?}");
    assert!(app.dialogs.suggested().is_empty(), "there is nothing to save");
    assert_eq!(app.history().await[0].outcome, Outcome::Failed);
}

#[tokio::test]
async fn a_response_that_holds_no_invitation_is_unknown_and_never_saved_as_one() {
    let named = "content-disposition: attachment; filename=guest.invite\r\n";
    for (headers, body, kept) in [
        ("", "{}", "{}"),
        ("", "[]", "[]"),
        ("", "null", "null"),
        ("", r#"{"message":"queued"}"#, r#"{"message":"queued"}"#),
        ("", r#"{"status":"IN_PROGRESS"}"#, r#"{"status":"IN_PROGRESS"}"#),
        ("", "We are down for maintenance", "We are down for maintenance"),
        ("", "<html><h1>Busy</h1>", "<html><h1>Busy</h1>"),
        (named, "{}", "{}"),
        (named, "", "(0 bytes)"),
        // Parts of an invitation are as secret as it is.
        ("", r#"{"invitationRequest": {"id": "1", "#, "(34 bytes)"),
        ("", "eyJhbGciOiJub25lIn0.e30.", "(24 bytes)"),
    ] {
        let app = TestApp::new().await;
        let invitation = invitation(&app).await;
        let head = format!("HTTP/1.1 200 OK\r\n{headers}connection: close\r\n");
        let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
        let _way = app.with_fault("/refresh", Fault::Instead(answer.into_bytes())).await;

        let ended = app.refresh_invitation(form(&invitation)).await.unwrap();

        assert!(matches!(ended, RunResult::Unknown { .. }), "{headers}{body}: {ended:?}");
        assert!(
            app.dialogs.suggested().is_empty()
                && waiting(&app.steward.invitation_files.unsaved, &app.site).is_empty()
        );
        let last = app.history().await.remove(0);
        assert_eq!(last.outcome, Outcome::Unknown);
        let details = details_of(&app.steward.context.history, RecordId(last.id)).await.unwrap();
        assert_eq!(details.response.as_deref(), Some(kept));
        assert!(kept == body || !last.note.contains(body) || body.is_empty(), "{}", last.note);
    }
}

#[tokio::test]
async fn the_file_of_another_invitation_is_unknown_and_never_saved_as_this_one() {
    let app = TestApp::new().await;
    let invitation = invitation(&app).await;
    let body = r#"{"invitationRequest":{"id":"7777746f","collaborationId":"c0a1"}}"#;
    let _way = app.with_fault("/refresh", crate::import_server::answer(body)).await;

    let ended = app.refresh_invitation(form(&invitation)).await.unwrap();

    assert!(matches!(ended, RunResult::Unknown { .. }), "{ended:?}");
    assert!(waiting(&app.steward.invitation_files.unsaved, &app.site).is_empty());
    let last = app.history().await.remove(0);
    assert_eq!(last.outcome, Outcome::Unknown);
    let details = details_of(&app.steward.context.history, RecordId(last.id)).await.unwrap();
    assert!(details.response.is_none_or(|kept| !kept.contains("7777746f")), "it is a secret");
}

#[tokio::test]
async fn a_name_from_a_server_cannot_leave_the_chosen_folder() {
    let app = TestApp::new().await;
    let answer = b"HTTP/1.1 200 OK\r\ncontent-disposition: attachment; filename=../../evil.exe\r\n\
                   content-length: 25\r\n\r\n{\"invitationRequest\": {}}"
        .to_vec();
    let invitation = invitation(&app).await;
    let _way = app.with_fault("/refresh", Fault::Instead(answer)).await;

    let ended = app.refresh_invitation(form(&invitation)).await.unwrap();

    assert!(matches!(ended, RunResult::Done { .. }), "{ended:?}");
    assert_eq!(app.dialogs.suggested(), ["evil.exe.invite"]);
}

#[tokio::test]
async fn half_an_invitation_is_never_saved_as_one() {
    let app = TestApp::new().await;
    let invitation = invitation(&app).await;
    app.order("refresh_invitation", "truncated", &[]).await;

    let ended = app.refresh_invitation(form(&invitation)).await.unwrap();

    assert!(matches!(ended, RunResult::Unknown { .. }), "{ended:?}");
    assert!(
        app.dialogs.suggested().is_empty()
            && waiting(&app.steward.invitation_files.unsaved, &app.site).is_empty()
    );
}

/// A response of several parts.
fn multipart(body: &[u8]) -> Fault {
    let head =
        "HTTP/1.1 200 OK\r\ncontent-type: multipart/form-data; boundary=\"part\"\r\nconnection: close\r\n";
    let head = format!("{head}content-length: {}\r\n\r\n", body.len());
    Fault::Instead([head.as_bytes(), body].concat())
}

const PROPERTIES: &str = "--part\r\nContent-Disposition: form-data; name=\"result\"\r\n\
                          Content-Type: application/json\r\n\r\n\
                          {\"collaborationId\":\"c\",\"invitationId\":\"i\",\"success\":true}\r\n";

const FILE: &str = "--part\r\nContent-Type: application/octet-stream\r\n\
                    Content-Disposition: attachment; name=\"file\"; filename=\"guest one.invite\"\r\n\r\n";

#[tokio::test]
async fn an_invitation_that_comes_as_multipart_is_unpacked_byte_for_byte() {
    let app = TestApp::new().await;
    let invitation = invitation(&app).await;
    let content = b"a key\r\n\xff\0--par\r\n\n";
    let body = [PROPERTIES.as_bytes(), FILE.as_bytes(), content, b"\r\n--part--\r\n"].concat();
    let _way = app.with_fault("/refresh", multipart(&body)).await;
    let place = app.folder("desk").join("guest.invite");
    app.dialogs.will_choose(&place);

    let ended = app.refresh_invitation(form(&invitation)).await.unwrap();

    assert!(matches!(ended, RunResult::Done { .. }), "{ended:?}");
    assert_eq!(app.dialogs.suggested(), ["guest one.invite"]);
    assert_eq!(std::fs::read(&place).unwrap(), content);
}

#[tokio::test]
async fn a_multipart_response_without_a_whole_file_is_replaced_by_the_record_of_the_invitation() {
    let app = TestApp::new().await;
    let invitation = invitation(&app).await;
    let cut = [PROPERTIES, FILE, "{\"invitationRequest\": {}"].concat();
    let half = [PROPERTIES, FILE, "{\"invitationRequest\": {\r\n--part--\r\n"].concat();
    let no_file = [PROPERTIES, "--part--\r\n"].concat();
    let other_boundary = "--other\r\n\r\nx\r\n--other--\r\n".to_owned();
    for body in [cut, half, no_file, other_boundary, String::new()] {
        let way = app.with_fault("/refresh", multipart(body.as_bytes())).await;
        let place = app.folder("desk").join("guest.invite");
        app.dialogs.will_choose(&place);

        let ended = app.refresh_invitation(form(&invitation)).await.unwrap();

        assert!(matches!(ended, RunResult::Done { .. }), "{body}: {ended:?}");
        let saved: serde_json::Value = serde_json::from_slice(&std::fs::read(&place).unwrap()).unwrap();
        assert_eq!(saved["invitationRequest"]["id"], invitation.id, "{body}");
        assert_eq!(way.met(), 1, "refreshed once");
        std::fs::remove_file(place).unwrap();
    }
}

#[tokio::test]
async fn a_multipart_response_that_cannot_be_read_and_no_record_is_said_and_nothing_is_saved() {
    let app = TestApp::new().await;
    let invitation = invitation(&app).await;
    let way = app.with_fault("/refresh", multipart(b"--part\r\n")).await;
    let no_record = b"HTTP/1.1 500 Broken\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec();
    let record = format!("/invitations/{}?", invitation.id);
    let both = FaultProxy::to(&way.address(), &record, Fault::Instead(no_record)).await.unwrap();
    app.go_through(&both.address());

    let ended = app.refresh_invitation(form(&invitation)).await.unwrap();

    let RunResult::Unknown { problem: Some(Problem::Unreadable { excerpt, .. }), .. } = ended else {
        panic!("{ended:?}")
    };
    assert!(excerpt.starts_with("the multipart response cannot be read, and the record"), "{excerpt}");
    assert!(
        app.dialogs.suggested().is_empty()
            && waiting(&app.steward.invitation_files.unsaved, &app.site).is_empty()
    );
}

#[tokio::test]
async fn a_rejection_in_a_multipart_response_is_a_rejection() {
    let app = TestApp::new().await;
    let invitation = invitation(&app).await;
    let json = "--part\r\nContent-Type: application/json\r\n\r\n\
                {\"error\":{\"code\":400,\"message\":\"Invitation was accepted.\"}}\r\n--part--\r\n";
    let field = "--part\r\nContent-Disposition: form-data; name=\"success\"\r\n\r\nfalse\r\n--part--\r\n";
    for body in [json, field] {
        let _way = app.with_fault("/refresh", multipart(body.as_bytes())).await;

        let problem = app.refresh_invitation(form(&invitation)).await.err();

        assert!(matches!(problem, Some(Problem::Rejected { .. })), "{body}: {problem:?}");
        assert_eq!(app.history().await[0].outcome, Outcome::Failed);
    }
}

/// The program, its sites' file and its tokens in this folder.
const DATA: &str = "STEWARD_DATA_OF_REFRESH";

/// A dialog that nobody answers.
struct Unanswered;

impl Dialogs for Unanswered {
    fn save_file<'a>(&'a self, _title: Title, _suggested: &'a str) -> Choice<'a> {
        println!("said: asking");
        Box::pin(std::future::pending())
    }

    fn open_file(&self, _title: Title) -> Choice<'_> {
        Box::pin(std::future::pending())
    }

    fn choose_folder(&self, _title: Title) -> Choice<'_> {
        Box::pin(std::future::pending())
    }

    fn open_page(&self, _page: &url::Url) -> Result<(), Problem> {
        Ok(())
    }
}

/// Not a test: the program that is killed while it asks where to save.
#[tokio::test]
#[ignore = "the process that the other test starts and kills"]
async fn refreshes_in_a_process_of_its_own() {
    let Ok(told) = std::env::var(DATA) else { return };
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let text = |name: &str| told[name].as_str().unwrap().to_owned();
    let runs = RunRegistry::new(Box::new(|_| ()));
    let vault = Arc::new(MemoryStore::default());
    let steward = Steward::open(text("data").as_ref(), vault, Arc::new(Unanswered), runs).unwrap();
    let site = SiteId(text("site"));
    sign_in_as(&steward.context, &site, &text("username"), &Secret::new(text("password"))).await.unwrap();
    let form = RefreshInvitationForm {
        collaboration_id: text("collaborationId"),
        invitation_id: text("invitationId"),
    };
    drop(perform(&steward.context, &steward.invitation_files, &site, RunId("run".to_owned()), form).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_killed_before_it_saved_does_not_lose_the_refreshed_invitation() {
    let mut app = TestApp::new().await;
    let invitation = invitation(&app).await;
    // What the portal sends is known here to the byte, and no text.
    let file: Vec<u8> = b"an invitation\n".iter().copied().chain(128..=255).collect();
    let name = "content-disposition: attachment; filename=guest.invite";
    let head = format!("HTTP/1.1 200 OK\r\n{name}\r\ncontent-length: {}\r\n\r\n", file.len());
    let answer = [head.as_bytes(), &file].concat();
    let _way = app.with_fault("/refresh", Fault::Instead(answer)).await;
    let user = app.practice.ready().users.iter().find(|user| user.role == "administrator").unwrap();
    let told = serde_json::json!({
        "data": app.steward.data_folder, "site": app.site.0, "username": user.username, "password": user.password,
        "collaborationId": invitation.collaboration_id, "invitationId": invitation.id,
    });
    // One program has the data folder at a time.
    let (keyring, runs) = (app.vault.clone(), RunRegistry::new(Box::new(|_| ())));
    app.steward = Steward::open(&app.folder("elsewhere"), keyring, app.dialogs.clone(), runs).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "refresh_invitation::refreshes_in_a_process_of_its_own",
            "--ignored",
            "--nocapture",
        ])
        .env(DATA, told.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let said = child.stdout.take().unwrap();
    let asking = tokio::task::spawn_blocking(move || {
        let mut lines = BufReader::new(said).lines().map_while(Result::ok);
        lines.any(|line| line.contains("said: asking"))
    });
    assert!(tokio::time::timeout(Duration::from_secs(30), asking).await.unwrap().unwrap());
    child.kill().unwrap();
    child.wait().unwrap();

    let app = app.restarted();

    let kept = waiting(&app.steward.invitation_files.unsaved, &app.site);
    let [one] = &kept[..] else { panic!("{kept:?}") };
    assert_eq!(save_kept(&app.steward.invitation_files, &one.kept).await.unwrap(), SaveResult::Dismissed);
    let place = app.folder("desk").join("guest.invite");
    app.dialogs.will_choose(&place);
    let saving = save_kept(&app.steward.invitation_files, &one.kept).await.unwrap();
    assert!(matches!(saving, SaveResult::Saved { .. }), "{saving:?}");
    assert_eq!(std::fs::read(&place).unwrap(), file);
    assert!(
        waiting(&app.steward.invitation_files.unsaved, &app.site).is_empty(),
        "what is saved does not wait any more"
    );
    assert!(files_in(&app.steward.data_folder.join("unsaved-invitations")).is_empty());
}

#[cfg(unix)]
#[tokio::test]
async fn a_data_folder_that_refuses_too_leaves_the_invitation_in_hand() {
    let app = TestApp::new().await;
    std::fs::write(app.steward.data_folder.join("unsaved-invitations"), "in the way").unwrap();

    let ended = app.refresh_invitation(form(&invitation(&app).await)).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert_eq!(report.saving, SaveResult::Dismissed);
    app.dialogs.will_choose(&app.folder("desk").join("guest.invite"));
    let saving = save_kept(&app.steward.invitation_files, &report.kept).await.unwrap();
    assert!(matches!(saving, SaveResult::Saved { .. }), "{saving:?}");
}

#[tokio::test]
async fn half_an_invitation_is_none_and_the_end_is_unknown() {
    let app = TestApp::new().await;
    let half = br#"{"invitationRequest": {"id": "1", "#;
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", half.len());
    let invitation = invitation(&app).await;
    let _way = app.with_fault("/refresh", Fault::Instead([head.as_bytes(), half].concat())).await;

    let ended = app.refresh_invitation(form(&invitation)).await.unwrap();

    assert!(matches!(ended, RunResult::Unknown { .. }), "{ended:?}");
    assert!(
        waiting(&app.steward.invitation_files.unsaved, &app.site).is_empty(),
        "nothing is kept as an invitation"
    );
}

#[tokio::test]
async fn an_invitation_ends_by_the_portals_clock_and_not_by_ours() {
    let app = TestApp::new().await;
    let usual = invitations(&app.steward.context.access, &app.site).await.unwrap();
    let two_hours_ahead = (jiff::Timestamp::now() + jiff::SignedDuration::from_hours(2))
        .strftime("%a, %d %b %Y %H:%M:%S GMT")
        .to_string();
    let answer = format!(
        "HTTP/1.1 200 OK\r\ndate: {two_hours_ahead}\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{{}}"
    );
    let way = app.with_fault("/rest/info", Fault::Instead(answer.into_bytes())).await;

    let ahead = invitations(&app.steward.context.access, &app.site).await.unwrap();

    assert!(way.met() > 0);
    let (usual, ahead) = (usual[0].expires_in.unwrap().0, ahead[0].expires_in.unwrap().0);
    let hours_2 = 2 * 60 * 60 * 1000;
    assert!((usual - ahead - hours_2).abs() < 60_000, "{usual} {ahead}");
}

#[tokio::test]
async fn a_refreshed_invitation_ends_by_our_clock_whatever_the_clock_of_the_portal_is() {
    let day = 24 * 60 * 60 * 1000;
    for days in [-4, 4] {
        let app = TestApp::new().await;
        app.dialogs.will_choose(&app.folder("desk").join("invitation.json"));
        let refreshed = form(&invitation(&app).await);
        let theirs = Millis::now().0 + days * day;
        let date = jiff::Timestamp::from_millisecond(theirs).unwrap().strftime("%a, %d %b %Y %H:%M:%S GMT");
        let head = format!("HTTP/1.1 200 OK\r\ndate: {date}\r\nconnection: close\r\n");
        let clock = format!("{head}content-length: 2\r\n\r\n{{}}").into_bytes();
        let clock = app.with_fault("/rest/info", Fault::Instead(clock)).await;
        let ends = theirs + 3 * day;
        let shown =
            format!(r#"{{"id":"{}","status":"pending","expiration":{ends}}}"#, refreshed.invitation_id);
        let path = format!("/invitations/{}?", refreshed.invitation_id);
        let shown = FaultProxy::to(&clock.address(), &path, answer(&shown)).await.unwrap();
        app.go_through(&shown.address());

        let ended = app.refresh_invitation(refreshed).await.unwrap();

        let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
        let here = Millis::now().0 + 3 * day;
        let is_here = |end: i64| (end - here).abs() < 60_000;
        assert!(is_here(report.expiration.unwrap().0), "{days}: {report:?}");
        assert!(report.is_extended, "{days}");
        let record = app.history().await.remove(0);
        assert_eq!((record.outcome, record.facts.expires_at), (Outcome::Succeeded, Some(ends)));
        assert!(is_here(expires_at(&record).unwrap().0), "{days}: reminders");
        assert_eq!((shown.met(), clock.met()), (1, 1));
    }
}

#[tokio::test]
async fn an_invitation_that_was_refreshed_from_here_is_reminded_of_on_its_last_day() {
    let app = TestApp::new().await;
    let invitation = invitation(&app).await;
    app.refresh_invitation(form(&invitation)).await.unwrap();
    let now = Millis::now().0;
    let hour = 60 * 60 * 1000;
    let due =
        async |hours: i64| reminders::due(&app.steward.context, Millis(now + hours * hour)).await.unwrap();

    assert!(due(0).await.is_empty());
    assert!(due(47).await.is_empty());
    let soon = due(49).await;
    let about = ReminderAbout::Invitation {
        collaboration_id: invitation.collaboration_id.clone(),
        invitation_id: invitation.id.clone(),
    };
    assert_eq!(soon.iter().map(|one| &one.about).collect::<Vec<_>>(), [&about]);
    assert!(due(73).await.is_empty(), "it is over");

    // A second refresh of the same invitation does not remind twice.
    app.refresh_invitation(form(&invitation)).await.unwrap();
    assert_eq!(due(49).await.len(), 1);
}

#[tokio::test]
async fn an_invitation_is_reminded_of_before_the_end_that_the_portal_returned() {
    let app = TestApp::new().await;
    let invitation = invitation(&app).await;
    let hour = 60 * 60 * 1000;
    let now = Millis::now().0;
    let end = now + 10 * hour;
    let alone = format!("{}?", invitation.id);
    let body = format!(r#"{{"id":"{}","expiration":{end}}}"#, invitation.id);
    let _way = app.with_fault(&alone, crate::import_server::answer(&body)).await;

    app.refresh_invitation(form(&invitation)).await.unwrap();

    let due = reminders::due(&app.steward.context, Millis(now + hour)).await.unwrap();
    assert_eq!(due.iter().map(|one| one.at).collect::<Vec<_>>(), [Millis(end)]);
    let overview = app.steward.overviews().of_site(&app.site).await.unwrap();
    let expiring = overview.concerns.iter().any(
        |concern| matches!(concern.about, ConcernAbout::Invitation { expires_at, .. } if expires_at == Millis(end)),
    );
    assert!(expiring, "{:?}", overview.concerns);

    let accepted = format!(r#"{{"id":"{}","status":"guest_accepted","expiration":{end}}}"#, invitation.id);
    let body = format!(r#"{{"collaborationInvitations":[{accepted}],"nextStart":-1}}"#);
    let _way = app.with_fault("/invitations?", crate::import_server::answer(&body)).await;
    invitations(&app.steward.context.access, &app.site).await.unwrap();
    let due = reminders::due(&app.steward.context, Millis(now + hour)).await.unwrap();
    assert_eq!(due, [], "it was accepted since");
}

#[tokio::test]
async fn an_end_that_the_portal_does_not_return_is_not_made_up() {
    for expiration in [r#","expiration":null"#, ""] {
        let app = TestApp::new().await;
        let invitation = invitation(&app).await;
        let alone = format!("{}?", invitation.id);
        let body = format!(r#"{{"id":"{}"{expiration}}}"#, invitation.id);
        let _way = app.with_fault(&alone, answer(&body)).await;

        let ended = app.refresh_invitation(form(&invitation)).await.unwrap();

        let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
        assert_eq!(report.expiration, None, "{body}");
    }
}

#[tokio::test]
async fn a_success_that_is_null_or_no_yes_is_no_refresh() {
    for body in [
        r#"{"success":null}"#,
        r#"{"success":"pending"}"#,
        r#"{"success":0}"#,
        r#"{"success":null,"status":"queued"}"#,
        r#"{"invitationRequest":null}"#,
    ] {
        let app = TestApp::new().await;
        let invitation = invitation(&app).await;
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
        let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
        let _way = app.with_fault("/refresh", Fault::Instead(answer.into_bytes())).await;

        let ended = app.refresh_invitation(form(&invitation)).await.unwrap();

        assert!(matches!(ended, RunResult::Unknown { .. }), "{body}: {ended:?}");
        assert!(
            app.dialogs.suggested().is_empty()
                && waiting(&app.steward.invitation_files.unsaved, &app.site).is_empty()
        );
        assert_eq!(app.history().await[0].outcome, Outcome::Unknown, "{body}");
    }
}

#[tokio::test]
async fn parts_without_a_file_that_do_not_say_success_are_no_refresh() {
    let app = TestApp::new().await;
    let invitation = invitation(&app).await;
    let body = "--part\r\nContent-Type: application/json\r\n\r\n{\"status\":\"pending\"}\r\n--part--\r\n";
    let _way = app.with_fault("/refresh", multipart(body.as_bytes())).await;

    let ended = app.refresh_invitation(form(&invitation)).await.unwrap();

    assert!(matches!(ended, RunResult::Unknown { .. }), "{ended:?}");
    assert!(
        app.dialogs.suggested().is_empty()
            && waiting(&app.steward.invitation_files.unsaved, &app.site).is_empty()
    );
}

#[tokio::test]
async fn another_invitation_in_place_of_the_refreshed_one_says_nothing_of_when_that_ends() {
    let app = TestApp::new().await;
    let invitation = invitation(&app).await;
    let end = Millis::now().0 + HOURS_72;
    let body = format!(r#"{{"id":"another","expiration":{end},"invitationString":"of another"}}"#);
    let way = app.with_fault(&format!("/invitations/{}?", invitation.id), answer(&body)).await;
    app.dialogs.will_choose(&app.folder("desk").join("a.invite"));

    let ended = app.refresh_invitation(form(&invitation)).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert_eq!((report.expiration, way.met()), (None, 1));
}
