use practice_site::PracticeSite;
use rusqlite::Connection;
use steward_testkit::window::Window;

use crate::practice::TestApp;
use crate::restart::add_site_as;
use crate::screens::visit;

/// What would become an element, a script, a translation or another line, if somewhere a text were not a text.
const CORPUS: [&str; 8] = [
    "<b class='hostile'>bold</b>",
    "<img class='hostile' src=x onerror='window.hostile=1'>",
    "\"><svg class='hostile' onload='window.hostile=1'></svg>",
    "<script class='hostile'>window.hostile=1</script>",
    "{{name}} $t(common:app.name) ${7*7} %s",
    "&lt;b class='hostile'&gt;",
    "[link](javascript:window.hostile=1)",
    "\u{202e}gnp.exe\u{202c}",
];

/// Pages, and texts of the site that stand there as they are.
const PAGES: [(&str, &str); 4] = [
    ("Webhooks", "service"),
    ("Data store items", "item"),
    ("Participants", "participant"),
    ("Invitations", "collaboration"),
];

#[tokio::test]
async fn what_a_site_says_and_what_it_is_called_is_text_and_never_markup() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.focus().await.unwrap();
    window.start_practice().await.unwrap();
    let server = desk.writable("server/server.db");
    // The report says where the data of a service was not found.
    server.execute("UPDATE services SET data_path = ?1 || id", [hostile("/no/such/data", 1)]).unwrap();
    window.export_server(&desk.place("hostile.agssite")).await.unwrap();
    window.import_server().await.unwrap();
    window.see(&hostile("/no/such/data", 1)).await.unwrap();
    no_markup(&window, "import report").await;
    refusal(&window).await;

    plant_at_the_server(&server);
    plant_at_the_portal(&desk.writable("portal/portal.db"));
    for (page, field) in PAGES {
        window.press(page).await.unwrap();
        if page == "Data store items" {
            window.press("Show all").await.unwrap();
        }
        if page == "Webhooks" {
            // Services without webhooks are listed when they are asked for.
            window.press_at("//label[starts-with(normalize-space(.), 'All (')]").await.unwrap();
        }
        window.see(&hostile(field, 4)).await.unwrap();
        no_markup(&window, page).await;
    }
    item_details(&window).await;
    contact_in_question(&window).await;
    webhooks_in_question(&window).await;
    history(&window).await;

    let site = PracticeSite::start(desk.site_options()).await.unwrap();
    let name = hostile("site", 1);
    visit(&window, "ctrl+shift+s").await;
    add_site_as(&window, site.ready(), "Production", &name).await;
    site_of_that_name(&window, &name).await;
    window.close().await.unwrap();
    site.stop().await;
}

/// The site says the folder in its own words, and the folded details say all of it.
async fn refusal(window: &Window) {
    let folder = hostile("/no/such/folder", 1);
    window.press("Portal export").await.unwrap();
    window.fill("Folder the portal can write to", &folder).await.unwrap();
    window.press("Export portal").await.unwrap();
    window.see(&format!("Unable to write to the location {folder};")).await.unwrap();
    window.press_at("//*[@role='alert']//button[normalize-space(.)='Details']").await.unwrap();
    window.see_any(&format!("//*[@role='alert']//pre[contains(., \"{folder}\")]")).await.unwrap();
    no_markup(window, "refusal").await;
}

async fn item_details(window: &Window) {
    let item = hostile("item", 1);
    window.press("Data store items").await.unwrap();
    window.fill("Filter these items", "onerror").await.unwrap();
    // The list still shows every row while the filter is on its way: the row stands elsewhere then. Of the guided tour
    // one step is done as well.
    window
        .see_any("//*[@role='status'][starts-with(., '1 of ') and contains(., ' items shown')]")
        .await
        .unwrap();
    window
        .press_at(&format!("//*[@role='row']//*[@role='gridcell'][contains(., \"{item}\")]"))
        .await
        .unwrap();
    window.see_any(&format!("//*[@role='dialog']//td[contains(., \"{item}\")]")).await.unwrap();
    no_markup(window, "details of a data item").await;
    window.press("Close").await.unwrap();
}

async fn contact_in_question(window: &Window) {
    window.press("Participants").await.unwrap();
    window.choose_guest().await.unwrap();
    window.fill("Email address", "kim.harbour@example.net").await.unwrap();
    window.press_at("//button[starts-with(normalize-space(.), 'Update contact of ')]").await.unwrap();
    dialog_says(window, &hostile("participant", 4)).await;
    window.see_any("//*[@role='dialog']//td[contains(., 'onload=')]").await.unwrap();
    no_markup(window, "difference of a contact").await;
    window.press("Cancel").await.unwrap();
}

async fn webhooks_in_question(window: &Window) {
    let service = format!("Hosted/{}.FeatureServer", hostile_service(1));
    window.press("Webhooks").await.unwrap();
    window.select(&service).await.unwrap();
    window.press("Request preview").await.unwrap();
    // In a URL it is encoded.
    window.see("%3E.FeatureServer/webhooks/deactivateAll").await.unwrap();
    no_markup(window, "what will be sent").await;
    window.press("Deactivate webhooks of 1 service").await.unwrap();
    dialog_says(window, &service).await;
    dialog_says(window, &hostile("webhook", 1)).await;
    no_markup(window, "question about webhooks").await;
    window.press("Deactivate webhook").await.unwrap();
    window.see("Deactivated the webhooks of").await.unwrap();
    window.see_any(&format!("//main//th[contains(., \"{service}\")]")).await.unwrap();
    no_markup(window, "deactivated services").await;
}

