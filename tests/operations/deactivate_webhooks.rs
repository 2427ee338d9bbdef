use std::sync::Arc;

use steward_client::listing::{self, Service};
use steward_core::actions::sign_in::leave;
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::{PreconditionFailure, Problem};
use steward_core::model::run_result::RunResult;
use steward_core::operations::deactivate_webhooks::DeactivateWebhooksForm;
use steward_core::sites::Site;
use steward_core::sites::availability::availability;
use steward_journal::{NoteKind, Outcome};
use steward_testkit::{Fault, until};
use tokio::sync::Notify;

use crate::import_server::answer;
use crate::test_app::TestApp;

fn form(services: &[&str]) -> DeactivateWebhooksForm {
    DeactivateWebhooksForm {
        services: services.iter().map(|service| (*service).to_owned()).collect(),
        why: "Maintenance of the receiver".to_owned(),
        confirmation: String::new(),
    }
}

fn path(service: &Service) -> String {
    format!("{}/{}.{}", service.folder, service.name, service.kind).trim_start_matches('/').to_owned()
}

async fn loud(app: &TestApp) -> Vec<String> {
    let server = app.steward.context.access.server(&app.sites().at(&app.server).unwrap()).await.unwrap();
    let services = listing::services(&server).await.unwrap();
    let active =
        |service: &&Service| service.webhooks.iter().flatten().any(|webhook| webhook.active == Some(true));
    services.iter().filter(active).map(path).collect()
}

#[tokio::test]
async fn the_webhooks_of_the_chosen_services_fall_silent_and_no_others() {
    let app = TestApp::new().await;
    let before = loud(&app).await;
    assert!(before.len() > 1, "the practice site has several services with active webhooks: {before:?}");

    let ended = app.deactivate_webhooks(form(&[&before[0]])).await.unwrap();

    assert!(
        matches!(&ended, RunResult::Done { report, .. } if report.services[0].problem.is_none()),
        "{ended:?}"
    );
    assert_eq!(loud(&app).await, before[1..]);
    assert_eq!(app.history().await[0].note, before[0]);
}

#[tokio::test]
async fn a_service_that_is_not_there_is_named_and_the_others_are_done() {
    let app = TestApp::new().await;
    let before = loud(&app).await;

    let services = form(&["Nowhere/Nothing.FeatureServer", &before[0]]);
    let ended = app.deactivate_webhooks(services).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert!(matches!(report.services[0].problem, Some(Problem::Rejected { .. })), "{report:?}");
    assert_eq!(report.services[1].problem, None);
    assert_eq!(app.history().await[0].outcome, Outcome::Warnings);
}

#[tokio::test]
async fn a_viewer_is_refused_and_nothing_falls_silent() {
    let app = TestApp::new().await;
    let before = loud(&app).await;
    app.sign_in("viewer").await.unwrap();

    let problem = app.deactivate_webhooks(form(&[&before[0]])).await.err().unwrap();

    assert!(matches!(problem, Problem::Rejected { code: Some(403), .. }), "{problem:?}");
    app.sign_in("administrator").await.unwrap();
    assert_eq!(loud(&app).await, before);
}

#[tokio::test]
async fn a_lost_answer_is_unknown_and_not_a_refusal() {
    let app = TestApp::new().await;
    let before = loud(&app).await;
    let way = app.with_fault("/deactivateAll", Fault::AnswerLost).await;

    let ended = app.deactivate_webhooks(form(&[&before[0]])).await.unwrap();

    assert!(matches!(ended, RunResult::Unknown { stopped: false, .. }), "{ended:?}");
    assert_eq!(way.met(), 1);
    assert_eq!(app.history().await[0].outcome, Outcome::Unknown);
    assert_eq!(loud(&app).await, before[1..], "the server did it all the same");
}

#[tokio::test]
async fn a_site_that_is_marked_read_only_in_the_middle_is_silenced_no_further() {
    let app = TestApp::new().await;
    let before = loud(&app).await;
    let sent = Arc::new(Notify::new());
    let held = app.with_fault("/deactivateAll", Fault::HeldUntil(sent.clone())).await.only(1);

    let mark = async {
        until("the first request", async || held.met() == 1).await;
        let site = app.sites().get(&app.site).unwrap();
        app.sites().put(Site { read_only: true, ..site }).unwrap();
        sent.notify_one();
    };
    let services = form(&[&before[0], &before[1]]);
    let (ended, ()) = tokio::join!(app.deactivate_webhooks(services), mark);

    let Ok(RunResult::Done { report, .. }) = ended else { panic!("{ended:?}") };
    assert_eq!(report.services[0].problem, None);
    assert!(matches!(report.services[1].problem, Some(Problem::ReadOnly { .. })), "{report:?}");
    assert_eq!(loud(&app).await, before[1..]);
}

