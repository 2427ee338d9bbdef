//! C compiler for macOS on Linux: Zig, which brings the headers of the system.
//!
//! Installed once from the public package index into `target/tools/zig/`, with wrappers that accept what build scripts
//! pass to Apple's compiler.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::python;
use crate::process;
use crate::project::Project;

const RELEASE: &str = "0.17.0";

/// Name of the C compiler.
pub(crate) const CC: &str = "zcc";

/// Name of the C++ compiler.
pub(crate) const CXX: &str = "zcxx";

/// Name of the archiver.
pub(crate) const AR: &str = "zar";

/// Beginning of each wrapper: the folder of the wrapper, with Python in `bin` and a cache that is deleted with it.
const BEGINNING: &str = r#"#!/bin/sh
here=${0%/*}
export ZIG_GLOBAL_CACHE_DIR="$here/cache" ZIG_LOCAL_CACHE_DIR="$here/cache"
"#;

/// Adapts the arguments of a compiler.
///
/// Zig rejects Apple's options for processor, system version and SDK. It has no headers for Objective-C; because a
/// check links nothing, an empty file is compiled instead.
const ADAPT: &str = r#"
dropped=
for word do
    shift
    if [ -n "$dropped" ]; then dropped=; continue; fi
    case $word in
        -arch | -isysroot) dropped=1 ;;
        --target=* | -mmacosx-version-min=* | -mmacos-version-min=*) ;;
        *.m) set -- "$@" "$here/empty.c" ;;
        *) set -- "$@" "$word" ;;
    esac
done
"#;

/// Installs the compiler and its wrappers, and returns the folder of the wrappers.
pub(crate) fn install(project: &Project) -> Result<PathBuf> {
    let folder = project.target.join("tools/zig");
    python::install(project, "ziglang", RELEASE, &folder)?;
    write(&folder, "empty.c", "")?;
    for (wrapper, adapt, tool) in
        [(CC, ADAPT, "cc -target aarch64-macos"), (CXX, ADAPT, "c++ -target aarch64-macos"), (AR, "", "ar")]
    {
        let call = format!("exec \"$here/bin/python\" -m ziglang {tool} \"$@\"\n");
        write(&folder, wrapper, &[BEGINNING, adapt, &call].concat())?;
        process::run(Command::new("chmod").arg("755").arg(folder.join(wrapper)))?;
    }
    Ok(folder)
}

/// Writes a file unless it has the same content: cargo runs build scripts again whose compiler has changed.
fn write(folder: &Path, name: &str, content: &str) -> Result<()> {
    let file = folder.join(name);
    if fs::read_to_string(&file).is_ok_and(|found| found == content) {
        return Ok(());
    }
    fs::write(&file, content).with_context(|| format!("cannot write {}", file.display()))
}
