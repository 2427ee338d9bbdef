//! Journals with a flipped bit, or a page of zeros: what was not hit is read, and what was is not passed off as intact.

use std::collections::HashMap;
use std::path::PathBuf;

use rusqlite::Connection;
use steward_journal::trail::Damage;
use steward_journal::{
    Conclusion, DamagedRecords, DeactivationState, Filter, Intent, Journal, JournalError, Listed,
    NewDeactivation, Outcome, OutcomeResolution, Page, tables,
};
use tempfile::TempDir;

use crate::{conclusion, described, intent, text};

const RECORDS: usize = 300;

/// Size of a page of the file.
const PAGE: usize = 4_096;

/// Pseudorandom numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

struct Original {
    folder: TempDir,
    bytes: Vec<u8>,
    /// Everything about each record, by its identifier.
    content: HashMap<String, String>,
}

impl Original {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("original.db");
        let journal = Journal::open(&path).unwrap();
        for number in 0..RECORDS {
            let place = format!("/backups/{number}/city.agssite");
            let id = journal
                .intend(&Intent { parameters: vec![(text("location"), place.clone())], ..intent() })
                .unwrap();
            let conclusion = Conclusion { note: place, elapsed: number.try_into().unwrap(), ..conclusion() };
            if number % 7 != 0 {
                journal.conclude(&id, &conclusion).unwrap();
            }
        }
        journal.begin_deactivation(&deactivation()).unwrap();
        drop(journal);
        // Entries without an outcome become unknown when the journal is opened again.
        let journal = Journal::open(&path).unwrap();
        let records = journal.records(&Filter::default()).unwrap();
        let content = records.iter().map(|record| (record.id.clone(), whole(&journal, &record.id).unwrap()));
        let content = content.collect();
        drop(journal);
        Self { bytes: std::fs::read(&path).unwrap(), folder, content }
    }

    /// Pages that contain a text.
    fn pages_with(&self, text: &str) -> Vec<usize> {
        let contains = |page: &&[u8]| String::from_utf8_lossy(page).contains(text);
        let pages = self.bytes.chunks(PAGE).enumerate();
        pages.filter(|(_, page)| contains(page)).map(|(number, _)| number).collect()
    }

    /// Pages with rows of the history, without those of the trail, which has the address of each request, too.
    fn pages_with_records(&self) -> Vec<usize> {
        let trail = self.pages_with("operation.");
        self.pages_with("importSite").into_iter().filter(|page| !trail.contains(page)).collect()
    }

    fn write(&self, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join("damaged.db");
        for left in ["damaged.db-wal", "damaged.db-shm"] {
            drop(std::fs::remove_file(self.folder.path().join(left)));
        }
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Opens the journal with a flipped bit; `None` if its header or its tables cannot be read.
    fn flipped(&self, bit: usize) -> Option<Journal> {
        let mut bytes = self.bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        Journal::open(&self.write(&bytes)).ok()
    }

    /// Checks that each entry of a journal is as it was written, or shown as damaged. Those on a page are read as a whole.
    fn check(&self, journal: &Journal, page: usize, hint: &str) -> Page {
        let on_page = String::from_utf8_lossy(&self.bytes[page * PAGE..(page + 1) * PAGE]).into_owned();
        let page = journal.page(&Filter::default()).unwrap_or_else(|error| panic!("{hint}: {error:?}"));
        let mut damaged = 0;
        for entry in &page.entries {
            match entry {
                Listed::Damaged(entries) => damaged += usize::try_from(entries.count).unwrap(),
                Listed::Record(record) => {
                    let listed = format!("{record:?}");
                    let original = &self.content[&record.id];
                    assert!(original.starts_with(&listed), "{hint}: {listed}\n is no part of {original}");
                    if on_page.contains(&record.id)
                        && let Some(whole) = whole(journal, &record.id)
                    {
                        assert_eq!(&whole, original, "{hint}");
                    }
                }
            }
        }
        let intact = page.entries.len() - page.entries.iter().filter(|one| is_damaged(one)).count();
        assert!(intact + damaged >= RECORDS, "{hint}: {intact} intact and {damaged} damaged");
        page
    }
}

fn is_damaged(entry: &Listed) -> bool {
    matches!(entry, Listed::Damaged(_))
}

fn deactivation() -> NewDeactivation {
    NewDeactivation {
        record: text("record"),
        site: intent().site,
        service: text("Hosted/Hydrants.FeatureServer"),
        deactivated_at: 1,
        by: text("gisadmin"),
        why: text("Maintenance"),
        active: Some(Vec::new()),
    }
}

