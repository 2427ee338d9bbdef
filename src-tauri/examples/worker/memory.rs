//! What this process holds.

use anyhow::{Context, Result};

/// Resident memory in MiB: `VmRSS:` now, `VmHWM:` the most so far.
pub(crate) fn resident(name: &str) -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kibibytes: Option<u64> = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    kibibytes.map(|number| number / 1024).with_context(|| format!("the system tells no {name}"))
}
