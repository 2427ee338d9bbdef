//! What differs between two snapshots. Everything here depends on its arguments alone.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::fields::{Fields, Leaf};
use crate::key::{Contents, Gap, Gaps, Held, Key, Kind};
use crate::substitutions::{MadeEqual, Substitutions};

/// How a resource differs between two snapshots, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Change {
    /// Only the earlier snapshot, or the left one of two sites, has the resource.
    Missing,
    /// Both snapshots have the resource, with different fields.
    Differs,
    /// Only the later snapshot, or the right one of two sites, has the resource.
    Added,
}

/// Field that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldDifference {
    /// Path of the field.
    pub path: String,
    /// Value before; `None` if the field was not there. Of a list, the elements that are not there any more.
    pub before: Option<String>,
    /// Value after; `None` if the field is not there. Of a list, the elements that are new.
    pub after: Option<String>,
    /// Whether it has a secret that differs, and is not shown.
    pub is_secret: bool,
    /// Whether both are elements of a list.
    pub is_list: bool,
}

/// Difference between two readings of a resource.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Between {
    /// Fields that differ, by their paths.
    pub fields: Vec<FieldDifference>,
    /// Number of secrets that could not be compared.
    pub unknown_secrets: u32,
    /// Values that pairs made equal.
    pub made_equal: MadeEqual,
    /// Number of identifiers and times that each of two sites makes for itself. They are not compared.
    pub own: u32,
}

/// Returns what differs between two readings of a resource, apart from what `equal` makes equal. A field that is
/// volatile in one of them is not compared.
#[must_use]
pub fn between(before: &Fields, after: &Fields, equal: &Substitutions) -> Between {
    let mut found = Between::default();
    let before = with_paths_of(before, after, equal);
    let paths: BTreeSet<&str> =
        before.keys().map(Cow::as_ref).chain(after.0.keys().map(String::as_str)).collect();
    for path in paths {
        let (old, new) = (before.get(path).copied(), after.0.get(path));
        let is_unknown = matches!(old, Some(Leaf::Secret { print, .. }) if print.is_empty());
        if (old == new && !is_unknown) || [old, new].contains(&Some(&Leaf::Volatile)) {
            continue;
        }
        let mut field = FieldDifference {
            path: path.to_owned(),
            before: old.map(Leaf::shown),
            after: new.map(Leaf::shown),
            is_secret: [old, new].iter().any(|leaf| matches!(leaf, Some(Leaf::Secret { .. }))),
            is_list: false,
        };
        match (old, new) {
            (
                Some(Leaf::Secret { shown, print }),
                Some(Leaf::Secret { shown: new_shown, print: new_print }),
            ) => {
                let is_known = is_of_one_key(print, new_print);
                let is_shown_same = equal.is_same(shown, new_shown, &mut found.made_equal);
                // The text beside a secret that differs is a difference of its own, and is shown.
                if !is_shown_same {
                    found.fields.push(FieldDifference { is_secret: false, ..field.clone() });
                }
                if !is_known {
                    found.unknown_secrets += 1;
                    continue;
                }
                if print == new_print {
                    continue;
                }
            }
            (Some(Leaf::Text(old)), Some(Leaf::Text(new)))
                if equal.is_same(old, new, &mut found.made_equal) =>
            {
                continue;
            }
            (Some(Leaf::Text(old)), Some(Leaf::Text(new))) if equal.are_own(old, new) => {
                found.own += 1;
                continue;
            }
            (Some(Leaf::List(old)), Some(Leaf::List(new))) => {
                let (mut gone, mut come) = (only_in(old, new), only_in(new, old));
                gone.retain(|one| {
                    let same = come.iter().position(|other| equal.is_same(one, other, &mut found.made_equal));
                    same.map(|place| come.remove(place)).is_none()
                });
                if gone.is_empty() && come.is_empty() {
                    continue;
                }
                field.is_list = true;
                field.before = Some(gone.join(", "));
                field.after = Some(come.join(", "));
            }
            _ => {}
        }
        found.fields.push(field);
    }
    found
}

