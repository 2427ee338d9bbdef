//! Audit package: history entries as a ZIP file with checksums.
//!
//! [`write()`] is the entry point. The same entries and the same audit trail result in the same bytes, and no file of the
//! package contains a secret that [`redact`] detects.

use std::io::{Seek, Write};

use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::journal::{Journal, JournalError};
use crate::page;
pub use crate::page::{PageWords, facts_table};
use crate::record::{StoredResponse, Whole};
use crate::tables;
use crate::trail::export::Selection;
use crate::trail_files::{self, TrailFilesError};

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

/// Writes an audit package to `to`, and returns `to`.
///
/// The package contains `record.json`, `response.json` (`response.txt` if the response is not JSON), `report.json`, the page
/// `report.html`, and `SHA256SUMS.txt`, which `sha256sum --check` reads. Files without stored content are omitted. Each of several
/// entries has a folder of its own. Beside them is the audit trail of `journal`: all envelopes, the bodies of these
/// entries, and scripts that verify both, and compare the files with what the trail recorded. For that, each file has its text as
/// it is stored. One whose text has more secrets than were known when it was stored is called `*.masked.*`.
///
/// Entries are read one after the other, because their reports can be megabytes, and all of them and the trail as they are when
/// this function begins. `report_page` returns the page that replaces the generated `report.html` of an entry; it must redact it.
/// `words` are the texts of the generated page.
///
/// # Errors
///
/// - [`AuditPackageError::Archive`] if an entry of the ZIP file cannot be started or completed.
/// - [`AuditPackageError::File`] if the content of an entry cannot be written.
/// - [`AuditPackageError::Entry`] if an entry cannot be read.
/// - [`AuditPackageError::Trail`] if the audit trail cannot be read or written.
pub fn write<W: Write + Seek>(
    to: W,
    journal: &Journal,
    records: &[String],
    mut report_page: impl FnMut(&Whole) -> Option<String>,
    words: &PageWords<'_>,
) -> Result<W, AuditPackageError> {
    // An entry that is changed meanwhile would differ from its events.
    let journal = &journal.snapshot()?;
    let mut archive = ZipWriter::new(to);
    let mut sums = String::new();
    let selection = Selection { records: records.to_vec(), ..Selection::default() };
    let (are_several, mut newest) = (records.len() > 1, i64::MIN);
    for (number, id) in records.iter().enumerate() {
        let stored = journal.whole(id)?;
        let report_page = report_page(&stored);
        let whole = redacted(&stored);
        // The version that stored the entry might know fewer names of secrets.
        let is_masked = format!("{:?}", stored.record) != format!("{:?}", whole.record);
        let line = if is_masked { None } else { Some(journal.stored_line(id)?) };
        let record = &whole.record;
        let folder = match are_several {
            true => format!("{:03}-{}/", number + 1, of_file_name(&record.intent.operation)),
            false => String::new(),
        };
        let at = record.ended_at.unwrap_or(record.intent.started_at);
        newest = newest.max(at);
        for (name, content) in files(&stored, line, &whole, report_page, words) {
            let name = format!("{folder}{name}");
            archive.start_file(name.as_str(), options(at))?;
            archive.write_all(content.as_bytes())?;
            sums.push_str(&format!("{}  {name}\n", sha256(content.as_bytes())));
        }
    }
    sums += &trail_files::add(&mut archive, journal, &selection, options(newest))?;
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

fn files(
    stored: &Whole,
    line: Option<String>,
    whole: &Whole,
    report_page: Option<String>,
    words: &PageWords<'_>,
) -> Vec<(&'static str, String)> {
    let record = match line {
        Some(line) => ("record.json", line + "\n"),
        None => {
            let object = tables::object(&whole.record, &(words.describe)(&whole.record));
            ("record.masked.json", format!("{object:#}\n"))
        }
    };
    let mut files = vec![record];
    if let (Some(before), Some(StoredResponse { text, .. })) = (&stored.response, &whole.response) {
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        let name = match (is_json, before.text == *text) {
            (true, true) => "response.json",
            (true, false) => "response.masked.json",
            (false, true) => "response.txt",
            (false, false) => "response.masked.txt",
        };
        files.push((name, text.clone()));
    }
    if let (Some(before), Some(report)) = (&stored.report, &whole.report) {
        let name = if before.text() == report.text() { "report.json" } else { "report.masked.json" };
        files.push((name, report.text().to_owned()));
    }
    files.push(("report.html", report_page.unwrap_or_else(|| page::html(whole, words))));
    files
}

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
