//! Files of the audit trail: JSON lines, which verify, and RFC 5424 and CEF, which log servers read.
//!
//! Texts come from sites. In each format one entry stays one line, whatever a site is called.

use std::io::{self, Write};

use rusqlite::Connection;
use serde_json::{Map, Value};

use super::entry::{Envelope, hash, is_hidden};
use crate::salvage::{optional_text, text};
use crate::workstation::Workstation;

/// Scripts that verify the files of [`ENVELOPES`] and [`BODIES`] without this program, and what they are called.
pub const SCRIPTS: [(&str, &str); 3] = [
    ("verify.sh", include_str!("verify.sh")),
    ("verify.ps1", include_str!("verify.ps1")),
    ("verify.py", include_str!("verify.py")),
];

/// Name of the file with all envelopes, one in each line.
pub const ENVELOPES: &str = "envelopes.jsonl";

/// Name of the file with bodies, one in each line.
pub const BODIES: &str = "bodies.jsonl";

/// Facility *log audit* of RFC 5424, section 6.2.1.
const LOG_AUDIT: u8 = 13;

/// Longest message that receivers should take (RFC 5424, section 6.1), in bytes.
const LONGEST: usize = 2_048;

/// Which entries are exported with their bodies. All envelopes are.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Identifiers of the records that the bodies tell of; empty for any.
    pub records: Vec<String>,
    /// Identifier of the site; `None` for any.
    pub site: Option<String>,
    /// Kinds of events; empty for any.
    pub kinds: Vec<String>,
    /// Earliest time, in milliseconds since 1970.
    pub from: Option<i64>,
    /// Latest time, in milliseconds since 1970.
    pub to: Option<i64>,
}

/// Entry as it is stored.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Position in the trail.
    pub seq: i64,
    /// First line.
    pub envelope: String,
    /// Second line; `None` if it is not part of the selection, or was removed by law.
    pub body: Option<String>,
}

impl Selection {
    pub(crate) fn read(
        &self,
        connection: &Connection,
        after: i64,
        limit: u32,
    ) -> rusqlite::Result<Vec<Entry>> {
        let has_record = "(?3 = '[]' OR record IN (SELECT value FROM json_each(?3)))";
        let records = Value::from(self.records.as_slice()).to_string();
        let sql = format!(
            "SELECT sequence, envelope, iif({has_record}, body, NULL) FROM trail
             WHERE sequence > ?1 ORDER BY sequence LIMIT ?2"
        );
        let mut statement = connection.prepare_cached(&sql)?;
        let entries = statement.query_map((after, limit, &records), |row| {
            Ok(Entry { seq: row.get(0)?, envelope: text(row, 1)?, body: optional_text(row, 2)? })
        })?;
        entries.map(|entry| entry.map(|entry| self.without_other_bodies(entry))).collect()
    }

    /// Reads the entries of the selection among those that are older than `before`, newest first: at most `limit` are looked at,
    /// and the number of the last one is returned too.
    pub(crate) fn read_older(
        &self,
        connection: &Connection,
        before: i64,
        limit: u32,
    ) -> rusqlite::Result<(Vec<Entry>, Option<i64>)> {
        let sql =
            "SELECT sequence, envelope, body FROM trail WHERE sequence < ?1 ORDER BY sequence DESC LIMIT ?2";
        let mut statement = connection.prepare_cached(sql)?;
        let entries = statement.query_map((before, limit), |row| {
            Ok(Entry { seq: row.get(0)?, envelope: text(row, 1)?, body: optional_text(row, 2)? })
        })?;
        let mut entries: Vec<Entry> = entries.collect::<rusqlite::Result<_>>()?;
        let last = entries.last().map(|entry| entry.seq);
        entries.retain(|entry| self.has(&entry.envelope, entry.body.as_deref().unwrap_or_default()));
        Ok((entries, last))
    }

    fn without_other_bodies(&self, entry: Entry) -> Entry {
        let is_selected = entry.body.as_deref().is_some_and(|body| self.has(&entry.envelope, body));
        Entry { body: entry.body.filter(|_| is_selected), ..entry }
    }

    fn has(&self, envelope: &str, body: &str) -> bool {
        if self.site.is_none() && self.kinds.is_empty() && self.from.is_none() && self.to.is_none() {
            return true;
        }
        // Show what cannot be read rather than leaving it out.
        let Ok(envelope) = serde_json::from_str::<Envelope<'_>>(envelope) else { return true };
        let at = envelope.at.parse::<jiff::Timestamp>().map(jiff::Timestamp::as_millisecond).ok();
        let is_in_time =
            at.is_none_or(|at| self.from.is_none_or(|from| at >= from) && self.to.is_none_or(|to| at <= to));
        let is_of_kind = self.kinds.is_empty() || self.kinds.iter().any(|kind| kind == envelope.kind);
        let is_at_site = self.site.as_ref().is_none_or(|site| {
            serde_json::from_str::<Value>(body).is_ok_and(|body| body["site"].as_str() == Some(site))
        });
        is_in_time && is_of_kind && is_at_site
    }
}

