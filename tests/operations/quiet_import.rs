//! A quiet import: the webhooks are deactivated before it and reactivated after it, whatever happens in between.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use steward_app::overview::ConcernAbout;
use steward_app::steward::Steward;
use steward_client::listing;
use steward_client::webhooks::ServiceWebhooks;
use steward_core::actions::sign_in::sign_in_as;
use steward_core::history::changes_since::since_import;
use steward_core::listings::deliveries::{WebhookOfService, failed_deliveries};
use steward_core::model::problem::{PreconditionFailure, Problem};
use steward_core::model::reactivated_webhooks::{InactiveTime, ReactivatedWebhooks};
use steward_core::model::run_result::RunResult;
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::operations::import_server::{self, ImportServerForm, ImportServerOptions};
use steward_core::runs::RunStep;
use steward_core::sites::SiteForm;
use steward_core::webhooks::deactivation_log::compare;
use steward_core::webhooks::reactivation::reactivate_several;
use steward_journal::Outcome;
use steward_testkit::{Fault, FaultProxy, Reply, TestServer, until};
use steward_vault::Secret;
use tokio::sync::Notify;

use crate::deactivations::{deactivate, entries, hide_receiver, refusal, server};
use crate::history::{listened_to, posts};
use crate::import_server::{answer, exported, form};
use crate::killed;
use crate::odd_sites::another_server;
use crate::test_app::TestApp;

const HYDRANTS: &str = "Hosted/Hydrants.FeatureServer";
const FLOW_TRACE: &str = "/server/admin/services/Water/FlowTrace.GPServer/webhooks/create";
const FLOW_TRACE_TASK: &str = "/server/rest/services/Water/FlowTrace/GPServer/FlowTrace";

fn quiet(location: &str) -> ImportServerForm {
    ImportServerForm {
        safety_backup: Some(SafetyBackupOptions { also_here: false }),
        deactivate_webhooks: Some("Import".to_owned()),
        ..form(location)
    }
}

/// Active webhooks of the server.
async fn active(app: &TestApp) -> Vec<String> {
    let mut active = Vec::new();
    for service in listing::services(&server(app).await).await.unwrap() {
        let webhooks = service.webhooks.iter().flatten().filter(|webhook| webhook.active == Some(true));
        active.extend(webhooks.map(|webhook| format!("{}: {}", service.name, webhook.name)));
    }
    active
}

/// Sends a request to the practice site itself, as its administrator.
pub(crate) async fn post(app: &TestApp, path: &str, fields: &[(&str, &str)]) -> serde_json::Value {
    let token = app.kept("portal").await.unwrap();
    let token: serde_json::Value = serde_json::from_str(&token).unwrap();
    let mut form = vec![("f", "json"), ("token", token["token"].as_str().unwrap())];
    form.extend(fields);
    let request = reqwest::Client::new().post(format!("http://{}{path}", app.practice_address())).form(&form);
    request.header("referer", "site-steward").send().await.unwrap().json().await.unwrap()
}

/// Makes a webhook of a service that sends to `receiver` after each job.
async fn webhook_to(app: &TestApp, receiver: &TestServer, name: &str) {
    let url = receiver.origin();
    let fields = [("name", name), ("hookUrl", url.as_str()), ("active", "true"), ("changeTypes", "*")];
    let answer = post(app, FLOW_TRACE, &fields).await;
    assert_eq!(answer["status"], "success", "{answer}");
}

