//! Starts that fail: the window says why, and leads on by the keyboard.

use std::path::Path;

use rusqlite::Connection;
use steward_testkit::window::Window;

use crate::practice::TestApp;

/// A desk on which the program was used yesterday, with the copies of that day.
async fn desk_with_copies() -> TestApp {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    window.close().await.unwrap();
    let data = desk.program.folder();
    let merge = "PRAGMA wal_checkpoint(TRUNCATE)";
    Connection::open(data.join("journal.db")).unwrap().query_row(merge, [], |_| Ok(())).unwrap();
    let copies = data.join("copies");
    std::fs::create_dir_all(&copies).unwrap();
    for (file, copy) in [("journal.db", "journal-2026-01-15.db"), ("sites.json", "sites-2026-01-15.json")] {
        std::fs::copy(data.join(file), copies.join(copy)).unwrap();
    }
    desk
}

/// The window of a program that could not start.
async fn stopped(desk: &TestApp, damaged: &str, content: &str) -> Window {
    std::fs::write(desk.program.folder().join(damaged), content).unwrap();
    let window = desk.window().await;
    assert_eq!(window.axe_findings().await.unwrap(), Vec::<String>::new());
    window
}

fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[tokio::test]
async fn an_empty_history_is_replaced_by_its_copy_with_the_keyboard() {
    let desk = desk_with_copies().await;
    let window = stopped(&desk, "journal.db", "").await;
    window.see("Could not read the history").await.unwrap();
    window.see("The file has no content, although the app was used before.").await.unwrap();
    window.see("Last copy:").await.unwrap();

    window.focus().await.unwrap();
    window.tab_to("Quit").await.unwrap();
    window.tab_to("Copy details").await.unwrap();
    window.tab_to("Use the copy").await.unwrap();
    window.key("Return").await.unwrap();

    window.press("History").await.unwrap();
    window
        .see_any("//*[(@role='grid' or @role='treegrid')]//*[contains(., 'Setting aside of data')]")
        .await
        .unwrap();
    window.see_any("//*[(@role='grid' or @role='treegrid')]//*[contains(., 'Sign-in')]").await.unwrap();
    window.close().await.unwrap();
    let names = names(&desk.program.folder());
    assert!(names.iter().any(|name| name.starts_with("journal-unreadable-")), "{names:?}");
}

#[tokio::test]
async fn sites_of_a_newer_version_are_set_aside_and_the_program_begins_anew() {
    let desk = desk_with_copies().await;
    let window = stopped(&desk, "sites.json", r#"{"format":2,"content":{}}"#).await;
    window.see("Could not read the saved sites").await.unwrap();
    window.see("A newer version of the app wrote the file.").await.unwrap();

    window.press("Set aside and continue").await.unwrap();

    window.see("Start practice site").await.unwrap();
    window.close().await.unwrap();
    let names = names(&desk.program.folder());
    assert!(names.iter().any(|name| name.starts_with("sites-unreadable-")), "{names:?}");
}
