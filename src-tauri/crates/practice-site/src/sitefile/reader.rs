//! Reads an archive that anybody may have made. Entries are enumerated and checked, never extracted to disk.

use super::manifest::{FORMAT_VERSION, MANIFEST, Manifest};
use crate::random::sha256;
use crate::wire::Refusal;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read as _};
use zip::ZipArchive;
use zip::result::ZipError;

/// Far above any configuration, far below any memory.
const MOST_ENTRIES: usize = 50_000;
const LARGEST_ENTRY: u64 = 16 * 1024 * 1024;
const LARGEST_TOTAL: u64 = 256 * 1024 * 1024;

/// The entries of an archive of the given format, when its names are `known`, and sizes, hashes and manifest
/// agree.
pub(super) fn read_verified(
    file: File,
    format: &str,
    known: fn(&str) -> bool,
) -> Result<BTreeMap<String, Vec<u8>>, Refusal> {
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(damaged)?;
    if archive.len() > MOST_ENTRIES {
        return Err(cannot_import(format!("it has more than {MOST_ENTRIES} entries")));
    }
    if archive.has_duplicate_names() || archive.has_overlapping_entries().map_err(damaged)? {
        return Err(cannot_import("two of its entries share a name or a place"));
    }
    let mut entries = BTreeMap::new();
    let mut total = 0;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(damaged)?;
        let name = entry.name().map_err(damaged)?.into_owned();
        if !entry.is_file() || entry.encrypted() || !(name == MANIFEST || (is_plain(&name) && known(&name))) {
            return Err(cannot_import(format!("the entry {name:?} does not belong there")));
        }
        // The sizes that the archive announces are its own claim; only what is read counts.
        let mut content = Vec::new();
        let read = entry.by_ref().take(LARGEST_ENTRY + 1).read_to_end(&mut content).map_err(damaged)? as u64;
        total += read;
        if read > LARGEST_ENTRY || total > LARGEST_TOTAL {
            return Err(cannot_import(format!("the entry {name:?} is too large")));
        }
        entries.insert(name, content);
    }
    check_manifest(&mut entries, format)?;
    Ok(entries)
}

/// The manifest names each other entry once, with its size and hash, and nothing else.
fn check_manifest(entries: &mut BTreeMap<String, Vec<u8>>, format: &str) -> Result<(), Refusal> {
    let manifest: Manifest = entries
        .remove(MANIFEST)
        .and_then(|content| serde_json::from_slice(&content).ok())
        .ok_or_else(|| cannot_import("it has no readable manifest"))?;
    if manifest.format != format {
        return Err(cannot_import(format!("it is not a {format}")));
    }
    if manifest.version != FORMAT_VERSION {
        return Err(cannot_import(format!("its format version is {}", manifest.version)));
    }
    let listed: BTreeMap<&str, _> =
        manifest.entries.iter().map(|entry| (entry.name.as_str(), (entry.size, &entry.sha256))).collect();
    if listed.len() != entries.len() || manifest.entries.len() != entries.len() {
        return Err(cannot_import("its manifest lists other entries than it holds"));
    }
    for (name, content) in entries {
        let agrees = listed
            .get(name.as_str())
            .is_some_and(|(size, hash)| *size == content.len() as u64 && **hash == sha256(content));
        if !agrees {
            return Err(cannot_import(format!("the entry {name:?} is not what the manifest says")));
        }
    }
    Ok(())
}

/// No way out of the archive, on any system's reading of a path.
fn is_plain(name: &str) -> bool {
    !name.contains(|c: char| c == '\\' || c == ':' || c.is_control())
        && name.split('/').all(|segment| !segment.is_empty() && segment != "." && segment != "..")
}

pub(super) fn cannot_import(why: impl std::fmt::Display) -> Refusal {
    Refusal::failed(format!("The file cannot be imported: {why}. Nothing was changed."))
}

fn damaged(cause: impl Into<ZipError>) -> Refusal {
    cannot_import(format!("it is not an archive, or is damaged ({})", cause.into()))
}