/// Runs a job to its end.
async fn job(app: &TestApp) {
    let point = [("geometry", r#"{"x":1,"y":1}"#)];
    let submitted = post(app, &format!("{FLOW_TRACE_TASK}/submitJob"), &point).await;
    let id = submitted["jobId"].as_str().unwrap().to_owned();
    until("the job to end", async || {
        post(app, &format!("{FLOW_TRACE_TASK}/jobs/{id}"), &[]).await["jobStatus"] == "esriJobSucceeded"
    })
    .await;
}

/// Operations in the history, oldest first.
async fn recorded(app: &TestApp) -> Vec<(String, Outcome)> {
    let history = app.history().await.into_iter().rev();
    history.map(|record| (record.intent.operation, record.outcome)).collect()
}

async fn note_of_the_import(app: &TestApp) -> String {
    let history = app.history().await;
    history.into_iter().find(|record| record.intent.operation == "import_server").unwrap().note
}

/// Why nothing was imported, whether or not webhooks were inactive meanwhile.
fn cause_of(problem: &Problem) -> &Problem {
    match problem {
        Problem::WebhooksWereInactive { cause, .. } => cause,
        problem => problem,
    }
}

async fn is_open_in_the_log(app: &TestApp) -> bool {
    entries(app).await.iter().any(|entry| entry.resolved_at.is_none())
}

async fn reactivate_what_the_log_has(app: &TestApp) {
    let open = entries(app).await.into_iter().filter(|entry| entry.resolved_at.is_none());
    let open = open.map(|entry| entry.id).collect();
    let ended = reactivate_several(&app.steward.context, &app.server, app.run(), open).await.unwrap();
    assert!(matches!(ended, RunResult::Done { .. }), "{ended:?}");
}

#[tokio::test]
async fn a_receiver_gets_nothing_during_a_quiet_import_and_everything_after_it() {
    let app = TestApp::new().await;
    let receiver = TestServer::start(|_| Reply::json("{}")).await.unwrap();
    webhook_to(&app, &receiver, "Count").await;
    job(&app).await;
    until("the first delivery", async || receiver.requests().len() == 1).await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let released = Arc::new(Notify::new());
    let held = app.with_fault("/admin/importSite", Fault::HeldUntil(released.clone())).await;

    let work = async {
        until("the import", async || held.met() == 1).await;
        assert_eq!(active(&app).await, Vec::<String>::new());
        job(&app).await;
        released.notify_one();
    };
    let (ended, ()) = tokio::join!(app.import_server(quiet(&file)), work);

    let RunResult::Done { report, .. } = ended.unwrap() else { panic!() };
    assert_eq!(active(&app).await, before);
    let webhooks = u32::try_from(before.len()).unwrap();
    let all = entries(&app).await;
    let services = u32::try_from(all.len()).unwrap();
    let reactivated = report.reactivated.unwrap();
    let InactiveTime { from, to } = reactivated.inactive.unwrap();
    assert!(from < to, "{from:?} {to:?}");
    let inactive = reactivated.inactive;
    let expected =
        ReactivatedWebhooks { services, active: webhooks, inactive, ..ReactivatedWebhooks::default() };
    assert_eq!(reactivated, expected);
    assert!(all.iter().all(|entry| entry.resolved_at.is_some() && entry.why == "Import"), "{all:?}");
    job(&app).await;
    until("the second delivery", async || receiver.requests().len() > 1).await;
    assert_eq!(receiver.requests().len(), 2, "the job during the import is not delivered");
    let steps = recorded(&app).await;
    let operations: Vec<_> = steps.iter().map(|(operation, _)| operation.as_str()).collect();
    let expected = ["export_server", "deactivate_webhooks", "export_server", "import_server"];
    assert_eq!(operations[..4], expected);
    assert_eq!(operations[4..], vec!["reactivate_webhooks"; all.len()]);
    assert!(steps.iter().all(|(_, outcome)| matches!(outcome, Outcome::Succeeded | Outcome::Warnings)));
}

/// A server whose administration does not respond after an import, until the first fault is changed. The second one holds the import.
struct Restarting {
    administration: FaultProxy,
    import: FaultProxy,
    released: Arc<Notify>,
}

impl Restarting {
    /// Puts it before the server of `app`, which waits for it for a minute.
    async fn of(app: &mut TestApp) -> Self {
        app.steward.transfers.server_restart.tries = 1_000;
        let administration =
            FaultProxy::to(app.practice_address(), "GET /server/admin", Self::responding()).await.unwrap();
        let released = Arc::new(Notify::new());
        let held = Fault::HeldUntil(released.clone());
        let import = FaultProxy::to(&administration.address(), "/admin/importSite", held).await.unwrap();
        app.go_through(&import.address());
        Self { administration, import, released }
    }

    const fn responding() -> Fault {
        Fault::CutAfter(usize::MAX)
    }

    /// Lets the import through, and restarts the web server. Returns when it was asked in vain.
    async fn begin(&self) {
        until("the import", async || self.import.met() == 1).await;
        let page = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/html\r\nconnection: close\r\n\
            content-length: 12\r\n\r\n<html></html";
        self.administration.change_to(Fault::Instead(page.as_bytes().to_vec()));
        let before = self.administration.met();
        self.released.notify_one();
        until("requests in vain", async || self.administration.met() > before + 2).await;
    }
}

#[tokio::test]
async fn a_web_server_that_restarts_after_a_quiet_import_is_awaited_and_its_webhooks_are_active_again() {
    let mut app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let restarting = Restarting::of(&mut app).await;

    let restart = async {
        restarting.begin().await;
        let running = app.steward.context.runs.all().remove(0);
        assert_eq!(running.step, RunStep::AwaitingServer);
        restarting.administration.change_to(Restarting::responding());
    };
    let (ended, ()) = tokio::join!(app.import_server(quiet(&file)), restart);

    let RunResult::Done { report, .. } = ended.unwrap() else { panic!() };
    assert!(report.reactivated.unwrap().is_complete());
    assert!(report.proof.unwrap().check.is_some(), "the services are read when the server responds");
    assert_eq!(active(&app).await, before);
    assert!(!is_open_in_the_log(&app).await);
}

#[tokio::test]
async fn stop_while_a_server_restarts_leaves_the_webhooks_in_the_log() {
    let mut app = TestApp::new().await;
    let file = exported(&app).await;
    let restarting = Restarting::of(&mut app).await;

    let stop = async {
        restarting.begin().await;
        app.steward.context.runs.stop(&app.run());
    };
    let (ended, ()) = tokio::join!(app.import_server(quiet(&file)), stop);

    let RunResult::Done { report, .. } = ended.unwrap() else { panic!() };
    let left = report.reactivated.unwrap();
    assert!(left.active == 0 && !left.is_complete(), "{left:?}");
    restarting.administration.change_to(Restarting::responding());
    assert!(is_open_in_the_log(&app).await);
    reactivate_what_the_log_has(&app).await;
    assert!(!active(&app).await.is_empty());
}

#[tokio::test]
async fn the_failed_deliveries_of_a_webhook_are_kept_before_its_deactivation_removes_them() {
    let app = TestApp::new().await;
    let receiver = TestServer::start(|_| Reply::new("500 No", "", "")).await.unwrap();
    webhook_to(&app, &receiver, "Broken").await;
    job(&app).await;
    let server = server(&app).await;
    let services = listing::services(&server).await.unwrap();
    let service = services.iter().find(|service| service.name == "FlowTrace").unwrap();
    let webhook = &service.webhooks.as_ref().unwrap()[0];
    until("the failed delivery", async || {
        let of_service = ServiceWebhooks::at("Water/FlowTrace.GPServer");
        let failures = listing::failed_deliveries(&server, &of_service, &webhook.id).await.unwrap();
        failures.is_some_and(|failures| failures.count == 1)
    })
    .await;
    let file = exported(&app).await;

    app.import_server(quiet(&file)).await.unwrap();

    let deactivation =
        app.history().await.into_iter().find(|one| one.intent.operation == "deactivate_webhooks");
    let id = deactivation.unwrap().id;
    let kept =
        app.steward.context.history.journal(move |journal| journal.report_field(&id, "inventory")).await;
    let kept: serde_json::Value = kept.unwrap().unwrap().read().unwrap();
    let webhooks = kept["webhooks"].as_array().unwrap();
    let broken = webhooks.iter().find(|webhook| webhook["name"] == "Broken").unwrap();
    assert_eq!(broken["failures"], 1, "{broken}");
}

#[tokio::test]
async fn a_webhook_that_the_import_removes_is_named() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let receiver = TestServer::start(|_| Reply::json("{}")).await.unwrap();
    webhook_to(&app, &receiver, "Newer than the export").await;

    let ended = app.import_server(quiet(&file)).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let webhooks = report.reactivated.unwrap();
    let gone: Vec<_> = webhooks.gone.iter().map(|one| (one.service.as_str(), one.webhook.as_str())).collect();
    assert_eq!(gone, [("Water/FlowTrace.GPServer", "Newer than the export")]);
    assert_eq!(webhooks.failed, []);
    assert_eq!(active(&app).await, before);
    let import = app.history().await.into_iter().find(|one| one.intent.operation == "import_server");
    assert_eq!(import.unwrap().outcome, Outcome::Warnings, "as its reactivation: not all are active again");
}

#[tokio::test]
async fn stop_during_a_quiet_import_leaves_the_webhooks_in_the_log() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let silent = app.with_fault("/admin/exportSite", Fault::Silence).await;

    let stop = async {
        until("the safety backup", async || silent.met() == 1).await;
        app.steward.context.runs.stop(&app.run());
    };
    let (ended, ()) = tokio::join!(app.import_server(quiet(&file)), stop);

    assert!(matches!(ended, Ok(RunResult::NotSent { backup: Some(_), .. })), "{ended:?}");
    assert_eq!(active(&app).await, Vec::<String>::new());
    let note = note_of_the_import(&app).await;
    assert!(
        note.starts_with(&format!("{} webhooks were inactive at the end, since ", before.len())),
        "{note}"
    );
    let expected = [
        ("export_server", Outcome::Succeeded),
        ("deactivate_webhooks", Outcome::Succeeded),
        ("export_server", Outcome::Unknown),
        ("import_server", Outcome::NotSent),
    ];
    let recorded = recorded(&app).await;
    let recorded: Vec<_> =
        recorded.iter().map(|(operation, outcome)| (operation.as_str(), *outcome)).collect();
    assert_eq!(recorded, expected);
    let app = app.without_fault(silent);
    reactivate_what_the_log_has(&app).await;
    assert_eq!(active(&app).await, before);
}

