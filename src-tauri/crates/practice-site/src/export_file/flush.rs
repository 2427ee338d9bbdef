//! Flushes files and folders of exports to disk. Exports go to any folder, also to one on a share.

use std::fs::File;
use std::io;

/// Flushes a file, or a folder on Unix, to disk.
///
/// On macOS, [`File::sync_all`] is `F_FULLFSYNC`, which network shares and FUSE volumes reject. The plain `fsync` that
/// follows such a rejection hands the data to the server or the volume.
pub(super) fn flush(file: &File) -> io::Result<()> {
    match file.sync_all() {
        #[cfg(unix)]
        Err(error) if is_rejection(&error) => Ok(rustix::fs::fsync(file)?),
        flushed => flushed,
    }
}

/// Returns whether the file system does not know this kind of flush. After other errors the data might be lost, and a
/// second flush can succeed all the same.
#[cfg(unix)]
fn is_rejection(error: &io::Error) -> bool {
    use rustix::io::Errno;

    // Shares return `ENOTSUP`, FUSE volumes `EINVAL` or `ENOTTY`.
    let rejections = [Errno::NOTSUP, Errno::OPNOTSUPP, Errno::INVAL, Errno::NOTTY];
    Errno::from_io_error(error).is_some_and(|code| rejections.contains(&code))
}

#[cfg(all(test, unix))]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn only_a_rejected_flush_is_followed_by_a_plain_one() {
        for rejection in [Errno::NOTSUP, Errno::INVAL, Errno::NOTTY] {
            assert!(is_rejection(&rejection.into()), "{rejection}");
        }
        for failure in [Errno::IO, Errno::NOSPC, Errno::DQUOT] {
            assert!(!is_rejection(&failure.into()), "{failure}");
        }
    }

    #[test]
    fn files_and_folders_are_flushed_and_a_pipe_is_not() {
        let folder = tempfile::tempdir().unwrap();
        assert!(flush(&File::create(folder.path().join("a")).unwrap()).is_ok());
        assert!(flush(&File::open(folder.path()).unwrap()).is_ok());
        // A pipe rejects both ways.
        let (_reader, writer) = io::pipe().unwrap();
        assert!(flush(&File::from(std::os::fd::OwnedFd::from(writer))).is_err());
    }
}
