//! Collaborations, their participants and invitations.

use crate::wire::Refusal;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::Value;

pub(crate) struct Collaboration {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) host_portal_id: String,
    pub(crate) owner: String,
    pub(crate) created: i64,
    pub(crate) modified: i64,
}

pub(crate) struct Participant {
    pub(crate) collaboration_id: String,
    pub(crate) portal_id: String,
    pub(crate) url: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) role: String,
    pub(crate) status: String,
    pub(crate) contact: Contact,
    pub(crate) portal_version: String,
    pub(crate) last_config_sync: i64,
    pub(crate) created: i64,
    pub(crate) modified: i64,
}

/// Whom to call at a participant.
pub(crate) struct Contact {
    pub(crate) first_name: String,
    pub(crate) last_name: String,
    pub(crate) email: String,
}

pub(crate) struct Invitation {
    pub(crate) id: String,
    pub(crate) collaboration_id: String,
    pub(crate) guest_portal_id: String,
    pub(crate) guest_portal_url: String,
    pub(crate) status: String,
    pub(crate) request: Value,
    pub(crate) expiration: i64,
    pub(crate) created: i64,
    pub(crate) modified: i64,
}

/// The status of an invitation that waits for its guest.
pub(crate) const GENERATED: &str = "host_created";

impl Invitation {
    /// The name that the invitation travels under. Only what a file name may safely hold is kept of the guest's
    /// host.
    pub(crate) fn file_name(&self) -> String {
        let host = url::Url::parse(&self.guest_portal_url)
            .ok()
            .and_then(|url| url.host_str().map(str::to_owned))
            .unwrap_or_default();
        let plain: String =
            host.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-')).collect();
        format!("collaboration-{}.invite", if plain.is_empty() { "guest" } else { &plain })
    }

    /// The content of the invitation file.
    pub(crate) fn file_text(&self) -> String {
        serde_json::json!({ "invitationRequest": self.request }).to_string()
    }
}

const COLLABORATION: &str = "id, name, description, host_portal_id, owner, created, modified";
const PARTICIPANT: &str = "collaboration_id, portal_id, url, name, description, role, status, \
    contact_first_name, contact_last_name, contact_email, portal_version, last_config_sync, created, modified";
const INVITATION: &str = "id, collaboration_id, guest_portal_id, guest_portal_url, status, request, expiration, \
    created, modified";

pub(crate) fn all(portal: &Connection) -> Result<Vec<Collaboration>, Refusal> {
    let mut list = portal
        .prepare_cached(&format!("SELECT {COLLABORATION} FROM collaborations ORDER BY created DESC, id"))?;
    let all = list.query_map([], collaboration)?.collect::<rusqlite::Result<_>>()?;
    Ok(all)
}

pub(crate) fn find(portal: &Connection, id: &str) -> Result<Collaboration, Refusal> {
    let mut find =
        portal.prepare_cached(&format!("SELECT {COLLABORATION} FROM collaborations WHERE id = ?1"))?;
    find.query_row([id], collaboration)
        .optional()?
        .ok_or_else(|| Refusal::not_found(format!("The collaboration {id}")))
}

/// The collaboration, when this portal is its host: the specification gives updateInfo and refresh to the host's
/// administrator only.
pub(crate) fn find_hosted(portal: &Connection, id: &str) -> Result<Collaboration, Refusal> {
    let found = find(portal, id)?;
    if found.host_portal_id == super::people::portal(portal)?.uuid {
        Ok(found)
    } else {
        Err(Refusal::not_allowed("an administrator of the collaboration's host, and this portal is a guest"))
    }
}

pub(crate) fn participants(portal: &Connection, collaboration: &str) -> Result<Vec<Participant>, Refusal> {
    let mut list = portal.prepare_cached(&format!(
        "SELECT {PARTICIPANT} FROM participants WHERE collaboration_id = ?1 ORDER BY role DESC, name"
    ))?;
    let all = list.query_map([collaboration], participant)?.collect::<rusqlite::Result<_>>()?;
    Ok(all)
}

