//! What belongs to the window and not to a site: history, palette, settings, help, and a screen that breaks.

use anyhow::Result;
use steward_testkit::window::Window;

use crate::album::Album;

/// The first screen, and what is empty before anything was done.
pub(crate) async fn before_anything(album: &mut Album, window: &Window) -> Result<()> {
    album.stop(window, "first-screen", async { Ok(()) }).await?;
    album.stop(window, "history-empty", window.key("ctrl+shift+h")).await?;
    // Back to where the practice site is started.
    window.key("ctrl+shift+s").await?;
    window.see("Start the practice site").await
}

pub(crate) async fn show(album: &mut Album, window: &Window) -> Result<()> {
    album
        .stop(window, "history", async {
            window.press("History").await?;
            window.see("Server import").await
        })
        .await?;
    album
        .stop(window, "history-details", async {
            window.press_at("(//tbody//button[contains(., 'Server import') or contains(@aria-label, 'Server import')])[last()]").await?;
            window.see("What was sent").await
        })
        .await?;
    window.key("Escape").await?;
    album
        .stop(window, "history-no-match", async {
            window.fill("Search", "no such word").await?;
            window.see("No entry matches").await
        })
        .await?;
    album.stop(window, "palette", window.key("ctrl+k")).await?;
    album.stop(window, "palette-nothing", window.type_text("no such thing")).await?;
    window.key("Escape").await?;
    album
        .stop(window, "shortcuts", async {
            window.press("Overview").await?;
            window.key("question").await?;
            window.see("Keyboard shortcuts").await
        })
        .await?;
    window.key("Escape").await?;
    settings(album, window).await?;
    help(album, window).await?;
    album
        .stop(window, "guided-lap", async {
            window.press("Overview").await?;
            window.press("Begin the guided lap").await
        })
        .await?;
    broken(album, window).await
}

async fn settings(album: &mut Album, window: &Window) -> Result<()> {
    album.stop(window, "settings", window.press("Settings")).await?;
    album.stop(window, "settings-connection", show_heading(window, "Connection")).await?;
    album
        .stop(window, "doctor", async {
            window.press("Examine").await?;
            window.see("Examine again").await?;
            show_heading(window, "Doctor").await
        })
        .await?;
    album.stop(window, "about", show_heading(window, "About")).await?;
    album
        .stop(window, "licences", async {
            window.press("Show licences").await?;
            window.see("Find a part").await.or(Ok(()))
        })
        .await?;
    window.key("Escape").await
}

async fn help(album: &mut Album, window: &Window) -> Result<()> {
    album.stop(window, "help", window.press("Help")).await?;
    album
        .stop(window, "help-topic", async {
            window.press_at("(//main//a | //main//nav//button)[contains(., 'mport')][1]").await
        })
        .await?;
    album.stop(window, "help-search", window.fill("Search the help", "token")).await
}

async fn show_heading(window: &Window, words: &str) -> Result<()> {
    window.see(words).await?;
    window
        .ask_page(&format!(
            "[...document.querySelectorAll('main h2')].find((one) => one.textContent.trim() === '{words}')
                ?.scrollIntoView({{ block: 'start' }});"
        ))
        .await
        .map(drop)
}

/// An answer that no program of ours gives: the screen that reads it cannot be drawn.
async fn broken(album: &mut Album, window: &Window) -> Result<()> {
    album
        .stop(window, "broken-screen", async {
            window
                .ask_page(
                    "const real = window.__TAURI_INTERNALS__.invoke;
                     window.__TAURI_INTERNALS__.invoke = (command, ...rest) =>
                         command === 'about' ? Promise.resolve({ version: {} }) : real(command, ...rest);",
                )
                .await?;
            window.press("Settings").await?;
            window.see("This screen cannot be shown").await
        })
        .await
}
