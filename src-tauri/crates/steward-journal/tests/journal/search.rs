use steward_journal::{Conclusion, Filter, Intent, Journal, Outcome};

use crate::{conclusion, intent, pairs, text};

struct Kept {
    journal: Journal,
    _folder: tempfile::TempDir,
}

/// Records of two sites and two operations with three outcomes, one record a second.
fn kept(count: i64) -> Kept {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
    for number in 0..count {
        let place = format!("/backups/{number}/München");
        let id = journal
            .intend(&Intent {
                site: text(if number % 2 == 0 { "a" } else { "b" }),
                server: text(if number % 4 == 0 { "server" } else { "server2" }),
                operation: text(if number % 3 == 0 { "export_portal" } else { "import_server" }),
                parameters: pairs(&[("location", &place)]),
                // A search for the number of a record would find the digits of a version.
                site_version: String::new(),
                started_at: number * 1_000,
                ..intent()
            })
            .unwrap();
        let outcome = match number % 5 {
            0 => Outcome::Failed,
            1 => continue,
            _ => Outcome::Succeeded,
        };
        journal.conclude(&id, &Conclusion { outcome, note: place, ..conclusion() }).unwrap();
    }
    Kept { journal, _folder: folder }
}

impl Kept {
    /// The numbers of the records, read from their times.
    fn found(&self, filter: &Filter) -> Vec<i64> {
        let records = self.journal.records(filter).unwrap();
        records.iter().map(|record| record.intent.started_at / 1_000).collect()
    }

    fn words(&self, words: &str) -> Vec<i64> {
        self.found(&Filter { text: text(words), ..Filter::default() })
    }
}

#[test]
fn filters_meet_and_each_leaves_out_what_it_says() {
    let kept = kept(60);
    let expected =
        |wanted: fn(i64) -> bool| (0..60).rev().filter(|number| wanted(*number)).collect::<Vec<_>>();

    let site = Filter { site: Some(text("a")), ..Filter::default() };
    assert_eq!(kept.found(&site), expected(|number| number % 2 == 0));
    let server = Filter { server: Some(text("server")), ..site.clone() };
    assert_eq!(kept.found(&server), expected(|number| number % 4 == 0));
    let operation = Filter { operation: Some(text("export_portal")), ..site };
    assert_eq!(kept.found(&operation), expected(|number| number % 6 == 0));
    let outcomes = vec![Outcome::Failed, Outcome::Sent];
    let outcome = Filter { outcomes, ..operation };
    assert_eq!(kept.found(&outcome), expected(|number| number % 6 == 0 && number % 5 < 2));
    let time = Filter { from: Some(6_000), to: Some(30_000), ..outcome };
    assert_eq!(kept.found(&time), [30, 6]);
    let words = Filter { text: text("munchen 30"), ..time };
    assert_eq!(kept.found(&words), [30]);
    assert!(kept.found(&Filter { from: Some(60_000), ..Filter::default() }).is_empty());
    assert!(kept.found(&Filter { to: Some(-1), ..Filter::default() }).is_empty());
}

#[test]
fn a_record_made_while_the_clock_was_wrong_is_found_by_its_time() {
    let kept = kept(10);
    let late = Intent { started_at: 3_500, ..intent() };
    kept.journal.intend(&late).unwrap();

    let between = Filter { from: Some(3_000), to: Some(4_000), ..Filter::default() };
    let times: Vec<i64> =
        kept.journal.records(&between).unwrap().iter().map(|record| record.intent.started_at).collect();

    assert_eq!(times, [3_500, 4_000, 3_000]);
    let until = Filter { to: Some(3_500), limit: Some(2), ..Filter::default() };
    let newest = kept.journal.records(&until).unwrap();
    assert_eq!(newest.iter().map(|record| record.intent.started_at).collect::<Vec<_>>(), [3_500, 3_000]);
}

#[test]
fn words_are_found_whole_the_last_one_by_its_beginning() {
    let kept = kept(12);

    assert_eq!(kept.words("10"), [10]);
    assert_eq!(kept.words("backups 1"), [11, 10, 1]);
    assert_eq!(kept.words("1 backups"), [1]);
    assert_eq!(kept.words("/backups/1/"), [11, 10, 1], "a path is looked for as it is written");
    assert_eq!(kept.words("MUNCHEN").len(), 12);
    assert_eq!(kept.words("city gis zoning").len(), 9, "the report of those that were answered");
}

#[test]
fn the_outcome_that_counts_is_the_last_one() {
    let kept = kept(1);
    let failed = Filter { outcomes: vec![Outcome::Failed], ..Filter::default() };
    assert_eq!(kept.found(&failed).len(), 1);
    let id = kept.journal.records(&failed).unwrap().remove(0).id;

    let note = text("elsewhere");
    kept.journal.conclude(&id, &Conclusion { outcome: Outcome::Succeeded, note, ..conclusion() }).unwrap();

    assert!(kept.found(&failed).is_empty());
    assert_eq!(kept.words("elsewhere").len(), 1);
}

#[test]
fn nothing_a_person_types_is_a_syntax_error() {
    let kept = kept(3);
    for typed in [
        "\"",
        "\"\"",
        "'",
        "*",
        "a*",
        "^a",
        "AND",
        "OR",
        "NOT",
        "NEAR(",
        "a AND",
        "(",
        ")",
        "words:x",
        "facets : \"s61\"",
        "-a",
        "+",
        "{a}",
        "\\",
        ";",
        "--",
        "/*",
        "%",
        "_",
        "a\"b",
        "\0",
        "a\0b",
        "ü̈",
        "\u{1f409}",
        "\u{202e}",
        "....",
        "a.b:c",
        "' OR 1=1 --",
    ] {
        let filter = Filter { text: text(typed), ..Filter::default() };
        assert!(kept.journal.records(&filter).is_ok(), "{typed:?}");
    }
    assert!(kept.words("facets s61").is_empty(), "what is there for the filters is no word");
}

#[test]
fn pages_hold_every_record_once_though_new_ones_are_written_meanwhile() {
    let kept = kept(95);
    let mut filter = Filter { text: text("munchen"), limit: Some(10), ..Filter::default() };
    let mut seen = Vec::new();
    loop {
        let page = kept.journal.page(&filter).unwrap();
        assert!(page.records().len() <= 10);
        seen.extend(page.records().map(|record| record.intent.started_at / 1_000));
        let Some(older) = page.older else { break };
        filter.before = Some(older);
        let parameters = pairs(&[("location", "München")]);
        kept.journal.intend(&Intent { parameters, started_at: 1_000_000, ..intent() }).unwrap();
    }

    assert_eq!(seen, (0..95).rev().collect::<Vec<_>>());
}

#[test]
fn a_last_page_that_is_just_full_says_that_it_is_the_last() {
    let kept = kept(10);

    let page = kept.journal.page(&Filter { limit: Some(10), ..Filter::default() }).unwrap();

    assert_eq!((page.records().len(), page.older), (10, None));
}
