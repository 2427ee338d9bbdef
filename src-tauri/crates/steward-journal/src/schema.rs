//! Format of the journal file, and its tables.
//!
//! [`open`] is the entry point. `PRAGMA application_id` marks a file as a journal, and `PRAGMA user_version` is its
//! format. The first migration comes with format 2: in one transaction, after a copy of the journal was written.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::{checksum, salvage};

/// Mark of a journal: `StwJ`.
const APPLICATION_ID: i32 = 0x5374_774A;

/// Format that is read and written.
const FORMAT: i32 = 1;

/// Longest wait for another process that writes. Its transactions take milliseconds.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Reason why a journal cannot be opened.
#[derive(Debug)]
pub(crate) enum SchemaError {
    /// SQLite returned an error.
    Database(rusqlite::Error),
    /// The journal has this format, which is newer than [`FORMAT`].
    Newer(i32),
    /// The file is not a journal, or one of a version before the first release.
    NotOurs,
    /// The definitions of the tables were damaged on disk.
    Damaged,
}

/// Content of a database file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    /// No tables yet.
    Nothing,
    /// A journal of this format.
    Journal(i32),
    /// A journal of a version before the first release. Its files had no mark, and formats up to 6.
    BeforeRelease,
    /// Something else.
    Other,
}

/// Opens or creates a journal.
///
/// # Errors
///
/// - [`SchemaError::Newer`] if the journal has a newer format. It is not changed.
/// - [`SchemaError::NotOurs`] if the file is something else. It is not changed.
/// - [`SchemaError::Damaged`] if its tables are not those of this format.
/// - [`SchemaError::Database`] if the journal cannot be opened or created.
pub(crate) fn open(path: &Path) -> Result<Connection, SchemaError> {
    if !are_files(path) {
        return Err(SchemaError::NotOurs);
    }
    // Look before the file is opened for writing, which would merge its write-ahead log. Continue after an error: SQLite
    // must repair a file that was being created before it can be read.
    if let Ok(content) = look(path) {
        accept(content)?;
    }
    #[cfg(unix)]
    make_private(path);
    let mut connection = Connection::open(path).map_err(SchemaError::Database)?;
    connection.busy_timeout(LONGEST_WAIT).map_err(SchemaError::Database)?;
    // Flush to disk on every commit: an entry must survive a power failure before the request is sent. On macOS, only a
    // full fsync flushes the cache of the disk; the two settings have no effect on other systems.
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
             PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;",
        )
        .and_then(|()| checksum::register(&connection))
        .map_err(SchemaError::Database)?;
    let content = content(&connection).map_err(SchemaError::Database)?;
    accept(content)?;
    if content == Content::Nothing {
        create(&mut connection).map_err(SchemaError::Database)?;
    }
    must_have_all_tables(&connection)?;
    Ok(connection)
}

/// Opens a database to read it, without the lock that SQLite takes for each value by default: no two threads use a connection at a
/// time. It took a sixth of the processor time of a verification.
pub(crate) fn read_only(path: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

/// Opens a journal to read it, without a change of it.
///
/// # Errors
///
/// Those of [`open`].
pub(crate) fn open_to_read(path: &Path) -> Result<Connection, SchemaError> {
    accept(look(path).map_err(SchemaError::Database)?)?;
    let connection = read_only(path)
        .and_then(|connection| checksum::register(&connection).map(|()| connection))
        .map_err(SchemaError::Database)?;
    must_have_all_tables(&connection)?;
    Ok(connection)
}

/// Checks the definitions of all tables and indexes: with a damaged definition, rows might be mistaken for others.
fn must_have_all_tables(connection: &Connection) -> Result<(), SchemaError> {
    let whole = create_in_memory().and_then(|whole| definitions(&whole)).map_err(SchemaError::Database)?;
    match definitions(connection).map_err(SchemaError::Database)? == whole {
        true => Ok(()),
        false => Err(SchemaError::Damaged),
    }
}

/// Opens a journal as it is at this moment: in a read transaction, so that nothing that is written later is in it.
pub(crate) fn open_snapshot(path: &Path) -> rusqlite::Result<Connection> {
    let connection = read_only(path)?;
    connection.busy_timeout(LONGEST_WAIT)?;
    checksum::register(&connection)?;
    // The transaction begins with the first read.
    connection.execute_batch("BEGIN")?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

fn create_in_memory() -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    create(&mut connection)?;
    Ok(connection)
}

/// Returns the definitions of all tables and indexes, without their comments and line breaks.
fn definitions(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT concat_ws(' ', type, name, tbl_name, sql) FROM sqlite_schema ORDER BY name";
    let without_comments = |definition: String| without_comments(&definition);
    connection.prepare(sql)?.query_map([], |row| salvage::text(row, 0).map(without_comments))?.collect()
}

/// Removes comments, and joins what is left by single spaces. A text in quotation marks stays as it is: two dashes in it begin no
/// comment.
fn without_comments(definition: &str) -> String {
    let mut rest = definition;
    let mut joined = String::with_capacity(definition.len());
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' | '"' | '`' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            '-' if rest.starts_with("--") => {
                // SQLite reads no further than a NUL.
                rest = rest.find(['\n', '\0']).map_or("", |end| &rest[end..]);
                continue;
            }
            _ if first.is_ascii_whitespace() => {
                if !joined.ends_with(' ') {
                    joined.push(' ');
                }
                rest = &rest[first.len_utf8()..];
                continue;
            }
            _ => first.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        joined.push_str(part);
        rest = after;
    }
    joined.trim_end().to_owned()
}

