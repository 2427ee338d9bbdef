//! Every operation has its file in each of the places where a reader looks for it, and its line in each list that
//! nothing else checks; few other files name the newest one; and the start of the program is short.

use super::shipped::is_shipped;
use super::violation::Violation;

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

/// How many files of Rust, and of the window, may name the newest operation beside its own. It is the portal import, which has
/// everything that an operation can mean: an undo, a comparison, a step of a restore, and what it does to other facts (ADR 0091).
const MOST_PLACES: [(&str, usize); 2] = [("src-tauri/", 14), ("ui/src/", 10)];

/// Checks that few of these files name the newest of the operations. Each is a path and its text.
pub(super) fn check_spread(operations: &[&str], files: &[(String, String)]) -> Vec<Violation> {
    let Some(key) = operations.last() else { return Vec::new() };
    let naming: Vec<_> = files.iter().filter(|(file, text)| names(key, file, text)).collect();
    let violations = MOST_PLACES.into_iter().filter_map(|(folder, most)| {
        let files: Vec<_> =
            naming.iter().map(|(file, _)| file).filter(|file| file.starts_with(folder)).collect();
        let violation = |file: &&String| Violation {
            file: (*file).clone(),
            line: 1,
            what: format!("is one of {} files that name {key}, and {most} are allowed", files.len()),
            why: "who adds an operation has to find all of them: ask its descriptor instead",
        };
        (files.len() > most).then(|| files.iter().map(violation).collect::<Vec<_>>())
    });
    violations.flatten().collect()
}

/// Returns whether the code of a shipped file names an operation that is not its own subject.
fn names(key: &str, file: &str, text: &str) -> bool {
    let [variant, folder] = [variant(key), key.replace('_', "-")];
    let is_own = [key, &folder].iter().any(|own| file.contains(&format!("/operations/{own}")));
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut lines = code.lines().filter(|line| !line.trim_start().starts_with(['/', '*']));
    let is_code = is_shipped(file) || file.starts_with("ui/src/");
    let is_test = ["/tests/", "/tests.rs", ".test.", "/test/", "/contract/", "fake-backend", "/bindings.ts"];
    is_code
        && !is_own
        && !is_test.iter().any(|part| file.contains(part))
        && lines.any(|line| [key, &variant, &folder].iter().any(|name| line.contains(*name)))
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
    fn an_operation_that_too_many_files_name_is_told_with_each_of_them() {
        let file = |name: String, text: &str| (name, text.to_owned());
        let naming = |count: usize| -> Vec<_> {
            let core = "src-tauri/crates/steward-core/src";
            let others = [
                file(format!("{core}/operations/import_portal/proof.rs"), "import_portal"),
                file(format!("{core}/a.rs"), "// import_portal\n#[cfg(test)]\nimport_portal"),
                file("ui/src/operations/import-portal/form.tsx".to_owned(), "import-portal"),
                file("tests/operations/import_portal.rs".to_owned(), "ImportPortal"),
            ];
            let shared = (0..count).map(|at| file(format!("{core}/{at}.rs"), "OperationKey::ImportPortal"));
            others.into_iter().chain(shared).collect()
        };
        let operations = ["export_portal", "import_portal"];
        assert_eq!(check_spread(&operations, &naming(14)), []);
        assert_eq!(check_spread(&operations, &naming(15)).len(), 15);
        assert_eq!(check_spread(&["import_portal", "export_portal"], &naming(15)), []);
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
