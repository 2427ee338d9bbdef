//! Database schema and its migrations.
//!
//! [`open`] is the entry point. [`STEPS`] has one step for each schema version, stored as `PRAGMA user_version`. A step
//! that was released is never changed. A migration runs in one transaction, after a copy of the journal was written.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::migration_v1::redact_version_1;
use crate::migration_v5::rename_terms;

/// Reason why a journal cannot be opened or migrated.
#[derive(Debug)]
pub(crate) enum SchemaError {
    /// SQLite returned an error.
    Database(rusqlite::Error),
    /// The copy before a migration cannot be written.
    Copy(std::io::Error),
    /// The journal has this version, which is newer than [`STEPS`].
    Newer(i32),
}

/// Statements that make each schema version from the one before.
const STEPS: [&str; 6] = [
    "
    CREATE TABLE record (
        sequence   INTEGER PRIMARY KEY,
        id         TEXT NOT NULL UNIQUE,
        site       TEXT NOT NULL,
        site_name  TEXT NOT NULL,
        operation  TEXT NOT NULL,
        username   TEXT NOT NULL,
        parameters TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at   INTEGER,
        outcome    TEXT NOT NULL,
        note       TEXT NOT NULL DEFAULT '',
        report     TEXT
    ) STRICT;
    CREATE INDEX record_by_site ON record (site, sequence);
    ",
    // What may be large stands last: SQLite walks over everything before a column to read it.
    "
    DROP INDEX record_by_site;
    ALTER TABLE record RENAME TO record_of_version_1;
    CREATE TABLE record (
        sequence        INTEGER PRIMARY KEY,
        id              TEXT NOT NULL UNIQUE,
        site            TEXT NOT NULL,
        site_name       TEXT NOT NULL,
        site_kind       TEXT NOT NULL DEFAULT '',
        site_version    TEXT NOT NULL DEFAULT '',
        operation       TEXT NOT NULL,
        username        TEXT NOT NULL,
        program_version TEXT NOT NULL DEFAULT '',
        parameters      TEXT NOT NULL,
        started_at      INTEGER NOT NULL,
        -- Whether an earlier record began later: the clock was set back. The others stand in order of time.
        late            INTEGER NOT NULL DEFAULT 0,
        ended_at        INTEGER,
        elapsed         INTEGER,
        outcome         TEXT NOT NULL,
        note            TEXT NOT NULL DEFAULT '',
        requests        TEXT NOT NULL DEFAULT '[]',
        answer_cut      INTEGER NOT NULL DEFAULT 0,
        answer          TEXT,
        report          TEXT
    ) STRICT;
    CREATE INDEX record_by_success ON record (site, operation, outcome, ended_at);
    CREATE INDEX record_by_time ON record (started_at) WHERE late = 0;
    CREATE INDEX record_late ON record (started_at) WHERE late = 1;
    CREATE INDEX record_open ON record (sequence) WHERE outcome = 'sent';

    -- A search for each beginning that a person types is one look-up; without an index of its own, it would
    -- gather all words that begin so.
    -- Facets are one word each, so that a filter and a search are one walk through the same index.
    CREATE VIRTUAL TABLE search USING fts5 (
        facets, words,
        content = '', contentless_delete = 1, prefix = '1 2 3 4 5 6 7 8', tokenize = 'unicode61 remove_diacritics 2'
    );
    CREATE VIEW searchable AS
        SELECT sequence,
               's' || hex(site) || ' o' || hex(operation) || ' e' || hex(outcome) AS facets,
               concat_ws(char(10), site_name, site_kind, site_version, operation, username, note,
                   (SELECT group_concat(atom, char(10)) FROM json_tree(iif(json_valid(parameters), parameters, NULL))
                    WHERE type = 'text'),
                   -- A report of 50 MB is found by its beginning.
                   (SELECT substr(group_concat(atom, char(10)), 1, 262144)
                    FROM json_tree(iif(json_valid(report), report, NULL)) WHERE type = 'text')) AS words
        FROM record;
    CREATE TRIGGER record_is_new AFTER INSERT ON record BEGIN
        INSERT INTO search (rowid, facets, words)
            SELECT sequence, facets, words FROM searchable WHERE sequence = new.sequence;
    END;
    CREATE TRIGGER record_has_changed AFTER UPDATE ON record BEGIN
        DELETE FROM search WHERE rowid = old.sequence;
        INSERT INTO search (rowid, facets, words)
            SELECT sequence, facets, words FROM searchable WHERE sequence = new.sequence;
    END;
    CREATE TRIGGER record_is_gone AFTER DELETE ON record BEGIN
        DELETE FROM search WHERE rowid = old.sequence;
    END;

    INSERT INTO record (sequence, id, site, site_name, operation, username, parameters, started_at, late,
                        ended_at, elapsed, outcome, note, report)
        SELECT sequence, id, site, site_name, operation, username, parameters, started_at,
               coalesce(max(started_at) OVER earlier > started_at, 0), ended_at, ended_at - started_at, outcome, note, report
        FROM record_of_version_1
        WINDOW earlier AS (ORDER BY sequence ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
        ORDER BY sequence;
    DROP TABLE record_of_version_1;
    ",
    "
    CREATE TABLE silence (
        sequence    INTEGER PRIMARY KEY,
        id          TEXT NOT NULL UNIQUE,
        record      TEXT NOT NULL,
        site        TEXT NOT NULL,
        service     TEXT NOT NULL,
        silenced_at INTEGER NOT NULL,
        by          TEXT NOT NULL,
        why         TEXT NOT NULL,
        -- What was active, as JSON; NULL when the site did not tell.
        active      TEXT,
        state       TEXT NOT NULL,
        remind_at   INTEGER,
        restored_at INTEGER,
        restored_by TEXT
    ) STRICT;
    CREATE INDEX silence_by_site ON silence (site, sequence);
    CREATE TABLE settlement (
        record  TEXT PRIMARY KEY,
        outcome TEXT NOT NULL,
        note    TEXT NOT NULL,
        by      TEXT NOT NULL,
        at      INTEGER NOT NULL
    ) STRICT;
    ",
    "
    CREATE TABLE tick (
        record TEXT NOT NULL,
        item   TEXT NOT NULL,
        PRIMARY KEY (record, item)
    ) STRICT, WITHOUT ROWID;
    ",
    // A column that is added stands last, behind what may be large; so the table is made anew.
    "
    DROP VIEW searchable;
    DROP TRIGGER record_is_new;
    DROP TRIGGER record_has_changed;
    DROP TRIGGER record_is_gone;
    DROP INDEX record_by_success;
    DROP INDEX record_by_time;
    DROP INDEX record_late;
    DROP INDEX record_open;
    ALTER TABLE record RENAME TO record_of_version_4;
    CREATE TABLE record (
        sequence        INTEGER PRIMARY KEY,
        id              TEXT NOT NULL UNIQUE,
        site            TEXT NOT NULL,
        site_name       TEXT NOT NULL,
        site_kind       TEXT NOT NULL,
        site_version    TEXT NOT NULL,
        operation       TEXT NOT NULL,
        username        TEXT NOT NULL,
        -- Who used the program, on which computer: the account of the operating system. Empty in older records.
        system_user     TEXT NOT NULL DEFAULT '',
        computer        TEXT NOT NULL DEFAULT '',
        program_version TEXT NOT NULL,
        parameters      TEXT NOT NULL,
        started_at      INTEGER NOT NULL,
        late            INTEGER NOT NULL,
        ended_at        INTEGER,
        elapsed         INTEGER,
        outcome         TEXT NOT NULL,
        note            TEXT NOT NULL DEFAULT '',
        requests        TEXT NOT NULL,
        answer_cut      INTEGER NOT NULL DEFAULT 0,
        answer          TEXT,
        report          TEXT
    ) STRICT;
    INSERT INTO record (sequence, id, site, site_name, site_kind, site_version, operation, username, program_version,
                        parameters, started_at, late, ended_at, elapsed, outcome, note, requests, answer_cut, answer,
                        report)
        SELECT sequence, id, site, site_name, site_kind, site_version, operation, username, program_version,
               parameters, started_at, late, ended_at, elapsed, outcome, note, requests, answer_cut, answer, report
        FROM record_of_version_4
        ORDER BY sequence;
    DROP TABLE record_of_version_4;
    CREATE INDEX record_by_success ON record (site, operation, outcome, ended_at);
    CREATE INDEX record_by_time ON record (started_at) WHERE late = 0;
    CREATE INDEX record_late ON record (started_at) WHERE late = 1;
    CREATE INDEX record_open ON record (sequence) WHERE outcome = 'sent';
    CREATE VIEW searchable AS
        SELECT sequence,
               's' || hex(site) || ' o' || hex(operation) || ' e' || hex(outcome) AS facets,
               concat_ws(char(10), site_name, site_kind, site_version, operation, username, system_user, computer, note,
                   (SELECT group_concat(atom, char(10)) FROM json_tree(iif(json_valid(parameters), parameters, NULL))
                    WHERE type = 'text'),
                   (SELECT substr(group_concat(atom, char(10)), 1, 262144)
                    FROM json_tree(iif(json_valid(report), report, NULL)) WHERE type = 'text')) AS words
        FROM record;
    CREATE TRIGGER record_is_new AFTER INSERT ON record BEGIN
        INSERT INTO search (rowid, facets, words)
            SELECT sequence, facets, words FROM searchable WHERE sequence = new.sequence;
    END;
    CREATE TRIGGER record_has_changed AFTER UPDATE ON record BEGIN
        DELETE FROM search WHERE rowid = old.sequence;
        INSERT INTO search (rowid, facets, words)
            SELECT sequence, facets, words FROM searchable WHERE sequence = new.sequence;
    END;
    CREATE TRIGGER record_is_gone AFTER DELETE ON record BEGIN
        DELETE FROM search WHERE rowid = old.sequence;
    END;
    ",
    // Terms of the language standard. The rows are renamed by `migration_v5`.
    "
    ALTER TABLE record RENAME COLUMN site_kind TO environment;
    ALTER TABLE record RENAME COLUMN answer_cut TO response_truncated;
    ALTER TABLE record RENAME COLUMN answer TO response;

    ALTER TABLE silence RENAME TO deactivation;
    ALTER TABLE deactivation RENAME COLUMN silenced_at TO deactivated_at;
    ALTER TABLE deactivation RENAME COLUMN restored_at TO resolved_at;
    ALTER TABLE deactivation RENAME COLUMN restored_by TO resolved_by;
    UPDATE deactivation SET state = 'deactivated' WHERE state = 'silenced';
    UPDATE deactivation SET state = 'resolved by hand' WHERE state = 'by hand';
    DROP INDEX silence_by_site;
    CREATE INDEX deactivation_by_site ON deactivation (site, sequence);

    ALTER TABLE settlement RENAME TO outcome_resolution;
    ALTER TABLE tick RENAME TO checklist_item;
    ",
];

/// Opens or creates a journal, and migrates one of an older version after copying it.
///
/// # Errors
///
/// - [`SchemaError::Newer`] if the journal has a newer version. It is not changed.
/// - [`SchemaError::Copy`] if the copy before a migration cannot be written. The journal is not changed.
/// - [`SchemaError::Database`] if the journal cannot be opened or migrated.
pub(crate) fn open(path: &Path) -> Result<Connection, SchemaError> {
    refuse_newer(path)?;
    #[cfg(unix)]
    make_private(path);
    let mut connection = Connection::open(path).map_err(SchemaError::Database)?;
    // Flush to disk on every commit: an entry must survive a power failure before the request is sent. On macOS, only a
    // full fsync flushes the cache of the disk; the two settings have no effect on other systems.
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
             PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;",
        )
        .map_err(SchemaError::Database)?;
    let found = version(&connection).map_err(SchemaError::Database)?;
    let Ok(done) = usize::try_from(found) else { return Err(SchemaError::Newer(found)) };
    if done > STEPS.len() {
        return Err(SchemaError::Newer(found));
    }
    if done > 0 && done < STEPS.len() {
        copy(&connection, path, found)?;
    }
    migrate(&mut connection, done).map_err(SchemaError::Database)?;
    Ok(connection)
}

