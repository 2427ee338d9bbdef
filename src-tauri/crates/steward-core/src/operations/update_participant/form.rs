//! Form of the operation, and its report.

use serde::{Deserialize, Serialize};
use steward_client::operations::update_participant::UpdateParticipant;
use steward_redact::masks::hides_a_contact;

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

/// Participant whose contact was updated, as returned by the portal.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateReport {
    /// Identifier of the collaboration.
    pub collaboration_id: String,
    /// Identifier of the participating portal.
    pub portal_id: String,
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
