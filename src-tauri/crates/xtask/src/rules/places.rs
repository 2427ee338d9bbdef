//! Every operation has its file in each of the places where a reader looks for it.

use super::{OPERATIONS, Violation};

/// Checks that every file of every operation is there.
pub(super) fn check(exists: impl Fn(&str) -> bool) -> Vec<Violation> {
    let files = OPERATIONS.iter().flat_map(|key| places(key));
    let missing = files.filter(|file| !exists(file));
    let violation = |file| Violation {
        file,
        line: 1,
        what: "is missing".into(),
        why: "an operation has a file of its own in each of the five places",
    };
    missing.map(violation).collect()
}

fn places(key: &str) -> [String; 5] {
    let folder = key.replace('_', "-");
    [
        format!("src-tauri/src/operations/{key}.rs"),
        format!("src-tauri/crates/steward-client/src/operations/{key}.rs"),
        format!("src-tauri/crates/practice-site/src/operations/{key}.rs"),
        format!("ui/src/operations/{folder}/form.tsx"),
        format!("ui/src/operations/{folder}/report.tsx"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_is_missing_is_named() {
        let violations = check(|file| file != "ui/src/operations/find-items/report.tsx");
        let [violation] = &violations[..] else { panic!("one violation") };
        assert_eq!(violation.file, "ui/src/operations/find-items/report.tsx");
    }
}
