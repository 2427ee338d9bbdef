use serde_json::json;

use super::*;
use crate::comparison::{Change, compare};
use crate::fields::{Leaf, fields};
use crate::substitutions::{MadeEqual, Substitution, Substitutions};

const DAY: i64 = 24 * 60 * 60 * 1000;

fn service(name: &str) -> Key {
    Key { kind: Kind::Services, place: "s1".to_owned(), name: name.to_owned() }
}

/// A configuration as servers return it, of about 2.5 kB.
fn configuration(name: &str, instances: u32) -> Fields {
    let extension = |kind: &str| {
        json!({ "typeName": kind, "enabled": "true", "capabilities": "Query,Create,Update,Delete,Uploads,Editing",
            "properties": { "onlineResource": format!("https://gis.example.org/server/services/{name}"), "maxRecords": 2000 } })
    };
    let extensions = ["KmlServer", "WFSServer", "WMSServer", "FeatureServer"].map(extension);
    let resource = json!({
        "serviceName": name, "type": "MapServer", "minInstancesPerNode": instances, "maxInstancesPerNode": 8,
        "maxWaitTime": 60, "maxIdleTime": 1800, "maxUsageTime": 600, "loadBalancing": "ROUND_ROBIN",
        "properties": { "filePath": format!("\\\\nas01\\gisdata\\{name}.msd"), "outputDir": "d:\\output",
            "virtualOutputDir": "/rest/directories/output", "maxRecordCount": "1000", "schemaLockingEnabled": "false" },
        "extensions": extensions,
    });
    fields(&resource, None)
}

fn snapshot(at: i64, resources: impl IntoIterator<Item = (Key, Fields)>) -> NewSnapshot {
    NewSnapshot {
        site: "harbour".to_owned(),
        at,
        ended_at: at,
        cause: Cause::Manual,
        resources: resources.into_iter().map(|(key, fields)| (key, Value::of(&fields))).collect(),
        gaps: Vec::new(),
        places: BTreeMap::from([("s1".to_owned(), "gis.example.org/server".to_owned())]),
    }
}

fn small(at: i64, all: &[(&str, u32)]) -> NewSnapshot {
    let resource = |(name, value): &(&str, u32)| (service(name), fields(&json!({ "n": value }), None));
    snapshot(at, all.iter().map(resource))
}

fn new_store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("changes.db")).unwrap();
    (folder, store)
}

fn differences(store: &Store, from: i64, to: i64) -> Vec<(Change, String, i64)> {
    let [before, after] = [from, to].map(|id| store.contents("harbour", id).unwrap());
    let found = compare(&before, &after, &Substitutions::NONE, |value| store.fields(value));
    found
        .differences
        .into_iter()
        .map(|one| (one.change, one.key.name, one.after.map_or(0, |held| held.first)))
        .collect()
}

#[test]
fn each_night_can_be_compared_with_each_other_and_says_when_a_difference_was_seen_first() {
    let (_folder, store) = new_store();
    let nights: Vec<i64> = [
        &[("a", 1), ("b", 1), ("c", 1)][..],
        &[("a", 1), ("b", 2), ("c", 1)],
        &[("a", 1), ("b", 2)],
        &[("a", 1), ("b", 2), ("d", 1)],
        &[("a", 1), ("b", 1), ("d", 1)],
    ]
    .iter()
    .map(|all| store.put(&small(0, all)).unwrap().0)
    .collect();
    let at = |night: usize| nights[night];
    let named = |change, name: &str, night: usize| (change, name.to_owned(), at(night));
    assert_eq!(
        differences(&store, at(0), at(3)),
        [named(Change::Missing, "c", 2), named(Change::Differs, "b", 1), named(Change::Added, "d", 3)]
    );
    assert_eq!(
        differences(&store, at(0), at(4)),
        [named(Change::Missing, "c", 2), named(Change::Added, "d", 3)],
        "b is again as it was"
    );
    assert_eq!(differences(&store, at(1), at(4))[1], named(Change::Differs, "b", 4));
    assert_eq!(differences(&store, at(4), at(0)).len(), 2, "also backwards");
}

#[test]
fn a_night_without_a_resource_that_was_refused_neither_ends_nor_hides_it() {
    let (_folder, store) = new_store();
    let first = store.put(&small(0, &[("a", 1), ("b", 1)])).unwrap().0;
    let gap = |name: &str| Gap {
        kind: Kind::Services,
        place: "s1".to_owned(),
        name: name.to_owned(),
        reason: "403".to_owned(),
    };
    let refused = NewSnapshot { gaps: vec![gap("b")], ..small(0, &[("a", 1)]) };
    let second = store.put(&refused).unwrap().0;
    let third = store.put(&small(0, &[("a", 1), ("b", 1)])).unwrap().0;
    let fourth = store.put(&small(0, &[("a", 1), ("b", 2)])).unwrap().0;
    assert_eq!(differences(&store, first, second), []);
    assert_eq!(differences(&store, second, third), []);
    assert_eq!(differences(&store, first, third), []);
    assert_eq!(differences(&store, second, fourth), [], "what it was is not known");
    assert_eq!(differences(&store, first, fourth), [(Change::Differs, "b".to_owned(), fourth)]);
    assert_eq!(store.contents("harbour", third).unwrap().resources[&service("b")].first, first);
}

