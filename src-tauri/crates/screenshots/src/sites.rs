//! Pages about sites: a long list, site profiles, adding a site, certificates, and the connection.

use std::path::Path;

use anyhow::Context;
use practice_site::Ready;
use steward_testkit::window::{Program, Window, answer_open_dialog};

use crate::album::Album;
use crate::refused::sign_in;
use crate::window::show_heading;
use crate::{own_sites, profiles, refused};

/// Shows the pages about sites. `found` is a site whose certificate is not trusted yet, and `older` the last saved one.
pub(crate) async fn show(
    album: &mut Album,
    window: &Window,
    program: &Program,
    found: &Ready,
    older: &Ready,
    desk: &Path,
) {
    many(album, window, program).await;
    profiles::show(album, window, desk).await;
    adding(album, window, found).await;
    refused::read_only(album, window).await;
    trust(album, window, found).await;
    refused::by_version(album, window, older).await;
}

/// Shows the list of sites of an administrator with many, and a history of years.
async fn many(album: &mut Album, window: &Window, program: &Program) {
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
    album.stop(window, "sign-in-browser", window.press("Browser")).await;
    album.stop(window, "sign-in-token", window.press("Token")).await;
    album.stop(window, "sites-again", window.key("ctrl+shift+s")).await;
    album.stop(window, "site-menu", window.press("More commands for City GIS")).await;
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
        .stop(window, "history-many", async {
            own_sites::remember(program, 10_000)?;
            window.press("History").await?;
            window.see("Portal export").await
        })
        .await;
    album
        .stop(window, "history-search", async {
            window.fill("Search", "robin 99").await?;
            window.see_none("gisadmin").await
        })
        .await;
    album
        .stop(window, "site-removal", async {
            window.key("ctrl+shift+s").await?;
            window.press("More commands for Water").await?;
            window.press("Remove").await?;
            window.see("Remove Water?").await
        })
        .await;
    album.leave(window).await;
}

/// Shows how a site is added: not found, not trusted, found, added, and signed in to.
async fn adding(album: &mut Album, window: &Window, found: &Ready) {
    album
        .stop(window, "add-site", async {
            window.key("ctrl+shift+s").await?;
            window.press("Add site").await
        })
        .await;
    album
        .stop(window, "add-site-unreachable", async {
            window.fill("Site URL", "http://127.0.0.1:9/portal").await?;
            window.press("Find site").await?;
            window.see("cannot be reached").await
        })
        .await;
    album.stop(window, "add-site-by-hand", window.press("Enter URLs manually")).await;
    album
        .stop(window, "add-site-trust", async {
            window.fill("Site URL", &found.portal).await?;
            window.press("Find site").await?;
            window.see("is not trusted").await
        })
        .await;
    album
        .stop(window, "add-site-found", async {
            window.press("Trust this certificate").await?;
            window.see("Found: ").await
        })
        .await;
    album
        .stop(window, "add-site-added", async {
            window.fill("Name", "Elderbrook").await?;
            window.press("Add site").await?;
            window.see("Added ").await
        })
        .await;
    album
        .stop(window, "add-site-signed-in", async {
            sign_in(window, found).await?;
            window.see("Signed in as").await
        })
        .await;
    album
        .stop(window, "site-overview", async {
            window
                .press_at("//main//button[contains(., 'go to overview') or contains(., 'Go to overview')]")
                .await?;
            window.see("Portal and servers").await
        })
        .await;
}

/// Shows the trusted certificates of a site, and the connection of the app.
async fn trust(album: &mut Album, window: &Window, found: &Ready) {
    album
        .stop(window, "site-edit-trust", async {
            window.press("Edit site").await?;
            show_heading(window, "Proxy and certificates").await?;
            window.see("Trusted certificates").await
        })
        .await;
    album
        .stop(window, "settings-proxy", async {
            window.press("Settings").await?;
            window.choose("Use this proxy").await?;
            show_heading(window, "Connection").await
        })
        .await;
    album
        .stop(window, "settings-certificate-refused", async {
            window.choose("Connect directly").await?;
            let certificate = found.ca_certificate.as_ref().context("the site has no certificate")?;
            let notes = certificate.with_file_name("notes.pem");
            std::fs::write(&notes, "not a certificate")?;
            window.press("Choose CA certificate").await?;
            answer_open_dialog("Choose a file", &notes).await?;
            window.press("Save connection").await?;
            window.see("No certificate could be read").await
        })
        .await;
    album
        .stop(window, "settings-certificate", async {
            let certificate = found.ca_certificate.as_ref().context("the site has no certificate")?;
            window.press("Choose CA certificate").await?;
            answer_open_dialog("Choose a file", certificate).await?;
            window.press("Save connection").await?;
            window.see("They take effect with the next request").await
        })
        .await;
}
