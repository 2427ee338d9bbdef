//! A rehearsal in the window, from a backup set to its receipt, and back, on the practice site that is marked as test. The program is
//! killed at each of its steps: it goes on where it was, and sends nothing twice.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use steward_testkit::until;
use steward_testkit::window::{Window, answer_open_dialog, answer_save_dialog};

use crate::practice::TestApp;

const TEST: &str = "Practice test site";

#[tokio::test]
async fn a_set_is_rehearsed_and_put_back_by_a_program_that_is_killed_at_each_step() {
    let desk = TestApp::new();
    for name in ["sets", "portal", "safety"] {
        std::fs::create_dir(desk.place(name)).unwrap();
    }
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    run_a_plan(&desk, &window).await;
    window.press("Simulated faults").await.unwrap();
    start_test_site(&window).await;
    mark(&desk);

    open_set(&window).await;
    window.press("Rehearse…").await.unwrap();
    window.press("Compare").await.unwrap();
    window.see("What differs from").await.unwrap();
    pictures(&window, "1-where").await;
    window.press("Begin rehearsal").await.unwrap();
    window.see("Begun").await.unwrap();
    window.kill().await.unwrap();

    // It was begun. The form of the first import is filled in; nothing is sent yet.
    let window = continued(&desk).await;
    open_import(&window).await;
    window.see("Replace the portal of").await.unwrap();
    // Its part of the set is compared with the test site before anything is sent.
    window.see("According to the history, the portal of Practice wrote this export.").await.unwrap();
    window
        .see_any("//table[@aria-label='Comparison with the export']//tr[starts-with(., 'Groups')]")
        .await
        .unwrap();
    window.kill().await.unwrap();
    assert_eq!(sent(&desk), 0);

    let window = continued(&desk).await;
    open_import(&window).await;
    fill_portal_form(&desk, &window).await;
    pictures(&window, "2-portal-form").await;
    window.press(&format!("Replace the portal of {TEST}")).await.unwrap();
    window.see(&format!("Imported into the portal of {TEST} in")).await.unwrap();
    window.kill().await.unwrap();

    // The portal was imported, and the test site was not back yet.
    let window = continued(&desk).await;
    until_settled(&window, 1).await;
    pictures(&window, "3-portal-back").await;
    open_import(&window).await;
    send_server(&window).await;
    window.see("did not start").await.unwrap();
    window.kill().await.unwrap();
    assert_eq!((sent(&desk), marks(&desk)), (2, (false, false)));

    // Both were imported.
    let window = continued(&desk).await;
    until_settled(&window, 2).await;
    pictures(&window, "5-imported").await;
    end(&window).await;
    window.see("Back, but something is not as it should be").await.unwrap();
    window.see("Parcels/Zoning").await.unwrap();
    window.see("Not tried").await.unwrap();
    pictures(&window, "6-receipt").await;
    window.press("Save").await.unwrap();
    window.press("HTML").await.unwrap();
    answer_save_dialog("Save the receipt", &desk.place("receipt.html")).await.unwrap();
    window.see("receipt.html").await.unwrap();
    assert!(std::fs::read_to_string(desk.place("receipt.html")).unwrap().contains("Parcels/Zoning"));
    window.kill().await.unwrap();

    // The receipt is there, and leads to the undo of each import, the last first.
    let window = desk.window().await;
    start_sites(&window).await;
    open_receipt(&window).await;
    undo(&window).await;
    window.see("The import was undone").await.unwrap();
    window.kill().await.unwrap();
    assert_eq!((sent(&desk), marks(&desk)), (3, (false, true)));

    let window = desk.window().await;
    start_sites(&window).await;
    open_receipt(&window).await;
    undo(&window).await;
    window.see("The import was undone").await.unwrap();
    open_receipt(&window).await;
    window.see(&format!("{TEST} is put back.")).await.unwrap();
    pictures(&window, "7-put-back").await;
    assert_eq!((sent(&desk), marks(&desk)), (4, (true, true)));

    // The set shows it, and the set has one receipt.
    open_set(&window).await;
    window.see(&format!("on {TEST}")).await.unwrap();
    pictures(&window, "8-set").await;
    assert_eq!(number(&desk, "operation = 'rehearse'"), 1);
    assert_eq!(
        number(&desk, "site = 'practice' AND operation LIKE 'import_%'"),
        0,
        "the site of the set got nothing"
    );
    window.close().await.unwrap();
}

