//! The files that the program cannot start without, and what a user can do if one of them cannot be read.
//!
//! [`RequiredFiles::open`] opens them at each start. After an error, the window shows the [`StartProblem`], and
//! [`resolve`] does what the user chose (`docs/adr/0038`).

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use steward_journal::{Conclusion, Facts, Fault, Filter, Intent, Journal, JournalError, Outcome, Process};

use crate::daily_copies;
use crate::files::data_folder::{DataFolder, DataFolderError, JOURNAL, PLANS, SITES};
use crate::files::{self, before_release, database, known_files};
use crate::forwarding::FORWARDED;
use crate::history::note::Note;
use crate::history::record::intent_of;
use crate::model::history_key::HistoryAction;
use crate::model::numbers::Millis;
use crate::sites::Sites;

/// The saved sites and the history.
pub struct RequiredFiles {
    /// The saved sites.
    pub sites: Sites,
    /// The history.
    pub journal: Journal,
    /// Folder that data of a version before the first release was moved to; `None` if there was none.
    pub before_release: Option<PathBuf>,
    /// Path of the saved sites, if two had the same identifier and one got a new one; `None` otherwise.
    pub renumbered: Option<PathBuf>,
}

/// A file that the program cannot start without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum RequiredFile {
    /// The saved sites.
    Sites,
    /// The history.
    History,
}

/// Reason why the app cannot start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum StartFault {
    /// The file is missing, although there is other data.
    Missing,
    /// The file has no content, although there is other data.
    Empty,
    /// The file was damaged.
    Damaged,
    /// The history can be read, but no entry can be written, because a part of the file was damaged.
    NotWritable,
    /// A newer version wrote the file.
    Newer,
    /// The file was not written by this app.
    NotOurs,
    /// Another copy of the app uses the data folder, or another program a file in it.
    InUse,
    /// Any other reason.
    Other,
}

/// A start that failed, as the window shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type, thiserror::Error)]
#[serde(rename_all = "camelCase")]
#[error("{details}")]
pub struct StartProblem {
    /// File that cannot be used; `null` if no choice of the user resolves the problem.
    pub file: Option<RequiredFile>,
    /// Reason why it cannot be used.
    pub fault: StartFault,
    /// Path of the file or the data folder; may be empty.
    pub path: String,
    /// Time of the last copy of the file; `null` if there is none.
    pub copy_at: Option<Millis>,
    /// Whether the app can be used without a change of the file. It then records nothing.
    pub can_continue: bool,
    /// Error messages, in English.
    pub details: String,
}

/// Choice of the user after a failed start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum StartChoice {
    /// Replace the file with its last copy.
    UseCopy,
    /// Set the file aside and start with a new one, to which the readable entries of the history are copied.
    SetAside,
    /// Change nothing. Only offered if the history can be read but not written.
    Continue,
}

impl RequiredFiles {
    /// Opens the files in a locked data folder. Nothing is changed if that fails.
    ///
    /// # Errors
    /// Returns the first problem.
    pub fn open(folder: &DataFolder) -> Result<Self, StartProblem> {
        let files = Self::open_to_read(folder.path())?;
        match files.journal.can_write() {
            Err(error) if error.fault() == Fault::Damaged => {
                let problem =
                    of_file(folder.path(), RequiredFile::History, StartFault::NotWritable, causes(&error));
                Err(StartProblem { can_continue: true, ..problem })
            }
            // Other errors, for example a full disk, do not prevent the start: each action that cannot be recorded
            // reports them.
            _ => Ok(files),
        }
    }

    fn open_to_read(folder: &Path) -> Result<Self, StartProblem> {
        let before_release =
            before_release::set_aside(folder).map_err(|error| StartProblem::other(&error))?;
        let (sites, journal) =
            open_both(folder, Sites::open, |path| Journal::open_as(path, Process::Window))?;
        // Mark the sites file as known only now: if the history prevents the start, nothing may be written.
        let sites = sites.noted();
        if let Some(_held) = DataFolder::without_runner(folder)
            && let Err(error) = journal.mark_unknown_of_runner()
        {
            // The outcomes stay open, and the next start tries again.
            tracing::warn!(%error, "the outcomes that a killed runner left open were not written");
        }
        let renumbered = sites.renumber().then(|| folder.join(SITES));
        Ok(Self { sites, journal, before_release, renumbered })
    }
}

