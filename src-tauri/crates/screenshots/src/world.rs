//! Content that the practice site does not have: long lists, long names, and missing files.

use std::path::Path;

use anyhow::{Context, Result};
use rusqlite::{Connection, OpenFlags, params};
use serde_json::json;
use steward_testkit::window::Program;

pub(crate) const LONG: &str =
    "Regional Administration for Surveying, Inspection of Underground Utilities and Manholes";
/// Long name without a possible line break.
const LONG_WORD: &str = "RegionalAdministrationForSurveyingAndInspectionOfUndergroundUtilities";
/// Long host name.
const LONG_HOST: &str = "regional-administration-for-surveying-and-inspection-of-utilities";
const HOUR: i64 = 60 * 60 * 1000;

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
        let id = format!("sample-{number}");
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

pub(crate) fn many_participants(program: &Program, count: usize) -> Result<()> {
    let mut portal = database(program, "portal/portal.db")?;
    let all = portal.transaction()?;
    for number in 0..count {
        let name = if number % 10 == 0 { LONG.to_owned() } else { format!("Municipality {number}") };
        all.execute(
            "INSERT INTO participants SELECT collaboration_id, ?1, ?2, ?3, description, 'guest', status,
                 'Robin', 'Field', 'robin.field@example.net', portal_version, last_config_sync, created, modified
             FROM participants WHERE lower(role) = 'guest' LIMIT 1",
            params![format!("pics{number:028}"), format!("https://gis{number}.example.net/portal"), name],
        )?;
    }
    Ok(all.commit()?)
}

/// Adds invitations. Some have expired, the others expire within the next three days.
pub(crate) fn many_invitations(program: &Program, count: i64) -> Result<()> {
    let mut portal = database(program, "portal/portal.db")?;
    let all = portal.transaction()?;
    for number in 0..count {
        let host = if number % 10 == 0 { LONG_HOST } else { "portal" };
        all.execute(
            "INSERT INTO invitations SELECT ?1, collaboration_id, guest_portal_id, ?2, status, request,
                 unixepoch() * 1000 + ?3, created, modified
             FROM invitations WHERE guest_portal_url LIKE 'https://rescue.%'",
            params![
                format!("pics{number:028}"),
                format!("https://{host}.municipality{number}.example.net/portal"),
                (number % 24 - 2) * 3 * HOUR,
            ],
        )?;
    }
    Ok(all.commit()?)
}

/// Adds services, 50 in each folder, with the webhooks of a service of the practice site.
pub(crate) fn many_services(program: &Program, count: i64) -> Result<()> {
    let mut server = database(program, "server/server.db")?;
    let all = server.transaction()?;
    for number in 0..count {
        let name =
            if number % 10 == 0 { format!("{LONG_WORD}_{number}") } else { format!("Survey_{number}") };
        all.execute(
            "INSERT INTO services (folder, name, type, description, configuration, data_path, configured_state,
                 real_time_state)
             SELECT ?1, ?2, type, description, configuration, data_path, configured_state, real_time_state
             FROM services WHERE name = 'StreetTrees'",
            params![format!("District_{:02}", number / 50), name],
        )?;
        all.execute(
            "INSERT INTO webhooks SELECT webhooks.id || ?1, ?2, webhooks.name, hook_url, active, paused, settings,
                 created, modified
             FROM webhooks JOIN services ON services.id = service_id WHERE services.name = 'StreetTrees'",
            params![number, all.last_insert_rowid()],
        )?;
    }
    Ok(all.commit()?)
}

/// Allows uploads of export files, as an administrator does before an import: by default, a server rejects them.
pub(crate) fn allow_uploads(program: &Program) -> Result<()> {
    database(program, "server/server.db")?.execute(
        "UPDATE settings SET value = json_set(value, '$.uploadFileExtensionAllowedList', 'agssite')
         WHERE name = 'properties'",
        [],
    )?;
    Ok(())
}

/// Deletes the files of `count` items, so that a portal export reports warnings.
pub(crate) fn lose_content(program: &Program, count: usize) -> Result<()> {
    // After a portal import, the folder has another name, which begins with the same word.
    for folder in std::fs::read_dir(program.folder().join("practice/portal"))? {
        let folder = folder?;
        if !folder.file_name().to_string_lossy().starts_with("content") {
            continue;
        }
        for item in std::fs::read_dir(folder.path())?.take(count) {
            std::fs::remove_dir_all(item?.path())?;
        }
    }
    Ok(())
}

/// Writes a contacts file with changes, an unchanged row, an invalid email address, and a row without a participant.
pub(crate) fn contacts_file(program: &Program, file: &Path) -> Result<()> {
    let portal = database(program, "portal/portal.db")?;
    let mut rows = portal.prepare(
        "SELECT collaboration_id, portal_id FROM participants WHERE portal_id LIKE 'pics%' LIMIT 12",
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
