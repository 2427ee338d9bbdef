//! Rows and columns of a contacts file. The header row determines the columns.

use csv::StringRecord;
use steward_journal::tables::is_formula;

use super::ContactsFileError;

/// Content of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Column {
    Collaboration,
    CollaborationId,
    Portal,
    PortalUrl,
    ParticipantId,
    Firstname,
    Lastname,
    Email,
}

/// Limit of the rows. No collaboration has as many participants.
const MOST_ROWS: usize = 20_000;

/// One row of the file.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// Line number, starting at 1.
    pub(super) line: u32,
    cells: Vec<(Column, String)>,
    /// Whether there are more cells than columns, probably because of a comma without quotation marks.
    pub(super) has_more: bool,
}

impl Row {
    /// Returns the cell of a column; empty if it is missing.
    pub(super) fn cell(&self, column: Column) -> &str {
        self.cells.iter().find(|(of, _)| *of == column).map_or("", |(_, cell)| cell)
    }
}

/// Rows of a contacts file, and the names of its unknown columns.
#[derive(Debug)]
pub(super) struct CsvTable {
    pub(super) rows: Vec<Row>,
    pub(super) ignored: Vec<String>,
}

/// Column names of the template, in order.
pub(super) const TEMPLATE: [(Column, &str); 8] = [
    (Column::Collaboration, "Collaboration"),
    (Column::Portal, "Portal"),
    (Column::PortalUrl, "Portal URL"),
    (Column::Firstname, "First name"),
    (Column::Lastname, "Last name"),
    (Column::Email, "Email address"),
    (Column::CollaborationId, "Collaboration ID"),
    (Column::ParticipantId, "Participant ID"),
];

/// Reads the text of a contacts file.
///
/// # Errors
/// - [`ContactsFileError::Empty`] if there are no rows.
/// - [`ContactsFileError::OpenQuote`] if a quotation mark is not closed.
/// - [`ContactsFileError::RepeatedColumn`] if a column occurs twice.
/// - [`ContactsFileError::NoParticipantColumn`] or [`ContactsFileError::NoContactColumn`] if a required column is
///   missing.
/// - [`ContactsFileError::TooManyRows`] if there are more than 20,000 rows.
pub(super) fn read(text: &str) -> Result<CsvTable, ContactsFileError> {
    // Spreadsheets can write the separator in a first line.
    let (said, text, offset) = match text.strip_prefix("sep=").and_then(|rest| rest.split_once('\n')) {
        // A partial character or a quotation mark cannot separate cells.
        Some((said, rest)) => (said.bytes().next().filter(|byte| b"\t;,|: ".contains(byte)), rest, 1),
        None => (None, text, 0),
    };
    if text.trim().is_empty() {
        return Err(ContactsFileError::Empty);
    }
    // A quotation mark that is not closed would include all rows that follow.
    if text.bytes().filter(|byte| *byte == b'"').count() % 2 == 1 {
        return Err(ContactsFileError::OpenQuote);
    }
    let known = |separator: &u8| {
        let first = reader(text, *separator).records().next().and_then(Result::ok).unwrap_or_default();
        first.iter().filter(|name| column(name).is_some()).count()
    };
    let separator = said.unwrap_or_else(|| {
        // The first of those that find the most columns.
        [b'\t', b';', b','].into_iter().max_by_key(known).unwrap_or(b',')
    });
    let mut reader = reader(text, separator);
    let mut records = reader.records();
    let header = records.next().and_then(Result::ok).unwrap_or_default();
    let columns = columns(&header)?;
    let mut rows = Vec::new();
    for record in records.filter_map(Result::ok) {
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if rows.len() == MOST_ROWS {
            return Err(ContactsFileError::TooManyRows);
        }
        rows.push(row(&record, &columns, offset, text));
    }
    let ignored = header.iter().zip(&columns).filter(|(_, column)| column.is_none());
    let ignored = ignored.map(|(name, _)| super::short(name)).filter(|name| !name.is_empty()).collect();
    if rows.is_empty() { Err(ContactsFileError::Empty) } else { Ok(CsvTable { rows, ignored }) }
}

fn reader(text: &str, separator: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes())
}

fn columns(header: &StringRecord) -> Result<Vec<Option<Column>>, ContactsFileError> {
    let columns: Vec<Option<Column>> = header.iter().map(column).collect();
    for (at, found) in columns.iter().enumerate().filter(|(_, found)| found.is_some()) {
        if columns[..at].contains(found) {
            return Err(ContactsFileError::RepeatedColumn { column: super::short(&header[at]) });
        }
    }
    let has_any = |of: &[Column]| columns.iter().flatten().any(|column| of.contains(column));
    if !has_any(&[Column::ParticipantId, Column::Portal, Column::PortalUrl]) {
        return Err(ContactsFileError::NoParticipantColumn);
    }
    if !has_any(&[Column::Firstname, Column::Lastname, Column::Email]) {
        return Err(ContactsFileError::NoContactColumn);
    }
    Ok(columns)
}

