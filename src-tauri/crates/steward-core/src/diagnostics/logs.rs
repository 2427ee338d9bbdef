//! Checks the log folder.

use std::path::Path;

use super::check_result::{Advice, Check, CheckResult, FactName, State};
use super::disk::write_and_read;

pub(super) fn check(folder: &Path) -> CheckResult {
    let finding = CheckResult::new(Check::Logs).path(FactName::Folder, folder);
    // The folder might not exist yet; if it cannot be created, that is the result.
    if let Err(error) = std::fs::create_dir_all(folder).and_then(|()| write_and_read(folder)) {
        return finding.fact(FactName::Said, error).say(State::Trouble, Advice::LogsUnwritable);
    }
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes: Vec<u64> = files.filter_map(|file| Some(file.metadata().ok()?.len())).collect();
    finding.fact(FactName::Files, sizes.len()).size(FactName::Size, sizes.iter().sum())
}
