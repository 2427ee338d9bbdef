//! Sites that answer oddly, and records of what was done on another server.

use std::time::Duration;

use steward_core::actions::sign_in::sign_in_at;
use steward_core::actions::sites::{choose, remove, save};
use steward_core::files;
use steward_core::follow_up::outcome_check;
use steward_core::follow_up::reminders;
use steward_core::history::changes_since::since_import;
use steward_core::listings::{invitations, services_of};
use steward_core::model::export_verification::ArchiveFault;
use steward_core::model::ids::{RecordId, ServerId, Target};
use steward_core::model::numbers::Millis;
use steward_core::model::problem::{PreconditionFailure, Problem, SafetyBackupStep};
use steward_core::model::retry_policy::RetryPolicy;
use steward_core::model::run_result::RunResult;
use steward_core::operations::deactivate_webhooks::{self, DeactivateWebhooksForm};
use steward_core::operations::export_server::{self, ExportServerForm, ServerExportDestination};
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::operations::import_server::{ImportServerForm, ImportServerOptions};
use steward_core::sites::{ConnectionForm, ConnectionRoute, SiteForm};
use steward_core::transfers::upload::{self, UploadEnd, UploadSource};
use steward_core::webhooks::deactivation_log::{self, DeactivationView};
use steward_core::webhooks::reactivation;
use steward_journal::Outcome;
use steward_testkit::{Fault, FaultProxy, until};
use steward_vault::{Secret, SecretStore};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::scripted::{STORED, Scripted, Then};
use crate::test_app::{TestApp, form};

const BUFFER: &str = "Buffer.GPServer";

pub(crate) fn json(body: &str) -> Vec<u8> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

