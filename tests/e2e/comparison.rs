//! What disappears is told before an import, and what does not run after it.

use steward_testkit::SINCE_THE_EXPORT;

use crate::practice::TestApp;

#[tokio::test]
async fn an_import_is_compared_before_it_is_sent_and_proven_afterwards() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    window.export_server(&desk.place("practice.agssite")).await.unwrap();
    window.see("Inventory taken: 16 services").await.unwrap();
    assert!(desk.place("practice.agssite.inventory.json").is_file());
    desk.writable("server/server.db").execute_batch(SINCE_THE_EXPORT).unwrap();

    window.press("Overview").await.unwrap();
    window.press("Check services now").await.unwrap();
    window.see("16 of 17 services run").await.unwrap();

    window.press("Server import").await.unwrap();
    window.choose_stored_file().await.unwrap();
    window.see("4 services of the server will disappear.").await.unwrap();
    for name in ["Bridges.MapServer", "BufferZone.GPServer", "Ferries.MapServer", "Quays.MapServer"] {
        window.see(name).await.unwrap();
    }
    window.see("1 service changes its state").await.unwrap();
    window.see("1 service will appear").await.unwrap();

    window.press("Import into Practice").await.unwrap();
    window.see("14 of 15 services run").await.unwrap();
    window.see("Parcels/Zoning.MapServer does not run (state: FAILED).").await.unwrap();
    window.see("Services before the import: 19. Services now: 16.").await.unwrap();
    window.close().await.unwrap();
}
