//! Portal import: its result before and after the content was counted, the undo, and the steps of its form.

use steward_testkit::window::Window;

use crate::album::Album;
use crate::window::show_heading;

/// Begins with the result of an import, signed out.
pub(crate) async fn show(album: &mut Album, window: &Window) {
    album.stop(window, "portal-import-session-ended", window.sign_in_to_see()).await;
    album.leave(window).await;
    album
        .stop(window, "portal-import-counted", async {
            window.sign_in_after_import().await?;
            window.press("Check the content").await?;
            window.see("The portal has as many items, users, groups, and collaborations as the export.").await
        })
        .await;
    album
        .stop(window, "portal-import-undo", async {
            window.press("Undo this import").await?;
            window.see("Undo the import into the portal of Practice?").await
        })
        .await;
    album.leave(window).await;
    album
        .stop(window, "portal-import-lacking", async {
            window.press("New import").await?;
            // The path of the last import is still filled in.
            window.fill("Path of the file", "").await?;
            window.see("Select an export or enter a path first.").await
        })
        .await;
    album
        .stop(window, "portal-import-change", async {
            window.choose_portal_export().await?;
            window.see("Inventory of the export taken:").await?;
            show_heading(window, "Change summary").await
        })
        .await;
    album
        .stop(window, "portal-import-other-file", async {
            window.fill("Path of the file", "/exports/Nov-13-2026.portalsite").await?;
            window.see("The history has no export with this path.").await
        })
        .await;
    album
        .stop(window, "portal-import-checked", async {
            window.fill("Path of the file", "").await?;
            window.choose_portal_export().await?;
            window.press("Check the file").await?;
            window.see("The portal can read").await
        })
        .await;
    album
        .stop(window, "portal-import-history", async {
            window.press("History").await?;
            window.press_at("(//*[@role='row']//*[normalize-space(.)='Portal import'])[1]").await?;
            window.see("Check or undo").await
        })
        .await;
    album.leave(window).await;
}