fn row(record: &StringRecord, columns: &[Option<Column>], offset: u64, text: &str) -> Row {
    let (at, line) = record.position().map_or((0, 0), |at| (at.byte(), at.line()));
    // The position of the reader is before empty lines, and between CR and LF.
    let rest = text.as_bytes().get(usize::try_from(at).unwrap_or(usize::MAX)..).unwrap_or_default();
    let ends = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    let line = line + offset + ends.filter(|byte| **byte == b'\n').count() as u64;
    let cells = record.iter().zip(columns);
    Row {
        line: u32::try_from(line).unwrap_or(u32::MAX),
        cells: cells.filter_map(|(cell, column)| Some(((*column)?, plain(cell)))).collect(),
        has_more: record.iter().skip(columns.len()).any(|cell| !cell.trim().is_empty()),
    }
}

/// Returns a cell without the apostrophe that prevents formulas, which the template contains too.
fn plain(cell: &str) -> String {
    let cell = cell.trim();
    match cell.strip_prefix('\'') {
        Some(rest) if is_formula(rest) => rest.to_owned(),
        _ => cell.to_owned(),
    }
}

fn column(name: &str) -> Option<Column> {
    let letters: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
    Some(match letters.to_lowercase().as_str() {
        "collaboration" | "collaborationname" => Column::Collaboration,
        "collaborationid" => Column::CollaborationId,
        "portal" | "portalname" | "participant" | "participantname" => Column::Portal,
        "portalurl" | "portaladdress" | "url" => Column::PortalUrl,
        "participantid" | "portalid" | "participantportalid" => Column::ParticipantId,
        "firstname" | "contactfirstname" | "givenname" => Column::Firstname,
        "lastname" | "contactlastname" | "surname" | "familyname" => Column::Lastname,
        "email" | "emailaddress" | "contactemail" | "contactemailaddress" => Column::Email,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_whatever_separates_and_orders_them() {
        for text in [
            "Portal,First name,Email address\nHarbour,Ana,ana@example.net\n",
            "e-mail;PORTAL;contactFirstname\r\nana@example.net;Harbour;Ana\r\n",
            "portal_name\temail\tfirst_name\nHarbour\tana@example.net\tAna",
            "sep=;\r\nPortal;Notes;First name;Email\r\n\"Harbour\";\"a, b\";Ana;ana@example.net\r\n",
        ] {
            let table = read(text).unwrap();
            let [row] = &table.rows[..] else { panic!("{table:?}") };
            assert_eq!(row.cell(Column::Portal), "Harbour", "{text}");
            assert_eq!(row.cell(Column::Firstname), "Ana", "{text}");
            assert_eq!(row.cell(Column::Email), "ana@example.net", "{text}");
            assert_eq!(row.cell(Column::Lastname), "", "{text}");
        }
    }

    #[test]
    fn a_sheet_that_cannot_be_understood_is_refused_as_a_whole() {
        let fault = |text: &str| read(text).err();
        assert_eq!(fault("  \n"), Some(ContactsFileError::Empty));
        assert_eq!(fault("Portal,First name\n"), Some(ContactsFileError::Empty));
        assert_eq!(fault("First name\nAna\n"), Some(ContactsFileError::NoParticipantColumn));
        assert_eq!(fault("Portal,Notes\nHarbour,x\n"), Some(ContactsFileError::NoContactColumn));
        assert_eq!(
            fault("Portal,First name\n\"Harbour,Ana\nWater,Kim\n"),
            Some(ContactsFileError::OpenQuote)
        );
        let twice = ContactsFileError::RepeatedColumn { column: "e-mail".to_owned() };
        assert_eq!(fault("Portal,Email,e-mail\nHarbour,a,b\n"), Some(twice));
        let many = "Harbour,Ana\n".repeat(MOST_ROWS + 1);
        assert_eq!(fault(&format!("Portal,First name\n{many}")), Some(ContactsFileError::TooManyRows));
    }

    #[test]
    fn a_separator_that_is_none_costs_no_row() {
        for said in ["é", "\"", "", "x"] {
            let table = read(&format!("sep={said}\nPortal,First name\nHarbour,Zoé\nWater,Kim\n")).unwrap();
            assert_eq!(table.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [3, 4], "{said}");
            assert_eq!(table.rows[0].cell(Column::Firstname), "Zoé");
        }
    }

    #[test]
    fn rows_know_their_line_and_whether_they_have_too_many_cells() {
        let text = "Portal,First name,What\n\nHarbour,\"An\na\",\nWater,Kim,,Nair\n,,\n";
        let table = read(text).unwrap();
        let told: Vec<_> = table.rows.iter().map(|row| (row.line, row.has_more)).collect();
        assert_eq!(told, [(3, false), (5, true)]);
        assert_eq!(table.ignored, ["What"]);
        let table = read(&text.replace('\n', "\r\n")).unwrap();
        assert_eq!(table.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [3, 5]);
    }
}
