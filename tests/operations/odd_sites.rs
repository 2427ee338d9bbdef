//! Sites that answer oddly, and records of what was done on another server.

use std::time::Duration;

use steward_core::actions::sites::{choose, remove, save};
use steward_core::files;
use steward_core::follow_up::outcome_check;
use steward_core::follow_up::reminders;
use steward_core::listings::invitations;
use steward_core::model::ids::ServerId;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::{Declined, ParachuteStep, Problem};
use steward_core::model::retry_policy::Persistence;
use steward_core::model::run_result::{Ended, RecordId};
use steward_core::operations::deactivate_webhooks::deactivation_log::{self, SilenceView};
use steward_core::operations::deactivate_webhooks::{self, DeactivateWebhooksForm};
use steward_core::operations::import_server::safety_backup::Parachute;
use steward_core::operations::import_server::{self, ImportServerForm};
use steward_core::sites::{ConnectionForm, SavedRoute, SiteForm};
use steward_core::transfers::upload::{self, UploadEnd, UploadSource};
use steward_testkit::{Fault, FaultProxy};
use steward_vault::{Secret, SecretStore};

use crate::desk::{Desk, form};
use crate::scripted::{STORED, Scripted, Then};

const BUFFER: &str = "Buffer.GPServer";

pub(crate) fn json(body: &str) -> Vec<u8> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

