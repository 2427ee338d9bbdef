//! The practice site apart from the successful operations: confirmations, rejections, lost responses, and long
//! lists.

use std::path::Path;

use anyhow::Result;
use steward_testkit::window::{Program, Window, answer_save_dialog};

use crate::album::{Album, back_to_the_form};
use crate::{changes, collaborations, exports, plans, refused, uploads, world};

pub(crate) async fn show(album: &mut Album, window: &Window, program: &Program, desk: &Path) {
    if album.chapter("exports") {
        exports::show(album, window, program).await;
    }
    if album.chapter("plans") {
        plans::show(album, window, program, desk).await;
    }
    if album.chapter("caution") {
        caution(album, window).await;
    }
    if album.chapter("report") {
        report(album, window, desk).await;
    }
    if album.chapter("faults") {
        faults(album, window).await;
    }
    if album.chapter("uploads") {
        uploads::show(album, window, program, desk).await;
    }
    if album.chapter("data") {
        data(album, window, program).await;
    }
    if album.chapter("contacts") {
        collaborations::contacts_file(album, window, program, desk).await;
    }
    if album.chapter("invitations") {
        collaborations::invitations(album, window, program, desk).await;
    }
    if album.chapter("role") {
        refused::by_role(album, window).await;
    }
    if album.chapter("changes") {
        changes::show(album, window).await;
    }
}

/// Shows a rejection, the deactivation log, and confirmations.
async fn caution(album: &mut Album, window: &Window) {
    album
        .stop(window, "refusal", async {
            window.press("Portal export").await?;
            back_to_the_form(window, "New export").await?;
            window.choose("Folder").await?;
            window.fill("Folder the portal can write to", "/no/such/folder").await?;
            window.press("Export portal").await?;
            window.see("/no/such/folder").await
        })
        .await;
    album
        .stop(window, "webhooks-deactivation-log", async {
            window.press("Webhooks").await?;
            back_to_the_form(window, "Back to the services").await?;
            window.press_at("//button[starts-with(normalize-space(.), 'Deactivation log (')]").await?;
            window.see("Mark as resolved").await
        })
        .await;
    album
        .stop(window, "webhooks-confirm", async {
            window
                .press_at("(//input[@type='checkbox'][contains(@aria-label, 'Server')][not(@disabled)])[2]")
                .await?;
            window.press_at("//button[starts-with(normalize-space(.), 'Deactivate webhooks of ')]").await?;
            window.see("Reason or ticket (optional)").await
        })
        .await;
    album.leave(window).await;
    album
        .stop(window, "participants-confirm", async {
            window.press("Participants").await?;
            back_to_the_form(window, "Back to the participants").await?;
            window.press_at("(//input[@type='radio'][starts-with(@aria-label, '')][not(@disabled)][ancestor::table])[1]").await?;
            window.fill("First name", "Maximiliane-Friederike").await?;
            window.fill("Last name", "von und zu Hohenstein-Wallenrodt").await?;
            window.fill("Email address", "maximiliane.hohenstein@a-long-department.example.net").await?;
            window.press_at("//button[starts-with(normalize-space(.), 'Update contact of ')]").await?;
            window.see("Current").await
        })
        .await;
    album.leave(window).await;
}