/// A kill while the request of an import is at the site is the one at which the app cannot know the outcome.
#[tokio::test]
async fn an_import_whose_request_is_at_the_site_when_the_program_is_killed_is_unknown_and_is_sent_once() {
    let desk = TestApp::new();
    for name in ["sets", "portal", "safety"] {
        std::fs::create_dir(desk.place(name)).unwrap();
    }
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    run_a_plan(&desk, &window).await;
    window.press("Simulated faults").await.unwrap();
    start_test_site(&window).await;
    mark(&desk);
    open_set(&window).await;
    window.press("Rehearse…").await.unwrap();
    window.press("Compare").await.unwrap();
    window.press("Begin rehearsal").await.unwrap();
    window.see("Begun").await.unwrap();

    // The portal has imported the file, and its response is on its way: the check of the file before it gets its own.
    hold_response(&window, "import_portal", &[1, 3_600]).await;
    open_import(&window).await;
    fill_portal_form(&desk, &window).await;
    window.press(&format!("Replace the portal of {TEST}")).await.unwrap();
    until("the portal was replaced", async || !marks(&desk).0).await;
    window.kill().await.unwrap();
    assert_eq!(sent(&desk), 1);
    // A second request would replace this mark.
    mark(&desk);

    let window = continued(&desk).await;
    check_outcome(&window, "Mark as succeeded").await;
    assert_eq!(
        (sent(&desk), marks(&desk)),
        (1, (true, true)),
        "nothing is sent after a start or by the check"
    );
    gone_on(&window).await;
    until_settled(&window, 1).await;

    // The same for the server, which the user then imports once more: not before.
    hold_response(&window, "import_server", &[3_600]).await;
    open_import(&window).await;
    send_server(&window).await;
    until("the server was replaced", async || !marks(&desk).1).await;
    window.kill().await.unwrap();
    assert_eq!(sent(&desk), 2);
    mark(&desk);

    let window = continued(&desk).await;
    check_outcome(&window, "Mark as failed").await;
    assert_eq!(
        (sent(&desk), marks(&desk)),
        (2, (true, true)),
        "nothing is sent after a start or by the check"
    );
    gone_on(&window).await;
    window.see("Import failed").await.unwrap();
    open_import(&window).await;
    send_server(&window).await;
    window.see("did not start").await.unwrap();
    assert_eq!((sent(&desk), marks(&desk)), (3, (true, false)), "once more, as the user confirmed");
    assert_eq!(number(&desk, "site = 'practice' AND operation LIKE 'import_%'"), 0);
    window.close().await.unwrap();
}

/// Has the next responses to an operation of the test site wait so many seconds each, after the site did it.
async fn hold_response(window: &Window, operation: &str, seconds: &[u32]) {
    for seconds in seconds {
        let rule = format!(
            "{{fault: 'delay', target: '{operation}', times: 1, seconds: {seconds}, after: true, onTest: true}}"
        );
        let order = format!("__TAURI_INTERNALS__.invoke('add_fault', {{rule: {rule}}}).then(arguments[0])");
        window.ask_page_later(&order).await.unwrap();
    }
}

/// Goes from the step whose outcome is unknown to the check of it, and sets the outcome.
async fn check_outcome(window: &Window, outcome: &str) {
    window.see("Outcome unknown").await.unwrap();
    pictures(window, "9-unknown").await;
    window
        .press_at("//button[starts-with(@aria-label, 'Check the outcome of the import of ')]")
        .await
        .unwrap();
    window.see("Results of the check").await.unwrap();
    window.press(outcome).await.unwrap();
    window.see("The site did not report it.").await.unwrap();
}

