//! `cargo xtask licences`: writes down what the program is made of, and under which licences.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::{Task, no_more};
use crate::project::Project;

pub(super) const TASK: Task = Task {
    name: "licences",
    about: "write the licences of everything inside anew, for the window to show",
    run,
};

/// What the window shows, from the root of the checkout.
pub(crate) const FILE: &str = "ui/src/features/settings/licences.json";

/// A part of the program: its name and its version.
type Part = (String, String);

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    no_more(words)?;
    let apache = fs::read_to_string(project.root.join("LICENSE-APACHE"))?;
    let mut texts: Vec<String> = vec![apache];
    let mut parts = BTreeMap::new();
    let metadata = project.metadata(&[])?;
    let built_in = crates(&metadata)?;
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
    let parts: Vec<Value> = parts
        .into_iter()
        .map(|((name, version), (licence, texts))| {
            json!({ "name": name, "version": version, "licence": licence, "texts": texts })
        })
        .collect();
    println!("{} parts, {} texts", parts.len(), texts.len());
    let written = serde_json::to_string_pretty(&json!({ "texts": texts, "parts": parts }))?;
    fs::write(project.root.join(FILE), written + "\n")?;
    Ok(ExitCode::SUCCESS)
}

/// The crates that are built into the program, for the systems that the graph was asked for.
pub(crate) fn crates(metadata: &Value) -> Result<BTreeSet<Part>> {
    let nodes = metadata["resolve"]["nodes"].as_array().context("`cargo metadata` resolves nothing")?;
    let edges: HashMap<&str, &Value> =
        nodes.iter().filter_map(|node| Some((node["id"].as_str()?, &node["deps"]))).collect();
    let packages: HashMap<&str, &Value> = metadata["packages"]
        .as_array()
        .context("`cargo metadata` names no packages")?
        .iter()
        .filter_map(|package| Some((package["id"].as_str()?, package)))
        .collect();
    let program = packages.values().find(|package| package["name"] == "site-steward");
    let mut ahead: Vec<&str> = program.and_then(|package| package["id"].as_str()).into_iter().collect();
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    while let Some(id) = ahead.pop() {
        if !seen.insert(id) {
            continue;
        }
        // Our own crates have no source: they are the program itself.
        if let Some(package) = packages.get(id).filter(|package| !package["source"].is_null()) {
            found.insert(named(package));
        }
        for edge in edges.get(id).and_then(|edges| edges.as_array()).into_iter().flatten() {
            let is_normal = |kind: &Value| kind["kind"].is_null();
            if edge["dep_kinds"].as_array().is_some_and(|kinds| kinds.iter().any(is_normal)) {
                ahead.extend(edge["pkg"].as_str());
            }
        }
    }
    Ok(found)
}

/// The packages of the front end that reach the window, with their folders.
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

/// The licence of a part, and where its texts stand in `texts`. Where Apache-2.0 may be chosen, it is.
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
