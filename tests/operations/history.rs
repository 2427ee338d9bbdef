use std::sync::{Arc, Mutex};

use steward_core::history::{HistoryFormat, HistorySearch, Outcome, evidence_of, page_of, records_of};
use steward_core::model::history_key::HistoryKey;
use steward_core::model::operation::Key;
use steward_core::model::run_result::RecordId;
use steward_core::model::saved_file::Saving;
use steward_core::operations::{
    deactivate_webhooks, export_portal, export_server, import_server, refresh_invitation, update_participant,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::desk::Desk;
use crate::export_portal::to;

fn text(text: &str) -> String {
    text.to_owned()
}

fn search(words: &str) -> HistorySearch {
    HistorySearch { text: text(words), ..HistorySearch::default() }
}

/// What went over the wire, one text for each connection.
type Wire = Arc<Mutex<Vec<Vec<u8>>>>;

/// A way to the site on which somebody listens.
async fn listened_to(site: &str) -> (String, Wire) {
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

type Form = Vec<(String, String)>;

/// Path and form of each POST.
fn posts(wire: &Wire) -> Vec<(String, Form)> {
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
    let desk = Desk::new().await;
    let (address, wire) = listened_to(desk.practice_address()).await;
    desk.go_through(&address);
    let (host, site) = (&desk.host, &desk.site);

    // Some of these are refused; what was sent is the same.
    let blob = export_portal::PortalTarget::Blob {
        location: text("/exports"),
        container: text("backups"),
        account_name: text("account"),
        account_key: text("a2V5"),
        account_endpoint: text("blob.example.net"),
    };
    let form = export_portal::ExportPortalForm { target: blob, check_only: false };
    let _ = export_portal::perform(host, site, desk.run(), form).await;
    let bucket = export_portal::PortalTarget::Bucket {
        location: text("/exports"),
        bucket: text("backups"),
        region: text("eu-1"),
    };
    let form = export_portal::ExportPortalForm { target: bucket, check_only: false };
    let _ = export_portal::perform(host, site, desk.run(), form).await;
    let place = export_server::ServerExportPlace::ServerFolder { location: text("/nowhere/München") };
    let form = export_server::ExportServerForm { place };
    let _ = export_server::perform(host, site, desk.run(), form).await;
    let form = import_server::ImportServerForm {
        location: text("/nowhere"),
        confirmation: text("City GIS"),
        parachute: None,
    };
    let _ = import_server::perform(host, site, desk.run(), form).await;
    let services = vec![text("Nowhere/Nothing.FeatureServer"), text("Odd, & name.MapServer")];
    let form =
        deactivate_webhooks::DeactivateWebhooksForm { services, why: text(""), confirmation: text("") };
    let _ = deactivate_webhooks::perform(host, site, desk.run(), form).await;
    let form = update_participant::UpdateParticipantForm {
        collaboration_id: text("c/1"),
        participant_id: text("p"),
        contact_firstname: text(" Zoë "),
        contact_lastname: text("Müller & Söhne"),
        contact_email_address: text("zoe@example.net"),
    };
    let _ = update_participant::perform(host, site, desk.run(), form).await;
    let form =
        refresh_invitation::RefreshInvitationForm { collaboration_id: text("c"), invitation_id: text("i") };
    let _ = refresh_invitation::perform(host, site, desk.run(), form).await;

    let mut kept: Vec<(String, Form)> = Vec::new();
    for record in desk.history().await.into_iter().rev() {
        assert_eq!(record.intent.program_version, env!("CARGO_PKG_VERSION"));
        assert!(record.elapsed.is_some(), "{record:?}");
        for request in record.intent.requests {
            assert_eq!(request.method, "POST");
            let path = url::Url::parse(&request.address).unwrap().path().to_owned();
            kept.push((path, request.form));
        }
    }
    let mut sent = posts(&wire);
    // A token for the server is asked for on the way; it is no part of an operation.
    sent.retain(|(path, _)| !path.ends_with("/generateToken"));
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
async fn a_record_is_found_by_its_words_and_saved_as_evidence() {
    let desk = Desk::new().await;
    export_portal::perform(&desk.host, &desk.site, desk.run(), to(&desk.folder("évidence"), false))
        .await
        .unwrap();
    export_portal::perform(&desk.host, &desk.site, desk.run(), to(&desk.folder("other"), false))
        .await
        .unwrap();

    let found =
        HistorySearch { operation: Some(HistoryKey::Operation(Key::ExportPortal)), ..search("city EVID") };
    let found = page_of(&desk.host, found, None, 50).await.unwrap().entries;
    assert_eq!(found.len(), 1);
    let record = RecordId(found[0].id.0.clone());
    let failed = HistorySearch { outcomes: vec![Outcome::Failed], ..search("") };
    assert!(page_of(&desk.host, failed, None, 50).await.unwrap().entries.is_empty());

    let place = desk.folder("saved").join("evidence.zip");
    desk.dialogs.will_choose(&place);
    let saving = evidence_of(&desk.host, record).await.unwrap();
    assert!(matches!(saving, Saving::Saved { .. }), "{saving:?}");
    assert!(std::fs::read(&place).unwrap().starts_with(b"PK"));
    let suggested = desk.dialogs.suggested().pop().unwrap();
    assert!(suggested.starts_with("City GIS evidence 20") && suggested.ends_with(".zip"), "{suggested}");
}

#[tokio::test]
async fn what_a_search_finds_is_saved_whole_page_by_page() {
    let desk = Desk::new().await;
    let services = vec![text("Nowhere.FeatureServer")];
    for _ in 0..5 {
        let form = deactivate_webhooks::DeactivateWebhooksForm {
            services: services.clone(),
            why: text(""),
            confirmation: text(""),
        };
        let _ = deactivate_webhooks::perform(&desk.host, &desk.site, desk.run(), form).await;
    }

    let first = page_of(&desk.host, search("nowhere"), None, 3).await.unwrap();
    let second = page_of(&desk.host, search("nowhere"), first.older.clone(), 3).await.unwrap();
    assert_eq!((first.entries.len(), second.entries.len(), second.older), (3, 2, None));

    let place = desk.folder("saved").join("history.json");
    desk.dialogs.will_choose(&place);
    records_of(&desk.host, search("nowhere"), HistoryFormat::Json).await.unwrap();
    let saved: Vec<serde_json::Value> = serde_json::from_slice(&std::fs::read(&place).unwrap()).unwrap();
    assert_eq!(saved.len(), 5);
    assert_eq!(saved[0]["outcome"], "failed");
}

#[tokio::test]
async fn what_one_person_did_is_found_by_the_whole_name() {
    let desk = Desk::new().await;
    export_portal::perform(&desk.host, &desk.site, desk.run(), to(&desk.folder("a"), false)).await.unwrap();
    let me = desk.user("administrator").username.clone();

    let by = |name: &str| HistorySearch { username: Some(text(name)), ..search("") };
    let found = page_of(&desk.host, by(&me), None, 50).await.unwrap().entries;
    assert_eq!(found.len(), 2, "the sign-in and the export");
    assert!(found[0].has_command && !found[0].has_way_back && found[0].elapsed.is_some());
    for other in [&me[..me.len() - 1], "***", ""] {
        assert!(page_of(&desk.host, by(other), None, 50).await.unwrap().entries.is_empty(), "{other}");
    }
    assert_eq!(desk.host.journal(steward_journal::Journal::people).await.unwrap(), [me]);
}
