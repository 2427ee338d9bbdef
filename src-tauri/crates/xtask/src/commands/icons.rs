//! `cargo xtask icons`: renders the icon drawing to every size that the platforms require.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result};

use super::task::{Task, no_more};
use crate::process;
use crate::project::Project;
use crate::setup::packager;

pub(super) const TASK: Task =
    Task { name: "icons", about: "render icons/icon.svg to every size the platforms want", run };

/// Files that the installers of Windows, macOS and Linux use. The renderer also creates files for stores and phones.
const KEPT: &[&str] =
    &["32x32.png", "64x64.png", "128x128.png", "128x128@2x.png", "icon.png", "icon.ico", "icon.icns"];

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    no_more(words)?;
    let icons = project.root.join("icons");
    let rendered = project.target.join("xtask").join("icons");
    let mut command = packager::install(project)?;
    command.arg("icon").arg(icons.join("icon.svg")).arg("--output").arg(&rendered);
    process::run_quietly(&mut command, &project.log("icons"))?;
    for name in KEPT {
        let copied = fs::copy(rendered.join(name), icons.join(name));
        copied.with_context(|| format!("the renderer did not make {name}"))?;
        println!("icons/{name}");
    }
    Ok(ExitCode::SUCCESS)
}