/// Everything about a record; `None` if it is damaged.
fn whole(journal: &Journal, id: &str) -> Option<String> {
    let whole = journal.whole(id).ok().filter(|whole| !whole.is_damaged)?;
    Some(format!("{:?} {:?} {:?}", whole.record, whole.response, whole.report))
}

#[test]
fn no_flipped_bit_makes_the_history_unreadable_or_passes_unnoticed() {
    let original = Original::new();
    let mut numbers = Numbers(7);
    let mut unreadable = Vec::new();
    for _ in 0..600 {
        let bit = numbers.below(original.bytes.len() * 8);
        let page = bit / 8 / PAGE;
        let hint = format!("bit {bit} in page {page}");
        let Some(journal) = original.flipped(bit) else {
            unreadable.push(page);
            continue;
        };
        let page = original.check(&journal, page, &hint);
        let intact = page.entries.iter().filter(|one| !is_damaged(one)).count();
        assert!(intact > RECORDS - 30, "{hint}: a page has fewer rows than were lost: {intact}");
        journal.longest(&intent().site, &intent().server, "import_server").unwrap();
        journal.usernames().unwrap();
        journal.deactivations(None).unwrap();
        let found = journal.records(&Filter { site: Some(intent().site), ..Filter::default() });
        assert!(found.is_ok(), "{hint}: {found:?}");
    }
    let schema = original.pages_with("CREATE ");
    assert!(
        unreadable.iter().all(|page| schema.contains(page)),
        "{unreadable:?} are not all among {schema:?}"
    );
}

#[test]
fn a_page_of_zeros_costs_only_its_rows() {
    let original = Original::new();
    let mut numbers = Numbers(11);
    let rows = original.pages_with_records();
    for _ in 0..20 {
        let page = rows[numbers.below(rows.len())];
        let mut bytes = original.bytes.clone();
        bytes[page * PAGE..(page + 1) * PAGE].fill(0);

        let journal = Journal::open(&original.write(&bytes)).unwrap();

        let entries = original.check(&journal, page, &format!("page {page}")).entries;
        let lost: u64 = entries
            .iter()
            .map(|entry| match entry {
                Listed::Damaged(damaged) => damaged.count,
                Listed::Record(_) => 0,
            })
            .sum();
        assert!((1..30).contains(&lost), "page {page}: {lost}");
        assert!(journal.check().is_ok_and(|health| !health.damage.is_empty()), "page {page}");
    }
}

#[test]
fn a_page_of_zeros_without_a_record_hides_none() {
    let original = Original::new();
    let path = original.write(&original.bytes);
    let journal = Journal::open(&path).unwrap();
    let unknown = original.content.iter().find(|(_, content)| content.contains("Unknown"));
    let unknown = &unknown.unwrap().0.clone();
    let outcome = Outcome::Succeeded;
    let resolution = OutcomeResolution { outcome, note: text("seen"), by: text("gisadmin"), at: 1 };
    journal.set_outcome(unknown, &resolution).unwrap();
    journal.set_checklist_item(unknown, "logs", true).unwrap();
    drop(journal);
    let original = Original { bytes: std::fs::read(path).unwrap(), ..original };
    let with_records = original.pages_with_records();
    let schema = original.pages_with("CREATE ");
    for number in 1..original.bytes.len() / PAGE {
        if with_records.contains(&number) || schema.contains(&number) {
            continue;
        }
        let mut bytes = original.bytes.clone();
        bytes[number * PAGE..(number + 1) * PAGE].fill(0);

        let journal = Journal::open(&original.write(&bytes)).unwrap();

        let entries = journal.page(&Filter::default()).unwrap().entries;
        assert_eq!(entries.iter().filter(|one| !is_damaged(one)).count(), RECORDS, "page {number}");
        let resolved = entries.iter().filter(|one| matches!(one, Listed::Record(one) if one.is_resolved));
        assert_eq!(resolved.count(), 1, "page {number}");
        let failed = original.content.keys().find(|id| journal.whole(id).is_err());
        assert_eq!(failed, None, "page {number}: {:?}", journal.whole(unknown).err());
    }
}

