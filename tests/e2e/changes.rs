//! What changed since Friday, found, accepted, and saved in the window by keyboard alone.

use rusqlite::Connection;
use steward_testkit::window::{Window, answer_save_dialog};

use crate::portal_back::picture;
use crate::practice::TestApp;

const CHANGES: &str =
    "2 services differ, 1 is missing, 1 data store item differs, 1 log configuration differs";

#[tokio::test]
async fn what_changed_since_friday_is_found_one_change_is_accepted_and_the_rest_saved_without_a_mouse() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.focus().await.unwrap();
    window.tab_to("Start practice site").await.unwrap();
    window.key("Return").await.unwrap();
    window.see("Portal and servers").await.unwrap();
    go_to(&window, "Changes").await;
    window.see("No snapshots").await.unwrap();
    // One on Friday, and two with nothing new since.
    for (number, days) in [(1, 3), (2, 2), (3, 1)] {
        press(&window, "Take snapshot").await;
        taken(&desk, number).await;
        date(&desk, days);
    }
    window.see("No changes").await.unwrap();
    go_to(&window, "Simulated faults").await;
    press(&window, "Change configuration").await;
    window.see("The configuration of the first server was changed.").await.unwrap();
    go_to(&window, "Changes").await;
    press(&window, "Take snapshot").await;
    window.see(CHANGES).await.unwrap();

    // The oldest is the last of the list, which begins with the newest.
    window.tab_to("Earlier snapshot").await.unwrap();
    for key in ["Down", "Down", "Down", "Return"] {
        window.key(key).await.unwrap();
    }
    assert_eq!(window.value("Earlier snapshot").await.unwrap(), friday(&desk, &window).await);
    window.see(CHANGES).await.unwrap();
    picture(&window, "since").await;

    // Tab stops at one row, and arrow keys move on.
    window.tab_to("Details of Utilities/RasterUtilities.GPServer").await.unwrap();
    for row in ["Hosted/Playgrounds.FeatureServer", "Parcels/Cadastre.FeatureServer"] {
        window.key("Down").await.unwrap();
        window.has_focus(&format!("Details of {row}")).await.unwrap();
    }
    window.key("Return").await.unwrap();
    window.see("maxRecordCount").await.unwrap();
    window.tab_to("Reason to accept Parcels/Cadastre.FeatureServer").await.unwrap();
    window.type_text("CHG-2310, more load since October").await.unwrap();
    picture(&window, "opened").await;
    window.key("Return").await.unwrap();
    window.see(&CHANGES.replace("2 services differ", "1 service differs")).await.unwrap();
    window.see("1 accepted").await.unwrap();
    window.has_focus("Details of /enterpriseDatabases/cadastre").await.unwrap();

    press(&window, "Save").await;
    window.has_focus("Page (HTML)").await.unwrap();
    window.key("Down").await.unwrap();
    window.key("Return").await.unwrap();
    let saved = desk.place("changes.csv");
    answer_save_dialog("Save the table", &saved).await.unwrap();
    window.see("changes.csv").await.unwrap();
    picture(&window, "saved").await;
    let text = std::fs::read_to_string(saved).unwrap();
    assert!(text.contains("/enterpriseDatabases/cadastre") && text.contains("CHG-2310"), "{text}");
    window.close().await.unwrap();
}

/// Opens a page by the command palette.
async fn go_to(window: &Window, page: &str) {
    window.key("ctrl+k").await.unwrap();
    window.has_focus("Search sites, operations, pages, and actions").await.unwrap();
    window.type_text(page).await.unwrap();
    window.see_any(&format!("//*[@role='dialog']//button[contains(., '{page}')]")).await.unwrap();
    window.key("Return").await.unwrap();
    window.see_any(&format!("//h1[starts-with(normalize-space(.), '{page}')]")).await.unwrap();
}

async fn press(window: &Window, button: &str) {
    window.tab_to(button).await.unwrap();
    window.key("Return").await.unwrap();
}

/// Waits until there are so many snapshots.
async fn taken(desk: &TestApp, number: u32) {
    let count = "SELECT count(*) FROM snapshot WHERE failure IS NULL";
    let is_taken = async || database(desk).query_row(count, [], |row| row.get(0)) == Ok(number);
    steward_testkit::until("the snapshot is taken", is_taken).await;
}

/// Dates the newest snapshot back.
fn date(desk: &TestApp, days: i64) {
    let newest = "UPDATE snapshot SET at = at - ?1, ended_at = ended_at - ?1
        WHERE id = (SELECT max(id) FROM snapshot)";
    database(desk).execute(newest, [days * 24 * 3_600_000]).unwrap();
}

/// Returns the time of the first snapshot, as the window writes it.
async fn friday(desk: &TestApp, window: &Window) -> String {
    let at =
        database(desk).query_row("SELECT min(at) FROM snapshot", [], |row| row.get::<_, i64>(0)).unwrap();
    let written = format!(
        "const parts = {{ hour: 'numeric', minute: '2-digit', day: 'numeric', month: 'short' }};
        return new Intl.DateTimeFormat('en-US', parts).format({at})"
    );
    window.ask_page(&written).await.unwrap().as_str().unwrap().to_owned()
}

fn database(desk: &TestApp) -> Connection {
    Connection::open(desk.program.folder().join("changes.db")).unwrap()
}
