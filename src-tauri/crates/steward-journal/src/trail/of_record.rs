//! Which event a record of the history is.
//!
//! An operation is sent and ends. An action that sends nothing to change a site is one event, once it took effect; one
//! that did not is an operation that ended.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row};

use super::entry::hash;
use super::event::{Event, OfRecord};
use crate::record::{Intent, Outcome, OutcomeResolution, StoredRequest};
use crate::salvage::text;

/// Columns that [`read`] reads.
const COLUMNS: &str = "id, operation, site, server, site_name, environment, username, parameters, requests, server_name, reason";

/// Run of a backup plan. `run.started` and `run.ended` tell of it, and name its set.
const RUN_PLAN: &str = "run_plan";

/// Makes the event of an action that took effect.
type Effect = fn(OfRecord) -> Event;

/// Returns the event of an action that sends no change to a site; `None` for everything else.
fn effect(operation: &str) -> Option<Effect> {
    Some(match operation {
        "sign_in" => Event::SignedIn,
        "sign_out" => Event::SignedOut,
        "trust_certificate" => Event::CertificateTrusted,
        "add_site" | "change_site" | "remove_site" => Event::SiteChanged,
        "unlock" => Event::SiteUnlocked,
        "lock" => Event::SiteLocked,
        "change_connection" => Event::ConnectionChanged,
        "set_data_aside" => Event::DataSetAside,
        _ => return None,
    })
}

/// Returns the event of an intent, without secrets, that was just written; `None` for an action that has not taken effect, and for
/// the run of a backup plan.
pub(crate) fn sent(id: &str, intent: &Intent, requests: &str) -> Option<Event> {
    if effect(&intent.operation).is_some() || intent.operation == RUN_PLAN {
        return None;
    }
    Some(Event::OperationSent(OfRecord {
        record: id.to_owned(),
        operation: intent.operation.clone(),
        outcome: Outcome::Sent.name().to_owned(),
        site: intent.site.clone(),
        server: intent.server.clone(),
        server_name: intent.server_name.clone(),
        address: first_address(&intent.requests),
        site_name: intent.site_name.clone(),
        environment: intent.environment.clone(),
        account: intent.username.clone(),
        parameters: intent.parameters.clone(),
        reason: intent.reason.clone(),
        request_sha256: hash(requests),
        ..OfRecord::default()
    }))
}

/// Returns the event of an outcome that was just written; `None` if there is no record, or it is of the run of a backup plan.
pub(crate) fn ended(
    connection: &Connection,
    id: &str,
    outcome: Outcome,
    note: String,
) -> rusqlite::Result<Option<Event>> {
    let Some(of_record) = of_operation(read(connection, id)?) else { return Ok(None) };
    // Where SQLite has them: they can be megabytes.
    let hash_in = |row: &Row<'_>, index| {
        Ok::<_, rusqlite::Error>(match row.get_ref(index)? {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => hash(&String::from_utf8_lossy(bytes)),
            ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Null => String::new(),
        })
    };
    let (response_sha256, report_sha256) = connection
        .prepare_cached("SELECT response, report FROM record WHERE id = ?1")?
        .query_row([id], |row| Ok((hash_in(row, 0)?, hash_in(row, 1)?)))?;
    let of_record =
        OfRecord { outcome: outcome.name().to_owned(), note, response_sha256, report_sha256, ..of_record };
    let took_effect = matches!(outcome, Outcome::Succeeded | Outcome::Warnings);
    Ok(Some(match effect(&of_record.operation) {
        Some(effect) if took_effect => effect(of_record),
        Some(_) if of_record.operation == "sign_in" && outcome == Outcome::Failed => {
            Event::SignInRejected(of_record)
        }
        _ => Event::OperationEnded(of_record),
    }))
}

/// Returns the event of a record whose report was changed after its outcome; `None` if there is no record.
pub(crate) fn ended_as_stored(connection: &Connection, id: &str) -> rusqlite::Result<Option<Event>> {
    let stored = connection
        .prepare_cached("SELECT outcome, note FROM record WHERE id = ?1")?
        .query_row([id], |row| Ok((Outcome::named(&text(row, 0)?), text(row, 1)?)))
        .optional()?;
    stored.map_or(Ok(None), |(outcome, note)| ended(connection, id, outcome, note))
}

/// Returns the event of a record without a response, of a program that ended before it; `None` if it cannot be read, or is of
/// the run of a backup plan.
pub(crate) fn unanswered(connection: &Connection, sequence: i64) -> rusqlite::Result<Option<Event>> {
    let sql = format!("SELECT {COLUMNS} FROM record WHERE sequence = ?1");
    let found = connection.prepare_cached(&sql)?.query_row([sequence], read_row).optional()?;
    let outcome = Outcome::Unknown.name().to_owned();
    Ok(of_operation(found).map(|of_record| Event::OperationEnded(OfRecord { outcome, ..of_record })))
}

/// Leaves out the run of a backup plan, which has events of its own.
fn of_operation(found: Option<OfRecord>) -> Option<OfRecord> {
    found.filter(|of_record| of_record.operation != RUN_PLAN)
}

/// Returns the event of an outcome that a user set; `None` if there is no record.
pub(crate) fn resolved(
    connection: &Connection,
    id: &str,
    resolution: &OutcomeResolution,
) -> rusqlite::Result<Option<Event>> {
    Ok(read(connection, id)?.map(|of_record| {
        Event::OutcomeResolved(OfRecord {
            outcome: resolution.outcome.name().to_owned(),
            note: resolution.note.clone(),
            account: resolution.by.clone(),
            ..of_record
        })
    }))
}

/// Returns the event of an entry of the deactivation log that a user marked as resolved; `None` if there is no entry. Its
/// only parameter is the service: a deactivation can be of several.
pub(crate) fn resolved_deactivation(
    connection: &Connection,
    id: &str,
    account: &str,
) -> rusqlite::Result<Option<Event>> {
    let entry = connection
        .prepare_cached("SELECT record, site, service FROM deactivation WHERE id = ?1")?
        .query_row([id], |row| Ok((text(row, 0)?, text(row, 1)?, text(row, 2)?)))
        .optional()?;
    let Some((record, site, service)) = entry else { return Ok(None) };
    // Without the record, the entry is all that is known.
    let of_record = read(connection, &record)?.unwrap_or_default();
    Ok(Some(Event::DeactivationResolved(OfRecord {
        record,
        site,
        account: account.to_owned(),
        parameters: vec![("service".to_owned(), service)],
        outcome: String::new(),
        ..of_record
    })))
}

fn read(connection: &Connection, id: &str) -> rusqlite::Result<Option<OfRecord>> {
    let sql = format!("SELECT {COLUMNS} FROM record WHERE id = ?1");
    connection.prepare_cached(&sql)?.query_row([id], read_row).optional()
}

fn first_address(requests: &[StoredRequest]) -> String {
    requests.first().map(|request| request.address.clone()).unwrap_or_default()
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<OfRecord> {
    let requests = text(row, 8)?;
    let of_requests: Vec<StoredRequest> = serde_json::from_str(&requests).unwrap_or_default();
    Ok(OfRecord {
        record: text(row, 0)?,
        operation: text(row, 1)?,
        site: text(row, 2)?,
        server: text(row, 3)?,
        site_name: text(row, 4)?,
        environment: text(row, 5)?,
        account: text(row, 6)?,
        parameters: serde_json::from_str(&text(row, 7)?).unwrap_or_default(),
        request_sha256: hash(&requests),
        address: first_address(&of_requests),
        server_name: text(row, 9)?,
        reason: text(row, 10)?,
        ..OfRecord::default()
    })
}