/// Opens the sites and the history for the runner of backup plans, by the same rules. It writes only to the history.
///
/// # Errors
/// Returns the first problem.
pub fn open_for_runner(folder: &Path) -> Result<(Sites, Journal), StartProblem> {
    open_both(folder, Sites::open_read_only, |path| Journal::open_as(path, Process::Runner))
}

/// Opens the same files for another start of the runner, while a runner already uses them.
///
/// # Errors
/// Those of [`open_for_runner`].
pub fn open_beside_runner(folder: &Path) -> Result<(Sites, Journal), StartProblem> {
    open_both(folder, Sites::open_read_only, |path| Journal::open_beside(path, Process::Runner))
}

impl StartProblem {
    /// Returns the problem of a data folder that cannot be used.
    #[must_use]
    pub fn of_folder(error: DataFolderError) -> Self {
        let (fault, path) = match &error {
            DataFolderError::InUse { path } => (StartFault::InUse, path),
            DataFolderError::Unusable { path, .. } => (StartFault::Other, path),
        };
        let path = path.display().to_string();
        Self { fault, path, ..Self::other(&error.into()) }
    }

    /// Returns a problem that no choice resolves.
    #[must_use]
    pub fn other(error: &anyhow::Error) -> Self {
        Self {
            file: None,
            fault: StartFault::Other,
            path: String::new(),
            copy_at: None,
            can_continue: false,
            details: format!("{error:#}"),
        }
    }
}

/// Does what the user chose, and opens the files.
///
/// # Errors
/// Returns the next problem: another file cannot be read either, or the choice could not be carried out.
pub fn resolve(
    folder: &DataFolder,
    problem: &StartProblem,
    choice: StartChoice,
) -> Result<RequiredFiles, StartProblem> {
    let Some(file) = problem.file.filter(|_| choice != StartChoice::Continue) else {
        return RequiredFiles::open_to_read(folder.path());
    };
    let failed = |error: std::io::Error| StartProblem {
        details: format!("{}: {error}\n{}", problem.path, problem.details),
        ..problem.clone()
    };
    let path = folder.path().join(file.name());
    let copy = daily_copies::newest(folder.path(), file.name()).filter(|_| choice == StartChoice::UseCopy);
    let fill = |new: &Path| match (&copy, file) {
        (Some(copy), _) => copy_to(new, &copy.path),
        (None, RequiredFile::History) => keep_readable(&path, new),
        (None, RequiredFile::Sites) => std::fs::write(new, files::encode(&[(); 0])?),
    };
    // Keep the runner out: it would continue to write to the file that is set aside.
    let alone = DataFolder::take_for_runner(folder.path()).map_err(StartProblem::of_folder)?;
    // The file is renamed once its replacement is complete: on a full disk, it stays where it is.
    let aside = files::replace(&path, fill, || database::set_aside(&path)).map_err(failed)?;
    drop(alone);
    let opened = RequiredFiles::open(folder)?;
    record(&opened.journal, file, aside.as_deref(), copy.map(|copy| copy.at));
    Ok(opened)
}

