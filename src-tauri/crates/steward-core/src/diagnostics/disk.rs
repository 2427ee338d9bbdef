//! Where the program keeps its files: room, and whether it can be written to.

use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

use super::check_result::{Advice, Check, FactName, Finding, State};

/// Below this, a journal and a log soon have no room.
const LITTLE: u64 = 500 * 1024 * 1024;

/// Below this, the next intent may not reach the disk, and nothing can be sent.
const NONE: u64 = 20 * 1024 * 1024;

pub(super) fn examine(folder: &Path) -> Finding {
    let finding = Finding::new(Check::Disk).path(FactName::Folder, folder);
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

/// What was written must come back. The file has no name, or is gone when it is closed.
pub(super) fn write_and_read(folder: &Path) -> std::io::Result<()> {
    let mut file = tempfile::tempfile_in(folder)?;
    file.write_all(b"examination")?;
    file.sync_all()?;
    file.rewind()?;
    let mut back = Vec::new();
    file.read_to_end(&mut back)?;
    if back == b"examination" {
        Ok(())
    } else {
        Err(std::io::Error::other("what was written came back changed"))
    }
}
