//! Lock of the data folder: two sites must not share one.

use anyhow::Context as _;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

/// Locked data folder. Dropping it releases the lock.
pub(crate) struct FolderLock(File);

impl FolderLock {
    /// Locks a folder.
    pub(crate) fn take(root: &Path) -> anyhow::Result<Self> {
        let path = root.join("in-use");
        match path.symlink_metadata() {
            // Opening a pipe waits for ever, and a link leads to a file that is something else.
            Ok(found) if !found.is_file() => anyhow::bail!("{} is not a regular file", path.display()),
            Err(cause) if cause.kind() != ErrorKind::NotFound => return Err(cause.into()),
            _ => {}
        }
        let file = File::options().create(true).append(true).open(path)?;
        file.try_lock().context("another practice site is using this data folder")?;
        Ok(Self(file))
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // A process that is just being started has a copy of the open file until it runs its own program. If the file were
        // only closed, the folder would be locked until then, and the site could not be started again.
        if let Err(cause) = self.0.unlock() {
            tracing::warn!("the data folder cannot be unlocked: {cause}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_free_at_once_although_a_starting_process_has_a_copy_of_the_open_file() {
        let folder = tempfile::tempdir().unwrap();
        let lock = FolderLock::take(folder.path()).unwrap();
        assert!(FolderLock::take(folder.path()).is_err());
        let copy = lock.0.try_clone().unwrap();
        drop(lock);
        FolderLock::take(folder.path()).unwrap();
        drop(copy);
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_in_place_of_the_lock_leads_to_is_not_emptied_and_a_pipe_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let (lock, other) = (folder.path().join("in-use"), folder.path().join("sites.json"));
        std::fs::write(&other, "kept").unwrap();
        std::os::unix::fs::symlink(&other, &lock).unwrap();
        assert!(FolderLock::take(folder.path()).is_err());
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "kept");

        std::fs::remove_file(&lock).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&lock).status().unwrap().success());
        assert!(FolderLock::take(folder.path()).is_err());
    }
}
