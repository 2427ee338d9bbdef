use std::sync::{Arc, Mutex};

use steward_app::steward::Steward;
use steward_core::history::{
    HistoryFormat, HistorySearch, Outcome, batch_of, page_of, records_of, save_audit_package, set_reason,
};
use steward_core::model::history_key::HistoryKey;
use steward_core::model::ids::RecordId;
use steward_core::model::operation::OperationKey;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::operations::{
    deactivate_webhooks, export_portal, export_server, import_server, refresh_invitation, update_participant,
};
use steward_core::runs::NewRun;
use steward_testkit::FaultProxy;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::export_portal::to;
use crate::import_server::{answer, exported, form as import_form};
use crate::invitations_into_folder::{forms, refresh};
use crate::test_app::TestApp;

fn text(text: &str) -> String {
    text.to_owned()
}

fn search(words: &str) -> HistorySearch {
    HistorySearch { text: text(words), ..HistorySearch::default() }
}

/// What went over the wire, one text for each connection.
pub(crate) type Wire = Arc<Mutex<Vec<Vec<u8>>>>;

/// A way to the site on which somebody listens.
pub(crate) async fn listened_to(site: &str) -> (String, Wire) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, site, wire) = (listener.local_addr().unwrap().to_string(), text(site), Wire::default());
    let (asked, heard) = (address.clone(), wire.clone());
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let server = TcpStream::connect(&site).await.unwrap();
            let (mut from_client, mut to_client) = client.into_split();
            let (mut from_server, mut to_server) = server.into_split();
            tokio::spawn(async move { tokio::io::copy(&mut from_server, &mut to_client).await });
            let (asked, site, heard) = (asked.clone(), site.clone(), heard.clone());
            tokio::spawn(async move {
                let mine = {
                    let mut heard = heard.lock().unwrap();
                    heard.push(Vec::new());
                    heard.len() - 1
                };
                let mut some = vec![0; 65_536];
                while let Ok(read @ 1..) = from_client.read(&mut some).await {
                    heard.lock().unwrap()[mine].extend_from_slice(&some[..read]);
                    // The practice site serves no other name than its own.
                    let own = String::from_utf8_lossy(&some[..read]).replace(&asked, &site);
                    to_server.write_all(own.as_bytes()).await.unwrap();
                }
            });
        }
    });
    (address, wire)
}

pub(crate) type Form = Vec<(String, String)>;

/// Path and form of each POST.
pub(crate) fn posts(wire: &Wire) -> Vec<(String, Form)> {
    let wire = wire.lock().unwrap();
    let mut posts = Vec::new();
    for connection in wire.iter() {
        let connection = String::from_utf8_lossy(connection);
        for request in connection.split("POST ").skip(1) {
            let (head, rest) = request.split_once("\r\n\r\n").unwrap();
            let length = head.lines().find_map(|line| {
                line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse::<usize>().ok()
            });
            let body = &rest[..length.unwrap()];
            let form = url::form_urlencoded::parse(body.as_bytes()).into_owned();
            posts.push((text(head.split(' ').next().unwrap()), form.collect()));
        }
    }
    posts
}

