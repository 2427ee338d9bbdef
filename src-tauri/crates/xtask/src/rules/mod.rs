//! The rules of the house: who may import whom, and where things have to be.
//!
//! Each rule says why it is there, because that is what whoever breaks it needs to know.

mod edges;
mod layers;
mod licences;
mod modules;
mod paths;
mod places;
mod sources;

use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::project::Project;

/// Where the operations are declared.
const DECLARED: &str = "src-tauri/crates/steward-core/src/operations/mod.rs";

/// One broken rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Violation {
    file: String,
    line: usize,
    what: String,
    why: &'static str,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.file, self.line, self.what, self.why)
    }
}

/// Checks every rule; broken ones are printed, one per line.
pub(crate) fn check(project: &Project) -> Result<()> {
    let root = &project.root;
    let mut violations = edges::check(root, &project.metadata(&["--no-deps"])?)?;
    // GTK exists on Linux only, and asking about one system spares the download of the others' packages.
    let graph = project.metadata(&["--filter-platform", "x86_64-unknown-linux-gnu"])?;
    violations.extend(edges::check_graph(&graph));
    violations.extend(licences::check(root, &graph)?);
    let declared =
        fs::read_to_string(root.join(DECLARED)).with_context(|| format!("cannot read {DECLARED}"))?;
    let operations = operations(&declared);
    if operations.is_empty() {
        bail!("{DECLARED} declares no operation");
    }
    for folder in ["src-tauri/src", "src-tauri/crates"] {
        visit(root, &root.join(folder), &["rs"], &mut |file, text| {
            violations.extend(sources::check(file, text, &operations));
            violations.extend(layers::check(file, text));
        })?;
    }
    let ui = root.join("ui/src");
    visit(root, &ui, &["ts", "tsx"], &mut |file, text| violations.extend(modules::check(file, text)))?;
    violations.extend(places::check(&operations, |file| root.join(file).is_file()));

    violations.sort();
    for violation in &violations {
        println!("{violation}");
    }
    match violations.len() {
        0 => Ok(()),
        1 => bail!("one rule of the house is broken"),
        number => bail!("rules of the house are broken in {number} places"),
    }
}

/// The operations, by the key that names their files.
fn operations(declared: &str) -> Vec<&str> {
    declared.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect()
}

/// Shows every file below the folder whose name ends so, with `/` in its path on every system.
fn visit(root: &Path, folder: &Path, endings: &[&str], see: &mut dyn FnMut(&str, &str)) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            visit(root, &path, endings, see)?;
        } else if path.extension().is_some_and(|found| endings.iter().any(|ending| *ending == found)) {
            let text =
                fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let file = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            see(&file, &text);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_is_known_by_its_declaration() {
        let declared =
            "//! All.\n\nuse a::b;\n\npub mod export_portal;\npub mod find_items;\n\npub struct Key;\n";
        assert_eq!(operations(declared), ["export_portal", "find_items"]);
    }
}
