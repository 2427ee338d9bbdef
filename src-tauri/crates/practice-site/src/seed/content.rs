//! Seeded portal content: 300 items, each with a small file.

use super::files::write;
use crate::clock::DAY;
use crate::folders::Folders;
use crate::random;
use crate::wire::ApiError;
use rusqlite::{Transaction, params};
use serde_json::json;

const PLACES: [&str; 20] = [
    "Elderbrook",
    "Northfield",
    "Oldmarket",
    "Harbour Quarter",
    "Millpond",
    "Westgate",
    "Larkhill",
    "Stonebridge",
    "Ferry Lane",
    "Upper Meadow",
    "Lower Meadow",
    "Kiln Row",
    "Saltings",
    "Foxwood",
    "Chapel End",
    "Riverside",
    "Greenfield",
    "Hazel Common",
    "Sandbank",
    "Weir Island",
];

/// Title, item type, file name.
const THEMES: [(&str, &str, &str); 15] = [
    ("Street Trees", "Feature Collection", "data.json"),
    ("Zoning", "Web Map", "webmap.json"),
    ("Hydrants", "Feature Collection", "data.json"),
    ("Bus Stops", "CSV", "stops.csv"),
    ("Flood Depth", "Web Map", "webmap.json"),
    ("Playgrounds", "GeoJson", "playgrounds.geojson"),
    ("Road Works", "Web Mapping Application", "application.json"),
    ("Parcels", "Feature Collection", "data.json"),
    ("Noise Contours", "Web Map", "webmap.json"),
    ("Population", "CSV", "population.csv"),
    ("Heritage Buildings", "GeoJson", "heritage.geojson"),
    ("Cycle Routes", "GeoJson", "routes.geojson"),
    ("Water Mains", "Web Map", "webmap.json"),
    ("Air Quality", "Dashboard", "dashboard.json"),
    ("Elevation Notes", "Document Link", "link.json"),
];

/// Adds the items and writes their files. `now` is in milliseconds since 1970.
pub(super) fn fill(tx: &Transaction, folders: &Folders, owner: &str, now: i64) -> Result<(), ApiError> {
    let mut add = tx.prepare(
        "INSERT INTO items (id, owner, title, type, access, file, size, created, modified)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    let mut share = tx.prepare(
        "INSERT INTO group_items (group_id, item_id)
         SELECT id, ?1 FROM groups ORDER BY title LIMIT 1 OFFSET ?2",
    )?;
    let groups = i64::try_from(super::users::GROUPS.len()).unwrap_or(1);
    for (row, place) in (0i64..).zip(PLACES) {
        for (column, (theme, kind, file)) in (0i64..).zip(THEMES) {
            let id = random::hex_secret::<16>()?;
            let title = format!("{theme} of {place}");
            let content = content(file, &title, row, column);
            write(&folders.portal.join("content").join(&id).join(file), &content)?;
            let access = if column % 3 == 0 { "public" } else { "org" };
            let created = now - (600 - row * 20 - column) * DAY;
            add.execute(params![
                id,
                owner,
                title,
                kind,
                access,
                file,
                i64::try_from(content.len()).unwrap_or(0),
                created,
                created + DAY
            ])?;
            share.execute(params![id, (row + column) % groups])?;
        }
    }
    Ok(())
}

fn content(file: &str, title: &str, row: i64, column: i64) -> String {
    let points = (0..12).map(|step| (11_000 + row * 37 + step, 48_000 + column * 29 + step * 3));
    if file.ends_with(".csv") {
        return points.fold(String::from("id,x,y,title\n"), |mut text, (x, y)| {
            text.push_str(&format!(
                "{x}{y},{}.{:03},{}.{:03},{title}\n",
                x / 1000,
                x % 1000,
                y / 1000,
                y % 1000
            ));
            text
        });
    }
    let features: Vec<_> = points
        .map(|(x, y)| {
            json!({
                "type": "Feature",
                "geometry": { "type": "Point", "coordinates": [x as f64 / 1000.0, y as f64 / 1000.0] },
                "properties": { "name": title },
            })
        })
        .collect();
    if file.ends_with(".geojson") {
        return json!({ "type": "FeatureCollection", "features": features }).to_string();
    }
    json!({ "title": title, "version": "2.31", "layers": [{ "title": title, "features": features }] })
        .to_string()
}
