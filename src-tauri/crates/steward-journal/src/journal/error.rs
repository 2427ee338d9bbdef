//! Why the journal cannot be opened, read, or written.

use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};

use crate::salvage::is_damage;

/// Reason why the journal cannot be opened, read, or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// SQLite returned an error.
    #[error("the history in {path} cannot be read or written")]
    Database {
        /// Path of the journal.
        path: PathBuf,
        /// Error returned by SQLite.
        #[source]
        source: rusqlite::Error,
    },
    /// The file is not a journal, or one of a version before the first release. It is not changed.
    #[error("the file {path} is not a history of this program; it was left as it is")]
    NotOurs {
        /// Path of the file.
        path: PathBuf,
    },
    /// A newer version of the program wrote the journal. It is not changed.
    #[error(
        "the history in {path} was written by a newer version of the program (format {found}); it was left as it is"
    )]
    Newer {
        /// Path of the journal.
        path: PathBuf,
        /// Format of the journal.
        found: i32,
    },
    /// The definitions of the tables were damaged on disk.
    #[error("the history in {path} is damaged")]
    DamagedFile {
        /// Path of the journal.
        path: PathBuf,
    },
    /// No history entry, or no entry of the deactivation log, has this identifier.
    #[error("the history has no record {0}")]
    NoSuchRecord(String),
    /// The outcome of the history entry is known already, or the entry does not exist.
    #[error("the history has no record {0} whose outcome is unknown")]
    OutcomeKnown(String),
    /// The entry was damaged on disk: its checksum differs.
    #[error("the record {0} of the history was damaged on disk")]
    DamagedRecord(String),
    /// A value is not valid JSON: a stored one was damaged, or a new one cannot be serialized.
    #[error("the history holds a record that cannot be read")]
    Damaged(#[source] serde_json::Error),
}

/// Why a journal cannot be read or written, for the advice to the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A part of the file was damaged, or the disk cannot read it.
    Damaged,
    /// The disk is full.
    DiskFull,
    /// The file or its folder is read-only, or belongs to another account.
    NotWritable,
    /// Another process does not release the file.
    InUse,
    /// Another reason.
    Other,
}

impl JournalError {
    /// Returns the path of the journal that SQLite could not read or write; `None` for other errors.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Database { path, .. } => Some(path),
            _ => None,
        }
    }

    /// Returns the reason in short.
    #[must_use]
    pub fn fault(&self) -> Fault {
        let Self::Database { source, .. } = self else {
            let is_damage =
                matches!(self, Self::DamagedFile { .. } | Self::DamagedRecord(_) | Self::Damaged(_));
            return if is_damage { Fault::Damaged } else { Fault::Other };
        };
        match source.sqlite_error_code() {
            _ if is_damage(source) => Fault::Damaged,
            Some(ErrorCode::DiskFull) => Fault::DiskFull,
            // SQLite found no room for the index of its log, which each start creates.
            Some(ErrorCode::SystemIoFailure)
                if source.sqlite_extended_error_code() == Some(ffi::SQLITE_IOERR_SHMSIZE) =>
            {
                Fault::DiskFull
            }
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                Fault::NotWritable
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Fault::InUse,
            // The program writes nothing that an intact file refuses.
            Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch) => Fault::Damaged,
            _ => Fault::Other,
        }
    }
}