#[test]
fn records_that_a_lost_page_makes_unreadable_are_not_called_verified() {
    let original = Original::new();
    let page = original.pages_with_records()[3];
    let mut bytes = original.bytes.clone();
    bytes[page * PAGE..(page + 1) * PAGE].fill(0);
    let journal = Journal::open(&original.write(&bytes)).unwrap();

    let verified = journal.verify_trail(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();

    let is_told = |what: Damage| verified.breaks.iter().any(|one| one.what == what);
    assert!(is_told(Damage::Unreadable) && is_told(Damage::Record), "{:?}", verified.breaks);
    assert!(!is_told(Damage::Untold), "{:?}", verified.breaks);
}

/// If neither took new entries, the app would start and send nothing any more: what cannot be recorded is not sent.
#[test]
fn a_history_that_lost_a_page_takes_new_entries_or_what_is_left_of_it_does() {
    let original = Original::new();
    let connection = Connection::open(original.write(&original.bytes)).unwrap();
    let root = |sql: &str| {
        let page: i64 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
        usize::try_from(page).unwrap() - 1
    };
    let [records, deactivations, trail] = ["record", "deactivation", "trail"]
        .map(|table| root(&format!("SELECT rootpage FROM sqlite_schema WHERE name = '{table}'")));
    let last_root = root("SELECT max(rootpage) FROM sqlite_schema");
    // The log of a file that is open outlives it, and would be read in the place of what is written below.
    drop(connection);
    let takes_entries = |journal: &Journal| {
        let written = journal.intend(&intent()).and_then(|id| journal.conclude(&id, &conclusion()));
        written.and_then(|()| journal.begin_deactivation(&deactivation()).map(drop))
    };
    for number in 1..original.bytes.len() / PAGE {
        let mut bytes = original.bytes.clone();
        bytes[number * PAGE..(number + 1) * PAGE].fill(0);
        let path = original.write(&bytes);
        let Ok(damaged) = Journal::open(&path) else { continue };
        let can_write = damaged.can_write();
        if takes_entries(&damaged).is_ok() {
            continue;
        }
        // Damage of a root page concerns every entry, and must be noticed at the start; that of another page only some
        // entries.
        assert!(can_write.is_err() || number > last_root, "page {number} is not noticed at the start");
        drop(damaged);
        // Write the file again, without what the failed attempt wrote.
        let path = original.write(&bytes);
        let new = original.folder.path().join(format!("new-{number}.db"));

        let kept = Journal::salvage(&path, &new).unwrap_or_else(|error| panic!("{number}: {error:?}"));

        assert!(kept > 250 || number == records, "page {number}: {kept}");
        let journal = Journal::open(&new).unwrap();
        let left = journal.deactivations(None).unwrap().len();
        assert!(left == 1 || number == deactivations, "page {number}");
        let left = journal.trail_status().unwrap().head.map_or(0, |head| head.entry);
        assert!(left > 400 || number == trail, "page {number}: {left}");
        journal.can_write().unwrap_or_else(|error| panic!("page {number}: {error:?}"));
        takes_entries(&journal).unwrap_or_else(|error| panic!("page {number}: {error:?}"));
    }
}

#[test]
fn a_damaged_entry_is_named_where_its_name_can_be_read_and_exported_as_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let journal = Journal::open(&path).unwrap();
    let id = journal.intend(&intent()).unwrap();
    journal.conclude(&id, &conclusion()).unwrap();
    let other = journal.intend(&intent()).unwrap();
    let damage = |sql: &str| Connection::open(&path).unwrap().execute_batch(sql).unwrap();

    damage("UPDATE record SET report = '{\"status\":\"sucdess\"}' WHERE sequence = 1");
    let whole = journal.whole(&id).unwrap();
    assert!(whole.is_damaged && whole.report.is_none() && whole.response.is_none(), "{whole:?}");
    assert!(journal.set_in_report(&id, "$.later", &crate::report(&1)).is_err());

    damage("UPDATE record SET username = CAST(x'ff' || 'isadmin' AS TEXT) WHERE sequence = 1");
    let entries = journal.page(&Filter::default()).unwrap().entries;
    let [Listed::Record(intact), Listed::Damaged(damaged)] = &entries[..] else { panic!("{entries:?}") };
    assert_eq!(intact.id, other);
    assert_eq!((damaged.id.as_ref(), damaged.started_at), (Some(&id), Some(intent().started_at)));
    assert!(matches!(journal.whole(&id), Err(JournalError::DamagedRecord(_))));
    assert!(journal.check().unwrap().damage[0].contains("1 of 2"), "{:?}", journal.check());
    let (mut csv, mut json) = (Vec::new(), Vec::new());
    tables::csv(&mut csv, &entries, tables::Separator::Comma, true, &described).unwrap();
    tables::json(&mut json, &entries, &described).unwrap();
    let (csv, json) = (String::from_utf8(csv).unwrap(), String::from_utf8(json).unwrap());
    assert!(csv.contains("\"damaged\"") && csv.contains(&id), "{csv}");
    assert!(json.contains("\"damaged\"") && json.contains(&id), "{json}");

    // An outcome that comes later does not make it look intact.
    journal.conclude(&id, &conclusion()).unwrap();
    assert!(matches!(journal.whole(&id), Err(JournalError::DamagedRecord(_))));

    damage("DELETE FROM record WHERE sequence = 1");
    let entries = journal.page(&Filter::default()).unwrap().entries;
    let missing = DamagedRecords { sequence: 1, count: 1, id: None, started_at: None };
    assert!(matches!(&entries[..], [_, Listed::Damaged(found)] if *found == missing), "{entries:?}");
}