#[tokio::test]
async fn stop_before_the_second_service_sends_neither_it_nor_the_import() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await.len();
    let (address, wire) = listened_to(app.practice_address()).await;
    app.go_through(&address);
    let stopped = AtomicBool::new(false);

    let stop = async {
        until("the first deactivation", async || {
            posts(&wire).iter().any(|(path, _)| path.ends_with("/deactivateAll"))
        })
        .await;
        app.steward.context.runs.stop(&app.run());
        stopped.store(true, Ordering::SeqCst);
    };
    let (ended, ()) = tokio::join!(app.import_server(quiet(&file)), stop);

    assert!(matches!(ended, Ok(RunResult::NotSent { .. })), "{ended:?}");
    let sent = posts(&wire);
    let sent = |end: &str| sent.iter().filter(|(path, _)| path.ends_with(end)).count();
    assert_eq!((sent("/deactivateAll"), sent("/exportSite"), sent("/importSite")), (1, 0, 0));
    reactivate_what_the_log_has(&app).await;
    assert_eq!(active(&app).await.len(), before);
}

#[tokio::test]
async fn without_a_safety_backup_nothing_is_imported_and_the_webhooks_are_active_again() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let refused = app.with_fault("/admin/exportSite", refusal(500)).await;

    let problem = app.import_server(quiet(&file)).await.err().unwrap();

    let Problem::WebhooksWereInactive { cause, webhooks } = problem else { panic!("{problem:?}") };
    assert!(matches!(*cause, Problem::SafetyBackupFailed { .. }), "{cause:?}");
    assert_eq!((webhooks.active as usize, webhooks.is_complete()), (before.len(), true));
    assert!(webhooks.inactive.is_some_and(|InactiveTime { from, to }| from < to), "{webhooks:?}");
    assert_eq!(refused.met(), 1);
    assert_eq!(active(&app).await, before);
    assert!(!is_open_in_the_log(&app).await);
    let note = note_of_the_import(&app).await;
    assert!(note.contains("the safety backup could not be created"), "{note}");
    assert!(note.contains(&format!("{} webhooks were inactive from ", before.len())), "{note}");
    assert!(note.ends_with("all were active again; payloads of that time are lost"), "{note}");
    let ended = app.steward.context.runs.ended();
    assert_eq!((ended.len(), ended[1].outcome), (2, Outcome::NotSent), "the run is that of the import");
}

#[tokio::test]
async fn a_rejected_quiet_import_says_how_long_its_webhooks_were_inactive() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let _refused = app.with_fault("/admin/importSite", refusal(403)).await;

    let problem = app.import_server(quiet(&file)).await.err().unwrap();

    let Problem::WebhooksWereInactive { webhooks, .. } = problem else { panic!("{problem:?}") };
    assert_eq!((webhooks.active as usize, active(&app).await), (before.len(), before));
    let note = note_of_the_import(&app).await;
    assert!(note.contains("No.") && note.contains(" webhooks were inactive from "), "{note}");
}

#[tokio::test]
async fn a_quiet_import_that_failed_after_it_had_begun_says_which_webhooks_stay_inactive() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let _refused = app.with_fault("/admin/importSite", refusal(500)).await;

    let problem = app.import_server(quiet(&file)).await.err().unwrap();

    assert!(matches!(problem, Problem::ImportFailed { .. }), "{problem:?}");
    let note = note_of_the_import(&app).await;
    // The import might have changed them.
    let expected = format!("{} webhooks might have been inactive at the end, since ", before.len());
    assert!(note.contains("No.") && note.contains(&expected), "{note}");
}

#[tokio::test]
async fn a_service_that_keeps_its_webhooks_active_ends_a_quiet_import_before_it_begins() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let refused = app.with_fault("/Hosted/Hydrants.FeatureServer/webhooks/deactivateAll", refusal(500)).await;

    let problem = app.import_server(quiet(&file)).await.err().unwrap();

    let Problem::WebhooksWereInactive { cause, webhooks } = problem else { panic!("{problem:?}") };
    let Problem::WebhooksNotDeactivated { message } = &*cause else { panic!("{cause:?}") };
    assert_eq!(message, "Hosted/Hydrants.FeatureServer: No.");
    assert!(webhooks.active > 0 && webhooks.is_complete(), "{webhooks:?}");
    assert_eq!(refused.met(), 1);
    assert_eq!(active(&app).await, before);
    assert!(!is_open_in_the_log(&app).await);
    let last = app.history().await;
    let import = last.iter().find(|record| record.intent.operation == "import_server").unwrap();
    assert_eq!(import.outcome, Outcome::NotSent);
    let inactive = format!("{message} · {} webhooks were inactive from ", webhooks.active);
    assert!(import.note.starts_with(&inactive), "{}", import.note);
    assert_eq!(last.iter().filter(|record| record.intent.operation == "export_server").count(), 1);
}

#[tokio::test]
async fn an_import_that_was_not_sent_is_no_part_of_the_batch_that_reactivated_its_webhooks() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let services = listing::services(&server(&app).await).await.unwrap();
    let is_active = |service: &listing::Service| {
        service.webhooks.iter().flatten().any(|webhook| webhook.active == Some(true))
    };
    let last = services.into_iter().rfind(is_active).unwrap();
    let path = format!("/{}/{}.{}/webhooks/deactivateAll", last.folder, last.name, last.kind);
    let refused = app.with_fault(&path, refusal(500)).await;

    app.import_server(quiet(&file)).await.err().unwrap();

    assert_eq!(refused.met(), 1);
    let history = app.history().await;
    let are_of_batches = |operation: &str| -> Vec<bool> {
        let records = history.iter().filter(|record| record.intent.operation == operation);
        records.map(|record| record.intent.batch.is_some()).collect()
    };
    assert_eq!(are_of_batches("import_server"), [false]);
    let reactivations = are_of_batches("reactivate_webhooks");
    assert!(reactivations.len() > 1 && reactivations.iter().all(|is| *is), "{reactivations:?}");
}

