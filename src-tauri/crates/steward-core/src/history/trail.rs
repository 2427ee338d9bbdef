//! The audit trail for the window: its state, its verification, and its files.

use std::io::{self, BufWriter};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
pub use steward_journal::trail::KINDS;
use steward_journal::trail::export::{self, Entry, Selection};
use steward_journal::trail::{Damage, Event};
use steward_journal::{Journal, JournalError, Verified, trail_files};

use crate::files::dialogs::Title;
use crate::files::selected_paths::SelectedPaths;
use crate::files::{self, hash_of};
use crate::history::HistorySearch;
use crate::history::imports::UNDOES;
use crate::history::record::History;
use crate::model::numbers::{EntryNumber, Millis};
use crate::model::problem::Problem;
use crate::model::saved_file::SaveResult;

/// Limit of the events on a page.
const MOST_EVENTS: u32 = 1_000;

/// State of the audit trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TrailView {
    /// Newest entry as a line of text to keep outside of the app; empty if there is none.
    pub head: String,
    /// Number of the last verified entry; 0 if none was verified.
    pub verified_through: u32,
    /// Damaged places of the audit trail and of the history, as verifications found them. They are never removed from
    /// this list.
    pub breaks: Vec<TrailBreak>,
    /// Number of damaged places that the last verification found but did not list: each verification adds only some of
    /// them.
    pub further: u32,
    /// Entries that were forwarded or copied, and that the audit trail does not have, for example because an earlier
    /// state of it was restored. They are never removed from this list.
    pub rolled_back: Vec<RolledBackTo>,
    /// Progress of a verification of the whole trail; `null` if none is running.
    pub verifying: Option<VerificationProgress>,
}

/// Entry that was forwarded or is in a daily copy, and that the audit trail does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RolledBackTo {
    /// Number of the entry.
    pub entry: u32,
    /// Whether the entry was forwarded. Otherwise, it is in the daily copy.
    pub is_forwarded: bool,
}

/// Damaged place of the audit trail or of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TrailBreak {
    /// Kind of the damage.
    pub what: Damage,
    /// Number of the entry; the first one if the content of several is missing. 0 for records of the history that no
    /// entry belongs to, or that cannot be read.
    pub first: u32,
    /// Number of the last entry of this place.
    pub last: u32,
}

/// Progress of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct VerificationProgress {
    /// Number of the last verified entry.
    pub done: u32,
    /// Number of the newest entry when the verification began.
    pub total: u32,
}

/// Verification of the whole audit trail: one at a time.
#[derive(Default)]
pub struct TrailVerification {
    progress: Mutex<Option<VerificationProgress>>,
    stopped: AtomicBool,
}

/// File type of an exported audit trail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum TrailFormat {
    /// JSON lines with scripts that verify them, as a ZIP file.
    JsonLines,
    /// Messages of RFC 5424, one in each line.
    Syslog,
}

impl TrailVerification {
    /// Returns what is known of the audit trail, and the progress of a verification.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the journal cannot be read.
    pub async fn status(&self, history: &History) -> Result<TrailView, Problem> {
        let status = history.journal(Journal::trail_status).await?;
        Ok(TrailView {
            head: status.head.as_ref().map(ToString::to_string).unwrap_or_default(),
            verified_through: number(status.verified_through),
            further: status.further,
            rolled_back: status
                .rolled_back
                .iter()
                .map(|lost| RolledBackTo {
                    entry: number(lost.entry),
                    is_forwarded: lost.kept_in == "forwarded",
                })
                .collect(),
            breaks: status
                .breaks
                .iter()
                .map(|one| TrailBreak { what: one.what, first: number(one.entry), last: number(one.through) })
                .collect(),
            verifying: *self.progress(),
        })
    }

