//! What the Rust sources of one place may not name.

use super::Violation;
use super::paths::{Mention, mentions};

/// The start of the program fits on three screens, or it has begun to do the work of others.
const LONGEST_START: usize = 150;

/// Checks one file, given all operations.
pub(super) fn check(file: &str, source: &str, operations: &[&str]) -> Vec<Violation> {
    let violation = |line, what, why| Violation { file: file.into(), line, what, why };
    let mentions = mentions(source);
    let named = mentions.iter().filter_map(|mention| {
        why_not(file, mention, operations)
            .map(|why| violation(mention.line, format!("names {}", mention.path.join("::")), why))
    });
    let mut violations: Vec<Violation> = named.collect();

    let lines = source.lines().count();
    if file == "src-tauri/src/lib.rs" && lines >= LONGEST_START {
        let what = format!("has {lines} lines, and {LONGEST_START} are too many");
        violations.push(violation(lines, what, "it starts the program; work belongs in the files it calls"));
    }
    violations
}

fn why_not(file: &str, mention: &Mention, operations: &[&str]) -> Option<&'static str> {
    let names = |path: &[&str]| mention.is_below(path);
    if file.starts_with("src-tauri/crates/steward-client/src/")
        && (names(&["std", "fs"]) || names(&["tokio", "fs"]))
    {
        return Some("the client hands bytes on and lets its caller decide where they go");
    }
    if let Some(operation) = operation_of(file, operations) {
        let other = operations.iter().any(|other| {
            *other != operation && (names(&["super", other]) || names(&["crate", "operations", other]))
        });
        if other {
            return Some("an operation is read, changed and tested without the others");
        }
    }
    if names(&["rfd"]) && file != "src-tauri/src/dialogs.rs" {
        return Some("only src-tauri/src/dialogs.rs opens dialogs");
    }
    None
}

/// The key of the operation whose file, or whose folder, this is.
fn operation_of<'a>(file: &str, operations: &[&'a str]) -> Option<&'a str> {
    let path = file.strip_prefix("src-tauri/crates/steward-core/src/operations/")?.strip_suffix(".rs")?;
    let name = path.split('/').next()?;
    operations.iter().copied().find(|operation| *operation == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIND_ITEMS: &str = "src-tauri/crates/steward-core/src/operations/find_items.rs";

    fn lines(file: &str, source: &str) -> Vec<usize> {
        check(file, source, &["find_items", "export_portal", "import_server"])
            .iter()
            .map(|violation| violation.line)
            .collect()
    }

    #[test]
    fn the_client_opens_no_files() {
        let file = "src-tauri/crates/steward-client/src/site.rs";
        let source = "use std::{fmt, fs};\nuse tokio::io;\nlet f = tokio::fs::File::open(x);";
        assert_eq!(lines(file, source), [1, 3]);
        assert!(lines("src-tauri/crates/practice-site/src/lib.rs", source).is_empty());
    }

    #[test]
    fn an_operation_does_not_know_another() {
        let source = "use super::{export_portal, shared};\nuse crate::operations::find_items::Form;\n\
                      crate::operations::import_server::brief();";
        assert_eq!(lines(FIND_ITEMS, source), [1, 3]);
        assert!(lines("src-tauri/crates/steward-core/src/operations/mod.rs", source).is_empty());
    }

    #[test]
    fn dialogs_have_one_door() {
        let source = "use rfd::AsyncFileDialog;";
        assert_eq!(lines("src-tauri/src/commands/about.rs", source), [1]);
        assert_eq!(lines(FIND_ITEMS, source), [1]);
        assert!(lines("src-tauri/src/dialogs.rs", source).is_empty());
    }

    #[test]
    fn the_start_stays_short() {
        assert!(lines("src-tauri/src/lib.rs", &"\n".repeat(149)).is_empty());
        assert_eq!(lines("src-tauri/src/lib.rs", &"\n".repeat(150)), [150]);
    }

    #[test]
    fn a_violation_is_one_line_that_says_why() {
        let [violation] =
            &check(FIND_ITEMS, "use super::export_portal::Form;", &["export_portal", "find_items"])[..]
        else {
            panic!("one violation")
        };
        assert_eq!(
            violation.to_string(),
            format!(
                "{FIND_ITEMS}:1: names super::export_portal::Form: an operation is read, changed and tested without \
                 the others"
            )
        );
    }
}
