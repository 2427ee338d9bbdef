//! SQLite databases, and one file per kind of record that lives in them.

pub(crate) mod collaborations;
pub(crate) mod configuration;
pub(crate) mod data_items;
pub(crate) mod features;
pub(crate) mod grants;
pub(crate) mod items;
pub(crate) mod jobs;
pub(crate) mod people;
mod portal_check;
pub(crate) mod portal_import;
pub(crate) mod queue;
pub(crate) mod services;
pub(crate) mod tokens;
pub(crate) mod uploads;
pub(crate) mod web_adaptors;
pub(crate) mod webhooks;
pub(crate) mod workspaces;

use crate::wire::Refusal;
use anyhow::Context as _;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The versions of the portal's schema.
pub(crate) const PORTAL: [&str; 3] = [
    include_str!("portal.sql"),
    "ALTER TABLE portal ADD COLUMN content TEXT NOT NULL DEFAULT 'content';",
    include_str!("workspaces.sql"),
];
/// The versions of the server's schema.
pub(crate) const SERVER: [&str; 3] = [
    include_str!("server.sql"),
    "ALTER TABLE uploads ADD COLUMN committed INTEGER NOT NULL DEFAULT 1;",
    "CREATE TABLE web_adaptors (id TEXT PRIMARY KEY, url TEXT NOT NULL, administration INTEGER NOT NULL) STRICT;",
];
/// The versions of the schema of sessions.
pub(crate) const SESSIONS: [&str; 2] = [include_str!("sessions.sql"), include_str!("sign_in.sql")];
/// The versions of the schema of what services do while they run.
pub(crate) const RUNTIME: [&str; 1] = [include_str!("runtime.sql")];

/// How long a writer waits for another one.
const PATIENCE: Duration = Duration::from_secs(20);
/// Connections kept open between requests.
const KEPT_OPEN: usize = 8;

/// One database file. Readers run side by side; writers wait for each other.
pub(crate) struct Store {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Store {
    /// Opens the database, making or bringing up its tables: `steps` are the schema's versions, each building on
    /// those before it.
    pub(crate) fn open(path: PathBuf, steps: &[&str]) -> anyhow::Result<Arc<Store>> {
        if let Some(folder) = path.parent() {
            crate::app::private_folder(folder)?;
        }
        let store = Store { path, idle: Mutex::default() };
        let mut connection =
            store.connect().with_context(|| format!("cannot open {}", store.path.display()))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let version: u32 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let known = u32::try_from(steps.len())?;
        if version > known {
            anyhow::bail!("{} was written by a newer version ({version})", store.path.display());
        }
        for step in steps.iter().skip(version as usize) {
            tx.execute_batch(step)?;
        }
        tx.pragma_update(None, "user_version", known)?;
        tx.commit()?;
        store.put_back(connection);
        Ok(Arc::new(store))
    }

    /// Reads, away from the threads that answer.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Connection) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let store = Arc::clone(self);
        crate::app::off_thread(move || store.read_now(work)).await
    }

    /// Changes the database in one transaction: all of it when `work` succeeds, nothing otherwise.
    pub(crate) async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Transaction) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let store = Arc::clone(self);
        crate::app::off_thread(move || store.write_now(work)).await
    }

    /// [`Store::read`] for code that already runs on a blocking thread.
    pub(crate) fn read_now<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let connection = self.take()?;
        let result = work(&connection);
        self.put_back(connection);
        result
    }

    /// [`Store::write`] for code that already runs on a blocking thread.
    pub(crate) fn write_now<T>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
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
        if idle.len() < KEPT_OPEN {
            idle.push(connection);
        }
    }

    /// A connection of its own, for work that needs more than one database.
    pub(crate) fn connect(&self) -> rusqlite::Result<Connection> {
        let connection = Connection::open(&self.path)?;
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // What was answered survives a power cut, not only a crash.
        connection.pragma_update(None, "synchronous", "FULL")?;
        Ok(connection)
    }
}

/// A column that holds a JSON document.
fn json_column(row: &rusqlite::Row, column: usize) -> rusqlite::Result<serde_json::Value> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|cause| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(cause))
    })
}
