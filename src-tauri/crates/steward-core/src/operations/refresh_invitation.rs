//! Operation 7: invitation refresh, which extends an invitation for 72 hours.
//!
//! [`perform`] refreshes one invitation, and [`into_folder`] several. A refreshed invitation is stored in
//! [`unsaved_invitations`] until its file is saved.

pub mod into_folder;
mod outcome;
mod summary;
pub mod unsaved_invitations;

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use steward_client::listing;
use steward_client::operations::refresh_invitation::RefreshInvitation;
use steward_journal::{Facts, Outcome};

use crate::access::listed::ListedInvitation;
use crate::execution::{Execution, Intended, Response};
use crate::files::dialogs::Title;
use crate::files::selected_paths::SelectedPaths;
use crate::files::{self, in_background};
use crate::history::guided_tour::{self, GuidedTour, GuidedTourStep};
use crate::history::invitations::VALID_FOR;
use crate::history::note::Note;
use crate::history::parameters::{COLLABORATION, COLLABORATION_NAME, GUEST_PORTAL, INVITATION};
use crate::model::ids::{SiteId, Target, UnsavedInvitationId};
use crate::model::numbers::Millis;
use crate::model::operation::{Operation, OperationKey};
use crate::model::problem::{FieldError, Problem};
use crate::model::run_result::RunResult;
use crate::model::saved_file::SaveResult;
use crate::model::typed;
use crate::operations::descriptor::Descriptor;
use crate::operations::refresh_invitation::unsaved_invitations::{
    UnsavedInvitation, UnsavedInvitations, keep,
};
use crate::runs::{NewRun, RunStep};
use crate::site_context::SiteContext;
use crate::sites::availability::SiteFacts;

/// Operation of this module.
pub const OPERATION: Operation = Operation::of(OperationKey::RefreshInvitation);

/// Descriptor of the operation.
pub(super) const DESCRIPTOR: Descriptor<Vec<RefreshInvitationForm>> = Descriptor {
    requests: |forms, _, known| forms.iter().map(|form| form.refresh(known).request()).collect(),
    subject: &[COLLABORATION, INVITATION],
    summary: summary::summary,
    check_outcome: |request, unsaved, portal, facts| {
        outcome::check_outcome(request, unsaved, portal, facts).boxed()
    },
};

/// Unsaved invitations, and the dialogs that save them.
#[derive(Clone)]
pub struct InvitationFiles {
    /// Refreshed invitations that are not saved yet.
    pub unsaved: Arc<UnsavedInvitations>,
    /// Dialogs that choose where to save them.
    pub dialogs: Arc<SelectedPaths>,
    /// The guided tour, in which saving one is a step.
    pub tour: Arc<GuidedTour>,
}

/// Form of the operation.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RefreshInvitationForm {
    /// Identifier of the collaboration.
    pub collaboration_id: String,
    /// Identifier of the invitation.
    pub invitation_id: String,
}

/// Result of a refresh.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RefreshReport {
    /// Suggested file name.
    pub file_name: String,
    /// Expiration of the invitation by the clock of this computer; `null` if the portal does not return it.
    pub expiration: Option<Millis>,
    /// Whether the invitation expires later than before, or the portal does not return its expiration. A portal might
    /// confirm a refresh that it did not make.
    pub is_extended: bool,
    /// Identifier of the invitation in memory, for saving its file again.
    pub kept: UnsavedInvitationId,
    /// Result of saving the file.
    pub saving: SaveResult,
}

/// Refreshes an invitation, and saves its file where the user chooses.
///
/// A file that is not saved is part of the report, and can be saved later.
///
/// # Errors
/// - [`Problem::Form`] if a field is empty.
/// - Those of [`Execution::admit`], [`Execution::connect`] and [`Execution::change`].
pub async fn perform(
    context: &SiteContext,
    files: &InvitationFiles,
    site: &SiteId,
    run: impl Into<NewRun>,
    form: RefreshInvitationForm,
) -> Result<RunResult<RefreshReport>, Problem> {
    form.check()?;
    let intended = form.intended(form.listed(context, site));
    let (site, run) = Execution::admit(context, &OPERATION, &Target::portal(site.clone()), run)?;
    let execution = match Execution::connect(context, &OPERATION, site, run, Some(intended)).await? {
        Response::Received(execution) => execution,
        Response::Missing(end) => return Ok(end),
    };
    let refreshed = match refresh(&files.unsaved, &execution, form).await? {
        Response::Received(refreshed) => refreshed,
        Response::Missing(end) => return Ok(end),
    };
    execution.run.step(RunStep::Asking);
    let saving =
        save_kept(files, &refreshed.kept).await.unwrap_or_else(|problem| SaveResult::Failed { problem });
    let report = refreshed.saved(&execution, saving).await;
    Ok(execution.done(report))
}

