//! Journeys: the real program in a real window, with the real keyring, real file dialogs and a running site.

use steward_testkit::window::{Program, Window};

#[tokio::test]
async fn the_first_screen_offers_the_practice_site() {
    let data = tempfile::tempdir().unwrap();
    let window = Window::open(&Program::from_environment(data.path()).unwrap()).await.unwrap();

    window.picture(std::path::Path::new("/tmp/first.png")).await.unwrap();
    window.press("Start the practice site").await.unwrap();
    window.see("Portal export").await.unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    window.picture(std::path::Path::new("/tmp/second.png")).await.unwrap();
    assert_eq!(window.policy_violations().await.unwrap(), serde_json::json!([]));
    window.close().await.unwrap();
}
