//! The list of components in the window is that of the components that the program has.

use std::collections::BTreeSet;
use std::fs;

use anyhow::Result;
use serde_json::Value;

use super::violation::Violation;
use crate::commands::licences::{FILE, crates};
use crate::project::Project;

/// The system whose packages are looked at. GTK exists on Linux only, and one system spares the download of the others'
/// packages.
pub(super) const SYSTEM: &str = "x86_64-unknown-linux-gnu";

const WHY: &str =
    "the licences that are shown must be those of what is shipped; `cargo xtask licences` writes them";

/// Compares the file with what one system's program is built of, and with the packages of the front end.
pub(super) fn check(project: &Project) -> Result<Vec<Violation>> {
    let root = &project.root;
    let shown = fs::read_to_string(root.join(FILE)).unwrap_or_default();
    let lock: Value = serde_json::from_slice(&fs::read(root.join("ui/package-lock.json"))?)?;
    Ok(compare(&parts(&shown), &crates(project, SYSTEM)?, &direct(&lock)))
}

/// Reads the lines before the first text, such as `serde 1.0.2: MIT OR Apache-2.0`.
fn parts(shown: &str) -> BTreeSet<(String, String)> {
    let lines = shown.lines().take_while(|line| !line.is_empty());
    let parts = lines.filter_map(|line| line.split_once(": ")?.0.rsplit_once(' '));
    parts.map(|(name, version)| (name.to_owned(), version.to_owned())).collect()
}

/// Packages that the front end itself requires, with the versions that are installed.
fn direct(lock: &Value) -> BTreeSet<(String, String)> {
    let asked = lock["packages"][""]["dependencies"].as_object().into_iter().flatten();
    asked
        .map(|(name, _)| {
            let version = &lock["packages"][format!("node_modules/{name}")]["version"];
            (name.clone(), version.as_str().unwrap_or_default().to_owned())
        })
        .collect()
}

fn compare(
    shown: &BTreeSet<(String, String)>,
    built: &BTreeSet<(String, String)>,
    installed: &BTreeSet<(String, String)>,
) -> Vec<Violation> {
    let missing = built.union(installed).filter(|part| !shown.contains(*part));
    missing
        .map(|(name, version)| Violation {
            file: FILE.to_owned(),
            line: 1,
            what: format!("{name} {version} is missing"),
            why: WHY,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_is_not_shown_or_in_another_version_is_a_violation() {
        let set = |parts: &[(&str, &str)]| {
            parts.iter().map(|(name, version)| ((*name).to_owned(), (*version).to_owned())).collect()
        };
        let shown =
            parts("react 19.3.1: MIT\ntauri 2.12.5: Apache-2.0 OR MIT\n\n---\ndayjs 1.11.23: no part\n");

        assert_eq!(compare(&shown, &set(&[("tauri", "2.12.5")]), &set(&[("react", "19.3.1")])), []);
        let stale = compare(&shown, &set(&[("tauri", "2.13.0")]), &set(&[("dayjs", "1.11.23")]));
        assert_eq!(stale.len(), 2);
        assert!(stale[0].what.contains("dayjs"));
    }
}
