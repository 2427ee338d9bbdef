//! Reads files of the site that another program might have replaced.
//!
//! Opening a pipe waits for a program that writes to it, and a device might have no end.

use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

/// Opens a regular file for reading. Follows links.
pub(crate) fn open(path: &Path) -> Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    File::open(path)
}

/// Reads a regular file as text.
pub(crate) fn read(path: &Path) -> Result<String> {
    std::io::read_to_string(open(path)?)
}
