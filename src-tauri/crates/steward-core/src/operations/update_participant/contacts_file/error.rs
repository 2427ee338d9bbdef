//! Reasons why a file is not a contacts file.

use serde::Serialize;

/// Reason why a file is not a contacts file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ContactsFileError {
    /// The file has no rows.
    Empty,
    /// The file is larger than 16 MiB.
    TooLarge,
    /// The file has more than 20,000 rows.
    TooManyRows,
    /// The file is a spreadsheet, which must be saved as CSV first.
    Workbook,
    /// The file is not text in a known encoding.
    NoText,
    /// A quotation mark is not closed, or is closed in a later row.
    OpenQuote,
    /// No column identifies participants.
    NoParticipantColumn,
    /// No column contains contact data.
    NoContactColumn,
    /// A column occurs twice.
    RepeatedColumn {
        /// Name of the column, as in the file.
        column: String,
    },
}