#[test]
fn a_report_that_lost_a_page_hides_neither_its_record_nor_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let journal = Journal::open(&path).unwrap();
    let report = serde_json::json!({ "proof": "x", "pages": "of another kind ".repeat(4_000) });
    let [damaged, intact] = ["damaged", "intact"].map(|name| {
        let id = journal.intend(&intent()).unwrap();
        let report = Some(crate::report(&serde_json::json!({ "proof": name, "report": report })));
        journal.conclude(&id, &Conclusion { report, ..conclusion() }).unwrap();
        id
    });
    drop(journal);
    let mut bytes = std::fs::read(&path).unwrap();
    // The first of the pages that have nothing but a part of a report.
    let is_part =
        |page: &[u8]| page[4..].windows(64).all(|part| String::from_utf8_lossy(part).contains("another"));
    let page = bytes.chunks(PAGE).position(is_part).unwrap();
    bytes[page * PAGE..(page + 1) * PAGE].fill(0);
    std::fs::write(&path, bytes).unwrap();

    let journal = Journal::open(&path).unwrap();

    assert!(journal.page(&Filter::default()).unwrap().entries.iter().all(|one| !is_damaged(one)));
    assert!(journal.report_field(&damaged, "proof").unwrap().is_none());
    let proof = journal.report_field(&intact, "proof").unwrap().unwrap();
    assert_eq!(proof.read::<String>().unwrap(), "intact");
    let whole = journal.whole(&damaged).unwrap();
    assert!(whole.is_damaged && whole.report.is_none(), "{:?}", whole.record);
    assert!(!journal.whole(&intact).unwrap().is_damaged);
}

#[test]
fn a_damaged_row_of_another_table_costs_no_record_that_is_kept() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().to_owned();
    // Not every path is Unicode.
    #[cfg(unix)]
    let folder = folder.join(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"caf\xe9"));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("journal.db");
    let journal = Journal::open(&path).unwrap();
    let ids = [(); 2].map(|()| journal.intend(&intent()).unwrap());
    for id in &ids {
        let resolution =
            OutcomeResolution { outcome: Outcome::Succeeded, note: text("seen"), by: text("by"), at: 1 };
        journal.set_outcome(id, &resolution).unwrap();
    }
    drop(journal);
    // Damage can make a note NULL, which the table of the new journal does not accept.
    let damage = format!(
        "PRAGMA writable_schema = ON;
         UPDATE sqlite_schema SET sql = replace(sql, 'note    TEXT NOT NULL,
    by', 'note    TEXT,
    by') WHERE name = 'outcome_resolution';
         PRAGMA writable_schema = RESET;
         UPDATE outcome_resolution SET note = NULL WHERE record = '{}';",
        ids[0]
    );
    Connection::open(&path).unwrap().execute_batch(&damage).unwrap();

    let kept = Journal::salvage(&path, &folder.join("new.db"));

    assert!(matches!(kept, Ok(2)), "{kept:?}");
    let new = Journal::open(&folder.join("new.db")).unwrap();
    assert_eq!(new.records(&Filter::default()).unwrap().len(), 2);
    assert!(new.outcome_resolution(&ids[1]).unwrap().is_some());
}

#[test]
fn webhooks_of_a_damaged_deactivation_are_not_known() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let journal = Journal::open(&path).unwrap();
    let id = journal.begin_deactivation(&deactivation()).unwrap();
    journal.confirm_deactivation(&id).unwrap();
    assert!(!journal.deactivation(&id).unwrap().is_damaged);

    let sql = "UPDATE deactivation SET service = 'Hosted/Hydrantr.FeatureServer'";
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();

    let entry = journal.deactivation(&id).unwrap();
    assert!(entry.is_damaged && entry.intent.active.is_none(), "{entry:?}");
    assert_eq!(entry.state, DeactivationState::Unknown);
}
