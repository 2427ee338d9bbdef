use crate::practice::TestApp;

/// From the list of all sites, the result of a failed import is one press away, and its site another one.
#[tokio::test]
async fn a_failed_import_is_found_from_the_list_of_all_sites_and_is_gone_after_a_later_success() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    window.see("Not everything could be checked yet").await.unwrap();
    window.export_server(&desk.place("practice.agssite")).await.unwrap();
    window.press("Server import").await.unwrap();
    window.choose("Path on the server").await.unwrap();
    window.fill("Path of the file on the server", "/no/such/file.agssite").await.unwrap();
    window.press("Replace Practice").await.unwrap();
    window.see_any("//main//*[@role='alert']").await.unwrap();

    window.key("ctrl+shift+s").await.unwrap();
    let row = "//tr[@aria-label='Practice']";
    window.see_any(&format!("{row}//b[normalize-space(.)='Server import failed']")).await.unwrap();
    window.press("Show result: Server import failed").await.unwrap();
    window.see_any("//main//table[@aria-label='Facts']").await.unwrap();
    window.press("Server import").await.unwrap();
    window.choose("Server uploads").await.unwrap();
    window.import_server().await.unwrap();
    window.press("Overview").await.unwrap();
    window.see_none("Server import failed").await.unwrap();
    // The import itself says which service does not run.
    window.press_at("//button[starts-with(@aria-label, 'Show services: ')]").await.unwrap();
    window.see("14 of 15 services are running").await.unwrap();
    window.press("Check now").await.unwrap();
    window.see("Checked ").await.unwrap();
    window.close().await.unwrap();
}
