use std::path::Path;

use practice_site::{PracticeSite, Ready, ReadyUser};
use steward_testkit::window::{Window, answer_open_dialog};

use crate::practice::TestApp;

#[tokio::test]
async fn the_restarted_program_finds_its_site_its_authority_its_token_and_its_history() {
    let desk = TestApp::new();
    let site = PracticeSite::start(desk.site_options()).await.unwrap();
    let ready = site.ready();
    let folder = desk.place("exports");
    std::fs::create_dir(&folder).unwrap();

    let window = desk.window().await;
    add_site(&window, ready, "Test").await;
    export_portal(&window, &folder).await;
    window.close().await.unwrap();

    let window = desk.window().await;
    window.see("City GIS").await.unwrap();
    window.see(&format!("{} (administrator)", administrator(ready).username)).await.unwrap();
    window.press("History").await.unwrap();
    window
        .see_any("//*[(@role='grid' or @role='treegrid')]//*[normalize-space(.)='Portal export']")
        .await
        .unwrap();
    window
        .see_any("//*[(@role='grid' or @role='treegrid')]//*[normalize-space(.)='Succeeded']")
        .await
        .unwrap();
    // The site's certificate comes from an authority of its own, which was named before the restart.
    export_portal(&window, &folder).await;
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    window.close().await.unwrap();
    site.stop().await;
}

async fn export_portal(window: &Window, folder: &Path) {
    window.press("Portal export").await.unwrap();
    window.fill("Folder the portal can write to", &folder.display().to_string()).await.unwrap();
    window.press("Export portal").await.unwrap();
    window.see("Exported City GIS in").await.unwrap();
}

/// Adds a site as “City GIS” by its addresses, signs in as its administrator and goes to its overview.
pub(crate) async fn add_site(window: &Window, ready: &Ready, kind: &str) {
    add_site_as(window, ready, kind, "City GIS").await;
}

/// The same under any name.
pub(crate) async fn add_site_as(window: &Window, ready: &Ready, kind: &str, name: &str) {
    let administrator = administrator(ready);
    window.press("Add site").await.unwrap();
    window.press("Enter URLs manually").await.unwrap();
    window.press("Proxy and certificates").await.unwrap();
    window.fill("Name", name).await.unwrap();
    window.choose(kind).await.unwrap();
    window.fill("Portal URL", &ready.portal).await.unwrap();
    window.fill("Server URL", &ready.server).await.unwrap();
    window.fill("Server name", "gisapp01").await.unwrap();
    window.press("Choose CA certificate").await.unwrap();
    answer_open_dialog("Choose a file", ready.ca_certificate.as_ref().unwrap()).await.unwrap();
    window.press("Add site").await.unwrap();
    window.fill("User name", &administrator.username).await.unwrap();
    window.fill("Password", &administrator.password).await.unwrap();
    window.press("Sign in").await.unwrap();
    window.press("Go to overview").await.unwrap();
}

fn administrator(ready: &Ready) -> &ReadyUser {
    ready.users.iter().find(|user| user.role == "administrator").unwrap()
}
