//! Portal exports other than the successful one to a folder: to object storage, and with a warning.

use anyhow::Result;
use steward_testkit::window::{Program, Window};

use crate::album::{Album, back_to_the_form};
use crate::world;

pub(crate) async fn show(album: &mut Album, window: &Window, program: &Program) {
    album
        .stop(window, "export-to-bucket", async {
            begin(window, "Bucket").await?;
            window.fill("Bucket name", "elderbrook-portal-backups").await?;
            window.fill("Region", "eu-central-1").await?;
            window.fill("Folder of the pointer file", "/backups/pointers").await?;
            window.press("Request preview").await
        })
        .await;
    album
        .stop(window, "export-to-blob", async {
            begin(window, "Blob container").await?;
            window
                .fill("Container URL", "https://elderbrookbackups.blob.core.example.net/portal-backups")
                .await?;
            window.fill("Account name", "elderbrookbackups").await?;
            window.fill("Account endpoint", "https://elderbrookbackups.blob.core.example.net").await?;
            window.fill("Account key", "bm90IGEga2V5LCBvbmx5IGFzIGxvbmcgYXMgb25l").await?;
            window.fill("Folder of the pointer file", "/backups/pointers").await
        })
        .await;
    album
        .stop(window, "export-warnings", async {
            world::lose_content(program, 12)?;
            begin(window, "Folder").await?;
            window.press("Use the practice folder").await?;
            window.press("Export portal").await?;
            window.see("Warnings from the portal").await
        })
        .await;
}

async fn begin(window: &Window, target: &str) -> Result<()> {
    window.press("Portal export").await?;
    back_to_the_form(window, "New export").await?;
    window.choose(target).await
}
