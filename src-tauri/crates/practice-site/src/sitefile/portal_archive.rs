//! The portal's archive: `portal.db`, a consistent copy of the database, and `content/`, the data of every item.

use super::manifest::PORTAL_FORMAT;
use super::reader::{Archive, Format};
use super::writer::{Packer, Unwritten, write_archive};
use crate::app::Folders;
use crate::random;
use crate::store::Store;
use crate::store::items::{self, Item};
use crate::store::people;
use crate::wire::Refusal;
use anyhow::Context as _;
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

const DATABASE: &str = "portal.db";
const CONTENT: &str = "content/";

const FORMAT: Format = Format {
    name: PORTAL_FORMAT,
    known: is_ours,
    most_entries: 400_000,
    largest_entry: u64::MAX,
    // No portal's content shrinks to a two-hundredth as a whole; a bomb does.
    largest_total: |archive| archive.saturating_mul(200).saturating_add(64 << 20),
};

/// The portal's side of an export.
pub(crate) struct PortalContent {
    /// The database, as of one moment.
    snapshot: PathBuf,
    _scratch: TempDir,
    content: PathBuf,
    stopping: CancellationToken,
}

impl PortalContent {
    pub(crate) fn as_of_now(
        portal: &Store,
        folders: &Folders,
        stopping: &CancellationToken,
    ) -> Result<PortalContent, Refusal> {
        let scratch = tempfile::tempdir_in(&folders.scratch).context("no room for the snapshot")?;
        let snapshot = scratch.path().join(DATABASE);
        // One read transaction from start to end: others may write meanwhile, the copy does not notice.
        let content = portal.read_now(|portal| {
            portal.execute("VACUUM INTO ?1", [snapshot.to_string_lossy()])?;
            Ok(folders.portal.join(people::portal(portal)?.content))
        })?;
        Ok(PortalContent { snapshot, _scratch: scratch, content, stopping: stopping.clone() })
    }

    /// Writes the archive, and names the items whose content is missing.
    pub(crate) fn write<W: Write + Send>(&self, target: W) -> Result<(W, Vec<String>), Unwritten> {
        let mut missing = Vec::new();
        let target =
            write_archive(target, PORTAL_FORMAT, &self.stopping, |archive| self.fill(archive, &mut missing))?;
        Ok((target, missing))
    }

    fn fill(&self, archive: &mut Packer, missing: &mut Vec<String>) -> Result<Value, Refusal> {
        archive.add(DATABASE, File::open(&self.snapshot).context("the snapshot")?)?;
        // The items of the copy, not of the live database: archive and copy must agree.
        let snapshot = Connection::open_with_flags(&self.snapshot, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        items::for_each(&snapshot, |item| {
            let folder = self.content.join(&item.id);
            if folder.join(&item.file).is_file() {
                add_folder(archive, &item, &folder)?;
            } else {
                missing.push(format!("{} ({}, {}) has no content.", item.title, item.kind, item.id));
            }
            Ok(())
        })?;
        let mut counts = items::counts(&snapshot)?;
        counts["itemsWithoutContent"] = missing.len().into();
        Ok(counts)
    }
}

fn add_folder(archive: &mut Packer, item: &Item, folder: &Path) -> Result<(), Refusal> {
    let mut files = std::fs::read_dir(folder)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .with_context(|| format!("cannot list {}", folder.display()))?;
    files.sort_by_key(std::fs::DirEntry::file_name);
    for entry in files {
        // Only what lies here itself; a link could lead anywhere.
        if entry.file_type().context("the kind of a file")?.is_file() {
            let name = entry.file_name();
            let name =
                name.to_str().with_context(|| format!("a file name of item {} is not text", item.id))?;
            let content = File::open(entry.path())
                .with_context(|| format!("cannot read {}", entry.path().display()))?;
            archive.add(&format!("{CONTENT}{}/{name}", item.id), content)?;
        }
    }
    Ok(())
}

/// An archive that was read and found whole: its database in a scratch folder, its content in a directory that the
/// portal does not use yet.
pub(crate) struct UnpackedPortal {
    scratch: TempDir,
    /// Below the portal's own folder.
    pub(crate) content: String,
    folder: PathBuf,
    in_use: bool,
}

impl UnpackedPortal {
    /// Verifies the archive, entry by entry, while it is written beside what is in use.
    pub(crate) fn from_archive(
        archive: &Path,
        folders: &Folders,
        stopping: &CancellationToken,
    ) -> Result<UnpackedPortal, Refusal> {
        let archive = Archive::open(archive, &FORMAT)?;
        let content = format!("content-{}", random::hex_secret::<8>()?);
        let folder = folders.portal.join(&content);
        crate::app::private_folder(&folder)?;
        let scratch = tempfile::tempdir_in(&folders.scratch).context("no room for the database")?;
        let unpacked = UnpackedPortal { scratch, content, folder, in_use: false };
        archive.unpack(
            |name| match name.strip_prefix(CONTENT) {
                Some(below) => unpacked.folder.join(below),
                None => unpacked.database(),
            },
            stopping,
        )?;
        if unpacked.database().is_file() {
            Ok(unpacked)
        } else {
            Err(super::reader::cannot_import(format!("it holds no {DATABASE}")))
        }
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.scratch.path().join(DATABASE)
    }

    /// The portal uses the content from now on.
    pub(crate) fn keep(mut self) {
        self.in_use = true;
    }
}

impl Drop for UnpackedPortal {
    fn drop(&mut self) {
        if !self.in_use {
            // What stays is removed by the next start.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// `portal.db`, or a file of an item: `content/<item>/<file>`.
fn is_ours(name: &str) -> bool {
    name == DATABASE || (name.starts_with(CONTENT) && name.matches('/').count() == 2)
}
