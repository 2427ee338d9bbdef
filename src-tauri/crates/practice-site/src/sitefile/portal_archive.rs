//! The portal's archive: `portal.db`, a consistent copy of the database, and `content/`, the data of every item.

use super::manifest::PORTAL_FORMAT;
use super::writer::ArchiveWriter;
use crate::app::Folders;
use crate::store::Store;
use crate::store::items::{self, Item};
use crate::wire::Refusal;
use anyhow::Context as _;
use rusqlite::{Connection, OpenFlags};
use std::fs::File;
use std::path::Path;

/// Writes the archive, and names the items whose content is missing.
pub(crate) fn write_portal(portal: &Store, folders: &Folders, file: &File) -> Result<Vec<String>, Refusal> {
    let scratch = tempfile::tempdir_in(&folders.scratch).context("no room for the snapshot")?;
    let snapshot = scratch.path().join("portal.db");
    // One read transaction from start to end: others may write meanwhile, the copy does not notice.
    portal.read_now(|portal| {
        portal.execute("VACUUM INTO ?1", [snapshot.to_string_lossy()])?;
        Ok(())
    })?;

    let mut archive = ArchiveWriter::new(file);
    archive.add("portal.db", File::open(&snapshot).context("the snapshot")?)?;
    let mut missing = Vec::new();
    // The items of the copy, not of the live database: archive and copy must agree.
    let snapshot = Connection::open_with_flags(&snapshot, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    items::for_each(&snapshot, |item| {
        let folder = folders.content.join(&item.id);
        if folder.join(&item.file).is_file() {
            add_folder(&mut archive, &item, &folder)?;
        } else {
            missing.push(format!("{} ({}, {}) has no content.", item.title, item.kind, item.id));
        }
        Ok(())
    })?;
    let mut counts = items::counts(&snapshot)?;
    counts["itemsWithoutContent"] = missing.len().into();
    archive.finish(PORTAL_FORMAT, counts)?;
    Ok(missing)
}

fn add_folder(archive: &mut ArchiveWriter, item: &Item, folder: &Path) -> anyhow::Result<()> {
    let mut files = std::fs::read_dir(folder)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .with_context(|| format!("cannot list {}", folder.display()))?;
    files.sort_by_key(std::fs::DirEntry::file_name);
    for entry in files {
        // Only what lies here itself; a link could lead anywhere.
        if entry.file_type()?.is_file() {
            let name = entry.file_name();
            let name =
                name.to_str().with_context(|| format!("a file name of item {} is not text", item.id))?;
            let content = File::open(entry.path())
                .with_context(|| format!("cannot read {}", entry.path().display()))?;
            archive.add(&format!("content/{}/{name}", item.id), content)?;
        }
    }
    Ok(())
}
