//! zizmor, which knows the weaknesses of workflows.
//!
//! Installed once from the public package index into `target/tools/zizmor/`.

use std::process::Command;

use anyhow::Result;

use super::python;
use crate::process;
use crate::project::Project;

const RELEASE: &str = "1.32.0";

/// Examines the workflows, without asking GitHub. Fails if it finds something.
pub(crate) fn run(project: &Project) -> Result<()> {
    if cfg!(windows) {
        println!("The workflows are the same on each system; they are examined on the others.");
        return Ok(());
    }
    let programs = python::install(project, "zizmor", RELEASE, &project.target.join("tools/zizmor"))?;
    let mut zizmor = Command::new(programs.join("zizmor"));
    zizmor.args(["--offline", "--no-progress", ".github/workflows"]).current_dir(&project.root);
    process::run(&mut zizmor)
}
