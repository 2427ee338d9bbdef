//! Node and npm packages: comparison with a lock file.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process;
use crate::project::Project;

/// Lowest supported releases of Node, required by the build tool of the front end: these two and their successors, but
/// not the releases between them. The blob server of the tests requires less.
const OLDEST: [(u32, u32); 2] = [(20, 19), (22, 12)];

/// Checks Node. Fails with instructions if it is missing or too old.
pub(super) fn check() -> Result<()> {
    let [(old, patch), (new, later)] = OLDEST;
    let advice = format!(
        "This needs Node {new}.{later} or newer, or {old}.{patch} or a later {old}: https://nodejs.org or your package \
         manager has it."
    );
    let said = process::output(Command::new("node").arg("--version")).with_context(|| advice.clone())?;
    if !release(&said).is_some_and(is_accepted) {
        bail!("this is Node {}. {advice}", said.trim());
    }
    Ok(())
}

fn is_accepted(found: (u32, u32)) -> bool {
    let [old, new] = OLDEST;
    found >= new || (found.0 == old.0 && found >= old)
}

fn release(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said.trim().strip_prefix('v')?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Installs exactly the packages in the lock file in `source` into `place`, unless they are there already.
pub(super) fn install(project: &Project, source: &Path, place: &Path, what: &str) -> Result<()> {
    check()?;
    if is_installed(source, place)? {
        return Ok(());
    }
    println!("Installing {what}");
    if source != place {
        fs::create_dir_all(place).with_context(|| format!("cannot make {}", place.display()))?;
        for name in ["package.json", "package-lock.json"] {
            fs::copy(source.join(name), place.join(name))
                .with_context(|| format!("cannot copy {name} to {}", place.display()))?;
        }
    }
    // Run in the folder itself: npm searches the project from the current folder upwards.
    let mut npm = project.npm(&["ci", "--no-audit", "--no-fund"]);
    process::run_quietly(npm.current_dir(place), &project.log("npm-ci"))
        .with_context(|| format!("{what} could not be installed: npm needs the network"))
}

/// Returns whether the packages in the lock file in `source` are installed in `place`.
fn is_installed(source: &Path, place: &Path) -> Result<bool> {
    let lock = source.join("package-lock.json");
    let lock =
        read_lock(&lock).with_context(|| format!("take {} from the repository again", lock.display()))?;
    let installed = read_lock(&place.join("node_modules/.package-lock.json"));
    Ok(installed.is_ok_and(|installed| is_as_locked(&lock, &installed)))
}

/// Entries of a lock file by package folder, without the project itself.
type Lock = BTreeMap<String, Value>;

fn read_lock(file: &Path) -> Result<Lock> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut lock: Value = serde_json::from_str(&text)?;
    let mut packages: Lock = serde_json::from_value(lock["packages"].take())?;
    packages.remove("");
    Ok(packages)
}

/// Compares contents, not times: a checkout sets all file times to the current time.
fn is_as_locked(lock: &Lock, installed: &Lock) -> bool {
    let there = |folder: &str, package: &Value| match installed.get(folder) {
        Some(found) => found["version"] == package["version"] && found["integrity"] == package["integrity"],
        // The package might be for another platform; npm decides.
        None => package["optional"] == true,
    };
    lock.iter().all(|(folder, package)| there(folder, package))
        && installed.keys().all(|folder| lock.contains_key(folder))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn lock(packages: Value) -> Lock {
        serde_json::from_value(packages).unwrap()
    }

    #[test]
    fn another_version_is_not_installed() {
        let wanted = lock(json!({ "node_modules/react": { "version": "19.3.1" } }));
        assert!(is_as_locked(&wanted, &wanted));
        assert!(!is_as_locked(&wanted, &lock(json!({ "node_modules/react": { "version": "19.3.0" } }))));
        assert!(!is_as_locked(&wanted, &lock(json!({}))));
    }

    #[test]
    fn a_package_for_another_system_may_be_missing() {
        let wanted = lock(json!({ "node_modules/fsevents": { "version": "2.3.3", "optional": true } }));
        assert!(is_as_locked(&wanted, &lock(json!({}))));
    }

    #[test]
    fn a_package_that_left_the_lock_file_is_noticed() {
        assert!(!is_as_locked(
            &lock(json!({})),
            &lock(json!({ "node_modules/left": { "version": "1.0.0" } }))
        ));
    }

    #[test]
    fn releases_of_node_are_compared_as_numbers() {
        assert_eq!(release("v20.19.5\n"), Some((20, 19)));
        let accepted = |said: &str| is_accepted(release(said).unwrap());
        for said in ["v20.19.0", "v22.12.1", "v24.0.0"] {
            assert!(accepted(said), "{said}");
        }
        for said in ["v9.11.2", "v20.18.3", "v21.7.0", "v22.11.0"] {
            assert!(!accepted(said), "{said}");
        }
        assert_eq!(release("node: not found"), None);
    }
}
