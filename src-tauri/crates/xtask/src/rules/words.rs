//! The code of what is shipped, the comments of the window, the documents, the descriptions of packages and the names of files use the terms of the
//! glossary (`src-tauri/docs/words.md`), and none of those that it replaced.

use super::shipped::is_shipped;
use super::violation::Violation;

/// Documents that quote the replaced terms: of earlier versions, and as those to avoid.
const QUOTES: [&str; 2] = ["src-tauri/docs/CHANGELOG.md", "src-tauri/docs/words.md"];

/// Replaced terms, anywhere in a line.
const PARTS: [&str; 15] = [
    "silenc",
    "parachute",
    "way back",
    "way_back",
    "way-back",
    "wayback",
    "ledger",
    "mishap",
    "contact sheet",
    "contact_sheet",
    "evidence",
    "what came of",
    "the seven",
    "seven operations",
    "worked with",
];

/// Replaced terms, as whole words.
const WORDS: [&str; 6] = ["lap", "armed", "tick", "ticks", "ticked", "somebody"];

/// Replaced terms that are looked for in documents only.
const IN_DOCUMENTS: [&str; 2] = ["whoever", "in hand"];

/// Checks the code of one file, up to its tests.
pub(super) fn check(file: &str, source: &str) -> Vec<Violation> {
    if !is_shipped(file) {
        return Vec::new();
    }
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().enumerate();
    lines.filter_map(|(index, line)| Some((index + 1, replaced(line)?))).map(violation(file)).collect()
}

/// Checks the comments of a file of the window that is no test. The texts that it shows have tests of their own.
pub(super) fn check_window(file: &str, source: &str) -> Vec<Violation> {
    let is_code = file.ends_with(".ts") || file.ends_with(".tsx");
    let is_other =
        file.contains(".test.") || file.ends_with("/bindings.ts") || file.starts_with("ui/src/test/");
    if !file.starts_with("ui/src/") || !is_code || is_other {
        return Vec::new();
    }
    let comments = source.lines().enumerate().filter_map(|(index, line)| Some((index + 1, comment(line)?)));
    comments.filter_map(|(line, text)| Some((line, replaced(text)?))).map(violation(file)).collect()
}

/// The comment in a line of TypeScript, without what only looks like one: the scheme of a URL.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if line.starts_with("* ") || line.starts_with("/*") {
        return Some(line);
    }
    let at = line.match_indices("//").map(|(at, _)| at).find(|at| !line[..*at].ends_with(':'));
    at.or_else(|| line.find("/*")).map(|at| &line[at..])
}

/// Whether a file is a text for people: a document, or a description that a package or a software store shows.
pub(super) fn is_text(file: &str) -> bool {
    let is_document = file.ends_with(".md") && !file.starts_with("ui/");
    let is_description = file.starts_with("src-tauri/packaging/") || file.ends_with("Cargo.toml");
    is_document || is_description || file == "tauri.conf.json"
}

/// Checks one document, without the names of code in it.
pub(super) fn check_document(file: &str, text: &str) -> Vec<Violation> {
    if QUOTES.contains(&file) {
        return Vec::new();
    }
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, without_code(line)));
    let found = lines.filter_map(|(line, text)| {
        let word = replaced(&text)
            .or_else(|| IN_DOCUMENTS.into_iter().find(|term| text.to_lowercase().contains(term)))?;
        Some((line, word))
    });
    found.map(violation(file)).collect()
}

/// Checks what a file is called.
pub(super) fn check_name(file: &str) -> Option<Violation> {
    replaced(file).map(|term| violation(file)((1, term)))
}

fn violation(file: &str) -> impl Fn((usize, &'static str)) -> Violation {
    move |(line, term)| Violation {
        file: file.into(),
        line,
        what: format!("says \u{201c}{term}\u{201d}"),
        why: "one thing has one term, which the glossary decides",
    }
}

/// A line of Markdown without its spans of code.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join(" ")
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
        assert!(lines("src-tauri/crates/screenshots/src/main.rs").is_empty());
    }

    #[test]
    fn a_replaced_term_is_reported_in_a_comment_of_the_window() {
        let source = "const ledger = 1;\n// The ledger.\n/** Somebody. */\n * is armed\nopen(); // for somebody\n\
                      const lap = \"https://lap\";\n{/* The mishap. */}";
        let lines =
            |file| check_window(file, source).iter().map(|violation| violation.line).collect::<Vec<_>>();
        assert_eq!(lines("ui/src/lib/a.ts"), [2, 3, 4, 5, 7]);
        for file in
            ["ui/src/lib/a.test.ts", "ui/src/bridge/bindings.ts", "ui/src/messages/en/a.json", "tests/a.ts"]
        {
            assert!(lines(file).is_empty(), "{file}");
        }
    }

    #[test]
    fn a_replaced_term_is_reported_in_a_document_outside_of_its_code() {
        let text = "The ledger.\nSee `ledger_is_read`, and whoever reads it.\nThe log.";
        let lines =
            |file| check_document(file, text).iter().map(|violation| violation.line).collect::<Vec<_>>();
        assert_eq!(lines("README.md"), [1, 2]);
        assert!(lines("src-tauri/docs/words.md").is_empty());
    }

    #[test]
    fn documents_and_descriptions_are_texts() {
        for file in
            ["README.md", ".github/SECURITY.md", "tauri.conf.json", "src-tauri/packaging/linux/a.desktop"]
        {
            assert!(is_text(file), "{file}");
        }
        for file in ["ui/src/messages/help/en/a.md", "src-tauri/src/lib.rs"] {
            assert!(!is_text(file), "{file}");
        }
    }

    #[test]
    fn a_replaced_term_is_reported_in_the_name_of_a_file() {
        assert!(check_name("tests/e2e/lap.rs").is_some());
        assert!(check_name("ui/src/test/silence.ts").is_some());
        assert_eq!(check_name("src-tauri/src/overlap.rs"), None);
    }
}
