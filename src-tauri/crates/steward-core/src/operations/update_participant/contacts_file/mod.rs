//! Contacts files: contacts of many participants in one CSV file.
//!
//! [`read`] compares a file with the participants of a portal. Nothing is sent here: the window shows the changes, and
//! then sends them with [`perform_several`](super::perform_several).

mod csv_rows;
mod encoding;
mod error;
pub mod files;
mod last_batch;
mod matching;
mod row;

use std::path::Path;

use serde::Serialize;
use steward_journal::tables::Table;

pub use encoding::ContactsFileEncoding;
pub use error::ContactsFileError;
pub use last_batch::{ContactsBatch, ContactsBatches};
pub use row::{Contact, ContactsFileRow, RowVerdict};

use crate::files::list_separator;
use crate::files::read_whole;
use crate::listings::ParticipantView;
use csv_rows::{Column, TEMPLATE};

/// Limit of the file, in bytes. A larger one was selected by mistake.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// Result of reading a contacts file.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ContactsFileReading {
    /// The user closed the dialog.
    Dismissed,
    /// The file is not a contacts file.
    Unusable {
        /// Name of the file, without its folder.
        file: String,
        /// Reason why it is not a contacts file.
        fault: ContactsFileError,
    },
    /// The file was read.
    Read {
        /// Rows with their changes.
        sheet: ContactsFile,
    },
}

/// A contacts file, compared with the participants of a portal.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ContactsFile {
    /// Name of the file, without its folder.
    pub file: String,
    /// Text encoding that was detected.
    pub encoding: ContactsFileEncoding,
    /// Names of unknown columns.
    pub ignored: Vec<String>,
    /// Rows, in the order of the file.
    pub rows: Vec<ContactsFileRow>,
}

/// Reads a contacts file, and compares it with participants.
///
/// # Errors
/// The error of the system if the file cannot be read, or is not a regular file.
pub fn read(path: &Path, participants: &[ParticipantView]) -> std::io::Result<ContactsFileReading> {
    let bytes = match read_whole(path, MOST_BYTES) {
        Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => None,
        read => Some(read?),
    };
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let read = || {
        let bytes = bytes.ok_or(ContactsFileError::TooLarge)?;
        let (text, encoding) = encoding::read(&bytes)?;
        Ok((csv_rows::read(&text)?, encoding))
    };
    Ok(match read() {
        Err(fault) => ContactsFileReading::Unusable { file, fault },
        Ok((table, encoding)) => {
            let rows = matching::matched(&table.rows, participants);
            ContactsFileReading::Read { sheet: ContactsFile { file, encoding, ignored: table.ignored, rows } }
        }
    })
}

/// Returns the rows of a contacts file with all participants, for editing in a spreadsheet.
pub fn template(participants: &[ParticipantView]) -> Vec<Vec<String>> {
    let header = TEMPLATE.map(|(_, name)| name.to_owned()).to_vec();
    let row = |one: &ParticipantView| {
        let cell = |column| match column {
            Column::Collaboration => &one.collaboration_name,
            Column::CollaborationId => &one.collaboration_id,
            Column::Portal => &one.portal_name,
            Column::PortalUrl => &one.portal_url,
            Column::ParticipantId => &one.participant_id,
            Column::Firstname => &one.contact_firstname,
            Column::Lastname => &one.contact_lastname,
            Column::Email => &one.contact_email_address,
        };
        TEMPLATE.map(|(column, _)| cell(column).clone()).to_vec()
    };
    std::iter::once(header).chain(participants.iter().map(row)).collect()
}

/// Encodes a table as CSV for spreadsheets.
///
/// # Errors
/// The error of the CSV writer if a row cannot be written.
pub fn as_csv(rows: &[Vec<String>]) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut table = Table::begin(&mut bytes, list_separator())?;
    for row in rows {
        table.row(row)?;
    }
    table.end()?;
    Ok(bytes)
}
