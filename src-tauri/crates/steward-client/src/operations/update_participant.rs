//! Specification 6: the contact of a participant.

use serde::Deserialize;

use crate::area::{Area, Patience};
use crate::decode::is_success;
use crate::error::ClientError;
use crate::wire::{text, yes_or_no};

/// The new contact of a participant. All three are sent always: the specification does not say whether a
/// missing one is kept.
#[derive(Debug)]
pub struct UpdateParticipant {
    /// Identifier of our portal.
    pub portal_id: String,
    /// The collaboration.
    pub collaboration_id: String,
    /// Identifier of the participating portal.
    pub participant_id: String,
    /// First name.
    pub contact_firstname: String,
    /// Last name.
    pub contact_lastname: String,
    /// E-mail address.
    pub contact_email_address: String,
}

/// Whose contact was changed.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "UpdateWire")]
pub struct UpdateReply {
    /// The collaboration.
    pub collaboration_id: String,
    /// The participating portal.
    pub portal_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UpdateWire {
    #[serde(default, deserialize_with = "text")]
    status: String,
    #[serde(default, deserialize_with = "yes_or_no")]
    success: Option<bool>,
    #[serde(default, deserialize_with = "text")]
    collaboration_id: String,
    #[serde(default, deserialize_with = "text")]
    portal_id: String,
}

impl TryFrom<UpdateWire> for UpdateReply {
    type Error = &'static str;

    /// An answer that neither says success nor names whom it changed says nothing about the update.
    fn try_from(wire: UpdateWire) -> Result<Self, Self::Error> {
        let UpdateWire { status, success, collaboration_id, portal_id } = wire;
        if success == Some(true) || is_success(&status) || !collaboration_id.is_empty() {
            return Ok(Self { collaboration_id, portal_id });
        }
        Err("neither a success nor a collaboration")
    }
}

impl UpdateParticipant {
    /// Sends it.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn send(&self, portal: &Area) -> Result<UpdateReply, ClientError> {
        let path = [
            "sharing",
            "rest",
            "portals",
            &self.portal_id,
            "collaborations",
            &self.collaboration_id,
            "participants",
            &self.participant_id,
            "updateInfo",
        ];
        let form = [
            ("contactFirstname", self.contact_firstname.as_str()),
            ("contactLastname", &self.contact_lastname),
            ("contactEmailAddress", &self.contact_email_address),
        ];
        portal.post(&path, &form, Patience::Minute, "the result of an update").await
    }
}
