//! One operation as evidence for a ticket: a ZIP that can be checked.

use std::io::{Seek, Write};

use serde_json::json;
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::page;
pub use crate::page::{Words, facts_table};
use crate::record::{Answer, Whole};
use crate::redact;
use crate::tables;

/// Why no evidence was written.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    /// The archive could not be written.
    #[error("the archive could not be written")]
    Archive(#[from] zip::result::ZipError),
    /// A file in it could not be written.
    #[error("a file of the archive could not be written")]
    File(#[from] std::io::Error),
}

/// Writes `record.json`, `request.json`, `answer.json` (`answer.txt` where it is not JSON), `report.json`,
/// `settlement.json`, `report.html` and `SHA256SUMS.txt`, which `sha256sum --check` reads. What is not kept is left out.
///
/// `report_page` is the report as a page where the caller knows better how to show it; its secrets are the
/// caller's to leave out. `words` are those of the page otherwise.
///
/// # Errors
/// When `to` cannot be written.
pub fn write<W: Write + Seek>(
    to: W,
    whole: &Whole,
    report_page: Option<String>,
    words: &Words<'_>,
) -> Result<W, EvidenceError> {
    let whole = redacted(whole);
    let mut archive = ZipWriter::new(to);
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(time(whole.record.ended_at.unwrap_or(whole.record.intent.started_at)));
    let mut sums = String::new();
    for (name, content) in files(&whole, report_page, words) {
        archive.start_file(name, options)?;
        archive.write_all(content.as_bytes())?;
        sums.push_str(&format!("{}  {name}\n", sha256(content.as_bytes())));
    }
    archive.start_file("SHA256SUMS.txt", options)?;
    archive.write_all(sums.as_bytes())?;
    Ok(archive.finish()?)
}

fn files(whole: &Whole, report_page: Option<String>, words: &Words<'_>) -> Vec<(&'static str, String)> {
    let mut files = vec![
        ("record.json", pretty(&tables::object(&whole.record))),
        ("request.json", pretty(&json!(whole.record.intent.requests))),
    ];
    if let Some(Answer { text, .. }) = &whole.answer {
        // Letter by letter as it is kept: this is what was answered, not how we would write it.
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        files.push((if is_json { "answer.json" } else { "answer.txt" }, text.clone()));
    }
    if let Some(report) = &whole.report {
        files.push(("report.json", pretty(report)));
    }
    // Whoever reads "succeeded" must see that no answer said so.
    if let Some(settlement) = &whole.settlement {
        files.push(("settlement.json", pretty(&json!(settlement))));
    }
    files.push(("report.html", report_page.unwrap_or_else(|| page::html(whole, words))));
    files
}

/// A record of an old journal may have been written with less care.
fn redacted(whole: &Whole) -> Whole {
    let mut report = whole.report.clone();
    if let Some(report) = &mut report {
        redact::json(report);
    }
    let answer = whole.answer.as_ref().map(redact::answer);
    // Redacted when it was written, by the version that wrote the first one.
    Whole { record: whole.record.redacted(), answer, report, settlement: whole.settlement.clone() }
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}\n")
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The time of the record, so that the same record is the same archive on any day. Archives know no time before
/// 1980.
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
