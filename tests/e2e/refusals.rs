use steward_testkit::window::Window;

use crate::practice::TestApp;

const NOWHERE: &str = "/no/such/folder";

const ACTIVE: &str = "SELECT count(*) FROM webhooks JOIN services ON services.id = service_id
                      WHERE folder = 'Hosted' AND services.name = 'Hydrants' AND active = 1";

#[tokio::test]
async fn each_operation_says_what_was_refused_loses_nothing_and_keeps_what_was_typed() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    let server = desk.server_database();
    let count = |sql: &str| server.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    let services = count("SELECT count(*) FROM services");

    window.press("Portal export").await.unwrap();
    window.fill("Folder the portal can write to", NOWHERE).await.unwrap();
    window.press("Export portal").await.unwrap();
    window.see("The site rejected the request").await.unwrap();
    assert_eq!(window.value("Folder the portal can write to").await.unwrap(), NOWHERE);

    window.press("Server export").await.unwrap();
    window.choose("Folder on the server").await.unwrap();
    window.fill("Folder the server can write to", NOWHERE).await.unwrap();
    window.press("Export server").await.unwrap();
    window.see("The site rejected the request").await.unwrap();
    assert_eq!(window.value("Folder the server can write to").await.unwrap(), NOWHERE);

    window.press("Server import").await.unwrap();
    window.choose("Path on the server").await.unwrap();
    window.fill("Path of the file on the server", "/no/such/file.agssite").await.unwrap();
    window.press("Replace Practice").await.unwrap();
    window.see("The import failed").await.unwrap();
    assert_eq!(window.value("Path of the file on the server").await.unwrap(), "/no/such/file.agssite");
    assert_eq!(count("SELECT count(*) FROM services"), services);

    let active = count(ACTIVE);
    assert!(active > 0);
    what_is_gone_meanwhile_is_refused(&desk, &window).await;
    assert_eq!(count(ACTIVE), active);

    // A change is not sent again with the renewed token.
    window
        .add_fault("The token has expired", "Webhook deactivation", &[("Number of times", "9")])
        .await
        .unwrap();
    window.press("Webhooks").await.unwrap();
    window.press("Reload").await.unwrap();
    // What was ticked before the first refusal still is.
    window.press("Deactivate webhooks of 1 service").await.unwrap();
    window.press("Deactivate webhooks").await.unwrap();
    window.see("The token was rejected and renewed").await.unwrap();
    assert_eq!(count(ACTIVE), active);

    window.press("Data store items").await.unwrap();
    window.press("Filters").await.unwrap();
    window.press("Find data store items").await.unwrap();
    window.see("Enter at least one filter.").await.unwrap();

    window.press("Participants").await.unwrap();
    window.choose_guest().await.unwrap();
    window.fill("Email address", "kim at example").await.unwrap();
    window.press_at("//button[starts-with(normalize-space(.), 'Update contact of ')]").await.unwrap();
    window.see("Enter a valid email address.").await.unwrap();
    assert_eq!(window.value("Email address").await.unwrap(), "kim at example");

    window.press("Invitations").await.unwrap();
    window.press("By ID").await.unwrap();
    window.fill("Collaboration ID", "00000000000000000000000000000000").await.unwrap();
    window.fill("Invitation ID", "11111111111111111111111111111111").await.unwrap();
    window.press("Refresh invitation").await.unwrap();
    window.press("Refresh for 72 hours").await.unwrap();
    window.see("The site rejected the request").await.unwrap();
    assert_eq!(window.value("Invitation ID").await.unwrap(), "11111111111111111111111111111111");

    window.press("History").await.unwrap();
    // Where the portal cannot write it is not asked to export.
    for operation in [
        "Server export",
        "Server import",
        "Webhook deactivation",
        "Participant contact update",
        "Invitation refresh",
    ] {
        let failed = format!(
            "//*[@role='row'][.//*[normalize-space(.)='{operation}']][.//*[normalize-space(.)='Failed']]"
        );
        window.see_any(&failed).await.unwrap();
    }
    window.close().await.unwrap();
}

/// The form is right and the list came; what it named is no longer there when the request arrives.
async fn what_is_gone_meanwhile_is_refused(desk: &TestApp, window: &Window) {
    const PATH: &str = "/fileShares/survey";
    let (portal, server) = (desk.writable("portal/portal.db"), desk.writable("server/server.db"));

    window.press("Webhooks").await.unwrap();
    window.select("Hosted/Hydrants.FeatureServer").await.unwrap();
    server.execute_batch("UPDATE services SET name = 'Gone' WHERE name = 'Hydrants'").unwrap();
    window.press("Deactivate webhooks of 1 service").await.unwrap();
    window.see("1 selected service is no longer there").await.unwrap();
    server.execute_batch("UPDATE services SET name = 'Hydrants' WHERE name = 'Gone'").unwrap();
    window.key("ctrl+r").await.unwrap();
    // It is selected as before.
    window.press("Deactivate webhooks of 1 service").await.unwrap();
    window.see("Deactivate 2 webhooks").await.unwrap();
    server.execute_batch("UPDATE services SET name = 'Gone' WHERE name = 'Hydrants'").unwrap();
    window.press("Deactivate webhooks").await.unwrap();
    window.see("The service Hosted/Hydrants.FeatureServer was not found.").await.unwrap();
    server.execute_batch("UPDATE services SET name = 'Hydrants' WHERE name = 'Gone'").unwrap();

    window.press("Data store items").await.unwrap();
    window.press("Filters").await.unwrap();
    window.fill("Parent path", PATH).await.unwrap();
    server.execute_batch("ALTER TABLE data_items RENAME TO gone").unwrap();
    window.press("Find data store items").await.unwrap();
    window.see("The operation failed. The log of the practice site holds the reason.").await.unwrap();
    assert_eq!(window.value("Parent path").await.unwrap(), PATH);
    server.execute_batch("ALTER TABLE gone RENAME TO data_items").unwrap();
    window.fill("Parent path", "").await.unwrap();

    window.press("Participants").await.unwrap();
    window.choose_guest().await.unwrap();
    window.fill("Email address", "kim.harbour@example.net").await.unwrap();
    portal.execute_batch("UPDATE participants SET portal_id = 'gone ' || portal_id").unwrap();
    window.press_at("//button[starts-with(normalize-space(.), 'Update contact of ')]").await.unwrap();
    window.press("Update contact").await.unwrap();
    window.see_any("//blockquote[contains(., 'was not found.')]").await.unwrap();
    assert_eq!(window.value("Email address").await.unwrap(), "kim.harbour@example.net");
    portal.execute_batch("UPDATE participants SET portal_id = substr(portal_id, 6)").unwrap();
}
