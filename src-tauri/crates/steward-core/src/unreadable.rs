//! Files of the data folder that could not be read, or that are missing although they were written once, until a user marks
//! them as resolved (`docs/adr/0058`).
//!
//! [`list`] depends only on the files, so that the window, the runner of backup plans, and each start find the same
//! ones. `others` are the files of crates that depend on this one. The window renames an unreadable file to
//! `<name>-unreadable-<time>`; the runner writes no files of the window, and leaves it in its place.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::Value;
use steward_journal::trail::Event;
use steward_journal::{Journal, JournalError};

use crate::actions::preferences::{SetAside, SetAsideData};
use crate::files::data_folder::{CHANGES, SITE_PROOFS, create_private, make_room};
use crate::files::{self, known_files};
use crate::history::record::History;
use crate::model::problem::Problem;
use crate::settings::preferences::PreferencesStore;

/// Folder of the files that a user marked as resolved.
const RESOLVED: &str = "resolved-files";

/// Folder of refreshed invitations, each of which is a file.
const INVITATIONS: &str = "unsaved-invitations";

type Check = fn(&Path) -> anyhow::Result<()>;

/// A file of the data folder: its name, its data, and the check that it can be read.
pub type DataFile = (&'static str, SetAsideData, Check);

/// The files of this crate. Sites and history are not among them: without them there is no start.
const FILES: [DataFile; 11] = [
    ("preferences.json", SetAsideData::Preferences, PreferencesStore::check),
    ("forwarded.json", SetAsideData::Forwarded, crate::forwarding::check),
    ("uploads.json", SetAsideData::Uploads, files::check::<Value>),
    ("item-filters.json", SetAsideData::Filters, files::check::<Value>),
    ("item-validations.json", SetAsideData::Validations, files::check::<Value>),
    ("guided-tour.json", SetAsideData::GuidedTour, files::check::<Value>),
    ("announced-reminders.json", SetAsideData::Reminders, files::check::<Value>),
    ("checked-facts.json", SetAsideData::Checks, files::check::<Value>),
    (SITE_PROOFS, SetAsideData::SiteProofs, files::check::<Value>),
    (CHANGES, SetAsideData::Snapshots, crate::changes::snapshots::check),
    ("window.json", SetAsideData::Window, files::check::<Value>),
];

/// Opens `window.json` before the list is made, so that an unreadable one is set aside like the other files. The window
/// itself opens it later.
pub fn open_early(data_folder: &Path) {
    drop(files::JsonStore::<serde_json::Value>::open(data_folder.join("window.json")));
}

/// Returns all files that could not be read, and that no user has resolved.
#[must_use]
pub fn list(data_folder: &Path, others: &[DataFile]) -> Vec<SetAside> {
    let of_files = all(others).flat_map(|(name, what, check)| found(&data_folder.join(name), *what, *check));
    let folder = data_folder.join(INVITATIONS);
    let listed = std::fs::read_dir(&folder);
    let is_hidden = listed.as_ref().is_err_and(|error| error.kind() != ErrorKind::NotFound);
    let invitations = listed.into_iter().flatten().flatten();
    let mut invitations: Vec<_> =
        invitations.map(|entry| entry.path()).filter(|path| is_invitation(path)).collect();
    invitations.sort();
    let invitations =
        invitations.into_iter().filter(|path| files::is_aside(path) || files::check::<Value>(path).is_err());
    // A folder that cannot be listed might contain invitations.
    let invitations = is_hidden.then_some(folder).into_iter().chain(invitations);
    of_files.chain(invitations.map(|path| SetAside::at(SetAsideData::Invitation, &path))).collect()
}

/// Returns those of [`list`] whose content decides what happens without a user: which plans run, who is alerted, and
/// where the audit trail is forwarded.
#[must_use]
pub fn deciding(data_folder: &Path, others: &[DataFile]) -> Vec<SetAside> {
    let of_files = all(others).filter(|(_, what, _)| what.decides());
    of_files.flat_map(|(name, what, check)| found(&data_folder.join(name), *what, *check)).collect()
}

/// Marks a file of [`list`] as resolved, and moves it to the folder `resolved-files`. Returns the remaining list.
///
/// # Errors
/// - [`Problem::NotRecorded`] if the audit trail cannot be written. Then nothing is moved.
/// - [`Problem::File`] if the file cannot be moved. It is then recorded as unreadable again.
pub async fn resolve(
    data_folder: &Path,
    others: &[DataFile],
    history: &History,
    file: &SetAside,
) -> Result<Vec<SetAside>, Problem> {
    // The window names a path: only one that is in the list is moved.
    if let Some(file) = list(data_folder, others).into_iter().find(|one| one == file) {
        let path = PathBuf::from(&file.path);
        let folder = data_folder.join(RESOLVED);
        let kept_at = path.symlink_metadata().is_ok().then(|| {
            let kept_at = folder.join(path.file_name().unwrap_or_default());
            if kept_at.symlink_metadata().is_ok() { files::name_aside(&kept_at) } else { kept_at }
        });
        make_room(&folder, Path::is_dir)
            .and_then(|()| create_private(&folder))
            .map_err(|error| Problem::file(&folder, &error))?;
        let kept = kept_at.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        let name = name_of(&file, others);
        let event = Event::FileResolved { file: name.clone(), path: file.path.clone(), kept_at: kept };
        history.must_record(move |journal| journal.append(&event)).await?;
        let moved = kept_at.map_or(Ok(()), |kept_at| std::fs::rename(&path, kept_at));
        // Forget the mark of the file: otherwise, the next start would list the file as lost.
        if let Err(error) = moved.and_then(|()| known_files::forget(&path)) {
            history.append(Event::FileUnreadable { file: name, path: file.path }).await;
            return Err(Problem::file(&path, &error));
        }
    }
    Ok(list(data_folder, others))
}

/// Records the files that could not be read in the audit trail, each once until it is resolved.
///
/// # Errors
/// An error of the journal.
pub fn record(journal: &Journal, others: &[DataFile], found: &[SetAside]) -> Result<(), JournalError> {
    if found.is_empty() {
        return Ok(());
    }
    journal.append_missing(|known| {
        let is_told = |path: &str| {
            let last =
                known.iter().rfind(|event| event.kind.starts_with("file.") && event.body["path"] == path);
            last.is_some_and(|event| event.kind == "file.unreadable")
        };
        let new = found.iter().filter(|one| !is_told(&one.path));
        new.map(|one| Event::FileUnreadable { file: name_of(one, others), path: one.path.clone() }).collect()
    })
}

/// Returns the original name of a file; for an invitation, the present name of its file.
#[must_use]
pub fn name_of(file: &SetAside, others: &[DataFile]) -> String {
    let known = all(others).find(|(_, what, _)| *what == file.what).map(|(name, ..)| (*name).to_owned());
    let own = || Path::new(&file.path).file_name().unwrap_or_default().to_string_lossy().into_owned();
    known.unwrap_or_else(own)
}

fn all(others: &[DataFile]) -> impl Iterator<Item = &DataFile> {
    others.iter().chain(&FILES)
}

fn found(path: &Path, what: SetAsideData, check: Check) -> Vec<SetAside> {
    let asides = files::asides_of(path);
    let is_in_place = known_files::is_lost(path) || check(path).is_err();
    asides
        .iter()
        .map(PathBuf::as_path)
        .chain(is_in_place.then_some(path))
        .map(|at| SetAside::at(what, at))
        .collect()
}

fn is_invitation(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}
