//! Texts that differ on purpose between two sites or servers, and count as equal.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::key::{Contents, Gap, Key};

/// Pair of texts that count as equal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Substitution {
    /// Text on the left.
    pub left: String,
    /// Text on the right in its place.
    pub right: String,
}

/// Numbers of values that pairs make equal, by the index of the pair.
pub type MadeEqual = BTreeMap<usize, u32>;

/// Pairs of texts that count as equal, applied to texts of the left.
#[derive(Debug)]
pub struct Substitutions {
    pairs: Vec<Replacement>,
    /// Whether both sides are different sites or servers.
    is_of_two: bool,
}

#[derive(Debug)]
struct Replacement {
    /// Index of the pair.
    pair: usize,
    exact: String,
    lower: String,
    right: String,
}

impl Substitutions {
    /// For two readings of one site: only equal texts count as equal.
    pub const NONE: Self = Self { pairs: Vec::new(), is_of_two: false };

    /// Prepares the pairs between two sites or servers. Of two that begin at the same letter, the longer one is applied.
    #[must_use]
    pub fn new<'a>(pairs: impl IntoIterator<Item = &'a Substitution>) -> Self {
        let replacement = |(pair, one): (usize, &Substitution)| Replacement {
            pair,
            exact: one.left.clone(),
            lower: one.left.to_ascii_lowercase(),
            right: one.right.clone(),
        };
        let mut all: Vec<_> = pairs.into_iter().enumerate().map(replacement).collect();
        all.retain(|one| !one.lower.is_empty());
        all.sort_by_key(|one| std::cmp::Reverse(one.lower.len()));
        Self { pairs: all, is_of_two: true }
    }

    /// Returns whether both texts are identifiers, or both are times, that each of two sites makes for itself. They are
    /// never equal.
    pub(crate) fn are_own(&self, left: &str, right: &str) -> bool {
        self.is_of_two && [is_identifier, is_time].iter().any(|is| is(left) && is(right))
    }

    /// Returns a text of the left as it is on the right, and the pairs that were applied; `None` if there are none in it.
    ///
    /// Upper and lower case make no difference, and a text in capitals stays in capitals: servers return their machines so. What
    /// was put in is not replaced again, and a text within a longer word is another one.
    #[must_use]
    pub fn replace(&self, text: &str) -> Option<(String, Vec<usize>)> {
        if self.pairs.is_empty() {
            return None;
        }
        let lower = text.to_ascii_lowercase();
        let possible: Vec<_> = self.pairs.iter().filter(|one| lower.contains(&one.lower)).collect();
        let (mut replaced, mut used, mut at) = (String::new(), Vec::new(), 0);
        while let Some(letter) = text[at..].chars().next().filter(|_| !possible.is_empty()) {
            if let Some(one) = possible.iter().find(|one| one.is_at(&lower, at)) {
                let end = at + one.lower.len();
                replaced.push_str(&one.like(&text[at..end]));
                used.push(one.pair);
                at = end;
            } else {
                replaced.push(letter);
                at += letter.len_utf8();
            }
        }
        (!used.is_empty()).then_some((replaced, used))
    }

    /// Returns whether a text of the left is that of the right, as it is or with pairs, which are counted.
    pub(crate) fn is_same(&self, left: &str, right: &str, made: &mut MadeEqual) -> bool {
        left == right
            || self.replace(left).filter(|(replaced, _)| replaced == right).is_some_and(|(_, used)| {
                count(&used, made);
                true
            })
    }

    /// Returns the contents of the left with the names of the right, where the right has a resource of that name.
    /// `places` maps servers of the left to those of the right; resources of other servers are left out.
    #[must_use]
    pub fn aligned(
        &self,
        left: &Contents,
        right: &Contents,
        places: &BTreeMap<String, String>,
        made: &mut MadeEqual,
    ) -> Contents {
        let mut aligned = Contents { sha256: left.sha256.clone(), ..Contents::default() };
        for (key, held) in &left.resources {
            let Some(place) = places.get(&key.place) else { continue };
            let own = Key { place: place.clone(), ..key.clone() };
            let other = self
                .replace(&key.name)
                .filter(|_| !right.resources.contains_key(&own))
                .map(|(name, used)| (Key { name, ..own.clone() }, used))
                .filter(|(other, _)| right.resources.contains_key(other));
            match other {
                Some((other, used)) if !aligned.resources.contains_key(&other) => {
                    count(&used, made);
                    aligned.resources.insert(other, *held);
                }
                _ => {
                    aligned.resources.insert(own, *held);
                }
            }
        }
        aligned.gaps = left
            .gaps
            .iter()
            .filter_map(|gap| Some(Gap { place: places.get(&gap.place)?.clone(), ..gap.clone() }))
            // A gap has the name on the left, and the one that the right might have in its place.
            .flat_map(|gap| {
                let other = self.replace(&gap.name).map(|(name, _)| Gap { name, ..gap.clone() });
                std::iter::once(gap).chain(other)
            })
            .collect();
        aligned
    }
}

