use steward_testkit::window::Window;

use crate::practice::TestApp;

/// The situations of `ui/src/bridge/contract`, which `npm run contract` makes one script of.
const SITUATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/contract/contract.js");

#[tokio::test]
async fn the_program_does_what_the_windows_tests_expect_of_the_one_in_memory() {
    let script = std::fs::read_to_string(SITUATIONS).unwrap();
    let desk = TestApp::new();
    let window = desk.window().await;
    let names =
        window.ask_page(&format!("{script}; window.contract = contract; return contract.names;")).await;
    let names: Vec<String> = serde_json::from_value(names.unwrap()).unwrap();
    assert!(!names.is_empty());
    let mut failures = Vec::new();
    for (number, name) in names.iter().enumerate() {
        if let Some(why) = play(&window, number).await {
            failures.push(format!("{name}: {why}"));
        }
    }
    assert!(failures.is_empty(), "{} of {} failed:\n{}", failures.len(), names.len(), failures.join("\n"));
    window.close().await.unwrap();
}

/// Plays one situation, and returns how it failed.
async fn play(window: &Window, number: usize) -> Option<String> {
    let ended = window.ask_page_later(&format!("contract.play({number}).then(arguments[0]);")).await;
    match ended {
        Ok(why) => why.as_str().map(str::to_owned),
        Err(error) => Some(error.to_string()),
    }
}
