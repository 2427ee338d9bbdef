//! What differs between two snapshots. Everything here depends on its arguments alone.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::fields::{Fields, Leaf};
use crate::key::{Contents, Gap, Key, Kind};

/// How a resource differs, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Change {
    /// It is not there any more.
    Missing,
    /// Fields of it differ.
    Differs,
    /// It is new.
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
    /// Whether it has a secret, which is not shown.
    pub is_secret: bool,
    /// Whether both are elements of a list.
    pub is_list: bool,
}

/// What differs between two readings of a resource.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Between {
    /// Fields that differ, by their paths.
    pub fields: Vec<FieldDifference>,
    /// Number of secrets that could not be compared.
    pub unknown_secrets: u32,
}

/// Returns what differs between two readings of a resource. What is set apart in one of them is not compared.
#[must_use]
pub fn between(before: &Fields, after: &Fields) -> Between {
    let mut found = Between::default();
    let paths: BTreeSet<&String> = before.0.keys().chain(after.0.keys()).collect();
    for path in paths {
        let (old, new) = (before.0.get(path), after.0.get(path));
        if old == new || [old, new].contains(&Some(&Leaf::Volatile)) {
            continue;
        }
        let mut field = FieldDifference {
            path: path.clone(),
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
                if is_known && print == new_print {
                    continue;
                }
                if !is_known && shown == new_shown {
                    found.unknown_secrets += 1;
                    continue;
                }
            }
            (Some(Leaf::List(old)), Some(Leaf::List(new))) => {
                field.is_list = true;
                field.before = Some(only_in(old, new).join(", "));
                field.after = Some(only_in(new, old).join(", "));
            }
            _ => {}
        }
        found.fields.push(field);
    }
    found
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
    /// What it is, and where.
    pub key: Key,
    /// How it differs.
    pub change: Change,
    /// Fields that differ; of one that is missing or new, none.
    pub fields: Vec<FieldDifference>,
    /// Number of the value in the later snapshot; `None` if it is not there.
    pub after: Option<i64>,
    /// Snapshot in which it was so for the first time.
    pub first_seen: i64,
}

/// What differs between two snapshots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Resources that differ, by kind, the worst first.
    pub differences: Vec<Difference>,
    /// Number of resources of each kind that are equal.
    pub equal: BTreeMap<Kind, u32>,
    /// What is not compared, because one of both lacks it.
    pub not_compared: Vec<Gap>,
    /// Number of secrets that are not compared.
    pub unknown_secrets: u32,
}

/// Compares two snapshots. `read` returns the fields of a value by its number, or why they cannot be read.
pub fn compare(
    before: &Contents,
    after: &Contents,
    mut read: impl FnMut(i64) -> Result<Fields, String>,
) -> Comparison {
    let mut found = Comparison::default();
    let mut gaps: BTreeSet<Gap> = before.gaps.iter().chain(&after.gaps).cloned().collect();
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
                    let between = between(&old, &new);
                    found.unknown_secrets += between.unknown_secrets;
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
            (Some(_), None) if new.is_none() && after.lacks(key) => continue,
            (None, Some(_)) if old.is_none() && before.lacks(key) => continue,
            (Some(_), None) => (Change::Missing, Vec::new()),
            (None, Some(_)) => (Change::Added, Vec::new()),
        };
        let first_seen = new.map_or(0, |held| held.first);
        found.differences.push(Difference { key: key.clone(), change, fields, after: new_value, first_seen });
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
        }
    }

    fn told(before: &Contents, after: &Contents, values: &[Value]) -> Vec<(Change, String)> {
        let read = |number: i64| Ok(fields(&values[usize::try_from(number).unwrap()], None));
        let found = compare(before, after, read);
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
            assert_eq!(compare(&before, &after, |_| Ok(Fields::default())).not_compared.len(), 1);
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
        let found = compare(&before, &after, read);
        assert_eq!(found.differences.len(), 1);
        assert_eq!(found.not_compared[0].name, "b");
    }

    #[test]
    fn a_secret_differs_without_being_shown_and_with_another_key_it_is_not_compared() {
        let of = |secret: &str, key: Option<&str>| {
            let key = key.map(|key| PrintKey::of(key).unwrap());
            fields(&json!({ "password": secret, "s": format!("SERVER=a;PWD={secret}") }), key.as_ref())
        };
        let found = between(&of("one", Some("k")), &of("two", Some("k")));
        assert_eq!(found.fields.iter().filter(|field| field.is_secret).count(), 2, "{found:?}");
        assert!(found.fields.iter().all(|field| field.before == field.after), "{found:?}");
        assert_eq!(between(&of("one", Some("k")), &of("one", Some("k"))), Between::default());
        for other in [Some("another"), None] {
            let found = between(&of("one", Some("k")), &of("two", other));
            assert_eq!((found.fields.len(), found.unknown_secrets), (0, 2));
        }
    }

    #[test]
    fn of_a_list_only_the_elements_that_differ_are_told() {
        let of = |list: Value| fields(&json!({ "privileges": list }), None);
        let found = between(&of(json!(["a", "b", "b"])), &of(json!(["b", "c"])));
        let field = &found.fields[0];
        assert_eq!((field.before.as_deref(), field.after.as_deref()), (Some("a, b"), Some("c")));
        assert!(field.is_list);
    }
}
