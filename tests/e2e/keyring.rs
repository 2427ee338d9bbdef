use crate::practice::TestApp;

#[tokio::test]
async fn a_missing_keyring_is_said_and_never_replaced_by_a_file() {
    let mut desk = TestApp::new();
    // Without a session bus there is no Secret Service.
    desk.program.environment.push(("DBUS_SESSION_BUS_ADDRESS", "unix:path=/no/such/bus"));
    let window = desk.window().await;

    window.press("Start practice site").await.unwrap();

    window.see("No keyring on this computer").await.unwrap();
    // Nobody is signed in: the site is known, and its token is nowhere.
    let sites = std::fs::read_to_string(desk.program.folder().join("sites.json")).unwrap();
    assert!(sites.contains("\"practice\"") && !sites.contains("token"), "{sites}");
    window.press("Settings").await.unwrap();
    window.see("Secret Service").await.unwrap();
    window.close().await.unwrap();
}
