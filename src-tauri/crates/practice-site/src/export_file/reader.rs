//! Reading of untrusted archives.
//!
//! [`Archive::open`] lists all entries and compares them with the manifest before any is read. Unexpected entries are
//! rejected, and sizes and hashes are verified during extraction.

use super::manifest::{FORMAT_VERSION, MANIFEST, ReadManifest};
use crate::names::is_plain;
use crate::random::hex;
use crate::wire::ApiError;
use anyhow::Context as _;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tokio_util::sync::CancellationToken;
use zip::ZipArchive;
use zip::result::ZipError;

/// Maximum size of a manifest, in bytes: enough for several 100,000 entries.
const LARGEST_MANIFEST: u64 = 64 * 1024 * 1024;
/// Size of a copy buffer, in bytes.
const BUFFER: usize = 256 * 1024;
/// Size of a read buffer, in bytes. Smaller than the copy buffer: the library discards the buffered data after each
/// entry.
const READ_AHEAD: usize = 32 * 1024;

/// Limits of an archive type.
pub(super) struct Format {
    /// Value of `format` in the manifest.
    pub(super) name: &'static str,
    /// Function that returns whether an entry name is valid.
    pub(super) known: fn(&str) -> bool,
    pub(super) most_entries: usize,
    pub(super) largest_entry: u64,
    /// Function that returns the maximum total size of all entries, in bytes, for the size of the archive.
    pub(super) largest_total: fn(u64) -> u64,
}

/// Archive whose entries match its manifest and whose names are safe.
pub(super) struct Archive {
    path: PathBuf,
    zip: ZipArchive<BufReader<File>>,
    /// Size and hash of each entry, by name.
    listed: HashMap<String, (u64, String)>,
}

impl Archive {
    /// Opens an archive and checks names, sizes and manifest against `format`.
    pub(super) fn open(path: &Path, format: &Format) -> Result<Archive, ApiError> {
        let file = if path.is_file() { File::open(path).ok() } else { None };
        let Some(file) = file else {
            return Err(ApiError::failed(format!(
                "There is no exported configuration at {}.",
                path.display()
            )));
        };
        let length = file.metadata().context("the size of the archive")?.len();
        let mut zip = ZipArchive::new(BufReader::new(file)).map_err(damaged)?;
        if zip.len() > format.most_entries {
            return Err(cannot_import(format!("it has more than {} entries", format.most_entries)));
        }
        if zip.has_duplicate_names() || zip.has_overlapping_entries().map_err(damaged)? {
            return Err(cannot_import("two of its entries share a name or a place"));
        }
        let mut names = Vec::with_capacity(zip.len());
        for index in 0..zip.len() {
            let entry = zip.by_index_raw(index).map_err(damaged)?;
            let name = entry.name().map_err(damaged)?.into_owned();
            let belongs = name == MANIFEST || (is_plain(&name) && (format.known)(&name));
            if !entry.is_file() || entry.encrypted() || !belongs {
                return Err(cannot_import(format!("the entry {name:?} does not belong there")));
            }
            names.push(name);
        }
        let listed = listed(&mut zip, format)?;
        if listed.len() + 1 != names.len()
            || names.iter().any(|name| name != MANIFEST && !listed.contains_key(name))
        {
            return Err(cannot_import("its manifest lists other entries than it holds"));
        }
        // The sizes are claims of the manifest at this point; they are verified during extraction.
        let largest = listed.iter().max_by_key(|(_, (size, _))| *size);
        let total: u64 = listed.values().map(|(size, _)| *size).fold(0, u64::saturating_add);
        if let Some((name, (size, _))) = largest
            && (*size > format.largest_entry || total > (format.largest_total)(length))
        {
            return Err(cannot_import(format!("the entry {name:?} is too large")));
        }
        Ok(Archive { path: path.to_owned(), zip, listed })
    }

    /// Reads every entry into memory.
    pub(super) fn read_all(mut self) -> Result<BTreeMap<String, Vec<u8>>, ApiError> {
        let mut entries = BTreeMap::new();
        let mut buffer = vec![0; BUFFER];
        for index in 0..self.zip.len() {
            let mut content = Vec::new();
            if let Some(name) =
                copy_verified(&mut self.zip, index, &self.listed, &mut buffer, |_| Ok(&mut content))?
            {
                entries.insert(name, content);
            }
        }
        Ok(entries)
    }

