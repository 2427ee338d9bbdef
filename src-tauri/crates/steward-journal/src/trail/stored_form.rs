//! The one line that a record is, for its hash: `record.json` of a package, and `recordSha256` of each event that wrote the
//! record.
//!
//! It is made of what the row has, as it is stored, and names everything of it except the position. A later version of the
//! program that knows more fields of a record leaves those out that are empty: the line of an earlier record stays as it is.

use std::borrow::Cow;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row};
use serde::Serialize;
use serde_json::value::RawValue;

use super::entry::{self, hash};
use crate::checksum::Table;
use crate::salvage::is_damage;

/// Columns of a record, in the order of [`StoredForm::of_row`].
const COLUMNS: &str = "id, operation, outcome, site, site_name, server, server_name, environment, site_version, username,
    system_user, computer, process, program_version, started_at, ended_at, elapsed, note, reason, batch, batch_size,
    parameters, facts, requests, response, response_truncated, report, late";

/// Number of [`columns`]: the place of the first column after them.
pub(crate) const WIDTH: usize = 29;

/// Returns the columns that [`StoredForm::of_row`] reads, from the first one on.
pub(crate) fn columns() -> String {
    format!("{COLUMNS}, {}", Table::Record.is_whole())
}

/// Record as it is stored. The order of the fields is that of the line.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoredForm<'a> {
    v: u32,
    pub(crate) id: Cow<'a, str>,
    pub(crate) operation: Cow<'a, str>,
    pub(crate) outcome: Cow<'a, str>,
    pub(crate) site: Cow<'a, str>,
    pub(crate) site_name: Cow<'a, str>,
    pub(crate) server: Cow<'a, str>,
    pub(crate) server_name: Cow<'a, str>,
    pub(crate) environment: Cow<'a, str>,
    site_version: Cow<'a, str>,
    pub(crate) username: Cow<'a, str>,
    system_user: Cow<'a, str>,
    computer: Cow<'a, str>,
    process: Cow<'a, str>,
    program_version: Cow<'a, str>,
    started_at: Option<String>,
    ended_at: Option<String>,
    elapsed_millis: Option<i64>,
    /// Whether an earlier record began later.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    late: bool,
    pub(crate) note: Cow<'a, str>,
    pub(crate) reason: Cow<'a, str>,
    batch: Cow<'a, str>,
    batch_size: Option<i64>,
    pub(crate) parameters: Json<'a>,
    facts: Json<'a>,
    pub(crate) requests: Json<'a>,
    /// SHA-256 of the response as it is stored; empty if there is none.
    pub(crate) response_sha256: String,
    response_truncated: bool,
    /// SHA-256 of the report as it is stored; empty as before.
    pub(crate) report_sha256: String,
    /// Outcome that a user set; `null` if none did.
    outcome_set_by_user: Option<Resolution>,
    /// Columns with a value of a type that the program never stores there: it is shown like any other, but no filter or
    /// index finds it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    of_other_types: Vec<&'static str>,
    /// Whether the checksums are those of what is stored. Where they are not, nothing else reads the record.
    #[serde(skip)]
    pub(crate) is_whole: bool,
}

/// Outcome that a user set, as it is stored.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Resolution {
    outcome: String,
    note: String,
    by: String,
    at: Option<String>,
    #[serde(skip)]
    is_intact: bool,
}

/// Text of JSON, which stands in the line as it is stored; as a text if it is damaged.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Json<'a> {
    Intact(&'a RawValue),
    Damaged(Cow<'a, str>),
}

impl Json<'_> {
    /// Returns the stored text.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Intact(json) => json.get(),
            Self::Damaged(text) => text,
        }
    }
}

impl<'a> StoredForm<'a> {
    /// Reads a row of [`COLUMNS`], whose outcome a user might have set.
    pub(crate) fn of_row(
        row: &'a Row<'_>,
        outcome_set_by_user: Option<Resolution>,
    ) -> rusqlite::Result<Self> {
        let mut values = [ValueRef::Null; WIDTH];
        for (index, value) in values.iter_mut().enumerate() {
            *value = row.get_ref(index)?;
        }
        let text = |index: usize| bytes(values[index]).map(String::from_utf8_lossy);
        let texts = |index| text(index).unwrap_or_default();
        let json = |index| json(texts(index));
        let sum = |index| text(index).map(|text| hash(&text)).unwrap_or_default();
        let number = |index: usize| number(values[index]);
        let is_whole = number(28) == Some(1) && outcome_set_by_user.as_ref().is_none_or(|set| set.is_intact);
        Ok(Self {
            v: 1,
            id: texts(0),
            operation: texts(1),
            outcome: texts(2),
            site: texts(3),
            site_name: texts(4),
            server: texts(5),
            server_name: texts(6),
            environment: texts(7),
            site_version: texts(8),
            username: texts(9),
            system_user: texts(10),
            computer: texts(11),
            process: texts(12),
            program_version: texts(13),
            started_at: moment(number(14)),
            ended_at: moment(number(15)),
            elapsed_millis: number(16),
            late: number(27).unwrap_or_default() != 0,
            note: texts(17),
            reason: texts(18),
            batch: texts(19),
            batch_size: number(20),
            parameters: json(21),
            facts: json(22),
            requests: json(23),
            response_sha256: sum(24),
            response_truncated: number(25).unwrap_or_default() != 0,
            report_sha256: sum(26),
            outcome_set_by_user,
            of_other_types: of_other_types(&values),
            is_whole,
        })
    }

