//! The history on paper, by the dialog of the desktop.

use std::path::Path;
use std::process::Command;

use steward_testkit::until_some;
use steward_testkit::window::answer_print_dialog;

use crate::practice::TestApp;

#[tokio::test]
async fn the_history_is_printed_in_whole_words_and_the_window_around_it_is_not() {
    let mut desk = TestApp::new();
    let folder = print_into(&mut desk, "paper");
    let window = desk.window().await;
    window.focus().await.unwrap();
    window.start_practice().await.unwrap();
    window.export_portal().await.unwrap();
    window.press("History").await.unwrap();
    window.press("Print…").await.unwrap();
    answer_print_dialog().await.unwrap();

    let printed = until_some("the printed file", async || text_of(&folder.join("output.pdf"))).await;
    let has = |words: &str| printed.contains(words);
    let rows = ["2 entries", "Operation", "Outcome", "Portal", "Practice", "steward", "Succeeded"];
    assert!(rows.into_iter().all(has), "{printed}");
    let window_around = ["Guided tour", "Simulated faults", "Any word", "Save list"];
    assert!(!window_around.into_iter().any(has), "{printed}");
    window.close().await.unwrap();
}

/// Makes a folder of the desk the one that the dialog proposes.
fn print_into(desk: &mut TestApp, name: &str) -> &'static Path {
    let folder = desk.place(name);
    std::fs::create_dir_all(&folder).unwrap();
    let documents = format!("XDG_DOCUMENTS_DIR=\"{}\"\n", folder.display());
    std::fs::write(folder.join("user-dirs.dirs"), documents).unwrap();
    // The environment of a program is of texts that stay.
    let folder: &str = Box::leak(folder.display().to_string().into_boxed_str());
    desk.program.environment.push(("XDG_CONFIG_HOME", folder));
    Path::new(folder)
}

/// The text of a file that is printed whole, with single spaces.
fn text_of(file: &Path) -> Option<String> {
    if !std::fs::read(file).ok()?.trim_ascii_end().ends_with(b"%%EOF") {
        return None;
    }
    let text = Command::new("pdftotext").arg(file).arg("-").output().unwrap().stdout;
    Some(String::from_utf8_lossy(&text).split_whitespace().collect::<Vec<_>>().join(" "))
}
