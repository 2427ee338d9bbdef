use std::io::{Cursor, Read};
use std::path::Path;

use sha2::{Digest, Sha256};
use steward_journal::{Journal, Outcome, OutcomeResolution, Whole, audit_package, tables};

use crate::{NAMES, conclusion, described, intent};

/// A journal with one entry. Its folder is removed with it.
fn record() -> (tempfile::TempDir, Journal, Whole) {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
    let id = journal.intend(&intent()).unwrap();
    journal.conclude(&id, &conclusion()).unwrap();
    let whole = journal.whole(&id).unwrap();
    (folder, journal, whole)
}

/// Files of the audit trail in a package.
const TRAIL: [&str; 8] = [
    "verify.sh",
    "verify.ps1",
    "verify.py",
    "README.txt",
    "head.txt",
    "envelopes.jsonl",
    "bodies.jsonl",
    "contents.txt",
];

/// Writes a package of records, and its files to a folder.
pub(crate) fn unpack(journal: &Journal, records: &[String], folder: &Path) {
    unpack_archive(packed(journal, records, |_| None), folder);
}

/// Writes the files of an archive to a folder.
pub(crate) fn unpack_archive(bytes: Vec<u8>, folder: &Path) {
    for (name, content) in unpacked(bytes) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
}

fn unpacked(bytes: Vec<u8>) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let count = archive.len();
    let read = |index: usize| {
        let mut file = archive.by_index(index).unwrap();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        (file.name().unwrap().into_owned(), content)
    };
    (0..count).map(read).collect()
}

fn written(journal: &Journal, whole: &Whole, page: Option<String>) -> Vec<u8> {
    packed(journal, std::slice::from_ref(&whole.record.id), |_| page.clone())
}

fn packed(journal: &Journal, records: &[String], page: impl FnMut(&Whole) -> Option<String>) -> Vec<u8> {
    audit_package::write(Cursor::new(Vec::new()), journal, records, page, &NAMES).unwrap().into_inner()
}

#[test]
fn each_of_several_entries_has_a_folder_and_the_trail_tells_of_all_of_them() {
    let (_folder, journal, first) = record();
    let other =
        journal.intend(&steward_journal::Intent { operation: "../x".to_owned(), ..intent() }).unwrap();
    let ids = [first.record.id.clone(), other.clone()];
    journal.intend(&intent()).unwrap();

    let files = unpacked(packed(&journal, &ids, |_| None));

    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..2], ["001-import_server/record.json", "001-import_server/response.json"]);
    assert!(names.iter().all(|name| !name.contains("..")), "{names:?}");
    let of = |name: &str| String::from_utf8(files.iter().find(|(one, _)| one == name).unwrap().1.clone());
    assert_eq!(of("SHA256SUMS.txt").unwrap().lines().count(), files.len() - 1);
    let bodies = of("bodies.jsonl").unwrap();
    assert_eq!(bodies.lines().count(), 3, "sent and ended, and sent: {bodies}");
    assert!(ids.iter().all(|id| bodies.contains(id.as_str())));
}

#[test]
fn an_audit_package_holds_record_response_and_report_and_the_hash_of_each() {
    let (_folder, journal, record) = record();
    let files = unpacked(written(&journal, &record, None));

    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let own = ["record.json", "response.json", "report.json", "report.html"];
    assert_eq!(names, [&own[..], &TRAIL, &["SHA256SUMS.txt"]].concat());
    let (_, sums) = files.last().unwrap();
    let expected: String = files[..files.len() - 1]
        .iter()
        .map(|(name, content)| {
            let hash: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{hash}  {name}\n")
        })
        .collect();
    assert_eq!(String::from_utf8_lossy(sums), expected);
    let json = |index: usize| serde_json::from_slice::<serde_json::Value>(&files[index].1).unwrap();
    assert_eq!(json(0)["endedAt"], "2026-01-06T12:46:40Z");
    assert_eq!(json(0)["requests"][0]["address"], "https://gis.example.org/server/admin/importSite");
    assert_eq!(String::from_utf8_lossy(&files[1].1), r#"{"status":"success","result":[]}"#);
    let report: serde_json::Value = conclusion().report.unwrap().read().unwrap();
    assert_eq!(json(2), report);
}

#[test]
fn the_words_of_a_server_are_never_markup_in_the_page() {
    let (_folder, journal, record) = record();
    let files = unpacked(written(&journal, &record, None));

    let page = String::from_utf8(files[3].1.clone()).unwrap();

    assert!(page.contains("&lt;b&gt;Zoning&lt;/b&gt; could not start"), "{page}");
    assert!(!page.contains("<b>"), "{page}");
    for words in ["<html lang=\"en\">", "<th>started<td>", "<td>operation.", "<td>outcome."] {
        assert!(page.contains(words), "{words} in {page}");
    }
}

#[test]
fn the_same_record_is_the_same_archive_and_a_page_of_the_caller_takes_the_place_of_ours() {
    let (_folder, journal, record) = record();

    assert_eq!(written(&journal, &record, None), written(&journal, &record, None));
    let files = unpacked(written(&journal, &record, Some("<p>ours".to_owned())));
    assert_eq!(files[3], ("report.html".to_owned(), b"<p>ours".to_vec()));
}

#[test]
fn a_record_without_a_response_has_an_audit_package_too() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
    let id = journal.intend(&intent()).unwrap();

    let files = unpacked(written(&journal, &journal.whole(&id).unwrap(), None));

    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, [&["record.json", "report.html"][..], &TRAIL, &["SHA256SUMS.txt"]].concat());
}