#[tokio::test]
async fn an_invitation_that_ends_before_all_time_is_listed() {
    let desk = Desk::new().await;
    for end in [i64::MIN, i64::MAX] {
        let body =
            format!(r#"{{"collaborationInvitations":[{{"id":"i1","expiration":{end}}}],"nextStart":-1}}"#);
        let _way = desk.with_fault("/invitations?", Fault::Instead(json(&body))).await;

        let listed = invitations(&desk.host, &desk.site).await.unwrap();

        assert_eq!(listed[0].expiration, Some(Millis(end)));
    }
}

#[tokio::test]
async fn a_server_that_falls_silent_while_the_way_back_is_looked_at_is_said() {
    let mut desk = Desk::new().await;
    desk.host.persistence = Persistence { stalled: Duration::from_millis(300), ..Persistence::none() };
    for fault in [Fault::Silence, Fault::StallAfter(700)] {
        let way = FaultProxy::to(desk.practice_address(), "/download", fault).await.unwrap();
        let import = FaultProxy::to(&way.address(), "/admin/importSite", Fault::AnswerLost).await.unwrap();
        desk.go_through(&import.address());
        let form = ImportServerForm {
            location: "/exports/a.agssite".to_owned(),
            confirmation: "City GIS".to_owned(),
            parachute: Some(Parachute { also_here: false }),
        };

        let import_it = import_server::perform(&desk.host, &desk.site, desk.run(), form);
        let ended = tokio::time::timeout(Duration::from_secs(20), import_it).await;

        let Ok(Err(Problem::NoWayBack { step, .. })) = ended else { panic!("{ended:?}") };
        assert_eq!((step, import.met()), (ParachuteStep::Unread, 0));
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
    let persistence = Persistence { stalled: Duration::from_millis(300), ..Persistence::none() };

    let place = folder.path().join("a.agssite");
    let (server, never) = (site.server(), std::future::pending());
    let download = files::download(&server, STORED, &place, &persistence, never, |_, _| ());
    let ended = tokio::time::timeout(Duration::from_secs(10), download).await;

    assert!(matches!(ended, Ok(Err(_))), "{ended:?}");
    assert!(crate::desk::files_in(folder.path()).is_empty());
}

/// A second server of the site that knows no webhook and no upload, and is chosen now.
async fn another_server(desk: &Desk) -> Scripted {
    let other = Scripted::new(|_, head| {
        let body = match head {
            head if head.contains("/webhooks") => r#"{"webhooks":[],"nextStart":-1}"#,
            head if head.contains("/uploads") => r#"{"items":[]}"#,
            _ => r#"{"currentVersion":"11.5","fullVersion":"11.5.0"}"#,
        };
        (json(body), Then::Close)
    })
    .await;
    let mut site = desk.host.sites.get(&desk.site).unwrap();
    let mut second = site.servers[0].clone();
    second.id = ServerId("other".to_owned());
    second.address = other.address().parse().unwrap();
    site.servers.push(second);
    desk.host.sites.put(site).unwrap();
    let token = r#"{"token":"canary","expires_at":null}"#.to_owned();
    desk.vault.set(&format!("{}/server/other", desk.site.0), Secret::new(token)).await.unwrap();
    choose(&desk.host, &desk.site, ServerId("other".to_owned())).await.unwrap();
    other
}

async fn silence(desk: &Desk) -> SilenceView {
    let form = DeactivateWebhooksForm {
        services: vec![BUFFER.to_owned()],
        why: "Maintenance".to_owned(),
        confirmation: String::new(),
    };
    deactivate_webhooks::perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();
    deactivation_log::ledger(&desk.host, Some(&desk.site)).await.unwrap().remove(0)
}

#[tokio::test]
async fn what_was_silenced_on_one_server_is_not_restored_on_another() {
    let desk = Desk::new().await;
    let entry = silence(&desk).await;
    let _other = another_server(&desk).await;

    let refused = deactivation_log::restore(&desk.host, &desk.site, desk.run(), entry.id).await;

    assert!(matches!(refused, Err(Problem::Declined { why: Declined::OtherServer { .. } })), "{refused:?}");
    let entry = deactivation_log::ledger(&desk.host, None).await.unwrap().remove(0);
    assert_eq!(entry.restored_at, None, "its webhooks are still silent");

    choose(&desk.host, &desk.site, ServerId("server".to_owned())).await.unwrap();
    let restored = deactivation_log::restore(&desk.host, &desk.site, desk.run(), entry.id).await;
    assert!(matches!(restored, Ok(Ended::Done { .. })), "{restored:?}");
}

#[tokio::test]
async fn what_was_done_on_one_server_is_not_looked_for_on_another() {
    let desk = Desk::new().await;
    let _way = desk.with_fault("/deactivateAll", Fault::Instead(Vec::new())).await;
    silence(&desk).await;
    let record = RecordId(desk.history().await.remove(0).id);
    let _other = another_server(&desk).await;

    let seen = outcome_check::check(&desk.host, &record).await;

    assert!(matches!(seen, Err(Problem::Declined { why: Declined::OtherServer { .. } })), "{seen:?}");
}

#[tokio::test]
async fn an_import_of_one_server_is_not_undone_on_another() {
    let desk = Desk::new().await;
    let record = crate::import_server::with_parachute(&desk, false).await;
    let other = another_server(&desk).await;

    let refused = import_server::undo(&desk.host, &desk.site, desk.run(), record, "City GIS").await;

    assert!(matches!(refused, Err(Problem::Declined { why: Declined::OtherServer { .. } })), "{refused:?}");
    assert!(!other.asked().iter().any(|head| head.contains("importsite")));
}

#[tokio::test]
async fn an_upload_that_was_begun_on_one_server_does_not_go_on_to_another() {
    let mut desk = Desk::new().await;
    desk.host.persistence = Persistence { pause: Duration::ZERO, ..Persistence::none() };
    let file = desk.folder("desk").join("a.csv");
    std::fs::write(&file, vec![b'a'; 2 * 1024 * 1024]).unwrap();
    desk.dialogs.will_choose(&file);
    let way = desk.with_fault("/commit", Fault::Instead(Vec::new())).await;
    let source = UploadSource::Choose { part_mebibytes: 1 };
    let end = upload::upload(&desk.host, &desk.site, desk.run(), source).await.unwrap();
    let UploadEnd::Unknown { unfinished: Some(begun), .. } = end else { panic!("{end:?}") };
    let other = another_server(&desk).await;
    let asked = other.asked().len();

    assert!(upload::unfinished(&desk.host, &desk.site).is_empty());
    let source = UploadSource::GoOn { item: begun.item.clone() };
    let refused = upload::upload(&desk.host, &desk.site, desk.run(), source).await;
    assert!(matches!(refused, Err(Problem::Unexpected { .. })), "{refused:?}");
    assert!(!other.asked()[asked..].iter().any(|head| head.contains("/uploads")));

    choose(&desk.host, &desk.site, ServerId("server".to_owned())).await.unwrap();
    assert_eq!(upload::unfinished(&desk.host, &desk.site), [begun]);
    drop(way);
}

#[tokio::test]
async fn what_was_restored_is_not_restored_once_more() {
    let desk = Desk::new().await;
    let entry = silence(&desk).await;
    deactivation_log::restore(&desk.host, &desk.site, desk.run(), entry.id.clone()).await.unwrap();
    // Somebody silences the service again, for a reason of their own.
    silence(&desk).await;
    let way = desk.with_fault("/edit", Fault::AnswerLost).await;

    let again = deactivation_log::restore(&desk.host, &desk.site, desk.run(), entry.id).await;

    assert!(matches!(again, Err(Problem::Declined { why: Declined::RestoredAlready })), "{again:?}");
    assert_eq!(way.met(), 0);
}

#[tokio::test]
async fn nobody_is_reminded_of_a_site_that_was_removed() {
    let desk = Desk::new().await;
    let entry = silence(&desk).await;
    deactivation_log::remind(&desk.host, entry.id, Some(Millis(1))).await.unwrap();
    assert_eq!(reminders::due(&desk.host, Millis::now()).await.unwrap().len(), 1);

    remove(&desk.host, &desk.site, "").await.unwrap();

    assert!(reminders::due(&desk.host, Millis::now()).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_proxys_password_is_not_given_to_another_proxy() {
    let desk = Desk::signed_out().await;
    let ready = desk.practice.ready();
    let through = |address: &str, password: Option<&str>| SiteForm {
        connection: ConnectionForm {
            route: SavedRoute::Proxy {
                address: address.to_owned(),
                user: "steward".to_owned(),
                exceptions: Vec::new(),
            },
            proxy_password: password.map(str::to_owned),
            ..ConnectionForm::default()
        },
        ..form(Some(&desk.site), &ready.portal, &ready.server)
    };
    save(&desk.host, &through("http://one.example.org:3128", Some("canary"))).await.unwrap();
    save(&desk.host, &through("http://one.example.org:3128", None)).await.unwrap();
    assert!(desk.kept("proxy-password").await.is_some());

    save(&desk.host, &through("http://two.example.org:3128", None)).await.unwrap();

    assert_eq!(desk.kept("proxy-password").await, None);
}

#[tokio::test]
async fn a_portal_that_names_very_many_servers_is_not_asked_about_all_at_once() {
    let desk = Desk::new().await;
    let silent = Scripted::new(|_, _| (Vec::new(), Then::Silence)).await;
    let root = silent.address();
    let entry = |number| format!(r#"{{"url":"{root}{number}","adminUrl":"{root}{number}"}}"#);
    let listed: Vec<_> = (0..200).map(entry).collect();
    let body = format!(r#"{{"servers":[{}]}}"#, listed.join(","));
    let _way = desk.with_fault("/portals/self/servers", Fault::Instead(json(&body))).await;

    let asking = steward_core::access::discovery::servers(&desk.host, &desk.site);
    let _ = tokio::time::timeout(Duration::from_secs(2), asking).await;

    let asked = silent.asked().len();
    assert!((1..=50).contains(&asked), "{asked}");
}

#[tokio::test]
async fn a_folder_in_the_place_of_a_file_is_said_before_anything_is_asked_for() {
    let site = Scripted::new(|_, _| (crate::scripted::file("\"a\"", b"content"), Then::Close)).await;
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("taken.agssite");
    std::fs::create_dir(&place).unwrap();

    let (server, never) = (site.server(), std::future::pending());
    let ended = files::download(&server, STORED, &place, &Persistence::none(), never, |_, _| ()).await;

    assert!(matches!(ended, Err(files::NotSaved::Here(_))), "{ended:?}");
    assert!(site.asked().is_empty());
    assert_eq!(crate::desk::files_in(folder.path()), ["taken.agssite"]);
}
