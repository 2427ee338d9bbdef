//! Text encoding of a contacts file.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use serde::Serialize;

use super::error::ContactsFileError;

/// Text encoding of a contacts file. The window shows it if it is a guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ContactsFileEncoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// UTF-16 with a byte order mark.
    Utf16,
    /// Windows-1252, the default of spreadsheets on Windows. A guess if the file is not UTF-8.
    Windows1252,
}

/// Decodes the bytes of a file.
pub(super) fn read(bytes: &[u8]) -> Result<(String, ContactsFileEncoding), ContactsFileError> {
    // Workbooks are ZIP archives; those of an old format have a signature of their own.
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return Err(ContactsFileError::Workbook);
    }
    let (encoding, mark) = Encoding::for_bom(bytes).unwrap_or((UTF_8, 0));
    let bytes = &bytes[mark..];
    if encoding != UTF_8 {
        // A partial character at the end is ignored.
        let units = &bytes[..bytes.len() & !1];
        let text = encoding.decode_without_bom_handling_and_without_replacement(units);
        let text = text.ok_or(ContactsFileError::NoText)?;
        return Ok((text.into_owned(), ContactsFileEncoding::Utf16));
    }
    if bytes.contains(&0) {
        return Err(ContactsFileError::NoText);
    }
    Ok(match UTF_8.decode_without_bom_handling_and_without_replacement(bytes) {
        Some(text) => (text.into_owned(), ContactsFileEncoding::Utf8),
        None => {
            let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
            (text.into_owned(), ContactsFileEncoding::Windows1252)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_in_the_encodings_of_spreadsheets() {
        let little: Vec<u8> = "\u{feff}Zoë".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "\u{feff}Zoë".encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (bytes, encoding) in [
            ("Zoë".as_bytes(), ContactsFileEncoding::Utf8),
            ("\u{feff}Zoë".as_bytes(), ContactsFileEncoding::Utf8),
            (&little, ContactsFileEncoding::Utf16),
            (&big, ContactsFileEncoding::Utf16),
            (b"Zo\xeb", ContactsFileEncoding::Windows1252),
        ] {
            assert_eq!(read(bytes), Ok(("Zoë".to_owned(), encoding)));
        }
        assert_eq!(read(b"\x80 \x9f"), Ok(("€ Ÿ".to_owned(), ContactsFileEncoding::Windows1252)));
        assert_eq!(read(b"\xef\xbb\xbfZo\xeb"), Ok(("Zoë".to_owned(), ContactsFileEncoding::Windows1252)));
        assert_eq!(read(b"\xff\xfeZ\0o"), Ok(("Z".to_owned(), ContactsFileEncoding::Utf16)), "half a letter");
    }

    #[test]
    fn what_is_no_text_is_said() {
        assert_eq!(read(b"PK\x03\x04..."), Err(ContactsFileError::Workbook));
        assert_eq!(read(b"a\0b\0"), Err(ContactsFileError::NoText));
        assert_eq!(read(b"\xff\xfe\x00\xd8\x41\x00"), Err(ContactsFileError::NoText), "half a pair");
    }
}
