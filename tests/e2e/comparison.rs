//! What disappears is told before an import, and what does not run after it; the webhooks are deactivated meanwhile.

use steward_testkit::SINCE_THE_EXPORT;

use crate::practice::TestApp;

const QUIETLY: &str = "Deactivate all webhooks before the import, and reactivate them after it";

#[tokio::test]
async fn an_import_is_compared_before_it_is_sent_and_proven_afterwards() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    window.export_server(&desk.place("practice.agssite")).await.unwrap();
    window.see("Inventory taken. Services: 16").await.unwrap();
    assert!(desk.place("practice.agssite.inventory.json").is_file());
    desk.writable("server/server.db").execute_batch(SINCE_THE_EXPORT).unwrap();

    window.press("Overview").await.unwrap();
    window.press("Check now").await.unwrap();
    window.see("16 of 17").await.unwrap();

    window.press("Server import").await.unwrap();
    window.choose_stored_file().await.unwrap();
    window.see("4 services of the server will disappear.").await.unwrap();
    for name in ["Bridges.MapServer", "BufferZone.GPServer", "Ferries.MapServer", "Quays.MapServer"] {
        window.see(name).await.unwrap();
    }
    window.see("4 services will disappear, 1 will change, 1 will appear").await.unwrap();
    // Nothing is left to do before the import, and Enter in what only looks does not start it.
    window.focus().await.unwrap();
    window.fill("Search changes", "quays").await.unwrap();
    window.key("Return").await.unwrap();
    window.has_focus("Search changes").await.unwrap();
    window.see_none("Ferries.MapServer").await.unwrap();
    window.see_none("Stop import").await.unwrap();

    window.press("Replace Practice").await.unwrap();
    window.see("14 of 15 services are running").await.unwrap();
    window.see("Observed since").await.unwrap();
    window.see("FAILED").await.unwrap();
    window.see("Services before the import: 19. Services now: 16.").await.unwrap();
    window.close().await.unwrap();
}

#[tokio::test]
async fn a_quiet_import_reactivates_the_webhooks_and_after_stop_the_log_does() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    window.export_server(&desk.place("practice.agssite")).await.unwrap();
    let import = async || {
        window.press("Server import").await.unwrap();
        window.choose_stored_file().await.unwrap();
        window.select(QUIETLY).await.unwrap();
        window.press("Replace Practice").await.unwrap();
    };

    import().await;
    window.see("webhooks were active again").await.unwrap();
    window.see_none("are deactivated").await.unwrap();
    window.press("New import").await.unwrap();

    window.add_fault("The response is slow", "Server export", &[("Delay in seconds", "60")]).await.unwrap();
    import().await;
    window.see("Creating the safety backup").await.unwrap();
    window.press("Stop import").await.unwrap();
    window.press_at("//*[@role='dialog']//button[normalize-space(.)='Stop import']").await.unwrap();
    window.see("are deactivated").await.unwrap();
    window.press("Reactivate…").await.unwrap();
    window
        .press_at("//button[starts-with(normalize-space(.), 'Reactivate ') and contains(., ' webhooks')]")
        .await
        .unwrap();
    window
        .press_at("//*[@role='dialog']//button[starts-with(normalize-space(.), 'Reactivate ')]")
        .await
        .unwrap();
    window.see("Deactivation log (0 open entries)").await.unwrap();
    window.close().await.unwrap();
}
