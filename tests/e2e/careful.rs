use std::os::unix::fs::PermissionsExt;

use practice_site::PracticeSite;
use steward_testkit::window::{Window, answer_open_dialog, answer_save_dialog, dismiss_dialog};

use crate::practice::TestApp;
use crate::restart::add_site;

#[tokio::test]
async fn on_production_an_uploaded_file_is_imported_once_the_name_is_typed_and_that_can_be_undone() {
    let desk = TestApp::new();
    let site = PracticeSite::start(desk.site_options()).await.unwrap();
    let server = desk.site_database("server/server.db");
    let count = |sql: &str| server.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    let services = || count("SELECT count(*) FROM services");
    let stored = || count("SELECT count(*) FROM uploads");
    let window = desk.window().await;
    add_site(&window, site.ready(), "Production").await;

    // The place is asked for first: a dialog that is closed costs nothing.
    window.press("Server export").await.unwrap();
    window.press("Choose a destination and export").await.unwrap();
    dismiss_dialog("Save the server export").await.unwrap();
    window.see("Nothing was sent to City GIS, because the dialog was closed.").await.unwrap();
    assert_eq!(stored(), 0);
    let file = desk.place("city.agssite");
    window.press("Choose a destination and export").await.unwrap();
    answer_save_dialog("Save the server export", &file).await.unwrap();
    window.see("Exported City GIS and saved it on this computer").await.unwrap();
    assert_eq!(stored(), 1);
    let exported = services();
    // What came after the export: the import takes it away, its undoing brings it back.
    server
        .execute(
            "INSERT INTO services (folder, name, type, description, configuration, data_path,
                 configured_state, real_time_state)
             SELECT folder, 'Younger', type, description, configuration, data_path, 'STARTED', 'STARTED'
             FROM services WHERE name = 'Hydrants'",
            [],
        )
        .unwrap();

    window.press("Server import").await.unwrap();
    window.choose("This computer").await.unwrap();
    window.press("Choose and upload a file").await.unwrap();
    dismiss_dialog("Choose the file to upload").await.unwrap();
    window.see("Upload the file first.").await.unwrap();
    window.press("Choose and upload a file").await.unwrap();
    answer_open_dialog("Choose the file to upload", &file).await.unwrap();
    // Servers take no such files until an administrator says so.
    window.see("The server does not accept “.agssite” files").await.unwrap();
    assert_eq!((stored(), services()), (1, exported + 1));
    let allow =
        "UPDATE settings SET value = json_set(value, '$.uploadFileExtensionAllowedList', 'csv,agssite')
                 WHERE name = 'properties'";
    assert_eq!(server.execute(allow, []).unwrap(), 1);
    window.press("Choose and upload a file").await.unwrap();
    answer_open_dialog("Choose the file to upload", &file).await.unwrap();
    window.see("Uploaded city.agssite").await.unwrap();
    assert_eq!((stored(), services()), (2, exported + 1), "nothing is imported by that");
    window.see("Enter the name first.").await.unwrap();
    window.fill("Enter “City GIS” to confirm", "City").await.unwrap();
    locked(&window, "Replace City GIS").await;
    window.fill("Enter “City GIS” to confirm", "City GIS").await.unwrap();
    without_a_copy(&window).await;
    window.press("Replace City GIS").await.unwrap();
    window.see("You can undo this import").await.unwrap();
    assert_eq!(services(), exported);

    window.press("Undo this import").await.unwrap();
    window.see("Undo the import into City GIS?").await.unwrap();
    locked(&window, "Undo the import").await;
    window.fill("Enter “City GIS” to undo the import", "City GIS").await.unwrap();
    window.press("Undo the import").await.unwrap();
    // One of its services never has its data, and undoing an import is an import.
    window.see("The import was undone, but 1 service did not start").await.unwrap();
    assert_eq!(services(), exported + 1);
    window.press("Open the import report").await.unwrap();
    window.see("Undo of server import on City GIS").await.unwrap();
    window.close().await.unwrap();
    site.stop().await;
}

