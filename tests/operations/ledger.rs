use steward_client::Area;
use steward_client::webhooks::ServiceWebhooks;
use steward_core::follow_up::reminders::{self, ReminderAbout};
use steward_core::model::numbers::Millis;
use steward_core::model::problem::{Declined, Problem};
use steward_core::model::run_result::Ended;
use steward_core::operations::deactivate_webhooks::deactivation_log::{
    self, RestoreEnd, RestoreReport, SilenceView,
};
use steward_core::operations::deactivate_webhooks::{DeactivateWebhooksForm, perform};
use steward_core::runs::RunId;
use steward_core::sites::SiteForm;
use steward_journal::Outcome;
use steward_testkit::{Fault, FaultProxy};

use crate::desk::Desk;

const HYDRANTS: &str = "Hosted/Hydrants.FeatureServer";
const BUFFER: &str = "Buffer.GPServer";

async fn server(desk: &Desk) -> Area {
    desk.host.server(&desk.host.sites.get(&desk.site).unwrap()).await.unwrap()
}

/// Names of the webhooks of a service and whether they are active.
async fn webhooks(desk: &Desk, service: &str) -> Vec<(String, bool)> {
    let all = ServiceWebhooks::at(service).list(&server(desk).await).await.unwrap();
    all.into_iter().map(|webhook| (webhook.name, webhook.active == Some(true))).collect()
}

async fn silence(desk: &Desk, services: &[&str]) -> Result<Ended<impl Sized + use<>>, Problem> {
    let form = DeactivateWebhooksForm {
        services: services.iter().map(|service| (*service).to_owned()).collect(),
        why: "The receiver moves".to_owned(),
        confirmation: String::new(),
    };
    perform(&desk.host, &desk.site, desk.run(), form).await
}

async fn entries(desk: &Desk) -> Vec<SilenceView> {
    deactivation_log::ledger(&desk.host, Some(&desk.site)).await.unwrap()
}

async fn restored(desk: &Desk, entry: &SilenceView) -> RestoreReport {
    let ended =
        deactivation_log::restore(&desk.host, &desk.site, desk.run(), entry.id.clone()).await.unwrap();
    let Ended::Done { report, .. } = ended else { panic!("{ended:?}") };
    report
}

