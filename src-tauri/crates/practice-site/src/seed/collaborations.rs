//! Seeded collaborations: this portal hosts two and is a guest in one.

use crate::clock::DAY;
use crate::random;
use crate::wire::ApiError;
use rusqlite::{Transaction, params};
use serde_json::json;

const HOUR: i64 = 60 * 60 * 1000;

struct Guest {
    name: &'static str,
    url: &'static str,
    first_name: &'static str,
    last_name: &'static str,
    email: &'static str,
}

const COUNTY: Guest = Guest {
    name: "Rivers County",
    url: "https://gis.county.example.net/portal",
    first_name: "Alex",
    last_name: "Meadow",
    email: "alex.meadow@county.example.net",
};
const WATER_BOARD: Guest = Guest {
    name: "Regional Water Board",
    url: "https://maps.waterboard.example.com/portal",
    first_name: "Robin",
    last_name: "Brook",
    email: "robin.brook@waterboard.example.com",
};
const UNIVERSITY: Guest = Guest {
    name: "Elderbrook University",
    url: "https://geo.university.example.org/arcgis",
    first_name: "Sam",
    last_name: "Orchard",
    email: "sam.orchard@university.example.org",
};

/// Adds the collaborations with their participants and invitations. `now` is in milliseconds since 1970.
pub(super) fn fill(tx: &Transaction, owner: &str, now: i64) -> Result<(), ApiError> {
    let ours = crate::store::users::portal(tx)?.uuid;
    let flood = collaboration(
        tx,
        "Flood Response",
        "Gauges and levees along the river.",
        &ours,
        owner,
        now - 200 * DAY,
    )?;
    host(tx, &flood, &ours, now)?;
    guest(tx, &flood, &COUNTY, now)?;
    guest(tx, &flood, &WATER_BOARD, now)?;
    // An invitation that expires soon, as the reason for a refresh.
    invitation(
        tx,
        &flood,
        "Flood Response",
        "https://rescue.example.net/portal",
        &ours,
        now,
        now + 5 * HOUR,
    )?;
    invitation(
        tx,
        &flood,
        "Flood Response",
        "https://harbour.example.com/portal",
        &ours,
        now,
        now + 60 * HOUR,
    )?;

    let trees = collaboration(
        tx,
        "Shared Tree Register",
        "One register of street trees.",
        &ours,
        owner,
        now - 300 * DAY,
    )?;
    host(tx, &trees, &ours, now)?;
    guest(tx, &trees, &UNIVERSITY, now)?;
    invitation(
        tx,
        &trees,
        "Shared Tree Register",
        "https://forest.example.org/portal",
        &ours,
        now,
        now - 2 * HOUR,
    )?;

    let county = random::uuid();
    let base = collaboration(
        tx,
        "County Base Map",
        "What the county sends to its towns.",
        &county,
        owner,
        now - 400 * DAY,
    )?;
    add(tx, &base, &county, &COUNTY, "Host", now)?;
    let here = Guest { name: "City of Elderbrook", url: "https://portal.example.org/portal", ..UNIVERSITY };
    add(tx, &base, &ours, &here, "Guest", now)?;
    invitation(
        tx,
        &base,
        "County Base Map",
        "https://portal.example.org/portal",
        &county,
        now,
        now + 30 * HOUR,
    )
}

fn collaboration(
    tx: &Transaction,
    name: &str,
    description: &str,
    host: &str,
    owner: &str,
    created: i64,
) -> Result<String, ApiError> {
    let id = random::hex_secret::<16>()?;
    tx.execute(
        "INSERT INTO collaborations (id, name, description, host_portal_id, owner, created, modified)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![id, name, description, host, owner, created, created + 180 * DAY],
    )?;
    Ok(id)
}

fn host(tx: &Transaction, collaboration: &str, ours: &str, now: i64) -> Result<(), ApiError> {
    let here = Guest {
        name: "City of Elderbrook",
        url: "https://portal.example.org/portal",
        first_name: "Jo",
        last_name: "Heath",
        email: "jo.heath@example.org",
    };
    add(tx, collaboration, ours, &here, "Host", now)
}

fn guest(tx: &Transaction, collaboration: &str, guest: &Guest, now: i64) -> Result<(), ApiError> {
    add(tx, collaboration, &random::uuid(), guest, "Guest", now)
}

fn add(
    tx: &Transaction,
    collaboration: &str,
    portal_id: &str,
    guest: &Guest,
    role: &str,
    now: i64,
) -> Result<(), ApiError> {
    tx.execute(
        "INSERT INTO participants (collaboration_id, portal_id, url, name, description, role, status,
             contact_first_name, contact_last_name, contact_email, portal_version, last_config_sync, created, modified)
         VALUES (?1, ?2, ?3, ?4, '', ?5, 'active', ?6, ?7, ?8, '11.1', ?9, ?10, ?11)",
        params![
            collaboration,
            portal_id,
            guest.url,
            guest.name,
            role,
            guest.first_name,
            guest.last_name,
            guest.email,
            now - DAY,
            now - 190 * DAY,
            now - 20 * DAY
        ],
    )?;
    Ok(())
}

fn invitation(
    tx: &Transaction,
    collaboration: &str,
    name: &str,
    guest_url: &str,
    host: &str,
    now: i64,
    expiration: i64,
) -> Result<(), ApiError> {
    let id = random::hex_secret::<16>()?;
    let created = expiration - 72 * HOUR;
    let request = json!({
        "id": id,
        "collaborationId": collaboration,
        "collaborationName": name,
        "collaborationDescription": "",
        "collaborationWorkspaceConfigs": {
            "accessMode": [{
                "collaborationWorkspaceId": random::hex_secret::<16>()?,
                "collaborationWorkspaceName": name,
                "collaborationWorkspaceDescription": "",
                "accessMode": "sendAndReceive",
                "config": {},
            }],
        },
        "hostPortalId": host,
        "hostPortalUrl": "https://portal.example.org/portal",
        "guestPortalUrl": guest_url,
        "expiration": expiration,
        "invitationKey": random::hex_secret::<32>()?,
    });
    tx.execute(
        "INSERT INTO invitations
             (id, collaboration_id, guest_portal_id, guest_portal_url, status, request, expiration, created, modified)
         VALUES (?1, ?2, 'unknown', ?3, 'host_created', ?4, ?5, ?6, ?7)",
        params![id, collaboration, guest_url, request.to_string(), expiration, created, created.min(now)],
    )?;
    Ok(())
}
