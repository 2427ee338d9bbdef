//! No code reads the note of a record: it is written for the user, and would be read wrongly with other words.

use super::shipped::is_shipped;
use super::violation::Violation;

/// What reads a text, in Rust and in TypeScript.
const READS: [&str; 17] = [
    "contains(",
    "ends_with(",
    "find(",
    "matches(",
    "rsplit",
    "split",
    "starts_with(",
    "strip_",
    "trim_end_matches(",
    "trim_start_matches(",
    "endsWith(",
    "includes(",
    "indexOf(",
    "match",
    "replace",
    "search(",
    "startsWith(",
];

/// Checks the code of one file, up to its tests. The journal searches notes with SQL.
pub(super) fn check(file: &str, source: &str) -> Vec<Violation> {
    let is_window = file.starts_with("ui/src/")
        && [".ts", ".tsx"].iter().any(|end| file.ends_with(end))
        && !["test.ts", "test.tsx"].iter().any(|end| file.ends_with(end));
    let is_checked = is_window || (file.ends_with(".rs") && is_shipped(file));
    if !is_checked {
        return Vec::new();
    }
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let violation = |(at, _)| Violation {
        file: file.to_owned(),
        line: at + 1,
        what: "a note is read back".to_owned(),
        why: "a note is a sentence for the user: decide by `Facts`, which has its parts too (ADR 0039)",
    };
    code.lines().enumerate().filter(|(_, line)| reads_a_note(line)).map(violation).collect()
}

fn reads_a_note(line: &str) -> bool {
    let is_whole = |before: &str| !before.ends_with(|last: char| last.is_alphanumeric() || last == '_');
    let uses = |name: &str| {
        line.match_indices(name).any(|(at, _)| {
            let after = &line[at + name.len()..];
            is_whole(&line[..at]) && READS.iter().any(|method| after.starts_with(method))
        })
    };
    !line.trim_start().starts_with("//") && (uses("note.") || uses("note?."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_reads_a_note_is_a_violation() {
        let core = "src-tauri/crates/steward-core/src/history/summary.rs";
        let window = "ui/src/lib/summary-text.ts";
        for (file, line, is_violation) in [
            (core, "    if record.note.ends_with(\"(i7)\") {", true),
            (core, "    let parts = note.split(\" · \");", true),
            (core, "    let note = note.cut();", false),
            (core, "    // Never note.split(\" · \").", false),
            (core, "    let is_empty = record.note.is_empty();", false),
            (core, "    footnote.split('a')", false),
            (core, "#[cfg(test)]\n    assert!(record.note.contains(\"no\"));", false),
            (window, "\treturn entry.note.replace(/HTTP/, \"\");", true),
            (window, "\tif (entry.note?.includes(\"busy\")) return;", true),
            (window, "\t<Text>{entry.note}</Text>", false),
            ("ui/src/lib/summary-text.test.ts", "\tentry.note.includes(\"no\")", false),
            ("tests/operations/uploads.rs", "    record.note.contains(\"no\")", false),
        ] {
            assert_eq!(!check(file, line).is_empty(), is_violation, "{line}");
        }
    }
}