/// Writes an entry as a message of RFC 5424, in one line. Does nothing for an entry without a body.
///
/// # Errors
///
/// Returns the error of `to`.
pub fn rfc5424(to: &mut impl Write, entry: &Entry) -> io::Result<()> {
    let Some(event) = Readable::of(entry) else { return Ok(()) };
    let priority = LOG_AUDIT * 8 + event.severity().syslog();
    let header = format!(
        "<{priority}>1 {at} {host} site-steward - {kind} [meta sequenceId=\"{seq}\"][origin software=\"Site Steward\" swVersion=\"{version}\"] \u{feff}",
        at = header_field(&event.at, 32),
        host = header_field(event.field("computer"), 255),
        kind = header_field(&event.kind, 32),
        // RFC 5424, section 7.3.1: a number of at most 2147483647.
        seq = entry.seq.min(2_147_483_647),
        version = parameter(event.field("program")),
    );
    let room = LONGEST.saturating_sub(header.len());
    writeln!(to, "{header}{}", event.message(room))
}

/// Returns a message of RFC 5424 without an event, which shows that a log server is reached.
#[must_use]
pub fn test_message() -> Vec<u8> {
    let priority = LOG_AUDIT * 8 + Severity::Notice.syslog();
    let text = format!(
        "<{priority}>1 {at:.3} {host} site-steward - forwarding.test [origin software=\"Site Steward\" swVersion=\"{version}\"] \u{feff}Test message",
        at = jiff::Timestamp::now(),
        host = header_field(&Workstation::this().computer, 255),
        version = env!("CARGO_PKG_VERSION"),
    );
    text.into_bytes()
}

/// Writes an entry in the Common Event Format, in one line. Does nothing for an entry without a body.
///
/// # Errors
///
/// Returns the error of `to`.
pub fn cef(to: &mut impl Write, entry: &Entry) -> io::Result<()> {
    let Some(event) = Readable::of(entry) else { return Ok(()) };
    let time = event.at.parse::<jiff::Timestamp>().map(jiff::Timestamp::as_millisecond).unwrap_or_default();
    let extension = [
        ("rt", time.to_string()),
        ("externalId", entry.seq.to_string()),
        ("suser", event.field("account").to_owned()),
        ("suid", event.field("osUser").to_owned()),
        ("shost", event.field("computer").to_owned()),
        ("act", event.field("operation").to_owned()),
        ("outcome", event.field("outcome").to_owned()),
        ("msg", event.field("note").to_owned()),
        ("cs1Label", "prev".to_owned()),
        ("cs1", event.prev.clone()),
        ("cs2Label", "body".to_owned()),
        ("cs2", event.body.clone()),
        ("cs3Label", "site".to_owned()),
        ("cs3", event.field("siteName").to_owned()),
        ("cs4Label", "details".to_owned()),
        ("cs4", event.message(LONGEST)),
    ];
    let extension = extension.iter().filter(|(_, value)| !value.is_empty());
    let extension: Vec<_> =
        extension.map(|(name, value)| format!("{name}={}", extension_value(value))).collect();
    writeln!(
        to,
        "CEF:0|Site Steward|Site Steward|{}|{kind}|{kind}|{}|{}",
        header_value(event.field("program")),
        event.severity().cef(),
        extension.join(" "),
        kind = header_value(&event.kind),
    )
}

/// What an entry says, for a page. What cannot be read is empty.
#[derive(Debug)]
pub struct Described {
    /// Time in UTC.
    pub at: String,
    /// Kind of the event.
    pub kind: String,
    /// SHA-256 of the envelope.
    pub hash: String,
    fields: Map<String, Value>,
}

