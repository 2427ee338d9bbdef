//! Search of the history. A [`Filter`] becomes one statement that reads one index, newest entry first, without sorting.

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::record::{Outcome, StoredRecord};

/// Conditions that an entry must meet. The default matches all entries.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Identifier of the site; `None` for any.
    pub site: Option<String>,
    /// Key of the operation or action; `None` for any.
    pub operation: Option<String>,
    /// Whole user name; `None` for any.
    pub username: Option<String>,
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
    /// Maximum number of entries; `None` for all.
    pub limit: Option<u32>,
}

/// Part of the history.
#[derive(Debug, Clone)]
pub struct Page {
    /// Entries, newest first.
    pub records: Vec<StoredRecord>,
    /// Value of [`Filter::before`] for the next page; `None` after the last page.
    pub older: Option<i64>,
}

/// SQL statement with its values.
pub(crate) struct Query {
    pub(crate) sql: String,
    pub(crate) values: Vec<Value>,
}

impl Filter {
    /// Returns the statement that reads `columns` of the record table.
    pub(crate) fn query(&self, connection: &Connection, columns: &str) -> rusqlite::Result<Query> {
        let mut values = Vec::new();
        let mut conditions = Vec::new();
        let matching = self.matching();
        let (table, place) = match matching {
            // CROSS makes SQLite read the full-text index first. Its order is that of the history.
            Some(matching) => {
                values.push(Value::Text(matching));
                conditions.push("search MATCH ?");
                ("search CROSS JOIN record ON record.sequence = search.rowid", "search.rowid")
            }
            None => ("record", "record.sequence"),
        };
        let (first, last) = self.places(connection)?;
        let (after_first, before_last) = (format!("{place} >= ?"), format!("{place} <= ?"));
        if let Some(first) = first {
            conditions.push(&after_first);
            values.push(Value::Integer(first));
        }
        let last = last.into_iter().chain(self.before.map(|before| before.saturating_sub(1))).min();
        if let Some(last) = last {
            conditions.push(&before_last);
            values.push(Value::Integer(last));
        }
        // The full-text index finds the words of the name; this compares the whole name.
        if let Some(username) = &self.username {
            conditions.push("record.username = ?");
            values.push(Value::Text(username.clone()));
        }
        // Compare the times too: after a clock was set back, entries between the two positions can be outside.
        if let Some(from) = self.from {
            conditions.push("record.started_at >= ?");
            values.push(Value::Integer(from));
        }
        if let Some(to) = self.to {
            conditions.push("record.started_at <= ?");
            values.push(Value::Integer(to));
        }
        let conditions = if conditions.is_empty() { "true".to_owned() } else { conditions.join(" AND ") };
        values.push(Value::Integer(self.limit.map_or(-1, i64::from)));
        let sql = format!("SELECT {columns} FROM {table} WHERE {conditions} ORDER BY {place} DESC LIMIT ?");
        Ok(Query { sql, values })
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
        if let Some(words) = words(&self.text) {
            parts.push(format!("(words : ({words}))"));
        }
        if let Some(name) = self.username.as_deref().and_then(words) {
            parts.push(format!("(words : ({name}))"));
        }
        (!parts.is_empty()).then(|| parts.join(" AND "))
    }
}

/// Returns a facet in the form of the view `searchable`.
fn facet(kind: char, value: &str) -> String {
    use std::fmt::Write;
    let mut facet = String::from(kind);
    for byte in value.as_bytes() {
        // Writing to a string cannot fail.
        let _ = write!(facet, "{byte:02x}");
    }
    format!("\"{facet}\"")
}

/// Quotes every word, so that no text of the user is an operator.
fn words(text: &str) -> Option<String> {
    let words: Vec<String> = text
        .split(|letter: char| letter.is_whitespace() || letter == '\0')
        // The index contains no words without letters and digits.
        .filter(|word| word.contains(char::is_alphanumeric))
        .map(|word| format!("\"{}\"", word.replace('"', "\"\"")))
        .collect();
    (!words.is_empty()).then(|| format!("{} *", words.join(" AND ")))
}

impl Query {
    pub(crate) fn read<T>(
        &self,
        connection: &Connection,
        row: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        connection.prepare_cached(&self.sql)?.query_map(params_from_iter(&self.values), row)?.collect()
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