/// Returns whether a file is a journal of a version before the first release.
pub(crate) fn is_before_release(path: &Path) -> bool {
    matches!(look(path), Ok(Content::BeforeRelease))
}

/// Returns whether a file is a journal of a release.
pub(crate) fn is_of_release(path: &Path) -> bool {
    matches!(look(path), Ok(Content::Journal(_)))
}

/// Returns whether a file is missing, or has no tables.
pub(crate) fn is_empty(path: &Path) -> bool {
    matches!(look(path), Ok(Content::Nothing))
}

/// Creates the file of a copy, for its owner only.
pub(crate) fn open_copy(path: &Path) -> rusqlite::Result<Connection> {
    #[cfg(unix)]
    make_private(path);
    let connection = Connection::open(path)?;
    checksum::register(&connection)?;
    Ok(connection)
}

fn look(path: &Path) -> rusqlite::Result<Content> {
    if !path.exists() {
        return Ok(Content::Nothing);
    }
    if !are_files(path) {
        return Ok(Content::Other);
    }
    content(&read_only(path)?)
}

/// Returns whether a database and what SQLite keeps beside it are files, or missing. SQLite would wait for a pipe.
fn are_files(path: &Path) -> bool {
    ["", "-journal", "-wal", "-shm"].into_iter().all(|beside| {
        let mut name = path.as_os_str().to_owned();
        name.push(beside);
        std::fs::metadata(name).map_or(true, |known| known.is_file())
    })
}

fn content(connection: &Connection) -> rusqlite::Result<Content> {
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i32>(0));
    Ok(match (number("PRAGMA application_id")?, number("PRAGMA user_version")?) {
        (APPLICATION_ID, format) => Content::Journal(format),
        (0, 0) if number("SELECT count(*) FROM sqlite_master")? == 0 => Content::Nothing,
        (0, 1..=6) => Content::BeforeRelease,
        _ => Content::Other,
    })
}

fn accept(content: Content) -> Result<(), SchemaError> {
    match content {
        Content::Nothing | Content::Journal(FORMAT) => Ok(()),
        Content::Journal(newer) => Err(SchemaError::Newer(newer)),
        Content::BeforeRelease | Content::Other => Err(SchemaError::NotOurs),
    }
}

/// Creates the tables in one transaction: a process that is killed leaves all of them, or none.
fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(include_str!("schema.sql"))?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    transaction.commit()
}

/// Creates the file for its owner only. SQLite uses the same permissions for its auxiliary files. An error is ignored:
/// opening the database reports it next.
#[cfg(unix)]
fn make_private(path: &Path) {
    let mut options = std::fs::OpenOptions::new();
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    drop(options.create(true).append(true).open(path));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_makes_no_other_definition_and_dashes_in_a_text_do() {
        let of = without_comments("CREATE TABLE a (\n    -- What it is: 'x'.\n    b TEXT DEFAULT ' -- '\n)");
        assert_eq!(of, "CREATE TABLE a ( b TEXT DEFAULT ' -- ' )");
        let one = without_comments("SELECT ' -- ' || 'evil'\n || ' o'");
        assert_ne!(one, without_comments("SELECT ' -- ' || 'other'\n || ' o'"));
        assert_ne!(without_comments("SELECT 'it''s -- a'"), without_comments("SELECT 'it''s -- b'"));
    }
}
