//! Many records at once: as a table for a spreadsheet, or as JSON for a program.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::record::Record;

const COLUMNS: [&str; 17] = [
    "started",
    "ended",
    "elapsed ms",
    "site",
    "site kind",
    "site version",
    "operation",
    "outcome",
    "note",
    "user",
    "system user",
    "computer",
    "parameters",
    "requests",
    "program version",
    "site id",
    "record id",
];

/// A table. It can be called for one page after the other: only the first has the names of the columns.
///
/// # Errors
/// When `to` cannot be written.
pub fn csv(mut to: impl Write, records: &[Record], is_first: bool) -> io::Result<()> {
    if is_first {
        // The mark tells spreadsheets that it is UTF-8.
        to.write_all("\u{feff}".as_bytes())?;
    }
    let mut table = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .quote_style(csv::QuoteStyle::Always)
        .from_writer(to);
    if is_first {
        table.write_record(COLUMNS)?;
    }
    for record in records {
        table.write_record(cells(&record.redacted()).map(|cell| guarded(&cell)))?;
    }
    table.flush()
}

/// JSON: one array of records.
///
/// # Errors
/// When `to` cannot be written.
pub fn json<'a>(mut to: impl Write, records: impl IntoIterator<Item = &'a Record>) -> io::Result<()> {
    let mut before = "[\n";
    for record in records {
        to.write_all(before.as_bytes())?;
        serde_json::to_writer(&mut to, &object(&record.redacted()))?;
        before = ",\n";
    }
    to.write_all(if before == "[\n" { b"[]\n" } else { b"\n]\n" })
}

/// A record as JSON.
pub(crate) fn object(record: &Record) -> Value {
    let intent = &record.intent;
    let parameters: Vec<Value> =
        intent.parameters.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    json!({
        "id": record.id,
        "operation": intent.operation,
        "outcome": record.outcome.name(),
        "note": record.note,
        "site": {
            "id": intent.site,
            "name": intent.site_name,
            "kind": intent.site_kind,
            "version": intent.site_version,
        },
        "username": intent.username,
        "systemUser": record.workstation.user,
        "computer": record.workstation.computer,
        "programVersion": intent.program_version,
        "startedAt": moment(Some(intent.started_at)),
        "endedAt": record.ended_at.map(|ended| moment(Some(ended))),
        "elapsedMillis": record.elapsed,
        "parameters": parameters,
        "requests": intent.requests,
    })
}

fn cells(record: &Record) -> [String; 17] {
    let intent = &record.intent;
    let lines = |pairs: &[(String, String)]| {
        pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("\n")
    };
    let requests: Vec<String> =
        intent.requests.iter().map(|request| format!("{} {}", request.method, request.address)).collect();
    [
        moment(Some(intent.started_at)),
        moment(record.ended_at),
        record.elapsed.map(|elapsed| elapsed.to_string()).unwrap_or_default(),
        intent.site_name.clone(),
        intent.site_kind.clone(),
        intent.site_version.clone(),
        intent.operation.clone(),
        record.outcome.name().to_owned(),
        record.note.clone(),
        intent.username.clone(),
        record.workstation.user.clone(),
        record.workstation.computer.clone(),
        lines(&intent.parameters),
        requests.join("\n"),
        intent.program_version.clone(),
        intent.site.clone(),
        record.id.clone(),
    ]
}

/// A cell that begins like a formula would be run by a spreadsheet.
#[must_use]
pub fn guarded(cell: &str) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) {
        format!("'{cell}")
    } else {
        cell.to_owned()
    }
}

/// A moment as `2026-01-05T08:00:00Z`; empty for none.
pub(crate) fn moment(millis: Option<i64>) -> String {
    millis
        .and_then(|millis| jiff::Timestamp::from_millisecond(millis).ok())
        .map(|moment| moment.to_string())
        .unwrap_or_default()
}
