//! Many sites, and the ways to another.

use anyhow::Result;
use steward_testkit::window::Window;

use crate::album::Album;

pub(crate) async fn show(album: &mut Album, window: &Window, practice: Option<&str>) -> Result<()> {
    album
        .stop(window, "sites-many", async {
            window.key("ctrl+shift+s").await?;
            window.see("City GIS").await
        })
        .await?;
    album.stop(window, "site-menu", window.press("More for City GIS")).await?;
    album.stop(window, "site-edit", window.press("Edit")).await?;
    album
        .stop(window, "sign-in-unreachable", async {
            window.key("ctrl+shift+s").await?;
            window.press("Open City GIS").await?;
            window.fill("User name", "gisadmin").await?;
            window.fill("Password", "not a password").await?;
            window.press_at("//main//button[@type='submit']").await?;
            window.see("127.0.0.1").await
        })
        .await?;
    album
        .stop(window, "add-site", async {
            window.key("ctrl+shift+s").await?;
            window.press("Add a site").await
        })
        .await?;
    album
        .stop(window, "add-site-unreachable", async {
            window.fill("Address of the site", "http://127.0.0.1:9/portal").await?;
            window.press("Find the site").await?;
            window.see("cannot be reached").await
        })
        .await?;
    album
        .stop(window, "add-site-found", async {
            window.fill("Address of the site", practice.unwrap_or_default()).await?;
            window.press("Find the site").await?;
            window.see("was found").await
        })
        .await?;
    album
        .stop(window, "add-site-by-hand", async { window.press("Enter the addresses by hand").await })
        .await?;
    Ok(())
}