/// Returns fields by the paths that another reading has for them: a name in a path might be one that a pair makes equal.
fn with_paths_of<'a>(
    fields: &'a Fields,
    other: &Fields,
    equal: &Substitutions,
) -> BTreeMap<Cow<'a, str>, &'a Leaf> {
    let path_of = |path: &'a String| {
        let is_free = |path: &String| other.0.contains_key(path) && !fields.0.contains_key(path);
        let replaced = if other.0.contains_key(path) { None } else { equal.replace(path) };
        replaced.map(|(path, _)| path).filter(is_free).map_or(Cow::Borrowed(path.as_str()), Cow::Owned)
    };
    fields.0.iter().map(|(path, leaf)| (path_of(path), leaf)).collect()
}

/// Returns whether two prints were made with the same key.
fn is_of_one_key(one: &str, other: &str) -> bool {
    matches!((one.get(..4), other.get(..4)), (Some(one), Some(other)) if one == other)
}

/// Returns the elements of a list that another does not have, or not as often.
fn only_in<'a>(list: &'a [String], other: &[String]) -> Vec<&'a str> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for element in other {
        *left.entry(element).or_default() += 1;
    }
    let is_only_here = |element: &&String| match left.get_mut(element.as_str()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    list.iter().filter(is_only_here).map(String::as_str).collect()
}

/// Resource that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Kind and place of the resource.
    pub key: Key,
    /// How it differs.
    pub change: Change,
    /// Fields that differ; of one that is missing or new, none.
    pub fields: Vec<FieldDifference>,
    /// Value in the earlier snapshot; `None` if it never had the resource.
    pub before: Option<Held>,
    /// Value in the later snapshot.
    pub after: Option<Held>,
}

/// Differences between two snapshots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Resources that differ, by kind, the worst first.
    pub differences: Vec<Difference>,
    /// Number of resources of each kind that are equal.
    pub equal: BTreeMap<Kind, u32>,
    /// Resources that are not compared, because one of both snapshots lacks them.
    pub not_compared: Vec<Gap>,
    /// Number of secrets that are not compared.
    pub unknown_secrets: u32,
    /// Values that pairs made equal.
    pub made_equal: MadeEqual,
    /// Number of identifiers and times that each of two sites makes for itself.
    pub own: u32,
}

