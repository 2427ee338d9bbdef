//! What each attack does, and who finds it: the start of the program, its verification of the whole trail, the scripts of a
//! package, and a head that somebody kept. The help names the same.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use steward_journal::trail::export::{Entry, Selection};
use steward_journal::trail::{Break, Damage, Event, Head};
use steward_journal::{
    Conclusion, Fault, Filter, Intent, Journal, JournalError, NewDeactivation, Outcome, OutcomeResolution,
    StandingEvent,
};

use super::scripts::{HERE, verified_by};
use super::{Desk, broken_at, kinds};

/// Who finds an attack. A script finds it without a kept head, or only with one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    start: bool,
    verification: bool,
    scripts: bool,
    head: bool,
}

/// Reads the cells of a row: `s`, `v`, `p`, and `h` if the start, the verification, the scripts, and a kept head find
/// the attack.
const fn by(cells: &[u8; 4]) -> Found {
    Found {
        start: cells[0] == b's',
        verification: cells[1] == b'v',
        scripts: cells[2] == b'p',
        head: cells[3] == b'h',
    }
}

/// Attack on the file of the history, by somebody who can write it.
type OnHistory = (&'static str, &'static [u8; 4], fn(&Situation));

/// Attack on an audit package.
type OnPackage = (&'static str, &'static [u8; 4], fn(&Path));

/// A history that the last start verified, and an operation since then. Entries 3 and 4 are of the first operation, 5 and 6 of one
/// whose outcome a user set, 7 is the mark of the verification, and 8 and 9 are of the last operation.
struct Situation {
    desk: Desk,
    ids: [String; 3],
}

impl Situation {
    fn new() -> Self {
        let desk = Desk { folder: tempfile::tempdir().unwrap() };
        let journal = desk.journal();
        journal.append_start("").unwrap();
        let id = |intent: &Intent| journal.intend(intent).unwrap();
        let first = id(&crate::intent());
        journal.conclude(&first, &crate::conclusion()).unwrap();
        let second = id(&crate::intent());
        let (note, by) = ("the file is there".to_owned(), "sam".to_owned());
        let resolution = OutcomeResolution { outcome: Outcome::Succeeded, note, by, at: 5_000 };
        journal.set_outcome(&second, &resolution).unwrap();
        journal.verify_new_entries().unwrap();
        let third = id(&crate::intent());
        journal.conclude(&third, &crate::conclusion()).unwrap();
        Self { desk, ids: [first, second, third] }
    }

    /// Changes the file, and computes the checksums of its rows anew, as this program does.
    fn attack(&self, sql: &str) {
        self.desk.attack(sql);
        let connection = rusqlite::Connection::open(self.desk.path()).unwrap();
        steward_journal::seal_all(&connection).unwrap();
    }

    /// Changes the record of the first or the last operation.
    fn change(&self, record: usize, set: &str) {
        self.attack(&format!("UPDATE record SET {set} WHERE id = '{}'", self.ids[record]));
    }

    /// Writes a package with all records that are there, and returns its folder.
    fn package(&self) -> std::path::PathBuf {
        let journal = self.desk.journal();
        let records = journal.records(&steward_journal::Filter::default()).unwrap();
        let records: Vec<_> = records.into_iter().rev().map(|record| record.id).collect();
        let folder = self.desk.folder.path().join("package");
        crate::audit_package::unpack(&journal, &records, &folder);
        folder
    }
}

static ON_HISTORY: [OnHistory; 43] = [
    ("an envelope was changed", b"-vp-", |on| {
        on.attack(
            "UPDATE trail SET envelope = replace(envelope, 'operation.sent', 'app.ended') WHERE sequence = 3",
        );
    }),
    ("the last envelope was changed", b"---h", |on| {
        on.attack("UPDATE trail SET envelope = replace(envelope, '.ended', '.other') WHERE sequence = 9");
    }),
    ("a body was changed", b"-vp-", |on| {
        on.attack("UPDATE trail SET body = replace(body, 'City', 'Town') WHERE sequence = 3");
    }),
    ("a body that is not in the package was changed", b"-v--", |on| {
        on.attack("UPDATE trail SET body = replace(body, 'program', 'program ') WHERE sequence = 2");
    }),
    ("the last body was changed", b"svp-", |on| {
        on.attack("UPDATE trail SET body = replace(body, 'City', 'Town') WHERE sequence = 9");
    }),
    ("a body is missing", b"-vp-", |on| on.attack("UPDATE trail SET body = NULL WHERE sequence = 2")),
    ("the last body is missing", b"svp-", |on| on.attack("UPDATE trail SET body = NULL WHERE sequence = 9")),
    ("all bodies are missing", b"svp-", |on| on.attack("UPDATE trail SET body = NULL")),
    ("an entry was removed", b"-vp-", |on| on.attack("DELETE FROM trail WHERE sequence = 3")),
    ("an entry was removed, and the others moved up", b"svp-", |on| {
        on.attack(
            "DELETE FROM trail WHERE sequence = 3; UPDATE trail SET sequence = sequence - 1 WHERE sequence > 3",
        );
    }),
    ("the first entries were removed", b"svp-", |on| on.attack("DELETE FROM trail WHERE sequence < 3")),
    ("an entry was inserted", b"svp-", |on| {
        on.attack(
            "UPDATE trail SET sequence = -sequence - 1 WHERE sequence > 2;
             UPDATE trail SET sequence = -sequence WHERE sequence < 0;
             INSERT INTO trail (sequence, envelope, body)
                 SELECT 3, replace(envelope, '\"seq\":4', '\"seq\":3'), body FROM trail WHERE sequence = 5",
        );
    }),
    ("the last entry has another number", b"svph", |on| {
        on.attack(
            "UPDATE trail SET sequence = 12, envelope = replace(envelope, '\"seq\":9', '\"seq\":12') WHERE sequence = 9",
        );
    }),
    ("the end was cut off, and its history entries are still there", b"svph", |on| {
        on.attack("DELETE FROM trail WHERE sequence > 7");
    }),
    ("the end was cut off with its history entries", b"---h", |on| {
        on.attack("DELETE FROM trail WHERE sequence > 7; DELETE FROM record WHERE sequence = 3");
    }),
    ("an older copy was restored, and the program went on", b"---h", |on| {
        on.attack("DELETE FROM trail WHERE sequence > 7; DELETE FROM record WHERE sequence = 3");
        let journal = on.desk.journal();
        (0..3).for_each(|_| journal.append(&Event::AppEnded).unwrap());
    }),
    ("the chain was computed anew, and the history entries are still there", b"svph", |on| {
        on.attack("DELETE FROM trail");
        let journal = on.desk.journal();
        (0..9).for_each(|_| journal.append(&Event::AppEnded).unwrap());
    }),
    ("the chain was computed anew with changed history entries", b"---h", |on| {
        on.attack("DELETE FROM trail; DELETE FROM record; DELETE FROM outcome_resolution");
        let journal = on.desk.journal();
        let id = journal.intend(&Intent { username: "another".to_owned(), ..crate::intent() }).unwrap();
        journal.conclude(&id, &crate::conclusion()).unwrap();
    }),
    ("the account of a history entry was changed", b"-vp-", |on| on.change(0, "username = 'another'")),
    ("its outcome was changed", b"-vp-", |on| on.change(0, "outcome = 'succeeded'")),
    ("its note was changed", b"-vp-", |on| on.change(0, "note = 'another'")),
    ("its report was changed", b"-vp-", |on| on.change(0, "report = '{\"status\":\"another\"}'")),
    ("its report was removed", b"-vp-", |on| on.change(0, "report = NULL")),
    ("its response was changed", b"-vp-", |on| on.change(0, "response = '{}'")),
    ("its requests were changed", b"-vp-", |on| on.change(0, "requests = '[]'")),
    ("white space was added to its requests", b"-vp-", |on| on.change(0, "requests = requests || char(10)")),
    ("white space was added to its facts", b"-vp-", |on| on.change(0, "facts = ' ' || facts")),
    ("its reason was changed", b"-vp-", |on| on.change(0, "reason = 'CHG-1'")),
    ("its time was changed", b"-vp-", |on| on.change(0, "started_at = started_at - 1000")),
    ("its computer was changed", b"-vp-", |on| on.change(0, "computer = 'another'")),
    ("the newest history entry was changed", b"svp-", |on| on.change(2, "username = 'another'")),
    ("the outcome that a user set was changed", b"-vp-", |on| {
        on.attack("UPDATE outcome_resolution SET note = 'another'");
    }),
    ("the checksum of a history entry was changed", b"-v--", |on| {
        on.desk.attack("UPDATE record SET checksum = checksum + 1 WHERE sequence = 1");
    }),
    ("the checksum of the newest history entry was changed", b"sv--", |on| {
        on.desk.attack("UPDATE record SET checksum = checksum + 1 WHERE sequence = 3");
    }),
    ("the checksum of an outcome that a user set was changed", b"-v--", |on| {
        on.desk.attack("UPDATE outcome_resolution SET checksum = checksum + 1");
    }),
    ("a history entry was removed", b"-v--", |on| on.attack("DELETE FROM record WHERE sequence = 1")),
    ("a history entry was inserted", b"svp-", |on| {
        on.attack(&format!("{INSERTED}'succeeded'{INSERTED_FROM}"))
    }),
    ("a history entry without an outcome was inserted", b"svp-", |on| {
        on.attack(&format!("{INSERTED}'sent'{INSERTED_FROM}"));
    }),
    ("a history entry was inserted, and the first event says that it is older", b"svp-", |on| {
        on.attack(&format!(
            "UPDATE trail SET body = json_set(body, '$.earlierRecords', 9) WHERE sequence = 1; {INSERTED}'succeeded'{INSERTED_FROM}"
        ));
        on.desk.journal().verify_trail(&mut |_| ControlFlow::Continue(())).unwrap();
    }),
    ("a changed history entry was given a reason by the program", b"svp-", |on| {
        on.change(0, "username = 'another'");
        on.desk.journal().set_reason(&on.ids[..1], "CHG-1").unwrap();
    }),
    // The limits that the help names.
    ("a valid entry was appended after the kept head", b"----", |on| {
        on.desk.journal().append(&Event::AppEnded).unwrap();
    }),
    ("the checklist was changed", b"----", |on| {
        on.attack(&format!("INSERT INTO checklist_item (record, item) VALUES ('{}', 'checked')", on.ids[0]));
    }),
    ("the deactivation log was changed", b"----", |on| {
        let (record, site) = (on.ids[0].clone(), crate::intent().site);
        let (service, by, why) = ("Parcels".to_owned(), String::new(), String::new());
        let new = NewDeactivation { record, site, service, by, why, active: None, deactivated_at: 1 };
        on.desk.journal().begin_deactivation(&new).unwrap();
        on.attack("UPDATE deactivation SET service = 'Roads'");
    }),
];

