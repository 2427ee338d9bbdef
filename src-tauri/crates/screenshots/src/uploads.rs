//! Upload of a file to the server: rejected, in progress, stopped, and complete.

use std::fs::File;
use std::path::Path;

use anyhow::Result;
use steward_testkit::window::{Program, Window, answer_open_dialog};

use crate::album::{Album, back_to_the_form};
use crate::world;

/// Size of the file, in bytes: several parts, whose responses are slow.
const SIZE: u64 = 150 * 1024 * 1024;

pub(crate) async fn show(album: &mut Album, window: &Window, program: &Program, desk: &Path) {
    let file = desk.join("elderbrook-server-before-the-upgrade.agssite");
    album
        .stop(window, "upload-refused", async {
            File::create(&file)?.set_len(SIZE)?;
            window.press("Server import").await?;
            back_to_the_form(window, "Back to the form").await?;
            window.choose("This computer").await?;
            choose_and_upload(window, &file).await?;
            window.see("does not accept").await
        })
        .await;
    album
        .stop(window, "upload-running", async {
            world::allow_uploads(program)?;
            let patience = [("Number of times", "20"), ("Delay in seconds", "4")];
            window.add_fault("The response is slow", "Upload of a part of a file", &patience).await?;
            window.press("Server import").await?;
            choose_and_upload(window, &file).await?;
            let share = "return document.querySelector('main [role=progressbar]')?.ariaValueNow > 5";
            window.wait_until(share).await
        })
        .await;
    album
        .stop(window, "upload-stopped", async {
            window.press("Stop upload").await?;
            window.press_at("//*[@role='dialog']//button[normalize-space(.)='Stop upload']").await?;
            window.see("The upload was stopped").await
        })
        .await;
    album
        .stop(window, "upload-done", async {
            window.press("Simulated faults").await?;
            window.press("Remove all faults").await?;
            window.press("Server import").await?;
            window.press_at("//button[starts-with(@aria-label, 'Resume the upload of ')]").await?;
            window.see("It is not imported yet").await
        })
        .await;
}

async fn choose_and_upload(window: &Window, file: &Path) -> Result<()> {
    window.press("Choose and upload a file").await?;
    answer_open_dialog("Choose the file to upload", file).await
}