#[tokio::test]
async fn the_history_says_what_was_really_sent() {
    let app = TestApp::new().await;
    let old = app.with_portal_without_check().await;
    let (address, wire) = listened_to(&old.address()).await;
    app.go_through(&address);
    let (steward, site) = (&app.steward, &app.site);

    // Some of these are refused; what was sent is the same.
    let blob = export_portal::PortalExportDestination::Blob {
        location: text("/exports"),
        container: text("backups"),
        account_name: text("account"),
        account_key: text("a2V5"),
        account_endpoint: text("blob.example.net"),
    };
    let form = export_portal::ExportPortalForm { target: blob, check_only: false };
    let _ = export_portal::perform(&steward.context, site, app.run(), form).await;
    let bucket = export_portal::PortalExportDestination::Bucket {
        location: text("/exports"),
        bucket: text("backups"),
        region: text("eu-1"),
    };
    let form = export_portal::ExportPortalForm { target: bucket, check_only: false };
    let _ = export_portal::perform(&steward.context, site, app.run(), form).await;
    let place = export_server::ServerExportDestination::ServerFolder { location: text("/nowhere/München") };
    let form = export_server::ExportServerForm { place };
    let _ = export_server::perform(&steward.context, &steward.transfers, &app.server, app.run(), form).await;
    let form = import_server::ImportServerForm {
        location: text("/nowhere"),
        confirmation: text("City GIS"),
        safety_backup: None,
        deactivate_webhooks: None,
        options: import_server::ImportServerOptions::default(),
    };
    let _ = import_server::perform(&steward.context, &steward.transfers, &app.server, app.run(), form).await;
    let services = vec![text("Nowhere/Nothing.FeatureServer"), text("Odd, & name.MapServer")];
    let form =
        deactivate_webhooks::DeactivateWebhooksForm { services, why: text(""), confirmation: text("") };
    let _ = deactivate_webhooks::perform(&steward.context, &app.server, app.run(), form).await;
    let form = update_participant::UpdateParticipantForm {
        collaboration_id: text("c/1"),
        participant_id: text("p"),
        contact_firstname: text(" Zoë "),
        contact_lastname: text("Müller & Söhne"),
        contact_email_address: text("zoe@example.net"),
    };
    let _ = update_participant::perform(&steward.context, site, app.run(), form).await;
    let form =
        refresh_invitation::RefreshInvitationForm { collaboration_id: text("c"), invitation_id: text("i") };
    let _ =
        refresh_invitation::perform(&steward.context, &steward.invitation_files, site, app.run(), form).await;

    let mut kept: Vec<(String, Form)> = Vec::new();
    for record in app.history().await.into_iter().rev() {
        assert_eq!(record.intent.program_version, env!("CARGO_PKG_VERSION"));
        assert!(record.elapsed.is_some(), "{record:?}");
        for request in record.intent.requests {
            assert_eq!(request.method, "POST");
            let path = url::Url::parse(&request.address).unwrap().path().to_owned();
            kept.push((path, request.form));
        }
    }
    let mut sent = posts(&wire);
    // A token for the server is asked for on the way, and data store items for the inventory before an import; both are no
    // part of an operation.
    sent.retain(|(path, _)| !path.ends_with("/generateToken") && !path.ends_with("/data/findItems"));
    for (_, form) in &mut sent {
        for (name, value) in form {
            if name == "token" || name == "backupObjectStoreConnectionStr" {
                "***".clone_into(value);
            }
        }
    }
    // Connections are used again in no particular order.
    sent.sort();
    kept.sort();
    assert_eq!(kept.len(), 8);
    assert_eq!(kept, sent);
}

#[tokio::test]
async fn a_record_is_found_by_its_words_and_saved_as_an_audit_package() {
    let app = TestApp::new().await;
    app.export_portal(to(&app.folder("évidence"), false)).await.unwrap();
    app.export_portal(to(&app.folder("other"), false)).await.unwrap();

    let found = HistorySearch {
        operation: Some(HistoryKey::Operation(OperationKey::ExportPortal)),
        ..search("city EVID")
    };
    let found = page_of(&app.steward.context.history, found, None, 50).await.unwrap().entries;
    assert_eq!(found.len(), 1);
    let record = RecordId(found[0].id.0.clone());
    let failed = HistorySearch { outcomes: vec![Outcome::Failed], ..search("") };
    assert!(page_of(&app.steward.context.history, failed, None, 50).await.unwrap().entries.is_empty());

    let place = app.folder("saved").join("evidence.zip");
    app.dialogs.will_choose(&place);
    let saving = app.save_audit_package(record).await.unwrap();
    assert!(matches!(saving, SaveResult::Saved { .. }), "{saving:?}");
    assert!(std::fs::read(&place).unwrap().starts_with(b"PK"));
    let suggested = app.dialogs.suggested().pop().unwrap();
    assert!(suggested.starts_with("City GIS audit package 20") && suggested.ends_with(".zip"), "{suggested}");
}

#[tokio::test]
async fn what_a_search_finds_is_saved_whole_page_by_page() {
    let app = TestApp::new().await;
    let services = vec![text("Nowhere.FeatureServer")];
    for _ in 0..5 {
        let form = deactivate_webhooks::DeactivateWebhooksForm {
            services: services.clone(),
            why: text(""),
            confirmation: text(""),
        };
        let _ = app.deactivate_webhooks(form).await;
    }

    let first = page_of(&app.steward.context.history, search("nowhere"), None, 3).await.unwrap();
    let second =
        page_of(&app.steward.context.history, search("nowhere"), first.older.clone(), 3).await.unwrap();
    assert_eq!((first.entries.len(), second.entries.len(), second.older), (3, 2, None));

    let place = app.folder("saved").join("history.json");
    app.dialogs.will_choose(&place);
    records_of(
        &app.steward.context.history,
        &app.steward.dialogs,
        &app.steward.language,
        search("nowhere"),
        HistoryFormat::Json,
    )
    .await
    .unwrap();
    let saved: Vec<serde_json::Value> = serde_json::from_slice(&std::fs::read(&place).unwrap()).unwrap();
    assert_eq!(saved.len(), 5);
    assert_eq!(saved[0]["outcome"], "failed");
}