#[tokio::test]
async fn a_site_that_somebody_signs_out_of_in_the_middle_is_silenced_no_further() {
    let app = TestApp::new().await;
    let before = loud(&app).await;
    let sent = Arc::new(Notify::new());
    let held = app.with_fault("/deactivateAll", Fault::HeldUntil(sent.clone())).await.only(1);

    let person = async {
        until("the first request", async || held.met() == 1).await;
        leave(&app.steward.context, &app.site).await.unwrap();
        sent.notify_one();
    };
    let services = form(&[&before[0], &before[1]]);
    let (ended, ()) = tokio::join!(app.deactivate_webhooks(services), person);

    let Ok(RunResult::Done { report, .. }) = ended else { panic!("{ended:?}") };
    assert_eq!(report.services[0].problem, None);
    assert!(matches!(report.services[1].problem, Some(Problem::SignIn { .. })), "{report:?}");
    app.sign_in("administrator").await.unwrap();
    assert_eq!(loud(&app).await, before[1..]);
}

#[tokio::test]
async fn webhooks_whose_list_does_not_come_are_not_silenced() {
    for odd in [Fault::Reset, answer(r#"{"status":"success"}"#)] {
        let app = TestApp::new().await;
        let before = loud(&app).await;
        let way = app.with_fault("/webhooks?", odd).await;

        let ended = app.deactivate_webhooks(form(&[&before[0]])).await;

        assert!(ended.is_err() && way.met() > 0, "{ended:?}");
        assert_eq!(app.history().await[0].outcome, Outcome::NotSent);
        let app = app.without_fault(way);
        assert_eq!(loud(&app).await, before, "which were active would be known to nobody");
    }
}

#[tokio::test]
async fn webhooks_whose_list_is_rejected_for_the_token_are_not_silenced() {
    let app = TestApp::new().await;
    let before = loud(&app).await;
    let expired = answer(r#"{"status":"error","messages":["Invalid token."],"code":498}"#);
    let way = app.with_fault("/webhooks?", expired).await;

    let ended = app.deactivate_webhooks(form(&[&before[0]])).await;

    assert!(matches!(ended, Err(Problem::SignIn { .. })) && way.met() > 0, "{ended:?}");
    let app = app.without_fault(way);
    app.sign_in("administrator").await.unwrap();
    assert_eq!(loud(&app).await, before, "which were active would be known to nobody");
}

#[tokio::test]
async fn the_record_names_the_services_that_were_not_sent_after_stop() {
    let app = TestApp::new().await;
    let before = loud(&app).await;
    let second = app.with_fault(&format!("{}/webhooks?", before[1]), Fault::Silence).await;
    let stop = async {
        until("the list of the second", async || second.met() > 0).await;
        app.steward.context.runs.stop(&app.run());
    };

    let silencing = app.deactivate_webhooks(form(&[&before[0], &before[1]]));
    let (ended, ()) = tokio::join!(silencing, stop);

    let Ok(RunResult::Done { report, .. }) = ended else { panic!("{ended:?}") };
    assert!(report.services[1].not_sent, "{report:?}");
    let record = app.history().await.remove(0);
    assert_eq!(record.outcome, Outcome::Warnings);
    assert_eq!(record.note, format!("{} · {}: not sent", before[0], before[1]));
}

#[tokio::test]
async fn the_record_of_a_lost_response_names_the_services_before_and_after_it() {
    let app = TestApp::new().await;
    let before = loud(&app).await;
    let _way = app.with_fault("/deactivateAll", Fault::AnswerLost).await.sparing(1);
    let services = form(&[&before[0], &before[1], "Hosted/Never.FeatureServer"]);

    let ended = app.deactivate_webhooks(services).await;

    assert!(matches!(ended, Ok(RunResult::Unknown { .. })), "{ended:?}");
    let record = app.history().await.remove(0);
    assert_eq!(record.outcome, Outcome::Unknown);
    let [deactivated, lost, not_sent] = &record.facts.note[..] else { panic!("{:?}", record.facts) };
    assert_eq!((deactivated.kind, &deactivated.text), (NoteKind::Names, &before[0]));
    assert_eq!((lost.kind, lost.about.as_ref()), (NoteKind::NoResponse, Some(&before[1])));
    assert_eq!(not_sent.about.as_deref(), Some("Hosted/Never.FeatureServer"));
    assert_eq!(record.note.matches(" · ").count(), 2, "{}", record.note);
}

#[tokio::test]
async fn a_message_of_the_site_is_one_fact_of_its_service_however_it_is_worded() {
    let app = TestApp::new().await;
    let before = loud(&app).await;
    let message = "Locked · no response from the site · /etc/hosts · HTTP 502: <html>";
    let error = answer(&format!(r#"{{"error":{{"code":400,"message":"{message}","details":[]}}}}"#));
    let _way = app.with_fault("/deactivateAll", error).await.sparing(1);

    let ended = app.deactivate_webhooks(form(&[&before[0], &before[1]])).await;

    assert!(matches!(ended, Ok(RunResult::Done { .. })), "{ended:?}");
    let record = app.history().await.remove(0);
    let [deactivated, rejected] = &record.facts.note[..] else { panic!("{:?}", record.facts) };
    assert_eq!((deactivated.kind, &deactivated.text), (NoteKind::Names, &before[0]));
    assert_eq!((rejected.kind, &*rejected.text), (NoteKind::Text, message));
    assert_eq!(rejected.about.as_ref(), Some(&before[1]));
}

#[tokio::test]
async fn a_connection_that_is_lost_is_not_tried_for_every_other_service() {
    let app = TestApp::new().await;
    let before = loud(&app).await;
    // The webhooks of the first service are listed before and after its deactivation.
    let lists = app.with_fault("/webhooks?", Fault::Reset).await.sparing(2);

    let services: Vec<_> = before.iter().map(String::as_str).collect();
    let ended = app.deactivate_webhooks(form(&services)).await;

    let Ok(RunResult::Done { report, .. }) = ended else { panic!("{ended:?}") };
    assert!(report.services.len() > 2, "the practice site has several services with webhooks");
    assert_eq!((report.services[0].not_sent, report.services[1].not_sent), (false, true));
    assert!(matches!(report.services[1].problem, Some(Problem::Unreachable { .. })), "{report:?}");
    assert!(report.services[2..].iter().all(|one| one.not_sent && one.problem.is_none()), "{report:?}");
    assert_eq!(lists.met(), 1, "the third list was not asked for");
}

#[tokio::test]
async fn a_role_with_the_privilege_for_webhooks_of_one_type_is_offered_the_operation_and_the_site_decides_by_service()
 {
    let (features, tool) = ("Hosted/Hydrants.FeatureServer", "Buffer.GPServer");
    for (role, own, other) in [("feature-editor", features, tool), ("geoprocessor", tool, features)] {
        let app = TestApp::signed_out().await;
        app.sign_in(role).await.unwrap();
        let site = app.sites().at(&app.server).unwrap();
        let known = app.steward.context.access.known(&site).await.unwrap();
        let offered: Vec<_> = availability(&site, &known)
            .into_iter()
            .filter(|one| one.reasons.is_empty())
            .map(|one| one.operation)
            .collect();
        assert_eq!(offered, [OperationKey::DeactivateWebhooks], "{role}");

        let deactivated = app.deactivate_webhooks(form(&[own])).await;
        let rejected = app.deactivate_webhooks(form(&[other])).await;

        assert!(matches!(deactivated, Ok(RunResult::Done { .. })), "{role}");
        assert!(matches!(rejected, Err(Problem::Rejected { .. })), "{role}: {:?}", rejected.err());
    }
}

#[tokio::test]
async fn a_deactivation_that_the_server_confirms_and_does_not_carry_out_has_failed() {
    let app = TestApp::new().await;
    let before = loud(&app).await;
    let confirmed = app.with_fault("/deactivateAll", answer(r#"{"status":"success"}"#)).await;

    let problem = app.deactivate_webhooks(form(&["Buffer.GPServer"])).await.err();

    assert_eq!(problem, Some(Problem::precondition_failed(PreconditionFailure::StillActive)));
    assert_eq!((app.history().await[0].outcome, confirmed.met()), (Outcome::Failed, 1));
    assert_eq!(loud(&app).await, before);
}