#[tokio::test]
async fn on_production_webhooks_want_the_name_typed_and_a_read_only_site_a_reason() {
    let desk = TestApp::new();
    let site = PracticeSite::start(desk.site_options()).await.unwrap();
    let server = desk.site_database("server/server.db");
    let active = || {
        let sql = "SELECT count(*) FROM webhooks JOIN services ON services.id = service_id
                   WHERE folder = 'Hosted' AND services.name = 'Hydrants' AND active = 1";
        server.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap()
    };
    let before = active();
    let window = desk.window().await;
    add_site(&window, site.ready(), "Production").await;
    window.press("Edit site").await.unwrap();
    window.choose("Read-only").await.unwrap();
    window.press("Save").await.unwrap();
    window.see("This site is read-only").await.unwrap();

    // What the site has can be read there, and changes nothing: the way to unlock it stands above.
    let above = "//section[@aria-label='Webhooks']//section[@aria-label='Read-only']";
    window.press("Webhooks").await.unwrap();
    window.see_any(above).await.unwrap();
    window.see("Hydrants.FeatureServer").await.unwrap();
    locked(&window, "Deactivate webhooks").await;
    window.fill("Reason", "x").await.unwrap();
    window.press("Unlock for 15 minutes").await.unwrap();
    window.see("Enter a reason of at least 3 characters.").await.unwrap();
    window.fill("Reason", "Planned maintenance tonight").await.unwrap();
    window.press("Unlock for 15 minutes").await.unwrap();
    window.select("Hosted/Hydrants.FeatureServer").await.unwrap();

    window.press("Overview").await.unwrap();
    window.see("Unlocked until").await.unwrap();
    window.press("Lock").await.unwrap();
    window.see("Changes are rejected.").await.unwrap();
    window.press("Webhooks").await.unwrap();
    window.see_any(above).await.unwrap();
    window.see("Deactivate webhooks of 1 service").await.unwrap();
    locked(&window, "Deactivate webhooks of 1 service").await;
    assert_eq!(active(), before);
    window.fill("Reason", "The maintenance takes longer").await.unwrap();
    window.press("Unlock for 15 minutes").await.unwrap();

    // What was ticked before it was locked still is.
    window.press("Deactivate webhooks of 1 service").await.unwrap();
    locked(&window, "Deactivate webhooks").await;
    window.fill("Enter “City GIS” to confirm", "City GIS").await.unwrap();
    window.press("Deactivate webhooks").await.unwrap();
    window.see("Deactivated the webhooks of").await.unwrap();
    assert_eq!(active(), 0);

    window.press("History").await.unwrap();
    window
        .see_any("//*[(@role='grid' or @role='treegrid')]//*[normalize-space(.)='Site unlock']")
        .await
        .unwrap();
    window.close().await.unwrap();
    site.stop().await;
}

#[tokio::test]
async fn a_lost_answer_leads_into_the_check_and_what_a_closed_dialog_left_unsaved_can_be_saved_later() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();

    window.press("Simulated faults").await.unwrap();
    window.choose("The response is incomplete").await.unwrap();
    window.pick("Request", "Participant contact update").await.unwrap();
    window.press("Add fault").await.unwrap();
    window.see("1 active fault").await.unwrap();
    window.press("Participants").await.unwrap();
    window.choose_guest().await.unwrap();
    window.fill("First name", "Kim").await.unwrap();
    window.fill("Last name", "Harbour").await.unwrap();
    window.fill("Email address", "kim.harbour@example.net").await.unwrap();
    window.press_at("//button[starts-with(normalize-space(.), 'Update contact of ')]").await.unwrap();
    // What is and what will be stand beside each other before anything is sent.
    let change = "//*[@role='dialog']//tr[td[contains(., '@')]][td[.='kim.harbour@example.net']]";
    window.see_any(change).await.unwrap();
    window.press("Update contact").await.unwrap();
    window.see("might still be processing").await.unwrap();

    window.press("History").await.unwrap();
    window
        .press_at("//*[@role='row'][contains(., 'Unknown')][contains(., 'Participant contact update')]")
        .await
        .unwrap();
    window.press_at("//main//button[normalize-space(.)='Check outcome']").await.unwrap();
    window.see("The site shows the change.").await.unwrap();
    window.press("Mark as succeeded").await.unwrap();
    window.see("Outcome set by").await.unwrap();
    window.press("Close").await.unwrap();

    window.press("Invitations").await.unwrap();
    window.choose_invitation().await.unwrap();
    window.press("Refresh invitation").await.unwrap();
    window.press("Refresh for 72 hours").await.unwrap();
    dismiss_dialog("Save the invitation").await.unwrap();
    window.see("not saved in a folder yet").await.unwrap();
    window.press("Back to the invitations").await.unwrap();
    window.see("1 refreshed invitation is not saved yet").await.unwrap();
    let file = desk.place("later.invite");
    window.press_at("//button[starts-with(@aria-label, 'Save ')]").await.unwrap();
    answer_save_dialog("Save the invitation", &file).await.unwrap();
    window.see_none("1 refreshed invitation is not saved yet").await.unwrap();
    assert!(serde_json::from_slice::<serde_json::Value>(&std::fs::read(&file).unwrap()).is_ok());

    save_an_export_that_did_not_arrive(&desk, &window).await;
    window.close().await.unwrap();
}

