//! Alerts of backup plans: what the receivers get, and what is known of those that did not.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use steward_client::alerts::signature;
use steward_core::actions::preferences;
use steward_core::files::data_folder::DataFolder;
use steward_core::model::alert_channel::ChannelKind;
use steward_core::model::connection_fault::ConnectionFault;
use steward_core::model::ids::ServerId;
use steward_core::model::problem::{FieldError, Problem};
use steward_core::settings::policy::{AlertsRule, PlansRule, Policy};
use steward_core::settings::preferences::{Preferences, ProgramConnection};
use steward_journal::trail::export::{Selection, described};
use steward_plans::alerts::channel::{ChannelEncryption, ChannelForm, ChannelMeans, HeartbeatProtocol};
use steward_plans::alerts::desktop::{Desktop, NoDesktop};
use steward_plans::alerts::fault::AlertFault;
use steward_plans::alerts::settings::{AlertsView, TestedChannel};
use steward_plans::plan::{BackupPlan, ChannelId, PlanPart};
use steward_plans::process::{FAILED, INVALID, Opening, PlanRunner, WELL, tell_unusable};
use steward_plans::rules;
use steward_plans::saved::SavedPlans;
use steward_plans::set::PartFault;
use steward_plans::set_trail;
use steward_plans::store;
use steward_testkit::{
    Fault, LogCertificates, MailFault, MailReceiver, MailTls, Reply, Request, TestServer, until,
};
use steward_vault::{KeyringError, Secret, SecretStore, StoreFuture};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};

use crate::plan_process::{due_plan, progress_of, start_without_network};
use crate::test_app::{TestApp, sets_in};

/// A desktop that remembers what it showed.
#[derive(Default)]
struct Shown(Mutex<Vec<(String, String)>>);

impl Desktop for Shown {
    fn show<'a>(
        &'a self,
        title: &'a str,
        body: &'a str,
    ) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>> {
        self.0.lock().unwrap().push((title.to_owned(), body.to_owned()));
        Box::pin(std::future::ready(Ok(())))
    }
}

/// A keyring that nobody unlocks.
pub(crate) struct Locked;

impl SecretStore for Locked {
    fn get<'a>(&'a self, _: &'a str) -> StoreFuture<'a, Option<Secret<String>>> {
        Box::pin(std::future::ready(Err(KeyringError::Slow)))
    }

    fn set<'a>(&'a self, _: &'a str, _: Secret<String>) -> StoreFuture<'a, ()> {
        Box::pin(std::future::ready(Err(KeyringError::Slow)))
    }

    fn forget<'a>(&'a self, _: &'a str) -> StoreFuture<'a, bool> {
        Box::pin(std::future::ready(Err(KeyringError::Slow)))
    }
}

