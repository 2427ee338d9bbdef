//! Several invitations at once, each into a file of one folder.

use std::path::PathBuf;

use super::{OPERATION, Operation, RefreshInvitationForm, RefreshReport, is_saved, refresh};
use crate::batch::result::Several;
use crate::batch::{self, Change};
use crate::execution::{Answer, Task};
use crate::files;
use crate::files::dialogs::Title;
use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::problem::Problem;
use crate::model::run_result::Ended;
use crate::model::saved_file::Saving;
use crate::runs::RunId;

/// One of them.
struct IntoFolder<'a> {
    host: &'a Host,
    form: RefreshInvitationForm,
    folder: PathBuf,
}

/// The body of [`refresh_invitations`].
pub async fn perform(
    host: &Host,
    site: &SiteId,
    run: RunId,
    forms: Vec<RefreshInvitationForm>,
) -> Result<Ended<Several<RefreshReport>>, Problem> {
    for form in &forms {
        form.check()?;
    }
    batch::no_two_alike(&forms, |form| (&form.collaboration_id, &form.invitation_id))?;
    host.may_write(&host.sites.get(site)?)?;
    let Some(folder) = host.dialogs.choose_folder(Title::ChooseInvitationFolder).await? else {
        return Ok(Ended::Dismissed);
    };
    // Better said now than with the first invitation in hand.
    files::can_write_in(&folder).map_err(|error| Problem::file(&folder, &error))?;
    let one = |form| IntoFolder { host, form, folder: folder.clone() };
    batch::send(host, site, run, forms.into_iter().map(one).collect()).await
}

impl Change for IntoFolder<'_> {
    type Report = RefreshReport;
    const OPERATION: &'static Operation = &OPERATION;

    fn parameters(&self) -> Vec<(&'static str, String)> {
        self.form.parameters()
    }

    async fn send(self, task: &Task<'_>) -> Result<Answer<RefreshReport, RefreshReport>, Problem> {
        let refreshed = match refresh(self.host, task, self.form).await? {
            Answer::Came(refreshed) => refreshed,
            Answer::Lost(end) => return Ok(Answer::Lost(end)),
        };
        let saving = match self.host.kept.get(&refreshed.kept.0) {
            Some(kept) => files::save_new(&self.folder, &refreshed.file_name, &kept.content),
            // Discarded by the person meanwhile.
            None => Saving::Dismissed,
        };
        if matches!(saving, Saving::Saved { .. }) {
            is_saved(self.host, &task.site.id, &refreshed.kept);
        }
        Ok(Answer::Came(refreshed.saved(saving)))
    }

    /// A folder that refuses one file refuses the next: what is refreshed already waits, the rest is left alone.
    fn lets_the_next_follow(report: &RefreshReport) -> bool {
        !matches!(report.saving, Saving::Failed { .. })
    }
}
