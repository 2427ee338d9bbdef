//! Saved sites of an administrator with many sites, and a history of two years.

use anyhow::Result;
use rusqlite::{Connection, params};
use serde_json::json;
use steward_journal::Journal;
use steward_testkit::window::Program;

use crate::world::LONG;

const COLORS: [&str; 7] = ["red", "blue", "teal", "green", "orange", "grape", "gray"];
const NAMES: [&str; 9] =
    ["City GIS", "City GIS test", LONG, "Water", "Forestry", "Harbour", "Roads", "Parks", "Land register"];
const MINUTE: i64 = 60 * 1000;

fn id(number: usize) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

fn name(number: usize) -> String {
    NAMES[number].chars().take(60).collect()
}

/// Saves the sites. Only the last one can be reached, at `answering`; its portal lists the server as `listed`.
pub(crate) fn save(program: &Program, answering: &str, listed: &str) -> Result<()> {
    let sites: Vec<_> = (0..NAMES.len())
        .map(|number| {
            let nowhere = format!("http://127.0.0.1:9/gis{number}");
            let (base, public) =
                if number + 1 == NAMES.len() { (answering, Some(listed)) } else { (&*nowhere, None) };
            json!({
                "id": id(number),
                "name": name(number),
                "environment": if number % 2 == 0 { "production" } else { "test" },
                "color": COLORS[number % COLORS.len()],
                "deploymentType": "enterprise",
                "portal": { "address": format!("{base}/portal"), "adminUrl": null },
                "servers": [{
                    "id": "server", "name": "127.0.0.1", "address": format!("{base}/server"),
                    "servicesUrl": public, "adminUrl": null, "serverType": { "kind": "gis" }, "role": "HOSTING_SERVER",
                }],
                "currentServer": null, "caCertificate": null, "clientCertificate": null, "trustedCertificates": [],
                "confirmed": [answering],
                "route": { "kind": "direct" }, "clientId": null,
                "username": if number == 0 { Some("gisadmin") } else { None },
                "readOnly": number == 0,
                "seen": if number == 0 {
                    json!({ "portalVersion": "11.1", "serverVersion": "11.1", "at": 1_790_000_000_000_i64 })
                } else { json!(null) },
            })
        })
        .collect();
    std::fs::create_dir_all(program.folder())?;
    // With saved sites and no history, the app does not start.
    drop(Journal::open(&program.folder().join("journal.db"))?);
    let saved = json!({ "format": 1, "content": sites });
    Ok(std::fs::write(program.folder().join("sites.json"), serde_json::to_vec_pretty(&saved)?)?)
}

fn parameters(operation: &str, place: &str) -> serde_json::Value {
    match operation {
        "refresh_invitation" => json!([
            ["guestPortal", "https://harbour.example.org/portal"],
            ["collaborationName", "Regional base data"],
        ]),
        _ => json!([["location", place]]),
    }
}

/// Adds `count` entries to the history, directly in the journal's database: the app records only what it does itself.
pub(crate) fn remember(program: &Program, count: usize) -> Result<()> {
    let mut journal = Connection::open(program.folder().join("journal.db"))?;
    let all = journal.transaction()?;
    let mut add = all.prepare(
        "INSERT INTO record (id, site, site_name, environment, site_version, operation, username, parameters,
             started_at, ended_at, elapsed, outcome, note, program_version, late, requests)
         SELECT ?1, ?2, ?3, 'production', '11.1', ?4, ?5, ?6, began, began + ?7, ?7, ?8, ?9, '', 0, '[]'
         FROM (SELECT unixepoch() * 1000 - ?10 AS began)",
    )?;
    let operations = ["export_portal", "export_server", "refresh_invitation", "export_server"];
    let outcomes = ["succeeded", "succeeded", "succeeded", "warnings", "succeeded", "failed", "unknown"];
    let people = ["gisadmin", "robin.field@city.example.net", "gisadmin"];
    for number in 0..count {
        let place = format!("/backups/city/{number}/elderbrook.agssite");
        let back = i64::try_from(count - number)?;
        add.execute(params![
            format!("sample-{number}"),
            id(number % NAMES.len()),
            name(number % NAMES.len()),
            operations[number % operations.len()],
            people[number % people.len()],
            parameters(operations[number % operations.len()], &place).to_string(),
            (back % 90 + 2) * MINUTE / 10,
            outcomes[number % outcomes.len()],
            place,
            back * 100 * MINUTE,
        ])?;
    }
    drop(add);
    steward_journal::seal_all(&all)?;
    steward_journal::trail::tell_all(&all)?;
    Ok(all.commit()?)
}
