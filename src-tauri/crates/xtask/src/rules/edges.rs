//! Which crate may depend on which.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::violation::Violation;

/// Package, what it must not depend on, and why. Tests may: dev-dependencies are not looked at.
const FORBIDDEN: &[(&str, &[&str], &str)] = &[
    (
        "steward-changes",
        &["tauri", "reqwest", "tokio"],
        "what is compared and kept depends on what was read, and on nothing that reads",
    ),
    (
        "steward-client",
        &["tauri", "keyring", "keyring-core", "rfd", "practice-site"],
        "the client must be usable from a test, a command line or another program",
    ),
    (
        "steward-core",
        &[
            "tauri",
            "tauri-specta",
            "rfd",
            "keyring",
            "keyring-core",
            "practice-site",
            "steward-plans",
            "steward-app",
        ],
        "the operations, sites and history run in a test without a window, and are read without backup plans",
    ),
    (
        "steward-plans",
        &["tauri", "tauri-specta", "rfd", "keyring", "keyring-core", "practice-site", "steward-app"],
        "a backup plan runs in a test, and in a process without a window",
    ),
    (
        "steward-app",
        &["tauri", "tauri-specta", "rfd", "keyring", "keyring-core", "practice-site"],
        "the whole program runs in a test without a window",
    ),
    (
        "site-steward",
        &["steward-client", "steward-journal"],
        "the shell decides nothing: what speaks to a site or to the history is steward-core or steward-plans",
    ),
    (
        "practice-site",
        &["steward-client", "steward-core", "steward-plans", "steward-app", "tauri"],
        "two readings of the specification that share code share their mistakes, and every test passes",
    ),
    (
        "steward-vault",
        &["reqwest", "tauri"],
        "a secret store that can reach the network is a worse secret store",
    ),
];

/// Packages that depend on no other package of this workspace than these, and why.
const ONLY: &[(&str, &[&str], &str)] = &[
    (
        "steward-changes",
        &["steward-redact"],
        "what is compared and kept depends on what was read, and on nothing that reads",
    ),
    ("steward-command", &[], "the attribute of a command is the same for every command"),
    ("steward-redact", &[], "what a secret is depends on no other part of the app"),
];

/// Packages that are not shipped. Only they may depend on one another.
const NOT_SHIPPED: &[&str] = &["steward-testkit", "screenshots", "bench"];

/// Checks what the packages of the workspace ask for.
pub(super) fn check(root: &Path, metadata: &Value) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    for package in metadata["packages"].as_array().context("`cargo metadata` names no packages")? {
        let path = Path::new(package["manifest_path"].as_str().unwrap_or_default());
        let manifest = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file = path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
        violations.extend(check_package(&file, &manifest, package));
    }
    Ok(violations)
}

fn check_package(file: &str, manifest: &str, package: &Value) -> Vec<Violation> {
    let name = package["name"].as_str().unwrap_or_default();
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    let shipped = dependencies.filter(|dependency| dependency["kind"] != "dev");
    shipped
        .filter_map(|dependency| {
            let to = dependency["name"].as_str().unwrap_or_default();
            let why = why_not(name, to, dependency["path"].is_string())?;
            let what = format!("{name} depends on {to}");
            Some(Violation { file: file.into(), line: line_of(manifest, to), what, why })
        })
        .collect()
}

/// `is_here` is whether the dependency is a package of this workspace.
fn why_not(package: &str, dependency: &str, is_here: bool) -> Option<&'static str> {
    if NOT_SHIPPED.contains(&dependency) && !NOT_SHIPPED.contains(&package) {
        return Some("it exists for tests, and nothing that is shipped may contain it");
    }
    let forbidden = FORBIDDEN.iter().filter(|(_, not, _)| not.contains(&dependency));
    let others = ONLY.iter().filter(|(_, only, _)| is_here && !only.contains(&dependency));
    forbidden.chain(others).find(|(name, ..)| *name == package).map(|(.., why)| *why)
}

