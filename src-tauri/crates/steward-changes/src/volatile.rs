//! Fields that change by themselves: found by two readings, and set apart.

use std::collections::BTreeSet;

use crate::comparison::between;
use crate::fields::{Fields, Leaf};
use crate::substitutions::Substitutions;

/// Returns the path of a field without the names of elements, which is the same in other resources.
#[must_use]
pub fn pattern(path: &str) -> String {
    let general =
        |segment: &str| if segment.starts_with('[') { "[*]".to_owned() } else { segment.to_owned() };
    path.split('/').map(general).collect::<Vec<_>>().join("/")
}

/// Returns the patterns of the fields that differ between two readings of a resource, one right after the other.
#[must_use]
pub fn differing(one: &Fields, other: &Fields) -> BTreeSet<String> {
    between(one, other, &Substitutions::NONE).fields.iter().map(|field| pattern(&field.path)).collect()
}

/// Sets the fields of these patterns apart. Their values are not stored.
pub fn set_apart(fields: &mut Fields, patterns: &BTreeSet<String>) {
    if patterns.is_empty() {
        return;
    }
    for (path, leaf) in &mut fields.0 {
        if patterns.contains(&pattern(path)) {
            *leaf = Leaf::Volatile;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fields::fields;

    #[test]
    fn what_changes_by_itself_on_one_machine_does_on_each() {
        let at =
            |load: u32| json!({"machines": [{"name": "a", "load": load}, {"name": "b", "load": 1}], "n": 5});
        let (first, mut second) = (fields(&at(1), None), fields(&at(2), None));
        let learned = differing(&first, &second);
        assert_eq!(learned, BTreeSet::from(["machines/[*]/load".to_owned()]));
        set_apart(&mut second, &learned);
        assert_eq!(second.0["machines/[b]/load"], Leaf::Volatile);
        assert_eq!(second.0["n"], Leaf::Text("5".to_owned()));
        assert!(
            between(&first, &second, &Substitutions::NONE).fields.is_empty(),
            "a field that is set apart on one side is not compared"
        );
    }
}
