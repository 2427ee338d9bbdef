use std::path::Path;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

use crate::practice::TestApp;

#[tokio::test]
async fn a_file_that_the_program_is_started_with_is_chosen_in_the_import() {
    let mut desk = TestApp::new();
    let first = desk.place("Nov-20.agssite");
    let second = desk.place("Nov-21.agssite");
    for file in [&first, &second] {
        std::fs::write(file, "PK").unwrap();
    }

    desk.program.arguments = vec![first.display().to_string()];
    let window = desk.window().await;
    window.see("Select a site first to use Nov-20.agssite.").await.unwrap();
    window.press("Start practice site").await.unwrap();
    window.see("Upload Nov-20.agssite").await.unwrap();

    start_once_more(&desk, &second).await;
    window.see("Upload Nov-21.agssite").await.unwrap();
    start_once_more(&desk, &desk.place("museum.invite")).await;
    window.see("museum.invite is an invitation").await.unwrap();
    window.close().await.unwrap();
}

/// As the desktop does for a file that is opened while the program runs: this start ends by itself.
async fn start_once_more(desk: &TestApp, file: &Path) {
    let mut again = Command::new(&desk.program.binary);
    let ended = again.arg(file).env("XDG_DATA_HOME", &desk.program.data).kill_on_drop(true).status();
    let status = timeout(Duration::from_secs(30), ended).await.unwrap().unwrap();
    assert!(status.success());
}