#[tokio::test]
async fn a_server_that_confirms_what_it_does_not_do_is_not_believed() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let confirmed = || answer(r#"{"status":"success"}"#);
    let way = app.with_fault("/deactivateAll", confirmed()).await.only(1);
    let problem = app.import_server(quiet(&file)).await.unwrap_err();
    assert!(
        way.met() == 1 && matches!(cause_of(&problem), Problem::WebhooksNotDeactivated { .. }),
        "{problem:?}"
    );
    assert_eq!(active(&app).await, before, "nothing was imported");
    assert!(
        !recorded(&app)
            .await
            .iter()
            .any(|(operation, outcome)| { operation == "import_server" && *outcome != Outcome::NotSent })
    );

    let app = app.without_fault(way);
    let backup = FaultProxy::to(app.practice_address(), "/admin/exportSite", refusal(500)).await.unwrap();
    let edit = FaultProxy::to(&backup.address(), "/edit", confirmed()).await.unwrap().only(1);
    app.go_through(&edit.address());
    let problem = app.import_server(quiet(&file)).await.unwrap_err();
    let Problem::WebhooksWereInactive { webhooks, .. } = problem else { panic!("{problem:?}") };
    assert_eq!((edit.met(), webhooks.failed.len()), (1, 1), "{webhooks:?}");
    assert!(is_open_in_the_log(&app).await);
    assert_eq!(active(&app).await.len() + 1, before.len());
    reactivate_what_the_log_has(&app).await;
    assert_eq!(active(&app).await, before);
}

#[tokio::test]
async fn a_service_whose_webhooks_are_not_listed_ends_a_quiet_import_before_it_begins() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let refused = app.with_fault("/Hosted/Hydrants.FeatureServer/webhooks?", refusal(500)).await;

    let problem = app.import_server(quiet(&file)).await.err().unwrap();

    let Problem::WebhooksNotDeactivated { message } = problem else { panic!("{problem:?}") };
    assert_eq!(message, "not listed: Hosted/Hydrants.FeatureServer");
    assert!(refused.met() > 0 && entries(&app).await.is_empty());
}

#[tokio::test]
async fn the_undo_of_a_quiet_import_reactivates_the_webhooks_that_its_backup_has_inactive() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let ended = app.import_server(quiet(&file)).await.unwrap();
    let RunResult::Done { record: Some(record), .. } = ended else { panic!("{ended:?}") };

    let undone = app.undo_import(record, false).await.unwrap();

    let RunResult::Done { report, .. } = undone else { panic!("{undone:?}") };
    let webhooks = u32::try_from(before.len()).unwrap();
    assert_eq!(report.reactivated.map(|after| after.active), Some(webhooks));
    assert_eq!(active(&app).await, before);
}

#[tokio::test]
async fn after_an_undo_of_a_quiet_import_without_a_response_the_log_has_what_its_backup_has_inactive() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let ended = app.import_server(quiet(&file)).await.unwrap();
    let RunResult::Done { record: Some(record), .. } = ended else { panic!("{ended:?}") };
    assert!(!is_open_in_the_log(&app).await);
    let _way = app.with_fault("/admin/importSite", Fault::AnswerLost).await;

    let undone = app.undo_import(record, false).await.unwrap();

    assert!(matches!(undone, RunResult::Unknown { .. }), "{undone:?}");
    assert_eq!(active(&app).await, Vec::<String>::new());
    let open = entries(&app).await;
    let left = open.iter().filter_map(|entry| entry.left.as_ref()).map(Vec::len).sum::<usize>();
    assert_eq!(left, before.len());
    let note = note_of_the_import(&app).await;
    assert!(note.contains("webhooks might have been inactive at the end, since "), "{note}");
    reactivate_what_the_log_has(&app).await;
    assert_eq!(active(&app).await, before);
}

/// The safety backup of the last import of this history.
async fn safety_backup(app: &TestApp) -> String {
    let history = app.history().await;
    let import = history.into_iter().find(|record| record.intent.operation == "import_server").unwrap();
    let parameter = import.intent.parameters.into_iter().find(|(name, _)| name == "safetyBackup");
    parameter.unwrap().1
}

#[tokio::test]
async fn the_safety_backup_of_a_quiet_import_that_is_imported_by_hand_says_what_it_has_inactive() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    app.import_server(quiet(&file)).await.unwrap();
    let backup = safety_backup(&app).await;
    assert!(!is_open_in_the_log(&app).await);

    let ended = app.import_server(form(&backup)).await.unwrap();

    assert_eq!(
        active(&app).await,
        Vec::<String>::new(),
        "nothing is reactivated without a request of the user"
    );
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let told = report.reactivated.unwrap();
    assert_eq!((told.active, told.failed.len()), (0, before.len()), "{told:?}");
    assert!(told.failed.iter().all(|one| one.message.is_empty() && !one.webhook.is_empty()), "{told:?}");
    assert_eq!(recorded(&app).await.last().unwrap().1, Outcome::Warnings);
    let note = note_of_the_import(&app).await;
    assert!(note.contains("webhooks might have been inactive at the end, since "), "{note}");
    let overview = app.steward.overviews().of_site(&app.site).await.unwrap();
    let inactive = overview.concerns.iter().filter_map(|concern| match &concern.about {
        ConcernAbout::Webhooks { webhooks, .. } => Some(webhooks.len()),
        _ => None,
    });
    assert_eq!(inactive.sum::<usize>(), before.len());
    reactivate_what_the_log_has(&app).await;
    assert_eq!(active(&app).await, before);

    // What the site refused changed nothing.
    let way = app.with_fault("/admin/importSite", refusal(403)).await;
    assert!(app.import_server(form(&backup)).await.is_err());
    assert!(!is_open_in_the_log(&app).await);
    let app = app.without_fault(way);
    // Another file has nothing of it, and an answer that was lost leaves all of it open.
    let other = app.import_server(form(&file)).await.unwrap();
    let RunResult::Done { report, .. } = other else { panic!("{other:?}") };
    assert_eq!(report.reactivated, None);
    let _way = app.with_fault("/admin/importSite", Fault::AnswerLost).await;
    let lost = app.import_server(form(&backup)).await.unwrap();
    assert!(matches!(lost, RunResult::Unknown { .. }), "{lost:?}");
    let open = entries(&app).await;
    let left = open.iter().filter_map(|entry| entry.left.as_ref()).map(Vec::len).sum::<usize>();
    assert_eq!(left, before.len());
}

#[tokio::test]
async fn a_quiet_import_of_a_file_with_inactive_webhooks_names_those_that_stay_inactive() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    app.import_server(quiet(&file)).await.unwrap();
    let backup = safety_backup(&app).await;
    let of_hydrants = |active: &[String]| active.iter().filter(|one| one.starts_with("Hydrants")).count();
    let before = of_hydrants(&active(&app).await);
    // They are no part of the next deactivation.
    let removed = post(&app, &format!("/server/admin/services/{HYDRANTS}/webhooks/deleteAll"), &[]).await;
    assert_eq!(removed["status"], "success", "{removed}");
    let others = active(&app).await;

    let ended = app.import_server(quiet(&backup)).await.unwrap();

    assert_eq!(active(&app).await, others, "the file has all of them inactive");
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let told = report.reactivated.unwrap();
    assert_eq!((told.active as usize, told.failed.len()), (others.len(), before), "{told:?}");
    assert!(told.failed.iter().all(|one| one.service == HYDRANTS && !one.webhook.is_empty()), "{told:?}");
    let open = entries(&app).await.into_iter().filter(|entry| entry.resolved_at.is_none());
    assert_eq!(open.map(|entry| entry.service).collect::<Vec<_>>(), [HYDRANTS], "all others are active");
    let note = note_of_the_import(&app).await;
    assert!(note.contains(&format!("{before} webhooks might have been inactive at the end")), "{note}");
    reactivate_what_the_log_has(&app).await;
    assert_eq!(of_hydrants(&active(&app).await), before);
}

