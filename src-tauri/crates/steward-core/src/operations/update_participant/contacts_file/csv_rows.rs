//! Rows and columns of a contacts file. The header row determines the columns.

use csv::StringRecord;
use steward_journal::tables::unguarded;

use super::error::ContactsFileError;

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
pub(super) fn read(text: &str) -> Result<CsvTable, ContactsFileError> {
    // Lines can end with CR alone, or in several ways in one file.
    let text = &*text.replace("\r\n", "\n").replace('\r', "\n");
    // Spreadsheets can write the separator in a first line.
    let (said, text, offset) = match text.strip_prefix("sep=").and_then(|rest| rest.split_once('\n')) {
        // A partial character or a quotation mark cannot separate cells.
        Some((said, rest)) => (said.bytes().next().filter(|byte| b"\t;,|: ".contains(byte)), rest, 1),
        None => (None, text, 0),
    };
    if text.trim().is_empty() {
        return Err(ContactsFileError::Empty);
    }
    let rows = one_column(text);
    let (text, said) = rows.as_deref().map_or((text, said), |rows| (rows, None));
    // A quotation mark that is not closed would include all rows that follow.
    if text.bytes().filter(|byte| *byte == b'"').count() % 2 == 1 {
        return Err(ContactsFileError::OpenQuote);
    }
    // If no separator is named, use the one that finds the most known columns.
    let separator = said.unwrap_or_else(|| best_of(|separator| known_columns(text, separator)));
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
        if record.iter().enumerate().any(|(at, cell)| has_a_row(cell, at, separator, &columns)) {
            return Err(ContactsFileError::OpenQuote);
        }
        rows.push(row(&record, &columns, offset, text));
    }
    let ignored = header.iter().zip(&columns).filter(|(_, column)| column.is_none());
    let ignored = ignored.map(|(name, _)| short(name)).filter(|name| !name.is_empty()).collect();
    if rows.is_empty() { Err(ContactsFileError::Empty) } else { Ok(CsvTable { rows, ignored }) }
}

/// Returns whether a cell of several lines, the one `at` this column, contains parts of rows: two quotation marks that belong to no
/// cell include everything between them. Whole rows would be lost: such a line has a cell for each column, and an address where the
/// addresses are. Of two rows, one would get cells of the other: the first line ends the row that the cell is in, and the last one
/// begins another.
fn has_a_row(cell: &str, at: usize, separator: u8, columns: &[Option<Column>]) -> bool {
    if !cell.contains('\n') {
        return false;
    }
    let lines: Vec<Vec<_>> =
        cell.split('\n').map(|line| line.split(char::from(separator)).collect()).collect();
    let [first, .., last] = &lines[..] else { return false };
    let joins_two = columns.len() > 1 && at + first.len() == columns.len() && last.len() == at + 1;
    let email = columns.iter().position(|column| *column == Some(Column::Email));
    let is_row = |cells: &Vec<&str>| {
        let address = email.and_then(|email| cells.get(email));
        cells.len() >= columns.len() && address.is_some_and(|address| address.contains('@'))
    };
    joins_two || lines.iter().any(is_row)
}

/// Returns the separator with the highest number. On a tie, a comma is preferred to a semicolon, and a semicolon to a
/// tab.
fn best_of(number: impl Fn(u8) -> usize) -> u8 {
    [b'\t', b';', b','].into_iter().max_by_key(|separator| number(*separator)).unwrap_or(b',')
}

fn known_columns(text: &str, separator: u8) -> usize {
    first_record(text, separator).iter().filter(|name| column(name).is_some()).count()
}

fn first_record(text: &str, separator: u8) -> StringRecord {
    reader(text, separator).records().next().and_then(Result::ok).unwrap_or_default()
}

/// Returns the rows of a table that was saved again as one column, in the lines of its file. A spreadsheet that expects
/// another separator shows every row as one cell, and puts that in quotation marks when it saves the file.
fn one_column(text: &str) -> Option<String> {
    let mut rows: Option<String> = None;
    for _ in 0..MOST_SAVED_AGAIN {
        let now = rows.as_deref().unwrap_or(text);
        // Two columns are needed: one that identifies the participant, and one that changes.
        if known_columns(now, best_of(|separator| known_columns(now, separator))) > 1 {
            return rows;
        }
        rows = Some(first_cells(now)?);
    }
    None
}

/// Maximum number of times that a table was saved again as one column.
const MOST_SAVED_AGAIN: usize = 4;

