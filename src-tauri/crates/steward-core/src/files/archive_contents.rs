//! Contents of an archive, read from its first and last bytes.

use std::collections::BTreeMap;
use std::io::Cursor;

use steward_client::FileEnds;
use zip::ZipArchive;

use super::archive_check::directory;
use super::archive_view::ArchiveView;
pub(crate) use super::archive_view::Directory;
use super::export_kind::Recognized;
use crate::model::archive_contents::{ArchiveContents, ArchiveFolder};
use crate::model::export_verification::ArchiveFault;
use crate::model::numbers::count;
use crate::model::operation::Component;

/// Largest number of folders that are listed.
const MOST: usize = 50;
/// Largest number of entries of a directory that fits into the last 64 KB: each has at least 46 bytes.
const MOST_ENTRIES: u64 = 65_557 / 46;

/// Returns the contents of a server upload, by the directory of the archive. The folders are missing if the directory begins before the
/// last bytes that were read.
pub(crate) fn contents(ends: &FileEnds) -> Result<ArchiveContents, ArchiveFault> {
    let directory = directory(ends)?;
    // Offset of the directory within the last bytes.
    let begins = directory.begins.checked_sub(ends.length - ends.tail.len() as u64);
    let archive = begins.filter(|_| directory.entries <= MOST_ENTRIES).and_then(|begins| {
        let view = ArchiveView::of(Cursor::new(ends.tail.as_slice()), Directory { begins, ..directory });
        ZipArchive::new(view).ok()
    });
    Ok(ArchiveContents {
        entries: match &archive {
            Some(archive) => count(archive.len()),
            None => u32::try_from(directory.entries).unwrap_or(u32::MAX),
        },
        folders: archive.as_ref().map(folders).unwrap_or_default(),
        is_recognized: archive
            .as_ref()
            .map(|archive| Recognized::by(archive.file_names().flatten()).is_of(Component::Server)),
    })
}

fn folders(archive: &ZipArchive<ArchiveView<Cursor<&[u8]>>>) -> Vec<ArchiveFolder> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for name in archive.file_names().flatten() {
        if let Some((folder, _)) = name.split_once('/') {
            *counts.entry(folder.to_owned()).or_default() += 1;
        }
    }
    let mut folders: Vec<_> = counts.into_iter().collect();
    folders.sort_by_key(|(_, entries)| std::cmp::Reverse(*entries));
    folders.truncate(MOST);
    folders.into_iter().map(|(name, entries)| ArchiveFolder { name, entries: count(entries) }).collect()
}

/// Largest directory that is read, in bytes: that of more entries than any known export has.
pub(crate) const LARGEST_DIRECTORY: u64 = 64 * 1024 * 1024;
/// Largest number of names that are listed.
const NAMED: usize = 20_000;

/// Names in a directory.
#[derive(Default)]
pub(crate) struct Names {
    /// Some of them, in alphabetical order.
    pub(crate) first: Vec<String>,
    /// Number of all, each counted once.
    pub(crate) count: usize,
}

