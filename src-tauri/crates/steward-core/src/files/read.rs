//! Reads files that this app might not have written: they are next to other files, chosen by the user, or named in a
//! setting.
//!
//! Only regular files are opened: a pipe or a device might have no end, and opening one can wait for ever. Links are
//! followed, as the user who made them expects; what they lead to must be a regular file.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Opens a regular file for reading. Does not wait for a pipe that took the place of the file.
///
/// # Errors
/// An error of the system, or that it is no regular file.
pub fn open_regular(path: &Path) -> Result<File> {
    open(path, OpenOptions::new().read(true))
}

/// Opens a regular file for writing at its end, as [`open_regular`] does. Creates it for its owner only.
pub(crate) fn open_to_append(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match open(path, &mut options) {
        Err(error) if error.kind() == ErrorKind::NotFound => options.open(path),
        opened => opened,
    }
}

fn open(path: &Path, options: &mut OpenOptions) -> Result<File> {
    let must_be_a_file = |is_file: bool| {
        is_file.then_some(()).ok_or_else(|| Error::new(ErrorKind::InvalidInput, "not a regular file"))
    };
    // Check before, because opening a device can have an effect; and after, because the path can lead elsewhere by
    // then.
    must_be_a_file(std::fs::metadata(path)?.is_file())?;
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, NO_WAITING);
    let file = options.open(path)?;
    must_be_a_file(file.metadata()?.is_file())?;
    Ok(file)
}

/// Makes opening a pipe return at once. It has no effect on a regular file.
#[cfg(unix)]
const NO_WAITING: i32 = rustix::fs::OFlags::NONBLOCK.union(rustix::fs::OFlags::NOCTTY).bits().cast_signed();

/// Reads a regular file of at most `limit` bytes, and no more of it.
///
/// # Errors
/// The error of the system if the file cannot be read; another one if it is no regular file, or is larger.
pub fn read_whole(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let file = open_regular(path)?;
    let too_large = || Error::new(ErrorKind::FileTooLarge, format!("larger than {limit} bytes"));
    if file.metadata()?.len() > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // The file can grow meanwhile.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_up_to_the_limit_is_read_and_a_larger_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        std::fs::write(&path, "abc").unwrap();

        assert_eq!(read_whole(&path, 3).unwrap(), b"abc");
        assert_eq!(read_whole(&path, 2).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read_whole(&folder.path().join("b"), 3).unwrap_err().kind(), ErrorKind::NotFound);
        assert!(read_whole(folder.path(), 3).is_err(), "a folder");
    }

    #[test]
    fn a_huge_file_without_content_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        File::create(&path).unwrap().set_len(1 << 41).unwrap();

        assert_eq!(read_whole(&path, 1 << 20).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_a_device_and_links_to_them_are_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let [to_pipe, to_device, to_file] =
            ["to-pipe", "to-device", "to-file"].map(|n| folder.path().join(n));
        std::os::unix::fs::symlink(&pipe, &to_pipe).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &to_device).unwrap();
        std::fs::write(folder.path().join("a"), "abc").unwrap();
        std::os::unix::fs::symlink("a", &to_file).unwrap();

        for path in [&pipe, &to_pipe, Path::new("/dev/zero"), &to_device] {
            // Opened without the check, this would wait for a writer.
            let error = read_whole(path, 1 << 20).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput, "{}", path.display());
        }
        assert_eq!(read_whole(&to_file, 3).unwrap(), b"abc");
    }
}
