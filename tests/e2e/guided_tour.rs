use steward_testkit::window::{Window, answer_save_dialog};

use crate::practice::TestApp;

/// The lap as somebody walks it who does what its words say.
#[tokio::test]
async fn the_guided_lap_is_walked_to_its_end_by_its_own_words() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    window.see("0 of 9 steps completed").await.unwrap();

    window.press("Go to Portal export").await.unwrap();
    window.press("Use the practice folder").await.unwrap();
    window.press("Export portal").await.unwrap();
    done(&window, 1).await;

    window.press("Go to Server export").await.unwrap();
    window.press("Choose a destination and export").await.unwrap();
    answer_save_dialog("Save the server export", &desk.place("practice.agssite")).await.unwrap();
    done(&window, 2).await;

    window.press("Go to Simulated faults").await.unwrap();
    window.press("Add fault").await.unwrap();
    window.see("1 active fault").await.unwrap();
    done(&window, 3).await;

    window.press("Go to Server import").await.unwrap();
    window.choose_stored_file().await.unwrap();
    window.press("Replace Practice").await.unwrap();
    done(&window, 4).await;
    let (folder, path) = missing_data(&window).await;

    window.press("Go to Data store items").await.unwrap();
    window.press("Show all items of /fileShares").await.unwrap();
    window.press_at(&format!("//*[@role='row']//*[normalize-space(.)='{folder}']")).await.unwrap();
    // What the details say of the folder is where the path in the report begins.
    let begins = format!(
        "//*[@role='dialog']//td[contains(., '/{folder}')][starts-with('{path}', normalize-space(.))]"
    );
    window.see_any(&begins).await.unwrap();
    window.key("Escape").await.unwrap();
    done(&window, 5).await;

    window.press("Go to History").await.unwrap();
    window.press_at("(//*[@role='row']//*[normalize-space(.)='Server import'])[1]").await.unwrap();
    window.press("Save audit package").await.unwrap();
    answer_save_dialog("Save the audit package", &desk.place("evidence.zip")).await.unwrap();
    window.see("Saved audit package").await.unwrap();
    window.press("Close").await.unwrap();
    done(&window, 6).await;

    window.press("Go to Webhooks").await.unwrap();
    window.select("Hosted/Hydrants.FeatureServer").await.unwrap();
    window.press("Deactivate webhooks of 1 service").await.unwrap();
    window.press("Deactivate webhooks").await.unwrap();
    done(&window, 7).await;

    window.press("Go to Participants").await.unwrap();
    window.choose_guest().await.unwrap();
    window.fill("Email address", "kim.harbour@example.net").await.unwrap();
    window.press_at("//button[starts-with(normalize-space(.), 'Update contact of ')]").await.unwrap();
    window.press("Update contact").await.unwrap();
    done(&window, 8).await;

    window.press("Go to Invitations").await.unwrap();
    window.choose_invitation().await.unwrap();
    window.press("Refresh invitation").await.unwrap();
    window.press("Refresh for 72 hours").await.unwrap();
    answer_save_dialog("Save the invitation", &desk.place("guest.invite")).await.unwrap();
    window.see("Guided tour completed").await.unwrap();
    window.press("End tour").await.unwrap();
    window.see_none("Guided tour completed").await.unwrap();
    window.close().await.unwrap();
}

async fn done(window: &Window, steps: u32) {
    window.see(&format!("{steps} of 9 steps completed")).await.unwrap();
    ends_with_page(window).await;
}

/// Waits until the tour is as wide as the page below it, be it a form or a result.
async fn ends_with_page(window: &Window) {
    let right = |part: &str| format!("document.querySelector('main {part}').getBoundingClientRect().right");
    let script = format!("return Math.abs({} - {}) < 1", right("aside"), right("section"));
    window.wait_until(&script).await.unwrap();
}

/// Opens the failure that the lap speaks of; answers the folder above its data, and the path of the data.
async fn missing_data(window: &Window) -> (String, String) {
    window.press_at("//*[@role='treeitem'][contains(., 'Zoning')]").await.unwrap();
    let message = "//*[@aria-label='Row details']//*[contains(text(), 'was not found at ')]";
    let message = window.see_any(message).await.unwrap().text().await.unwrap();
    let path = message.split("was not found at ").nth(1).unwrap().trim().to_owned();
    let folder = path.rsplit('/').nth(1).unwrap().to_owned();
    (folder, path)
}
