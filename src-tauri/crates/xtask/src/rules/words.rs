//! The code of what is shipped uses the terms of the glossary, and none of those that it replaced.

use super::Violation;

/// Crates that are shipped.
const SHIPPED: [&str; 6] = [
    "src-tauri/src/",
    "src-tauri/crates/steward-core/src/",
    "src-tauri/crates/steward-client/src/",
    "src-tauri/crates/steward-journal/src/",
    "src-tauri/crates/steward-vault/src/",
    "src-tauri/crates/practice-site/src/",
];

/// Files that read what an earlier version stored under the replaced terms.
const READS_FORMER_NAMES: [&str; 5] = [
    "steward-journal/src/schema.rs",
    "steward-journal/src/migration_v5.rs",
    "steward-core/src/model/import_report.rs",
    "steward-core/src/history/guided_tour.rs",
    "steward-core/src/steward.rs",
];

/// Replaced terms, anywhere in a line.
const PARTS: [&str; 11] = [
    "silenc",
    "parachute",
    "way back",
    "way_back",
    "wayback",
    "ledger",
    "mishap",
    "contact sheet",
    "evidence",
    "what came of",
    "worked with",
];

/// Replaced terms, as whole words.
const WORDS: [&str; 6] = ["lap", "armed", "tick", "ticks", "ticked", "somebody"];

/// Checks the code of one file, up to its tests.
pub(super) fn check(file: &str, source: &str) -> Vec<Violation> {
    let is_shipped = SHIPPED.iter().any(|root| file.starts_with(root));
    if !is_shipped || READS_FORMER_NAMES.iter().any(|name| file.ends_with(name)) {
        return Vec::new();
    }
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().enumerate();
    lines.filter_map(|(index, line)| Some((index + 1, replaced(line)?))).map(violation(file)).collect()
}

fn violation(file: &str) -> impl Fn((usize, &'static str)) -> Violation {
    move |(line, term)| Violation {
        file: file.into(),
        line,
        what: format!("says \u{201c}{term}\u{201d}"),
        why: "one thing has one term, which the glossary decides",
    }
}

/// The first replaced term of a line.
fn replaced(line: &str) -> Option<&'static str> {
    let line = line.to_lowercase();
    let part = PARTS.into_iter().find(|part| line.contains(part));
    let mut words = line.split(|letter: char| !letter.is_alphanumeric());
    part.or_else(|| words.find_map(|word| WORDS.into_iter().find(|term| *term == word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replaced_term_is_reported_in_what_is_shipped() {
        let source = "let overlap = 1;\n// The ledger.\nstruct MishapRule;\n#[cfg(test)]\n// somebody";
        let lines = |file| check(file, source).iter().map(|violation| violation.line).collect::<Vec<_>>();
        assert_eq!(lines("src-tauri/src/lib.rs"), [2, 3]);
        assert!(lines("src-tauri/crates/steward-journal/src/schema.rs").is_empty());
        assert!(lines("src-tauri/crates/screenshots/src/main.rs").is_empty());
    }
}