/// Makes the daily copies of a running app: shortly after the start, and then whenever a new day has begun.
pub async fn keep_copies(folder: PathBuf, history: crate::history::record::History) {
    const AFTER_THE_START: std::time::Duration = std::time::Duration::from_secs(10);
    const INTERVAL: std::time::Duration = std::time::Duration::from_secs(60 * 60);
    tokio::time::sleep(AFTER_THE_START).await;
    loop {
        let folder = folder.clone();
        let copied = history.journal(move |journal| {
            daily_copies::keep(&folder, journal);
            Ok(())
        });
        if let Err(problem) = copied.await {
            tracing::warn!(?problem, "the copies of the day were not made");
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

impl RequiredFile {
    const fn name(self) -> &'static str {
        match self {
            Self::Sites => SITES,
            Self::History => JOURNAL,
        }
    }
}

fn of_file(folder: &Path, file: RequiredFile, fault: StartFault, details: String) -> StartProblem {
    StartProblem {
        file: Some(file),
        fault,
        path: folder.join(file.name()).display().to_string(),
        copy_at: daily_copies::newest(folder, file.name()).map(|copy| copy.at),
        can_continue: false,
        details,
    }
}

/// Opens both files, for window and runner alike.
fn open_both(
    folder: &Path,
    open_saved: fn(&Path) -> anyhow::Result<Sites>,
    open_journal: fn(&Path) -> Result<Journal, JournalError>,
) -> Result<(Sites, Journal), StartProblem> {
    let sites = open_sites(folder, open_saved)?;
    let journal = open_history(folder, open_journal)?;
    // A data folder can have lost the sites file together with its mark, its copies, and the plans. The history then
    // still shows that a site was added.
    if !folder.join(SITES).exists() && added_a_site(&journal) {
        return Err(of_sites(folder, StartFault::Missing, "the file is missing"));
    }
    Ok((sites, journal))
}

fn added_a_site(journal: &Journal) -> bool {
    let added = Filter {
        operation: Some(HistoryAction::AddSite.name().to_owned()),
        outcomes: vec![Outcome::Succeeded],
        limit: Some(1),
        ..Filter::default()
    };
    // A history that cannot be read shows nothing here. Its damage is reported separately.
    journal.records(&added).is_ok_and(|added| !added.is_empty())
}

fn of_sites(folder: &Path, fault: StartFault, details: &str) -> StartProblem {
    let path = folder.join(SITES);
    let details = format!("the saved sites in {} cannot be read: {details}", path.display());
    of_file(folder, RequiredFile::Sites, fault, details)
}

/// Opens the saved sites with `open`. The file may be missing only if the data folder never had saved sites.
fn open_sites(folder: &Path, open: fn(&Path) -> anyhow::Result<Sites>) -> Result<Sites, StartProblem> {
    let path = folder.join(SITES);
    let problem = |fault, details: &str| of_sites(folder, fault, details);
    // A plan belongs to a saved site, so plans show that there were sites.
    let had_some = || {
        known_files::is_known(&path)
            || daily_copies::newest(folder, SITES).is_some()
            || is_or_was(&folder.join(PLANS))
    };
    if !path.exists() && had_some() {
        return Err(problem(StartFault::Missing, "the file is missing"));
    }
    if path.metadata().is_ok_and(|file| file.is_file() && file.len() == 0) {
        return Err(problem(StartFault::Empty, "the file is empty"));
    }
    open(&path).map_err(|error| {
        let fault = match error.downcast_ref::<files::Newer>() {
            Some(_) => StartFault::Newer,
            None if error.downcast_ref::<std::io::Error>().is_some() => StartFault::Other,
            None => StartFault::Damaged,
        };
        problem(fault, &format!("{error:#}"))
    })
}

/// Opens the history with `open`. A new history is created only if the data folder never had one, so no other function
/// opens the history.
fn open_history(
    folder: &Path,
    open: fn(&Path) -> Result<Journal, JournalError>,
) -> Result<Journal, StartProblem> {
    let path = folder.join(JOURNAL);
    let problem = |fault, details: String| of_file(folder, RequiredFile::History, fault, details);
    // Check the write-ahead log first: without it, a history can look empty.
    database::make_room_beside(&path);
    if Journal::is_empty(&path) && had_a_history(folder) {
        let (fault, what) = match path.exists() {
            true => (StartFault::Empty, "has no content"),
            false => (StartFault::Missing, "is missing"),
        };
        return Err(problem(fault, format!("the history in {} {what}", path.display())));
    }
    let journal = open(&path).map_err(|error| {
        let fault = match &error {
            JournalError::Newer { .. } => StartFault::Newer,
            JournalError::NotOurs { .. } => StartFault::NotOurs,
            _ if error.fault() == Fault::Damaged => StartFault::Damaged,
            _ if error.fault() == Fault::InUse => StartFault::InUse,
            _ => StartFault::Other,
        };
        let problem = problem(fault, causes(&error));
        // The history is intact, so that no choice may replace it.
        match error.fault() {
            Fault::InUse | Fault::DiskFull => StartProblem { file: None, copy_at: None, ..problem },
            _ => problem,
        }
    })?;
    known_files::note(&path);
    Ok(journal)
}

/// Returns whether the data folder had a history before: there is its mark, a copy, or a file that is written only
/// after a history was opened.
fn had_a_history(folder: &Path) -> bool {
    let later = [SITES, PLANS, FORWARDED].map(|name| folder.join(name));
    known_files::is_known(&folder.join(JOURNAL))
        || daily_copies::newest(folder, JOURNAL).is_some()
        || later.iter().any(|file| is_or_was(file))
}

/// Returns whether a file exists, or existed once.
fn is_or_was(file: &Path) -> bool {
    known_files::is_known(file) || file.symlink_metadata().is_ok()
}

fn copy_to(new: &Path, copy: &Path) -> std::io::Result<()> {
    std::io::copy(&mut files::open_regular(copy)?, &mut std::fs::File::create(new)?).map(drop)
}

/// Writes a new history with the readable entries of an earlier one. The earlier file is tried whatever its fault is: a
/// damaged history can look like another file, or like one of a newer version.
fn keep_readable(earlier: &Path, new: &Path) -> std::io::Result<()> {
    let cannot = |error: &JournalError| std::io::Error::other(causes(error));
    if earlier.is_file() {
        match Journal::salvage(earlier, new) {
            Ok(kept) => tracing::warn!(kept, "entries of the earlier history were kept"),
            // The earlier history itself can be read: fail, and keep its entries.
            Err(error) if matches!(error.fault(), Fault::DiskFull | Fault::NotWritable | Fault::InUse) => {
                return Err(cannot(&error));
            }
            Err(error) => {
                tracing::warn!(error = causes(&error), "no entry of the earlier history could be read");
            }
        }
    }
    Journal::open(new).map(drop).map_err(|error| cannot(&error))
}

/// Records which file was set aside, and what replaced it. A failure is only logged, because the choice has already
/// been carried out.
fn record(journal: &Journal, file: RequiredFile, aside: Option<&Path>, copy: Option<Millis>) {
    let text = |path: &Path| path.display().to_string();
    let copy = copy.and_then(|at| jiff::Timestamp::from_millisecond(at.0).ok());
    let parameters = [
        ("file", Some(file.name().to_owned())),
        ("setAsideAs", aside.map(text)),
        ("copyOf", copy.map(|at| at.strftime("%Y-%m-%d %H:%M UTC").to_string())),
    ];
    let parameters = parameters.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let intent = Intent { parameters: parameters.collect(), ..intent_of(HistoryAction::SetDataAside.name()) };
    let note = aside.map(|aside| Note::path(&text(aside))).unwrap_or_default();
    let conclusion = Conclusion {
        outcome: Outcome::Succeeded,
        note: note.to_string(),
        response: None,
        facts: Some(note.in_facts(Facts::default())),
        report: None,
        ended_at: intent.started_at,
        elapsed: 0,
    };
    if let Err(error) = journal.intend(&intent).and_then(|id| journal.conclude(&id, &conclusion)) {
        tracing::warn!(error = causes(&error), "what was set aside could not be recorded");
    }
}

fn causes(error: &JournalError) -> String {
    let mut words = error.to_string();
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        words = format!("{words}: {cause}");
        next = cause.source();
    }
    words
}

#[cfg(test)]
mod tests;
