//! Changes between snapshots, and the check of the whole site.

use anyhow::Result;
use steward_testkit::window::Window;

use crate::album::Album;

pub(crate) async fn show(album: &mut Album, window: &Window) {
    album
        .stop(window, "changes", async {
            // The operations before took snapshots.
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
        .stop(window, "changes-between", async {
            window.press("Simulated faults").await?;
            window.press("Start the practice test site").await?;
            window.see_any("//header//*[normalize-space(.)='Practice test site']").await?;
            window.press("Changes").await?;
            window.press("Take snapshot").await?;
            window.see("One snapshot").await?;
            to_practice_site(window).await?;
            window.press("Changes").await?;
            window.choose("Between").await?;
            window.fill("On Practice test site", "practice-test").await?;
            window.fill("On Practice", "practice").await?;
            window.press("Add pair").await?;
            window.see("Added by").await
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

async fn to_practice_site(window: &Window) -> Result<()> {
    window.press_at("//button[starts-with(@aria-label, 'Select a site')]").await?;
    window.press("All sites").await?;
    window.press("Practice").await
}
