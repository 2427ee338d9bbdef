use steward_testkit::until;
use steward_testkit::window::Window;

use crate::practice::TestApp;

const RUNNING: &str = "//*[@aria-label='Operations panel']//*[@aria-label='Show Portal export on Practice']";
const SUCCEEDED: &str = "//*[@aria-label='Operations panel']//*[normalize-space(.)='Succeeded']";

const WRITTEN: &str = "Exported Practice in";
const ENDED: &str = "Your session at Practice has ended";

/// An export of the portal whose answer takes its time.
async fn slow_export(window: &Window, seconds: &str) {
    window
        .add_fault("The response is slow", "Portal export", &[("Delay in seconds", seconds)])
        .await
        .unwrap();
    window.press("Portal export").await.unwrap();
    window.press("Use the practice folder").await.unwrap();
    window.press("Export portal").await.unwrap();
    window.see("Running: Portal export on Practice").await.unwrap();
}

#[tokio::test]
async fn a_run_goes_on_while_the_page_is_loaded_again_and_closing_the_window_asks() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    slow_export(&window, "12").await;

    window.reload().await.unwrap();
    window.see_any(RUNNING).await.unwrap();

    window.ask_to_close().await.unwrap();
    window.see("Close the app while 1 operation is running?").await.unwrap();
    window.press("Keep window open").await.unwrap();
    window.see_any(SUCCEEDED).await.unwrap();
    window.press("History").await.unwrap();
    window
        .see_any("//*[(@role='grid' or @role='treegrid')]//*[normalize-space(.)='Succeeded']")
        .await
        .unwrap();

    // Nothing runs any more, so nothing is asked.
    window.ask_to_close().await.unwrap();
    window.gone().await.unwrap();
}

#[tokio::test]
async fn the_result_of_an_export_whose_token_ended_stays_on_screen_and_is_there_after_signing_in_again() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    // The site lets the export in and its response takes its time; the form of the window delays the export itself.
    let rule = "{fault: 'delay', target: 'export_portal', times: 1, seconds: 6, after: true}";
    let order = format!("__TAURI_INTERNALS__.invoke('add_fault', {{rule: {rule}}}).then(arguments[0])");
    window.ask_page_later(&order).await.unwrap();
    window.press("Portal export").await.unwrap();
    window.press("Use the practice folder").await.unwrap();
    window.press("Export portal").await.unwrap();
    let exports = desk.program.folder().join("practice-exports");
    // Not only the file that the check of the location writes.
    until("an export in the folder", async || {
        std::fs::read_dir(&exports).is_ok_and(|files| {
            files.flatten().any(|file| file.path().extension().is_some_and(|kind| kind == "portalsite"))
        })
    })
    .await;
    desk.writable("sessions/sessions.db").execute("DELETE FROM tokens", []).unwrap();
    window.see("Running: Portal export on Practice").await.unwrap();
    window.see(WRITTEN).await.unwrap();

    // The next question to the site is the one that shows it.
    window.press("Data store items").await.unwrap();
    window.press("Filters").await.unwrap();
    window.fill("Parent path", "/fileShares").await.unwrap();
    window.press("Find data store items").await.unwrap();
    window.see(ENDED).await.unwrap();
    assert_eq!(window.value("Parent path").await.unwrap(), "/fileShares");
    window.press("Portal export").await.unwrap();
    window.press("Show").await.unwrap();
    window.see(WRITTEN).await.unwrap();

    window.press("Sign in").await.unwrap();
    window.press_at("//*[@role='dialog']//button[starts-with(normalize-space(.), 'steward')]").await.unwrap();
    window.see_none(ENDED).await.unwrap();
    window.see(WRITTEN).await.unwrap();
    window.close().await.unwrap();
}

#[tokio::test]
async fn what_a_killed_program_waited_for_is_unknown_and_leads_into_the_check() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    window
        .add_fault("The response is slow", "Webhook deactivation", &[("Delay in seconds", "60")])
        .await
        .unwrap();
    window.press("Webhooks").await.unwrap();
    window.select("Hosted/Hydrants.FeatureServer").await.unwrap();
    window.press("Deactivate webhooks of 1 service").await.unwrap();
    window.press("Deactivate webhooks").await.unwrap();
    window.see("Running: Webhook deactivation on Practice").await.unwrap();
    window.kill().await.unwrap();

    let window = desk.window().await;
    window.see("Outcome unknown").await.unwrap();
    window.press("Check outcome").await.unwrap();
    window.see("it stops when you close the app").await.unwrap();
    window.press("Start the practice site").await.unwrap();
    window.see("Results of the check").await.unwrap();
    window.close().await.unwrap();
}
