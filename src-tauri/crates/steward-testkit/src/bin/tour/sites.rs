//! Many sites, and the ways to another.

use steward_testkit::window::Window;

use crate::album::Album;

/// `found`: the address of a site that answers, with a certificate that nobody trusts yet.
pub(crate) async fn show(album: &mut Album, window: &Window, found: &str) {
    album
        .stop(window, "sites-many", async {
            window.key("ctrl+shift+s").await?;
            window.see("City GIS").await
        })
        .await;
    album
        .stop(window, "site-long-name", async {
            window.press_at("//button[starts-with(@aria-label, 'Open Regional')]").await?;
            window.see("Sign in to Regional").await
        })
        .await;
    album.stop(window, "sites-again", window.key("ctrl+shift+s")).await;
    album.stop(window, "site-menu", window.press("More for City GIS")).await;
    album.stop(window, "site-edit", window.press("Edit")).await;
    album
        .stop(window, "sign-in-unreachable", async {
            window.key("ctrl+shift+s").await?;
            window.press("Open City GIS").await?;
            window.fill("User name", "gisadmin").await?;
            window.fill("Password", "not a password").await?;
            window.press_at("//main//button[@type='submit']").await?;
            window.see("cannot be reached").await
        })
        .await;
    album
        .stop(window, "add-site", async {
            window.key("ctrl+shift+s").await?;
            window.press("Add a site").await
        })
        .await;
    album
        .stop(window, "add-site-unreachable", async {
            window.fill("Address of the site", "http://127.0.0.1:9/portal").await?;
            window.press("Find the site").await?;
            window.see("cannot be reached").await
        })
        .await;
    album.stop(window, "add-site-by-hand", window.press("Enter the addresses by hand")).await;
    album
        .stop(window, "add-site-trust", async {
            window.fill("Address of the site", found).await?;
            window.press("Find the site").await?;
            window.see("is not trusted").await
        })
        .await;
    album
        .stop(window, "add-site-found", async {
            window.press("Trust this certificate").await?;
            window.see("was found").await
        })
        .await;
    album
        .stop(window, "add-site-added", async {
            window.fill("Name", "Elderbrook").await?;
            window.press("Add site").await?;
            window.see("is added").await
        })
        .await;
    album
        .stop(window, "site-removal", async {
            window.key("ctrl+shift+s").await?;
            window.press("More for Water").await?;
            window.press("Remove").await?;
            window.see("Remove Water?").await
        })
        .await;
    album.leave(window).await;
}
