//! Every operation has its file in each of the places where a reader looks for it, and the start of the program is short.

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

/// The start of the program fits on three screens, or it has begun to do the work of others.
const LONGEST_START: usize = 150;

/// Checks the length of the file that starts the program. Passes all others.
pub(super) fn check_start(file: &str, source: &str) -> Option<Violation> {
    let lines = source.lines().count();
    let is_long = file == "src-tauri/src/lib.rs" && lines >= LONGEST_START;
    is_long.then(|| Violation {
        file: file.into(),
        line: lines,
        what: format!("has {lines} lines, and {LONGEST_START} are too many"),
        why: "it starts the program; work belongs in the files it calls",
    })
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

    #[test]
    fn the_start_stays_short() {
        let lines =
            |file: &str, number| check_start(file, &"\n".repeat(number)).map(|violation| violation.line);
        assert_eq!(lines("src-tauri/src/lib.rs", 149), None);
        assert_eq!(lines("src-tauri/src/lib.rs", 150), Some(150));
        assert_eq!(lines("src-tauri/src/main.rs", 150), None);
    }
}
