//! The vendor's Python client, for the benchmark of the data store item search.
//!
//! Installed once from the public package index into `target/tools/vendor-client/`. It is proprietary and not part of
//! the app.

use std::path::PathBuf;

use anyhow::Result;

use super::python;
use crate::project::Project;

const RELEASE: &str = "2.4.4";

/// Installs the client and returns the Python interpreter that has it.
pub(crate) fn install(project: &Project) -> Result<PathBuf> {
    let place = project.target.join("tools/vendor-client");
    Ok(python::install(project, "arcgis", RELEASE, &place)?.join("python"))
}