#[tokio::test]
async fn an_invitation_that_ends_before_all_time_is_listed() {
    let app = TestApp::new().await;
    for end in [i64::MIN, i64::MAX] {
        let body =
            format!(r#"{{"collaborationInvitations":[{{"id":"i1","expiration":{end}}}],"nextStart":-1}}"#);
        let _way = app.with_fault("/invitations?", Fault::Instead(json(&body))).await;

        let listed = invitations(&app.steward.context.access, &app.site).await.unwrap();

        assert_eq!(listed[0].expiration, Some(Millis(end)));
    }
}

#[tokio::test]
async fn a_password_under_any_name_is_masked_in_an_excerpt() {
    let app = TestApp::new().await;
    let said = r#"SERVER=db1 ENCRYPTED_PASSWORD_UTF8=00022e-canary;PASSWORD=canary;Pwd = canary {"secretAccessKey":"canary"}"#;
    let quoted =
        serde_json::json!({ "error": { "code": 500, "message": said, "details": [said] } }).to_string();
    for body in [format!("<html>{said}</html>"), quoted] {
        let _way = app.with_fault("/admin/services?", Fault::Instead(json(&body))).await;

        let problem = services_of(&app.steward.context.access, &app.server).await.err().unwrap();

        let shown = format!("{problem:?}");
        assert!(shown.contains("SERVER=db1") && shown.contains("ENCRYPTED_PASSWORD_UTF8="), "{shown}");
        assert!(!shown.contains("canary"), "{shown}");
    }
}

#[tokio::test]
async fn a_server_that_falls_silent_while_the_way_back_is_looked_at_is_said() {
    let mut app = TestApp::new().await;
    app.steward.transfers.retry_policy =
        RetryPolicy { stalled: Duration::from_millis(300), ..RetryPolicy::none() };
    for fault in [Fault::Silence, Fault::StallAfter(700)] {
        let way = FaultProxy::to(app.practice_address(), "/download", fault).await.unwrap();
        let import = FaultProxy::to(&way.address(), "/admin/importSite", Fault::AnswerLost).await.unwrap();
        app.go_through(&import.address());
        let form = ImportServerForm {
            location: "/exports/a.agssite".to_owned(),
            confirmation: "City GIS".to_owned(),
            safety_backup: Some(SafetyBackupOptions { also_here: false }),
            deactivate_webhooks: None,
            options: ImportServerOptions::default(),
        };

        let import_it = app.import_server(form);
        let ended = tokio::time::timeout(Duration::from_secs(20), import_it).await;

        let Ok(Err(Problem::SafetyBackupFailed { step, .. })) = ended else { panic!("{ended:?}") };
        assert_eq!((step, import.met()), (SafetyBackupStep::Archive(ArchiveFault::Unread), 0));
    }
}

#[tokio::test]
async fn a_refusal_that_never_ends_is_no_answer_to_a_download() {
    let site = Scripted::new(|_, _| {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{";
        (head.as_bytes().to_vec(), Then::Silence)
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let retry_policy = RetryPolicy { stalled: Duration::from_millis(300), ..RetryPolicy::none() };

    let place = folder.path().join("a.agssite");
    let (server, never) = (site.server(), std::future::pending());
    let download = files::download(&server, STORED, &place, &retry_policy, never, |_, _| ());
    let ended = tokio::time::timeout(Duration::from_secs(10), download).await;

    assert!(matches!(ended, Ok(Err(_))), "{ended:?}");
    assert!(crate::test_app::files_in(folder.path()).is_empty());
}

/// A second server of the site that knows no webhook and no upload, and that forms begin with now.
pub(crate) async fn another_server(app: &TestApp) -> Scripted {
    let other = Scripted::new(|_, head| {
        let body = match head {
            head if head.contains("/webhooks") => r#"{"webhooks":[],"nextStart":-1}"#,
            head if head.contains("/uploads") => r#"{"items":[]}"#,
            _ => r#"{"currentVersion":"11.5","fullVersion":"11.5.0"}"#,
        };
        (json(body), Then::Close)
    })
    .await;
    let mut site = app.sites().get(&app.site).unwrap();
    let mut second = site.servers[0].clone();
    second.id = ServerId("other".to_owned());
    second.address = other.address().parse().unwrap();
    site.servers.push(second);
    app.sites().put(site).unwrap();
    let token = r#"{"token":"canary","expires_at":null}"#.to_owned();
    app.vault.set(&format!("{}/server/other", app.site.0), Secret::new(token)).await.unwrap();
    choose(&app.steward.context, &app.site, ServerId("other".to_owned())).unwrap();
    other
}

async fn silence(app: &TestApp) -> DeactivationView {
    let form = DeactivateWebhooksForm {
        services: vec![BUFFER.to_owned()],
        why: "Maintenance".to_owned(),
        confirmation: String::new(),
    };
    app.deactivate_webhooks(form).await.unwrap();
    deactivation_log::entries(&app.steward.context, Some(&app.site)).await.unwrap().remove(0)
}

#[tokio::test]
async fn what_was_silenced_on_one_server_is_not_restored_on_another() {
    let app = TestApp::new().await;
    let entry = silence(&app).await;
    let _other = another_server(&app).await;

    let target = app.server_of(&app.site);
    let refused = reactivation::reactivate(&app.steward.context, &target, app.run(), entry.id).await;

    assert!(
        matches!(refused, Err(Problem::PreconditionFailed { why: PreconditionFailure::OtherServer { .. } })),
        "{refused:?}"
    );
    let entry = deactivation_log::entries(&app.steward.context, None).await.unwrap().remove(0);
    assert_eq!(entry.resolved_at, None, "its webhooks are still silent");

    let restored = reactivation::reactivate(&app.steward.context, &app.server, app.run(), entry.id).await;
    assert!(matches!(restored, Ok(RunResult::Done { .. })), "{restored:?}");
}

#[tokio::test]
async fn an_outcome_is_looked_for_on_the_server_that_received_the_request() {
    let app = TestApp::new().await;
    let _way = app.with_fault("/deactivateAll", Fault::Instead(Vec::new())).await;
    silence(&app).await;
    let record = RecordId(app.history().await.remove(0).id);
    let other = another_server(&app).await;
    let asked = other.asked().len();

    let seen = outcome_check::check(
        &app.steward.context,
        &app.steward.invitation_files.unsaved,
        &app.steward.dialogs,
        &record,
    )
    .await;

    assert!(seen.is_ok(), "{seen:?}");
    assert_eq!(other.asked().len(), asked, "the other one was asked nothing");
}

#[tokio::test]
async fn an_import_is_undone_on_its_own_server_whatever_forms_begin_with() {
    let app = TestApp::new().await;
    let record = crate::import_server::with_safety_backup(&app, false).await;
    let other = another_server(&app).await;
    let asked = other.asked().len();
    let context = &app.steward.context;
    let summary = since_import(&context.access.sites, &context.history, record.clone()).await;
    assert!(summary.is_ok(), "{summary:?}");

    let undone = app.undo_import(record, false).await;

    assert!(matches!(undone, Ok(RunResult::Done { .. })), "{undone:?}");
    assert_eq!(other.asked().len(), asked, "the other one was asked nothing");
    assert_eq!(app.history().await[0].intent.server, "server");
}

#[tokio::test]
async fn an_import_is_not_undone_once_its_server_is_no_part_of_the_site() {
    let app = TestApp::new().await;
    let record = crate::import_server::with_safety_backup(&app, false).await;
    let other = another_server(&app).await;
    let mut site = app.sites().get(&app.site).unwrap();
    site.servers.remove(0);
    app.sites().put(site).unwrap();

    let refused = app.undo_import(record, false).await;

    let expected = Problem::PreconditionFailed { why: PreconditionFailure::ServerChanged };
    assert_eq!(refused.err(), Some(expected));
    assert!(!other.asked().iter().any(|head| head.contains("importsite")));
}

#[tokio::test]
async fn two_servers_of_a_site_are_looked_at_and_exported_without_changing_anything() {
    let app = TestApp::new().await;
    let second = TestApp::new().await;
    let mut site = app.sites().get(&app.site).unwrap();
    let mut server = site.servers[0].clone();
    server.id = ServerId("second".to_owned());
    server.name = "gisapp02".to_owned();
    server.address = second.practice.ready().server.parse().unwrap();
    site.servers.push(server);
    app.sites().put(site.clone()).unwrap();
    let user = second.user("administrator");
    let (context, transfers) = (&app.steward.context, &app.steward.transfers);
    let target = Target { site: app.site.clone(), server: Some(ServerId("second".to_owned())) };
    let password = Secret::new(user.password.clone());
    sign_in_at(context, &app.site, target.server.as_ref(), &user.username, &password).await.unwrap();
    let folder = app.folder("exports").display().to_string();
    let export =
        || ExportServerForm { place: ServerExportDestination::ServerFolder { location: folder.clone() } };

    let (first, other) =
        tokio::join!(services_of(&context.access, &app.server), services_of(&context.access, &target),);
    let one = export_server::perform(context, transfers, &app.server, app.run(), export()).await;
    let two = export_server::perform(context, transfers, &target, app.run(), export()).await;

    assert!(!first.unwrap().is_empty() && !other.unwrap().is_empty());
    assert!(matches!(one, Ok(RunResult::Done { .. })), "{one:?}");
    assert!(matches!(two, Ok(RunResult::Done { .. })), "{two:?}");
    let servers: Vec<_> =
        app.history().await.into_iter().map(|record| record.intent.server).take(2).collect();
    assert_eq!(servers, ["second", "server"], "each record names its server");
    let name = &app.history().await[0].intent.server_name;
    assert_eq!(*name, site.servers[1].name, "also by the name that it has at that time");
    assert_eq!(app.sites().get(&app.site).unwrap().current_server, site.current_server);
}

#[tokio::test]
async fn an_undo_lists_no_change_of_another_server() {
    let app = TestApp::new().await;
    let record = crate::import_server::with_safety_backup(&app, false).await;
    let _other = another_server(&app).await;
    let form = DeactivateWebhooksForm {
        services: vec![BUFFER.to_owned()],
        why: String::new(),
        confirmation: String::new(),
    };
    let context = &app.steward.context;
    let target = app.server_of(&app.site);
    deactivate_webhooks::perform(context, &target, app.run(), form).await.unwrap();

    let summary = since_import(&context.access.sites, &context.history, record).await.unwrap();

    assert_eq!(summary.count, 0, "{summary:?}");
}

#[tokio::test]
async fn an_upload_that_was_begun_on_one_server_does_not_go_on_to_another() {
    let mut app = TestApp::new().await;
    app.steward.transfers.retry_policy = RetryPolicy { pause: Duration::ZERO, ..RetryPolicy::none() };
    let file = app.folder("desk").join("a.csv");
    std::fs::write(&file, vec![b'a'; 2 * 1024 * 1024]).unwrap();
    app.dialogs.will_choose(&file);
    let way = app.with_fault("/commit", Fault::Instead(Vec::new())).await;
    let source = UploadSource::Choose { part_mebibytes: 1 };
    let end = app.upload(source).await.unwrap();
    let UploadEnd::Unknown { unfinished: Some(begun), .. } = end else { panic!("{end:?}") };
    let other = another_server(&app).await;
    let asked = other.asked().len();

    let target = app.server_of(&app.site);
    let (context, transfers) = (&app.steward.context, &app.steward.transfers);
    assert!(upload::unfinished(&transfers.uploads, &target).is_empty());
    let source = UploadSource::GoOn { item: begun.item.clone() };
    let refused = upload::upload(context, transfers, &target, app.run(), source).await;
    assert!(matches!(refused, Err(Problem::Unexpected { .. })), "{refused:?}");
    assert!(!other.asked()[asked..].iter().any(|head| head.contains("/uploads")));

    assert_eq!(upload::unfinished(&app.steward.transfers.uploads, &app.server), [begun]);
    drop(way);
}

#[tokio::test]
async fn what_was_restored_is_not_restored_once_more() {
    let app = TestApp::new().await;
    let entry = silence(&app).await;
    reactivation::reactivate(&app.steward.context, &app.server, app.run(), entry.id.clone()).await.unwrap();
    // Somebody silences the service again, for a reason of their own.
    silence(&app).await;
    let way = app.with_fault("/edit", Fault::AnswerLost).await;

    let again = reactivation::reactivate(&app.steward.context, &app.server, app.run(), entry.id).await;

    assert!(
        matches!(again, Err(Problem::PreconditionFailed { why: PreconditionFailure::RestoredAlready })),
        "{again:?}"
    );
    assert_eq!(way.met(), 0);
}

#[tokio::test]
async fn nobody_is_reminded_of_a_site_that_was_removed() {
    let app = TestApp::new().await;
    let entry = silence(&app).await;
    deactivation_log::remind(&app.steward.context.history, entry.id, Some(Millis(1))).await.unwrap();
    assert_eq!(reminders::due(&app.steward.context, Millis::now()).await.unwrap().len(), 1);

    remove(&app.steward.context, &app.site, "").await.unwrap();

    assert!(reminders::due(&app.steward.context, Millis::now()).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_proxys_password_is_not_given_to_another_proxy() {
    let app = TestApp::signed_out().await;
    let ready = app.practice.ready();
    let through = |address: &str, password: Option<&str>| SiteForm {
        connection: ConnectionForm {
            route: ConnectionRoute::Proxy {
                address: address.to_owned(),
                user: "steward".to_owned(),
                exceptions: Vec::new(),
            },
            proxy_password: password.map(str::to_owned),
            ..ConnectionForm::default()
        },
        ..form(Some(&app.site), &ready.portal, &ready.server)
    };
    save(&app.steward.context, &through("http://one.example.org:3128", Some("canary"))).await.unwrap();
    save(&app.steward.context, &through("http://one.example.org:3128", None)).await.unwrap();
    assert!(app.kept("proxy-password").await.is_some());

    save(&app.steward.context, &through("http://two.example.org:3128", None)).await.unwrap();

    assert_eq!(app.kept("proxy-password").await, None);
}

#[tokio::test]
async fn a_portal_that_names_very_many_servers_is_not_asked_about_all_at_once() {
    let app = TestApp::new().await;
    let silent = Scripted::new(|_, _| (Vec::new(), Then::Silence)).await;
    let root = silent.address();
    let entry = |number| format!(r#"{{"url":"{root}{number}","adminUrl":"{root}{number}"}}"#);
    let listed: Vec<_> = (0..200).map(entry).collect();
    let body = format!(r#"{{"servers":[{}]}}"#, listed.join(","));
    let _way = app.with_fault("/portals/self/servers", Fault::Instead(json(&body))).await;

    let asking = steward_core::access::discovery::servers(&app.steward.context.access, &app.site);
    // All requests that are sent at once arrive before one that begins after the first of them.
    let others = async {
        until("the first requests", async || !silent.asked().is_empty()).await;
        let mut last = TcpStream::connect(silent.host()).await.unwrap();
        last.write_all(b"GET /last HTTP/1.1\r\n\r\n").await.unwrap();
        until("the last request", async || silent.asked().iter().any(|asked| asked.contains("/last"))).await;
    };
    tokio::select! {
        _ = asking => panic!("a silent server was not waited for"),
        () = others => {}
    }

    let asked = silent.asked().len() - 1;
    assert!((1..=50).contains(&asked), "{asked}");
}

#[tokio::test]
async fn a_folder_in_the_place_of_a_file_is_said_before_anything_is_asked_for() {
    let site = Scripted::new(|_, _| (crate::scripted::file("\"a\"", b"content"), Then::Close)).await;
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("taken.agssite");
    std::fs::create_dir(&place).unwrap();

    let (server, never) = (site.server(), std::future::pending());
    let ended = files::download(&server, STORED, &place, &RetryPolicy::none(), never, |_, _| ()).await;

    assert!(matches!(ended, Err(files::NotSaved::Here(_))), "{ended:?}");
    assert!(site.asked().is_empty());
    assert_eq!(crate::test_app::files_in(folder.path()), ["taken.agssite"]);
}

#[tokio::test]
async fn an_upload_is_looked_for_on_the_server_that_received_it() {
    let mut app = TestApp::new().await;
    app.steward.transfers.retry_policy =
        RetryPolicy { tries: 0, pause: Duration::ZERO, stalled: Duration::from_secs(5) };
    let path = app.folder("desk").join("survey.csv");
    std::fs::write(&path, "a,b\n1,2\n").unwrap();
    app.dialogs.will_choose(&path);
    let _way = app.with_fault("/uploads/upload", Fault::Instead(Vec::new())).await;
    let whole = UploadSource::Choose { part_mebibytes: 100 };
    app.upload(whole).await.unwrap();
    let lost = app.history().await.remove(0);
    assert_eq!(lost.outcome, Outcome::Unknown);
    let other = another_server(&app).await;
    let asked = other.asked().len();

    let seen = outcome_check::check(
        &app.steward.context,
        &app.steward.invitation_files.unsaved,
        &app.steward.dialogs,
        &RecordId(lost.id),
    )
    .await;

    assert!(seen.is_ok(), "{seen:?}");
    assert_eq!(other.asked().len(), asked, "the other one was asked nothing");
}