#[tokio::test]
async fn the_safety_backup_of_a_quiet_import_that_was_not_sent_says_what_it_has_inactive() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let silent = app.with_fault("/download", Fault::Silence).await;
    let stop = async {
        until("the verification of the safety backup", async || silent.met() == 1).await;
        app.steward.context.runs.stop(&app.run());
    };
    let (ended, ()) = tokio::join!(app.import_server(quiet(&file)), stop);
    assert!(matches!(ended, Ok(RunResult::NotSent { backup: Some(_), .. })), "{ended:?}");
    let app = app.without_fault(silent);
    reactivate_what_the_log_has(&app).await;
    let stored = listing::uploads(&server(&app).await).await.unwrap();
    let [backup] = &stored[..] else { panic!("{stored:?}") };

    let ended = app.import_server(form(&backup.id)).await.unwrap();

    assert_eq!(active(&app).await, Vec::<String>::new());
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let told = report.reactivated.unwrap();
    assert_eq!((told.active, told.failed.len()), (0, before.len()), "{told:?}");
    reactivate_what_the_log_has(&app).await;
    assert_eq!(active(&app).await, before);
}

#[tokio::test]
async fn a_check_that_imported_a_file_with_inactive_webhooks_names_them() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    app.import_server(quiet(&file)).await.unwrap();
    let backup = safety_backup(&app).await;
    // The response of a server that does not know the parameter for a check, and imports.
    let report = r#"{"status":"success","result":[{"source":"Site","messages":[{"level":"INFO","message":"Imported."}]}]}"#;
    let way = app.with_fault("/admin/importSite", answer(report)).await;
    for service in entries(&app).await.into_iter().map(|entry| entry.service) {
        post(&app, &format!("/server/admin/services/{service}/webhooks/deactivateAll"), &[]).await;
    }

    let options = ImportServerOptions { check_first: true, ..ImportServerOptions::default() };
    let ended = app.import_server(ImportServerForm { options, ..form(&backup) }).await.unwrap();

    assert_eq!(way.met(), 1);
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let told = report.reactivated.unwrap();
    assert_eq!((told.active, told.failed.len()), (0, before.len()), "{told:?}");
    let note = note_of_the_import(&app).await;
    assert!(note.contains("webhooks might have been inactive at the end"), "{note}");
    reactivate_what_the_log_has(&app).await;
    assert_eq!(active(&app).await, before);
}

#[tokio::test]
async fn webhooks_that_a_quiet_import_brought_back_are_not_counted_as_inactive() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    deactivate(&app, &[HYDRANTS]).await.unwrap();

    app.import_server(quiet(&file)).await.unwrap();

    assert_eq!(active(&app).await, before, "the file has them active");
    let open: Vec<_> = entries(&app).await.into_iter().filter(|entry| entry.resolved_at.is_none()).collect();
    let [of_hydrants] = &open[..] else { panic!("{open:?}") };
    assert_eq!(of_hydrants.left.as_ref().map(Vec::len), Some(0), "{of_hydrants:?}");
    assert!(!of_hydrants.active_again.is_empty(), "{of_hydrants:?}");
}

#[tokio::test]
async fn an_upload_is_no_safety_backup_of_another_server_that_shares_the_public_url() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    app.import_server(quiet(&file)).await.unwrap();
    let backup = safety_backup(&app).await;
    let other = another_server(&app).await;
    let mut site = app.sites().get(&app.site).unwrap();
    site.servers[1].services_url = Some(site.servers[0].address.clone());
    app.sites().put(site).unwrap();
    let target = app.server_of(&app.site);
    let confirmation = app.sites().at(&target).unwrap().server_name().unwrap();
    let form = ImportServerForm { confirmation, ..form(&backup) };
    let Steward { context, transfers, .. } = &app.steward;

    let ended = Box::pin(import_server::perform(context, transfers, &target, app.run(), form)).await.unwrap();

    assert!(matches!(ended, RunResult::Unknown { .. }), "{ended:?}");
    assert!(other.asked().iter().any(|request| request.contains("/admin/importsite")));
    assert!(!is_open_in_the_log(&app).await, "the webhooks of the first server are as they were");
}

#[tokio::test]
async fn an_undo_of_a_quiet_import_that_the_server_refuses_leaves_the_log_as_it_was() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let ended = app.import_server(quiet(&file)).await.unwrap();
    let RunResult::Done { record: Some(record), .. } = ended else { panic!("{ended:?}") };
    let state = async || {
        let closed = entries(&app).await.into_iter();
        closed.map(|entry| (entry.id, entry.resolved_at, entry.restored_by)).collect::<Vec<_>>()
    };
    let before = state().await;
    let _way = app.with_fault("/admin/importSite", refusal(403)).await;

    let refused = app.undo_import(record, false).await;

    assert!(matches!(refused, Err(Problem::Rejected { .. })), "{refused:?}");
    assert!(before.iter().all(|(_, resolved_at, _)| resolved_at.is_some()));
    assert_eq!(state().await, before);
}

#[tokio::test]
async fn the_undo_of_an_undo_leaves_webhooks_inactive_that_were_deactivated_after_the_quiet_import() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let all = active(&app).await;
    let RunResult::Done { record: Some(import), .. } = app.import_server(quiet(&file)).await.unwrap() else {
        panic!()
    };
    deactivate(&app, &["Hosted/Hydrants.FeatureServer"]).await.unwrap();
    let fewer = active(&app).await;
    assert!(fewer.len() < all.len());
    let RunResult::Done { record: Some(undo), .. } = app.undo_import(import, true).await.unwrap() else {
        panic!()
    };
    assert_eq!(active(&app).await, all);

    let again = app.undo_import(undo, false).await.unwrap();

    let RunResult::Done { report, .. } = again else { panic!("{again:?}") };
    assert_eq!(active(&app).await, fewer, "its backup was not taken during the quiet import");
    assert_eq!(report.reactivated, None);
}

/// Not a test: what is killed. It imports quietly, and prints each step.
#[tokio::test]
#[ignore = "the process that the other tests start and kill"]
async fn imports_quietly_until_it_is_killed() {
    if std::env::var_os(killed::CHILD).is_none() {
        return;
    }
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let say = |word: &str| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "\n{word}").unwrap();
        out.flush().unwrap();
    };
    say("begins");
    let steps = async {
        let mut last = None;
        loop {
            let now = app.steward.context.runs.all().first().map(|run| std::mem::discriminant(&run.step));
            if now.is_some() && now != last {
                last = now;
                say("step");
            }
            tokio::task::yield_now().await;
        }
    };
    let import = app.import_server(quiet(&file));
    tokio::select! {
        ended = import => { ended.unwrap(); }
        () = steps => {}
    }
    say("ended");
    std::future::pending().await
}