    /// Extracts every entry to the path that `place` returns for its name, on all processors. The files must not exist.
    pub(super) fn unpack(
        &self,
        place: impl Fn(&str) -> PathBuf + Sync,
        stopping: &CancellationToken,
    ) -> Result<(), ApiError> {
        let next = AtomicUsize::new(0);
        let work = || {
            // One reader per thread: the library reads an archive at one position at a time.
            let file = File::open(&self.path).context("the archive")?;
            let mut zip = ZipArchive::new(BufReader::with_capacity(READ_AHEAD, file)).map_err(damaged)?;
            let mut buffer = vec![0; BUFFER];
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= self.zip.len() {
                    return Ok(());
                }
                if stopping.is_cancelled() {
                    return Err(ApiError::failed("The site is stopping. Nothing was changed."));
                }
                copy_verified(&mut zip, index, &self.listed, &mut buffer, |name| create(&place(name)))?;
            }
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..thread::available_parallelism().map_or(2, NonZero::get))
                .map(|_| {
                    scope.spawn(|| {
                        work().inspect_err(|_: &ApiError| next.store(self.zip.len(), Ordering::Relaxed))
                    })
                })
                .collect();
            for worker in workers {
                worker.join().map_err(|_| anyhow::anyhow!("an extracting thread panicked"))??;
            }
            Ok(())
        })
    }
}

/// Copies one entry and verifies it. Returns its name, or `None` for the manifest.
fn copy_verified<W: Write>(
    zip: &mut ZipArchive<BufReader<File>>,
    index: usize,
    listed: &HashMap<String, (u64, String)>,
    buffer: &mut [u8],
    target: impl FnOnce(&str) -> io::Result<W>,
) -> Result<Option<String>, ApiError> {
    let entry = zip.by_index(index).map_err(damaged)?;
    let name = entry.name().map_err(damaged)?.into_owned();
    let Some((size, hash)) = listed.get(&name) else {
        return Ok(None);
    };
    let mut target = target(&name).map_err(|cause| no_room(&cause))?;
    // Do not trust the size in the archive: write at most the size in the manifest.
    let mut content = entry.take(size.saturating_add(1));
    let (mut sha256, mut read) = (Sha256::new(), 0);
    loop {
        let piece = content.read(buffer).map_err(damaged)?;
        if piece == 0 {
            break;
        }
        read += piece as u64;
        sha256.update(&buffer[..piece]);
        target.write_all(&buffer[..piece]).map_err(|cause| no_room(&cause))?;
    }
    if read != *size || hex(&sha256.finalize()) != *hash {
        return Err(cannot_import(format!("the entry {name:?} is not what the manifest says")));
    }
    Ok(Some(name))
}

fn create(path: &Path) -> io::Result<File> {
    match File::create_new(path) {
        Err(missing) if missing.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            File::create_new(path)
        }
        other => other,
    }
}

/// Returns the entries of the manifest. Each can be listed only once.
fn listed(
    zip: &mut ZipArchive<BufReader<File>>,
    format: &Format,
) -> Result<HashMap<String, (u64, String)>, ApiError> {
    let unreadable = || cannot_import("it has no readable manifest");
    let manifest = zip.by_name(MANIFEST).map_err(|_| unreadable())?;
    let manifest: ReadManifest =
        serde_json::from_reader(BufReader::new(manifest.take(LARGEST_MANIFEST))).map_err(|_| unreadable())?;
    if manifest.format != format.name {
        return Err(cannot_import(format!("it is not a {}", format.name)));
    }
    if manifest.version != FORMAT_VERSION {
        return Err(cannot_import(format!("its format version is {}", manifest.version)));
    }
    let entries = manifest.entries.len();
    let listed: HashMap<_, _> =
        manifest.entries.into_iter().map(|entry| (entry.name, (entry.size, entry.sha256))).collect();
    if listed.len() == entries { Ok(listed) } else { Err(cannot_import("its manifest lists an entry twice")) }
}

pub(super) fn cannot_import(why: impl std::fmt::Display) -> ApiError {
    ApiError::failed(format!("The file cannot be imported: {why}. Nothing was changed."))
}

fn damaged(cause: impl Into<ZipError>) -> ApiError {
    cannot_import(format!("it is not an archive, or is damaged ({})", cause.into()))
}

fn no_room(cause: &io::Error) -> ApiError {
    cannot_import(format!("its content could not be written ({cause})"))
}