/// The export is whole on the server; its way to this computer takes three attempts.
async fn save_an_export_that_did_not_arrive(desk: &TestApp, window: &Window) {
    const DIALOG: &str = "Save the server export";
    window.add_fault("The site returns a web page", "Download of an export file", &[]).await.unwrap();
    window.press("Server export").await.unwrap();
    window.press("Choose a destination and export").await.unwrap();
    let file = desk.place("late.agssite");
    answer_save_dialog(DIALOG, &file).await.unwrap();
    window.see("The file is not saved on this computer yet").await.unwrap();
    assert!(!file.exists());
    window.press("Save again").await.unwrap();
    dismiss_dialog(DIALOG).await.unwrap();
    window.see("The file is not saved on this computer yet.").await.unwrap();
    window.press("Save…").await.unwrap();
    answer_save_dialog(DIALOG, &file).await.unwrap();
    window.see("and saved it on this computer").await.unwrap();
    assert!(std::fs::read(&file).unwrap().starts_with(b"PK"));
}

#[tokio::test]
async fn many_contacts_and_many_invitations_are_shown_first_and_each_has_its_own_end() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    contacts_from_a_sheet(&desk, &window).await;
    invitations_into_one_folder(&desk, &window).await;
    window.close().await.unwrap();
}

async fn contacts_from_a_sheet(desk: &TestApp, window: &Window) {
    let portal = desk.writable("portal/portal.db");
    let contact = |participant: &str| {
        let find = "SELECT contact_email FROM participants WHERE name = ?1 AND role = 'Guest'";
        portal.query_row(find, [participant], |row| row.get::<_, String>(0)).unwrap()
    };
    let board = contact("Regional Water Board");
    let sheet = desk.place("contacts.csv");
    std::fs::write(
        &sheet,
        "Portal;Collaboration;First name;Last name;Email address\r\n\
         Rivers County;Flood Response;Kim;Harbour;kim.harbour@example.net\r\n\
         Regional Water Board;Flood Response;Toni;Ridge;toni.ridge@example.net\r\n\
         Elderbrook University;Shared Tree Register;Sam;Orchard;\r\n\
         Nobody;Flood Response;Jo;Heath;jo.heath@example.net\r\n",
    )
    .unwrap();

    window.press("Participants").await.unwrap();
    window.press("Contacts file (CSV)").await.unwrap();
    window.press("Choose a contacts file").await.unwrap();
    answer_open_dialog("Choose a contacts file", &sheet).await.unwrap();
    window.see("contacts.csv: 4 rows").await.unwrap();
    window.see("Nothing has been sent yet.").await.unwrap();
    for row in [
        "[contains(., 'alex.meadow@county.example.net')][contains(., 'kim.harbour@example.net')]",
        "[contains(., 'robin.brook@waterboard.example.com')][contains(., 'toni.ridge@example.net')]",
        "[contains(., 'Elderbrook University')][contains(., 'The portal already has this contact.')]",
        "[contains(., 'Nobody')][contains(., 'No participant matches this row.')]",
    ] {
        window.see_any(&format!("//table[@aria-label='Rows of the contacts file']//tr{row}")).await.unwrap();
    }

    window.press("Update 2 contacts").await.unwrap();
    window.see("2 rows are not sent").await.unwrap();
    // One of the two leaves the collaboration before its row is sent.
    let leave = "UPDATE participants SET portal_id = 'elsewhere' WHERE name = 'Regional Water Board'";
    assert_eq!(portal.execute(leave, []).unwrap(), 1);
    window.press_at("//*[@role='dialog']//button[normalize-space(.)='Update 2 contacts']").await.unwrap();
    window.see("Updated 1 of 2 contacts on Practice").await.unwrap();
    for row in [
        "[contains(., 'Rivers County')][contains(., 'Succeeded')]",
        "[contains(., 'Regional Water Board')][contains(., 'Failed')][contains(., 'was not found')]",
    ] {
        window.see_any(&format!("//table[@aria-label='Outcome of each contact']//tr{row}")).await.unwrap();
    }
    assert_eq!(contact("Rivers County"), "kim.harbour@example.net");
    assert_eq!(contact("Regional Water Board"), board);
}

