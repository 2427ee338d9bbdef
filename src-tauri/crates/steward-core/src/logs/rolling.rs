//! Log files with a size limit that only their owner can read.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::files::data_folder::create_private;
use crate::files::open_to_append;

/// Size limit of a file, in bytes.
const FULL: u64 = 1024 * 1024;

/// Number of older files that are kept.
const OLDER: u32 = 4;

/// Current log file, which is renamed when it is full.
pub(super) struct RollingFile {
    folder: PathBuf,
    file: File,
    length: u64,
}

impl RollingFile {
    /// Opens the current file in `folder`. Creates the folder if it does not exist.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        create_private(folder)?;
        let file = newest(folder)?;
        let length = file.metadata()?.len();
        Ok(Self { folder: folder.to_owned(), file, length })
    }

    fn begin_another(&mut self) -> io::Result<()> {
        for number in (0..OLDER).rev() {
            match std::fs::rename(path(&self.folder, number), path(&self.folder, number + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        self.file = newest(&self.folder)?;
        self.length = self.file.metadata()?.len();
        Ok(())
    }
}

impl Write for RollingFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // Windows does not rename a file that another process has open; the file then continues to grow.
        if self.length >= FULL && self.begin_another().is_err() {
            self.length = 0;
        }
        let written = self.file.write(line)?;
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Returns the path of a file: `site-steward.log`, or `site-steward.1.log` for the previous one.
fn path(folder: &Path, number: u32) -> PathBuf {
    match number {
        0 => folder.join("site-steward.log"),
        _ => folder.join(format!("site-steward.{number}.log")),
    }
}

fn newest(folder: &Path) -> io::Result<File> {
    open_to_append(&path(folder, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let files = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            files.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_logs_of_a_long_life_stay_small_and_the_newest_lines_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = RollingFile::open(folder.path()).unwrap();
        let line = "x".repeat(64 * 1024);
        for _ in 0..200 {
            file.write_all(line.as_bytes()).unwrap();
        }
        file.write_all(b"the last line\n").unwrap();

        let names = names(folder.path());
        assert_eq!(names.len(), 1 + OLDER as usize, "{names:?}");
        for name in &names {
            let length = folder.path().join(name).metadata().unwrap().len();
            assert!(length <= FULL + line.len() as u64, "{name}: {length}");
        }
        assert!(std::fs::read_to_string(path(folder.path(), 0)).unwrap().ends_with("the last line\n"));
    }

    #[test]
    fn a_second_start_goes_on_in_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        for line in ["first\n", "second\n"] {
            RollingFile::open(folder.path()).unwrap().write_all(line.as_bytes()).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path(folder.path(), 0)).unwrap(), "first\nsecond\n");
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_read_a_log() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let mut file = RollingFile::open(folder.path()).unwrap();
        file.begin_another().unwrap();
        for number in 0..=1 {
            let mode = path(folder.path(), number).metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_place_of_a_log_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = std::process::Command::new("mkfifo").arg(path(folder.path(), 0)).status();
        assert!(pipe.unwrap().success());
        let (ended, end) = std::sync::mpsc::channel();
        let logs = folder.path().to_owned();
        // A thread of its own: one that waits for the other end of a pipe never ends.
        std::thread::spawn(move || ended.send(RollingFile::open(&logs).map(drop)));

        let opened = end.recv_timeout(std::time::Duration::from_secs(20)).unwrap();

        assert_eq!(opened.unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }
}
