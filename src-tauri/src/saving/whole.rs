//! Bytes in memory, written to a file as a whole.

use std::io::Write;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::{saved, temporary};
use crate::problem::Problem;
use crate::views::saved_file::Saving;

/// Writes `bytes` to `path`, readable by this person only.
pub fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = temporary::beside(path)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    temporary::put_in_place(file, path)
}

/// Writes `bytes` to `path` and says what became of them.
pub fn save(path: &Path, bytes: &[u8]) -> Saving {
    if let Err(error) = write_whole(path, bytes) {
        return Saving::Failed { problem: Problem::file(path, &error) };
    }
    let mut hash = Sha256::new();
    hash.update(bytes);
    Saving::Saved { file: saved(path, bytes.len() as u64, hash) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::numbers::Bytes;

    #[test]
    fn a_file_that_was_there_is_untouched_when_the_new_one_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("taken");
        std::fs::create_dir(&place).unwrap();
        std::fs::write(place.join("inside"), "kept").unwrap();

        assert!(matches!(save(&place, b"new"), Saving::Failed { .. }));

        assert_eq!(std::fs::read_to_string(place.join("inside")).unwrap(), "kept");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn a_saved_file_is_whole_private_and_described() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.invite");
        std::fs::write(&path, "a longer file that was here before").unwrap();

        let Saving::Saved { file } = save(&path, b"abc") else { panic!("not saved") };

        assert_eq!(std::fs::read(&path).unwrap(), b"abc");
        assert_eq!(file.size, Bytes(3));
        assert_eq!(file.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
