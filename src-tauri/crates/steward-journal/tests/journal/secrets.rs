//! Secrets (`CANARY`) are planted in every field, and searched for in every byte that leaves the journal.

use std::io::{Cursor, Read};

use steward_journal::{
    Conclusion, Filter, Intent, Journal, Outcome, StoredRequest, Whole, audit_package, command_export, tables,
};

use crate::{NAMES, described, pairs, text};

const CANARY: &str = "cAnArY7391";

/// A secret as it may stand in free text.
fn in_text() -> String {
    format!(
        "before token={CANARY}1&x=1 {{\"password\": \"{CANARY}2 and {CANARY}3\"}} \
         https://sam:{CANARY}4@gis.example.org/a?sig={CANARY}5 Bearer {CANARY}6 AccountKey={CANARY}7==; after"
    )
}

fn packed(journal: &Journal, id: &str) -> Cursor<Vec<u8>> {
    audit_package::write(Cursor::new(Vec::new()), journal, &[id.to_owned()], |_| None, &NAMES).unwrap()
}

/// Stores a record as an earlier version that knew fewer names of secrets might have done, and returns its identifier.
fn stored_with_less_care(journal: &Journal, whole: &Whole) -> String {
    let id = journal.intend(&whole.record.intent).unwrap();
    let keep_as_it_is = rusqlite::Connection::open(journal.path()).unwrap();
    let intent = &whole.record.intent;
    let parameters = serde_json::to_string(&intent.parameters).unwrap();
    let requests = serde_json::to_string(&intent.requests).unwrap();
    let report = whole.report.as_ref().map(|report| serde_json::to_string(report).unwrap());
    let changed = keep_as_it_is.execute(
        "UPDATE record SET server_name = ?2, site_name = ?2, environment = ?2, site_version = ?2, operation = ?2, username = ?2,
            program_version = ?2, system_user = ?2, computer = ?2, note = ?2, reason = ?2, response = ?2, parameters = ?3,
            requests = ?4, report = ?5 WHERE id = ?1",
        rusqlite::params![id, in_text(), parameters, requests, report],
    );
    assert_eq!(changed.unwrap(), 1);
    steward_journal::seal_all(&keep_as_it_is).unwrap();
    id
}

fn full_of_secrets() -> Intent {
    Intent {
        site: text("a"),
        server: "s1".to_owned(),
        server_name: in_text(),
        site_name: in_text(),
        environment: in_text(),
        site_version: in_text(),
        operation: in_text(),
        username: in_text(),
        program_version: in_text(),
        parameters: vec![
            (text("location"), in_text()),
            (text("adminPassword"), text(CANARY)),
            (in_text(), text("value")),
        ],
        requests: vec![StoredRequest {
            method: in_text(),
            address: format!(
                "https://sam:{CANARY}@gis.example.org/x?token={CANARY}&y={CANARY}%3F#token={CANARY}"
            )
            .replace(&format!("&y={CANARY}%3F"), "&y=1"),
            form: pairs(&[
                ("token", CANARY),
                ("client_secret", CANARY),
                ("backupObjectStoreConnectionStr", &format!("{{\"accountKey\":\"{CANARY}\"}}")),
                ("nested", &format!("{{\"s\":\"{{\\\"accountKey\\\":\\\"{CANARY}\\\"}}\"}}")),
                ("url", &format!("https://blob.example/c?sv=1&sig={CANARY}")),
            ]),
        }],
        started_at: 1,
        reason: in_text(),
        batch: None,
    }
}

