//! A site with three servers: each page names the server that it acts on, and so does what it leaves.

use steward_testkit::window::{Window, answer_save_dialog};

use crate::practice::TestApp;

const SERVERS: [&str; 3] = ["gisapp01", "gisapp02", "imagery01"];

/// Pages that act on a server.
const PAGES: [&str; 4] = ["Server export", "Server import", "Webhooks", "Data store items"];

#[tokio::test]
async fn each_page_names_the_server_that_it_acts_on_and_two_are_exported_one_after_the_other() {
    let mut desk = TestApp::new();
    desk.program.environment.push(("STEWARD_PRACTICE_SERVERS", "3"));
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    // The board has each of them, and the site alone stands in the bar where a page is of the whole site.
    for server in SERVERS {
        window.see_any(&format!("//main//*[normalize-space(.)='{server}']")).await.unwrap();
    }

    for server in SERVERS {
        window.press("Server export").await.unwrap();
        choose(&window, server).await;
        for page in PAGES {
            window.press(page).await.unwrap();
            names(&window, server).await;
        }
    }

    for server in ["gisapp02", "imagery01"] {
        window.press("Server export").await.unwrap();
        choose(&window, server).await;
        names(&window, server).await;
        // The button names the server, too.
        let submit = format!("//button[@type='submit'][contains(normalize-space(.), '{server}')]");
        window.press_at(&submit).await.unwrap();
        answer_save_dialog("Save the server export", &desk.place(&format!("{server}.agssite")))
            .await
            .unwrap();
        window.see("and saved it on this computer").await.unwrap();
        let result = format!(
            "//main//*[starts-with(normalize-space(.), 'Exported ')][contains(normalize-space(.), '{server}')]"
        );
        window.see_any(&result).await.unwrap();
    }
    window.press("History").await.unwrap();
    for server in ["gisapp02", "imagery01"] {
        let row = format!(
            "//*[@role='row'][.//*[normalize-space(.)='Server export']][contains(normalize-space(.), '{server}')]"
        );
        window.see_any(&row).await.unwrap();
    }
    window.close().await.unwrap();
}

/// Chooses a server in the bar.
async fn choose(window: &Window, server: &str) {
    window.press_at("//button[starts-with(@aria-label, 'Server: ')]").await.unwrap();
    let item = format!("//*[@role='menuitem'][.//bdi[normalize-space(.)='{server}']]");
    window.press_at(&item).await.unwrap();
}

/// The title and the bar name the server.
async fn names(window: &Window, server: &str) {
    let title = format!("//h1[contains(concat(' ', normalize-space(.), ' '), ' {server} ')]");
    window.see_any(&title).await.unwrap();
    window.see_any(&format!("//button[@aria-label='Server: {server}']")).await.unwrap();
}
