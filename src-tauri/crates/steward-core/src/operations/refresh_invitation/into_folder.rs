//! Refreshes several invitations, each into a file of one folder.

use std::path::PathBuf;

use steward_journal::Outcome;

use super::{
    InvitationFiles, OPERATION, Operation, RefreshInvitationForm, RefreshReport, refresh, remove_saved,
};
use crate::access::listed::ListedInvitation;
use crate::batch::result::BatchResult;
use crate::batch::{self, BatchItem};
use crate::execution::{Execution, Intended, Response};
use crate::files::dialogs::Title;
use crate::files::{self, in_background};
use crate::model::ids::{SiteId, Target};
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;
use crate::model::run_result::RunResult;
use crate::model::saved_file::SaveResult;
use crate::runs::NewRun;
use crate::site_context::SiteContext;

/// One invitation of the batch.
struct IntoFolder<'a> {
    saving: &'a InvitationFiles,
    form: RefreshInvitationForm,
    /// The invitation as the window showed it; `None` if it was not listed.
    listed: Option<ListedInvitation>,
    folder: PathBuf,
}

/// Refreshes invitations, and saves their files in a folder that the user chooses.
///
/// # Errors
/// - [`Problem::Form`] if the list or a field is empty.
/// - [`Problem::ReadOnly`] if the site is read-only and locked.
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
/// - [`Problem::PreconditionFailed`] or [`Problem::SignIn`] if the site got another portal, or the user signed in or out, while the
///   dialog was open.
/// - [`Problem::File`] if the folder cannot be written.
/// - [`Problem::Unexpected`] if the list contains an invitation twice, or the site is not saved.
/// - Those of [`batch::send`].
pub async fn perform(
    context: &SiteContext,
    saving: &InvitationFiles,
    site: &SiteId,
    run: impl Into<NewRun>,
    forms: Vec<RefreshInvitationForm>,
) -> Result<RunResult<BatchResult<RefreshReport>>, Problem> {
    for form in &forms {
        form.check()?;
    }
    batch::check_no_duplicates(&forms, |form| (&form.collaboration_id, &form.invitation_id))?;
    let portal = Target::portal(site.clone());
    let shown = context.shown(&portal)?;
    context.may_write(&shown.site, OperationKey::RefreshInvitation.name())?;
    let Some(folder) = saving.dialogs.choose_folder(Title::ChooseInvitationFolder).await? else {
        return Ok(RunResult::Dismissed);
    };
    context.check_shown(&shown)?;
    // Fail before the first invitation is refreshed.
    let tried = folder.clone();
    let can_write = in_background(move || files::can_write_in(&tried)).await?;
    can_write.map_err(|error| Problem::file(&folder, &error))?;
    let one = |form: RefreshInvitationForm| IntoFolder {
        saving,
        listed: form.listed(context, site),
        form,
        folder: folder.clone(),
    };
    batch::send(context, &portal, run, forms.into_iter().map(one).collect()).await
}

impl BatchItem for IntoFolder<'_> {
    type Report = RefreshReport;
    const OPERATION: &'static Operation = &OPERATION;

    fn intended(&self) -> Intended {
        self.form.intended(self.listed.clone())
    }

    async fn send(
        self,
        execution: &mut Execution<'_>,
    ) -> Result<Response<RefreshReport, RefreshReport>, Problem> {
        let refreshed = match refresh(&self.saving.unsaved, execution, self.form).await? {
            Response::Received(refreshed) => refreshed,
            Response::Missing(end) => return Ok(Response::Missing(end)),
        };
        let (files, site, folder) = (self.saving.clone(), execution.site.id.clone(), self.folder);
        let (kept, name) = (refreshed.kept.clone(), refreshed.file_name.clone());
        let saving = in_background(move || {
            // The user might have discarded it meanwhile.
            let Some(invitation) = files.unsaved.get(&kept.0) else { return SaveResult::Dismissed };
            let saving = files::save_new(&folder, &name, &invitation.content);
            if matches!(saving, SaveResult::Saved { .. }) {
                remove_saved(&files, &site, &kept);
            }
            saving
        });
        let saving = saving.await?;
        Ok(Response::Received(refreshed.saved(execution, saving).await))
    }

    /// Returns whether the batch continues. It ends after a failed write: the refreshed invitation is unsaved, and the
    /// rest are not refreshed.
    fn lets_the_next_follow(report: &RefreshReport) -> bool {
        !matches!(report.saving, SaveResult::Failed { .. })
    }

    fn outcome(report: &RefreshReport) -> Outcome {
        report.outcome()
    }
}
