//! A contact sheet: many participants' contacts in one CSV file, read and matched with what the portal has.
//!
//! Nothing is sent from here. What the person sees in the preview is what the window sends afterwards, row by row
//! (`operations/update_participant.rs`).

mod csv_rows;
mod encoding;
pub mod files;
mod last_batch;
mod matching;

use std::io::Read;
use std::path::Path;

use serde::Serialize;
use steward_journal::tables::guarded;

pub use encoding::SheetEncoding;
pub use last_batch::{ContactRun, ContactRuns};

use crate::listings::ParticipantView;
use crate::model::problem::Fault;
use csv_rows::{Column, TEMPLATE};

/// No sheet of the field is larger; a file that is was chosen by mistake.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// What became of the wish to read a sheet.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SheetReading {
    /// The dialog was closed.
    Dismissed,
    /// The file is no contact sheet.
    Unusable {
        /// Its name.
        file: String,
        /// Why.
        fault: SheetFault,
    },
    /// It was read.
    Read {
        /// What it says.
        sheet: ContactSheet,
    },
}

/// Why a file is no contact sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SheetFault {
    /// It has no rows.
    Empty,
    /// More than 16 MB.
    TooLarge,
    /// More than 20,000 rows.
    TooManyRows,
    /// A spreadsheet's own format: it must be saved as CSV first.
    Workbook,
    /// No text in an encoding that can be told.
    NoText,
    /// A quotation mark that is never closed.
    OpenQuote,
    /// No column says which participant a row is about.
    NoParticipantColumn,
    /// No column holds anything of a contact.
    NoContactColumn,
    /// A column stands twice.
    RepeatedColumn {
        /// Its name, as it stands in the file.
        column: String,
    },
}

/// A sheet beside the participants of a portal.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ContactSheet {
    /// The file's name.
    pub file: String,
    /// How its letters are written.
    pub encoding: SheetEncoding,
    /// Columns that mean nothing here.
    pub ignored: Vec<String>,
    /// Its rows, in the order of the file.
    pub rows: Vec<SheetRow>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SheetRow {
    /// Where it begins in the file, counted from 1.
    pub line: u32,
    /// What it names the participant with.
    pub named: String,
    /// The participant, with its present contact; `null` where none is found, or more than one.
    pub participant: Option<ParticipantView>,
    /// What the contact would be.
    pub contact: Contact,
    /// Whether it is sent, and if not, why.
    pub verdict: RowVerdict,
}

/// A contact person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Contact {
    /// First name.
    pub contact_firstname: String,
    /// Last name.
    pub contact_lastname: String,
    /// E-mail address.
    pub contact_email_address: String,
}

/// What is to be done with a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RowVerdict {
    /// It changes the contact, and is sent.
    Changes,
    /// The contact is so already.
    Same,
    /// No participant agrees with what the row says.
    Unmatched,
    /// More than one does: the same portal in several collaborations.
    Ambiguous,
    /// It names no participant.
    Nameless,
    /// Several rows are about this participant.
    Repeated {
        /// Their lines, at most the first twenty.
        lines: Vec<u32>,
    },
    /// Another portal hosts the collaboration, and only its administrators change a contact.
    HostedElsewhere {
        /// That portal.
        portal: String,
    },
    /// More cells than columns.
    TooManyCells,
    /// A value that must not be sent.
    Faulty {
        /// Which, as the form of an update spells it.
        field: String,
        /// Why.
        fault: Fault,
    },
}

/// Reads a file and says what it would change.
pub fn read(path: &Path, participants: &[ParticipantView]) -> std::io::Result<SheetReading> {
    // What is no file, as a pipe, may have no end, or not even a beginning.
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_too_large = bytes.len() as u64 > MOST_BYTES;
    let read = || {
        if is_too_large {
            return Err(SheetFault::TooLarge);
        }
        let (text, encoding) = encoding::read(&bytes)?;
        Ok((csv_rows::read(&text)?, encoding))
    };
    Ok(match read() {
        Err(fault) => SheetReading::Unusable { file, fault },
        Ok((table, encoding)) => {
            let rows = matching::matched(&table.rows, participants);
            SheetReading::Read { sheet: ContactSheet { file, encoding, ignored: table.ignored, rows } }
        }
    })
}

/// A sheet with every participant as it is now, to be corrected in a spreadsheet and read again.
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

/// A table as a spreadsheet reads it, with nothing in it that a spreadsheet would run.
pub fn as_csv(rows: &[Vec<String>]) -> std::io::Result<Vec<u8>> {
    // The mark tells spreadsheets that it is UTF-8.
    let mut bytes = "\u{feff}".as_bytes().to_vec();
    let mut table =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).flexible(true).from_writer(&mut bytes);
    for row in rows {
        table.write_record(row.iter().map(|cell| guarded(cell)))?;
    }
    table.flush()?;
    drop(table);
    Ok(bytes)
}

/// As much of a cell as a person can read: a file may hold one of ten million letters.
fn short(cell: &str) -> String {
    let cell = cell.trim();
    match cell.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &cell[..end]),
        None => cell.to_owned(),
    }
}
