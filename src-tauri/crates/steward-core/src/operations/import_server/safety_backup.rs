//! An import with a parachute: the server is exported first, the export is looked at, and only then is anything
//! replaced. Whatever fails on the way leaves the import unsent.

use std::path::PathBuf;

use serde::Deserialize;
use steward_client::operations::export_server::ExportServer;
use steward_client::{Area, listing};
use steward_journal::Outcome;

use crate::execution::{Answer, History, Task};
use crate::files::archive_check::{self, ArchiveFault};
use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::import_report::WayBack;
use crate::model::numbers::{Bytes, Millis};
use crate::model::operation::Key;
use crate::model::problem::{ParachuteStep, Problem};
use crate::model::run_result::{Ended, RecordId};
use crate::model::saved_file::{SavedFile, Saving};
use crate::runs::{Run, RunStep};
use crate::sites::Site;
use crate::transfers::export_download;

/// What an import is asked to keep.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Parachute {
    /// Whether the export is also saved on this computer.
    pub also_here: bool,
}

/// What came of the export before an import.
pub(crate) enum Packed {
    /// It is there and whole.
    Ready(WayBack),
    /// The user pressed Stop; the export's record, where its request was sent.
    Stopped(Option<RecordId>),
}

/// What a verified export turned out to be.
struct Verified {
    upload: String,
    size: u64,
    entries: u64,
    saved: Option<SavedFile>,
}

impl Parachute {
    /// Exports the server and looks at the export, in the import's own run, so that Stop means all of it.
    ///
    /// # Errors
    /// When there is no way back that could be trusted; then nothing may be imported.
    pub(crate) async fn pack(
        host: &Host,
        site: Site,
        run: &Run,
        place: Option<PathBuf>,
    ) -> Result<Packed, Problem> {
        run.step(RunStep::Securing);
        // Where the program ends meanwhile, this tells that an import was meant.
        let mut parameters = vec![("location", String::new()), ("purpose", "safetyBackup".to_owned())];
        parameters.extend(place.iter().map(|place| ("savedAs", place.display().to_string())));
        let operation = Key::ExportServer.operation();
        let id = site.id.clone();
        let history = History::Record(parameters);
        let task = match Task::within::<()>(host, operation, site, run.clone(), history).await? {
            Answer::Came(task) => task,
            Answer::Lost(_) => return Ok(Packed::Stopped(None)),
        };
        let request = ExportServer { location: String::new() };
        let reply = match task.answer::<_, ()>(request.send(&task.area)).await {
            Ok(Answer::Came(reply)) => reply,
            Ok(Answer::Lost(Ended::Unknown { problem: Some(problem), .. })) | Err(problem) => {
                return Err(failed(ParachuteStep::Export, Some(problem)));
            }
            Ok(Answer::Lost(Ended::NotSent { .. })) => return Ok(Packed::Stopped(None)),
            Ok(Answer::Lost(_)) => return Ok(Packed::Stopped(task.record())),
        };
        let outcome = if reply.warns() { Outcome::Warnings } else { Outcome::Succeeded };
        task.conclude(outcome, reply.location.clone(), None).await;
        let record = task.record();
        let verified = verify(host, &task.area, &reply.location, place, run, &id);
        let verified = match run.unless_stopped(verified).await {
            Some(Ok(Some(verified))) => verified,
            None | Some(Ok(None)) => return Ok(Packed::Stopped(record)),
            Some(Err(problem)) => return Err(problem),
        };
        if let Some(file) = &verified.saved {
            task.conclude(outcome, file.path.clone(), None).await;
        }
        run.goes_on();
        Ok(Packed::Ready(WayBack {
            upload: verified.upload,
            location: reply.location,
            size: Bytes(verified.size),
            entries: u32::try_from(verified.entries).unwrap_or(u32::MAX),
            warnings: reply.messages,
            saved: verified.saved,
            record,
            taken_at: Millis::now(),
        }))
    }
}

/// Looks at the export; `None` when the user stopped its download.
async fn verify(
    host: &Host,
    server: &Area,
    location: &str,
    place: Option<PathBuf>,
    run: &Run,
    site: &SiteId,
) -> Result<Option<Verified>, Problem> {
    let refused = |step| move |error| failed(step, Some(Problem::from_client(&error, site)));
    let upload = steward_client::stored_id(location).ok_or_else(|| failed(ParachuteStep::NotStored, None))?;
    let uploads = listing::uploads(server).await.map_err(refused(ParachuteStep::Unread))?;
    if !uploads.iter().any(|stored| stored.id == upload) {
        return Err(failed(ParachuteStep::NotStored, None));
    }
    let Some(place) = place else {
        run.step(RunStep::Verifying);
        let ends = server
            .peek_stored(location, host.persistence.stalled)
            .await
            .map_err(refused(ParachuteStep::Unread))?;
        let entries = archive_check::entries(&ends).map_err(not_whole)?;
        return Ok(Some(Verified { upload, size: ends.length, entries, saved: None }));
    };
    let file = match export_download::download(host, server, location, &place, run, site).await {
        Saving::Saved { file } => file,
        Saving::Failed { problem } => return Err(failed(ParachuteStep::Download, Some(problem))),
        Saving::Dismissed => return Ok(None),
    };
    run.step(RunStep::Verifying);
    let (looked_at, path) = (file.clone(), place);
    let entries = tokio::task::spawn_blocking(move || archive_check::entries_of(&looked_at)).await;
    let entries = entries
        .map_err(|error| Problem::Unexpected { message: error.to_string() })?
        .map_err(|error| failed(ParachuteStep::Unread, Some(Problem::file(&path, &error))))?
        .map_err(not_whole)?;
    Ok(Some(Verified { upload, size: file.size.0, entries, saved: Some(file) }))
}

fn not_whole(fault: ArchiveFault) -> Problem {
    let step = match fault {
        ArchiveFault::Empty => ParachuteStep::Empty,
        ArchiveFault::NoArchive => ParachuteStep::NoArchive,
        ArchiveFault::Cut => ParachuteStep::Cut,
        ArchiveFault::NoEntries => ParachuteStep::NoEntries,
        ArchiveFault::Changed => ParachuteStep::Changed,
    };
    failed(step, None)
}

fn failed(step: ParachuteStep, cause: Option<Problem>) -> Problem {
    Problem::NoWayBack { step, cause: cause.map(Box::new) }
}