#[test]
fn a_snapshot_that_was_not_taken_is_told_and_changes_nothing_else() {
    let (_folder, store) = new_store();
    let first = store.put(&small(1, &[("a", 1)])).unwrap().0;
    store.put_failure("harbour", 2, Cause::Export, "the token ended").unwrap();
    let third = store.put(&small(3, &[("a", 1)])).unwrap().0;
    let all = store.snapshots("harbour").unwrap();
    let told: Vec<_> = all.iter().map(|one| (one.at, one.failure.as_str(), one.sha256.len())).collect();
    assert_eq!(told, [(3, "", 64), (2, "the token ended", 0), (1, "", 64)]);
    assert_eq!(all[0].sha256, all[2].sha256, "the same contents have the same hash");
    assert!(store.contents("harbour", all[1].id).is_err());
    assert_eq!(differences(&store, first, third), []);
    assert_eq!(store.contents("harbour", third).unwrap().resources[&service("a")].first, first);
}

#[test]
fn a_snapshot_that_is_cut_off_leaves_the_earlier_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changes.db");
    let store = Store::open(&path).unwrap();
    let first = store.put(&small(0, &[("a", 1)])).unwrap().0;
    // Each step of the next one fails in turn.
    for step in
        ["INSERT ON snapshot", "INSERT ON value", "INSERT ON resource", "UPDATE ON span", "INSERT ON span"]
    {
        let fails =
            format!("CREATE TEMP TRIGGER cut BEFORE {step} BEGIN SELECT RAISE(ABORT, 'disk full'); END");
        store.lock().execute_batch(&fails).unwrap();
        let cut = store.put(&small(1, &[("a", 1), ("b", 1), ("c", 7)]));
        store.lock().execute_batch("DROP TRIGGER cut").unwrap();
        assert!(cut.is_err(), "{step}");
        assert_eq!(store.snapshots("harbour").unwrap().len(), 1, "{step}");
        let values: i64 = store.lock().query_row("SELECT count(*) FROM value", [], |row| row.get(0)).unwrap();
        assert_eq!(values, 1, "{step}");
    }
    drop(store);
    let store = Store::open(&path).unwrap();
    let second = store.put(&small(1, &[("a", 2)])).unwrap().0;
    assert_eq!(differences(&store, first, second), [(Change::Differs, "a".to_owned(), second)]);
}

#[test]
fn a_newer_a_foreign_and_a_damaged_file_are_told_and_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    for (name, pragma) in [("newer", "PRAGMA user_version = 7"), ("journal", "PRAGMA application_id = 1")] {
        drop(Store::open(&file(name)).unwrap());
        Connection::open(file(name)).unwrap().execute_batch(pragma).unwrap();
    }
    drop(Store::open(&file("tables")).unwrap());
    Connection::open(file("tables")).unwrap().execute_batch("DROP TABLE span").unwrap();
    std::fs::write(
        file("text"),
        "not a database, but long enough to be taken for the header of one".repeat(20),
    )
    .unwrap();
    drop(Store::open(&file("cut")).unwrap());
    std::fs::OpenOptions::new().write(true).open(file("cut")).unwrap().set_len(5_000).unwrap();
    assert!(matches!(Store::open(&file("newer")), Err(StoreError::Newer(7))));
    for name in ["journal", "tables"] {
        assert!(matches!(Store::open(&file(name)), Err(StoreError::NotOurs)), "{name}");
    }
    for name in ["text", "cut"] {
        let before = std::fs::read(file(name)).unwrap();
        assert!(Store::open(&file(name)).is_err(), "{name}");
        assert_eq!(std::fs::read(file(name)).unwrap(), before, "{name}");
    }
}

#[test]
fn a_damaged_value_is_told_and_is_never_shown_as_a_difference() {
    let (_folder, store) = new_store();
    let first = store.put(&small(0, &[("a", 1), ("b", 1)])).unwrap().0;
    let second = store.put(&small(0, &[("a", 2), ("b", 3)])).unwrap().0;
    let damaged = "UPDATE value SET fields = replace(fields, '2', '9') WHERE fields LIKE '%2%'";
    assert_eq!(store.lock().execute(damaged, []).unwrap(), 1);
    let [before, after] = [first, second].map(|id| store.contents("harbour", id).unwrap());
    let found = compare(&before, &after, &Substitutions::NONE, |value| store.fields(value));
    assert_eq!(found.differences.len(), 1);
    assert_eq!(found.not_compared[0].name, "a");
}