/// Statement that inserts a record like the first one, with the outcome between both parts.
const INSERTED: &str = "INSERT INTO record (id, site, site_name, environment, site_version, operation, username, program_version,
     parameters, started_at, late, requests, outcome)
     SELECT 'abcd', site, site_name, environment, site_version, operation, username, program_version, parameters, started_at,
            late, requests, ";
const INSERTED_FROM: &str = " FROM record WHERE sequence = 1";

fn lines(folder: &Path, name: &str, change: impl FnOnce(&mut Vec<String>)) {
    let path = folder.join(name);
    let mut lines: Vec<_> = fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
    change(&mut lines);
    fs::write(path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
}

fn text(folder: &Path, name: &str, change: impl FnOnce(String) -> String) {
    let path = folder.join(name);
    fs::write(&path, change(fs::read_to_string(&path).unwrap())).unwrap();
}

/// Writes every end of a line as another system does.
fn with_crlf(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension().and_then(|extension| extension.to_str()) {
            _ if path.is_dir() => with_crlf(&path),
            Some("json" | "jsonl" | "txt") => {
                fs::write(&path, fs::read_to_string(&path).unwrap().replace('\n', "\r\n")).unwrap();
            }
            _ => {}
        }
    }
}

const RECORD: &str = "001-import_server/record.json";
const FORGED: &str = "99\u{1b}[2J\nUnbroken up to entry 99: 0\n";

static ON_PACKAGE: [OnPackage; 38] = [
    ("nothing", b"----", |_| {}),
    ("files with the ends of lines of another system", b"----", with_crlf),
    ("no end of the last lines", b"----", |to| {
        for name in ["bodies.jsonl", "envelopes.jsonl", "contents.txt", RECORD] {
            text(to, name, |text| text.trim_end().to_owned());
        }
    }),
    ("record.json was changed", b"--p-", |to| text(to, RECORD, |text| text.replace("gisadmin", "another"))),
    ("record.json has a NUL", b"--p-", |to| text(to, RECORD, |text| text.replacen(',', ",\0", 1))),
    ("record.json has a second line", b"--p-", |to| text(to, RECORD, |text| format!("{text}{{}}\n"))),
    ("record.json was removed", b"--p-", |to| fs::remove_file(to.join(RECORD)).unwrap()),
    ("record.json is that of another entry", b"--p-", |to| {
        fs::copy(to.join("003-import_server/record.json"), to.join("002-import_server/record.json")).unwrap();
    }),
    ("report.json was changed", b"--p-", |to| {
        text(to, "001-import_server/report.json", |text| text.replace("could not", "could"));
    }),
    ("a history entry was added beside the folders", b"--p-", |to| {
        fs::copy(to.join(RECORD), to.join("record.json")).unwrap();
    }),
    ("a masked record was added", b"--p-", |to| {
        fs::write(to.join("001-import_server/record.masked.json"), "{}").unwrap();
    }),
    ("a masked response was added", b"--p-", |to| {
        fs::write(to.join("001-import_server/response.masked.txt"), "ok").unwrap();
    }),
    ("record.json was changed, and contents.txt says that there is none", b"--p-", |to| {
        text(to, RECORD, |text| text.replace("gisadmin", "another"));
        text(to, "contents.txt", |text| text.replace("records 3", "records 0"));
    }),
    ("a changed history entry was added in a folder with another name", b"--p-", |to| {
        fs::create_dir(to.join("x")).unwrap();
        let record = fs::read_to_string(to.join(RECORD)).unwrap();
        fs::write(to.join("x/record.json"), record.replace("gisadmin", "another")).unwrap();
    }),
    ("a masked response of an entry that has none was added", b"--p-", |to| {
        fs::write(to.join("002-import_server/response.masked.json"), "{}").unwrap();
    }),
    ("a masked record stands in the place of a history entry, and contents.txt says so", b"--p-", |to| {
        lines(to, "bodies.jsonl", |lines| lines.truncate(4));
        text(to, "contents.txt", |text| {
            text.replace("bodies 6", "bodies 4").replace("records 3", "records 2")
        });
        let folder = to.join("003-import_server");
        fs::rename(folder.join("record.json"), folder.join("record.masked.json")).unwrap();
    }),
    ("a folder has the name of a pattern", b"----", |to| {
        fs::rename(to.join("002-import_server"), to.join("[0-9]*-*")).unwrap();
    }),
    // The last line of the scripts counts such files.
    ("a history entry was added in a folder of a folder", b"----", |to| {
        fs::create_dir(to.join("001-import_server/a")).unwrap();
        fs::copy(to.join(RECORD), to.join("001-import_server/a/record.json")).unwrap();
    }),
    ("a page to read was changed", b"----", |to| {
        text(to, "001-import_server/report.html", |text| format!("{text}<p>another"));
    }),
    ("a folder has a name that ends with a line break, and another response", b"--p-", |to| {
        let folder = to.join("001-import_server\n");
        fs::create_dir(&folder).unwrap();
        fs::rename(to.join(RECORD), folder.join("record.json")).unwrap();
        fs::write(folder.join("response.json"), "{}").unwrap();
    }),
    ("report.json was removed", b"--p-", |to| {
        fs::remove_file(to.join("001-import_server/report.json")).unwrap();
    }),
    ("a response was added", b"--p-", |to| {
        fs::write(to.join("002-import_server/response.txt"), "ok").unwrap()
    }),
    ("a second response was added", b"--p-", |to| {
        fs::write(to.join("001-import_server/response.txt"), "ok").unwrap();
    }),
    ("the last body was changed, and has no end of line", b"--p-", |to| {
        text(to, "bodies.jsonl", |text| {
            let at = text.rfind("warnings").unwrap();
            format!("{}succeeded{}", &text[..at], text[at + 8..].trim_end())
        });
    }),
    ("bodies.jsonl was removed", b"--p-", |to| fs::remove_file(to.join("bodies.jsonl")).unwrap()),
    ("envelopes.jsonl was removed", b"--ph", |to| fs::remove_file(to.join("envelopes.jsonl")).unwrap()),
    ("contents.txt was removed", b"--p-", |to| fs::remove_file(to.join("contents.txt")).unwrap()),
    ("a body was removed", b"--p-", |to| lines(to, "bodies.jsonl", |lines| drop(lines.remove(0)))),
    ("a body stands in place of another one", b"--p-", |to| {
        lines(to, "bodies.jsonl", |lines| lines[0] = lines[1].clone());
    }),
    ("the number of an entry is a text with line breaks", b"--p-", |to| {
        lines(to, "envelopes.jsonl", |lines| {
            lines[8] = lines[8].replace("\"seq\":9", &format!("\"seq\":{FORGED}"))
        });
    }),
    ("the number of a body is a text with line breaks", b"--p-", |to| {
        lines(to, "bodies.jsonl", |lines| {
            lines[0] = lines[0].replace("\"seq\":3", &format!("\"seq\":{FORGED}"))
        });
    }),
    ("contents.txt has escapes", b"--p-", |to| {
        fs::write(to.join("contents.txt"), format!("entries {FORGED} bodies 6 missing 0 records 3")).unwrap();
    }),
    ("a line is not UTF-8, and has a zero", b"--ph", |to| {
        fs::write(to.join("envelopes.jsonl"), b"{\"v\":1,\"seq\":\xff\0\x1b[2J}\n").unwrap();
    }),
    ("an entry was cut off, and contents.txt says so", b"---h", |to| {
        // The entry that is cut off is about no record of the package.
        lines(to, "envelopes.jsonl", |lines| lines.truncate(9));
        text(to, "contents.txt", |text| text.replace("entries 10", "entries 9"));
    }),
    ("an entry was removed, and contents.txt says so", b"--p-", |to| {
        lines(to, "envelopes.jsonl", |lines| drop(lines.remove(1)));
        text(to, "contents.txt", |text| text.replace("entries 10", "entries 9"));
    }),
    // The limit that the help names.
    ("a history entry was removed with its bodies, and contents.txt says so", b"----", |to| {
        lines(to, "bodies.jsonl", |lines| lines.truncate(4));
        text(to, "contents.txt", |text| {
            text.replace("bodies 6", "bodies 4").replace("records 3", "records 2")
        });
        fs::remove_dir_all(to.join("003-import_server")).unwrap();
    }),
    ("a history entry is there twice, in the place of another", b"--p-", |to| {
        for file in fs::read_dir(to.join("001-import_server")).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), to.join("002-import_server").join(file.file_name())).unwrap();
        }
    }),
    ("a line of the contents has another end, and nothing was changed", b"----", |to| {
        let path = to.join("contents.txt");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(path, text.trim_end().replace('\n', " ") + "\n").unwrap();
    }),
];

