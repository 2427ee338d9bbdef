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

/// Seeded collaboration.
struct Collaboration<'a> {
    tx: &'a Transaction<'a>,
    id: String,
    name: &'static str,
    /// ID of the portal that hosts it.
    host: String,
    now: i64,
}

/// Adds the collaborations with their participants and invitations. `now` is in milliseconds since 1970.
pub(super) fn fill(tx: &Transaction, owner: &str, now: i64) -> Result<(), ApiError> {
    let add = |name: &'static str, description: &str, host: &str, days: i64| {
        let (id, created) = (random::hex_secret::<16>()?, now - days * DAY);
        tx.execute(
            "INSERT INTO collaborations (id, name, description, host_portal_id, owner, created, modified)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![id, name, description, host, owner, created, created + 180 * DAY],
        )?;
        Ok::<_, ApiError>(Collaboration { tx, id, name, host: host.to_owned(), now })
    };
    let ours = crate::store::users::portal(tx)?.uuid;
    let flood = add("Flood Response", "Gauges and levees along the river.", &ours, 200)?;
    flood.host()?;
    flood.guest(&COUNTY)?;
    flood.guest(&WATER_BOARD)?;
    // An invitation that expires soon, as the reason for a refresh.
    flood.invitation("https://rescue.example.net/portal", 5)?;
    flood.invitation("https://harbour.example.com/portal", 60)?;

    let trees = add("Shared Tree Register", "One register of street trees.", &ours, 300)?;
    trees.host()?;
    trees.guest(&UNIVERSITY)?;
    trees.invitation("https://forest.example.org/portal", -2)?;

    let county = random::uuid();
    let base = add("County Base Map", "What the county sends to its towns.", &county, 400)?;
    base.participant(&county, &COUNTY, "Host")?;
    let here = Guest { name: "City of Elderbrook", url: "https://portal.example.org/portal", ..UNIVERSITY };
    base.participant(&ours, &here, "Guest")?;
    base.invitation("https://portal.example.org/portal", 30)
}

impl Collaboration<'_> {
    fn host(&self) -> Result<(), ApiError> {
        let here = Guest {
            name: "City of Elderbrook",
            url: "https://portal.example.org/portal",
            first_name: "Jo",
            last_name: "Heath",
            email: "jo.heath@example.org",
        };
        self.participant(&self.host, &here, "Host")
    }

    fn guest(&self, guest: &Guest) -> Result<(), ApiError> {
        self.participant(&random::uuid(), guest, "Guest")
    }

    fn participant(&self, portal_id: &str, guest: &Guest, role: &str) -> Result<(), ApiError> {
        self.tx.execute(
            "INSERT INTO participants (collaboration_id, portal_id, url, name, description, role, status,
                 contact_first_name, contact_last_name, contact_email, portal_version, last_config_sync, created, modified)
             VALUES (?1, ?2, ?3, ?4, '', ?5, 'active', ?6, ?7, ?8, '11.1', ?9, ?10, ?11)",
            params![
                self.id,
                portal_id,
                guest.url,
                guest.name,
                role,
                guest.first_name,
                guest.last_name,
                guest.email,
                self.now - DAY,
                self.now - 190 * DAY,
                self.now - 20 * DAY
            ],
        )?;
        Ok(())
    }

    /// Adds an invitation that expires in some hours.
    fn invitation(&self, guest_url: &str, hours: i64) -> Result<(), ApiError> {
        let id = random::hex_secret::<16>()?;
        let expiration = self.now + hours * HOUR;
        let created = expiration - 72 * HOUR;
        let request = json!({
            "id": id,
            "collaborationId": self.id,
            "collaborationName": self.name,
            "collaborationDescription": "",
            "collaborationWorkspaceConfigs": {
                "accessMode": [{
                    "collaborationWorkspaceId": random::hex_secret::<16>()?,
                    "collaborationWorkspaceName": self.name,
                    "collaborationWorkspaceDescription": "",
                    "accessMode": "sendAndReceive",
                    "config": {},
                }],
            },
            "hostPortalId": self.host,
            "hostPortalUrl": "https://portal.example.org/portal",
            "guestPortalUrl": guest_url,
            "expiration": expiration,
            "invitationKey": random::hex_secret::<32>()?,
        });
        let request = request.to_string();
        self.tx.execute(
            "INSERT INTO invitations
                 (id, collaboration_id, guest_portal_id, guest_portal_url, status, request, expiration, created, modified)
             VALUES (?1, ?2, 'unknown', ?3, 'host_created', ?4, ?5, ?6, ?7)",
            params![id, self.id, guest_url, request, expiration, created, created.min(self.now)],
        )?;
        Ok(())
    }
}
