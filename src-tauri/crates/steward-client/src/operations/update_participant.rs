//! Specification 6: the contact of a participant.

use serde::Deserialize;

use crate::area::{Area, Patience};
use crate::error::ClientError;
use crate::wire::text;

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
#[serde(rename_all = "camelCase")]
pub struct UpdateReply {
    /// The collaboration.
    #[serde(default, deserialize_with = "text")]
    pub collaboration_id: String,
    /// The participating portal.
    #[serde(default, deserialize_with = "text")]
    pub portal_id: String,
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
