//! Saved sites, none of which can be reached.

use std::fs;
use std::path::Path;

use anyhow::Result;
use serde_json::json;
use steward_journal::Journal;

const COLORS: [&str; 7] = ["red", "blue", "teal", "green", "orange", "grape", "gray"];

/// Saves the sites in the data folder, with the first one as the site that was shown last.
pub(crate) fn save(data_folder: &Path, count: usize) -> Result<()> {
    let id = |number: usize| format!("00000000-0000-4000-8000-{number:012}");
    let sites: Vec<_> = (0..count)
        .map(|number| {
            let base = format!("http://127.0.0.1:9/gis{number}");
            json!({
                "id": id(number),
                "name": format!("City GIS {number}"),
                "environment": if number % 2 == 0 { "production" } else { "test" },
                "color": COLORS[number % COLORS.len()],
                "deploymentType": "enterprise",
                "portal": { "address": format!("{base}/portal"), "adminUrl": null },
                "servers": [{
                    "id": "server", "name": "127.0.0.1", "address": format!("{base}/server"),
                    "servicesUrl": null, "adminUrl": null, "serverType": { "kind": "gis" }, "role": "HOSTING_SERVER",
                }],
                "currentServer": null, "caCertificate": null, "clientCertificate": null, "trustedCertificates": [],
                "confirmed": [], "route": { "kind": "direct" }, "clientId": null, "username": "gisadmin",
                "readOnly": false, "seen": null,
            })
        })
        .collect();
    fs::create_dir_all(data_folder)?;
    // With saved sites and no history, the app does not start, and the page of a failed start would be measured.
    drop(Journal::open(&data_folder.join("journal.db"))?);
    let write = |name: &str, content| fs::write(data_folder.join(name), serde_json::to_vec(&content)?);
    write("sites.json", json!({ "format": 1, "content": sites }))?;
    Ok(write("preferences.json", json!({ "format": 1, "content": { "lastSite": id(0) } }))?)
}
