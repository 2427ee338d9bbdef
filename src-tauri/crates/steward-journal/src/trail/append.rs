//! Appends events to the chain.

use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;

use super::entry::{self, Envelope, Head, NOTHING};
use super::event::Event;
use super::records;
use crate::salvage::{is_damage, text};
use crate::workstation::Workstation;
use steward_redact as redact;

/// Time by which a clock can be set back as an adjustment, without an event.
const ADJUSTED: jiff::SignedDuration = jiff::SignedDuration::from_secs(2);

/// Fields of every body. The salt keeps a short body from being guessed by its hash, which is in every package.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    seq: i64,
    salt: String,
    #[serde(flatten)]
    event: &'a serde_json::Value,
    os_user: &'a str,
    computer: &'a str,
    program: &'a str,
}

/// Newest entry, which the next one follows.
struct Last {
    seq: i64,
    at: jiff::Timestamp,
    hash: String,
}

/// Appends an event, without secrets. The transaction must have begun with the lock of the file (`BEGIN IMMEDIATE`):
/// otherwise another process could append after the same entry.
pub(crate) fn append(transaction: &Connection, event: &Event) -> rusqlite::Result<()> {
    let now = jiff::Timestamp::now();
    let last = match last(transaction)? {
        Some(last) => last,
        None => write(transaction, None, now, &began())?,
    };
    let last = if last.at.duration_since(now) > ADJUSTED {
        let jump = Event::ClockJumped { from: millis(last.at), to: millis(now) };
        write(transaction, Some(last), now, &jump)?
    } else {
        last
    };
    write(transaction, Some(last), now, event).map(drop)
}

/// Returns the head of the chain; `None` if it has not begun.
pub(crate) fn head(connection: &Connection) -> rusqlite::Result<Option<Head>> {
    let Some(Last { seq, hash, .. }) = last(connection)? else { return Ok(None) };
    Ok(Some(Head { history: history_id(connection)?, entry: seq, hash }))
}

/// Returns the random identifier of the history; empty if the first entry is missing, cannot be read, or has no
/// identifier in the form that the program makes.
fn history_id(connection: &Connection) -> rusqlite::Result<String> {
    let first = connection
        .prepare_cached("SELECT body FROM trail WHERE sequence = 1")?
        .query_row([], |row| text(row, 0));
    let first: serde_json::Value =
        serde_json::from_str(&first.optional()?.unwrap_or_default()).unwrap_or_default();
    Ok(first["historyId"].as_str().filter(|id| entry::is_history_id(id)).unwrap_or_default().to_owned())
}

fn began() -> Event {
    Event::ChainBegan { history_id: uuid::Uuid::new_v4().simple().to_string() }
}

fn last(connection: &Connection) -> rusqlite::Result<Option<Last>> {
    let sql = "SELECT sequence, envelope FROM trail ORDER BY sequence DESC LIMIT 1";
    let row =
        connection.prepare_cached(sql)?.query_row([], |row| Ok((row.get(0)?, text(row, 1)?))).optional()?;
    Ok(row.map(|(seq, envelope)| {
        // A damaged last line is a break that the next verification finds; the chain goes on after it.
        let at = serde_json::from_str::<Envelope<'_>>(&envelope).ok().and_then(|last| last.at.parse().ok());
        Last { seq, at: at.unwrap_or(jiff::Timestamp::UNIX_EPOCH), hash: entry::hash(&envelope) }
    }))
}

fn write(
    transaction: &Connection,
    last: Option<Last>,
    now: jiff::Timestamp,
    event: &Event,
) -> rusqlite::Result<Last> {
    let (seq, prev) = last.map_or((1, NOTHING.to_owned()), |last| (last.seq.saturating_add(1), last.hash));
    let workstation = Workstation::this();
    let mut event = serde_json::to_value(event).map_err(unwritable)?;
    redact::json(&mut event);
    if let (Some(record), true) = (event["record"].as_str(), event["recordSha256"].is_string())
        && let Some(before) = told_before(transaction, record)?
    {
        event["recordBeforeSha256"] = before.into();
    }
    let kind = event["type"].as_str().unwrap_or_default();
    let body = entry::line(&Body {
        seq,
        salt: uuid::Uuid::new_v4().simple().to_string(),
        event: &event,
        os_user: &workstation.user,
        computer: &workstation.computer,
        program: env!("CARGO_PKG_VERSION"),
    })
    .map_err(unwritable)?;
    let (at, body_hash) = (millis(now), entry::hash(&body));
    let envelope = entry::line(&Envelope::new(seq, &at, kind, &body_hash, &prev)).map_err(unwritable)?;
    transaction
        .prepare_cached("INSERT INTO trail (sequence, envelope, body) VALUES (?1, ?2, ?3)")?
        .insert(params![seq, envelope, body])?;
    Ok(Last { seq, at: now, hash: entry::hash(&envelope) })
}

/// Returns the hash in the last event about a record: a walk through the whole trail compares it, so that no index hides an
/// event that came between. `None` if there is none, or if it cannot be read.
fn told_before(transaction: &Connection, record: &str) -> rusqlite::Result<Option<String>> {
    match records::last_told(transaction, record) {
        Err(error) if is_damage(&error) => Ok(None),
        told => Ok(told?.map(|(_, sha256)| sha256)),
    }
}

fn millis(time: jiff::Timestamp) -> String {
    format!("{time:.3}")
}

fn unwritable(error: serde_json::Error) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(error.into())
}