#[test]
fn what_a_user_set_is_marked_in_every_export() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
    for is_set in [true, false] {
        let id = journal.intend(&intent()).unwrap();
        if is_set {
            let (note, by) = (String::new(), "sam".to_owned());
            let resolution = OutcomeResolution { outcome: Outcome::Succeeded, note, by, at: 5_000 };
            journal.set_outcome(&id, &resolution).unwrap();
        }
        let whole = journal.whole(&id).unwrap();

        let files = unpacked(written(&journal, &whole, None));
        let (mut csv, mut json) = (Vec::new(), Vec::new());
        tables::csv(
            &mut csv,
            std::slice::from_ref(&whole.record),
            tables::Separator::Comma,
            true,
            &described,
        )
        .unwrap();
        tables::json(&mut json, [&whole.record], &described).unwrap();

        let content = |wanted: &str| {
            let (_, content) = files.iter().find(|(name, _)| name == wanted).unwrap();
            String::from_utf8(content.clone()).unwrap()
        };
        assert_eq!(content("report.html").contains("(setByUser)"), is_set, "{}", content("report.html"));
        let record: serde_json::Value = serde_json::from_str(&content("record.json")).unwrap();
        assert_eq!(record["outcomeSetByUser"].is_object(), is_set);
        let all: serde_json::Value = serde_json::from_slice(&json).unwrap();
        assert_eq!(all[0]["outcomeSetByUser"], is_set);
        let csv = String::from_utf8(csv).unwrap();
        assert!(csv.lines().next().unwrap().ends_with("\"outcome set by a user\""), "{csv}");
        assert_eq!(csv.trim_end().ends_with("\"yes\""), is_set, "{csv}");
    }
}

#[test]
fn an_audit_package_contains_the_outcome_that_a_user_set() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
    let id = journal.intend(&intent()).unwrap();
    let resolution = OutcomeResolution {
        outcome: Outcome::Succeeded,
        note: "the file is there, token=canary".to_owned(),
        by: "sam".to_owned(),
        at: 5_000,
    };
    journal.set_outcome(&id, &resolution).unwrap();

    let files = unpacked(written(&journal, &journal.whole(&id).unwrap(), None));

    let content = |wanted: &str| files.iter().find(|(name, _)| name == wanted).map(|(_, content)| content);
    let record: serde_json::Value = serde_json::from_slice(content("record.json").unwrap()).unwrap();
    let set = &record["outcomeSetByUser"];
    assert_eq!((&set["outcome"], &set["by"]), (&"succeeded".into(), &"sam".into()));
    let page = String::from_utf8_lossy(content("report.html").unwrap()).into_owned();
    assert!(
        page.contains("<th>setByUser<td>sam, 1970-01-01T00:00:05Z<tr><th>outcomeReason<td>the file is there"),
        "{page}"
    );
    assert!(content("response.json").is_none() && content("response.txt").is_none());
    assert!(!files.iter().any(|(_, content)| String::from_utf8_lossy(content).contains("canary")));
}

#[test]
fn an_audit_package_has_all_envelopes_and_only_its_own_bodies_and_verifies_without_the_program() {
    let (folder, journal, record) = record();
    let other = journal.intend(&intent()).unwrap();
    let head = journal.trail_status().unwrap().head.unwrap().to_string();

    let files = unpacked(written(&journal, &record, None));

    let trail = folder.path().join("package");
    std::fs::create_dir(&trail).unwrap();
    files.iter().for_each(|(name, content)| std::fs::write(trail.join(name), content).unwrap());
    let bodies = std::fs::read_to_string(trail.join("bodies.jsonl")).unwrap();
    assert_eq!(bodies.lines().count(), 2, "{bodies}");
    assert!(bodies.lines().all(|line| line.contains(&record.record.id)) && !bodies.contains(&other));
    assert_eq!(std::fs::read_to_string(trail.join("head.txt")).unwrap().trim(), head);
    for script in crate::trail::scripts::HERE {
        let found = crate::trail::scripts::verified_by(script, &trail, &head);
        assert!(found.is_unbroken && found.has_head && found.exit == 0, "{script}: {found:?}");
    }
    let said = std::fs::read_to_string(trail.join("README.txt")).unwrap();
    assert!(said.contains("Tamper-evident to whoever keeps a head elsewhere"));
    for limit in [
        "an entry that was appended after that head",
        "said by its contents.txt only",
        "is the only copy that no account of this computer can edit",
        "Pages to read (report.html), the deactivation log, and checklists are not part",
    ] {
        assert!(said.contains(limit), "{limit}");
    }
    for never in ["tamper-proof", "immutable", "certified", "non-repudiation", "compliant"] {
        assert!(!said.contains(never), "{never}");
    }
}

#[test]
fn a_record_that_changes_while_a_package_is_written_is_in_it_as_its_events_say() {
    let (folder, journal, first) = record();
    let second = journal.intend(&intent()).unwrap();
    let (mut changes, ids) = (0, [first.record.id.clone(), second.clone()]);

    // What a run, the user, or the runner writes while the page of an entry is made.
    let change = |whole: &Whole| {
        changes += 1;
        journal.set_reason(&ids, &format!("CHG-{changes}")).unwrap();
        if whole.record.id == second {
            journal.conclude(&second, &conclusion()).unwrap();
        }
        None
    };
    let files = packed(&journal, &ids, change);

    assert_eq!(changes, 2);
    unpack_archive(files, &folder.path().join("package"));
    for script in crate::trail::scripts::HERE {
        let found = crate::trail::scripts::verified_by(script, &folder.path().join("package"), "");
        assert!(found.is_unbroken && found.exit == 0, "{script}: {found:?}");
    }
}
