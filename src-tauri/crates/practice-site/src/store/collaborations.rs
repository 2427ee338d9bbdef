//! Collaborations, participants and invitations.

use crate::wire::ApiError;
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

/// Contact person of a participant.
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

/// Status of an invitation that the guest has not accepted yet.
pub(crate) const GENERATED: &str = "host_created";

impl Invitation {
    /// Returns the file name of the invitation. Contains the guest's host, reduced to characters that are safe in file
    /// names.
    pub(crate) fn file_name(&self) -> String {
        let host = url::Url::parse(&self.guest_portal_url)
            .ok()
            .and_then(|url| url.host_str().map(str::to_owned))
            .unwrap_or_default();
        let plain: String =
            host.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-')).collect();
        format!("collaboration-{}.invite", if plain.is_empty() { "guest" } else { &plain })
    }

    /// Returns the content of the invitation file.
    pub(crate) fn file_text(&self) -> String {
        serde_json::json!({ "invitationRequest": self.request }).to_string()
    }
}

const COLLABORATION: &str = "id, name, description, host_portal_id, owner, created, modified";
const PARTICIPANT: &str = "collaboration_id, portal_id, url, name, description, role, status, \
    contact_first_name, contact_last_name, contact_email, portal_version, last_config_sync, created, modified";
const INVITATION: &str = "id, collaboration_id, guest_portal_id, guest_portal_url, status, request, expiration, \
    created, modified";

/// Returns all collaborations, newest first.
pub(crate) fn all(portal: &Connection) -> Result<Vec<Collaboration>, ApiError> {
    let mut list = portal
        .prepare_cached(&format!("SELECT {COLLABORATION} FROM collaborations ORDER BY created DESC, id"))?;
    let all = list.query_map([], collaboration)?.collect::<rusqlite::Result<_>>()?;
    Ok(all)
}

/// Returns a collaboration.
pub(crate) fn find(portal: &Connection, id: &str) -> Result<Collaboration, ApiError> {
    let mut find =
        portal.prepare_cached(&format!("SELECT {COLLABORATION} FROM collaborations WHERE id = ?1"))?;
    find.query_row([id], collaboration)
        .optional()?
        .ok_or_else(|| ApiError::not_found(format!("The collaboration {id}")))
}

/// Returns a collaboration that this portal hosts: the specification allows updateInfo and refresh only for
/// administrators of the host.
pub(crate) fn find_hosted(portal: &Connection, id: &str) -> Result<Collaboration, ApiError> {
    let found = find(portal, id)?;
    if found.host_portal_id == super::users::portal(portal)?.uuid {
        Ok(found)
    } else {
        Err(ApiError::not_allowed("an administrator of the collaboration's host, and this portal is a guest"))
    }
}

/// Returns the participants of a collaboration, the host first.
pub(crate) fn participants(portal: &Connection, collaboration: &str) -> Result<Vec<Participant>, ApiError> {
    let mut list = portal.prepare_cached(&format!(
        "SELECT {PARTICIPANT} FROM participants WHERE collaboration_id = ?1 ORDER BY role DESC, name"
    ))?;
    let all = list.query_map([collaboration], participant)?.collect::<rusqlite::Result<_>>()?;
    Ok(all)
}

/// Returns a participant of a collaboration.
pub(crate) fn find_participant(
    portal: &Connection,
    collaboration: &str,
    portal_id: &str,
) -> Result<Participant, ApiError> {
    let mut find = portal.prepare_cached(&format!(
        "SELECT {PARTICIPANT} FROM participants WHERE collaboration_id = ?1 AND portal_id = ?2"
    ))?;
    find.query_row([collaboration, portal_id], participant)
        .optional()?
        .ok_or_else(|| ApiError::not_found(format!("The participant {portal_id}")))
}

/// Updates the contact person of a participant.
pub(crate) fn set_contact(
    tx: &Transaction,
    collaboration: &str,
    portal_id: &str,
    contact: &Contact,
    now: i64,
) -> Result<(), ApiError> {
    tx.execute(
        "UPDATE participants
         SET contact_first_name = ?3, contact_last_name = ?4, contact_email = ?5, modified = ?6
         WHERE collaboration_id = ?1 AND portal_id = ?2",
        params![collaboration, portal_id, contact.first_name, contact.last_name, contact.email, now],
    )?;
    Ok(())
}

/// Returns the invitations to a collaboration, newest first.
pub(crate) fn invitations(portal: &Connection, collaboration: &str) -> Result<Vec<Invitation>, ApiError> {
    let mut list = portal.prepare_cached(&format!(
        "SELECT {INVITATION} FROM invitations WHERE collaboration_id = ?1 ORDER BY created DESC, id"
    ))?;
    let all = list.query_map([collaboration], invitation)?.collect::<rusqlite::Result<_>>()?;
    Ok(all)
}

/// Returns an invitation to a collaboration.
pub(crate) fn find_invitation(
    portal: &Connection,
    collaboration: &str,
    id: &str,
) -> Result<Invitation, ApiError> {
    let mut find = portal.prepare_cached(&format!(
        "SELECT {INVITATION} FROM invitations WHERE collaboration_id = ?1 AND id = ?2"
    ))?;
    find.query_row([collaboration, id], invitation)
        .optional()?
        .ok_or_else(|| ApiError::not_found(format!("The invitation {id}")))
}

/// Marks an invitation as invalidated by the host.
pub(crate) fn invalidate(tx: &Transaction, invitation: &Invitation, now: i64) -> Result<(), ApiError> {
    tx.execute(
        "UPDATE invitations SET status = 'invalidated', modified = ?2 WHERE id = ?1",
        params![invitation.id, now],
    )?;
    Ok(())
}

/// Updates the expiry of an invitation, together with the content of its file.
pub(crate) fn set_expiration(tx: &Transaction, invitation: &Invitation) -> Result<(), ApiError> {
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
