//! The audit trail on its way to a log server, over its stops and under what an organization decides.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use steward_app::steward::Steward;
use steward_core::forwarding::{Forwarding, ForwardingFault, ForwardingView};
use steward_core::history::trail::RolledBackTo;
use steward_core::model::connection_fault::ConnectionFault;
use steward_core::model::problem::{FieldError, Problem};
use steward_core::settings::preferences::LogServer;
use steward_journal::trail::Event;
use steward_testkit::{LogCertificates, LogReceiver, Reading, Rsyslog, until};
use steward_vault::SecretStore;

use crate::program_connection::proxy;
use crate::really_back::hasten;
use crate::test_app::TestApp;

fn at(port: u16, certificates: &LogCertificates) -> LogServer {
    LogServer {
        host: "127.0.0.1".to_owned(),
        port,
        ca_certificate: certificates.authority.display().to_string(),
        client_certificate: certificates.client.display().to_string(),
    }
}

async fn save(app: &TestApp, log_server: &LogServer) -> Result<ForwardingView, Problem> {
    let Steward { forwarding, preferences, context, .. } = &app.steward;
    forwarding.save(preferences, context, log_server, None).await
}

async fn view(app: &TestApp) -> ForwardingView {
    let Steward { forwarding, preferences, context, .. } = &app.steward;
    forwarding.view(preferences, &context.history).await.unwrap()
}

/// Forwards while `work` goes on.
async fn forwarding<T>(app: &TestApp, work: impl Future<Output = T>) -> T {
    let Steward { forwarding, preferences, context, .. } = &app.steward;
    tokio::select! {
        () = forwarding.run(preferences, context) => panic!("it ended"),
        done = work => done,
    }
}

/// An app that does not wait long, and what its log server presents.
async fn app() -> (TestApp, LogCertificates) {
    let mut app = TestApp::signed_out().await;
    app.steward.forwarding.retry_policy.pause = Duration::from_millis(5);
    let certificates = LogCertificates::make(&app.folder("log server")).unwrap();
    (app, certificates)
}

/// Waits until all entries are forwarded.
async fn all_forwarded(app: &TestApp) {
    until("all entries are forwarded", async || {
        let view = view(app).await;
        view.waiting == 0 && view.failing.is_none() && view.last.is_some()
    })
    .await;
}

async fn append(app: &TestApp, count: usize) {
    let events = vec![Event::AppEnded; count];
    app.steward.context.history.journal(move |journal| journal.append_all(&events)).await.unwrap();
}

/// Numbers and bodies of the entries in messages; panics for two different entries with one number.
fn entries(messages: &[String]) -> BTreeMap<i64, serde_json::Value> {
    let mut entries = BTreeMap::new();
    for message in messages {
        let (_, body) = message.split_once('\u{feff}').unwrap();
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        let before = entries.insert(body["seq"].as_i64().unwrap(), body.clone());
        assert!(before.is_none_or(|before| before == body), "two entries with one number: {body}");
    }
    entries
}

/// Messages that are no tests.
fn entry_messages(messages: &[String]) -> Vec<String> {
    messages.iter().filter(|message| !message.contains(" forwarding.test ")).cloned().collect()
}

fn entries_of(messages: &[String]) -> BTreeMap<i64, serde_json::Value> {
    entries(&entry_messages(messages))
}

/// Asserts that every entry of the trail is in the messages, with the hash that the trail has.
fn assert_complete(folder: &Path, messages: &[String]) {
    let received = entries(messages);
    let journal = Connection::open(folder.join("journal.db")).unwrap();
    let mut stored = journal.prepare("SELECT sequence, envelope FROM trail ORDER BY sequence").unwrap();
    let stored = stored.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))).unwrap();
    for (sequence, envelope) in stored.map(Result::unwrap) {
        let envelope: serde_json::Value = serde_json::from_str(&envelope).unwrap();
        let entry = received.get(&sequence).unwrap_or_else(|| panic!("entry {sequence} was lost"));
        assert_eq!(entry["prev"], envelope["prev"], "{entry}");
        assert_eq!(entry["type"], envelope["type"], "{entry}");
    }
}