/// Returns the first cells; `None` if there are others.
fn first_cells(text: &str) -> Option<String> {
    let separator = best_of(|separator| first_record(text, separator).len());
    let (mut cells, mut at) = (String::new(), 1);
    for record in reader(text, separator).records().filter_map(Result::ok) {
        if record.iter().skip(1).any(|cell| !cell.trim().is_empty()) {
            return None;
        }
        let line = line_of(&record, text);
        cells.extend((at..line).map(|_| '\n'));
        at = at.max(line);
        let cell = record.get(0).unwrap_or_default();
        cells.push_str(cell);
        at += line_ends(cell.bytes());
    }
    Some(cells)
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
            return Err(ContactsFileError::RepeatedColumn { column: short(&header[at]) });
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

/// Returns the line in which a record starts, from 1.
fn line_of(record: &StringRecord, text: &str) -> u64 {
    let (at, line) = record.position().map_or((0, 0), |at| (at.byte(), at.line()));
    // The position of the reader is before empty lines.
    let rest = text.as_bytes().get(usize::try_from(at).unwrap_or(usize::MAX)..).unwrap_or_default();
    line + line_ends(rest.iter().copied().take_while(|byte| *byte == b'\n'))
}

fn line_ends(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.filter(|byte| *byte == b'\n').count() as u64
}

fn row(record: &StringRecord, columns: &[Option<Column>], offset: u64, text: &str) -> Row {
    let line = line_of(record, text) + offset;
    let cells = record.iter().zip(columns);
    Row {
        line: u32::try_from(line).unwrap_or(u32::MAX),
        cells: cells.filter_map(|(cell, column)| Some(((*column)?, plain(cell)))).collect(),
        has_more: record.iter().skip(columns.len()).any(|cell| !cell.trim().is_empty()),
    }
}

/// Returns a cell without the apostrophes that prevent formulas, which the template contains too.
fn plain(cell: &str) -> String {
    unguarded(cell.trim())
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

/// Returns the first 200 characters of a cell, which can be of any length.
pub(super) fn short(cell: &str) -> String {
    let cell = cell.trim();
    match cell.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &cell[..end]),
        None => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_was_saved_again_as_one_column_is_read_with_the_lines_of_its_file() {
        for text in [
            // A file with commas, opened where spreadsheets separate by semicolons, and saved there.
            "\"Portal,\"\"First name\"\",\"\"Email address\"\"\"\r\n\r\n\"Harbour,\"\"Ana\"\",\"\"ana@example.net\"\"\"\r\n",
            // The other way round.
            "\"Portal;\"\"First name\"\";\"\"Email address\"\"\"\n\n\"Harbour;\"\"Ana\"\";\"\"ana@example.net\"\"\"\n",
            // Every row in quotation marks.
            "\"Portal,First name,Email address\"\n\n\"Harbour,Ana,ana@example.net\"\n",
            "\"Portal\tFirst name\tEmail address\"\n\n\"Harbour\tAna\tana@example.net\"\n",
            // Beside empty columns.
            "\"Portal,\"\"First name\"\",Email address\";;;\n;;;\n\"Harbour,\"\"Ana\"\",ana@example.net\";;;\n",
            // Already in quotation marks when it was opened, and with a separator that is named.
            "sep=;\n\"Portal,First name,Email address\"\n\"Harbour,Ana,ana@example.net\"\n",
            // Saved twice in this way.
            "\"\"\"Portal,First name,Email address\"\"\"\n\n\"\"\"Harbour,Ana,ana@example.net\"\"\"\n",
        ] {
            let table = read(text).unwrap_or_else(|error| panic!("{error:?}: {text}"));
            let [row] = &table.rows[..] else { panic!("{table:?}") };
            assert_eq!((row.line, row.has_more), (3, false), "{text}");
            assert_eq!(row.cell(Column::Portal), "Harbour", "{text}");
            assert_eq!(row.cell(Column::Firstname), "Ana", "{text}");
            assert_eq!(row.cell(Column::Email), "ana@example.net", "{text}");
        }
    }

    #[test]
    fn what_cannot_be_told_apart_in_one_column_is_told_and_a_note_in_quotation_marks_stays_one_cell() {
        // The comma in the first cell lost its quotation marks.
        let table = read("\"Portal,\"\"First name\"\"\"\n\"Harbour, North,\"\"Ana\"\"\"\n").unwrap();
        assert!(table.rows[0].has_more);
        let formula = read("\"Portal,\"\"First name\"\"\"\n\"Harbour,\"\"'=1+1\"\"\"\n").unwrap();
        assert_eq!(formula.rows[0].cell(Column::Firstname), "=1+1");
        let table = read("Portal;First name\n\"Harbour, North\";\"Ana, \"\"A\"\"\"\n").unwrap();
        assert_eq!(table.rows[0].cell(Column::Portal), "Harbour, North");
        assert_eq!(table.rows[0].cell(Column::Firstname), "Ana, \"A\"");
        let open = read("\"Portal,\"\"First name\"\"\"\n\"Harbour,\"\"Ana\"\n");
        assert_eq!(open.err(), Some(ContactsFileError::OpenQuote));
    }

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
    fn a_row_does_not_get_cells_of_the_next_one_by_two_stray_quotation_marks() {
        for text in [
            "Portal,Notes,First name\nHarbour,\"urgent,Ana\nWater,5\",Kim\n",
            "Portal,Notes,First name\nHarbour,\"urgent,Ana\nUpland,,Bo\nWater,5\" pipe,Kim\n",
            "Portal,Notes,First name,Email\nHarbour,\"urgent,Ana,a@b.net\nWater,5\",Kim,k@b.net\n",
            "Portal,First name,Notes\nHarbour,Ana,\"urgent\nWater,Kim,5\"\n",
            "Portal;First name\n\"Harbour;Ana\nWater\";Kim\n",
        ] {
            assert_eq!(read(text).err(), Some(ContactsFileError::OpenQuote), "{text}");
        }
        for text in [
            "Portal,Notes,First name\nHarbour,\"Ask Ana,\nthen Bo\",Kim\n",
            "Portal,First name,Notes\nHarbour,Kim,\"Two lines,\nno row\"\n",
            "Portal,Notes,First name\nHarbour,\"One\nmore\",Kim\n",
        ] {
            assert_eq!(read(text).unwrap().rows[0].cell(Column::Firstname), "Kim", "{text}");
        }
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
        for end in ["\r\n", "\r"] {
            let table = read(&text.replace('\n', end)).unwrap();
            assert_eq!(table.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [3, 5], "{end:?}");
        }
    }
}