    /// Verifies the whole audit trail, unless a verification is running. The result is written to the trail, except
    /// after [`stop`](Self::stop).
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the journal cannot be read, or the result cannot be written.
    pub async fn verify(self: &Arc<Self>, history: &History) -> Result<TrailView, Problem> {
        let total = history.journal(Journal::trail_status).await?.head.map_or(0, |head| number(head.entry));
        if !self.begin(total) {
            return self.status(history).await;
        }
        let this = self.clone();
        let verified = history.journal(move |journal| {
            let verified = journal.verify_trail(&mut |entry| {
                *this.progress() = Some(VerificationProgress { done: number(entry), total });
                match this.stopped.load(Ordering::Relaxed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            *this.progress() = None;
            verified
        });
        verified.await?;
        self.status(history).await
    }

    /// Begins a verification, unless one is running.
    fn begin(&self, total: u32) -> bool {
        let mut progress = self.progress();
        if progress.is_some() {
            return false;
        }
        *progress = Some(VerificationProgress { done: 0, total });
        self.stopped.store(false, Ordering::Relaxed);
        true
    }

    /// Stops the verification. It leaves no entry in the trail.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn progress(&self) -> MutexGuard<'_, Option<VerificationProgress>> {
        // Poisoning is ignored: the value is only assigned as a whole.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn number(entry: i64) -> u32 {
    // No genuine entry is below 1.
    u32::try_from(entry.max(0)).unwrap_or(u32::MAX)
}

/// An event of the audit trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TrailEvent {
    /// Number of its entry.
    pub entry: EntryNumber,
    /// Time; `null` if it cannot be read.
    pub at: Option<Millis>,
    /// Kind, for example `operation.sent`.
    pub kind: String,
    /// Key of the operation or action, or what was refused; may be empty.
    pub operation: String,
    /// Whether the event is about an import that undoes another one.
    pub is_undo: bool,
    /// Name of the site; empty if the event concerns none.
    pub site_name: String,
    /// Name of the server at that time; `null` for a portal, and if the site had no other.
    pub server_name: Option<String>,
    /// Account at the site, or that of the operating system.
    pub who: String,
    /// Outcome; may be empty.
    pub outcome: String,
}

/// Events of the audit trail, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TrailPage {
    /// The events.
    pub events: Vec<TrailEvent>,
    /// Number of the oldest entry on this page, before which the next page begins; `null` on the last page.
    pub older: Option<EntryNumber>,
}

/// Returns at most `limit` events of a search, by site and time, and of these kinds (empty for all), that are older than the
/// entry `before`.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub async fn events(
    history: &History,
    search: HistorySearch,
    kinds: Vec<String>,
    before: Option<EntryNumber>,
    limit: u32,
) -> Result<TrailPage, Problem> {
    let selection = selection(search, kinds);
    let limit = limit.clamp(1, MOST_EVENTS);
    let before = before.map(|EntryNumber(before)| before);
    let entries = history.journal(move |journal| journal.trail_page(&selection, before, limit)).await?;
    let is_full = entries.len() >= limit as usize;
    let older = entries.last().filter(|_| is_full).map(|last| EntryNumber(last.seq));
    Ok(TrailPage { events: entries.iter().map(event).collect(), older })
}

fn event(entry: &Entry) -> TrailEvent {
    let described = export::described(entry);
    let field = |name: &str| described.field(name).to_owned();
    let account = field("account");
    TrailEvent {
        entry: EntryNumber(entry.seq),
        at: described.at.parse::<jiff::Timestamp>().ok().map(|at| Millis(at.as_millisecond())),
        operation: field("operation"),
        is_undo: described.has_parameter(UNDOES),
        site_name: field("siteName"),
        server_name: Some(field("serverName")).filter(|name| !name.is_empty()),
        who: if account.is_empty() { field("osUser") } else { account },
        outcome: field("outcome"),
        kind: described.kind,
    }
}

fn selection(search: HistorySearch, kinds: Vec<String>) -> Selection {
    Selection {
        site: search.site.map(|site| site.0),
        from: search.from.map(|from| from.0),
        to: search.to.map(|to| to.0),
        kinds,
        ..Selection::default()
    }
}

/// Verifies the entries since the last verification. The result is written to the trail.
pub async fn verify_new_entries(history: History) {
    match history.journal(Journal::verify_new_entries).await {
        Ok(verified) if verified.breaks.is_empty() => {}
        // The trail has an event for each break. A log of thousands would be of no use.
        Ok(Verified { breaks, .. }) => {
            tracing::error!(number = breaks.len(), first = ?breaks.first(), "the audit trail is broken");
        }
        Err(problem) => tracing::error!(?problem, "the audit trail cannot be verified"),
    }
}

/// Exports the audit trail to a file that the user chooses: the events of a search, by site and time, and of these kinds;
/// `kinds` is empty for all.
///
/// # Errors
/// - [`Problem::Unexpected`] if the journal cannot be read.
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
pub async fn save(
    history: &History,
    dialogs: &SelectedPaths,
    search: HistorySearch,
    kinds: Vec<String>,
    format: TrailFormat,
) -> Result<SaveResult, Problem> {
    let name = files::dated_name("audit trail", Millis::now(), format.extension());
    let Some(path) = dialogs.save_file(Title::SaveAuditTrail, &name).await? else {
        return Ok(SaveResult::Dismissed);
    };
    let selection = selection(search, kinds);
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
            TrailFormat::Syslog => lines(journal, selection, file),
        }
    };
    files::replace(path, fill, || Ok(()))?;
    hash_of(path)
}

/// Writes each entry as a message of RFC 5424.
fn lines<W: io::Write>(journal: &Journal, selection: &Selection, mut to: W) -> io::Result<()> {
    /// An error of the journal or of the file: `read_trail` needs one type for both.
    struct Failed(io::Error);
    impl From<JournalError> for Failed {
        fn from(error: JournalError) -> Self {
            Self(io::Error::other(error))
        }
    }
    let through = journal.trail_status().map_err(io::Error::other)?.head.map_or(0, |head| head.entry);
    let written =
        journal.read_trail(selection, through, |entry| export::rfc5424(&mut to, entry).map_err(Failed));
    written.map_err(|Failed(error)| error)?;
    to.flush()
}

impl TrailFormat {
    const fn extension(self) -> &'static str {
        match self {
            Self::JsonLines => "zip",
            Self::Syslog => "log",
        }
    }
}