#[tokio::test]
async fn after_a_kill_at_every_step_of_a_quiet_import_the_log_has_what_is_inactive() {
    let expected = active(&TestApp::new().await).await;
    let (mut steps, mut were_inactive) = (0, 0);
    loop {
        let folder = tempfile::tempdir().unwrap();
        let mut child =
            killed::start_to("quiet_import::imports_quietly_until_it_is_killed", folder.path(), false);
        let ended = killed::ends_before(&mut child, "ended", "step", steps + 1);
        killed::kill(child);
        let left = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let left = left.filter(|path| path.join("program/journal.db").exists()).collect::<Vec<_>>();

        let app = TestApp::reopened(&left[0]).await;

        for (operation, outcome) in recorded(&app).await {
            assert_ne!(outcome, Outcome::Failed, "step {steps}: {operation}");
        }
        let compared = compare(&app.steward.context, &app.server).await.unwrap();
        let active_again: Vec<_> =
            compared.into_iter().filter(|entry| !entry.active_again.is_empty()).collect();
        were_inactive += usize::from(active(&app).await.is_empty());
        let open = entries(&app).await.into_iter().filter(|entry| entry.resolved_at.is_none()).count();
        assert!(active_again.len() <= open);
        if open > 0 {
            reactivate_what_the_log_has(&app).await;
        }
        assert_eq!(active(&app).await, expected, "killed in step {steps}");
        if ended {
            break;
        }
        steps += 1;
    }
    assert!(steps > 4 && were_inactive > 0, "{steps} steps, {were_inactive} times inactive");
}

#[tokio::test]
async fn the_undo_of_a_quiet_import_is_not_said_to_undo_its_own_reactivations() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let ended = app.import_server(quiet(&file)).await.unwrap();
    let RunResult::Done { record: Some(record), .. } = ended else { panic!("{ended:?}") };
    assert!(recorded(&app).await.iter().any(|(operation, _)| operation == "reactivate_webhooks"));

    let (sites, history) = (app.sites(), &app.steward.context.history);
    let changes = since_import(sites, history, record).await.unwrap();

    assert_eq!(changes.count, 0, "{changes:?}");
}

#[tokio::test]
async fn a_webhook_whose_receiver_is_masked_ends_a_quiet_import_before_it_begins() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    hide_receiver(&app, "Notify maintenance");

    let problem = app.import_server(quiet(&file)).await.err().unwrap();

    let Problem::WebhooksNotDeactivated { message } = cause_of(&problem) else { panic!("{problem:?}") };
    assert!(message.contains("Notify maintenance: the server does not return its hookUrl"), "{message}");
    assert_eq!(active(&app).await, before);
    assert!(!is_open_in_the_log(&app).await);
}

#[tokio::test]
async fn a_webhook_whose_state_is_not_known_ends_a_quiet_import_before_it_begins() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let list = r#"{"total":1,"start":1,"num":100,"nextStart":-1,"webhooks":[{"id":"w1","name":"Odd"}]}"#;
    let _odd = app.with_fault("/Hosted/Hydrants.FeatureServer/webhooks?", answer(list)).await;

    let problem = app.import_server(quiet(&file)).await.err().unwrap();

    assert!(matches!(cause_of(&problem), Problem::WebhooksNotDeactivated { .. }), "{problem:?}");
    app.go_through(app.practice_address());
    assert_eq!(active(&app).await, before);
    assert!(!is_open_in_the_log(&app).await);
}

#[tokio::test]
async fn what_is_not_active_again_is_named_also_when_nothing_was_imported() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let backup = FaultProxy::to(app.practice_address(), "/admin/exportSite", refusal(500)).await.unwrap();
    let edit = FaultProxy::to(&backup.address(), "/edit", refusal(500)).await.unwrap();
    app.go_through(&edit.address());

    let problem = app.import_server(quiet(&file)).await.err().unwrap();

    let Problem::WebhooksWereInactive { cause, webhooks } = problem else { panic!("{problem:?}") };
    assert!(matches!(*cause, Problem::SafetyBackupFailed { .. }), "{cause:?}");
    assert_eq!((webhooks.active, webhooks.failed.len()), (0, edit.met()));
    assert!(is_open_in_the_log(&app).await);
}

#[tokio::test]
async fn a_service_whose_webhooks_were_deactivated_by_another_user_takes_no_result_of_the_next_one() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let hydrants = "Hosted/Hydrants.FeatureServer";
    let listed = r#"{"webhooks":[{"id":"h1","name":"Notify","active":false}],"nextStart":-1}"#;
    let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", listed.len());
    let answer = Fault::Instead([head.as_bytes(), listed.as_bytes()].concat());
    // Active when the inventory is taken, and inactive right after it.
    let list =
        FaultProxy::to(app.practice_address(), &format!("/{hydrants}/webhooks?"), answer).await.unwrap();
    let list = list.sparing(1);
    let backup = FaultProxy::to(&list.address(), "/admin/exportSite", refusal(500)).await.unwrap();
    let edit = FaultProxy::to(&backup.address(), "/edit", refusal(500)).await.unwrap();
    app.go_through(&edit.address());

    let problem = app.import_server(quiet(&file)).await.err().unwrap();

    let Problem::WebhooksWereInactive { webhooks, .. } = problem else { panic!("{problem:?}") };
    assert!(list.met() > 0 && edit.met() > 0);
    assert_eq!((webhooks.active, webhooks.failed.len()), (0, edit.met()), "{webhooks:?}");
    assert!(
        webhooks.failed.iter().all(|one| one.service != hydrants && !one.webhook.is_empty()),
        "{webhooks:?}"
    );
}

#[tokio::test]
async fn stop_skips_the_check_of_a_quiet_import_and_not_its_reactivation() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    // The states of the services are requested before the import too.
    let counted =
        FaultProxy::to(app.practice_address(), "/report", Fault::CutAfter(usize::MAX)).await.unwrap();
    let gate = Arc::new(Notify::new());
    let import =
        FaultProxy::to(&counted.address(), "/importSite", Fault::HeldUntil(gate.clone())).await.unwrap();
    app.go_through(&import.address());
    let counting = async {
        until("the import", async || import.met() == 1).await;
        let inventory = counted.met();
        gate.notify_one();
        inventory
    };
    let (ended, inventory) = tokio::join!(app.import_server(quiet(&file)), counting);
    ended.unwrap();
    let silent = FaultProxy::to(app.practice_address(), "/report", Fault::Silence).await.unwrap();
    let silent = silent.sparing(inventory);
    app.go_through(&silent.address());
    let stop = async {
        until("the check", async || silent.met() > 0).await;
        app.steward.context.runs.stop(&app.run());
    };

    let (ended, ()) = tokio::join!(app.import_server(quiet(&file)), stop);

    let Ok(RunResult::Done { report, .. }) = ended else { panic!("{ended:?}") };
    assert_eq!(report.proof, None, "it was skipped");
    let reactivated = report.reactivated.unwrap();
    assert_eq!((reactivated.active as usize, reactivated.failed.len()), (before.len(), 0));
    let app = app.without_fault(silent);
    assert_eq!(active(&app).await, before);
    assert!(!is_open_in_the_log(&app).await);
}