fn refusal(code: u16) -> Fault {
    let body = format!(r#"{{"status":"error","messages":["No."],"code":{code}}}"#);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    Fault::Instead(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

#[tokio::test]
async fn exactly_those_webhooks_that_were_active_are_active_again() {
    let desk = Desk::new().await;
    let before = webhooks(&desk, HYDRANTS).await;
    assert!(before.iter().any(|(_, active)| *active) && before.iter().any(|(_, active)| !active));
    silence(&desk, &[HYDRANTS]).await.unwrap();
    assert!(webhooks(&desk, HYDRANTS).await.iter().all(|(_, active)| !active));

    let desk = desk.restarted();
    let entry = entries(&desk).await.remove(0);
    assert_eq!((entry.why.as_str(), entry.known), ("The receiver moves", true));
    let report = restored(&desk, &entry).await;

    assert_eq!((report.webhooks.len(), report.recorded), (2, true));
    assert!(report.webhooks.iter().all(|one| one.end == RestoreEnd::Activated), "{report:?}");
    assert_eq!(webhooks(&desk, HYDRANTS).await, before);
    let entry = entries(&desk).await.remove(0);
    assert!(entry.restored_at.is_some());
    let record = desk.history().await.remove(0);
    assert_eq!((record.intent.operation.as_str(), record.outcome), ("restore_webhooks", Outcome::Succeeded));
    assert_eq!(record.intent.requests.len(), 2, "one for each, and none for the inactive one");
    assert!(!format!("{record:?}").contains("hooks.example"), "receivers' addresses are often secrets");
}

#[tokio::test]
async fn a_webhook_that_was_deleted_meanwhile_is_said_so() {
    let desk = Desk::new().await;
    silence(&desk, &[HYDRANTS]).await.unwrap();
    let database = rusqlite::Connection::open(server_database(&desk)).unwrap();
    let deleted = database.execute("DELETE FROM webhooks WHERE name = 'Notify maintenance'", []).unwrap();
    assert_eq!(deleted, 1);

    let report = restored(&desk, &entries(&desk).await[0]).await;

    let end = |name: &str| report.webhooks.iter().find(|one| one.name == name).unwrap().end.clone();
    assert_eq!(end("Notify maintenance"), RestoreEnd::Gone);
    assert_eq!(end("Copy to the fire service"), RestoreEnd::Activated);
    assert!(entries(&desk).await[0].restored_at.is_some());
}

fn server_database(desk: &Desk) -> std::path::PathBuf {
    desk.practice_folder().join("server/server.db")
}

#[tokio::test]
async fn all_are_activated_at_once_only_where_all_were_active() {
    // Of this service all were active.
    let desk = Desk::new().await;
    let before = webhooks(&desk, BUFFER).await;
    silence(&desk, &[BUFFER, HYDRANTS]).await.unwrap();
    let no_edit = desk.with_fault("/edit", refusal(404)).await;
    let entries = entries(&desk).await;
    let of = |service: &str| entries.iter().find(|entry| entry.service == service).unwrap();

    let report = restored(&desk, of(BUFFER)).await;
    assert!(report.webhooks.iter().all(|one| one.end == RestoreEnd::Activated), "{report:?}");
    assert_eq!(webhooks(&desk, BUFFER).await, before);
    assert_eq!(no_edit.met(), 1);

    // Of this one, one was not.
    let report = restored(&desk, of(HYDRANTS)).await;
    let refused = |one: &&deactivation_log::RestoredWebhook| matches!(one.end, RestoreEnd::Refused { .. });
    assert_eq!(report.webhooks.iter().filter(refused).count(), 2, "{report:?}");
    assert!(webhooks(&desk, HYDRANTS).await.iter().all(|(_, active)| !active));
    assert_eq!(desk.history().await[0].outcome, Outcome::Failed);
    let open = deactivation_log::ledger(&desk.host, None).await.unwrap();
    let open = open.iter().find(|entry| entry.service == HYDRANTS).unwrap();
    assert_eq!(open.restored_at, None, "it stays in the ledger");
}

#[tokio::test]
async fn a_service_whose_webhooks_cannot_be_listed_is_silenced_and_the_ledger_says_so() {
    let desk = Desk::new().await;
    let way = desk.with_fault("GET /server/admin/services/Buffer.GPServer/webhooks", refusal(403)).await;

    silence(&desk, &[BUFFER]).await.unwrap();

    assert!(way.met() > 0);
    let entry = entries(&desk).await.remove(0);
    assert_eq!((entry.active.clone(), entry.known), (None, true));
    let refused = deactivation_log::restore(&desk.host, &desk.site, desk.run(), entry.id).await;
    assert_eq!(refused.err(), Some(Problem::declined(Declined::ActiveUnknown)));
    desk.go_through(desk.practice_address());
    assert!(webhooks(&desk, BUFFER).await.iter().all(|(_, active)| !active));
}

#[tokio::test]
async fn a_refused_service_leaves_no_entry_and_a_lost_answer_leaves_one_that_says_so() {
    let desk = Desk::new().await;
    let way = desk.with_fault("/deactivateAll", refusal(403)).await;
    assert!(silence(&desk, &[BUFFER]).await.is_err());
    assert_eq!(way.met(), 1);
    assert!(entries(&desk).await.is_empty(), "it was never silent");

    desk.go_through(desk.practice_address());
    let _way = desk.with_fault("/deactivateAll", Fault::AnswerLost).await;
    silence(&desk, &[BUFFER, HYDRANTS]).await.unwrap();
    let entries = entries(&desk).await;
    assert_eq!(entries.len(), 1, "the second service was not asked");
    assert!(!entries[0].known);
    assert_eq!(entries[0].active.as_ref().map(Vec::len), Some(2), "and the way back is known all the same");
}

#[tokio::test]
async fn nothing_falls_silent_that_the_ledger_could_not_take() {
    let desk = Desk::new().await;
    let way = desk.with_fault("/deactivateAll", Fault::AnswerLost).await;
    let journal = rusqlite::Connection::open(desk.host.data_folder.join("journal.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE INSERT ON silence BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal.execute_batch(full).unwrap();

    assert!(silence(&desk, &[BUFFER]).await.is_err());

    assert_eq!(way.met(), 0, "intent before effect");
}

#[tokio::test]
async fn a_restoration_that_succeeded_is_said_though_it_could_not_be_recorded() {
    for trigger in [
        "CREATE TRIGGER full BEFORE UPDATE ON silence BEGIN SELECT RAISE(ABORT, 'disk full'); END",
        "CREATE TRIGGER full BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END",
    ] {
        let desk = Desk::new().await;
        let before = webhooks(&desk, HYDRANTS).await;
        silence(&desk, &[HYDRANTS]).await.unwrap();
        let entry = entries(&desk).await.remove(0);
        let journal = rusqlite::Connection::open(desk.host.data_folder.join("journal.db")).unwrap();
        journal.execute_batch(trigger).unwrap();

        let report = restored(&desk, &entry).await;

        assert!(report.webhooks.iter().all(|one| one.end == RestoreEnd::Activated), "{report:?}");
        assert!(!report.recorded, "{trigger}");
        assert_eq!(webhooks(&desk, HYDRANTS).await, before);
    }
}

#[tokio::test]
async fn a_restoration_whose_answer_is_lost_is_unknown_and_sent_once() {
    let desk = Desk::new().await;
    silence(&desk, &[HYDRANTS]).await.unwrap();
    let way = desk.with_fault("/edit", Fault::AnswerLost).await;

    let entry = entries(&desk).await.remove(0);
    let ended = deactivation_log::restore(&desk.host, &desk.site, desk.run(), entry.id).await.unwrap();

    assert!(matches!(ended, Ended::Unknown { stopped: false, .. }), "{ended:?}");
    assert_eq!(way.met(), 1, "the second webhook was not asked for either");
    assert_eq!(entries(&desk).await[0].restored_at, None);
}

#[tokio::test]
async fn a_restoration_does_not_run_beside_another_operation() {
    let desk = Desk::new().await;
    silence(&desk, &[HYDRANTS]).await.unwrap();
    let entry = entries(&desk).await.remove(0);
    let way = FaultProxy::to(desk.practice_address(), "/edit", Fault::Silence).await.unwrap();
    desk.go_through(&way.address());

    let restoring = deactivation_log::restore(&desk.host, &desk.site, desk.run(), entry.id.clone());
    let second = async {
        crate::stop::soon(|| async { way.met() == 1 }).await;
        let second = RunId("second".to_owned());
        let refused = deactivation_log::restore(&desk.host, &desk.site, second, entry.id).await;
        desk.host.runs.stop(&desk.run());
        refused
    };
    let (_, refused) = tokio::join!(restoring, second);

    assert!(matches!(refused, Err(Problem::Busy { .. })));
    assert_eq!(way.met(), 1);
}

#[tokio::test]
async fn a_silent_service_is_reminded_of_until_it_is_restored() {
    let desk = Desk::new().await;
    silence(&desk, &[HYDRANTS]).await.unwrap();
    let entry = entries(&desk).await.remove(0);
    let now = Millis::now();
    let due = async |at: i64| reminders::due(&desk.host, Millis(at)).await.unwrap();
    assert!(due(now.0).await.is_empty());

    deactivation_log::remind(&desk.host, entry.id.clone(), Some(Millis(now.0 + 1_000))).await.unwrap();

    assert!(due(now.0).await.is_empty());
    let about = ReminderAbout::Silence { entry: entry.id.clone(), service: HYDRANTS.to_owned() };
    assert_eq!(due(now.0 + 1_000).await[0].about, about);
    restored(&desk, &entry).await;
    assert!(due(now.0 + 1_000).await.is_empty());
}

#[tokio::test]
async fn what_a_person_activated_by_hand_is_settled_and_restored_no_more() {
    let desk = Desk::new().await;
    silence(&desk, &[HYDRANTS]).await.unwrap();
    let entry = entries(&desk).await.remove(0);
    assert!(!entry.by_hand);
    deactivation_log::remind(&desk.host, entry.id.clone(), Some(Millis(1))).await.unwrap();

    let other = desk.host.sites.save(&SiteForm::of("County GIS", "https://gis.example.org", "")).unwrap().id;
    assert!(
        deactivation_log::settle(&desk.host, &other, entry.id.clone()).await.is_err(),
        "it is another site's"
    );
    deactivation_log::settle(&desk.host, &desk.site, entry.id.clone()).await.unwrap();

    let settled = entries(&desk).await.remove(0);
    assert!(settled.by_hand && settled.known && settled.restored_at.is_some());
    assert_eq!(settled.restored_by.as_deref(), Some(desk.user("administrator").username.as_str()));
    assert!(reminders::due(&desk.host, Millis::now()).await.unwrap().is_empty());
    let restored = deactivation_log::restore(&desk.host, &desk.site, desk.run(), entry.id.clone()).await;
    assert_eq!(restored.err(), Some(Problem::declined(Declined::RestoredAlready)));
    let again = deactivation_log::settle(&desk.host, &desk.site, entry.id).await;
    assert_eq!(again, Err(Problem::declined(Declined::RestoredAlready)));
    assert!(webhooks(&desk, HYDRANTS).await.iter().all(|(_, active)| !active), "nothing was sent");
}
