//! Site profiles: sites are exported to a file, and added from one.

use std::path::Path;

use steward_testkit::window::{Window, answer_open_dialog, answer_save_dialog};

use crate::album::Album;

pub(crate) async fn show(album: &mut Album, window: &Window, desk: &Path) {
    let file = desk.join("sites-of-the-city.json");
    album
        .stop(window, "profiles-menu", async {
            window.key("ctrl+shift+s").await?;
            window.press("More commands for all sites").await
        })
        .await;
    album
        .stop(window, "profiles-saved", async {
            window.press_at("//*[@role='menuitem'][starts-with(normalize-space(.), 'Export ')]").await?;
            answer_save_dialog("Save the site profiles", &file).await?;
            window.see("The file contains URLs and settings").await
        })
        .await;
    album
        .stop(window, "profiles-import", async {
            window.press("More commands for all sites").await?;
            window.press("Import profiles").await?;
            window.see("You review the profiles").await
        })
        .await;
    album
        .stop(window, "profiles-preview", async {
            window.press("Choose file").await?;
            answer_open_dialog("Open site profiles", &file).await?;
            window.see("already has this URL").await
        })
        .await;
    album
        .stop(window, "profiles-name-taken", async {
            window.choose("Select Harbour").await?;
            window.press("Add 1 site").await?;
            window.see("already in use").await
        })
        .await;
    album
        .stop(window, "profiles-added", async {
            window.fill("Name of Harbour", "Harbour from the file").await?;
            window.press("Add 1 site").await?;
            window.see("Added 1 site.").await
        })
        .await;
    album.leave(window).await;
}
