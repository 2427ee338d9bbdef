//! Search of the history. A [`Filter`] becomes one statement that reads one index, newest entry first, without sorting.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use crate::checksum::Table;
use crate::record::{Outcome, StoredRecord};
use crate::salvage::{self, is_damage};

/// Conditions that an entry must meet. The default matches all entries.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Identifier of the site; `None` for any.
    pub site: Option<String>,
    /// Identifier of the server of the site; `None` for any.
    pub server: Option<String>,
    /// Key of the operation or action; `None` for any.
    pub operation: Option<String>,
    /// Whole user name; `None` for any.
    pub username: Option<String>,
    /// Identifier of the batch; `None` for any.
    pub batch: Option<String>,
    /// Accepted outcomes; empty for any.
    pub outcomes: Vec<Outcome>,
    /// Earliest start time, in milliseconds since 1970.
    pub from: Option<i64>,
    /// Latest start time, in milliseconds since 1970.
    pub to: Option<i64>,
    /// Words that the entry must contain. The last one can be the beginning of a word. Empty for any.
    pub text: String,
    /// Position that the entry must precede; see [`Page::older`].
    pub before: Option<i64>,
    /// Position that the entry must follow.
    pub after: Option<i64>,
    /// Maximum number of entries; `None` for all.
    pub limit: Option<u32>,
}

/// Part of the history.
#[derive(Debug, Clone)]
pub struct Page {
    /// Entries, newest first.
    pub entries: Vec<Listed>,
    /// Value of [`Filter::before`] for the next page; `None` after the last page.
    pub older: Option<i64>,
}

/// Entry of a page.
#[derive(Debug, Clone)]
pub enum Listed {
    /// An entry that is as it was written.
    Record(Box<StoredRecord>),
    /// Entries that were damaged.
    Damaged(DamagedRecords),
}

impl Page {
    /// Returns the intact entries.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &StoredRecord> {
        let intact = self.entries.iter().filter_map(|entry| match entry {
            Listed::Record(record) => Some(record.as_ref()),
            Listed::Damaged(_) => None,
        });
        intact.collect::<Vec<_>>().into_iter()
    }
}

/// Entries that were damaged on disk: one whose checksum differs, or several that cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedRecords {
    /// Position of the newest of them.
    pub sequence: i64,
    /// Number of entries.
    pub count: u64,
    /// Identifier of a single entry; `None` if it cannot be read.
    pub id: Option<String>,
    /// Start time of a single entry, in milliseconds since 1970; `None` if it cannot be read.
    pub started_at: Option<i64>,
}

/// Which rows a query reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    /// Intact ones only.
    Intact,
    /// Damaged ones too.
    All,
}

/// SQL statement with its values.
pub(crate) struct Query {
    pub(crate) sql: String,
    pub(crate) values: Vec<Value>,
}

impl Filter {
    /// Reads `columns` of the record table, newest entry first. If the file is damaged, rows are read one by one.
    pub(crate) fn read<T>(
        &self,
        connection: &Connection,
        columns: &str,
        rows: Rows,
        map: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        let read = self.query(connection, columns, rows).and_then(|query| query.read(connection, map));
        match read {
            Err(error) if is_damage(&error) => self.read_one_by_one(connection, columns, rows, map),
            read => read,
        }
    }

    /// Reads without an index. Rows on damaged pages are left out.
    pub(crate) fn read_one_by_one<T>(
        &self,
        connection: &Connection,
        columns: &str,
        rows: Rows,
        map: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        let (mut conditions, mut values) = self.conditions(rows);
        for word in words(&self.text) {
            conditions.push(
                "(SELECT instr(lower(words), lower(?)) FROM searchable WHERE searchable.sequence = record.sequence) > 0"
                    .to_owned(),
            );
            values.push(Value::Text(word));
        }
        conditions.push("record.sequence = ?".to_owned());
        let sql = |columns: &str| format!("SELECT {columns} FROM record WHERE {}", conditions.join(" AND "));
        let before = self.before.unwrap_or(i64::MAX);
        let most = self.limit.map_or(usize::MAX, |limit| limit as usize);
        let places = salvage::places(connection, "record")?.all().rev().filter(|place| *place < before);
        let mut one = connection.prepare(&sql(columns))?;
        let mut alone = connection.prepare(&sql(&salvage::of_record_alone(columns)))?;
        let mut read = |place: i64| {
            let values: Vec<_> = values.iter().cloned().chain([Value::Integer(place)]).collect();
            let found = match one.query_row(params_from_iter(&values), map) {
                Err(error) if is_damage(&error) => alone.query_row(params_from_iter(&values), map),
                found => found,
            };
            match found {
                Ok(row) => Some(Ok(row)),
                Err(rusqlite::Error::QueryReturnedNoRows) => None,
                Err(error) if is_damage(&error) => None,
                Err(error) => Some(Err(error)),
            }
        };
        places.filter_map(&mut read).take(most).collect()
    }

