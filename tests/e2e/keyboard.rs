use crate::practice::Desk;

#[tokio::test]
async fn a_portal_is_exported_and_found_in_the_history_without_a_mouse() {
    let desk = Desk::new();
    let window = desk.window().await;
    window.focus().await.unwrap();
    window.tab_to("Start the practice site").await.unwrap();
    window.key("Return").await.unwrap();
    window.see("What can be done here as").await.unwrap();

    window.key("ctrl+k").await.unwrap();
    window.see("This site").await.ok();
    window.has_focus("Search sites, operations, pages and acts").await.unwrap();
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
    window.see_any("//*[@role='grid']//*[normalize-space(.)='Succeeded']").await.unwrap();
    window.key("question").await.unwrap();
    window.see("Keyboard shortcuts").await.unwrap();
    window.key("Escape").await.unwrap();
    window.see_none("Keyboard shortcuts").await.unwrap();
    window.close().await.unwrap();
}