fn kinds(folder: &Path) -> Vec<String> {
    let journal = Connection::open(folder.join("journal.db")).unwrap();
    let mut kinds = journal.prepare("SELECT kind FROM trail ORDER BY sequence").unwrap();
    kinds.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// Removes entries as somebody who holds the file can: the guard of the table is put back.
fn remove_from_trail(folder: &Path, condition: &str) {
    let journal = Connection::open(folder.join("journal.db")).unwrap();
    let guard = "SELECT sql FROM sqlite_schema WHERE name = 'trail_is_not_shortened'";
    let guard: String = journal.query_row(guard, [], |row| row.get(0)).unwrap();
    let remove = format!("DROP TRIGGER trail_is_not_shortened; DELETE FROM trail WHERE {condition}; {guard}");
    journal.execute_batch(&remove).unwrap();
}

fn count(folder: &Path, kind: &str) -> usize {
    kinds(folder).iter().filter(|one| *one == kind).count()
}

#[tokio::test]
async fn the_whole_trail_is_forwarded_and_then_each_new_entry() {
    let (app, certificates) = app().await;
    let server = LogReceiver::start(certificates.config()).await.unwrap();
    save(&app, &at(server.port(), &certificates)).await.unwrap();

    forwarding(&app, async {
        all_forwarded(&app).await;
        app.sign_in("administrator").await.unwrap();
        all_forwarded(&app).await;
    })
    .await;

    assert_complete(&app.steward.data_folder, &server.messages());
    assert!(server.messages().iter().any(|message| message.contains(" signed-in ")));
    let numbers = server.messages().len();
    assert_eq!(numbers, entries(&server.messages()).len(), "nothing was sent twice");
}

#[tokio::test]
async fn a_process_that_has_other_work_ends_after_what_is_on_its_way_and_the_next_one_goes_on_behind_it() {
    let (app, certificates) = app().await;
    let server = LogReceiver::start(certificates.config()).await.unwrap();
    save(&app, &at(server.port(), &certificates)).await.unwrap();
    append(&app, 1_500).await;
    let Steward { forwarding, preferences, context, .. } = &app.steward;

    forwarding.forward_new(preferences, context, || true).await;
    assert_eq!(server.messages().len(), 1_000);
    forwarding.forward_new(preferences, context, || false).await;

    assert_complete(&app.steward.data_folder, &server.messages());
    assert_eq!(server.messages().len(), entries(&server.messages()).len(), "nothing was sent twice");
}

#[tokio::test]
async fn what_a_log_server_did_not_read_is_sent_again_also_after_a_restart_of_the_app() {
    let (app, certificates) = app().await;
    let server = LogReceiver::start(certificates.config()).await.unwrap();
    save(&app, &at(server.port(), &certificates)).await.unwrap();
    append(&app, 50).await;
    server.set(Reading::Nothing);
    forwarding(&app, async {
        until("it fails", async || view(&app).await.failing.is_some()).await;
        server.set(Reading::First);
        until("the first message is read", async || !server.messages().is_empty()).await;
    })
    .await;
    assert_eq!(view(&app).await.last, None);

    server.set(Reading::Whole);
    let app = app.restarted();
    forwarding(&app, all_forwarded(&app)).await;

    assert_complete(&app.steward.data_folder, &server.messages());
    let (all, different) = (server.messages().len(), entries(&server.messages()).len());
    assert!(all > different, "the first message was read more than once");
}

#[tokio::test]
async fn a_log_server_that_ends_each_connection_gets_every_entry_and_all_again_once_it_confirms_them() {
    for reading in [Reading::First, Reading::FirstAbruptly] {
        let (app, certificates) = app().await;
        let server = LogReceiver::start(certificates.config()).await.unwrap();
        server.set(reading);
        save(&app, &at(server.port(), &certificates)).await.unwrap();
        append(&app, 20).await;
        let folder = app.steward.data_folder.clone();

        forwarding(&app, async {
            until("every entry was sent", async || {
                entries_of(&server.messages()).len() == kinds(&folder).len()
            })
            .await;
            let failing = view(&app).await.failing.unwrap();
            assert!(matches!(failing.fault, ForwardingFault::NotConfirmed { .. }), "{failing:?}");
        })
        .await;
        assert_complete(&folder, &entry_messages(&server.messages()));
        let sent = entry_messages(&server.messages()).len();
        let is_first = |one: &&String| entries(std::slice::from_ref(*one)).contains_key(&1);
        let of_first = entry_messages(&server.messages()).iter().filter(is_first).count();
        assert!((2..=3).contains(&of_first), "{reading:?}: {of_first}");
        assert_eq!(sent, kinds(&folder).len() - 1 + of_first, "{reading:?}: no other one twice");
        assert_eq!(count(&folder, "forwarding.failing"), 1, "{reading:?}");
        assert_eq!(view(&app).await.last, None, "nothing counts");
        assert!(view(&app).await.waiting > 20);

        server.set(Reading::Whole);
        forwarding(&app, all_forwarded(&app)).await;
        let sent_again = entry_messages(&server.messages()).len() - sent;
        assert!(sent_again >= kinds(&folder).len(), "{reading:?}");
    }
}

#[tokio::test]
async fn a_log_server_that_ends_each_connection_gets_no_entry_twice_after_a_restart() {
    let (app, certificates) = app().await;
    let server = LogReceiver::start(certificates.config()).await.unwrap();
    server.set(Reading::First);
    save(&app, &at(server.port(), &certificates)).await.unwrap();
    append(&app, 5).await;
    let folder = app.steward.data_folder.clone();
    let all_sent = async || {
        until("every entry was sent", async || entries_of(&server.messages()).len() == kinds(&folder).len())
            .await;
    };
    forwarding(&app, all_sent()).await;
    let before = entry_messages(&server.messages()).len();

    let app = app.restarted();
    append(&app, 5).await;
    forwarding(&app, all_sent()).await;

    let since = entry_messages(&server.messages()).split_off(before);
    assert_eq!(entries(&since).len(), since.len(), "{since:?}");
}

#[tokio::test]
async fn an_entry_at_which_a_log_server_ends_the_connection_holds_back_no_other_one() {
    let (app, certificates) = app().await;
    let server = LogReceiver::start(certificates.config()).await.unwrap();
    append(&app, 3).await;
    let long = Event::ForwardingFailing { log_server: String::new(), note: "x".repeat(1_000) };
    app.steward.context.history.journal(move |journal| journal.append_all(&[long])).await.unwrap();
    append(&app, 3).await;
    server.set(Reading::NoLongerThan(1_400));
    save(&app, &at(server.port(), &certificates)).await.unwrap();
    let folder = app.steward.data_folder.clone();

    forwarding(&app, all_forwarded(&app)).await;

    let received = entries_of(&server.messages());
    assert_eq!(received.len() + 1, kinds(&folder).len(), "all but one");
    let told = received.values().filter(|body| body.to_string().contains("passed over"));
    assert_eq!(told.count(), 1, "{received:?}");
}

#[tokio::test]
async fn a_log_server_that_is_gone_is_told_once_in_the_trail_and_in_the_window_until_it_is_back() {
    let (app, certificates) = app().await;
    let server = LogReceiver::start(certificates.config()).await.unwrap();
    let closed = steward_testkit::ClosedPort::new();
    save(&app, &at(closed.address().port(), &certificates)).await.unwrap();

    forwarding(&app, async {
        until("it fails", async || view(&app).await.failing.is_some()).await;
        until("it is in the trail", async || count(&app.steward.data_folder, "forwarding.failing") == 1)
            .await;
        let since = view(&app).await.failing.unwrap().since;
        append(&app, 3).await;
        let failing = view(&app).await.failing.unwrap();
        assert_eq!(failing.since, since);
        assert!(
            matches!(failing.fault, ForwardingFault::Connection(ConnectionFault::Network { .. })),
            "{failing:?}"
        );
        assert!(view(&app).await.waiting >= 4);

        save(&app, &at(server.port(), &certificates)).await.unwrap();
        all_forwarded(&app).await;
    })
    .await;

    assert_complete(&app.steward.data_folder, &server.messages());
    assert_eq!(count(&app.steward.data_folder, "forwarding.failing"), 1);
    assert_eq!(count(&app.steward.data_folder, "forwarding.turned-on"), 2);
}

#[tokio::test]
async fn what_happens_while_forwarding_is_off_is_forwarded_once_it_is_on_again() {
    let (app, certificates) = app().await;
    let server = LogReceiver::start(certificates.config()).await.unwrap();
    save(&app, &at(server.port(), &certificates)).await.unwrap();
    forwarding(&app, all_forwarded(&app)).await;

    save(&app, &LogServer::default()).await.unwrap();
    append(&app, 5).await;
    assert_eq!(view(&app).await.waiting, 0);
    save(&app, &at(server.port(), &certificates)).await.unwrap();
    forwarding(&app, all_forwarded(&app)).await;

    assert_complete(&app.steward.data_folder, &server.messages());
    assert_eq!(count(&app.steward.data_folder, "forwarding.turned-off"), 1);
}

#[tokio::test]
async fn an_older_copy_of_the_history_is_forwarded_from_its_beginning() {
    let (app, certificates) = app().await;
    let server = LogReceiver::start(certificates.config()).await.unwrap();
    save(&app, &at(server.port(), &certificates)).await.unwrap();
    forwarding(&app, all_forwarded(&app)).await;
    let folder = app.steward.data_folder.clone();
    let last = kinds(&folder).len();
    // As in a copy that was restored, the last entry is another one.
    remove_from_trail(&folder, &format!("sequence = {last}"));
    append(&app, 1).await;

    forwarding(&app, async {
        until("it is forwarded again", async || server.messages().len() >= 2 * last).await;
        all_forwarded(&app).await;
    })
    .await;

    let lost = vec![RolledBackTo { entry: u32::try_from(last).unwrap(), is_forwarded: true }];
    let history = &app.steward.context.history;
    assert_eq!(app.steward.verification.status(history).await.unwrap().rolled_back, lost);
    let kept: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("forwarded.json")).unwrap()).unwrap();
    assert_eq!(kept["content"]["lost"][0]["entry"], last, "the old head is kept: {kept}");
    // The next start says the same, and the trail tells of it once.
    let app = app.restarted();
    forwarding(&app, all_forwarded(&app)).await;
    let history = &app.steward.context.history;
    assert_eq!(app.steward.verification.status(history).await.unwrap().rolled_back, lost);
    assert_eq!(count(&folder, "chain.rolled-back"), 1);
    assert!(server.messages().iter().any(|message| message.contains(" chain.rolled-back ")));
}

