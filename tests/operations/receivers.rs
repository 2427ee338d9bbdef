//! Addresses of receivers of webhooks, which often are secrets, where a server repeats them.

use steward_core::listings::services_of;
use steward_core::model::run_result::Ended;
use steward_core::operations::import_server::{self, ImportServerForm};
use steward_testkit::{Fault, FaultProxy};

use crate::desk::Desk;
use crate::odd_sites::json;

#[tokio::test]
async fn the_address_of_a_receiver_in_an_import_report_is_told_by_its_origin() {
    let desk = Desk::new().await;
    let address = "https://hooks.example.org/services/T0/B0/aVeryLongKeyOfAReceiver";
    let list = format!(r#"{{"webhooks":[{{"id":"1","name":"w","active":true,"hookUrl":"{address}"}}]}}"#);
    let listed = desk.with_fault("webhooks?", Fault::Instead(json(&list))).await;
    let message = format!("Webhook w at {address} was not registered.");
    let report = serde_json::json!({ "status": "success", "result": [{ "source": "Services", "messages": [
        { "level": "WARNING", "message": message },
        { "level": "WARNING", "message": "m", "details": { "service": "a.GPServer", "message": message, "machines": [
            { "machine": "one", "reports": [{ "message": message }] },
        ] } },
    ]}]});
    let report = Fault::Instead(json(&report.to_string()));
    let way = FaultProxy::to(&listed.address(), "/admin/importSite", report).await.unwrap();
    desk.go_through(&way.address());

    let services = services_of(&desk.host, &desk.site).await.unwrap();
    let form = ImportServerForm {
        location: "/exports/a.agssite".to_owned(),
        confirmation: "City GIS".to_owned(),
        parachute: None,
    };
    let ended = import_server::perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();

    assert_eq!(services[0].webhooks[0].receiver, "https://hooks.example.org");
    let Ended::Done { report, .. } = ended else { panic!("{ended:?}") };
    let told = serde_json::to_string(&report).unwrap();
    assert_eq!(
        told.matches("Webhook w at https://hooks.example.org/… was not registered.").count(),
        3,
        "{told}"
    );
    let kept = format!("{told} {:?}", desk.history().await);
    assert!(!kept.contains("aVeryLongKey") && !kept.contains("/services/T0"), "{kept}");
}
