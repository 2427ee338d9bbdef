//! 7 An invitation for another 72 hours.

pub mod into_folder;
pub mod unsaved_invitations;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use steward_client::listing;
use steward_client::operations::refresh_invitation::RefreshInvitation;
use steward_journal::Outcome;

use crate::execution::{Answer, History, Task};
use crate::files;
use crate::files::dialogs::Title;
use crate::history::guided_tour;
use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::model::operation::Operation;
use crate::model::problem::{Fault, Problem};
use crate::model::run_result::Ended;
use crate::model::saved_file::Saving;
use crate::operations::refresh_invitation::unsaved_invitations::KeptInvitation;
use crate::runs::{RunId, RunStep};

/// Its descriptor.
pub const OPERATION: Operation = Operation::REFRESH_INVITATION;

/// What the person fills in.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RefreshInvitationForm {
    /// The collaboration.
    pub collaboration_id: String,
    /// The invitation.
    pub invitation_id: String,
}

/// Handle to an invitation that this program keeps until it is saved.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct KeptFile(pub String);

/// What came of it.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RefreshReport {
    /// The file's name.
    pub file_name: String,
    /// Until when the invitation is valid; `null` when the portal does not return it.
    pub expiration: Option<Millis>,
    /// Handle for saving it again.
    pub kept: KeptFile,
    /// What became of the file.
    pub saving: Saving,
}

/// The operation itself.
pub async fn perform(
    host: &Host,
    site: &SiteId,
    run: RunId,
    form: RefreshInvitationForm,
) -> Result<Ended<RefreshReport>, Problem> {
    form.check()?;
    let task = match Task::begin(host, &OPERATION, site, run, History::Record(form.parameters())).await? {
        Answer::Came(task) => task,
        Answer::Lost(end) => return Ok(end),
    };
    let refreshed = match refresh(host, &task, form).await? {
        Answer::Came(refreshed) => refreshed,
        Answer::Lost(end) => return Ok(end),
    };
    task.run.step(RunStep::Asking);
    let saving = save_kept(host, &refreshed.kept).await.unwrap_or_else(|problem| Saving::Failed { problem });
    Ok(task.done(refreshed.saved(saving)))
}

/// A refreshed invitation that is in hand and not saved yet.
struct Refreshed {
    file_name: String,
    expiration: Option<Millis>,
    kept: KeptFile,
}

impl Refreshed {
    fn saved(self, saving: Saving) -> RefreshReport {
        let Self { file_name, expiration, kept } = self;
        RefreshReport { file_name, expiration, kept, saving }
    }
}

/// Everything up to the question where to save it.
async fn refresh<T>(
    host: &Host,
    task: &Task<'_>,
    form: RefreshInvitationForm,
) -> Result<Answer<Refreshed, T>, Problem> {
    let request = RefreshInvitation {
        portal_id: task.known.portal_id.clone(),
        collaboration_id: form.collaboration_id,
        invitation_id: form.invitation_id,
    };
    let reply = match task.answer(request.send(&task.area)).await? {
        Answer::Came(reply) => reply,
        Answer::Lost(end) => return Ok(Answer::Lost(end)),
    };
    let sent_by_the_site = reply.file_name.unwrap_or_else(|| "collaboration.invite".to_owned());
    let file_name = files::safe_name(&sent_by_the_site, "invite");
    // In hand before anything can go wrong with the dialog or the disk, and before the history says it is done.
    let kept = keep(host, &task.site.id, &file_name, reply.content).await?;
    task.conclude(Outcome::Succeeded, file_name.clone(), None).await;

    let record = listing::invitation(
        &task.area,
        &request.portal_id,
        &request.collaboration_id,
        &request.invitation_id,
    );
    let expiration = match record.await {
        Ok(invitation) => invitation.expiration.map(Millis),
        Err(_) => None,
    };
    Ok(Answer::Came(Refreshed { file_name, expiration, kept }))
}

impl RefreshInvitationForm {
    fn check(&self) -> Result<(), Problem> {
        for (field, text) in
            [("collaborationId", &self.collaboration_id), ("invitationId", &self.invitation_id)]
        {
            if text.is_empty() {
                return Err(Problem::form(field, Fault::Required));
            }
        }
        Ok(())
    }

    fn parameters(&self) -> Vec<(&'static str, String)> {
        vec![("collaborationId", self.collaboration_id.clone()), ("invitationId", self.invitation_id.clone())]
    }
}

/// A refreshed invitation that waits to be saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct KeptInvitationView {
    /// Handle for saving it.
    pub kept: KeptFile,
    /// The name that is suggested for the file.
    pub file_name: String,
    /// When it was refreshed.
    pub refreshed_at: Millis,
}

/// The body of [`list_kept_invitations`].
pub fn waiting(host: &Host, site: &SiteId) -> Vec<KeptInvitationView> {
    let view = |(handle, invitation): (String, KeptInvitation)| KeptInvitationView {
        kept: KeptFile(handle),
        file_name: invitation.file_name,
        refreshed_at: invitation.refreshed_at,
    };
    host.kept.of(site).into_iter().map(view).collect()
}

/// On the disk when this returns, where the disk lets it.
pub(crate) async fn keep(
    host: &Host,
    site: &SiteId,
    file_name: &str,
    content: Vec<u8>,
) -> Result<KeptFile, Problem> {
    let invitation = KeptInvitation {
        site: site.clone(),
        file_name: file_name.to_owned(),
        content: Arc::new(content),
        refreshed_at: Millis::now(),
    };
    let all = host.kept.clone();
    let handle = tokio::task::spawn_blocking(move || all.keep(invitation)).await;
    handle.map(KeptFile).map_err(|error| Problem::Unexpected { message: error.to_string() })
}

/// Asks where to save a kept invitation, and saves it there.
pub async fn save_kept(host: &Host, kept: &KeptFile) -> Result<Saving, Problem> {
    let invitation = host.kept.get(&kept.0).ok_or_else(|| Problem::Unexpected {
        message: "the invitation is no longer kept; refresh it again".to_owned(),
    })?;
    let Some(path) = host.dialogs.save_file(Title::SaveInvitation, &invitation.file_name).await? else {
        return Ok(Saving::Dismissed);
    };
    let saving = files::save(&path, &invitation.content);
    if matches!(saving, Saving::Saved { .. }) {
        is_saved(host, &invitation.site, kept);
    }
    Ok(saving)
}

/// It waits no longer.
fn is_saved(host: &Host, site: &SiteId, kept: &KeptFile) {
    host.kept.forget(&kept.0);
    guided_tour::saved_invitation(host, site);
}
