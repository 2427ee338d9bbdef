//! Embeds the front end and the capability, and lists the commands for the program and for their permission.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

const COMMANDS: &str = "src-tauri/src/commands";

fn main() -> anyhow::Result<()> {
    // A tree whose front end was never built must still be able to run its tests.
    let page = Path::new("ui/dist");
    if !page.exists() {
        std::fs::create_dir_all(page)?;
    }
    // Tauri watches only the patterns it knows by itself.
    for watched in ["src-tauri/capabilities", COMMANDS, "tauri.conf.json", "ui/dist"] {
        println!("cargo:rerun-if-changed={watched}");
    }
    update_source()?;
    let permissions = list_commands(Path::new(&std::env::var("OUT_DIR")?))?;
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("./src-tauri/capabilities/**/*")
        .app_manifest(tauri_build::AppManifest::new().permissions_path_pattern(permissions.leak()));
    tauri_build::try_build(attributes)
}

/// Writes the macro `with_commands`, which passes all commands to another macro, and the permission `allow-commands`, and
/// returns where Tauri finds the permission.
///
/// With a permission there is an access list: a command that is not named there is refused.
fn list_commands(out: &Path) -> anyhow::Result<String> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(COMMANDS)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.sort();
    let (mut paths, mut names) = (String::new(), String::new());
    for file in files {
        let module = file.file_stem().and_then(|name| name.to_str()).context("a file has no name")?;
        for command in commands(&std::fs::read_to_string(&file)?) {
            let name = command.with_context(|| format!("a command of {} has no name", file.display()))?;
            write!(paths, "crate::commands::{module}::{name},")?;
            write!(names, "\"{name}\",")?;
        }
    }
    let list = format!("macro_rules! with_commands {{ ($collect:ident) => {{ $collect![{paths}] }}; }}");
    std::fs::write(out.join("commands.rs"), list)?;
    let permissions = out.join("command-permissions");
    std::fs::create_dir_all(&permissions)?;
    let permission = format!(
        "[[permission]]\nidentifier = \"allow-commands\"\ndescription = \"Every command of the program.\"\n\
         commands.allow = [{names}]\n"
    );
    std::fs::write(permissions.join("commands.toml"), permission)?;
    Ok(permissions.join("*.toml").display().to_string())
}

/// Returns the name of each function in a file that is a command.
fn commands(source: &str) -> impl Iterator<Item = Option<&str>> {
    source.split("\n#[command").skip(1).map(|rest| {
        let (_, function) = rest.split_once("\npub(crate) ")?;
        let (_, signature) = function.lines().next()?.split_once("fn ")?;
        signature.split(['(', '<']).next()
    })
}

/// Half a source of updates is a mistake of whoever builds, and must not be found out by whoever has the program.
fn update_source() -> anyhow::Result<()> {
    let [key, address] = ["SITE_STEWARD_UPDATE_KEY", "SITE_STEWARD_UPDATE_ADDRESS"].map(|name| {
        println!("cargo:rerun-if-env-changed={name}");
        std::env::var(name).unwrap_or_default()
    });
    anyhow::ensure!(
        key.is_empty() == address.is_empty(),
        "SITE_STEWARD_UPDATE_KEY and SITE_STEWARD_UPDATE_ADDRESS belong together"
    );
    anyhow::ensure!(
        address.is_empty() || address.starts_with("https://"),
        "SITE_STEWARD_UPDATE_ADDRESS must begin with https://"
    );
    Ok(())
}