/// The rows that nothing finds, each with the limit that the last line of the scripts names; an empty one where nothing that counts was
/// changed.
const LIMITS: [(&str, &str); 11] = [
    ("a valid entry was appended after the kept head", "what was appended after that head"),
    ("the checklist was changed", "checklists"),
    ("the deactivation log was changed", "the deactivation log"),
    ("a page to read was changed", "pages to read (report.html)"),
    ("a history entry was added in a folder of a folder", "other files here (1)"),
    (
        "a history entry was removed with its bodies, and contents.txt says so",
        "whether history entries were taken out of these files",
    ),
    ("nothing", ""),
    ("files with the ends of lines of another system", ""),
    ("no end of the last lines", ""),
    ("a folder has the name of a pattern", ""),
    ("a line of the contents has another end, and nothing was changed", ""),
];

/// Runs all scripts on a package, with a kept head and without one, and returns which of both finds something. All
/// scripts must agree.
fn found_by_scripts(name: &str, package: &Path, kept: &str) -> (bool, bool) {
    let limit = LIMITS.iter().find(|(of, _)| *of == name).map_or("", |(_, limit)| *limit);
    let mut all = HERE.iter().map(|script| {
        let alone = verified_by(script, package, "");
        let with_head = verified_by(script, package, kept);
        for said in [&alone, &with_head] {
            assert!(
                said.words.chars().all(|one| one == '\n' || (' '..='~').contains(&one)),
                "{name}: {said:?}"
            );
            assert!(!said.words.contains("entry 99"), "{name}: {said:?}");
            let last = said.words.lines().last().unwrap();
            assert!(last.starts_with("Not verified: ") && last.contains(limit), "{name}: {said:?}");
        }
        let found = (alone.exit == 1, !with_head.has_head);
        assert_eq!(alone.is_unbroken, alone.exit == 0, "{name}: {alone:?}");
        assert_eq!(alone.is_unbroken, !alone.words.contains("BROKEN: "), "{name}: {alone:?}");
        assert_eq!(with_head.exit == 1, found.0 || found.1, "{name}: {with_head:?}");
        (found, alone.words)
    });
    let first = all.next().unwrap();
    for other in all {
        assert_eq!(other, first, "{name}: all scripts say the same");
    }
    first.0
}

/// Threads that try attacks.
const PARTS: usize = 4;

fn on_history(name: &str, run: fn(&Situation)) -> Found {
    let on = Situation::new();
    let kept = on.desk.head().to_string();
    run(&on);
    let (scripts, head) = found_by_scripts(name, &on.package(), &kept);
    let journal = on.desk.journal();
    let is_shown = || !journal.trail_status().unwrap().breaks.is_empty();
    let start = !journal.verify_new_entries().unwrap().breaks.is_empty() || is_shown();
    let verified = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap();
    Found { start, verification: !verified.breaks.is_empty() || is_shown(), scripts, head }
}

fn on_package(name: &str, run: fn(&Path)) -> Found {
    let on = Situation::new();
    on.desk.journal().append(&Event::AppEnded).unwrap();
    let (kept, package) = (on.desk.head().to_string(), on.package());
    run(&package);
    let (scripts, head) = found_by_scripts(name, &package, &kept);
    Found { start: false, verification: false, scripts, head }
}

#[test]
fn each_attack_is_found_by_whom_the_help_says() {
    let mut wrong = Vec::new();
    let mut row = |name: &str, expected: &[u8; 4], found: Found| {
        let cell = |is_found, letter: char| if is_found { letter } else { '-' };
        let Found { start, verification, scripts, head } = found;
        let cells: String = [(start, 's'), (verification, 'v'), (scripts, 'p'), (head, 'h')]
            .map(|(is, of)| cell(is, of))
            .iter()
            .collect();
        println!("{cells}  {name}");
        if cells == "----" && !LIMITS.iter().any(|(of, _)| *of == name) {
            wrong.push(format!("nothing finds it, and no limit is named: {name}"));
        }
        if found != by(expected) {
            wrong.push(format!("{cells}, not {}: {name}", String::from_utf8_lossy(expected)));
        }
    };
    // Most of the time is that of the scripts.
    let rows = std::thread::scope(|scope| {
        let part = |part: usize| {
            let history = ON_HISTORY.iter().skip(part).step_by(PARTS);
            let history = history.map(|(name, by, run)| (*name, *by, on_history(name, *run)));
            let package = ON_PACKAGE.iter().skip(part).step_by(PARTS);
            let package = package.map(|(name, by, run)| (*name, *by, on_package(name, *run)));
            history.chain(package).collect::<Vec<_>>()
        };
        let running: Vec<_> = (0..PARTS).map(|number| scope.spawn(move || part(number))).collect();
        running.into_iter().flat_map(|one| one.join().unwrap()).collect::<Vec<_>>()
    });
    println!("s: start, v: verification, p: scripts of a package, h: a kept head");
    for (name, expected, found) in rows {
        row(name, expected, found);
    }
    assert_eq!(wrong.join("\n"), "");
}

#[test]
fn what_is_broken_is_named_with_its_entries() {
    let on = Situation::new();
    on.desk.attack("UPDATE trail SET body = NULL WHERE sequence IN (1, 2, 7)");
    on.change(0, "username = 'another'");
    let journal = on.desk.journal();

    let breaks = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

    let named: Vec<_> = breaks.iter().map(|one| (one.what, one.entry, one.through)).collect();
    assert_eq!(named, [(Damage::MissingBodies, 1, 2), (Damage::MissingBodies, 7, 7), (Damage::Record, 4, 4)]);
    assert_eq!(breaks[2].record, on.ids[0]);
    assert_eq!((breaks[2].expected.len(), breaks[2].found.len()), (64, 64));
    assert_ne!(breaks[2].expected, breaks[2].found);
    assert_eq!(journal.trail_status().unwrap().breaks, breaks, "the chain tells of all");
}

#[test]
fn an_action_that_is_on_its_way_has_an_event_of_its_record() {
    let on = Situation::new();
    let journal = on.desk.journal();
    let sign_in = Intent { operation: "sign_in".to_owned(), ..crate::intent() };
    let id = journal.intend(&sign_in).unwrap();
    assert_eq!(kinds(&journal).last().unwrap(), "record.written");

    let verified =
        |journal: &Journal| journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;
    assert_eq!(verified(&journal), []);
    journal.conclude(&id, &crate::conclusion()).unwrap();
    journal.not_sent(&crate::intent(), &crate::conclusion()).unwrap();
    assert_eq!(verified(&journal), []);
}

