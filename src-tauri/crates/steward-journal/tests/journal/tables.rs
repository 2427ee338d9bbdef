use steward_journal::tables::Description;
use steward_journal::{Conclusion, Journal, StoredRecord, Workstation, tables};

use crate::{conclusion, described, intent, text};

fn records(note: &str, count: usize) -> Vec<StoredRecord> {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
    for _ in 0..count {
        let id = journal.intend(&intent()).unwrap();
        journal.conclude(&id, &Conclusion { note: text(note), ..conclusion() }).unwrap();
    }
    journal.records(&steward_journal::Filter::default()).unwrap()
}

fn table(records: &[StoredRecord]) -> Vec<csv::StringRecord> {
    let mut bytes = Vec::new();
    let (first, second) = records.split_at(records.len() / 2);
    tables::csv(&mut bytes, first, tables::Separator::Comma, true, &described).unwrap();
    tables::csv(&mut bytes, second, tables::Separator::Comma, false, &described).unwrap();
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap();
    csv::Reader::from_reader(bytes).records().map(Result::unwrap).collect()
}

#[test]
fn the_words_of_a_server_are_never_a_formula_in_a_spreadsheet() {
    for formula in ["=1+1", "+1", "-1", "@SUM(A1)"] {
        assert_eq!(&table(&records(formula, 1))[0][10], format!("'{formula}"), "{formula:?}");
    }
    for blank in ["\t", "\r", "\n"] {
        assert_eq!(&table(&records(&format!("{blank}=1"), 1))[0][10], format!("'{blank}'=1"), "{blank:?}");
    }
    for unseen in [" =1", "\u{200b}=1", "\u{feff} +1", "＝1"] {
        assert_eq!(&table(&records(unseen, 1))[0][10], format!("'{unseen}"), "{unseen:?}");
    }
    // Where semicolons separate, the rest can be a cell of its own.
    let mut bytes = Vec::new();
    let mut file = tables::Table::begin(&mut bytes, tables::Separator::Comma).unwrap();
    file.row(["x;=cmd|a", "b"]).unwrap();
    file.end().unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), "\u{feff}\"x;'=cmd|a\",\"b\"\r\n");
    assert_eq!(&table(&records("a, \"b\"\r\nc = d", 1))[0][10], "a, \"b\"\r\nc = d");
}

#[test]
fn no_cell_runs_in_a_terminal_ends_early_or_is_turned_around() {
    let mut bytes = Vec::new();
    let mut file = tables::Table::begin(&mut bytes, tables::Separator::Comma).unwrap();
    file.row(["\u{1b}[31mred", "null\0byte", "\u{202e}evil\u{2066}", "one\ntwo \u{200c}"]).unwrap();
    file.end().unwrap();
    let expected =
        "\"\u{fffd}[31mred\",\"null\u{fffd}byte\",\"\u{fffd}evil\u{fffd}\",\"one\ntwo \u{200c}\"\r\n";
    assert_eq!(String::from_utf8(bytes).unwrap(), format!("\u{feff}{expected}"));
}

#[test]
fn no_cell_is_a_formula_in_a_spreadsheet_that_splits_by_another_character() {
    let hostile = [
        "=1",
        "x;=1",
        "x,=1",
        "x\t=1",
        "x\n=1",
        "x\r\n=1",
        "x; =1",
        "x;\"=1",
        "x;\"\"=1",
        "x;\u{200b}+1",
        "x;;-1",
        "x,@SUM(A1)",
        "x;=1;=2",
        "\"=1",
        "\";=1",
        "x;＝1",
        "x\";\"=1",
    ];
    for separator in [tables::Separator::Comma, tables::Separator::Semicolon] {
        for cell in hostile {
            let mut bytes = Vec::new();
            let mut file = tables::Table::begin(&mut bytes, separator).unwrap();
            file.row([cell, "a", cell, cell]).unwrap();
            file.row(["b", cell]).unwrap();
            file.end().unwrap();
            let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap();
            for other in [b',', b';', b'\t'] {
                let mut format = csv::ReaderBuilder::new();
                format.delimiter(other).has_headers(false).flexible(true);
                for record in format.from_reader(text).records().map(Result::unwrap) {
                    let formula = record.iter().find(|cell| tables::is_formula(cell));
                    assert_eq!(formula, None, "{cell:?} {separator:?} by {:?}", char::from(other));
                }
            }
            assert_eq!(tables::unguarded(&tables::guarded(cell)), cell);
        }
    }
    for harmless in ["a, b; c", "x=1;y=2", "GIS - Data; a+", "a;b'=c", "/a,b", "1 - 2"] {
        assert_eq!(tables::guarded(harmless), harmless);
    }
}

#[test]
fn cells_are_separated_as_the_region_separates_them() {
    for (separator, line) in
        [(tables::Separator::Comma, "\"a;b\",\"c,d\""), (tables::Separator::Semicolon, "\"a;b\";\"c,d\"")]
    {
        let mut bytes = Vec::new();
        let mut file = tables::Table::begin(&mut bytes, separator).unwrap();
        file.row(["a;b", "c,d"]).unwrap();
        file.end().unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), format!("\u{feff}{line}\r\n"));
    }
}

#[test]
fn a_table_written_page_by_page_has_every_record_once() {
    let records = records("note", 5);

    let lines = table(&records);

    let ids: Vec<&str> = lines.iter().map(|line| &line[18]).collect();
    assert_eq!(ids, records.iter().map(|record| record.id.as_str()).collect::<Vec<_>>());
    assert_eq!(&lines[0][0], "2026-01-06T11:46:40Z");
    assert_eq!(&lines[0][12], Workstation::this().user);
    assert_eq!(&lines[0][13], Workstation::this().computer);
    assert_eq!(&lines[0][14], "location=/backups/a.agssite");
    assert_eq!(&lines[0][15], "POST https://gis.example.org/server/admin/importSite");
}

#[test]
fn a_saved_list_names_an_entry_and_says_what_happened_as_its_caller_does() {
    let records = records("note", 1);
    let describe = |_: &StoredRecord| Description {
        operation: text("undo_import"),
        summary: text("Import of 18:58 undone"),
    };
    let (mut csv, mut json) = (Vec::new(), Vec::new());

    tables::csv(&mut csv, &records, tables::Separator::Comma, true, &describe).unwrap();
    tables::json(&mut json, &records, &describe).unwrap();

    let csv = String::from_utf8(csv).unwrap();
    assert!(csv.contains(r#""undo_import","warnings","Import of 18:58 undone","note""#), "{csv}");
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json[0]["operation"], "undo_import");
    assert_eq!(json[0]["summary"], "Import of 18:58 undone");
}

#[test]
fn many_records_are_one_array_of_json_and_none_is_an_empty_one() {
    let records = records("note", 3);
    let read = |records: &[StoredRecord]| -> Vec<serde_json::Value> {
        let mut bytes = Vec::new();
        tables::json(&mut bytes, records, &described).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    };

    let objects = read(&records);

    assert_eq!(objects.len(), 3);
    assert_eq!(objects[0]["site"]["version"], "11.1");
    assert_eq!(objects[0]["computer"], Workstation::this().computer);
    assert_eq!(objects[0]["elapsedMillis"], 3_600_000);
    assert!(read(&[]).is_empty());
}