/// Returns whether a text is 32 hexadecimal digits, also with hyphens or in braces.
pub(crate) fn is_identifier(text: &str) -> bool {
    let digits = || text.chars().filter(|letter| !matches!(letter, '-' | '{' | '}'));
    digits().count() == 32 && digits().all(|letter| letter.is_ascii_hexdigit())
}

/// Returns whether a text is a time between 2001 and 2286 in milliseconds since 1970.
fn is_time(text: &str) -> bool {
    text.len() == 13
        && text.starts_with(|first: char| ('1'..='9').contains(&first))
        && text.bytes().all(|one| one.is_ascii_digit())
}

fn count(used: &[usize], made: &mut MadeEqual) {
    let used: std::collections::BTreeSet<_> = used.iter().collect();
    for pair in used {
        *made.entry(*pair).or_default() += 1;
    }
}

impl Replacement {
    /// Returns whether the text, in lower case, is there, and not a part of a longer word.
    fn is_at(&self, lower: &str, at: usize) -> bool {
        let (before, rest) = lower.split_at(at);
        let Some(after) = rest.strip_prefix(&self.lower) else { return false };
        let goes_on = |one: Option<char>, other: Option<char>| {
            [one, other].iter().all(|letter| letter.is_some_and(char::is_alphanumeric))
        };
        !goes_on(before.chars().next_back(), self.lower.chars().next())
            && !goes_on(self.lower.chars().next_back(), after.chars().next())
    }

    /// Returns the text of the right, in capitals if what was found is.
    fn like(&self, found: &str) -> String {
        let is_capital = found != self.exact
            && found.contains(|letter: char| letter.is_ascii_uppercase())
            && !found.contains(|letter: char| letter.is_ascii_lowercase());
        if is_capital { self.right.to_ascii_uppercase() } else { self.right.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::{Held, Kind};

    fn of(pairs: &[(&str, &str)]) -> Substitutions {
        let pair = |(left, right): &(&str, &str)| Substitution {
            left: (*left).to_owned(),
            right: (*right).to_owned(),
        };
        Substitutions::new(&pairs.iter().map(pair).collect::<Vec<_>>())
    }

    fn replaced(pairs: &[(&str, &str)], text: &str) -> String {
        of(pairs).replace(text).map_or_else(|| text.to_owned(), |(replaced, _)| replaced)
    }

    #[test]
    fn a_text_is_replaced_wherever_it_is_a_word_of_its_own() {
        let hosts = [("test.example.org", "gis.example.org")];
        for (text, expected) in [
            ("https://test.example.org/server/rest", "https://gis.example.org/server/rest"),
            ("TEST.EXAMPLE.ORG", "GIS.EXAMPLE.ORG"),
            ("a=test.example.org;b=Test.example.org", "a=gis.example.org;b=gis.example.org"),
            ("contest.example.org", "contest.example.org"),
            ("test.example.organization", "test.example.organization"),
            ("Größe test.example.org", "Größe gis.example.org"),
            ("", ""),
        ] {
            assert_eq!(replaced(&hosts, text), expected);
        }
        let paths = [(r"D:\gisdata_test", r"\\nas01\gisdata"), ("", "x")];
        assert_eq!(replaced(&paths, r"d:\gisdata_test\a.gdb"), r"\\nas01\gisdata\a.gdb");
    }

    #[test]
    fn the_longer_of_two_pairs_is_applied_and_what_was_put_in_is_not_replaced_again() {
        let pairs = [("test", "gis"), ("test.example.org/image", "geo2.example.org/img"), ("gis", "test")];
        assert_eq!(replaced(&pairs, "https://test.example.org/image"), "https://geo2.example.org/img");
        assert_eq!(replaced(&pairs, "test and gis"), "gis and test");
    }

    #[test]
    fn names_are_those_of_the_right_where_it_has_them_and_servers_without_a_counterpart_are_left_out() {
        let key = |place: &str, name: &str| Key {
            kind: Kind::Machines,
            place: place.to_owned(),
            name: name.to_owned(),
        };
        let held = Held { value: Some(1), first: 1 };
        let contents = |keys: &[(&str, &str)]| Contents {
            resources: keys.iter().map(|(place, name)| (key(place, name), held)).collect(),
            ..Contents::default()
        };
        let left = contents(&[("t1", "TEST1"), ("t1", "TEST2"), ("t1", "same"), ("t9", "TEST1")]);
        let right = contents(&[("p1", "GIS1"), ("p1", "same")]);
        let places = BTreeMap::from([("t1".to_owned(), "p1".to_owned())]);
        let mut made = MadeEqual::new();
        let pairs = of(&[("test1", "gis1"), ("test2", "gis2"), ("same", "other")]);
        let aligned = pairs.aligned(&left, &right, &places, &mut made);
        let names: Vec<_> = aligned.resources.keys().map(|key| (&*key.place, &*key.name)).collect();
        assert_eq!(names, [("p1", "GIS1"), ("p1", "TEST2"), ("p1", "same")], "a name that it lacks stays");
        assert_eq!(made, MadeEqual::from([(0, 1)]));
    }
}