#[test]
fn whatever_the_program_changes_of_a_record_is_in_its_last_event() {
    let on = Situation::new();
    let journal = on.desk.journal();
    let report = crate::report(&serde_json::json!({ "later": ["\u{202e}ü\n", 1.50, -0.5] }));
    journal.set_in_report(&on.ids[0], "$.proof", &report).unwrap();
    journal.set_in_report(&on.ids[0], "$.proof.later[#]", &report).unwrap();
    journal.set_reason(&on.ids, "CHG-2291").unwrap();
    journal.intend(&Intent { operation: "run_plan".to_owned(), ..crate::intent() }).unwrap();
    drop(journal);

    // The next start sets the outcome of entries that have none to unknown.
    assert_eq!(broken_at(&on.desk.path()), [] as [i64; 0]);
    let package = on.package();
    let kept = on.desk.head().to_string();
    assert_eq!(found_by_scripts("as recorded", &package, &kept), (false, false));
}

#[test]
fn a_broken_chain_is_told_once_and_shown_from_then_on_and_never_repaired() {
    let desk = Desk::new();
    desk.attack(
        "UPDATE trail SET envelope = replace(envelope, 'operation.sent', 'app.ended') WHERE sequence = 3",
    );
    assert_eq!(broken_at(&desk.path()), [4]);
    let journal = desk.journal();

    let breaks = journal.trail_status().unwrap().breaks;

    assert_eq!(breaks.len(), 1);
    assert_eq!((breaks[0].entry, breaks[0].expected.len(), breaks[0].found.len()), (4, 64, 64));
    assert_ne!(breaks[0].expected, breaks[0].found);
    journal.append(&Event::AppEnded).unwrap();
    assert_eq!(journal.verify_new_entries().unwrap().breaks, breaks, "still there");
    assert_eq!(journal.verify_new_entries().unwrap().breaks, [], "the new segment holds");
    assert_eq!(journal.trail_status().unwrap().breaks, breaks, "shown");
    let told = kinds(&journal).iter().filter(|kind| *kind == "chain.broken").count();
    assert_eq!(told, 1);
    assert_eq!(broken_at(&desk.path()), [4], "never repaired");
}

#[test]
fn a_damaged_history_that_is_rescued_keeps_its_trail_with_what_is_missing() {
    let desk = Desk::new();
    desk.attack("DELETE FROM trail WHERE sequence = 3");
    let rescued = desk.folder.path().join("rescued.db");

    Journal::salvage(&desk.path(), &rescued).unwrap();

    assert_eq!(broken_at(&rescued), [4]);
    let journal = Journal::open(&rescued).unwrap();
    assert_eq!(
        kinds(&journal),
        ["chain.began", "app.started", "operation.ended", "app.ended", "app.started", "chain.broken"]
    );
}

/// Whether a verification of the whole trail finds what was done, at once and after the next start.
fn is_found(on: &Situation) -> bool {
    let of = |journal: &Journal| journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;
    let journal = on.desk.journal();
    let was_told = !journal.trail_status().unwrap().breaks.is_empty();
    was_told || !of(&journal).is_empty()
}

#[test]
fn no_position_no_identifier_and_no_state_hides_an_inserted_history_entry() {
    for (name, change) in [
        ("an identifier that is no text", "id = CAST(x'ff41' AS TEXT), sequence = 100"),
        ("the first position there is", "id = 'x', sequence = -9223372036854775808"),
        (
            "an action of another process on its way",
            "id = 'x', sequence = 100, operation = 'sign_in', outcome = 'sent', process = 'other'",
        ),
        (
            "an action of this process on its way",
            "id = 'x', sequence = 100, operation = 'sign_in', outcome = 'sent', process = 'window'",
        ),
    ] {
        let on = Situation::new();
        on.attack(&format!(
            "CREATE TEMP TABLE other AS SELECT * FROM record WHERE sequence = 1; UPDATE other SET username = 'evil', {change};
             INSERT INTO record SELECT * FROM other"
        ));
        assert!(is_found(&on), "{name}");
    }
}

#[test]
fn an_entry_before_the_first_one_is_found() {
    let on = Situation::new();
    on.desk.attack(
        "INSERT INTO trail (sequence, envelope, body)
         SELECT 0, replace(envelope, '\"seq\":2', '\"seq\":0'), body FROM trail WHERE sequence = 2",
    );
    assert!(!on.desk.journal().verify_new_entries().unwrap().breaks.is_empty(), "also by a start");
}

/// Replaces the rows of an index of the trail, and restores its definition, so that the schema is as before.
fn replace_index(on: &Situation, index: &str, condition: &str) {
    let connection = rusqlite::Connection::open(on.desk.path()).unwrap();
    let definition: String = connection
        .query_row("SELECT sql FROM sqlite_schema WHERE name = ?1", [index], |row| row.get(0))
        .unwrap();
    let (begin, _) = definition.split_once(" WHERE ").unwrap();
    for (sql, reindex) in [(format!("{begin} WHERE {condition}"), true), (definition.clone(), false)] {
        connection.execute_batch("PRAGMA writable_schema = ON").unwrap();
        connection.execute("UPDATE sqlite_schema SET sql = ?1 WHERE name = ?2", [&sql, index]).unwrap();
        connection.execute_batch("PRAGMA writable_schema = RESET").unwrap();
        if reindex {
            connection.execute_batch(&format!("REINDEX {index}")).unwrap();
        }
    }
}

#[test]
fn a_break_that_an_index_hides_is_found_and_shown_again() {
    let on = Situation::new();
    on.change(0, "username = 'another'");
    let journal = on.desk.journal();
    let told = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;
    drop(journal);
    on.change(0, "username = 'gisadmin'");
    replace_index(&on, "trail_marks", "kind = 'nothing'");
    let journal = on.desk.journal();
    assert_eq!(journal.trail_status().unwrap().breaks, [], "hidden");

    let found = journal.verify_new_entries().unwrap().breaks;

    assert!(found.iter().any(|one| one.what == Damage::Index), "{found:?}");
    let shown = journal.trail_status().unwrap().breaks;
    assert!(told.iter().all(|one| shown.contains(one)), "{shown:?}");
}

#[test]
fn a_history_entry_that_was_put_back_is_found_also_if_an_index_lacks_its_later_events() {
    for process in ["window", "runner"] {
        let on = Situation::new();
        let first = "kind = 'operation.sent' AND record IS NOT NULL";
        on.attack(&format!(
            "UPDATE record SET outcome = 'sent', ended_at = NULL, elapsed = NULL, note = '', facts = '{{}}', report = NULL,
                response = NULL, response_truncated = 0, process = '{process}' WHERE id = '{}'",
            on.ids[0]
        ));
        replace_index(&on, "trail_by_record", first);
        assert!(is_found(&on), "{process}");
    }
}

/// Adds a row to the index of records that leads to an entry which does not exist.
fn add_ghost(on: &Situation, record: usize) {
    let connection = rusqlite::Connection::open(on.desk.path()).unwrap();
    let id = &on.ids[record];
    let body = format!("{{\"record\":\"{id}\",\"recordSha256\":\"0\"}}");
    connection
        .execute("INSERT INTO trail (sequence, envelope, body) VALUES (1000000, '{}', ?1)", [body])
        .unwrap();
    let hidden = "name IN ('trail_by_record', 'trail_is_not_shortened')";
    connection
        .execute_batch(&format!(
            "CREATE TEMP TABLE hidden AS SELECT rowid AS at, type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE {hidden};
             PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE {hidden}; PRAGMA writable_schema = RESET;
             DELETE FROM trail WHERE sequence = 1000000;
             PRAGMA writable_schema = ON;
             INSERT INTO sqlite_schema (rowid, type, name, tbl_name, rootpage, sql) SELECT * FROM hidden;
             PRAGMA writable_schema = RESET"
        ))
        .unwrap();
    let last = "SELECT body FROM trail WHERE record = ?1 ORDER BY sequence DESC";
    connection.query_row(last, [id], |_| Ok(())).unwrap_err();
}

#[test]
fn a_changed_history_entry_whose_index_leads_nowhere_is_told_with_the_index_which_is_made_anew() {
    let on = Situation::new();
    on.change(0, "username = 'another'");
    add_ghost(&on, 0);
    let journal = on.desk.journal();

    let found = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

    let found: Vec<_> = found.iter().map(|one| (one.what, one.record.as_str())).collect();
    assert_eq!(found, [(Damage::Index, ""), (Damage::Record, on.ids[0].as_str())]);
    let again = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;
    assert_eq!(again.iter().map(|one| one.what).collect::<Vec<_>>(), [Damage::Record]);
    assert_eq!(journal.trail_status().unwrap().breaks.len(), 2, "told");
}

