use rusqlite::Connection;
use steward_testkit::window::Window;

use crate::practice::Desk;

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
    ("Data items", "item"),
    ("Participants", "participant"),
    ("Invitations", "collaboration"),
];

#[tokio::test]
async fn what_a_site_says_is_text_and_never_markup() {
    let desk = Desk::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    let server = desk.writable("server/server.db");
    // The report says where the data of a service was not found.
    server.execute("UPDATE services SET data_path = ?1 || id", [hostile("/no/such/data", 1)]).unwrap();
    window.export_server(&desk.place("hostile.agssite")).await.unwrap();
    window.import_server().await.unwrap();
    window.see(&hostile("/no/such/data", 1)).await.unwrap();
    no_markup(&window, "import report").await;

    plant_at_the_server(&server);
    plant_at_the_portal(&desk.writable("portal/portal.db"));
    for (page, field) in PAGES {
        window.press(page).await.unwrap();
        if page == "Data items" {
            window.press("Show all").await.unwrap();
        }
        if page == "Webhooks" {
            // Services without webhooks are listed when they are asked for.
            window.press_at("//label[starts-with(normalize-space(.), 'All (')]").await.unwrap();
        }
        window.see(&hostile(field, 4)).await.unwrap();
        no_markup(&window, page).await;
    }
    window.press("History").await.unwrap();
    window.see_any("//*[@role='grid']//*[normalize-space(.)='Server import']").await.unwrap();
    no_markup(&window, "history").await;
    window.close().await.unwrap();
}

async fn no_markup(window: &Window, page: &str) {
    let script = "return [document.querySelectorAll('.hostile').length, window.hostile ?? null]";
    assert_eq!(window.ask_page(script).await.unwrap(), serde_json::json!([0, null]), "{page}");
    assert_eq!(window.policy_violations().await.unwrap(), serde_json::json!([]), "{page}");
}

fn hostile(field: &str, number: usize) -> String {
    format!("{field} {}", CORPUS[number])
}

fn plant_at_the_server(server: &Connection) {
    for number in 0..CORPUS.len() {
        // A service's folder ends at the first stroke.
        let service = hostile("service", number).replace('/', "");
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