/// Compares two snapshots. `equal` makes texts equal, and `read` returns the fields of a value by its number, or why they cannot be
/// read.
pub fn compare(
    before: &Contents,
    after: &Contents,
    equal: &Substitutions,
    mut read: impl FnMut(i64) -> Result<Fields, String>,
) -> Comparison {
    let mut found = Comparison::default();
    let mut gaps: BTreeSet<Gap> = before.gaps.iter().chain(&after.gaps).cloned().collect();
    let [unread_before, unread_after] = [before, after].map(|one| Gaps::of(&one.gaps));
    let keys: BTreeSet<&Key> = before.resources.keys().chain(after.resources.keys()).collect();
    for key in keys {
        let [old, new] = [before, after].map(|one| one.resources.get(key).copied());
        let [old_value, new_value] = [old, new].map(|held| held.and_then(|held| held.value));
        let (change, fields) = match (old_value, new_value) {
            (None, None) => continue,
            (Some(old), Some(new)) if old == new => {
                *found.equal.entry(key.kind).or_default() += 1;
                continue;
            }
            (Some(old), Some(new)) => match (read(old), read(new)) {
                (Ok(old), Ok(new)) => {
                    let between = between(&old, &new, equal);
                    found.unknown_secrets += between.unknown_secrets;
                    found.own += between.own;
                    for (pair, values) in between.made_equal {
                        *found.made_equal.entry(pair).or_default() += values;
                    }
                    if between.fields.is_empty() {
                        *found.equal.entry(key.kind).or_default() += 1;
                        continue;
                    }
                    (Change::Differs, between.fields)
                }
                (Err(reason), _) | (_, Err(reason)) => {
                    let Key { kind, place, name } = key.clone();
                    gaps.insert(Gap { kind, place, name, reason });
                    continue;
                }
            },
            (Some(_), None) if new.is_none() && unread_after.cover(key) => continue,
            (None, Some(_)) if old.is_none() && unread_before.cover(key) => continue,
            (Some(_), None) => (Change::Missing, Vec::new()),
            (None, Some(_)) => (Change::Added, Vec::new()),
        };
        found.differences.push(Difference { key: key.clone(), change, fields, before: old, after: new });
    }
    found.differences.sort_by_key(|one| (one.key.kind, one.change));
    found.not_compared = gaps.into_iter().collect();
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::fields::{PrintKey, fields};
    use crate::key::Held;
    use crate::substitutions::Substitution;

    fn key(kind: Kind, name: &str) -> Key {
        Key { kind, place: "s1".to_owned(), name: name.to_owned() }
    }

    /// Contents with these names and values; each value is the number in `values`.
    fn contents(all: &[(Kind, &str, i64)], gaps: &[(Kind, &str)]) -> Contents {
        Contents {
            resources: all
                .iter()
                .map(|(kind, name, value)| (key(*kind, name), Held { value: Some(*value), first: 2 }))
                .collect(),
            gaps: gaps
                .iter()
                .map(|(kind, name)| Gap {
                    kind: *kind,
                    place: "s1".to_owned(),
                    name: (*name).to_owned(),
                    reason: "403".to_owned(),
                })
                .collect(),
            ..Contents::default()
        }
    }

    fn told(before: &Contents, after: &Contents, values: &[Value]) -> Vec<(Change, String)> {
        let read = |number: i64| Ok(fields(&values[usize::try_from(number).unwrap()], None));
        let found = compare(before, after, &Substitutions::NONE, read);
        found.differences.into_iter().map(|one| (one.change, one.key.name)).collect()
    }

    #[test]
    fn what_differs_is_found_and_the_worst_comes_first() {
        let values = [json!({"n": 1}), json!({"n": 2}), json!({"n": "1"})];
        let before = contents(
            &[
                (Kind::Services, "a", 0),
                (Kind::Services, "b", 0),
                (Kind::Services, "same", 0),
                (Kind::Roles, "r", 0),
            ],
            &[],
        );
        let after = contents(
            &[
                (Kind::Services, "a", 1),
                (Kind::Services, "c", 0),
                (Kind::Services, "same", 2),
                (Kind::Roles, "r", 1),
            ],
            &[],
        );
        let expected = [
            (Change::Missing, "b".to_owned()),
            (Change::Differs, "a".to_owned()),
            (Change::Added, "c".to_owned()),
            (Change::Differs, "r".to_owned()),
        ];
        assert_eq!(told(&before, &after, &values), expected);
    }

    #[test]
    fn names_that_differ_in_case_only_are_two_services_and_a_renamed_one_is_missing_and_new() {
        let values = [json!({"n": 1}), json!({"n": 2})];
        let before = contents(&[(Kind::Services, "Bus", 0), (Kind::Services, "bus", 1)], &[]);
        let after = contents(&[(Kind::Services, "Bus", 0), (Kind::Services, "Busses", 1)], &[]);
        let expected = [(Change::Missing, "bus".to_owned()), (Change::Added, "Busses".to_owned())];
        assert_eq!(told(&before, &after, &values), expected);
    }

    #[test]
    fn what_was_refused_is_neither_missing_nor_equal_and_hides_nothing_else() {
        let values = [json!({"n": 1}), json!({"n": 2})];
        let all = [(Kind::Services, "A/x", 0), (Kind::Services, "B/y", 0), (Kind::Roles, "r", 0)];
        let before = contents(&all, &[]);
        for (gap, told_missing) in [
            ((Kind::Services, ""), vec!["r"]),
            ((Kind::Services, "A/"), vec!["B/y", "r"]),
            ((Kind::Services, "B/y"), vec!["A/x", "r"]),
            ((Kind::Roles, ""), vec!["A/x", "B/y"]),
            ((Kind::Logs, ""), vec!["A/x", "B/y", "r"]),
        ] {
            let after = contents(&[], &[gap]);
            let names: Vec<_> = told(&before, &after, &values).into_iter().map(|(_, name)| name).collect();
            assert_eq!(names, told_missing, "{gap:?}");
            assert_eq!(
                compare(&before, &after, &Substitutions::NONE, |_| Ok(Fields::default())).not_compared.len(),
                1
            );
            // Nor is it new where it was refused before.
            let names: Vec<_> = told(&after, &before, &values).into_iter().map(|(_, name)| name).collect();
            assert_eq!(names, told_missing, "{gap:?}, the other way round");
        }
        // One that was read twice is compared, whatever the list lacked.
        let after = contents(&[(Kind::Services, "A/x", 1)], &[(Kind::Services, ""), (Kind::Roles, "")]);
        assert_eq!(told(&before, &after, &values), [(Change::Differs, "A/x".to_owned())]);
    }

    #[test]
    fn a_value_that_cannot_be_read_is_not_compared_and_the_others_are() {
        let before = contents(&[(Kind::Services, "a", 0), (Kind::Services, "b", 0)], &[]);
        let after = contents(&[(Kind::Services, "a", 1), (Kind::Services, "b", 7)], &[]);
        let read = |number| match number {
            7 => Err("damaged".to_owned()),
            number => Ok(fields(&json!({ "n": number }), None)),
        };
        let found = compare(&before, &after, &Substitutions::NONE, read);
        assert_eq!(found.differences.len(), 1);
        assert_eq!(found.not_compared[0].name, "b");
    }

    #[test]
    fn a_secret_differs_without_being_shown_and_with_another_key_it_is_not_compared() {
        let of = |secret: &str, key: Option<&str>| {
            let key = key.map(|key| PrintKey::of(key).unwrap());
            fields(&json!({ "password": secret, "s": format!("SERVER=a;PWD={secret}") }), key.as_ref())
        };
        let found = between(&of("one", Some("k")), &of("two", Some("k")), &Substitutions::NONE);
        assert_eq!(found.fields.iter().filter(|field| field.is_secret).count(), 2, "{found:?}");
        assert!(found.fields.iter().all(|field| field.before == field.after), "{found:?}");
        assert_eq!(
            between(&of("one", Some("k")), &of("one", Some("k")), &Substitutions::NONE),
            Between::default()
        );
        for other in [Some("another"), None] {
            let found = between(&of("one", Some("k")), &of("two", other), &Substitutions::NONE);
            assert_eq!((found.fields.len(), found.unknown_secrets), (0, 2));
        }
    }

    #[test]
    fn a_text_that_differs_beside_a_secret_is_shown_and_the_secret_is_told_only_if_it_differs_too() {
        let key = PrintKey::of("k").unwrap();
        let of = |server: &str, secret: &str| {
            let connection = format!("SERVER={server};ENCRYPTED_PASSWORD={secret};USER=sde");
            fields(&json!({ "connectionString": connection }), Some(&key))
        };
        let told = |server: &str, secret: &str| -> Vec<_> {
            let found = between(&of("db1", "one"), &of(server, secret), &Substitutions::NONE);
            found.fields.into_iter().map(|one| (one.is_secret, one.after.unwrap())).collect()
        };
        let shown = |server: &str| format!("SERVER={server};ENCRYPTED_PASSWORD=***;USER=sde");
        assert_eq!(told("db1", "one"), []);
        assert_eq!(told("db1", "two"), [(true, shown("db1"))]);
        assert_eq!(told("db2", "one"), [(false, shown("db2"))]);
        assert_eq!(told("db2", "two"), [(false, shown("db2")), (true, shown("db2"))]);
    }

    #[test]
    fn a_secret_that_contains_the_text_behind_it_is_compared_to_its_end() {
        let key = PrintKey::of("k").unwrap();
        let of = |secret: &str| fields(&json!({ "s": format!("SERVER=a;PWD=\"{secret}\"") }), Some(&key));
        let found = between(&of("ab\"\"cd"), &of("ab\"\"ce"), &Substitutions::NONE);
        assert!(matches!(&found.fields[..], [field] if field.is_secret), "{:?}", found.fields);
    }

    #[test]
    fn two_secrets_without_a_print_are_not_equal_but_not_compared() {
        let of =
            |server: &str| fields(&json!({ "password": "x", "s": format!("SERVER={server};PWD=x") }), None);
        let found = between(&of("a"), &of("a"), &Substitutions::NONE);
        assert_eq!((found.fields.len(), found.unknown_secrets), (0, 2));
        let found = between(&of("a"), &of("b"), &Substitutions::NONE);
        let field = &found.fields[0];
        assert_eq!((found.fields.len(), found.unknown_secrets, field.is_secret), (1, 2, false));
        assert!(field.before.as_ref().is_some_and(|text| text.starts_with("SERVER=a;")), "{field:?}");
    }

    #[test]
    fn texts_of_a_pair_count_as_equal_in_values_lists_and_paths_and_what_else_differs_is_told_as_it_is() {
        let equal = Substitutions::new(&[
            pair("test.example.org", "gis.example.org"),
            pair("gis_test", "gis_prod"),
            pair("x1", "x2"),
        ]);
        let of = |host: &str, database: &str, more: i32| {
            fields(
                &json!({ "url": format!("https://{host}/server"), "n": more, "cluster": "x1",
                    "hosts": [host.to_uppercase(), "same"],
                    "machines": [{ "name": host.to_uppercase(), "database": database, "n": more }] }),
                None,
            )
        };
        let (test, production) =
            (of("test.example.org", "gis_test", 1), of("gis.example.org", "gis_prod", 2));
        let found = between(&test, &production, &equal);
        let told: Vec<_> =
            found.fields.iter().map(|one| (one.path.as_str(), one.before.as_deref())).collect();
        assert_eq!(told, [("machines/[GIS.EXAMPLE.ORG]/n", Some("1")), ("n", Some("1"))]);
        // Pair 0: the URL, the list, and the name of the machine. Pair 1: the database.
        assert_eq!(found.made_equal, MadeEqual::from([(0, 3), (1, 1)]));
        let found = between(&of("test2.example.org", "gis_test", 1), &production, &equal);
        let url = found.fields.iter().find(|one| one.path == "url").unwrap();
        assert_eq!(url.before.as_deref(), Some("https://test2.example.org/server"), "as it is");
    }

    #[test]
    fn identifiers_and_times_of_two_sites_are_not_compared_and_of_one_site_they_are() {
        let of = |id: &str, at: i64, version: i64| {
            fields(&json!({ "id": id, "meta": { "modified": at }, "n": version }), None)
        };
        let one = of("7d2f1c3a-0b1e-4c5d-8e9f-001122334455", 1_790_000_000_000, 5);
        let other = of("00112233445566778899aabbccddeeff", 1_796_000_000_123, 6);
        let found = between(&one, &other, &Substitutions::new([]));
        assert_eq!(found.fields.iter().map(|field| field.path.as_str()).collect::<Vec<_>>(), ["n"]);
        assert_eq!(found.own, 2);
        assert_eq!(between(&one, &other, &Substitutions::NONE).fields.len(), 3);
        // One that is no identifier on one side is compared.
        assert_eq!(between(&one, &of("none", 7, 5), &Substitutions::new([])).fields.len(), 2);
    }

    fn pair(left: &str, right: &str) -> Substitution {
        Substitution { left: left.to_owned(), right: right.to_owned() }
    }

    #[test]
    fn of_a_list_only_the_elements_that_differ_are_told() {
        let of = |list: Value| fields(&json!({ "privileges": list }), None);
        let found = between(&of(json!(["a", "b", "b"])), &of(json!(["b", "c"])), &Substitutions::NONE);
        let field = &found.fields[0];
        assert_eq!((field.before.as_deref(), field.after.as_deref()), (Some("a, b"), Some("c")));
        assert!(field.is_list);
    }
}
