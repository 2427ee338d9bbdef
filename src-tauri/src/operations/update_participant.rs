//! 6 The contact of a collaboration participant.

use serde::{Deserialize, Serialize};
use steward_client::operations::update_participant::UpdateParticipant;
use steward_journal::Outcome;
use tauri::State;

use super::{Area, Harm, Key, Operation, Patience};
use crate::host::Host;
use crate::problem::{Fault, Problem};
use crate::runs::RunId;
use crate::sites::SiteId;
use crate::task::{Answer, History, Task};
use crate::views::ended::Ended;

/// Its descriptor.
pub const OPERATION: Operation = Operation {
    key: Key::UpdateParticipant,
    area: Area::Portal,
    harm: Harm::Changes,
    patience: Patience::Minute,
};

/// What the person fills in.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateParticipantForm {
    /// The collaboration.
    pub collaboration_id: String,
    /// The participating portal.
    pub participant_id: String,
    /// First name of the contact person.
    pub contact_firstname: String,
    /// Last name of the contact person.
    pub contact_lastname: String,
    /// E-mail address of the contact person.
    pub contact_email_address: String,
}

/// Whose contact was changed, by the portal's word.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateReport {
    /// The collaboration.
    pub collaboration_id: String,
    /// The participating portal.
    pub portal_id: String,
}

/// Changes the contact of a participant.
#[tauri::command]
#[specta::specta]
pub async fn update_participant(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    form: UpdateParticipantForm,
) -> Result<Ended<UpdateReport>, Problem> {
    perform(&host, &site, run, form).await
}

/// The operation itself.
pub async fn perform(
    host: &Host,
    site: &SiteId,
    run: RunId,
    form: UpdateParticipantForm,
) -> Result<Ended<UpdateReport>, Problem> {
    form.check()?;
    let parameters = vec![
        ("collaborationId", form.collaboration_id.clone()),
        ("participantId", form.participant_id.clone()),
        ("contactFirstname", form.contact_firstname.clone()),
        ("contactLastname", form.contact_lastname.clone()),
        ("contactEmailAddress", form.contact_email_address.clone()),
    ];
    let task = Task::begin(host, &OPERATION, site, run, History::Record(parameters)).await?;
    let request = UpdateParticipant {
        portal_id: task.known.portal_id.clone(),
        collaboration_id: form.collaboration_id,
        participant_id: form.participant_id,
        contact_firstname: form.contact_firstname.trim().to_owned(),
        contact_lastname: form.contact_lastname.trim().to_owned(),
        contact_email_address: form.contact_email_address.trim().to_owned(),
    };
    let reply = match task.answer(request.send(&task.area)).await? {
        Answer::Came(reply) => reply,
        Answer::Lost(end) => return Ok(end),
    };
    let report = UpdateReport { collaboration_id: reply.collaboration_id, portal_id: reply.portal_id };
    task.heard(&report);
    task.conclude(Outcome::Succeeded, request.contact_email_address.clone(), None).await;
    Ok(task.done(report))
}

impl UpdateParticipantForm {
    fn check(&self) -> Result<(), Problem> {
        for (field, text) in [
            ("collaborationId", &self.collaboration_id),
            ("participantId", &self.participant_id),
            ("contactFirstname", &self.contact_firstname),
            ("contactLastname", &self.contact_lastname),
            ("contactEmailAddress", &self.contact_email_address),
        ] {
            if text.trim().is_empty() {
                return Err(Problem::form(field, Fault::Required));
            }
        }
        let address = self.contact_email_address.trim();
        let plausible = address.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty() && host.contains('.') && !host.starts_with('.') && !host.ends_with('.')
        });
        if !plausible || address.contains(char::is_whitespace) {
            return Err(Problem::form("contactEmailAddress", Fault::NotAnEmail));
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
        for address in ["ana", "ana@", "@example.net", "ana@example", "ana b@example.net", "a@example.net."] {
            let fault = Problem::form("contactEmailAddress", Fault::NotAnEmail);
            assert_eq!(with_address(address), Err(fault), "{address}");
        }
        assert_eq!(with_address(" ana@example.net "), Ok(()));
    }
}
