//! Checks the data folder: free space and write access.

use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

use super::check_result::{Advice, Check, CheckResult, FactName, State};
use crate::files;

/// Free space below which the journal and the logs will soon fail, in bytes.
const LITTLE: u64 = 500 * 1024 * 1024;

/// Free space below which the next intent might not be written, so that nothing can be sent, in bytes.
const NONE: u64 = 20 * 1024 * 1024;

pub(super) fn check(folder: &Path) -> CheckResult {
    let finding = CheckResult::new(Check::Disk).path(FactName::Folder, folder);
    let finding = match fs4::available_space(folder) {
        Ok(free) => {
            let finding = finding.size(FactName::FreeSpace, free);
            if free < NONE {
                finding.say(State::Trouble, Advice::DiskAlmostFull)
            } else if free < LITTLE {
                finding.say(State::Advice, Advice::DiskAlmostFull)
            } else {
                finding
            }
        }
        Err(error) => finding.fact(FactName::Said, error).say(State::Trouble, Advice::DiskUnwritable),
    };
    match write_and_read(folder) {
        Ok(()) => finding,
        Err(error) => finding.fact(FactName::Said, error).say(State::Trouble, Advice::DiskUnwritable),
    }
}

/// Writes a temporary file and reads it back.
pub(super) fn write_and_read(folder: &Path) -> std::io::Result<()> {
    let mut file = tempfile::tempfile_in(folder)?;
    file.write_all(b"examination")?;
    files::flush(&file)?;
    file.rewind()?;
    let mut back = Vec::new();
    file.read_to_end(&mut back)?;
    if back == b"examination" {
        Ok(())
    } else {
        Err(std::io::Error::other("what was written came back changed"))
    }
}