    /// Returns whether the filter has no conditions besides the position.
    pub(crate) fn is_everything(&self) -> bool {
        self.matching().is_none() && self.conditions(Rows::All).0.is_empty()
    }

    /// Returns the statement that reads `columns` of the record table.
    pub(crate) fn query(
        &self,
        connection: &Connection,
        columns: &str,
        rows: Rows,
    ) -> rusqlite::Result<Query> {
        let (mut conditions, mut values) = self.conditions(rows);
        let (table, place) = match self.matching() {
            // CROSS makes SQLite read the full-text index first. Its order is that of the history.
            Some(matching) => {
                values.push(Value::Text(matching));
                conditions.push("search MATCH ?".to_owned());
                ("search CROSS JOIN record ON record.sequence = search.rowid", "search.rowid")
            }
            None => ("record", "record.sequence"),
        };
        let (first, last) = self.places(connection)?;
        if let Some(first) = first {
            conditions.push(format!("{place} >= ?"));
            values.push(Value::Integer(first));
        }
        let last = last.into_iter().chain(self.before.map(|before| before.saturating_sub(1))).min();
        if let Some(last) = last {
            conditions.push(format!("{place} <= ?"));
            values.push(Value::Integer(last));
        }
        let conditions = if conditions.is_empty() { "true".to_owned() } else { conditions.join(" AND ") };
        values.push(Value::Integer(self.limit.map_or(-1, i64::from)));
        let sql = format!("SELECT {columns} FROM {table} WHERE {conditions} ORDER BY {place} DESC LIMIT ?");
        Ok(Query { sql, values })
    }

    /// Returns the conditions that compare columns. The full-text index finds the same entries faster, and might be
    /// damaged. The plus signs keep SQLite from using another index, whose order is not that of the history.
    fn conditions(&self, rows: Rows) -> (Vec<String>, Vec<Value>) {
        let (mut conditions, mut values) = (Vec::new(), Vec::new());
        let texts = [
            ("site", &self.site),
            ("server", &self.server),
            ("operation", &self.operation),
            ("username", &self.username),
        ];
        for (column, text) in texts {
            if let Some(text) = text {
                conditions.push(format!("+record.{column} = ?"));
                values.push(Value::Text(text.clone()));
            }
        }
        if let Some(batch) = &self.batch {
            conditions.push("record.batch <> '' AND record.batch = ?".to_owned());
            values.push(Value::Text(batch.clone()));
        }
        if !self.outcomes.is_empty() {
            let marks = vec!["?"; self.outcomes.len()].join(", ");
            conditions.push(format!("+record.outcome IN ({marks})"));
            values.extend(self.outcomes.iter().map(|outcome| Value::Text(outcome.name().to_owned())));
        }
        // After a clock was set back, entries between two positions can be outside of the times.
        for (compared, moment) in [(">=", self.from), ("<=", self.to)] {
            if let Some(moment) = moment {
                conditions.push(format!("record.started_at {compared} ?"));
                values.push(Value::Integer(moment));
            }
        }
        if let Some(after) = self.after {
            conditions.push("record.sequence > ?".to_owned());
            values.push(Value::Integer(after));
        }
        if rows == Rows::Intact {
            conditions.push(Table::Record.is_intact());
        }
        (conditions, values)
    }

