//! Every operation has its file in each of the places where a reader looks for it.

use super::Violation;

/// Checks that every file of these operations is there.
pub(super) fn check(operations: &[&str], exists: impl Fn(&str) -> bool) -> Vec<Violation> {
    let files = operations.iter().flat_map(|key| places(key));
    let missing = files.filter(|file| !exists(file));
    let violation = |file| Violation {
        file,
        line: 1,
        what: "is missing".into(),
        why: "an operation has files of its own in each of the places where a reader looks for it",
    };
    missing.map(violation).collect()
}

fn places(key: &str) -> [String; 9] {
    let folder = key.replace('_', "-");
    [
        format!("src-tauri/crates/steward-core/src/operations/{key}.rs"),
        format!("src-tauri/src/commands/{key}.rs"),
        format!("src-tauri/crates/steward-client/src/operations/{key}.rs"),
        format!("src-tauri/crates/practice-site/src/operations/{key}.rs"),
        format!("ui/src/operations/{folder}/form.tsx"),
        format!("ui/src/operations/{folder}/report.tsx"),
        format!("tests/operations/{key}.rs"),
        format!("tests/fixtures/wire/{key}/request.json"),
        format!("tests/fixtures/wire/{key}/reply.json"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_is_missing_is_named() {
        let violations = check(&["find_items"], |file| file != "tests/operations/find_items.rs");
        let [violation] = &violations[..] else { panic!("one violation") };
        assert_eq!(violation.file, "tests/operations/find_items.rs");
    }
}
