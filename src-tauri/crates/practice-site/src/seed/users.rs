//! Seeded portal, users and groups.

use crate::clock::DAY;
use crate::random;
use crate::sign_in::hash_password;
use crate::users_file::SignIns;
use crate::wire::ApiError;
use rusqlite::{Transaction, params};

const NAMES: [(&str, &str); 22] = [
    ("Alex", "Meadow"),
    ("Robin", "Brook"),
    ("Sam", "Orchard"),
    ("Jo", "Heath"),
    ("Kim", "Harbour"),
    ("Toni", "Ridge"),
    ("Andrea", "Lake"),
    ("Chris", "Field"),
    ("Pat", "Hollow"),
    ("Lee", "Grove"),
    ("Dana", "Marsh"),
    ("Charlie", "Stone"),
    ("Noa", "Valley"),
    ("Mika", "Dune"),
    ("Sasha", "Moor"),
    ("Jamie", "Cliff"),
    ("Riley", "Spring"),
    ("Morgan", "Bay"),
    ("Quinn", "Fen"),
    ("Avery", "Hill"),
    ("Taylor", "Shore"),
    ("Jordan", "Glade"),
];

pub(super) const GROUPS: [(&str, &str); 9] = [
    ("Parks and Trees", "Maps of green spaces, street trees and playgrounds."),
    ("Water Works", "Mains, hydrants and flow studies."),
    ("Parcels and Zoning", "The cadastre and what may be built where."),
    ("Road Works", "Closures, detours and surface condition."),
    ("Flood Watch", "Gauges, levees and inundation models."),
    ("Census Desk", "Population by district."),
    ("Imagery", "Orthophotos and elevation."),
    ("Emergency Planning", "Shelters, routes and drills."),
    ("Shared With The County", "What the collaboration sends."),
];

const ADD: &str = "INSERT INTO users (username, full_name, email, role, password_hash, created)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

fn add_sign_ins(tx: &Transaction, sign_ins: &SignIns, now: i64) -> Result<(), ApiError> {
    for user in &sign_ins.users {
        let full_name = format!("Practice {}", user.role);
        let email = format!("{}@example.org", user.username);
        let hash = hash_password(&user.password)?;
        tx.execute(ADD, params![user.username, full_name, email, user.role, hash, now - 900 * DAY])?;
    }
    Ok(())
}

/// Adds the portal, its users and its groups.
pub(super) fn fill(tx: &Transaction, sign_ins: &SignIns, now: i64) -> Result<(), ApiError> {
    tx.execute(
        "INSERT INTO portal (id, uuid, name) VALUES ('0123456789ABCDEF', ?1, 'City of Elderbrook')",
        [random::uuid()],
    )?;
    add_sign_ins(tx, sign_ins, now)?;
    let mut add = tx.prepare(ADD)?;
    for (place, (first, last)) in (0i64..).zip(NAMES) {
        let username = format!("{}.{}", first.to_lowercase(), last.to_lowercase());
        let role = if place % 4 == 0 { "publisher" } else { "viewer" };
        let email = format!("{username}@example.org");
        add.execute(params![
            username,
            format!("{first} {last}"),
            email,
            role,
            None::<String>,
            now - (800 - place) * DAY
        ])?;
    }
    let owner = &sign_ins.users[0].username;
    for (place, (title, description)) in (0i64..).zip(GROUPS) {
        let id = random::hex_secret::<16>()?;
        tx.execute(
            "INSERT INTO groups (id, title, description, owner, created) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![id, title, description, owner, now - (700 - place) * DAY],
        )?;
        tx.execute(
            "INSERT INTO group_members (group_id, username)
             SELECT ?1, username FROM users WHERE abs(length(full_name) + ?2) % 3 = 0",
            params![id, place],
        )?;
    }
    Ok(())
}