#[test]
fn the_newest_history_entry_that_was_inserted_is_told_by_a_start_whatever_the_index_leads_to() {
    for leads_to_another in [true, false] {
        let mut on = Situation::new();
        on.attack(&format!("{INSERTED}'succeeded'{INSERTED_FROM}"));
        on.ids[0] = "abcd".to_owned();
        match leads_to_another {
            true => {
                let connection = rusqlite::Connection::open(on.desk.path()).unwrap();
                let definition = "SELECT rootpage, sql FROM sqlite_schema WHERE name = 'trail_by_record'";
                let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
                let (page, sql) = connection.query_row(definition, [], read).unwrap();
                drop(connection);
                let hidden =
                    "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'trail_by_record';
                              PRAGMA writable_schema = RESET";
                on.desk.attack(&format!(
                    "CREATE TEMP TABLE genuine AS SELECT body FROM trail WHERE sequence = 9;
                     UPDATE trail SET body = json_set(body, '$.record', 'abcd') WHERE sequence = 9;
                     {hidden}; UPDATE trail SET body = (SELECT body FROM genuine) WHERE sequence = 9;
                     PRAGMA writable_schema = ON;
                     INSERT INTO sqlite_schema VALUES ('index', 'trail_by_record', 'trail', {page}, '{}');
                     PRAGMA writable_schema = RESET",
                    sql.replace('\'', "''")
                ));
            }
            false => add_ghost(&on, 0),
        }

        let found = on.desk.journal().verify_new_entries().unwrap().breaks;

        let found: Vec<_> = found.iter().map(|one| (one.what, one.record.as_str())).collect();
        assert_eq!(found, [(Damage::Untold, "abcd")], "{leads_to_another}");
    }
}

#[test]
fn an_index_that_says_that_a_user_set_an_outcome_is_told_and_made_anew() {
    let on = Situation::new();
    let id = &on.ids[0];
    let definition =
        "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_outcome_resolution_1'";
    let connection = rusqlite::Connection::open(on.desk.path()).unwrap();
    connection
        .execute("INSERT INTO outcome_resolution VALUES (?1, 'succeeded', '', 'evil', 1, 0)", [id])
        .unwrap();
    let page: i64 = connection.query_row(definition, [], |row| row.get(0)).unwrap();
    connection
        .execute_batch(&format!(
            "PRAGMA writable_schema = ON;
             CREATE TEMP TABLE saved AS SELECT rowid AS at, * FROM sqlite_schema WHERE name = 'outcome_resolution';
             UPDATE sqlite_schema SET sql = replace(sql, 'TEXT PRIMARY KEY', 'TEXT') WHERE name = 'outcome_resolution';
             DELETE FROM sqlite_schema WHERE rootpage = {page};
             PRAGMA writable_schema = RESET;
             DELETE FROM outcome_resolution WHERE record = '{id}';
             PRAGMA writable_schema = ON;
             UPDATE sqlite_schema SET sql = (SELECT sql FROM saved) WHERE name = 'outcome_resolution';
             INSERT INTO sqlite_schema VALUES ('index', 'sqlite_autoindex_outcome_resolution_1', 'outcome_resolution', {page}, NULL);
             PRAGMA writable_schema = RESET"
        ))
        .unwrap();
    drop(connection);
    let journal = on.desk.journal();
    let is_resolved = || journal.record(id).unwrap().is_resolved;
    assert!(is_resolved(), "what the list shows");

    let found = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

    assert!(matches!(&found[..], [Break { what: Damage::Index, .. }]), "{found:?}");
    assert!(!is_resolved());
    assert_eq!(journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks, []);
}

#[test]
fn a_mark_of_a_verification_that_leads_nowhere_keeps_no_start_from_verifying() {
    let on = Situation::new();
    on.change(2, "username = 'another'");
    let envelope = r#"{"v":1,"seq":1,"at":"","type":"chain.verified","body":"","prev":""}"#;
    on.desk.attack(&format!(
        "INSERT INTO trail (sequence, envelope, body) VALUES (1000000, '{envelope}', '{{}}');
         CREATE TEMP TABLE hidden AS SELECT rowid AS at, type, name, tbl_name, rootpage, sql FROM sqlite_schema
             WHERE name = 'trail_marks';
         PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'trail_marks'; PRAGMA writable_schema = RESET;
         DELETE FROM trail WHERE sequence = 1000000;
         PRAGMA writable_schema = ON;
         INSERT INTO sqlite_schema (rowid, type, name, tbl_name, rootpage, sql) SELECT * FROM hidden;
         PRAGMA writable_schema = RESET"
    ));
    let journal = on.desk.journal();
    assert_eq!(journal.trail_status().unwrap().verified_through, 0, "it is not found");

    let found = journal.verify_new_entries().unwrap().breaks;

    let found: Vec<_> = found.iter().map(|one| (one.what, one.record.as_str())).collect();
    assert_eq!(found, [(Damage::Index, ""), (Damage::Record, on.ids[2].as_str())]);
    assert_eq!(journal.trail_status().unwrap().breaks.len(), 2);
}

#[test]
fn an_event_that_knew_of_none_before_it_does_not_hide_that_there_was_one() {
    let on = Situation::new();
    on.change(0, "username = 'another'");
    replace_index(&on, "trail_by_record", "record IS NOT NULL AND sequence > 100");
    // Without the index, the change finds nothing to compare with.
    on.desk.journal().set_reason(&on.ids[..1], "CHG-1").unwrap();

    let found = on.desk.journal().verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

    assert!(
        found.iter().any(|one| one.what == Damage::Record && one.record == on.ids[0] && one.found.is_empty()),
        "{found:?}"
    );
}

#[test]
fn what_was_found_is_shown_also_if_the_trail_cannot_tell_of_it() {
    let on = Situation::new();
    on.change(0, "username = 'another'");
    on.desk.attack(
        "INSERT INTO trail (sequence, envelope, body) SELECT 9223372036854775807, envelope, body FROM trail WHERE sequence = 2",
    );
    let journal = on.desk.journal();

    let found = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

    assert!(found.iter().any(|one| one.record == on.ids[0]), "{found:?}");
    assert_eq!(journal.trail_status().unwrap().breaks, found);
}

#[test]
fn a_second_outcome_that_a_user_set_is_found_also_if_the_index_leads_to_it() {
    let on = Situation::new();
    on.attack(&format!(
        "CREATE TEMP TABLE genuine AS SELECT * FROM outcome_resolution; DELETE FROM outcome_resolution;
         INSERT INTO outcome_resolution VALUES ('{id}', 'succeeded', 'I saw it', 'evil', 1, 0);
         PRAGMA writable_schema = ON;
         CREATE TEMP TABLE saved AS SELECT rowid AS at, * FROM sqlite_schema WHERE name LIKE '%outcome_resolution%';
         UPDATE sqlite_schema SET sql = replace(sql, 'TEXT PRIMARY KEY', 'TEXT') WHERE name = 'outcome_resolution';
         DELETE FROM sqlite_schema WHERE name = 'sqlite_autoindex_outcome_resolution_1';
         PRAGMA writable_schema = RESET;
         INSERT INTO outcome_resolution SELECT * FROM genuine;
         PRAGMA writable_schema = ON;
         DELETE FROM sqlite_schema WHERE name = 'outcome_resolution';
         INSERT INTO sqlite_schema (rowid, type, name, tbl_name, rootpage, sql)
             SELECT at, type, name, tbl_name, rootpage, sql FROM saved;
         PRAGMA writable_schema = RESET",
        id = on.ids[1]
    ));
    let shown = on.desk.journal().outcome_resolution(&on.ids[1]).unwrap().unwrap();
    assert_eq!(shown.by, "evil", "what the details show");

    assert!(is_found(&on));
}

#[test]
fn a_damaged_page_of_an_inserted_entry_hides_neither_it_nor_others() {
    let on = Situation::new();
    on.attack(
        "CREATE TEMP TABLE other AS SELECT * FROM record WHERE sequence = 1;
         UPDATE other SET username = 'evil', id = 'x', sequence = -1, response = printf('%.*c', 200000, 'y');
         INSERT INTO record SELECT * FROM other;
         UPDATE other SET id = 'z', sequence = 101, response = NULL; INSERT INTO record SELECT * FROM other;
         PRAGMA wal_checkpoint(TRUNCATE)",
    );
    let path = on.desk.path();
    rusqlite::Connection::open(&path).unwrap().execute_batch("PRAGMA journal_mode = DELETE").unwrap();
    let mut file = fs::read(&path).unwrap();
    // In an overflow page of the long response, the number of the next page leads nowhere.
    let page = file.chunks(4096).position(|page| page[4..].iter().all(|one| *one == b'y')).unwrap();
    file[page * 4096..page * 4096 + 4].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff]);
    fs::write(&path, file).unwrap();

    let found = on.desk.journal().verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

    let mut inserted: Vec<_> =
        found.iter().filter(|one| one.what == Damage::Untold).map(|one| one.record.as_str()).collect();
    inserted.sort_unstable();
    assert_eq!(inserted, ["x", "z"], "{found:?}");
}

