use std::path::Path;

use steward_testkit::window::Window;

use crate::practice::TestApp;

/// A desk on a computer where an organisation decides by this file.
fn desk_under(name: &str) -> (TestApp, &'static Path) {
    let mut desk = TestApp::new();
    // The environment of a program is of texts that stay.
    let file: &'static str = Box::leak(desk.place(name).display().to_string().into_boxed_str());
    desk.program.environment.push(("STEWARD_POLICY", file));
    (desk, Path::new(file))
}

async fn scheme(window: &Window) -> serde_json::Value {
    window
        .ask_page("return document.documentElement.getAttribute('data-mantine-color-scheme')")
        .await
        .unwrap()
}

#[tokio::test]
async fn what_the_organisation_locked_holds_in_the_window_and_a_broken_file_unlocks_nothing() {
    let (desk, file) = desk_under("policy.json");
    let decided = r#"{ "defaults": { "language": "de" }, "locked": { "theme": "dark" } }"#;
    std::fs::write(file, decided).unwrap();
    let window = desk.window().await;
    window.press("Einstellungen").await.unwrap();
    window.see("Von Ihrer Organisation verwaltet").await.unwrap();
    assert_eq!(scheme(&window).await, "dark");
    window.pick("Sprache", "English").await.unwrap();
    window.see("Managed by your organization").await.unwrap();
    window.close().await.unwrap();

    std::fs::write(file, "{ half a file").unwrap();
    let window = desk.window().await;
    window.press("Settings").await.unwrap();
    window.see("Your organization's policy file contains errors").await.unwrap();
    window.see("Managed by your organization").await.unwrap();
    assert_eq!(scheme(&window).await, "dark");
    window.close().await.unwrap();
}