#[test]
fn contents_that_were_changed_or_are_those_of_another_snapshot_have_another_hash() {
    let all = [("a", 1), ("b", 1), ("c", 1)];
    for change in [
        "UPDATE value SET sha256 = x'00' WHERE id = 1",
        "UPDATE resource SET name = 'x' WHERE name = 'b'",
        "DELETE FROM span WHERE resource = 3",
        "UPDATE span SET value = 1 WHERE resource = 2",
        "DELETE FROM value WHERE id = 2",
        "UPDATE snapshot SET gaps = replace(gaps, '403', '500')",
        "UPDATE span SET until = 1 WHERE resource = 1",
    ] {
        let (_folder, store) = new_store();
        store.put(&small(0, &all)).unwrap();
        let gap =
            Gap { kind: Kind::Logs, place: String::new(), name: String::new(), reason: "403".to_owned() };
        let night = NewSnapshot { gaps: vec![gap], ..small(1, &[("a", 1), ("b", 2), ("c", 1)]) };
        let (id, sha256) = store.put(&night).unwrap();
        assert_eq!(store.contents("harbour", id).unwrap().sha256, sha256);
        assert!(store.lock().execute(change, []).unwrap() > 0, "{change}");
        assert_ne!(store.contents("harbour", id).unwrap().sha256, sha256, "{change}");
    }
}

#[test]
fn snapshots_are_kept_for_13_months_and_a_clock_that_was_set_wrong_removes_none() {
    let (_folder, store) = new_store();
    for night in 0..450 {
        store.put(&small(night * DAY, &[("a", u32::try_from(night / 10).unwrap())])).unwrap();
    }
    let kept = store.snapshots("harbour").unwrap();
    assert_eq!(kept.len(), 401);
    let (newest, oldest) = (kept[0].id, kept[400].id);
    assert_eq!(differences(&store, oldest, newest).len(), 1);
    let values: i64 = store.lock().query_row("SELECT count(*) FROM value", [], |row| row.get(0)).unwrap();
    assert_eq!(values, 41, "what only removed snapshots had is removed");
    // The clock is ten years ahead, once.
    store.put(&small(4_000 * DAY, &[("a", 1)])).unwrap();
    assert_eq!(store.snapshots("harbour").unwrap().len(), 400);
}

#[test]
fn what_a_user_accepted_and_what_is_volatile_is_kept_until_the_site_is_removed() {
    let (_folder, store) = new_store();
    store.put(&small(0, &[("a", 1)])).unwrap();
    let accepted =
        Accepted { value: Some(1), other: None, reason: "CHG-1".to_owned(), at: 5, who: "ana".to_owned() };
    store.accept("harbour", &service("a"), Some(&accepted)).unwrap();
    assert_eq!(store.accepted("harbour").unwrap(), BTreeMap::from([(service("a"), accepted)]));
    let learned = BTreeSet::from([(Kind::Machines, "load".to_owned())]);
    store.learn("harbour", &learned, 7).unwrap();
    store.set_compared("harbour", Kind::Machines, "load", true).unwrap();
    store.learn("harbour", &learned, 8).unwrap();
    let volatile = store.volatile("harbour").unwrap();
    assert_eq!((volatile.len(), volatile[0].is_compared, volatile[0].learned_at), (1, true, 7));
    store.accept("harbour", &service("a"), None).unwrap();
    assert!(store.accepted("harbour").unwrap().is_empty());
    store.forget("harbour").unwrap();
    assert!(store.snapshots("harbour").unwrap().is_empty() && store.volatile("harbour").unwrap().is_empty());
    let left: i64 = store.lock().query_row("SELECT count(*) FROM value", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0);
}

#[test]
fn what_is_kept_of_two_sides_goes_with_each_of_them_and_with_no_other() {
    for (removed, left) in [("test", 0), ("harbour", 0), ("arbour", 1), ("server", 1)] {
        let (_folder, store) = new_store();
        let value = store.put(&small(0, &[("a", 1)])).unwrap().0;
        let accepted = Accepted {
            value: Some(value),
            other: None,
            reason: "CHG-1".to_owned(),
            at: 5,
            who: "ana".to_owned(),
        };
        store.accept("test |harbour server", &service("a"), Some(&accepted)).unwrap();
        let pair = Substitution { left: "t".to_owned(), right: "p".to_owned() };
        let saved = [SavedSubstitution { pair, who: "ana".to_owned(), at: 5 }];
        store.set_substitutions("test ", "harbour server", &saved).unwrap();
        assert_eq!(store.substitutions("test ", "harbour server").unwrap().unwrap(), saved);
        assert_eq!(store.substitutions("harbour server", "test ").unwrap(), None);
        store.forget(removed).unwrap();
        let kept = usize::from(store.substitutions("test ", "harbour server").unwrap().is_some());
        assert_eq!((kept, store.accepted("test |harbour server").unwrap().len()), (left, left), "{removed}");
    }
}

