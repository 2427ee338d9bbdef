//! Exports of many history entries: [`csv()`] for spreadsheets, [`json()`] for programs.
//!
//! Entries are redacted again. [`Table`] writes any CSV file of the program; no cell of it runs as a formula.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::{Value, json};

use crate::record::StoredRecord;
use crate::search::{DamagedRecords, Listed};

/// Name and event of an entry, in the words of the program that shows it.
#[derive(Debug, Clone, Default)]
pub struct Description {
    /// Key of the operation or action. It can be more precise than that of the intent: the undo of an import is one.
    pub operation: String,
    /// One sentence with names and values; may be empty.
    pub summary: String,
}

/// Returns the description of an entry.
pub type Describe<'a> = &'a dyn Fn(&StoredRecord) -> Description;

const COLUMNS: [&str; 22] = [
    "started",
    "ended",
    "elapsed ms",
    "site",
    "server",
    "site kind",
    "site version",
    "operation",
    "outcome",
    "summary",
    "note",
    "user",
    "system user",
    "computer",
    "parameters",
    "requests",
    "program version",
    "site id",
    "record id",
    "reason",
    "batch",
    "outcome set by a user",
];

/// Entry to export.
#[derive(Debug, Clone, Copy)]
pub enum Exported<'a> {
    /// An intact one.
    Record(&'a StoredRecord),
    /// Damaged ones. Only what identifies them is exported.
    Damaged(&'a DamagedRecords),
}

impl<'a> From<&'a StoredRecord> for Exported<'a> {
    fn from(record: &'a StoredRecord) -> Self {
        Self::Record(record)
    }
}

impl<'a> From<&'a Listed> for Exported<'a> {
    fn from(entry: &'a Listed) -> Self {
        match entry {
            Listed::Record(record) => Self::Record(record),
            Listed::Damaged(damaged) => Self::Damaged(damaged),
        }
    }
}

/// Outcome of a damaged entry in exports.
const DAMAGED: &str = "damaged";

/// Writes entries as CSV. For several pages, only the first call sets `is_first`, which writes the header.
///
/// # Errors
///
/// Returns the error of `to` if it cannot be written.
pub fn csv<'a>(
    to: impl Write,
    entries: impl IntoIterator<Item: Into<Exported<'a>>>,
    separator: Separator,
    is_first: bool,
    describe: Describe<'_>,
) -> io::Result<()> {
    let mut table = if is_first { Table::begin(to, separator)? } else { Table::resume(to, separator) };
    if is_first {
        table.row(COLUMNS)?;
    }
    for entry in entries {
        match entry.into() {
            Exported::Record(record) => {
                let record = record.redacted();
                table.row(cells(&record, describe(&record)))?;
            }
            Exported::Damaged(damaged) => table.row(damaged_cells(damaged))?,
        }
    }
    table.end()
}

/// Writes entries as one JSON array.
///
/// # Errors
///
/// Returns the error of `to` if it cannot be written.
pub fn json<'a>(
    mut to: impl Write,
    entries: impl IntoIterator<Item: Into<Exported<'a>>>,
    describe: Describe<'_>,
) -> io::Result<()> {
    let mut before = "[\n";
    for entry in entries {
        to.write_all(before.as_bytes())?;
        let object = match entry.into() {
            Exported::Record(record) => {
                let record = record.redacted();
                object(&record, &describe(&record))
            }
            Exported::Damaged(damaged) => json!({
                "outcome": DAMAGED,
                "count": damaged.count,
                "id": damaged.id,
                "startedAt": damaged.started_at.map(|began| moment(Some(began))),
            }),
        };
        serde_json::to_writer(&mut to, &object)?;
        before = ",\n";
    }
    to.write_all(if before == "[\n" { b"[]\n" } else { b"\n]\n" })
}

