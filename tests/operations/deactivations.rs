use std::sync::{Arc, Mutex};

use steward_app::overview::ConcernAbout;
use steward_client::Endpoint;
use steward_client::webhooks::ServiceWebhooks;
use steward_core::batch::result::BatchItemResult;
use steward_core::follow_up::reminders::{self, ReminderAbout};
use steward_core::history::summary::Summary;
use steward_core::listings::services_of;
use steward_core::model::history_key::HistoryAction;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::{PreconditionFailure, Problem};
use steward_core::model::run_result::RunResult;
use steward_core::operations::deactivate_webhooks::DeactivateWebhooksForm;
use steward_core::operations::deactivate_webhooks::single::{self, DeactivateWebhookForm};
use steward_core::runs::{RunId, RunRegistry};
use steward_core::sites::SiteForm;
use steward_core::webhooks::deactivation_log::{self, DeactivationView};
use steward_core::webhooks::reactivation::{self, ReactivationEnd, ReactivationReport};
use steward_journal::Outcome;
use steward_testkit::{Fault, FaultProxy, until};

use crate::held_keyring::{HeldKeyring, Question};
use crate::summaries::newest;
use crate::test_app::TestApp;

const HYDRANTS: &str = "Hosted/Hydrants.FeatureServer";
const BUFFER: &str = "Buffer.GPServer";

pub(crate) async fn server(app: &TestApp) -> Endpoint {
    app.steward.context.access.server(&app.sites().at(&app.server).unwrap()).await.unwrap()
}

/// Names of the webhooks of a service and whether they are active.
async fn webhooks(app: &TestApp, service: &str) -> Vec<(String, bool)> {
    let all = ServiceWebhooks::at(service).list(&server(app).await).await.unwrap();
    all.into_iter().map(|webhook| (webhook.name, webhook.active == Some(true))).collect()
}

/// Deactivates the webhooks of services.
pub(crate) async fn deactivate(
    app: &TestApp,
    services: &[&str],
) -> Result<RunResult<impl Sized + use<>>, Problem> {
    let form = DeactivateWebhooksForm {
        services: services.iter().map(|service| (*service).to_owned()).collect(),
        why: "The receiver moves".to_owned(),
        confirmation: String::new(),
    };
    app.deactivate_webhooks(form).await
}

pub(crate) async fn entries(app: &TestApp) -> Vec<DeactivationView> {
    deactivation_log::entries(&app.steward.context, Some(&app.site)).await.unwrap()
}

async fn restored(app: &TestApp, entry: &DeactivationView) -> ReactivationReport {
    let ended = reactivation::reactivate(&app.steward.context, &app.server, app.run(), entry.id.clone())
        .await
        .unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    report
}

