//! Where the file is: a place that only an administrator can write to, and that nobody's environment can move.

use std::path::PathBuf;

/// The file of this computer; `None` where the system does not say where it would be.
#[must_use]
pub fn file() -> Option<PathBuf> {
    // The journeys may not write to the system.
    #[cfg(feature = "journeys")]
    if let Some(file) = std::env::var_os("STEWARD_POLICY") {
        return Some(PathBuf::from(file));
    }
    of_the_system()
}

#[cfg(not(any(windows, target_os = "macos")))]
#[expect(clippy::unnecessary_wraps, reason = "Windows may not know")]
fn of_the_system() -> Option<PathBuf> {
    Some(PathBuf::from("/etc/site-steward/policy.json"))
}

#[cfg(target_os = "macos")]
#[expect(clippy::unnecessary_wraps, reason = "Windows may not know")]
fn of_the_system() -> Option<PathBuf> {
    Some(PathBuf::from("/Library/Application Support/Site Steward/policy.json"))
}

/// Below the folder for programs: anybody can make a folder below that for common data, and with a proxy in it lead
/// the others astray. The registry says where it is; a variable could be set by anybody.
#[cfg(windows)]
fn of_the_system() -> Option<PathBuf> {
    let folder = windows_registry::LOCAL_MACHINE
        .open(r"SOFTWARE\Microsoft\Windows\CurrentVersion")
        .and_then(|key| key.get_string("ProgramFilesDir"));
    match folder {
        Ok(folder) => Some(PathBuf::from(folder).join("Site Steward").join("policy.json")),
        Err(error) => {
            tracing::warn!(%error, "Windows does not say where its programs are");
            None
        }
    }
}
