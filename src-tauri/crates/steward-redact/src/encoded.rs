//! Text whose characters are encoded: as in a URL, or in JSON.

use std::borrow::Cow;

use super::names::{is_mark, is_of_name};
use super::values::{Pattern, pattern};

/// Number of bytes before a word in which the rest of its name is looked for.
const LONGEST_NAME: usize = 128;

/// Number of bytes of an encoded part that is decoded. A longer one is a file.
const LONGEST_PART: usize = 65_536;

/// Masks the secrets in the parts of a text that are encoded as in a URL, also repeatedly, up to `layers` times. Such a
/// part has the characters around its names and values encoded; what is only a value is not changed. `masked_in` masks
/// a decoded part.
pub(super) fn encoded(text: &str, layers: usize, masked_in: fn(&str, usize) -> String) -> Cow<'_, str> {
    static PARTS: Pattern =
        Pattern::new(|| pattern(r#"(?i)[^\s"'<>`&=?\#;\\]*?%(?:22|25|27|3a|3c|3d|40)[^\s"'<>`&=?\#;\\]*"#));
    let Some(layers) = layers.checked_sub(1) else { return Cow::Borrowed(text) };
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    PARTS.replace_all(text, |found: &regex::Captures<'_>| {
        let part = &found[0];
        let plain = if part.len() > LONGEST_PART { None } else { decoded(part) };
        match plain.map(|plain| (masked_in(&plain, layers), plain)) {
            Some((kept, plain)) if kept != plain => encode(&kept, part),
            _ => part.to_owned(),
        }
    })
}

/// Returns a name whose last part is `word`, and of which a letter before it is encoded: `contrase%C3%B1a`,
/// `contrase\u00f1a`.
pub(super) fn spelled_out(before: &str, word: &str) -> Option<String> {
    let is_escape = before.ends_with('%') || (before.ends_with('\\') && word.starts_with('u'));
    if !is_escape {
        return None;
    }
    let from = before.ceil_char_boundary(before.len().saturating_sub(LONGEST_NAME));
    let start = before[from..]
        .rfind(|letter| !(is_of_name(letter) || is_mark(letter) || matches!(letter, '%' | '\\')))
        .map_or(from, |at| from + at + before[from + at..].chars().next().map_or(1, char::len_utf8));
    let name = format!("{}{word}", &before[start..]);
    if before.ends_with('%') { decoded(&name) } else { serde_json::from_str(&format!("\"{name}\"")).ok() }
}

/// Returns a text with its encoded characters decoded. `None` if it is not UTF-8 then.
fn decoded(text: &str) -> Option<String> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, others)) = rest.split_first() {
        let code = code(first, others);
        plain.push(code.unwrap_or(first));
        rest = if code.is_some() { &others[2..] } else { others };
    }
    String::from_utf8(plain).ok()
}

/// Returns the byte that `first` encodes with the two after it.
fn code(first: u8, others: &[u8]) -> Option<u8> {
    let digits =
        others.get(..2).filter(|digits| first == b'%' && digits.iter().all(u8::is_ascii_hexdigit))?;
    u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

/// Encodes a text as `like`, which it was decoded from: the characters that are always encoded there.
fn encode(text: &str, like: &str) -> String {
    let (mut bare, mut hidden) = ([false; 256], [false; 256]);
    let mut rest = like.as_bytes();
    while let Some((&first, others)) = rest.split_first() {
        match code(first, others) {
            Some(code) => (hidden[usize::from(code)], rest) = (true, &others[2..]),
            None => (bare[usize::from(first)], rest) = (true, others),
        }
    }
    let mut kept = String::with_capacity(text.len());
    for letter in text.chars() {
        let mut bytes = [0; 4];
        let bytes = letter.encode_utf8(&mut bytes).as_bytes();
        match bytes.iter().all(|byte| hidden[usize::from(*byte)] && !bare[usize::from(*byte)]) {
            true => kept.extend(bytes.iter().map(|byte| format!("%{byte:02X}"))),
            false => kept.push(letter),
        }
    }
    kept
}