/// Kinds of the events that hold until another one says otherwise, as `append_missing` reads them.
fn states(journal: &Journal) -> Vec<String> {
    let mut states = Vec::new();
    let read = |known: &[StandingEvent]| {
        states = known.iter().map(|event| event.kind.clone()).collect();
        Vec::new()
    };
    journal.append_missing(read).unwrap();
    states
}

#[test]
fn no_entry_before_the_first_one_says_that_something_was_told_already() {
    let on = Situation::new();
    let told = r#"{"v":1,"seq":-1,"at":"","type":"forwarding.turned-on","body":"","prev":""}"#;
    on.desk.attack(&format!("INSERT INTO trail (sequence, envelope, body) VALUES (-1, '{told}', '{{}}')"));

    assert_eq!(states(&on.desk.journal()), [] as [&str; 0]);
}

#[test]
fn a_state_that_an_index_hides_is_known_to_a_decision_and_shown_by_a_start() {
    let on = Situation::new();
    let file = Event::FileUnreadable { file: "plans.json".to_owned(), path: "/plans.json".to_owned() };
    on.desk.journal().append(&file).unwrap();
    for place in ["after the last mark", "before it"] {
        replace_index(&on, "trail_states", "kind = 'nothing'");
        let journal = on.desk.journal();
        assert_eq!(states(&journal), ["file.unreadable"], "{place}");

        let found = journal.verify_new_entries().unwrap().breaks;

        assert!(found.iter().any(|one| one.what == Damage::Index), "{place}: {found:?}");
        journal.verify_new_entries().unwrap();
        assert_eq!(journal.verify_new_entries().unwrap().breaks, [], "{place}: made anew");
    }
}

#[test]
fn a_snapshot_that_an_index_hides_is_known_to_a_comparison_and_shown_by_a_start() {
    let on = Situation::new();
    let (site, site_name, sha256) = ("harbour".to_owned(), "Harbour".to_owned(), "aa".to_owned());
    on.desk.journal().append(&Event::SnapshotTaken { site, site_name, snapshot: 1, sha256 }).unwrap();
    for place in ["after the last mark", "before it"] {
        replace_index(&on, "trail_snapshots", "kind = 'nothing'");
        let journal = on.desk.journal();
        let known = journal.entries_about_snapshots().unwrap();
        assert!(known.len() == 1 && known[0].envelope.contains("snapshot.taken"), "{place}: {known:?}");

        let found = journal.verify_new_entries().unwrap().breaks;

        assert!(found.iter().any(|one| one.what == Damage::Index), "{place}: {found:?}");
        journal.verify_new_entries().unwrap();
        assert_eq!(journal.verify_new_entries().unwrap().breaks, [], "{place}: made anew");
        assert_eq!(journal.entries_about_snapshots().unwrap().len(), 1, "{place}");
    }
}

#[test]
fn an_identifier_of_a_history_that_was_planted_is_no_second_head() {
    let desk = Desk::new();
    let planted = format!("7f3a seq 12 sha256 {}", "a".repeat(64));
    desk.attack(&format!(
        "UPDATE trail SET body = json_set(body, '$.historyId', '{planted}') WHERE sequence = 1"
    ));

    let head = desk.head();

    assert_eq!((head.history.as_str(), head.to_string().matches("sha256").count()), ("", 1), "{head}");
    let (history, hash) = (planted, head.hash.clone() + " seq 12 sha256 " + &head.hash);
    assert_eq!(Head { history, entry: 1, hash }.to_string().matches("sha256").count(), 1);
}

#[test]
fn a_history_entry_that_the_index_of_the_search_lacks_is_told_and_found_again() {
    let on = Situation::new();
    on.attack(
        "DELETE FROM search WHERE rowid = 1; INSERT INTO search (rowid, facets, words) VALUES (9, 'x', 'x')",
    );
    let journal = on.desk.journal();
    let by_site = Filter { site: Some(crate::intent().site), ..Filter::default() };
    assert_eq!(journal.records(&by_site).unwrap().len(), 2, "hidden");

    let found = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

    let [Break { what: Damage::Index, entry: 4, record, .. }] = &found[..] else { panic!("{found:?}") };
    assert_eq!(*record, on.ids[0]);
    assert_eq!(journal.records(&by_site).unwrap().len(), 3);
    assert_eq!(journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks, []);
}

/// SQL expression whose evaluation never ends.
const ENDLESS: &str =
    "(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c)";

#[test]
fn no_view_that_never_ends_is_read() {
    let on = Situation::new();
    let folder = on.desk.folder.path().to_owned();
    let changed = |name: &str, sql: &str| {
        let to = folder.join(name);
        on.desk.journal().copy_to(&to).unwrap();
        rusqlite::Connection::open(&to).unwrap().execute_batch(sql).unwrap();
        to
    };
    let searchable = changed(
        "searchable.db",
        &format!(
            "PRAGMA writable_schema = ON;
             UPDATE sqlite_schema SET sql = replace(sql, '''s''', '{ENDLESS} || ''s''') WHERE name = 'searchable'"
        ),
    );
    let trail = changed(
        "trail.db",
        &format!(
            "DROP TABLE trail; CREATE VIEW TRAIL AS SELECT {ENDLESS} AS sequence, '' AS envelope, '' AS body"
        ),
    );
    let record = changed(
        "record.db",
        &format!(
            "PRAGMA legacy_alter_table = ON; ALTER TABLE record RENAME TO other;
             CREATE VIEW record AS SELECT *, {ENDLESS} AS x FROM other"
        ),
    );
    let (ended, end) = std::sync::mpsc::channel();
    // A thread of its own: a statement that never ends cannot be left.
    std::thread::spawn(move || {
        let opened = Journal::open(&searchable).map(drop);
        let head = Journal::head_of_copy(&trail);
        let salvaged = [&trail, &record].map(|from| {
            let to = from.with_extension("new");
            Journal::salvage(from, &to)
        });
        let _ = ended.send((opened, head, salvaged));
    });

    let (opened, head, salvaged) = end.recv_timeout(std::time::Duration::from_secs(20)).unwrap();

    assert!(matches!(opened, Err(JournalError::DamagedFile { .. })), "{opened:?}");
    assert!(matches!(head, Ok(None)), "{head:?}");
    assert!(matches!(salvaged, [Ok(3), Ok(0)]), "{salvaged:?}");
}

/// Changes the rows of the records without the rule that each value is of the declared type, and puts the definition back.
fn change_types(on: &Situation, sql: &str) {
    let strict = |before: &str, after: &str| {
        format!(
            "PRAGMA writable_schema = ON;
             UPDATE sqlite_schema SET sql = replace(sql, '{before}', '{after}') WHERE name = 'record';
             PRAGMA writable_schema = RESET;"
        )
    };
    on.attack(&format!("{}{sql}", strict(") STRICT", ")")));
    let connection = rusqlite::Connection::open(on.desk.path()).unwrap();
    let definition: String = connection
        .query_row("SELECT sql FROM sqlite_schema WHERE name = 'record'", [], |row| row.get(0))
        .unwrap();
    connection.execute_batch("PRAGMA writable_schema = ON").unwrap();
    let strict = format!("{definition} STRICT");
    connection.execute("UPDATE sqlite_schema SET sql = ?1 WHERE name = 'record'", [strict]).unwrap();
}

#[test]
fn a_value_of_another_type_is_found_although_it_looks_the_same() {
    for set in [
        "outcome = CAST(outcome AS BLOB)",
        "id = CAST(id AS BLOB)",
        "site = CAST(site AS BLOB)",
        "operation = CAST(operation AS BLOB)",
        "server = CAST(server AS BLOB)",
        "late = 0.5",
        "report = CAST(report AS BLOB)",
        "response_truncated = CAST(response_truncated AS BLOB)",
    ] {
        let on = Situation::new();
        change_types(&on, &format!("UPDATE record SET {set} WHERE sequence = 1"));

        let found = on.desk.journal().verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

        assert!(
            found.iter().any(|one| one.record == on.ids[0] && one.what == Damage::Record),
            "{set}: {found:?}"
        );
    }
}

#[test]
fn a_late_entry_with_another_number_for_true_is_found() {
    let on = Situation::new();
    let journal = on.desk.journal();
    let id = journal.intend(&Intent { started_at: 1, ..crate::intent() }).unwrap();
    drop(journal);
    on.attack(&format!("UPDATE record SET late = 2 WHERE id = '{id}' AND late = 1"));

    assert!(is_found(&on));
}

#[test]
fn a_body_of_another_type_is_found_although_its_bytes_are_the_same() {
    let on = Situation::new();
    on.attack(
        "PRAGMA writable_schema = ON;
         UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = 'trail';
         PRAGMA writable_schema = RESET; UPDATE trail SET body = CAST(body AS BLOB) WHERE sequence = 4;
         PRAGMA writable_schema = ON;
         UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = 'trail';
         PRAGMA writable_schema = RESET",
    );

    assert_eq!(broken_at(&on.desk.path()).first(), Some(&4));
}

