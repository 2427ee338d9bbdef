//! Backup plans: the list, the editor, and a set.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};
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
            window.see("Plans of the practice site run only on request").await
        })
        .await;
    album
        .stop(window, "plan-lacking", async {
            window.fill("Name", "").await?;
            window.press("Save as paused").await?;
            window.see_any("//*[@aria-invalid='true']").await.map(drop)
        })
        .await;
    album
        .stop(window, "plans", async {
            std::fs::create_dir_all(&folder)?;
            window.fill("Name", "Nightly").await?;
            window.press("Choose the folder for the sets").await?;
            answer_open_dialog("Choose a folder", &folder).await?;
            // The dialog is gone before the window has its folder.
            window.see_any(&format!("//input[@value='{}']", folder.display())).await?;
            window.press("Save plan").await?;
            window.see("Sets of Nightly").await?;
            let export = portal_export(window).await?;
            sets(program, &folder, &export)?;
            window.press("Edit plan").await?;
            window.see("Kept").await?;
            window.press("Backup plans").await?;
            window.see("On the site, not checked").await
        })
        .await;
    album
        .stop(window, "plan-editor", async {
            window.press("Edit plan").await?;
            window.see("2 sets now").await
        })
        .await;
    album
        .stop(window, "backup-set", async {
            window.press("Backup plans").await?;
            window.press_at("(//main//button[starts-with(@aria-label, 'Open set of')])[1]").await?;
            window.see("is not in this set").await
        })
        .await;
    album
        .stop(window, "backup-set-restore", async {
            window.press("Restore this site…").await?;
            window.see("Not in any export").await
        })
        .await;
    album
        .stop(window, "plans-search", async {
            window.press("Backup plans").await?;
            window.fill("Name of a service or data store item", "zoning").await?;
            window.key("Return").await?;
            window.see("Inventories searched").await
        })
        .await;
}

/// Returns the record of the portal export that was made last; `null` if there is none.
async fn portal_export(window: &Window) -> Result<Value> {
    let found = window
        .ask_page(
            "const search = { text: '', site: null, server: null, operation: 'export_portal', username: null,
                 outcomes: ['succeeded'], from: null, to: null };
             return window.__TAURI_INTERNALS__.invoke('search_history', { search, olderThan: null, limit: 1 });",
        )
        .await?;
    Ok(found["entries"][0]["id"].clone())
}

/// Writes two sets as runs leave them: of the second one, a part failed.
fn sets(program: &Program, folder: &Path, portal_export: &Value) -> Result<()> {
    let saved: Value = serde_json::from_slice(&std::fs::read(program.folder().join("plans.json"))?)?;
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
                "record": if server.is_null() { portal_export } else { &Value::Null },
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