async fn invitations_into_one_folder(desk: &TestApp, window: &Window) {
    const DIALOG: &str = "Choose a folder for the invitations";
    const FRESH: &str =
        "SELECT count(*) FROM invitations WHERE expiration > (unixepoch() + 71 * 3600) * 1000";
    let fresh = || desk.portal_database().query_row(FRESH, [], |row| row.get::<_, i64>(0)).unwrap();
    let folder = desk.place("invitations");
    std::fs::create_dir(&folder).unwrap();

    window.press("Invitations").await.unwrap();
    for place in [1, 2] {
        let box_of_one = "//tbody//input[@type='checkbox'][not(starts-with(@aria-label, 'All of '))]";
        window.press_at(&format!("({box_of_one})[{place}]")).await.unwrap();
    }
    window.press("Refresh 2 invitations").await.unwrap();
    window.press("Refresh for 72 hours").await.unwrap();
    dismiss_dialog(DIALOG).await.unwrap();
    window.see("Nothing was sent to Practice, because the dialog was closed.").await.unwrap();
    assert_eq!(fresh(), 0);
    // What was picked still is.
    window.press("Refresh 2 invitations").await.unwrap();
    window.press("Refresh for 72 hours").await.unwrap();
    answer_open_dialog(DIALOG, &folder).await.unwrap();
    window.see("Refreshed 2 of 2 invitations on Practice").await.unwrap();
    assert_eq!(fresh(), 2);

    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap()).collect();
    assert_eq!(files.len(), 2);
    for file in files {
        let name = file.file_name().into_string().unwrap();
        let row = format!("//table[@aria-label='Outcome of each invitation']//tr[contains(., '{name}')]");
        window.see_any(&format!("{row}[contains(., 'Succeeded')]")).await.unwrap();
        let saved: serde_json::Value = serde_json::from_slice(&std::fs::read(file.path()).unwrap()).unwrap();
        assert!(saved["invitationRequest"].is_object(), "{saved}");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

/// Wants no copy of the safety backup on this computer: it is offered where the disk has room.
async fn without_a_copy(window: &Window) {
    let copy = "Also save the safety backup on this computer";
    let is_wanted = format!(
        "return [...document.querySelectorAll('label')].find((one) => one.textContent.trim() === {copy:?}).control.checked"
    );
    if window.ask_page(&is_wanted).await.unwrap() == true {
        window.select(copy).await.unwrap();
    }
}

/// Waits until a button stands there that cannot be pressed.
async fn locked(window: &Window, name: &str) {
    let script = format!(
        "return [...document.querySelectorAll('button')].findLast((one) => one.textContent.trim() === {name:?})?.disabled === true"
    );
    window.wait_until(&script).await.unwrap();
}