#[tokio::test]
async fn a_history_that_lost_its_end_is_told_also_while_forwarding_is_off() {
    let (app, certificates) = app().await;
    let server = LogReceiver::start(certificates.config()).await.unwrap();
    save(&app, &at(server.port(), &certificates)).await.unwrap();
    forwarding(&app, all_forwarded(&app)).await;
    save(&app, &LogServer::default()).await.unwrap();
    let folder = app.steward.data_folder.clone();
    remove_from_trail(&folder, "sequence > 2");

    let app = app.restarted();
    forwarding(&app, async {
        until("it is told", async || count(&folder, "chain.rolled-back") == 1).await;
    })
    .await;
}

/// Bodies of the events of a kind.
fn bodies(folder: &Path, kind: &str) -> Vec<serde_json::Value> {
    let journal = Connection::open(folder.join("journal.db")).unwrap();
    let mut bodies = journal.prepare("SELECT body FROM trail WHERE kind = ?1 ORDER BY sequence").unwrap();
    let bodies = bodies.query_map([kind], |row| row.get::<_, String>(0)).unwrap();
    bodies.map(|body| serde_json::from_str(&body.unwrap()).unwrap()).collect()
}

#[tokio::test]
async fn another_authority_or_client_certificate_is_an_event_also_under_the_same_path() {
    let (mut app, certificates) = app().await;
    let folder = app.steward.data_folder.clone();
    let whole = at(6514, &certificates);
    save(&app, &whole).await.unwrap();
    save(&app, &LogServer { ca_certificate: String::new(), ..whole.clone() }).await.unwrap();
    save(&app, &whole).await.unwrap();
    save(&app, &LogServer { client_certificate: String::new(), ..whole.clone() }).await.unwrap();
    save(&app, &whole).await.unwrap();
    save(&app, &whole).await.unwrap();
    assert_eq!((count(&folder, "forwarding.turned-on"), count(&folder, "forwarding.changed")), (1, 4));

    for (number, file, path, sha256) in [
        (5, &certificates.authority, "authority", "authoritySha256"),
        (6, &certificates.client, "clientCertificate", "clientCertificateSha256"),
    ] {
        let before = bodies(&folder, "forwarding.changed").pop().unwrap();
        let pem = std::fs::read_to_string(file).unwrap();
        std::fs::write(file, format!("# another one\n{pem}")).unwrap();
        app = app.restarted();
        forwarding(&app, async {
            until("it is told", async || count(&folder, "forwarding.changed") == number).await;
        })
        .await;
        let last = bodies(&folder, "forwarding.changed").pop().unwrap();
        assert_eq!(last["foundAtStart"], true, "{last}");
        assert_eq!(last[path], file.display().to_string());
        assert_eq!(last[sha256].as_str().unwrap().len(), 64);
        assert_ne!(last[sha256], before[sha256], "{path}");
    }
}