/// Returns the names in a directory, or none if it cannot be read. `bytes` are those of the directory alone.
pub(crate) fn names(bytes: &[u8], directory: Directory) -> Names {
    let view = ArchiveView::of(Cursor::new(bytes), Directory { begins: 0, ..directory });
    let Ok(archive) = ZipArchive::new(view) else { return Names::default() };
    let mut names: Vec<String> = archive.file_names().flatten().map(|name| name.to_string()).collect();
    names.sort_unstable();
    names.truncate(NAMED);
    Names { first: names, count: archive.len() }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// Ends of an archive of these files, of which the last `tail` bytes were read.
    fn ends(names: &[String], tail: usize) -> FileEnds {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for name in names {
            archive.start_file(name, SimpleFileOptions::default()).unwrap();
            archive.write_all(b"content").unwrap();
        }
        let bytes = archive.finish().unwrap().into_inner();
        let tail = bytes[bytes.len().saturating_sub(tail)..].to_vec();
        FileEnds { length: bytes.len() as u64, head: bytes[..4].to_vec(), tail }
    }

    fn names() -> Vec<String> {
        let services = (0..30).map(|number| format!("services/Map{number}.MapServer.json"));
        services.chain(["settings/users.json", "manifest.json"].map(ToOwned::to_owned)).collect()
    }

    #[test]
    fn the_folders_are_counted_from_the_last_part_alone() {
        let named = |name: &str, entries| ArchiveFolder { name: name.to_owned(), entries };
        let expected = ArchiveContents {
            entries: 32,
            folders: vec![named("services", 30), named("settings", 1)],
            is_recognized: Some(true),
        };
        for tail in [3_000, usize::MAX] {
            assert_eq!(contents(&ends(&names(), tail)).unwrap(), expected, "{tail}");
        }
    }

    #[test]
    fn of_a_directory_that_begins_before_the_last_part_only_the_number_is_known() {
        assert_eq!(
            contents(&ends(&names(), 300)).unwrap(),
            ArchiveContents { entries: 32, folders: Vec::new(), is_recognized: None }
        );
    }

    #[test]
    fn a_portal_export_under_the_name_of_a_server_export_is_not_recognized() {
        let names = ["portal.db", "content/a"].map(ToOwned::to_owned);
        assert_eq!(contents(&ends(&names, usize::MAX)).unwrap().is_recognized, Some(false));
    }

    #[test]
    fn lengths_that_a_file_only_declares_are_not_believed() {
        let whole = ends(&names(), usize::MAX);
        // The directory of a 32-bit archive that claims to be enormous, and to begin at its start.
        let mut tail = whole.tail.clone();
        let end = tail.len() - 22;
        tail[end + 16..end + 20].fill(0);
        let enormous = FileEnds { length: 1 << 50, head: whole.head.clone(), tail };
        assert_eq!(contents(&enormous).unwrap().folders, []);
        // A number of entries for which there is no memory.
        let mut tail = b"PK\x06\x06".to_vec();
        tail.resize(32, 0);
        tail.extend((1_u64 << 40).to_le_bytes());
        tail.extend((46_u64 << 40).to_le_bytes());
        tail.extend((1_u64 << 50).to_le_bytes());
        let record = (1_u64 << 50) + (46 << 40);
        tail.extend(b"PK\x06\x07\0\0\0\0");
        tail.extend(record.to_le_bytes());
        tail.extend([1, 0, 0, 0]);
        tail.extend(b"PK\x05\x06\0\0\0\0");
        tail.extend([0xFF; 12]);
        tail.extend([0, 0]);
        let length = record + tail.len() as u64;
        let declared = FileEnds { length, head: whole.head, tail };
        assert_eq!(contents(&declared).unwrap().folders, []);
    }

    #[test]
    fn another_directory_in_the_comment_is_not_searched_for() {
        let mut bounded = ends(&names(), usize::MAX);
        let comment = [&b"PK\x05\x06\0\0\0\0\x01\0\x01\0"[..], &[0; 10], b"."].concat();
        let comment_length = bounded.tail.len() - 2;
        bounded.tail.truncate(comment_length);
        bounded.tail.extend(u16::try_from(comment.len()).unwrap().to_le_bytes());
        bounded.tail.extend(comment);
        bounded.length = bounded.tail.len() as u64;
        assert_eq!(contents(&bounded).unwrap().folders.len(), 2);

        // With a directory that is not where it should be, in a file that claims to be enormous.
        let end = comment_length - 20;
        bounded.tail[end + 16..end + 20].fill(0xFE);
        let enormous = FileEnds { length: 1 << 50, ..bounded };
        assert_eq!(contents(&enormous).unwrap().folders, []);
    }

    #[test]
    fn what_is_no_archive_has_no_contents() {
        let page = FileEnds { length: 6, head: b"<htm".to_vec(), tail: b"<html>".to_vec() };
        assert_eq!(contents(&page), Err(ArchiveFault::NoArchive));
    }
}
