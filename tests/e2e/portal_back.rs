//! A portal whose search index lags after an import, watched in the window until the site is back.

use std::path::Path;

use practice_site::{FaultRule, InjectedFault, Operation, PracticeSite};
use rusqlite::Connection;
use steward_testkit::window::Window;

use crate::practice::TestApp;
use crate::restart::add_site;

/// Time until the index is complete, in seconds: longer than it takes to close the window and open it again.
const LAG: u64 = 75;

#[tokio::test]
async fn a_site_whose_index_lags_after_an_import_is_back_in_a_window_that_was_closed_meanwhile() {
    let desk = TestApp::new();
    let site = PracticeSite::start(desk.site_options()).await.unwrap();
    let folder = desk.place("exports");
    std::fs::create_dir(&folder).unwrap();
    // Nothing else is to be said of the site.
    let running = "DELETE FROM data_items; UPDATE services SET real_time_state = configured_state";
    desk.site_database("server/server.db").execute_batch(running).unwrap();
    let count = |table: &str| {
        let portal = desk.site_database("portal/portal.db");
        portal.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, u32>(0)).unwrap()
    };
    let entries = u64::from(count("items").max(count("users")));
    let window = desk.window().await;
    add_site(&window, site.ready(), "Test").await;
    window.press("Portal export").await.unwrap();
    window.fill("Folder the portal can write to", &folder.display().to_string()).await.unwrap();
    window.press("Export portal").await.unwrap();
    window.see("Exported City GIS in").await.unwrap();

    site.add_fault(FaultRule {
        operation: Operation::ImportPortal,
        fault: InjectedFault::IndexLags,
        times: 1,
        seconds: LAG * 100 / entries,
        after: false,
    });
    import(&window, &folder).await;
    sign_in_again(&window, &site).await;
    window.see("Still coming back").await.unwrap();
    window.see("items indexed").await.unwrap();
    window.see("so far, from the start of the import at").await.unwrap();
    picture(&window, "waits").await;
    // The card is reached and used without a mouse.
    window.focus().await.unwrap();
    window.tab_to("Check again").await.unwrap();
    window.key("Return").await.unwrap();
    window.tab_to("Stop checking").await.unwrap();
    window.see("Still coming back").await.unwrap();
    window.close().await.unwrap();

    let window = desk.window().await;
    window.press("Overview").await.unwrap();
    window
        .see_any("//*[@aria-labelledby]//*[starts-with(normalize-space(.), 'Still coming back')]")
        .await
        .unwrap();
    until_back(&window).await;
    picture(&window, "overview").await;
    window.press("History").await.unwrap();
    window.press_at("(//*[@role='row']//*[normalize-space(.)='Portal import'])[1]").await.unwrap();
    window.see("Back after").await.unwrap();
    let trail = Connection::open(desk.program.folder().join("journal.db")).unwrap();
    let told = "SELECT count(*) FROM trail WHERE kind = 'site.back'";
    assert_eq!(trail.query_row(told, [], |row| row.get::<_, i64>(0)).unwrap(), 1);

    // Without the fault, the result of another import says so itself.
    import(&window, &folder).await;
    sign_in_again(&window, &site).await;
    until_back(&window).await;
    picture(&window, "back").await;
    window.press("4 more checks as expected, and facts of the import").await.unwrap();
    window.see("from the start of the import at").await.unwrap();
    assert_eq!(trail.query_row(told, [], |row| row.get::<_, i64>(0)).unwrap(), 2);
    window.close().await.unwrap();
    site.stop().await;
}

/// Imports the latest export into the portal.
async fn import(window: &Window, folder: &Path) {
    window.press("Portal import").await.unwrap();
    window.choose_portal_export().await.unwrap();
    window.fill("Folder of the safety backup", &folder.display().to_string()).await.unwrap();
    window.fill("Enter “City GIS” to confirm", "City GIS").await.unwrap();
    window.press("Replace the portal of City GIS").await.unwrap();
    window.see("Imported into the portal of City GIS in").await.unwrap();
}

/// Signs in on the page of the import, which ended the session.
async fn sign_in_again(window: &Window, site: &PracticeSite) {
    let user = site.ready().users.iter().find(|user| user.role == "administrator").unwrap();
    window.press("Sign in").await.unwrap();
    window.fill("User name", &user.username).await.unwrap();
    window.fill("Password", &user.password).await.unwrap();
    window.press_at("//*[@role='dialog']//button[normalize-space(.)='Sign in']").await.unwrap();
    window.see_none("Sign in again to continue").await.unwrap();
}

async fn until_back(window: &Window) {
    let is_back = "return [...document.querySelectorAll('main h2')].some((one) => one.textContent.startsWith('Back after'))";
    for _ in 0..4 {
        if window.wait_until(is_back).await.is_ok() {
            return;
        }
    }
    window.see("Back after").await.unwrap();
}

/// Takes a picture for who asks for it by `STEWARD_PICTURES`, a folder.
pub(crate) async fn picture(window: &Window, name: &str) {
    if let Some(folder) = std::env::var_os("STEWARD_PICTURES") {
        window.settle().await.unwrap();
        window.picture(&Path::new(&folder).join(format!("{name}.png"))).await.unwrap();
    }
}
