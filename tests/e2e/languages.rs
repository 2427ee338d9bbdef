use crate::practice::TestApp;
use crate::screens::{SCREENS, visit};

/// Whatever is shown or said and looks like the key of a text instead of the text.
const KEYS: &str = r"const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        if (!walker.currentNode.parentElement.closest('script, style, code')) texts.push(walker.currentNode.data);
    }
    for (const one of document.querySelectorAll('[aria-label], [placeholder], [title], [aria-description]')) {
        for (const name of ['aria-label', 'placeholder', 'title', 'aria-description']) texts.push(one.getAttribute(name) ?? '');
    }
    return texts.map((text) => text.trim()).filter((text) =>
        /^([a-z][a-zA-Z]*:)?[a-z][a-zA-Z_]*(\.[a-zA-Z_]+)+$/.test(text) || /\{\{|\}\}/.test(text));";

#[tokio::test]
async fn the_window_speaks_the_language_that_is_chosen_and_after_a_restart_still() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    window.press("Settings").await.unwrap();
    window.pick("Language", "Deutsch").await.unwrap();
    window.see("Einstellungen").await.unwrap();
    window.pick("Sprache", "Español").await.unwrap();
    window.see("Configuración").await.unwrap();
    window.close().await.unwrap();

    let window = desk.window().await;
    window.see("Configuración").await.unwrap();
    window.close().await.unwrap();
}

#[tokio::test]
async fn every_screen_speaks_german_and_spanish_and_no_text_is_missing() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.focus().await.unwrap();
    window.start_practice().await.unwrap();
    let mut found = Vec::new();
    for (field, language, code, title) in
        [("Language", "Deutsch", "de", "Einstellungen"), ("Sprache", "Español", "es", "Configuración")]
    {
        visit(&window, "ctrl+comma").await;
        window.pick(field, language).await.unwrap();
        window.wait_until(&format!("return document.documentElement.lang === '{code}'")).await.unwrap();
        window.see(title).await.unwrap();
        for (keys, screen) in SCREENS {
            visit(&window, keys).await;
            let keys: Vec<String> = serde_json::from_value(window.ask_page(KEYS).await.unwrap()).unwrap();
            found.extend(keys.into_iter().map(|key| format!("{screen}, {language}: {key}")));
        }
    }
    assert_eq!(found, [""; 0]);
    window.close().await.unwrap();
}
