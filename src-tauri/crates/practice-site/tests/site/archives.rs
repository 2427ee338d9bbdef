//! Archives taken apart and put together again, as a forger would.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

pub(crate) type Entries = BTreeMap<String, Vec<u8>>;

/// What is in an archive.
pub(crate) fn unpacked(archive: &Path) -> Entries {
    let mut archive = ZipArchive::new(File::open(archive).unwrap()).unwrap();
    let mut entries = Entries::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let mut content = Vec::new();
        std::io::copy(&mut entry, &mut content).unwrap();
        entries.insert(entry.name().unwrap().into_owned(), content);
    }
    entries
}

pub(crate) fn packed(entries: &Entries) -> Vec<u8> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in entries {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Makes the manifest agree with the entries, as a careful forger would.
pub(crate) fn with_true_manifest(mut entries: Entries) -> Entries {
    let mut manifest: Value = serde_json::from_slice(&entries.remove("manifest.json").unwrap()).unwrap();
    let listed = entries.iter().map(|(name, content)| {
        let hash: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
        json!({ "name": name, "size": content.len(), "sha256": hash })
    });
    manifest["entries"] = listed.collect();
    entries.insert("manifest.json".into(), manifest.to_string().into_bytes());
    entries
}
