use steward_testkit::window::answer_save_dialog;

use crate::practice::TestApp;

const HYDRANTS: &str = "SELECT count(*) FROM webhooks JOIN services ON services.id = service_id
                        WHERE folder = 'Hosted' AND services.name = 'Hydrants' AND active = 1";

#[tokio::test]
async fn all_operations_change_what_they_say_and_break_no_rule_of_the_window() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    let server = desk.server_database();
    let count = |sql: &str| server.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();

    window.export_portal().await.unwrap();
    let exports = desk.program.folder().join("practice-exports");
    let archives: Vec<_> = std::fs::read_dir(exports).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(archives.len(), 1);
    assert!(archives[0].extension().is_some_and(|extension| extension == "portalsite"));

    let export = desk.place("practice.agssite");
    window.export_server(&export).await.unwrap();
    assert!(std::fs::read(&export).unwrap().starts_with(b"PK"));

    let services = count("SELECT count(*) FROM services");
    assert!(count(HYDRANTS) > 0);
    window.import_server().await.unwrap();
    assert_eq!(count("SELECT count(*) FROM services"), services);
    window.see("Parcels/Zoning.MapServer").await.unwrap();
    let report = desk.place("report.csv");
    window.press("Save report").await.unwrap();
    window.press("Save as CSV").await.unwrap();
    answer_save_dialog("Save the import report", &report).await.unwrap();
    window.see(&report.display().to_string()).await.unwrap();
    assert!(std::fs::read_to_string(&report).unwrap().contains("Parcels/Zoning.MapServer"));

    window.deactivate_webhooks("Hosted/Hydrants.FeatureServer").await.unwrap();
    assert_eq!(count(HYDRANTS), 0);

    window.find_items().await.unwrap();
    let items = count("SELECT count(*) FROM data_items");
    window.see(&format!("{items} data store items")).await.unwrap();

    window.update_participant("Kim", "Harbour", "kim.harbour@example.net").await.unwrap();
    let contacts: i64 = desk
        .portal_database()
        .query_row(
            "SELECT count(*) FROM participants WHERE contact_first_name = 'Kim' AND contact_last_name = 'Harbour'
             AND contact_email = 'kim.harbour@example.net' AND role = 'Guest'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(contacts, 1);

    window.refresh_invitation(&desk.place("guest.invite")).await.unwrap();

    // Last: it ends the session.
    let portal = desk.writable("portal/portal.db");
    portal.execute_batch("DELETE FROM group_items; DELETE FROM group_members; DELETE FROM groups;").unwrap();
    let groups = || portal.query_row("SELECT count(*) FROM groups", [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(groups(), 0);
    window.import_portal().await.unwrap();
    assert!(groups() > 0, "the groups of the export are back");

    window.press("History").await.unwrap();
    for operation in [
        "Portal export",
        "Server export",
        "Server import",
        "Webhook deactivation",
        "Participant contact update",
        "Invitation refresh",
        "Portal import",
    ] {
        window
            .see_any(&format!("//*[(@role='grid' or @role='treegrid')]//*[normalize-space(.)='{operation}']"))
            .await
            .unwrap();
    }
    assert_eq!(window.policy_violations().await.unwrap(), serde_json::json!([]));
    window.close().await.unwrap();
}
