use practice_site::PracticeSite;
use steward_testkit::window::{Window, answer_save_dialog, dismiss_dialog};

use crate::practice::Desk;
use crate::restart::add_site;

#[tokio::test]
async fn on_production_an_import_wants_the_name_typed_and_can_be_undone() {
    let desk = Desk::new();
    let site = PracticeSite::start(desk.site_options()).await.unwrap();
    let server = desk.site_database("server/server.db");
    let services =
        || server.query_row("SELECT count(*) FROM services", [], |row| row.get::<_, i64>(0)).unwrap();
    let window = desk.window().await;
    add_site(&window, site.ready(), "Production").await;

    window.press("Server export").await.unwrap();
    window.press("Choose a place and export server").await.unwrap();
    answer_save_dialog("Save the server export", &desk.place("city.agssite")).await.unwrap();
    window.see("Exported City GIS and saved it on this computer").await.unwrap();
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
    window.choose_stored_file().await.unwrap();
    window.see("Type the site's name first.").await.unwrap();
    window.fill("Type “City GIS” to confirm", "City").await.unwrap();
    assert!(locked(&window, "Import into City GIS").await);
    window.fill("Type “City GIS” to confirm", "City GIS").await.unwrap();
    window.press("Import into City GIS").await.unwrap();
    window.see("The way back").await.unwrap();
    assert_eq!(services(), exported);

    window.press("Undo this import").await.unwrap();
    window.see("Undo the import into City GIS?").await.unwrap();
    assert!(locked(&window, "Undo the import").await);
    window.fill("Type “City GIS” to undo the import", "City GIS").await.unwrap();
    window.press("Undo the import").await.unwrap();
    // One of its services never has its data, and undoing an import is an import.
    window.see("The import was undone, but 1 service did not start").await.unwrap();
    assert_eq!(services(), exported + 1);
    window.press("Open its report").await.unwrap();
    window.see("Undoing an import").await.unwrap();
    window.close().await.unwrap();
    site.stop().await;
}

#[tokio::test]
async fn on_production_webhooks_want_the_name_typed_and_a_read_only_site_a_reason() {
    let desk = Desk::new();
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

    // What changes the site is not offered there: the way to unlock it stands in the place of the form.
    let in_its_place = "//section[@aria-label='Webhooks']//section[@aria-label='Read-only']";
    window.press("Webhooks").await.unwrap();
    window.see_any(in_its_place).await.unwrap();
    window.see_none("Deactivate webhooks of ").await.unwrap();
    window.fill("Reason", "x").await.unwrap();
    window.press("Unlock for 15 minutes").await.unwrap();
    window.see("Write a reason that somebody can read later.").await.unwrap();
    window.fill("Reason", "Planned maintenance tonight").await.unwrap();
    window.press("Unlock for 15 minutes").await.unwrap();
    window.tick("Hosted/Hydrants.FeatureServer").await.unwrap();

    window.press("Overview").await.unwrap();
    window.see("Unlocked until").await.unwrap();
    window.press("Lock again").await.unwrap();
    window.see("Changes are refused.").await.unwrap();
    window.press("Webhooks").await.unwrap();
    window.see_any(in_its_place).await.unwrap();
    window.see_none("Deactivate webhooks of ").await.unwrap();
    assert_eq!(active(), before);
    window.fill("Reason", "The maintenance takes longer").await.unwrap();
    window.press("Unlock for 15 minutes").await.unwrap();

    // What was ticked before it was locked still is.
    window.press("Deactivate webhooks of 1 service").await.unwrap();
    assert!(locked(&window, "Deactivate webhooks").await);
    window.fill("Type “City GIS” to confirm", "City GIS").await.unwrap();
    window.press("Deactivate webhooks").await.unwrap();
    window.see("are silent").await.unwrap();
    assert_eq!(active(), 0);

    window.press("History").await.unwrap();
    window.see_any("//*[@role='grid']//*[normalize-space(.)='Unlocking']").await.unwrap();
    window.close().await.unwrap();
    site.stop().await;
}

#[tokio::test]
async fn a_lost_answer_leads_into_the_check_and_a_dismissed_dialog_keeps_the_invitation() {
    let desk = Desk::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();

    window.press("Mishaps").await.unwrap();
    window.choose("The answer is cut off").await.unwrap();
    window.pick("What it happens to", "Participants").await.unwrap();
    window.press("Order mishap").await.unwrap();
    window.see("1 mishap armed").await.unwrap();
    window.press("Participants").await.unwrap();
    window.choose_guest().await.unwrap();
    window.fill("First name", "Kim").await.unwrap();
    window.fill("Last name", "Harbour").await.unwrap();
    window.fill("E-mail address", "kim.harbour@example.net").await.unwrap();
    window.press_at("//button[starts-with(normalize-space(.), 'Update contact of ')]").await.unwrap();
    // What is and what will be stand beside each other before anything is sent.
    let change = "//*[@role='dialog']//tr[td[contains(., '@')]][td[.='kim.harbour@example.net']]";
    window.see_any(change).await.unwrap();
    window.press("Update contact").await.unwrap();
    window.see("the answer did not arrive").await.unwrap();

    window.press("History").await.unwrap();
    window.press_at("//*[@role='row'][contains(., 'Unknown')][contains(., 'Participants')]").await.unwrap();
    window.press("Check what became of it").await.unwrap();
    window.see("This looks as if it was done.").await.unwrap();
    window.press("It was done").await.unwrap();
    window.see("Concluded by").await.unwrap();
    window.press("Close").await.unwrap();

    window.press("Invitations").await.unwrap();
    window.choose_invitation().await.unwrap();
    window.press("Refresh invitation").await.unwrap();
    dismiss_dialog("Save the invitation").await.unwrap();
    window.see("its file is not saved yet").await.unwrap();
    window.press("Back to the invitations").await.unwrap();
    window.see("1 refreshed invitation is not saved yet").await.unwrap();
    let file = desk.place("later.invite");
    window.press_at("//button[starts-with(@aria-label, 'Save ')]").await.unwrap();
    answer_save_dialog("Save the invitation", &file).await.unwrap();
    window.see_none("1 refreshed invitation is not saved yet").await.unwrap();
    assert!(serde_json::from_slice::<serde_json::Value>(&std::fs::read(&file).unwrap()).is_ok());
    window.close().await.unwrap();
}

/// Whether a button stands there and cannot be pressed.
async fn locked(window: &Window, name: &str) -> bool {
    let script = format!(
        "return [...document.querySelectorAll('button')].findLast((one) => one.textContent.trim() === {name:?})?.disabled ?? null"
    );
    window.ask_page(&script).await.unwrap() == true
}
