//! Pages that do not belong to a site: history, command palette, settings, help, and a page with an error.

use anyhow::Result;
use steward_testkit::window::Window;

use crate::album::Album;

/// Shows the first page, and the history while it is empty.
pub(crate) async fn before_anything(album: &mut Album, window: &Window) {
    album.stop(window, "first-screen", window.see("Start practice site")).await;
    album
        .stop(window, "history-empty", async {
            window.key("ctrl+shift+h").await?;
            window.see("No history entries").await
        })
        .await;
    // Return to the page with the button for the practice site.
    album
        .stop(window, "first-screen-again", async {
            window.key("ctrl+shift+s").await?;
            window.see("Start practice site").await
        })
        .await;
}

/// Shows the guided tour above an operation, and collapses it. At 200%, there is not enough space for the tour and the
/// later pages.
pub(crate) async fn collapse_the_tour(album: &mut Album, window: &Window) {
    album
        .stop(window, "guided-tour-step", async {
            window.press("Portal export").await?;
            window.see("Folder the portal can write to").await?;
            window.see("Export the portal").await
        })
        .await;
    album
        .stop(window, "guided-tour-collapsed", async {
            window.press("Collapse guided tour").await?;
            window.see_any("//button[@aria-label='Expand guided tour']").await.map(drop)
        })
        .await;
}

pub(crate) async fn show(album: &mut Album, window: &Window) {
    if !album.chapter("window") {
        return;
    }
    album
        .stop(window, "overview-checked", async {
            window.press("Overview").await?;
            window.press("Check now").await?;
            window.see_any("//main//table//button[contains(., ' of ')]").await.map(drop)
        })
        .await;
    album
        .stop(window, "overview-services", async {
            window.press_at("//main//table//button[contains(., ' of ')]").await?;
            window.see("Services of").await
        })
        .await;
    album
        .stop(window, "all-sites", async {
            window.key("ctrl+shift+s").await?;
            window.see("Opening this list sends nothing").await
        })
        .await;
    album
        .stop(window, "history", async {
            window.press("History").await?;
            window.see("Server import").await
        })
        .await;
    album
        .stop(window, "history-details", async {
            // The list draws only its visible rows.
            window.fill("Search", "import").await?;
            window
                .press_at("(//*[(@role='grid' or @role='treegrid')]//*[@role='row'][contains(., 'Server import')])[last()]")
                .await?;
            window.see("Facts").await
        })
        .await;
    album.leave(window).await;
    album
        .stop(window, "history-no-match", async {
            window.fill("Search", "no such word").await?;
            window.see("No matching entries").await
        })
        .await;
    album
        .stop(window, "palette", async {
            window.key("ctrl+k").await?;
            window.has_focus("Search sites, operations, pages, and actions").await
        })
        .await;
    album
        .stop(window, "palette-nothing", async {
            window.type_text("no such thing").await?;
            window.see("No results. Try a shorter search term.").await
        })
        .await;
    album.leave(window).await;
    album
        .stop(window, "shortcuts", async {
            window.press("Overview").await?;
            window.key("question").await?;
            window.see("Keyboard shortcuts").await
        })
        .await;
    album.leave(window).await;
    dragged(album, window).await;
    settings(album, window).await;
    help(album, window).await;
    album
        .stop(window, "guided-tour-offer", async {
            window.press("Simulated faults").await?;
            window.press("More commands for the guided tour").await?;
            window.press("End tour").await?;
            window.see("Start guided tour").await
        })
        .await;
    broken(album, window).await;
}

/// Shows a file that is dragged over the window. A driver cannot drag a file, so the page receives the event of the
/// program from a script.
async fn dragged(album: &mut Album, window: &Window) {
    let file = "{ path: '/home/robin/elderbrook-server-before-the-upgrade.agssite',
                  name: 'elderbrook-server-before-the-upgrade.agssite', kind: 'siteFile' }";
    let unusable = "This file cannot be used.";
    for (name, drag, shown) in [
        (
            "drag-import",
            format!("{{ kind: 'over', file: {file} }}"),
            Some("to choose it for a server import"),
        ),
        ("drag-unusable", "{ kind: 'over', file: null }".to_owned(), Some(unusable)),
        ("drag-left", "{ kind: 'left' }".to_owned(), None),
    ] {
        let tell = format!(
            "const internal = (what) => window[`__internal_unstable_listeners_${{what}}_id__`];
             const ids = Object.getOwnPropertyNames(internal('object')['file-drag']);
             internal('function')({{ event: 'file-drag', payload: {drag} }}, ids);"
        );
        album
            .stop(window, name, async {
                window.ask_page(&tell).await?;
                match shown {
                    Some(words) => window.see(words).await,
                    None => window.see_none(unusable).await,
                }
            })
            .await;
    }
}

async fn settings(album: &mut Album, window: &Window) {
    album.stop(window, "settings", window.press("Settings")).await;
    album.stop(window, "settings-connection", show_heading(window, "Connection")).await;
    album
        .stop(window, "diagnostics", async {
            window.press("Run diagnostics").await?;
            window.see("Run diagnostics again").await?;
            show_heading(window, "Diagnostics").await
        })
        .await;
    album.stop(window, "about", show_heading(window, "About Site Steward")).await;
    album
        .stop(window, "licences", async {
            window.press("Show licenses").await?;
            window.see("Apache License").await
        })
        .await;
    album.leave(window).await;
}

async fn help(album: &mut Album, window: &Window) {
    album.stop(window, "help", window.press("Help")).await;
    album
        .stop(window, "help-topic", async {
            window
                .press_at(
                    "//main//a[normalize-space(.)='portal'] | //main//button[normalize-space(.)='portal']",
                )
                .await?;
            window.see_any("//main//h2[normalize-space(.)='Export a portal']").await.map(drop)
        })
        .await;
    album.stop(window, "help-search", window.fill("Search help", "token")).await;
}

/// Scrolls a section to the top, and focuses it: every appearance shows the focused element.
pub(crate) async fn show_heading(window: &Window, words: &str) -> Result<()> {
    window.see(words).await?;
    window
        .ask_page(&format!(
            "const title = [...document.querySelectorAll('main h2')].find((one) => one.textContent.trim() === '{words}');
             const part = title?.closest('section') ?? title;
             part.tabIndex = -1;
             part.style.outline = 'none';
             part.focus({{ preventScroll: true }});
             part.scrollIntoView({{ block: 'start' }});"
        ))
        .await
        .map(drop)
}

/// Shows a page that cannot be drawn, because a script replaces the response that it reads by an invalid one.
async fn broken(album: &mut Album, window: &Window) {
    album
        .stop(window, "broken-screen", async {
            window
                .ask_page(
                    "const real = window.fetch;
                     const odd = () => new Response('{\"entries\":[null],\"older\":null}',
                         { headers: { 'Tauri-Response': 'ok', 'Content-Type': 'application/json' } });
                     window.fetch = (address, ...rest) =>
                         String(address).includes('search_history') ? Promise.resolve(odd()) : real(address, ...rest);",
                )
                .await?;
            window.press("History").await?;
            window.see("Cannot show this page").await
        })
        .await;
}
