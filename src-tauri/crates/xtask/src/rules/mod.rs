//! The rules of the house: who may import whom, and where things have to be.
//!
//! Each rule has a reason in its message, for the author of a change that breaks it.

mod circles;
mod edges;
mod layers;
mod licences;
mod notes;
mod places;
mod selects;
mod shipped;
mod violation;
mod words;
mod workflows;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::project::Project;

/// Where the keys of the operations are declared.
const DECLARED: &str = "src-tauri/crates/steward-client/src/operations/mod.rs";

/// Checks every rule; broken ones are printed, one per line.
pub(crate) fn check(project: &Project) -> Result<()> {
    let root = &project.root;
    let mut violations = edges::check(root, &project.metadata(&["--no-deps"])?)?;
    let graph = project.metadata(&["--filter-platform", licences::SYSTEM])?;
    violations.extend(edges::check_graph(&graph));
    violations.extend(licences::check(project)?);
    let declared =
        fs::read_to_string(root.join(DECLARED)).with_context(|| format!("cannot read {DECLARED}"))?;
    let operations = operations(&declared);
    if operations.is_empty() {
        bail!("{DECLARED} declares no operation");
    }
    let mut sources = Vec::new();
    for folder in ["src-tauri/src", "src-tauri/crates"] {
        visit(root, &root.join(folder), &mut |file, text| {
            violations.extend(layers::check(file, text, &operations));
            violations.extend(places::check_start(file, text));
            violations.extend(notes::check(file, text));
            violations.extend(selects::check(file, text));
            violations.extend(words::check(file, text));
            sources.push((file.to_owned(), text.to_owned()));
        })?;
    }
    violations.extend(circles::check(&sources));
    let mut code = sources;
    violations.extend(places::check(&operations, |file| root.join(file).is_file()));
    // A list that cannot be read has no operation.
    violations.extend(places::check_lists(&operations, |file| {
        fs::read_to_string(root.join(file)).unwrap_or_default()
    }));
    let mut names = ["README.md", "Cargo.toml", "tauri.conf.json"].map(str::to_owned).to_vec();
    for folder in [".github", "src-tauri", "tests", "ui/src"] {
        files(root, &root.join(folder), &mut names)?;
    }
    for file in &names {
        violations.extend(words::check_name(file));
        if words::is_text(file) {
            let text = fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
            violations.extend(words::check_document(file, &text));
        }
        if file.starts_with("ui/src/") && (file.ends_with(".ts") || file.ends_with(".tsx")) {
            let text = fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
            violations.extend(notes::check(file, &text));
            violations.extend(words::check_window(file, &text));
            code.push((file.clone(), text));
        }
        if file.starts_with(".github/workflows/") {
            let text = fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
            violations.extend(workflows::check(file, &text));
        }
    }
    violations.extend(places::check_spread(&operations, &code));

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

/// The operations, by the name of their key, which is that of their files.
fn operations(declared: &str) -> Vec<&str> {
    let list = declared.split_once("\noperations! {").and_then(|(_, rest)| rest.split_once("\n}"));
    let lines = list.into_iter().flat_map(|(list, _)| list.lines());
    lines.filter_map(|line| line.trim().strip_suffix(',')?.split_once(" = ")).map(|(_, name)| name).collect()
}

/// Shows every Rust file below the folder.
fn visit(root: &Path, folder: &Path, see: &mut dyn FnMut(&str, &str)) -> Result<()> {
    let mut found = Vec::new();
    files(root, folder, &mut found)?;
    for file in found.iter().filter(|file| has_ending(file, "rs")) {
        let text = fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
        see(file, &text);
    }
    Ok(())
}

fn has_ending(file: &str, ending: &str) -> bool {
    Path::new(file).extension().is_some_and(|own| own == ending)
}

/// Finds every file below the folder, except installed npm packages, with `/` in its path on every system.
pub(crate) fn files(root: &Path, folder: &Path, found: &mut Vec<String>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.ends_with("node_modules") {
            continue;
        }
        if path.is_dir() {
            files(root, &path, found)?;
        } else {
            found.push(path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_is_known_by_its_key() {
        let declared = "pub mod a;\noperations! {\n    /// Portal export, with a comma.\n\
            \x20   ExportPortal = export_portal,\n    FindItems = find_items,\n}\nlet a = b,\n";
        assert_eq!(operations(declared), ["export_portal", "find_items"]);
    }
}