/// Shows the report of an import: filtered, marked, compared, saved, and undone.
async fn report(album: &mut Album, window: &Window, desk: &Path) {
    album
        .stop(window, "import-again", async {
            window.press("Server import").await?;
            back_to_the_form(window, "New import").await
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
        .stop(window, "report-selected", async {
            window.press_at("(//*[@role='treeitem'][contains(., 'FAILED')])[last()]").await?;
            window.select("Fixed").await
        })
        .await;
    album.stop(window, "report-filtered", window.fill("Search the report", "data")).await;
    album
        .stop(window, "report-no-match", async {
            window.fill("Search the report", "no such word").await?;
            window.see("No messages match the filter.").await
        })
        .await;
    album
        .stop(window, "report-to-data-items", async {
            window.fill("Search the report", "").await?;
            window.press("Search all data store items by path").await?;
            window.see_any("//*[@role='gridcell']").await.map(drop)
        })
        .await;
    album
        .stop(window, "report-audit-package", async {
            window.press("Back to the previous page").await?;
            window.press("Save audit package").await?;
            answer_save_dialog("Save the audit package", &desk.join("audit-package.zip")).await?;
            window.see("Saved audit package").await
        })
        .await;
    album
        .stop(window, "undo-import", async {
            window.press("Undo this import").await?;
            window.see("Undo the import into Practice?").await
        })
        .await;
    album.leave(window).await;
}

/// Delay of a response, in seconds, for which two stops can be shown on a busy computer. The runs are stopped afterwards.
const LONGER_THAN_TWO_STOPS: &str = "600";

/// Shows simulated faults: adding one, a slow response during its run, and a lost one.
async fn faults(album: &mut Album, window: &Window) {
    album
        .stop(window, "faults", async {
            window.press("Simulated faults").await?;
            window.see("Add a fault").await
        })
        .await;
    album
        .stop(window, "token-renewed", async {
            // A change is not sent again with the renewed token.
            window.add_fault("The token has expired", "Webhook deactivation", &[]).await?;
            window.press("Webhooks").await?;
            back_to_the_form(window, "Back to the services").await?;
            window.select("Buffer.GPServer").await?;
            // The services that were selected before are still selected.
            window.press_at("//button[starts-with(normalize-space(.), 'Deactivate webhooks of ')]").await?;
            window.press("Deactivate webhooks").await?;
            window.see("The token was rejected and renewed").await
        })
        .await;
    album
        .stop(window, "faults-active", async {
            window.press("Simulated faults").await?;
            window.choose("The response is slow").await?;
            window.fill("Delay in seconds", LONGER_THAN_TWO_STOPS).await?;
            window.press("Add fault").await?;
            window.see("Remove all faults").await
        })
        .await;
    album
        .stop(window, "running", async {
            start_import(window).await?;
            window.see("Running: Server import").await
        })
        .await;
    album
        .stop(window, "operations-panel", async {
            window.press("Overview").await?;
            window.see("Portal and servers").await
        })
        .await;
    album
        .stop(window, "closing", async {
            window.key("alt+F4").await?;
            window.see("Keep window open").await
        })
        .await;
    album.leave(window).await;
    album
        .stop(window, "running-stopped", async {
            window.press("Server import").await?;
            window.press("Stop waiting for Server import on Practice").await?;
            window.press_at("//*[@role='dialog']//button[normalize-space(.)='Stop waiting']").await?;
            window.see("Do not repeat the operation").await
        })
        .await;
    album
        .stop(window, "run-ended", async {
            window.press("Later").await?;
            window.press("Back to the form").await?;
            import_stored_file(window).await?;
            window.see("did not start").await
        })
        .await;
    album
        .stop(window, "securing", async {
            let slow = [("Delay in seconds", LONGER_THAN_TWO_STOPS)];
            window.add_fault("The response is slow", "Server export", &slow).await?;
            start_import(window).await?;
            window.see("If you stop, the import is not sent").await
        })
        .await;
    album.stop(window, "stop-import", window.press("Stop Server import on Practice")).await;
    album.leave(window).await;
    album
        .stop(window, "unknown", async {
            window.press("Stop Server import on Practice").await?;
            window.press_at("//*[@role='dialog']//button[normalize-space(.)='Stop import']").await?;
            window.press("Simulated faults").await?;
            window.choose("The connection is lost").await?;
            window.press("Add fault").await?;
            window.see("Remove all faults").await?;
            window.press("Server import").await?;
            back_to_the_form(window, "Back to the form").await?;
            import_stored_file(window).await?;
            window.see("Do not repeat the operation").await
        })
        .await;
    album
        .stop(window, "unknown-check", async {
            window.press("Check outcome").await?;
            window.see("Results of the check").await
        })
        .await;
    album.leave(window).await;
    // The next chapters need the whole window.
    album.stop(window, "unknown-later", window.press("Later")).await;
}

async fn start_import(window: &Window) -> Result<()> {
    window.press("Server import").await?;
    back_to_the_form(window, "New import").await?;
    import_stored_file(window).await
}

async fn import_stored_file(window: &Window) -> Result<()> {
    window.choose_stored_file().await?;
    window.press("Replace Practice").await
}

/// Shows long lists of the server: no data store items, ten thousand, the details of one; and many services.
async fn data(album: &mut Album, window: &Window, program: &Program) {
    album
        .stop(window, "data-items-empty", async {
            world::many_items(program, 10_000)?;
            window.press("Data store items").await?;
            window.press("Change filters").await?;
            window.fill("Item identifier", "00000000-0000-0000-0000-000000000000").await?;
            window.press("Find data store items").await?;
            window.see("No data store items").await?;
            window.see("Use fewer filters").await
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
            window.see("All returned fields").await
        })
        .await;
    album.leave(window).await;
    album
        .stop(window, "webhooks-many", async {
            world::many_services(program, 1_000)?;
            window.press("Webhooks").await?;
            back_to_the_form(window, "Back to the services").await?;
            window.press("Reload").await?;
            window.see("With webhooks (1,0").await
        })
        .await;
}