    /// Returns the line.
    pub(crate) fn line(&self) -> rusqlite::Result<String> {
        entry::line(self).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
    }
}

/// Returns the columns of a row of [`COLUMNS`] whose value is not of the type that the table declares.
fn of_other_types(values: &[ValueRef<'_>; WIDTH]) -> Vec<&'static str> {
    let mut others = Vec::new();
    for (index, value) in values[..WIDTH - 1].iter().enumerate() {
        let is_as_declared = match *value {
            ValueRef::Integer(number) => match index {
                14..=16 | 20 => true,
                // True or false.
                25 | 27 => matches!(number, 0 | 1),
                _ => false,
            },
            ValueRef::Text(text) => {
                !matches!(index, 14..=16 | 20 | 25 | 27) && std::str::from_utf8(text).is_ok()
            }
            // Columns that a record can lack, or does not have yet.
            ValueRef::Null => matches!(index, 15 | 16 | 24 | 26),
            ValueRef::Real(_) | ValueRef::Blob(_) => false,
        };
        if !is_as_declared {
            others.extend(COLUMNS.split(',').nth(index).map(str::trim));
        }
    }
    others
}

/// Calls `with` with the record with an identifier; `None` if there is none.
pub(crate) fn read<T>(
    connection: &Connection,
    id: &str,
    with: impl FnOnce(&StoredForm<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Option<T>> {
    let resolution = resolution(connection, id)?;
    let sql = format!("SELECT {} FROM record WHERE id = ?1", columns());
    let mut statement = connection.prepare_cached(&sql)?;
    let read = |row: &Row<'_>| with(&StoredForm::of_row(row, resolution)?);
    statement.query_row([id], read).optional()
}

/// Calls `with` with the record at a position; `None` if there is none.
pub(crate) fn read_at<T>(
    connection: &Connection,
    place: i64,
    with: impl FnOnce(&StoredForm<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Option<T>> {
    let sql = format!("SELECT {} FROM record NOT INDEXED WHERE sequence = ?1", columns());
    let mut statement = connection.prepare_cached(&sql)?;
    let read = |row: &Row<'_>| {
        let resolution = resolution(connection, &crate::salvage::text(row, 0)?)?;
        with(&StoredForm::of_row(row, resolution)?)
    };
    statement.query_row([place], read).optional()
}

/// Returns the columns that [`resolution_of_row`] reads.
pub(crate) fn resolution_columns() -> String {
    format!("record, outcome, note, by, at, {}", Table::OutcomeResolution.is_intact())
}

/// Reads a row of [`resolution_columns`], with the identifier of its record.
pub(crate) fn resolution_of_row(row: &Row<'_>) -> rusqlite::Result<(String, Resolution)> {
    let text = |index| crate::salvage::text(row, index);
    let (at, is_intact) = (moment(number(row.get_ref(4)?)), number(row.get_ref(5)?) == Some(1));
    let resolution = Resolution { outcome: text(1)?, note: text(2)?, by: text(3)?, at, is_intact };
    Ok((text(0)?, resolution))
}

fn resolution(connection: &Connection, id: &str) -> rusqlite::Result<Option<Resolution>> {
    let sql = format!("SELECT {} FROM outcome_resolution WHERE record = ?1", resolution_columns());
    let found =
        connection.prepare_cached(&sql).and_then(|mut one| one.query_row([id], resolution_of_row).optional());
    match found {
        // A damaged page of the other table must not keep an outcome from being written.
        Err(error) if is_damage(&error) => Ok(None),
        found => Ok(found?.map(|(_, resolution)| resolution)),
    }
}

fn json(text: Cow<'_, str>) -> Json<'_> {
    match text {
        Cow::Borrowed(text) => {
            let json = serde_json::from_str::<&RawValue>(text).ok();
            // The program writes no white space around it, which would stand in no line.
            json.filter(|json| json.get() == text).map_or(Json::Damaged(Cow::Borrowed(text)), Json::Intact)
        }
        owned @ Cow::Owned(_) => Json::Damaged(owned),
    }
}

fn moment(millis: Option<i64>) -> Option<String> {
    millis.map(|millis| match jiff::Timestamp::from_millisecond(millis) {
        Ok(moment) => moment.to_string(),
        Err(_) => millis.to_string(),
    })
}

fn number(value: ValueRef<'_>) -> Option<i64> {
    value.as_i64().ok()
}

fn bytes(value: ValueRef<'_>) -> Option<&[u8]> {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(bytes),
        ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Null => None,
    }
}
