use std::sync::{Arc, Mutex};

use steward_client::Endpoint;
use steward_client::webhooks::ServiceWebhooks;
use steward_core::follow_up::reminders::{self, ReminderAbout};
use steward_core::listings::services_of;
use steward_core::model::history_key::HistoryAction;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::{PreconditionFailure, Problem};
use steward_core::model::run_result::RunResult;
use steward_core::operations::deactivate_webhooks::DeactivateWebhooksForm;
use steward_core::operations::deactivate_webhooks::deactivation_log::{
    self, DeactivationView, ReactivationEnd, ReactivationReport,
};
use steward_core::runs::{RunId, RunRegistry};
use steward_core::sites::SiteForm;
use steward_journal::Outcome;
use steward_testkit::{Fault, FaultProxy, until};

use crate::test_app::TestApp;

const HYDRANTS: &str = "Hosted/Hydrants.FeatureServer";
const BUFFER: &str = "Buffer.GPServer";

async fn server(app: &TestApp) -> Endpoint {
    app.steward.context.access.server(&app.sites().get(&app.site).unwrap()).await.unwrap()
}

/// Names of the webhooks of a service and whether they are active.
async fn webhooks(app: &TestApp, service: &str) -> Vec<(String, bool)> {
    let all = ServiceWebhooks::at(service).list(&server(app).await).await.unwrap();
    all.into_iter().map(|webhook| (webhook.name, webhook.active == Some(true))).collect()
}

async fn silence(app: &TestApp, services: &[&str]) -> Result<RunResult<impl Sized + use<>>, Problem> {
    let form = DeactivateWebhooksForm {
        services: services.iter().map(|service| (*service).to_owned()).collect(),
        why: "The receiver moves".to_owned(),
        confirmation: String::new(),
    };
    app.deactivate_webhooks(form).await
}

async fn entries(app: &TestApp) -> Vec<DeactivationView> {
    deactivation_log::entries(&app.steward.context.history, Some(&app.site)).await.unwrap()
}

async fn restored(app: &TestApp, entry: &DeactivationView) -> ReactivationReport {
    let ended = deactivation_log::restore(&app.steward.context, &app.site, app.run(), entry.id.clone())
        .await
        .unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    report
}

