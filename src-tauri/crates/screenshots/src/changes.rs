//! Changes between snapshots, and the check of the whole site.

use steward_testkit::window::Window;

use crate::album::Album;

pub(crate) async fn show(album: &mut Album, window: &Window) {
    album
        .stop(window, "changes-none", async {
            window.press("Changes").await?;
            window.see("No snapshots").await
        })
        .await;
    album
        .stop(window, "changes", async {
            window.press("Take snapshot").await?;
            window.see_none("No snapshots").await?;
            window.press("Simulated faults").await?;
            window.press("Change configuration").await?;
            window.see("The configuration of the first server was changed.").await?;
            window.press("Changes").await?;
            window.press("Take snapshot").await?;
            window.see("2 services differ, 1 is missing").await
        })
        .await;
    album
        .stop(window, "changes-details", async {
            window.press("Details of Parcels/Cadastre.FeatureServer").await?;
            window.see("maxRecordCount").await
        })
        .await;
    album
        .stop(window, "whole-site", async {
            window.press("Overview").await?;
            window.press_at("//button[.='Check the whole site'] | //section[@aria-label='Whole site' or .//h2[.='Whole site']]//button[.='Check again']").await?;
            window.see("Back, but").await
        })
        .await;
}