/// Goes on with the rehearsal.
async fn gone_on(window: &Window) {
    open_set(window).await;
    window.press("Continue rehearsal").await.unwrap();
    window.see("Begun").await.unwrap();
}

async fn fill_portal_form(desk: &TestApp, window: &Window) {
    window.fill("Folder of the safety backup", &desk.place("safety").display().to_string()).await.unwrap();
    window.fill(&format!("Enter “{TEST}” to confirm"), TEST).await.unwrap();
}

/// Uploads the file of the step, and has the server replaced.
async fn send_server(window: &Window) {
    window.press_at("//button[starts-with(normalize-space(.), 'Upload ')]").await.unwrap();
    // Chosen where this computer has room for it.
    let clear = "const label = [...document.querySelectorAll('main label')]
        .find((one) => one.textContent.startsWith('Also save the safety backup'));
        const box = document.getElementById(label.htmlFor);
        if (box.checked) box.click();";
    window.ask_page(clear).await.unwrap();
    window.fill(&format!("Enter “{TEST}” to confirm"), TEST).await.unwrap();
    pictures(window, "4-server-form").await;
    window.press(&format!("Replace {TEST}")).await.unwrap();
}

/// Gives the test site something that the set does not have, to see that it is replaced, and put back.
fn mark(desk: &TestApp) {
    for (database, change) in [("portal/portal.db", MARK_PORTAL), ("server/server.db", MARK_SERVER)] {
        of_test_site(desk, database).execute_batch(change).unwrap();
    }
    assert_eq!(marks(desk), (true, true));
}

/// What only the test site has.
const MARK_PORTAL: &str = "UPDATE groups SET title = 'Only here'";
const MARK_SERVER: &str = "DELETE FROM data_items";

/// Whether portal and server of the test site are as they were before the rehearsal.
fn marks(desk: &TestApp) -> (bool, bool) {
    let has = |database: &str, question: &str| {
        of_test_site(desk, database).query_row(question, [], |row| row.get(0)).unwrap()
    };
    (
        has("portal/portal.db", "SELECT EXISTS (SELECT 1 FROM groups WHERE title = 'Only here')"),
        has("server/server.db", "SELECT NOT EXISTS (SELECT 1 FROM data_items)"),
    )
}

fn of_test_site(desk: &TestApp, database: &str) -> Connection {
    let path = desk.program.folder().join("practice-test").join(database);
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap()
}

/// Number of imports that were sent to the test site, undo included.
fn sent(desk: &TestApp) -> i64 {
    number(desk, "site = 'practice-test' AND operation LIKE 'import_%'")
}

fn number(desk: &TestApp, of: &str) -> i64 {
    let journal = Connection::open(desk.program.folder().join("journal.db")).unwrap();
    journal.query_row(&format!("SELECT count(*) FROM record WHERE {of}"), [], |row| row.get(0)).unwrap()
}

/// Has a plan of portal and server, and its first set.
async fn run_a_plan(desk: &TestApp, window: &Window) {
    window.press("Backup plans").await.unwrap();
    window.press("New plan").await.unwrap();
    window.fill("Name", "Nightly").await.unwrap();
    window.fill("Folder on the portal", &desk.place("portal").display().to_string()).await.unwrap();
    for (button, folder) in
        [("Choose the same folder on this computer", "portal"), ("Choose the folder for the sets", "sets")]
    {
        let folder = desk.place(folder);
        window.press(button).await.unwrap();
        answer_open_dialog("Choose a folder", &folder).await.unwrap();
        window.see_any(&format!("(//input[@value='{}'])[last()]", folder.display())).await.unwrap();
    }
    window.press("Save plan").await.unwrap();
    window.press("Run now: Nightly").await.unwrap();
    window.see_any("//tr[@aria-label='Nightly']//*[normalize-space(.)='Verified']").await.unwrap();
}

