//! Backup plans: the list, the editor, and a set.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::json;
use steward_testkit::window::{Program, Window, answer_open_dialog};

use crate::album::Album;

const DAY: i64 = 24 * 60 * 60 * 1000;

pub(crate) async fn show(album: &mut Album, window: &Window, program: &Program, desk: &Path) {
    let folder = desk.join("backups");
    album
        .stop(window, "plans-none", async {
            window.press("Backup plans").await?;
            window.see("No backup plans").await
        })
        .await;
    album
        .stop(window, "plan-new", async {
            window.press("New plan").await?;
            window.fill("Name", "Nightly").await?;
            window.fill("Folder on the portal", "/srv/portal-exports").await?;
            window.see("Next runs:").await
        })
        .await;
    album
        .stop(window, "plan-lacking", async {
            window.press("Save plan").await?;
            window.see_any("//*[@aria-invalid='true']").await.map(drop)
        })
        .await;
    album
        .stop(window, "plans", async {
            std::fs::create_dir_all(&folder)?;
            window.press("Choose the folder for the sets").await?;
            answer_open_dialog("Choose a folder", &folder).await?;
            window.press("Save plan").await?;
            window.see("Sets of Nightly").await?;
            sets(program, &folder)?;
            window.press("Edit plan").await?;
            window.see("Kept").await?;
            window.press("Backup plans").await?;
            window.see("On the site, not checked").await
        })
        .await;
    album
        .stop(window, "plan-editor", async {
            window.press("Edit plan").await?;
            window.see("What the rules keep").await
        })
        .await;
    album
        .stop(window, "backup-set", async {
            window.press("Backup plans").await?;
            window.press_at("(//main//button[starts-with(@aria-label, 'Open set of')])[1]").await?;
            window.see("is not in this set").await
        })
        .await;
}

/// Writes two sets as runs leave them: of the second one, a part failed.
fn sets(program: &Program, folder: &Path) -> Result<()> {
    let saved: serde_json::Value =
        serde_json::from_slice(&std::fs::read(program.folder().join("plans.json"))?)?;
    let plan = saved["content"].get(0).context("no plan is saved")?;
    let now = i64::try_from(std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_millis())?;
    for (name, days, state) in [
        ("first", 2, json!({ "kind": "verifiedHere" })),
        ("second", 1, json!({ "kind": "failed", "fault": { "kind": "signIn" }, "note": "" })),
    ] {
        let set = folder.join(name);
        std::fs::create_dir_all(&set)?;
        let (file, content) = ("practice.agssite", "an export");
        std::fs::write(set.join(file), content)?;
        let files = json!([{ "name": file, "size": content.len(), "sha256": "c3".repeat(32) }]);
        let parts = plan["parts"].as_array().context("the plan has no parts")?.iter().map(|part| {
            let server = &part["server"];
            let is_verified = state["kind"] == "verifiedHere" && !server.is_null();
            json!({
                "server": server,
                "name": if server.is_null() { "Practice" } else { "gisapp01" },
                "expected": if server.is_null() { "onSite" } else { "verifiedHere" },
                "state": if server.is_null() { json!({ "kind": "onSite", "size": null }) } else { state.clone() },
                "record": null,
                "files": if is_verified { files.clone() } else { json!([]) },
                "usualSize": null,
            })
        });
        let (started, ended) = (now - days * DAY, now - days * DAY + 34 * 60 * 1000);
        let content = json!({
            "program": "site-steward", "plan": plan["id"], "planName": plan["name"], "site": plan["site"],
            "siteName": "Practice", "scheduled": started, "started": started, "ended": ended,
            "parts": parts.collect::<Vec<_>>(), "isPinned": false,
        });
        std::fs::write(set.join("set.json"), json!({ "format": 1, "content": content }).to_string())?;
    }
    Ok(())
}