fn refusal(code: u16) -> Fault {
    let body = format!(r#"{{"status":"error","messages":["No."],"code":{code}}}"#);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    Fault::Instead(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

#[tokio::test]
async fn exactly_those_webhooks_that_were_active_are_active_again() {
    let app = TestApp::new().await;
    let before = webhooks(&app, HYDRANTS).await;
    assert!(before.iter().any(|(_, active)| *active) && before.iter().any(|(_, active)| !active));
    silence(&app, &[HYDRANTS]).await.unwrap();
    assert!(webhooks(&app, HYDRANTS).await.iter().all(|(_, active)| !active));

    let app = app.restarted();
    let entry = entries(&app).await.remove(0);
    assert_eq!((entry.why.as_str(), entry.known), ("The receiver moves", true));
    let report = restored(&app, &entry).await;

    assert_eq!((report.webhooks.len(), report.recorded), (2, true));
    assert!(report.webhooks.iter().all(|one| one.end == ReactivationEnd::Activated), "{report:?}");
    assert_eq!(webhooks(&app, HYDRANTS).await, before);
    let entry = entries(&app).await.remove(0);
    assert!(entry.restored_at.is_some());
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
    silence(&app, &[HYDRANTS]).await.unwrap();
    let database = rusqlite::Connection::open(server_database(&app)).unwrap();
    let deleted = database.execute("DELETE FROM webhooks WHERE name = 'Notify maintenance'", []).unwrap();
    assert_eq!(deleted, 1);

    let report = restored(&app, &entries(&app).await[0]).await;

    let end = |name: &str| report.webhooks.iter().find(|one| one.name == name).unwrap().end.clone();
    assert_eq!(end("Notify maintenance"), ReactivationEnd::Gone);
    let record = app.history().await.remove(0);
    assert_eq!(record.outcome, Outcome::Warnings, "not every webhook is active again");
    assert_eq!(end("Copy to the fire service"), ReactivationEnd::Activated);
    assert!(entries(&app).await[0].restored_at.is_some());
}

fn server_database(app: &TestApp) -> std::path::PathBuf {
    app.practice_folder().join("server/server.db")
}

#[tokio::test]
async fn all_are_activated_at_once_only_where_all_were_active() {
    // Of this service all were active.
    let app = TestApp::new().await;
    let before = webhooks(&app, BUFFER).await;
    silence(&app, &[BUFFER, HYDRANTS]).await.unwrap();
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
        |one: &&deactivation_log::ReactivatedWebhook| matches!(one.end, ReactivationEnd::Refused { .. });
    assert_eq!(report.webhooks.iter().filter(refused).count(), 2, "{report:?}");
    assert!(webhooks(&app, HYDRANTS).await.iter().all(|(_, active)| !active));
    assert_eq!(app.history().await[0].outcome, Outcome::Failed);
    let open = deactivation_log::entries(&app.steward.context.history, None).await.unwrap();
    let open = open.iter().find(|entry| entry.service == HYDRANTS).unwrap();
    assert_eq!(open.restored_at, None, "it stays in the ledger");
}

#[tokio::test]
async fn a_service_whose_webhooks_cannot_be_listed_is_silenced_and_the_ledger_says_so() {
    let app = TestApp::new().await;
    let way = app.with_fault("GET /server/admin/services/Buffer.GPServer/webhooks", refusal(403)).await;

    silence(&app, &[BUFFER]).await.unwrap();

    assert!(way.met() > 0);
    let entry = entries(&app).await.remove(0);
    assert_eq!((entry.active.clone(), entry.known), (None, true));
    let refused = deactivation_log::restore(&app.steward.context, &app.site, app.run(), entry.id).await;
    assert_eq!(refused.err(), Some(Problem::precondition_failed(PreconditionFailure::ActiveUnknown)));
    app.go_through(app.practice_address());
    assert!(webhooks(&app, BUFFER).await.iter().all(|(_, active)| !active));
}

#[tokio::test]
async fn a_refused_service_leaves_no_entry_and_a_lost_answer_leaves_one_that_says_so() {
    let app = TestApp::new().await;
    let way = app.with_fault("/deactivateAll", refusal(403)).await;
    assert!(silence(&app, &[BUFFER]).await.is_err());
    assert_eq!(way.met(), 1);
    assert!(entries(&app).await.is_empty(), "it was never silent");

    app.go_through(app.practice_address());
    let _way = app.with_fault("/deactivateAll", Fault::AnswerLost).await;
    silence(&app, &[BUFFER, HYDRANTS]).await.unwrap();
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

    assert!(silence(&app, &[BUFFER]).await.is_err());

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
        silence(&app, &[HYDRANTS]).await.unwrap();
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
async fn a_restoration_whose_answer_is_lost_is_unknown_and_sent_once() {
    let app = TestApp::new().await;
    silence(&app, &[HYDRANTS]).await.unwrap();
    let way = app.with_fault("/edit", Fault::AnswerLost).await;

    let entry = entries(&app).await.remove(0);
    let ended =
        deactivation_log::restore(&app.steward.context, &app.site, app.run(), entry.id).await.unwrap();

    assert!(matches!(ended, RunResult::Unknown { stopped: false, .. }), "{ended:?}");
    assert_eq!(way.met(), 1, "the second webhook was not asked for either");
    assert_eq!(entries(&app).await[0].restored_at, None);
}

#[tokio::test]
async fn a_restoration_does_not_run_beside_another_operation() {
    let app = TestApp::new().await;
    silence(&app, &[HYDRANTS]).await.unwrap();
    let entry = entries(&app).await.remove(0);
    let way = FaultProxy::to(app.practice_address(), "/edit", Fault::Silence).await.unwrap();
    app.go_through(&way.address());

    let restoring = deactivation_log::restore(&app.steward.context, &app.site, app.run(), entry.id.clone());
    let second = async {
        until("the request", async || way.met() == 1).await;
        let second = RunId("second".to_owned());
        let refused = deactivation_log::restore(&app.steward.context, &app.site, second, entry.id).await;
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
    silence(&app, &[HYDRANTS]).await.unwrap();
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
    silence(&app, &[HYDRANTS]).await.unwrap();
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
async fn a_due_reminder_is_announced_once_also_across_restarts_and_again_when_it_is_set_anew() {
    let app = TestApp::new().await;
    silence(&app, &[HYDRANTS]).await.unwrap();
    let entry = entries(&app).await.remove(0);
    let news = async |app: &TestApp| {
        app.steward.announced.take_new(reminders::due(&app.steward.context, Millis::now()).await.unwrap())
    };
    let remind = async |app: &TestApp, at: i64| {
        deactivation_log::remind(&app.steward.context.history, entry.id.clone(), Some(Millis(at))).await.unwrap();
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
    silence(&app, &[HYDRANTS]).await.unwrap();
    let entry = entries(&app).await.remove(0);
    assert!(!entry.by_hand);
    deactivation_log::remind(&app.steward.context.history, entry.id.clone(), Some(Millis(1))).await.unwrap();

    let other = app.sites().save(&SiteForm::of("County GIS", "https://gis.example.org", "")).unwrap().id;
    assert!(
        deactivation_log::settle(&app.steward.context, &other, entry.id.clone()).await.is_err(),
        "it is another site's"
    );
    deactivation_log::settle(&app.steward.context, &app.site, entry.id.clone()).await.unwrap();

    let settled = entries(&app).await.remove(0);
    assert!(settled.by_hand && settled.known && settled.restored_at.is_some());
    assert_eq!(settled.restored_by.as_deref(), Some(app.user("administrator").username.as_str()));
    assert!(reminders::due(&app.steward.context, Millis::now()).await.unwrap().is_empty());
    let restored =
        deactivation_log::restore(&app.steward.context, &app.site, app.run(), entry.id.clone()).await;
    assert_eq!(restored.err(), Some(Problem::precondition_failed(PreconditionFailure::RestoredAlready)));
    let again = deactivation_log::settle(&app.steward.context, &app.site, entry.id).await;
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
        let _way = app.with_fault("webhooks?", listed(active)).await;

        silence(&app, &[HYDRANTS]).await.unwrap();

        assert_eq!(entries(&app).await[0].active, known, "{active}");
    }
}

#[tokio::test]
async fn a_webhook_of_which_the_server_does_not_say_whether_it_is_active_is_not_listed_as_inactive() {
    for (active, shown) in [("null", None), ("true", Some(true)), ("false", Some(false))] {
        let app = TestApp::new().await;
        let _way = app.with_fault(&format!("{HYDRANTS}/webhooks?"), listed(active)).await;

        let services = services_of(&app.steward.context.access, &app.site).await.unwrap();

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
        let _way = app.with_fault("webhooks?", crate::import_server::answer(&list)).await;

        silence(&app, &[HYDRANTS]).await.map(drop).unwrap();

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

    silence(&app, &[HYDRANTS]).await.map(drop).unwrap();

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

    assert!(silence(&app, &[HYDRANTS]).await.is_err());

    assert_eq!(entries(&app).await.len(), 1);
    journal(&app).execute_batch("DROP TRIGGER full").unwrap();
    until("the end of the entry", async || entries(&app).await.is_empty()).await;
}