#[tokio::test]
async fn the_failed_deliveries_of_the_webhooks_that_are_asked_for_have_their_number_and_times() {
    let app = TestApp::new().await;
    let receiver = TestServer::start(|_| Reply::new("500 No", "", "")).await.unwrap();
    webhook_to(&app, &receiver, "Broken").await;
    job(&app).await;
    let services = listing::services(&server(&app).await).await.unwrap();
    let of =
        |service: &str| services.iter().find(|one| one.name == service).unwrap().webhooks.clone().unwrap();
    let broken = of("FlowTrace").into_iter().find(|webhook| webhook.name == "Broken").unwrap();
    let hydrants = of("Hydrants").remove(0);
    let asked = |service: &str, webhook: &str| WebhookOfService {
        service: service.to_owned(),
        webhook: webhook.to_owned(),
    };
    let broken = asked("Water/FlowTrace.GPServer", &broken.id);
    let all = [broken, asked("Hosted/Hydrants.FeatureServer", &hydrants.id), asked("Gone.GPServer", "1")];
    let read = async || failed_deliveries(&app.steward.context.access, &app.server, &all).await.unwrap();

    until("the failed delivery", async || read().await[0].failures == Some(1)).await;

    let listed = read().await;
    assert!(listed[0].last.is_some() && listed[0].first == listed[0].last, "{listed:?}");
    assert_eq!((listed[1].failures, listed[1].last), (Some(0), None), "none is listed: {listed:?}");
    assert_eq!(listed[2].failures, None, "nothing is known of a service that is gone: {listed:?}");
}

#[tokio::test]
async fn after_an_undo_of_a_quiet_import_whose_reactivation_is_refused_log_and_overview_have_the_webhooks() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let ended = app.import_server(quiet(&file)).await.unwrap();
    let RunResult::Done { record: Some(record), .. } = ended else { panic!("{ended:?}") };
    let _refused = app.with_fault("/edit", refusal(403)).await;

    let undone = app.undo_import(record, false).await.unwrap();

    let RunResult::Done { report, .. } = undone else { panic!("{undone:?}") };
    let reactivated = report.reactivated.unwrap();
    assert_eq!((reactivated.active, reactivated.failed.len()), (0, before.len()), "{reactivated:?}");
    assert_eq!(active(&app).await, Vec::<String>::new());
    let open = entries(&app).await;
    let left = open.iter().filter_map(|entry| entry.left.as_ref()).map(Vec::len).sum::<usize>();
    assert_eq!(left, before.len());
    let overview = app.steward.overviews().of_site(&app.site).await.unwrap();
    let inactive = overview.concerns.iter().filter_map(|concern| match &concern.about {
        ConcernAbout::Webhooks { webhooks, .. } => Some(webhooks.len()),
        _ => None,
    });
    assert_eq!(inactive.sum::<usize>(), before.len());
}

#[tokio::test]
async fn the_undo_of_a_quiet_import_tells_only_of_the_time_since_it_made_the_webhooks_inactive_again() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let ended = app.import_server(quiet(&file)).await.unwrap();
    let RunResult::Done { record: Some(record), report, .. } = ended else { panic!("{ended:?}") };
    let were_active_since = report.reactivated.unwrap().inactive.unwrap().to;
    let first = entries(&app).await;

    let undone = app.undo_import(record, false).await.unwrap();

    let RunResult::Done { report, .. } = undone else { panic!("{undone:?}") };
    let inactive = report.reactivated.unwrap().inactive.unwrap();
    assert!(inactive.from >= were_active_since, "{inactive:?}, active since {were_active_since:?}");
    for (entry, before) in entries(&app).await.into_iter().zip(first) {
        assert!(entry.deactivated_at >= were_active_since, "{entry:?}");
        assert_eq!((entry.id, entry.record), (before.id, before.record), "it is the same entry");
    }
}

#[tokio::test]
async fn webhooks_whose_states_cannot_be_read_after_an_import_are_not_said_to_be_inactive() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let lists =
        FaultProxy::to(app.practice_address(), "/webhooks?", Fault::CutAfter(usize::MAX)).await.unwrap();
    let gate = Arc::new(Notify::new());
    let import =
        FaultProxy::to(&lists.address(), "/importSite", Fault::HeldUntil(gate.clone())).await.unwrap();
    app.go_through(&import.address());
    let counting = async {
        until("the import", async || import.met() == 1).await;
        gate.notify_one();
        lists.met()
    };
    let (ended, lists) = tokio::join!(app.import_server(quiet(&file)), counting);
    ended.unwrap();
    let refused = FaultProxy::to(app.practice_address(), "/webhooks?", refusal(500)).await.unwrap();
    let refused = refused.sparing(lists);
    app.go_through(&refused.address());

    let ended = app.import_server(quiet(&file)).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert!(refused.met() > 0);
    app.go_through(app.practice_address());
    assert_eq!(active(&app).await, before, "the export has them active");
    let reactivated = report.reactivated.unwrap();
    assert_eq!((reactivated.failed, reactivated.unknown.len()), (Vec::new(), before.len()));
    assert!(is_open_in_the_log(&app).await);
    let history = app.history().await;
    let import = history.iter().find(|record| record.intent.operation == "import_server").unwrap();
    assert_eq!(import.outcome, Outcome::Warnings);
}

#[tokio::test]
async fn after_an_import_the_log_counts_what_it_left_inactive_and_without_a_response_all() {
    for (fault, is_lost) in [(refusal(403), false), (Fault::AnswerLost, true)] {
        let app = TestApp::new().await;
        let way =
            FaultProxy::to(app.practice_address(), "/admin/importSite", fault).await.unwrap().sparing(1);
        app.go_through(&way.address());
        let file = exported(&app).await;
        deactivate(&app, &["Water/Mains.FeatureServer"]).await.unwrap();
        let left = async || {
            entries(&app).await.iter().filter_map(|entry| entry.left.as_ref()).map(Vec::len).sum::<usize>()
        };
        let all = left().await;
        assert!(all > 0);

        let ended = app.import_server(form(&file)).await.unwrap();
        assert!(matches!(ended, RunResult::Done { .. }), "{ended:?}");
        assert_eq!(left().await, 0, "the export has them active");
        assert!(is_open_in_the_log(&app).await);

        let again = app.import_server(form(&file)).await;
        assert_eq!(matches!(again, Ok(RunResult::Unknown { .. })), is_lost, "{again:?}");
        let expected = if is_lost { all } else { 0 };
        assert_eq!(left().await, expected, "nobody knows what a server has after a lost response");
    }
}

