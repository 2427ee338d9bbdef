//! The two lines of an entry, and the head of the chain.

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Hash that the first envelope names as that of the one before.
pub const NOTHING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Version of the form of an envelope.
const VERSION: u32 = 1;

/// First line of an entry. The order of the fields is the order in the line, which the scripts of a package expect.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Envelope<'a> {
    v: u32,
    /// Number of the entry, from 1 without gaps.
    pub(crate) seq: i64,
    /// Time in UTC with milliseconds. It can be earlier than that of the entry before: `seq` is the order.
    pub(crate) at: &'a str,
    /// Kind of the event, for example `operation.sent`.
    #[serde(rename = "type")]
    pub(crate) kind: &'a str,
    /// SHA-256 of the body.
    pub(crate) body: &'a str,
    /// SHA-256 of the envelope before.
    pub(crate) prev: &'a str,
}

impl<'a> Envelope<'a> {
    pub(crate) const fn new(seq: i64, at: &'a str, kind: &'a str, body: &'a str, prev: &'a str) -> Self {
        Self { v: VERSION, seq, at, kind, body, prev }
    }
}

/// Entry of a chain as a user keeps it elsewhere: its number and its hash tell whether the trail still has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Random identifier of the history, from its first entry.
    pub history: String,
    /// Number of the entry.
    pub entry: i64,
    /// SHA-256 of its envelope, in lower-case hexadecimal.
    pub hash: String,
}

impl fmt::Display for Head {
    /// One line that survives a mail or a print-out, and that the scripts of a package take. Another text in the place of an
    /// identifier or a hash is left out: it could look like a second head.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let history = if is_history_id(&self.history) { &self.history } else { "" };
        let hash = if is_hexadecimal(&self.hash, 64) { &self.hash } else { "" };
        write!(formatter, "site-steward history {history} seq {} sha256 {hash}", self.entry)
    }
}

/// Returns whether a text is an identifier of a history as the program makes one.
pub(crate) fn is_history_id(text: &str) -> bool {
    is_hexadecimal(text, 32)
}

fn is_hexadecimal(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Kind of damage of the audit trail, or of the records of the history that belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Damage {
    /// An entry does not follow the one before it: its number or the hash of the previous entry is wrong.
    Chain,
    /// The body of an entry does not match the hash in its envelope.
    Body,
    /// The bodies of one or more consecutive entries are missing.
    MissingBodies,
    /// A record of the history differs from its last event in the trail, or was removed.
    Record,
    /// A record of the history has no event in the trail.
    Untold,
    /// A database index lacked entries or had additional ones, so that verifications, damage, states, or, in a search,
    /// records were not shown.
    Index,
    /// A part of the records or of the trail cannot be read. Whether every record in that part has its event is not known.
    Unreadable,
}

/// Place where the audit trail does not hold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Break {
    /// Kind of the damage.
    pub what: Damage,
    /// Number of the entry; of several bodies that are missing, the first one; 0 for a record without an event.
    pub entry: i64,
    /// Number of the last one of these entries.
    pub through: i64,
    /// Hash that the trail requires here; of missing bodies, that of the last one.
    pub expected: String,
    /// Hash that is here instead; empty if nothing is here, or it cannot be read.
    pub found: String,
    /// Identifier of the record that differs; empty for other breaks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub record: String,
}

/// Event of the last verification in the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Number of the entry of the mark itself.
    pub(crate) at: i64,
    /// Last entry that was verified. The next verification begins after it.
    pub(crate) through: i64,
    /// SHA-256 of what the indexes had up to that entry.
    pub(crate) indexes_sha256: String,
}

/// Returns the SHA-256 of a line, in lower-case hexadecimal.
pub(crate) fn hash(line: &str) -> String {
    String::from_utf8_lossy(&digits(line.as_bytes())).into_owned()
}

/// Returns the same without an allocation: a verification hashes millions of lines.
pub(crate) fn digits(line: &[u8]) -> [u8; 64] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut digits = [0; 64];
    for (two, byte) in digits.chunks_exact_mut(2).zip(Sha256::digest(line)) {
        two.copy_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    }
    digits
}

/// Writes a value as one line that stays one line wherever it is read, and shows all that it says: no [hidden](is_hidden)
/// character stands in it as itself.
pub(crate) fn line<T: Serialize>(value: &T) -> serde_json::Result<String> {
    let json = serde_json::to_string(value)?;
    // A search by characters takes longer than the hash of the line. Most lines have none but visible characters of ASCII.
    let is_visible = json.bytes().fold(true, |all, byte| all & matches!(byte, b' '..=b'~'));
    if is_visible || !json.contains(is_hidden) {
        return Ok(json);
    }
    // In JSON such characters stand in texts only, where an escape means the same.
    let mut escaped = String::with_capacity(json.len() + 64);
    for one in json.chars() {
        if is_hidden(one) {
            for unit in one.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(one);
        }
    }
    Ok(escaped)
}

/// Returns whether a character is a control character (C0, DEL, C1), ends a line or a paragraph, or has no glyph of its own
/// (`Default_Ignorable_Code_Point` of Unicode): two texts that differ by one look alike.
pub(crate) fn is_hidden(one: char) -> bool {
    one.is_control()
        || matches!(one,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}