/// Plants differences in the right of two sites. The left has another host and another path in each service, which
/// substitutions make equal.
#[test]
fn of_test_and_production_with_5000_services_exactly_what_was_planted_is_found() {
    let (_folder, store) = new_store();
    let of = |host: &str, share: &str, changed: u32| -> NewSnapshot {
        let all = (0..5_000).map(|number| {
            let name = format!("Folder{}/Service{number}.MapServer", number % 50);
            let text = serde_json::to_string(&configuration(&name, 1)).unwrap();
            let text = text.replace("gis.example.org", host).replace(r"\\\\nas01\\gisdata", share);
            let mut fields: Fields = serde_json::from_str(&text).unwrap();
            if number % 125 < changed {
                fields.0.insert("maxUsageTime".to_owned(), Leaf::Text("120".to_owned()));
            }
            (service(&name), fields)
        });
        snapshot(0, all)
    };
    let test = NewSnapshot { site: "test".to_owned(), ..of("test.example.org", r"D:\\gisdata_test", 0) };
    let left = store.put(&test).unwrap().0;
    let right = store.put(&of("gis.example.org", r"\\\\nas01\\gisdata", 1)).unwrap().0;
    let pair = |left: &str, right: &str| Substitution { left: left.to_owned(), right: right.to_owned() };
    let pairs = [pair("test.example.org", "gis.example.org"), pair(r"D:\gisdata_test", r"\\nas01\gisdata")];
    let equal = Substitutions::new(&pairs);
    let (left, right) = (store.contents("test", left).unwrap(), store.contents("harbour", right).unwrap());
    let places = BTreeMap::from([("s1".to_owned(), "s1".to_owned())]);
    let aligned = equal.aligned(&left, &right, &places, &mut MadeEqual::new());
    let found = compare(&aligned, &right, &equal, |value| store.fields(value));
    assert_eq!(found.differences.len(), 40);
    assert!(
        found.differences.iter().all(|one| one.fields.len() == 1 && one.fields[0].path == "maxUsageTime")
    );
    assert_eq!(found.equal[&Kind::Services], 4_960);
    assert_eq!(found.made_equal, MadeEqual::from([(0, 20_000), (1, 5_000)]));
    let without = compare(&aligned, &right, &Substitutions::NONE, |value| store.fields(value));
    assert_eq!(without.differences.len(), 5_000);
}

/// `bench changes` measures the time: it is short because what did not change is not read.
#[test]
fn four_hundred_nights_of_5000_services_take_less_than_200_mb_and_of_two_only_what_changed_is_read() {
    let (folder, store) = new_store();
    let all: BTreeMap<Key, Fields> = (0..5_000)
        .map(|number| {
            let name = format!("Folder{}/Service{number}.MapServer", number % 50);
            (service(&name), configuration(&name, 1))
        })
        .collect();
    let size = || {
        store.lock().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        std::fs::metadata(folder.path().join("changes.db")).unwrap().len()
    };
    let mut night = snapshot(0, all);
    let first = store.put(&night).unwrap().0;
    let base = size();
    let (nights, changed) = (5_u64, 20_u64);
    let mut last = first;
    for at in 1..=nights {
        let start = usize::try_from(at * changed).unwrap();
        for value in night.resources.values_mut().skip(start).take(20) {
            let mut fields = value.fields().unwrap();
            fields.0.insert("minInstancesPerNode".to_owned(), Leaf::Text(format!("{}", at + 1)));
            *value = Value::of(&fields);
        }
        night.at = i64::try_from(at).unwrap() * DAY;
        last = store.put(&night).unwrap().0;
    }
    let grown = (size() - base) / nights;
    let whole = base + 400 * grown;
    assert!(grown < 500_000 && whole < 200_000_000, "{grown} {whole}");
    let [before, after] = [first, last].map(|id| store.contents("harbour", id).unwrap());
    let mut values_read = 0;
    let found = compare(&before, &after, &Substitutions::NONE, |value| {
        values_read += 1;
        store.fields(value)
    });
    assert_eq!(found.differences.len() as u64, nights * changed);
    assert_eq!(values_read, 2 * nights * changed);
}