#[tokio::test]
async fn a_quiet_import_whose_deactivation_cannot_be_recorded_reactivates_the_webhooks_and_says_why() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal.execute_batch(full).unwrap();

    let problem = app.import_server(quiet(&file)).await.err().unwrap();

    let Problem::WebhooksWereInactive { cause, webhooks } = problem else { panic!("{problem:?}") };
    assert!(matches!(*cause, Problem::NotRecorded { .. }), "{cause:?}");
    assert_eq!((webhooks.active as usize, webhooks.is_complete()), (before.len(), true), "{webhooks:?}");
    assert_eq!(active(&app).await, before);
    assert!(!is_open_in_the_log(&app).await);
    assert_eq!(app.steward.context.runs.ended().last().map(|run| run.outcome), Some(Outcome::NotSent));
    journal.execute_batch("DROP TRIGGER full").unwrap();
    until("the outcomes", async || recorded(&app).await.iter().all(|(_, one)| *one != Outcome::Sent)).await;
}

/// A server that keeps one of two webhooks of a service active, whatever it confirms.
fn keeps_one_active(app: &TestApp) {
    let database = rusqlite::Connection::open(app.practice_folder().join("server/server.db")).unwrap();
    let stays =
        "CREATE TRIGGER stays BEFORE UPDATE OF active ON webhooks WHEN NEW.name = 'Notify maintenance'
        BEGIN SELECT RAISE(IGNORE); END";
    database.execute_batch(stays).unwrap();
}

#[tokio::test]
async fn a_service_whose_webhooks_were_deactivated_in_part_has_them_active_again_and_nothing_is_imported() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let database = rusqlite::Connection::open(app.practice_folder().join("server/server.db")).unwrap();
    let others = "UPDATE webhooks SET active = 0 WHERE service_id NOT IN
        (SELECT service_id FROM webhooks WHERE name = 'Notify maintenance')";
    database.execute(others, []).unwrap();
    let before = active(&app).await;
    assert_eq!(before.len(), 2, "{before:?}");
    keeps_one_active(&app);

    let problem = app.import_server(quiet(&file)).await.err().unwrap();

    let Problem::WebhooksWereInactive { cause, webhooks } = problem else { panic!("{problem:?}") };
    assert!(matches!(*cause, Problem::WebhooksNotDeactivated { .. }), "{cause:?}");
    assert_eq!((webhooks.active, webhooks.is_complete()), (2, true), "{webhooks:?}");
    assert_eq!(active(&app).await, before);
    assert!(!is_open_in_the_log(&app).await);
}

#[tokio::test]
async fn after_a_deactivation_that_is_not_as_confirmed_the_log_counts_what_is_inactive() {
    for (is_in_part, inactive) in [(true, 1), (false, 0)] {
        let app = TestApp::new().await;
        let confirmed = answer(r#"{"status":"success"}"#);
        // For one of two requests, the server itself deactivates some of the webhooks.
        let on = if is_in_part { "/nothing" } else { "/deactivateAll" };
        let _way = app.with_fault(on, confirmed).await;
        if is_in_part {
            keeps_one_active(&app);
        }

        let ended = deactivate(&app, &["Hosted/Hydrants.FeatureServer"]).await;

        let why = PreconditionFailure::StillActive;
        assert_eq!(ended.map(|_| ()), Err(Problem::PreconditionFailed { why }));
        let left = entries(&app).await.into_iter().filter_map(|entry| entry.left).flatten().count();
        assert_eq!(left, inactive);
        let overview = app.steward.overviews().of_site(&app.site).await.unwrap();
        let is_told = |about: &ConcernAbout| matches!(about, ConcernAbout::Webhooks { .. });
        assert_eq!(overview.concerns.iter().any(|concern| is_told(&concern.about)), inactive > 0);
    }
}

#[tokio::test]
async fn the_undo_of_an_undo_reactivates_webhooks_that_were_inactive_when_its_safety_backup_was_made() {
    let app = TestApp::new().await;
    let database = rusqlite::Connection::open(app.practice_folder().join("server/server.db")).unwrap();
    let set = |active: u8| {
        let sql = "UPDATE webhooks SET active = ?1 WHERE name = 'Notify maintenance'";
        assert_eq!(database.execute(sql, [active]).unwrap(), 1);
    };
    // It is inactive in the export, and is not reactivated after the import.
    set(0);
    let file = exported(&app).await;
    set(1);
    let before = active(&app).await;
    let edit = app.with_fault("/edit", answer(r#"{"status":"success"}"#)).await.only(1);
    let ended = app.import_server(quiet(&file)).await.unwrap();
    let RunResult::Done { record: Some(import), .. } = ended else { panic!("{ended:?}") };
    let app = app.without_fault(edit);
    assert_eq!(active(&app).await.len() + 1, before.len());
    let undone = app.undo_import(import, true).await.unwrap();
    let RunResult::Done { record: Some(undo), .. } = undone else { panic!("{undone:?}") };
    assert_eq!(active(&app).await, before);
    assert!(!is_open_in_the_log(&app).await);

    let again = app.undo_import(undo, false).await.unwrap();

    let RunResult::Done { report, .. } = again else { panic!("{again:?}") };
    assert_eq!(active(&app).await, before);
    assert!(report.reactivated.is_some_and(|webhooks| webhooks.is_complete()));
    assert!(!is_open_in_the_log(&app).await);
}

#[tokio::test]
async fn the_safety_backup_of_a_quiet_import_says_what_it_has_inactive_also_in_another_saved_site() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let before = active(&app).await;
    app.import_server(quiet(&file)).await.unwrap();
    let backup = safety_backup(&app).await;
    let ready = app.practice.ready();
    let other = app.sites().save(&SiteForm::of("Harbour", &ready.portal, &ready.server)).unwrap();
    let (user, context) = (app.user("administrator"), &app.steward.context);
    let password = Secret::new(user.password.clone());
    sign_in_as(context, &other.id, &user.username, &password).await.unwrap();

    let import = ImportServerForm { confirmation: "Harbour".to_owned(), ..form(&backup) };
    let (transfers, target) = (&app.steward.transfers, other.current_target());
    let ended = Box::pin(import_server::perform(context, transfers, &target, app.run(), import)).await;

    let Ok(RunResult::Done { report, .. }) = ended else { panic!("{ended:?}") };
    assert_eq!(report.reactivated.unwrap().failed.len(), before.len());
    assert!(is_open_in_the_log(&app).await);
    reactivate_what_the_log_has(&app).await;
    assert_eq!(active(&app).await, before);
}
