//! The practice site beyond the seven successes: what asks first, what is refused, what is lost, and what is much.

use std::path::Path;

use anyhow::Result;
use steward_testkit::window::{Program, Window, answer_open_dialog};

use crate::album::Album;
use crate::world;

pub(crate) async fn show(album: &mut Album, window: &Window, program: &Program, desk: &Path) {
    if album.chapter("caution") {
        caution(album, window).await;
    }
    if album.chapter("report") {
        report(album, window).await;
    }
    if album.chapter("mishaps") {
        mishaps(album, window).await;
    }
    if album.chapter("data") {
        data(album, window, program).await;
    }
    if album.chapter("contacts") {
        contact_sheet(album, window, program, desk).await;
    }
    if album.chapter("invitations") {
        invitations(album, window).await;
    }
}

/// What asks before it is sent, and what was written down of it.
async fn caution(album: &mut Album, window: &Window) {
    album
        .stop(window, "refusal", async {
            window.press("Portal export").await?;
            window.press("Export again").await?;
            window.fill("Folder the portal can write to", "/no/such/folder").await?;
            window.press("Export portal").await?;
            window.see("/no/such/folder").await
        })
        .await;
    album
        .stop(window, "webhooks-ledger", async {
            window.press("Webhooks").await?;
            window.press("Back to the services").await?;
            window.see("Silenced from here").await
        })
        .await;
    album
        .stop(window, "webhooks-confirm", async {
            window
                .press_at("(//input[@type='checkbox'][contains(@aria-label, 'Server')][not(@disabled)])[2]")
                .await?;
            window.press_at("//button[starts-with(normalize-space(.), 'Deactivate webhooks of ')]").await?;
            window.see("Why (optional)").await
        })
        .await;
    album.leave(window).await;
    album
        .stop(window, "participants-confirm", async {
            window.press("Participants").await?;
            window.press("Back to the participants").await?;
            window.press_at("(//input[@type='radio'][starts-with(@aria-label, '')][not(@disabled)][ancestor::table])[1]").await?;
            window.fill("First name", "Maximiliane-Friederike").await?;
            window.fill("Last name", "von und zu Hohenstein-Wallenrodt").await?;
            window.fill("E-mail address", "maximiliane.hohenstein@a-long-department.example.net").await?;
            window.press_at("//button[starts-with(normalize-space(.), 'Update contact of ')]").await?;
            window.see("Now").await
        })
        .await;
    album.leave(window).await;
}

/// The report of an import, narrowed, ticked, compared, and the way back.
async fn report(album: &mut Album, window: &Window) {
    album
        .stop(window, "import-again", async {
            window.press("Server import").await?;
            window.press("Import again").await
        })
        .await;
    album
        .stop(window, "report-compared", async {
            window.import_server().await?;
            window.press_at("//input[@aria-label='Compare with']").await?;
            window.press_at("(//*[@role='option'])[last()]").await
        })
        .await;
    album
        .stop(window, "report-ticked", async {
            window.press_at("(//*[@role='treeitem'][contains(., 'FAILED')])[last()]").await?;
            window.tick("Fixed").await
        })
        .await;
    album.stop(window, "report-filtered", window.fill("Search the report", "data")).await;
    album.stop(window, "report-no-match", window.fill("Search the report", "no such word")).await;
    album
        .stop(window, "undo-import", async {
            window.fill("Search the report", "").await?;
            window.press("Undo this import").await
        })
        .await;
    album.leave(window).await;
}

/// What goes wrong on demand: an order, a slow answer with its run, a lost one.
async fn mishaps(album: &mut Album, window: &Window) {
    album.stop(window, "mishaps", window.press("Mishaps")).await;
    album
        .stop(window, "mishaps-armed", async {
            window.choose("The answer is slow").await?;
            window.press("Order mishap").await?;
            window.see("Clear all mishaps").await
        })
        .await;
    album
        .stop(window, "running", async {
            start_import(window).await?;
            window.see("Running: Server import").await
        })
        .await;
    album.stop(window, "dock", window.press("Overview")).await;
    album
        .stop(window, "closing", async {
            window.key("alt+F4").await?;
            window.see("Keep the window open").await
        })
        .await;
    album.leave(window).await;
    album
        .stop(window, "run-ended", async {
            window.press("Server import").await?;
            window.see("did not start").await
        })
        .await;
    album
        .stop(window, "unknown", async {
            window.press("Mishaps").await?;
            window.choose("The connection is cut").await?;
            window.press("Order mishap").await?;
            window.see("Clear all mishaps").await?;
            start_import(window).await?;
            window.see("Do not start it again").await
        })
        .await;
    album
        .stop(window, "unknown-check", async {
            window.press("Find out").await?;
            window.see("What can be seen now").await
        })
        .await;
    album.leave(window).await;
}

