//! Downloads an export that a server stored among its uploads.

use std::path::{Path, PathBuf};

use steward_client::Endpoint;

use crate::files;
use crate::files::dialogs::Title;
use crate::files::selected_paths::SelectedPaths;
use crate::model::ids::SiteId;
use crate::model::numbers::{Bytes, Millis};
use crate::model::problem::Problem;
use crate::model::retry_policy::RetryPolicy;
use crate::model::saved_file::SaveResult;
use crate::model::typed;
use crate::runs::{Run, RunStep};
use crate::sites::TargetSite;

/// Opens a dialog to choose where to save the export of a server. Returns `None` if the user closes it.
///
/// # Errors
/// [`Problem::File`] if the history would mask a part of the path, and could not name the file later, or the error of
/// the dialog.
pub(crate) async fn ask_place(
    dialogs: &SelectedPaths,
    site: &TargetSite,
) -> Result<Option<PathBuf>, Problem> {
    let place = dialogs.save_file(Title::SaveServerExport, &suggested_name(site)).await?;
    match place {
        Some(place) if typed::is_masked(&place.display().to_string()) => {
            Err(Problem::file(&place, &std::io::Error::other(typed::SECRET_IN_PATH)))
        }
        place => Ok(place),
    }
}

/// Returns the name that the dialog begins with, for an export of this moment.
pub(crate) fn suggested_name(site: &TargetSite) -> String {
    files::dated_name(&site.name_in_files(), Millis::now(), "agssite")
}

/// Downloads the export at `location` to `place`. Returns [`SaveResult::Dismissed`] if the user presses Stop.
pub(crate) async fn download(
    retry_policy: &RetryPolicy,
    server: &Endpoint,
    location: &str,
    place: &Path,
    run: &Run,
    site: &SiteId,
) -> SaveResult {
    let progress = |done, total: Option<u64>| {
        run.step(RunStep::Downloading { done: Bytes(done), total: total.map(Bytes) });
    };
    match files::download(server, location, place, retry_policy, run.stopped(), progress).await {
        Ok(Some(file)) => SaveResult::Saved { file },
        Ok(None) => SaveResult::Dismissed,
        Err(why) => SaveResult::Failed { problem: why.problem(place, site) },
    }
}
