//! An export that a server stored among its uploads, and its way to this computer.

use std::path::{Path, PathBuf};

use steward_client::Area;

use crate::files;
use crate::files::dialogs::Title;
use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::numbers::{Bytes, Millis};
use crate::model::problem::Problem;
use crate::model::saved_file::Saving;
use crate::runs::{Run, RunStep};

/// Asks where to; `None` when the dialog was closed.
pub(crate) async fn ask_place(host: &Host, site_name: &str) -> Result<Option<PathBuf>, Problem> {
    let name = files::dated_name(site_name, Millis::now(), "agssite");
    host.dialogs.save_file(Title::SaveServerExport, &name).await
}

/// Downloads it, until it is there or the person presses Stop.
pub(crate) async fn download(
    host: &Host,
    server: &Area,
    location: &str,
    place: &Path,
    run: &Run,
    site: &SiteId,
) -> Saving {
    let progress = |done, total: Option<u64>| {
        run.step(RunStep::Downloading { done: Bytes(done), total: total.map(Bytes) });
    };
    match files::download(server, location, place, &host.persistence, run.stopped(), progress).await {
        Ok(Some(file)) => Saving::Saved { file },
        Ok(None) => Saving::Dismissed,
        Err(why) => Saving::Failed { problem: why.problem(place, site) },
    }
}
