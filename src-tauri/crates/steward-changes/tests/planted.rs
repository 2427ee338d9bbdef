//! 40 planted changes are found, and nothing in 50 readings of a site that did not change. What plants them edits the JSON that a
//! site returns, and knows nothing of fields, paths, and comparisons.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use steward_changes::{
    Cause, Change, Fields, Key, Kind, NewSnapshot, PrintKey, Store, Substitutions, Value as Stored, compare,
    differing, fields, set_apart,
};

/// What a site returns, by kind, server and name.
type Site = BTreeMap<(Kind, String, String), Value>;

/// A change as it was planted.
type Planted = BTreeSet<(Kind, String, String, &'static str)>;

/// Numbers that look random, and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

fn site() -> Site {
    let mut site = Site::new();
    for server in ["s1", "s2", "s3"] {
        let mut add = |kind, name: String, value| site.insert((kind, server.to_owned(), name), value);
        for number in 0..60 {
            let name = format!("Folder{}/Service{number}.MapServer", number % 7);
            let extension = |kind: &str| json!({ "typeName": kind, "enabled": "true", "properties": { "n": number, "tags": ["a", "b"] } });
            let extensions = ["KmlServer", "WMSServer", "FeatureServer"].map(extension);
            let value = json!({
                "serviceName": name, "minInstancesPerNode": 1, "maxInstancesPerNode": 4, "maxUsageTime": 600, "isDefault": false,
                "properties": { "filePath": format!("\\\\nas01\\{name}.msd"), "maxRecordCount": "1000", "busy": 0 },
                "extensions": extensions, "capabilities": "Query,Create",
                "datasets": [{ "k": [1, 2], "v": 3 }, { "k": [4], "v": 5 }],
            });
            add(Kind::Services, name, value);
        }
        for number in 0..20 {
            let connection = format!("SERVER=db{number};DATABASE=gis;USER=sde;PASSWORD=secret{number}");
            let value = json!({ "path": format!("/enterpriseDatabases/db{number}"), "type": "egdb",
                "info": { "connectionString": connection, "machines": [{ "name": "db", "role": "PRIMARY" }] } });
            add(Kind::DataStoreItems, format!("/enterpriseDatabases/db{number}"), value);
        }
        for number in 0..3 {
            let value = json!({ "machineName": format!("M{number}"), "serverTime": 0, "cores": 8, "ports": { "HTTPS": 6443 } });
            add(Kind::Machines, format!("M{number}"), value);
        }
        add(Kind::Logs, "settings".to_owned(), json!({ "logLevel": "WARNING", "maxLogFileAge": 90 }));
        let properties =
            json!({ "WebContextURL": "https://gis.example.org/server", "allowedOrigins": ["a", "b", "c"] });
        add(Kind::SystemProperties, "properties".to_owned(), properties);
    }
    for number in 0..10 {
        let value = json!({ "role": { "id": number, "name": format!("Role{number}") }, "privileges": ["view", "edit", "publish"] });
        site.insert((Kind::Roles, String::new(), format!("Role{number}")), value);
    }
    site
}

/// Returns a value as a site returns it another time: other orders, numbers as texts, nothing or null or an empty list for nothing,
/// and what changes by itself.
fn returned(value: &Value, random: &mut Random, is_named: bool) -> Value {
    match value {
        Value::Object(object) => {
            let mut other = Map::new();
            for (name, inner) in object {
                let inner = match name.as_str() {
                    "serverTime" | "busy" => json!(random.below(1_000_000_000)),
                    // The name of an element stays what it is.
                    "typeName" | "name" | "id" => inner.clone(),
                    _ => returned(inner, random, false),
                };
                other.insert(name.clone(), inner);
            }
            for (place, nothing) in [Value::Null, json!([]), json!({})].into_iter().enumerate() {
                if !is_named && random.below(3) == place {
                    other.insert(format!("absent{place}"), nothing);
                }
            }
            Value::Object(other)
        }
        Value::Array(elements) => {
            let mut elements: Vec<_> = elements.iter().map(|one| returned(one, random, true)).collect();
            for place in (1..elements.len()).rev() {
                elements.swap(place, random.below(place + 1));
            }
            Value::Array(elements)
        }
        Value::Number(_) | Value::Bool(_) if !is_named && random.below(2) == 0 => json!(value.to_string()),
        other => other.clone(),
    }
}

fn read(site: &Site, random: &mut Random) -> BTreeMap<Key, Fields> {
    let key = PrintKey::of("key").unwrap();
    let resource = |((kind, place, name), value): (&(Kind, String, String), &Value)| {
        let named = Key { kind: *kind, place: place.clone(), name: name.clone() };
        (named, fields(&returned(value, random, false), Some(&key)))
    };
    site.iter().map(resource).collect()
}

/// Plants one change, and notes it.
fn plant(site: &mut Site, number: usize, planted: &mut Planted) {
    let services: Vec<_> = site.keys().filter(|(kind, ..)| *kind == Kind::Services).cloned().collect();
    let items: Vec<_> = site.keys().filter(|(kind, ..)| *kind == Kind::DataStoreItems).cloned().collect();
    let one = services[(number * 13 + 5) % services.len()].clone();
    let item = items[(number * 7 + 3) % items.len()].clone();
    let note = |planted: &mut Planted, (kind, place, name): (Kind, String, String), how| {
        planted.insert((kind, place, name, how));
    };
    let mut differs = |site: &mut Site, at: (Kind, String, String), edit: &dyn Fn(&mut Value)| {
        edit(site.get_mut(&at).unwrap());
        note(planted, at, "differs");
    };
    match number % 14 {
        0 => differs(site, one, &|value| value["minInstancesPerNode"] = json!(7)),
        1 => differs(site, one, &|value| value["isDefault"] = json!(true)),
        2 => differs(site, one, &|value| {
            value["properties"].as_object_mut().unwrap().remove("maxRecordCount");
        }),
        3 => differs(site, one, &|value| value["properties"]["added"] = json!("x")),
        4 => differs(site, one, &|value| value["extensions"][1]["enabled"] = json!("false")),
        5 => differs(site, one, &|value| {
            value["extensions"].as_array_mut().unwrap().remove(0);
        }),
        6 => differs(site, one, &|value| value["extensions"][2]["properties"]["tags"][0] = json!("A")),
        7 => differs(site, one, &|value| value["datasets"][0]["k"][1] = json!(9)),
        8 => differs(site, item, &|value| {
            let connection = value["info"]["connectionString"]
                .as_str()
                .unwrap()
                .replace("PASSWORD=secret", "PASSWORD=other");
            value["info"]["connectionString"] = json!(connection);
        }),
        9 => differs(site, item, &|value| {
            let connection =
                value["info"]["connectionString"].as_str().unwrap().replace("DATABASE=gis", "DATABASE=gis2");
            value["info"]["connectionString"] = json!(connection);
        }),
        10 => {
            site.remove(&one);
            note(planted, one, "missing");
        }
        11 => {
            let value = site[&one].clone();
            let added = (one.0, one.1, format!("{}New", one.2));
            site.insert(added.clone(), value);
            note(planted, added, "added");
        }
        12 => {
            // Renamed, in upper and lower case only.
            let value = site.remove(&one).unwrap();
            let renamed = (one.0, one.1.clone(), one.2.to_lowercase());
            site.insert(renamed.clone(), value);
            note(planted, one, "missing");
            note(planted, renamed, "added");
        }
        _ => {
            let role = (Kind::Roles, String::new(), format!("Role{}", number % 10));
            differs(site, role, &|value| value["privileges"].as_array_mut().unwrap().push(json!("webhooks")));
        }
    }
}

#[test]
fn forty_planted_changes_are_found_and_none_is_told_in_50_readings_of_a_site_that_did_not_change() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("changes.db")).unwrap();
    let (mut random, before) = (Random(7), site());
    let mut volatile: BTreeMap<Kind, BTreeSet<String>> = BTreeMap::new();
    let (one, other) = (read(&before, &mut random), read(&before, &mut random));
    for (key, fields) in &one {
        volatile.entry(key.kind).or_default().extend(differing(fields, &other[key]));
    }
    let learned: Vec<_> = volatile.values().flatten().cloned().collect();
    assert_eq!(learned, ["properties/busy", "serverTime"]);
    let put = |site: &Site, random: &mut Random, night: i64| {
        let apart = |(key, mut fields): (Key, Fields)| {
            set_apart(&mut fields, &volatile[&key.kind]);
            (key, Stored::of(&fields))
        };
        let resources = read(site, random).into_iter().map(apart).collect();
        let (site, places) = ("harbour".to_owned(), BTreeMap::new());
        let cause = Cause::Manual;
        store
            .put(&NewSnapshot {
                site,
                at: night,
                ended_at: night,
                cause,
                resources,
                gaps: Vec::new(),
                places,
            })
            .unwrap()
            .0
    };
    let differences = |from: i64, to: i64| {
        let [from, to] = [from, to].map(|id| store.contents("harbour", id).unwrap());
        let found = compare(&from, &to, &Substitutions::NONE, |value| store.fields(value));
        assert!(found.not_compared.is_empty() && found.unknown_secrets == 0);
        found.differences
    };
    let first = put(&before, &mut random, 0);
    let mut last = first;
    for night in 1..50 {
        last = put(&before, &mut random, night);
        assert_eq!(differences(first, last), [], "reading {night}");
    }

    let (mut after, mut planted) = (before.clone(), Planted::new());
    let mut number = 0;
    while planted.len() < 40 {
        let (mut tried, mut noted) = (after.clone(), planted.clone());
        plant(&mut tried, number, &mut noted);
        // One resource changes once: two changes of it are one row.
        if noted.len() > planted.len() && tried != after && planted.iter().all(|one| noted.contains(one)) {
            let is_new = noted
                .difference(&planted)
                .all(|new| planted.iter().all(|old| (old.0, &old.1, &old.2) != (new.0, &new.1, &new.2)));
            if is_new {
                (after, planted) = (tried, noted);
            }
        }
        number += 1;
    }
    let changed = put(&after, &mut random, 50);

    let word = |change| match change {
        Change::Missing => "missing",
        Change::Differs => "differs",
        Change::Added => "added",
    };
    let found: Planted = differences(last, changed)
        .into_iter()
        .map(|one| (one.key.kind, one.key.place, one.key.name, word(one.change)))
        .collect();
    assert_eq!(found, planted);
    assert!(planted.len() >= 40);
    // And back again.
    assert_eq!(differences(changed, put(&before, &mut random, 51)).len(), planted.len());
    assert_eq!(differences(first, put(&before, &mut random, 52)), []);
}

