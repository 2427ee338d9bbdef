//! Archive of a portal: `portal.db`, a consistent copy of the database, and `content/`, the files of every item.

use super::manifest::PORTAL_FORMAT;
use super::reader::{Archive, Format};
use super::writer::{Packer, WriteError, write_archive};
use crate::folders::Folders;
use crate::names::is_file_name;
use crate::random;
use crate::store::Store;
use crate::store::items::{self, Item};
use crate::store::users;
use crate::wire::ApiError;
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
    // Limit against decompression bombs: portal content never compresses to 1/200 as a whole.
    largest_total: |archive| archive.saturating_mul(200).saturating_add(64 << 20),
};

/// Content of a portal export.
pub(crate) struct PortalContent {
    /// Copy of the database in a consistent state.
    snapshot: PathBuf,
    _scratch: TempDir,
    content: PathBuf,
    stopping: CancellationToken,
}

impl PortalContent {
    /// Takes a snapshot of the portal database.
    pub(crate) fn as_of_now(
        portal: &Store,
        folders: &Folders,
        stopping: &CancellationToken,
    ) -> Result<PortalContent, ApiError> {
        let scratch = tempfile::tempdir_in(&folders.scratch).context("no room for the snapshot")?;
        let snapshot = scratch.path().join(DATABASE);
        // A single read transaction: concurrent writes do not affect the copy.
        let content = portal.read_now(|portal| {
            portal.execute("VACUUM INTO ?1", [snapshot.to_string_lossy()])?;
            Ok(folders.portal.join(users::portal(portal)?.content))
        })?;
        Ok(PortalContent { snapshot, _scratch: scratch, content, stopping: stopping.clone() })
    }

    /// Writes the archive and returns what it lacks.
    pub(crate) fn write<W: Write + Send>(&self, target: W) -> Result<(W, Gaps), WriteError> {
        let mut gaps = Gaps::default();
        let target =
            write_archive(target, PORTAL_FORMAT, &self.stopping, |archive| self.fill(archive, &mut gaps))?;
        Ok((target, gaps))
    }

    fn fill(&self, archive: &mut Packer, gaps: &mut Gaps) -> Result<Value, ApiError> {
        archive.add(DATABASE, File::open(&self.snapshot).context("the snapshot")?)?;
        // Read the items of the copy, not of the live database: archive and copy must match.
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

/// Content that an archive lacks, as messages.
#[derive(Default)]
pub(crate) struct Gaps {
    /// Items without content.
    pub(crate) missing: Vec<String>,
    /// Files that were omitted because archives cannot contain them.
    pub(crate) left_out: Vec<String>,
}

/// Returns the folder of an item if it contains the main file. Symbolic links are rejected, and so are item IDs that
/// are not file names.
fn folder_of(content: &Path, item: &Item) -> Option<PathBuf> {
    let folder = content.join(&item.id);
    let itself = |path: &Path| std::fs::symlink_metadata(path).ok();
    (is_file_name(&item.id)
        && is_file_name(&item.file)
        && itself(&folder)?.is_dir()
        && itself(&folder.join(&item.file))?.is_file())
    .then_some(folder)
}

/// Adds the files in `folder` and its subfolders, with `name` as path prefix.
fn add_folder(
    archive: &mut Packer,
    folder: &Path,
    name: &str,
    left_out: &mut Vec<String>,
) -> Result<(), ApiError> {
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

/// Verified archive: database in a scratch folder, content in a directory that the portal does not use yet.
pub(crate) struct UnpackedPortal {
    scratch: TempDir,
    /// Name of the directory below the portal folder.
    pub(crate) content: String,
    folder: PathBuf,
    in_use: bool,
}

impl UnpackedPortal {
    /// Reads and verifies the archive while extracting it beside the current content.
    pub(crate) fn from_archive(
        archive: &Path,
        folders: &Folders,
        stopping: &CancellationToken,
    ) -> Result<UnpackedPortal, ApiError> {
        let archive = Archive::open(archive, &FORMAT)?;
        let content = format!("content-{}", random::hex_secret::<8>()?);
        let folder = folders.portal.join(&content);
        crate::folders::private_folder(&folder)?;
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

    /// Keeps the content directory, after the portal started to use it.
    pub(crate) fn keep(mut self) {
        self.in_use = true;
    }
}

impl Drop for UnpackedPortal {
    fn drop(&mut self) {
        if !self.in_use {
            // Files that cannot be deleted now are removed at the next startup.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// Returns whether a name is valid: `portal.db`, `content/<item>/<file>`, or a file deeper in the item's folder.
fn is_ours(name: &str) -> bool {
    name == DATABASE || (name.starts_with(CONTENT) && name.matches('/').count() >= 2)
}
