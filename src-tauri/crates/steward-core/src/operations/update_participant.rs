//! Operation 6: participant contact update.
//!
//! [`perform`] updates one participant, and [`perform_several`] the rows of a contacts file.

pub mod contacts_file;
mod form;
mod outcome;
mod summary;

pub use form::{ShownContact, UpdateParticipantForm, UpdateReport};

use futures_util::FutureExt;
use steward_client::ClientError;
use steward_client::listing::{self, Participant};
use steward_client::operations::update_participant::{UpdateParticipant, UpdateReply};
use steward_journal::{Facts, Outcome};

use crate::access::listed::ListedParticipant;
use crate::batch::result::BatchResult;
use crate::batch::{self, BatchItem};
use crate::execution::{Execution, Intended, Response};
use crate::history::note::Note;
use crate::history::parameters::{
    COLLABORATION, COLLABORATION_NAME, PARTICIPANT, PARTICIPANT_NAME, PREVIOUS_CONTACT, contact,
};
use crate::model::ids::{SiteId, Target};
use crate::model::operation::{Operation, OperationKey};
use crate::model::problem::{PreconditionFailure, Problem};
use crate::model::run_result::RunResult;
use crate::operations::descriptor::Descriptor;
use crate::operations::update_participant::contacts_file::{ContactsBatch, ContactsBatches};
use crate::operations::update_participant::outcome::Compared;
use crate::runs::NewRun;
use crate::site_context::{Refusal, SiteContext};

/// Operation of this module.
pub const OPERATION: Operation = Operation::of(OperationKey::UpdateParticipant);

/// Descriptor of the operation.
pub(super) const DESCRIPTOR: Descriptor<Vec<UpdateParticipantForm>> = Descriptor {
    requests: |forms, _, known| forms.iter().map(|form| form.update(known).request()).collect(),
    subject: &[COLLABORATION, PARTICIPANT],
    summary: summary::summary,
    check_outcome: |request, _, portal, facts| outcome::check_outcome(request, portal, facts).boxed(),
};

/// Updates the contact of a participant, and reads it again, because a portal can confirm an update that it did not make.
///
/// # Errors
/// - [`Problem::Form`] if a field is empty or a mask, or the email address is invalid.
/// - [`Problem::PreconditionFailed`] if another user changed the contact since it was listed. Nothing was sent.
/// - Those of [`Execution::admit`], [`Execution::connect`] and [`Execution::change`].
pub async fn perform(
    context: &SiteContext,
    site: &SiteId,
    run: impl Into<NewRun>,
    form: UpdateParticipantForm,
) -> Result<RunResult<UpdateReport>, Problem> {
    form.check()?;
    let change = Change::of(context, site, form);
    let (site, run) = Execution::admit(context, &OPERATION, &Target::portal(site.clone()), run)?;
    let mut execution =
        match Execution::connect(context, &OPERATION, site, run, Some(change.intended())).await? {
            Response::Received(execution) => execution,
            Response::Missing(end) => return Ok(end),
        };
    match change.send(&mut execution).await? {
        Response::Received(report) => Ok(execution.done(report)),
        Response::Missing(end) => Ok(end),
    }
}

/// Updates the contacts of several participants, one request each, and keeps the results for the window.
///
/// # Errors
/// - [`Problem::Form`] if the list or a field is empty, a field is a mask, or an email address is invalid.
/// - [`Problem::Unexpected`] if the list contains a participant twice.
/// - Those of [`batch::send`].
pub async fn perform_several(
    context: &SiteContext,
    batches: &ContactsBatches,
    site: &SiteId,
    run: impl Into<NewRun>,
    forms: Vec<UpdateParticipantForm>,
) -> Result<RunResult<BatchResult<UpdateReport>>, Problem> {
    for form in &forms {
        form.check()?;
    }
    batch::check_no_duplicates(&forms, |form| (&form.collaboration_id, &form.participant_id))?;
    let changes = forms.iter().map(|form| Change::of(context, site, form.clone())).collect();
    let portal = Target::portal(site.clone());
    let saved = context.access.sites.at(&portal)?;
    let begun_as = context.access.turn(&saved);
    let ended = batch::send(context, &portal, run, changes).await?;
    // The results belong to the session that sent the changes.
    let is_still_there = context.access.check_still_signed_in(&saved, begun_as).is_ok();
    if let RunResult::Done { at, report, .. } = &ended
        && is_still_there
    {
        batches.keep(site, ContactsBatch { at: *at, forms, report: report.clone() });
    }
    Ok(ended)
}

/// A change, and what the window showed before.
struct Change<'a> {
    context: &'a SiteContext,
    form: UpdateParticipantForm,
    /// `None` if the participant was not listed.
    listed: Option<ListedParticipant>,
}

impl<'a> Change<'a> {
    fn of(context: &'a SiteContext, site: &SiteId, form: UpdateParticipantForm) -> Self {
        let listed = &context.access.listed_participants;
        let listed = listed.get(site, &form.collaboration_id, &form.participant_id);
        Self { context, form, listed }
    }

    /// Reads the participant; `None` if the portal does not list it.
    async fn participant(&self, execution: &Execution<'_>) -> Result<Option<Participant>, ClientError> {
        let (collaboration, participant) = (&self.form.collaboration_id, &self.form.participant_id);
        listing::participant(&execution.endpoint, &execution.known.portal_id, collaboration, participant)
            .await
    }

