//! Writing of archives: one thread reads and hashes, every processor compresses, one thread writes.
//!
//! The queues between the threads are short, so memory use does not depend on the size of the archive. The output is
//! written without seeking, so it can be a file or the parts of an object.

use super::manifest::{Entry, FORMAT_VERSION, MANIFEST, Manifest};
use crate::clock::now_ms;
use crate::random::hex;
use crate::wire::ApiError;
use anyhow::Context as _;
use rawzip::{CompressionMethod, DataDescriptorOutput, ZipArchiveWriter};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::io::{self, BufWriter, Read, Write};
use std::num::NonZero;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use tokio_util::sync::CancellationToken;

/// Size of a compressed piece, in bytes. Each piece is a Zstandard frame; a sequence of frames is a valid stream.
const PIECE: usize = 1 << 20;
/// Compression level. The lowest one: exports wait for their slowest step, and images hardly compress.
const LEVEL: i32 = 1;
const WRITE_BUFFER: usize = 256 * 1024;

/// Reason why an archive was not written.
pub(crate) enum WriteError {
    /// The target could not be written.
    Target(io::Error),
    /// The content could not be read, or the site is stopping.
    Content(ApiError),
}

/// Writes an archive of `format` to `target`. `fill` adds the entries and returns the counts for the manifest. The
/// manifest, with a hash per entry, is added last.
pub(super) fn write_archive<W: Write + Send>(
    target: W,
    format: &str,
    stopping: &CancellationToken,
    fill: impl FnOnce(&mut Packer) -> Result<Value, ApiError>,
) -> Result<W, WriteError> {
    let cores = thread::available_parallelism().map_or(2, NonZero::get);
    let (to_compress, work) = sync_channel(2 * cores);
    let (to_write, steps) = sync_channel(4 * cores);
    let work = Mutex::new(work);
    thread::scope(|scope| {
        let writing = scope.spawn(move || write(target, steps));
        for _ in 0..cores {
            scope.spawn(|| compress(&work));
        }
        let mut packer =
            Packer { to_compress, to_write, stopping, entries: Vec::new(), buffer: vec![0; PIECE] };
        let filled = fill(&mut packer).and_then(|counts| packer.finish(format, counts));
        // Drop the sender: otherwise the compressing threads wait for more work.
        drop(packer);
        let written =
            writing.join().unwrap_or_else(|_| Err(io::Error::other("the writer of the archive panicked")));
        match (written, filled) {
            // If the target fails, all other errors are consequences of that.
            (Err(cause), _) => Err(WriteError::Target(cause)),
            (Ok(_), Err(rejection)) => Err(WriteError::Content(rejection)),
            (Ok(target), Ok(())) => Ok(target),
        }
    })
}

/// Interface for adding entries to an archive, in sequence.
pub(super) struct Packer<'s> {
    to_compress: SyncSender<Piece>,
    to_write: SyncSender<Step>,
    stopping: &'s CancellationToken,
    entries: Vec<Entry>,
    buffer: Vec<u8>,
}

/// Piece of an entry, with the channel for its compressed form.
struct Piece {
    content: Vec<u8>,
    compressed: SyncSender<io::Result<Vec<u8>>>,
}

/// Step of the writing thread. Pieces are written in the order of the entry, independent of the order of compression.
enum Step {
    Begin(String),
    Piece(Receiver<io::Result<Vec<u8>>>),
    End { crc: u32, size: u64 },
}

