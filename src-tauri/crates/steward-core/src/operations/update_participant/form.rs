//! Form of the operation, and its report.

use serde::{Deserialize, Serialize};
use steward_client::operations::update_participant::UpdateParticipant;
use steward_journal::Outcome;
use steward_redact::masks::hides_a_contact;

use crate::history::parameters::contact;
use crate::model::problem::{FieldError, Problem};
use crate::model::typed::{self, trimmed};
use crate::sites::availability::SiteFacts;

/// Form of the operation.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateParticipantForm {
    /// Identifier of the collaboration.
    pub collaboration_id: String,
    /// Identifier of the participating portal.
    pub participant_id: String,
    /// First name of the contact person.
    pub contact_firstname: String,
    /// Last name of the contact person.
    pub contact_lastname: String,
    /// Email address of the contact person.
    pub contact_email_address: String,
}

/// Result of an update that the portal confirmed.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateReport {
    /// Identifier of the collaboration, as returned by the portal.
    pub collaboration_id: String,
    /// Identifier of the participating portal, as returned by the portal.
    pub portal_id: String,
    /// Contact that the portal shows after its response.
    pub shown: ShownContact,
    /// Warnings of the portal, for example fields that it skipped.
    pub warnings: Vec<String>,
}

/// Contact that a portal shows after it confirmed an update.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ShownContact {
    /// The contact that was sent.
    AsSent,
    /// Another contact: the portal did not do what it confirmed.
    Other {
        /// First name.
        firstname: String,
        /// Last name.
        lastname: String,
        /// Email address.
        email: String,
    },
    /// The contact could not be read again, or the portal hides it.
    NotRead,
}

impl UpdateReport {
    /// Returns the part of the note about the contact that the portal shows; `None` if it is the one that was sent.
    pub(super) fn remark(&self) -> Option<String> {
        match &self.shown {
            ShownContact::AsSent => None,
            ShownContact::Other { firstname, lastname, email } => {
                let shown = contact(firstname, lastname, email);
                Some(format!("the portal confirmed the update, but shows another contact: {shown}"))
            }
            ShownContact::NotRead => Some("what the portal shows after the update was not read".to_owned()),
        }
    }

    /// Returns the outcome of the update.
    pub(crate) const fn outcome(&self) -> Outcome {
        match self.shown {
            ShownContact::Other { .. } => Outcome::Warnings,
            ShownContact::AsSent | ShownContact::NotRead if self.warnings.is_empty() => Outcome::Succeeded,
            ShownContact::AsSent | ShownContact::NotRead => Outcome::Warnings,
        }
    }
}

impl UpdateParticipantForm {
    pub(crate) fn update(&self, known: &SiteFacts) -> UpdateParticipant {
        UpdateParticipant {
            portal_id: known.portal_id.clone(),
            collaboration_id: self.collaboration_id.clone(),
            participant_id: self.participant_id.clone(),
            contact_firstname: trimmed(&self.contact_firstname).to_owned(),
            contact_lastname: trimmed(&self.contact_lastname).to_owned(),
            contact_email_address: trimmed(&self.contact_email_address).to_owned(),
        }
    }

    /// Validates the fields.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        for (field, text) in [
            ("collaborationId", &self.collaboration_id),
            ("participantId", &self.participant_id),
            ("contactFirstname", &self.contact_firstname),
            ("contactLastname", &self.contact_lastname),
            ("contactEmailAddress", &self.contact_email_address),
        ] {
            if trimmed(text).is_empty() {
                return Err(Problem::form(field, FieldError::Required));
            }
            typed::check([(field, text.as_str())])?;
        }
        // All three are sent, because the specification leaves open what becomes of a field that is left out. A mask that the
        // portal returned would become the contact.
        for (field, text) in [
            ("contactFirstname", &self.contact_firstname),
            ("contactLastname", &self.contact_lastname),
            ("contactEmailAddress", &self.contact_email_address),
        ] {
            if hides_a_contact(trimmed(text)) {
                return Err(Problem::form(field, FieldError::Masked));
            }
        }
        let address = trimmed(&self.contact_email_address);
        let plausible = address.split_once('@').is_some_and(|(name, host)| {
            // Within an organization, a domain can be a single label. The window shows a confirmation before it is
            // sent.
            !name.is_empty() && !host.is_empty() && !host.starts_with('.') && !host.ends_with('.')
        });
        if !plausible || address.contains(char::is_whitespace) {
            return Err(Problem::form("contactEmailAddress", FieldError::NotAnEmail));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_address(address: &str) -> Result<(), Problem> {
        let text = |text: &str| text.to_owned();
        UpdateParticipantForm {
            collaboration_id: text("c"),
            participant_id: text("p"),
            contact_firstname: text("Ana"),
            contact_lastname: text("Ito"),
            contact_email_address: text(address),
        }
        .check()
    }

    #[test]
    fn what_is_no_address_is_found_before_it_is_sent() {
        for address in ["ana", "ana@", "@example.net", "ana b@example.net", "a@example.net."] {
            let fault = Problem::form("contactEmailAddress", FieldError::NotAnEmail);
            assert_eq!(with_address(address), Err(fault), "{address}");
        }
        assert_eq!(with_address(" ana@example.net "), Ok(()));
        assert_eq!(with_address("ana@intranet"), Ok(()));
    }
}
