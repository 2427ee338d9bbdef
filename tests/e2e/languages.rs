use crate::practice::Desk;

#[tokio::test]
async fn the_window_speaks_the_language_that_is_chosen_and_after_a_restart_still() {
    let desk = Desk::new();
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