pub(crate) fn refusal(code: u16) -> Fault {
    let body = format!(r#"{{"status":"error","messages":["No."],"code":{code}}}"#);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    Fault::Instead(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

#[tokio::test]
async fn exactly_those_webhooks_that_were_active_are_active_again() {
    let app = TestApp::new().await;
    let before = webhooks(&app, HYDRANTS).await;
    assert!(before.iter().any(|(_, active)| *active) && before.iter().any(|(_, active)| !active));
    deactivate(&app, &[HYDRANTS]).await.unwrap();
    assert!(webhooks(&app, HYDRANTS).await.iter().all(|(_, active)| !active));

    let app = app.restarted();
    let entry = entries(&app).await.remove(0);
    assert_eq!((entry.why.as_str(), entry.known), ("The receiver moves", true));
    let report = restored(&app, &entry).await;

    assert_eq!((report.webhooks.len(), report.recorded), (2, true));
    assert!(report.webhooks.iter().all(|one| one.end == ReactivationEnd::Activated), "{report:?}");
    assert_eq!(webhooks(&app, HYDRANTS).await, before);
    let entry = entries(&app).await.remove(0);
    assert!(entry.resolved_at.is_some());
    let record = app.history().await.remove(0);
    assert_eq!(
        (record.intent.operation.as_str(), record.outcome),
        ("reactivate_webhooks", Outcome::Succeeded)
    );
    assert_eq!(record.intent.requests.len(), 2, "one for each, and none for the inactive one");
    assert!(!format!("{record:?}").contains("hooks.example"), "receivers' addresses are often secrets");
}

#[tokio::test]
async fn a_webhook_that_was_deleted_meanwhile_is_said_so() {
    let app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.unwrap();
    let database = rusqlite::Connection::open(server_database(&app)).unwrap();
    let deleted = database.execute("DELETE FROM webhooks WHERE name = 'Notify maintenance'", []).unwrap();
    assert_eq!(deleted, 1);

    let report = restored(&app, &entries(&app).await[0]).await;

    let end = |name: &str| report.webhooks.iter().find(|one| one.name == name).unwrap().end.clone();
    assert_eq!(end("Notify maintenance"), ReactivationEnd::Gone);
    let record = app.history().await.remove(0);
    assert_eq!(record.outcome, Outcome::Warnings, "not every webhook is active again");
    assert_eq!(end("Copy to the fire service"), ReactivationEnd::Activated);
    assert!(entries(&app).await[0].resolved_at.is_some());
}

/// What the window, the record and the summary in the history say of a reactivation.
async fn counted(app: &TestApp, report: &ReactivationReport) -> (u32, u32, Outcome) {
    let counts = report.counts;
    let record = app.history().await.remove(0);
    assert_eq!((record.facts.reactivation, record.outcome), (Some(counts), report.outcome));
    let entry = newest(app).await;
    let Some(Summary::Reactivation { webhooks, reactivated, .. }) = entry.summary else {
        panic!("{entry:?}")
    };
    assert_eq!((webhooks, reactivated), (counts.inactive, Some(counts.reactivated)));
    (counts.reactivated, counts.inactive, report.outcome)
}

fn in_server_database(app: &TestApp, change: &str) {
    let database = rusqlite::Connection::open(server_database(app)).unwrap();
    assert!(database.execute(change, []).unwrap() > 0);
}

#[tokio::test]
async fn the_report_and_the_history_count_the_webhooks_of_a_reactivation_alike() {
    let app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.unwrap();
    activate(&app, HYDRANTS, "Notify maintenance").await;
    let entry = entries(&app).await.remove(0);
    let report = restored(&app, &entry).await;
    assert_eq!(counted(&app, &report).await, (1, 1, Outcome::Succeeded), "one was active already");

    deactivate(&app, &[HYDRANTS]).await.unwrap();
    in_server_database(&app, "DELETE FROM webhooks WHERE name = 'Notify maintenance'");
    let entry = entries(&app).await.remove(0);
    let report = restored(&app, &entry).await;
    assert_eq!(counted(&app, &report).await, (1, 2, Outcome::Warnings), "one does not exist any more");

    deactivate(&app, &[HYDRANTS]).await.unwrap();
    in_server_database(&app, "DELETE FROM webhooks WHERE name = 'Copy to the fire service'");
    let entry = entries(&app).await.remove(0);
    let report = restored(&app, &entry).await;
    assert_eq!(counted(&app, &report).await, (0, 1, Outcome::Warnings), "nothing was reactivated");
}

#[tokio::test]
async fn a_webhook_whose_identifier_changed_is_not_said_to_be_deleted_and_stays_in_the_log() {
    let app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.unwrap();
    in_server_database(&app, "UPDATE webhooks SET id = 'another' WHERE name = 'Notify maintenance'");

    let report = restored(&app, &entries(&app).await[0]).await;

    let end = |name: &str| report.webhooks.iter().find(|one| one.name == name).unwrap().end.clone();
    let why = PreconditionFailure::WebhookReplaced { webhook: "Notify maintenance".to_owned() };
    let problem = Problem::PreconditionFailed { why };
    assert_eq!(end("Notify maintenance"), ReactivationEnd::Rejected { problem });
    assert_eq!(end("Copy to the fire service"), ReactivationEnd::Activated);
    let inactive = webhooks(&app, HYDRANTS).await.into_iter().find(|(name, _)| name == "Notify maintenance");
    assert!(!inactive.unwrap().1, "what another webhook does is not known");
    assert!(entries(&app).await[0].resolved_at.is_none());
    assert_eq!(counted(&app, &report).await, (1, 2, Outcome::Warnings));
}

fn server_database(app: &TestApp) -> std::path::PathBuf {
    app.practice_folder().join("server/server.db")
}

#[tokio::test]
async fn all_are_activated_at_once_only_where_all_were_active() {
    // Of this service all were active.
    let app = TestApp::new().await;
    let before = webhooks(&app, BUFFER).await;
    deactivate(&app, &[BUFFER, HYDRANTS]).await.unwrap();
    let no_edit = app.with_fault("/edit", refusal(404)).await;
    let entries = entries(&app).await;
    let of = |service: &str| entries.iter().find(|entry| entry.service == service).unwrap();

    let report = restored(&app, of(BUFFER)).await;
    assert!(report.webhooks.iter().all(|one| one.end == ReactivationEnd::Activated), "{report:?}");
    assert_eq!(webhooks(&app, BUFFER).await, before);
    assert_eq!(no_edit.met(), 1);

    // Of this one, one was not.
    let report = restored(&app, of(HYDRANTS)).await;
    let refused =
        |one: &&reactivation::ReactivatedWebhook| matches!(one.end, ReactivationEnd::Rejected { .. });
    assert_eq!(report.webhooks.iter().filter(refused).count(), 2, "{report:?}");
    assert!(webhooks(&app, HYDRANTS).await.iter().all(|(_, active)| !active));
    assert_eq!(app.history().await[0].outcome, Outcome::Failed);
    let open = deactivation_log::entries(&app.steward.context, None).await.unwrap();
    let open = open.iter().find(|entry| entry.service == HYDRANTS).unwrap();
    assert_eq!(open.resolved_at, None, "it stays in the ledger");
}

#[tokio::test]
async fn webhooks_that_a_server_deactivates_before_it_rejects_the_request_stay_in_the_log() {
    let app = TestApp::new().await;
    let now = ServiceWebhooks::at(BUFFER).list(&server(&app).await).await.unwrap();
    let inactive: Vec<_> = now
        .iter()
        .map(|webhook| serde_json::json!({ "id": webhook.id, "name": webhook.name, "active": false }))
        .collect();
    let list = serde_json::json!({ "total": now.len(), "start": 1, "num": 100, "nextStart": -1, "webhooks": inactive });
    let refused = FaultProxy::to(app.practice_address(), "/deactivateAll", refusal(500)).await.unwrap();
    let list = crate::import_server::answer(&list.to_string());
    let lists = FaultProxy::to(&refused.address(), "/webhooks?", list).await.unwrap().sparing(1);
    app.go_through(&lists.address());

    let ended = deactivate(&app, &[BUFFER]).await;

    let is_unknown = matches!(ended, Ok(RunResult::Unknown { problem: Some(Problem::Rejected { .. }), .. }));
    assert!(is_unknown, "the server said no, and lists them as inactive");
    let entry = entries(&app).await.remove(0);
    assert_eq!((entry.resolved_at, entry.known), (None, false));
    assert!(entry.left.is_some_and(|left| !left.is_empty()));
    let record = app.history().await.remove(0);
    assert_eq!((record.outcome, record.note.as_str()), (Outcome::Unknown, "No."));
}

#[tokio::test]
async fn after_a_lost_answer_to_the_activation_of_all_webhooks_each_is_as_the_server_lists_it() {
    for listed in [1, 0] {
        let app = TestApp::new().await;
        let database = rusqlite::Connection::open(server_database(&app)).unwrap();
        for (name, _) in webhooks(&app, HYDRANTS).await.iter().filter(|(_, is_active)| !is_active) {
            database.execute("DELETE FROM webhooks WHERE name = ?1", [name]).unwrap();
        }
        deactivate(&app, &[HYDRANTS]).await.unwrap();
        let entry = entries(&app).await.remove(0);
        let ids = entry.active_ids.clone().unwrap();
        let webhook = |(place, id)| serde_json::json!({ "id": id, "name": format!("w{place}"), "active": place < listed });
        let all: Vec<_> = ids.iter().enumerate().map(webhook).collect();
        let list =
            serde_json::json!({ "total": 2, "start": 1, "num": 100, "nextStart": -1, "webhooks": all });
        let edits = FaultProxy::to(app.practice_address(), "/edit", refusal(404)).await.unwrap();
        let lost = FaultProxy::to(&edits.address(), "/activateAll", Fault::AnswerLost).await.unwrap();
        let list = crate::import_server::answer(&list.to_string());
        let lists = FaultProxy::to(&lost.address(), "/webhooks?", list).await.unwrap().sparing(1);
        app.go_through(&lists.address());

        let report = restored(&app, &entry).await;

        let ends = report.webhooks.iter().map(|one| match one.end {
            ReactivationEnd::Activated => "activated",
            ReactivationEnd::Unknown { .. } => "unknown",
            _ => "other",
        });
        let expected = if listed == 1 { ["activated", "unknown"] } else { ["unknown", "unknown"] };
        assert_eq!(ends.collect::<Vec<_>>(), expected);
        assert_eq!(lost.met(), 1, "it is sent once");
        assert_eq!((report.outcome, entries(&app).await[0].resolved_at), (Outcome::Unknown, None));
    }
}

#[tokio::test]
async fn a_service_whose_webhooks_cannot_be_listed_is_silenced_and_the_ledger_says_so() {
    let app = TestApp::new().await;
    let way = app.with_fault("GET /server/admin/services/Buffer.GPServer/webhooks", refusal(403)).await;

    deactivate(&app, &[BUFFER]).await.unwrap();

    assert!(way.met() > 0);
    let entry = entries(&app).await.remove(0);
    assert_eq!((entry.active.clone(), entry.known), (None, true));
    let refused = reactivation::reactivate(&app.steward.context, &app.server, app.run(), entry.id).await;
    assert_eq!(refused.err(), Some(Problem::precondition_failed(PreconditionFailure::ActiveUnknown)));
    app.go_through(app.practice_address());
    assert!(webhooks(&app, BUFFER).await.iter().all(|(_, active)| !active));
}

#[tokio::test]
async fn a_refused_service_leaves_no_entry_and_a_lost_answer_leaves_one_that_says_so() {
    let app = TestApp::new().await;
    let way = app.with_fault("/deactivateAll", refusal(403)).await;
    assert!(deactivate(&app, &[BUFFER]).await.is_err());
    assert_eq!(way.met(), 1);
    assert!(entries(&app).await.is_empty(), "it was never silent");

    app.go_through(app.practice_address());
    let _way = app.with_fault("/deactivateAll", Fault::AnswerLost).await;
    deactivate(&app, &[BUFFER, HYDRANTS]).await.unwrap();
    let entries = entries(&app).await;
    assert_eq!(entries.len(), 1, "the second service was not asked");
    assert!(!entries[0].known);
    assert_eq!(entries[0].active.as_ref().map(Vec::len), Some(2), "and the way back is known all the same");
}

#[tokio::test]
async fn nothing_falls_silent_that_the_ledger_could_not_take() {
    let app = TestApp::new().await;
    let way = app.with_fault("/deactivateAll", Fault::AnswerLost).await;
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let full =
        "CREATE TRIGGER full BEFORE INSERT ON deactivation BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal.execute_batch(full).unwrap();

    assert!(deactivate(&app, &[BUFFER]).await.is_err());

    assert_eq!(way.met(), 0, "intent before effect");
}

#[tokio::test]
async fn a_restoration_that_succeeded_is_said_though_it_could_not_be_recorded() {
    for trigger in [
        "CREATE TRIGGER full BEFORE UPDATE ON deactivation BEGIN SELECT RAISE(ABORT, 'disk full'); END",
        "CREATE TRIGGER full BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END",
    ] {
        let app = TestApp::new().await;
        let before = webhooks(&app, HYDRANTS).await;
        deactivate(&app, &[HYDRANTS]).await.unwrap();
        let entry = entries(&app).await.remove(0);
        let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
        journal.execute_batch(trigger).unwrap();

        let report = restored(&app, &entry).await;

        assert!(report.webhooks.iter().all(|one| one.end == ReactivationEnd::Activated), "{report:?}");
        assert!(!report.recorded, "{trigger}");
        assert_eq!(webhooks(&app, HYDRANTS).await, before);
    }
}

#[tokio::test]
async fn a_reactivation_whose_answers_are_lost_is_told_by_the_list_and_sent_once() {
    let app = TestApp::new().await;
    let before = webhooks(&app, HYDRANTS).await;
    deactivate(&app, &[HYDRANTS]).await.unwrap();
    let way = app.with_fault("/edit", Fault::AnswerLost).await;

    let entry = entries(&app).await.remove(0);
    let ended =
        reactivation::reactivate(&app.steward.context, &app.server, app.run(), entry.id).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert!(report.webhooks.iter().all(|one| one.end == ReactivationEnd::Activated), "{report:?}");
    let active = before.iter().filter(|(_, is_active)| *is_active).count();
    assert_eq!(way.met(), active, "each was sent once");
    assert_eq!(webhooks(&app, HYDRANTS).await, before);
    assert!(entries(&app).await[0].resolved_at.is_some());
}

/// A site that loses the answers to edits, and resets the lists of webhooks after those of a reactivation's beginning.
async fn falling_silent(app: &TestApp, lists: usize) -> (FaultProxy, FaultProxy) {
    let edits = FaultProxy::to(app.practice_address(), "/edit", Fault::AnswerLost).await.unwrap();
    let lists = FaultProxy::to(&edits.address(), "/webhooks?", Fault::Reset).await.unwrap().sparing(lists);
    app.go_through(&lists.address());
    (edits, lists)
}

#[tokio::test]
async fn a_reactivation_whose_answer_and_list_are_lost_is_unknown_and_sends_no_more() {
    let app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.unwrap();
    let (edits, _lists) = falling_silent(&app, 1).await;

    let entry = entries(&app).await.remove(0);
    let ended =
        reactivation::reactivate(&app.steward.context, &app.server, app.run(), entry.id).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ends: Vec<_> = report.webhooks.iter().map(|one| &one.end).collect();
    assert!(matches!(ends[..], [ReactivationEnd::Unknown { .. }, ReactivationEnd::NotSent]), "{ends:?}");
    assert_eq!(edits.met(), 1, "the second webhook was not asked for either");
    assert_eq!(entries(&app).await[0].resolved_at, None);
    assert_eq!(app.history().await[0].outcome, Outcome::Unknown);
    assert_eq!(app.steward.context.runs.ended().last().unwrap().outcome, Outcome::Unknown);
}

#[tokio::test]
async fn a_restoration_does_not_run_beside_another_operation() {
    let app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.unwrap();
    let entry = entries(&app).await.remove(0);
    let way = FaultProxy::to(app.practice_address(), "/edit", Fault::Silence).await.unwrap();
    app.go_through(&way.address());

    let restoring = reactivation::reactivate(&app.steward.context, &app.server, app.run(), entry.id.clone());
    let second = async {
        until("the request", async || way.met() == 1).await;
        let second = RunId("second".to_owned());
        let refused = reactivation::reactivate(&app.steward.context, &app.server, second, entry.id).await;
        app.steward.context.runs.stop(&app.run());
        refused
    };
    let (_, refused) = tokio::join!(restoring, second);

    assert!(matches!(refused, Err(Problem::Busy { .. })));
    assert_eq!(way.met(), 1);
}

#[tokio::test]
async fn a_restoration_is_not_shown_as_a_deactivation_that_was_not_sent() {
    let mut app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.unwrap();
    let entry = entries(&app).await.remove(0);
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = told.clone();
    app.steward.context.runs = RunRegistry::new(Box::new(move |now| {
        heard.lock().unwrap().extend(now.running.into_iter().map(|run| run.act));
    }));

    restored(&app, &entry).await;

    let told = told.lock().unwrap();
    assert!(!told.is_empty());
    assert!(told.iter().all(|act| *act == Some(HistoryAction::ReactivateWebhooks)), "{told:?}");
}

#[tokio::test]
async fn a_silent_service_is_reminded_of_until_it_is_restored() {
    let app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.unwrap();
    let entry = entries(&app).await.remove(0);
    let now = Millis::now();
    let due = async |at: i64| reminders::due(&app.steward.context, Millis(at)).await.unwrap();
    assert!(due(now.0).await.is_empty());

    deactivation_log::remind(&app.steward.context.history, entry.id.clone(), Some(Millis(now.0 + 1_000)))
        .await
        .unwrap();

    assert!(due(now.0).await.is_empty());
    let about = ReminderAbout::Deactivation { entry: entry.id.clone(), service: HYDRANTS.to_owned() };
    assert_eq!(due(now.0 + 1_000).await[0].about, about);
    restored(&app, &entry).await;
    assert!(due(now.0 + 1_000).await.is_empty());
}

#[tokio::test]
async fn webhooks_that_are_active_again_are_not_reminded_of() {
    let app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.map(drop).unwrap();
    let entry = entries(&app).await.remove(0);
    let history = &app.steward.context.history;
    deactivation_log::remind(history, entry.id.clone(), Some(Millis(1))).await.unwrap();
    for name in entry.active.unwrap() {
        activate(&app, HYDRANTS, &name).await;
    }

    deactivation_log::compare(&app.steward.context, &app.server).await.unwrap();

    assert!(reminders::due(&app.steward.context, Millis::now()).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_service_that_had_no_active_webhook_is_not_one_to_reactivate() {
    let app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.map(drop).unwrap();
    let first = entries(&app).await.remove(0);
    deactivate(&app, &[HYDRANTS]).await.map(drop).unwrap();
    assert_eq!(entries(&app).await.len(), 2);

    restored(&app, &first).await;

    let overview = app.steward.overviews().of_site(&app.site).await.unwrap();
    let left = overview.concerns.iter().any(|one| matches!(one.about, ConcernAbout::Webhooks { .. }));
    assert!(!left, "{:?}", overview.concerns);
}

#[tokio::test]
async fn a_due_reminder_is_announced_once_also_across_restarts_and_again_when_it_is_set_anew() {
    let app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.unwrap();
    let entry = entries(&app).await.remove(0);
    let news = async |app: &TestApp| {
        app.steward.announced.take_new(reminders::due(&app.steward.context, Millis::now()).await.unwrap())
    };
    let remind = async |app: &TestApp, at: i64| {
        deactivation_log::remind(&app.steward.context.history, entry.id.clone(), Some(Millis(at)))
            .await
            .unwrap();
    };
    assert!(news(&app).await.is_empty());

    remind(&app, 1).await;
    assert_eq!(news(&app).await.len(), 1);
    assert!(news(&app).await.is_empty());
    let app = app.restarted();
    assert!(news(&app).await.is_empty(), "it was announced before the restart");

    remind(&app, 2).await;
    assert_eq!(news(&app).await.len(), 1);
}

#[tokio::test]
async fn what_a_person_activated_by_hand_is_settled_and_restored_no_more() {
    let app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.unwrap();
    let entry = entries(&app).await.remove(0);
    assert!(!entry.by_hand);
    deactivation_log::remind(&app.steward.context.history, entry.id.clone(), Some(Millis(1))).await.unwrap();

    let other = app.sites().save(&SiteForm::of("County GIS", "https://gis.example.org", "")).unwrap().id;
    assert!(
        deactivation_log::resolve(&app.steward.context, &other, entry.id.clone()).await.is_err(),
        "it is another site's"
    );
    deactivation_log::resolve(&app.steward.context, &app.site, entry.id.clone()).await.unwrap();

    let settled = entries(&app).await.remove(0);
    assert!(settled.by_hand && settled.known && settled.resolved_at.is_some());
    assert_eq!(settled.restored_by.as_deref(), Some(app.user("administrator").username.as_str()));
    assert!(reminders::due(&app.steward.context, Millis::now()).await.unwrap().is_empty());
    let restored =
        reactivation::reactivate(&app.steward.context, &app.server, app.run(), entry.id.clone()).await;
    assert_eq!(restored.err(), Some(Problem::precondition_failed(PreconditionFailure::RestoredAlready)));
    let again = deactivation_log::resolve(&app.steward.context, &app.site, entry.id).await;
    assert_eq!(again, Err(Problem::precondition_failed(PreconditionFailure::RestoredAlready)));
    assert!(webhooks(&app, HYDRANTS).await.iter().all(|(_, active)| !active), "nothing was sent");
}

fn listed(active: &str) -> Fault {
    let body = format!(
        r#"{{"webhooks":[{{"id":"1","name":"Notify","hookUrl":"https://hooks.example.org/1","active":{active}}}]}}"#
    );
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    Fault::Instead(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

#[tokio::test]
async fn webhooks_of_which_the_server_does_not_say_whether_they_are_active_were_not_inactive() {
    for (active, known) in [
        ("null", None),
        (r#""enabled""#, None),
        ("true", Some(vec!["Notify".to_owned()])),
        ("0", None),
        ("false", Some(Vec::new())),
    ] {
        let app = TestApp::new().await;
        // Only before the deactivation: afterwards, the webhooks are listed as they are.
        let _way = app.with_fault("webhooks?", listed(active)).await.only(1);

        deactivate(&app, &[HYDRANTS]).await.unwrap();

        assert_eq!(entries(&app).await[0].active, known, "{active}");
    }
}

#[tokio::test]
async fn a_webhook_of_which_the_server_does_not_say_whether_it_is_active_is_not_listed_as_inactive() {
    for (active, shown) in [("null", None), ("true", Some(true)), ("false", Some(false))] {
        let app = TestApp::new().await;
        let _way = app.with_fault(&format!("{HYDRANTS}/webhooks?"), listed(active)).await;

        let services = services_of(&app.steward.context.access, &app.server).await.unwrap();

        let hydrants = services.into_iter().find(|service| service.path == HYDRANTS).unwrap();
        let states: Vec<_> = hydrants.webhooks.into_iter().flatten().map(|webhook| webhook.active).collect();
        assert_eq!(states, [shown], "{active}");
    }
}

#[tokio::test]
async fn webhooks_that_cannot_be_told_apart_are_not_among_those_that_can_be_reactivated() {
    for ids in [r#""id":"","#, "", r#""id":"1","#] {
        let app = TestApp::new().await;
        let one = |name: &str| {
            format!(r#"{{{ids}"name":"{name}","hookUrl":"https://hooks.example.org/1","active":true}}"#)
        };
        let list = format!(r#"{{"webhooks":[{},{}]}}"#, one("Notify"), one("Archive"));
        let _way = app.with_fault("webhooks?", crate::import_server::answer(&list)).await.only(1);

        deactivate(&app, &[HYDRANTS]).await.map(drop).unwrap();

        assert_eq!(entries(&app).await[0].active, None, "{ids:?}: one would be activated for both");
    }
}

fn journal(app: &TestApp) -> rusqlite::Connection {
    rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap()
}

#[tokio::test]
async fn a_deactivation_that_the_disk_refused_to_confirm_is_known_once_there_is_room() {
    let app = TestApp::new().await;
    let full =
        "CREATE TRIGGER full BEFORE UPDATE ON deactivation BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal(&app).execute_batch(full).unwrap();

    deactivate(&app, &[HYDRANTS]).await.map(drop).unwrap();

    assert!(!entries(&app).await[0].known);
    journal(&app).execute_batch("DROP TRIGGER full").unwrap();
    until("the confirmation", async || entries(&app).await[0].known).await;
}

#[tokio::test]
async fn a_deactivation_that_was_rejected_leaves_the_list_once_the_disk_lets_it() {
    let app = TestApp::new().await;
    let full =
        "CREATE TRIGGER full BEFORE DELETE ON deactivation BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal(&app).execute_batch(full).unwrap();
    let _way = app.with_fault("/deactivateAll", refusal(500)).await;

    assert!(deactivate(&app, &[HYDRANTS]).await.is_err());

    assert_eq!(entries(&app).await.len(), 1);
    journal(&app).execute_batch("DROP TRIGGER full").unwrap();
    until("the end of the entry", async || entries(&app).await.is_empty()).await;
}

/// Open entries with active webhooks: their services, and the names of the webhooks.
async fn active_again(app: &TestApp) -> Vec<(String, Vec<String>)> {
    let compared = deactivation_log::compare(&app.steward.context, &app.server).await.unwrap();
    let again = compared.into_iter().filter(|entry| !entry.active_again.is_empty());
    again.map(|entry| (entry.service, entry.active_again)).collect()
}

async fn activate(app: &TestApp, service: &str, name: &str) {
    let (server, service) = (server(app).await, ServiceWebhooks::at(service));
    let all = service.list(&server).await.unwrap();
    service
        .edit::<true>(all.iter().find(|webhook| webhook.name == name).unwrap())
        .unwrap()
        .send(server.permit_unchecked().await)
        .await
        .unwrap();
}

#[tokio::test]
async fn webhooks_that_somebody_activated_on_the_server_are_seen_when_the_log_is_compared() {
    let app = TestApp::new().await;
    deactivate(&app, &[BUFFER, HYDRANTS]).await.map(drop).unwrap();
    assert!(active_again(&app).await.is_empty(), "nothing is active");

    activate(&app, HYDRANTS, "Notify maintenance").await;
    assert_eq!(active_again(&app).await, [(HYDRANTS.to_owned(), vec!["Notify maintenance".to_owned()])]);

    // What was never active is not what the entry is about.
    let never = webhooks(&app, HYDRANTS).await.into_iter().map(|(name, _)| name);
    let logged = entries(&app).await.into_iter().find(|one| one.service == HYDRANTS).unwrap().active.unwrap();
    let never: Vec<_> = never.filter(|name| !logged.contains(name)).collect();
    activate(&app, HYDRANTS, &never[0]).await;
    assert_eq!(active_again(&app).await[0].1, ["Notify maintenance"]);

    // A list that is rejected says nothing of its service, and hides no other.
    let _way = app.with_fault("GET /server/admin/services/Buffer.GPServer/webhooks", refusal(403)).await;
    assert_eq!(active_again(&app).await.len(), 1);
    restored(&app, &entries(&app).await.into_iter().find(|one| one.service == HYDRANTS).unwrap()).await;
    assert!(active_again(&app).await.is_empty(), "a closed entry is not compared");
}

/// Webhooks of the server that are to be reactivated, as the log and as the overview counts them.
async fn left(app: &TestApp) -> (usize, usize) {
    let in_log = entries(app).await.into_iter().filter_map(|entry| entry.left).map(|left| left.len()).sum();
    let overview = app.steward.overviews().of_site(&app.site).await.unwrap();
    let on_overview = overview.concerns.into_iter().find_map(|concern| match concern.about {
        ConcernAbout::Webhooks { webhooks, .. } => Some(webhooks.len()),
        _ => None,
    });
    (in_log, on_overview.unwrap_or_default())
}

#[tokio::test]
async fn after_a_partial_reactivation_log_and_overview_count_the_webhooks_that_are_left() {
    let app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.map(drop).unwrap();
    assert_eq!(left(&app).await, (2, 2));
    let entry = entries(&app).await.remove(0);
    let one = entry.active_ids.unwrap().remove(0);

    reactivation::reactivate_one(&app.steward.context, &app.server, app.run(), entry.id, &one).await.unwrap();

    assert_eq!(left(&app).await, (1, 1), "before the log is compared");
    deactivation_log::compare(&app.steward.context, &app.server).await.unwrap();
    assert_eq!(left(&app).await, (1, 1), "after it was compared");
}

#[tokio::test]
async fn a_webhook_that_two_entries_have_is_one_on_the_overview() {
    let app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.map(drop).unwrap();
    activate(&app, HYDRANTS, "Notify maintenance").await;
    deactivate(&app, &[HYDRANTS]).await.map(drop).unwrap();

    assert_eq!(left(&app).await, (3, 2));
}

#[tokio::test]
async fn webhooks_that_an_import_brought_back_are_seen_when_the_log_is_compared() {
    let app = TestApp::new().await;
    let import = crate::import_server::with_safety_backup(&app, false).await;
    deactivate(&app, &[HYDRANTS]).await.map(drop).unwrap();

    app.undo_import(import, false).await.unwrap();

    let found = active_again(&app).await;
    assert_eq!((found.len(), found[0].1.len()), (1, 2), "{found:?}");
}

#[tokio::test]
async fn of_an_entry_whose_webhooks_are_not_known_all_that_are_active_are_seen() {
    let app = TestApp::new().await;
    let way = app.with_fault("GET /server/admin/services/Buffer.GPServer/webhooks", refusal(403)).await;
    deactivate(&app, &[BUFFER]).await.map(drop).unwrap();
    let app = app.without_fault(way);
    assert_eq!(entries(&app).await[0].active, None);
    assert!(active_again(&app).await.is_empty());

    let name = webhooks(&app, BUFFER).await.remove(0).0;
    activate(&app, BUFFER, &name).await;

    assert_eq!(active_again(&app).await, [(BUFFER.to_owned(), vec![name])]);
}

async fn restored_all(app: &TestApp) -> Vec<BatchItemResult<ReactivationReport>> {
    let ids = entries(app).await.into_iter().map(|entry| entry.id).collect();
    let ended =
        reactivation::reactivate_several(&app.steward.context, &app.server, app.run(), ids).await.unwrap();
    let RunResult::Done { report, record: None, .. } = ended else { panic!("{ended:?}") };
    report.parts
}

#[tokio::test]
async fn all_entries_are_reactivated_in_one_run_and_each_has_its_record() {
    let app = TestApp::new().await;
    let before = (webhooks(&app, BUFFER).await, webhooks(&app, HYDRANTS).await);
    deactivate(&app, &[BUFFER, HYDRANTS]).await.map(drop).unwrap();
    let earlier = app.history().await.len();

    let parts = restored_all(&app).await;

    assert_eq!((webhooks(&app, BUFFER).await, webhooks(&app, HYDRANTS).await), before);
    assert!(entries(&app).await.iter().all(|entry| entry.resolved_at.is_some()));
    let history = app.history().await;
    let new = &history[..history.len() - earlier];
    assert!(new.iter().all(|record| record.intent.operation == "reactivate_webhooks"), "{new:?}");
    let recorded: Vec<_> = new.iter().rev().map(|record| record.id.clone()).collect();
    let shown: Vec<_> = parts
        .iter()
        .map(|part| match part {
            BatchItemResult::Done { record: Some(record), report, .. } if report.recorded => record.0.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!((shown, recorded.len()), (recorded, 2));
    assert_eq!(app.steward.context.runs.ended().len(), 2, "the deactivation, and one run for all entries");
}

#[tokio::test]
async fn a_webhook_of_two_entries_is_activated_once() {
    let app = TestApp::new().await;
    let form = one_of_hydrants(&app).await;
    deactivated_one(&app, form.clone()).await.unwrap();
    let all = ServiceWebhooks::at(HYDRANTS).list(&server(&app).await).await.unwrap();
    let name = all.into_iter().find(|webhook| webhook.id == form.webhook).unwrap().name;
    activate(&app, HYDRANTS, &name).await;
    deactivated_one(&app, form).await.unwrap();
    let edits = app.with_fault("/edit", Fault::CutAfter(usize::MAX)).await;

    let parts = restored_all(&app).await;

    let ends: Vec<_> = parts
        .iter()
        .map(|part| match part {
            BatchItemResult::Done { report, .. } => report.webhooks[0].end.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(ends, [ReactivationEnd::Activated, ReactivationEnd::WasActive]);
    assert_eq!(edits.met(), 1);
    assert!(entries(&app).await.iter().all(|entry| entry.resolved_at.is_some()));
}

#[tokio::test]
async fn a_service_that_cannot_be_reactivated_keeps_no_other_from_it() {
    let app = TestApp::new().await;
    deactivate(&app, &[BUFFER, HYDRANTS]).await.map(drop).unwrap();
    let _way = app.with_fault("GET /server/admin/services/Hosted/Hydrants", refusal(404)).await;

    let parts = restored_all(&app).await;

    let why = PreconditionFailure::ServiceGone { service: HYDRANTS.to_owned() };
    let gone = Problem::PreconditionFailed { why };
    assert!(matches!(&parts[0], BatchItemResult::Rejected { problem } if *problem == gone), "{parts:?}");
    assert!(matches!(parts[1], BatchItemResult::Done { .. }), "{parts:?}");
    let open: Vec<_> = entries(&app).await.into_iter().filter(|entry| entry.resolved_at.is_none()).collect();
    assert_eq!((open.len(), open[0].service.as_str()), (1, HYDRANTS));
    let outcomes: Vec<_> = app.history().await.iter().take(2).map(|record| record.outcome).collect();
    assert_eq!(outcomes, [Outcome::Succeeded, Outcome::NotSent]);
}

#[tokio::test]
async fn the_entries_after_a_lost_response_are_not_sent() {
    let app = TestApp::new().await;
    deactivate(&app, &[BUFFER, HYDRANTS]).await.map(drop).unwrap();
    let (edits, _lists) = falling_silent(&app, 1).await;

    let parts = restored_all(&app).await;

    let [BatchItemResult::Done { report, .. }, BatchItemResult::NotSent] = &parts[..] else {
        panic!("{parts:?}")
    };
    assert!(matches!(report.webhooks[0].end, ReactivationEnd::Unknown { .. }), "{report:?}");
    assert_eq!(edits.met(), 1);
    assert!(entries(&app).await.iter().all(|entry| entry.resolved_at.is_none()));
}

/// The first active webhook of the hydrants, to deactivate it alone.
pub(crate) async fn one_of_hydrants(app: &TestApp) -> DeactivateWebhookForm {
    let all = ServiceWebhooks::at(HYDRANTS).list(&server(app).await).await.unwrap();
    let webhook = all.into_iter().find(|webhook| webhook.active == Some(true)).unwrap().id;
    let (service, why) = (HYDRANTS.to_owned(), "The receiver moves".to_owned());
    DeactivateWebhookForm { service, webhook, why, confirmation: String::new() }
}

async fn deactivated_one(app: &TestApp, form: DeactivateWebhookForm) -> Result<bool, Problem> {
    let ended = single::perform(&app.steward.context, &app.server, app.run(), form).await?;
    Ok(matches!(ended, RunResult::Done { .. }))
}

#[tokio::test]
async fn one_webhook_is_deactivated_and_reactivated_and_the_others_stay_as_they_are() {
    let app = TestApp::new().await;
    let before = webhooks(&app, HYDRANTS).await;

    assert_eq!(deactivated_one(&app, one_of_hydrants(&app).await).await, Ok(true));

    let after = webhooks(&app, HYDRANTS).await;
    let changed: Vec<_> = after.iter().zip(&before).filter(|(after, before)| after != before).collect();
    let [((name, false), (_, true))] = changed[..] else { panic!("{changed:?}") };
    let record = app.history().await.remove(0);
    assert_eq!((&*record.intent.operation, record.outcome), ("deactivate_webhook", Outcome::Succeeded));
    let given = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let expected = [given("service", HYDRANTS), given("webhook", name), given("why", "The receiver moves")];
    assert_eq!(record.intent.parameters, expected);
    assert!(record.intent.requests[0].address.ends_with("/edit"), "{:?}", record.intent.requests);
    assert!(!format!("{record:?}").contains("hooks.example"), "receivers' addresses are often secrets");

    let entry = entries(&app).await.remove(0);
    assert_eq!((entry.active.as_deref(), entry.known), (Some(&[name.clone()][..]), true));
    let report = restored(&app, &entry).await;
    assert_eq!(report.webhooks.len(), 1);
    assert_eq!(webhooks(&app, HYDRANTS).await, before);
}

#[tokio::test]
async fn webhooks_of_an_entry_are_reactivated_one_by_one_and_the_last_one_closes_it() {
    let app = TestApp::new().await;
    let before = webhooks(&app, HYDRANTS).await;
    deactivate(&app, &[HYDRANTS]).await.map(drop).unwrap();
    let entry = entries(&app).await.remove(0);
    assert_eq!(entry.server, app.server.server);
    let (names, ids) = (entry.active.clone().unwrap(), entry.active_ids.clone().unwrap());
    assert!(names.len() > 1 && names.len() == ids.len(), "{names:?}");
    let reactivated = async |webhook: &str| {
        let id = entry.id.clone();
        reactivation::reactivate_one(&app.steward.context, &app.server, app.run(), id, webhook).await
    };

    let (last, first) = ids.split_last().unwrap();
    for (at, id) in first.iter().enumerate() {
        let RunResult::Done { report, .. } = reactivated(id).await.unwrap() else { panic!() };
        let [one] = &report.webhooks[..] else { panic!("{report:?}") };
        assert_eq!((&one.name, &one.end, report.recorded), (&names[at], &ReactivationEnd::Activated, true));
        assert_eq!(webhooks(&app, HYDRANTS).await.iter().filter(|(_, active)| *active).count(), at + 1);
        assert!(entries(&app).await[0].resolved_at.is_none(), "another one is not active");
    }
    reactivated(last).await.map(drop).unwrap();

    assert_eq!(webhooks(&app, HYDRANTS).await, before);
    assert!(entries(&app).await[0].resolved_at.is_some());
    let again = reactivated(last).await.err();
    assert_eq!(again, Some(Problem::precondition_failed(PreconditionFailure::RestoredAlready)));
}

#[tokio::test]
async fn a_webhook_that_an_entry_does_not_have_is_not_reactivated() {
    let app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.map(drop).unwrap();
    let entry = entries(&app).await.remove(0).id;

    let refused =
        reactivation::reactivate_one(&app.steward.context, &app.server, app.run(), entry, "another").await;

    assert!(matches!(refused, Err(Problem::Unexpected { .. })), "{refused:?}");
    assert!(webhooks(&app, HYDRANTS).await.iter().all(|(_, active)| !active));
    assert_eq!(app.history().await.len(), 1, "what was not sent is no history");
}

#[tokio::test]
async fn a_webhook_that_is_not_active_or_not_there_is_not_deactivated() {
    let app = TestApp::new().await;
    let form = one_of_hydrants(&app).await;
    assert_eq!(deactivated_one(&app, form.clone()).await, Ok(true));
    let records = app.history().await.len();
    let edit = app.with_fault("/edit", Fault::AnswerLost).await;

    for webhook in [form.webhook.as_str(), "no-such-webhook", ""] {
        let form = DeactivateWebhookForm { webhook: webhook.to_owned(), ..form.clone() };
        let refused = deactivated_one(&app, form).await;
        let expected = Problem::precondition_failed(PreconditionFailure::WebhookNotActive);
        assert_eq!(refused, Err(expected), "{webhook:?}");
    }

    assert_eq!((edit.met(), entries(&app).await.len()), (0, 1));
    assert_eq!(app.history().await.len(), records, "what was not sent is no history");
}

#[tokio::test]
async fn a_refused_deactivation_of_one_webhook_leaves_no_entry_and_a_lost_answer_leaves_one() {
    let app = TestApp::new().await;
    let form = one_of_hydrants(&app).await;
    let before = webhooks(&app, HYDRANTS).await;
    let refused = app.with_fault("/edit", refusal(403)).await;
    assert!(deactivated_one(&app, form.clone()).await.is_err());
    assert_eq!((refused.met(), app.history().await[0].outcome), (1, Outcome::Failed));
    assert!(entries(&app).await.is_empty(), "it was never deactivated");
    let app = app.without_fault(refused);
    assert_eq!(webhooks(&app, HYDRANTS).await, before);

    let lost = app.with_fault("/edit", Fault::AnswerLost).await;
    assert_eq!(deactivated_one(&app, form).await, Ok(false));
    assert_eq!((lost.met(), app.history().await[0].outcome), (1, Outcome::Unknown));
    let entry = entries(&app).await.remove(0);
    assert!(!entry.known && entry.active.as_ref().is_some_and(|active| active.len() == 1), "{entry:?}");
}

/// Makes the server mask the receiver of a webhook.
pub(crate) fn hide_receiver(app: &TestApp, name: &str) {
    let database = rusqlite::Connection::open(server_database(app)).unwrap();
    let sql = "UPDATE webhooks SET hook_url = 'https://f.example.org/api?code=****' WHERE name = ?1";
    assert_eq!(database.execute(sql, [name]).unwrap(), 1);
}

fn is_hidden(problem: &Problem, name: &str) -> bool {
    let why = PreconditionFailure::HiddenField { webhook: name.to_owned(), field: "hookUrl".to_owned() };
    *problem == Problem::precondition_failed(why)
}

#[tokio::test]
async fn a_webhook_whose_receiver_the_server_masks_is_neither_deactivated_nor_edited() {
    let app = TestApp::new().await;
    let before = webhooks(&app, HYDRANTS).await;
    let name = "Notify maintenance";
    let all = ServiceWebhooks::at(HYDRANTS).list(&server(&app).await).await.unwrap();
    let id = all.iter().find(|webhook| webhook.name == name).unwrap().id.clone();
    hide_receiver(&app, name);

    let form = DeactivateWebhookForm {
        service: HYDRANTS.to_owned(),
        webhook: id,
        why: String::new(),
        confirmation: String::new(),
    };
    let of_one = single::perform(&app.steward.context, &app.server, app.run(), form).await.err().unwrap();
    assert!(is_hidden(&of_one, name), "{of_one:?}");
    // Not all are active: activating all would not restore them.
    let of_all = deactivate(&app, &[HYDRANTS]).await.err().unwrap();
    assert!(is_hidden(&of_all, name), "{of_all:?}");

    assert_eq!(webhooks(&app, HYDRANTS).await, before);
    assert!(entries(&app).await.is_empty());
}

#[tokio::test]
async fn a_webhook_whose_receiver_the_server_masks_later_stays_in_the_log_and_the_others_are_active_again() {
    let app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.unwrap();
    hide_receiver(&app, "Notify maintenance");

    let report = restored(&app, &entries(&app).await[0]).await;

    let end = |name: &str| report.webhooks.iter().find(|one| one.name == name).unwrap().end.clone();
    let ReactivationEnd::Rejected { problem } = end("Notify maintenance") else { panic!("{report:?}") };
    assert!(is_hidden(&problem, "Notify maintenance"), "{problem:?}");
    assert_eq!(end("Copy to the fire service"), ReactivationEnd::Activated);
    assert_eq!(entries(&app).await[0].resolved_at, None);
    let record = app.history().await.remove(0);
    assert!(
        record.note.contains("Notify maintenance: the server does not return its hookUrl"),
        "{}",
        record.note
    );
    assert_eq!(record.intent.requests.len(), 1, "nothing is recorded that was not sent");
}

#[tokio::test]
async fn a_webhook_that_cannot_be_read_any_more_is_not_said_to_be_gone_and_stays_in_the_log() {
    let app = TestApp::new().await;
    deactivate(&app, &[HYDRANTS]).await.unwrap();
    let database = rusqlite::Connection::open(server_database(&app)).unwrap();
    // Longer than what is kept of a text: the webhook is in the list, and which one it is cannot be told.
    let sql = "UPDATE webhooks SET name = ?2 WHERE name = ?1";
    assert_eq!(database.execute(sql, ["Notify maintenance", &"n".repeat(5_000)]).unwrap(), 1);

    let report = restored(&app, &entries(&app).await[0]).await;

    let end = |name: &str| report.webhooks.iter().find(|one| one.name == name).unwrap().end.clone();
    assert!(matches!(end("Notify maintenance"), ReactivationEnd::Rejected { .. }), "{report:?}");
    assert_eq!(end("Copy to the fire service"), ReactivationEnd::Activated);
    assert_eq!(entries(&app).await[0].resolved_at, None);
}

#[tokio::test]
async fn webhooks_that_were_all_active_are_reactivated_without_an_edit_though_the_server_masks_them() {
    let app = TestApp::new().await;
    let before = webhooks(&app, BUFFER).await;
    for (name, _) in &before {
        hide_receiver(&app, name);
    }
    deactivate(&app, &[BUFFER]).await.unwrap();

    let report = restored(&app, &entries(&app).await[0]).await;

    assert!(report.webhooks.iter().all(|one| one.end == ReactivationEnd::Activated), "{report:?}");
    assert_eq!(webhooks(&app, BUFFER).await, before);
}

#[tokio::test]
async fn an_entry_that_is_reactivated_while_the_keyring_waits_is_not_marked_by_hand() {
    let app = TestApp::new().await;
    deactivate(&app, &["Buffer.GPServer"]).await.unwrap();
    let (app, keyring) = HeldKeyring::of(app);
    let context = &app.steward.context;
    let entry = entries(&app).await.remove(0).id;
    keyring.hold(Question::Get, "/portal");
    let reactivated = async {
        keyring.waits(1).await;
        let id = entry.0.clone();
        context.history.journal(move |journal| journal.mark_reactivated(&id, "sam", 1)).await.unwrap();
        keyring.let_go();
    };

    let (resolved, ()) =
        tokio::join!(deactivation_log::resolve(context, &app.site, entry.clone()), reactivated);

    assert_eq!(resolved, Err(Problem::precondition_failed(PreconditionFailure::RestoredAlready)));
    let entry = entries(&app).await.remove(0);
    assert_eq!((entry.by_hand, entry.restored_by.as_deref()), (false, Some("sam")));
}
