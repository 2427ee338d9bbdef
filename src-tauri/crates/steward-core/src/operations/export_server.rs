//! 2 Server export.

use serde::{Deserialize, Serialize};
use steward_client::operations::export_server::ExportServer;
use steward_journal::Outcome;

use crate::execution::{Answer, History, Task};
use crate::host::Host;
use crate::model::export_outcome::ExportOutcome;
use crate::model::ids::SiteId;
use crate::model::operation::Operation;
use crate::model::problem::{Fault, Problem};
use crate::model::run_result::Ended;
use crate::model::saved_file::Saving;
use crate::runs::{RunId, RunStep};
use crate::transfers::export_download::{ask_place, download};

/// Its descriptor.
pub const OPERATION: Operation = Operation::EXPORT_SERVER;

/// What the person fills in.
#[derive(Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportServerForm {
    /// Where to.
    pub place: ServerExportPlace,
}

/// Where a server is exported to.
#[derive(Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ServerExportPlace {
    /// A folder that the server can write to.
    ServerFolder {
        /// Its path, as the server sees it.
        location: String,
    },
    /// A file on this computer: the server stores the export, and it is downloaded at once.
    ThisComputer,
}

/// What came of it.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServerExportReport {
    /// What the server wrote.
    pub outcome: ExportOutcome,
    /// What became of the file on this computer; `null` when none was asked for.
    pub saving: Option<Saving>,
}

/// The operation itself.
pub async fn perform(
    host: &Host,
    site: &SiteId,
    run: RunId,
    form: ExportServerForm,
) -> Result<Ended<ServerExportReport>, Problem> {
    // Asked first: an export may end at night, when nobody is there to answer a dialog.
    let (request, place) = match form.place {
        ServerExportPlace::ServerFolder { location } => match location.trim() {
            "" => return Err(Problem::form("location", Fault::Required)),
            location => (ExportServer { location: location.to_owned() }, None),
        },
        ServerExportPlace::ThisComputer => match ask_place(host, &host.sites.get(site)?.name).await? {
            Some(place) => (ExportServer { location: String::new() }, Some(place)),
            None => return Ok(Ended::Dismissed),
        },
    };
    let mut parameters = vec![("location", request.location.clone())];
    parameters.extend(place.iter().map(|place| ("savedAs", place.display().to_string())));

    let task = match Task::begin(host, &OPERATION, site, run, History::Record(parameters)).await? {
        Answer::Came(task) => task,
        Answer::Lost(end) => return Ok(end),
    };
    let reply = match task.answer(request.send(&task.area)).await? {
        Answer::Came(reply) => reply,
        Answer::Lost(end) => return Ok(end),
    };
    let outcome = if reply.warns() { Outcome::Warnings } else { Outcome::Succeeded };
    // Written down before the download: the export exists on the server whatever becomes of our copy.
    task.conclude(outcome, reply.location.clone(), None).await;
    let saving = match &place {
        None => None,
        Some(place) => {
            let saving = download(host, &task.area, &reply.location, place, &task.run, site).await;
            if let Saving::Saved { file } = &saving {
                task.conclude(outcome, file.path.clone(), None).await;
            }
            Some(saving)
        }
    };
    Ok(task.done(ServerExportReport { outcome: ExportOutcome::of(reply), saving }))
}

/// The second try to save a stored export.
pub async fn save_again(host: &Host, site: &SiteId, run: RunId, location: &str) -> Result<Saving, Problem> {
    let saved_site = host.sites.get(site)?;
    let Some(place) = ask_place(host, &saved_site.name).await? else {
        return Ok(Saving::Dismissed);
    };
    let run = host.runs.begin(run, &saved_site, OPERATION.key, RunStep::Waiting)?;
    let server = host.server(&saved_site).await?;
    Ok(download(host, &server, location, &place, &run, site).await)
}
