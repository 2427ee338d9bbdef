//! A process that is killed while it stores snapshots leaves each one that it told of, whole.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;
use steward_changes::{Cause, Key, Kind, NewSnapshot, Store, Value, fields};

/// Set in the process that is killed: its database.
const INSIDE: &str = "STEWARD_KILLED_WITH";

const SERVICES: u32 = 300;

fn night(number: i64) -> NewSnapshot {
    let service = |one: u32| {
        let name = format!("Service{one}.MapServer");
        let value = json!({ "n": if one.is_multiple_of(7) { number } else { 0 }, "path": format!("\\\\nas01\\gisdata\\{name}") });
        (Key { kind: Kind::Services, place: "s1".to_owned(), name }, Value::of(&fields(&value, None)))
    };
    NewSnapshot {
        site: "harbour".to_owned(),
        at: number,
        ended_at: number,
        cause: Cause::Plan,
        resources: (0..SERVICES).map(service).collect(),
        gaps: Vec::new(),
        places: BTreeMap::new(),
    }
}

fn store_until_killed(file: &Path) {
    use std::io::Write as _;
    let store = Store::open(file).unwrap();
    for number in 0.. {
        let (id, sha256) = store.put(&night(number)).unwrap();
        std::io::stderr().write_all(format!("stored {id} {sha256}\n").as_bytes()).unwrap();
    }
}

#[test]
fn a_process_that_is_killed_at_any_moment_leaves_each_snapshot_that_it_stored() {
    if let Some(file) = std::env::var_os(INSIDE) {
        return store_until_killed(Path::new(&file));
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("changes.db");
    let name = "a_process_that_is_killed_at_any_moment_leaves_each_snapshot_that_it_stored";
    let mut told = Vec::new();
    for kill in 0..12_u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([name, "--exact", "--nocapture"])
            .env(INSIDE, &file)
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let stored = |line: String| line.strip_prefix("stored ").map(str::to_owned);
        // After some were stored, at a moment that differs.
        told.extend(lines.by_ref().filter_map(stored).take(2));
        std::thread::sleep(std::time::Duration::from_millis(kill * 3));
        child.kill().unwrap();
        child.wait().unwrap();
        told.extend(lines.filter_map(stored));

        let store = Store::open(&file).unwrap();
        let all = store.snapshots("harbour").unwrap();
        for one in &told {
            let (id, sha256) = one.split_once(' ').unwrap();
            let kept = all.iter().find(|kept| kept.id.to_string() == id).unwrap();
            assert_eq!(kept.sha256, sha256);
            assert_eq!(store.contents("harbour", kept.id).unwrap().sha256, sha256, "and so are its contents");
        }
        let newest = store.contents("harbour", all[0].id).unwrap();
        let values: Vec<_> = newest.resources.values().filter_map(|held| held.value).collect();
        assert_eq!(values.len(), SERVICES as usize);
        assert!(values.into_iter().all(|value| store.fields(value).is_ok()));
    }
    assert!(told.len() >= 24, "{}", told.len());
}