impl Described {
    /// Returns a text of the body; empty if there is none.
    #[must_use]
    pub fn field(&self, name: &str) -> &str {
        self.fields.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns whether the body has a parameter.
    #[must_use]
    pub fn has_parameter(&self, name: &str) -> bool {
        let parameters = self.fields.get("parameters").and_then(Value::as_array);
        parameters
            .is_some_and(|given| given.iter().any(|one| one.get(0).and_then(Value::as_str) == Some(name)))
    }
}

/// Reads an entry.
#[must_use]
pub fn described(entry: &Entry) -> Described {
    let envelope: Option<Envelope<'_>> = serde_json::from_str(&entry.envelope).ok();
    let (at, kind) = envelope.map(|found| (found.at.to_owned(), found.kind.to_owned())).unwrap_or_default();
    let fields = entry.body.as_deref().and_then(|body| serde_json::from_str(body).ok()).unwrap_or_default();
    Described { at, kind, hash: hash(&entry.envelope), fields }
}

/// Reads the entries that tell of a record, in their order.
pub(crate) fn of_record(connection: &Connection, record: &str) -> rusqlite::Result<Vec<Entry>> {
    let sql = "SELECT sequence, envelope, body FROM trail WHERE record = ?1 ORDER BY sequence";
    let mut statement = connection.prepare_cached(sql)?;
    let entries = statement.query_map([record], |row| {
        Ok(Entry { seq: row.get(0)?, envelope: text(row, 1)?, body: optional_text(row, 2)? })
    })?;
    entries.collect()
}

/// What the two lines of an entry say.
struct Readable {
    at: String,
    kind: String,
    prev: String,
    body: String,
    hash: String,
    fields: Map<String, Value>,
}

/// Severity of an event.
#[derive(Clone, Copy)]
enum Severity {
    Error,
    Warning,
    Notice,
}

impl Severity {
    /// RFC 5424, section 6.2.1.
    const fn syslog(self) -> u8 {
        match self {
            Self::Error => 3,
            Self::Warning => 4,
            Self::Notice => 5,
        }
    }

    const fn cef(self) -> u8 {
        match self {
            Self::Error => 8,
            Self::Warning => 6,
            Self::Notice => 3,
        }
    }
}

impl Readable {
    /// Reads an entry; `None` if it has no body. What cannot be read is empty.
    fn of(entry: &Entry) -> Option<Self> {
        let body = entry.body.as_deref()?;
        let envelope: Option<Envelope<'_>> = serde_json::from_str(&entry.envelope).ok();
        let of = |field: fn(&Envelope<'_>) -> String| envelope.as_ref().map(field).unwrap_or_default();
        Some(Self {
            at: of(|found| found.at.to_owned()),
            kind: of(|found| found.kind.to_owned()),
            prev: of(|found| found.prev.to_owned()),
            body: of(|found| found.body.to_owned()),
            hash: hash(&entry.envelope),
            fields: serde_json::from_str(body).unwrap_or_default(),
        })
    }

    fn field(&self, name: &str) -> &str {
        self.fields.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn severity(&self) -> Severity {
        match (self.kind.as_str(), self.field("outcome")) {
            ("chain.broken" | "chain.rolled-back", _) | (_, "failed") => Severity::Error,
            (
                "clock.jumped"
                | "file.unreadable"
                | "forwarding.changed"
                | "forwarding.failing"
                | "forwarding.turned-off"
                | "request.refused"
                | "sign-in.rejected",
                _,
            )
            | (_, "unknown" | "warnings") => Severity::Warning,
            _ => Severity::Notice,
        }
    }

    /// Returns everything as one line of JSON of at most `room` bytes. What is too long is replaced by its hash, the
    /// longest first.
    fn message(&self, room: usize) -> String {
        let mut fields = self.fields.clone();
        fields.remove("salt");
        for (name, value) in [("hash", &self.hash), ("prev", &self.prev), ("body", &self.body)] {
            fields.insert(name.to_owned(), value.as_str().into());
        }
        loop {
            let line = super::entry::line(&fields).unwrap_or_default();
            let longest = fields.iter_mut().max_by_key(|(_, value)| value.to_string().len());
            match longest {
                Some((_, value)) if line.len() > room && value.to_string().len() > HASHED => {
                    *value = format!("sha256:{}", hash(&value.to_string())).into();
                }
                _ => return line,
            }
        }
    }
}

/// Length of a value that was replaced by its hash, with its quotation marks.
const HASHED: usize = 73;

/// Returns a text as a field of the header of RFC 5424: printable ASCII without spaces, at most `most` characters.
fn header_field(text: &str, most: usize) -> String {
    let field: String =
        text.chars().map(|one| if one.is_ascii_graphic() { one } else { '_' }).take(most).collect();
    if field.is_empty() { "-".to_owned() } else { field }
}

/// Returns a text as a value of structured data: `"`, `\` and `]` are escaped (RFC 5424, section 6.3.3).
fn parameter(text: &str) -> String {
    escaped(text, &['"', '\\', ']'])
}

/// Returns a text as a value of the header of CEF: `|` and `\` are escaped, and there are no line breaks.
fn header_value(text: &str) -> String {
    escaped(text, &['|', '\\'])
}

/// Returns a text as a value of the extension of CEF: `=` and `\` are escaped. It has no line breaks, although CEF
/// knows an escape for them: not every receiver reads it.
fn extension_value(text: &str) -> String {
    escaped(text, &['=', '\\'])
}

fn escaped(text: &str, special: &[char]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            hidden if is_hidden(hidden) => escaped.push('\u{fffd}'),
            special_one if special.contains(&special_one) => escaped.extend(['\\', special_one]),
            other => escaped.push(other),
        }
    }
    escaped
}