#[tokio::test]
async fn a_log_server_that_was_changed_outside_of_the_app_is_an_event_at_the_next_start() {
    let (mut app, certificates) = app().await;
    let folder = app.steward.data_folder.clone();
    let server = |port: u16| serde_json::to_value(at(port, &certificates)).unwrap();
    for (log_server, kind, times) in [
        (Some(server(6514)), "forwarding.turned-on", 1),
        (Some(server(6515)), "forwarding.turned-on", 2),
        (None, "forwarding.turned-off", 1),
    ] {
        let content = match log_server {
            Some(server) => serde_json::json!({ "logServer": server }),
            None => serde_json::json!({}),
        };
        let content = serde_json::json!({ "format": 1, "content": content });
        std::fs::write(folder.join("preferences.json"), content.to_string()).unwrap();
        app = app.restarted();
        forwarding(&app, async {
            until("it is told", async || count(&folder, kind) == times).await;
        })
        .await;
        assert_eq!(bodies(&folder, kind).pop().unwrap()["foundAtStart"], true);
    }
}

#[tokio::test]
async fn two_processes_never_forward_at_once_and_go_on_where_the_other_one_ended() {
    let (app, certificates) = app().await;
    let server = LogReceiver::start(certificates.config()).await.unwrap();
    save(&app, &at(server.port(), &certificates)).await.unwrap();
    append(&app, 2_500).await;
    let Steward { preferences, context, data_folder, .. } = &app.steward;
    let mut second = Forwarding::open(data_folder);
    second.retry_policy.pause = Duration::from_millis(5);

    tokio::select! {
        () = second.run(preferences, context) => panic!("it ended"),
        () = forwarding(&app, all_forwarded(&app)) => {}
    }

    assert_complete(data_folder, &server.messages());
    let (all, different) = (server.messages().len(), entries(&server.messages()).len());
    assert_eq!(all, different, "nothing was sent twice");
}