async fn history(window: &Window) {
    window.press("History").await.unwrap();
    window
        .see_any("//*[(@role='grid' or @role='treegrid')]//*[normalize-space(.)='Server import']")
        .await
        .unwrap();
    no_markup(window, "history").await;
    window.press_at("(//*[@role='row']//*[normalize-space(.)='Webhook deactivation'])[1]").await.unwrap();
    let details = format!("//main//section//section[contains(., \"{}\")]", hostile_service(1));
    window.see_any(&details).await.unwrap();
    no_markup(window, "details of a record").await;
    window.press("Close").await.unwrap();
}

/// Overview, cards, the question before it is removed, and the palette.
async fn site_of_that_name(window: &Window, name: &str) {
    window.see_any(&format!("//header//p[.=\"{name}\"]")).await.unwrap();
    no_markup(window, "overview").await;
    visit(window, "ctrl+shift+s").await;
    window.see_any(&format!("//main//tr//*[.=\"{name}\"]")).await.unwrap();
    no_markup(window, "list of all sites").await;
    window.press(&format!("More commands for {name}")).await.unwrap();
    window.press("Remove").await.unwrap();
    dialog_says(window, &format!("Remove {name}?")).await;
    no_markup(window, "question before a site is removed").await;
    window.press("Cancel").await.unwrap();

    window.key("ctrl+k").await.unwrap();
    window.has_focus("Search sites, operations, pages, and actions").await.unwrap();
    // The letters that are searched for are marked in what is found.
    window.type_text("onerror").await.unwrap();
    window.see_any("//*[@role='dialog']//mark[.='onerror']").await.unwrap();
    dialog_says(window, name).await;
    no_markup(window, "palette").await;
    window.key("Escape").await.unwrap();
}

/// Waits until the dialog or the drawer that is open says this.
async fn dialog_says(window: &Window, text: &str) {
    let path = format!("//*[@role='dialog'][contains(., \"{text}\")]");
    window.see_any(&path).await.unwrap();
}

async fn no_markup(window: &Window, page: &str) {
    let script = "return [document.querySelectorAll('.hostile').length, window.hostile ?? null]";
    assert_eq!(window.ask_page(script).await.unwrap(), serde_json::json!([0, null]), "{page}");
    assert_eq!(window.policy_violations().await.unwrap(), serde_json::json!([]), "{page}");
}

fn hostile(field: &str, number: usize) -> String {
    format!("{field} {}", CORPUS[number])
}

/// A service's folder ends at the first stroke.
fn hostile_service(number: usize) -> String {
    hostile("service", number).replace('/', "")
}

fn plant_at_the_server(server: &Connection) {
    for number in 0..CORPUS.len() {
        let service = hostile_service(number);
        server
            .execute(
                "INSERT INTO services (folder, name, type, description, configuration, data_path,
                     configured_state, real_time_state)
                 SELECT folder, ?1, type, ?2, configuration, data_path, 'STARTED', 'STARTED'
                 FROM services WHERE name = 'Hydrants'",
                [&service, &hostile("description", number)],
            )
            .unwrap();
        let words = hostile("item", number);
        let path = format!("/fileShares/{words}");
        let item = serde_json::json!({
            "id": format!("hostile-{number}"), "path": path, "name": words, "type": words, "description": words,
            "provider": words, "purposes": [words], "info": { "path": words, "hostName": words },
        });
        server
            .execute(
                "INSERT INTO data_items (path, parent_path, id, type, managed, item)
                 VALUES (?1, '/fileShares', ?2, ?3, 0, ?4)",
                [path, format!("hostile-{number}"), words, item.to_string()],
            )
            .unwrap();
    }
    server
        .execute(
            "INSERT INTO webhooks (id, service_id, name, hook_url, active, paused, settings, created, modified)
             SELECT 'hostile', services.id, '', hook_url, 1, 0, settings, created, modified
             FROM webhooks, services WHERE services.name = ?1 LIMIT 1",
            [hostile_service(1)],
        )
        .unwrap();
    let webhook = hostile("webhook", 1);
    server.execute("UPDATE webhooks SET name = ?1 || id, hook_url = ?1", [webhook]).unwrap();
}

fn plant_at_the_portal(portal: &Connection) {
    let texts = |table: &str, columns: &[&str], field: &str, number: usize| {
        for column in columns {
            let sql = format!("UPDATE {table} SET {column} = ?1");
            portal.execute(&sql, [hostile(field, number)]).unwrap();
        }
    };
    texts("collaborations", &["name", "description"], "collaboration", 4);
    texts("participants", &["name", "description", "url", "status"], "participant", 4);
    texts("participants", &["contact_first_name", "contact_last_name", "contact_email"], "contact", 2);
    texts("invitations", &["guest_portal_url", "status"], "invitation", 3);
    texts("users", &["full_name", "email"], "person", 4);
}