async fn start_import(window: &Window) -> Result<()> {
    window.press("Server import").await?;
    window.press("Import again").await?;
    window.choose_stored_file().await?;
    window.press("Import into Practice").await
}

/// The data grid: nothing, ten thousand, one in detail.
async fn data(album: &mut Album, window: &Window, program: &Program) {
    album
        .stop(window, "data-items-empty", async {
            world::many_items(program, 10_000)?;
            window.press("Data items").await?;
            window.press("Change the filters").await?;
            window.fill("Item identifier", "00000000-0000-0000-0000-000000000000").await?;
            window.press("Find data items").await?;
            window.see("No data item matches").await
        })
        .await;
    album
        .stop(window, "data-items-many", async {
            window.press("Show all").await?;
            window.see("10,0").await
        })
        .await;
    album.stop(window, "data-items-filtered", window.fill("Filter these items", "gis-data")).await;
    album
        .stop(window, "data-items-details", async {
            window.fill("Filter these items", "relational_elderbrook").await?;
            window.see("1 of 10,0").await?;
            window.press_at("//*[@role='row']//*[@role='gridcell'][contains(., 'relational_')]").await?;
            window.see("Everything the server said").await
        })
        .await;
    album.leave(window).await;
}

/// Many contacts at once: what the sheet would change, and what became of it.
async fn contact_sheet(album: &mut Album, window: &Window, program: &Program, desk: &Path) {
    let sheet = desk.join("contacts.csv");
    album
        .stop(window, "participants-many", async {
            world::many_participants(program)?;
            world::contact_sheet(program, &sheet)?;
            window.press("Participants").await?;
            if is_there(window, "Back to the participants").await? {
                window.press("Back to the participants").await?;
            }
            window.press("Refresh the list").await
        })
        .await;
    album.stop(window, "contact-sheet", window.press("Contact sheet")).await;
    album
        .stop(window, "contact-sheet-preview", async {
            window.press("Choose a contact sheet").await?;
            answer_open_dialog("Choose a contact sheet", &sheet).await?;
            window.see("contacts.csv").await
        })
        .await;
    album
        .stop(window, "contact-sheet-confirm", async {
            window
                .press_at("//button[starts-with(normalize-space(.), 'Update ')][contains(., 'contact')]")
                .await?;
            window.see("You can stop between").await
        })
        .await;
    album
        .stop(window, "contact-sheet-result", async {
            window
                .press_at("(//*[@role='dialog']//button[starts-with(normalize-space(.), 'Update ')])[1]")
                .await?;
            window.see_any("//table[@aria-label='What came of each contact']").await.map(drop)
        })
        .await;
}

/// The board of invitations, and the way back to the sign-in.
async fn invitations(album: &mut Album, window: &Window) {
    album
        .stop(window, "invitations-board", async {
            window.press("Invitations").await?;
            if is_there(window, "Back to the invitations").await? {
                window.press("Back to the invitations").await?;
            }
            window.see("Less than 72 hours left").await
        })
        .await;
    album.stop(window, "invitations-picked", window.press_at("(//tbody//input[@type='checkbox'])[1]")).await;
    album
        .stop(window, "sign-in", async {
            window.key("ctrl+k").await?;
            window.type_text("Sign in as someone").await?;
            window.key("Return").await?;
            window.see("Sign in to").await
        })
        .await;
    album.leave(window).await;
}

/// Whether a button is there at this moment: what a chapter finds depends on those before it.
async fn is_there(window: &Window, button: &str) -> Result<bool> {
    window.settle().await?;
    let script = format!(
        "return [...document.querySelectorAll('main button')].some((one) => one.textContent.trim() === '{button}')"
    );
    Ok(window.ask_page(&script).await? == true)
}
