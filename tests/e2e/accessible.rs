use steward_testkit::window::Window;

use crate::practice::Desk;

/// Screens by the name of what leads to them, and something that stands there when they are ready.
const SCREENS: [(&str, &str); 11] = [
    ("Overview", "What can be done here as"),
    ("Portal export", "Folder the portal can write to"),
    ("Server export", "What will be sent"),
    ("Server import", "What will be sent"),
    ("Webhooks", "Hydrants"),
    ("Data items", "What will be sent"),
    ("Participants", "Guest"),
    ("Invitations", "Pick the invitations"),
    ("Mishaps", "Order a mishap"),
    ("History", "History"),
    ("Settings", "Theme"),
];

#[tokio::test]
async fn axe_finds_nothing_on_any_screen_in_either_theme() {
    let desk = Desk::new();
    let window = desk.window().await;
    let mut found = look(&window, "first screen").await;
    window.start_practice().await.unwrap();
    for theme in ["Light", "Dark"] {
        window.press("Settings").await.unwrap();
        window.choose(theme).await.unwrap();
        for (screen, sign) in SCREENS {
            window.press(screen).await.unwrap();
            // In the page itself: the sidebar has some of these words while the page is still being fetched.
            window.see_any(&format!("//main[.//h1]//*[contains(., '{sign}')]")).await.unwrap();
            found.extend(look(&window, &format!("{screen}, {theme}")).await);
        }
    }
    assert_eq!(found, [""; 0]);
    window.close().await.unwrap();
}

async fn look(window: &Window, screen: &str) -> Vec<String> {
    let findings = window.axe_findings().await.unwrap();
    findings.into_iter().map(|finding| format!("{screen}: {finding}")).collect()
}
