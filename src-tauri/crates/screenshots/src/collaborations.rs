//! Collaborations: many contacts from a file, and invitations, one, several and many.

use std::path::Path;

use anyhow::Result;
use steward_testkit::window::{Program, Window, answer_open_dialog, dismiss_dialog};

use crate::album::{Album, back_to_the_form};
use crate::world;

/// Shows an update of many contacts: the comparison of a contacts file, and the outcome of each row.
pub(crate) async fn contacts_file(album: &mut Album, window: &Window, program: &Program, desk: &Path) {
    let file = desk.join("contacts.csv");
    album
        .stop(window, "participants-many", async {
            world::many_participants(program, 3_000)?;
            world::contacts_file(program, &file)?;
            window.press("Participants").await?;
            back_to_the_form(window, "Back to the participants").await?;
            window.press("Reload").await?;
            window.see("of 3,0").await
        })
        .await;
    album.stop(window, "contacts-file", window.press("Contacts file (CSV)")).await;
    album
        .stop(window, "contacts-file-preview", async {
            window.press("Choose a contacts file").await?;
            answer_open_dialog("Choose a contacts file", &file).await?;
            window.see("contacts.csv").await
        })
        .await;
    album
        .stop(window, "contacts-file-confirm", async {
            window
                .press_at("//button[starts-with(normalize-space(.), 'Update ')][contains(., 'contact')]")
                .await?;
            window.see("You can stop after each contact").await
        })
        .await;
    album
        .stop(window, "contacts-file-result", async {
            window
                .press_at("(//*[@role='dialog']//button[starts-with(normalize-space(.), 'Update ')])[1]")
                .await?;
            window.see_any("//table[@aria-label='Outcome of each contact']").await.map(drop)
        })
        .await;
}

/// Shows the table of invitations: several into one folder, one whose file is not saved, and thousands.
pub(crate) async fn invitations(album: &mut Album, window: &Window, program: &Program, desk: &Path) {
    let folder = desk.join("invitations");
    album.stop(window, "invitations-board", board(window)).await;
    album
        .stop(window, "invitation-not-saved", async {
            board(window).await?;
            window.choose_invitation().await?;
            window.press("Refresh invitation").await?;
            window.press("Refresh for 72 hours").await?;
            dismiss_dialog("Save the invitation").await?;
            window.see("not saved in a folder yet").await
        })
        .await;
    album
        .stop(window, "invitations-waiting", async {
            board(window).await?;
            window.see("1 refreshed invitation is not saved yet").await
        })
        .await;
    album
        .stop(window, "invitation-discard", async {
            window.press_at("//button[starts-with(@aria-label, 'Discard ')]").await?;
            window.see("To get a new file, refresh").await
        })
        .await;
    album.stop(window, "invitations-discarded", window.press("Discard the file")).await;
    album
        .stop(window, "invitations-picked", async {
            window.choose("All of “Up to 72 hours left”").await?;
            window.see("invitations selected").await
        })
        .await;
    album
        .stop(window, "invitations-confirm", async {
            window
                .press_at("//button[starts-with(normalize-space(.), 'Refresh ')][contains(., 'invitations')]")
                .await?;
            window.see("invitations on Practice?").await
        })
        .await;
    album
        .stop(window, "invitations-into-folder", async {
            std::fs::create_dir_all(&folder)?;
            window.press("Refresh for 72 hours").await?;
            answer_open_dialog("Choose a folder for the invitations", &folder).await?;
            window.see("Folder").await
        })
        .await;
    album
        .stop(window, "invitations-many", async {
            board(window).await?;
            world::many_invitations(program, 1_000)?;
            window.press("Reload").await?;
            window.see("of 1,0").await
        })
        .await;
}

async fn board(window: &Window) -> Result<()> {
    window.press("Invitations").await?;
    back_to_the_form(window, "Back to the invitations").await?;
    window.see("Up to 72 hours left").await
}
