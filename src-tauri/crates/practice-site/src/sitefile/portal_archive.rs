//! The portal's archive: `portal.db`, a consistent copy of the database, and `content/`, the data of every item.

use super::manifest::PORTAL_FORMAT;
use super::reader::{Archive, Format};
use super::writer::{Packer, Unwritten, write_archive};
use crate::app::Folders;
use crate::names::is_file_name;
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

    /// Writes the archive, and says what it lacks.
    pub(crate) fn write<W: Write + Send>(&self, target: W) -> Result<(W, Gaps), Unwritten> {
        let mut gaps = Gaps::default();
        let target =
            write_archive(target, PORTAL_FORMAT, &self.stopping, |archive| self.fill(archive, &mut gaps))?;
        Ok((target, gaps))
    }

    fn fill(&self, archive: &mut Packer, gaps: &mut Gaps) -> Result<Value, Refusal> {
        archive.add(DATABASE, File::open(&self.snapshot).context("the snapshot")?)?;
        // The items of the copy, not of the live database: archive and copy must agree.
        let snapshot = Connection::open_with_flags(&self.snapshot, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        items::for_each(&snapshot, |item| {
            let named = format!("{} ({}, {})", item.title, item.kind, item.id);
            match folder_of(&self.content, &item) {
                Some(folder) => {
                    let mut left_out = Vec::new();
                    add_folder(archive, &folder, &format!("{CONTENT}{}", item.id), &mut left_out)?;
                    gaps.left_out.extend(left_out.into_iter().map(|what| format!("{named}: {what}")));
                }
                None => gaps.missing.push(format!("{named} has no content.")),
            }
            Ok(())
        })?;
        let mut counts = items::counts(&snapshot)?;
        counts["itemsWithoutContent"] = gaps.missing.len().into();
        Ok(counts)
    }
}

/// What an archive lacks, each in words for a person.
#[derive(Default)]
pub(crate) struct Gaps {
    /// Items that have no content.
    pub(crate) missing: Vec<String>,
    /// Files that no archive takes.
    pub(crate) left_out: Vec<String>,
}

/// The folder of an item, when its main file is in it. A link could lead anywhere, and so could a name that an import
/// of an earlier version has let in.
fn folder_of(content: &Path, item: &Item) -> Option<PathBuf> {
    let folder = content.join(&item.id);
    let itself = |path: &Path| std::fs::symlink_metadata(path).ok();
    (is_file_name(&item.id)
        && is_file_name(&item.file)
        && itself(&folder)?.is_dir()
        && itself(&folder.join(&item.file))?.is_file())
    .then_some(folder)
}

/// Adds what is in `folder`, and in the folders in it, below `name`.
fn add_folder(
    archive: &mut Packer,
    folder: &Path,
    name: &str,
    left_out: &mut Vec<String>,
) -> Result<(), Refusal> {
    let mut files = std::fs::read_dir(folder)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .with_context(|| format!("cannot list {}", folder.display()))?;
    files.sort_by_key(std::fs::DirEntry::file_name);
    for entry in files {
        let kind = entry.file_type().context("the kind of a file")?;
        if !kind.is_file() && !kind.is_dir() {
            left_out.push(format!("{} is a link or no file.", entry.path().display()));
            continue;
        }
        let file_name = entry.file_name();
        let file_name =
            file_name.to_str().with_context(|| format!("a file name in {} is not text", folder.display()))?;
        if !is_file_name(file_name) {
            left_out.push(format!("{} has a name that no import accepts.", entry.path().display()));
            continue;
        }
        let name = format!("{name}/{file_name}");
        if kind.is_dir() {
            add_folder(archive, &entry.path(), &name, left_out)?;
        } else {
            let content = File::open(entry.path())
                .with_context(|| format!("cannot read {}", entry.path().display()))?;
            archive.add(&name, content)?;
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

/// `portal.db`, or a file of an item: `content/<item>/<file>`, or deeper in the item's folder.
fn is_ours(name: &str) -> bool {
    name == DATABASE || (name.starts_with(CONTENT) && name.matches('/').count() >= 2)
}
