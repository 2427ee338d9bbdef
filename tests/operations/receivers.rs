//! Addresses of receivers of webhooks, which often are secrets, where a server repeats them.

use steward_core::listings::services_of;
use steward_core::model::run_result::RunResult;
use steward_core::operations::import_server::{ImportServerForm, ImportServerOptions};
use steward_testkit::{Fault, FaultProxy};

use crate::odd_sites::json;
use crate::test_app::TestApp;

#[tokio::test]
async fn the_address_of_a_receiver_in_an_import_report_is_told_by_its_origin() {
    let app = TestApp::new().await;
    let address = "https://hooks.example.org/services/T0/B0/aVeryLongKeyOfAReceiver";
    let list = format!(r#"{{"webhooks":[{{"id":"1","name":"w","active":true,"hookUrl":"{address}"}}]}}"#);
    let listed = app.with_fault("webhooks?", Fault::Instead(json(&list))).await;
    let message = format!("Webhook w at {address} was not registered.");
    let report = serde_json::json!({ "status": "success", "result": [{ "source": "Services", "messages": [
        { "level": "WARNING", "message": message },
        { "level": "WARNING", "message": "m", "details": { "service": "a.GPServer", "message": message, "machines": [
            { "machine": "one", "reports": [{ "message": message }] },
        ] } },
    ]}]});
    let report = Fault::Instead(json(&report.to_string()));
    let way = FaultProxy::to(&listed.address(), "/admin/importSite", report).await.unwrap();
    app.go_through(&way.address());

    let services = services_of(&app.steward.context.access, &app.server).await.unwrap();
    let form = ImportServerForm {
        location: "/exports/a.agssite".to_owned(),
        confirmation: "City GIS".to_owned(),
        safety_backup: None,
        deactivate_webhooks: None,
        options: ImportServerOptions::default(),
    };
    let ended = app.import_server(form).await.unwrap();

    assert_eq!(services[0].webhooks.as_ref().unwrap()[0].receiver, "https://hooks.example.org");
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let told = serde_json::to_string(&report).unwrap();
    assert_eq!(
        told.matches("Webhook w at https://hooks.example.org/… was not registered.").count(),
        3,
        "{told}"
    );
    let kept = format!("{told} {:?}", app.history().await);
    assert!(!kept.contains("aVeryLongKey") && !kept.contains("/services/T0"), "{kept}");
}
