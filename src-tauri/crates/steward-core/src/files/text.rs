//! Text of files that a user might have edited: editors save it with a byte order mark, or in UTF-16.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

/// Returns a text in UTF-8 without its byte order mark. The bytes are returned unchanged if they have no mark, or
/// cannot be decoded with the encoding of the mark.
#[must_use]
pub fn as_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    match Encoding::for_bom(bytes) {
        None => Cow::Borrowed(bytes),
        Some((encoding, mark)) if encoding == UTF_8 => Cow::Borrowed(&bytes[mark..]),
        Some((encoding, mark)) => {
            match encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..]) {
                Some(text) => Cow::Owned(text.into_owned().into_bytes()),
                None => Cow::Borrowed(bytes),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_in_each_encoding_that_its_mark_names_and_otherwise_stays_as_it_is() {
        let marked = "\u{feff}{\"name\": \"Zo\u{eb}\"}";
        let plain = &marked.as_bytes()[3..];
        let little: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [marked.as_bytes(), plain, &little, &big] {
            assert_eq!(&*as_utf8(bytes), plain);
        }
        for damaged in [&little[..little.len() - 1], b"\xff\xfe\x00\xd8", b"{\xff}", b""] {
            assert_eq!(&*as_utf8(damaged), damaged);
        }
    }
}