/// Names of secrets as sites, databases and clouds write them.
const SECRETS: [&str; 16] = [
    "password",
    "dbPassword",
    "adminPwd",
    "passphrase",
    "secret",
    "clientSecret",
    "token",
    "accessToken",
    "apiKey",
    "accountKey",
    "secretAccessKey",
    "sharedKey",
    "signatureKey",
    "privateKey",
    "url_sig",
    "credential",
];

#[test]
fn no_canary_is_stored_from_any_resource_wherever_it_stands_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("changes.db");
    let store = Store::open(&file).unwrap();
    let canary = |number: usize| format!("canary{number}x");
    let key = PrintKey::of("key").unwrap();
    // Each resource of the site, with each secret at the top, in an object, in lists with and without names, in a connection string, and in a URL.
    let full = |value: &Value, start: usize| {
        let mut full = value.clone();
        for (place, name) in SECRETS.into_iter().enumerate() {
            let at = |part: usize| canary(start + place * 10 + part);
            full[name] = json!(at(0));
            full[format!("in{place}")] = json!({ "deep": { name: at(1) }, "list": [{ "name": "a", name: at(2) }, { name: at(3) }],
                "lists": [[{ name: at(4) }]], "connectionString": format!("SERVER=a;{name}={}", at(5)),
                "address": format!("https://user:{}@gis.example.org/x?{name}={}", at(6), at(7)), "pair": { "name": name, "value": at(8) } });
        }
        full
    };
    let resources = site().into_iter().enumerate().map(|(number, ((kind, place, name), value))| {
        (Key { kind, place, name }, Stored::of(&fields(&full(&value, number * 1_000), Some(&key))))
    });
    let resources: BTreeMap<_, _> = resources.collect();
    let count = resources.len();
    let (site, places) = ("harbour".to_owned(), BTreeMap::new());
    store
        .put(&NewSnapshot {
            site,
            at: 0,
            ended_at: 0,
            cause: Cause::Plan,
            resources,
            gaps: Vec::new(),
            places,
        })
        .unwrap();
    let stored = [file.clone(), file.with_extension("db-wal")]
        .map(|file| std::fs::read(file).unwrap_or_default())
        .concat();
    let text = String::from_utf8_lossy(&stored);
    assert!(count > 200 && text.contains("maxInstancesPerNode") && text.contains("SERVER=a;"));
    let found =
        text.find("canary").map(|at| text.chars().skip(at.saturating_sub(120)).take(200).collect::<String>());
    assert_eq!(found, None);
}

#[test]
fn two_readings_of_100_000_services_that_all_differ_are_compared() {
    use steward_changes::{Contents, Held};
    let contents = |value: i64| Contents {
        resources: (0..100_000)
            .map(|number| {
                let key = Key {
                    kind: Kind::Services,
                    place: "s1".to_owned(),
                    name: format!("Service{number}.MapServer"),
                };
                (key, Held { value: Some(value), first: 1 })
            })
            .collect(),
        ..Contents::default()
    };
    let read = |value: i64| Ok(fields(&json!({ "n": value }), None));
    let found = compare(&contents(1), &contents(2), &Substitutions::NONE, read);
    assert_eq!(found.differences.len(), 100_000);
}
