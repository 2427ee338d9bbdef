//! Content that the practice site does not come with: many, long names, sites of somebody's own.

use std::path::Path;

use anyhow::{Context, Result};
use rusqlite::{Connection, OpenFlags, params};
use serde_json::json;
use steward_testkit::window::Program;

const LONG: &str = "Regional Administration for Surveying, Inspection of Underground Utilities and Manholes";

fn database(program: &Program, name: &str) -> Result<Connection> {
    let file = program.folder().join("practice").join(name);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
    Connection::open_with_flags(&file, flags).with_context(|| format!("{} cannot be opened", file.display()))
}

pub(crate) fn many_items(program: &Program, count: usize) -> Result<()> {
    let mut server = database(program, "server/server.db")?;
    let all = server.transaction()?;
    for number in 0..count {
        let name = match number % 50 {
            0 => format!("{LONG} {number}"),
            _ => format!("survey-{number}"),
        };
        let path = format!("/fileShares/{name}");
        let id = format!("tour-{number}");
        let item = json!({
            "id": id, "path": path, "name": name, "type": "folder", "provider": "folder",
            "info": { "path": format!("\\\\nas\\gis-data\\{number}"), "hostName": "NAS", "dataStoreConnectionType": "shared" },
        });
        all.execute(
            "INSERT INTO data_items (path, parent_path, id, type, managed, item)
             VALUES (?1, '/fileShares', ?2, 'folder', 0, ?3)",
            params![path, id, item.to_string()],
        )?;
    }
    Ok(all.commit()?)
}

pub(crate) fn many_participants(program: &Program) -> Result<()> {
    let mut portal = database(program, "portal/portal.db")?;
    let all = portal.transaction()?;
    for number in 0..60 {
        let name = if number % 10 == 0 { LONG.to_owned() } else { format!("Municipality {number}") };
        all.execute(
            "INSERT INTO participants SELECT collaboration_id, ?1, ?2, ?3, description, 'guest', status,
                 'Robin', 'Field', 'robin.field@example.net', portal_version, last_config_sync, created, modified
             FROM participants WHERE lower(role) = 'guest' LIMIT 1",
            params![format!("tour{number:028}"), format!("https://gis{number}.example.net/portal"), name],
        )?;
    }
    Ok(all.commit()?)
}

/// A sheet with a change, a row that is as it is, a bad address and nobody.
pub(crate) fn contact_sheet(program: &Program, file: &Path) -> Result<()> {
    let portal = database(program, "portal/portal.db")?;
    let mut rows = portal.prepare(
        "SELECT collaboration_id, portal_id FROM participants WHERE portal_id LIKE 'tour%' LIMIT 12",
    )?;
    let known: Vec<(String, String)> =
        rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    let mut text = String::from("collaborationId,participantId,firstName,lastName,emailAddress\r\n");
    for (number, (collaboration, participant)) in known.iter().enumerate() {
        let contact = match number {
            0 => "Robin,Field,robin.field@example.net".to_owned(),
            1 => "Robin,Field,robin.field".to_owned(),
            _ => format!("Kim,Harbour,kim.harbour{number}@example.net"),
        };
        text.push_str(&format!("{collaboration},{participant},{contact}\r\n"));
    }
    text.push_str("nobody,nowhere,Kim,Harbour,kim@example.net\r\n");
    Ok(std::fs::write(file, text)?)
}

/// Sites as somebody has them who looks after a dozen; none of them can be reached.
pub(crate) fn many_sites(program: &Program) -> Result<()> {
    let colors = ["red", "blue", "teal", "green", "orange", "grape", "gray"];
    let names = [
        "City GIS",
        "City GIS test",
        LONG,
        "Water",
        "Forestry",
        "Harbour",
        "Roads",
        "Parks",
        "Land register",
    ];
    let sites: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(number, name)| {
            json!({
                "id": format!("00000000-0000-4000-8000-{number:012}"),
                "name": name.chars().take(60).collect::<String>(),
                "kind": if number % 2 == 0 { "production" } else { "test" },
                "color": colors[number % colors.len()],
                "flavour": "enterprise",
                "portal": { "address": format!("http://127.0.0.1:9/gis{number}/portal"), "direct": null },
                "servers": [{
                    "id": "server", "name": "127.0.0.1", "address": format!("http://127.0.0.1:9/gis{number}/server"),
                    "public": null, "direct": null, "flavour": { "kind": "gis" }, "role": "HOSTING_SERVER",
                }],
                "chosenServer": null, "caCertificate": null, "clientCertificate": null, "pins": [],
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
    let saved = json!({ "version": 2, "sites": sites });
    Ok(std::fs::write(program.folder().join("sites.json"), serde_json::to_vec_pretty(&saved)?)?)
}