/// Returns an entry as JSON.
pub(crate) fn object(record: &StoredRecord, described: &Description) -> Value {
    let intent = &record.intent;
    let parameters: Vec<Value> =
        intent.parameters.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    json!({
        "id": record.id,
        "operation": described.operation,
        "outcome": record.outcome.name(),
        "outcomeSetByUser": record.is_resolved,
        "summary": described.summary,
        "note": record.note,
        "reason": intent.reason,
        "batch": intent.batch.as_ref().map(|batch| json!({ "id": batch.id, "requests": batch.size })),
        "facts": record.facts,
        "site": {
            "id": intent.site,
            "server": intent.server,
            "serverName": intent.server_name,
            "name": intent.site_name,
            "kind": intent.environment,
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

fn cells(record: &StoredRecord, described: Description) -> [String; 22] {
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
        intent.server_name.clone(),
        intent.environment.clone(),
        intent.site_version.clone(),
        described.operation,
        record.outcome.name().to_owned(),
        described.summary,
        record.note.clone(),
        intent.username.clone(),
        record.workstation.user.clone(),
        record.workstation.computer.clone(),
        lines(&intent.parameters),
        requests.join("\n"),
        intent.program_version.clone(),
        intent.site.clone(),
        record.id.clone(),
        intent.reason.clone(),
        intent.batch.clone().unwrap_or_default().id,
        if record.is_resolved { "yes".to_owned() } else { String::new() },
    ]
}

fn damaged_cells(damaged: &DamagedRecords) -> [String; 22] {
    let mut cells = [const { String::new() }; 22];
    cells[0] = moment(damaged.started_at);
    cells[8] = DAMAGED.to_owned();
    cells[10] = damaged.count.to_string();
    cells[18] = damaged.id.clone().unwrap_or_default();
    cells
}

/// What separates the cells of a row. Spreadsheets split by that of their region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    /// In regions with a decimal point.
    Comma,
    /// In regions with a decimal comma.
    Semicolon,
}

/// Writer of a CSV file for spreadsheets.
///
/// The file has a UTF-8 byte order mark. Every cell is quoted, so that spreadsheets that separate by another character do
/// not split it, and a cell that a spreadsheet would run as a formula starts with an apostrophe. Characters that a terminal runs, that
/// end a text, or that turn it around are replaced by U+FFFD.
pub struct Table<W: Write>(csv::Writer<W>);

impl<W: Write> Table<W> {
    /// Starts a file with the byte order mark.
    ///
    /// # Errors
    /// Returns the error of `to` if it cannot be written.
    pub fn begin(mut to: W, separator: Separator) -> io::Result<Self> {
        // Spreadsheets detect UTF-8 by the byte order mark.
        to.write_all("\u{feff}".as_bytes())?;
        Ok(Self::resume(to, separator))
    }

    /// Continues a file that was started before.
    pub fn resume(to: W, separator: Separator) -> Self {
        let mut format = csv::WriterBuilder::new();
        format.delimiter(match separator {
            Separator::Comma => b',',
            Separator::Semicolon => b';',
        });
        format.terminator(csv::Terminator::CRLF).quote_style(csv::QuoteStyle::Always).flexible(true);
        Self(format.from_writer(to))
    }

    /// Writes a row.
    ///
    /// # Errors
    /// Returns the error of the file if it cannot be written.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl AsRef<str>>) -> io::Result<()> {
        let cells = cells.into_iter().map(|cell| guarded(cell.as_ref()).replace(is_harmful, "\u{fffd}"));
        Ok(self.0.write_record(cells)?)
    }

    /// Flushes the file.
    ///
    /// # Errors
    /// Returns the error of the file if it cannot be written.
    pub fn end(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns a cell that no spreadsheet runs: an apostrophe is before each part of it that would be a formula, at its start
/// and where a spreadsheet that splits by another character begins a cell.
#[must_use]
pub fn guarded(cell: &str) -> Cow<'_, str> {
    let at: Vec<usize> = starts(cell).filter(|at| is_formula(after_quotes(cell, *at))).collect();
    if at.is_empty() {
        return cell.into();
    }
    let mut guarded = String::with_capacity(cell.len() + at.len());
    let mut written = 0;
    for at in at {
        guarded.push_str(&cell[written..at]);
        guarded.push('\'');
        written = at;
    }
    (guarded + &cell[written..]).into()
}

/// Returns the cell of which [`guarded`] made this one.
#[must_use]
pub fn unguarded(cell: &str) -> String {
    let (mut plain, mut written) = (String::with_capacity(cell.len()), 0);
    for at in starts(cell) {
        if let Some(rest) = cell[at..].strip_prefix('\'')
            && is_formula(after_quotes(cell, cell.len() - rest.len()))
        {
            plain.push_str(&cell[written..at]);
            written = at + 1;
        }
    }
    plain + &cell[written..]
}

/// Returns where a cell can begin: at the start of the text, and after what separates cells and rows.
fn starts(cell: &str) -> impl Iterator<Item = usize> {
    let after = cell.match_indices([';', ',', '\t', '\r', '\n']).map(|(at, found)| at + found.len());
    // After CR LF, the row begins after both.
    std::iter::once(0).chain(after).filter(|at| *at == 0 || !cell[*at..].starts_with(['\t', '\r', '\n']))
}

/// Returns the text from `at`. A quotation mark that begins a cell is none of its content, except at the start of the
/// text, where it is written twice.
fn after_quotes(cell: &str, at: usize) -> &str {
    let rest = &cell[at..];
    if at == 0 { rest } else { rest.trim_start_matches(|letter| letter == '"' || is_unseen(letter)) }
}

/// Returns whether a spreadsheet would run a cell: it starts like a formula, possibly after invisible characters.
#[must_use]
pub fn is_formula(cell: &str) -> bool {
    let begins = cell.trim_start_matches(is_unseen);
    begins.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) || cell.starts_with(['\t', '\r', '\n'])
}

fn is_harmful(letter: char) -> bool {
    (letter.is_control() && !matches!(letter, '\t' | '\r' | '\n'))
        || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_unseen(letter: char) -> bool {
    letter.is_whitespace()
        || letter.is_control()
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Formats a time as `2026-01-05T08:00:00Z`. Returns an empty text for `None`.
pub(crate) fn moment(millis: Option<i64>) -> String {
    millis
        .and_then(|millis| jiff::Timestamp::from_millisecond(millis).ok())
        .map(|moment| moment.to_string())
        .unwrap_or_default()
}
