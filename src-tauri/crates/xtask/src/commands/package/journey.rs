//! Test of the deb package: installs it in a clean system, runs the app as an ordinary user, and removes it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};

use crate::commands::test::WORKSPACE;
use crate::desktop;
use crate::process;
use crate::project::Project;
use crate::setup::clean_root::{CleanRoot, PERSON_HOME};
use crate::setup::packages;

/// Name of the package.
const PACKAGE: &str = "site-steward";

/// Path of the program.
const PROGRAM: &str = "/usr/bin/site-steward";

/// Path of the test driver while it is needed.
const PLAYER: &str = "/tmp/installed";

/// Runs the test with this deb.
pub(super) fn walk(project: &Project, deb: &Path) -> Result<ExitCode> {
    ensure!(deb.is_file(), "{} is not there", deb.display());
    process::run(project.cargo(&["build"]).args(WORKSPACE).args(["--bin", "installed"]))?;

    let root = CleanRoot::make(project)?;
    println!("Installing {} and what it depends on", deb.display());
    root.bring(deb, "/tmp/site-steward.deb")?;
    root.install(&["/tmp/site-steward.deb"])?;
    // Check this before other packages are installed that could provide the libraries.
    brings_its_libraries(&root)?;
    brings_file_dialogs(&root)?;
    let installed = files_of(&root)?;

    println!("Installing what drives it");
    root.install(
        &[packages::VIRTUAL_DESKTOP, &["appstream", "desktop-file-utils", "libglib2.0-bin"]].concat(),
    )?;
    is_described_to_standard(&root, &installed)?;
    root.bring(&project.built("installed"), PLAYER)?;
    let mut player = root.person(PLAYER);
    player.args(["--app", PROGRAM, "--home", PERSON_HOME]);
    let code = desktop::run_inside(project, &root, &mut player)?;
    if code != ExitCode::SUCCESS {
        return Ok(code);
    }

    println!("Removing it");
    let before = belongings(&root)?;
    root.purge(PACKAGE)?;
    let left: Vec<&String> = installed.iter().filter(|file| root.place(file).is_file()).collect();
    ensure!(left.is_empty(), "removed, the package leaves {left:?}");
    ensure!(belongings(&root)? == before, "removed, the package changes what belongs to the person");
    println!(
        "{} files of the package are gone, {} of the person are as they were",
        installed.len(),
        before.len()
    );
    Ok(ExitCode::SUCCESS)
}

fn brings_its_libraries(root: &CleanRoot) -> Result<()> {
    let libraries = process::output(root.person("ldd").arg(PROGRAM))?;
    let missing: Vec<&str> = libraries.lines().filter(|line| line.contains("not found")).collect();
    ensure!(missing.is_empty(), "the package does not bring {missing:?}");
    Ok(())
}

fn brings_file_dialogs(root: &CleanRoot) -> Result<()> {
    let portals = fs::read_dir(root.place("/usr/share/xdg-desktop-portal/portals"));
    let portals = portals.context("the package brings no portal")?.filter_map(Result::ok);
    let mut offers = portals.filter_map(|portal| fs::read_to_string(portal.path()).ok());
    ensure!(
        offers.any(|offer| offer.contains("FileChooser")),
        "the package brings no portal with file dialogs"
    );
    Ok(())
}

/// Validates the files that menus and software centers read.
fn is_described_to_standard(root: &CleanRoot, installed: &[String]) -> Result<()> {
    // Without network access: the validator would otherwise download pages and images.
    let judges: [(&str, &[&str]); 2] = [
        (".desktop", &["desktop-file-validate", "--no-hints"]),
        (".metainfo.xml", &["appstreamcli", "validate", "--no-net"]),
    ];
    for (ending, words) in judges {
        let file = installed.iter().find(|file| file.ends_with(ending));
        let file = file.with_context(|| format!("the package holds no {ending}"))?;
        process::run(root.person(words[0]).args(&words[1..]).arg(file))?;
    }
    Ok(())
}

/// Returns the files that the package installs.
fn files_of(root: &CleanRoot) -> Result<Vec<String>> {
    let listed = process::output(root.administrator("dpkg").args(["--listfiles", PACKAGE]))?;
    let files: Vec<String> =
        listed.lines().filter(|file| root.place(file).is_file()).map(str::to_owned).collect();
    if !files.iter().any(|file| file == PROGRAM) {
        bail!("the package does not hold {PROGRAM}");
    }
    Ok(files)
}

/// Returns the user's files with their content.
fn belongings(root: &CleanRoot) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let home = root.place(PERSON_HOME);
    let listed = process::output(Command::new("find").arg(&home).args(["-type", "f"]))?;
    let read = |file: &str| Ok((PathBuf::from(file), fs::read(file)?));
    let found: BTreeMap<PathBuf, Vec<u8>> = listed.lines().map(read).collect::<Result<_>>()?;
    for expected in ["site.agssite", "journal.db"] {
        let is_there = found.keys().any(|file| file.ends_with(expected));
        ensure!(is_there, "the person has no {expected} after the journey");
    }
    Ok(found)
}