#[tokio::test]
async fn another_route_or_authority_of_the_app_is_an_event_also_if_it_was_written_into_the_file() {
    let (app, certificates) = app().await;
    let folder = app.steward.data_folder.clone();
    let Steward { forwarding: of_app, preferences, context, .. } = &app.steward;
    let log_server = LogServer { host: "logs.invalid".to_owned(), ..at(6514, &certificates) };
    save(&app, &log_server).await.unwrap();
    let through = crate::program_connection::through("http://127.0.0.1:9/");
    steward_core::actions::preferences::save(preferences, context, through, None).await.unwrap();
    of_app.use_another_connection(preferences, &context.history).await;
    let changed = bodies(&folder, "forwarding.changed");
    let [by_user] = &changed[..] else { panic!("{changed:?}") };
    assert_eq!(
        (&by_user["route"], &by_user["foundAtStart"]),
        (&"http://127.0.0.1:9/ (sam)".into(), &false.into())
    );

    let file = folder.join("preferences.json");
    let mut written: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    written["content"]["route"]["address"] = "http://127.0.0.1:10/".into();
    written["content"]["caCertificate"] = certificates.authority.display().to_string().into();
    std::fs::write(&file, written.to_string()).unwrap();
    let app = app.restarted();
    forwarding(&app, until("it is told", async || count(&folder, "forwarding.changed") == 2)).await;
    let found = bodies(&folder, "forwarding.changed").pop().unwrap();
    assert_eq!(
        (&found["route"], &found["foundAtStart"]),
        (&"http://127.0.0.1:10/ (sam)".into(), &true.into())
    );
    assert_eq!(found["appAuthoritySha256"].as_str().unwrap().len(), 64);
}

