//! Portal export to a file and its import, compared with archivers.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::Bench;
use crate::content::{self, SIZES, Size};
use crate::program;
use crate::side_by_side::{RUNS, Times};
use crate::site::{Memory, Site};
use crate::table::{Goal, Row};

pub(crate) async fn measure(bench: &Bench, rows: &mut Vec<Row>) -> Result<()> {
    for size in SIZES {
        println!("Portal export and import, {}", size.name());
        one_size(bench, size, rows).await?;
    }
    Ok(())
}

async fn one_size(bench: &Bench, size: Size, rows: &mut Vec<Row>) -> Result<()> {
    let folder = bench.folder.join(format!("portal-{}", size.mebibytes));
    let data = folder.join("data");
    content::fill(&Site::start(&bench.site, &data).await?, size)?;
    // Start the site again, so that its memory does not include what filling it needed.
    let site = Site::start(&bench.site, &data).await?;
    let (zip, tar) = (folder.join("peer.zip"), folder.join("peer.tar.zst"));
    let (mut ours, mut seven, mut zstd) = (Times::default(), Times::default(), Times::default());
    let idle = site.rest()?;
    for _ in 0..RUNS {
        ours.add(export(&site, &folder).await?);
        seven.add(seven_zip(&site.content()?, &zip)?);
        zstd.add(tar_zstd(&site.content()?, &tar)?);
    }
    let memory = site.memory(idle)?;
    let what = format!("portal export, {}", size.name());
    let row = |peer, theirs: &Times, goal| Row {
        what: what.clone(),
        ours: ours.median(),
        peer,
        theirs: theirs.median(),
        goal,
        memory,
    };
    rows.push(row("7z -tzip -mx1", &seven, Goal::AsFast(3.0)));
    rows.push(row("tar, zstd -1 -T2", &zstd, Goal::Within(1.5)));

    rows.push(imports(&site, &folder, &zip, size).await?);
    drop(site);
    fs::remove_dir_all(&folder)?;
    Ok(())
}

async fn imports(site: &Site, folder: &Path, zip: &Path, size: Size) -> Result<Row> {
    let archive = exported(folder)?;
    let archive = archive.to_str().context("the folder's name is not text")?;
    let (mut ours, mut seven) = (Times::default(), Times::default());
    let idle = site.rest()?;
    for _ in 0..RUNS {
        ours.add(site.operate("portaladmin/importSite", &[("location", archive)]).await?.1);
        let unpacked = folder.join("unpacked");
        let mut command = Command::new("7zz");
        seven.add(program::time(command.arg("x").arg(zip).arg(format!("-o{}", unpacked.display())))?);
        fs::remove_dir_all(&unpacked)?;
    }
    let memory: Memory = site.memory(idle)?;
    let what = format!("portal import, {}", size.name());
    let (ours, theirs) = (ours.median(), seven.median());
    Ok(Row { what, ours, peer: "7z x", theirs, goal: Goal::AsFast(2.0), memory })
}

/// Exports to a new folder: if a name is taken, the site needs another second.
pub(crate) async fn export(site: &Site, folder: &Path) -> Result<Duration> {
    let exports = folder.join("exports");
    if exports.exists() {
        fs::remove_dir_all(&exports)?;
    }
    fs::create_dir(&exports)?;
    let location = exports.to_str().context("the folder's name is not text")?;
    Ok(site.operate("portaladmin/exportSite", &[("location", location)]).await?.1)
}

/// Returns the path of the last export.
pub(crate) fn exported(folder: &Path) -> Result<std::path::PathBuf> {
    let file = fs::read_dir(folder.join("exports"))?.next().context("the export left no file")?;
    Ok(file?.path())
}

fn seven_zip(content: &Path, zip: &Path) -> Result<Duration> {
    // Delete an existing archive: 7zz would update it.
    let _ = fs::remove_file(zip);
    program::time(Command::new("7zz").args(["a", "-tzip", "-mx1"]).arg(zip).arg(content))
}

fn tar_zstd(content: &Path, tar: &Path) -> Result<Duration> {
    let script = "tar c \"$1\" 2>/dev/null | zstd -q -f -1 -T2 -o \"$2\"";
    program::time(Command::new("sh").args(["-c", script, "sh"]).arg(content).arg(tar))
}
