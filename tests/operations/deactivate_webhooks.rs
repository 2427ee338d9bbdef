use steward_client::listing::{self, Service};
use steward_core::model::problem::Problem;
use steward_core::model::run_result::Ended;
use steward_core::operations::deactivate_webhooks::deactivation_log;
use steward_core::operations::deactivate_webhooks::{DeactivateWebhooksForm, perform};
use steward_core::sites::Site;
use steward_journal::Outcome;
use steward_testkit::Fault;

use crate::desk::Desk;
use crate::import_server::answer;
use crate::stop::soon;

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

async fn loud(desk: &Desk) -> Vec<String> {
    let server = desk.host.server(&desk.host.sites.get(&desk.site).unwrap()).await.unwrap();
    let services = listing::services(&server).await.unwrap();
    let active = |service: &&Service| service.webhooks.iter().any(|webhook| webhook.active == Some(true));
    services.iter().filter(active).map(path).collect()
}

#[tokio::test]
async fn the_webhooks_of_the_chosen_services_fall_silent_and_no_others() {
    let desk = Desk::new().await;
    let before = loud(&desk).await;
    assert!(before.len() > 1, "the practice site has several services with active webhooks: {before:?}");

    let ended = perform(&desk.host, &desk.site, desk.run(), form(&[&before[0]])).await.unwrap();

    assert!(
        matches!(&ended, Ended::Done { report, .. } if report.services[0].problem.is_none()),
        "{ended:?}"
    );
    assert_eq!(loud(&desk).await, before[1..]);
    assert_eq!(desk.history().await[0].note, before[0]);
}

#[tokio::test]
async fn a_service_that_is_not_there_is_named_and_the_others_are_done() {
    let desk = Desk::new().await;
    let before = loud(&desk).await;

    let services = form(&["Nowhere/Nothing.FeatureServer", &before[0]]);
    let ended = perform(&desk.host, &desk.site, desk.run(), services).await.unwrap();

    let Ended::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert!(matches!(report.services[0].problem, Some(Problem::Refused { .. })), "{report:?}");
    assert_eq!(report.services[1].problem, None);
    assert_eq!(desk.history().await[0].outcome, Outcome::Warnings);
}

#[tokio::test]
async fn a_viewer_is_refused_and_nothing_falls_silent() {
    let desk = Desk::new().await;
    let before = loud(&desk).await;
    desk.sign_in("viewer").await.unwrap();

    let problem = perform(&desk.host, &desk.site, desk.run(), form(&[&before[0]])).await.err().unwrap();

    assert!(matches!(problem, Problem::Refused { code: Some(403), .. }), "{problem:?}");
    desk.sign_in("administrator").await.unwrap();
    assert_eq!(loud(&desk).await, before);
}

#[tokio::test]
async fn a_lost_answer_is_unknown_and_not_a_refusal() {
    let desk = Desk::new().await;
    let before = loud(&desk).await;
    let way = desk.with_fault("/deactivateAll", Fault::AnswerLost).await;

    let ended = perform(&desk.host, &desk.site, desk.run(), form(&[&before[0]])).await.unwrap();

    assert!(matches!(ended, Ended::Unknown { stopped: false, .. }), "{ended:?}");
    assert_eq!(way.met(), 1);
    assert_eq!(desk.history().await[0].outcome, Outcome::Unknown);
    assert_eq!(loud(&desk).await, before[1..], "the server did it all the same");
}

#[tokio::test]
async fn a_site_that_is_marked_read_only_in_the_middle_is_silenced_no_further() {
    let desk = Desk::new().await;
    let before = loud(&desk).await;
    desk.order("deactivate_webhooks", "delay", &[("seconds", "1")]).await;

    let mark = async {
        soon(|| async { !deactivation_log::ledger(&desk.host, None).await.unwrap().is_empty() }).await;
        let site = desk.host.sites.get(&desk.site).unwrap();
        desk.host.sites.put(Site { read_only: true, ..site }).unwrap();
    };
    let services = form(&[&before[0], &before[1]]);
    let (ended, ()) = tokio::join!(perform(&desk.host, &desk.site, desk.run(), services), mark);

    let Ok(Ended::Done { report, .. }) = ended else { panic!("{ended:?}") };
    assert_eq!(report.services[0].problem, None);
    assert!(matches!(report.services[1].problem, Some(Problem::ReadOnly { .. })), "{report:?}");
    assert_eq!(loud(&desk).await, before[1..]);
}

#[tokio::test]
async fn webhooks_whose_list_does_not_come_are_not_silenced() {
    for odd in [Fault::Reset, answer(r#"{"status":"success"}"#)] {
        let desk = Desk::new().await;
        let before = loud(&desk).await;
        let way = desk.with_fault("/webhooks?", odd).await;

        let ended = perform(&desk.host, &desk.site, desk.run(), form(&[&before[0]])).await;

        assert!(ended.is_err() && way.met() > 0, "{ended:?}");
        assert_eq!(desk.history().await[0].outcome, Outcome::Failed);
        let desk = desk.without_fault(way);
        assert_eq!(loud(&desk).await, before, "which were active would be known to nobody");
    }
}
