//! Each `tokio::select!` of the code that is shipped determines which branch counts if several are ready at once.

use super::shipped::is_shipped;
use super::violation::Violation;

/// Checks the code of one file, up to its tests.
pub(super) fn check(file: &str, source: &str) -> Vec<Violation> {
    if !is_shipped(file) {
        return Vec::new();
    }
    let code: Vec<&str> = source.lines().take_while(|line| *line != "#[cfg(test)]").map(str::trim).collect();
    let is_open = |at: &usize| {
        let first = code[at + 1..].iter().find(|line| !line.starts_with("//"));
        code[*at].ends_with("select! {") && first != Some(&"biased;")
    };
    let violation = |at: usize| Violation {
        file: file.to_owned(),
        line: at + 1,
        what: "a select! without `biased;`".to_owned(),
        why: "chance would decide between a response and Stop that come at the same time",
    };
    (0..code.len()).filter(is_open).map(violation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_select_that_leaves_the_order_to_chance_is_a_violation() {
        let lines = |source: &str| -> Vec<usize> {
            let found = check("src-tauri/crates/steward-core/src/runs.rs", source);
            found.into_iter().map(|violation| violation.line).collect()
        };
        assert_eq!(lines("fn a() {\n    tokio::select! {\n        done = work => done,\n"), [2]);
        assert!(
            lines("    tokio::select! {\n        // Why.\n        biased;\n        done = work").is_empty()
        );
        assert!(lines("#[cfg(test)]\nmod tests {\n    tokio::select! {\n        done").is_empty());
        let of_tests = check("src-tauri/crates/steward-testkit/src/until.rs", "tokio::select! {\n");
        assert!(of_tests.is_empty());
    }
}
