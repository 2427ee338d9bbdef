//! Whether an archive ends as archives do.
//!
//! A server or a proxy that announces too short a length is believed by HTTP: what goes beyond it is never seen. But
//! what servers store are ZIP archives, whose directory stands at their very end.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// The end record without its comment.
const RECORD: usize = 22;
/// What a comment may come to.
const LONGEST_COMMENT: usize = 65_535;

/// How a file ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// An archive, up to its last byte.
    Whole,
    /// It begins as an archive, and its end is missing.
    Missing,
    /// No archive: its end says nothing.
    Unknown,
}

/// Looks at both ends of a file.
pub(super) fn end(file: &mut File) -> std::io::Result<End> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(0))?;
    let mut first = Vec::new();
    file.by_ref().take(4).read_to_end(&mut first)?;
    if first != *b"PK\x03\x04" && first != *b"PK\x05\x06" {
        return Ok(End::Unknown);
    }
    let longest = (RECORD + LONGEST_COMMENT) as u64;
    file.seek(SeekFrom::Start(length.saturating_sub(longest)))?;
    let mut tail = Vec::new();
    file.take(longest).read_to_end(&mut tail)?;
    Ok(if ends(&tail) { End::Whole } else { End::Missing })
}

/// Whether a record stands where its comment reaches exactly to the end.
fn ends(tail: &[u8]) -> bool {
    let records = tail.windows(RECORD).enumerate().filter(|(_, record)| record.starts_with(b"PK\x05\x06"));
    records
        .map(|(at, record)| at + RECORD + usize::from(u16::from_le_bytes([record[20], record[21]])))
        .any(|end| end == tail.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn end_of(bytes: &[u8]) -> End {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        end(&mut file).unwrap()
    }

    fn archive(content: usize, comment: &[u8]) -> Vec<u8> {
        let mut bytes = b"PK\x03\x04".to_vec();
        bytes.resize(4 + content, b'x');
        bytes.extend_from_slice(b"PK\x05\x06");
        bytes.extend_from_slice(&[0; 16]);
        bytes.extend_from_slice(&u16::try_from(comment.len()).unwrap().to_le_bytes());
        bytes.extend_from_slice(comment);
        bytes
    }

    #[test]
    fn an_archive_without_its_last_byte_is_not_whole() {
        for comment in [&b""[..], b"made on Tuesday", &[b'y'; LONGEST_COMMENT]] {
            let whole = archive(200_000, comment);
            assert_eq!(end_of(&whole), End::Whole);
            assert_eq!(end_of(&whole[..whole.len() - 1]), End::Missing);
            assert_eq!(end_of(&whole[..100_000]), End::Missing);
            assert_eq!(end_of(&[&whole[..], b"z"].concat()), End::Missing);
        }
        assert_eq!(end_of(b"PK\x03\x04"), End::Missing);
        assert_eq!(end_of(b"item,name\n"), End::Unknown);
        assert_eq!(end_of(b""), End::Unknown);
    }
}