fn conclusion(response: String) -> Conclusion {
    Conclusion {
        outcome: Outcome::Failed,
        note: in_text(),
        facts: Some(steward_journal::Facts {
            upload: Some(in_text()),
            upload_size: None,
            upload_ends: None,
            earlier_file: Some(in_text()),
            site_path: Some(in_text()),
            path: Some(in_text()),
            sha256: None,
            unverified_entries: None,
            lacks_only_file: false,
            deactivated: vec![in_text()],
            reactivation: None,
            expires_at: None,
            expires_here_at: None,
            is_contradicted: false,
            began_at: None,
            changes: vec![steward_journal::SettingChange {
                name: in_text(),
                before: in_text(),
                after: in_text(),
            }],
            run_parts: vec![steward_journal::RunPart {
                name: in_text(),
                is_as_expected: true,
                record: None,
                sha256: None,
            }],
            note: vec![steward_journal::NotePart {
                about: Some(in_text()),
                kind: steward_journal::NoteKind::Upload,
                text: in_text(),
                upload: Some(in_text()),
            }],
        }),
        response: Some(steward_journal::StoredResponse { text: response, truncated: false }),
        report: Some(crate::report(&serde_json::json!({
            "messages": [{"message": in_text(), "apiKey": CANARY, "tokens": [CANARY], "credentials": {"a": CANARY}}],
        }))),
        ended_at: 2,
        elapsed: 1,
    }
}

fn assert_none(bytes: &[u8], place: &str) {
    let found = bytes.windows(CANARY.len()).any(|window| window.eq_ignore_ascii_case(CANARY.as_bytes()));
    assert!(!found, "a secret in {place}: {}", String::from_utf8_lossy(bytes));
}

#[test]
fn no_secret_reaches_the_journal_an_export_or_a_command() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
    let json = serde_json::json!({ "token": CANARY, "deep": [{ "note": in_text() }] }).to_string();
    for response in [json, in_text(), format!("{{\"token\": \"{CANARY}")] {
        let id = journal.intend(&full_of_secrets()).unwrap();
        journal.conclude(&id, &conclusion(response)).unwrap();

        let whole = journal.whole(&id).unwrap();
        assert_none(command_export::as_curl(&whole.record).as_bytes(), "a command of the shell");
        let bytes = packed(&journal, &id);
        let mut archive = zip::ZipArchive::new(bytes).unwrap();
        for index in 0..archive.len() {
            let mut content = Vec::new();
            let mut file = archive.by_index(index).unwrap();
            file.read_to_end(&mut content).unwrap();
            assert_none(&content, &file.name().unwrap());
        }
    }
    let records = journal.records(&Filter::default()).unwrap();
    let mut table = Vec::new();
    tables::csv(&mut table, &records, tables::Separator::Comma, true, &described).unwrap();
    assert_none(&table, "a table");
    assert!(String::from_utf8_lossy(&table).contains("after"), "what is no secret stays");
    let mut array = Vec::new();
    tables::json(&mut array, &records, &described).unwrap();
    assert_none(&array, "JSON");
    assert!(journal.records(&Filter { text: text(CANARY), ..Filter::default() }).unwrap().is_empty());
    // The log beside the database is read too, while it is there.
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let path = file.unwrap().path();
        assert_none(&std::fs::read(&path).unwrap(), &path.display().to_string());
    }
}

#[test]
fn a_record_that_an_older_program_wrote_with_less_care_leaves_without_its_secrets() {
    let whole = steward_journal::Whole {
        record: steward_journal::StoredRecord {
            sequence: 1,
            id: text("1"),
            intent: full_of_secrets(),
            workstation: steward_journal::Workstation { user: in_text(), computer: in_text() },
            outcome: Outcome::Failed,
            note: in_text(),
            facts: conclusion(String::new()).facts.unwrap(),
            has_report: true,
            is_resolved: false,
            ended_at: None,
            elapsed: None,
            process: steward_journal::Process::Window,
        },
        response: Some(steward_journal::StoredResponse { text: in_text(), truncated: false }),
        report: conclusion(String::new()).report,
        outcome_resolution: None,
        is_damaged: false,
    };

    let mut leaving = command_export::as_curl(&whole.record).into_bytes();
    tables::csv(
        &mut leaving,
        std::slice::from_ref(&whole.record),
        tables::Separator::Comma,
        true,
        &described,
    )
    .unwrap();
    tables::json(&mut leaving, [&whole.record], &described).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
    let id = stored_with_less_care(&journal, &whole);
    let mut archive = zip::ZipArchive::new(packed(&journal, &id)).unwrap();
    for index in 0..archive.len() {
        archive.by_index(index).unwrap().read_to_end(&mut leaving).unwrap();
    }

    assert_none(&leaving, "what leaves");
}
