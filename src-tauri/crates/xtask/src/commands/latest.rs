//! `cargo xtask latest`: writes `latest.json`, which the app reads when it checks for updates.
//! `src-tauri/docs/releasing.md` describes the steps of signing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::task::Task;
use crate::process;
use crate::project::Project;

pub(super) const TASK: Task = Task {
    name: "latest",
    about: "write latest.json for the signed installers of a release [FOLDER ADDRESS, under which its files can be had]",
    run,
};

/// Files that the app can replace itself: the end of the file name, and the names of the platform in the updater.
const REPLACED: &[(&str, &[&str])] = &[
    (".AppImage", &["linux-x86_64-appimage"]),
    ("-setup.exe", &["windows-x86_64-nsis"]),
    // One file for both processors.
    (".app.tar.gz", &["darwin-x86_64-app", "darwin-aarch64-app"]),
];

/// Version of the workspace, shared by all its packages.
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    let [folder, address] = words else { bail!("`latest` wants a folder and an address") };
    let folder = Path::new(folder);
    let mut signatures = BTreeMap::new();
    for file in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let file = file?;
        let name = file.file_name().to_string_lossy().into_owned();
        if let Some(installer) = name.strip_suffix(".sig") {
            signatures.insert(installer.to_owned(), fs::read_to_string(file.path())?.trim().to_owned());
        }
    }
    let platforms = platforms(&signatures, address)?;
    if platforms.is_empty() {
        println!("No installer is signed for the updater, so there is nothing to tell");
        return Ok(ExitCode::SUCCESS);
    }
    let changes = fs::read_to_string(project.root.join("src-tauri/docs/CHANGELOG.md"))?;
    let date =
        process::output(Command::new("git").args(["log", "-1", "--format=%cI"]).current_dir(&project.root))?;
    let latest = json!({
        "version": VERSION,
        "notes": notes(&changes, VERSION),
        "pub_date": date.trim(),
        "platforms": platforms,
    });
    let file = folder.join("latest.json");
    fs::write(&file, serde_json::to_string_pretty(&latest)? + "\n")?;
    println!("{}", file.display());
    Ok(ExitCode::SUCCESS)
}

/// Returns the URL and the signature of the file for each platform.
fn platforms(signatures: &BTreeMap<String, String>, address: &str) -> Result<BTreeMap<String, Value>> {
    let address = address.trim_end_matches('/');
    ensure!(address.starts_with("https://"), "{address} does not begin with https://");
    let mut platforms = BTreeMap::new();
    for (installer, signature) in signatures {
        let Some((_, systems)) = REPLACED.iter().find(|(end, _)| installer.ends_with(end)) else { continue };
        ensure!(!installer.contains(' '), "GitHub would call {installer} otherwise: it takes no spaces");
        for system in *systems {
            let offered = json!({ "url": format!("{address}/{installer}"), "signature": signature });
            let before = platforms.insert((*system).to_owned(), offered);
            ensure!(before.is_none(), "there are two installers for {system}");
        }
    }
    Ok(platforms)
}

/// Returns the section of this version in the change log.
fn notes(changes: &str, version: &str) -> String {
    let is_its_heading = |line: &&str| {
        let heading = line.strip_prefix("## ").map(|heading| heading.split_whitespace().next());
        heading == Some(Some(version))
    };
    let mut lines = changes.lines().skip_while(|line| !is_its_heading(line)).skip(1).peekable();
    let mut notes = String::new();
    while let Some(line) = lines.next_if(|line| !line.starts_with("## ")) {
        notes.push_str(line);
        notes.push('\n');
    }
    notes.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed(files: &[&str]) -> BTreeMap<String, String> {
        files.iter().map(|file| ((*file).to_owned(), format!("signature of {file}"))).collect()
    }

    #[test]
    fn each_system_is_given_what_the_program_replaces_there_and_no_package() {
        let all = [
            "Site.Steward_1.2.0_amd64.AppImage",
            "Site.Steward_1.2.0_amd64.deb",
            "Site.Steward-1.2.0-1.x86_64.rpm",
            "Site.Steward_1.2.0_x64-setup.exe",
            "Site.Steward_1.2.0_x64_en-US.msi",
            "Site.Steward.app.tar.gz",
        ];

        let platforms = platforms(&signed(&all), "https://example.org/v1.2.0/").unwrap();

        let names: Vec<&str> = platforms.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            ["darwin-aarch64-app", "darwin-x86_64-app", "linux-x86_64-appimage", "windows-x86_64-nsis"]
        );
        let linux = &platforms["linux-x86_64-appimage"];
        assert_eq!(linux["url"], "https://example.org/v1.2.0/Site.Steward_1.2.0_amd64.AppImage");
        assert_eq!(linux["signature"], "signature of Site.Steward_1.2.0_amd64.AppImage");
    }

    #[test]
    fn an_address_that_would_not_be_there_is_refused() {
        assert!(platforms(&signed(&["Site Steward_1.2.0_amd64.AppImage"]), "https://example.org").is_err());
        assert!(platforms(&signed(&[]), "http://example.org").is_err());
    }

    #[test]
    fn the_notes_are_those_of_the_version_alone() {
        let changes = "# Change log\n\n## Unreleased\n\n- Later.\n\n## 1.2.0 (2026-11-20)\n\n- Now.\n\n## 1.1.0\n\n- Before.\n";
        assert_eq!(notes(changes, "1.2.0"), "- Now.");
        assert_eq!(notes(changes, "1.1.0"), "- Before.");
        assert_eq!(notes(changes, "1.3.0"), "");
    }
}