/// Creates the file for its owner only. SQLite uses the same permissions for its auxiliary files. An error is ignored:
/// opening the database reports it next.
#[cfg(unix)]
fn make_private(path: &Path) {
    let mut options = OpenOptions::new();
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    drop(options.create(true).append(true).open(path));
}

/// Rejects a journal of a newer version before it is opened for writing, which would merge its write-ahead log.
fn refuse_newer(path: &Path) -> Result<(), SchemaError> {
    if !path.exists() {
        return Ok(());
    }
    let found = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .and_then(|connection| version(&connection));
    match found {
        Ok(found) if usize::try_from(found).is_ok_and(|found| found <= STEPS.len()) => Ok(()),
        Ok(found) => Err(SchemaError::Newer(found)),
        // Continue: SQLite must repair a file that was being created before it can be read.
        Err(_) => Ok(()),
    }
}

fn version(connection: &Connection) -> rusqlite::Result<i32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Runs all missing steps in one transaction.
fn migrate(connection: &mut Connection, done: usize) -> rusqlite::Result<()> {
    if done == STEPS.len() {
        return Ok(());
    }
    // Overwrite deleted content: redacted secrets must not stay in free pages.
    connection.execute_batch("PRAGMA secure_delete = ON")?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for (version, step) in STEPS.iter().enumerate().skip(done) {
        if version == 1 && done > 0 {
            redact_version_1(&transaction)?;
        }
        if version == 5 && done > 0 {
            rename_terms(&transaction)?;
        }
        transaction.execute_batch(step)?;
    }
    transaction.execute_batch(&format!("PRAGMA user_version = {}", STEPS.len()))?;
    transaction.commit()?;
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

/// Copies the journal to `journal-v<version>-<time>.db` next to it: whole or absent.
fn copy(connection: &Connection, path: &Path, version: i32) -> Result<PathBuf, SchemaError> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H-%M-%SZ");
    let unfinished = path.with_file_name(format!("{stem}-v{version}.unfinished"));
    let copied = path.with_file_name(format!("{stem}-v{version}-{now}.db"));
    // Remove what is left of a copy that was interrupted.
    match std::fs::remove_file(&unfinished) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(SchemaError::Copy(error)),
        _ => {}
    }
    connection
        .execute("VACUUM INTO ?1", [unfinished.to_string_lossy()])
        .map_err(|error| SchemaError::Copy(std::io::Error::other(error)))?;
    put_in_place(&unfinished, &copied).map_err(SchemaError::Copy)?;
    Ok(copied)
}

fn put_in_place(unfinished: &Path, copied: &Path) -> std::io::Result<()> {
    // Restrict the copy to its owner: older versions stored secrets.
    #[cfg(unix)]
    std::fs::set_permissions(unfinished, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    OpenOptions::new().write(true).open(unfinished)?.sync_all()?;
    std::fs::rename(unfinished, copied)?;
    // Flush the folder: the new name must survive a power failure. Windows cannot flush folders.
    #[cfg(unix)]
    if let Some(folder) = copied.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}
