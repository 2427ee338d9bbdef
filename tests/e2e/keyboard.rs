use crate::practice::TestApp;
use crate::screens::{SCREENS, visit};

#[tokio::test]
async fn a_portal_is_exported_and_found_in_the_history_without_a_mouse() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.focus().await.unwrap();
    window.tab_to("Start practice site").await.unwrap();
    window.key("Return").await.unwrap();
    window.see("Portal and servers").await.unwrap();

    window.key("ctrl+k").await.unwrap();
    window.has_focus("Search sites, operations, pages, and actions").await.unwrap();
    window.type_text("Portal ex").await.unwrap();
    window.see_any("//*[@role='dialog']//button[contains(., 'Portal export')]").await.unwrap();
    window.key("Return").await.unwrap();
    window.see("Folder the portal can write to").await.unwrap();
    window.tab_to("Use the practice folder").await.unwrap();
    window.key("Return").await.unwrap();
    window.tab_to("Export portal").await.unwrap();
    window.key("Return").await.unwrap();
    window.see("Exported Practice in").await.unwrap();

    window.key("ctrl+shift+h").await.unwrap();
    window
        .see_any("//*[(@role='grid' or @role='treegrid')]//*[normalize-space(.)='Succeeded']")
        .await
        .unwrap();
    window.key("question").await.unwrap();
    window.see("Keyboard shortcuts").await.unwrap();
    window.key("Escape").await.unwrap();
    window.see_none("Keyboard shortcuts").await.unwrap();
    window.close().await.unwrap();
}

/// What a form can be asked for, by the choices that lead there: each shows other fields.
const CHOICES: [(&str, &[&str]); 3] = [
    ("ctrl+2", &["Bucket", "Blob container"]),
    ("ctrl+3", &["Folder on the server"]),
    ("ctrl+4", &["Path on the server", "This computer"]),
];

#[tokio::test]
async fn tab_comes_by_every_control_of_every_screen() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.focus().await.unwrap();
    window.start_practice().await.unwrap();
    let mut missed = Vec::new();
    let mut walk = async |place: &str| {
        let controls = window.controls_without_tab().await.unwrap();
        missed.extend(controls.into_iter().map(|control| format!("{place}: {control}")));
    };
    for (keys, screen) in SCREENS {
        visit(&window, keys).await;
        walk(screen).await;
    }
    for (keys, choices) in CHOICES {
        visit(&window, keys).await;
        for choice in choices {
            window.choose(choice).await.unwrap();
            walk(choice).await;
        }
    }
    for page in ["Participants", "Invitations"] {
        window.press(page).await.unwrap();
        window.press("By ID").await.unwrap();
        walk(page).await;
    }
    window.press("Simulated faults").await.unwrap();
    window.see("Add a fault").await.unwrap();
    walk("mishaps").await;
    visit(&window, "ctrl+shift+s").await;
    window.press("Add site").await.unwrap();
    window.press("Enter URLs manually").await.unwrap();
    window.press("Proxy and certificates").await.unwrap();
    walk("a site by hand").await;
    assert_eq!(missed, [""; 0]);
    window.close().await.unwrap();
}