#[tokio::test]
async fn what_one_person_did_is_found_by_the_whole_name() {
    let app = TestApp::new().await;
    app.export_portal(to(&app.folder("a"), false)).await.unwrap();
    let me = app.user("administrator").username.clone();

    let by = |name: &str| HistorySearch { username: Some(text(name)), ..search("") };
    let found = page_of(&app.steward.context.history, by(&me), None, 50).await.unwrap().entries;
    assert_eq!(found.len(), 2, "the sign-in and the export");
    assert!(found[0].has_command && !found[0].has_safety_backup && found[0].elapsed.is_some());
    for other in [&me[..me.len() - 1], "***", ""] {
        assert!(
            page_of(&app.steward.context.history, by(other), None, 50).await.unwrap().entries.is_empty(),
            "{other}"
        );
    }
    assert_eq!(app.steward.context.history.journal(steward_journal::Journal::usernames).await.unwrap(), [me]);
}

#[tokio::test]
async fn the_entries_of_a_batch_share_it_with_its_size_and_are_counted_by_their_outcomes() {
    let app = TestApp::new().await;
    let rejected = r#"{"error":{"code":400,"message":"No.","details":[]}}"#;
    let way = FaultProxy::to(app.practice_address(), "/refresh", answer(rejected)).await.unwrap();
    let way = way.sparing(2);
    app.go_through(&way.address());
    refresh(&app, &app.folder("invitations"), forms(&app).await).await;
    refresh(&app, &app.folder("alone"), vec![forms(&app).await.remove(0)]).await;
    let history = &app.steward.context.history;

    let page = page_of(history, search("refresh_invitation"), None, 2).await.unwrap();

    assert_eq!(page.entries[0].batch, None, "one request is no batch");
    let id = page.entries[1].batch.clone().unwrap();
    let [batch] = &page.batches[..] else { panic!("{:?}", page.batches) };
    assert_eq!((&batch.id, batch.size), (&id, 3));
    let count = |outcome| batch.outcomes.iter().find(|one| one.outcome == outcome).map(|one| one.count);
    // Also those that are not on the page.
    assert_eq!((count(Outcome::Succeeded), count(Outcome::Failed)), (Some(2), Some(1)));
    assert_eq!(batch_of(history, id).await.unwrap().len(), 3);
}

#[tokio::test]
async fn a_reason_is_in_each_entry_of_its_run_and_can_be_given_later_to_several() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let Steward { context, transfers, .. } = &app.steward;
    let mut run = NewRun::from(app.run());
    run.reason = " CHG-2291\nzoning ".to_owned();
    let form = import_server::ImportServerForm {
        safety_backup: Some(SafetyBackupOptions { also_here: false }),
        ..import_form(&file)
    };

    import_server::perform(context, transfers, &app.server, run, form).await.unwrap();

    let reasons = async |text: &str| {
        let found = page_of(&context.history, search(text), None, 50).await.unwrap().entries;
        found.into_iter().map(|entry| (entry.id, entry.reason)).collect::<Vec<_>>()
    };
    let of_import = reasons("chg-2291").await;
    assert_eq!(of_import.len(), 2, "the import, and its safety backup: {of_import:?}");
    assert!(of_import.iter().all(|(_, reason)| reason == "CHG-2291 zoning"), "{of_import:?}");

    let ids = of_import.into_iter().map(|(id, _)| id).collect();
    set_reason(&context.history, ids, "CHG-2295").await.unwrap();

    assert_eq!((reasons("chg-2291").await.len(), reasons("chg-2295").await.len()), (0, 2));
    let gone = set_reason(&context.history, vec![RecordId(text("gone"))], "x").await;
    assert!(gone.is_err(), "{gone:?}");
}

#[tokio::test]
async fn several_entries_are_saved_as_one_audit_package() {
    let app = TestApp::new().await;
    for folder in ["a", "b"] {
        app.export_portal(to(&app.folder(folder), false)).await.unwrap();
    }
    let records: Vec<_> = app.history().await.into_iter().map(|record| RecordId(record.id)).collect();
    let place = app.folder("saved").join("evidence.zip");
    app.dialogs.will_choose(&place);
    let Steward { context, dialogs, language, tour, .. } = &app.steward;

    save_audit_package(&context.history, dialogs, language, tour, records).await.unwrap();

    let suggested = app.dialogs.suggested().pop().unwrap();
    assert!(suggested.starts_with("audit package 20"), "{suggested}");
    // The names stand in the archive as they are.
    let archive = String::from_utf8_lossy(&std::fs::read(&place).unwrap()).into_owned();
    for name in ["001-export_portal/record.json", "002-export_portal/report.html", "SHA256SUMS.txt"] {
        assert!(archive.contains(name), "{name}");
    }
}
