//! A backup plan from its form to an import of one of its files. The runner is another process than the window, which has the
//! practice site in it.

use steward_testkit::window::{Window, answer_open_dialog};

use crate::practice::TestApp;

#[tokio::test]
async fn a_plan_of_three_servers_runs_needs_a_person_recovers_and_gives_a_file_back() {
    let mut desk = TestApp::new();
    desk.program.environment.push(("STEWARD_PRACTICE_SERVERS", "3"));
    let folder = desk.place("sets");
    std::fs::create_dir(&folder).unwrap();
    let window = desk.window().await;
    window.start_practice().await.unwrap();

    window.press("Backup plans").await.unwrap();
    window.press("New plan").await.unwrap();
    window.fill("Name", "Nightly").await.unwrap();
    window.select("Export Portal").await.unwrap();
    window.press("Choose the folder for the sets").await.unwrap();
    answer_open_dialog("Choose a folder", &folder).await.unwrap();
    window.see_any(&format!("//input[@value='{}']", folder.display())).await.unwrap();
    window.press("Save plan").await.unwrap();

    run_now(&window).await;
    state(&window, "Verified").await;
    // Beside the sets is the mark of the plan.
    let sets = || {
        std::fs::read_dir(&folder).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir()).count()
    };
    assert_eq!(sets(), 1);

    window.add_fault("The folder is not writable", "Server export", &[]).await.unwrap();
    window.press("Backup plans").await.unwrap();
    run_now(&window).await;
    state(&window, "Needs you").await;
    window.press_at("//button[starts-with(@aria-label, 'Select a site')]").await.unwrap();
    window.press("All sites").await.unwrap();
    window.see("Nightly").await.unwrap();
    window.see("The export was rejected").await.unwrap();

    window.press("Show plan").await.unwrap();
    run_now(&window).await;
    state(&window, "Verified").await;

    window.press_at("(//button[starts-with(@aria-label, 'Open set of ')])[1]").await.unwrap();
    window.press("Import the file of gisapp02…").await.unwrap();
    window.see_any("//h1[contains(normalize-space(.), 'gisapp02')]").await.unwrap();
    window.see(".agssite").await.unwrap();
    window.close().await.unwrap();
}

async fn run_now(window: &Window) {
    window.press("Run now: Nightly").await.unwrap();
}

async fn state(window: &Window, word: &str) {
    let cell = format!("//tr[@aria-label='Nightly']//*[normalize-space(.)='{word}']");
    window.see_any(&cell).await.unwrap();
}