/// A refreshed invitation that is not saved yet.
struct Refreshed {
    file_name: String,
    expiration: Option<Millis>,
    is_extended: bool,
    kept: UnsavedInvitationId,
}

impl Refreshed {
    /// Returns the report, after a file that could not be written is recorded as a warning.
    async fn saved(self, execution: &Execution<'_>, saving: SaveResult) -> RefreshReport {
        let Self { file_name, expiration, is_extended, kept } = self;
        let report = RefreshReport { file_name, expiration, is_extended, kept, saving };
        if let SaveResult::Failed { problem } = &report.saving {
            let note = note(&report.file_name, is_extended).and(Note::of(problem));
            execution.conclude(report.outcome(), note, None).await;
        }
        report
    }
}

impl RefreshReport {
    /// Returns the outcome of the refresh. A closed dialog is no failure: the user chose to save no file.
    const fn outcome(&self) -> Outcome {
        match self.saving {
            SaveResult::Saved { .. } | SaveResult::Dismissed if self.is_extended => Outcome::Succeeded,
            SaveResult::Saved { .. } | SaveResult::Dismissed | SaveResult::Failed { .. } => Outcome::Warnings,
        }
    }
}

/// Returns the facts in the record of a refresh: the name of the file, and whether the portal contradicts its own confirmation.
fn note(file_name: &str, is_extended: bool) -> Note {
    let note = Note::names(file_name.to_owned());
    if is_extended {
        return note;
    }
    note.and("the portal confirmed the refresh, but the invitation does not end later than before".to_owned())
}

/// Refreshes an invitation, and stores it as unsaved.
async fn refresh<T>(
    unsaved: &Arc<UnsavedInvitations>,
    execution: &Execution<'_>,
    form: RefreshInvitationForm,
) -> Result<Response<Refreshed, T>, Problem> {
    let request = form.refresh(&execution.known);
    let before = form.listed(execution.context, &execution.site.id).and_then(|listed| listed.expiration);
    let reply = match execution.change(|permit| request.send(permit)).await? {
        Response::Received(reply) => reply,
        Response::Missing(end) => return Ok(Response::Missing(end)),
    };
    let sent_by_the_site = reply.file_name.unwrap_or_else(|| "collaboration.invite".to_owned());
    let file_name = files::safe_name(&sent_by_the_site, "invite");
    // Store the file first, so that a failure of the dialog or the disk does not lose it, and before the history shows
    // success.
    let kept = keep(unsaved, &execution.site.id, &file_name, reply.content).await?;
    execution.conclude(Outcome::Succeeded, note(&file_name, true), None).await;

    let record = listing::invitation(
        &execution.endpoint,
        &request.portal_id,
        &request.collaboration_id,
        &request.invitation_id,
    );
    // The invitation is refreshed: Stop ends only the wait for its expiration, which is shown with it.
    let expiration = match execution.run.unless_stopped(record).await {
        Some(Ok(invitation)) => invitation.expiration,
        Some(Err(_)) | None => None,
    };
    let here = match expiration {
        Some(expiration) => Some(by_our_clock(execution, expiration).await),
        None => None,
    };
    let expires_at = here.unwrap_or_else(|| Millis(Millis::now().0.saturating_add(VALID_FOR)));
    execution.context.access.note_checked(&execution.site, |checks| {
        checks.note_refresh(&request.collaboration_id, &request.invitation_id, expires_at);
    });
    let is_extended =
        here.is_none_or(|end| end > Millis::now()) && (expiration.is_none() || before != expiration);
    if expiration.is_some() {
        execution.set_facts(Facts {
            expires_at: expiration,
            expires_here_at: here.map(|end| end.0).filter(|end| Some(*end) != expiration),
            is_contradicted: !is_extended,
            ..Facts::default()
        });
        let outcome = if is_extended { Outcome::Succeeded } else { Outcome::Warnings };
        execution.conclude(outcome, note(&file_name, is_extended), None).await;
    }
    Ok(Response::Received(Refreshed { file_name, expiration: here, is_extended, kept }))
}