async fn start_test_site(window: &Window) {
    window.press("Start the practice test site").await.unwrap();
    window.see_any(&format!("//header//*[normalize-space(.)='{TEST}']")).await.unwrap();
}

/// Starts both sites, which ended with the program.
async fn start_sites(window: &Window) {
    all_sites(window).await;
    window.press("Start practice site").await.unwrap();
    window.press("Simulated faults").await.unwrap();
    start_test_site(window).await;
}

/// Opens the window again, starts both sites, and goes on with the rehearsal.
async fn continued(desk: &TestApp) -> Window {
    let window = desk.window().await;
    start_sites(&window).await;
    gone_on(&window).await;
    window
}

async fn all_sites(window: &Window) {
    window.press_at("//button[starts-with(@aria-label, 'Select a site')]").await.unwrap();
    window.press("All sites").await.unwrap();
}

/// Opens the set of the plan of the practice site.
async fn open_set(window: &Window) {
    all_sites(window).await;
    window.press("Practice").await.unwrap();
    window.press("Backup plans").await.unwrap();
    window.press_at("(//button[starts-with(@aria-label, 'Open set of ')])[1]").await.unwrap();
}

/// Opens the form of the next import, which is the only one that can be opened.
async fn open_import(window: &Window) {
    window
        .press_at("//button[not(@disabled)][starts-with(@aria-label, 'Open the import of ')]")
        .await
        .unwrap();
}

/// Waits until the test site was checked after so many imports.
async fn until_settled(window: &Window, imports: usize) {
    let script = format!(
        "return [...document.querySelectorAll('main td')].filter((one) => one.innerText.startsWith('Back, but')).length === {imports}"
    );
    for _ in 0..5 {
        if window.wait_until(&script).await.is_ok() {
            return;
        }
    }
    window.wait_until(&script).await.unwrap();
}

async fn end(window: &Window) {
    window.press("End rehearsal…").await.unwrap();
    window.press("End rehearsal").await.unwrap();
}

/// Opens the receipt by its entry in the history.
async fn open_receipt(window: &Window) {
    window.press("History").await.unwrap();
    window.press_at("(//*[@role='row']//*[normalize-space(.)='Rehearsal of a restore'])[1]").await.unwrap();
    window.press("Open receipt").await.unwrap();
    window.see(&format!("Put back {TEST}")).await.unwrap();
}

/// Undoes the next import of the receipt, after another safety backup.
async fn undo(window: &Window) {
    window
        .press_at("//button[not(@disabled)][starts-with(@aria-label, 'Undo the import of ')]")
        .await
        .unwrap();
    window.press("Undo this import").await.unwrap();
    window.fill(&format!("Enter “{TEST}” to undo the import"), TEST).await.unwrap();
    window.press("Undo the import").await.unwrap();
}

/// Takes pictures for who asks for them by `STEWARD_PICTURES`, a folder: light, dark, and at the smallest width, and the end of the page.
async fn pictures(window: &Window, name: &str) {
    let Some(folder) = std::env::var_os("STEWARD_PICTURES") else { return };
    for (theme, width, at) in
        [("dark", 1270, 0), ("light", 900, 0), ("light", 900, -1), ("light", 1270, -1), ("light", 1270, 0)]
    {
        window.resize(width, 860).await.unwrap();
        let look = format!(
            "document.documentElement.dataset.mantineColorScheme = '{theme}';
             [...document.querySelectorAll('main *')].at({at})?.scrollIntoView()"
        );
        window.ask_page(&look).await.unwrap();
        window.settle().await.unwrap();
        let end = if at == 0 { "" } else { "-end" };
        window.picture(&Path::new(&folder).join(format!("{name}-{theme}-{width}{end}.png"))).await.unwrap();
    }
}
