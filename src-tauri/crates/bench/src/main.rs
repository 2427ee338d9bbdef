//! Measurements of the practice site, compared with programs that do the same work, alternating in one run. Writes a
//! table. Started by `cargo xtask bench practice-site`.

mod audit_trail;
mod bucket;
mod changes;
mod content;
mod data_items;
mod files;
mod find;
mod inventory;
mod journal;
mod plans;
mod portal_file;
mod program;
mod proof;
mod saved_sites;
mod side_by_side;
mod site;
mod small_operation;
mod soak;
mod start;
mod table;
mod window;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::table::Table;

/// Options of all parts.
struct Bench {
    /// Path of the built practice site.
    site: PathBuf,
    /// Folder for data and results. It is emptied first.
    folder: PathBuf,
    /// Only part to measure. `None` for all.
    only: Option<String>,
}

impl Bench {
    fn wants(&self, part: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == part)
    }
}

/// Parts that can be measured separately.
const PARTS: [&str; 13] = [
    "portal",
    "find",
    "bucket",
    CHANGES,
    FILES,
    INVENTORY,
    JOURNAL,
    PLANS,
    PROOF,
    SMALL_OPERATION,
    SOAK,
    START,
    WINDOW,
];

/// Parts that measure the program, not the practice site. They run only on request, because most need another program.
const CHANGES: &str = "changes";
const FILES: &str = "files";
const INVENTORY: &str = "inventory";
const JOURNAL: &str = "journal";
const PLANS: &str = "plans";
const PROOF: &str = "proof";
const SMALL_OPERATION: &str = "small-operation";
const SOAK: &str = "soak";
const START: &str = "start";

/// Part that measures the program's window. It needs the program and a desktop.
const WINDOW: &str = "window";

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let (bench, out) = arguments()?;
    if bench.folder.exists() {
        std::fs::remove_dir_all(&bench.folder)
            .with_context(|| format!("cannot empty {}", bench.folder.display()))?;
    }
    std::fs::create_dir_all(&bench.folder)?;

    let mut table = Table::default();
    if bench.wants("portal") {
        let outcome = portal_file::measure(&bench, &mut table.rows).await;
        table.note("portal export and import", outcome, &out)?;
    }
    if bench.wants("find") {
        let outcome = find::measure(&bench, &mut table.rows).await;
        table.note("findItems", outcome, &out)?;
    }
    if bench.wants("bucket") {
        let outcome = bucket::measure(&bench, &mut table.rows).await;
        table.note("export to a bucket", outcome, &out)?;
    }
    let program = match bench.only.as_deref() {
        Some(CHANGES) => Some(changes::measure(&bench, &mut table.lines).await),
        Some(FILES) => Some(files::measure(&bench, &mut table.rows).await),
        Some(INVENTORY) => Some(inventory::measure(&bench, &mut table.lines).await),
        Some(JOURNAL) => {
            let searches = journal::measure(&bench, &mut table.lines);
            Some(searches.and_then(|()| audit_trail::measure(&bench, &mut table.lines)))
        }
        Some(PLANS) => Some(plans::measure(&bench, &mut table).await),
        Some(PROOF) => Some(proof::measure(&bench, &mut table.lines).await),
        Some(SMALL_OPERATION) => Some(small_operation::measure(&bench, &mut table.lines).await),
        Some(SOAK) => Some(soak::measure(&bench, &mut table.lines).await),
        Some(START) => Some(start::measure(&bench, &mut table.lines).await),
        Some(WINDOW) => Some(window::measure(&bench, &mut table.lines).await),
        _ => None,
    };
    if let (Some(part), Some(outcome)) = (&bench.only, program) {
        table.note(part, outcome, &out)?;
    }

    println!("\n{}\nWritten to {}.", table.text(), out.display());
    // The data has several gigabytes.
    std::fs::remove_dir_all(&bench.folder)?;
    Ok(if table.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn arguments() -> Result<(Bench, PathBuf)> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words[..] {
        [site, program, folder, data, out, file, only @ ..]
            if site == "--site" && folder == "--folder" && out == "--out" =>
        {
            let only = match only {
                [] => None,
                [option, part] if option == "--only" && PARTS.contains(&part.as_str()) => Some(part.clone()),
                _ => bail!("what follows may be --only and one of {}", PARTS.join(", ")),
            };
            Ok((Bench { site: program.into(), folder: std::path::absolute(data)?, only }, file.into()))
        }
        _ => bail!("usage: bench --site PROGRAM --folder FOLDER --out FILE [--only PART]"),
    }
}
