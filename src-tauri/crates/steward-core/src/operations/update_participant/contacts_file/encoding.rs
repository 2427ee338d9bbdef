//! The text of a sheet, whatever the spreadsheet wrote it as.

use serde::Serialize;

use super::SheetFault;

/// How the letters of a file are written. The window says it where it is a guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum SheetEncoding {
    /// What it should be.
    Utf8,
    /// With a mark at its beginning that says so.
    Utf16,
    /// It is no UTF-8: what spreadsheets on Windows write unless they are told otherwise. A guess.
    Windows1252,
}

/// The letters of Windows-1252 from 0x80 to 0x9f; the others are those of Latin-1.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Reads the bytes of a file as text.
pub(super) fn read(bytes: &[u8]) -> Result<(String, SheetEncoding), SheetFault> {
    let utf16 = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = rest.as_chunks::<2>().0.iter().map(|pair| unit(*pair));
        let text: Result<String, _> = char::decode_utf16(units).collect();
        text.map(|text| (text, SheetEncoding::Utf16)).map_err(|_| SheetFault::NoText)
    };
    match bytes {
        // Workbooks are ZIP archives, and those of old documents with a signature of their own.
        [b'P', b'K', 3, 4, ..] | [0xd0, 0xcf, 0x11, 0xe0, ..] => return Err(SheetFault::Workbook),
        [0xff, 0xfe, rest @ ..] => return utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => return utf16(rest, u16::from_be_bytes),
        _ if bytes.contains(&0) => return Err(SheetFault::NoText),
        _ => {}
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok((text.to_owned(), SheetEncoding::Utf8)),
        Err(_) => Ok((bytes.iter().copied().map(windows).collect(), SheetEncoding::Windows1252)),
    }
}

fn windows(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
        other => char::from(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_in_the_encodings_of_spreadsheets() {
        let little: Vec<u8> = "\u{feff}Zoë".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "\u{feff}Zoë".encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (bytes, encoding) in [
            ("Zoë".as_bytes(), SheetEncoding::Utf8),
            ("\u{feff}Zoë".as_bytes(), SheetEncoding::Utf8),
            (&little, SheetEncoding::Utf16),
            (&big, SheetEncoding::Utf16),
            (b"Zo\xeb", SheetEncoding::Windows1252),
        ] {
            assert_eq!(read(bytes), Ok(("Zoë".to_owned(), encoding)));
        }
        assert_eq!(read(b"\x80 \x9f"), Ok(("€ Ÿ".to_owned(), SheetEncoding::Windows1252)));
    }

    #[test]
    fn what_is_no_text_is_said() {
        assert_eq!(read(b"PK\x03\x04..."), Err(SheetFault::Workbook));
        assert_eq!(read(b"a\0b\0"), Err(SheetFault::NoText));
        assert_eq!(read(b"\xff\xfe\x00\xd8\x41\x00"), Err(SheetFault::NoText), "half a letter");
    }
}
