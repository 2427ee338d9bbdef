//! Files of the audit trail: JSON lines, which verify, and RFC 5424, which log servers read.
//!
//! Texts come from sites. In both formats one entry stays one line, whatever a site is called.

use std::io::{self, Write};

use rusqlite::Connection;
use serde_json::{Map, Value};

use super::entry::{Envelope, hash};
use crate::salvage::{self, Order, is_damage, optional_text, text};
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

/// Name of the file with the numbers: how many lines these have, how many bodies the trail lacks, and how many records belong to them.
pub const CONTENTS: &str = "contents.txt";

/// Facility *log audit* of RFC 5424, section 6.2.1.
const LOG_AUDIT: u8 = 13;

/// Longest message that receivers should take (RFC 5424, section 6.1), in bytes.
const LONGEST: usize = 2_048;

/// Largest body that is read, in bytes: a tree of it can take 80 times as much memory. The app writes none that is so large.
const LARGEST: usize = 1024 * 1024;

/// Reads a body; empty if it cannot be read.
fn fields(body: &str) -> Map<String, Value> {
    if body.len() > LARGEST { Map::new() } else { serde_json::from_str(body).unwrap_or_default() }
}

/// Which entries are exported with their bodies. All envelopes are.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Identifiers of the records that the bodies are about; empty for any.
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
    /// Second line; `None` if it is not part of the selection, or was removed as a law required.
    pub body: Option<String>,
}

impl Selection {
    pub(crate) fn read(
        &self,
        connection: &Connection,
        after: i64,
        limit: u32,
    ) -> rusqlite::Result<Vec<Entry>> {
        let entries = self.entries(connection, Order::OldestFirst, after.checked_add(1), limit)?;
        Ok(entries.into_iter().map(|entry| self.without_other_bodies(entry)).collect())
    }

    /// Reads entries from a position on, with their bodies. An entry or a body that cannot be read is left out.
    fn entries(
        &self,
        connection: &Connection,
        order: Order,
        mut position: Option<i64>,
        limit: u32,
    ) -> rusqlite::Result<Vec<Entry>> {
        let Some(first) = position else { return Ok(Vec::new()) };
        match self.read_at_once(connection, order, true, (first, limit)) {
            Err(error) if is_damage(&error) => {}
            entries => return entries,
        }
        let mut entries = Vec::new();
        while let Some(next) = position.filter(|_| entries.len() < limit as usize) {
            let one = match self.read_at_once(connection, order, true, (next, 1)) {
                // The damage might concern only the body.
                Err(error) if is_damage(&error) => self.read_at_once(connection, order, false, (next, 1)),
                one => one,
            };
            position = match one {
                Err(error) if is_damage(&error) => {
                    salvage::next_readable(connection, ("trail", "envelope"), order, next)?
                }
                one => one?.pop().and_then(|one| {
                    let place = one.seq;
                    entries.push(one);
                    match order {
                        Order::OldestFirst => place.checked_add(1),
                        Order::NewestFirst => place.checked_sub(1),
                    }
                }),
            };
        }
        Ok(entries)
    }

    fn read_at_once(
        &self,
        connection: &Connection,
        order: Order,
        with_bodies: bool,
        (position, limit): (i64, u32),
    ) -> rusqlite::Result<Vec<Entry>> {
        let from = match order {
            Order::OldestFirst => "sequence >= ?1 ORDER BY sequence",
            Order::NewestFirst => "sequence <= ?1 ORDER BY sequence DESC",
        };
        let body = match with_bodies {
            true => "iif(?3 = '[]' OR record IN (SELECT value FROM json_each(?3)), body, NULL)",
            false => "iif(?3 = '', '', NULL)",
        };
        let sql = format!("SELECT sequence, envelope, {body} FROM trail WHERE {from} LIMIT ?2");
        let records = Value::from(self.records.as_slice()).to_string();
        let mut statement = connection.prepare_cached(&sql)?;
        let mut next = Some(position);
        let entries = statement.query_map((position, limit, &records), |row| {
            next = order.step(row.get(0)?, next)?;
            Ok(Entry { seq: row.get(0)?, envelope: text(row, 1)?, body: optional_text(row, 2)? })
        })?;
        entries.collect()
    }

    /// Reads the entries of the selection among those that are older than `before`, newest first: at most `limit` are looked at,
    /// and the number of the last one is returned too.
    pub(crate) fn read_older(
        &self,
        connection: &Connection,
        before: i64,
        limit: u32,
    ) -> rusqlite::Result<(Vec<Entry>, Option<i64>)> {
        let mut entries = self.entries(connection, Order::NewestFirst, before.checked_sub(1), limit)?;
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
            body.len() > LARGEST || fields(body).get("site").and_then(Value::as_str) == Some(site)
        });
        is_in_time && is_of_kind && is_at_site
    }
}

/// Writes an entry as a message of RFC 5424, in one line. Of an entry whose body is not the one in its envelope, the line has the
/// hashes only. Does nothing for an entry without a body.
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
        // Replace what would end a value of structured data (RFC 5424, section 6.3.3).
        version = header_field(event.field("program"), 32).replace(['"', '\\', ']'], "_"),
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

/// Content of an entry, for a page. A field that cannot be read is empty.
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
    let fields = entry.body.as_deref().map(fields).unwrap_or_default();
    Described { at, kind, hash: hash(&entry.envelope), fields }
}

/// Content of the two lines of an entry.
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
}

impl Readable {
    /// Reads an entry; `None` if it has no body. What cannot be read is empty.
    fn of(entry: &Entry) -> Option<Self> {
        let body = entry.body.as_deref()?;
        let envelope: Option<Envelope<'_>> = serde_json::from_str(&entry.envelope).ok();
        let of = |field: fn(&Envelope<'_>) -> String| envelope.as_ref().map(field).unwrap_or_default();
        let body_hash = of(|found| found.body.to_owned());
        // A log server keeps what it gets: a text that the chain does not have must not stand beside its hashes.
        let fields = if hash(body) == body_hash { fields(body) } else { Map::new() };
        Some(Self {
            at: of(|found| found.at.to_owned()),
            kind: of(|found| found.kind.to_owned()),
            prev: of(|found| found.prev.to_owned()),
            body: body_hash,
            hash: hash(&entry.envelope),
            fields,
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
    /// longest first. Of an entry with so many values that this is not enough, the line has only the hashes of the chain.
    fn message(&self, room: usize) -> String {
        let mut fields = self.fields.clone();
        fields.remove("salt");
        let hashes = [("hash", &self.hash), ("prev", &self.prev), ("body", &self.body)];
        let hashes = hashes.map(|(name, value)| (name.to_owned(), Value::from(value.as_str())));
        fields.extend(hashes.clone());
        let line_of = |fields: &Map<String, Value>| super::entry::line(fields).unwrap_or_default();
        let line = line_of(&fields);
        if line.len() <= room {
            return line;
        }
        let mut too_much = line.len() - room;
        let mut values: Vec<_> =
            fields.values_mut().map(|value| (super::entry::line(value).unwrap_or_default(), value)).collect();
        values.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        for (text, value) in values {
            if too_much == 0 || text.len() <= HASHED {
                break;
            }
            *value = format!("sha256:{}", hash(&value.to_string())).into();
            too_much = too_much.saturating_sub(text.len() - HASHED);
        }
        match too_much {
            0 => line_of(&fields),
            _ => line_of(&Map::from_iter(hashes)),
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
