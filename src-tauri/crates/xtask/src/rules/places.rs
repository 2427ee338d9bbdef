//! Every operation has its file in each of the places where a reader looks for it, and its line in each list that
//! nothing else checks; and the start of the program is short.

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

/// Lists of the operations that no compiler and no test finds incomplete, what each holds of an operation, and how often at
/// least: `{key}` is its key, `{Variant}` its name in an enum.
const LISTS: [(&str, &str, usize); 13] = [
    ("src-tauri/crates/practice-site/src/router.rs", "Operation::{Variant},", 1),
    ("src-tauri/crates/practice-site/tests/foreign/administer.mjs", "step(\"{key}\",", 1),
    ("src-tauri/crates/practice-site/tests/site/main.rs", "mod {key};", 1),
    ("src-tauri/crates/practice-site/tests/site/sign_in.rs", "\"{key}\",", 1),
    ("src-tauri/crates/screenshots/src/operations.rs", "\"{key}\",", 1),
    ("src-tauri/crates/steward-client/tests/situations/answers.rs", "wire/{key}/reply.json", 1),
    ("src-tauri/crates/steward-client/tests/situations/decoders.rs", "operations::{key}::", 1),
    ("src-tauri/docs/architecture.md", "`{key}`", 1),
    ("src-tauri/src/commands/operations.rs", "fn {key}(", 1),
    ("tests/e2e/operations.rs", "window.{key}(", 1),
    ("tests/operations/main.rs", "mod {key};", 1),
    // Where the site works, and where it repeats every secret.
    ("tests/secret_leaks/operations.rs", "{key}::perform(", 2),
    ("tests/wire.rs", "exchange(\"{key}\",", 1),
];

/// Checks that these operations are in every list.
pub(super) fn check_lists(operations: &[&str], read: impl Fn(&str) -> String) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (file, entry, times) in LISTS {
        let text = read(file);
        let entries =
            operations.iter().map(|key| entry.replace("{key}", key).replace("{Variant}", &variant(key)));
        let missing = entries.filter(|entry| text.matches(entry.as_str()).count() < times);
        violations.extend(missing.map(|entry| Violation {
            file: file.into(),
            line: 1,
            what: match times {
                1 => format!("has no {entry}"),
                _ => format!("does not have {entry} {times} times"),
            },
            why: "what is missing in this list is not simulated, tested, shown or described",
        }));
    }
    violations
}

/// The name of an operation in an enum.
fn variant(key: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    key.split('_').map(capital).collect()
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
        format!("src-tauri/crates/steward-client/src/operations/{key}.rs"),
        format!("src-tauri/crates/practice-site/src/operations/{key}.rs"),
        format!("ui/src/operations/{folder}/form.tsx"),
        format!("ui/src/operations/{folder}/report.tsx"),
        format!("ui/src/operations/{folder}/{folder}.test.tsx"),
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
    fn the_list_without_the_operation_is_named() {
        let lists = |missing: &'static str| {
            move |file: &str| {
                let (_, entry, times) = LISTS.into_iter().find(|(list, ..)| *list == file).unwrap();
                let entry = entry.replace("{key}", "find_items").replace("{Variant}", "FindItems");
                if file == missing { String::new() } else { entry.repeat(times) }
            }
        };
        assert_eq!(check_lists(&["find_items"], lists("")), []);
        let violations = check_lists(&["find_items"], lists("tests/operations/main.rs"));
        let [violation] = &violations[..] else { panic!("one violation") };
        assert_eq!(
            (&*violation.file, &*violation.what),
            ("tests/operations/main.rs", "has no mod find_items;")
        );
        let once = |file: &str| lists("")(file).replace("find_items::perform(find_items", "find_items");
        let violations = check_lists(&["find_items"], once);
        let [violation] = &violations[..] else { panic!("one violation") };
        assert_eq!(
            (&*violation.file, &*violation.what),
            ("tests/secret_leaks/operations.rs", "does not have find_items::perform( 2 times")
        );
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
