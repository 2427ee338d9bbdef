//! The audit trail for the window: its state, its verification, and its files.

use std::io::{self, BufWriter};
use std::ops::ControlFlow;
use std::path::Path;

use serde::{Deserialize, Serialize};
use steward_journal::trail::Event;
use steward_journal::trail::export::{self, Entry, Selection};
use steward_journal::{Journal, JournalError, TrailStatus, trail_files};

use crate::files::dialogs::Title;
use crate::files::selected_paths::SelectedPaths;
use crate::files::{self, hash_of};
use crate::history::HistorySearch;
use crate::history::record::History;
use crate::model::numbers::Millis;
use crate::model::problem::Problem;
use crate::model::saved_file::SaveResult;

/// State of the audit trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TrailView {
    /// Newest entry as one line to keep elsewhere; empty if there is none.
    pub head: String,
    /// Last entry that was verified; 0 if none was.
    pub verified_through: u32,
    /// Entries at which the chain did not hold. They stay there.
    pub broken_at: Vec<u32>,
}

/// File type of an exported audit trail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum TrailFormat {
    /// JSON lines with scripts that verify them, as a ZIP file.
    JsonLines,
    /// Messages of RFC 5424, one in each line.
    Syslog,
    /// Messages of the Common Event Format, one in each line.
    Cef,
}

/// Returns what is known of the audit trail, without a verification.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub async fn status(history: &History) -> Result<TrailView, Problem> {
    Ok(view(&history.journal(Journal::trail_status).await?))
}

/// Verifies the whole audit trail. The trail tells the result.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read, or the result cannot be written.
pub async fn verify(history: &History) -> Result<TrailView, Problem> {
    let verified = |journal: &Journal| {
        journal.verify_trail(&mut |_| ControlFlow::Continue(()))?;
        journal.trail_status()
    };
    Ok(view(&history.journal(verified).await?))
}

/// Verifies what was appended since the last verification. The trail tells the result.
pub async fn verify_new_entries(history: History) {
    match history.journal(Journal::verify_new_entries).await {
        Ok(verified) if verified.breaks.is_empty() => {}
        Ok(verified) => tracing::error!(breaks = ?verified.breaks, "the audit trail is broken"),
        Err(problem) => tracing::error!(?problem, "the audit trail cannot be verified"),
    }
}

/// Exports the audit trail to a file that the user chooses: the events of a search, by site and time.
///
/// # Errors
/// - [`Problem::Unexpected`] if the journal cannot be read.
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
pub async fn save(
    history: &History,
    dialogs: &SelectedPaths,
    search: HistorySearch,
    format: TrailFormat,
) -> Result<SaveResult, Problem> {
    let name = files::dated_name("audit trail", Millis::now(), format.extension());
    let Some(path) = dialogs.save_file(Title::SaveAuditTrail, &name).await? else {
        return Ok(SaveResult::Dismissed);
    };
    let selection = Selection {
        site: search.site.map(|site| site.0),
        from: search.from.map(|from| from.0),
        to: search.to.map(|to| to.0),
        ..Selection::default()
    };
    let written = path.clone();
    let saved = history.journal(move |journal| Ok(write(journal, &path, &selection, format))).await?;
    Ok(match saved {
        Ok(file) => {
            let (what, sha256) = ("audit_trail".to_owned(), file.sha256.clone());
            history.append(Event::HistoryExported { what, about: String::new(), sha256 }).await;
            SaveResult::Saved { file }
        }
        Err(error) => SaveResult::Failed { problem: Problem::file(&written, &error) },
    })
}

fn write(
    journal: &Journal,
    path: &Path,
    selection: &Selection,
    format: TrailFormat,
) -> io::Result<crate::model::saved_file::SavedFile> {
    let fill = |new: &Path| {
        let file = BufWriter::new(std::fs::File::create(new)?);
        match format {
            TrailFormat::JsonLines => {
                trail_files::archive(file, journal, selection).map(drop).map_err(io::Error::other)
            }
            TrailFormat::Syslog => lines(journal, selection, file, export::rfc5424),
            TrailFormat::Cef => lines(journal, selection, file, export::cef),
        }
    };
    files::replace(path, fill, || Ok(()))?;
    hash_of(path)
}

/// Writes each entry with `write_entry`.
fn lines<W: io::Write>(
    journal: &Journal,
    selection: &Selection,
    mut to: W,
    write_entry: fn(&mut W, &Entry) -> io::Result<()>,
) -> io::Result<()> {
    /// Either error, until it is one of the file.
    struct Failed(io::Error);
    impl From<JournalError> for Failed {
        fn from(error: JournalError) -> Self {
            Self(io::Error::other(error))
        }
    }
    let through = journal.trail_status().map_err(io::Error::other)?.head.map_or(0, |head| head.entry);
    let written = journal.read_trail(selection, through, |entry| write_entry(&mut to, entry).map_err(Failed));
    written.map_err(|Failed(error)| error)?;
    to.flush()
}

fn view(status: &TrailStatus) -> TrailView {
    let number = |entry: i64| u32::try_from(entry).unwrap_or(u32::MAX);
    TrailView {
        head: status.head.as_ref().map(ToString::to_string).unwrap_or_default(),
        verified_through: number(status.verified_through),
        broken_at: status.breaks.iter().map(|one| number(one.entry)).collect(),
    }
}

impl TrailFormat {
    const fn extension(self) -> &'static str {
        match self {
            Self::JsonLines => "zip",
            Self::Syslog => "log",
            Self::Cef => "cef",
        }
    }
}
