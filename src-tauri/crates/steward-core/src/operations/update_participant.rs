//! 6 The contact of a collaboration participant.

pub mod contacts_file;

use serde::{Deserialize, Serialize};
use steward_client::operations::update_participant::UpdateParticipant;
use steward_journal::Outcome;

use crate::batch::result::Several;
use crate::batch::{self, Change};
use crate::execution::{Answer, History, Task};
use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::operation::Operation;
use crate::model::problem::{Fault, Problem};
use crate::model::run_result::Ended;
use crate::operations::update_participant::contacts_file::ContactRun;
use crate::runs::RunId;

/// Its descriptor.
pub const OPERATION: Operation = Operation::UPDATE_PARTICIPANT;

/// What the person fills in.
#[derive(Debug, Clone, Serialize, Deserialize, specta::Type)]
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

/// The operation itself.
pub async fn perform(
    host: &Host,
    site: &SiteId,
    run: RunId,
    form: UpdateParticipantForm,
) -> Result<Ended<UpdateReport>, Problem> {
    form.check()?;
    let task = match Task::begin(host, &OPERATION, site, run, History::Record(form.parameters())).await? {
        Answer::Came(task) => task,
        Answer::Lost(end) => return Ok(end),
    };
    match form.send(&task).await? {
        Answer::Came(report) => Ok(task.done(report)),
        Answer::Lost(end) => Ok(end),
    }
}

/// The body of [`update_participants`].
pub async fn perform_several(
    host: &Host,
    site: &SiteId,
    run: RunId,
    forms: Vec<UpdateParticipantForm>,
) -> Result<Ended<Several<UpdateReport>>, Problem> {
    for form in &forms {
        form.check()?;
    }
    batch::no_two_alike(&forms, |form| (&form.collaboration_id, &form.participant_id))?;
    let ended = batch::send(host, site, run, forms.clone()).await?;
    if let Ended::Done { at, report, .. } = &ended {
        host.contact_runs.keep(site, ContactRun { at: *at, forms, report: report.clone() });
    }
    Ok(ended)
}

impl Change for UpdateParticipantForm {
    type Report = UpdateReport;
    const OPERATION: &'static Operation = &OPERATION;

    fn parameters(&self) -> Vec<(&'static str, String)> {
        vec![
            ("collaborationId", self.collaboration_id.clone()),
            ("participantId", self.participant_id.clone()),
            ("contactFirstname", self.contact_firstname.clone()),
            ("contactLastname", self.contact_lastname.clone()),
            ("contactEmailAddress", self.contact_email_address.clone()),
        ]
    }

    async fn send(self, task: &Task<'_>) -> Result<Answer<UpdateReport, UpdateReport>, Problem> {
        let request = UpdateParticipant {
            portal_id: task.known.portal_id.clone(),
            collaboration_id: self.collaboration_id,
            participant_id: self.participant_id,
            contact_firstname: self.contact_firstname.trim().to_owned(),
            contact_lastname: self.contact_lastname.trim().to_owned(),
            contact_email_address: self.contact_email_address.trim().to_owned(),
        };
        let reply = match task.answer(request.send(&task.area)).await? {
            Answer::Came(reply) => reply,
            Answer::Lost(end) => return Ok(Answer::Lost(end)),
        };
        let report = UpdateReport { collaboration_id: reply.collaboration_id, portal_id: reply.portal_id };
        task.conclude(Outcome::Succeeded, request.contact_email_address, None).await;
        Ok(Answer::Came(report))
    }
}

impl UpdateParticipantForm {
    /// Finds what must not be sent.
    pub(crate) fn check(&self) -> Result<(), Problem> {
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
