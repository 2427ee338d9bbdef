//! Paths as systems copy them, in every field for one.

use serde_json::json;
use steward_core::operations::OperationForm;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination};
use steward_core::operations::import_server::{ImportServerForm, ImportServerOptions};
use steward_core::request_preview;

use crate::export_portal::to;
use crate::test_app::TestApp;

#[tokio::test]
async fn a_path_that_was_copied_with_quotation_marks_is_sent_without_them_from_every_field() {
    let app = TestApp::new().await;
    let (quoted, path) = (r#" "\\nas\gis backup" "#, r"\\nas\gis backup");
    let target = |target: serde_json::Value| json!({ "target": target, "checkOnly": false });
    let bucket = json!({ "kind": "bucket", "location": quoted, "bucket": "b", "region": "r" });
    let blob = json!({
        "kind": "blob", "location": quoted, "container": "c", "accountName": "a", "accountKey": "k",
        "accountEndpoint": "e",
    });
    let place = json!({ "kind": "serverFolder", "location": quoted });
    let import =
        json!({ "location": quoted, "confirmation": "", "safetyBackup": null, "deactivateWebhooks": null });
    let items =
        json!({ "parentPath": quoted, "ancestorPath": quoted, "types": "", "id": "", "isManaged": null });
    for (operation, form, field) in [
        ("export_portal", target(json!({ "kind": "folder", "location": quoted })), "location"),
        ("export_portal", target(bucket), "location"),
        ("export_portal", target(blob), "location"),
        ("export_server", json!({ "place": place }), "location"),
        ("import_server", import, "location"),
        ("find_items", items.clone(), "parentPath"),
        ("find_items", items, "ancestorPath"),
    ] {
        let form: OperationForm =
            serde_json::from_value(json!({ "operation": operation, "form": form })).unwrap();
        let requests =
            request_preview::preview(&app.steward.context.access, &app.server, form).await.unwrap();
        let sent = requests[0].fields.iter().find(|one| one.name == field).unwrap().value.as_deref();
        assert_eq!(sent, Some(path), "{field} of {operation}");
    }
}

#[tokio::test]
async fn what_is_sent_and_recorded_of_a_pasted_path_is_the_path() {
    let app = TestApp::new().await;
    let folder = app.folder("gis backup");
    let quoted = format!("'{}'", folder.display());
    let place = ServerExportDestination::ServerFolder { location: quoted.clone() };
    app.export_portal(to(quoted.as_ref(), false)).await.unwrap();
    app.export_server(ExportServerForm { place }).await.unwrap();
    let import = ImportServerForm {
        location: format!("\"{}\"", folder.join("none.agssite").display()),
        confirmation: app.sites().get(&app.site).unwrap().name,
        safety_backup: None,
        deactivate_webhooks: None,
        options: ImportServerOptions::default(),
    };
    assert!(app.import_server(import).await.is_err(), "there is no such file");

    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2, "both exports are in the folder");
    for record in app.history().await {
        let sent = record.intent.parameters.iter().find(|(name, _)| name == "location").unwrap();
        assert!(sent.1.starts_with(folder.to_str().unwrap()), "{sent:?}");
    }
}