/// The site rejects an export.
pub(crate) fn rejected() -> Fault {
    let body = r#"{"status":"error","code":500,"messages":["out of order"]}"#;
    Fault::Instead(format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

/// A receiver that takes everything, or replies as told.
pub(crate) async fn receiver(status: &'static str, body: &'static str) -> TestServer {
    TestServer::start(move |_| Reply::new(status, "", body)).await.unwrap()
}

fn form(name: &str, means: ChannelMeans, address: Option<String>, password: Option<&str>) -> ChannelForm {
    let (id, name, password) = (None, name.to_owned(), password.map(str::to_owned));
    ChannelForm { id, name, means, address, password, tells_all_well: false }
}

pub(crate) fn webhook(address: String) -> ChannelForm {
    let means = ChannelMeans::Webhook { origin: String::new(), is_signed: false };
    form("Own program", means, Some(address), Some("canary-key"))
}

pub(crate) fn slack(address: String) -> ChannelForm {
    form("Chat", ChannelMeans::Slack { origin: String::new() }, Some(address), None)
}

fn healthchecks(address: String) -> ChannelForm {
    let protocol = HeartbeatProtocol::Healthchecks;
    form("Watcher", ChannelMeans::Heartbeat { origin: String::new(), protocol }, Some(address), None)
}

pub(crate) async fn save(app: &TestApp, form: ChannelForm) -> Result<AlertsView, Problem> {
    app.steward.alerts.save(&app.steward.context, &app.steward.preferences.policy, form).await
}

/// Saves channels, and a plan that is due and uses all of them.
pub(crate) async fn due_plan_with(app: &TestApp, forms: Vec<ChannelForm>) -> BackupPlan {
    for form in forms {
        save(app, form).await.unwrap();
    }
    let view = app.steward.alerts.view(&app.steward.preferences.policy);
    let alerts = view.channels.into_iter().map(|view| view.channel.id).collect();
    let plan = BackupPlan { alerts, ..due_plan(app).await };
    let saved = plan.clone();
    store::plans(&app.steward.data_folder).change(|plans| *plans = vec![saved]);
    plan
}

/// A runner under a policy.
fn runner(app: &TestApp, policy: Policy, vault: Arc<dyn SecretStore>, desktop: Arc<Shown>) -> PlanRunner {
    let held = DataFolder::take_for_runner(&app.steward.data_folder).unwrap();
    let runtime_folder = app.folder("runtime");
    let open = move || {
        let (policy, vault, desktop) = (policy.clone(), vault.clone(), desktop.clone());
        Ok(Opening { policy, vault, desktop, runtime_folder: runtime_folder.clone() })
    };
    PlanRunner::new(held, open, watch::channel(false).1)
}

/// Starts the runner once, and returns its exit code and what the desktop showed.
async fn start_with(
    app: &TestApp,
    policy: Policy,
    vault: Arc<dyn SecretStore>,
) -> (u8, Vec<(String, String)>) {
    let shown = Arc::new(Shown::default());
    let code = runner(app, policy, vault, shown.clone()).run_due_plans().await;
    let shown = shown.0.lock().unwrap().clone();
    (code, shown)
}

/// Runs a plan now, and returns the exit code of the runner and what the desktop showed.
pub(crate) async fn run_now(app: &TestApp, plan: &BackupPlan) -> (u8, Vec<(String, String)>) {
    let shown = Arc::new(Shown::default());
    let code = runner(app, Policy::default(), app.vault.clone(), shown.clone()).run_plan(&plan.id).await;
    let shown = shown.0.lock().unwrap().clone();
    (code, shown)
}

pub(crate) async fn start(app: &TestApp, policy: Policy) -> (u8, Vec<(String, String)>) {
    start_with(app, policy, app.vault.clone()).await
}

/// Result of a start of the runner beside another one.
pub(crate) struct Beside {
    pub(crate) code: u8,
    /// What the desktop showed.
    pub(crate) shown: Vec<(String, String)>,
}

/// Starts the runner while another one holds the data folder.
pub(crate) async fn start_beside(app: &TestApp) -> Beside {
    let held = DataFolder::take_beside_runner(&app.steward.data_folder).unwrap();
    let (shown, vault) = (Arc::new(Shown::default()), app.vault.clone());
    let (desktop, runtime_folder) = (shown.clone(), app.folder("runtime"));
    let open = move || {
        let (vault, desktop, runtime_folder) = (vault.clone(), desktop.clone(), runtime_folder.clone());
        Ok(Opening { policy: Policy::default(), vault, desktop, runtime_folder })
    };
    let code = PlanRunner::beside(held, open, watch::channel(false).1).tell_beside().await;
    let shown = shown.0.lock().unwrap().clone();
    Beside { code, shown }
}

/// The body of a request that carries JSON.
pub(crate) fn json(request: &Request) -> (serde_json::Value, String) {
    let text = request.text();
    let (_, body) = text.split_once("\r\n\r\n").unwrap();
    (serde_json::from_str(body).unwrap(), body.to_owned())
}

/// Bodies of the audit trail.
pub(crate) async fn events(app: &TestApp) -> Vec<String> {
    let history = &app.steward.context.history;
    let following = history.journal(|journal| journal.entries_after(None, 10_000)).await.unwrap();
    following.entries.into_iter().filter_map(|entry| entry.body).collect()
}

#[tokio::test]
async fn plans_that_cannot_be_read_are_told_by_every_channel_that_can_be_once_a_day_and_end_no_start_well() {
    let app = TestApp::new().await;
    let own = receiver("200 OK", "").await;
    due_plan_with(&app, vec![webhook(format!("{}/hook", own.origin()))]).await;
    let file = app.steward.data_folder.join("plans.json");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, r#"{"format":2,"content":{"later":1}}"#).unwrap();

    for _ in 0..2 {
        let (code, shown) = start(&app, Policy::default()).await;
        assert_eq!(code, INVALID);
        let titles: Vec<_> = shown.into_iter().map(|(title, _)| title).collect();
        assert!(titles.iter().all(|title| title == "A file of Site Steward cannot be read"), "{titles:?}");
    }

    let [request] = &own.requests()[..] else { panic!("told once: {:?}", own.requests().len()) };
    let (body, _) = json(request);
    assert_eq!(body["event"], "file.unreadable");
    assert!(body["note"].as_str().unwrap().contains("plans.json"), "{body}");
    let told: Vec<_> =
        events(&app).await.into_iter().filter(|event| event.contains("\"file.unreadable\"")).collect();
    assert_eq!(told.iter().filter(|event| event.contains("\"file\":\"plans.json\"")).count(), 1, "{told:?}");
    assert!(file.exists(), "the runner moves no file of the window");

    // As an administrator repairs it.
    std::fs::write(&file, whole).unwrap();
    let (code, _) = start(&app, Policy::default()).await;
    assert_eq!(code, WELL);
}

#[tokio::test]
async fn without_a_history_the_desktop_tells_of_a_plan_that_cannot_run() {
    let app = TestApp::new().await;
    let own = receiver("200 OK", "").await;
    due_plan_with(&app, vec![webhook(format!("{}/hook", own.origin()))]).await;
    let folder = app.steward.data_folder.clone();
    for name in ["journal.db", "journal.db-wal", "journal.db-shm"] {
        let _ = std::fs::remove_file(folder.join(name));
    }

    let (code, shown) = start(&app, Policy::default()).await;

    assert_eq!((code, shown.len()), (FAILED, 1), "{shown:?}");
    assert!(!folder.join("journal.db").exists(), "no new history was begun");
}

#[tokio::test]
async fn a_failed_run_is_told_by_every_channel_once_and_its_end_too() {
    let app = TestApp::new().await;
    let (own, chat) = (receiver("200 OK", "").await, receiver("200 OK", "ok").await);
    let watcher = receiver("200 OK", "OK").await;
    let forms = vec![
        webhook(format!("{}/hook?canary-query=1", own.origin())),
        slack(format!("{}/services/canary-path", chat.origin())),
        healthchecks(format!("{}/ping/canary-check", watcher.origin())),
    ];
    let plan = due_plan_with(&app, forms).await;
    let fault = app.with_fault("/exportSite", rejected()).await;

    let (code, shown) = start(&app, Policy::default()).await;

    assert_eq!(code, FAILED);
    assert_eq!(shown.len(), 1, "{shown:?}");
    assert!(shown[0].0.starts_with("Backup plan Every night failed"), "{shown:?}");
    let requests = own.requests();
    assert_eq!(requests.len(), 1);
    let (body, text) = json(&requests[0]);
    assert_eq!((&body["event"], &body["format"]), (&"plan.failed".into(), &1.into()));
    assert_eq!(body["plan"]["name"], plan.name);
    assert!(body["auditTrailHead"].as_str().unwrap().starts_with("site-steward history "), "{body}");
    assert_eq!(requests[0].header("Idempotency-Key"), body["id"].as_str());
    let timestamp = requests[0].header("X-Site-Steward-Timestamp").unwrap();
    let signed = format!("sha256={}", signature("canary-key", timestamp, text.as_bytes()));
    assert_eq!(requests[0].header("X-Site-Steward-Signature"), Some(signed.as_str()));
    let (chat_body, _) = json(&chat.requests()[0]);
    assert!(chat_body["text"].as_str().unwrap().contains("Every night failed"), "{chat_body}");
    let beats: Vec<String> = watcher.requests().iter().map(|request| request.path().to_owned()).collect();
    assert_eq!(beats, ["/ping/canary-check/start", "/ping/canary-check/fail"]);
    let runs: Vec<String> = watcher.requests().iter().map(|request| request.query().to_owned()).collect();
    assert_eq!(runs[0], runs[1], "the end of a run belongs to its start");

    let [set] = &sets_in(&plan.folder)[..] else { panic!("one set") };
    let of_set = set_trail::of(&app.steward.context, &plan, set).await.unwrap();
    let alerts: Vec<_> = of_set.alerts.iter().map(|alert| (alert.by, alert.is_sent)).collect();
    assert_eq!(alerts.len(), 3, "{of_set:?}");
    for by in [ChannelKind::Desktop, ChannelKind::Webhook, ChannelKind::Slack] {
        assert!(alerts.contains(&(by, true)), "{of_set:?}");
    }
    let entry = of_set.entry.clone().unwrap();
    let history = &app.steward.context.history;
    let before = i64::from(entry.number) + 1;
    let trail = history.journal(move |journal| journal.trail_page(&Selection::default(), Some(before), 1));
    let told = described(&trail.await.unwrap()[0]);
    assert_eq!((told.kind.as_str(), &told.hash), ("run.ended", &entry.sha256));

    // Nothing new: nothing is sent again.
    start(&app, Policy::default()).await;
    assert_eq!(own.requests().len(), 1);

    let app = app.without_fault(fault);
    let vault: Arc<dyn SecretStore> = app.vault.clone();
    assert_eq!(runner(&app, Policy::default(), vault, Arc::default()).run_plan(&plan.id).await, WELL);
    let (body, _) = json(&own.requests()[1]);
    assert_eq!(body["event"], "plan.recovered");
    assert_eq!(watcher.requests().last().unwrap().path(), "/ping/canary-check");
    let trail = events(&app).await;
    assert_eq!(trail.iter().filter(|body| body.contains("\"alert.sent\"")).count(), 6);
    assert!(!trail.iter().any(|body| body.contains("canary")));
}

#[tokio::test]
async fn a_plan_whose_site_is_no_longer_saved_is_told_with_the_name_that_its_last_set_has() {
    for has_set in [true, false] {
        let app = TestApp::new().await;
        let own = receiver("200 OK", "").await;
        let plan = due_plan_with(&app, vec![webhook(format!("{}/hook", own.origin()))]).await;
        let name = app.sites().get(&app.site).unwrap().name;
        if has_set {
            assert_eq!(run_now(&app, &plan).await.0, WELL);
        }
        app.sites().remove(&app.site).unwrap();

        let (code, shown) = run_now(&app, &plan).await;

        assert_eq!(code, FAILED);
        let (body, _) = json(own.requests().last().unwrap());
        assert_eq!(body["site"]["name"], if has_set { name.as_str() } else { "" }, "{body}");
        let [(title, _)] = &shown[..] else { panic!("{shown:?}") };
        assert_eq!(title.contains(&name), has_set, "{title}");
        assert!(!title.contains(&app.site.0) && !title.ends_with("()"), "{title}");
    }
}

#[tokio::test]
async fn an_alert_that_a_receiver_rejects_changes_no_outcome_and_is_tried_again_and_told() {
    let app = TestApp::new().await;
    let own = receiver("403 Forbidden", "no such hook canary-path").await;
    due_plan_with(&app, vec![webhook(format!("{}/canary-path", own.origin()))]).await;
    let _fault = app.with_fault("/exportSite", rejected()).await;

    assert_eq!(start(&app, Policy::default()).await.0, FAILED);
    start(&app, Policy::default()).await;

    let keys: Vec<_> =
        own.requests().iter().map(|request| request.header("Idempotency-Key").map(str::to_owned)).collect();
    assert!(keys.len() == 2 && keys[0] == keys[1], "{keys:?}");
    let view = app.steward.alerts.view(&Policy::default());
    let fault = view.channels[0].last.clone().unwrap().fault.unwrap();
    assert_eq!(fault, AlertFault::Rejected { status: Some(403), said: "no such hook …".to_owned() });
    let trail = events(&app).await;
    let not_sent = trail.iter().filter(|body| body.contains("\"alert.not-sent\"")).count();
    assert_eq!(not_sent, 1, "the first failure in a row");
    assert_eq!(
        app.history().await.iter().filter(|entry| entry.intent.operation == "export_server").count(),
        1
    );
}

/// Leaves an alert that the desktop showed, and that a receiver rejected. Nobody has to be signed in.
pub(crate) async fn shown_and_rejected(app: &TestApp) {
    let own = receiver("403 Forbidden", "").await;
    due_plan_with(app, vec![webhook(own.origin())]).await;
    let way = app.with_fault("/exportSite", rejected()).await;
    start(app, Policy::default()).await;
    app.go_through(app.practice_address());
    drop(way);
}

#[tokio::test]
async fn a_receiver_that_a_user_has_to_mend_is_asked_once_at_a_start_and_one_that_breaks_off_several_times() {
    let app = TestApp::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("https://{}", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = connections.clone();
    let speaking_no_tls = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            let _ = stream.read(&mut [0; 4096]).await;
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let broken = TestServer::start_resetting().await.unwrap();
    due_plan_with(&app, vec![webhook(address), slack(broken.origin())]).await;
    let _fault = app.with_fault("/exportSite", rejected()).await;

    start(&app, Policy::default()).await;

    let view = app.steward.alerts.view(&Policy::default());
    let faults: Vec<_> = view.channels.iter().map(|view| view.last.clone().unwrap().fault.unwrap()).collect();
    let [
        AlertFault::Connection(ConnectionFault::Encryption { .. }),
        AlertFault::Connection(ConnectionFault::Network { .. }),
    ] = &faults[..]
    else {
        panic!("{faults:?}")
    };
    assert_eq!((connections.load(Ordering::SeqCst), broken.connections()), (1, 3));
    speaking_no_tls.abort();
}

#[tokio::test]
async fn a_run_whose_runner_is_killed_while_a_heartbeat_waits_ended_as_it_did() {
    let app = TestApp::new().await;
    let watcher = TestServer::start(|request| match request.path().ends_with("/fail") {
        true => Reply::silence(),
        false => Reply::new("200 OK", "", "OK"),
    });
    let watcher = watcher.await.unwrap();
    let plan = due_plan_with(&app, vec![healthchecks(format!("{}/ping/check", watcher.origin()))]).await;
    let _fault = app.with_fault("/exportSite", rejected()).await;
    let runner = runner(&app, Policy::default(), app.vault.clone(), Arc::default());
    let is_waiting = || watcher.requests().iter().any(|request| request.path().ends_with("/fail"));
    tokio::select! {
        code = runner.run_due_plans() => panic!("it ended with {code} although nothing responds"),
        () = until("the heartbeat waits", async || is_waiting()) => {}
    }
    drop(runner);

    let progress = store::progress(&app.steward.data_folder).get().plans[&plan.id].clone();
    let last = progress.last.unwrap();
    assert_eq!((progress.begun, last.fault), (None, Some(PartFault::Rejected)), "{last:?}");
}

#[tokio::test]
async fn a_plan_that_the_organization_forbids_sends_no_heartbeat() {
    let app = TestApp::new().await;
    let watcher = receiver("200 OK", "OK").await;
    due_plan_with(&app, vec![healthchecks(format!("{}/ping/check", watcher.origin()))]).await;
    let forbidden = Policy { plans: Some(PlansRule::Forbidden), ..Policy::default() };

    let (code, _) = start(&app, forbidden).await;

    assert_eq!((code, watcher.requests().len()), (FAILED, 0));
    due_again(&app);
    start(&app, Policy::default()).await;
    assert_eq!(watcher.requests().len(), 2, "where plans are allowed, start and end");
}

#[tokio::test]
async fn where_nothing_can_be_remembered_in_the_data_folder_the_desktop_tells_once_a_day() {
    let app = TestApp::new().await;
    due_plan_with(&app, Vec::new()).await;
    let folder = app.steward.data_folder.clone();
    std::fs::rename(folder.join("journal.db"), folder.join("elsewhere.db")).unwrap();
    let mut shown = Vec::new();
    for _ in 0..3 {
        shown.extend(start(&app, Policy::default()).await.1);
        // On a full disk, the next start finds what the one before that found.
        for name in ["plan-alerts.json", "known-files/plan-alerts.json"] {
            let _ = std::fs::remove_file(folder.join(name));
        }
    }
    assert_eq!(shown.len(), 1, "{shown:?}");
}

#[tokio::test]
async fn that_the_data_folder_cannot_be_used_is_told_by_the_desktop_once_a_day() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("file"), "").unwrap();
    let data_folder = place.path().join("file").join("data");
    let error = DataFolder::take_for_runner(&data_folder).err().unwrap();
    let shown = Arc::new(Shown::default());
    for _ in 0..2 {
        let opening = Opening {
            policy: Policy::default(),
            vault: Arc::new(Locked),
            desktop: shown.clone(),
            runtime_folder: place.path().to_owned(),
        };
        tell_unusable(&data_folder, &opening, &error).await;
    }
    let shown = shown.0.lock().unwrap().clone();
    let [(title, _)] = &shown[..] else { panic!("{shown:?}") };
    assert_eq!(title, "Site Steward cannot use its data folder");
}

#[tokio::test]
async fn of_a_locked_keyring_the_desktop_tells() {
    let app = TestApp::new().await;
    let own = receiver("200 OK", "").await;
    due_plan_with(&app, vec![webhook(own.origin())]).await;

    let (code, shown) = start_with(&app, Policy::default(), Arc::new(Locked)).await;

    assert_eq!(code, FAILED);
    assert!(shown[0].0.contains("the keyring is locked"), "{shown:?}");
    assert!(own.requests().is_empty());
    let view = app.steward.alerts.view(&Policy::default());
    let fault = view.channels[0].last.clone().unwrap().fault;
    assert!(matches!(fault, Some(AlertFault::Keyring { .. })), "{fault:?}");
}

#[tokio::test]
async fn a_test_tells_what_the_receiver_said_and_saves_nothing() {
    let app = TestApp::signed_out().await;
    let tested = async |form: ChannelForm| {
        let (context, policy) = (&app.steward.context, &app.steward.preferences.policy);
        app.steward
            .alerts
            .test(context, policy, &NoDesktop, TestedChannel::Channel(Box::new(form)))
            .await
            .unwrap()
    };
    let good = receiver("200 OK", "ok").await;
    assert_eq!(tested(slack(good.origin())).await, None);
    let page = receiver("200 OK", "<!doctype html><title>Sign in").await;
    assert!(matches!(
        tested(slack(page.origin())).await,
        Some(AlertFault::Rejected { status: Some(200), .. })
    ));
    let elsewhere =
        TestServer::start(|_| Reply::redirect("302 Found", "https://example.invalid/canary")).await.unwrap();
    let redirected = AlertFault::Redirected { to: "https://example.invalid".to_owned() };
    assert_eq!(tested(slack(elsewhere.origin())).await, Some(redirected));
    let broken = TestServer::start_resetting().await.unwrap();
    assert!(matches!(
        tested(webhook(broken.origin())).await,
        Some(AlertFault::Connection(ConnectionFault::Network { .. }))
    ));
    assert!(app.steward.alerts.view(&Policy::default()).channels.is_empty());
}

#[tokio::test]
async fn what_a_receiver_says_counts_also_with_a_status_of_success() {
    let app = TestApp::signed_out().await;
    let heartbeat = |protocol| ChannelMeans::Heartbeat { origin: String::new(), protocol };
    let kinds = [
        heartbeat(HeartbeatProtocol::Healthchecks),
        heartbeat(HeartbeatProtocol::SuccessOnly),
        ChannelMeans::Webhook { origin: String::new(), is_signed: false },
        ChannelMeans::Slack { origin: String::new() },
        ChannelMeans::Teams { origin: String::new() },
    ];
    let (yes, no) = (true, false);
    for (status, body, taken) in [
        ("200 OK", "OK", [yes, yes, yes, yes, yes]),
        ("201 Created", "Created", [yes, yes, yes, no, no]),
        ("200 OK", "OK (not found)", [no, no, yes, no, no]),
        ("200 OK", "OK (rate limited)", [no, no, yes, no, no]),
        ("202 Accepted", "Got it, thanks!", [no, yes, yes, no, yes]),
        ("202 Accepted", "", [no, yes, yes, yes, yes]),
        ("200 OK", "1", [no, yes, yes, no, yes]),
        ("200 OK", "Webhook message delivery failed with error 413", [no, yes, yes, no, no]),
        ("200 OK", r#"{"ok":true}"#, [no, yes, yes, yes, yes]),
        ("200 OK", r#"{"ok":false,"msg":"Monitor not found"}"#, [no; 5]),
        ("200 OK", "<!doctype html><title>Sign in", [no; 5]),
        ("200 OK", r#"{"code":401,"message":"Unauthorized"}"#, [no; 5]),
        ("200 OK", "error: invalid_payload", [no; 5]),
        ("200 OK", r#"{"message":"queued"}"#, [no, yes, yes, no, yes]),
    ] {
        let server = receiver(status, body).await;
        for (means, taken) in kinds.iter().zip(taken) {
            let form = form("Tested", means.clone(), Some(server.origin()), None);
            let (context, policy) = (&app.steward.context, &app.steward.preferences.policy);
            let tested = TestedChannel::Channel(Box::new(form));
            let fault = app.steward.alerts.test(context, policy, &NoDesktop, tested).await.unwrap();
            let said = AlertFault::Rejected { status: status[..3].parse().ok(), said: body.to_owned() };
            assert_eq!(fault, (!taken).then_some(said), "{status} {body}: {means:?}");
        }
    }
}

#[tokio::test]
async fn a_receiver_of_a_mail_that_is_refused_is_named_and_alone_gets_it_again() {
    let app = TestApp::new().await;
    let certificates = LogCertificates::make(&app.folder("mail server")).unwrap();
    let server = MailReceiver::start(certificates.without_clients(), MailTls::Never).await.unwrap();
    let means = ChannelMeans::Mail {
        host: "127.0.0.1".to_owned(),
        port: server.port(),
        encryption: ChannelEncryption::None,
        user: String::new(),
        from: "steward@example.org".to_owned(),
        to: vec!["gone@example.org".to_owned(), "gis@example.org".to_owned()],
    };
    due_plan_with(&app, vec![form("Mail", means, None, None)]).await;
    let _fault = app.with_fault("/exportSite", rejected()).await;
    server.set(MailFault::FirstReceiver);

    start(&app, Policy::default()).await;

    let last = || app.steward.alerts.view(&Policy::default()).channels[0].last.clone().unwrap().fault;
    let Some(AlertFault::SomeReceivers { refused, .. }) = last() else { panic!("{:?}", last()) };
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].address, "gone@example.org");
    assert!(refused[0].said.contains("This receiver is not known here."), "{refused:?}");
    let trail = events(&app).await;
    assert!(trail.iter().any(|body| body.contains("alert.not-sent") && body.contains("gone@example.org")));

    server.set(MailFault::None);
    start(&app, Policy::default()).await;
    start(&app, Policy::default()).await;

    let receivers: Vec<_> = server.taken().into_iter().map(|mail| mail.to).collect();
    assert_eq!(receivers, [["gis@example.org"], ["gone@example.org"]]);
    assert_eq!(last(), None);
}

#[tokio::test]
async fn mail_goes_by_the_authorities_of_the_app_and_its_server_is_quoted() {
    let app = TestApp::signed_out().await;
    let certificates = LogCertificates::make(&app.folder("mail server")).unwrap();
    let server = MailReceiver::start(certificates.without_clients(), MailTls::Offered).await.unwrap();
    let means = ChannelMeans::Mail {
        host: "127.0.0.1".to_owned(),
        port: server.port(),
        encryption: ChannelEncryption::StartTls,
        user: "steward".to_owned(),
        from: "steward@example.org".to_owned(),
        to: vec!["gis@example.org".to_owned()],
    };
    let mail = || form("Mail", means.clone(), None, Some("canary-password"));
    let tested = async || {
        let (context, policy) = (&app.steward.context, &app.steward.preferences.policy);
        app.steward
            .alerts
            .test(context, policy, &NoDesktop, TestedChannel::Channel(Box::new(mail())))
            .await
            .unwrap()
    };
    let fault = tested().await;
    assert!(matches!(fault, Some(AlertFault::Connection(ConnectionFault::Certificate { .. }))), "{fault:?}");

    let before = app.steward.preferences.get();
    let ca_certificate = certificates.authority.display().to_string();
    let connection = ProgramConnection { ca_certificate, ..before.connection };
    let wanted = Preferences { connection, ..before };
    preferences::save(&app.steward.preferences, &app.steward.context, wanted, None).await.unwrap();
    assert_eq!(tested().await, None);
    assert!(server.taken()[0].is_encrypted);

    server.set(MailFault::Receiver);
    let Some(AlertFault::Rejected { status: None, said }) = tested().await else { panic!("it was taken") };
    assert!(said.contains("This receiver is not known here."), "{said}");
}

#[tokio::test]
async fn what_the_organization_forbids_is_neither_saved_nor_sent_nor_run() {
    let app = TestApp::new().await;
    let own = receiver("200 OK", "").await;
    let plan = due_plan_with(&app, vec![webhook(own.origin())]).await;
    let fault = app.with_fault("/exportSite", rejected()).await;
    let policy = Policy { alert_hosts: Some(vec!["hooks.example.org".to_owned()]), ..Policy::default() };

    let SaveAttempt { field, fault: refused } = attempt(&app, &policy, webhook(own.origin())).await;
    assert_eq!((field.as_str(), refused), ("address", FieldError::NotAllowed));
    let without = Policy { alert_channels: Some(vec![ChannelKind::Mail]), ..Policy::default() };
    assert_eq!(attempt(&app, &without, webhook(own.origin())).await.field, "kind");

    let (_, shown) = start(&app, policy.clone()).await;
    assert!(own.requests().is_empty());
    assert_eq!(shown.len(), 1, "the desktop is allowed");
    let last = app.steward.alerts.view(&policy).channels[0].last.clone().unwrap();
    assert_eq!(last.fault, Some(AlertFault::NotAllowed));

    let history = app.steward.context.history.clone();
    let required = Policy { alerts: Some(AlertsRule::Required), ..Policy::default() };
    let channels = app.steward.alerts.settings();
    rules::can_be_saved(&required, &history, &plan, &channels).await.unwrap();
    let silent = BackupPlan { alerts: vec![ChannelId("gone".to_owned())], ..plan.clone() };
    let refused = rules::can_be_saved(&required, &history, &silent, &channels).await.unwrap_err();
    assert_eq!(refused, Problem::form("alerts", FieldError::NotAllowed));
    let paused = BackupPlan { is_enabled: false, ..silent };
    rules::can_be_saved(&required, &history, &paused, &channels).await.unwrap();

    let app = app.without_fault(fault);
    let exports =
        async || app.history().await.iter().filter(|entry| entry.intent.operation == "export_server").count();
    let before = exports().await;
    for policy in [
        Policy { plans: Some(PlansRule::Forbidden), ..Policy::default() },
        Policy { plans_folder: Some(app.folder("allowed")), ..Policy::default() },
    ] {
        due_again(&app);
        let (code, _) = start(&app, policy.clone()).await;
        assert_eq!(code, FAILED);
        assert_eq!(exports().await, before, "{policy:?}");
    }
    let trail = events(&app).await;
    assert!(trail.iter().filter(|body| body.contains("\"backup_plans\"")).count() >= 3);
}

struct SaveAttempt {
    field: String,
    fault: FieldError,
}

async fn attempt(app: &TestApp, policy: &Policy, form: ChannelForm) -> SaveAttempt {
    let form = ChannelForm { name: "Another".to_owned(), ..form };
    match app.steward.alerts.save(&app.steward.context, policy, form).await {
        Err(Problem::Form { field, fault }) => SaveAttempt { field, fault },
        other => panic!("{other:?}"),
    }
}

/// Forgets that the plan ran: it is due again.
fn due_again(app: &TestApp) {
    store::progress(&app.steward.data_folder).change(|state| state.plans.clear());
}

#[tokio::test]
async fn secrets_of_a_channel_are_in_the_keyring_and_in_no_file() {
    let app = TestApp::signed_out().await;
    save(&app, webhook("https://hooks.example.org/canary-path?canary=1".to_owned())).await.unwrap();
    let view = app.steward.alerts.view(&Policy::default());
    let shown = serde_json::to_string(&view).unwrap();
    assert!(shown.contains("https://hooks.example.org") && !shown.contains("canary"), "{shown}");
    for entry in std::fs::read_dir(&app.steward.data_folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            assert!(!bytes.windows(6).any(|part| part == b"canary"), "{}", path.display());
        }
    }
    // The address stays when another setting is saved.
    let channel = &view.channels[0].channel;
    let renamed = ChannelForm {
        id: Some(channel.id.clone()),
        name: "Renamed".to_owned(),
        means: channel.means.clone(),
        address: None,
        password: None,
        tells_all_well: channel.tells_all_well,
    };
    let view = save(&app, renamed).await.unwrap();
    assert_eq!(view.channels.len(), 1);
    assert_eq!(view.channels[0].channel.means, channel.means);
    let id = view.channels[0].channel.id.clone();
    let name = format!("alerts/{}", id.0);
    assert!(app.vault.get(&name).await.unwrap().unwrap().expose().contains("canary-path"));
    app.steward.alerts.delete(&app.steward.context, &Policy::default(), &id).await.unwrap();
    assert!(app.vault.get(&name).await.unwrap().is_none());
}

/// A proxy in front of a receiver might keep its response open.
#[tokio::test]
async fn an_alert_that_is_taken_by_a_receiver_which_does_not_end_its_response_is_sent_once() {
    let app = TestApp::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/hook", listener.local_addr().unwrap());
    due_plan_with(&app, vec![webhook(address)]).await;
    let _fault = app.with_fault("/exportSite", rejected()).await;
    let receiving = async {
        let mut connections = Vec::new();
        while let Ok((mut connection, _)) = listener.accept().await {
            let _ = connection.read(&mut vec![0; 65_536]).await.unwrap();
            let begun = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n";
            connection.write_all(begun).await.unwrap();
            connections.push(connection);
            assert_eq!(connections.len(), 1, "it is sent again");
        }
    };

    tokio::select! {
        (code, _) = start(&app, Policy::default()) => assert_eq!(code, FAILED),
        () = receiving => unreachable!("it listens"),
    }

    let fault = app.steward.alerts.view(&Policy::default()).channels[0].last.clone().unwrap().fault;
    assert_eq!(fault, None);
}

#[tokio::test]
async fn a_failure_that_the_policy_keeps_silent_is_told_when_it_allows_plans_again() {
    let app = TestApp::new().await;
    due_plan(&app).await;
    let forbidden = Policy { plans: Some(PlansRule::Forbidden), ..Policy::default() };
    let (code, shown) = start(&app, forbidden).await;
    assert_eq!((code, shown.len()), (FAILED, 0), "{shown:?}");

    let (code, shown) = start(&app, Policy::default()).await;

    assert_eq!((code, shown.len()), (FAILED, 1), "{shown:?}");
}

#[tokio::test]
async fn a_plan_that_is_deleted_while_it_runs_is_told_to_nobody() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    // It fails, whatever the site returns.
    let gone = PlanPart::Server { server: ServerId("gone".to_owned()) };
    let plan = BackupPlan { parts: vec![plan.parts[1].clone(), gone], ..plan };
    let saved = plan.clone();
    store::plans(&app.steward.data_folder).change(|plans| *plans = vec![saved]);
    let gate = Arc::new(Notify::new());
    let held = app.with_fault("/exportSite", Fault::HeldUntil(gate.clone())).await;
    let deleting = async {
        until("the server exports", async || held.met() == 1).await;
        let window = SavedPlans::open(&app.steward.data_folder);
        window.delete(&app.steward.context, &plan.id).await.unwrap();
        gate.notify_one();
    };

    let ((code, shown), ()) = tokio::join!(start(&app, Policy::default()), deleting);

    assert_eq!((code, shown.len()), (FAILED, 0), "{shown:?}");
}

#[tokio::test]
async fn an_alert_goes_to_the_channels_that_the_plan_has_when_its_run_ends() {
    let app = TestApp::new().await;
    let own = receiver("200 OK", "").await;
    save(&app, webhook(format!("{}/hook", own.origin()))).await.unwrap();
    let channel = app.steward.alerts.view(&Policy::default()).channels.remove(0).channel.id;
    let plan = due_plan(&app).await;
    // It fails, whatever the site returns.
    let gone = PlanPart::Server { server: ServerId("gone".to_owned()) };
    store::plans(&app.steward.data_folder).change(|plans| {
        plans[0].parts = vec![plan.parts[1].clone(), gone];
    });
    let gate = Arc::new(Notify::new());
    let held = app.with_fault("/exportSite", Fault::HeldUntil(gate.clone())).await;
    let choosing = async {
        until("the server exports", async || held.met() == 1).await;
        store::plans(&app.steward.data_folder).change(|plans| plans[0].alerts = vec![channel]);
        gate.notify_one();
    };

    let ((code, shown), ()) = tokio::join!(start(&app, Policy::default()), choosing);

    assert_eq!((code, shown.len(), own.requests().len()), (FAILED, 1, 1), "{shown:?}");
}

#[tokio::test]
async fn a_drive_that_goes_after_the_checks_of_a_run_has_no_set_in_its_mount_point() {
    let app = TestApp::new().await;
    let (folder, away) = (app.folder("backups"), app.folder("away").join("share"));
    let goes = Arc::new(AtomicUsize::new(0));
    let (path, told) = (folder.clone(), goes.clone());
    // The runner waits for the receiver of its heartbeat, and the drive goes meanwhile.
    let watcher = TestServer::start(move |_| {
        if told.swap(0, Ordering::SeqCst) == 1 {
            std::fs::rename(&path, &away).unwrap();
            std::fs::create_dir(&path).unwrap();
        }
        Reply::new("200 OK", "", "OK")
    });
    let watcher = watcher.await.unwrap();
    let plan = due_plan_with(&app, vec![healthchecks(format!("{}/ping", watcher.origin()))]).await;
    assert_eq!(run_now(&app, &plan).await.0, WELL);
    app.go_through("127.0.0.1:9");
    assert_eq!(start_without_network(&app).await, FAILED);
    app.go_through(app.practice_address());
    goes.store(1, Ordering::SeqCst);

    assert_eq!(start(&app, Policy::default()).await.0, FAILED);

    assert_eq!(goes.load(Ordering::SeqCst), 0, "the drive went");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    let last = progress_of(&app).plans[&plan.id].last.clone().unwrap();
    assert_eq!((last.fault, last.folder), (Some(PartFault::Disk), None));
}

#[tokio::test]
async fn a_receiver_of_a_mail_whose_address_is_corrected_gets_it_and_the_others_do_not_get_it_again() {
    let app = TestApp::new().await;
    let certificates = LogCertificates::make(&app.folder("mail server")).unwrap();
    let server = MailReceiver::start(certificates.without_clients(), MailTls::Never).await.unwrap();
    let means = |first: &str| ChannelMeans::Mail {
        host: "127.0.0.1".to_owned(),
        port: server.port(),
        encryption: ChannelEncryption::None,
        user: String::new(),
        from: "steward@example.org".to_owned(),
        to: vec![first.to_owned(), "gis@example.org".to_owned()],
    };
    let plan = due_plan_with(&app, vec![form("Mail", means("tpyo@example.org"), None, None)]).await;
    let _fault = app.with_fault("/exportSite", rejected()).await;
    server.set(MailFault::FirstReceiver);
    start(&app, Policy::default()).await;
    server.set(MailFault::None);

    let id = Some(plan.alerts[0].clone());
    save(&app, ChannelForm { id, ..form("Mail", means("typo@example.org"), None, None) }).await.unwrap();
    start(&app, Policy::default()).await;

    let receivers: Vec<_> = server.taken().into_iter().map(|mail| mail.to).collect();
    assert_eq!(receivers, [["gis@example.org"], ["typo@example.org"]]);
}