#[tokio::test]
async fn a_test_message_arrives_or_the_reason_is_told_and_no_entry_is_sent() {
    let (app, certificates) = app().await;
    let server = LogReceiver::start(certificates.config()).await.unwrap();
    let Steward { forwarding, preferences, context, .. } = &app.steward;
    let log_server = at(server.port(), &certificates);
    let test =
        async |log_server: &LogServer| forwarding.test(preferences, context, log_server, None).await.unwrap();

    assert_eq!(test(&log_server).await, None);
    let [message] = &server.messages()[..] else { panic!("{:?}", server.messages()) };
    assert!(message.starts_with("<109>1 ") && message.contains(" forwarding.test "), "{message}");

    let without = LogServer { client_certificate: String::new(), ..log_server.clone() };
    let fault = test(&without).await.unwrap();
    assert!(
        matches!(fault, ForwardingFault::Connection(ConnectionFault::ClientCertificate { .. })),
        "{fault:?}"
    );
    let untrusting = LogServer { ca_certificate: String::new(), ..log_server };
    let fault = test(&untrusting).await.unwrap();
    assert!(matches!(fault, ForwardingFault::Connection(ConnectionFault::Certificate { .. })), "{fault:?}");
    assert_eq!(server.messages().len(), 1);
    let without_tls =
        steward_testkit::TestServer::start(|_| steward_testkit::Reply::json("{}")).await.unwrap();
    let silent = LogServer { port: without_tls.port(), ..at(0, &certificates) };
    let fault = tokio::select! {
        fault = test(&silent) => fault.unwrap(),
        never = hasten(|| without_tls.connections()) => match never {},
    };
    assert!(matches!(fault, ForwardingFault::Connection(ConnectionFault::Encryption { .. })), "{fault:?}");
}

#[tokio::test]
async fn the_proxy_of_the_app_opens_the_connection_and_gets_no_token() {
    let (app, certificates) = app().await;
    app.sign_in("administrator").await.unwrap();
    let token = app.vault.get(&format!("{}/portal", app.site.0)).await.unwrap().unwrap();
    let token: serde_json::Value = serde_json::from_str(token.expose()).unwrap();
    let proxy = proxy().await;
    let through = crate::program_connection::through(&format!("{}/", proxy.origin()));
    let Steward { forwarding, preferences, context, .. } = &app.steward;
    steward_core::actions::preferences::save(preferences, context, through, None).await.unwrap();

    let log_server = LogServer { host: "logs.invalid".to_owned(), ..at(6514, &certificates) };
    let fault = forwarding.test(preferences, context, &log_server, None).await.unwrap().unwrap();

    assert!(matches!(fault, ForwardingFault::Connection(ConnectionFault::ProxyRefused { .. })), "{fault:?}");
    let heads: Vec<_> = proxy.requests().into_iter().map(|request| request.head).collect();
    assert!(heads[0].starts_with("CONNECT logs.invalid:6514 HTTP/1.1"), "{heads:?}");
    assert!(!heads.concat().contains(token["token"].as_str().unwrap()));
}

