//! SQLite databases, with one module per kind of record.
//!
//! Functions of the modules return code 500 and log the cause if a database cannot be read or written. Other errors are
//! documented with the function. Times are in milliseconds since 1970.

pub(crate) mod collaborations;
pub(crate) mod configuration;
pub(crate) mod data_items;
pub(crate) mod features;
pub(crate) mod grants;
pub(crate) mod items;
pub(crate) mod jobs;
mod portal_check;
pub(crate) mod portal_import;
pub(crate) mod queue;
pub(crate) mod services;
pub(crate) mod tokens;
pub(crate) mod uploads;
pub(crate) mod users;
pub(crate) mod web_adaptors;
pub(crate) mod webhooks;
pub(crate) mod workspaces;

use crate::wire::ApiError;
use anyhow::Context as _;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Tables of the portal database.
pub(crate) const PORTAL: &str = include_str!("portal.sql");
/// Tables of the server database.
pub(crate) const SERVER: &str = include_str!("server.sql");
/// Tables of the session database.
pub(crate) const SESSIONS: &str = include_str!("sessions.sql");
/// Tables of the database for running services.
pub(crate) const RUNTIME: &str = include_str!("runtime.sql");

/// `PRAGMA application_id` of the databases: `StwP`.
const APPLICATION_ID: i32 = 0x5374_7750;
/// Format of the databases, as `PRAGMA user_version`.
const FORMAT: i32 = 1;

/// Time that a writer waits for another one.
const BUSY_TIMEOUT: Duration = Duration::from_secs(20);
/// Number of connections kept open between requests.
const MAX_IDLE: usize = 8;

/// SQLite database file. Reads run concurrently, writes one at a time.
pub(crate) struct Store {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Store {
    /// Opens the database, or creates it with the tables of `schema`.
    pub(crate) fn open(path: PathBuf, schema: &str) -> anyhow::Result<Arc<Store>> {
        if let Some(folder) = path.parent() {
            crate::folders::private_folder(folder)?;
        }
        let store = Store { path, idle: Mutex::default() };
        let mut connection =
            store.connect().with_context(|| format!("cannot open {}", store.path.display()))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let number = |pragma: &str| tx.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
        match (number("application_id")?, number("user_version")?) {
            (APPLICATION_ID, FORMAT) => {}
            (APPLICATION_ID, newer) => {
                anyhow::bail!("{} was written by a newer version (format {newer})", store.path.display())
            }
            (0, 0) => {
                tx.execute_batch(schema)?;
                tx.pragma_update(None, "application_id", APPLICATION_ID)?;
                tx.pragma_update(None, "user_version", FORMAT)?;
            }
            _ => anyhow::bail!(
                "{} is not a database of this practice site, or one of a version before the first release",
                store.path.display()
            ),
        }
        tx.commit()?;
        store.put_back(connection);
        Ok(Arc::new(store))
    }

    /// Reads on a blocking thread.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Connection) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let store = Arc::clone(self);
        crate::off_thread::off_thread(move || store.read_now(work)).await
    }

    /// Writes in one transaction on a blocking thread. Commits if `work` succeeds, and rolls back otherwise.
    pub(crate) async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Transaction) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let store = Arc::clone(self);
        crate::off_thread::off_thread(move || store.write_now(work)).await
    }

    /// Reads on the current thread, which must be a blocking one. See [`Store::read`].
    pub(crate) fn read_now<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let connection = self.take()?;
        let result = work(&connection);
        self.put_back(connection);
        result
    }

    /// Writes on the current thread, which must be a blocking one. See [`Store::write`].
    pub(crate) fn write_now<T>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let mut connection = self.take()?;
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let result = work(&tx)?;
        tx.commit()?;
        self.put_back(connection);
        Ok(result)
    }

    fn take(&self) -> rusqlite::Result<Connection> {
        let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        kept.map_or_else(|| self.connect(), Ok)
    }

    fn put_back(&self, connection: Connection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MAX_IDLE {
            idle.push(connection);
        }
    }

    /// Opens a separate connection, for work that involves several databases.
    pub(crate) fn connect(&self) -> rusqlite::Result<Connection> {
        let connection = Connection::open(&self.path)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // A confirmed change survives a power failure, not only a crash. On macOS, that requires the second setting.
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "fullfsync", true)?;
        Ok(connection)
    }
}

/// Reads a column that contains a JSON document.
fn json_column(row: &rusqlite::Row, column: usize) -> rusqlite::Result<serde_json::Value> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|cause| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(cause))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_of_a_newer_format_or_of_before_the_release_is_refused_in_words_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runtime.db");
        drop(Store::open(path.clone(), RUNTIME).unwrap());
        drop(Store::open(path.clone(), RUNTIME).unwrap());
        for (marks, reason) in [
            ("PRAGMA user_version = 2", "a newer version (format 2)"),
            ("PRAGMA application_id = 0; PRAGMA user_version = 3", "a version before the first release"),
        ] {
            Connection::open(&path).unwrap().execute_batch(marks).unwrap();
            let before = std::fs::read(&path).unwrap();

            let error = Store::open(path.clone(), RUNTIME).err().unwrap().to_string();

            assert!(error.contains(reason), "{error}");
            assert_eq!(std::fs::read(&path).unwrap(), before);
        }
    }
}
