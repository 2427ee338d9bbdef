//! Audit package: history entries as a ZIP file with checksums.
//!
//! [`write()`] is the entry point. The same entries and the same audit trail result in the same bytes, and no file of the
//! package contains a secret that [`redact`] detects.

use std::io::{Seek, Write};

use serde_json::json;
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::journal::{Journal, JournalError};
use crate::page;
pub use crate::page::{PageWords, facts_table};
use crate::record::{StoredResponse, Whole};
use crate::summary_page::SummaryPage;
use crate::tables;
use crate::trail::export::Selection;
use crate::trail_files::{self, TrailFilesError};

/// Name of the page that says the whole on paper.
const SUMMARY: &str = "summary.html";

/// Reason why an audit package cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum AuditPackageError {
    /// The ZIP library returned an error.
    #[error("the archive could not be written")]
    Archive(#[from] zip::result::ZipError),
    /// A file of the archive cannot be written.
    #[error("a file of the archive could not be written")]
    File(#[from] std::io::Error),
    /// An entry cannot be read.
    #[error("an entry of the history could not be read")]
    Entry(#[from] JournalError),
    /// The audit trail cannot be added.
    #[error("the audit trail could not be added to the archive")]
    Trail(#[from] TrailFilesError),
}

/// Entry of an audit package.
#[derive(Debug)]
pub struct Packed {
    /// Entry with its response and report.
    pub whole: Whole,
    /// Page that replaces the generated `report.html`; the caller must redact it.
    pub report_page: Option<String>,
}

/// Writes an audit package to `to`, and returns `to`.
///
/// The package contains `record.json`, `request.json`, `response.json` (`response.txt` if the response is not JSON),
/// `report.json`, `outcome-resolution.json`, `report.html`, and `SHA256SUMS.txt`, which `sha256sum --check` reads. Files
/// without stored content are omitted. Each of several entries has a folder of its own. `summary.html` is for paper. The folder
/// `trail` has the audit trail of `journal`: all envelopes, the bodies of these entries, and scripts that verify both.
///
/// Entries are taken from `entries` one after the other: their reports can be megabytes. `words` are the texts of the
/// generated page.
///
/// # Errors
///
/// - [`AuditPackageError::Archive`] if an entry of the ZIP file cannot be started or completed.
/// - [`AuditPackageError::File`] if the content of an entry cannot be written.
/// - [`AuditPackageError::Entry`] if `entries` returns an error.
/// - [`AuditPackageError::Trail`] if the audit trail cannot be read or written.
pub fn write<W: Write + Seek>(
    to: W,
    journal: &Journal,
    entries: impl ExactSizeIterator<Item = Result<Packed, JournalError>>,
    words: &PageWords<'_>,
) -> Result<W, AuditPackageError> {
    let mut archive = ZipWriter::new(to);
    let mut summary = SummaryPage::begin(words);
    let mut events = Vec::new();
    let mut sums = String::new();
    let mut selection = Selection::default();
    let (are_several, mut newest) = (entries.len() > 1, i64::MIN);
    for (number, entry) in entries.enumerate() {
        let Packed { whole, report_page } = entry?;
        let whole = redacted(&whole);
        let record = &whole.record;
        let folder = match are_several {
            true => format!("{:03}-{}/", number + 1, of_file_name(&record.intent.operation)),
            false => String::new(),
        };
        let at = record.ended_at.unwrap_or(record.intent.started_at);
        newest = newest.max(at);
        let begin = sums.len();
        for (name, content) in files(&whole, report_page, words) {
            let name = format!("{folder}{name}");
            archive.start_file(name.as_str(), options(at))?;
            archive.write_all(content.as_bytes())?;
            sums.push_str(&format!("{}  {name}\n", sha256(content.as_bytes())));
        }
        summary.entry(&whole, &sums[begin..]);
        events.append(&mut journal.entries_of(&whole.record.id)?);
        selection.records.push(whole.record.id);
    }
    let trail = trail_files::add(&mut archive, journal, &selection, "trail/", options(newest))?;
    let summary = summary.end(&events, trail.head.trim_end());
    archive.start_file(SUMMARY, options(newest))?;
    archive.write_all(summary.as_bytes())?;
    sums += &trail.sums;
    sums.push_str(&format!("{}  {SUMMARY}\n", sha256(summary.as_bytes())));
    archive.start_file("SHA256SUMS.txt", options(newest))?;
    archive.write_all(sums.as_bytes())?;
    Ok(archive.finish()?)
}

/// Returns the letters of a key that are safe in the name of a folder. A damaged one can have others.
fn of_file_name(key: &str) -> String {
    key.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect()
}

fn options(at: i64) -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).last_modified_time(time(at))
}

fn files(whole: &Whole, report_page: Option<String>, words: &PageWords<'_>) -> Vec<(&'static str, String)> {
    let mut record = tables::object(&whole.record, &(words.describe)(&whole.record));
    // Without it, a response that was damaged on disk would look like none.
    if whole.is_damaged {
        record["contentDamaged"] = true.into();
    }
    let mut files = vec![
        ("record.json", pretty(&record)),
        ("request.json", pretty(&json!(whole.record.intent.requests))),
    ];
    if let Some(StoredResponse { text, .. }) = &whole.response {
        // Keep the text as it was received instead of formatting it.
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        files.push((if is_json { "response.json" } else { "response.txt" }, text.clone()));
    }
    if let Some(report) = &whole.report {
        files.push(("report.json", report.pretty().unwrap_or_default() + "\n"));
    }
    // Show that a user set the outcome and that no response confirms it.
    if let Some(resolution) = &whole.outcome_resolution {
        files.push(("outcome-resolution.json", pretty(&json!(resolution))));
    }
    files.push(("report.html", report_page.unwrap_or_else(|| page::html(whole, words))));
    files
}

/// Redacts again: the version that stored the entry might know fewer names of secrets.
fn redacted(whole: &Whole) -> Whole {
    let response = whole.response.as_ref().map(StoredResponse::redacted);
    Whole {
        record: whole.record.redacted(),
        response,
        report: whole.report.as_ref().and_then(|report| report.redacted().ok()),
        outcome_resolution: whole.outcome_resolution.clone(),
        is_damaged: whole.is_damaged,
    }
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}\n")
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the time of the entry for the files of the archive, so that the archive does not depend on the current time.
/// Times before 1980, which ZIP cannot store, become the default.
fn time(millis: i64) -> DateTime {
    let civil =
        jiff::Timestamp::from_millisecond(millis).unwrap_or_default().to_zoned(jiff::tz::TimeZone::UTC);
    let two = |number: i8| u8::try_from(number).unwrap_or_default();
    DateTime::from_date_and_time(
        u16::try_from(civil.year()).unwrap_or_default(),
        two(civil.month()),
        two(civil.day()),
        two(civil.hour()),
        two(civil.minute()),
        two(civil.second()),
    )
    .unwrap_or_default()
}