#[tokio::test]
async fn an_organization_requires_forbids_or_restricts_forwarding_and_each_refusal_is_an_event() {
    let (app, certificates) = app().await;
    let server = LogReceiver::start(certificates.config()).await.unwrap();
    let (here, off) = (at(server.port(), &certificates), LogServer::default());
    let elsewhere = LogServer { host: "localhost".to_owned(), ..here.clone() };
    let locked =
        format!(r#"{{ "locked": {{ "logServer": {{ "host": "127.0.0.1", "port": {} }} }} }}"#, here.port);
    let mut app = Some(app);
    let mut refusals = 0;
    for (policy, wanted, is_allowed) in [
        ("{}", &here, true),
        (r#"{ "forwarding": "required" }"#, &here, true),
        (r#"{ "forwarding": "required" }"#, &off, false),
        (r#"{ "forwarding": "forbidden" }"#, &here, false),
        (r#"{ "forwarding": "forbidden" }"#, &off, true),
        (r#"{ "forwardingHosts": ["127.0.0.1"] }"#, &here, true),
        (r#"{ "forwardingHosts": ["127.0.0.1"] }"#, &elsewhere, false),
        (r#"{ "forwardingHosts": [] }"#, &here, false),
        (locked.as_str(), &here, false),
        (locked.as_str(), &off, false),
        ("{}", &off, true),
        // A file that breaks allows what the last valid one allowed.
        (r#"{ "forwarding": "forbidden" }"#, &off, true),
        (r#"{ "forwarding": "frobidden" }"#, &here, false),
    ] {
        let now = app.take().unwrap().restarted_under(policy);
        let saved = save(&now, wanted).await;
        match saved {
            Ok(_) => assert!(is_allowed, "{policy}: {wanted:?}"),
            Err(problem) => {
                assert!(!is_allowed, "{policy}: {problem:?}");
                assert_eq!(problem, Problem::form("host", FieldError::NotAllowed), "{policy}");
                refusals += 1;
            }
        }
        assert_eq!(count(&now.steward.data_folder, "request.refused"), refusals, "{policy}");
        app = Some(now);
    }
}

#[tokio::test]
async fn nothing_goes_to_a_log_server_that_the_organization_does_not_allow_any_more() {
    let (app, certificates) = app().await;
    let server = LogReceiver::start(certificates.config()).await.unwrap();
    save(&app, &at(server.port(), &certificates)).await.unwrap();
    let app = app.restarted_under(r#"{ "forwardingHosts": ["logs.example.org"] }"#);

    forwarding(&app, async {
        until("it is told", async || view(&app).await.failing.is_some()).await;
        until("it is in the trail", async || count(&app.steward.data_folder, "request.refused") == 1).await;
    })
    .await;

    assert_eq!(view(&app).await.failing.unwrap().fault, ForwardingFault::NotAllowed);
    assert!(server.messages().is_empty());
}

#[tokio::test]
async fn rsyslog_of_the_distribution_loses_nothing_over_stops_kills_and_starts() {
    let (app, certificates) = app().await;
    let folder = app.folder("log server");
    let Some(mut rsyslog) = Rsyslog::configured(&folder, &certificates).unwrap() else {
        println!(
            "skipped: rsyslog is not in the build folder; `cargo xtask test --only log-server` unpacks it"
        );
        return;
    };
    rsyslog.start().await.unwrap();
    save(&app, &at(rsyslog.port(), &certificates)).await.unwrap();

    forwarding(&app, async {
        all_forwarded(&app).await;
        for round in 0..4 {
            append(&app, 300).await;
            // In the middle of what it receives, or before.
            if round % 2 == 0 {
                rsyslog.stop().unwrap()
            } else {
                rsyslog.kill()
            }
            append(&app, 300).await;
            until("it fails", async || view(&app).await.failing.is_some()).await;
            rsyslog.start().await.unwrap();
            all_forwarded(&app).await;
        }
    })
    .await;

    until("rsyslog wrote its file", async || {
        entries(&rsyslog.messages()).len() == kinds(&app.steward.data_folder).len()
    })
    .await;
    assert_complete(&app.steward.data_folder, &rsyslog.messages());
}
