//! Writes an archive entry by entry, hashing on the way, so that memory does not grow with the files.

use super::manifest::{Entry, FORMAT_VERSION, MANIFEST, Manifest};
use crate::clock::now_ms;
use crate::random::hex;
use anyhow::Context as _;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{BufWriter, Read, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

pub(super) struct ArchiveWriter<'f> {
    zip: ZipWriter<BufWriter<&'f File>>,
    entries: Vec<Entry>,
}

impl<'f> ArchiveWriter<'f> {
    pub(super) fn new(file: &'f File) -> ArchiveWriter<'f> {
        ArchiveWriter { zip: ZipWriter::new(BufWriter::new(file)), entries: Vec::new() }
    }

    pub(super) fn add(&mut self, name: &str, content: impl Read) -> anyhow::Result<()> {
        self.zip.start_file(name, options()).with_context(|| format!("the archive entry {name}"))?;
        let mut content = Hashing { content, hash: Sha256::new(), size: 0 };
        std::io::copy(&mut content, &mut self.zip).with_context(|| format!("the archive entry {name}"))?;
        let sha256 = hex(&content.hash.finalize());
        self.entries.push(Entry { name: name.to_owned(), size: content.size, sha256 });
        Ok(())
    }

    pub(super) fn add_json(&mut self, name: &str, value: &Value) -> anyhow::Result<()> {
        self.add(name, serde_json::to_vec_pretty(value)?.as_slice())
    }

    /// Writes the manifest and ends the archive.
    pub(super) fn finish(mut self, format: &str, counts: Value) -> anyhow::Result<()> {
        let manifest = Manifest {
            format: format.to_owned(),
            version: FORMAT_VERSION,
            created: now_ms(),
            counts,
            entries: self.entries,
        };
        self.zip.start_file(MANIFEST, options())?;
        serde_json::to_writer_pretty(&mut self.zip, &manifest)?;
        self.zip.finish()?.flush().context("the end of the archive")
    }
}

/// The lightest compression: an export waits for its slowest part, and maps and pictures hardly shrink.
fn options() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).compression_level(Some(1))
}

struct Hashing<R> {
    content: R,
    hash: Sha256,
    size: u64,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.content.read(buffer)?;
        self.hash.update(&buffer[..read]);
        self.size += read as u64;
        Ok(read)
    }
}
