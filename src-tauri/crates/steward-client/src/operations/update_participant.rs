//! Update of the contact person of a participant (specification, operation 6).
//!
//! [`UpdateParticipant::send`] sends all three fields and succeeds only if the portal confirms the update.

use serde::{Deserialize, Deserializer};

use super::{Capability, Impact, NeedsAdminUrl, OperationDescriptor, Since};
use crate::beside::Beside;
use crate::deployment_type::DeploymentType;
use crate::error::ClientError;
use crate::permit::Permit;
use crate::request::{Request, ResponseTimeout};
use crate::status_words::{is_plain_success, is_success};
use crate::version::Version;
use crate::wire::{Success, raw, text};

/// Facts of the operation in the specification.
pub(super) const DESCRIPTOR: OperationDescriptor = OperationDescriptor {
    since: Since::Portal(Version::new(10, 5)),
    impact: Impact::Changes,
    deployment_types: &[DeploymentType::Enterprise, DeploymentType::Kubernetes, DeploymentType::Online],
    needs_admin_url: NeedsAdminUrl::Never,
    capability: Capability::AdministratorOfHost,
    privileges: &["portal:admin:manageCollaborations"],
    parameters: &[],
};

const EXPECTED: &str = "the result of an update";

/// Parameters of a contact update. All three contact fields are always sent: the specification does not define whether
/// a missing field keeps its value.
#[derive(Debug)]
pub struct UpdateParticipant {
    /// ID of the portal that receives the request.
    pub portal_id: String,
    /// ID of the collaboration.
    pub collaboration_id: String,
    /// ID of the participating portal.
    pub participant_id: String,
    /// New first name of the contact person.
    pub contact_firstname: String,
    /// New last name of the contact person.
    pub contact_lastname: String,
    /// New email address of the contact person.
    pub contact_email_address: String,
}

/// Result of a contact update. A text is empty if the portal did not return it.
#[derive(Debug, Clone)]
pub struct UpdateReply {
    /// ID of the collaboration.
    pub collaboration_id: String,
    /// ID of the participating portal.
    pub portal_id: String,
    /// Warnings of the portal, for example fields that it skipped.
    pub warnings: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UpdateWire {
    #[serde(default, deserialize_with = "text")]
    status: String,
    #[serde(default)]
    success: Success,
    #[serde(default, deserialize_with = "text")]
    collaboration_id: String,
    #[serde(default, deserialize_with = "text")]
    portal_id: String,
}

impl<'de> Deserialize<'de> for UpdateReply {
    /// Fails for a response that does not confirm the update. A collaboration ID confirms it only if the response has
    /// neither a status nor `success`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let response = raw(deserializer)?;
        let is_confirmed = |wire: &UpdateWire| {
            let UpdateWire { status, success, collaboration_id, .. } = wire;
            let is_named = status.is_empty() && *success == Success::Missing && !collaboration_id.is_empty();
            *success == Success::Yes || is_success(status) || is_named
        };
        let read = response.read_object().filter(is_confirmed);
        let UpdateWire { status, collaboration_id, portal_id, .. } =
            read.ok_or_else(|| serde::de::Error::custom("neither a success nor a collaboration"))?;
        let Beside { mut warnings, .. } =
            Beside::of(response, &["status", "success", "collaborationId", "portalId"]);
        warnings.extend(Some(status).filter(|status| !status.is_empty() && !is_plain_success(status)));
        Ok(Self { collaboration_id, portal_id, warnings })
    }
}

impl UpdateParticipant {
    /// Returns the request.
    #[must_use]
    pub fn request(&self) -> Request {
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
        Request::once(path, ResponseTimeout::Minute)
            .field("contactFirstname", &self.contact_firstname)
            .field("contactLastname", &self.contact_lastname)
            .field("contactEmailAddress", &self.contact_email_address)
    }

    /// Sends the request.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] with the code and the message of the portal.
    /// - [`ClientError::Unreadable`] if the response is not a confirmation, or if it names another participant.
    /// - [`ClientError::TokenEnded`] if the token expired during the request.
    /// - A connection or session error of [`ClientError`].
    pub async fn send(&self, permit: Permit<'_>) -> Result<UpdateReply, ClientError> {
        let reply: UpdateReply = permit.send(&self.request(), EXPECTED).await?;
        match self.is_meant_by(&reply) {
            true => Ok(reply),
            false => Err(ClientError::unreadable(EXPECTED, "it names another participant")),
        }
    }

    /// Returns whether a response is about this participant, as far as it names one. Of the portals, it can name the
    /// one that participates, or the one that received the request.
    fn is_meant_by(&self, UpdateReply { collaboration_id, portal_id, .. }: &UpdateReply) -> bool {
        let is_one_of = |named: &str, ids: &[&str]| named.is_empty() || ids.contains(&named);
        is_one_of(collaboration_id, &[&self.collaboration_id])
            && is_one_of(portal_id, &[&self.participant_id, &self.portal_id])
    }
}