#[test]
fn a_definition_that_a_comment_with_a_zero_ends_early_is_another_one() {
    let on = Situation::new();
    on.attack(
        "PRAGMA writable_schema = ON;
         UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ') --' || char(0) || char(10) || ' STRICT')
             WHERE name = 'record';
         PRAGMA writable_schema = RESET",
    );

    let opened = Journal::open(&on.desk.path());

    assert!(matches!(opened, Err(JournalError::DamagedFile { .. })));
}

#[test]
fn a_history_entry_that_an_index_of_the_history_lacks_is_told_and_found_again() {
    for index in ["record_by_time", "record_unsolved"] {
        let on = Situation::new();
        let journal = on.desk.journal();
        journal.verify_new_entries().unwrap();
        let id = journal.intend(&Intent { started_at: 1_767_800_000_000, ..crate::intent() }).unwrap();
        let failed = Conclusion { outcome: Outcome::Failed, ..crate::conclusion() };
        journal.conclude(&id, &failed).unwrap();
        drop(journal);
        replace_index(&on, index, "started_at < 1767800000000");
        let journal = on.desk.journal();

        let found = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

        assert!(matches!(&found[..], [Break { what: Damage::Index, entry: 1, .. }]), "{index}: {found:?}");
        let since = Filter { from: Some(1_767_800_000_000), ..Filter::default() };
        assert_eq!(journal.records(&since).unwrap().len(), 1, "{index}");
        let again = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;
        assert_eq!(again, [], "{index} was made anew");
    }
}

#[test]
fn a_history_entry_that_a_search_finds_by_another_outcome_is_told_and_found_again() {
    let on = Situation::new();
    on.attack(
        "CREATE TEMP TABLE other AS SELECT sequence, replace(facets, hex('warnings'), hex('succeeded')) AS facets, words
             FROM searchable WHERE sequence = 1;
         DELETE FROM search WHERE rowid = 1;
         INSERT INTO search (rowid, facets, words) SELECT * FROM other",
    );
    let journal = on.desk.journal();
    let with_warnings = Filter { outcomes: vec![Outcome::Warnings], ..Filter::default() };
    assert_eq!(journal.records(&with_warnings).unwrap().len(), 1, "hidden");

    let found = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

    let [Break { what: Damage::Index, record, .. }] = &found[..] else { panic!("{found:?}") };
    assert_eq!(*record, on.ids[0]);
    assert_eq!(journal.records(&with_warnings).unwrap().len(), 2);
    assert_eq!(journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks, []);
}

#[test]
fn a_damaged_word_of_the_search_hides_no_history_entry_that_another_word_lacks() {
    let on = Situation::new();
    on.attack(
        "DELETE FROM search WHERE rowid = 1; INSERT INTO search (rowid, facets, words) VALUES (1, 'x', 'x');
         DELETE FROM search_data WHERE id > 10",
    );
    let journal = on.desk.journal();

    let found = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

    assert!(matches!(&found[..], [Break { what: Damage::Index, .. }]), "{found:?}");
    let with_warnings = Filter { outcomes: vec![Outcome::Warnings], ..Filter::default() };
    assert_eq!(journal.records(&with_warnings).unwrap().len(), 2);
    assert_eq!(journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks, [], "made anew");
}

#[test]
fn a_start_tells_of_an_entry_that_cannot_be_read_and_of_what_follows_it() {
    let on = Situation::new();
    let journal = on.desk.journal();
    let (name, [site, site_name]) = ("y".repeat(20_000), [const { String::new() }; 2]);
    journal.append(&Event::SecretStored { name, site, site_name }).unwrap();
    journal.append(&Event::AppEnded).unwrap();
    drop(journal);
    on.attack("UPDATE trail SET body = replace(body, 'program', 'pr0gram') WHERE sequence = 11; PRAGMA wal_checkpoint(TRUNCATE)");
    let path = on.desk.path();
    rusqlite::Connection::open(&path).unwrap().execute_batch("PRAGMA journal_mode = DELETE").unwrap();
    let mut file = fs::read(&path).unwrap();
    // In each overflow page of a long text, the number of the next page leads nowhere.
    for page in file.chunks_mut(4096).filter(|page| page[4..].iter().all(|one| *one == b'y')) {
        page[..4].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff]);
    }
    fs::write(&path, file).unwrap();
    let journal = on.desk.journal();

    let found = journal.verify_new_entries().unwrap().breaks;

    let told: Vec<_> = found.iter().map(|one| (one.what, one.entry)).collect();
    assert!(told.contains(&(Damage::MissingBodies, 10)) && told.contains(&(Damage::Body, 11)), "{found:?}");
    assert_eq!(journal.trail_status().unwrap().breaks, found, "shown");
}

/// Damages the page of a table that contains a text.
fn damage_page(on: &Situation, text: &str) {
    let path = on.desk.path();
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE").unwrap();
    drop(connection);
    let mut file = fs::read(&path).unwrap();
    let has = |page: &[u8]| page[0] == 13 && page.windows(text.len()).any(|part| part == text.as_bytes());
    let page = file.chunks_mut(4096).find(|page| has(page)).unwrap();
    page[0] = 0xff;
    fs::write(&path, file).unwrap();
}

#[test]
fn a_damaged_page_with_the_last_mark_keeps_no_start_from_verifying_and_telling() {
    let on = Situation::new();
    let journal = on.desk.journal();
    journal.append(&Event::FileUnreadable { file: "a".to_owned(), path: "/a".to_owned() }).unwrap();
    journal.verify_new_entries().unwrap();
    (0..40).for_each(|_| journal.append(&Event::AppEnded).unwrap());
    drop(journal);
    on.change(2, "username = 'another'");
    damage_page(&on, "\"type\":\"file.unreadable\"");
    let journal = on.desk.journal();

    journal.append_start("").unwrap();
    assert_eq!(states(&journal), [] as [&str; 0], "that one cannot be read");
    journal.append_missing(|_| vec![Event::AppEnded]).unwrap();
    let found = journal.verify_new_entries().unwrap().breaks;

    let named: Vec<_> = found.iter().map(|one| (one.what, one.record.as_str())).collect();
    assert!(named.contains(&(Damage::Unreadable, "")), "{found:?}");
    // Its events are in that page, too.
    assert!(named.contains(&(Damage::Untold, on.ids[2].as_str())), "{found:?}");
    assert_eq!(journal.trail_status().unwrap().breaks, found, "shown");
    assert!(kinds(&journal).ends_with(&vec!["chain.broken".to_owned(); found.len()]), "and told");
    assert!(!journal.compare_head("dailyCopy", &Head { entry: 1, ..on.desk.head() }).unwrap());
}

#[test]
fn what_is_behind_a_damaged_page_of_the_trail_is_verified_shown_and_exported() {
    let on = Situation::new();
    let journal = on.desk.journal();
    (0..100).for_each(|_| journal.append(&Event::AppEnded).unwrap());
    let last = journal.intend(&crate::intent()).unwrap();
    journal.conclude(&last, &crate::conclusion()).unwrap();
    journal.verify_new_entries().unwrap();
    drop(journal);
    on.attack(&format!(
        "UPDATE record SET username = 'another' WHERE id IN ('{}', '{last}'); PRAGMA wal_checkpoint(TRUNCATE)",
        on.ids[0]
    ));
    damage_page(&on, "\"seq\":50,\"");
    let journal = on.desk.journal();

    for times in 1..=2 {
        let found = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

        let told: Vec<_> = found.iter().map(|one| (one.what, one.record.as_str())).collect();
        assert!(told.contains(&(Damage::Unreadable, "")) && told.contains(&(Damage::Chain, "")), "{found:?}");
        for forged in [&on.ids[0], &last] {
            assert!(told.contains(&(Damage::Record, forged)), "{times}: {found:?}");
        }
        assert!(journal.trail_status().unwrap().breaks.len() >= 4, "{times}");
    }
    let newest = journal.trail_page(&Selection::default(), None, 1000).unwrap();
    let oldest = super::entries(&journal);
    let numbers = |entries: &[Entry]| entries.iter().map(|entry| entry.seq).collect::<Vec<_>>();
    assert_eq!(numbers(&newest).into_iter().rev().collect::<Vec<_>>(), numbers(&oldest));
    assert!(oldest.len() > 90 && oldest.iter().all(|entry| entry.seq != 50), "{}", oldest.len());
    assert_eq!(numbers(&journal.entries_after(None, 1000).unwrap().entries), numbers(&oldest));
    let (kept, package) = (on.desk.head().to_string(), on.package());
    assert_eq!(found_by_scripts("a gap", &package, &kept), (true, false));
}