/// Difference of both clocks up to which times of the portal are used as they are: a response of the portal tells its time in whole
/// seconds.
const TOLERATED: Duration = Duration::from_secs(5 * 60);

/// Converts a time of the portal to the clock of this computer. Returns it unchanged if both agree, or the portal does not tell its
/// time.
async fn by_our_clock(execution: &Execution<'_>, theirs: i64) -> Millis {
    let clock = execution.run.unless_stopped(execution.endpoint.clock()).await;
    let clock = clock.and_then(Result::ok).flatten().filter(|clock| clock.differs_by_more_than(TOLERATED));
    Millis(clock.map_or(theirs, |clock| clock.here(theirs)))
}

impl RefreshInvitationForm {
    fn check(&self) -> Result<(), Problem> {
        for (field, text) in
            [("collaborationId", &self.collaboration_id), ("invitationId", &self.invitation_id)]
        {
            if text.is_empty() {
                return Err(Problem::form(field, FieldError::Required));
            }
            typed::check([(field, text.as_str())])?;
        }
        Ok(())
    }

    /// Returns the invitation as the window showed it; `None` if it was not listed.
    fn listed(&self, context: &SiteContext, site: &SiteId) -> Option<ListedInvitation> {
        context.access.listed_invitations.get(site, &self.collaboration_id, &self.invitation_id)
    }

    fn intended(&self, listed: Option<ListedInvitation>) -> Intended {
        let mut parameters =
            vec![(COLLABORATION, self.collaboration_id.clone()), (INVITATION, self.invitation_id.clone())];
        if let Some(listed) = listed {
            parameters.push((GUEST_PORTAL, listed.guest));
            parameters.push((COLLABORATION_NAME, listed.collaboration));
        }
        let form = self.clone();
        Intended::with(&OPERATION, parameters, move |known| vec![form.refresh(known).request()])
    }

    pub(crate) fn refresh(&self, known: &SiteFacts) -> RefreshInvitation {
        RefreshInvitation {
            portal_id: known.portal_id.clone(),
            collaboration_id: self.collaboration_id.clone(),
            invitation_id: self.invitation_id.clone(),
        }
    }
}

/// An unsaved invitation, as shown in the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UnsavedInvitationView {
    /// Identifier of the unsaved invitation.
    pub kept: UnsavedInvitationId,
    /// Suggested file name.
    pub file_name: String,
    /// Time of the refresh.
    pub refreshed_at: Millis,
    /// Whether it expired, by the clock of this computer.
    pub expired: bool,
}

/// Returns the unsaved invitations of a site, newest first.
pub fn waiting(unsaved: &UnsavedInvitations, site: &SiteId) -> Vec<UnsavedInvitationView> {
    let now = Millis::now();
    let view = |(handle, invitation): (String, UnsavedInvitation)| UnsavedInvitationView {
        kept: UnsavedInvitationId(handle),
        expired: invitation.is_expired(now),
        file_name: invitation.file_name,
        refreshed_at: invitation.refreshed_at,
    };
    unsaved.of(site).into_iter().map(view).collect()
}

/// Saves an unsaved invitation to a file that the user chooses.
///
/// # Errors
/// - [`Problem::Unexpected`] if there is no such invitation.
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
pub async fn save_kept(files: &InvitationFiles, kept: &UnsavedInvitationId) -> Result<SaveResult, Problem> {
    let invitation = files.unsaved.get(&kept.0).ok_or_else(|| Problem::Unexpected {
        message: "the invitation is no longer kept; refresh it again".to_owned(),
    })?;
    let Some(path) = files.dialogs.save_file(Title::SaveInvitation, &invitation.file_name).await? else {
        return Ok(SaveResult::Dismissed);
    };
    let (files, kept) = (files.clone(), kept.clone());
    in_background(move || {
        let saving = crate::files::save(&path, &invitation.content);
        if matches!(saving, SaveResult::Saved { .. }) {
            remove_saved(&files, &invitation.site, &kept);
        }
        saving
    })
    .await
}

/// Removes an invitation that was saved.
fn remove_saved(files: &InvitationFiles, site: &SiteId, kept: &UnsavedInvitationId) {
    files.unsaved.forget(&kept.0);
    guided_tour::saw_at(&files.tour, GuidedTourStep::RefreshInvitation, site);
}