fn line_of(manifest: &str, dependency: &str) -> usize {
    let is_it = |line: &str| {
        let rest = line.trim_start_matches(['[', ' ']).strip_prefix(dependency);
        rest.is_some_and(|rest| rest.starts_with([' ', '.', '=']))
    };
    manifest.lines().position(is_it).map_or(1, |index| index + 1)
}

/// Checks what cargo makes of it all: any package can switch a feature on for everybody.
pub(super) fn check_graph(metadata: &Value) -> Option<Violation> {
    let nodes = metadata["resolve"]["nodes"].as_array()?;
    let rfd = nodes.iter().find(|node| {
        let id = node["id"].as_str().unwrap_or_default();
        id.contains("#rfd@") || id.contains("/rfd#")
    })?;
    let has_gtk = rfd["features"].as_array()?.iter().any(|feature| feature == "gtk3");
    has_gtk.then(|| Violation {
        file: "Cargo.toml".into(),
        line: 1,
        what: "some package switches on rfd's feature gtk3 (`cargo tree --invert rfd --edges features` tells which)"
            .into(),
        why: "our dialogs would silently become GTK's, which can hang beside a living window",
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const MANIFEST: &str =
        "[package]\nname = \"practice-site\"\n\n[dependencies]\nsteward-client.workspace = true\n";

    fn practice_site(kind: Value) -> Vec<String> {
        let package = json!({
            "name": "practice-site",
            "dependencies": [{ "name": "axum", "kind": null }, { "name": "steward-client", "kind": kind }],
        });
        let violations = check_package("practice-site/Cargo.toml", MANIFEST, &package);
        violations.iter().map(Violation::to_string).collect()
    }

    #[test]
    fn a_forbidden_edge_is_reported_where_it_was_written() {
        assert_eq!(
            practice_site(Value::Null),
            ["practice-site/Cargo.toml:5: practice-site depends on steward-client: two readings of the \
             specification that share code share their mistakes, and every test passes"]
        );
    }

    #[test]
    fn a_test_may_know_both_sides() {
        assert!(practice_site(json!("dev")).is_empty());
    }

    #[test]
    fn only_packages_that_are_not_shipped_depend_on_the_testkit() {
        let edge = |name: &str| {
            let package =
                json!({ "name": name, "dependencies": [{ "name": "steward-testkit", "kind": null }] });
            check_package("Cargo.toml", "", &package).len()
        };
        assert_eq!((edge("screenshots"), edge("steward-core"), edge("xtask")), (0, 1, 1));
    }

    #[test]
    fn a_package_that_may_use_none_of_this_workspace_uses_none() {
        let edges = |name: &str| {
            let package = json!({ "name": name, "dependencies": [
                { "name": "regex", "kind": null },
                { "name": "steward-redact", "kind": null, "path": "/steward-redact" },
                { "name": "steward-vault", "kind": null, "path": "/steward-vault" },
            ]});
            check_package("Cargo.toml", "", &package).len()
        };
        assert_eq!((edges("steward-command"), edges("steward-changes"), edges("steward-core")), (2, 1, 0));
    }

    #[test]
    fn a_build_script_is_shipped_code_too() {
        assert_eq!(practice_site(json!("build")).len(), 1);
    }

    #[test]
    fn the_gtk_dialogs_are_noticed_wherever_they_were_switched_on() {
        let graph = |features: Value| {
            json!({ "resolve": { "nodes": [
                { "id": "registry+https://example.org#serde@1.0.0", "features": ["std"] },
                { "id": "registry+https://example.org#rfd@0.17.2", "features": features },
            ]}})
        };
        assert!(check_graph(&graph(json!(["xdg-portal", "wayland"]))).is_none());
        assert!(check_graph(&graph(json!(["xdg-portal", "gtk3"]))).is_some());
    }
}