/// Returns a situation whose trail has 150 more entries with changed bodies.
fn with_many_broken_places() -> Situation {
    let on = Situation::new();
    let journal = on.desk.journal();
    (0..150).for_each(|_| journal.append(&Event::AppEnded).unwrap());
    drop(journal);
    on.desk.attack("UPDATE trail SET body = replace(body, 'program', 'pr0gram') WHERE sequence > 9");
    on
}

#[test]
fn of_many_broken_places_some_are_told_at_a_time_with_the_number_of_the_others() {
    let on = with_many_broken_places();
    let journal = on.desk.journal();
    for (told, further) in [(100, 50), (150, 0)] {
        journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap();

        let status = journal.trail_status().unwrap();
        assert_eq!((status.breaks.len(), status.further), (told, further));
    }
}

#[test]
fn the_number_of_places_that_are_not_told_yet_outlasts_a_break_that_a_change_tells_of() {
    let on = with_many_broken_places();
    let journal = on.desk.journal();
    journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap();
    drop(journal);
    on.change(0, "username = 'another'");
    let journal = on.desk.journal();

    journal.set_reason(&on.ids[..1], "CHG-1").unwrap();

    let status = journal.trail_status().unwrap();
    assert_eq!((status.breaks.len(), status.further), (101, 50));
    // The next ones tell of the others, and then of nothing new.
    for _ in 0..2 {
        journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(journal.trail_status().unwrap().further, 0);
    }
}

#[test]
fn an_index_that_is_changed_again_after_it_was_made_anew_is_told_again() {
    let on = Situation::new();
    for times in 1..=2 {
        replace_index(&on, "record_by_time", "started_at < 0");
        let journal = on.desk.journal();
        let found = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;
        assert!(matches!(&found[..], [Break { what: Damage::Index, .. }]), "{found:?}");
        assert_eq!(journal.trail_status().unwrap().breaks.len(), times);
        assert_eq!(journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks, []);
    }
}

#[test]
fn of_many_history_entries_without_events_all_are_counted() {
    let on = Situation::new();
    let from = "FROM record, generate(n) WHERE sequence = 1";
    let insert = INSERTED.replace("'abcd'", "'abcd' || n");
    on.attack(&format!(
        "CREATE TEMP TABLE generate AS WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < 4000)
             SELECT n FROM g; {insert}'succeeded' {}",
        from.replace("generate(n)", "generate")
    ));
    let journal = on.desk.journal();

    let found = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

    assert_eq!(found.iter().filter(|one| one.what == Damage::Untold).count(), 4000);
    assert_eq!(journal.trail_status().unwrap().further, 3900);
}

#[test]
fn a_history_whose_last_possible_position_is_taken_is_damaged_and_can_be_rescued() {
    for table in ["trail", "record", "deactivation"] {
        let on = Situation::new();
        let journal = on.desk.journal();
        let (record, site) = (on.ids[0].clone(), crate::intent().site);
        let (service, by, why) = ("Parcels".to_owned(), String::new(), String::new());
        let active = None;
        let deactivation = NewDeactivation { record, site, service, by, why, active, deactivated_at: 1 };
        journal.begin_deactivation(&deactivation).unwrap();
        drop(journal);
        on.desk.attack(&format!(
            "UPDATE {table} SET sequence = 9223372036854775807 WHERE sequence = (SELECT max(sequence) FROM {table})"
        ));

        let refused = on.desk.journal().can_write().unwrap_err();

        assert_eq!(refused.fault(), Fault::Damaged, "{table}: {refused:?}");
        let rescued = on.desk.folder.path().join("rescued.db");
        assert_eq!(Journal::salvage(&on.desk.path(), &rescued).unwrap(), 3, "{table}");
        let rescued = Journal::open(&rescued).unwrap();
        rescued.can_write().unwrap();
        let open = rescued.open_deactivations().unwrap();
        assert_eq!(open.len(), 1, "{table}");
    }
}

#[test]
fn a_kept_head_is_found_although_the_first_entry_lost_its_content() {
    let on = Situation::new();
    let kept = on.desk.head();
    on.desk.attack("UPDATE trail SET body = NULL WHERE sequence = 1");
    let journal = on.desk.journal();

    assert!(journal.compare_head("dailyCopy", &kept).unwrap());

    assert_eq!(journal.trail_status().unwrap().rolled_back, [], "no older copy was restored");
    assert_eq!(
        journal.entries_after(Some(&kept), 10).unwrap().entries.len(),
        0,
        "nothing is forwarded again"
    );
}

#[test]
fn a_search_of_which_the_settings_are_damaged_keeps_no_verification_from_its_end() {
    for damage in ["UPDATE search_config SET v = 9 WHERE k = 'version'", "DELETE FROM search_config"] {
        let on = Situation::new();
        on.change(0, "username = 'another'");
        on.desk.attack(damage);
        let journal = on.desk.journal();
        assert_eq!(journal.can_write().unwrap_err().fault(), Fault::Damaged, "a start says so");

        let found = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

        let found: Vec<_> = found.into_iter().map(|one| one.what).collect();
        assert_eq!(found, [Damage::Index, Damage::Record]);
        journal.can_write().unwrap();
        let found = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;
        assert!(matches!(&found[..], [Break { what: Damage::Record, .. }]), "made anew: {found:?}");
    }
}

/// Size of a page of the file.
const SIZE: usize = 4096;

/// Returns an inner page of a table that leads only to one page.
fn inner_page(child: u32) -> Vec<u8> {
    const CELLS: u16 = 200;
    let mut page = vec![0; SIZE];
    page[0] = 5;
    page[3..5].copy_from_slice(&CELLS.to_be_bytes());
    page[8..12].copy_from_slice(&child.to_be_bytes());
    for cell in 1..=CELLS {
        // The page, and a position after all rows.
        let at = SIZE - 6 * usize::from(cell);
        page[at..at + 4].copy_from_slice(&child.to_be_bytes());
        page[at + 4..at + 6].copy_from_slice(&[0xff, 0x7f]);
        let pointer = 10 + 2 * usize::from(cell);
        page[pointer..pointer + 2].copy_from_slice(&u16::try_from(at).unwrap().to_be_bytes());
        page[5..7].copy_from_slice(&u16::try_from(at).unwrap().to_be_bytes());
    }
    page
}

/// Gives a table two levels of pages, each of which leads 200 times to the same next one: of 9 rows, a walk reads 360,000.
fn lead_to_each_other(on: &Situation, table: &str) {
    let connection = rusqlite::Connection::open(on.desk.path()).unwrap();
    connection.execute_batch("PRAGMA journal_mode = DELETE").unwrap();
    let root: u32 = connection
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = ?1", [table], |row| row.get(0))
        .unwrap();
    drop(connection);
    let mut file = fs::read(on.desk.path()).unwrap();
    let root = (root as usize - 1) * SIZE;
    let add = |file: &mut Vec<u8>, page: &[u8]| {
        file.extend_from_slice(page);
        u32::try_from(file.len() / SIZE).unwrap()
    };
    let leaf = file[root..root + SIZE].to_vec();
    let leaf = add(&mut file, &leaf);
    let inner = add(&mut file, &inner_page(leaf));
    file[root..root + SIZE].copy_from_slice(&inner_page(inner));
    let pages = u32::try_from(file.len() / SIZE).unwrap();
    file[28..32].copy_from_slice(&pages.to_be_bytes());
    fs::write(on.desk.path(), file).unwrap();
}

#[test]
fn pages_that_lead_to_each_other_are_not_read_without_end() {
    for table in ["trail", "record"] {
        let on = Situation::new();
        lead_to_each_other(&on, table);
        let journal = on.desk.journal();

        let at_start = journal.verify_new_entries().unwrap().breaks;
        let found = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

        assert!(at_start.len() < 3 && found.len() < 4, "{table}: {at_start:?}, {found:?}");
        assert!(found.iter().any(|one| one.what == Damage::Unreadable), "{table}: {found:?}");
        assert!(super::entries(&journal).len() < 20, "{table}");
        assert!(journal.entries_after(Some(&on.desk.head()), 1000).unwrap().entries.is_empty(), "{table}");
        assert_eq!(journal.records(&Filter::default()).unwrap().len(), 3, "{table}");
        assert!(!journal.check().unwrap().is_readable, "{table}");
        on.desk.exported();
    }
}

#[test]
fn of_broken_places_without_number_only_some_are_kept_and_all_are_counted() {
    let on = Situation::new();
    on.desk.attack(
        "INSERT INTO trail (sequence, envelope)
             WITH RECURSIVE g(n) AS (SELECT 10 UNION ALL SELECT n + 1 FROM g WHERE n < 130009) SELECT n, '' FROM g",
    );
    let journal = on.desk.journal();

    let found = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;

    assert_eq!(found.len(), 100_000);
    assert_eq!(journal.trail_status().unwrap().further, 129_900);
}
