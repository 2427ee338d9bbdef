//! Operations that are unavailable: because of the role, the version, or a read-only site.

use anyhow::{Context, Result};
use practice_site::Ready;
use steward_testkit::window::Window;

use crate::album::Album;

/// Shows the practice site to a user with few privileges.
pub(crate) async fn by_role(album: &mut Album, window: &Window) {
    album.stop(window, "sign-in", sign_in_as_someone_else(window)).await;
    album
        .stop(window, "role-overview", async {
            window
                .press_at("//*[@role='dialog']//button[contains(., 'Can deactivate webhooks and')]")
                .await?;
            window.see("(publisher)").await?;
            window.press("Overview").await?;
            window.see("Portal and servers").await
        })
        .await;
    album
        .stop(window, "role-refused", async {
            window.press("Server import").await?;
            window.see("Not available for this account").await
        })
        .await;
    album
        .stop(window, "role-administrator-again", async {
            sign_in_as_someone_else(window).await?;
            window.press_at("//*[@role='dialog']//button[contains(., 'Can run all operations')]").await?;
            window.see("(administrator)").await
        })
        .await;
}

async fn sign_in_as_someone_else(window: &Window) -> Result<()> {
    window.key("ctrl+k").await?;
    window.type_text("Sign in with another").await?;
    window.key("Return").await?;
    window.see("Sign in to").await
}

/// Shows a site of [`crate::own_sites`] whose server is too old for one of the operations.
pub(crate) async fn by_version(album: &mut Album, window: &Window, older: &Ready) {
    album
        .stop(window, "version-overview", async {
            window.key("ctrl+shift+s").await?;
            window.press("Open Land register").await?;
            sign_in(window, older).await?;
            window.see("Portal and servers").await
        })
        .await;
    album
        .stop(window, "version-refused", async {
            window.press("Webhooks").await?;
            window.see("Not available for this site").await
        })
        .await;
}

/// Shows the current site as read-only, and unlocked for a while.
pub(crate) async fn read_only(album: &mut Album, window: &Window) {
    album
        .stop(window, "read-only-overview", async {
            window.press("Edit site").await?;
            window.choose("Read-only").await?;
            window.press("Save").await?;
            window.see("This site is read-only").await
        })
        .await;
    album
        .stop(window, "read-only-operation", async {
            window.press("Participants").await?;
            window.see("This site is read-only").await
        })
        .await;
    album
        .stop(window, "read-only-no-reason", async {
            window.press("Unlock for 15 minutes").await?;
            window.see("Enter a reason").await
        })
        .await;
    album
        .stop(window, "read-only-unlocked", async {
            window.fill("Reason", "Planned maintenance of the hydrants tonight").await?;
            window.press("Unlock for 15 minutes").await?;
            window.press("Overview").await?;
            window.see("Unlocked until").await
        })
        .await;
}

/// Signs in as the administrator of a practice site, on a page with its sign-in form.
pub(crate) async fn sign_in(window: &Window, site: &Ready) -> Result<()> {
    let user =
        site.users.iter().find(|user| user.role == "administrator").context("nobody administers it")?;
    window.fill("User name", &user.username).await?;
    window.fill("Password", &user.password).await?;
    window.press_at("//main//button[@type='submit'][normalize-space(.)='Sign in']").await
}
