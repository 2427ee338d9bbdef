//! Size and SHA-256 of written data.

use crate::random::hex;
use sha2::{Digest as _, Sha256};
use std::io::{self, Write};

/// Size and hash of completely written data.
pub(crate) struct Sent {
    pub(crate) size: u64,
    pub(crate) sha256: String,
}

/// Writer that forwards data and computes size and SHA-256.
pub(crate) struct Hashing<W> {
    inner: W,
    sha256: Sha256,
    size: u64,
}

impl<W> Hashing<W> {
    pub(crate) fn new(inner: W) -> Hashing<W> {
        Hashing { inner, sha256: Sha256::new(), size: 0 }
    }

    pub(crate) fn finish(self) -> (W, Sent) {
        (self.inner, Sent { size: self.size, sha256: hex(&self.sha256.finalize()) })
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sha256.update(&bytes[..written]);
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
