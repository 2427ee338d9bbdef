//! Flushes files and folders to disk.

use std::fs::File;
use std::io;

/// Flushes a file, or a folder on Unix, to disk.
///
/// On macOS, [`File::sync_all`] is `F_FULLFSYNC`, which network shares and FUSE volumes reject. The plain `fsync` that
/// follows such a rejection hands the data to the server or the volume.
#[cfg(unix)]
pub(crate) fn flush(file: &File) -> io::Result<()> {
    unless_rejected(file.sync_all(), || Ok(rustix::fs::fsync(file)?))
}

/// Flushes a file to disk.
#[cfg(not(unix))]
pub(crate) fn flush(file: &File) -> io::Result<()> {
    file.sync_all()
}

/// Calls `plain` if the flush was rejected, and returns its result.
///
/// After other errors the data might be lost, and a second flush can succeed all the same: they are returned.
#[cfg(unix)]
fn unless_rejected(flushed: io::Result<()>, plain: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    match flushed {
        Err(error) if is_rejected(&error) => plain(),
        other => other,
    }
}

/// Returns whether the file system does not support a call, as network shares and FUSE volumes on macOS.
#[cfg(unix)]
pub(super) fn is_rejected(error: &io::Error) -> bool {
    use rustix::io::Errno;

    // Shares return `ENOTSUP`, FUSE volumes `EINVAL` or `ENOTTY`.
    let rejections = [Errno::NOTSUP, Errno::OPNOTSUPP, Errno::INVAL, Errno::NOTTY];
    Errno::from_io_error(error).is_some_and(|code| rejections.contains(&code))
}

/// Returns `false`: Windows supports on shares what the app calls.
#[cfg(not(unix))]
pub(super) fn is_rejected(_: &io::Error) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn a_rejected_flush_is_followed_by_a_plain_one() {
        for rejection in [Errno::NOTSUP, Errno::INVAL, Errno::NOTTY] {
            let mut plain = 0;
            let done = unless_rejected(Err(rejection.into()), || {
                plain += 1;
                Ok(())
            });
            assert!(done.is_ok(), "{rejection}");
            assert_eq!(plain, 1, "{rejection}");
        }
        let failed = unless_rejected(Err(Errno::NOTSUP.into()), || Err(Errno::IO.into()));
        assert_eq!(failed.unwrap_err().raw_os_error(), Some(Errno::IO.raw_os_error()));
    }

    #[test]
    fn a_failed_flush_is_not_repeated() {
        for failure in [Errno::IO, Errno::NOSPC, Errno::DQUOT] {
            let done = unless_rejected(Err(failure.into()), || panic!("{failure} was taken for a rejection"));
            assert_eq!(done.unwrap_err().raw_os_error(), Some(failure.raw_os_error()));
        }
        assert!(unless_rejected(Ok(()), || panic!("a success was taken for a rejection")).is_ok());
    }

    #[test]
    fn files_and_folders_are_flushed() {
        let folder = tempfile::tempdir().unwrap();
        assert!(flush(&File::create(folder.path().join("a")).unwrap()).is_ok());
        assert!(flush(&File::open(folder.path()).unwrap()).is_ok());
        // A pipe cannot be flushed in either way.
        let (_reader, writer) = io::pipe().unwrap();
        assert!(flush(&File::from(std::os::fd::OwnedFd::from(writer))).is_err());
    }
}