impl Packer<'_> {
    /// Adds an entry with the bytes of `content`.
    pub(super) fn add(&mut self, name: &str, mut content: impl Read) -> Result<(), ApiError> {
        self.send(Step::Begin(name.to_owned()))?;
        let (mut sha256, mut crc, mut size) = (Sha256::new(), crc32fast::Hasher::new(), 0);
        loop {
            if self.stopping.is_cancelled() {
                return Err(ApiError::failed("The site is stopping; the export was given up."));
            }
            let read = fill_buffer(&mut content, &mut self.buffer)
                .with_context(|| format!("cannot read what becomes the archive entry {name}"))?;
            // Send an empty piece for an empty entry: a Zstandard stream contains at least one frame.
            if read == 0 && size > 0 {
                break;
            }
            let piece = &self.buffer[..read];
            sha256.update(piece);
            crc.update(piece);
            size += read as u64;
            let content = piece.to_vec();
            let (compressed, awaited) = sync_channel(1);
            self.to_compress.send(Piece { content, compressed }).map_err(|_| cut_off())?;
            self.send(Step::Piece(awaited))?;
            if read == 0 {
                break;
            }
        }
        self.send(Step::End { crc: crc.finalize(), size })?;
        self.entries.push(Entry { name: name.to_owned(), size, sha256: hex(&sha256.finalize()) });
        Ok(())
    }

    /// Adds an entry with a JSON document, indented.
    pub(super) fn add_json(&mut self, name: &str, value: &Value) -> Result<(), ApiError> {
        self.add(name, serde_json::to_vec_pretty(value)?.as_slice())
    }

    fn finish(&mut self, format: &str, counts: Value) -> Result<(), ApiError> {
        let manifest = Manifest {
            format: format.to_owned(),
            version: FORMAT_VERSION,
            created: now_ms(),
            counts,
            entries: std::mem::take(&mut self.entries),
        };
        self.add(MANIFEST, serde_json::to_vec_pretty(&manifest)?.as_slice())
    }

    fn send(&self, step: Step) -> Result<(), ApiError> {
        self.to_write.send(step).map_err(|_| cut_off())
    }
}

/// Returns the error for a closed channel. The cause is the result of the thread at the other end.
fn cut_off() -> ApiError {
    ApiError::failed("The archive was cut off.")
}

fn fill_buffer(content: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match content.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(again) if again.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Err(cause),
        }
    }
    Ok(filled)
}

fn compress(work: &Mutex<Receiver<Piece>>) {
    let mut compressor = zstd::bulk::Compressor::new(LEVEL);
    loop {
        let next = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Piece { content, compressed }) = next else {
            return;
        };
        let result = match &mut compressor {
            Ok(compressor) => compressor.compress(&content),
            Err(cause) => Err(io::Error::new(cause.kind(), cause.to_string())),
        };
        // The receiver is dropped if the writer failed.
        let _ = compressed.send(result);
    }
}

fn write<W: Write>(target: W, steps: Receiver<Step>) -> io::Result<W> {
    let mut archive = ZipArchiveWriter::new(BufWriter::with_capacity(WRITE_BUFFER, target));
    while let Ok(Step::Begin(name)) = steps.recv() {
        let entry = archive.new_file(name.as_str()).compression_method(CompressionMethod::ZSTD);
        let (mut entry, _) = entry.start().map_err(as_io)?;
        loop {
            match steps.recv() {
                Ok(Step::Piece(compressed)) => {
                    let compressed = compressed.recv().map_err(io::Error::other)??;
                    entry.write_all(&compressed)?;
                }
                Ok(Step::End { crc, size }) => {
                    entry.finish(DataDescriptorOutput::new(crc, size)).map_err(as_io)?;
                    break;
                }
                // The packer stopped in the middle of an entry and returns the cause itself.
                Ok(Step::Begin(_)) | Err(_) => return give_back(archive.finish()),
            }
        }
    }
    give_back(archive.finish())
}

fn give_back<W: Write>(finished: Result<BufWriter<W>, rawzip::Error>) -> io::Result<W> {
    finished.map_err(as_io)?.into_inner().map_err(io::IntoInnerError::into_error)
}

/// Converts a library error and keeps its kind, for example a full disk.
fn as_io(cause: rawzip::Error) -> io::Error {
    match cause.kind() {
        rawzip::ErrorKind::IO(io) => io::Error::new(io.kind(), cause),
        _ => io::Error::other(cause),
    }
}
