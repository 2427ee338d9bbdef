//! `cargo xtask licences`: writes the list of all dependencies with their licenses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::Value;

use super::task::{Task, no_more};
use crate::process;
use crate::project::Project;

pub(super) const TASK: Task = Task {
    name: "licences",
    about: "write the licences of everything inside anew, for the window to show",
    run,
};

/// File that the app shows, relative to the root of the checkout.
pub(crate) const FILE: &str = "ui/src/features/settings/licences.txt";

/// Line above the text of a license.
const RULE: &str = "----------------------------------------------------------------------";

/// Name and version of a dependency.
type Part = (String, String);

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    no_more(words)?;
    let apache = fs::read_to_string(project.root.join("LICENSE-APACHE"))?;
    let mut texts: Vec<String> = vec![apache];
    let mut parts = BTreeMap::new();
    let metadata = project.metadata(&[])?;
    let built_in = crates(project, "all")?;
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let part = named(package);
        if built_in.contains(&part) {
            let folder = Path::new(package["manifest_path"].as_str().unwrap_or_default()).parent();
            let licence = package["license"].as_str().unwrap_or("see its text");
            parts
                .insert(part, described(licence, folder.context("a package without a folder")?, &mut texts)?);
        }
    }
    for (part, folder) in npm_packages(project)? {
        let manifest: Value = serde_json::from_slice(&fs::read(folder.join("package.json"))?)?;
        let licence = manifest["license"].as_str().unwrap_or("see its text");
        parts.insert(part, described(licence, &folder, &mut texts)?);
    }
    println!("{} parts, {} texts", parts.len(), texts.len());
    fs::write(project.root.join(FILE), written(&parts, &texts))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the list of all parts, one in each line, and after an empty line each text below the names of its parts.
fn written(parts: &BTreeMap<Part, (String, Vec<usize>)>, texts: &[String]) -> String {
    let listed = parts.iter().map(|((name, version), (licence, _))| format!("{name} {version}: {licence}\n"));
    let mut written: String = listed.collect();
    for (place, text) in texts.iter().enumerate() {
        let used = parts.iter().filter(|(_, (_, places))| places.contains(&place));
        let names: Vec<&str> = used.map(|((name, _), _)| name.as_str()).collect();
        written += &format!("\n{RULE}\n{}\n\n{text}\n", names.join(", "));
    }
    written
}

/// Returns the crates that are built into the program for this target triple, or for every one with `all`.
///
/// The graph of `cargo metadata` does not do: it has the features that any package of the workspace switches on, also those
/// that are not shipped.
pub(crate) fn crates(project: &Project, target: &str) -> Result<BTreeSet<Part>> {
    let options = ["--package", "site-steward", "--edges", "normal", "--prefix", "none", "--target", target];
    Ok(listed(&process::output(project.cargo(&["tree", "--quiet"]).args(options))?))
}

/// Reads lines such as `serde v1.0.0 (proc-macro) (*)`. Our own crates have a path there: they are the program itself.
fn listed(tree: &str) -> BTreeSet<Part> {
    let crates = tree.lines().filter_map(|line| {
        let (name, rest) = line.split_once(" v")?;
        let mut words = rest.split(' ');
        let version = words.next()?;
        words
            .all(|word| ["(proc-macro)", "(*)"].contains(&word))
            .then(|| (name.to_owned(), version.to_owned()))
    });
    crates.collect()
}

/// Returns the npm packages that are part of the front end, with their folders.
fn npm_packages(project: &Project) -> Result<Vec<(Part, std::path::PathBuf)>> {
    let lock: Value = serde_json::from_slice(&fs::read(project.ui().join("package-lock.json"))?)?;
    let packages = lock["packages"].as_object().context("package-lock.json names no packages")?;
    let reaching = packages.iter().filter(|(path, about)| {
        path.starts_with("node_modules/") && about["dev"] != true && about["optional"] != true
    });
    let described = reaching.map(|(path, about)| {
        let name = path.rsplit("node_modules/").next().unwrap_or(path).to_owned();
        let version = about["version"].as_str().unwrap_or_default().to_owned();
        ((name, version), project.ui().join(path))
    });
    Ok(described.filter(|(_, folder)| folder.join("package.json").is_file()).collect())
}

/// Returns the license of a dependency and the indexes of its texts in `texts`. If Apache-2.0 can be chosen, it is.
fn described(licence: &str, folder: &Path, texts: &mut Vec<String>) -> Result<(String, Vec<usize>)> {
    let choices: Vec<&str> =
        licence.split(" OR ").flat_map(|choice| choice.split('/')).map(str::trim).collect();
    if choices.contains(&"Apache-2.0") {
        return Ok((licence.to_owned(), vec![0]));
    }
    let mut files: Vec<_> = fs::read_dir(folder)?.filter_map(Result::ok).map(|file| file.path()).collect();
    files.sort();
    let mut places = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let is_text =
            ["license", "licence", "copying", "notice", "unlicense"].iter().any(|s| name.starts_with(s));
        if !is_text || !file.is_file() {
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(&file)?).replace("\r\n", "\n").trim().to_owned();
        let place = texts.iter().position(|known| *known == text).unwrap_or_else(|| {
            texts.push(text);
            texts.len() - 1
        });
        places.push(place);
    }
    Ok((licence.to_owned(), places))
}

fn named(package: &Value) -> Part {
    let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
    (text("name"), text("version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workspace_crates_are_not_listed_and_repeated_ones_are_listed_once() {
        let tree = "site-steward v0.1.0 (/home/me/site steward)\nserde v1.0.2\nserde_derive v1.0.2 (proc-macro)\n\
                    serde v1.0.2 (*)\nserde_derive v1.0.2 (proc-macro) (*)\nstrange-v2 v0.3.0+1\n";
        let listed: Vec<String> =
            listed(tree).iter().map(|(name, version)| format!("{name} {version}")).collect();
        assert_eq!(listed, ["serde 1.0.2", "serde_derive 1.0.2", "strange-v2 0.3.0+1"]);
    }
}