pub(crate) fn find_participant(
    portal: &Connection,
    collaboration: &str,
    portal_id: &str,
) -> Result<Participant, Refusal> {
    let mut find = portal.prepare_cached(&format!(
        "SELECT {PARTICIPANT} FROM participants WHERE collaboration_id = ?1 AND portal_id = ?2"
    ))?;
    find.query_row([collaboration, portal_id], participant)
        .optional()?
        .ok_or_else(|| Refusal::not_found(format!("The participant {portal_id}")))
}

pub(crate) fn set_contact(
    tx: &Transaction,
    collaboration: &str,
    portal_id: &str,
    contact: &Contact,
    now: i64,
) -> Result<(), Refusal> {
    tx.execute(
        "UPDATE participants
         SET contact_first_name = ?3, contact_last_name = ?4, contact_email = ?5, modified = ?6
         WHERE collaboration_id = ?1 AND portal_id = ?2",
        params![collaboration, portal_id, contact.first_name, contact.last_name, contact.email, now],
    )?;
    Ok(())
}

pub(crate) fn invitations(portal: &Connection, collaboration: &str) -> Result<Vec<Invitation>, Refusal> {
    let mut list = portal.prepare_cached(&format!(
        "SELECT {INVITATION} FROM invitations WHERE collaboration_id = ?1 ORDER BY created DESC, id"
    ))?;
    let all = list.query_map([collaboration], invitation)?.collect::<rusqlite::Result<_>>()?;
    Ok(all)
}

pub(crate) fn find_invitation(
    portal: &Connection,
    collaboration: &str,
    id: &str,
) -> Result<Invitation, Refusal> {
    let mut find = portal.prepare_cached(&format!(
        "SELECT {INVITATION} FROM invitations WHERE collaboration_id = ?1 AND id = ?2"
    ))?;
    find.query_row([collaboration, id], invitation)
        .optional()?
        .ok_or_else(|| Refusal::not_found(format!("The invitation {id}")))
}

/// The host takes an invitation back.
pub(crate) fn invalidate(tx: &Transaction, invitation: &Invitation, now: i64) -> Result<(), Refusal> {
    tx.execute(
        "UPDATE invitations SET status = 'invalidated', modified = ?2 WHERE id = ?1",
        params![invitation.id, now],
    )?;
    Ok(())
}

pub(crate) fn set_expiration(tx: &Transaction, invitation: &Invitation) -> Result<(), Refusal> {
    tx.execute(
        "UPDATE invitations SET expiration = ?2, request = ?3, modified = ?4 WHERE id = ?1",
        params![invitation.id, invitation.expiration, invitation.request.to_string(), invitation.modified],
    )?;
    Ok(())
}

fn collaboration(row: &Row) -> rusqlite::Result<Collaboration> {
    Ok(Collaboration {
        id: row.get(0)?,
        name: row.get(1)?,
        description: row.get(2)?,
        host_portal_id: row.get(3)?,
        owner: row.get(4)?,
        created: row.get(5)?,
        modified: row.get(6)?,
    })
}

fn participant(row: &Row) -> rusqlite::Result<Participant> {
    Ok(Participant {
        collaboration_id: row.get(0)?,
        portal_id: row.get(1)?,
        url: row.get(2)?,
        name: row.get(3)?,
        description: row.get(4)?,
        role: row.get(5)?,
        status: row.get(6)?,
        contact: Contact { first_name: row.get(7)?, last_name: row.get(8)?, email: row.get(9)? },
        portal_version: row.get(10)?,
        last_config_sync: row.get(11)?,
        created: row.get(12)?,
        modified: row.get(13)?,
    })
}

fn invitation(row: &Row) -> rusqlite::Result<Invitation> {
    Ok(Invitation {
        id: row.get(0)?,
        collaboration_id: row.get(1)?,
        guest_portal_id: row.get(2)?,
        guest_portal_url: row.get(3)?,
        status: row.get(4)?,
        request: super::json_column(row, 5)?,
        expiration: row.get(6)?,
        created: row.get(7)?,
        modified: row.get(8)?,
    })
}
