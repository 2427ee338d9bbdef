//! Random values and hashes.

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// Returns `N` random bytes of the operating system in hexadecimal.
pub(crate) fn hex_secret<const N: usize>() -> anyhow::Result<String> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).context("the operating system gave no randomness")?;
    Ok(hex(&bytes))
}

/// Returns lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns the SHA-256 of `bytes` in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Returns a random UUID (version 4).
pub(crate) fn uuid() -> String {
    uuid::Uuid::new_v4().to_string()
}