    /// Returns the first and last position between the two times. Each is one lookup, and a scan of the few entries that
    /// were written while the clock was wrong.
    fn places(&self, connection: &Connection) -> rusqlite::Result<(Option<i64>, Option<i64>)> {
        let ask = |sql: &str, moment: i64| -> rusqlite::Result<Option<i64>> {
            connection.prepare_cached(sql)?.query_row([moment], |row| row.get(0))
        };
        let first = "SELECT min(sequence) FROM (
            SELECT * FROM (SELECT sequence FROM record INDEXED BY record_by_time
                           WHERE late = 0 AND started_at >= ?1 ORDER BY started_at, sequence LIMIT 1)
            UNION ALL
            SELECT min(sequence) FROM record INDEXED BY record_late WHERE late = 1 AND started_at >= ?1)";
        let last = "SELECT max(sequence) FROM (
            SELECT * FROM (SELECT sequence FROM record INDEXED BY record_by_time
                           WHERE late = 0 AND started_at <= ?1 ORDER BY started_at DESC, sequence DESC LIMIT 1)
            UNION ALL
            SELECT max(sequence) FROM record INDEXED BY record_late WHERE late = 1 AND started_at <= ?1)";
        let first =
            self.from.map(|from| ask(first, from)).transpose()?.map(|place| place.unwrap_or(i64::MAX));
        let last = self.to.map(|to| ask(last, to)).transpose()?.map(|place| place.unwrap_or(i64::MIN));
        Ok((first, last))
    }

    /// Returns the full-text query; `None` if the filter needs none.
    fn matching(&self) -> Option<String> {
        let mut facets: Vec<String> = Vec::new();
        facets.extend(self.site.iter().map(|site| facet('s', site)));
        facets.extend(self.operation.iter().map(|operation| facet('o', operation)));
        if !self.outcomes.is_empty() {
            let outcomes: Vec<String> =
                self.outcomes.iter().map(|outcome| facet('e', outcome.name())).collect();
            facets.push(format!("({})", outcomes.join(" OR ")));
        }
        let mut parts = Vec::new();
        if !facets.is_empty() {
            parts.push(format!("(facets : ({}))", facets.join(" AND ")));
        }
        if let Some(words) = quoted(&self.text) {
            parts.push(format!("(words : ({words}))"));
        }
        if let Some(name) = self.username.as_deref().and_then(quoted) {
            parts.push(format!("(words : ({name}))"));
        }
        (!parts.is_empty()).then(|| parts.join(" AND "))
    }
}

/// Returns a facet in the form of the view `searchable`.
pub(crate) fn facet(kind: char, value: &str) -> String {
    use std::fmt::Write;
    let mut facet = String::from(kind);
    for byte in value.as_bytes() {
        // Writing to a string cannot fail.
        let _ = write!(facet, "{byte:02x}");
    }
    format!("\"{facet}\"")
}

/// Returns the words of a text. The index contains none without letters and digits.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| letter.is_whitespace() || letter == '\0')
        .filter(|word| word.contains(char::is_alphanumeric))
        .map(str::to_owned)
}

/// Quotes every word, so that no text of the user is an operator.
fn quoted(text: &str) -> Option<String> {
    let words: Vec<String> = words(text).map(|word| format!("\"{}\"", word.replace('"', "\"\""))).collect();
    (!words.is_empty()).then(|| format!("{} *", words.join(" AND ")))
}

impl Query {
    pub(crate) fn read<T>(
        &self,
        connection: &Connection,
        row: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        let mut statement = connection.prepare_cached(&self.sql)?;
        let mut rows = statement.query_map(params_from_iter(&self.values), row)?;
        let room = usize::try_from(salvage::most_rows(connection)).unwrap_or(usize::MAX);
        let read = rows.by_ref().take(room).collect::<rusqlite::Result<_>>()?;
        if rows.next().is_some() { Err(salvage::without_end()) } else { Ok(read) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Journal;

    fn plan(filter: &Filter) -> String {
        let folder = tempfile::tempdir().unwrap();
        Journal::open(&folder.path().join("journal.db")).unwrap().plan(filter).join("\n")
    }

    #[test]
    fn a_search_walks_the_index_of_words_in_the_order_of_the_history() {
        let filters = [
            Filter { text: "backup".to_owned(), ..Filter::default() },
            Filter { site: Some("a".to_owned()), ..Filter::default() },
            Filter { outcomes: vec![Outcome::Failed], from: Some(1), to: Some(2), ..Filter::default() },
            Filter { text: "backup".to_owned(), before: Some(9), limit: Some(10), ..Filter::default() },
        ];
        for filter in filters {
            let plan = plan(&filter);
            assert!(plan.contains("VIRTUAL TABLE INDEX") && plan.contains("M"), "{plan}");
            assert!(plan.contains("SEARCH record USING INTEGER PRIMARY KEY"), "{plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{plan}");
        }
    }

    #[test]
    fn a_page_without_a_search_starts_at_its_place() {
        for filter in
            [Filter { before: Some(9), ..Filter::default() }, Filter { to: Some(9), ..Filter::default() }]
        {
            let plan = plan(&filter);
            assert!(plan.contains("SEARCH record USING INTEGER PRIMARY KEY"), "{plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{plan}");
        }
    }
}