    /// Returns what the portal shows after it confirmed an update. Stop ends only this reading.
    async fn shown(&self, execution: &Execution<'_>, sent: &UpdateParticipant) -> ShownContact {
        let Some(Ok(Some(now))) = execution.run.unless_stopped(self.participant(execution)).await else {
            return ShownContact::NotRead;
        };
        // The portal confirmed the update: a contact equal to the sent one is the result, even if the contact was the same
        // before.
        match Compared::of(&now, contact_of(sent), [""; 3]) {
            Compared { as_sent: true, .. } => ShownContact::AsSent,
            Compared { is_other: true, .. } => ShownContact::Other {
                firstname: now.contact_firstname,
                lastname: now.contact_lastname,
                email: now.contact_email_address,
            },
            _ => ShownContact::NotRead,
        }
    }

    /// Returns whether the portal shows the contact that was sent, and not the one of before: it can make an update and then
    /// return an error of its own.
    async fn was_made(&self, execution: &Execution<'_>, sent: &UpdateParticipant) -> bool {
        let Some(Ok(Some(now))) = execution.run.unless_stopped(self.participant(execution)).await else {
            return false;
        };
        let before = self.listed.as_ref().map(|listed| listed.contact.each_ref().map(String::as_str));
        let compared = Compared::of(&now, contact_of(sent), before.unwrap_or_default());
        compared.as_sent && !compared.is_as_before
    }

    /// Checks that the participant still has the contact that the window showed: an update replaces all three values,
    /// also those that another user changed meanwhile. Does not compare a participant that was not listed, or is not
    /// listed any more.
    async fn must_be_as_listed(&self, execution: &Execution<'_>) -> Result<(), Refusal> {
        let Some(listed) = &self.listed else { return Ok(()) };
        let portal = &execution.endpoint;
        let now = match execution.run.unless_stopped(self.participant(execution)).await {
            None => return Err(Refusal::Stopped),
            Some(Err(error)) => {
                let problem = self.context.access.problem_at(portal, &execution.site, &error).await;
                return Err(Refusal::Because(problem.without_effect()));
            }
            Some(Ok(now)) => now,
        };
        let now = now.map(|one| [one.contact_firstname, one.contact_lastname, one.contact_email_address]);
        match now.filter(|now| *now != listed.contact) {
            None => Ok(()),
            Some([firstname, lastname, email_address]) => {
                let contact = contact(&firstname, &lastname, &email_address);
                let why = PreconditionFailure::ContactChanged { contact };
                Err(Refusal::Because(Problem::precondition_failed(why)))
            }
        }
    }
}

impl BatchItem for Change<'_> {
    type Report = UpdateReport;
    const OPERATION: &'static Operation = &OPERATION;

    fn intended(&self) -> Intended {
        let form = self.form.clone();
        let mut parameters = vec![
            (COLLABORATION, form.collaboration_id.clone()),
            (PARTICIPANT, form.participant_id.clone()),
            ("contactFirstname", form.contact_firstname.clone()),
            ("contactLastname", form.contact_lastname.clone()),
            ("contactEmailAddress", form.contact_email_address.clone()),
        ];
        if let Some(listed) = self.listed.clone() {
            parameters.push((PARTICIPANT_NAME, listed.name));
            parameters.push((COLLABORATION_NAME, listed.collaboration));
            parameters.extend(PREVIOUS_CONTACT.into_iter().zip(listed.contact));
        }
        Intended::with(&OPERATION, parameters, move |known| vec![form.update(known).request()])
    }

    async fn send(
        self,
        execution: &mut Execution<'_>,
    ) -> Result<Response<UpdateReport, UpdateReport>, Problem> {
        if let Err(refusal) = self.must_be_as_listed(execution).await {
            return execution.refused(refusal).await.map(Response::Missing);
        }
        let update = self.form.update(&execution.known);
        let sent = match execution.change(|permit| update.send(permit)).await {
            Err(problem) if is_own_error(&problem) && self.was_made(execution, &update).await => {
                Response::Missing(execution.lost(Some(problem)).await)
            }
            sent => sent?,
        };
        if !matches!(sent, Response::Missing(RunResult::NotSent { .. })) {
            // Without a response, the contact might have changed too.
            let listed = &self.context.access.listed_participants;
            listed.remove(&execution.site.id, &self.form.collaboration_id, &self.form.participant_id);
        }
        let UpdateReply { collaboration_id, portal_id, warnings } = match sent {
            Response::Received(reply) => reply,
            Response::Missing(end) => return Ok(Response::Missing(end)),
        };
        let note =
            warnings.iter().cloned().fold(Note::names(update.contact_email_address.clone()), Note::and);
        let outcome = if warnings.is_empty() { Outcome::Succeeded } else { Outcome::Warnings };
        // Before the portal is read again: the program might be killed meanwhile.
        execution.conclude(outcome, note.clone(), None).await;
        let shown = self.shown(execution, &update).await;
        let report = UpdateReport { collaboration_id, portal_id, shown, warnings };
        if let Some(remark) = report.remark() {
            let is_contradicted = matches!(report.shown, ShownContact::Other { .. });
            execution.set_facts(Facts { is_contradicted, ..Facts::default() });
            execution.conclude(report.outcome(), note.and(remark), None).await;
        }
        Ok(Response::Received(report))
    }

    fn outcome(report: &UpdateReport) -> Outcome {
        report.outcome()
    }
}

/// Returns the three values of an update.
fn contact_of(update: &UpdateParticipant) -> [&str; 3] {
    [&update.contact_firstname, &update.contact_lastname, &update.contact_email_address]
}

/// Returns whether a portal returned an error of its own, at any step of the update.
const fn is_own_error(problem: &Problem) -> bool {
    matches!(problem, Problem::Rejected { code: None | Some(500..600), .. })
}
